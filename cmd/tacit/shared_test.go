package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"tacit/internal/pgtest"
)

// sharedLedger makes a database with a login for a ledger, and returns what the policy says of it.
func sharedLedger(t *testing.T, c *pgtest.Cluster) (location, database string) {
	t.Helper()
	database = c.CreateDatabase(t)
	execPostgres(t, c.URL("postgres", database), `DO $$ BEGIN
		IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tacit_ledger') THEN CREATE ROLE tacit_ledger LOGIN; END IF;
		EXECUTE format('ALTER DATABASE %I OWNER TO tacit_ledger', current_database());
	END $$`)
	return c.URL("tacit_ledger", database), database
}

// another is the same site with a proxy of its own.
func (s *site) another(t *testing.T) *site {
	t.Helper()
	text, err := os.ReadFile(s.policy)
	if err != nil {
		t.Fatal(err)
	}
	other := *s
	other.dir, other.addr = t.TempDir(), freeAddress(t)
	other.policy = filepath.Join(other.dir, "policy.yaml")
	other.writePolicy(strings.Replace(string(text), s.addr, other.addr, 1))
	return &other
}

// TestTwoProxiesOneLedger asks two proxies the same and different questions at the same time: the same ones are answered once, with one
// charge and one answer, and the budget is one for both.
func TestTwoProxiesOneLedger(t *testing.T) {
	location, _ := sharedLedger(t, cluster)
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
	location, database := sharedLedger(t, cluster)
	s := newSite(t, siteOptions{ledger: location})
	s.serve().stop(syscall.SIGTERM) // it has made the ledger
	if out, stderr, status := run(t, "check", "--policy", s.policy); status != 0 {
		t.Fatalf("a ledger that is closed: status %d, %s%s", status, out, stderr)
	}
	execPostgres(t, cluster.URL("postgres", database), "GRANT USAGE ON SCHEMA tacit_ledger TO bob; GRANT UPDATE ON tacit_ledger.entry TO bob")
	out, _, status := run(t, "check", "--policy", s.policy)
	for _, hole := range []string{"-- HIGH: schema of the ledger is open: bob: USAGE", "-- HIGH: relation of the ledger is open: bob: UPDATE on tacit_ledger.entry"} {
		if status != 1 || !strings.Contains(out, hole) {
			t.Errorf("status %d, and no %q in\n%.500s", status, hole, out)
		}
	}
	if _, stderr, status := run(t, "serve", "--policy", s.policy); status != 1 || !strings.Contains(stderr, "of the ledger is open") {
		t.Errorf("serve: status %d, %s", status, stderr)
	}
}

// execPostgres runs SQL as the user of a connection string.
func execPostgres(t *testing.T, url, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.PgConn().Exec(t.Context(), sql).ReadAll(); err != nil {
		t.Fatalf("%v in:\n%s", err, sql)
	}
}
