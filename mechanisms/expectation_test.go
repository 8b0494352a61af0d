package mechanisms

import (
	"fmt"
	"math"
	"testing"

	"tacit/internal/battery"
	"tacit/policy"
)

// checkExpectation compares with the distribution of what is shown, which is enumerated.
func checkExpectation(t *testing.T, what string, x Expectation, n int64, mass map[float64]float64) {
	t.Helper()
	var mean, square float64
	for v, p := range mass {
		mean += (v - float64(n)) * p
		square += (v - float64(n)) * (v - float64(n)) * p
	}
	if math.Abs(x.Bias-mean) > 1e-9*math.Sqrt(square)+1e-12 {
		t.Errorf("%s: bias %v, enumerated %v", what, x.Bias, mean)
	}
	if want := square - mean*mean; math.Abs(x.Variance-want) > 1e-9*square+1e-12 {
		t.Errorf("%s: variance %v, enumerated %v", what, x.Variance, want)
	}
	checked := 0
	for at := range mass {
		if checked++; checked > 40 {
			break
		}
		for _, v := range []float64{at - 0.25, at, at + 0.25} {
			var want float64
			for u, p := range mass {
				if u <= v {
					want += p
				}
			}
			if got := x.Distribution(v); math.Abs(got-want) > 1e-11 {
				t.Errorf("%s: P(shown <= %v) is %v, enumerated %v", what, v, got, want)
			}
		}
	}
}

// counted is what a shown cell counts as: k/2 if it is withheld.
func counted(s shown, k int64) float64 {
	if s.suppressed {
		return float64(k) / 2
	}
	return float64(s.count)
}

func TestAdditiveExpectations(t *testing.T) {
	for _, c := range []Config{
		{Kind: policy.Geometric, Epsilon: 1e8},
		{Kind: policy.Geometric, Epsilon: 5e8, KeepNegative: true},
		{Kind: policy.Geometric, Epsilon: 2e9},
		{Kind: policy.Laplace, Epsilon: 1e8},
		{Kind: policy.Laplace, Epsilon: 2e9},
		{Kind: policy.Laplace, Epsilon: 2e9, KeepNegative: true},
		{Kind: policy.Gaussian, Epsilon: 5e8, Delta: 1e15},
		{Kind: policy.Gaussian, Epsilon: 9e9, Delta: 1e15},
		{Kind: policy.DiscreteGaussian, Epsilon: 5e8, Delta: 1e15},
		{Kind: policy.DiscreteGaussian, Epsilon: 9e9, Delta: 1e15, KeepNegative: true},
		{Kind: policy.DPSuppression, Epsilon: 5e8, K: 7, Fill: policy.Fill{}},
		{Kind: policy.DPSuppression, Epsilon: 5e8, K: 7, Fill: policy.Fill{Kind: policy.FillHalf}},
		{Kind: policy.DPSuppression, Epsilon: 2e9, K: 6, Fill: policy.Fill{Kind: policy.FillValue, Value: 0}},
		{Kind: policy.DPSuppression, Epsilon: 2e9, K: 6, Fill: policy.Fill{Kind: policy.FillValue, Value: 8}}, // not below k
	} {
		m := newMechanism(t, c)
		a := m.method.(additive)
		counts := []int64{0, 1, 2, 5, 6, 7, 8, 50, 1000}
		for i, x := range m.Expect(Histogram{Counts: counts}) {
			mass := make(map[float64]float64)
			var suppressed float64
			for s, p := range released(a, counts[i]) {
				mass[counted(s, a.k)] += p
			}
			checkExpectation(t, fmt.Sprintf("%s %v k %d fill %v, n %d", c.Kind, c.Epsilon, c.K, c.Fill, counts[i]), x, counts[i], mass)
			if a.k > 0 {
				suppressed = tail(a.noise, counts[i]-a.k+1)
			}
			if math.Abs(x.Suppressed-suppressed) > 1e-12 {
				t.Errorf("%s %v, n %d: suppressed %v, want %v", c.Kind, c.Epsilon, counts[i], x.Suppressed, suppressed)
			}
		}
	}
}

// The variance of a large count has as many digits as that of a small one.
func TestExpectationsOfLargeCounts(t *testing.T) {
	for _, n := range []int64{1e6, 1e9, 1e12, 1e15} {
		for _, kind := range []policy.Kind{policy.Geometric, policy.Laplace, policy.Gaussian, policy.DiscreteGaussian, policy.DPSuppression} {
			c := kindConfig(kind)
			c.Epsilon = 1e9
			m := newMechanism(t, c)
			x := m.Expect(Histogram{Counts: []int64{n}})[0]
			if want := variance(m.method.(additive).noise); !near(x.Variance, want, 1e-9) || math.Abs(x.Bias) > 1e-9 {
				t.Errorf("%s, n %d: bias %v and variance %v, want 0 and %v", kind, n, x.Bias, x.Variance, want)
			}
		}
	}
}

