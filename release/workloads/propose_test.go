package workloads

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/accountant/ledger"
	"tacit/mechanisms/residual"
	"tacit/policy"
	"tacit/release/internal/sources"
	"tacit/rewrite/query"
)

var people = policy.TableName{Schema: "clinic", Name: "people"}

func adviserTable(edit func(*policy.Table)) *policy.Table {
	t := &policy.Table{
		Name: people, Adjacency: policy.AddRemove, Composition: policy.ZCDPComposition, Thresholds: 1e11, Derive: true,
		Mechanism: policy.Mechanism{Kind: policy.Geometric, Epsilon: 5e8}, Budget: policy.Budget{Epsilon: 30e9, Delta: 1e12},
		Columns: []policy.Column{
			{Name: "age", Domain: policy.Domain{Range: &policy.Range{First: 0, Last: 99}}},
			{Name: "region", Domain: policy.Domain{Values: []string{"north", "south", "east"}}},
			{Name: "sex", Domain: policy.Domain{Values: []string{"F", "M"}}},
			{Name: "illness"},
		},
	}
	if edit != nil {
		edit(t)
	}
	return t
}

// charge is that of a question by columns as keys, and columns with the number of values that an IN list lets pass.
func charge(t *testing.T, keys string, conditions ...string) ledger.ChargedQuestion {
	t.Helper()
	s := query.Shape{Version: 1, Aggregate: "count(*)", Source: people.String()}
	used := map[string]bool{}
	for _, key := range strings.Fields(keys) {
		s.Keys, used[key] = append(s.Keys, query.ShapeKey{Stored: true, Inputs: []string{key}}), true
	}
	for _, text := range conditions {
		words := strings.Fields(text)
		used[words[0]] = true
		s.Where = append(s.Where, query.ShapeCondition{Columns: words[:1], Atom: &query.ShapeAtom{Test: words[1], Values: words[2:]}})
	}
	values := map[string]int{}
	for _, name := range []string{"age", "illness", "region", "sex"} {
		if used[name] {
			s.Columns = append(s.Columns, query.ShapeColumn{Name: name, Type: map[bool]uint32{true: 23, false: 25}[name == "age"], Typmod: -1, NotNull: true})
			if n := map[string]int{"age": 100, "region": 3, "sex": 2}[name]; n > 0 {
				values[name] = n
			}
		}
	}
	shape, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	shape = []byte(strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(string(shape)))
	d := sources.Derivable{Shape: shape, Mechanism: "m", Cells: 1, Values: values}
	return ledger.ChargedQuestion{
		Loss: accountant.Loss{Epsilon: 5e8}, Mechanism: "geometric", Shape: d.Text(),
		Term: composition.Term{Noise: composition.GeometricNoise, Epsilon: 5e8, Moves: 1},
	}
}

// TestProposals: the sets of columns that questions use are proposed, each once, those first that were asked most; with weights that count questions alike.
func TestProposals(t *testing.T) {
	var charged []ledger.ChargedQuestion
	for range 30 {
		charged = append(charged, charge(t, "region sex"))
	}
	charged = append(charged, charge(t, "age"), charge(t, "sex", "age in 1 2 3"), charge(t, "", "sex = F", "region = east"), charge(t, "illness"), charge(t, ""))
	p, err := proposalOf(adviserTable(nil), 1000, charged, accountant.Loss{})
	if err != nil || p.Why != "" {
		t.Fatal(err, p.Why)
	}
	var got []string
	for _, m := range p.Marginals {
		got = append(got, fmt.Sprintf("%v %v %d", m.Columns, m.Weight, m.Cells))
	}
	if text := strings.Join(got, "; "); text != "[region sex] 1000 6; [] 200 1; [age] 2 100; [age sex] 1 200" {
		t.Errorf("got %s", text)
	}
	if p.Answers != 34 || p.Asked != 35 || !p.AsExact || p.Instead.Epsilon >= p.Spent.Epsilon {
		t.Errorf("%+v", p)
	}
	// The loss is the least: a digit less, and the mean of squares is above what it was.
	square := func(p *Proposal) (sum float64) {
		times := []float64{31, 1, 1, 1}
		for k, m := range p.Marginals {
			sum += times[k] * m.Measured * m.Measured
		}
		return math.Sqrt(sum / 34)
	}
	if w := square(p); w > p.Marginals[0].Within {
		t.Errorf("±%v, and ±%v as they were asked", w, p.Marginals[0].Within)
	}
	less := p.Cost
	less.Epsilon -= 1e8
	worse, err := proposalOf(adviserTable(nil), 1000, charged, less)
	if err != nil || square(worse) <= worse.Marginals[0].Within || worse.AsExact {
		t.Errorf("with %v: ±%v, %v", less, square(worse), err)
	}
}

