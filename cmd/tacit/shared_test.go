package main

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// sharedLedger makes a database with a login for a ledger, and returns what the policy says of it.
func sharedLedger(t *testing.T) (location, database string) {
	t.Helper()
	database = cluster.CreateDatabase(t)
	if err := execSQL(database, "ALTER DATABASE "+database+" OWNER TO tacit_ledger"); err != nil {
		t.Fatal(err)
	}
	return cluster.URL("tacit_ledger", database), database
}

// another is the same site with a proxy of its own.
func (s *site) another(t *testing.T) *site {
	t.Helper()
	text := readText(t, s.policy)
	other := *s
	other.dir, other.addr = t.TempDir(), freeAddress(t)
	other.policy = filepath.Join(other.dir, "policy.yaml")
	other.writePolicy(strings.Replace(text, s.addr, other.addr, 1))
	return &other
}

// TestTwoProxiesOneLedger asks two proxies the same and different questions at the same time: the same ones are answered once, with one
// charge and one answer, and the budget is one for both.
func TestTwoProxiesOneLedger(t *testing.T) {
	t.Parallel()
	location, _ := sharedLedger(t)
	first := newSite(t, siteOptions{budget: "5", ledger: location})
	second := first.another(t)
	first.serve()
	second.serve()
	questions := []string{
		"SELECT count(*) FROM people WHERE age > 1", "SELECT sex, count(*) FROM people GROUP BY sex", "SELECT count(*) FROM people WHERE age > 3",
		"SELECT region, count(*) FROM people GROUP BY region", "SELECT count(*) FROM people WHERE age > 5",
	}
	var mu sync.Mutex
	answers := make(map[string][]string)
	var asking sync.WaitGroup
	for _, s := range []*site{first, second, first, second} {
		conn := s.connect("ana")
		asking.Go(func() {
			for _, q := range questions {
				rows, err := readRows(context.Background(), conn, q)
				if err != nil {
					t.Errorf("%s: %v", q, err)
				}
				mu.Lock()
				answers[q] = append(answers[q], rows)
				mu.Unlock()
			}
		})
	}
	asking.Wait()
	for q, rows := range answers {
		for _, r := range rows {
			if r != rows[0] {
				t.Errorf("%s has two answers: %s and %s", q, rows[0], r)
			}
		}
	}
	for _, s := range []*site{first, second} {
		if out, stderr, status := run(t, "budget", "--policy", s.policy); status != 0 || !strings.Contains(out, "(all)    epsilon 2.5  ") {
			t.Errorf("budget: status %d, %s%s", status, out, stderr)
		}
	}
	if out, stderr, status := run(t, "verify", "--policy", second.policy); status != 0 || !strings.Contains(out, "5 charges with 5 answers") {
		t.Errorf("verify: status %d, %s%s", status, out, stderr)
	}
}

// TestOpenLedgerIsNotServed lets analysts look into the ledger: check says so, and serve refuses.
func TestOpenLedgerIsNotServed(t *testing.T) {
	t.Parallel()
	location, database := sharedLedger(t)
	s := newSite(t, siteOptions{ledger: location})
	s.serve().stop(syscall.SIGTERM)          // it has made the ledger
	output(t, "check", "--policy", s.policy) // of a ledger that is closed
	if err := execSQL(database, "GRANT USAGE ON SCHEMA tacit_ledger TO bob; GRANT UPDATE ON tacit_ledger.entry TO bob"); err != nil {
		t.Fatal(err)
	}
	out, _, status := run(t, "check", "--policy", s.policy)
	for _, hole := range []string{"HIGH      schema of the ledger is open              bob: USAGE", "HIGH      relation of the ledger is open            bob: UPDATE on tacit_ledger.entry"} {
		if status != 1 || !strings.Contains(out, hole) {
			t.Errorf("status %d, and no %q in\n%.500s", status, hole, out)
		}
	}
	if _, stderr, status := run(t, "serve", "--policy", s.policy); status != 1 || !strings.Contains(stderr, "of the ledger is open") {
		t.Errorf("serve: status %d, %s", status, stderr)
	}
}
