package release

import (
	"context"
	"fmt"
	"testing"

	"tacit/release/curator"
	"tacit/release/internal/site"
)

// What costs nothing cannot keep counts from being made, nor counts what costs nothing.
func TestFreeWorkHasItsOwnConnections(t *testing.T) {
	const evaluated = "SELECT age / 10 * 10, count(*) FROM clinic.people GROUP BY 1"
	ctx := context.Background()
	for name, begin := range map[string]func(*curator.Curator) (*curator.Snapshot, error){
		"evaluations": func(c *curator.Curator) (*curator.Snapshot, error) { return c.BeginEvaluation(ctx) },
		"counts":      func(c *curator.Curator) (*curator.Snapshot, error) { return c.Begin(ctx) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWard(t)
			d := w.open()
			taken := map[string]int{"evaluations": 4, "counts": 8}[name]
			for range taken {
				s, err := begin(d.monitor.Curator)
				if err != nil {
					t.Fatal(err)
				}
				defer s.End()
			}
			if name == "evaluations" {
				w.mustAsk(d, "ward_ana", "SELECT count(*) FROM clinic.people")
			} else if _, err := w.explain(d, "ward_ana", evaluated); err != nil {
				t.Error(err)
			}
		})
	}
}

// Connections that the server ended while nobody used them cost no analyst an error.
func TestEndedConnectionsAreLeft(t *testing.T) {
	w := newWard(t)
	d := w.open()
	for _, sql := range []string{byAge, "SELECT count(*) FROM clinic.people"} {
		var all []*curator.Snapshot
		for range 8 {
			s, err := d.monitor.Curator.Begin(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, s)
		}
		for _, s := range all {
			s.End()
		}
		site.RunScript(t, "postgres", w.Database, `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
			WHERE datname = current_database() AND application_name = 'tacit curator'`)
		w.mustAsk(d, "ward_ana", sql)
	}
}

// A check that cannot be made, since the server has no connection left, closes nothing; one that finds something does.
func TestFailedCheckClosesNothing(t *testing.T) {
	w := newWard(t)
	d := w.open()
	role := curator.CuratorName(w.Policy)
	limit := func(n int) {
		t.Helper()
		site.RunScript(t, "postgres", w.Database, fmt.Sprintf(`ALTER ROLE %q CONNECTION LIMIT %d`, role, n))
	}
	defer limit(-1)
	limit(0)
	if err := d.Refresh(context.Background()); err == nil {
		t.Fatal("the check was made")
	}
	if err := d.Closed(); err != nil {
		t.Errorf("a check that could not be made has closed the tables: %v", err)
	}
	w.mustAsk(d, "ward_ana", "SELECT count(*) FROM clinic.people")
	site.RunScript(t, "postgres", w.Database, fmt.Sprintf(`ALTER ROLE %q NOLOGIN`, role))
	defer site.RunScript(t, "postgres", w.Database, fmt.Sprintf(`ALTER ROLE %q LOGIN`, role))
	if err := d.Refresh(context.Background()); err == nil || d.Closed() == nil {
		t.Errorf("a curator who may not log in any more: %v, closed %v", err, d.Closed())
	}
}
