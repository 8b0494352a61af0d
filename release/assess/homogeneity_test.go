package assess_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"tacit/policy"
	"tacit/release"
	"tacit/release/assess"
	"tacit/release/internal/site"
	"tacit/rewrite/query"
	"tacit/risk"
)

func TestMain(m *testing.M) { site.Main(m) }

// A ward is a site whose tables are assessed.
type ward struct{ *site.Site }

func newWardOf(t testing.TB, schema, text string) *ward {
	t.Helper()
	return &ward{site.New(t, schema, text)}
}

// open opens a gateway with seeded noise.
func (w *ward) open() *release.Gateway {
	w.T.Helper()
	d, err := release.Open(context.Background(), release.Config{Policy: w.Policy, Random: rand.NewChaCha8([32]byte{1})})
	if err != nil {
		w.T.Fatal(err)
	}
	w.T.Cleanup(func() { d.Close() })
	return d
}

// ask is what an analyst asks.
func (w *ward) ask(d *release.Gateway, analyst, sql string) ([]*query.Cells, *release.Receipt, error) {
	w.T.Helper()
	return d.Answer(context.Background(), release.Request{Analyst: analyst, SQL: sql, Queries: w.Queries(d.Catalog(), sql)})
}

// A stayRow is a row of the table of stays; "" is NULL.
type stayRow struct {
	sex, town    string
	age          int
	plan         string
	ill, outcome string
}

// randomStays are rows with NULLs and with values that the policy does not declare, in every column.
func randomStays(n int) []stayRow {
	r := rand.New(rand.NewPCG(7, uint64(n)))
	pick := func(values ...string) string { return values[r.IntN(len(values))] }
	rows := make([]stayRow, n)
	for i := range rows {
		rows[i] = stayRow{
			sex: pick("F", "M", "M", "", "X"), town: pick("Bern", "Oslo", "Rome", "Rome", "", "Ulm"), age: r.IntN(24) - 2,
			plan: pick("a", "b", "b "), ill: pick("flu", "flu", "flu", "cold", "gout", "", "pest"), outcome: pick("t", "f", "f", ""),
		}
	}
	return rows
}

const staysTableSchema = `
CREATE SCHEMA clinic;
CREATE TABLE clinic.stays (sex text, town varchar(8), age int NOT NULL, plan char(3) NOT NULL, ill text, outcome boolean);
`

// staysTablePolicy has undeclared values of every sort in the rows of randomStays.
const staysTablePolicy = `
listen: 127.0.0.1:6432
upstream:
  analyst: postgres://{analyst}@%%[1]s:%%[2]d/%%[3]s?sslmode=disable
  curator: postgres://ward_curator@%%[1]s:%%[2]d/%%[3]s?sslmode=disable
ledger: sqlite:ward.db
auth: trust
analysts: {ward_ana: {}, ward_bob: {}}
tables:
  clinic.stays:
    person: row
    mechanism: {%s}
    budget: {epsilon: 1000, delta: 1e-2%s}
    columns:
      sex: {values: [F, M]}
      town: {values: [Oslo, Bern, Rome]}
      age: {range: [0, 19]}
      plan: {values: [b, a]}
      ill: {values: [none, cold, flu, gout]}
      outcome: {values: [f, t]}
`

var staysTable = policy.TableName{Schema: "clinic", Name: "stays"}

// newStays has a mechanism and rows, and replacements of the policy's text.
func newStays(t *testing.T, mechanism string, rows []stayRow, replace ...string) *ward {
	t.Helper()
	releases := ""
	if strings.Contains(mechanism, "no-guarantee") {
		releases = ", releases: 100"
	}
	w := newWardOf(t, staysTableSchema, strings.NewReplacer(replace...).Replace(fmt.Sprintf(staysTablePolicy, mechanism, releases)))
	values := make([]string, len(rows))
	for i, r := range rows {
		values[i] = fmt.Sprintf("(nullif('%s', ''), nullif('%s', ''), %d, '%s', nullif('%s', ''), nullif('%s', '')::boolean)", r.sex, r.town, r.age, r.plan, r.ill, r.outcome)
	}
	if len(rows) > 0 {
		w.Exec("INSERT INTO clinic.stays VALUES " + strings.Join(values, ", "))
	}
	return w
}

func (w *ward) homogeneity(request assess.HomogeneityRequest) (*assess.HomogeneityReport, error) {
	return assess.Homogeneity(context.Background(), w.Policy, request)
}

