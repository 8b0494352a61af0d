package release

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tacit/accountant"
	"tacit/internal/battery"
	"tacit/release/internal/reply"
)

const ofSumsSchema = `CREATE SCHEMA lab;
CREATE TABLE lab.people (k int NOT NULL, age int NOT NULL, cost numeric(6,2));
INSERT INTO lab.people SELECT i % 400, i % 100, CASE WHEN i % 3 > 0 THEN i % 50 + 0.25 END FROM generate_series(1, 4000) AS i;
INSERT INTO lab.people SELECT 399, -5, 1000000 / 100.0 - 0.01 FROM generate_series(1, 60);`

func ofSumsPolicy(person, mechanism string) string {
	return wardPolicy[:strings.Index(wardPolicy, "public:")] + fmt.Sprintf(`tables:
  lab.people:
    person: %s
    mechanism: %s
    budget: {epsilon: 100000, delta: 1e-3, composition: basic}
    columns: {k: {range: [0, 399]}, age: {range: [0, 99]}, cost: {range: [0, 60], step: 0.01}}
`, person, mechanism)
}

// TestRowsOfSums asks for sums and averages, and then for what comes with them. It fails if that is charged, or if the count of other rows is not.
// With -short each case is tried under one of the terms.
func TestRowsOfSums(t *testing.T) {
	const by, where = " FROM lab.people GROUP BY k", " FROM lab.people WHERE age > 20"
	cases := []struct {
		before, sql string
		free        bool
	}{
		{"SELECT k, avg(age)" + by, "SELECT k, count(*)" + by, true},
		{"SELECT k, avg(age)" + by, "SELECT k, count(age)" + by, true},
		{"SELECT k, sum(cost)" + by, "SELECT k, count(cost)" + by, true},
		{"SELECT k, sum(cost)" + by, "SELECT k, count(*)" + by, false},
		{"SELECT k, stddev(cost)" + by, "SELECT k, count(cost)" + by, true},
		{"SELECT avg(cost)" + where, "SELECT count(cost)" + where, true},
		{"SELECT avg(cost)" + where + " AND cost IS NOT NULL", "SELECT count(*)" + where + " AND cost IS NOT NULL", true},
		{"SELECT avg(cost) FILTER (WHERE age < 30)" + where, "SELECT count(cost) FILTER (WHERE age < 30)" + where, true},
		{"SELECT avg(cost) FILTER (WHERE age < 30)" + where, "SELECT count(cost)" + where, false},
		{"SELECT avg(cost)" + where, "SELECT count(cost) FROM lab.people WHERE age > 21", false},
		{"SELECT k, count(*), avg(age)" + by, "SELECT k, count(*)" + by, true},
		{"SELECT k, count(*), avg(age)" + by, "SELECT k, avg(age)" + by, true},
		{"SELECT k, count(*), avg(age), sum(cost)" + by, "SELECT k, count(*), sum(cost)" + by, true},
		{"SELECT k, avg(age)" + by, "SELECT k, count(*), avg(age)" + by, true},
		{"SELECT k, count(*), avg(age)" + by, "SELECT k, count(cost)" + by, false},
		{"SELECT k, avg(age)" + by, "SELECT k < 200, count(*) FROM lab.people WHERE k > 9 GROUP BY 1", true},
		{"SELECT k, avg(age)" + by, "SELECT age < 20, count(*) FROM lab.people GROUP BY 1", false},
	}
	for n, terms := range [][2]string{
		{"row", "{kind: geometric, epsilon: 1}"}, {"row", "{kind: discrete-gaussian, epsilon: 1, delta: 1e-6}"},
		{"{column: age, rows: 4, groups: 2}", "{kind: geometric, epsilon: 1}"},
	} {
		w := newWardOf(t, ofSumsSchema, ofSumsPolicy(terms[0], terms[1]))
		d := w.open()
		for i, c := range cases {
			if testing.Short() && (i+n)%3 != 0 {
				continue
			}
			w.forgetAnswers(d)
			w.mustAsk(d, "ward_ana", c.before)
			explained, err := w.explain(d, "ward_ana", c.sql)
			if err != nil {
				t.Fatal(err)
			}
			line := w.outcome(d, "ward_ana", c.sql).receipt.Lines[0]
			free := c.free && (terms[0] == "row" || !strings.Contains(c.sql, "k < 200")) // where rows are bounded nothing adds up
			if was := line.Charged == (accountant.Loss{}); was != free || (explained.Tables[0].Loss == accountant.Loss{}) != free {
				t.Errorf("%s after %s: %v, explained as %v, by %v", c.sql, c.before, line.Charged, explained.Tables[0].Loss, terms)
			}
		}
	}
}

