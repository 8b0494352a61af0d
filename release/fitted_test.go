package release

import (
	"context"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"tacit/accountant"
	"tacit/release/internal/noisy"
	"tacit/release/internal/site"
	"tacit/rewrite"
)

// fittedPolicy is the policy of the ward, with totals of people fitted by least squares under another epsilon.
func fittedPolicy(mechanism, budget string) string {
	return strings.Replace(wardPolicy, "mechanism: {kind: geometric, epsilon: 20, delta: 1e-9}\n    budget: {epsilon: 1000, delta: 1e-8}",
		"mechanism: "+mechanism+"\n    budget: "+budget, 1)
}

const fittedExactly = "{kind: geometric, epsilon: 200, delta: 1e-9, negative: keep, totals: least-squares}"

// TestFittedQuestions follows what is charged for grouping sets, and under which names. It fails if margins are charged each by itself, if
// a collection of sets is taken for another one or for none, or if the way in which one is written matters. The noise is 0 but with
// probability 1e-15 in each cell.
func TestFittedQuestions(t *testing.T) {
	w := newWardOf(t, wardSchema, fittedPolicy(fittedExactly, "{epsilon: 2000, delta: 1e-8}"))
	d := w.open()
	const all = "east M 0 \neast F 0 \neast NULL 0 \nnorth M 300 \nnorth F 240 \nnorth NULL 60 \nsouth M 200 \nsouth F 160 \nsouth NULL 40 \n"
	const question = "count(*) FROM clinic.people GROUP BY region, sex"
	for _, step := range []struct {
		clause, where, want, question string
		spent                         int
	}{
		{"ROLLUP (region, sex)", "", all, question + " FITTED BY LEAST SQUARES TO (region, sex), (region), ()", 200},
		{"GROUPING SETS ((), (region), (region), (sex, region))", "", all, question + " FITTED BY LEAST SQUARES TO (region, sex), (region), ()", 200},
		{"GROUPING SETS ((region, sex), (region))", "", all, question + " FITTED BY LEAST SQUARES TO (region, sex), (region)", 400},
		{"GROUPING SETS (region, sex)", "", all, question + " FITTED BY LEAST SQUARES TO (region, sex), (sex), (region)", 600},
		{"CUBE (region, sex)", "", all, question + " FITTED BY LEAST SQUARES TO (region, sex), (sex), (region), ()", 800},
		{"region, sex", "", all, question, 1000},
		{"GROUPING SETS ((region, sex))", "", all, question, 1000},
		{"ROLLUP (region, sex)", " WHERE region <> 'east' AND sex IS NOT NULL", "north M 300 \nnorth F 240 \nsouth M 200 \nsouth F 160 \n",
			"count(*) FROM clinic.people WHERE (region <> 'east' AND sex IS NOT NULL) GROUP BY region, sex FITTED BY LEAST SQUARES TO (region, sex), (region), ()", 1200},
		{"ROLLUP (region, sex)", " WHERE region = 'north'", "north M 300 \nnorth F 240 \nnorth NULL 60 \n",
			"count(*) FROM clinic.people WHERE region = 'north' GROUP BY region, sex FITTED BY LEAST SQUARES TO (sex), ()", 1400},
	} {
		sql := "SELECT region, sex, count(*) FROM clinic.people" + step.where + " GROUP BY " + step.clause
		first := w.cells(d, sql)
		if sorted(first) != sorted(step.want) {
			t.Errorf("%s\ngot:\n%swant:\n%s", sql, first, step.want)
		}
		e, err := w.explain(d, "ward_ana", sql)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(step.question, e.Questions[0].Question); diff != "" || !e.Questions[0].Recorded {
			t.Errorf("%s (-want +got):\n%s", sql, diff)
		}
		if got := w.spent(d); int(got.Epsilon) != step.spent*1e9 || got.Delta != 0 {
			t.Errorf("after %s: %v spent, want epsilon %d", sql, got, step.spent)
		}
	}
	_, receipt, err := w.ask(d, "ward_ana", "SELECT region, sex, count(*) FROM clinic.people GROUP BY ROLLUP (region, sex)")
	if err != nil {
		t.Fatal(err)
	}
	if want := "clinic.people: geometric noise, each count within ±1 with probability 95%; totals are fitted by least squares; free (answered before); left: table epsilon 600, delta 5e-9"; undated(receipt.Notice()) != want {
		t.Errorf("the notice is %s, want %s", receipt.Notice(), want)
	}
}

