package assess_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tacit/internal/battery"
	"tacit/mechanisms"
	"tacit/policy"
	"tacit/release/assess"
	"tacit/risk"
)

func (w *ward) assess(request assess.Request) *assess.Assessment {
	w.T.Helper()
	a, err := assess.Assess(context.Background(), w.Policy, request)
	if err != nil {
		w.T.Fatalf("%+v: %v", request, err)
	}
	return a
}

// assessKind makes a kind as assess does for a table of persons who are a row each.
func assessKind(t *testing.T, kind policy.Kind, epsilon policy.Epsilon, seed byte) *mechanisms.Mechanism {
	t.Helper()
	if kind == policy.Suppression {
		epsilon = 0
	}
	m, err := mechanisms.New(mechanisms.Config{
		Kind: kind, Epsilon: epsilon, Delta: 1e12, K: 6, Adjacency: policy.AddRemove, Sensitivity: 1, PerCell: 1, Random: battery.Seeded(seed),
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func localRisk(t *risk.Table, s risk.Survival) assess.Risk {
	return assess.Risk{Event: t.Local(s, risk.Event), Records: t.Local(s, risk.Records)}
}

// sameRisk compares all four figures.
func sameRisk(got *assess.Risk, want assess.Risk, tolerance float64) bool {
	if got == nil {
		return false
	}
	near := func(a, b risk.Average) bool {
		return math.Abs(a.Unweighted-b.Unweighted) <= tolerance && math.Abs(a.Weighted-b.Weighted) <= tolerance
	}
	return near(got.Event, want.Event) && near(got.Records, want.Records)
}

// staySexes, stayTowns and stayIlls are the declared values, with NULL.
var (
	staySexes = []string{"F", "M", ""}
	stayTowns = []string{"Oslo", "Bern", "Rome", ""}
	stayIlls  = []string{"none", "cold", "flu", "gout", ""}
)

// stayCounts are the counts of sex, town and ill, the last one fastest.
func stayCounts(rows []stayRow) []int64 {
	counts := make([]int64, len(staySexes)*len(stayTowns)*len(stayIlls))
	for _, r := range rows {
		sex, town, ill := slices.Index(staySexes, r.sex), slices.Index(stayTowns, r.town), slices.Index(stayIlls, r.ill)
		if sex >= 0 && town >= 0 && ill >= 0 {
			counts[(sex*len(stayTowns)+town)*len(stayIlls)+ill]++
		}
	}
	return counts
}

// The risk of kinds whose cells are independent is package risk's, of counts that are made in memory. It fails if the wrong key is
// sensitive, if a label without records or NULL is left out, if versions or averages are exchanged, or if a kind is given another's.
func TestAssessRisk(t *testing.T) {
	rows := randomStays(400)
	w := newStays(t, "kind: geometric, epsilon: 1", rows)
	counts := stayCounts(rows)
	cellsBy := func(labels, step int) [][]int64 {
		var cells [][]int64
		for i := range counts {
			if i/step%labels != 0 {
				continue
			}
			cell := make([]int64, labels)
			for k := range cell {
				cell[k] = counts[i+k*step]
			}
			cells = append(cells, cell)
		}
		return cells
	}
	for _, c := range []struct {
		sensitive    string
		labels, step int
	}{{"", 5, 1}, {"ill", 5, 1}, {"town", 4, 5}, {"sex", 3, 20}} {
		table, err := risk.NewTable(c.labels, cellsBy(c.labels, c.step))
		if err != nil {
			t.Fatal(err)
		}
		a := w.assess(assess.Request{
			SQL: "SELECT sex, town, ill, count(*) FROM stays GROUP BY sex, town, ill", Sensitive: c.sensitive, Epsilons: []policy.Epsilon{2e8, 1e9}, Delta: 1e12,
		})
		q := a.Questions[0]
		if c.sensitive == "" {
			w.sameSupposed(q, counts)
		}
		if k := q.Attack; k.Cells != table.Describe() || k.Default != (c.sensitive == "") || len(k.Quasi) != 2 || k.LabelsSeen || q.Counted != assess.CountedPersons {
			t.Errorf("sensitive %q: %+v, want cells %+v", c.sensitive, k, table.Describe())
		}
		for _, m := range q.Mechanisms {
			made := assessKind(t, m.Kind, m.Epsilon, 1)
			s, ok := made.Survival()
			if !ok {
				continue // see TestAssessRiskOfDependentCells
			}
			if want := localRisk(table, s); !sameRisk(m.Risk, want, 1e-12) {
				t.Errorf("sensitive %q, %s %v: %+v, want %+v", c.sensitive, m.Kind, m.Epsilon, m.Risk, want)
			}
			if m.Today != (m.Kind == policy.Geometric && m.Epsilon == 1e9) {
				t.Errorf("%s %v is today's: %t", m.Kind, m.Epsilon, m.Today)
			}
		}
	}
}

// disclosed is what one release discloses, of cells with the label fastest.
func disclosed(shown mechanisms.Cells, counts []int64, labels int) assess.Risk {
	var r assess.Risk
	var cells, records float64
	for first := 0; first < len(counts); first += labels {
		size, survivors, last := 0.0, 0, 0
		for i := first; i < first+labels; i++ {
			size += float64(counts[i])
			if shown.Counts[i] >= 1 && (shown.Suppressed == nil || !shown.Suppressed[i]) {
				survivors, last = survivors+1, i
			}
		}
		if size == 0 {
			continue
		}
		cells, records = cells+1, records+size
		if n := float64(counts[last]); survivors == 1 && n > 0 {
			r.Event.Unweighted++
			r.Event.Weighted += size
			r.Records.Unweighted += n / size
			r.Records.Weighted += n
		}
	}
	r.Event.Unweighted, r.Records.Unweighted = r.Event.Unweighted/cells, r.Records.Unweighted/cells
	r.Event.Weighted, r.Records.Weighted = r.Event.Weighted/records, r.Records.Weighted/records
	return r
}

// The risk of the two kinds whose cells depend on one another is that of seeded releases, within Hoeffding's inequality: 1e-8 for each of
// 3 x 4 means of 20,000 figures from 0 to 1. Blocks of dp-swapping are those of its quasi-identifiers: with the sensitive key, and without.
func TestAssessRiskOfDependentCells(t *testing.T) {
	const releases = 20_000
	rows := randomStays(150)
	w := newStays(t, "kind: geometric, epsilon: 1", rows)
	counts := stayCounts(rows)
	all, byIll := []int{}, make([][]int, len(stayIlls))
	for i := range counts {
		all, byIll[i%len(stayIlls)] = append(all, i), append(byIll[i%len(stayIlls)], i)
	}
	for i, c := range []struct {
		kind   policy.Kind
		quasi  []string
		blocks [][]int
	}{
		{policy.DPSwapping, nil, [][]int{all}},
		{policy.DPSwapping, []string{"sex", "town"}, byIll},
		{policy.DPSuppressionAlg2, nil, nil},
	} {
		a := w.assess(assess.Request{SQL: "SELECT sex, town, ill, count(*) FROM stays GROUP BY sex, town, ill", Quasi: c.quasi})
		made := assessKind(t, c.kind, 1e9, byte(10+i))
		var mean assess.Risk
		for range releases {
			cells, err := made.Sanitize(mechanisms.Histogram{Counts: counts, Blocks: c.blocks})
			if err != nil {
				t.Fatal(err)
			}
			one := disclosed(cells, counts, len(stayIlls))
			for _, pair := range [][2]*float64{
				{&mean.Event.Unweighted, &one.Event.Unweighted}, {&mean.Event.Weighted, &one.Event.Weighted},
				{&mean.Records.Unweighted, &one.Records.Unweighted}, {&mean.Records.Weighted, &one.Records.Weighted},
			} {
				*pair[0] += *pair[1] / releases
			}
		}
		for _, m := range a.Questions[0].Mechanisms {
			if m.Kind == c.kind && !sameRisk(m.Risk, mean, battery.Hoeffding(releases)) {
				t.Errorf("%s of %v: %+v, releases %+v", c.kind, c.quasi, m.Risk, mean)
			}
		}
	}
}

// A filter that leaves labels out for some persons leaves them out of the attack: combinations differ in how many labels they have.
func TestAssessRiskUnderFilter(t *testing.T) {
	rows := randomStays(60)
	w := newStays(t, "kind: geometric, epsilon: 1", rows)
	q := w.assess(assess.Request{SQL: "SELECT sex, ill, count(*) FROM stays WHERE ill IN ('cold', 'gout') OR sex = 'F' GROUP BY sex, ill"}).Questions[0]
	groups := map[string]map[string]int64{}
	for _, r := range rows {
		if r.sex == "X" || r.ill == "pest" || r.sex != "F" && r.ill != "cold" && r.ill != "gout" {
			continue
		}
		if groups[r.sex] == nil {
			groups[r.sex] = map[string]int64{}
		}
		groups[r.sex][r.ill]++
	}
	made := assessKind(t, policy.Geometric, 1e9, 1)
	s, _ := made.Survival()
	var want assess.Risk
	var records float64
	for sex, ills := range groups {
		labels, counts, size := 2, []int64{}, 0.0
		if sex == "F" {
			labels = 5
		}
		for _, n := range ills {
			counts, size = append(counts, n), size+float64(n)
		}
		event, share := risk.Local(s, risk.Event, labels, counts), risk.Local(s, risk.Records, labels, counts)
		want.Event.Unweighted += event / float64(len(groups))
		want.Records.Unweighted += share / float64(len(groups))
		want.Event.Weighted, want.Records.Weighted, records = want.Event.Weighted+event*size, want.Records.Weighted+share*size, records+size
	}
	want.Event.Weighted, want.Records.Weighted = want.Event.Weighted/records, want.Records.Weighted/records
	for _, m := range q.Mechanisms {
		if m.Kind == policy.Geometric && !sameRisk(m.Risk, want, 1e-12) {
			t.Errorf("%+v, want %+v", m.Risk, want)
		}
	}
}

// Keys that are not declared: what the threshold shows of the keys that there are. A kind without a threshold says so.
func TestAssessThreshold(t *testing.T) {
	rows := randomStays(500)
	w := newStays(t, "kind: geometric, epsilon: 1, delta: 1e-3", rows, "ill: {values: [none, cold, flu, gout]}", "ill: {}")
	a := w.assess(assess.Request{SQL: "SELECT sex, ill, count(*), count(*) FILTER (WHERE age >= 10) FROM stays GROUP BY sex, ill"})
	ills := []string{"cold", "flu", "gout", "", "pest"}
	cells, older := make([][]int64, len(staySexes)), make([]int64, len(staySexes)*len(ills))
	var counts []int64
	for s, sex := range staySexes {
		cells[s] = make([]int64, len(ills))
		for _, r := range rows {
			if ill := slices.Index(ills, r.ill); r.sex == sex && ill >= 0 {
				cells[s][ill]++
				if r.age >= 10 {
					older[s*len(ills)+ill]++
				}
			}
		}
		counts = append(counts, cells[s]...)
	}
	if len(a.Questions) != 2 || a.Questions[0].Declared || a.Questions[0].Cells != len(counts) || slices.Min(counts) == 0 {
		t.Fatalf("%+v, of %v", a.Questions, counts)
	}
	table, err := risk.NewTable(len(ills), cells)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range a.Questions[0].Mechanisms {
		second := a.Questions[1].Mechanisms[i]
		if m.Kind == policy.DPSwapping || m.Kind == policy.DPSuppressionAlg2 {
			if !strings.Contains(m.Problem, "refused") || m.Risk != nil {
				t.Errorf("%s: %q", m.Kind, m.Problem)
			}
			continue
		}
		config := mechanisms.Config{Kind: m.Kind, Epsilon: m.Epsilon, Delta: 1e15, K: 6, Adjacency: policy.AddRemove, Sensitivity: 1, PerCell: 1, Random: battery.Seeded(1)}
		made, err := mechanisms.New(config)
		if err != nil {
			t.Fatal(err)
		}
		s, _ := made.SelectionSurvival()
		keys, _ := made.ExpectSelection(counts)
		if want := mechanisms.Summarize(keys); fmt.Sprintf("%.9g", m.Summary) != fmt.Sprintf("%.9g", want) {
			t.Errorf("%s: %+v, want %+v", m.Kind, m.Summary, want)
		}
		if want := localRisk(table, s); !sameRisk(m.Risk, want, 1e-12) {
			t.Errorf("%s: %+v, want %+v", m.Kind, m.Risk, want)
		}
		if g := made.Guarantee(policy.AddRemove); m.Kind.Guaranteed() && math.Abs(m.AddRemove.Delta-g.Delta(1)-1e-3) > 1e-12 || m.Kind.Guaranteed() && m.ReplaceOne.Delta != 1 {
			t.Errorf("%s: delta %v and %v", m.Kind, m.AddRemove.Delta, m.ReplaceOne.Delta)
		}
		var bias float64
		for j, e := range made.Expect(mechanisms.Histogram{Counts: older}) {
			bias += math.Abs(e.Behind(s.Survives(counts[j]), older[j]).Bias)
		}
		if math.Abs(second.L1Bias-bias) > 1e-9 || second.Risk != nil {
			t.Errorf("%s: the second count has bias %v, want %v; risk %v", m.Kind, second.L1Bias, bias, second.Risk)
		}
	}
	if none := a.Questions[1].Attack.None; !strings.Contains(none, "threshold") {
		t.Errorf("the second count has no risk since %q", none)
	}
}

// Of a table without rows, and of a filter that no row meets, there are no keys that a threshold could decide about.
func TestAssessThresholdOfNothing(t *testing.T) {
	w := newStays(t, "kind: geometric, epsilon: 1, delta: 1e-3", nil, "ill: {values: [none, cold, flu, gout]}", "ill: {}")
	for _, where := range []string{"", " WHERE age = 3"} {
		for _, q := range w.assess(assess.Request{SQL: "SELECT sex, ill, count(*), count(*) FILTER (WHERE age >= 10) FROM stays" + where + " GROUP BY sex, ill", Curves: true}).Questions {
			if q.Cells != 0 || q.Declared || q.Refusal != "" || len(q.Mechanisms) != len(policy.Kinds) {
				t.Errorf("%+v", q)
			}
			for _, m := range q.Mechanisms {
				if m.Risk != nil || m.L1Bias != 0 || m.Suppressed != 0 || m.Uniques.Uniques != 0 || math.IsNaN(m.Error) || math.IsNaN(m.Alpha) {
					t.Errorf("%s: %+v", m.Kind, m)
				}
			}
		}
	}
}

// Curves go through the rows, mark today's setting, and rise in epsilon.
func TestAssessCurves(t *testing.T) {
	w := newStays(t, "kind: dp-suppression, epsilon: 0.5, k: 4", randomStays(200))
	q := w.assess(assess.Request{
		SQL: "SELECT sex, ill, count(*) FROM stays GROUP BY sex, ill", Epsilons: []policy.Epsilon{1e9, 123456789}, Curves: true,
	}).Questions[0]
	if len(q.Curves) != len(policy.Kinds) {
		t.Fatalf("%d curves", len(q.Curves))
	}
	for _, curve := range q.Curves {
		asked, today := 0, 0
		for i, p := range curve.Points {
			if i > 0 && p.Epsilon <= curve.Points[i-1].Epsilon {
				t.Errorf("%s: %v after %v", curve.Kind, p.Epsilon, curve.Points[i-1].Epsilon)
			}
			if p.Today {
				today++
			}
			if !p.Asked {
				continue
			}
			asked++
			row := slices.IndexFunc(q.Mechanisms, func(m assess.Mechanism) bool { return m.Kind == curve.Kind && m.Epsilon == p.Epsilon })
			if row < 0 || fmt.Sprint(q.Mechanisms[row].Summary, *q.Mechanisms[row].Risk) != fmt.Sprint(p.Summary, *p.Risk) {
				t.Errorf("%s %v is not the row", curve.Kind, p.Epsilon)
			}
		}
		wantAsked, wantToday := 2, 0
		if curve.Kind == policy.Suppression {
			wantAsked = 1
		}
		if curve.Kind == policy.DPSuppression {
			wantToday = 1
		}
		if asked != wantAsked || today != wantToday {
			t.Errorf("%s: %d asked and %d today's of %d points", curve.Kind, asked, today, len(curve.Points))
		}
	}
}

func TestCurveEpsilons(t *testing.T) {
	for _, c := range []struct {
		compared  []policy.Epsilon
		low, high policy.Epsilon
	}{
		{[]policy.Epsilon{5e8}, 5e8 / 16, 8e9},
		{[]policy.Epsilon{1e9, 4e9}, 1e9 / 16, 16e9},
		{[]policy.Epsilon{1}, 1, 16},
		{[]policy.Epsilon{1, math.MaxInt64 / 2}, 1, math.MaxInt64 / 2},
	} {
		got := assess.CurveEpsilons(c.compared, 16e9)
		if got[0] != c.low || got[len(got)-1] != c.high || len(got) > assess.MostSteps+1+len(c.compared) || !slices.IsSorted(got) {
			t.Errorf("%v: %v", c.compared, got)
		}
		for _, e := range c.compared {
			if !slices.Contains(got, e) {
				t.Errorf("%v: %v is not in %v", c.compared, e, got)
			}
		}
	}
}

func TestAssessSensitiveKey(t *testing.T) {
	w := newStays(t, "kind: geometric, epsilon: 1", randomStays(20))
	for i, c := range []struct{ sql, sensitive, none, wrong string }{
		{"SELECT count(*) FROM stays", "", "no key", ""},
		{"SELECT ill, count(*) FROM stays GROUP BY ill", "", "one key", ""},
		{"SELECT sex, ill, count(*) FROM stays GROUP BY 1, 2", "town", "", `"town" is not a key of the statement, whose keys are ill; sex`},
		{"SELECT count(*) FROM stays", "ill", "", "which has none"},
		{"SELECT sex, ill, count(*) FROM stays GROUP BY 1, 2", "ill; DROP TABLE stays", "", "is not one column or expression"},
		{"SELECT sex, age / 5, count(*) FROM stays GROUP BY 1, 2", "age / 5", "", ""},
		{"SELECT sex, age / 5, count(*) FROM stays GROUP BY 1, 2", "", "", ""},
		{"SELECT age, age / 5, count(*) FROM stays GROUP BY 1, 2", "", "known to who knows", ""},
	} {
		if testing.Short() && i%3 != 2 {
			continue
		}
		a, err := assess.Assess(context.Background(), w.Policy, assess.Request{SQL: c.sql, Sensitive: c.sensitive})
		if c.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%s, %s: %v", c.sql, c.sensitive, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		k, m := a.Questions[0].Attack, a.Questions[0].Mechanisms[0]
		if c.none == "" && (k.None != "" || m.Risk == nil || k.Sensitive != "(age / 5)") || c.none != "" && (!strings.Contains(k.None, c.none) || m.Risk != nil) {
			t.Errorf("%s: %+v, risk %v", c.sql, k, m.Risk)
		}
	}
}

// sameSupposed holds the figures of an assessment against those that Suppose has for the same counts.
func (w *ward) sameSupposed(want assess.Question, counts []int64) {
	w.T.Helper()
	labels := func(values []string) []string { return slices.Clone(values) }
	a, err := assess.Suppose(context.Background(), assess.Supposition{
		Table: w.Policy.Tables[0], Counts: counts,
		Keys: []assess.SupposedKey{{Name: "sex", Labels: labels(staySexes), Declared: true}, {Name: "town", Labels: labels(stayTowns), Declared: true}, {Name: "ill", Labels: labels(stayIlls), Declared: true}},
	}, assess.Request{Epsilons: []policy.Epsilon{2e8, 1e9}, Delta: 1e12})
	if err != nil {
		w.T.Fatal(err)
	}
	got := a.Questions[0]
	near := func(x, y float64) bool { return math.Abs(x-y) <= 1e-9*max(1, math.Abs(x)) }
	if len(got.Mechanisms) != len(want.Mechanisms) || got.Total != want.Total || got.Zeros != want.Zeros {
		w.T.Fatalf("supposed: %+v, want %+v", got, want)
	}
	for i, m := range got.Mechanisms {
		n := want.Mechanisms[i]
		same := m.Kind == n.Kind && m.Epsilon == n.Epsilon && m.Problem == n.Problem && m.HalfWidth95 == n.HalfWidth95 && m.AddRemove == n.AddRemove && near(m.L1Bias, n.L1Bias) &&
			near(m.Alpha, n.Alpha) && near(m.MeanVariance, n.MeanVariance) && near(m.Error, n.Error) && near(m.Suppressed, n.Suppressed) && (m.Risk == nil) == (n.Risk == nil) &&
			(m.Risk == nil || sameRisk(m.Risk, *n.Risk, 1e-9)) && m.Today == n.Today
		if !same {
			w.T.Errorf("supposed %s %v: %+v, want %+v", m.Kind, m.Epsilon, m, n)
		}
	}
}
