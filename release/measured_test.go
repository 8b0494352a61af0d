package release

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/policy"
	"tacit/release/internal/live"
	"tacit/release/internal/reply"
	"tacit/release/internal/site"
	"tacit/rewrite"
	"tacit/rewrite/query"
)

// measuredPolicy has a workload beside geometric noise of epsilon 0.5, by other mechanisms and budgets where they are given.
func measuredPolicy(workload string) string {
	text := strings.Replace(wardPolicy, "mechanism: {kind: geometric, epsilon: 20, delta: 1e-9}", "mechanism: {kind: geometric, epsilon: 0.5, delta: 1e-9, negative: keep}", 1)
	return strings.Replace(text, "    derive: false\n    columns:\n      region: {values_from", "    workload: {"+workload+"}\n    columns:\n      region: {values_from", 1)
}

// nearlyExact is a workload with hardly any noise, so that its counts tell whether they are right.
const nearlyExact = "marginals: [[region, sex], {columns: [age], weight: 2}], epsilon: 900, delta: 1e-9"

const noisyWorkload = "marginals: [[region, sex], {columns: [age], weight: 2}], epsilon: 1, delta: 1e-9"

// byWorkload asks a statement, and says whether it was free and followed from the workload.
func (w *ward) byWorkload(d *Gateway, sql string) (cells string, free bool) {
	w.T.Helper()
	got, receipt, err := w.ask(d, "ward_ana", sql)
	if err != nil {
		w.T.Fatalf("%s: %v", sql, err)
	}
	l := receipt.Lines[0]
	return cellText(got[0]), l.Charged == accountant.Loss{} && l.Derived != nil && l.Derived.OfWorkload == l.Derived.Questions
}

// TestMeasuredWorkload: the first question that follows pays for the workload, once; all that follow are free, and what PostgreSQL itself counts of rows
// whose values are declared.
func TestMeasuredWorkload(t *testing.T) {
	w := newWardOf(t, wardSchema, measuredPolicy(nearlyExact))
	d := w.open()
	const declared = "region <> 'atlantis'"
	first := "SELECT sex, count(*) FROM clinic.people GROUP BY sex"
	cells, receipt, err := w.ask(d, "ward_ana", first)
	if err != nil {
		t.Fatal(err)
	}
	l := receipt.Lines[0]
	if l.Charged != (accountant.Loss{Epsilon: 900e9, Delta: 1e9}) || !l.Measured || l.New != 1 || l.Derived == nil || l.Derived.OfWorkload != 1 {
		t.Errorf("the first question: %+v", l)
	}
	if got := l.String(); !strings.Contains(got, "with the workload, which is measured once: what follows from it is free") || !strings.Contains(got, "noise of the measured workload, each count within ±") {
		t.Errorf("the notice is %s", got)
	}
	if got, want := cellText(cells[0]), "M 500 \nF 400 \nNULL 100 \n"; got != want {
		t.Errorf("%s: %s", first, cmp.Diff(want, got))
	}
	for _, c := range []struct{ sql, where string }{ // where: what rows with undeclared values are left out by
		{"SELECT sex, count(*) FROM clinic.people GROUP BY sex", declared},
		{"SELECT region, sex, count(*) FROM clinic.people GROUP BY region, sex", declared},
		{"SELECT region, count(*) FROM clinic.people GROUP BY region", declared},
		{"SELECT count(*) FROM clinic.people", declared},
		{"SELECT age, count(*) FROM clinic.people GROUP BY age", declared},
		{"SELECT age / 10 AS decade, count(*) FROM clinic.people GROUP BY age / 10", declared},
		{"SELECT count(*) FROM clinic.people WHERE age BETWEEN 30 AND 44", declared},
		{"SELECT sex, count(*) FROM clinic.people WHERE region = 'north' GROUP BY sex", declared},
		{"SELECT sex IS NULL AS none, count(*) FROM clinic.people WHERE region IN ('north', 'east') GROUP BY sex IS NULL", declared},
		{"SELECT region = 'north' AS north, sex, count(*) FROM clinic.people GROUP BY region = 'north', sex", declared},
		{"SELECT count(*) FROM clinic.people WHERE region = 'north' OR sex = 'F'", declared},
		{"SELECT region, count(*) FILTER (WHERE sex = 'F'), count(sex) FROM clinic.people GROUP BY region", declared},
		{"SELECT CASE WHEN sex = 'F' THEN 'women' ELSE 'others' END AS who, count(*) FROM clinic.people GROUP BY 1", declared},
	} {
		got, free := w.byWorkload(d, c.sql)
		if !free {
			t.Errorf("%s: not free, or not by the workload", c.sql)
		}
		if want := w.trueCells(d, c.sql, c.where); got != want {
			t.Errorf("%s (-PostgreSQL +shown):\n%s", c.sql, cmp.Diff(want, got))
		}
	}
	if got := w.spent(d); got.Epsilon != 900e9 {
		t.Errorf("spent %v", got)
	}
	for _, sql := range []string{ // what does not follow is charged as it is without a workload
		"SELECT region, count(*) FROM clinic.people WHERE age < 30 GROUP BY region",
		"SELECT count(*) FROM clinic.people WHERE illness = 'flu'",
		"SELECT count(DISTINCT sex) FROM clinic.people",
	} {
		_, receipt, err := w.ask(d, "ward_ana", sql)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
		} else if l := receipt.Lines[0]; l.Charged.Epsilon != 5e8 || l.Measured || l.Derived != nil {
			t.Errorf("%s: %s", sql, l)
		}
	}
}