// TestProposedErrors: a count with conditions adds up a box of cells, and its error is that of the box.
func TestProposedErrors(t *testing.T) {
	charged := []ledger.ChargedQuestion{charge(t, "sex", "age in 1 2 3"), charge(t, "sex", "age in 4 5 6")}
	loss := accountant.Loss{Epsilon: 2e9, Delta: 1e11}
	p, err := proposalOf(adviserTable(nil), 1000, charged, loss)
	if err != nil || len(p.Marginals) != 1 {
		t.Fatal(err, p)
	}
	// One marginal alone is measured as it is: three cells, of the variance 1/(2 rho) each.
	want := 1.96*math.Sqrt(3/(2*composition.RhoWithin(loss.Epsilon, loss.Delta))) + 0.5
	if math.Abs(p.Marginals[0].Measured-want) > 1e-6*want {
		t.Errorf("±%v, want ±%v", p.Marginals[0].Measured, want)
	}
}

// TestProposedByOwnLosses: questions are as exact as the loss that was charged for each made them, whatever the usual one is.
func TestProposedByOwnLosses(t *testing.T) {
	under := func(loss policy.Epsilon, keys string) ledger.ChargedQuestion {
		c := charge(t, keys)
		c.Loss.Epsilon, c.Term.Epsilon = loss, loss
		return c
	}
	charged := []ledger.ChargedQuestion{under(5e8, "sex"), under(5e8, "sex"), under(5e7, "region"), under(5e7, "region")}
	p, err := proposalOf(adviserTable(nil), 1000, charged, accountant.Loss{})
	if err != nil || len(p.Marginals) != 2 {
		t.Fatal(err, p)
	}
	within := make(map[string]float64)
	for _, m := range p.Marginals {
		within[m.Columns[0]] = m.Within
	}
	if within["sex"] != 6 || within["region"] < 50 || within["region"] > 70 { // Geometric noise of epsilon 0.05 is within ln(20)/0.05 = 60 or so.
		t.Errorf("asked within %v", within)
	}
	alike := []ledger.ChargedQuestion{under(5e8, "sex"), under(5e8, "sex"), under(5e8, "region"), under(5e8, "region")}
	dearer, err := proposalOf(adviserTable(nil), 1000, alike, accountant.Loss{})
	if err != nil || p.Cost.Epsilon >= dearer.Cost.Epsilon {
		t.Errorf("answers that were less exact cost %v, and others %v: %v", p.Cost, dearer.Cost, err)
	}
}

// TestNotProposed: of what has no workload the reason is told.
func TestNotProposed(t *testing.T) {
	asked := []ledger.ChargedQuestion{charge(t, "sex"), charge(t, "sex", "age = 1")}
	for _, c := range []struct {
		edit    func(*policy.Table)
		charged []ledger.ChargedQuestion
		want    string
	}{
		{func(t *policy.Table) { t.Person = &policy.Person{Column: "id", Rows: 2, Groups: 2} }, asked, "several rows"},
		{func(t *policy.Table) { t.Blocks = &policy.Blocks{Column: "age", By: policy.ByValue} }, asked, "blocks"},
		{func(t *policy.Table) { t.Derive = false }, asked, "derive: false"},
		{func(t *policy.Table) { t.Budget.Delta, t.Thresholds, t.Composition = 0, 0, policy.BasicComposition }, asked, "costs delta"},
		{nil, []ledger.ChargedQuestion{charge(t, "sex")}, "no two of its questions"},
		{nil, []ledger.ChargedQuestion{charge(t, "illness"), charge(t, "sex illness")}, "no two of its questions"},
		{nil, nil, "no two of its questions"},
		{func(t *policy.Table) { t.Budget.Epsilon = 1e8 }, asked, "less exact, whatever part"},
	} {
		p, err := proposalOf(adviserTable(c.edit), 1000, c.charged, accountant.Loss{})
		if err != nil || !strings.Contains(p.Why, c.want) {
			t.Errorf("%v, %q, want %q", err, p.Why, c.want)
		}
	}
	if p, err := proposalOf(adviserTable(nil), 150, asked, accountant.Loss{}); err != nil || !strings.Contains(p.Why, "no two") {
		t.Errorf("more cells than the limit: %v, %+v", err, p)
	}
}

