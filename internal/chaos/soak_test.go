package chaos

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

var soakFlag = flag.Duration("soak", 5*time.Second, "for how long TestSoak asks")

// TestSoak has one proxy do everything that it does, for as long as -soak says: answers, replays, relays, refusals, cancels, clients that come, go and
// vanish, and reloads of the policy. It prints times and what the process holds for each interval. Nothing may be left behind in the end: no session, no
// goroutine, no descriptor. Memory may not grow from the first half of the run to the end, and the ledger has each answer once.
func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	s := newSite(t, 1, largeDisk)
	so := &soak{load: &load{
		site: s, stopped: make(chan struct{}), shown: make(map[question]int64), failures: make(map[string]int),
		answered: make(map[string]int), stages: make(map[int64]bool),
	}, took: make(map[string][]time.Duration), began: time.Now()}
	before := so.holds()
	t.Logf("before: %v", before)
	so.start()
	memory := so.watch(*soakFlag)
	so.awaitSessions(3 * spare)
	so.stop()
	after := so.settled(before)
	t.Logf("after: %v; %d sessions, statements %v", after, so.sessions.Load(), so.done)
	so.isFlat(memory)
	so.awaitOpen()
	so.askOrphans()
	so.exhaust()
	so.askAgain()
	so.reconcile()
	s.verify()
}

const (
	soakClients = 6
	// spare is how many descriptors and goroutines more than before the first session there may be at the end, for connections that are kept for the
	// next count. Each session that is left behind is one more of both at least.
	spare = 48
	// newQuestions is how many questions of each table are asked for the first time during a run, however long it is: the ledger's content is kept in
	// memory, and grows with them.
	newQuestions = 3000
)

// A soak is clients who do all kinds of things.
type soak struct {
	*load
	began    time.Time
	sessions atomic.Int64
	mu       sync.Mutex                 // protects what follows
	took     map[string][]time.Duration // of this interval, by kind
	done     map[string]int
}

// start has clients do things, and the policy reloaded, until the soak is stopped.
func (so *soak) start() {
	so.done = make(map[string]int)
	for i := range soakClients {
		random := rand.New(rand.NewPCG(7, uint64(i)))
		so.running.Go(func() {
			for so.goesOn() {
				so.session(random)
			}
		})
	}
	so.running.Go(so.reload)
}

func (so *soak) goesOn() bool {
	select {
	case <-so.stopped:
		return false
	default:
		return true
	}
}

// reload changes the policy again and again, and has the proxy read it. It ends before the clients do, and when the last policy is in force: what they
// leave behind is looked at under that one.
func (so *soak) reload() {
	p := so.proxies[0]
	for i := 0; time.Since(so.began) < *soakFlag/2; i++ {
		select {
		case <-so.stopped:
			return
		case <-time.After(2 * time.Second):
		}
		text, err := os.ReadFile(p.policy)
		must(so.t, err)
		text = regexp.MustCompile(`(?m)^limits: .*\n|\z`).ReplaceAll(text, nil)
		text = fmt.Appendf(bytes.TrimRight(text, "\n"), "\nlimits: {cells: %d}\n", 100_000+i%2)
		if err := os.WriteFile(p.policy+".new", text, 0o600); err != nil {
			so.t.Error(err)
			return
		}
		if err := os.Rename(p.policy+".new", p.policy); err != nil {
			so.t.Error(err)
			return
		}
		before := p.reloads()
		p.signal(syscall.SIGHUP)
		if !p.awaitReload(before) {
			return
		}
		so.count("reload", 0)
	}
}

// session is what one client does from its login until it goes.
func (so *soak) session(random *rand.Rand) {
	if random.IntN(20) == 0 {
		so.stranger(random)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), askPatience)
	defer cancel()
	began := time.Now()
	conn, err := pgx.Connect(ctx, fmt.Sprintf("postgres://%s@%s/data?sslmode=disable&default_query_exec_mode=%s", analysts[random.IntN(len(analysts))],
		so.proxies[0].address(), []string{"exec", "simple_protocol"}[random.IntN(2)]))
	if err != nil {
		so.t.Errorf("login: %v", err)
		return
	}
	so.sessions.Add(1)
	so.count("login", time.Since(began))
	defer conn.Close(ctx)
	for range 1 + random.IntN(40) {
		if conn.IsClosed() || !so.goesOn() {
			return
		}
		so.act(ctx, random, conn)
	}
}

