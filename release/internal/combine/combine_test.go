package combine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"tacit/internal/battery"
	"tacit/mechanisms"
	"tacit/policy"
)

func noiseOf(t testing.TB, kind policy.Kind, epsilon float64, keepNegative bool) *mechanisms.Mechanism {
	t.Helper()
	c := mechanisms.Config{Kind: kind, Epsilon: policy.Epsilon(epsilon * 1e9), Adjacency: policy.AddRemove, Sensitivity: 1, PerCell: 1,
		KeepNegative: keepNegative, Random: battery.Seeded(3)}
	if kind.NeedsDelta() {
		c.Delta = policy.MaxDelta / 1e6
	}
	m, err := mechanisms.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func bestOf(t *testing.T, noise *mechanisms.Mechanism, estimates []Estimate, goal int64) *Mean {
	t.Helper()
	m, err := Best(t.Context(), noise, estimates, goal)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Bounds of many kinds are not made for a statement that is over.
func TestBestEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if m, err := Best(ctx, noiseOf(t, policy.Gaussian, 0.05, true), []Estimate{estimate(1, 2), estimate(1, 3)}, 0); !errors.Is(err, context.Canceled) || m != nil {
		t.Errorf("%v, %v", m, err)
	}
}

// estimate gives one count, of so many cells.
func estimate(count int64, added int) Estimate {
	return Estimate{Counts: []int64{count}, Added: []int{added}}
}

// Which estimates an answer is made of, and what it is.
func TestBest(t *testing.T) {
	noise := noiseOf(t, policy.Geometric, 0.05, true)
	for _, c := range []struct {
		name      string
		estimates []Estimate
		sources   []int
		count     int64 // 0 if there is one source
	}{
		{"one", []Estimate{estimate(7, 3)}, []int{0}, 0},
		{"two alike", []Estimate{estimate(10, 3), estimate(20, 3)}, []int{0, 1}, 15},
		{"weights are the inverse of the cells", []Estimate{estimate(10, 2), estimate(22, 4)}, []int{0, 1}, 14},
		{"of little use", []Estimate{estimate(10, 2), estimate(22, 40)}, []int{0}, 0},
		{"a better one", []Estimate{estimate(10, 200), estimate(22, 2)}, []int{1}, 0},
		{"a little better than the answer", []Estimate{estimate(10, 20), estimate(22, 19)}, []int{0, 1}, 16},
		{"little ones together", []Estimate{estimate(100, 1), estimate(0, 12), estimate(0, 12), estimate(0, 12)}, []int{0, 1, 2}, 89},
		{"too large", []Estimate{estimate(10, 3), estimate(1<<60, 3)}, []int{0}, 0},
		{"negative", []Estimate{estimate(-10, 3), estimate(-20, 3)}, []int{0, 1}, -15},
		{"halves are even", []Estimate{estimate(10, 3), estimate(11, 3)}, []int{0, 1}, 10},
		{"and negative ones", []Estimate{estimate(-10, 3), estimate(-13, 3)}, []int{0, 1}, -12},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := bestOf(t, noise, c.estimates, 0)
			if !slices.Equal(m.Sources, c.sources) {
				t.Fatalf("of %v, not %v", m.Sources, c.sources)
			}
			if len(c.sources) > 1 && m.Counts[0] != c.count || len(c.sources) == 1 && m.Counts != nil {
				t.Errorf("the count is %v, not %d", m.Counts, c.count)
			}
		})
	}
	clamped := noiseOf(t, policy.Geometric, 0.05, false)
	if m := bestOf(t, clamped, []Estimate{estimate(10, 3), estimate(10, 15), estimate(10, 15), estimate(20, 5)}, 0); !slices.Equal(m.Sources, []int{0, 3}) {
		t.Errorf("where negative counts are shown as 0: of %v", m.Sources)
	}
	if bestOf(t, noise, nil, 0) != nil {
		t.Error("an answer of no estimates")
	}
}

// What comes later changes an answer only if its error is less by more than 5%.
func TestAnswersStay(t *testing.T) {
	noise := noiseOf(t, policy.Geometric, 0.01, true)
	random := battery.Seeded(5)
	draw := func(n int) int {
		var b [2]byte
		if _, err := random.Read(b[:]); err != nil {
			t.Fatal(err)
		}
		return (int(b[0])<<8 + int(b[1])) % n
	}
	changes, rounds := 0, 15
	if testing.Short() {
		rounds = 5
	}
	for range rounds {
		var estimates []Estimate
		var before *Mean
		for range 8 {
			estimates = append(estimates, estimate(int64(draw(1000)), 1+draw(30)))
			m := bestOf(t, noise, estimates, 0)
			if again := bestOf(t, noise, slices.Clone(estimates), 0); !slices.Equal(again.Sources, m.Sources) || !slices.Equal(again.Counts, m.Counts) {
				t.Fatalf("%v: at first %v of %v, then %v of %v", estimates, m.Counts, m.Sources, again.Counts, again.Sources)
			}
			if before != nil && (!slices.Equal(before.Sources, m.Sources) || !slices.Equal(before.Counts, m.Counts)) {
				changes++
				if 100*m.HalfWidth95() >= 95*before.HalfWidth95() {
					t.Fatalf("%v: from ±%d to ±%d", estimates, before.HalfWidth95(), m.HalfWidth95())
				}
			}
			before = m
		}
	}
	if changes < rounds {
		t.Errorf("%d changes", changes)
	}
}

