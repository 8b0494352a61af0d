package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tacit/accountant/ledger"
	"tacit/policy"
)

// A fakeThinned is a gateway that fails or drops as a test says.
type fakeThinned struct {
	mu     sync.Mutex
	done   int64
	err    error
	looked int
}

func (g *fakeThinned) Thin(context.Context) (ledger.Thinning, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.looked++
	return ledger.Thinning{Through: 9, Refused: g.done}, g.err
}

// What was dropped is logged each time, and that nothing could be dropped once, until it can again.
func TestThinnerLogs(t *testing.T) {
	var out bytes.Buffer
	g := &fakeThinned{}
	thinner := newThinner(g, newLogger(&out, policy.Operations{}, false))
	const dropped, failed = "what old notes in the ledger said was dropped", "what old notes in the ledger say could not be dropped; it is tried again every hour"
	for i, step := range []struct {
		done int64
		err  error
		want string
	}{
		{0, nil, ""}, {3, nil, dropped}, {0, errors.New("away"), failed}, {0, errors.New("away"), ""}, {2, errors.New("away"), dropped}, {0, nil, ""}, {0, errors.New("away"), failed},
	} {
		g.done, g.err = step.done, step.err
		thinner.thin(context.Background())
		if got := strings.Join(lines(&out), "; "); got != step.want {
			t.Errorf("step %d: logged %q, want %q", i, got, step.want)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	thinner.failed, g.done, g.err = false, 0, context.Canceled
	if thinner.thin(ended); out.Len() > 0 {
		t.Errorf("at the end it logs %s", out.String())
	}
}

// It looks at its start, at each tick, and when it is asked to.
func TestThinnerLooks(t *testing.T) {
	for _, every := range []time.Duration{time.Hour, 5 * time.Millisecond} {
		g := &fakeThinned{}
		thinner := newThinner(g, newLogger(&bytes.Buffer{}, policy.Operations{}, false))
		thinner.every = every
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan struct{})
		go func() { thinner.run(ctx); close(ended) }()
		for want := range 3 {
			var looked string
			eventually(t, &looked, func() bool {
				g.mu.Lock()
				defer g.mu.Unlock()
				looked = fmt.Sprint(g.looked, " looks")
				return g.looked > want
			})
			if every == time.Hour {
				thinner.look()
			}
		}
		cancel()
		<-ended
	}
}

// TestLedgerThin drops notes by hand beside a running proxy: first it tells what is due, and with --yes it drops it. The ledger verifies, an archive of it does, and one that was
// made before; the proxy goes on and repeats its answers.
func TestLedgerThin(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newSite(t, siteOptions{})
	s.serve()
	conn := s.connect("ana")
	ask := func() {
		t.Helper()
		if _, err := readRows(context.Background(), conn, "SELECT sex, count(*) FROM people GROUP BY sex"); err != nil {
			t.Fatal(err)
		}
	}
	for range 1 + 1002 {
		ask()
	}
	_, _ = readRows(context.Background(), conn, "SELECT * FROM people -- a secret")
	var log string
	eventually(t, &log, func() bool {
		log, _, _ = run(t, "log", "--policy", s.policy, "--limit", "0")
		return strings.Count(log, "replayed") == 1002 && strings.Contains(log, "a secret")
	})
	fails := func(want string, args ...string) {
		t.Helper()
		if _, stderr, status := run(t, append([]string{"ledger", "thin", "--policy", s.policy}, args...)...); status != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%v: status %d, %s", args, status, stderr)
		}
	}
	fails("the policy keeps all notes")
	fails(`--notes: "0" is not a whole number from 1000 to 1000000000000; use one, such as 1000000`, "--notes", "0")
	fails(`--notes: "999" is not a whole number from 1000`, "--notes", "999", "--keep", "90d")
	fails("--keep: 1s is not between 1d and 36500d; use a value between them, such as 90d", "--keep", "1s", "--yes")
	fails("--keep: 23h59m59s is not between 1d", "--keep", "23h59m59s")
	fails(`--keep: "long" is not a duration; write a number with a unit`, "--keep", "long")

	before, _, _ := run(t, "ledger", "export", "--policy", s.policy)
	says := func(want string, args ...string) {
		t.Helper()
		if stdout, stderr, status := run(t, append([]string{"ledger", "thin", "--policy", s.policy}, args...)...); status != 0 || !strings.HasPrefix(stdout, want) {
			t.Errorf("%v: status %d, %s%s", args, status, stdout, stderr)
		}
	}
	says("due:        nothing\nkept:       1003 notes would be\n", "--keep", "1d")
	says("due:        3 notes up to entry 6: 3 replayed, 0 derived, 0 refused\nkept:       1000 notes would be\nto do:      --yes", "--notes", "1000")
	if same, _, _ := run(t, "ledger", "export", "--policy", s.policy); same != before {
		t.Error("what only tells what is due has changed the ledger")
	}
	says("dropped:    3 notes up to entry 6: 3 replayed, 0 derived, 0 refused\nkept:       1000 notes\n", "--notes", "1000", "--yes")
	says(`{"through":0,"replayed":0,"derived":0,"refused":0,"done":true,"kept":1000}`, "--notes", "1000", "--yes", "--json")
	ask()
	log, _, _ = run(t, "log", "--policy", s.policy, "--limit", "0")
	if !strings.Contains(log, "(proxy)") || !strings.Contains(log, "dropped what notes up to entry 6 said: 3 replayed, 0 derived, 0 refused") || strings.Count(log, "charged") != 1 {
		t.Errorf("the log: %s", log)
	}
	if stdout, _, _ := run(t, "log", "--policy", s.policy, "--verdict", "thinned", "--json"); !strings.Contains(stdout, `"thinned":{"through":6,"replayed":3,"derived":0,"refused":0}`) {
		t.Errorf("for programs: %s", stdout)
	}
	if stdout, stderr, status := run(t, "verify", "--policy", s.policy); status != 0 || !strings.Contains(stdout, "what 3 notes said was dropped") {
		t.Errorf("verify: %d, %s%s", status, stdout, stderr)
	}
	after, _, _ := run(t, "ledger", "export", "--policy", s.policy)
	for what, text := range map[string]string{"before": before, "after": after} {
		path := filepath.Join(s.dir, what)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if stdout, stderr, status := run(t, "verify", "--archive", path); status != 0 {
			t.Errorf("the archive %s: %s%s", what, stdout, stderr)
		}
	}
}

