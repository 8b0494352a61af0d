package release

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/internal/battery"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/reply"
	"tacit/release/internal/site"
	"tacit/rewrite"
	"tacit/rewrite/query"
)

// valuesPolicy has so much epsilon that values are what PostgreSQL tells, but with a probability below 1e-20 for each.
func valuesPolicy(derive bool) string {
	text := strings.Replace(wardPolicy, "limits: {cells: 200}", "limits: {cells: 2000}", 1)
	text = strings.Replace(text, "{kind: geometric, epsilon: 20, delta: 1e-9}", "{kind: geometric, epsilon: 1000, delta: 1e-9}", 1)
	text = strings.Replace(text, "budget: {epsilon: 1000, delta: 1e-8}", "budget: {epsilon: 1000000, delta: 1e-7, composition: basic}", 1)
	if derive {
		text = strings.Replace(text, "    derive: false\n", "", 1)
	}
	return text
}

// valueStatements are told by PostgreSQL, too.
var valueStatements = []string{
	"SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY age) FROM clinic.people",
	"SELECT region, percentile_disc(0.5) WITHIN GROUP (ORDER BY age) FROM clinic.people GROUP BY region",
	"SELECT region, sex, percentile_disc(0.9) WITHIN GROUP (ORDER BY age) FROM clinic.people GROUP BY region, sex",
	"SELECT percentile_disc(0.25) WITHIN GROUP (ORDER BY age) FROM clinic.people WHERE age BETWEEN 10 AND 29 AND sex = 'F'",
	"SELECT sex, percentile_disc(0.75) WITHIN GROUP (ORDER BY age) FILTER (WHERE region = 'north') FROM clinic.people GROUP BY sex",
	"SELECT age / 50, percentile_disc(0.1) WITHIN GROUP (ORDER BY age) FROM clinic.people GROUP BY age / 50",
	"SELECT age / 50, percentile_disc(0.5) WITHIN GROUP (ORDER BY age % 10) FROM clinic.people GROUP BY age / 50",
	"SELECT mode() WITHIN GROUP (ORDER BY region) FROM clinic.people",
	"SELECT mode() WITHIN GROUP (ORDER BY sex) FROM clinic.people WHERE age % 10 IN (1, 2, 3)",
}

// truthOf is what the server tells, by keys.
func (w *ward) truthOf(sql string) map[string]string {
	w.T.Helper()
	rows, err := site.Connect(w.T, "postgres", w.Database).Query(context.Background(), sql)
	if err != nil {
		w.T.Fatal(err)
	}
	truth := make(map[string]string)
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			w.T.Fatal(err)
		}
		var key string
		for _, v := range values[:len(values)-1] {
			if v == nil {
				v = "NULL"
			}
			key += fmt.Sprint(v, " ")
		}
		truth[key] = fmt.Sprint(values[len(values)-1])
	}
	if err := rows.Err(); err != nil {
		w.T.Fatal(err)
	}
	return truth
}

// valuesOf are the last values of cells, by keys.
func valuesOf(c *query.Cells) map[string]string {
	values := make(map[string]string)
	for i, v := range c.Values[len(c.Values)-1] {
		var key string
		for _, column := range c.Keys {
			if column[i].Null {
				key += "NULL "
			} else {
				key += column[i].Text + " "
			}
		}
		values[key] = v.Text
		if v.Null {
			values[key] = "<nil>"
		}
	}
	return values
}

// TestValuesAreTrue asks for values with noise that is nothing. Each cell that PostgreSQL has is what it tells; the others have some declared value.
func TestValuesAreTrue(t *testing.T) {
	w := newWardOf(t, wardSchema, valuesPolicy(false))
	w.Exec("DELETE FROM clinic.people WHERE region = 'atlantis'")
	d := w.open()
	for _, sql := range valueStatements {
		cells, receipt, err := w.ask(d, "ward_ana", sql)
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		shown := valuesOf(cells[0])
		for key, want := range w.truthOf(sql) {
			if shown[key] != want {
				t.Errorf("%s: %q is %s instead of %s", sql, key, shown[key], want)
			}
		}
		if line := receipt.Lines[0]; line.Charged != (accountant.Loss{Epsilon: 1000e9}) || line.New != 1 || len(line.Values) != 1 {
			t.Errorf("%s: charged %v for %d questions about %d values", sql, line.Charged, line.New, len(line.Values))
		}
		again, receipt, err := w.ask(d, "ward_bob", sql)
		if err != nil || fmt.Sprint(again[0]) != fmt.Sprint(cells[0]) || receipt.Charged() || receipt.Lines[0].Replayed != 1 {
			t.Errorf("%s: again it is %v, %v, %v", sql, again, receipt, err)
		}
	}
}

