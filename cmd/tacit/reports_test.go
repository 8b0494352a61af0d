package main

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
)

// TestReports reads what the proxy tells in SQL, with a real psql and with pgx, beside a count and a table of the analyst's own.
func TestReports(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{budget: "5"})
	s.serve()
	out := s.mustPsql(s.url("bob"), `
SET tacit.notices = off;
SELECT table_name, epsilon_spent, own_epsilon_left FROM tacit.budget;
SELECT count(*) > 0 FROM people WHERE sex = 'F';
SELECT table_name, epsilon_spent, own_epsilon_left FROM tacit.budget;
SELECT verdict, epsilon, statement FROM tacit.history;
SELECT question, cells FROM tacit.releases;
SELECT region FROM regions WHERE (SELECT count(*) FROM tacit.tables WHERE domain_values = (SELECT count(*) FROM regions)) = 1 ORDER BY 1 LIMIT 1;
SELECT x FROM tacit.nothing;
DELETE FROM tacit.history;
`, "-At")
	shows(t, out,
		"people|0|2\n", "people|0.5|1.5\n", "charged|0.5|SELECT count(*) > 0 FROM people WHERE sex = 'F'", // as psql sends it
		"count(*) FROM public.people WHERE sex = 'F'|1\n", "\neast\n", `relation "tacit.nothing" does not exist`, "can only be read by SELECT",
	)
	ctx := context.Background()
	for _, mode := range queryModes {
		conn := s.connect("ana", func(c *pgx.ConnConfig) { c.DefaultQueryExecMode = mode })
		var left, own float64
		var n int64
		const sql = "SELECT b.epsilon_left::float8, b.own_epsilon_spent::float8, (SELECT count(*) FROM tacit.history) FROM tacit.budget AS b WHERE b.table_name = $1"
		if err := conn.QueryRow(ctx, sql, "people").Scan(&left, &own, &n); err != nil {
			t.Fatalf("%v: %v", mode, err)
		}
		if diff := cmp.Diff("4.5 0 0", fmt.Sprint(left, own, n)); diff != "" {
			t.Errorf("%v: %s", mode, diff)
		}
	}
	// A prepared statement shows the present state each time.
	conn := s.connect("ana")
	if _, err := conn.Prepare(ctx, "mine", "SELECT count(*) FROM tacit.history WHERE verdict = 'charged'"); err != nil {
		t.Fatal(err)
	}
	for want := range int64(3) {
		var n int64
		if err := conn.QueryRow(ctx, "mine").Scan(&n); err != nil || n != want {
			t.Errorf("%d instead of %d statements were charged: %v", n, want, err)
		}
		if _, err := readRows(ctx, conn, fmt.Sprintf("SELECT count(*) FROM people WHERE age > %d", want)); err != nil {
			t.Fatal(err)
		}
	}
}
