package mechanisms

import (
	"math"
	"math/big"
	"testing"

	"tacit/internal/battery"
	"tacit/policy"
)

// Intervals hold the true count with a probability of 0.95 or more, whatever it is: enumerated.
func TestIntervalsCover(t *testing.T) {
	fills := []policy.Fill{{}, {Kind: policy.FillHalf}, {Kind: policy.FillValue, Value: 0}, {Kind: policy.FillValue, Value: 3}, {Kind: policy.FillValue, Value: 60}}
	tried := 0
	for _, kind := range policy.Kinds {
		if kind == policy.DPSwapping {
			continue
		}
		for _, fill := range fills {
			if !kind.Suppresses() && fill.Kind != policy.FillNull {
				continue
			}
			for _, e := range []float64{0.2, 1, 5} {
				for _, k := range []int64{1, 6, 51} {
					for _, keep := range []bool{false, true} {
						if keep && kind.Suppresses() || k != 6 && !kind.Suppresses() {
							continue // the same mechanism again
						}
						if tried++; testing.Short() && tried%4 != 0 {
							continue
						}
						c := kindConfig(kind)
						c.Fill, c.K, c.KeepNegative = fill, k, keep
						if kind != policy.Suppression {
							c.Epsilon = epsilonOf(e)
						}
						m := newMechanism(t, c)
						for _, n := range []int64{0, 1, 2, k - 1, k, k + 1, k + 3, k + 9, 2 * k, 60, 200} {
							for _, level := range []float64{0.5, 0.95, 0.999} {
								if p := coverage(m, n, 1-level); p < level-1e-12 {
									t.Errorf("%s %v, k %d, fill %v: %d persons are covered with probability %v instead of %v", kind, c.Epsilon, k, fill, n, p, level)
								}
							}
						}
					}
				}
			}
		}
	}
}

func coverage(m *Mechanism, n int64, miss float64) float64 {
	var covered float64
	add := func(s shown, p float64) {
		if interval, ok := m.Interval(s.count, s.suppressed, new(big.Rat).SetFloat64(miss)); ok && interval.Low <= n && n <= interval.High {
			covered += p
		}
	}
	switch method := m.method.(type) {
	case additive:
		for s, p := range released(method, n) {
			add(s, p)
		}
	case publishedSuppression:
		if method.kind == policy.Suppression {
			cells, _ := m.Sanitize(Histogram{Counts: []int64{n}})
			add(cellOf(cells, 0), 1)
			break
		}
		for o, p := range publishedOutcome(method, []int64{n}) {
			add(o[0], p)
		}
	}
	return covered
}

// They are not wider than they need be: one less would miss too often, or noise is 0 that often anyway.
func TestHalfWidthIsSmallest(t *testing.T) {
	for _, f := range noiseFamilies() {
		for _, scale := range []float64{0.1, 0.5, 1, 3, 100, 999, 1001, 5000} {
			z := f.make(t, scale)
			w := halfWidth95(z)
			if miss := 2 * z.upperTail(w+1); miss > 0.05 {
				t.Errorf("%s of scale %v: noise is beyond %d with probability %v", f.name, scale, w, miss)
			}
			if w > 0 && 2*z.upperTail(w) <= 0.05*(1-1e-9) {
				t.Errorf("%s of scale %v: %d is more than need be", f.name, scale, w)
			}
		}
	}
}

func TestIntervalsOfExtremes(t *testing.T) {
	m := newMechanism(t, Config{Kind: policy.Geometric, Epsilon: 1})
	w := m.HalfWidth95()
	for shown, want := range map[int64]Interval{
		0:                 {0, w},
		-5:                {0, w - 5},
		-w - 1:            {0, 0},
		math.MinInt64:     {0, 0},
		math.MaxInt64:     {math.MaxInt64 - w, math.MaxInt64},
		math.MaxInt64 - 1: {math.MaxInt64 - 1 - w, math.MaxInt64},
	} {
		if got, ok := m.Interval95(shown, false); !ok || got != want {
			t.Errorf("interval of %d is %v, want %v", shown, got, want)
		}
	}
	if _, ok := newMechanism(t, kindConfig(policy.DPSwapping)).Interval95(3, false); ok {
		t.Error("a swapped count has an interval")
	}
	for _, kind := range []policy.Kind{policy.DPSwapping, policy.Suppression, policy.DPSuppressionEq2} {
		if w := newMechanism(t, kindConfig(kind)).HalfWidth95(); w != 0 {
			t.Errorf("%s: half-width %d", kind, w)
		}
	}
}

