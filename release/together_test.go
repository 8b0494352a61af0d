package release

import (
	"fmt"
	"strings"
	"testing"

	"tacit/release/internal/site"
)

const optimalExactly = "{kind: discrete-gaussian, epsilon: 900, delta: 1e-9, negative: keep, totals: optimal}"

// TestOptimalTotals follows what is charged for grouping sets that are measured together, and what is shown. It fails if a set costs more than a count, if sets that
// are not shown make another question, or if totals are not those of PostgreSQL. The noise of a cell that
// is shown is 0 but with a probability below 1e-6, and it is seeded.
func TestOptimalTotals(t *testing.T) {
	w := newWardOf(t, wardSchema, fittedPolicy(optimalExactly, "{epsilon: 9000, delta: 1e-6, composition: basic}"))
	d := w.open()
	const all = "east M 0 \neast F 0 \neast NULL 0 \nnorth M 300 \nnorth F 240 \nnorth NULL 60 \nsouth M 200 \nsouth F 160 \nsouth NULL 40 \n"
	const question = "count(*) FROM clinic.people GROUP BY region, sex"
	for _, step := range []struct {
		clause, question string
		spent            int
	}{
		{"ROLLUP (region, sex)", question + " MEASURED TOGETHER AS (region, sex), (region), ()", 900},
		{"GROUPING SETS ((), (region), (region), (sex, region))", question + " MEASURED TOGETHER AS (region, sex), (region), ()", 900},
		{"CUBE (region, sex)", question + " MEASURED TOGETHER AS (region, sex), (sex), (region), ()", 1800},
		{"region, sex", question, 2700},
	} {
		sql := "SELECT region, sex, count(*) FROM clinic.people GROUP BY " + step.clause
		if first := w.cells(d, sql); sorted(first) != sorted(all) {
			t.Errorf("%s\ngot:\n%swant:\n%s", sql, first, all)
		}
		e, err := w.explain(d, "ward_ana", sql)
		if err != nil {
			t.Fatal(err)
		}
		if q := e.Questions[0]; q.Question != step.question || !q.Recorded {
			t.Errorf("%s: %s", sql, q.Question)
		}
		if got := w.spent(d); int(got.Epsilon) != step.spent*1e9 {
			t.Errorf("after %s: %v spent, want epsilon %d", sql, got, step.spent)
		}
	}
	totals := "SELECT grouping(region), region, sex, count(*) FROM clinic.people WHERE region <> 'east' GROUP BY GROUPING SETS ((region), (sex))"
	for _, row := range w.rows(d, strings.Replace(totals, "region, sex, ", "", 1)) {
		near := func(n int64) bool { return row.counts[0] >= n-2 && row.counts[0] <= n+2 } // cells that are not shown are noisy, and rounded
		if row.total && !near(500) && !near(400) && !near(100) || !row.total && !near(600) && !near(400) {
			t.Errorf("a total of %d", row.counts[0])
		}
	}
	_, receipt, err := w.ask(d, "ward_ana", totals)
	if err != nil || !strings.Contains(receipt.Notice(), "; totals are measured together with their cells; free") {
		t.Errorf("%v, %v", receipt, err)
	}
}

// TestOptimalExplanation pins what EXPLAIN tells of each grouping, and that the intervals of totals are those.
func TestOptimalExplanation(t *testing.T) {
	w := newWardOf(t, wardSchema, fittedPolicy("{kind: gaussian, epsilon: 0.6, delta: 1e-9, negative: keep, totals: optimal}", "{epsilon: 10, delta: 1e-6, composition: zcdp}"))
	d := w.open()
	const sql = "SELECT region, sex, count(*), tacit.high(count(*)) FROM clinic.people GROUP BY ROLLUP (region, sex)"
	e, err := w.explain(d, "ward_ana", sql)
	if err != nil {
		t.Fatal(err)
	}
	groupings := e.Questions[0].Together
	if len(groupings) != 3 || groupings[0].Grouping != "(region, sex)" || groupings[2].Grouping != "()" {
		t.Fatalf("%+v", groupings)
	}
	lines, most := strings.Join(e.Lines(), "\n"), int64(0)
	for _, g := range groupings {
		most = max(most, g.HalfWidth95)
		if want := fmt.Sprintf("  Grouping: %s within ±%d with probability 95%%, standard deviation %.1f\n", g.Grouping, g.HalfWidth95, g.Deviation); !strings.Contains(lines, want) {
			t.Errorf("%s\nwant\n%s", lines, want)
		}
	}
	if e.Questions[0].HalfWidth95 != most {
		t.Errorf("each count is within %d, and groupings within %d", e.Questions[0].HalfWidth95, most)
	}
	if text, err := e.JSON(); err != nil || !strings.Contains(text, `"Groupings Measured Together": [`) {
		t.Errorf("%s, %v", text, err)
	}
	cells, _, err := w.ask(d, "ward_ana", sql)
	if err != nil {
		t.Fatal(err)
	}
	ends := cells[0].Ends[0]
	for i, g := range groupings {
		size := []int{1, 3, 9}[i]
		if ends.Unknown[size-1] || ends.High[size-1] != g.HalfWidth95 {
			t.Errorf("a total of %d cells is within %d, want %d", size, ends.High[size-1], g.HalfWidth95)
		}
	}
	// A Gaussian table under another composition charges the zCDP loss that the policy's epsilon and delta have.
	if got := w.spent(d); got.Epsilon > 6e8 || got.Epsilon < 59e7 {
		t.Errorf("spent %v", got)
	}
}

// TestOptimalPersons: rows are measured together with the noise for as many rows as a person has.
func TestOptimalPersons(t *testing.T) {
	text := strings.Replace(site.VisitsPolicy, "mechanism: {kind: geometric,", "mechanism: {kind: discrete-gaussian, negative: keep, totals: optimal,", 1)
	w := newWardOf(t, site.VisitsSchema, text)
	const sql = "SELECT house, count(*) FROM clinic.visits GROUP BY ROLLUP (house)"
	deviations := make([]float64, 2)
	for i, rows := range []string{"rows: 4, groups: 2", "rows: 2, groups: 2"} {
		w.Policy = w.Reparse(strings.Replace(text, "rows: 4, groups: 2", rows, 1))
		d := w.open()
		e, err := w.explain(d, "ward_ana", sql)
		d.Close()
		if err != nil || len(e.Questions[0].Together) != 2 {
			t.Fatalf("%+v, %v", e, err)
		}
		deviations[i] = e.Questions[0].Together[1].Deviation
	}
	if deviations[0] < 1.2*deviations[1] || deviations[0] > 2*deviations[1] { // the rounding, which does not grow, is a part of it
		t.Errorf("deviations of %v for 4 and 2 rows", deviations)
	}
}
