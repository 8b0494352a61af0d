package mechanisms

import (
	"fmt"
	"math"
	"testing"

	"tacit/internal/battery"
	"tacit/policy"
)

// selecting are mechanisms with each rule of selection.
func selecting(t *testing.T) map[string]*Mechanism {
	t.Helper()
	made := make(map[string]*Mechanism)
	for _, c := range []Config{
		{Kind: policy.Geometric, Epsilon: 1e9, Delta: 1e16, Sensitivity: 1},
		{Kind: policy.Geometric, Epsilon: 5e8, Delta: 1e15, Sensitivity: 3},
		{Kind: policy.Laplace, Epsilon: 1e9, Delta: 1e16, Sensitivity: 1},
		{Kind: policy.DiscreteGaussian, Epsilon: 1e9, Delta: 1e16, Sensitivity: 1},
		{Kind: policy.DPSuppression, Epsilon: 1e9, Delta: 1e16, Sensitivity: 1, K: 12},
		{Kind: policy.Suppression, Delta: 1e16, Sensitivity: 1, K: 4},
		{Kind: policy.DPSuppressionEq2, Epsilon: 1e9, Delta: 1e16, Sensitivity: 1, K: 4},
	} {
		c.Adjacency, c.PerCell, c.Random = policy.AddRemove, 1, battery.Seeded(byte(len(made)))
		m, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		made[fmt.Sprint(c.Kind, " ", c.Sensitivity)] = m
	}
	return made
}

// Each probability is compared with a share of 20,000 draws. A share differs from it by more than z standard deviations, which are at
// most 0.5/sqrt(20,000), with probability below 2 exp(-z^2/2) (Hoeffding): with z = 6.4 and at most 7 * 24 shares, below 168 * 2.6e-9 = 4.3e-7.
func TestSelectionSurvivalIsThatOfSelect(t *testing.T) {
	const draws, z = 20_000, 6.4
	for name, m := range selecting(t) {
		s, ok := m.SelectionSurvival()
		if !ok {
			t.Errorf("%s: no survival", name)
			continue
		}
		for n := int64(1); n <= 24; n++ {
			if testing.Short() && n%3 != 1 {
				continue
			}
			shown := 0
			for range draws {
				count, ok, err := m.Select(n)
				if err != nil {
					t.Fatal(err)
				}
				if ok && count >= 1 {
					shown++
				}
			}
			if got, want := float64(shown)/draws, s.Survives(n); math.Abs(got-want) > z*0.5/math.Sqrt(draws) {
				t.Errorf("%s: %d people are shown in %v of the draws, want %v", name, n, got, want)
			}
			if sum := s.Survives(n) + s.Vanishes(n); math.Abs(sum-1) > 1e-12 {
				t.Errorf("%s: %d people survive and vanish with probability %v", name, n, sum)
			}
		}
		if s.Survives(0) != 0 || s.Vanishes(0) != 1 {
			t.Errorf("%s: a key that nobody has is shown with probability %v", name, s.Survives(0))
		}
	}
}

// A person alone with her key is shown with at most delta, by the guarantee; the truncated rule attains nearly that, and its digits would
// be gone if the tails were subtracted.
func TestSelectionSurvivalOfOnePerson(t *testing.T) {
	for name, m := range selecting(t) {
		if !m.config.Kind.Guaranteed() {
			continue
		}
		s, _ := m.SelectionSurvival()
		delta := float64(m.config.Delta) / 1e18 / float64(m.config.Sensitivity)
		if one := s.Survives(1); !(one > 0 && one <= delta*(1+1e-12)) {
			t.Errorf("%s: one person is shown with probability %v, more than %v", name, one, delta)
		}
	}
	d := truncatedThreshold{newDiscreteLaplace(1e7, 1), 4000} // epsilon 0.01
	want := math.Expm1(0.01) / (math.Exp(40.01) + math.Exp(40) - 2)
	if got := d.shows(1); math.Abs(got/want-1) > 1e-9 {
		t.Errorf("P(X = 4000) is %v, want %v", got, want)
	}
}

// Thresholds that follow from epsilon fall in steps: between two of them less noise shows fewer of the counts below. Those that are
// configured do not, and the probabilities then move one way.
func TestSelectionSurvivalIsNotMonotone(t *testing.T) {
	t.Parallel()
	for name, m := range selecting(t) {
		falls, rises := false, false
		before := math.NaN()
		for epsilon := 1e8; epsilon < 4e9; epsilon *= 1.01 {
			c := m.config
			if c.Kind != policy.Suppression {
				c.Epsilon = policy.Epsilon(epsilon)
			}
			again, err := New(c)
			if err != nil {
				t.Fatal(err)
			}
			s, _ := again.SelectionSurvival()
			now := s.Survives(3)
			falls, rises = falls || now < before*(1-1e-9), rises || now > before*(1+1e-9)
			before = now
		}
		s, _ := m.SelectionSurvival()
		if s.Monotone() == (falls && rises) {
			t.Errorf("%s: falls %t, rises %t, but monotone is %t", name, falls, rises, s.Monotone())
		}
		if cells, ok := m.Survival(); ok && !cells.Monotone() {
			t.Errorf("%s: the survival of cells is not monotone", name)
		}
	}
}

// At 2k people the largest noise against them, -k, is the only one that withholds them, and beyond none is.
func TestTruncatedThresholdAtItsEnds(t *testing.T) {
	d := truncatedThreshold{newDiscreteLaplace(1e9, 1), 7}
	z, all := d.noise, 0.0
	for x := -d.k; x <= d.k; x++ {
		all += z.probability(x)
	}
	least := z.probability(d.k) / all
	if got := d.withholds(2 * d.k); math.Abs(got/least-1) > 1e-12 {
		t.Errorf("2k people are withheld with probability %v, want %v", got, least)
	}
	if got := d.shows(1); math.Abs(got/least-1) > 1e-12 {
		t.Errorf("one person is shown with probability %v, want %v", got, least)
	}
	if d.withholds(2*d.k+1) != 0 || d.shows(2*d.k+1) != 1 {
		t.Errorf("2k+1 people are withheld with probability %v", d.withholds(2*d.k+1))
	}
}

func TestNoSelectionSurvivalWithoutSelection(t *testing.T) {
	m, err := New(Config{Kind: policy.Geometric, Epsilon: 1e9, Adjacency: policy.AddRemove, Sensitivity: 1, PerCell: 1, Random: battery.Seeded(1)})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := m.SelectionSurvival(); ok {
		t.Error("a mechanism that selects no keys has a survival of keys")
	}
}