// TestRowsOfSumsAreWithin compares counts that come with averages with what is true. Each is off by more than is said of it with a probability of at
// most 0.05. The 400 are independent, so that the share of those that are off exceeds 0.05 by battery.Hoeffding with a probability of at most 1e-8. Counts of other rows would be
// found out: 60 have an age that is not declared, and a third no cost.
func TestRowsOfSumsAreWithin(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for _, mechanism := range []string{"{kind: geometric, epsilon: 0.7}", "{kind: geometric, epsilon: 0.7, negative: keep}", "{kind: discrete-gaussian, epsilon: 0.7, delta: 1e-6}"} {
		w := newWardOf(t, ofSumsSchema, ofSumsPolicy("row", mechanism))
		d := w.open()
		for _, c := range [][3]string{{"avg(age)", "count(*)", "count(*)"}, {"var_pop(cost)", "count(cost)", "count(cost)"}} {
			w.mustAsk(d, "ward_ana", "SELECT k, "+c[0]+" FROM lab.people GROUP BY k")
			const by = " FROM lab.people GROUP BY k"
			sql := "SELECT k, " + c[1] + by
			shown, receipt, err := d.Answer(context.Background(), reply.Request{Analyst: "ward_ana", SQL: sql, Queries: w.Queries(d.Catalog(), sql)})
			if err != nil || receipt.Lines[0].Derived == nil {
				t.Fatal(err, receipt)
			}
			within := receipt.Lines[0].HalfWidth95
			truth, off := w.truthOf("SELECT k, "+c[2]+by), 0
			for i, n := range shown[0].Counts[0] {
				var is int64
				fmt.Sscan(truth[shown[0].Keys[0][i].Text+" "], &is)
				if n > is+within || n < is-within {
					off++
				}
			}
			if share := float64(off) / 400; share > 0.05+battery.Hoeffding(400) {
				t.Errorf("%s: %v of the counts are off by more than %d", mechanism, share, within)
			}
			t.Logf("%s %s: ±%d, %d of 400 off", mechanism, c[0], within, off)
		}
	}
}

// TestFreshIsToldInFull asks for an average, and then for it with a count. It fails if the notice names another price, or another error of the count, for
// asking anew than what that then costs and has.
func TestFreshIsToldInFull(t *testing.T) {
	for _, mechanism := range []string{"{kind: geometric, epsilon: 1}", "{kind: discrete-gaussian, epsilon: 1, delta: 1e-6}"} {
		w := newWardOf(t, ofSumsSchema, ofSumsPolicy("row", mechanism))
		d := w.open()
		const both = "SELECT k, count(*), avg(age) FROM lab.people GROUP BY k"
		w.mustAsk(d, "ward_ana", "SELECT k, avg(age) FROM lab.people GROUP BY k")
		told := w.outcome(d, "ward_ana", both).receipt.Lines[0]
		_, receipt, err := d.Answer(context.Background(), reply.Request{Analyst: "ward_ana", SQL: both, Queries: w.Queries(d.Catalog(), both), Fresh: true})
		if err != nil || told.Derived == nil {
			t.Fatal(err, told)
		}
		if paid := receipt.Lines[0]; paid.Charged != told.Derived.Fresh || paid.HalfWidth95 != told.Derived.HalfWidth95 {
			t.Errorf("%s: %v is told for ±%d, and %v charged for ±%d", mechanism, told.Derived.Fresh, told.Derived.HalfWidth95, paid.Charged, paid.HalfWidth95)
		}
	}
}
