package release

import (
	"context"
	"strings"
	"testing"

	"tacit/accountant"
	"tacit/policy"
	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// answeredAll asks a statement with several queries.
func (w *ward) answeredAll(d *Gateway, ask func(*reply.Request), sql string) ([]*query.Cells, reply.ReceiptLine) {
	w.T.Helper()
	r := Request{Analyst: "ward_ana", SQL: sql, Queries: w.Queries(d.Catalog(), sql)}
	if ask != nil {
		ask(&r)
	}
	cells, receipt, err := d.Answer(context.Background(), r)
	if err != nil {
		w.T.Fatalf("%s: %v", sql, err)
	}
	return cells, receipt.Lines[0]
}

// counts by region, and by region and sex.
const byRegionAlone, byRegionAndSex = "SELECT region, NULL AS sex, count(*) FROM clinic.people GROUP BY region", "SELECT region, sex, count(*) FROM clinic.people GROUP BY region, sex"

// TestSiblingsAreChargedOnce: of counts of one statement that follow from one another the finest alone is charged, whatever their order, and what is charged and recorded is
// the very question that it is by itself. It fails if both are charged, if the coarser is counted without a charge, or if a repetition is answered otherwise.
func TestSiblingsAreChargedOnce(t *testing.T) {
	w := derivingWard(t)
	d := w.open()
	const finest, coarsest = byRegionAndSex, "SELECT NULL, NULL, count(*) FROM clinic.people"
	for name, sql := range map[string]string{
		"coarser first":      byRegionAlone + " UNION ALL " + finest,
		"finer first":        finest + " UNION ALL " + byRegionAlone,
		"three":              coarsest + " UNION ALL " + finest + " UNION ALL " + byRegionAlone,
		"three, finest last": byRegionAlone + " UNION ALL " + coarsest + " UNION ALL " + finest,
		"in WITH":            "WITH a AS (" + byRegionAlone + "), b AS (" + finest + ") SELECT * FROM a UNION ALL SELECT * FROM b",
		"twice":              byRegionAlone + " UNION ALL " + byRegionAlone + " UNION ALL " + finest,
		"a condition":        "SELECT region, NULL, count(*) FROM clinic.people WHERE sex = 'F' GROUP BY region UNION ALL " + finest,
		"sub-selects":        "SELECT (SELECT count(*) FROM clinic.people WHERE sex = 'F'), x.* FROM (" + finest + ") AS x",
	} {
		t.Run(name, func(t *testing.T) {
			w.forgetAnswers(d)
			cells, line := w.answeredAll(d, nil, sql)
			if want := (accountant.Loss{Epsilon: 5e8}); line.Charged != want || w.spent(d) != want || line.New != 1 || line.Derived == nil || line.Derived.Fresh.Epsilon == 0 {
				t.Errorf("charged %v of which %v is spent, and not %v: %s", line.Charged, w.spent(d), want, line)
			}
			again, free := w.answeredAll(d, nil, sql)
			for i := range cells {
				if cellText(cells[i]) != cellText(again[i]) {
					t.Errorf("query %d has other cells when it is asked again:\n%s\n%s", i+1, cellText(cells[i]), cellText(again[i]))
				}
			}
			alone := w.answered(d, nil, finest)
			if free.Charged != (accountant.Loss{}) || alone.receipt.Charged != (accountant.Loss{}) || alone.receipt.Replayed != 1 {
				t.Errorf("again %s\nthe finest alone %s", free, alone.receipt)
			}
			regions := alone.rollUp(func(key []string) string { return key[0] })
			for _, c := range cells {
				if len(c.Keys) != 1 || name == "a condition" {
					continue
				}
				for i, region := range c.Keys[0] {
					if c.Counts[0][i] != regions[region.Text] {
						t.Errorf("%s: %d, and its parts add up to %d", region.Text, c.Counts[0][i], regions[region.Text])
					}
				}
			}
		})
	}
}

// TestSiblingsExplained: EXPLAIN tells which count is charged, and what the other follows from, as it comes to be.
func TestSiblingsExplained(t *testing.T) {
	w := derivingWard(t)
	d := w.open()
	const sql = byRegionAlone + " UNION ALL " + byRegionAndSex
	e, err := d.Explain(context.Background(), Request{Analyst: "ward_ana", SQL: sql, Queries: w.Queries(d.Catalog(), sql)})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(e.Lines(), "\n")
	for _, want := range []string{
		"\n  Cost: free (follows from another question of the statement, of at most 3 noisy cells: count(*) FROM clinic.people GROUP BY region, sex)\n  Expected Error: within ±",
		"\nBudget of clinic.people\n  Cost: epsilon 0.5\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("EXPLAIN has no%s:\n%s", want, text)
		}
	}
	if text, err := e.JSON(); err != nil || !strings.Contains(text, `"Follows From Question": "count(*) FROM clinic.people GROUP BY region, sex"`) {
		t.Errorf("as JSON, %v:\n%s", err, text)
	}
	cells, line := w.answeredAll(d, nil, sql)
	if e.Questions[0].HalfWidth95 != line.HalfWidth95 || len(cells) != 2 || e.Questions[0].Loss != (accountant.Loss{}) {
		t.Errorf("explained ±%d, answered ±%d", e.Questions[0].HalfWidth95, line.HalfWidth95)
	}
}

