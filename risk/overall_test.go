package risk

import (
	"errors"
	"math"
	"testing"

	"tacit/accountant/composition"
	"tacit/mechanisms"
	"tacit/policy"
)

// jointTable has two cells of one kind, and three others. Its attributes have 2 and 3 labels.
func jointTable() *JointTable {
	return &JointTable{Labels: []int{2, 3}, Patterns: []JointPattern{
		{Counts: [][]int64{{4}, {2, 2}}, Cells: 2},
		{Counts: [][]int64{{3, 1}, {4}}, Cells: 1},
		{Counts: [][]int64{{1}, {1}}, Cells: 1},
		{Counts: [][]int64{{3, 3}, {4, 1, 1}}, Cells: 1},
	}}
}

// overallByHand averages what of makes of the risks of both attributes in each cell.
func overallByHand(cell func(j, labels int, counts []int64) float64, of func(first, second float64) float64) Average {
	table := jointTable()
	var out Average
	for _, p := range table.Patterns {
		risk := of(cell(0, 2, p.Counts[0]), cell(1, 3, p.Counts[1])) * float64(p.Cells)
		out.Unweighted += risk / 5
		out.Weighted += risk * float64(Pattern{Counts: p.Counts[0]}.Records()) / 19
	}
	return out
}

func agreeAverages(t *testing.T, what string, got, want Average) {
	t.Helper()
	agree(t, what, got.Unweighted, want.Unweighted)
	agree(t, what+", weighted", got.Weighted, want.Weighted)
}

func plus(a, b float64) float64 { return a + b }

func TestOverall(t *testing.T) {
	table := jointTable()
	for name, s := range noises() {
		for _, v := range Versions {
			local := func(_, labels int, counts []int64) float64 { return Local(s, v, labels, counts) }
			expected := func(_, labels int, counts []int64) float64 {
				p := make([]float64, labels)
				n := Pattern{Counts: counts}.Records()
				for k, count := range counts {
					p[k] = float64(count) / float64(n)
				}
				return Expected(hidden{s}, v, p, n)
			}
			for _, c := range []struct {
				measure string
				cell    func(j, labels int, counts []int64) float64
				overall func(Survival, Version) (Overall, error)
			}{{"local", local, table.Local}, {"expected", expected, table.Expected}} {
				got, err := c.overall(hidden{s}, v)
				if err != nil {
					t.Fatal(err)
				}
				what := c.measure + ", " + name + ", " + string(v)
				agreeAverages(t, what+", first", got.Each[0], overallByHand(c.cell, func(a, _ float64) float64 { return a }))
				agreeAverages(t, what+", second", got.Each[1], overallByHand(c.cell, func(_, b float64) float64 { return b }))
				agreeAverages(t, what+", bounded", got.Bounded, overallByHand(c.cell, math.Max))
				agreeAverages(t, what+", unbounded", got.Unbounded, overallByHand(c.cell, plus))
			}
		}
	}
	// Without noise each attribute discloses its homogeneous cells: 3 of 5 cells the first, 2 of 5 the second, 4 of 5 one of them.
	got, err := table.Local(NoNoise, Event)
	if err != nil {
		t.Fatal(err)
	}
	agree(t, "bounded without noise", got.Bounded.Unweighted, 0.8)
	agree(t, "unbounded without noise", got.Unbounded.Unweighted, 1)
}

