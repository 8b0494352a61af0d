package release

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/policy"
	"tacit/release/internal/marginals"
	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// jointWard is one whose table has Gaussian noise of an epsilon under a rule.
func jointWard(t testing.TB, kind, epsilon, rule string) *ward {
	t.Helper()
	text := strings.Replace(wardPolicy, "mechanism: {kind: geometric, epsilon: 20, delta: 1e-9}", "mechanism: {kind: "+kind+", epsilon: "+epsilon+", delta: 1e-9, negative: keep}", 1)
	return newWardOf(t, wardSchema, strings.Replace(text, "budget: {epsilon: 1000, delta: 1e-8}\n    derive: false\n", "budget: {epsilon: 10000, delta: 1e-6, composition: "+rule+"}\n", 1))
}

const bySexAlone = "SELECT NULL, sex, count(*) FROM clinic.people GROUP BY sex"

// TestJointCounts: counts of one statement that do not follow from one another are charged less than by themselves, and are as exact. They are free afterwards: in the same
// statement, in another order, and each by itself, also at another gateway with the same ledger. What follows from them is free, and what does not is charged.
func TestJointCounts(t *testing.T) {
	const both = byRegionAlone + " UNION ALL " + bySexAlone
	for i, c := range []struct{ kind, rule string }{{"discrete-gaussian", "zcdp"}, {"gaussian", "basic"}} {
		if testing.Short() && i > 0 {
			break
		}
		t.Run(c.rule, func(t *testing.T) {
			w := jointWard(t, c.kind, "0.5", c.rule)
			d := w.open()
			cells, line := w.answeredAll(d, nil, both)
			if line.New != 1 || len(line.Jointly) != 1 || line.Jointly[0].Counts != 2 || line.Jointly[0].Alone.Epsilon != 1e9 || line.Derived != nil {
				t.Errorf("%s", line)
			}
			if line.Charged.Epsilon >= 8e8 || line.Charged.Delta != 2e9 || w.spent(d).Epsilon > line.Charged.Epsilon {
				t.Errorf("charged %v, spent %v", line.Charged, w.spent(d))
			}
			spent := w.spent(d)
			for range 2 { // the second time after a restart
				for _, sql := range []string{both, bySexAlone + " UNION ALL " + byRegionAlone} {
					again, free := w.answeredAll(d, nil, sql)
					if sql != both {
						slices.Reverse(again)
					}
					for i := range cells {
						if cellText(cells[i]) != cellText(again[i]) {
							t.Errorf("query %d:\n%s\n%s", i+1, cellText(cells[i]), cellText(again[i]))
						}
					}
					if free.Charged != (accountant.Loss{}) {
						t.Errorf("again %s", free)
					}
				}
				one := w.answered(d, nil, "SELECT sex, count(*) FROM clinic.people GROUP BY sex")
				if !slices.Equal(one.cells.Counts[0], cells[1].Counts[0]) || one.receipt.Derived == nil || one.receipt.Derived.Jointly != 1 {
					t.Errorf("%v and %v by itself: %s", cells[1].Counts, one.cells.Counts, one.receipt)
				}
				w.answered(d, nil, "SELECT count(*) FROM clinic.people")
				w.answered(d, nil, "SELECT count(*) FROM clinic.people WHERE sex = 'F'")
				if err := d.Close(); err != nil {
					t.Fatal(err)
				}
				d = w.open()
			}
			if now := w.spent(d); now != spent {
				t.Errorf("what follows cost %v", now)
			}
			if finer := w.answered(d, nil, "SELECT region, sex, count(*) FROM clinic.people GROUP BY region, sex"); finer.receipt.Charged.Epsilon != 5e8 || line.HalfWidth95 > finer.receipt.HalfWidth95 {
				t.Errorf("finer %s", finer.receipt)
			}
		})
	}
}

