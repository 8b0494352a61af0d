package release

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
	"tacit/policy"
	"tacit/release/internal/live"
	"tacit/release/internal/marginals"
	"tacit/release/workloads"
)

// computedSchema has people with a day of birth, some of them none, or one that is not declared.
const computedSchema = wardSchema + `
ALTER TABLE clinic.people ADD born date;
UPDATE clinic.people SET born = date '1990-01-01' + (id * 7 % 2000) WHERE id % 50 > 0;
`

func computedPolicy(workload string) string {
	text := strings.Replace(measuredPolicy(workload), "limits: {cells: 200}", "limits: {cells: 5000}", 1)
	return strings.Replace(text, "      illness: {}\n", "      illness: {}\n      born: {range: [1990-01-01, 1995-12-31]}\n", 1)
}

// TestWorkloadOfExpressions: counts by an expression of the workload follow from it, for nothing and as PostgreSQL counts them, with conditions on it; so do those by columns
// that it is made of, where a marginal has them. It fails if values of expressions are not those that the server finds, or are mixed up.
func TestWorkloadOfExpressions(t *testing.T) {
	w := newWardOf(t, computedSchema, computedPolicy(`marginals: [[age / 10, sex], [age, region], {columns: ["date_trunc('month', born)", sex], weight: 2}, [extract(year from born)]], epsilon: 900, delta: 1e-9`))
	d := w.open()
	if _, receipt, err := w.ask(d, "ward_ana", "SELECT age/10, count(*) FROM clinic.people GROUP BY age/10"); err != nil || !receipt.Lines[0].Measured || receipt.Lines[0].Charged != (accountant.Loss{Epsilon: 900e9, Delta: 1e9}) {
		t.Fatalf("the first question: %v, %v", receipt, err)
	}
	truth := strings.NewReplacer("FROM clinic.people", "FROM (SELECT * FROM clinic.people WHERE region <> 'atlantis') AS people",
		"date_trunc('month', born)", "date_trunc('month', born::timestamp)::text", "extract(year FROM born)", "extract(year FROM born)::text")
	for _, sql := range []string{
		"SELECT age / 10 AS decade, sex, count(*) FROM clinic.people GROUP BY age / 10, sex",
		"SELECT sex, (age / 10), count(*) FROM clinic.people GROUP BY 1, 2",
		"SELECT sex, count(*) FROM clinic.people WHERE age / 10 = 3 GROUP BY sex",
		"SELECT count(*) FROM clinic.people WHERE age / 10 IN (3, 4) AND sex = 'F'",
		"SELECT region, age / 10, count(*) FROM clinic.people GROUP BY region, age / 10", // by the columns
		"SELECT region, count(*) FROM clinic.people WHERE age > 64 GROUP BY region",
		"SELECT date_trunc('month', born), count(*) FROM clinic.people GROUP BY 1",
		"SELECT date_trunc('month', born), sex, count(*) FROM clinic.people WHERE sex = 'M' GROUP BY date_trunc('month', born), sex",
		"SELECT extract(year FROM born), count(*) FROM clinic.people GROUP BY extract(year FROM born)",
		"SELECT count(*) FROM clinic.people",
	} {
		got, free := w.byWorkload(d, sql)
		if !free {
			t.Errorf("%s: not free, or not by the workload", sql)
		}
		if want := w.trueCellsOf(d, sql, truth.Replace(sql)); got != want {
			t.Errorf("%s (-PostgreSQL +shown):\n%s", sql, cmp.Diff(want, got))
		}
	}
	for _, sql := range []string{ // no marginal has what these need
		"SELECT age, sex, count(*) FROM clinic.people GROUP BY age, sex",
		"SELECT region, extract(year FROM born), count(*) FROM clinic.people GROUP BY 1, 2",
		"SELECT born, count(*) FROM clinic.people WHERE born < '1990-02-01' GROUP BY born",
	} {
		if _, receipt, err := w.ask(d, "ward_ana", sql); err != nil || receipt.Lines[0].Charged.Epsilon != 5e8 {
			t.Errorf("%s: %v, %v", sql, receipt, err)
		}
	}
	if got := w.spent(d); got.Epsilon != 901_500_000_000 {
		t.Errorf("spent %v", got)
	}
}

