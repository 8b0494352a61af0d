package mechanisms

import (
	"math"
	"testing"

	"tacit/policy"
)

// requireSelected compares with moments of n + z where that is shown, and 0 elsewhere, summed over a support.
func requireSelected(t *testing.T, name string, got Expectation, n, reach int64, probability func(z int64) float64, shows func(sum int64) bool) {
	t.Helper()
	var mean, square, absent, upTo float64
	at := n + 2
	for z := -reach; z <= reach; z++ {
		p, shown := probability(z), int64(0)
		if shows(n + z) {
			shown = n + z
		} else {
			absent += p
		}
		off := float64(shown - n)
		mean += p * off
		square += p * off * off
		if shown <= at {
			upTo += p
		}
	}
	for what, pair := range map[string][2]float64{
		"bias": {got.Bias, mean}, "variance": {got.Variance, square - mean*mean}, "absent": {got.Suppressed, absent},
		"P(shown <= n+2)": {got.Distribution(float64(at) + 0.5), upTo}, "P(shown <= 0)": {got.Distribution(0), absent},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-8*max(1, math.Abs(pair[1])) {
			t.Errorf("%s, %d people: %s is %v, enumerated %v", name, n, what, pair[0], pair[1])
		}
	}
}

func TestExpectSelection(t *testing.T) {
	for name, m := range selecting(t) {
		for n := int64(1); n <= 60; n += 1 + n/6 {
			keys, ok := m.ExpectSelection([]int64{n})
			if !ok {
				t.Fatalf("%s: no expectation", name)
			}
			survival, _ := m.SelectionSurvival()
			if math.Abs(keys[0].Suppressed-survival.Vanishes(n)) > 1e-12 {
				t.Errorf("%s, %d people: absent with %v, vanishes with %v", name, n, keys[0].Suppressed, survival.Vanishes(n))
			}
			switch s := m.selection().(type) {
			case noisyThreshold:
				requireSelected(t, name, keys[0], n, 2000, s.noise.probability, func(sum int64) bool { return sum >= s.tau })
			case truncatedThreshold:
				total := 0.0
				for z := -s.k; z <= s.k; z++ {
					total += s.noise.probability(z)
				}
				requireSelected(t, name, keys[0], n, s.k, func(z int64) float64 { return s.noise.probability(z) / total }, func(sum int64) bool { return sum > s.k })
			case publishedSuppression: // a count that is shown is exact
				withheld := s.below(n)
				requireSelected(t, name, keys[0], n, 1, func(z int64) float64 { return map[int64]float64{-1: withheld, 0: 1 - withheld}[z] },
					func(sum int64) bool { return sum == n })
			}
		}
		if keys, _ := m.ExpectSelection([]int64{0}); keys[0].Suppressed != 1 || keys[0].Bias != 0 || keys[0].Variance != 0 {
			t.Errorf("%s: a key that nobody has: %+v", name, keys[0])
		}
	}
	swapping := newMechanism(t, Config{Kind: policy.DPSwapping, Epsilon: 1e9, Delta: 1e12})
	if _, ok := swapping.ExpectSelection([]int64{1}); ok {
		t.Error("dp-swapping has no threshold")
	}
}

// A count behind a threshold: two independent draws, enumerated.
func TestBehindThreshold(t *testing.T) {
	m := newMechanism(t, Config{Kind: policy.Geometric, Epsilon: 1e9})
	law, _ := m.Law()
	const n, shown, reach = 3, 0.7, 200
	mean, square, upTo := -n*(1-shown), float64(n*n)*(1-shown), 1-shown
	for z := int64(-reach); z <= reach; z++ {
		p, off := shown*law.Probability(z), float64(max(-n, z))
		mean, square = mean+p*off, square+p*off*off
		if off <= 1 {
			upTo += p
		}
	}
	e := m.Expect(Histogram{Counts: []int64{n}})[0].Behind(shown, n)
	if math.Abs(e.Bias-mean) > 1e-12 || math.Abs(e.Variance-(square-mean*mean)) > 1e-10 || math.Abs(e.Suppressed-(1-shown)) > 1e-15 ||
		math.Abs(e.Distribution(4.5)-upTo) > 1e-12 {
		t.Errorf("%+v at 4.5 %v, enumerated %v %v %v", e, e.Distribution(4.5), mean, square-mean*mean, upTo)
	}
}
