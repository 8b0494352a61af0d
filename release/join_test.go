package release

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
	"tacit/mechanisms"
	"tacit/policy"
	"tacit/release/internal/noisy"
	"tacit/release/internal/site"
	"tacit/rewrite/pgerror"
)

// The patients of the visits, each with one row but for one who has three, and some without visits.
const patientsSchema = site.VisitsSchema + `
CREATE TABLE clinic.patients (id int NOT NULL, sex text NOT NULL, house text, street text);
INSERT INTO clinic.patients SELECT p, CASE WHEN p % 4 = 0 THEN 'M' ELSE 'F' END, 'north', 'Elm' FROM generate_series(1, 150) AS p;
INSERT INTO clinic.patients SELECT 1000, 'F', 'east', 'Oak' FROM generate_series(1, 3);
`

// patientsPolicy has two tables with other terms: of the smaller epsilon the noise for 4 rows is still 0 but with probability 1e-8.
var patientsPolicy = strings.Replace(site.VisitsPolicy, "tables:\n", `tables:
  clinic.patients:
    person: {column: id, rows: 3, groups: 3}
    mechanism: {kind: geometric, epsilon: 80, delta: 2e-9}
    budget: {epsilon: 300, delta: 1e-7}
    columns:
      sex: {values: [F, M]}
      house: {values: [north, east]}
      street: {}
`, 1)

// balances are the sums of what the tables were charged, of those that were.
func (w *ward) balances(d *Gateway) map[string]accountant.Loss {
	w.T.Helper()
	spent := make(map[string]accountant.Loss)
	for _, t := range w.Policy.Tables {
		if loss := w.charged(d, t.Name); loss != (accountant.Loss{}) {
			spent[t.Name.Name] = loss
		}
	}
	return spent
}

// TestJoinOfPersons pins what one person counts for in a join: the larger of both tables' bounds, 4 rows in 3 groups.
func TestJoinOfPersons(t *testing.T) {
	w := newWardOf(t, patientsSchema, strings.NewReplacer("epsilon: 300,", "epsilon: 10000,").Replace(patientsPolicy))
	d := w.open()
	const from = " FROM clinic.patients p JOIN clinic.visits v ON v.patient = p.id"
	for _, c := range []struct{ sql, want string }{
		{"SELECT count(*)" + from, "404 \n"},
		{"SELECT count(DISTINCT p.id), count(DISTINCT v.patient) FILTER (WHERE sex = 'M')" + from, "101 25 \n"},
		{"SELECT count(*)" + from + " WHERE illness = 'gout'", "4 \n"},
		{"SELECT sex, count(*)" + from + " GROUP BY sex", "F 304 \nM 100 \n"},
		{"SELECT v.house, count(DISTINCT p.id)" + from + " GROUP BY v.house", "north 100 \neast 1 \nsouth 100 \nwest 100 \n"},
		{"SELECT p.house, count(DISTINCT p.id)" + from + " GROUP BY p.house", "north 100 \neast 1 \nNULL 0 \n"},
		{"SELECT street, illness, count(DISTINCT p.id)" + from + " GROUP BY 1, 2", "Elm cold 100 \nElm flu 100 \n"},
	} {
		if got := w.cells(d, c.sql); got != c.want {
			t.Errorf("%s\ngot:\n%swant:\n%s", c.sql, got, c.want)
		}
	}
}