// described is what can be compared of cells: patterns in order, labels and moments.
func described(t *risk.Table) string {
	patterns := slices.Clone(t.Patterns)
	slices.SortFunc(patterns, func(a, b risk.Pattern) int { return slices.Compare(a.Counts, b.Counts) })
	moments := slices.Clone(t.Moments)
	slices.SortFunc(moments, func(a, b risk.Moment) int {
		return cmp.Or(-cmp.Compare(a.Sum, b.Sum), -cmp.Compare(a.Squares, b.Squares), -cmp.Compare(a.Cross, b.Cross))
	})
	return fmt.Sprintf("K = %d\n%v\n%v", t.Labels, patterns, moments)
}

// tableOf counts rows in memory: cell and label of each, "" for no cell.
func tableOf(t *testing.T, rows []stayRow, labels []string, cell, label func(stayRow) (string, bool)) *risk.Table {
	t.Helper()
	index := map[string][]int64{}
	for _, r := range rows {
		c, ok := cell(r)
		l, declared := label(r)
		k := slices.Index(labels, l)
		if !ok || !declared {
			continue
		}
		if k < 0 {
			t.Fatalf("label %q is none of %q", l, labels)
		}
		if index[c] == nil {
			index[c] = make([]int64, len(labels))
		}
		index[c][k]++
	}
	var cells [][]int64
	for _, counts := range index {
		cells = append(cells, counts)
	}
	table, err := risk.NewTable(len(labels), cells)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func declaredIll(r stayRow) (string, bool) { return r.ill, r.ill != "pest" }

// The database's patterns are those that the rows give when they are counted in memory. It fails if NULL is no cell or no label, if an
// undeclared value makes a cell or counts in one, if a label without records is not counted, if char(n) is told apart by its
// blanks, and if the cells of a computed key are not those of its values.
func TestHomogeneityCountsRows(t *testing.T) {
	rows := randomStays(900)
	w := newStays(t, "kind: geometric, epsilon: 1", rows)
	labels := []string{"none", "cold", "flu", "gout", ""}
	sexTown := func(r stayRow) (string, bool) { return r.sex + "|" + r.town, r.sex != "X" && r.town != "Ulm" }
	age := func(r stayRow) bool { return r.age >= 0 && r.age < 20 }
	for i, c := range []struct {
		name      string
		quasi     string
		sensitive string
		labels    []string
		cell      func(stayRow) (string, bool)
		label     func(stayRow) (string, bool)
	}{
		{"stored columns", "sex; town", "ill", labels, sexTown, declaredIll},
		{"a boolean with NULL", "sex; town", "outcome", []string{"t", "f", ""}, sexTown, func(r stayRow) (string, bool) { return r.outcome, true }},
		{"fixed length, not null", "town", "plan", []string{"a", "b"},
			func(r stayRow) (string, bool) { return r.town, r.town != "Ulm" }, func(r stayRow) (string, bool) { return strings.TrimSpace(r.plan), true }},
		{"an expression, of declared values", "age / 5; sex", "ill", labels,
			func(r stayRow) (string, bool) {
				return fmt.Sprint(r.age/5, r.sex), (age(r) || r.age/5 == 0) && r.age < 20 && r.sex != "X"
			}, declaredIll},
		{"two expressions of one column", "age / 5; age % 2; plan", "ill", labels,
			func(r stayRow) (string, bool) {
				return fmt.Sprint(r.age/5, r.age%2, strings.TrimSpace(r.plan)), r.age < 20 && r.age%2 >= 0
			}, declaredIll},
		{"a computed label", "sex; town", "age >= 10", []string{"t", "f"}, sexTown,
			func(r stayRow) (string, bool) { return fmt.Sprint(r.age >= 10)[:1], true }},
		{"unique cells", "sex; town; age; plan; outcome", "ill", labels,
			func(r stayRow) (string, bool) {
				return fmt.Sprint(r.sex, r.town, r.age, strings.TrimSpace(r.plan), r.outcome), r.sex != "X" && r.town != "Ulm" && age(r)
			}, declaredIll},
	} {
		if testing.Short() && i%2 != 0 {
			continue
		}
		report, err := w.homogeneity(assess.HomogeneityRequest{Table: staysTable, Quasi: strings.Split(c.quasi, "; "), Sensitive: []string{c.sensitive}})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		a := report.Attributes[0]
		want := tableOf(t, rows, c.labels, c.cell, c.label)
		if diff := gocmp.Diff(described(want), described(a.Cells)); diff != "" {
			t.Errorf("%s (-in memory +in the database):\n%s", c.name, diff)
		}
		if a.Keys != assess.DeclaredKeys || a.LabelsSeen || a.Counted != assess.CountedPersons || report.Persons != 0 {
			t.Errorf("%s: keys %s, labels seen %t, counted %s, %d persons", c.name, a.Keys, a.LabelsSeen, a.Counted, report.Persons)
		}
		if in := a.Cells.Describe().All.Records; a.Undeclared != int64(len(rows))-in {
			t.Errorf("%s: %d of %d rows are in cells, and %d in none", c.name, in, len(rows), a.Undeclared)
		}
	}
}

// Two attributes: the same cells, each with both attributes' counts.
func TestHomogeneityOfSeveralAttributes(t *testing.T) {
	rows := randomStays(700)
	w := newStays(t, "kind: geometric, epsilon: 1", rows)
	report, err := w.homogeneity(assess.HomogeneityRequest{Table: staysTable, Quasi: []string{"sex", "town", "age"}, Sensitive: []string{"ill", "plan"}})
	if err != nil {
		t.Fatal(err)
	}
	type counts struct{ ill, plan map[string]int64 }
	index := map[string]counts{}
	for _, r := range rows {
		if r.sex == "X" || r.town == "Ulm" || r.age < 0 || r.age > 19 {
			continue
		}
		key := fmt.Sprint(r.sex, r.town, r.age)
		if index[key].ill == nil {
			index[key] = counts{map[string]int64{}, map[string]int64{}}
		}
		if r.ill != "pest" {
			index[key].ill[r.ill]++
		}
		index[key].plan[strings.TrimSpace(r.plan)]++
	}
	want := map[string]int64{}
	largestFirst := func(m map[string]int64) []int64 {
		values := []int64{}
		for _, n := range m {
			values = append(values, n)
		}
		slices.SortFunc(values, func(a, b int64) int { return cmp.Compare(b, a) })
		return values
	}
	empty := false
	for _, c := range index {
		want[fmt.Sprint([][]int64{largestFirst(c.ill), largestFirst(c.plan)})]++
		empty = empty || len(c.ill) == 0
	}
	got := map[string]int64{}
	for _, p := range report.Joint.Patterns {
		got[fmt.Sprint(p.Counts)] += p.Cells
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("joint patterns (-in memory +in the database):\n%s", diff)
	}
	if !empty {
		t.Error("no cell has only undeclared illnesses, so that the test does not see one")
	}
	if err := report.Joint.Check(); err == nil {
		t.Error("a cell has more persons by one attribute than by another, and passes for one that can be averaged")
	}
	if same, err := w.homogeneity(assess.HomogeneityRequest{Table: staysTable, Quasi: []string{"sex", "town", "age"}, Sensitive: []string{"outcome", "plan"}}); err != nil || same.Joint.Check() != nil {
		t.Errorf("attributes of which everybody has a declared label: %v, %v", err, same.Joint.Check())
	}
	one, err := w.homogeneity(assess.HomogeneityRequest{Table: staysTable, Quasi: []string{"sex", "town", "age"}, Sensitive: []string{"ill"}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(described(one.Attributes[0].Cells), described(report.Attributes[0].Cells)); diff != "" {
		t.Errorf("an attribute by itself and with another (-alone +joint):\n%s", diff)
	}
}

// The risk of one question is the same in both reports, which find their cells by different statements: of declared, undeclared and refused keys,
// of combinations that are too many, of computed ones, and of persons in several cells.
func TestHomogeneityAgreesWithAssess(t *testing.T) {
	const geometric, noDelta = "kind: geometric, epsilon: 1, delta: 1e-3", "kind: geometric, epsilon: 1, delta: 0"
	rows := randomStays(600)
	undeclared := []string{"ill: {values: [none, cold, flu, gout]}", "ill: {}"}
	for i, c := range []struct {
		name, mechanism, quasi, label string
		replace                       []string
		refused                       bool
	}{
		{"declared", noDelta, "sex, town", "ill", nil, false},
		{"declared and computed", noDelta, "sex, age / 7", "ill", nil, false},
		{"a threshold", geometric, "sex, town", "ill", undeclared, false},
		{"a threshold over what is computed", geometric, "sex, age / 7", "ill", undeclared, false},
		{"no threshold", noDelta, "sex, town", "ill", undeclared, true},
		{"no threshold, of computed values", noDelta, "age / 7, ill", "sex", undeclared, true},
		{"another kind without a threshold", "kind: dp-suppression, epsilon: 1, k: 3, delta: 0", "town, age / 7", "ill", undeclared, true},
		{"too many", noDelta, "sex, town", "ill", []string{"analysts:", "limits: {cells: 20}\nanalysts:"}, true},
		{"too many, of computed values", noDelta, "sex, ill", "age / 7", []string{"analysts:", "limits: {cells: 20}\nanalysts:"}, true},
		{"too many, and a threshold", geometric, "sex, town", "ill", []string{"analysts:", "limits: {cells: 50}\nanalysts:"}, false},
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		w := newStays(t, c.mechanism, rows, c.replace...)
		report, err := w.homogeneity(assess.HomogeneityRequest{Table: staysTable, Quasi: strings.Split(c.quasi, ", "), Sensitive: []string{c.label}})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		a, err := assess.Assess(context.Background(), w.Policy, assess.Request{SQL: fmt.Sprintf("SELECT count(*) FROM stays GROUP BY %s, %s", c.quasi, c.label), Curves: true})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		of, q := report.Attributes[0], a.Questions[0]
		s, err := of.Survival(0)
		if err != nil {
			t.Fatal(err)
		}
		own := slices.IndexFunc(q.Mechanisms, func(m assess.Mechanism) bool { return m.Kind == w.Policy.Tables[0].Mechanism.Kind })
		if want := localRisk(of.Cells, s); !sameRisk(q.Mechanisms[own].Risk, want, 1e-12) {
			t.Errorf("%s: the risk is %+v, and %+v by tacit risk", c.name, q.Mechanisms[own].Risk, want)
		}
		if q.Attack.Cells != of.Cells.Describe() || q.Attack.LabelsSeen != of.LabelsSeen || q.Undeclared != of.Undeclared || q.Counted != of.Counted {
			t.Errorf("%s: %+v, %d undeclared %s; and by tacit risk %+v, %d undeclared %s", c.name, q.Attack, q.Undeclared, q.Counted, of.Cells.Describe(), of.Undeclared, of.Counted)
		}
		if q.Refusal != of.Refusal || (q.Refusal != "") != c.refused || q.Mechanisms[own].Today == c.refused || (of.Keys == assess.RefusedKeys || of.Keys == assess.DeclaredKeys && of.Parts) != c.refused {
			t.Errorf("%s: refused by %q and %q, today's row marked %t, keys %s, in parts %t", c.name, q.Refusal, of.Refusal, q.Mechanisms[own].Today, of.Keys, of.Parts)
		}
		if _, _, err := w.ask(w.open(), "ward_ana", "SELECT count(*) FROM clinic.stays GROUP BY "+c.quasi+", "+c.label); (err != nil) != c.refused {
			t.Errorf("%s: an analyst is told %v", c.name, err)
		}
	}
}

// Where one person may have many rows, the cells are those that analysts are shown: their counts have next to no noise at this epsilon.
// It fails if rows of nobody are counted, or more of a person's than the bounds allow.
func TestHomogeneityBoundsPersons(t *testing.T) {
	w := newWardOf(t, site.VisitsSchema, strings.Replace(site.VisitsPolicy, "illness: {}", "illness: {values: [flu, cold, gout, none]}", 1))
	d := w.open()
	visits := policy.TableName{Schema: "clinic", Name: "visits"}
	for _, c := range []struct {
		rows        bool
		count       string
		sensitivity int64
		counted     assess.Counted
	}{{false, "count(DISTINCT patient)", 2, assess.CountedContributions}, {true, "count(*)", 4, assess.CountedRows}} {
		report, err := w.homogeneity(assess.HomogeneityRequest{Table: visits, Quasi: []string{"house"}, Sensitive: []string{"illness"}, Rows: c.rows})
		if err != nil {
			t.Fatal(err)
		}
		cells, _, err := w.ask(d, "ward_ana", "SELECT house, illness, "+c.count+" FROM clinic.visits GROUP BY house, illness")
		if err != nil {
			t.Fatal(err)
		}
		index := map[string][]int64{}
		for i, n := range cells[0].Counts[0] {
			index[cells[0].Keys[0][i].Text] = append(index[cells[0].Keys[0][i].Text], n)
		}
		var counts [][]int64
		for _, c := range index {
			counts = append(counts, c)
		}
		want, err := risk.NewTable(5, counts) // illness can be NULL
		if err != nil {
			t.Fatal(err)
		}
		a := report.Attributes[0]
		if diff := gocmp.Diff(described(want), described(a.Cells)); diff != "" {
			t.Errorf("%s (-shown to analysts +in the report):\n%s", c.count, diff)
		}
		if a.Sensitivity != c.sensitivity || a.Counted != c.counted {
			t.Errorf("%s: sensitivity %d, counted %s; want %d, %s", c.count, a.Sensitivity, a.Counted, c.sensitivity, c.counted)
		}
		var patients int64
		if err := site.Connect(t, "postgres", w.Database).QueryRow(context.Background(), "SELECT count(DISTINCT patient) FROM clinic.visits").Scan(&patients); err != nil {
			t.Fatal(err)
		}
		if in := a.Cells.Describe().All.Records; report.Persons != patients || in <= patients {
			t.Errorf("%s: %d persons, want %d, of whom the cells have %d", c.count, report.Persons, patients, in)
		}
	}
}

// What analysts can learn of keys that are not declared decides what a cell is, and what stands for a cell without records.
func TestHomogeneityOfUndeclaredKeys(t *testing.T) {
	rows := randomStays(500)
	all := func(r stayRow) (string, bool) { return r.ill, true }
	sexes := func(r stayRow) (string, bool) { return r.sex, r.sex != "X" }
	labels := []string{"flu", "cold", "gout", "pest", ""}
	for _, c := range []struct {
		mechanism string
		keys      assess.KeyRule
		one       float64 // how likely one person is shown
		none      float64
	}{
		{"kind: geometric, epsilon: 1, delta: 1e-3", assess.ThresholdKeys, 1e-3, 0},
		{"kind: geometric, epsilon: 1, delta: 0", assess.RefusedKeys, 1, 0.2689},
		{"kind: suppression, k: 3, accept: no-guarantee", assess.ThresholdKeys, 0, 0},
	} {
		w := newStays(t, c.mechanism, rows, "ill: {values: [none, cold, flu, gout]}", "ill: {}")
		report, err := w.homogeneity(assess.HomogeneityRequest{Table: staysTable, Quasi: []string{"sex"}, Sensitive: []string{"ill"}})
		if err != nil {
			t.Errorf("%s: %v", c.mechanism, err)
			continue
		}
		a := report.Attributes[0]
		if diff := gocmp.Diff(described(tableOf(t, rows, labels, sexes, all)), described(a.Cells)); diff != "" {
			t.Errorf("%s (-in memory +in the database):\n%s", c.mechanism, diff)
		}
		if a.Keys != c.keys || !a.LabelsSeen || a.Seen != 5 {
			t.Errorf("%s: keys %s, labels seen %t, %d", c.mechanism, a.Keys, a.LabelsSeen, a.Seen)
		}
		s, err := a.Survival(0)
		if err != nil {
			t.Errorf("%s: %v", c.mechanism, err)
			continue
		}
		if none, one := s.Survives(0), s.Survives(1); one > c.one || none > c.none+1e-3 || none < c.none-1e-3 {
			t.Errorf("%s: nobody is shown with probability %v, one person with %v", c.mechanism, none, one)
		}
	}
}

// A product of domains beyond limits.cells is asked for in parts, or decided about by a threshold if there is a delta.
func TestHomogeneityOfTooManyCells(t *testing.T) {
	for mechanism, want := range map[string]assess.KeyRule{
		"kind: geometric, epsilon: 1, delta: 0":    assess.DeclaredKeys,
		"kind: geometric, epsilon: 1, delta: 1e-3": assess.ThresholdKeys,
	} {
		w := newStays(t, mechanism, randomStays(60), "tables:", "limits: {cells: 50}\ntables:")
		report, err := w.homogeneity(assess.HomogeneityRequest{Table: staysTable, Quasi: []string{"age", "sex"}, Sensitive: []string{"plan"}})
		if err != nil {
			t.Errorf("%s: %v", mechanism, err)
			continue
		}
		if a := report.Attributes[0]; a.Keys != want || !a.Parts {
			t.Errorf("%s: keys %s, in parts %t; want %s", mechanism, a.Keys, a.Parts, want)
		}
	}
}

func TestHomogeneityOfAnEmptyTable(t *testing.T) {
	w := newStays(t, "kind: geometric, epsilon: 1", nil)
	report, err := w.homogeneity(assess.HomogeneityRequest{Table: staysTable, Quasi: []string{"sex"}, Sensitive: []string{"ill", "age"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range report.Attributes {
		if d := a.Cells.Describe(); d.All.Cells != 0 || d.Labels < 5 {
			t.Errorf("%s: %+v", a.Name, d)
		}
	}
	if len(report.Joint.Patterns) != 0 {
		t.Errorf("joint: %v", report.Joint)
	}
}

// Each refusal says what to do instead, and comes before anything is counted.
func TestHomogeneityRefusals(t *testing.T) {
	w := newStays(t, "kind: dp-swapping, epsilon: 1, quasi: [sex], accept: no-guarantee", randomStays(20))
	request := func(quasi, sensitive string) assess.HomogeneityRequest {
		return assess.HomogeneityRequest{Table: staysTable, Quasi: strings.Split(quasi, "; "), Sensitive: strings.Split(sensitive, "; ")}
	}
	for i, c := range []struct {
		request assess.HomogeneityRequest
		want    string
	}{
		{assess.HomogeneityRequest{Table: policy.TableName{Schema: "clinic", Name: "beds"}, Quasi: []string{"sex"}, Sensitive: []string{"ill"}}, "clinic.beds is not a protected table"},
		{assess.HomogeneityRequest{Table: staysTable, Sensitive: []string{"ill"}}, "no quasi-identifiers; name what"},
		{assess.HomogeneityRequest{Table: staysTable, Quasi: []string{"sex"}}, "no sensitive attribute; name what"},
		{request("sex; weight", "ill"), `column "weight" does not exist`},
		{request("sex", "sex"), `sensitive "sex" is known to who knows the quasi-identifier "sex"`},
		{request("sex; age / 5", "age"), `"age" is known to who knows the quasi-identifier "age / 5"`},
		{request("age", "age >= 10"), "homogeneous by construction; leave one of them out"},
		{request("sex; sex", "ill"), "each another one"},
		{request("sex", "ill; ill"), "twice"},
		{request("(sex, town)", "ill"), "must be one column or expression"},
		{request("sex; now()", "ill"), "now"},
		{request("sex); DROP TABLE clinic.stays; --", "ill"), "which this is not: sex)"},
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		report, err := w.homogeneity(c.request)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q by %q: %v, %+v; want an error with %q", c.request.Sensitive, c.request.Quasi, err, report, c.want)
		}
	}
	report, err := w.homogeneity(request("sex", "ill"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := report.Attributes[0].Survival(0); !errors.Is(err, assess.ErrNoSurvival) || !strings.Contains(err.Error(), "tacit assess") {
		t.Errorf("dp-swapping: %v", err)
	}
	if d := report.Attributes[0].Cells.Describe(); d.All.Cells == 0 {
		t.Error("the cells of a table with dp-swapping are not described")
	}
}

// TestHomogeneityBoundsItsResult fails if a table with a pattern for each cell fills the memory instead of being refused.
func TestHomogeneityBoundsItsResult(t *testing.T) {
	w := newStays(t, "kind: geometric, epsilon: 1", nil, "tables:", "limits: {cells: 25}\ntables:")
	w.Exec("INSERT INTO clinic.stays SELECT 'F', NULL, i % 20, 'a', (ARRAY['flu', 'cold'])[1 + j % 2] FROM generate_series(0, 39) AS i, generate_series(1, 1 + 3 * (i % 20)) AS j")
	request := assess.HomogeneityRequest{Table: staysTable, Quasi: []string{"age"}, Sensitive: []string{"ill"}}
	if _, err := w.homogeneity(request); err != nil {
		t.Errorf("20 patterns: %v", err)
	}
	w.Exec("INSERT INTO clinic.stays SELECT 'M', NULL, i % 20, 'a', 'gout' FROM generate_series(0, 19) AS i, generate_series(1, 200 + i) AS j")
	request.Quasi = append(request.Quasi, "sex")
	if _, err := w.homogeneity(request); err == nil || !strings.Contains(err.Error(), "more than 25 different patterns") {
		t.Errorf("40 patterns: %v", err)
	}
}

// TestHomogeneityOfAnAuditedTable says that the measure is of something else.
func TestHomogeneityOfAnAuditedTable(t *testing.T) {
	w := newWardOf(t, site.CarrierSchema, site.CarrierPolicy)
	table := w.Policy.Tables[0].Name
	_, err := w.homogeneity(assess.HomogeneityRequest{Table: table, Quasi: []string{"eye"}, Sensitive: []string{"has_gene"}})
	if err == nil || !strings.Contains(err.Error(), "auditor") {
		t.Errorf("%v", err)
	}
}
