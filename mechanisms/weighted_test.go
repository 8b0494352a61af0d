package mechanisms

import (
	"math"
	"math/big"
	"testing"

	"tacit/internal/battery"
	"tacit/policy"
)

// weightedErrors is the distribution of the weighted sum of the errors of cells that all have a true count, by convolution of one cell after the other.
func weightedErrors(a additive, parts []Weighted, count, reach int64) map[int64]float64 {
	sum := map[int64]float64{0: 1}
	for _, part := range parts {
		for range part.Cells {
			next := make(map[int64]float64)
			for s, p := range sum {
				for z := -reach; z <= reach; z++ {
					e := z
					if !a.keepNegative {
						e = max(z, -count)
					}
					next[s+int64(part.Weight)*e] += p * a.noise.probability(z)
				}
			}
			sum = next
		}
	}
	return sum
}

// The bound holds for whatever true counts, and is the smallest that holds for all of them: of cells that keep negative counts it is exact.
func TestWeightedErrorByEnumeration(t *testing.T) {
	miss := big.NewRat(1, 20)
	for _, kind := range additiveKinds {
		for _, keepNegative := range []bool{true, false} {
			m, a, reach := additiveOf(t, kind, keepNegative)
			for _, parts := range [][]Weighted{{{3, 1}}, {{2, 1}, {1, 2}}, {{16, 1}, {5, 3}}, {{1, 2}, {2, 2}, {7, 1}}} {
				w, ok := m.WeightedWithin(parts, miss)
				if !ok {
					t.Fatalf("%s: no error of weighted sums", kind)
				}
				for _, count := range []int64{0, 1, 3, 1000} {
					if p := beyondWidth(weightedErrors(a, parts, count, reach), w); p > 0.05 {
						t.Errorf("%s, keep negative %t, %v: of cells of %d the error is beyond %d with probability %v", kind, keepNegative, parts, count, w, p)
					}
				}
				if p := beyondWidth(weightedErrors(a, parts, 0, reach), w-1); keepNegative && p <= 0.05-1e-5 {
					t.Errorf("%s, %v: one less than %d has probability %v, too", kind, parts, w, p)
				}
			}
		}
	}
}

// With one weight the bound is that of a sum of cells, as often.
func TestWeightedErrorIsThatOfSums(t *testing.T) {
	m, _, _ := additiveOf(t, policy.Geometric, false)
	for _, cells := range []int{1, 2, 7} {
		sum, _ := m.SumWithin(cells, big.NewRat(1, 100))
		for _, weight := range []int{1, 3} {
			if w, ok := m.WeightedWithin([]Weighted{{weight, cells}}, big.NewRat(1, 100)); !ok || w != int64(weight)*sum {
				t.Errorf("%d cells with weight %d: ±%d, not %d times ±%d", cells, weight, w, weight, sum)
			}
		}
	}
}

// Weighted sums of n draws exceed the bound no more often than 5% of the time, and of cells that keep negative counts not much less often: also where
// the steps of the lattice are larger than the weights. With Hoeffding's inequality the share is within sqrt(ln(10^6)/(2n)) of its expectation, but with
// probability 1e-6 on either side.
func TestWeightedErrorBySimulation(t *testing.T) {
	t.Parallel()
	const n = 20_000
	margin := math.Sqrt(math.Log(1e6) / (2 * n))
	parts := []Weighted{{16, 3}, {5, 9}, {1, 4}}
	for i, kind := range additiveKinds {
		for j, scale := range []float64{0.7, 30, 40_000} {
			for _, keepNegative := range []bool{true, false} {
				if testing.Short() && (keepNegative != (i%2 == 0) || (i+j)%2 != 0) {
					continue
				}
				c := ofScale(kind, scale)
				c.Random, c.KeepNegative = battery.Seeded(byte(i+1)), keepNegative
				m := newMechanism(t, c)
				w, _ := m.WeightedWithin(parts, big.NewRat(1, 20))
				exceeded := 0
				simulate(t, m, make([]int64, 16), n, func(shown []int64) {
					sum, next := int64(0), 0
					for _, part := range parts {
						for range part.Cells {
							sum += int64(part.Weight) * shown[next]
							next++
						}
					}
					if max(sum, -sum) > w {
						exceeded++
					}
				})
				share := float64(exceeded) / n
				if share > 0.05+margin || keepNegative && scale > 1 && share < 0.04-margin {
					t.Errorf("%s, scale %v, keep negative %t: ±%d is exceeded by %v of sums", kind, scale, keepNegative, w, share)
				}
			}
		}
	}
}

func TestNoWeightedError(t *testing.T) {
	m, _, _ := additiveOf(t, policy.Geometric, false)
	for _, parts := range [][]Weighted{nil, {{0, 1}}, {{1, 0}}, {{maxWeight + 1, 1}}} {
		if w, ok := m.WeightedWithin(parts, big.NewRat(1, 20)); ok {
			t.Errorf("%v: ±%d", parts, w)
		}
	}
	swaps := newMechanism(t, kindConfig(policy.DPSwapping))
	if w, ok := swaps.WeightedWithin([]Weighted{{1, 2}}, big.NewRat(1, 20)); ok {
		t.Errorf("swapped counts: ±%d", w)
	}
}