// TestValuesFollowFromCounts asks for values where counts by them are recorded: they are free, and as true as these.
func TestValuesFollowFromCounts(t *testing.T) {
	w := newWardOf(t, wardSchema, valuesPolicy(true))
	w.Exec("DELETE FROM clinic.people WHERE region = 'atlantis'")
	d := w.open()
	if _, _, err := w.ask(d, "ward_ana", "SELECT region, sex, age, count(*) FROM clinic.people GROUP BY region, sex, age"); err != nil {
		t.Fatal(err)
	}
	for _, sql := range valueStatements {
		if strings.Contains(sql, "age % 10)") { // of which counts are derived, of cells that are computed
			continue
		}
		cells, receipt, err := w.ask(d, "ward_ana", sql)
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		shown := valuesOf(cells[0])
		truth := w.truthOf(sql)
		for key, got := range shown {
			want, ok := truth[key]
			if !ok {
				want = "<nil>" // there are no rows
			}
			if got != want {
				t.Errorf("%s: %q is %s instead of %s", sql, key, got, want)
			}
		}
		if receipt.Charged() || receipt.Lines[0].Derived == nil || !strings.Contains(receipt.Notice(), "found by noisy counts") {
			t.Errorf("%s: %v", sql, receipt.Notice())
		}
	}
	const unknown = "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY id) FROM clinic.staff"
	if _, receipt, err := w.ask(d, "ward_ana", unknown); err != nil || !receipt.Charged() {
		t.Errorf("the ids of another table: %v, %v", receipt, err)
	}
}

// TestValuesOfUnknownKeys charges a value beside the threshold that decides about its cells, and asks no more about them.
func TestValuesOfUnknownKeys(t *testing.T) {
	w := newWardOf(t, wardSchema, valuesPolicy(false))
	d := w.open()
	const sql = "SELECT illness, percentile_disc(0.5) WITHIN GROUP (ORDER BY age) FROM clinic.people GROUP BY illness"
	cells, receipt, err := w.ask(d, "ward_ana", sql)
	if err != nil {
		t.Fatal(err)
	}
	shown, truth := valuesOf(cells[0]), w.truthOf(sql)
	if _, ok := shown["rare "]; ok || len(shown) != 3 {
		t.Errorf("%v", shown)
	}
	for key, got := range shown {
		if got != truth[key] {
			t.Errorf("%q is %s instead of %s", key, got, truth[key])
		}
	}
	if line := receipt.Lines[0]; line.New != 2 || line.Charged.Epsilon != 2000e9 || line.Threshold == 0 {
		t.Errorf("%v", receipt.Notice())
	}
}