func TestOverallRefuses(t *testing.T) {
	for name, change := range map[string]func(t *JointTable){
		"no attribute":     func(t *JointTable) { t.Labels = nil },
		"one more":         func(t *JointTable) { t.Labels = append(t.Labels, 2) },
		"too few labels":   func(t *JointTable) { t.Labels[1] = 2 },
		"other records":    func(t *JointTable) { t.Patterns[1].Counts[1] = []int64{5} },
		"a count of 0":     func(t *JointTable) { t.Patterns[2].Counts[0] = []int64{1, 0} },
		"no cells of them": func(t *JointTable) { t.Patterns[2].Cells = 0 },
	} {
		table := jointTable()
		change(table)
		if _, err := table.Local(NoNoise, Event); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// laplaceOf is one release of Laplace noise that costs epsilon.
func laplaceOf(spent composition.Spent) (Survival, error) {
	law, err := mechanisms.LaplaceLaw(1e9 / float64(spent.Epsilon))
	return law.Survival(), err
}

func geometricTerm(epsilon policy.Epsilon) composition.Term {
	return composition.Term{Noise: composition.GeometricNoise, Epsilon: epsilon, Moves: 1}
}

// Under basic composition epsilons of 0.2, 0.5 and 0.4 add up.
func TestSequential(t *testing.T) {
	table := jointTable()
	q := Sequence{
		Releases: []composition.Term{geometricTerm(2e8), geometricTerm(5e8), geometricTerm(4e8)},
		Filter:   composition.Filter{Rule: policy.BasicComposition},
		At:       laplaceOf,
		Version:  Event,
	}
	for _, anew := range []bool{false, true} {
		q.Anew = anew
		steps, err := table.Sequential(q)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []policy.Epsilon{2e8, 7e8, 11e8} {
			if steps[i].Spent.Epsilon != want || len(steps[i].Overall.Each) != i {
				t.Errorf("step %d: %+v", i, steps[i])
			}
		}
		if (steps[0].Overall.Bounded != Average{}) || (steps[0].Overall.Unbounded != Average{}) {
			t.Errorf("quasi-identifiers alone have a risk: %+v", steps[0])
		}
		first := table.attribute(0)
		agreeAverages(t, "first", steps[1].Overall.Each[0], first.Local(laplace(0.7), Event))
		agreeAverages(t, "first alone, bounded", steps[1].Overall.Bounded, first.Local(laplace(0.7), Event))
		epsilon := 0.7
		if anew {
			epsilon = 1.1
		}
		cell := func(j, labels int, counts []int64) float64 {
			return Local(laplace([]float64{epsilon, 1.1}[j]), Event, labels, counts)
		}
		agreeAverages(t, "bounded", steps[2].Overall.Bounded, overallByHand(cell, math.Max))
		agreeAverages(t, "unbounded", steps[2].Overall.Unbounded, overallByHand(cell, plus))
	}
}

// All rules of the project: what is spent is what the composer says, and the risk is at that. Under those that need a delta the loss of
// a few releases is at most that of basic composition.
func TestSequentialRules(t *testing.T) {
	table := jointTable()
	releases := []composition.Term{geometricTerm(1e8), geometricTerm(1e8), geometricTerm(1e8)}
	for _, rule := range []policy.Composition{policy.BasicComposition, policy.AdvancedComposition, policy.ZCDPComposition, policy.PLDComposition} {
		filter := composition.Filter{Rule: rule, Delta: 1e13, Main: releases[0]}
		steps, err := table.Sequential(Sequence{Releases: releases, Filter: filter, At: laplaceOf, Version: Records})
		if err != nil {
			t.Fatal(err)
		}
		var composer composition.Composer
		for i, step := range steps {
			if want := composer.Spent(filter, composition.Tally{releases[0]: int64(i + 1)}); step.Spent != want {
				t.Errorf("%s, step %d: spent %+v, want %+v", rule, i, step.Spent, want)
			}
			if step.Spent.Epsilon > policy.Epsilon(i+1)*1e8 {
				t.Errorf("%s, step %d: spent %+v, more than by basic composition", rule, i, step.Spent)
			}
		}
		s, err := laplaceOf(steps[2].Spent)
		if err != nil {
			t.Fatal(err)
		}
		agreeAverages(t, string(rule), steps[2].Overall.Each[1], table.attribute(1).Local(s, Records))
		if steps[1].Overall.Unbounded.Weighted > steps[2].Overall.Unbounded.Weighted || steps[1].Overall.Bounded.Weighted > steps[2].Overall.Bounded.Weighted {
			t.Errorf("%s: the overall risk falls: %+v", rule, steps)
		}
	}
}

func TestSequentialRefuses(t *testing.T) {
	good := func() Sequence {
		return Sequence{Releases: []composition.Term{geometricTerm(1e8), geometricTerm(1e8), geometricTerm(1e8)},
			Filter: composition.Filter{Rule: policy.BasicComposition}, At: laplaceOf, Version: Event}
	}
	for name, change := range map[string]func(q *Sequence){
		"two releases":  func(q *Sequence) { q.Releases = q.Releases[:2] },
		"no survival":   func(q *Sequence) { q.At = nil },
		"no version":    func(q *Sequence) { q.Version = "" },
		"a failing one": func(q *Sequence) { q.At = func(composition.Spent) (Survival, error) { return nil, errors.New("no") } },
		"Gaussian noise": func(q *Sequence) {
			q.Releases[1] = composition.Term{Noise: composition.GaussianNoise, Variance: composition.Ratio{Numerator: 4, Denominator: 1}, Squared: 1}
		},
	} {
		q := good()
		change(&q)
		if _, err := jointTable().Sequential(q); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