// TestJoinIsChargedToBoth follows the balances of both tables. It fails if one of them is not charged, if a join is not replayed
// whichever table is written first, if the losses or the noise are those of the larger epsilon or delta, and if a join that
// one budget does not cover is charged to the other.
func TestJoinIsChargedToBoth(t *testing.T) {
	w := newWardOf(t, patientsSchema, patientsPolicy)
	d := w.open()
	steps := []struct {
		sql      string
		patients accountant.Loss // after it
		visits   accountant.Loss
		over     string
	}{
		{sql: "SELECT count(*) FROM clinic.patients p JOIN clinic.visits v ON v.patient = p.id",
			patients: accountant.Loss{Epsilon: 80e9}, visits: accountant.Loss{Epsilon: 80e9}},
		{sql: "SELECT count(*) AS n FROM clinic.visits, clinic.patients WHERE id = patient",
			patients: accountant.Loss{Epsilon: 80e9}, visits: accountant.Loss{Epsilon: 80e9}},
		{sql: "SELECT a.n, b.n FROM (SELECT count(*) n FROM clinic.visits, clinic.patients WHERE id = patient) a, (SELECT count(*) n FROM clinic.visits) b",
			patients: accountant.Loss{Epsilon: 80e9}, visits: accountant.Loss{Epsilon: 180e9}},
		{sql: "SELECT street, count(DISTINCT id) FROM clinic.visits, clinic.patients WHERE id = patient GROUP BY street",
			patients: accountant.Loss{Epsilon: 160e9, Delta: 1e9}, visits: accountant.Loss{Epsilon: 260e9, Delta: 1e9}},
		{sql: "SELECT count(DISTINCT a.id) FROM clinic.patients a JOIN clinic.patients b ON a.id = b.id",
			patients: accountant.Loss{Epsilon: 240e9, Delta: 1e9}, visits: accountant.Loss{Epsilon: 260e9, Delta: 1e9}},
		{sql: "SELECT sex, count(*) FROM clinic.visits, clinic.patients WHERE id = patient GROUP BY sex", over: "patients",
			patients: accountant.Loss{Epsilon: 240e9, Delta: 1e9}, visits: accountant.Loss{Epsilon: 260e9, Delta: 1e9}},
		{sql: "SELECT count(*) FROM clinic.visits, clinic.patients WHERE id = patient",
			patients: accountant.Loss{Epsilon: 240e9, Delta: 1e9}, visits: accountant.Loss{Epsilon: 260e9, Delta: 1e9}},
	}
	for i, step := range steps {
		if i == len(steps)-1 { // what is on disk counts
			d.Close()
			d = w.open()
		}
		_, _, err := w.ask(d, "ward_ana", step.sql)
		var refusal *pgerror.Refusal
		if over := errors.As(err, &refusal) && strings.Contains(refusal.Error()+refusal.Detail, step.over); over != (step.over != "") || err != nil && !over {
			t.Errorf("%s: %v", step.sql, err)
		}
		want := map[string]accountant.Loss{"patients": step.patients, "visits": step.visits}
		if diff := cmp.Diff(want, w.balances(d)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.sql, diff)
		}
	}
}

// PerCell is the sensitivity of a cell in the tests where a person has 4 rows: counts of rows have 4, and others are counts of persons.
func perCell(sensitivity int64) int64 {
	if sensitivity == 4 {
		return 4
	}
	return 1
}

// TestNoiseOfJoins compares each question's mechanism with that of the stricter terms, built anew, and reads the receipt.
func TestNoiseOfJoins(t *testing.T) {
	w := newWardOf(t, patientsSchema, strings.NewReplacer("epsilon: 100,", "epsilon: 0.5,", "epsilon: 80,", "epsilon: 1,", "delta: 2e-9", "delta: 5e-10").Replace(patientsPolicy))
	d := w.open()
	const sql = "SELECT illness, count(*), count(DISTINCT id) FROM clinic.patients JOIN clinic.visits ON patient = id GROUP BY illness"
	p, err := noisy.NewQueryPlan(context.Background(), d.monitor.Curator, w.query(d, sql), d.monitor.Current())
	if err != nil {
		t.Fatal(err)
	}
	for i, sensitivity := range []int64{3, 4} {
		want, err := mechanisms.New(mechanisms.Config{
			Kind: policy.Geometric, PerCell: perCell(sensitivity),
			Epsilon: 5e8, Delta: 5e8, Adjacency: policy.AddRemove, Sensitivity: sensitivity, Random: rand.Reader,
		})
		if err != nil {
			t.Fatal(err)
		}
		got := p.Questions[i].Mechanism
		if got.HalfWidth95() != want.HalfWidth95() || got.Threshold() != want.Threshold() || got.Loss() != want.Loss() {
			t.Errorf("question %d has noise of ±%d and threshold %d, want ±%d and %d", i+1, got.HalfWidth95(), got.Threshold(), want.HalfWidth95(), want.Threshold())
		}
	}
	_, receipt, err := w.ask(d, "ward_ana", sql)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(receipt.Notice(), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "clinic.patients: ") || !strings.HasPrefix(lines[1], "clinic.visits: ") {
		t.Fatalf("the receipt is %q", lines)
	}
	for _, line := range lines {
		if !strings.Contains(line, "; each person counts for at most 4 rows in 3 groups, and rows beyond that are left out (how many is not known); charged epsilon 1, delta 5e-10; left: ") {
			t.Errorf("the receipt is %q", line)
		}
	}
	e, err := w.explain(d, "ward_ana", "SELECT count(*) FROM clinic.patients JOIN clinic.visits ON patient = id")
	if err != nil {
		t.Fatal(err)
	}
	explained := strings.Join(e.Lines(), "\n")
	for _, want := range []string{"Sanitized Count on clinic.patients, clinic.visits\n", "Budget of clinic.patients\n  Cost: epsilon 0.5\n", "Budget of clinic.visits\n  Cost: epsilon 0.5\n"} {
		if !strings.Contains(explained, want) {
			t.Errorf("no %q in\n%s", want, explained)
		}
	}
}

