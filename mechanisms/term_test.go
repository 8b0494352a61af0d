package mechanisms

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"tacit/accountant/composition"
	"tacit/policy"
)

// The term of each kind, for a person of one row and one of two rows, in different cells or in one.
func TestTerms(t *testing.T) {
	texts := map[policy.Kind][3]string{
		policy.Geometric:         {"geometric epsilon=0.5 moves=1", "geometric epsilon=0.5 moves=2", "approximate epsilon=0.5"},
		policy.Laplace:           {"laplace epsilon=0.5 moves=1", "laplace epsilon=0.5 moves=2", "approximate epsilon=0.5"},
		policy.DPSuppression:     {"geometric epsilon=0.5 moves=1", "geometric epsilon=0.5 moves=2", "approximate epsilon=0.5"},
		policy.Suppression:       {},
		policy.DPSuppressionEq2:  {},
		policy.DPSuppressionAlg2: {},
		policy.DPSwapping:        {},
	}
	for kind, want := range texts {
		for i, s := range []int64{1, 2, 2} {
			c := kindConfig(kind)
			c.Delta, c.Sensitivity, c.PerCell = 1e12, s, 1
			if i == 2 {
				c.PerCell = 2
			}
			m := newMechanism(t, c)
			threshold := want[i] + " delta=1e-6"
			if want[i] == "" {
				threshold = ""
			}
			if m.Term().String() != want[i] || m.ThresholdTerm().String() != threshold {
				t.Errorf("%s, %d rows, %d in a cell: %q and %q, want %q", kind, s, c.PerCell, m.Term(), m.ThresholdTerm(), want[i])
			}
		}
	}
}

// deltaOf is what a term says of one release, rounded up.
func deltaOfTerm(term composition.Term, epsilon float64) composition.Bound {
	return composition.Delta(composition.Tally{term: 1}, epsilon)
}

// A term dominates every pair of neighbours that a person's rows can make, in either order, at any epsilon. Where it says how many cells
// move, it is no larger than the worst of them but for rounded noise.
func TestTermDominatesNeighbours(t *testing.T) {
	for _, kind := range []policy.Kind{policy.Geometric, policy.Laplace, policy.DiscreteGaussian, policy.Gaussian} {
		for _, adjacency := range bothAdjacencies {
			for _, s := range []int64{1, 2, 3} {
				for perCell := int64(1); perCell <= s; perCell++ {
					c := Config{Kind: kind, Epsilon: 2e9, Delta: 1e15, Adjacency: adjacency, Sensitivity: s, PerCell: perCell, KeepNegative: true}
					t.Run(fmt.Sprintf("%s/%s/%d/%d", kind, adjacency, s, perCell), func(t *testing.T) { checkTerm(t, newMechanism(t, c)) })
				}
			}
		}
	}
}

func checkTerm(t *testing.T, m *Mechanism) {
	c, term := m.config, m.Term()
	z := m.method.(additive).noise
	if g, ok := z.(*gaussian); ok && !g.discrete && c.distance() > 2 {
		t.Skip("too many losses of rounded Gaussian noise to go through; its term depends on the l2 distance alone")
	}
	for _, epsilon := range []float64{0, 0.3, 1, 1.8} {
		stated := deltaOfTerm(term, epsilon)
		var worst float64
		for _, w := range differences(c.Sensitivity, c.PerCell, c.Adjacency) {
			if g, ok := z.(*gaussian); ok && g.discrete {
				worst = max(worst, discreteGaussianShift(g, w, epsilon))
			} else {
				worst = max(worst, spreadDelta(z, w, epsilon))
			}
		}
		if worst > stated.Upper*(1+1e-9)+1e-12 {
			t.Errorf("%v at %v: stated %v, exact %v", term, epsilon, stated, worst)
		}
		exact := term.Noise == composition.GeometricNoise || term.Noise == composition.DiscreteGaussianNoise && term.Moves > 0
		if exact && worst < stated.Upper-stated.Error-1e-9 {
			t.Errorf("%v at %v: stated %v, and the worst neighbours have %v", term, epsilon, stated, worst)
		}
	}
}

// A threshold's term dominates what both rules show of neighbours with keys of their own, at any epsilon.
func TestThresholdTermDominatesNeighbours(t *testing.T) {
	for i, c := range []struct {
		adjacency policy.Adjacency
		s         int
		reach     int64
	}{
		{policy.AddRemove, 1, 300}, {policy.ReplaceOne, 1, 60}, {policy.AddRemove, 2, 60}, {policy.AddRemove, 3, 24}, {policy.ReplaceOne, 2, 8},
	} {
		for j, d := range []float64{1e-6, 0.01, 0.2} {
			if testing.Short() && (i+j)%2 != 0 {
				continue
			}
			config := Config{Epsilon: 1e9, Delta: deltaOf(d), Adjacency: c.adjacency, Sensitivity: int64(c.s)}
			for _, rule := range rulesOf(t, config) {
				config.Kind = policy.Kind(rule.name)
				if rule.name == "truncated" {
					config.Kind = policy.Geometric
				}
				term := newMechanism(t, config).ThresholdTerm()
				for _, epsilon := range []float64{0, 0.3, 0.8, 1} {
					exact := worstSelection(rule.selection, c.adjacency, c.s, epsilon, c.reach)
					if stated := deltaOfTerm(term, epsilon); exact > stated.Upper*(1+1e-9)+1e-12 {
						t.Errorf("%s, %v, %s, %d keys, at %v: stated %v, exact %v", rule.name, term, c.adjacency, c.s, epsilon, stated, exact)
					}
				}
			}
		}
	}
}

// The guide compares how many counts fit into a budget with geometric and with Gaussian noise.
func TestCountsOfTheGuide(t *testing.T) {
	text, err := os.ReadFile("../docs/mechanisms.md")
	if err != nil {
		t.Fatal(err)
	}
	var c composition.Composer
	numbers := make([]any, 0, 4)
	for _, config := range []Config{{Kind: policy.Geometric, Epsilon: 1e8}, {Kind: policy.Gaussian, Epsilon: 4e8, Delta: 1e12}} {
		m := newMechanism(t, config)
		f := composition.Filter{Rule: policy.PLDComposition, Epsilon: 10e9, Delta: 1e12, Main: m.Term()}
		n := int64(0)
		for c.Covers(f, composition.Tally{m.Term(): n + 1}) {
			n++
		}
		numbers = append(numbers, n, m.method.(additive).halfWidth())
	}
	want := fmt.Sprintf("%d counts fit into (10, 10⁻⁶) with geometric noise of ±%d each (ε = 0.1), and %d with Gaussian noise of ±%d (ε = 0.4, δ =\n10⁻⁶)", numbers...)
	if !strings.Contains(string(text), want) {
		t.Errorf("the guide does not say %q", want)
	}
}