// keptNotes are how many notes the ledger of a policy keeps, and how many acts of dropping notes it has.
func (s *site) keptNotes(policy string) (kept, thinnings int) {
	s.t.Helper()
	log := output(s.t, "log", "--policy", policy, "--limit", "0")
	return strings.Count(log, " replayed "), strings.Count(log, " thinned ")
}

// TestReloadedKeep changes by SIGHUP which notes a running proxy keeps: it drops the others at once, and says what has changed. What a policy may not say changes nothing.
func TestReloadedKeep(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newSite(t, siteOptions{})
	p := s.serve()
	conn := s.connect("ana")
	replay := func(times int) {
		t.Helper()
		for range times {
			mustRead(t, conn, "SELECT sex, count(*) FROM people GROUP BY sex")
		}
	}
	text, first := readText(t, s.policy), filepath.Join(s.dir, "first.yaml")
	if err := os.WriteFile(first, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	keeps := func(notes, acts int) {
		t.Helper()
		seen := ""
		eventually(t, &seen, func() bool {
			kept, thinnings := s.keptNotes(first)
			seen = fmt.Sprintf("%d notes kept, %d acts; want %d, %d\n%s", kept, thinnings, notes, acts, p.logged())
			return kept == notes && thinnings == acts
		})
	}
	reload := func(logSection string, logged ...string) {
		t.Helper()
		s.writePolicy(text + logSection)
		before := len(p.logged())
		p.cmd.Process.Signal(syscall.SIGHUP)
		seen := ""
		eventually(t, &seen, func() bool {
			seen = p.logged()[before:]
			return strings.Contains(seen, "policy reloaded") || strings.Contains(seen, "the running policy stays in force")
		})
		shows(t, seen, logged...)
	}
	replay(1 + 1004)
	keeps(1004, 0)
	reload("log: {notes: 1000}\n", "policy reloaded", `changed="log.notes (1000, before all)"`)
	keeps(1000, 1)
	replay(3)
	keeps(1003, 1)
	reload("log: {notes: 999}\n", "level=ERROR", "the running policy stays in force", `log.notes: \"999\" is not a whole number from 1000`)
	keeps(1000, 2) // as the former policy says
	reload("log: {keep: 23h}\n", "the running policy stays in force", "log.keep: 23h is not between 1d and 36500d")
	reload("log: {keep: 1d}\n", `changed="log.keep (1d, before all), log.notes (all, before 1000)"`)
	replay(5)
	keeps(1005, 2)
	reload("log: {keep: 1d}\n", "changed=nothing")
	if dropped := strings.Count(p.logged(), `"what old notes in the ledger said was dropped" notes=`); dropped != 2 {
		t.Errorf("%d lines of what was dropped:\n%s", dropped, p.logged())
	}
	if stdout, stderr, status := run(t, "verify", "--policy", s.policy); status != 0 || !strings.Contains(stdout, "what 7 notes said was dropped") {
		t.Errorf("verify: %d, %s%s", status, stdout, stderr)
	}
}