// sorted are the lines of a text in order: cells come in the order of their keys, whichever of two stands first.
func sorted(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// TestFittedExplanation pins what EXPLAIN tells of the errors. The noise for 3 margins at epsilon 0.6 has a = exp(-0.2) and the variance
// 2a/(1-a)^2 = 49.83. For ROLLUP over 3 x 3 cells the grand total has that over 1 + 1/3 + 1/9.
func TestFittedExplanation(t *testing.T) {
	w := newWardOf(t, wardSchema, fittedPolicy("{kind: geometric, epsilon: 0.6, negative: keep, totals: least-squares}", "{epsilon: 10}"))
	d := w.open()
	const sql = "SELECT region, sex, count(*) FROM clinic.people GROUP BY ROLLUP (region, sex)"
	e, err := w.explain(d, "ward_ana", sql)
	if err != nil {
		t.Fatal(err)
	}
	f := e.Questions[0].Fitted
	if want := math.Sqrt(49.8339 / (1 + 1.0/3 + 1.0/9)); f == nil || f.Margins != 3 || math.Abs(f.TotalDeviation-want) > 1e-4 {
		t.Fatalf("%+v, want the deviation %v", f, want)
	}
	want := "  Expected Error: within ±14 with probability 95% (geometric noise)\n" +
		"  Totals: fitted by least squares to 3 groupings; standard deviation 6.0 of a cell, 5.9 of the total of all\n  Cells: at most 9\n"
	if lines := strings.Join(e.Lines(), "\n"); !strings.Contains(lines, want) {
		t.Errorf("%s\nwant\n%s", lines, want)
	}
	if text, err := e.JSON(); err != nil || !strings.Contains(text, `"Fitted Totals": {`) || !strings.Contains(text, `"Groupings": 3`) {
		t.Errorf("%s, %v", text, err)
	}
	if got := w.spent(d); got != (accountant.Loss{}) {
		t.Errorf("explaining was charged %v", got)
	}
}

// TestUnfittedTotals lists the questions whose totals stay sums though the policy asks for fitted ones.
func TestUnfittedTotals(t *testing.T) {
	w := newWardOf(t, wardSchema, fittedPolicy(fittedExactly, "{epsilon: 4000, delta: 1e-8}"))
	d := w.open()
	for _, c := range []struct{ name, sql string }{
		{"no grouping sets", "SELECT region, count(*) FROM clinic.people GROUP BY region"},
		{"no set but that of all keys", "SELECT region, count(*) FROM clinic.people GROUP BY GROUPING SETS ((region))"},
		{"one cell", "SELECT region, count(*) FROM clinic.people WHERE region = 'north' GROUP BY ROLLUP (region)"},
		{"no cell", "SELECT region, count(*) FROM clinic.people WHERE region = 'nowhere' GROUP BY ROLLUP (region)"},
		{"no key", "SELECT count(*) FROM clinic.people GROUP BY GROUPING SETS ((), ())"},
		{"keys by threshold", "SELECT illness, count(*) FROM clinic.people GROUP BY ROLLUP (illness)"},
		{"a filter that leaves no product", "SELECT region, sex, count(*) FROM clinic.people WHERE region = 'north' OR sex = 'M' GROUP BY ROLLUP (region, sex)"},
		{"keys of one column", "SELECT age / 10, age, count(*) FROM clinic.people WHERE age < 20 GROUP BY ROLLUP (age / 10, age)"},
		{"too many sets", "SELECT count(*) FROM clinic.people GROUP BY CUBE (age > 1, age > 2, age > 3, age > 4, age > 5, age > 6, age > 7)"},
	} {
		e, err := w.explain(d, "ward_ana", c.sql)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if q := e.Questions[len(e.Questions)-1]; q.Fitted != nil || strings.Contains(q.Question, "FITTED") {
			t.Errorf("%s: %+v", c.name, q)
		}
	}
	got := w.cells(d, "SELECT region, sex, count(*) FROM clinic.people WHERE region = 'north' OR sex = 'M' GROUP BY ROLLUP (region, sex)")
	if want := "east M 0 \nnorth M 300 \nnorth F 240 \nnorth NULL 60 \nsouth M 200 \n"; sorted(got) != sorted(want) {
		t.Errorf("without a product: %s, want %s", got, want)
	}
	_, receipt, err := w.ask(d, "ward_ana", "SELECT illness, count(*) FROM clinic.people GROUP BY ROLLUP (illness)")
	if err != nil || !strings.Contains(receipt.Notice(), "totals add up the cells that are shown and leave out all others, so that they are too small: no ± holds for them") {
		t.Errorf("%v, %v", receipt, err)
	}
}

// TestFittedPersons pins the noise where a person has several rows: 4 of them in each margin, and with more margins than the noise
// is made for, sums.
func TestFittedPersons(t *testing.T) {
	text := strings.Replace(site.VisitsPolicy, "mechanism: {kind: geometric,", "mechanism: {kind: geometric, negative: keep, totals: least-squares,", 1)
	if text == site.VisitsPolicy {
		t.Fatal("the policy of visits has another mechanism")
	}
	w := newWardOf(t, site.VisitsSchema, text)
	d := w.open()
	const sql = "SELECT house, count(*) FROM clinic.visits GROUP BY ROLLUP (house)"
	p, err := noisy.NewQueryPlan(context.Background(), d.monitor.Curator, w.query(d, sql), d.monitor.Current())
	if err != nil {
		t.Fatal(err)
	}
	if g := p.Questions[0].Mechanism.Guarantee(p.Terms.Adjacency); p.Margins.Len() != 2 || math.Abs(g.Pure-float64(p.Terms.Mechanism.Epsilon)/1e9) > 1e-9*g.Pure {
		t.Errorf("%v with the guarantee %+v", p.Margins, g)
	}
	w = newWardOf(t, site.VisitsSchema, strings.Replace(text, "rows: 4", "rows: 251", 1))
	d = w.open()
	if p, err = noisy.NewQueryPlan(context.Background(), d.monitor.Curator, w.query(d, sql), d.monitor.Current()); err != nil || p.Margins != nil || p.Terms.Person.Rows != 251 {
		t.Errorf("2 margins with 251 rows of a person: %v are fitted, %v", p.Margins, err)
	}
}

// TestFittedTotalsOnTheServer asks for 100 counts with grouping sets at once, has the server add up their cells, and compares the errors of
// the grand totals with those of sums. One margin more doubles the noise; a sum of 101 cells has 101 times the variance of one. So the
// variances are 4/(1+1/101) and 101 times that of a cell at epsilon 0.5, 7.84, that is 31 and 790; the limits below are 4 and 2.5 times away,
// which for the mean of 100 squares has a probability far below 1e-6, and the source is seeded besides.
func TestFittedTotalsOnTheServer(t *testing.T) {
	const counts = 100
	var list []string
	for i := range counts {
		list = append(list, fmt.Sprintf("count(*) FILTER (WHERE age <> %d)", i))
	}
	sql := "SELECT grouping(age), " + strings.Join(list, ", ") + " FROM clinic.people GROUP BY ROLLUP (age)"
	squares := make(map[string]float64)
	for _, totals := range []string{"sum", "least-squares"} {
		w := newWardOf(t, wardSchema, fittedPolicy("{kind: geometric, epsilon: 0.5, negative: keep, totals: "+totals+"}", "{epsilon: 1000}"))
		w.Policy.Limits.Cells = 1000 // for so many counts
		d := w.open()
		rows := w.rows(d, sql)
		if len(rows) != 102 {
			t.Fatalf("%d rows", len(rows))
		}
		sums := make([]int64, counts)
		var total []int64
		for _, row := range rows {
			if row.total {
				total = row.counts
				continue
			}
			for i, n := range row.counts {
				sums[i] += n
			}
		}
		if !slices.Equal(sums, total) {
			t.Errorf("%s: the totals are %v, and the cells add up to %v", totals, total, sums)
		}
		for i, n := range total {
			truth := 1010 - 10
			if i == 30 { // the age of ten others
				truth = 1010 - 20
			}
			squares[totals] += float64(int(n)-truth) * float64(int(n)-truth) / counts
		}
	}
	t.Logf("mean squared errors of grand totals: %v", squares)
	if squares["least-squares"] > 4*31 || squares["sum"] < 790/2.5 {
		t.Errorf("mean squared errors of %v, want about 31 and 790", squares)
	}
}

// A row is one of a statement whose first column tells totals and whose others are counts.
type row struct {
	total  bool
	counts []int64
}

// rows answers a statement and runs the rest of it on the server.
func (w *ward) rows(d *Gateway, sql string) []row {
	w.T.Helper()
	cells, _, err := w.ask(d, "ward_ana", sql)
	if err != nil {
		w.T.Fatal(err)
	}
	verdict, err := rewrite.Analyze(sql, &rewrite.Session{Catalog: d.Catalog(), Limits: w.Policy.Limits})
	if err != nil {
		w.T.Fatal(err)
	}
	rest := verdict.(*rewrite.Answer).Outer
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, site.Cluster.URL("postgres", w.Database))
	if err != nil {
		w.T.Fatal(err)
	}
	defer conn.Close(ctx)
	result, err := conn.Query(ctx, rest.WithLiterals(rest.Literals(cells)))
	if err != nil {
		w.T.Fatal(err)
	}
	rows, err := pgx.CollectRows(result, func(r pgx.CollectableRow) (row, error) {
		values, err := r.Values()
		if err != nil {
			return row{}, err
		}
		out := row{total: fmt.Sprint(values[0]) == "1"}
		for _, v := range values[1:] {
			out.counts = append(out.counts, v.(int64))
		}
		return out, nil
	})
	if err != nil {
		w.T.Fatal(err)
	}
	return rows
}

