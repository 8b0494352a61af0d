package release

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tacit/release/internal/cells"
	"tacit/release/internal/reply"
	"tacit/rewrite"
	"tacit/rewrite/query"
)

// answerWith records given counts as the answer to a statement with one query: a number for each cell, NULL for a suppressed one.
func (w *ward) answerWith(d *Gateway, sql string, answers ...string) {
	w.T.Helper()
	ctx := context.Background()
	a, err := d.noisy.Plan(ctx, reply.Request{Analyst: "ward_ana", SQL: sql, Queries: []*query.BoundQuery{w.query(d, sql)}})
	if err != nil {
		w.T.Fatal(err)
	}
	p := a.Plans[0]
	if err := p.FixCells(ctx, d.monitor.Curator); err != nil {
		w.T.Fatal(err)
	}
	reservations, err := a.Reserve(ctx, a.Tasks())
	if err != nil {
		w.T.Fatal(err)
	}
	for i, q := range p.Questions {
		q.Released = &cells.Released{Keys: p.Keys}
		for _, text := range strings.Fields(answers[i]) {
			var n int64
			if text != "NULL" {
				if _, err := fmt.Sscan(text, &n); err != nil {
					w.T.Fatal(err)
				}
			}
			q.Released.Counts = append(q.Released.Counts, n)
			q.Released.Suppressed = append(q.Released.Suppressed, text == "NULL")
		}
	}
	if err := reservations.Record(ctx); err != nil {
		w.T.Fatal(err)
	}
}

// TestSuppressedIsReplayed has the door, and one that is opened later, answer from the ledger what was suppressed when it was recorded.
func TestSuppressedIsReplayed(t *testing.T) {
	w := newWard(t)
	d := w.open()
	const byRegion = "SELECT region, count(*), count(sex) FROM clinic.people GROUP BY region"
	w.answerWith(d, byRegion, "NULL 600 0", "1 2 3")
	w.answerWith(d, "SELECT count(*) FROM clinic.people", "NULL")
	spent := w.spent(d)
	for range 2 {
		for sql, want := range map[string]string{
			byRegion: "east NULL 1 \nnorth 600 2 \nsouth 0 3 \n",
			"SELECT count(sex), count(*) FROM clinic.people GROUP BY region": "east 1 NULL \nnorth 2 600 \nsouth 3 0 \n",
			"SELECT count(*) FROM clinic.people GROUP BY ROLLUP (region)":    "east NULL \nnorth 600 \nsouth 0 \n",
			"SELECT count(*) FROM clinic.people":                             "NULL \n",
		} {
			if got := w.cells(d, sql); got != want {
				t.Errorf("%s: %s instead of %s", sql, got, want)
			}
		}
		w.expectReport(d, "ward_ana", rewrite.ReleasesReport, `
3|clinic|people|count(*) FROM clinic.people|geometric|20|0|time|1|0|
2|clinic|people|count(*) FILTER (WHERE sex IS NOT NULL) FROM clinic.people GROUP BY region|geometric|20|0|time|3|0|
1|clinic|people|count(*) FROM clinic.people GROUP BY region|geometric|20|0|time|3|0|
`)
		if now := w.spent(d); now != spent {
			t.Errorf("%v was charged besides %v", now, spent)
		}
		d.Close()
		d = w.open()
	}
}