// TestNoSumsOfWorkload: sums and percentiles do not follow from a workload, whose counts are less exact than those that the stated errors would be of.
func TestNoSumsOfWorkload(t *testing.T) {
	w := newWardOf(t, wardSchema, measuredPolicy(noisyWorkload))
	d := w.open()
	if _, free := w.byWorkload(d, "SELECT age, count(*) FROM clinic.people GROUP BY age"); free {
		t.Fatal("nobody paid for the workload")
	}
	for _, sql := range []string{
		"SELECT sum(age) FROM clinic.people",
		"SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY age) FROM clinic.people", "SELECT mode() WITHIN GROUP (ORDER BY age) FROM clinic.people",
	} {
		_, receipt, err := w.ask(d, "ward_ana", sql)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
		} else if l := receipt.Lines[0]; l.Derived != nil || l.Charged.Epsilon != 5e8 {
			t.Errorf("%s: %s", sql, l)
		}
	}
}

// trueCells are the cells of a statement as PostgreSQL counts them, of rows that meet a condition besides: those that are shown without rows are 0.
func (w *ward) trueCells(d *Gateway, sql, where string) string {
	w.T.Helper()
	return w.trueCellsOf(d, sql, strings.Replace(sql, "FROM clinic.people", "FROM (SELECT * FROM clinic.people WHERE "+where+") AS people", 1))
}

// trueCellsOf are the cells of a statement with the counts of another one, whose keys are texts or integers.
func (w *ward) trueCellsOf(d *Gateway, sql, of string) string {
	w.T.Helper()
	truth := w.countsOf(of)
	shown, _, err := w.ask(d, "ward_ana", sql)
	if err != nil {
		w.T.Fatal(err)
	}
	c := shown[0]
	counted := query.Cells{Keys: c.Keys}
	for j := range c.Counts {
		counts := make([]int64, len(c.Counts[j]))
		for i := range counts {
			key := ""
			for _, column := range c.Keys {
				key += column[i].Text + "|"
			}
			if found := truth[key]; found != nil {
				counts[i] = found[j]
			}
		}
		counted.Counts = append(counted.Counts, counts)
	}
	return cellText(&counted)
}

// countsOf are the counts of a statement, which are its bigints, by its keys as texts.
func (w *ward) countsOf(sql string) map[string][]int64 {
	w.T.Helper()
	rows, err := site.Connect(w.T, "postgres", w.Database).Query(context.Background(), sql)
	if err != nil {
		w.T.Fatal(err)
	}
	truth := make(map[string][]int64)
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			w.T.Fatal(err)
		}
		key, counts := "", []int64{}
		for _, v := range values {
			switch v := v.(type) {
			case int64:
				counts = append(counts, v)
			case nil:
				key += "|"
			case bool:
				key += fmt.Sprint(v)[:1] + "|"
			default:
				key += fmt.Sprint(v) + "|"
			}
		}
		truth[key] = counts
	}
	if err := rows.Err(); err != nil {
		w.T.Fatal(err)
	}
	return truth
}