// TestJointCountsAreRight: without noise, each count is what it is by itself, whatever the other one counts by: rows whose region is not declared are among those of a sex.
func TestJointCountsAreRight(t *testing.T) {
	w := jointWard(t, "discrete-gaussian", "900", "zcdp")
	d := w.open()
	for name, counts := range map[string][]string{
		"columns":            {byRegionAlone, bySexAlone},
		"a condition":        {"SELECT sex, count(*) FROM clinic.people WHERE age < 40 GROUP BY sex", "SELECT region, count(*) FROM clinic.people WHERE age < 40 GROUP BY region"},
		"FILTER and WHERE":   {"SELECT sex, count(*) FILTER (WHERE age < 40) FROM clinic.people GROUP BY sex", "SELECT region, count(*) FROM clinic.people WHERE age < 40 GROUP BY region"},
		"an expression":      {"SELECT sex, count(*) FROM clinic.people GROUP BY sex", "SELECT (age / 10)::text, count(*) FROM clinic.people GROUP BY age / 10"},
		"three, two columns": {byRegionAlone, "SELECT NULL, sex, count(*) FROM clinic.people GROUP BY sex, age / 50", "SELECT NULL, NULL, count(*) FROM clinic.people GROUP BY age / 20"},
		"a key's condition":  {"SELECT sex, count(*) FROM clinic.people WHERE sex = 'F' GROUP BY sex", "SELECT region, count(*) FROM clinic.people WHERE sex = 'F' GROUP BY region"},
	} {
		t.Run(name, func(t *testing.T) {
			w.forgetAnswers(d)
			var want []string
			for _, sql := range counts {
				cells, line := w.answeredAll(d, asksFresh, sql)
				if line.Charged.Epsilon != 900e9 {
					t.Fatalf("%s", line)
				}
				want = append(want, cellText(cells[0]))
			}
			w.forgetAnswers(d)
			cells, line := w.answeredAll(d, nil, strings.Join(counts, " UNION ALL "))
			if len(line.Jointly) != 1 || line.HalfWidth95 != 0 || line.Derived != nil {
				t.Errorf("%s", line)
			}
			for i := range cells {
				if got := cellText(cells[i]); got != want[i] {
					t.Errorf("%s\n%s\nand not\n%s", counts[i], got, want[i])
				}
			}
		})
	}
}

// TestJointCountsAndWhatFollows: a count that follows from one of those that are measured jointly is free, and all equal ones have one answer.
func TestJointCountsAndWhatFollows(t *testing.T) {
	w := jointWard(t, "discrete-gaussian", "0.5", "basic")
	d := w.open()
	const byAge = "SELECT NULL, (age / 50)::text, count(*) FROM clinic.people GROUP BY age / 50"
	sql := strings.Join([]string{byRegionAlone, byAge, byRegionAndSex, byAge, byRegionAndSex}, " UNION ALL ")
	cells, line := w.answeredAll(d, nil, sql)
	if line.New != 1 || len(line.Jointly) != 1 || line.Jointly[0].Counts != 2 {
		t.Errorf("%s", line)
	}
	if cellText(cells[1]) != cellText(cells[3]) || cellText(cells[2]) != cellText(cells[4]) {
		t.Error("equal questions have different answers")
	}
	again, free := w.answeredAll(d, nil, sql)
	if free.Charged != (accountant.Loss{}) || cellText(again[0]) != cellText(cells[0]) {
		t.Errorf("again %s", free)
	}
}

