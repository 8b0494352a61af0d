package mechanisms

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tacit/internal/battery"
	"tacit/policy"
)

// sharesAlone are the shares of releases in which each cell of each group is shown as 1 or more and no other of its group is.
func sharesAlone(shown []Cells, groups [][]int) [][]float64 {
	shares := make([][]float64, len(groups))
	for g, group := range groups {
		shares[g] = make([]float64, len(group))
		for _, cells := range shown {
			survivors, last := 0, 0
			for i, cell := range group {
				if cells.Counts[cell] >= 1 && (cells.Suppressed == nil || !cells.Suppressed[cell]) {
					survivors, last = survivors+1, i
				}
			}
			if survivors == 1 {
				shares[g][last] += 1 / float64(len(shown))
			}
		}
	}
	return shares
}

// Against all places where the cells of two blocks may go, with groups in one block, across both, of one cell, and of all.
func TestAloneOfSwapping(t *testing.T) {
	groups := [][]int{{0, 1}, {0, 1, 2}, {0, 3}, {1, 2, 4, 5}, {4}, {0, 1, 2, 3, 4, 5}, {5, 1}}
	for _, counts := range [][]int64{{3, 0, 2, 0, 1, 4}, {1, 1, 1, 0, 0, 0}, {0, 0, 7, 2, 2, 2}, {0, 0, 0, 0, 0, 0}, {1, 2, 3, 4, 5, 6}} {
		for _, e := range []float64{0.1, 1, 4} {
			m := newMechanism(t, Config{Kind: policy.DPSwapping, Epsilon: epsilonOf(e)})
			got, ok := m.Alone(Histogram{Counts: counts, Blocks: [][]int{{0, 1, 2}, {3, 4, 5}}}, groups)
			if !ok {
				t.Fatal("no probabilities")
			}
			for g, group := range groups {
				want := enumeratedAlone(counts, e, group)
				for i := range group {
					if math.Abs(got[g][i]-want[i]) > 1e-12 {
						t.Errorf("%v, epsilon %v: cell %d of %v is alone with probability %v, enumerated %v", counts, e, group[i], group, got[g][i], want[i])
					}
				}
			}
		}
	}
}

// enumeratedAlone has two blocks of three cells each.
func enumeratedAlone(counts []int64, epsilon float64, group []int) []float64 {
	alone := make([]float64, len(group))
	for first, p := range swapped(epsilon, counts[:3]) {
		for second, q := range swapped(epsilon, counts[3:]) {
			placed := append(strings.Fields(strings.Trim(first, "[]")), strings.Fields(strings.Trim(second, "[]"))...)
			survivors, last := 0, 0
			for i, cell := range group {
				if placed[cell] != "0" {
					survivors, last = survivors+1, i
				}
			}
			if survivors == 1 {
				alone[last] += p * q
			}
		}
	}
	return alone
}

// Against the definition of the noisy threshold, for every way to fill: counts below, at and above it, ties, and groups of one cell.
func TestAloneOfNoisyThreshold(t *testing.T) {
	counts := []int64{0, 1, 2, 5, 5, 9, 0}
	groups := [][]int{{0, 3}, {3, 4}, {5, 1, 2}, {0, 1, 2}, {0, 6}, {5}, {0}, {1, 0}, {0, 1, 2, 3, 4, 5, 6}}
	fills := []policy.Fill{{}, {Kind: policy.FillHalf}, {Kind: policy.FillValue, Value: 1}, {Kind: policy.FillValue, Value: 0}, {Kind: policy.FillValue, Value: 2}, {Kind: policy.FillValue, Value: 6}}
	for _, e := range []float64{0.2, 1, 3} {
		for _, fill := range fills {
			for _, k := range []int64{1, 2, 3, 6} {
				m := newMechanism(t, Config{Kind: policy.DPSuppressionAlg2, Epsilon: epsilonOf(e), K: k, Fill: fill})
				got, ok := m.Alone(Histogram{Counts: counts}, groups)
				if !ok {
					t.Fatal("no probabilities")
				}
				want := aloneByThreshold(asRead(t, m).method.(publishedSuppression), counts, groups)
				for g, group := range groups {
					for i := range group {
						if math.Abs(got[g][i]-want[g][i]) > 1e-9 {
							t.Errorf("k %d, fill %v, epsilon %v: cell %d of %v is alone with probability %v, enumerated %v", k, fill, e, group[i], group, got[g][i], want[g][i])
						}
					}
				}
			}
		}
	}
}

// aloneByThreshold goes through the whole parts of the noisy threshold.
func aloneByThreshold(p publishedSuppression, counts []int64, groups [][]int) [][]float64 {
	lap, reach := floorOfLaplace(1 / p.noise.rate())
	alone := make([][]float64, len(groups))
	for g, group := range groups {
		alone[g] = make([]float64, len(group))
	}
	for i, probability := range lap {
		k := p.k + int64(i) - reach
		cells := Cells{Counts: append([]int64(nil), counts...), Suppressed: make([]bool, len(counts))}
		for c, n := range counts {
			if n <= k {
				cells.suppress(c, k, p.fill)
			}
		}
		for g, shares := range sharesAlone([]Cells{cells}, groups) {
			for j, one := range shares {
				alone[g][j] += one * probability
			}
		}
	}
	return alone
}

// Simulated releases agree, within Hoeffding's inequality: 1e-8 for each of 2 x 8 shares.
func TestAloneInReleases(t *testing.T) {
	const releases = 20_000
	h := Histogram{Counts: []int64{4, 0, 1, 7, 2, 3}, Blocks: [][]int{{0, 1, 2}, {3, 4, 5}}}
	groups := [][]int{{0, 1, 2}, {0, 3}, {1, 4, 5}}
	for i, c := range []Config{{Kind: policy.DPSwapping, Epsilon: 1e9}, {Kind: policy.DPSuppressionAlg2, Epsilon: 1e9, K: 3}} {
		c.Random = battery.Seeded(byte(170 + i))
		m := newMechanism(t, c)
		shown := make([]Cells, releases)
		for j := range shown {
			var err error
			if shown[j], err = m.Sanitize(h); err != nil {
				t.Fatal(err)
			}
		}
		want := sharesAlone(shown, groups)
		got, _ := m.Alone(h, groups)
		for g := range groups {
			for j := range groups[g] {
				if math.Abs(got[g][j]-want[g][j]) > battery.Hoeffding(releases) {
					t.Errorf("%s: cell %d of %v is alone with probability %v, in %v of the releases", c.Kind, groups[g][j], groups[g], got[g][j], want[g][j])
				}
			}
		}
	}
}

// Kinds with a survival have no other form of the same.
func TestAloneIsForDependentCells(t *testing.T) {
	for _, kind := range policy.Kinds {
		c := kindConfig(kind)
		if c.K = 3; kind != policy.Suppression {
			c.Epsilon = 1e9
		}
		m := newMechanism(t, c)
		_, independent := m.Survival()
		if _, ok := m.Alone(oneBlock([]int64{1, 2}), [][]int{{0, 1}}); ok == independent {
			t.Error(fmt.Sprint(kind, ": survival ", independent, ", alone ", ok))
		}
	}
}