// TestWorkloadAgrees: counts of one measurement add up to one another, but for the rounding of each.
func TestWorkloadAgrees(t *testing.T) {
	w := newWardOf(t, wardSchema, measuredPolicy(strings.Replace(noisyWorkload, "epsilon: 1,", "epsilon: 5,", 1)))
	d := w.open()
	sums := func(sql string) (total int64, cells int) {
		shown, _, err := w.ask(d, "ward_ana", sql)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range shown[0].Counts[0] {
			total += n
		}
		return total, len(shown[0].Counts[0])
	}
	total, _ := sums("SELECT count(*) FROM clinic.people")
	for _, sql := range []string{
		"SELECT sex, count(*) FROM clinic.people GROUP BY sex", "SELECT age, count(*) FROM clinic.people GROUP BY age",
		"SELECT region, sex, count(*) FROM clinic.people GROUP BY region, sex", "SELECT age < 50, count(*) FROM clinic.people GROUP BY age < 50",
	} {
		if got, cells := sums(sql); math.Abs(float64(got-total)) > float64(cells+1)/2 {
			t.Errorf("%s adds up to %d, and the total is %d", sql, got, total)
		}
	}
}

// TestExplainedWorkload: EXPLAIN tells what the measurement costs before, and that what follows is free afterwards; and it charges nothing.
func TestExplainedWorkload(t *testing.T) {
	w := newWardOf(t, wardSchema, measuredPolicy(noisyWorkload))
	d := w.open()
	const sql = "SELECT sex, count(*) FROM clinic.people GROUP BY sex"
	explain := func() (*reply.Explanation, string) {
		t.Helper()
		e, err := d.Explain(context.Background(), Request{Analyst: "ward_ana", SQL: sql, Queries: w.Queries(d.Catalog(), sql)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.JSON(); err != nil {
			t.Error(err)
		}
		return e, strings.Join(e.Lines(), "\n")
	}
	before, text := explain()
	if len(before.Questions) != 2 || !before.Questions[0].Workload || before.Questions[0].Loss.Epsilon != 1e9 || !before.Questions[1].Waits || before.Questions[1].Loss != (accountant.Loss{}) ||
		before.Tables[0].Loss.Epsilon != 1e9 || w.spent(d) != (accountant.Loss{}) {
		t.Errorf("before: %s", text)
	}
	if !strings.Contains(text, "Measured Workload on clinic.people\n  Question: the workload of clinic.people: (region, sex), (age)\n  Cost: epsilon 1, delta 1e-9\n") ||
		!strings.Contains(text, "  Cost: free (follows from the workload that is measured for it)\n") {
		t.Errorf("before:\n%s", text)
	}
	w.byWorkload(d, sql)
	after, text := explain()
	if len(after.Questions) != 1 || after.Questions[0].Derived == nil || after.Questions[0].HalfWidth95 != before.Questions[1].HalfWidth95 || after.Questions[0].HalfWidth95 < 5 {
		t.Errorf("after:\n%s", text)
	}
}

// TestWorkloadIsMeasuredOnce: not again under the same policy, whatever is asked, and not without being asked for; under another workload, other values or in another
// epoch nothing of the former one is used.
func TestWorkloadIsMeasuredOnce(t *testing.T) {
	w := newWardOf(t, wardSchema, measuredPolicy(noisyWorkload))
	d := w.open()
	const bySex, byAge = "SELECT sex, count(*) FROM clinic.people GROUP BY sex", "SELECT age, count(*) FROM clinic.people GROUP BY age"
	cells, _ := w.byWorkload(d, bySex)
	if again, free := w.byWorkload(d, bySex); again != cells || !free {
		t.Error("the same question has another answer")
	}
	w.byWorkload(d, byAge)
	if got := w.spent(d); got.Epsilon != 1e9 {
		t.Errorf("spent %v", got)
	}
	if l := w.answered(d, asksFresh, bySex).receipt; l.Charged.Epsilon != 5e8 || l.Measured {
		t.Errorf("fresh: %s", l)
	}
	d.Close()
	d = w.open()
	if got, free := w.byWorkload(d, byAge); !free {
		t.Errorf("after a restart: %s", got)
	}
	for i, c := range []struct {
		name   string
		change func(t *policy.Table)
	}{
		{"weight", func(t *policy.Table) { t.Workload.Marginals[1].Weight++ }},
		{"greatest", func(t *policy.Table) { t.Workload.Greatest = true }},
		{"marginal", func(t *policy.Table) { t.Workload.Marginals = t.Workload.Marginals[1:] }},
		{"epsilon", func(t *policy.Table) { t.Workload.Epsilon-- }},
		{"delta", func(t *policy.Table) { t.Workload.Delta-- }},
		{"domain", func(t *policy.Table) { t.Columns[2].Domain.Range = &policy.Range{First: 0, Last: 98} }},
	} {
		if testing.Short() && i%2 != 0 {
			continue
		}
		p, table, workload := *w.Policy, *w.Policy.Tables[0], *w.Policy.Tables[0].Workload
		table.Workload, table.Columns = &workload, append([]policy.Column{}, table.Columns...)
		workload.Marginals = append([]policy.Marginal{}, workload.Marginals...)
		c.change(&table)
		p.Version = c.name
		p.Tables = append([]*policy.Table{&table}, p.Tables[1:]...)
		if err := d.Reload(context.Background(), &p); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		_, receipt, err := w.ask(d, "ward_bob", "SELECT count(*) FROM clinic.people WHERE age < 7")
		if err != nil || !receipt.Lines[0].Measured {
			t.Errorf("%s: %v, %v", c.name, receipt, err)
		}
	}
}

// TestUnaffordableWorkload: where the budgets do not cover the measurement, a question is charged by itself.
func TestUnaffordableWorkload(t *testing.T) {
	w := newWardOf(t, wardSchema, measuredPolicy(strings.Replace(noisyWorkload, "epsilon: 1,", "epsilon: 50,", 1)))
	d := w.open()
	const sql = "SELECT sex, count(*) FROM clinic.people GROUP BY sex"
	_, receipt, err := w.ask(d, "ward_bob", sql) // who has 40
	if err != nil {
		t.Fatal(err)
	}
	if l := receipt.Lines[0]; l.Measured || l.Charged.Epsilon != 5e8 {
		t.Errorf("beyond her cap: %s", l)
	}
	steward := measuredPolicy(noisyWorkload + ", measured: by-steward")
	w = newWardOf(t, wardSchema, steward)
	d = w.open()
	if l := w.answered(d, nil, sql).receipt; l.Measured || l.Charged.Epsilon != 5e8 {
		t.Errorf("by steward: %s", l)
	}
}

// TestWorkloadAfterACrash: a measurement that was charged and not recorded is taken over by whoever asks next, free of charge.
func TestWorkloadAfterACrash(t *testing.T) {
	w := newWardOf(t, wardSchema, measuredPolicy(noisyWorkload))
	d := w.open()
	ctx := context.Background()
	const sql = "SELECT sex, count(*) FROM clinic.people GROUP BY sex"
	a, err := d.noisy.Plan(ctx, reply.Request{Analyst: "ward_ana", SQL: sql, Queries: w.Queries(d.Catalog(), sql)})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.PlanMeasurements(ctx); err != nil {
		t.Fatal(err)
	}
	tasks := a.Tasks()
	if len(tasks) != 1 || !strings.HasPrefix(tasks[0].Questions[0].Ledger.Text, "the workload of ") {
		t.Fatalf("tasks: %v", tasks)
	}
	if _, err := a.Reserve(ctx, tasks); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = w.open()
	o := w.outcome(d, "ward_bob", sql)
	if o.err != nil {
		t.Fatal(o.err)
	}
	if line := o.receipt.Lines[0]; line.Adopted != 1 || line.New != 0 || line.Charged != (accountant.Loss{}) {
		t.Errorf("an orphan's receipt: %s", line)
	}
	if got := w.spent(d); got.Epsilon != 1e9 {
		t.Errorf("%v spent", got)
	}
	if again := w.outcome(d, "ward_ana", sql); again.cells != o.cells {
		t.Error("what was shown under an adopted charge is not shown again")
	}
	d.Close()
	d = w.open()
	if history := w.report(d, "ward_bob", rewrite.HistoryReport); !strings.Contains(history, sql) {
		t.Errorf("the history of whom the charge was taken over for is\n%s", history)
	}
}

// TestAnswersBeforeTheWorkload: what was answered before keeps its answer, and what was derived before follows from the workload afterwards.
func TestAnswersBeforeTheWorkload(t *testing.T) {
	w := newWardOf(t, wardSchema, measuredPolicy(noisyWorkload))
	d := w.open()
	const bySex = "SELECT sex, count(*) FROM clinic.people GROUP BY sex"
	before := w.answered(d, asksFresh, bySex)
	after := w.answered(d, nil, bySex)
	if after.receipt.Replayed != 1 || after.receipt.Measured || !sameSums(before.byKeys(), after.byKeys()) {
		t.Errorf("a recorded answer: %s", after.receipt)
	}
	if l := w.answered(d, nil, "SELECT region, count(*) FROM clinic.people GROUP BY region").receipt; !l.Measured {
		t.Errorf("what follows from the workload alone: %s", l)
	}
	if l := w.answered(d, nil, "SELECT count(*) FROM clinic.people").receipt; l.Derived == nil || l.Derived.OfWorkload != 1 {
		t.Errorf("a total: %s", l)
	}
}

// TestWorkloadOfNeighbours: with one person more, whose values are declared or not, the same is charged, and told but for counts.
func TestWorkloadOfNeighbours(t *testing.T) {
	told := func(more string) (all string) {
		w := newWardOf(t, wardSchema, measuredPolicy(noisyWorkload))
		w.Exec(more)
		d := w.open()
		for _, sql := range []string{
			"SELECT sex, count(*) FROM clinic.people GROUP BY sex", "SELECT age, count(*), tacit.low(count(*)) FROM clinic.people GROUP BY age",
			"SELECT count(*) FROM clinic.people WHERE age BETWEEN 20 AND 30",
		} {
			cells, receipt, err := w.ask(d, "ward_ana", sql)
			if err != nil {
				t.Fatal(err)
			}
			l := receipt.Lines[0]
			l.Derived.Ages = reply.Ages{}
			all += fmt.Sprint(l.Charged, l.New, l.Derived, l.Description, len(cells[0].Counts[0]), cells[0].Keys, "\n")
			for _, e := range cells[0].Ends {
				for i := range e.Low {
					all += fmt.Sprint(e.High[i]-cells[0].Counts[0][i], e.Unknown[i], " ")
				}
			}
		}
		return all
	}
	want := told("")
	for _, more := range []string{
		"INSERT INTO clinic.people VALUES (2000, 'east', 'F', 17, 'rare')", "INSERT INTO clinic.people VALUES (2000, 'limbo', 'X', -2147483648, NULL)",
		"INSERT INTO clinic.people VALUES (2000, 'east', NULL, NULL, '')",
	} {
		if diff := cmp.Diff(want, told(more)); diff != "" {
			t.Errorf("%s:\n%s", more, diff)
		}
	}
}

// TestWorkloadsThatCannotBe: a policy with a workload whose values are too many is not put in force.
func TestWorkloadsThatCannotBe(t *testing.T) {
	w := newWardOf(t, wardSchema, measuredPolicy("marginals: [[region, age]], epsilon: 1, delta: 1e-9"))
	if _, err := Open(context.Background(), Config{Policy: w.Policy, Random: live.NoRandomness{}}); err == nil || !strings.Contains(err.Error(), "more than limits.cells, 200") {
		t.Errorf("opened: %v", err)
	}
	large := strings.Replace(measuredPolicy("marginals: [[age], [age, region]], epsilon: 1, delta: 1e-9, negative: fit"), "limits: {cells: 200}", "limits: {cells: 900000}", 1)
	w = newWardOf(t, wardSchema, strings.Replace(large, "age: {range: [0, 99]}", "age: {range: [0, 99999]}", 1))
	if _, err := Open(context.Background(), Config{Policy: w.Policy, Random: live.NoRandomness{}}); err == nil || !strings.Contains(err.Error(), "too many to fit them; write negative: mechanism") {
		t.Errorf("opened: %v", err)
	}
}

// TestLossOfWorkload measures tables that differ in one person with the same noise, through the gateway. What was recorded then differs by what the
// person changes of the residuals, so that the zCDP of the joint release is known exactly: the sum of the squares of these changes, over twice the
// variances. It is at most what the term says that is charged, for that implies the epsilon and delta of the policy, and some person's is nearly as much.
func TestLossOfWorkload(t *testing.T) {
	const workload = "marginals: [[region, sex], {columns: [sex], weight: 2}], epsilon: 1, delta: 1e-9"
	type residual struct {
		Variance float64 `json:"variance"`
		Noisy    []int64 `json:"noisy"`
	}
	type measured struct {
		Measured struct {
			Residuals []residual `json:"residuals"`
		} `json:"measured"`
	}
	adjacencies := []string{"add-remove", "replace-one"}
	if testing.Short() {
		adjacencies = adjacencies[:1]
	}
	for _, adjacency := range adjacencies {
		recorded := func(more string) (m measured, rho float64) {
			text := strings.Replace(measuredPolicy(workload), "person: row", "person: row\n    adjacency: "+adjacency, 1)
			w := newWardOf(t, wardSchema, text)
			w.Exec(more)
			d := w.open()
			if l := w.answered(d, nil, "SELECT sex, count(*) FROM clinic.people GROUP BY sex").receipt; !l.Measured {
				t.Fatalf("%s: %s", adjacency, l)
			}
			asked, err := d.monitor.Current().Workload(w.Policy.Tables[0])
			if err != nil {
				t.Fatal(err)
			}
			found, ok, err := d.monitor.Ledger.Lookup(context.Background(), asked.Question, 0)
			if err != nil || !ok || found.Loss != asked.Loss || found.Term != asked.Term {
				t.Fatalf("%s: %v, %v, %t", adjacency, found, err, ok)
			}
			if err := json.Unmarshal(found.Payload, &m); err != nil {
				t.Fatal(err)
			}
			v := found.Term.Variance
			return m, float64(found.Term.Squared) * float64(v.Denominator) / (2 * float64(v.Numerator))
		}
		before, rho := recorded("")
		if e := composition.EpsilonOfRho(rho, 1e-9); e > 1 || e < 0.999 {
			t.Errorf("%s: rho %v is epsilon %v", adjacency, rho, e)
		}
		most := 0.0
		for _, more := range []string{
			"UPDATE clinic.people SET region = 'south', sex = 'F' WHERE id = 11", // both other values
			"UPDATE clinic.people SET sex = NULL WHERE id = 11",                  // one
			"DELETE FROM clinic.people WHERE id = 11",
			"INSERT INTO clinic.people VALUES (2000, 'east', 'F', 17, 'rare')",
			"INSERT INTO clinic.people VALUES (2000, 'limbo', 'F', 17, 'rare')",
			"INSERT INTO clinic.people VALUES (2000, 'east', 'X', 17, 'rare')",
		} {
			if replaces := strings.HasPrefix(more, "UPDATE"); replaces && adjacency == "add-remove" {
				continue
			}
			after, _ := recorded(more)
			sum := 0.0
			for i, r := range after.Measured.Residuals {
				was := before.Measured.Residuals[i]
				if was.Variance != r.Variance || len(was.Noisy) != len(r.Noisy) {
					t.Fatalf("%s: other noise", more)
				}
				for j := range r.Noisy {
					shift := float64(r.Noisy[j] - was.Noisy[j])
					sum += shift * shift / (2 * r.Variance * float64(len(r.Noisy)) * float64(len(r.Noisy)))
				}
			}
			if sum > rho {
				t.Errorf("%s: %s costs rho %v, more than %v", adjacency, more, sum, rho)
			}
			if strings.Contains(more, "limbo") != (sum == 0) && !strings.Contains(more, "'X'") {
				t.Errorf("%s: %s costs rho %v", adjacency, more, sum)
			}
			most = max(most, sum)
		}
		if most < 0.999*rho {
			t.Errorf("%s: the most is rho %v, and %v is charged", adjacency, most, rho)
		}
	}
}

// TestFailedWorkload: a measurement that failed stays charged, and questions pay for no other one: they are charged by themselves.
func TestFailedWorkload(t *testing.T) {
	w := newWardOf(t, wardSchema, measuredPolicy(noisyWorkload))
	d := w.open()
	asked, err := d.monitor.Current().Workload(w.Policy.Tables[0])
	if err != nil {
		t.Fatal(err)
	}
	const sql = "SELECT sex, count(*) FROM clinic.people GROUP BY sex"
	a, err := d.noisy.Plan(context.Background(), reply.Request{Analyst: "ward_ana", SQL: sql, Queries: w.Queries(d.Catalog(), sql)})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.PlanMeasurements(context.Background()); err != nil {
		t.Fatal(err)
	}
	failing := func(context.Context, func([]query.Value, []int64) error) error { return context.DeadlineExceeded }
	if err := a.Tasks()[0].Measure(context.Background(), failing); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	if l := w.answered(d, nil, sql).receipt; l.Measured || l.Charged.Epsilon != 5e8 || asked == nil {
		t.Errorf("after a failure: %s", l)
	}
}

// TestMeasuredRanges: counts of ranges follow from a workload that asks for them, also by other columns; they are those of PostgreSQL, with less error than
// sums of cells have at the same loss. Single values have more.
func TestMeasuredRanges(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	const exact = "marginals: [{columns: [sex, age], ranges: [age]}], epsilon: 90000, delta: 1e-9"
	w := newWardOf(t, wardSchema, strings.ReplaceAll(strings.ReplaceAll(measuredPolicy(exact), "epsilon: 1000,", "epsilon: 100000,"), "cells: 200", "cells: 400"))
	d := w.open()
	if got, free := w.byWorkload(d, "SELECT count(*) FROM clinic.people WHERE age = 3"); free {
		t.Errorf("nobody paid: %s", got)
	}
	for _, sql := range []string{
		"SELECT count(*) FROM clinic.people WHERE age BETWEEN 30 AND 44",
		"SELECT sex, count(*) FROM clinic.people WHERE age >= 18 AND age < 65 GROUP BY sex",
		"SELECT sex, count(*) FROM clinic.people WHERE age < 7 OR age > 71 GROUP BY sex",
		"SELECT count(*) FROM clinic.people WHERE sex = 'F' AND age > 20 OR sex = 'M' AND age <= 20",
		"SELECT age / 10 AS decade, sex, count(*) FROM clinic.people GROUP BY age / 10, sex",
		"SELECT age, count(*) FROM clinic.people GROUP BY age",
	} {
		got, free := w.byWorkload(d, sql)
		if !free {
			t.Errorf("%s: not free, or not by the workload", sql)
		}
		if want := w.trueCells(d, sql, "true"); got != want {
			t.Errorf("%s (-PostgreSQL +shown):\n%s", sql, cmp.Diff(want, got))
		}
	}
	within := func(marginal, where string) int64 {
		w := newWardOf(t, wardSchema, strings.ReplaceAll(measuredPolicy("marginals: ["+marginal+"], epsilon: 1, delta: 1e-9"), "cells: 200", "cells: 400"))
		d := w.open()
		sql := "SELECT count(*) FROM clinic.people WHERE " + where
		e, err := d.Explain(context.Background(), Request{Analyst: "ward_ana", SQL: sql, Queries: w.Queries(d.Catalog(), sql)})
		if err != nil || len(e.Questions) != 2 {
			t.Fatalf("%v, %v", e, err)
		}
		return e.Questions[1].HalfWidth95
	}
	for where, more := range map[string]float64{"age BETWEEN 30 AND 64": 0.7, "sex = 'F' AND age < 60": 0.7, "sex = 'F' AND age = 30": 2.2} {
		cells, ranges := within("[sex, age]", where), within("{columns: [sex, age], ranges: [age]}", where)
		if float64(ranges) > more*float64(cells) {
			t.Errorf("%s: within ±%d with ranges, and ±%d without", where, ranges, cells)
		}
	}
}

// TestQuestionOfWorkload: a workload without ranges is the question that it was before there were any, so that its measurements are found in older ledgers.
func TestQuestionOfWorkload(t *testing.T) {
	keyOf := func(workload string) string {
		w := newWardOf(t, wardSchema, measuredPolicy(workload))
		asked, err := w.open().monitor.Current().Workload(w.Policy.Tables[0])
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%x", asked.Question.Key)
	}
	const before = "001e79d026a8fecee6d0fea09986a965d3c27fb5e550500b637fd1b68adf0530"
	if got := keyOf(noisyWorkload); got != before {
		t.Errorf("the key is %s", got)
	}
	if keyOf(strings.Replace(noisyWorkload, "weight: 2", "weight: 2, ranges: [age]", 1)) == before {
		t.Error("with ranges it is the same question")
	}
}
