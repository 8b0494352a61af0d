package assess_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"tacit/internal/battery"
	"tacit/mechanisms"
	"tacit/policy"
	"tacit/release/assess"
	"tacit/release/internal/site"
)

// cellsOfAge are the ages of each declared sex, of rows that have one, as the range 0 to 19 holds them.
func cellsOfAge(rows []stayRow) (cells [][]float64, beyond int) {
	cells = make([][]float64, len(staySexes))
	for _, r := range rows {
		if i := slices.Index(staySexes, r.sex); i >= 0 {
			if r.age < 0 || r.age > 19 {
				beyond++
			}
			cells[i] = append(cells[i], float64(min(max(r.age, 0), 19)))
		}
	}
	return cells, beyond
}

func meanAndDeviation(ages []float64) (mean, deviation float64) {
	for _, a := range ages {
		mean += a / float64(len(ages))
	}
	for _, a := range ages {
		deviation += (a - mean) * (a - mean) / float64(len(ages))
	}
	return mean, math.Sqrt(deviation)
}

func spread(figures []float64) assess.Spread {
	slices.Sort(figures)
	return assess.Spread{Smallest: figures[0], Median: figures[len(figures)/2], Largest: figures[len(figures)-1]}
}

func nearSpread(a, b assess.Spread) bool {
	near := func(x, y float64) bool { return math.Abs(x-y) <= 1e-9*(1+math.Abs(y)) }
	return near(a.Smallest, b.Smallest) && near(a.Median, b.Median) && near(a.Largest, b.Largest)
}

// TestAssessSums compares what is said of sums with the rows themselves, and the errors with those of mechanisms that are made here. It fails if
// the parts do not share the loss, if a part has another's sensitivity, if cells or rows are those of other groups, if the numbers beyond the range are
// not told, or if another setting is said to be today's.
func TestAssessSums(t *testing.T) {
	rows := randomStays(400)
	w := newStays(t, "kind: geometric, epsilon: 1", rows)
	a := w.assess(assess.Request{SQL: "SELECT sex, count(*), avg(age), sum(age), stddev_pop(age) FROM stays GROUP BY sex", Epsilons: []policy.Epsilon{1e9, 5e8}})
	if len(a.Joints) != 1 || len(a.Questions) != 0 {
		t.Fatalf("%d joint releases and %d questions", len(a.Joints), len(a.Questions))
	}
	j := a.Joints[0]
	if !j.Declared || j.Threshold || j.Refusal != "" || j.Cells != 3 || len(j.Parts) < 2 || len(j.Mechanisms) != 8 {
		t.Fatalf("%+v", j)
	}
	cells, beyond := cellsOfAge(rows)
	var sizes, means, deviations []float64
	total := 0.0
	for _, ages := range cells {
		mean, deviation := meanAndDeviation(ages)
		sizes, means, deviations = append(sizes, float64(len(ages))), append(means, mean), append(deviations, deviation)
		total += float64(len(ages))
	}
	for _, p := range j.Parts {
		if !nearSpread(p.Rows, spread(sizes)) {
			t.Errorf("%s: rows %+v, want %+v", p.Question, p.Rows, spread(sizes))
		}
		n := p.Number
		if n == nil {
			continue
		}
		if !nearSpread(n.Averages, spread(means)) || math.Abs(n.Beyond-float64(beyond)/total) > 1e-9 || n.Dropped || n.LeftOut != nil || n.Least != "0" || n.Greatest != "19" {
			t.Errorf("%s: %+v, want averages %+v and %d of %v beyond", p.Question, *n, spread(means), beyond, total)
		}
		if n.Deviations != nil && !nearSpread(*n.Deviations, spread(deviations)) {
			t.Errorf("%s: deviations %+v, want %+v", p.Question, *n.Deviations, spread(deviations))
		}
	}
	for _, m := range j.Mechanisms {
		if m.Problem != "" {
			t.Errorf("%s %g: %s", m.Kind, m.Epsilon, m.Problem)
			continue
		}
		if m.Today != (m.Kind == policy.Geometric && m.Epsilon == 1) {
			t.Errorf("%s %g: today is %v", m.Kind, m.Epsilon, m.Today)
		}
		if m.Kind == policy.Geometric {
			checkGeometricParts(t, j, m, spread(sizes))
		}
	}
}