func TestPublishedSuppressionExpectations(t *testing.T) {
	for _, kind := range []policy.Kind{policy.DPSuppressionEq2, policy.DPSuppressionAlg2} {
		for _, fill := range []policy.Fill{{}, {Kind: policy.FillHalf}, {Kind: policy.FillValue, Value: 3}, {Kind: policy.FillValue, Value: 9}} {
			for _, k := range []int64{1, 6, 7} {
				m := newMechanism(t, Config{Kind: kind, Epsilon: 1e9, K: k, Fill: fill})
				p := m.method.(publishedSuppression)
				counts := []int64{0, 1, 3, 5, 6, 7, 9, 40}
				for i, x := range m.Expect(Histogram{Counts: counts}) {
					mass := make(map[float64]float64)
					for o, probability := range publishedOutcome(p, counts[i:i+1]) {
						mass[counted(o[0], k)] += probability
					}
					checkExpectation(t, fmt.Sprintf("%s k %d fill %v, n %d", kind, k, fill, counts[i]), x, counts[i], mass)
					// P(x + Lap(2/epsilon) < k), integrated.
					want := 1 - integral(func(v float64) float64 { return math.Exp(-math.Abs(v)/2) / 4 }, float64(k-counts[i]), 100, 2)
					if math.Abs(x.Suppressed-want) > 1e-9 {
						t.Errorf("%s k %d, n %d: suppressed %v, want %v", kind, k, counts[i], x.Suppressed, want)
					}
				}
			}
		}
	}
	// Without noise.
	m := newMechanism(t, Config{Kind: policy.Suppression, K: 5, Fill: policy.Fill{Kind: policy.FillHalf}})
	for i, x := range m.Expect(Histogram{Counts: []int64{0, 4, 5, 9}}) {
		want := []Expectation{{Bias: 2, Suppressed: 1}, {Bias: -2, Suppressed: 1}, {}, {}}[i]
		if x.Bias != want.Bias || x.Variance != 0 || x.Suppressed != want.Suppressed {
			t.Errorf("suppression, cell %d: %+v, want %+v", i, x, want)
		}
	}
}

// Simulated releases have the bias and the share of suppressed cells that are stated; means are of values held within a range, by
// Hoeffding's inequality (1e-6 for each).
func TestExpectationsOfReleases(t *testing.T) {
	const releases = 30_000
	counts := []int64{0, 3, 6, 12}
	for i, kind := range policy.Kinds {
		c := kindConfig(kind)
		if kind != policy.Suppression {
			c.Epsilon = 2e9
		}
		c.Fill, c.Random = policy.Fill{Kind: policy.FillHalf}, battery.Seeded(byte(110+i))
		m := newMechanism(t, c)
		expected := m.Expect(oneBlock(counts))
		const most = 40. // beyond which no count gets: at 2, noise of 28 has a probability below 1e-12
		means := make([]float64, len(counts))
		atMost := make([]float64, len(counts))
		for range releases {
			cells, err := m.Sanitize(oneBlock(counts))
			if err != nil {
				t.Fatal(err)
			}
			for j, n := range cells.Counts {
				means[j] += min(float64(n), most) / releases
				if n <= 5 {
					atMost[j] += 1. / releases
				}
			}
		}
		for j, x := range expected {
			if got, want := means[j]-float64(counts[j]), x.Bias; math.Abs(got-want) > most*battery.Hoeffding(releases) {
				t.Errorf("%s, n %d: bias of releases is %v, stated %v", kind, counts[j], got, want)
			}
			if got, want := atMost[j], x.Distribution(5); math.Abs(got-want) > battery.Hoeffding(releases) {
				t.Errorf("%s, n %d: P(shown <= 5) of releases is %v, stated %v", kind, counts[j], got, want)
			}
		}
	}
}

func TestSummarize(t *testing.T) {
	if got := Summarize(nil); got != (Summary{}) {
		t.Errorf("of nothing: %+v", got)
	}
	got := Summarize([]Expectation{{Bias: 1, Variance: 2, Suppressed: 0.5}, {Bias: -3, Variance: 4}, {Bias: 0, Variance: 0, Suppressed: 1}})
	if want := (Summary{L1Bias: 4, Alpha: 4, MaxVariance: 4, MeanVariance: 2, Suppressed: 0.5}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := Summarize([]Expectation{{Bias: 2}, {Bias: 3}}); got.Alpha != 1 || got.L1Bias != 5 {
		t.Errorf("of two biases above 0: %+v", got)
	}
	// Clamped geometric noise: E[max(0, n+Z)] - n = a^(n+1)/(1-a^2).
	a := math.Exp(-0.5)
	s := Summarize(newMechanism(t, Config{Kind: policy.Geometric, Epsilon: 5e8}).Expect(Histogram{Counts: []int64{0, 4, 9}}))
	bias := func(n float64) float64 { return math.Pow(a, n+1) / (1 - a*a) }
	if want := bias(0) - bias(9); !near(s.Alpha, want, 1e-12) || !near(s.L1Bias, bias(0)+bias(4)+bias(9), 1e-12) {
		t.Errorf("geometric: alpha %v and l1 bias %v", s.Alpha, s.L1Bias)
	}
}