// act does one thing.
func (so *soak) act(ctx context.Context, random *rand.Rand, conn *pgx.Conn) {
	began := time.Now()
	kind, want := "", ""
	var err error
	switch n := random.IntN(100); {
	case n < 50:
		kind, err = so.ask1(ctx, random, conn)
	case n < 75:
		kind = "relay"
		var rows int
		if err = conn.QueryRow(ctx, "SELECT count(*) FROM (SELECT repeat('x', 100) FROM generate_series(1, 1000)) AS t").Scan(&rows); err == nil && rows != 1000 {
			so.t.Errorf("%d of 1000 rows", rows)
		}
	case n < 85:
		kind = "large relay"
		err = so.large(ctx, conn)
	case n < 94:
		kind, want = "refusal", "42501"
		_, err = conn.Exec(ctx, "SELECT * FROM people")
	case n < 97:
		kind, want = "cancel", "57014"
		err = so.cancelled(ctx, conn)
	case n < 98:
		kind, want = "leaving", "closed"
		time.AfterFunc(20*time.Millisecond, func() { conn.PgConn().Conn().Close() })
		if _, err = conn.Exec(ctx, "SELECT pg_sleep(60)"); err != nil {
			err = errClosed
		}
	default:
		kind = "failed block"
		err = so.failedBlock(ctx, conn)
	}
	got := ""
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		got = refused.Code
	} else if err != nil {
		got = err.Error()
	}
	asks := kind == "answer" || kind == "replay" || kind == "scarce"
	switch {
	case got == want, kind == "scarce" && got == "53400":
	case asks && (got == "0A000" || got == "55000"): // the policy was reloaded between its Parse and its Bind, or its plan and its charge
		kind = "stale"
	default:
		so.t.Errorf("%s: %q, want %q: %v", kind, got, want, err)
	}
	so.count(kind, time.Since(began))
}

var errClosed = errors.New("closed")

// ask1 asks a question: often one that was asked before.
func (so *soak) ask1(ctx context.Context, random *rand.Rand, conn *pgx.Conn) (kind string, err error) {
	table := []int{0, 0, 0, 2, 2, 1}[random.IntN(6)]
	begun := &so.asked[table]
	number := begun.Load()
	kind = "replay"
	if allowed := int64(float64(newQuestions) * min(1, float64(time.Since(so.began))/float64(*soakFlag))); number == 0 || number < allowed && random.IntN(4) == 0 {
		number, kind = begun.Add(1), "answer"
	} else {
		number = 1 + random.Int64N(number)
	}
	if tables[table] == "scarce" {
		kind = "scarce"
	}
	q := question{tables[table], int(number)}
	var count int64
	if err = conn.QueryRow(ctx, q.sql(random.IntN(2))).Scan(&count); err == nil {
		so.show(so.proxies[0], q, count)
	}
	return kind, err
}

// large reads 2 MB, and says that they are what was asked for.
func (so *soak) large(ctx context.Context, conn *pgx.Conn) error {
	rows, err := conn.Query(ctx, "SELECT repeat(i::text, 500) FROM generate_series(1000, 1999) AS i")
	if err != nil {
		return err
	}
	texts, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	if len(texts) != 1000 || texts[7] != strings.Repeat("1007", 500) {
		return fmt.Errorf("%d rows, of which the eighth begins with %.20q", len(texts), texts[min(7, len(texts)-1)])
	}
	return nil
}