// TestJointCountsOfSomeAge: who wants no old answers is charged for the same joint measurement again, once the recorded one is too old, and so is everybody where the policy has such an age.
func TestJointCountsOfSomeAge(t *testing.T) {
	const both = byRegionAlone + " UNION ALL " + bySexAlone
	w := jointWard(t, "gaussian", "0.5", "zcdp")
	d := w.open()
	first, line := w.answeredAll(d, nil, both)
	ask := func(r *reply.Request) { r.MaxAge = time.Nanosecond }
	second, anew := w.answeredAll(d, ask, both)
	if len(anew.Jointly) != 1 || anew.Charged != line.Charged || cellText(first[0]) == cellText(second[0]) && cellText(first[1]) == cellText(second[1]) {
		t.Errorf("%s", anew)
	}
	if third, free := w.answeredAll(d, nil, both); free.Charged != (accountant.Loss{}) || cellText(third[0]) != cellText(second[0]) {
		t.Errorf("%s", free)
	}
	w.Policy = w.changed(func(t *policy.Table) { t.Replay = time.Nanosecond })
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, anew := w.answeredAll(w.open(), nil, both); len(anew.Jointly) != 1 || anew.Charged != line.Charged {
		t.Errorf("%s", anew)
	}
}

// TestCountsThatAreNotJoint: under pld, with other noise, of different rows, of fresh answers and where nothing is derived each count is charged by itself.
func TestCountsThatAreNotJoint(t *testing.T) {
	const both = byRegionAlone + " UNION ALL " + bySexAlone
	for name, c := range map[string]struct {
		kind, rule, sql string
		fresh           bool
		change          func(*policy.Table)
	}{
		"pld":            {kind: "gaussian", rule: "pld", sql: both},
		"geometric":      {kind: "geometric", rule: "zcdp", sql: both},
		"different rows": {kind: "gaussian", rule: "zcdp", sql: byRegionAlone + " UNION ALL SELECT NULL, sex, count(*) FROM clinic.people WHERE age < 50 GROUP BY sex"},
		"fresh":          {kind: "gaussian", rule: "zcdp", sql: both, fresh: true},
		"derive: false":  {kind: "gaussian", rule: "zcdp", sql: both, change: func(t *policy.Table) { t.Derive = false }},
	} {
		t.Run(name, func(t *testing.T) {
			w := jointWard(t, c.kind, "0.5", c.rule)
			if c.change != nil {
				w.Policy = w.changed(c.change)
			}
			ask := asksFresh
			if !c.fresh {
				ask = nil
			}
			if _, line := w.answeredAll(w.open(), ask, c.sql); line.New != 2 || len(line.Jointly) > 0 || line.Charged.Epsilon != 1e9 {
				t.Errorf("%s", line)
			}
		})
	}
}

// TestJointCountsThatAreNotFound: counts with conditions that are too long to be kept beside a joint measurement are charged by themselves, and free when they are asked again.
func TestJointCountsThatAreNotFound(t *testing.T) {
	w := jointWard(t, "discrete-gaussian", "0.5", "zcdp")
	d := w.open()
	where := " FROM clinic.people WHERE illness NOT IN ("
	for i := range 800 {
		where += fmt.Sprintf("'illness %d', ", i)
	}
	where += "'') GROUP BY "
	sql := "SELECT region, NULL AS sex, count(*)" + where + "region UNION ALL SELECT NULL, sex, count(*)" + where + "sex"
	if _, line := w.answeredAll(d, nil, sql); line.New != 2 || len(line.Jointly) > 0 {
		t.Errorf("%s", line)
	}
	if _, line := w.answeredAll(d, nil, sql); line.Charged != (accountant.Loss{}) || line.Replayed != 2 {
		t.Errorf("again %s", line)
	}
}