// checkGeometricParts makes the mechanism of each part by the rule of docs/mechanisms.md: each has an equal share of epsilon, and the sensitivity
// that D^d is.
func checkGeometricParts(t *testing.T, j assess.Joint, m assess.JointMechanism, sizes assess.Spread) {
	t.Helper()
	share := policy.Epsilon(m.Epsilon*1e9) / policy.Epsilon(len(j.Parts))
	for i, p := range j.Parts {
		sensitivity, degree := int64(1), 0
		if p.Number != nil {
			sensitivity, degree = 19, 1
			if p.Number.Deviations != nil {
				sensitivity, degree = 19*19, 2
			}
		}
		made, err := mechanisms.New(mechanisms.Config{Kind: policy.Geometric, Epsilon: share, Adjacency: policy.AddRemove, Sensitivity: sensitivity, PerCell: sensitivity, Random: battery.Seeded(1)})
		if err != nil {
			t.Fatal(err)
		}
		e := m.Parts[i]
		if p.Number == nil {
			if e.Count != made.HalfWidth95() || e.Average != nil {
				t.Errorf("%s: %+v, want a count within %d", p.Question, e, made.HalfWidth95())
			}
			continue
		}
		// The least number is 0, so that a sum is made of the other polynomials.
		of, _ := made.SumsWithin95(1, degree)
		weights := map[int]float64{1: 19, 2: 19 + 9.5}[degree]
		if want := weights * float64(of) / float64(sensitivity); math.Abs(e.Sum-want) > 1e-9*want {
			t.Errorf("%s: sums within %g, want %g", p.Question, e.Sum, want)
		}
		all, _ := made.SumsWithin95(1, degree+1)
		width := map[int]float64{1: 19, 2: 1.5 * 19}[degree] * float64(all) / float64(sensitivity)
		want := assess.Spread{Smallest: min(19, width/sizes.Largest), Median: min(19, width/sizes.Median), Largest: min(19, width/sizes.Smallest)}
		if !nearSpread(*e.Average, want) || e.Grid != "1" || e.Rounded {
			t.Errorf("%s: averages within %+v, want %+v, in steps of %s", p.Question, *e.Average, want, e.Grid)
		}
	}
}

// TestAssessDeviation draws noise, and compares errors of a deviation with the bound. Each of 400 draws is beyond it with a probability of at most
// 0.05, were it not to first order; that 50 are has one of less than 1e-8 then. It fails if the derivative lacks a term.
func TestAssessDeviation(t *testing.T) {
	rows := randomStays(3000)
	w := newStays(t, "kind: geometric, epsilon: 1", rows)
	j := w.assess(assess.Request{SQL: "SELECT sex, stddev_pop(age) FROM stays GROUP BY sex"}).Joints[0]
	bound := *j.Mechanisms[0].Parts[0].Deviation
	cells, _ := cellsOfAge(rows)
	slices.SortFunc(cells, func(a, b []float64) int {
		_, x := meanAndDeviation(a)
		_, y := meanAndDeviation(b)
		return int(math.Copysign(1, x-y))
	})
	ages := cells[1]
	_, want := meanAndDeviation(ages)
	made := assessKindOf(t, 19*19)
	missed, largest := 0, 0.0
	for range 400 {
		sums := make([]int64, 3)
		for _, age := range ages {
			x := int64(age)
			for i, term := range []int64{(19 - x) * (19 - x), 2 * x * (19 - x), x * x} {
				sums[i] += term
			}
		}
		c, err := made.Sanitize(mechanisms.Histogram{Counts: sums})
		if err != nil {
			t.Fatal(err)
		}
		p0, p1, p2 := float64(c.Counts[0]), float64(c.Counts[1]), float64(c.Counts[2])
		n, sum := (p0+p1+p2)/(19*19), (p1/2+p2)/19
		off := math.Abs(math.Sqrt(max(0, p2/n-sum/n*sum/n)) - want)
		if largest = max(largest, off); off > bound {
			missed++
		}
	}
	if missed >= 50 || largest < bound/10 {
		t.Errorf("%d of 400 deviations are off by more than %g, the worst by %g", missed, bound, largest)
	}
}

func assessKindOf(t *testing.T, sensitivity int64) *mechanisms.Mechanism {
	t.Helper()
	made, err := mechanisms.New(mechanisms.Config{
		Kind: policy.Geometric, Epsilon: 1e9, Adjacency: policy.AddRemove, Sensitivity: sensitivity, PerCell: sensitivity, Random: battery.Seeded(5), KeepNegative: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// TestAssessSumsOfPersons asks of persons with several rows. It fails if the share that their bounds leave out is not told, or if noise is not that of
// all rows of a person.
func TestAssessSumsOfPersons(t *testing.T) {
	w := newWardOf(t, site.VisitsSchema, strings.Replace(site.VisitsPolicy, "cost: {}", "cost: {range: [0, 10], outside: null}", 1))
	w.Exec(`TRUNCATE clinic.visits; INSERT INTO clinic.visits (patient, house, cost) SELECT 1, 'east', 4 FROM generate_series(1, 90); INSERT INTO clinic.visits (patient, house, cost) SELECT i, 'east', i FROM generate_series(2, 11) AS i`)
	a := w.assess(assess.Request{SQL: "SELECT sum(cost) FROM clinic.visits"})
	j := a.Joints[0]
	n := j.Parts[0].Number
	rows := float64(w.Policy.Tables[0].Person.Rows)
	if want := 1 - (rows+9)/(90+9); n == nil || n.LeftOut == nil || math.Abs(*n.LeftOut-want) > 1e-9 || !n.Dropped {
		t.Fatalf("%+v, want %g left out", n, want)
	}
	if want := 1 / (rows + 10); math.Abs(n.Beyond-want) > 1e-9 {
		t.Errorf("%g beyond, want %g", n.Beyond, want)
	}
	if _, err := assess.CompareBounds(context.Background(), w.Policy, "SELECT sum(cost) FROM clinic.visits"); err == nil || !strings.Contains(err.Error(), "adds up numbers") {
		t.Errorf("bounds: %v", err)
	}
}