// Each count has the weights of its own cells, and an error of its own.
func TestKindsOfCounts(t *testing.T) {
	noise := noiseOf(t, policy.Gaussian, 0.05, true)
	m := bestOf(t, noise, []Estimate{{Counts: []int64{10, 10, 10}, Added: []int{9, 9, 1}}, {Counts: []int64{20, 20, 20}, Added: []int{3, 9, 4}}}, 0)
	if m == nil || !slices.Equal(m.Counts, []int64{18, 15, 12}) {
		t.Fatalf("%+v", m)
	}
	var widths []int64
	for cell := range m.Counts {
		w, _ := m.Within(cell, big.NewRat(1, 20))
		widths = append(widths, w)
	}
	one, _ := noise.SumWithin(1, big.NewRat(1, 20))
	for cell, variance := range []float64{9.0 * 3 / 12, 4.5, 0.8} {
		if want := float64(one) * math.Sqrt(variance); math.Abs(float64(widths[cell])-want) > 0.02*want+1 {
			t.Errorf("count %d: ±%d, not ±%v", cell, widths[cell], want)
		}
	}
	if widths[1] != m.HalfWidth95() || m.Noisy() != 18 {
		t.Errorf("%v of at most %d cells, ±%d", widths, m.Noisy(), m.HalfWidth95())
	}
	// so many kinds of counts have no mean
	var many [2]Estimate
	for cell := range maxKinds + 1 {
		for i := range many {
			many[i].Counts, many[i].Added = append(many[i].Counts, 1), append(many[i].Added, 1+cell)
		}
	}
	if m := bestOf(t, noise, many[:], 0); !slices.Equal(m.Sources, []int{0}) {
		t.Errorf("%d kinds: %v", maxKinds+1, m.Sources)
	}
}

// An answer that is asked to be within a goal is made of all that it takes.
func TestGoal(t *testing.T) {
	noise := noiseOf(t, policy.Geometric, 0.05, true)
	estimates := []Estimate{estimate(10, 10), estimate(20, 100)}
	apart := bestOf(t, noise, estimates, 0)
	if len(apart.Sources) != 1 {
		t.Fatalf("of %v", apart.Sources)
	}
	if m := bestOf(t, noise, estimates, apart.HalfWidth95()-1); len(m.Sources) != 2 || m.HalfWidth95() >= apart.HalfWidth95() {
		t.Errorf("±%d of %v", m.HalfWidth95(), m.Sources)
	}
}

// The mean has the least variance that weights which add up to 1 can give, but for the rounding of weights.
func TestLeastVariance(t *testing.T) {
	for _, added := range [][]int{{1, 1}, {3, 9}, {2, 5, 7}, {1, 20, 20, 20}, {4, 6, 9, 30, 31, 100, 5, 5}} {
		k := kindOf(added)
		inverse, variance := 0.0, 0.0
		for _, n := range added {
			inverse += 1 / float64(n)
		}
		for _, part := range k.parts {
			variance += float64(part.Weight*part.Weight*part.Cells) / float64(k.divisor*k.divisor)
		}
		if variance < 1/inverse-1e-12 || variance > 1.02/inverse {
			t.Errorf("%v: variance %v, the least is %v", added, variance, 1/inverse)
		}
	}
}

// Means of n draws, and totals of them, are off by more than is said no more often than in 5% of the draws, and not much less often where negative counts are
// kept, whose bounds are exact but for rounding. With Hoeffding's inequality the share is within sqrt(ln(10^6)/(2n)) of its
// expectation, but with a probability of 1e-6 on either side.
func TestErrorBySimulation(t *testing.T) {
	const n = 10_000
	margin := math.Sqrt(math.Log(1e6) / (2 * n))
	for i, kind := range []policy.Kind{policy.Geometric, policy.Laplace, policy.Gaussian, policy.DiscreteGaussian} {
		for _, keepNegative := range []bool{true, false} {
			if testing.Short() && keepNegative != (i%2 == 0) {
				continue
			}
			name := fmt.Sprintf("%s, keep negative %t", kind, keepNegative)
			noise := noiseOf(t, kind, 0.1, keepNegative)
			mean := bestOf(t, noise, drawn(t, noise), 0)
			if len(mean.Sources) != 3 {
				t.Fatalf("%s: of %v", name, mean.Sources)
			}
			total, _ := mean.TotalWithin(2, big.NewRat(1, 20))
			exceeded, totals := 0, 0
			for range n {
				mean.addUp(drawn(t, noise))
				if max(mean.Counts[0], -mean.Counts[0]) > mean.HalfWidth95() {
					exceeded++
				}
				if sum := mean.Counts[0] + mean.Counts[1]; max(sum, -sum) > total {
					totals++
				}
			}
			share, ofTotals := float64(exceeded)/n, float64(totals)/n
			if share > 0.05+margin || keepNegative && share < 0.035-margin {
				t.Errorf("%s: ±%d is exceeded by %v of means", name, mean.HalfWidth95(), share)
			}
			if ofTotals > 0.05+margin {
				t.Errorf("%s: ±%d is exceeded by %v of totals", name, total, ofTotals)
			}
		}
	}
}

// drawn are three estimates of two counts whose cells are empty, where the error is largest.
func drawn(t *testing.T, noise *mechanisms.Mechanism) (estimates []Estimate) {
	t.Helper()
	for _, m := range []int{2, 5, 3} {
		shown, err := noise.Sanitize(mechanisms.Histogram{Counts: make([]int64, 2*m)})
		if err != nil {
			t.Fatal(err)
		}
		e := Estimate{Counts: make([]int64, 2), Added: []int{m, m}}
		for i, v := range shown.Counts {
			e.Counts[i/m] += v
		}
		estimates = append(estimates, e)
	}
	return estimates
}
