package ledger

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger/ledgertest"
	"tacit/accountant/ledger/store"
	"tacit/policy"
)

const (
	childPrice   = 1000
	childLease   = time.Second
	childCallers = 6
	// scarcePrices is how many questions the budget of visits pays for.
	scarcePrices = 40
)

// proxyChild is the child of the tests of this file, which says in JSON where the ledger is: it answers questions as a proxy does, of which other processes ask the same at the same time, and prints an answer only when it
// may be shown.
func proxyChild(where string) error {
	var location policy.LedgerLocation
	if err := json.Unmarshal([]byte(where), &location); err != nil {
		return err
	}
	ctx := context.Background()
	var l *Ledger
	var err error
	for range 100 { // the server may be away
		if l, err = Open(ctx, Options{Location: location, Role: Serve, Lease: childLease}); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if err != nil {
		return err
	}
	failed := make(chan error)
	for range childCallers {
		go func() {
			for {
				// All processes share the clock, by which the questions move on.
				number := time.Now().UnixMilli()/20 + rand.Int64N(4)
				table := patients
				if number%10 == 0 {
					table = visits
				}
				if err := answerAsProxy(ctx, l, question(table, fmt.Sprint(number))); err != nil {
					failed <- err
				}
			}
		}()
	}
	return <-failed
}

// answerAsProxy finds or makes the answer to a question, and prints its digest.
func answerAsProxy(ctx context.Context, l *Ledger, q accountant.Question) error {
	c := accountant.Charge{Analyst: "ana", SQL: "SELECT " + q.Text, Operation: accountant.NewOperation(), Accounting: accountant.Accounting{
		Table: q.Table, Adjacency: policy.AddRemove, Composition: policy.BasicComposition, Budget: policy.Budget{Epsilon: 1 << 60},
	}}
	if q.Table == visits {
		c.Budget.Epsilon = scarcePrices * childPrice
	}
	c.Items = []accountant.Item{{Question: q, Loss: accountant.Loss{Epsilon: childPrice}, Mechanism: "geometric"}}
	for {
		payload, err := tryAsProxy(ctx, l, c)
		var over *accountant.OverBudgetError
		var inFlight *InFlightError
		var recorded *RecordedError
		switch {
		case err == nil:
			// One write, so that lines of different goroutines do not mix.
			_, err = fmt.Printf("%s/%s %x\n", q.Table.Name, q.Text, sha256.Sum256(payload))
			return err
		case errors.As(err, &over):
			return nil
		case errors.As(err, &inFlight):
			if err := l.Await(ctx, inFlight); err != nil && !errors.Is(err, accountant.ErrUnavailable) {
				return err
			}
		case errors.As(err, &recorded):
		case errors.Is(err, ErrLost):
			c.Operation = accountant.NewOperation()
		case errors.Is(err, accountant.ErrUnavailable) && l.Usable() == nil:
			time.Sleep(10 * time.Millisecond)
		default:
			return err
		}
	}
}

// tryAsProxy is one attempt. A payload is fresh noise, so that no other payload can pass for it.
func tryAsProxy(ctx context.Context, l *Ledger, c accountant.Charge) ([]byte, error) {
	if release, ok, err := l.Lookup(ctx, c.Items[0].Question, 0); err != nil || ok {
		if err != nil {
			return nil, err
		}
		return release.Payload, nil
	}
	r, err := l.Reserve(ctx, c)
	if err != nil {
		return nil, err
	}
	payload := binary.BigEndian.AppendUint64(make([]byte, rand.IntN(2000)), rand.Uint64())
	time.Sleep(time.Duration(rand.IntN(10)) * time.Millisecond) // the count
	for {
		_, err := l.Record(ctx, r, [][]byte{payload})
		if !errors.Is(err, accountant.ErrUnavailable) || l.Usable() != nil {
			return payload, err
		}
	}
}

// A crowd is processes that share a ledger, and what they have shown.
type crowd struct {
	t     *testing.T
	mu    sync.Mutex // protects what follows
	shown map[string]string
	lines int
}

// A member is a process of the crowd.
type member struct {
	*crowd
	location policy.LedgerLocation
	process  *exec.Cmd
	stderr   strings.Builder
	ended    chan struct{}
}

func (c *crowd) start(location policy.LedgerLocation) *member {
	c.t.Helper()
	m := &member{crowd: c, location: location}
	m.begin()
	c.t.Cleanup(m.kill)
	return m
}

// begin starts the process, and follows what it shows.
func (m *member) begin() {
	m.t.Helper()
	text, err := json.Marshal(m.location)
	do(m.t, err)
	m.process, m.ended = exec.Command(os.Args[0]), make(chan struct{})
	m.process.Env = append(os.Environ(), childRole+"=proxy", childLedger+"="+string(text))
	m.process.Stderr = &m.stderr
	stdout, err := m.process.StdoutPipe()
	do(m.t, err)
	do(m.t, m.process.Start())
	go func(ended chan struct{}) {
		defer close(ended)
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			m.show(lines.Text())
		}
	}(m.ended)
}