// TestJointCountsThatCannotFollow: a joint measurement is not read for counts of other rows, or by other columns.
func TestJointCountsThatCannotFollow(t *testing.T) {
	w := jointWard(t, "discrete-gaussian", "0.5", "zcdp")
	d := w.open()
	of := func(sql string) *query.BoundQuery { return w.query(d, "SELECT count(*) FROM clinic.people "+sql) }
	q := of("WHERE illness = 'flu' GROUP BY sex, region, age / 10")
	shape, ok := q.CountShape(q.Counts[0])
	if !ok {
		t.Fatal("it has no shape")
	}
	for sql, want := range map[string]bool{
		"WHERE illness = 'flu' GROUP BY sex": true, "WHERE illness = 'flu' AND sex = 'F'": true, "WHERE illness = 'flu' GROUP BY age / 10, region": true,
		"GROUP BY sex": false, "WHERE illness = 'cold' GROUP BY sex": false, "WHERE illness = 'flu' AND age < 40 GROUP BY sex": false, "WHERE illness = 'flu' GROUP BY age": false,
	} {
		if asked := of(sql); marginals.MayFollow(shape, asked, asked.Counts[0]) != want {
			t.Errorf("%s: %t", sql, !want)
		}
	}
}

// TestJointCountsWithoutUndeclaredRows: of a count that follows from a finer one of the statement the notice says that rows with undeclared values are left out, also where the finer one is
// measured jointly.
func TestJointCountsWithoutUndeclaredRows(t *testing.T) {
	const byNull = "SELECT (sex IS NULL)::text, NULL, count(*) FROM clinic.people GROUP BY sex IS NULL"
	w := jointWard(t, "discrete-gaussian", "0.5", "zcdp")
	d := w.open()
	_, line := w.answeredAll(d, nil, byNull+" UNION ALL "+byRegionAlone+" UNION ALL "+bySexAlone)
	if len(line.Jointly) != 1 || line.Derived == nil || !slices.Equal(line.Derived.LeftOut, []string{"sex"}) {
		t.Errorf("%s", line)
	}
}

// TestJointCountsFitTheBudget: a budget that covers the joint measurement covers the statement, and one that does not leaves nothing charged.
func TestJointCountsFitTheBudget(t *testing.T) {
	const both = byRegionAlone + " UNION ALL " + bySexAlone
	w := jointWard(t, "gaussian", "0.5", "basic")
	w.Policy = w.changed(func(p *policy.Table) { p.Budget.Epsilon = 7e8 })
	d := w.open()
	w.refusedAsking(d, func(*reply.Request) {}, both)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	w.Policy = w.changed(func(p *policy.Table) { p.Budget.Epsilon = 8e8 })
	if _, line := w.answeredAll(w.open(), nil, both); len(line.Jointly) != 1 {
		t.Errorf("%s", line)
	}
}

// TestJointCountsExplained: EXPLAIN tells what is measured jointly, what it costs, and what it saves, as it comes to be.
func TestJointCountsExplained(t *testing.T) {
	const both = byRegionAlone + " UNION ALL " + bySexAlone
	w := jointWard(t, "gaussian", "0.5", "basic")
	d := w.open()
	e, err := d.Explain(context.Background(), Request{Analyst: "ward_ana", SQL: both, Queries: w.Queries(d.Catalog(), both)})
	if err != nil {
		t.Fatal(err)
	}
	_, line := w.answeredAll(d, nil, both)
	for _, want := range []string{
		"Joint Measurement on clinic.people\n  Question: jointly count(*) FROM clinic.people GROUP BY (region), (sex)\n  Cost: " + line.Charged.RoundUp(4).String(),
		"\n  Saves: 2 counts by themselves cost epsilon 1, delta 2e-9\n", "\n  Cost: part of the joint measurement\n", "\n  Cost: " + line.Charged.RoundUp(4).String() + "\n  Left:",
	} {
		if text := strings.Join(e.Lines(), "\n"); !strings.Contains(text, want) {
			t.Errorf("EXPLAIN has no %s:\n%s", want, text)
		}
	}
	if text, err := e.JSON(); err != nil || !strings.Contains(text, `"Epsilon of the Counts by Themselves": "1"`) {
		t.Errorf("as JSON, %v:\n%s", err, text)
	}
	if !strings.Contains(line.String(), ", 2 counts measured jointly (by themselves epsilon 1, delta 2e-9)") {
		t.Errorf("%s", line)
	}
}