// TestProposedRanges: where ranges were asked, they are proposed if that makes the answers more exact: by conditions, and by keys that divide. The cost is less for it. Where single
// values were asked, and of columns whose values have no order, they are not.
func TestProposedRanges(t *testing.T) {
	between := func(first, last int) ledger.ChargedQuestion {
		return charge(t, "region", fmt.Sprintf("age >= %d", first), fmt.Sprintf("age <= %d", last))
	}
	decades := charge(t, "")
	decades.Shape = strings.Replace(charge(t, "age").Shape, `"stored":true`, `"text":"((age / 10) * 10)","type":23`, 1)
	if sources.Parse(decades.Shape) == nil {
		t.Fatal(decades.Shape)
	}
	for _, c := range []struct {
		name    string
		charged []ledger.ChargedQuestion
		want    string
	}{
		{"conditions", []ledger.ChargedQuestion{between(30, 64), between(0, 17), between(18, 29)}, "{columns: [age, region], ranges: [age]}"},
		{"decades", []ledger.ChargedQuestion{decades, decades}, "{columns: [age], ranges: [age]}"},
		{"single values", []ledger.ChargedQuestion{charge(t, "age region"), between(30, 30), charge(t, "region", "age in 3 4")}, "[age, region]"},
		{"no order", []ledger.ChargedQuestion{charge(t, "sex", "region in north south"), charge(t, "sex", "region in south east")}, "[region, sex]"},
	} {
		p, err := proposalOf(adviserTable(nil), 1000, c.charged, accountant.Loss{Epsilon: 2e9, Delta: 1e11})
		if err != nil || p.Why != "" || !strings.HasPrefix(p.YAML(), "{marginals: ["+c.want+"], epsilon") {
			t.Errorf("%s: %v, %s, %s", c.name, err, p.Why, p.YAML())
			continue
		}
		w, err := policyOf(t, p.YAML())
		if err != nil || (len(w.Marginals[0].Ranges) > 0) != strings.Contains(c.want, "ranges") {
			t.Errorf("%s: the policy has %+v: %v", c.name, w, err)
		}
	}
	// The error is the mean over the cells of each question, with what the errors of a range's values have in common.
	one, err := proposalOf(adviserTable(nil), 1000, []ledger.ChargedQuestion{between(30, 64), between(30, 64)}, accountant.Loss{Epsilon: 2e9, Delta: 1e11})
	if err != nil {
		t.Fatal(err)
	}
	w, err := residual.NewRangeWorkload([]int{100, 3}, []residual.Marginal{{Columns: []int{0, 1}, Weight: 1}}, [][]int{{0}})
	if err != nil {
		t.Fatal(err)
	}
	values := make([]int, 35)
	for i := range values {
		values[i] = 30 + i
	}
	s := w.LeastTotal()
	spread, _ := s.ValuesSpread([]int{0, 1}, [][]int{values, {0}})
	want := 1.96*math.Sqrt(spread.Variance*s.Loss(policy.AddRemove)/(2*composition.RhoWithin(2e9, 1e11))) + 0.5
	if got := one.Marginals[0].Measured; math.Abs(got-want) > 1e-6*want {
		t.Errorf("±%v, want ±%v", got, want)
	}
}

// policyOf reads a workload as a policy does.
func policyOf(t *testing.T, workload string) (*policy.Workload, error) {
	t.Helper()
	p, err := policy.Parse("tacit.yaml", []byte(`
listen: 127.0.0.1:6432
upstream: {analyst: "postgres://{analyst}@127.0.0.1/x", curator: "postgres://c@127.0.0.1/x"}
ledger: sqlite:x.db
auth: trust
analysts: {ana: {}}
tables:
  clinic.people:
    person: row
    mechanism: {kind: geometric, epsilon: 0.5}
    budget: {epsilon: 30, delta: 1e-6, composition: zcdp}
    workload: `+workload+`
    columns: {age: {range: [0, 99]}, region: {values: [north, south, east]}, sex: {values: [F, M]}}
`))
	if err != nil {
		return nil, err
	}
	return p.Tables[0].Workload, nil
}

// TestPeriods groups days as PostgreSQL's date_trunc does: values from a server.
func TestPeriods(t *testing.T) {
	day := func(text string) int64 {
		date, err := time.Parse(time.DateOnly, text)
		if err != nil {
			t.Fatal(err)
		}
		return date.Unix() / (24 * 60 * 60)
	}
	for _, c := range []struct {
		unit, first, last, next string
	}{
		{"week", "1969-12-29", "1970-01-04", "1970-01-05"}, {"week", "2024-12-30", "2025-01-05", "2025-01-06"}, {"month", "2024-02-01", "2024-02-29", "2024-03-01"},
		{"quarter", "1969-10-01", "1969-12-31", "1970-01-01"}, {"year", "1900-01-01", "1900-12-31", "1901-01-01"},
	} {
		if a, b, n := period(day(c.first), c.unit), period(day(c.last), c.unit), period(day(c.next), c.unit); a != b || b == n || period(day(c.first)-1, c.unit) == a {
			t.Errorf("%s from %s: %d, %d, %d", c.unit, c.first, a, b, n)
		}
	}
}

// TestProposalIsRead: what is proposed is a workload that a policy can have, whatever names columns have.
func TestProposalIsRead(t *testing.T) {
	p := Proposal{Table: people, Marginals: []ProposedMarginal{{Columns: []string{"sex", "a b", `x"y`, "no"}, Weight: 1}, {Weight: 2.5}}, Cost: accountant.Loss{Epsilon: 1e9, Delta: 1e11}}
	if got, want := p.YAML(), `{marginals: [[sex, "a b", "x\"y", "no"], {columns: [], weight: 2.5}], epsilon: 1, delta: 1e-7}`; got != want {
		t.Errorf("got %s", got)
	}
}