// show compares an answer with those to the same question before.
func (c *crowd) show(line string) {
	text, sum, _ := strings.Cut(line, " ")
	if len(sum) != 2*sha256.Size {
		return // the line was cut off by the kill
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lines++
	if before, ok := c.shown[text]; ok && before != sum {
		c.t.Errorf("question %s has two answers", text)
	}
	c.shown[text] = sum
}

// kill kills the process, which must not have ended by itself, and takes what it has shown.
func (m *member) kill() {
	m.t.Helper()
	if m.process == nil {
		return
	}
	_ = m.process.Process.Kill()
	<-m.ended
	_ = m.process.Wait() // killed
	if m.stderr.Len() > 0 {
		m.t.Errorf("a process has ended by itself: %s", m.stderr.String())
	}
	m.process = nil
}

// reconcile compares what was shown with what the ledger says.
func (c *crowd) reconcile(location policy.LedgerLocation) {
	c.t.Helper()
	ctx := context.Background()
	r, err := OpenReadOnly(ctx, location)
	do(c.t, err)
	defer r.Close()
	verified(c.t, r)
	charges, err := store.Collect(ctx, r.store, func(row store.Scanner) (q [3]string, err error) {
		var payload []byte
		err = row.Scan(&q[0], &q[1], &payload)
		if payload != nil {
			q[2] = fmt.Sprintf("%x", sha256.Sum256(payload))
		}
		return q, err
	}, `SELECT e.table_name, c.question, r.payload FROM charge c JOIN entry e ON e.id = c.entry LEFT JOIN release r ON r.charge = c.id`)
	do(c.t, err)
	charged, open, scarce := make(map[string]string), 0, 0
	for _, q := range charges {
		text := q[0] + "/" + q[1]
		if _, twice := charged[text]; twice {
			c.t.Errorf("question %s was charged twice", text)
		}
		if charged[text] = q[2]; q[2] == "" {
			open++
		}
		if q[0] == visits.Name {
			scarce++
		}
	}
	for text, sum := range c.shown {
		if charged[text] != sum {
			c.t.Errorf("the answer to question %s was shown and is not in the ledger", text)
		}
	}
	if scarce > scarcePrices {
		c.t.Errorf("%d charges, and the budget pays for %d", scarce, scarcePrices)
	}
	c.t.Logf("%d answers shown to %d questions; %d charges, %d of them open", c.lines, len(c.shown), len(charges), open)
	if len(c.shown) < 20 {
		c.t.Errorf("only %d questions were answered: little was tested", len(c.shown))
	}
}

// Processes are killed at random moments, again and again. A question is charged once, has one answer, and that is in the ledger.
func TestKillProxies(t *testing.T) {
	onBackEnds(t, func(t *testing.T, location policy.LedgerLocation) {
		c := &crowd{t: t, shown: make(map[string]string)}
		members := []*member{c.start(location)}
		if location.Postgres != "" {
			members = append(members, c.start(location), c.start(location))
		}
		for range 12 {
			time.Sleep(time.Duration(50+rand.IntN(400)) * time.Millisecond)
			m := members[rand.IntN(len(members))]
			m.kill()
			m.begin()
		}
		time.Sleep(time.Second)
		for _, m := range members {
			m.kill()
		}
		c.reconcile(location)
	})
}

// The server of a ledger that processes share is killed, and the connections to it are cut after any number of bytes, while they go on.
func TestSharedLedgerFaults(t *testing.T) {
	t.Parallel()
	server := ledgertest.OwnCluster(t, ledgertest.ClusterOptions)
	location := ledgertest.NewLocation(t, server)
	c := &crowd{t: t, shown: make(map[string]string)}
	var members []*member
	var relays []ledgertest.Cutter
	for range 3 {
		relay, err := server.NewRelay()
		do(t, err)
		defer relay.Close()
		relays = append(relays, ledgertest.Cutter{Relay: relay})
		own := ledgertest.Through(t, location, relay.Port)
		own.Guard = t.TempDir()
		members = append(members, c.start(own))
	}
	for fault := range 16 {
		time.Sleep(time.Duration(rand.IntN(400)) * time.Millisecond)
		if fault%5 == 4 {
			do(t, server.Crash())
			time.Sleep(time.Duration(rand.IntN(500)) * time.Millisecond)
			do(t, server.Restart())
			continue
		}
		relays[rand.IntN(len(relays))].Cut()
	}
	time.Sleep(2 * time.Second)
	for _, m := range members {
		m.kill()
	}
	c.reconcile(location)
}
