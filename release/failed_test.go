package release

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"tacit/release/curator"
	"tacit/release/internal/noisy"
)

// TestFailureClosesTheTable wants the first failure that could tell of a row to be the last one, until the policy is reloaded.
func TestFailureClosesTheTable(t *testing.T) {
	w := newWard(t)
	d := w.open()
	people := w.Policy.Tables[:1]
	const sql = "SELECT count(*) FROM clinic.people"
	ask := func() string {
		_, _, err := w.ask(d, "ward_ana", sql)
		return refusalCode(err)
	}
	d.monitor.CloseTables(people, &pgconn.PgError{Code: "42501"})
	d.monitor.CloseTables(people, &pgconn.PgError{Code: "57014"})
	d.monitor.CloseTables(people, errors.New("the connection is gone"))
	open := ask()
	d.monitor.CloseTables(people, &pgconn.PgError{Code: "22003"})
	if err := d.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	closed := ask()
	_, _, other := w.ask(d, "ward_ana", "SELECT count(*) FROM clinic.staff")
	if closed != "55000" || open == closed || other != nil {
		t.Errorf("before the failure %s, after it %s, of another table %v", open, closed, other)
	}
	if err := d.Reload(context.Background(), w.Policy); err != nil {
		t.Fatal(err)
	}
	if reloaded := ask(); reloaded != open {
		t.Errorf("after a reload: %s", reloaded)
	}
}

// TestDiskCouldTell takes for a row's doing what a join of many rows of one person can bring about: that space for sorting is used up.
func TestDiskCouldTell(t *testing.T) {
	for code, want := range map[string]bool{"53100": true, "53400": true, "53200": true, "53300": false} {
		if got := curator.CouldTell(&pgconn.PgError{Code: code}); got != want {
			t.Errorf("%s: %t", code, got)
		}
	}
}

// TestDomainsOfComputedConditions wants a question anew when the declared range changes that its condition is computed within.
func TestDomainsOfComputedConditions(t *testing.T) {
	w := newWard(t)
	d := w.open()
	key := func(sql string) [32]byte {
		p, err := noisy.NewQueryPlan(context.Background(), d.monitor.Curator, w.query(d, sql), d.monitor.Current())
		if err != nil {
			t.Fatal(err)
		}
		return p.Questions[0].Ledger.Key
	}
	const computed, plain = "SELECT count(*) FROM clinic.people WHERE age + 1 > 40", "SELECT count(*) FROM clinic.people WHERE age > 39"
	before := [][32]byte{key(computed), key(plain)}
	changed := d.monitor.Current()
	for name := range changed.Domains {
		if name.Column == "age" {
			changed.Domains[name] = [32]byte{1}
		}
	}
	if after := key(computed); after == before[0] {
		t.Error("a condition that is computed within the declared range keeps its identity")
	}
	if after := key(plain); after != before[1] {
		t.Error("a plain comparison depends on the declared range")
	}
}
