package utility

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/internal/battery"
	"tacit/mechanisms"
	"tacit/policy"
)

func repeated(t testing.TB, original []float64, offs ...[]float64) *Repetitions {
	t.Helper()
	r := NewRepetitions(original)
	for _, off := range offs {
		shown := slices.Clone(original)
		for i := range shown {
			shown[i] += off[i]
		}
		if err := r.Add(shown); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func summary(t testing.TB, r *Repetitions) Empirical {
	t.Helper()
	e, err := r.Summary()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

var rounded = cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-12 || math.IsNaN(a) && math.IsNaN(b) })

// By hand: the means of the cells are 1 and 0, those of the first two releases 0 and 1, of the last two 2 and -1.
func TestSummaryByHand(t *testing.T) {
	r := repeated(t, []float64{10, 20}, []float64{1, 0}, []float64{-1, 2}, []float64{3, 0}, []float64{1, -2})
	standardError := func(squares float64) float64 { return math.Sqrt(squares / 3 / 4) } // of four values
	want := Empirical{
		Releases: 4,
		L1Error:  Estimate{2.5, standardError(2.25 + 3*0.25)}, // 1, 3, 3, 3
		L1Bias:   Estimate{1, standardError(8)},               // 1, -1, 3, 1
		Alpha:    Estimate{1, standardError(24)},              // 1, -3, 3, 3
		// In the second half, the sum that the first suggests: the second cell, 0 and -2, mean -1; in the first, that of the second: 1 and -3.
		L1BiasAtLeast: Estimate{-1, math.Hypot(1, 2) / 2},
		// Second cell less first: -3 and -3; first less second: 1 and -3.
		AlphaAtLeast: Estimate{-2, math.Hypot(0, 2) / 2},
	}
	root := []float64{1, math.Sqrt(5), 3, math.Sqrt(5)}
	for _, x := range root {
		want.L2Error.Value += x / 4
	}
	var squares float64
	for _, x := range root {
		squares += (x - want.L2Error.Value) * (x - want.L2Error.Value)
	}
	want.L2Error.StandardError = standardError(squares)
	// Squared deviations times 4/3: 0, 16/3, 16/3, 0 of the first cell, 0, 16/3, 0, 16/3 of the second; their means are 0, 16/3, 8/3, 8/3.
	want.MaxVariance = Estimate{8. / 3, standardError(4 * 64. / 9)}
	want.MeanVariance = Estimate{8. / 3, standardError(2 * 64. / 9)}
	if diff := cmp.Diff(want, summary(t, r), rounded); diff != "" {
		t.Error(diff)
	}
}

// Standard errors know that cells move together: here what one cell gains the other loses, and the errors add up instead of cancelling.
func TestStandardErrorsKnowCovariances(t *testing.T) {
	e := summary(t, repeated(t, []float64{5, 5}, []float64{1, -1}, []float64{3, -3}, []float64{1, -1}, []float64{3, -3}))
	want := Estimate{4, math.Sqrt(16. / 3 / 4)}
	if diff := cmp.Diff([]Estimate{want, want}, []Estimate{e.L1Bias, e.Alpha}, rounded); diff != "" {
		t.Error(diff)
	}
}

func TestSummaryRefusals(t *testing.T) {
	if _, err := repeated(t, []float64{1}, []float64{1}, []float64{1}, []float64{1}).Summary(); err == nil {
		t.Error("three releases were summed up")
	}
	if _, err := NewRepetitions(nil).Summary(); err == nil {
		t.Error("no cells were summed up")
	}
	if err := NewRepetitions([]float64{1}).Add([]float64{1, 2}); err == nil {
		t.Error("a release of another table was added")
	}
	r := NewRepetitions([]float64{1, 2})
	if err := r.Add([]float64{1, math.NaN()}); err == nil || len(r.errors) != 0 {
		t.Errorf("a release with a count that is no number was added: %v, %v", err, r.errors)
	}
}

// simulated are releases of a mechanism, and what they are expected to be.
func simulated(t testing.TB, c mechanisms.Config, h mechanisms.Histogram, releases int) (Empirical, mechanisms.Summary) {
	t.Helper()
	c.Adjacency, c.Sensitivity, c.PerCell = policy.AddRemove, 1, 1
	m, err := mechanisms.New(c)
	if err != nil {
		t.Fatal(err)
	}
	original := make([]float64, len(h.Counts))
	for i, n := range h.Counts {
		original[i] = float64(n)
	}
	r := NewRepetitions(original)
	for range releases {
		cells, err := m.Sanitize(h)
		if err != nil {
			t.Fatal(err)
		}
		shown := make([]float64, len(original))
		for i, n := range cells.Counts {
			if shown[i] = float64(n); cells.Suppressed != nil && cells.Suppressed[i] {
				shown[i] = float64(c.K) / 2 // what Expect takes a withheld cell for
			}
		}
		if err := r.Add(shown); err != nil {
			t.Fatal(err)
		}
	}
	return summary(t, r), mechanisms.Summarize(m.Expect(h))
}

// far is how many standard errors an estimate may be off. The normal tail beyond 7 is 1.3e-12 on each side. Means of skewed values
// are a little less regular: Cramér's first term multiplies the tail by exp(7^3 g / (6 sqrt(R))) for R releases of values of skewness g,
// at most 560 with g = 7, squares of Laplace noise, and R = 4000. So each comparison is wrong about a right estimate with a
// probability below 1e-8.
const far = 7

// Estimates from 4,000 releases agree with the exact figures where every cell has a bias, so that the choice of signs is no matter; and are
// on the two sides of it everywhere.
func TestEstimatesAgreeWithExpectations(t *testing.T) {
	const releases = 4000
	biased := []int64{0, 0, 1, 1, 2}
	mixed := []int64{0, 1, 3, 5, 6, 9, 40, 40, 40, 40, 40, 40, 400}
	null := policy.Fill{}
	for i, c := range []mechanisms.Config{
		{Kind: policy.Geometric, Epsilon: 5e8},
		{Kind: policy.Laplace, Epsilon: 5e8},
		{Kind: policy.DiscreteGaussian, Epsilon: 1e9, Delta: 1e15},
		{Kind: policy.DPSuppression, Epsilon: 1e9, K: 6, Fill: null},
		{Kind: policy.DPSuppressionEq2, Epsilon: 1e9, K: 6, Fill: null},
		{Kind: policy.DPSuppressionAlg2, Epsilon: 1e9, K: 6, Fill: null},
		{Kind: policy.DPSwapping, Epsilon: 1e9},
	} {
		for j, counts := range [][]int64{biased, mixed} {
			c.Random = battery.Seeded(byte(10*i + j))
			block := make([]int, len(counts))
			for k := range block {
				block[k] = k
			}
			got, want := simulated(t, c, mechanisms.Histogram{Counts: counts, Blocks: [][]int{block}}, releases)
			check := func(what string, estimate Estimate, exact, below, above float64) {
				t.Helper()
				off := estimate.Value - exact
				if limit := far*estimate.StandardError + 1e-9; off < -below*limit || off > above*limit {
					t.Errorf("%s, %v: %s is %v, exact %v", c.Kind, counts, what, estimate, exact)
				}
			}
			check("mean variance", got.MeanVariance, want.MeanVariance, 1, 1)
			// The plain ones are too large on average, the others too small.
			inf := math.Inf(1)
			check("l1 bias", got.L1Bias, want.L1Bias, 1, inf)
			check("alpha", got.Alpha, want.Alpha, 1, inf)
			check("largest variance", got.MaxVariance, want.MaxVariance, 1, inf)
			check("l1 bias at least", got.L1BiasAtLeast, want.L1Bias, inf, 1)
			check("alpha at least", got.AlphaAtLeast, want.Alpha, inf, 1)
			if j == 0 && c.Kind != policy.DPSwapping {
				check("l1 bias of biased cells", got.L1Bias, want.L1Bias, 1, 1)
			}
		}
	}
}

// Noise alone looks like bias: of a mechanism without any, the plain estimates are far above 0, and the others are not.
func TestNoiseIsNotBias(t *testing.T) {
	h := mechanisms.Histogram{Counts: make([]int64, 500)}
	got, want := simulated(t, mechanisms.Config{Kind: policy.Geometric, Epsilon: 5e8, KeepNegative: true, Random: battery.Seeded(9)}, h, 200)
	if want.L1Bias != 0 || want.Alpha != 0 {
		t.Fatalf("exact bias %v", want)
	}
	if got.L1Bias.Value < 50 || got.Alpha.Value < 0.5 {
		t.Errorf("l1 bias %v and alpha %v: the noise is missing", got.L1Bias, got.Alpha)
	}
	// With 100 releases in a half the estimated standard errors themselves vary, as Student's t: 9 of them have a tail of 7e-15.
	if e := got.L1BiasAtLeast; math.Abs(e.Value) > 9*e.StandardError {
		t.Errorf("l1 bias at least %v", e)
	}
	if e := got.AlphaAtLeast; math.Abs(e.Value) > 9*e.StandardError {
		t.Errorf("alpha at least %v", e)
	}
}