// By the exact distribution of the largest of so many draws: the half width covers it, and the next smaller one would not by the union bound.
// The half width of one count does not cover many, which is what a reader of the largest counts has to know.
func TestAllWithinCoversTheLargestError(t *testing.T) {
	covers := func(z noise, w int64, counts int) float64 {
		return math.Exp(float64(counts) * math.Log1p(-2*z.upperTail(w+1)))
	}
	for _, kind := range additiveKinds {
		for _, epsilon := range []policy.Epsilon{1e8, 5e8, 2e9} {
			c := kindConfig(kind)
			c.Epsilon = epsilon
			m := newMechanism(t, c)
			z := m.method.(additive).noise
			for _, counts := range []int{1, 2, 8, 100, 47848, 100_000} {
				w, ok := m.AllWithin95(counts)
				if !ok || covers(z, w, counts) < 0.95*(1-1e-9) {
					t.Errorf("%s, epsilon %v, %d counts: within ±%d with probability %v", kind, epsilon, counts, w, covers(z, w, counts))
				}
				if w > 0 && 2*float64(counts)*z.upperTail(w) <= 0.05*(1-1e-6) {
					t.Errorf("%s, epsilon %v, %d counts: ±%d is enough, not only ±%d", kind, epsilon, counts, w-1, w)
				}
				if counts >= 100 && covers(z, m.HalfWidth95(), counts) > 0.1 {
					t.Errorf("%s, epsilon %v: the half width of one count covers %d", kind, epsilon, counts)
				}
			}
			if one, _ := m.AllWithin95(1); one != m.HalfWidth95() {
				t.Errorf("%s: ±%d of one count, ±%d of all of one", kind, m.HalfWidth95(), one)
			}
		}
	}
}

// What suppresses without noise, swaps or fits says nothing of all counts at once.
func TestAllWithinOfOtherKinds(t *testing.T) {
	for _, kind := range []policy.Kind{policy.Suppression, policy.DPSuppressionEq2, policy.DPSwapping} {
		if w, ok := newMechanism(t, kindConfig(kind)).AllWithin95(10); ok {
			t.Errorf("%s: all within ±%d", kind, w)
		}
	}
}

// Truncated noise is within its bound for certain, and a threshold with other noise has no such bound.
func TestSelectedWithin(t *testing.T) {
	c := kindConfig(policy.Geometric)
	c.Epsilon, c.Delta, c.Random = 5e8, 1e12, battery.Seeded(1)
	m := newMechanism(t, c)
	w, ok := m.SelectedWithin()
	if _, truncated := m.selection().(truncatedThreshold); !truncated || !ok {
		t.Fatalf("the threshold of geometric noise is %T, bound %d, %v", m.selection(), w, ok)
	}
	for range 20_000 {
		if shown, passed, err := m.Select(40); err != nil || passed && (shown > 40+w || shown < 40-w) {
			t.Fatalf("40 is shown as %d, within ±%d: %v", shown, w, err)
		}
	}
	c.Kind = policy.Gaussian
	if w, ok := newMechanism(t, c).SelectedWithin(); ok {
		t.Errorf("selected counts with Gaussian noise are within ±%d", w)
	}
}

// Of a key that a threshold shows, the interval holds the true count with the stated probability given that it is shown, also where it is
// shown only because of large noise: by the exact distribution of what is shown.
func TestSelectedIntervalsCover(t *testing.T) {
	for i, kind := range []policy.Kind{policy.Geometric, policy.Laplace, policy.Gaussian, policy.DiscreteGaussian, policy.DPSuppression} {
		for j, e := range []float64{0.3, 1, 4} {
			if testing.Short() && (i+j)%3 != 0 {
				continue
			}
			c := kindConfig(kind)
			c.Epsilon, c.Delta = epsilonOf(e), delta(t, "1e-6")
			m := newMechanism(t, c)
			s := m.selection()
			plain, missed := m.HalfWidth95(), 0.0
			for _, n := range []int64{1, 2, 5, s.threshold() - 1, s.threshold(), s.threshold() + 7, 400} {
				for _, level := range []float64{0.5, 0.95, 0.999} {
					p := selected(s, n, 2000)
					covered, shown := 0.0, 0.0
					for i, q := range p[1:] {
						count := s.threshold() + int64(i)
						shown += q
						if in, ok := m.SelectedInterval(count, new(big.Rat).SetFloat64(1-level)); ok && in.Low <= n && n <= in.High {
							covered += q
						}
						if n == 1 && count-plain > n {
							missed += q
						}
					}
					if covered < level*shown-1e-12 {
						t.Errorf("%s %v: %d persons are covered with probability %v instead of %v", kind, e, n, covered/shown, level)
					}
				}
			}
			if missed == 0 {
				t.Errorf("%s %v: an interval by the half width of noise would do, and the test shows nothing", kind, e)
			}
		}
	}
	if _, ok := newMechanism(t, kindConfig(policy.DPSwapping)).SelectedInterval(30, big.NewRat(1, 20)); ok {
		t.Error("a swapped count has an interval")
	}
}

// Beyond the level for which the width of fitted cells was made, it is Chebyshev's: wider at higher levels, and never below that of 0.95.
func TestFittedWithinGrows(t *testing.T) {
	m, _ := newFitted(t, fittedConfig(policy.Geometric, 1, newMargins(t, []int{3, 4}, allSets(2))))
	before := m.HalfWidth95()
	for _, miss := range []int64{2, 20, 21, 100, 10_000} {
		in, ok := m.Interval(1_000_000, false, big.NewRat(1, miss))
		w := in.High - 1_000_000
		if !ok || w < before || miss <= 20 && w != before || in.Low != 1_000_000-w {
			t.Errorf("but for 1/%d: %v, at lower levels ±%d", miss, in, before)
		}
		before = w
	}
}