// TestJoinsUnderOtherTerms changes what the policy says of one table: what was answered before is then the answer no more.
func TestJoinsUnderOtherTerms(t *testing.T) {
	w := newWardOf(t, patientsSchema, patientsPolicy)
	d := w.open()
	const sql = "SELECT v.house, count(*) FROM clinic.patients p JOIN clinic.visits v ON patient = id GROUP BY v.house"
	w.cells(d, sql)
	path := filepath.Join(filepath.Dir(w.Policy.Ledger.SQLite), "policy.yaml")
	text := fmt.Sprintf(patientsPolicy, site.Cluster.Host, site.Cluster.Port, w.Database)
	for i, c := range []struct {
		from, to string
		free     bool
	}{
		{"epsilon: 100,", "epsilon: 101,", true}, // not the smaller one
		{"rows: 4,", "rows: 5,", false},
		{"groups: 2}", "groups: 1}", true}, // not the larger one
		{"epsilon: 80,", "epsilon: 79,", false},
		{"[north, east, south, west]", "[north, east, south]", false}, // of the second table
		{"house: {values: [north, east]}", "house: {values: [north]}", true},
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		other, err := policy.Parse(path, []byte(strings.Replace(text, c.from, c.to, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Reload(t.Context(), other); err != nil {
			t.Fatal(err)
		}
		e, err := w.explain(d, "ward_ana", sql)
		if err != nil {
			t.Fatal(err)
		}
		if e.Questions[0].Recorded != c.free {
			t.Errorf("%s: free: %t", c.to, e.Questions[0].Recorded)
		}
	}
}

// TestNamesOfJoinedColumns joins tables whose columns would have one name in the curator's SQL, which then would name neither.
func TestNamesOfJoinedColumns(t *testing.T) {
	long := strings.Repeat("x", 62)
	for i, c := range []struct{ name, lead, a, b string }{
		{"underscore", "t2 sex", "sex", "sex_"},
		{"cut to 63 bytes", "house", long + "a", long + "b"},
		{"cut to a column's", "t2 " + strings.Repeat("y", 60), strings.Repeat("y", 63), "sex"},
	} {
		if testing.Short() && i%3 == 1 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			schema := site.VisitsSchema + `CREATE TABLE clinic.aaa (id int NOT NULL, "` + c.lead + `" text NOT NULL);
CREATE TABLE clinic.patients (id int NOT NULL, "` + c.a + `" text, "` + c.b + `" text);
INSERT INTO clinic.aaa SELECT p, 'u' FROM generate_series(1, 100) AS p; INSERT INTO clinic.patients SELECT p, 'v', 'w' FROM generate_series(1, 100) AS p;`
			table := func(name, columns string) string {
				return "  clinic." + name + ":\n    person: {column: id, rows: 1, groups: 1}\n    mechanism: {kind: geometric, epsilon: 80, delta: 2e-9}\n    budget: {epsilon: 3000, delta: 1e-7}\n    columns: {" + columns + "}\n"
			}
			w := newWardOf(t, schema, strings.Replace(site.VisitsPolicy, "tables:\n", "tables:\n"+table("aaa", `"`+c.lead+`": {values: [u, x]}`)+table("patients", `"`+c.a+`": {values: [v]}, "`+c.b+`": {values: [w]}`), 1))
			d := w.open()
			sql := `SELECT count(*) FILTER (WHERE p."` + c.a + `" = 'v'), count(*) FILTER (WHERE p."` + c.b + `" = 'v'), count(*) FILTER (WHERE a."` + c.lead + `" = 'u') FROM clinic.aaa a JOIN clinic.patients p ON a.id = p.id GROUP BY a."` + c.lead + `"`
			_, _, err := w.ask(d, "ward_ana", sql)
			if err != nil {
				t.Error(err)
			}
			if _, _, err := w.ask(d, "ward_ana", "SELECT count(*) FROM clinic.aaa"); err != nil {
				t.Errorf("and then: %v", err)
			}
		})
	}
}

// An answer about two tables belongs to the epochs of both: when either of them ends it is asked anew, and charged to both.
func TestJoinAcrossEpochs(t *testing.T) {
	w := newWardOf(t, patientsSchema, patientsPolicy)
	d := w.open()
	const sql = "SELECT count(*) FROM clinic.patients p JOIN clinic.visits v ON v.patient = p.id"
	ctx := context.Background()
	free := func() bool {
		t.Helper()
		_, receipt, err := w.ask(d, "ward_ana", sql)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range receipt.Lines {
			if line.New > 0 {
				return false
			}
		}
		return len(receipt.Lines) == 2
	}
	if free() || !free() {
		t.Error("it is not charged once")
	}
	for _, ended := range []string{"patients", "visits", "visits", "patients"} {
		if _, err := d.monitor.Ledger.OpenEpoch(ctx, policy.TableName{Schema: "clinic", Name: ended}, "steward", "new rows"); err != nil {
			t.Fatal(err)
		}
		if free() {
			t.Errorf("after an epoch of %s its answer is repeated", ended)
		}
		if !free() {
			t.Errorf("after an epoch of %s it is charged twice", ended)
		}
	}
}
