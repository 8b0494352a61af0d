package chaos

import (
	"context"
	"math/rand/v2"
	"os/exec"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// A steward grants, freezes, thaws and opens epochs of ward while analysts ask and things break.
type steward struct {
	*site
	stopped chan struct{}
	running sync.WaitGroup
	tried   map[string]int // by the kind of entry that it makes
	done    map[string]int
}

// acts are the commands, by the kind of entry that they make.
var acts = map[string][]string{
	"granted": {"budget", "grant", "--epsilon", "0.001"}, "frozen": {"budget", "freeze"}, "thawed": {"budget", "thaw"}, "epoch": {"budget", "epoch"},
}

const actPause = 700 * time.Millisecond

func (s *site) startSteward(seed uint64) *steward {
	st := &steward{site: s, stopped: make(chan struct{}), tried: make(map[string]int), done: make(map[string]int)}
	random := rand.New(rand.NewPCG(seed, 0))
	kinds := []string{"granted", "frozen", "thawed", "epoch", "thawed"}
	st.running.Go(func() {
		for {
			select {
			case <-st.stopped:
				return
			case <-time.After(actPause):
				st.act(kinds[random.IntN(len(kinds))], st.proxies[random.IntN(len(st.proxies))])
			}
		}
	})
	return st
}

// act runs a command by a proxy's way to the ledger. It may fail: the ledger is away, or what is to be frozen is.
func (st *steward) act(kind string, p *proxy) {
	ctx, cancel := context.WithTimeout(context.Background(), askPatience)
	defer cancel()
	args := append(append([]string{}, acts[kind]...), "--policy", p.policy, "--table", "public."+ward, "--reason", "chaos")
	st.tried[kind]++
	if exec.CommandContext(ctx, p.binary, args...).Run() == nil {
		st.done[kind]++
	}
}

// stop waits for the last act.
func (st *steward) stop() {
	close(st.stopped)
	st.running.Wait()
}

// acted has an act acknowledged, now that nothing is broken. On a busy machine there may have been none before.
func (st *steward) acted() {
	const attempts = 10
	for i := 0; i < attempts && len(st.done) == 0; i++ {
		st.act("granted", st.proxies[0])
	}
}

// reconcile compares what was done with what the ledger says: each act that was acknowledged is there, and none of which there was no word.
func (st *steward) reconcile() {
	st.t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, st.ledger.URL("postgres", "tacit"))
	must(st.t, err)
	defer conn.Close(ctx)
	all := 0
	for kind := range acts {
		var entries int
		must(st.t, conn.QueryRow(ctx, "SELECT count(*) FROM tacit_ledger.entry WHERE kind = $1 AND table_name = $2", kind, ward).Scan(&entries))
		if entries < st.done[kind] || entries > st.tried[kind] {
			st.t.Errorf("%d entries %s; %d were tried, %d acknowledged", entries, kind, st.tried[kind], st.done[kind])
		}
		all += st.done[kind]
	}
	st.t.Logf("a steward's acts: %v acknowledged of %v", st.done, st.tried)
	if all == 0 {
		st.t.Error("no act of a steward was done")
	}
}