// TestWorkloadOfExpressionsAgain: a measurement is found again by another process, and by the same expression in another spelling, with the loss of as many marginals of stored
// columns of these sizes.
func TestWorkloadOfExpressionsAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	const workload = "marginals: [[age / 10, sex], [region]], epsilon: 1, delta: 1e-9"
	w := newWardOf(t, wardSchema, measuredPolicy(workload))
	d := w.open()
	const sql = "SELECT age / 10, count(*) FROM clinic.people GROUP BY age / 10"
	first, _ := w.byWorkload(d, sql)
	d.Close()
	for _, spelling := range []string{"age / 10", "age/10", "( age ) / 10"} {
		p := *w.Policy
		table := *p.Tables[0]
		of := *table.Workload
		of.Computed = []policy.Computed{{Text: spelling, Line: 7}}
		of.Marginals = []policy.Marginal{{Columns: []string{spelling, "sex"}, Weight: policy.WeightOne}, {Columns: []string{"region"}, Weight: policy.WeightOne}}
		table.Workload = &of
		p.Tables = append([]*policy.Table{&table}, p.Tables[1:]...)
		p.Version = spelling
		w.Policy = &p
		d := w.open()
		if again, free := w.byWorkload(d, sql); !free || again != first {
			t.Errorf("%q: free %t, and\n%s, before\n%s", spelling, free, again, first)
		}
		d.Close()
	}
	made, err := marginals.New(w.open().Catalog(), w.Policy.Limits, w.Policy.Tables[0], live.NoRandomness{})
	if err != nil {
		t.Fatal(err)
	}
	stored := newWardOf(t, strings.Replace(wardSchema, "CREATE TABLE clinic.staff", "ALTER TABLE clinic.people ADD decade int;\nCREATE TABLE clinic.staff", 1),
		strings.Replace(measuredPolicy(strings.Replace(workload, "age / 10", "decade", 1)), "      illness: {}\n", "      illness: {}\n      decade: {range: [0, 9]}\n", 1))
	other, err := marginals.New(stored.open().Catalog(), stored.Policy.Limits, stored.Policy.Tables[0], live.NoRandomness{})
	if err != nil {
		t.Fatal(err)
	}
	if made.Loss != other.Loss || made.Term != other.Term {
		t.Errorf("%v %v, and of stored columns %v %v", made.Loss, made.Term, other.Loss, other.Term)
	}
}

// TestBadExpressions: what nothing can be counted by beforehand is refused by tacit check, with its line.
func TestBadExpressions(t *testing.T) {
	w := newWardOf(t, wardSchema, measuredPolicy("marginals: [[region, sex]], epsilon: 1, delta: 1e-9"))
	for i, c := range []struct{ expression, want string }{
		{"age / 0", "line 16, age / 0: "},
		{"age / ", "syntax error"},
		{"length(illness)", "are not known without its rows"},
		{"region || age::text", "line 16, region || age::text: it has more than limits.cells = 200 values"},
		{"random() * age", "line 16, random() * age: "},
		{"secret + 1", `column "secret" does not exist`},
		{"age + 7) HAVING (true", ""},
		{"age + 7), (sex", "no other counts follow from one of its columns"},
		{"age + 1 ORDER BY 1", "line 16, age + 1 ORDER BY 1: "},
		{"count(*) + 1", "line 16, count(*) + 1: "},
		{"(age)", "it is a column; write its name alone"},
		{"(SELECT 1)", "line 16, (SELECT 1): "},
		{"current_date - date '2000-01-01'", "line 16, current_date - date '2000-01-01': "},
		{"age + (now() - now())", "line 16, "},
	} {
		if testing.Short() && i%4 != 3 { // what would end the expression is among these
			continue
		}
		t.Run(c.expression, func(t *testing.T) {
			p := w.Reparse(measuredPolicy(`marginals: [["` + c.expression + `", sex]], epsilon: 1, delta: 1e-9`))
			found, err := workloads.Problems(context.Background(), p)
			if err != nil || c.want != "" && (len(found) != 1 || !strings.Contains(found[0], c.want)) {
				t.Errorf("%v, %q", err, found)
			}
		})
	}
}

// TestExpressionSpelledTwice: one expression in two spellings is refused with the lines of both.
func TestExpressionSpelledTwice(t *testing.T) {
	w := newWardOf(t, wardSchema, measuredPolicy(`marginals: [[age / 10, sex], [(age)/10, region]], epsilon: 1, delta: 1e-9`))
	found, err := workloads.Problems(context.Background(), w.Policy)
	const want = "the workload of clinic.people: line 16, (age)/10: it is the expression of line 16, age / 10; write it in one way"
	if err != nil || len(found) != 1 || found[0] != want {
		t.Errorf("%v, %q", err, found)
	}
}