// TestValuesExplained tells what a value costs, and how exact it is, before and after it is answered.
func TestValuesExplained(t *testing.T) {
	w := newWard(t)
	d := w.open()
	const sql = "SELECT sex, percentile_disc(0.5) WITHIN GROUP (ORDER BY age) FROM clinic.people GROUP BY sex"
	e, err := w.explain(d, "ward_ana", sql)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(e.Lines(), "\n")
	for _, want := range []string{"Sanitized Value on clinic.people", "Question: percentile_disc(0.5) WITHIN GROUP (ORDER BY age) FROM clinic.people GROUP BY sex", "Cost: epsilon 20",
		"drawn by the exponential mechanism among 100 values, within ±1 ranks with probability 95%", "Cells: at most 3"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if value, err := e.JSON(); err != nil || !strings.Contains(value, `"Expected Error in Ranks (95%)": 1`) || !strings.Contains(value, `"Mechanism": "exponential"`) {
		t.Errorf("%v: %s", err, value)
	}
	cells, receipt, err := w.ask(d, "ward_ana", "SELECT sex, count(*), percentile_disc(0.5) WITHIN GROUP (ORDER BY age) FROM clinic.people GROUP BY sex")
	if err != nil || len(cells[0].Counts) != 2 || cells[0].Values[0] != nil || len(cells[0].Values[1]) != 3 {
		t.Errorf("%v, %v", cells, err)
	}
	if notice := receipt.Notice(); !strings.Contains(notice, "geometric noise") || !strings.Contains(notice, "exponential mechanism") {
		t.Error(notice)
	}
	if e, err = w.explain(d, "ward_ana", sql); err != nil || !e.Questions[0].Recorded {
		t.Errorf("%v, %v", e, err)
	}
	if report := w.report(d, "ward_ana", rewrite.ReleasesReport); !strings.Contains(report, "|percentile_disc(0.5) WITHIN GROUP (ORDER BY age) FROM clinic.people GROUP BY sex|exponential|20|0|time|3|") {
		t.Error(report)
	}
}

// TestValuesRefused refuses values that are chosen among what nobody declared, before anything is charged.
func TestValuesRefused(t *testing.T) {
	text := strings.Replace(wardPolicy, "id: {range: [1, 150]}", "id: {}", 1)
	w := newWardOf(t, wardSchema, text)
	d := w.open()
	for sql, want := range map[string]string{
		"SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY id) FROM clinic.staff":                           "42501",
		"SELECT mode() WITHIN GROUP (ORDER BY illness) FROM clinic.people":                                   "42501",
		"SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY age) FROM clinic.people WHERE age > 200":         "22023",
		"SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY age) FILTER (WHERE age > 99) FROM clinic.people": "22023",
	} {
		_, receipt, err := w.ask(d, "ward_ana", sql)
		if got := refusalCode(err); got != want || receipt != nil {
			t.Errorf("%s: %s, %v", sql, got, err)
		}
	}
	e, err := w.explain(d, "ward_ana", "SELECT count(*) FROM clinic.people")
	if err != nil || e.Tables[0].TableLeft.Epsilon != 1000e9 {
		t.Errorf("%v, %v", e, err)
	}
}

// TestValuesOfPersons bounds the rows of a person: one with very many rows has no more weight than others.
func TestValuesOfPersons(t *testing.T) {
	const schema = `
CREATE SCHEMA clinic;
CREATE TABLE clinic.regions (region text PRIMARY KEY);
CREATE TABLE clinic.visits (person int, ward text NOT NULL, cost int);
INSERT INTO clinic.visits SELECT i, 'A', 10 FROM generate_series(1, 60) AS i;
INSERT INTO clinic.visits SELECT 99, CASE WHEN i % 2 = 0 THEN 'A' ELSE 'B' END, 90 FROM generate_series(1, 1000) AS i;
INSERT INTO clinic.visits SELECT NULL, 'A', 80 FROM generate_series(1, 1000) AS i;`
	policy := valuesPolicy(true)
	policy = policy[:strings.Index(policy, "tables:")] + `tables:
  clinic.visits:
    person: {column: person, rows: 4, groups: 1}
    mechanism: {kind: geometric, epsilon: 4000}
    budget: {epsilon: 1000000, composition: basic}
    columns: {ward: {values: [A, B]}, cost: {range: [0, 100]}}
`
	w := newWardOf(t, schema, policy)
	d := w.open()
	for sql, want := range map[string]string{
		"SELECT percentile_disc(0.9) WITHIN GROUP (ORDER BY cost) FROM clinic.visits":                 "10", // 60 rows and 4
		"SELECT mode() WITHIN GROUP (ORDER BY cost) FROM clinic.visits":                               "10",
		"SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY cost) FROM clinic.visits WHERE cost > 50": "90",
	} {
		cells, receipt, err := w.ask(d, "ward_ana", sql)
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		if got := cells[0].Values[0][0].Text; got != want || !receipt.Charged() || receipt.Lines[0].Bounds == nil {
			t.Errorf("%s: %s instead of %s; %s", sql, got, want, receipt.Notice())
		}
	}
}

// TestValuesOfExtremes plants rows with the most extreme values that there are: they change no answer, and nothing fails.
func TestValuesOfExtremes(t *testing.T) {
	w := newWardOf(t, wardSchema, valuesPolicy(false))
	statements := append([]string{"SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY age + 1) FROM clinic.people", "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY age * age) FROM clinic.people"}, valueStatements...)
	var answers []string
	truths := make([]map[string]string, len(statements)) // whose keys have rows: other cells have some value
	for i, sql := range statements {
		truths[i] = w.truthOf(sql)
	}
	for range 2 { // what is planted last is for nobody
		d := w.open()
		for i, sql := range statements {
			a := reply.Request{Analyst: "ward_ana", SQL: sql, Queries: w.Queries(d.Catalog(), sql), Fresh: true}
			cells, _, err := d.Answer(context.Background(), a)
			if err != nil {
				t.Fatalf("%s: %v", sql, err)
			}
			shown := valuesOf(cells[0])
			var answer string
			for _, key := range slices.Sorted(maps.Keys(truths[i])) {
				if v, ok := shown[key]; ok {
					answer += key + v + "; "
				}
			}
			if len(answers) < len(statements) {
				answers = append(answers, answer)
			} else if answers[i] != answer {
				t.Errorf("%s: %s, and beside the planted rows %s", sql, answers[i], answer)
			}
		}
		d.Close()
		w.Exec(`DELETE FROM clinic.people WHERE id > 5000; INSERT INTO clinic.people SELECT 5000 + i, CASE WHEN i % 2 = 0 THEN 'north' ELSE repeat('z', 10000) END, CASE WHEN i % 2 = 0 THEN repeat('x', 10000) END,
  CASE WHEN i % 2 = 0 THEN 2147483647 WHEN i % 3 = 0 THEN -2147483648 END, repeat('y', 10000) FROM generate_series(1, 8) AS i`)
	}
}

// TestValuesHaveTheDistribution draws the median of one row among two values two thousand times, with -short half as often. It is the row's with probability
// 1/(1+exp(-epsilon/D)), D being 1, or 2 where a person may have two rows or is exchanged for another: what the mechanism is proved to be private with.
// Each of three frequencies is farther from that than battery.Hoeffding with a probability of at most 1e-8.
func TestValuesHaveTheDistribution(t *testing.T) {
	var schema, tables strings.Builder
	schema.WriteString("CREATE SCHEMA clinic;")
	cases := map[string]float64{"person: row": 1, "person: row\n    adjacency: replace-one": 2, "person: {column: id, rows: 2, groups: 2}": 2}
	statements, names := 10, slices.Sorted(maps.Keys(cases))
	if testing.Short() {
		statements, names = 5, names[:1]
	}
	for i, terms := range names {
		fmt.Fprintf(&schema, "CREATE TABLE clinic.one%d (id int NOT NULL, k int NOT NULL, v int NOT NULL); INSERT INTO clinic.one%d VALUES (1, 0, 0);", i, i)
		fmt.Fprintf(&tables, "  clinic.one%d:\n    %s\n    mechanism: {kind: geometric, epsilon: 1}\n    budget: {epsilon: 1000000, composition: basic}\n    columns: {k: {}, v: {range: [0, 1]}}\n", i, terms)
	}
	policy := valuesPolicy(false)
	w := newWardOf(t, schema.String(), strings.Replace(policy[:strings.Index(policy, "tables:")], "public: [clinic.regions]\n", "", 1)+"tables:\n"+tables.String())
	d := w.open()
	const each = 200
	for i, terms := range names {
		zeros := 0
		for s := range statements {
			var counts []string
			for j := range each {
				counts = append(counts, fmt.Sprintf("percentile_disc(0.5) WITHIN GROUP (ORDER BY v) FILTER (WHERE k <> %d) AS c%d", 1+s*each+j, j))
			}
			cells, _, err := w.ask(d, "ward_ana", fmt.Sprintf("SELECT %s FROM clinic.one%d", strings.Join(counts, ", "), i))
			if err != nil {
				t.Fatal(err)
			}
			for _, values := range cells[0].Values {
				if values[0].Text == "0" {
					zeros++
				}
			}
		}
		want, got := 1/(1+math.Exp(-1/cases[terms])), float64(zeros)/float64(statements*each)
		if math.Abs(got-want) > battery.Hoeffding(statements*each) {
			t.Errorf("%s: the row's value in %v of draws instead of %v", terms, got, want)
		}
	}
}

// TestValuesNeedAReservation reads no row for a value without the reservation of its question.
func TestValuesNeedAReservation(t *testing.T) {
	w := newWard(t)
	d := w.open()
	ctx := context.Background()
	const sql = "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY age) FROM clinic.people"
	a, err := d.noisy.Plan(ctx, reply.Request{Analyst: "ward_ana", SQL: sql, Queries: w.Queries(d.Catalog(), sql)})
	if err != nil {
		t.Fatal(err)
	}
	s, err := d.monitor.Curator.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer s.End()
	task := a.Tasks()[0]
	asked := curator.Counted{Count: task.Questions[0].Count, Question: task.Questions[0].Ledger}
	sample := func(paid []*ledger.Reservation) error {
		return s.Sample(ctx, paid, task.Plan.Query, asked, func([]query.Value, query.Value, int64) error { return nil })
	}
	for _, paid := range [][]*ledger.Reservation{nil, {{}}} {
		if err := sample(paid); !errors.Is(err, curator.ErrUnpaid) {
			t.Errorf("rows were read: %v", err)
		}
	}
	own, err := a.Reserve(ctx, a.Tasks())
	if err != nil {
		t.Fatal(err)
	}
	defer own.GiveUp(false)
	if err := sample(own.Made); err != nil {
		t.Error(err)
	}
}

// TestValuesAreChargedInFull asks for values beside counts and averages, which share one loss: each value is charged its whole epsilon besides, wherever it
// stands in the statement.
func TestValuesAreChargedInFull(t *testing.T) {
	const joint = "count(*), avg(age)"
	for _, mechanism := range []string{"{kind: geometric, epsilon: 300, delta: 1e-9}", "{kind: gaussian, epsilon: 300, delta: 1e-9}", "{kind: discrete-gaussian, epsilon: 300, delta: 1e-9}"} {
		w := newWardOf(t, kindsSchema, strings.Replace(kindsPolicy(mechanism, "{epsilon: 90000, delta: 1e-7, composition: basic}"), "    person: row", "    derive: false\n    person: row", 1))
		d := w.open()
		for i, frame := range []string{"SELECT %s FROM club.members", "SELECT region, %s FROM club.members GROUP BY region", "SELECT trade, %s FROM club.members GROUP BY trade"} {
			plain, err := w.explain(d, "ward_ana", fmt.Sprintf(frame, joint))
			if err != nil {
				t.Fatal(err)
			}
			for at, columns := range map[int]string{0: "median(age), " + joint, 3: joint + ", median(age)"} {
				sql := fmt.Sprintf(frame, columns)
				e, err := w.explain(d, "ward_ana", sql)
				if err != nil {
					t.Fatal(err)
				}
				for _, q := range e.Questions {
					if cost := q.Loss.Add(q.Fresh); q.Value != "" && cost != (accountant.Loss{Epsilon: 300e9}) { // Fresh once it is recorded
						t.Errorf("%s: %s: the value costs %v", mechanism, sql, cost)
					}
				}
				a := reply.Request{Analyst: "ward_ana", SQL: sql, Queries: w.Queries(d.Catalog(), sql), Fresh: true}
				cells, receipt, err := d.Answer(context.Background(), a)
				if err != nil {
					t.Fatal(err)
				}
				want := plain.Tables[0].Loss.Add(accountant.Loss{Epsilon: 300e9})
				if got := receipt.Lines[0].Charged; got != want {
					t.Errorf("%s: %s: %v was charged instead of %v", mechanism, sql, got, want)
				}
				if i < 2 && want.Epsilon != 600e9 {
					t.Errorf("%s: %s: counts and averages cost %v", mechanism, sql, plain.Tables[0].Loss)
				}
				values := cells[0].Values
				if len(values) != len(cells[0].Counts) || len(values) != 4 {
					t.Fatalf("%s: %d columns of values, and %d of counts", sql, len(values), len(cells[0].Counts))
				}
				for column := range values {
					if (values[column] != nil) != (column == at) {
						t.Errorf("%s: values in column %d: %v", sql, column, values[column])
					}
				}
			}
		}
	}
}

// TestValueIsOneQuestion asks for one value beside counts and averages, and alone. It fails if that is charged twice, or if under another epsilon a
// value is repeated that was drawn with the first: half of 300, which each of the two parts beside it has, is its own then.
func TestValueIsOneQuestion(t *testing.T) {
	const alone = "SELECT median(age) FROM club.members"
	w := newWardOf(t, kindsSchema, strings.Replace(kindsPolicy("{kind: geometric, epsilon: 300}", "{epsilon: 90000}"), "    person: row", "    derive: false\n    person: row", 1))
	d := w.open()
	w.mustAsk(d, "ward_ana", "SELECT median(age), count(*), avg(age) FROM club.members")
	if line := w.outcome(d, "ward_ana", alone).receipt.Lines[0]; line.Replayed != 1 || line.Charged != (accountant.Loss{}) {
		t.Errorf("the value alone, after it was told beside others: %s", line)
	}
	w.Policy = w.changed(func(p *policy.Table) { p.Mechanism.Epsilon = 150e9 })
	if err := d.Reload(context.Background(), w.Policy); err != nil {
		t.Fatal(err)
	}
	if line := w.outcome(d, "ward_ana", alone).receipt.Lines[0]; line.Replayed != 0 || line.Charged.Epsilon != 150e9 {
		t.Errorf("the value under another epsilon: %s", line)
	}
}
