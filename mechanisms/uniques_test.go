package mechanisms

import (
	"math"
	"strings"
	"testing"

	"tacit/internal/battery"
	"tacit/policy"
)

// requireUniques compares with the distribution of what is shown of a cell of one person, which is enumerated, for a table with three.
func requireUniques(t *testing.T, m *Mechanism, shown outcome) {
	t.Helper()
	var one, more float64
	for s, p := range shown {
		if s.count == 1 && !s.suppressed {
			one += p
		}
		if s.count >= 1 && !s.suppressed {
			more += p
		}
	}
	asOne, oneOrMore := m.ExpectUniques(Histogram{Counts: []int64{1, 0, 1, 2, 7, 1}})
	if math.Abs(asOne-3*one) > 1e-9 || math.Abs(oneOrMore-3*more) > 1e-9 {
		t.Errorf("%s epsilon %v k %d fill %v: %v as one and %v as one or more, enumerated %v and %v",
			m.Kind(), m.config.Epsilon, m.config.K, m.config.Fill, asOne, oneOrMore, 3*one, 3*more)
	}
}

// A NULL counts as k/2 in an Expectation, which is 1 or more from k = 2 on, and is nevertheless not shown; a fill value is.
func TestExpectUniques(t *testing.T) {
	fills := []policy.Fill{{}, {Kind: policy.FillHalf}, {Kind: policy.FillValue, Value: 1}, {Kind: policy.FillValue, Value: 0}}
	for _, e := range []float64{0.2, 1, 3} {
		for _, c := range []Config{
			{Kind: policy.Geometric}, {Kind: policy.Geometric, KeepNegative: true}, {Kind: policy.Laplace}, {Kind: policy.Gaussian, Delta: 1e12}, {Kind: policy.DiscreteGaussian, Delta: 1e12},
		} {
			c.Epsilon = epsilonOf(e)
			m := newMechanism(t, c)
			requireUniques(t, m, released(m.method.(additive), 1))
		}
		for _, fill := range fills {
			for _, k := range []int64{1, 2, 3, 6} {
				m := newMechanism(t, Config{Kind: policy.DPSuppression, Epsilon: epsilonOf(e), K: k, Fill: fill})
				requireUniques(t, m, released(m.method.(additive), 1))
				for _, kind := range []policy.Kind{policy.DPSuppressionEq2, policy.DPSuppressionAlg2} {
					m := newMechanism(t, Config{Kind: kind, Epsilon: epsilonOf(e), K: k, Fill: fill})
					shown := make(outcome)
					for o, p := range publishedOutcome(m.method.(publishedSuppression), []int64{1}) {
						shown[o[0]] += p
					}
					requireUniques(t, m, shown)
				}
			}
		}
	}
	for _, fill := range fills {
		for _, k := range []int64{1, 2, 3, 6} {
			m := newMechanism(t, Config{Kind: policy.Suppression, K: k, Fill: fill})
			cells, err := m.Sanitize(Histogram{Counts: []int64{1}})
			if err != nil {
				t.Fatal(err)
			}
			requireUniques(t, m, outcome{cellOf(cells, 0): 1})
		}
	}
}

// Against all places where the cells of a block may go.
func TestExpectUniquesOfSwapping(t *testing.T) {
	for _, counts := range [][]int64{{1}, {1, 0}, {1, 1}, {0, 2, 1}, {1, 1, 1}, {5, 0, 1, 1}, {1, 2, 1, 1, 0}, {0, 4}} {
		for _, e := range []float64{0.1, 1, 4} {
			m := newMechanism(t, Config{Kind: policy.DPSwapping, Epsilon: epsilonOf(e)})
			var one, more float64
			for o, p := range swapped(e, counts) {
				placed := strings.Fields(strings.Trim(o, "[]"))
				for i, n := range counts {
					if n == 1 && placed[i] == "1" {
						one += p
					}
					if n == 1 && placed[i] != "0" {
						more += p
					}
				}
			}
			asOne, oneOrMore := m.ExpectUniques(oneBlock(counts))
			if math.Abs(asOne-one) > 1e-12 || math.Abs(oneOrMore-more) > 1e-12 {
				t.Errorf("%v, epsilon %v: %v and %v, enumerated %v and %v", counts, e, asOne, oneOrMore, one, more)
			}
		}
	}
}

// Simulated releases of every kind show as many uniques, within Hoeffding's inequality (1e-8 for each share of the three uniques).
func TestUniquesOfReleases(t *testing.T) {
	const releases = 30_000
	h := oneBlock([]int64{1, 0, 1, 2, 7, 1})
	for i, kind := range policy.Kinds {
		c := kindConfig(kind)
		if kind != policy.Suppression {
			c.Epsilon = 1e9
		}
		c.K, c.Random = 3, battery.Seeded(byte(150+i))
		m := newMechanism(t, c)
		var one, more float64
		for range releases {
			cells, err := m.Sanitize(h)
			if err != nil {
				t.Fatal(err)
			}
			for j, n := range cells.Counts {
				if h.Counts[j] != 1 || cells.Suppressed != nil && cells.Suppressed[j] {
					continue
				}
				if n == 1 {
					one++
				}
				if n >= 1 {
					more++
				}
			}
		}
		asOne, oneOrMore := m.ExpectUniques(h)
		if limit := 3 * battery.Hoeffding(releases); math.Abs(one/releases-asOne) > limit || math.Abs(more/releases-oneOrMore) > limit {
			t.Errorf("%s: releases show %v and %v, stated %v and %v", kind, one/releases, more/releases, asOne, oneOrMore)
		}
	}
}

// Cells that are fitted to margins: within 0.02 of the share that releases show, for which the normal approximation is close enough at this
// epsilon (Hoeffding's part of that is 0.014, 1e-8).
func TestExpectUniquesOfFittedCells(t *testing.T) {
	const releases = 50_000
	m := newMechanism(t, Config{Kind: policy.DiscreteGaussian, Epsilon: 1e9, Delta: 1e12, KeepNegative: true, Margins: newMargins(t, []int{2, 2}, [][]int{{0}, {}})})
	h := Histogram{Counts: []int64{1, 5, 9, 2}}
	var one, more float64
	for range releases {
		cells, err := m.Sanitize(h)
		if err != nil {
			t.Fatal(err)
		}
		if cells.Counts[0] == 1 {
			one++
		}
		if cells.Counts[0] >= 1 {
			more++
		}
	}
	asOne, oneOrMore := m.ExpectUniques(h)
	if math.Abs(one/releases-asOne) > 0.02 || math.Abs(more/releases-oneOrMore) > 0.02 {
		t.Errorf("releases show %v and %v, stated %v and %v", one/releases, more/releases, asOne, oneOrMore)
	}
}