// TestSiblingsByThemselves: what does not follow, or is not to be derived, is asked by itself.
func TestSiblingsByThemselves(t *testing.T) {
	const sql = byRegionAlone + " UNION ALL " + byRegionAndSex
	for name, c := range map[string]struct {
		text func(string) string
		ask  func(*reply.Request)
		sql  string
	}{
		"fresh": {ask: asksFresh, sql: sql},
		"derive: false": {text: func(s string) string {
			return strings.Replace(s, "budget: {epsilon: 1000, delta: 1e-8}\n", "budget: {epsilon: 1000, delta: 1e-8}\n    derive: false\n", 1)
		}, sql: sql},
		"too few keys":      {sql: "SELECT NULL, sex, count(*) FROM clinic.people GROUP BY sex UNION ALL " + byRegionAlone},
		"another condition": {sql: byRegionAlone + " UNION ALL SELECT region, sex, count(*) FROM clinic.people WHERE age < 50 GROUP BY region, sex"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(wardPolicy, "mechanism: {kind: geometric, epsilon: 20, delta: 1e-9}", "mechanism: {kind: geometric, epsilon: 0.5, delta: 1e-9}", 1)
			text = strings.Replace(text, "    derive: false\n", "", 1)
			if c.text != nil {
				text = c.text(text)
			}
			w := newWardOf(t, wardSchema, text)
			d := w.open()
			if _, line := w.answeredAll(d, c.ask, c.sql); line.Charged.Epsilon != 1e9 || line.New != 2 {
				t.Errorf("%s", line)
			}
		})
	}
}

// TestSiblingsWithin: a count that would not be as exact as was asked for is asked by itself.
func TestSiblingsWithin(t *testing.T) {
	w := choosing(t, "geometric", "zcdp")
	d := w.open()
	const sql = byRegionAlone + " UNION ALL " + byRegionAndSex
	_, exact := w.answeredAll(d, within(4), sql)
	if exact.New != 2 || exact.HalfWidth95 > 4 {
		t.Errorf("within 4: %s", exact)
	}
	_, loose := w.answeredAll(d, func(r *reply.Request) { r.Within.Rows, r.MaxAge = 1000, 1 }, sql)
	if loose.New != 1 || loose.Derived == nil {
		t.Errorf("within 1000: %s", loose)
	}
}

// TestSiblingsThatAreFarOff: a total that adds up many cells of its sibling, where nothing is said of how exact it is to be, is asked by itself, and a count that adds up
// few is not.
func TestSiblingsThatAreFarOff(t *testing.T) {
	w := derivingWard(t)
	d := w.open()
	const total, byRegion = "SELECT NULL, NULL, NULL::int, count(*) FROM clinic.people", "SELECT region, NULL, NULL, count(*) FROM clinic.people GROUP BY region"
	const finest = "SELECT region, sex, age / 10, count(*) FROM clinic.people GROUP BY region, sex, age / 10"
	if _, line := w.answeredAll(d, nil, total+" UNION ALL "+finest); line.Charged.Epsilon != 1e9 || line.New != 2 {
		t.Errorf("a total of 80 cells: %s", line)
	}
	if _, line := w.answeredAll(d, func(r *reply.Request) { r.MaxAge = 1 }, total+" UNION ALL "+byRegion); line.New != 1 || line.Derived == nil {
		t.Errorf("a total of 4 cells: %s", line)
	}
}

// TestSiblingsBesideAWorkload: a budget that covers the workload and the finest of the other counts pays for both, and no less for counts that are not charged.
func TestSiblingsBesideAWorkload(t *testing.T) {
	const sql = "SELECT age, NULL AS region, NULL AS sex, count(*) FROM clinic.people GROUP BY age UNION ALL SELECT NULL::int, region, NULL, count(*) FROM clinic.people GROUP BY region" +
		" UNION ALL SELECT NULL::int, region, sex, count(*) FROM clinic.people GROUP BY region, sex"
	for _, c := range []struct {
		budget, charged policy.Epsilon
		measured        bool
	}{{1.6e9, 1.5e9, true}, {1.4e9, 1e9, false}} {
		w := newWardOf(t, wardSchema, measuredPolicy("marginals: [[age]], epsilon: 1, delta: 1e-9"))
		w.Policy = w.changed(func(p *policy.Table) { p.Budget.Epsilon, p.Composition = c.budget, policy.BasicComposition })
		if _, line := w.answeredAll(w.open(), nil, sql); line.Charged.Epsilon != c.charged || line.Measured != c.measured {
			t.Errorf("of %v: %s", c.budget, line)
		}
	}
}

// TestSiblingsFitTheBudget: a budget that covers the finest count covers the statement, and one that does not leaves nothing charged.
func TestSiblingsFitTheBudget(t *testing.T) {
	w := derivingWard(t)
	w.Policy = w.changed(func(p *policy.Table) { p.Budget.Epsilon = 6e8 })
	d := w.open()
	const sql = byRegionAlone + " UNION ALL " + byRegionAndSex
	if _, line := w.answeredAll(d, nil, sql); line.Charged.Epsilon != 5e8 {
		t.Errorf("%s", line)
	}
	w.refusedAsking(d, func(r *reply.Request) {}, "SELECT age, count(*) FROM clinic.people GROUP BY age")
}