// TestSummedIdentities pins ledger keys as they were before totals could be fitted, on a domain that does not change: an update must
// not make recorded answers new questions.
func TestSummedIdentities(t *testing.T) {
	w := newWard(t)
	d := w.open()
	for sql, want := range map[string]string{
		"SELECT region, sex, count(*) FROM clinic.people GROUP BY region, sex":          "b968a28139d40729e79cb29791a31058275404da8a58813dc8984ecf727bd11f",
		"SELECT region, sex, count(*) FROM clinic.people GROUP BY ROLLUP (region, sex)": "b968a28139d40729e79cb29791a31058275404da8a58813dc8984ecf727bd11f",
		"SELECT illness, count(*) FROM clinic.people GROUP BY ROLLUP (illness)":         "df5b317d935fd1ba22d9b96b07d2a6740adcb159259c6548feff2792c15b19a4",
		"SELECT count(*) FROM clinic.staff":                                             "fbdf9ce83b35dc3dc00c021948a63506a53192689dc31a49a1e08ed7c95581e8",
	} {
		p, err := noisy.NewQueryPlan(context.Background(), d.monitor.Curator, w.query(d, sql), d.monitor.Current())
		if err != nil {
			t.Fatal(err)
		}
		if got := hex.EncodeToString(p.Questions[0].Ledger.Key[:]); got != want {
			t.Errorf("%s has the key %s, want %s", sql, got, want)
		}
	}
}