// cancelled cancels a statement until it ends. A request that comes late would cancel the next statement, so there is none.
func (so *soak) cancelled(ctx context.Context, conn *pgx.Conn) error {
	defer conn.Close(ctx)
	ended := make(chan struct{})
	var asked sync.WaitGroup
	asked.Go(func() {
		for {
			select {
			case <-ended:
				return
			case <-time.After(20 * time.Millisecond):
			}
			if err := conn.PgConn().CancelRequest(ctx); err != nil {
				so.t.Errorf("cancel: %v", err)
			}
		}
	})
	_, err := conn.Exec(ctx, "SELECT pg_sleep(60)")
	close(ended)
	asked.Wait()
	return err
}

// failedBlock fails in a transaction, and goes on after it.
func (so *soak) failedBlock(ctx context.Context, conn *pgx.Conn) error {
	for _, c := range []struct{ sql, code string }{
		{"BEGIN", ""}, {"CREATE TEMPORARY TABLE notes (n int) ON COMMIT DROP", ""}, {"SELECT 1 / 0", "22012"}, {"SELECT count(*) FROM people", "25P02"}, {"ROLLBACK", ""},
	} {
		_, err := conn.Exec(ctx, c.sql)
		var refused *pgconn.PgError
		if errors.As(err, &refused) {
			if refused.Code == c.code {
				continue
			}
		}
		if err != nil || c.code != "" {
			return fmt.Errorf("%s: %w", c.sql, err)
		}
	}
	return nil
}

// stranger connects and goes, at some stage before the end of its login.
func (so *soak) stranger(random *rand.Rand) {
	conn, err := net.Dial("tcp", so.proxies[0].address())
	if err != nil {
		so.t.Error(err)
		return
	}
	defer conn.Close()
	startup := []byte("\x00\x00\x00\x22\x00\x03\x00\x00user\x00ana\x00database\x00data\x00\x00")
	startup[3] = byte(len(startup))
	conn.Write(startup[:random.IntN(len(startup)+1)])
	if random.IntN(2) == 0 {
		conn.SetReadDeadline(time.Now().Add(5 * time.Millisecond))
		io.ReadAll(conn)
	}
	so.count("stranger", 0)
}

// count notes that something was done.
func (so *soak) count(kind string, took time.Duration) {
	so.mu.Lock()
	defer so.mu.Unlock()
	so.done[kind]++
	so.took[kind] = append(so.took[kind], took)
}

// watch prints what happens in each of 20 intervals, and returns the memory at the end of each.
func (so *soak) watch(whole time.Duration) (memory []int) {
	const intervals = 20
	tick := time.NewTicker(whole / intervals)
	defer tick.Stop()
	for i := range intervals {
		<-tick.C
		so.mu.Lock()
		took := so.took
		so.took = make(map[string][]time.Duration)
		so.mu.Unlock()
		h := so.holds()
		memory = append(memory, h.memory)
		line := fmt.Sprintf("%8v: %v", (whole / intervals * time.Duration(i+1)).Round(time.Second), h)
		for _, kind := range []string{"answer", "replay", "relay", "large relay", "refusal", "login"} {
			if times := took[kind]; len(times) > 0 {
				slices.Sort(times)
				line += fmt.Sprintf("; %d x %s, p50 %.1f p99 %.1f ms", len(times), kind, ms(times[len(times)/2]), ms(times[len(times)*99/100]))
			}
		}
		so.t.Log(line)
	}
	return memory
}

// awaitSessions goes on on a slow machine until there were so many sessions that one thing left behind by each would be seen.
func (so *soak) awaitSessions(enough int64) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for so.sessions.Load() < enough {
		<-tick.C
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// isFlat compares the memory of the end with that of the first half, after which all has been done many times. Runs of less than a minute tell nothing.
func (so *soak) isFlat(memory []int) {
	so.t.Helper()
	n := len(memory)
	if *soakFlag < time.Minute {
		return
	}
	early, late := slices.Max(memory[n/4:n/2]), slices.Min(memory[3*n/4:])
	if late > early+early/4+16<<20 {
		so.t.Errorf("memory grew from %d to %d MiB", early>>20, late>>20)
	}
}
