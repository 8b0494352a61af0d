package mechanisms

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// newGeometric is NewGeometric for persons who are a row each, unless the configuration says otherwise.
func newGeometric(t testing.TB, c GeometricConfig) *Geometric {
	t.Helper()
	c.Sensitivity = max(c.Sensitivity, 1)
	g, err := NewGeometric(c)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func epsilon(t testing.TB, s string) policy.Epsilon {
	t.Helper()
	e, err := policy.ParseEpsilon(s)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func delta(t testing.TB, s string) policy.Delta {
	t.Helper()
	d, err := policy.ParseDelta(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Reference values were computed with 60 digits in mpmath from P(Z >= k) = a^k/(1+a), by stepping k.
func TestThresholdAndHalfWidth(t *testing.T) {
	type threshold struct {
		delta                 string
		addRemove, replaceOne int64
	}
	for _, c := range []struct {
		epsilon               string
		addRemove, replaceOne int64 // half-widths
		thresholds            []threshold
	}{
		{"0.000000001", 2995732274, 5991464547, []threshold{{"1e-18", 40753384495, 81506768989}, {"0.4", 223143553, 446287105}}},
		{"0.01", 300, 599, []threshold{{"1e-18", 4077, 8153}, {"1e-6", 1314, 2626}, {"0.01", 393, 784}}},
		{"0.1", 30, 60, []threshold{{"1e-18", 410, 817}, {"1e-6", 133, 264}, {"0.01", 41, 80}, {"0.4", 4, 6}}},
		{"0.5", 6, 12, []threshold{{"1e-6", 28, 54}, {"0.01", 10, 18}, {"0.4", 2, 3}}},
		{"0.693147181", 4, 9, []threshold{{"1e-6", 21, 40}, {"0.01", 8, 13}}},
		{"1", 3, 6, []threshold{{"1e-18", 43, 83}, {"1e-6", 15, 28}, {"0.01", 6, 10}, {"0.4", 2, 2}}},
		{"5", 0, 1, []threshold{{"1e-18", 10, 18}, {"0.01", 2, 3}}},
		{"100", 0, 0, []threshold{{"1e-18", 2, 2}, {"0.999999999", 2, 2}}},
		{"9223372036.854775807", 0, 0, []threshold{{"1e-18", 2, 2}}},
	} {
		for _, th := range c.thresholds {
			for adjacency, want := range map[policy.Adjacency][2]int64{
				policy.AddRemove: {c.addRemove, th.addRemove}, policy.ReplaceOne: {c.replaceOne, th.replaceOne},
			} {
				g := newGeometric(t, GeometricConfig{
					Epsilon: epsilon(t, c.epsilon), Delta: delta(t, th.delta), Adjacency: adjacency, Random: rand.Reader,
				})
				if got := [2]int64{g.HalfWidth95(), g.Threshold()}; got != want {
					t.Errorf("epsilon %s, delta %s, %s: half-width and threshold %v, want %v", c.epsilon, th.delta, adjacency, got, want)
				}
			}
		}
	}
}

// A bound that is a tail probability rounded to an amount of delta, down or up, moves the threshold by one: the comparison is sharp to the last digit.
func TestThresholdIsSharp(t *testing.T) {
	d := newDiscreteLaplace(1e9, 1)
	// P(Z >= 5) = exp(-5)/(1+exp(-1)) = 0.004925833956035728..., in mpmath.
	const tail = 4925833956035728
	if k := d.tailBelow(big.NewRat(tail, 1e18)); k != 6 {
		t.Errorf("just below P(Z >= 5): k = %d, want 6", k)
	}
	if k := d.tailBelow(big.NewRat(tail+1, 1e18)); k != 5 {
		t.Errorf("just above P(Z >= 5): k = %d, want 5", k)
	}
}

func TestExpLowerIsALowerBound(t *testing.T) {
	for _, d := range []discreteLaplace{{1, 1}, {1, 2}, {123456789, 2e9}, {7, 3}} {
		for _, k := range []int64{0, 1, 2, 3, 10, 100} {
			got, _ := d.expLower(k).Float64()
			want := math.Exp(float64(k) * float64(d.s) / float64(d.t))
			if math.Abs(got-want) > 1e-13*want {
				t.Errorf("exp(%d * %d/%d) = %v, want %v", k, d.s, d.t, got, want)
			}
		}
	}
	// exp(1), truncated after 50 digits.
	e, _, err := big.ParseFloat("2.71828182845904523536028747135266249775724709369995", 10, 192, big.ToNegativeInf)
	if err != nil {
		t.Fatal(err)
	}
	got := discreteLaplace{1, 1}.expLower(1)
	if gap, _ := new(big.Float).Sub(got, e).Float64(); gap < -1e-50 || gap > 1e-50 {
		t.Errorf("exp(1) is off by %g", gap)
	}
	if next, _, _ := big.ParseFloat("2.71828182845904523536028747135266249775724709369996", 10, 192, big.ToPositiveInf); got.Cmp(next) > 0 {
		t.Error("expLower(1) is more than e")
	}
}

func TestConfigurationIsChecked(t *testing.T) {
	good := GeometricConfig{Epsilon: 1, Adjacency: policy.AddRemove, Sensitivity: 1, Random: rand.Reader}
	newGeometric(t, good)
	for name, spoil := range map[string]func(*GeometricConfig){
		"no randomness":    func(c *GeometricConfig) { c.Random = nil },
		"epsilon zero":     func(c *GeometricConfig) { c.Epsilon = 0 },
		"epsilon negative": func(c *GeometricConfig) { c.Epsilon = -1 },
		"delta negative":   func(c *GeometricConfig) { c.Delta = -1 },
		"delta one":        func(c *GeometricConfig) { c.Delta = 1e18 },
		"no sensitivity":   func(c *GeometricConfig) { c.Sensitivity = 0 },
		"too sensitive":    func(c *GeometricConfig) { c.Sensitivity = maxSensitivity + 1 },
		"no adjacency":     func(c *GeometricConfig) { c.Adjacency = "" },
		"other adjacency":  func(c *GeometricConfig) { c.Adjacency = "replace" },
	} {
		c := good
		spoil(&c)
		if _, err := NewGeometric(c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestLosses(t *testing.T) {
	g := newGeometric(t, GeometricConfig{Epsilon: 5e8, Delta: 1e12, Adjacency: policy.ReplaceOne, Random: rand.Reader})
	if got, want := g.Loss(), (accountant.Loss{Epsilon: 5e8}); got != want {
		t.Errorf("Loss is %v, want %v", got, want)
	}
	if got, want := g.ThresholdLoss(), (accountant.Loss{Epsilon: 5e8, Delta: 1e12}); got != want {
		t.Errorf("ThresholdLoss is %v, want %v", got, want)
	}
}

const chiSquaredDraws = 200_000

func TestSanitizeFollowsTheDistribution(t *testing.T) {
	for i, e := range []string{"0.01", "0.1", "0.123456789", "0.5", "0.693147181", "1", "2.5", "5"} {
		for _, adjacency := range []policy.Adjacency{policy.AddRemove, policy.ReplaceOne} {
			g := newGeometric(t, GeometricConfig{
				Epsilon: epsilon(t, e), Adjacency: adjacency, KeepNegative: true, Random: seeded(byte(i)),
			})
			noise, err := g.Sanitize(make([]int64, chiSquaredDraws))
			if err != nil {
				t.Fatal(err)
			}
			// Written out again, so that a wrong scale in newDiscreteLaplace is found.
			want := discreteLaplace{s: uint64(epsilon(t, e)), t: map[policy.Adjacency]uint64{policy.AddRemove: 1e9, policy.ReplaceOne: 2e9}[adjacency]}
			statistic, freedom := chiSquared(want, noise)
			if limit := chiSquaredLimit(freedom); statistic > limit {
				t.Errorf("epsilon %s, %s: chi-squared is %.1f with %d degrees of freedom, limit %.1f", e, adjacency, statistic, freedom, limit)
			}
		}
	}
}

// The chi-squared test must see what it is there to see: a scale that is off by a tenth, and continuous noise rounded to one side. (At
// epsilon 0.01, half a unit in a scale of 100 needs more draws than these.)
func TestChiSquaredRejects(t *testing.T) {
	for _, e := range []policy.Epsilon{1e8, 5e8, 1e9, 5e9} {
		d, off := newDiscreteLaplace(e, 1), newDiscreteLaplace(e+e/10, 1)
		for name, sample := range map[string]func(*sampling.Bits) int64{
			"scale off by a tenth":   func(b *sampling.Bits) int64 { return b.DiscreteLaplace(off.s, off.t) },
			"rounded down":           func(b *sampling.Bits) int64 { return int64(math.Floor(naiveLaplace(b, d))) },
			"negative zero kept":     func(b *sampling.Bits) int64 { return withNegativeZero(b, d) },
			"noise of the other one": func(b *sampling.Bits) int64 { return b.DiscreteLaplace(d.s, 2*d.t) },
		} {
			b := sampling.NewBits(seeded(9))
			draws := make([]int64, chiSquaredDraws)
			for i := range draws {
				b.Start()
				draws[i] = sample(b)
			}
			statistic, freedom := chiSquared(d, draws)
			if limit := chiSquaredLimit(freedom); b.Err() != nil || statistic <= limit {
				t.Errorf("epsilon %v, %s: chi-squared is %.1f, within the limit %.1f (error %v)", e, name, statistic, limit, b.Err())
			}
		}
	}
}

// naiveLaplace is the textbook sampler in floating point, scale t/s: not private in its low bits (Mironov 2012), and the speed to compare with.
func naiveLaplace(b *sampling.Bits, d discreteLaplace) float64 {
	u := (float64(b.Take(53)) + 0.5) / (1 << 53)
	scale := float64(d.t) / float64(d.s)
	if u < 0.5 {
		return scale * math.Log(2*u)
	}
	return -scale * math.Log(2*(1-u))
}

// withNegativeZero gives a geometric variable a fair sign and forgets that zero has none.
func withNegativeZero(b *sampling.Bits, d discreteLaplace) int64 {
	a := d.a()
	y := int64(math.Log(float64(b.Take(53)+1)/(1<<53)) / math.Log(a))
	if b.Take(1) == 0 {
		return y
	}
	return -y
}

func TestSanitizeShowsWhatThePolicySays(t *testing.T) {
	counts := make([]int64, 2000)
	for i := range counts {
		counts[i] = int64(i % 4)
	}
	kept, err := newGeometric(t, GeometricConfig{Epsilon: 5e8, Adjacency: policy.AddRemove, KeepNegative: true, Random: seeded(4)}).Sanitize(counts)
	if err != nil {
		t.Fatal(err)
	}
	shown, err := newGeometric(t, GeometricConfig{Epsilon: 5e8, Adjacency: policy.AddRemove, Random: seeded(4)}).Sanitize(counts)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Min(kept) >= 0 {
		t.Error("no negative count was kept")
	}
	for i := range kept {
		if shown[i] != max(0, kept[i]) {
			t.Fatalf("cell %d: shown %d, kept %d", i, shown[i], kept[i])
		}
	}
	if !slices.Equal(counts[:4], []int64{0, 1, 2, 3}) {
		t.Error("Sanitize changed its argument")
	}
}

func TestBiasAndVariance(t *testing.T) {
	for _, keep := range []bool{false, true} {
		for _, e := range []policy.Epsilon{1e8, 5e8, 2e9} {
			g := newGeometric(t, GeometricConfig{Epsilon: e, Adjacency: policy.AddRemove, KeepNegative: keep, Random: rand.Reader})
			for _, n := range []int64{0, 1, 2, 5, 50} {
				var mean, square float64
				for z := int64(-2000); z <= 2000; z++ {
					x := float64(g.show(n+z) - n)
					mean += x * g.noise.probability(z)
					square += x * x * g.noise.probability(z)
				}
				got := [2]float64{g.Bias(n), g.Variance(n)}
				if want := [2]float64{mean, square - mean*mean}; math.Abs(got[0]-want[0]) > 1e-9 || math.Abs(got[1]-want[1]) > 1e-9*want[1] {
					t.Errorf("epsilon %v, n %d, keep %v: bias and variance %v, summed up %v", e, n, keep, got, want)
				}
			}
		}
	}
}

func TestAddSaturating(t *testing.T) {
	for _, c := range []struct{ n, z, want int64 }{
		{3, -5, -2},
		{math.MaxInt64, 1, math.MaxInt64},
		{math.MaxInt64 - 1, 1, math.MaxInt64},
		{math.MaxInt64, -1, math.MaxInt64 - 1},
		{math.MinInt64, -1, math.MinInt64},
		{math.MinInt64, math.MaxInt64, -1},
		{-1, math.MinInt64, math.MinInt64},
		{math.MaxInt64, math.MaxInt64, math.MaxInt64},
	} {
		if got := addSaturating(c.n, c.z); got != c.want {
			t.Errorf("%d + %d = %d, want %d", c.n, c.z, got, c.want)
		}
	}
}

func TestSelectShowsFromTheThresholdOn(t *testing.T) {
	const draws = 200_000
	for _, adjacency := range []policy.Adjacency{policy.AddRemove, policy.ReplaceOne} {
		g := newGeometric(t, GeometricConfig{Epsilon: 1e9, Delta: 1e17, Adjacency: adjacency, Random: seeded(5)})
		for _, n := range []int64{1, 2, g.Threshold() - 1, g.Threshold(), g.Threshold() + 3} {
			var shown, sum float64
			for range draws {
				value, ok, err := g.Select(n)
				switch {
				case err != nil:
					t.Fatal(err)
				case !ok && value != 0:
					t.Fatalf("a key that is not shown has the count %d", value)
				case ok && value < g.Threshold():
					t.Fatalf("%d is shown below the threshold %d", value, g.Threshold())
				case ok:
					shown++
					sum += min(float64(value-g.Threshold()), 40) / 40
				}
			}
			if got, want := shown/draws, g.noise.tail(g.Threshold()-n); math.Abs(got-want) > hoeffding(draws) {
				t.Errorf("%s, n = %d: shown with frequency %v, want %v +- %v", adjacency, n, got, want, hoeffding(draws))
			}
			// The shown count is n + Z, not n with fresh noise: E[min(n+Z-tau, 40); shown] = sum over j = 1..40 of P(n+Z >= tau+j).
			var want float64
			for j := int64(1); j <= 40; j++ {
				want += g.noise.tail(g.Threshold()+j-n) / 40
			}
			if got := sum / draws; math.Abs(got-want) > hoeffding(draws) {
				t.Errorf("%s, n = %d: mean excess over the threshold %v, want %v +- %v", adjacency, n, got, want, hoeffding(draws))
			}
		}
	}
}

func TestSelectRefuses(t *testing.T) {
	none := newGeometric(t, GeometricConfig{Epsilon: 1e9, Adjacency: policy.AddRemove, Random: rand.Reader})
	if _, _, err := none.Select(5); !errors.Is(err, ErrNoThreshold) {
		t.Errorf("without a delta: error %v, want ErrNoThreshold", err)
	}
	g := newGeometric(t, GeometricConfig{Epsilon: 1e9, Delta: 1e12, Adjacency: policy.AddRemove, Random: rand.Reader})
	for _, n := range []int64{0, -1} {
		if _, _, err := g.Select(n); err == nil {
			t.Errorf("Select(%d): no error", n)
		}
	}
}

func TestNoPartialResult(t *testing.T) {
	// The first call may use up what there is; later calls fail although the reader has recovered.
	r := io.MultiReader(io.LimitReader(seeded(6), 4000), &failOnce{}, seeded(7))
	g := newGeometric(t, GeometricConfig{Epsilon: 5e8, Delta: 1e12, Adjacency: policy.AddRemove, Random: r})
	for range 3 {
		if counts, err := g.Sanitize(make([]int64, 10_000)); counts != nil || !errors.Is(err, sampling.ErrRandomness) {
			t.Fatalf("got %d counts and error %v, want none and sampling.ErrRandomness", len(counts), err)
		}
	}
	if shown, ok, err := g.Select(1000); shown != 0 || ok || !errors.Is(err, sampling.ErrRandomness) {
		t.Fatalf("Select returned %d, %v, %v", shown, ok, err)
	}
}

type failOnce struct{ failed bool }

func (f *failOnce) Read([]byte) (int, error) {
	if f.failed {
		return 0, io.EOF
	}
	f.failed = true
	return 0, errors.New("interrupted")
}

func TestConcurrentUse(t *testing.T) {
	g := newGeometric(t, GeometricConfig{Epsilon: 5e8, Adjacency: policy.AddRemove, KeepNegative: true, Random: seeded(8)})
	var wg sync.WaitGroup
	var mu sync.Mutex
	var all []int64
	for range 8 {
		wg.Go(func() {
			for range 250 {
				z, err := g.Sanitize(make([]int64, 100))
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				all = append(all, z...)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if statistic, freedom := chiSquared(g.noise, all); statistic > chiSquaredLimit(freedom) {
		t.Errorf("chi-squared is %.1f with %d degrees of freedom", statistic, freedom)
	}
	// However the calls interleaved, they shared out one stream.
	one, err := newGeometric(t, GeometricConfig{Epsilon: 5e8, Adjacency: policy.AddRemove, KeepNegative: true, Random: seeded(8)}).Sanitize(make([]int64, len(all)))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(one)
	slices.Sort(all)
	if !cmp.Equal(one, all) {
		t.Error("draws were lost or repeated")
	}
}

func BenchmarkSanitize(b *testing.B) {
	for _, e := range []string{"0.5", "1", "0.01", "0.333333333"} {
		b.Run("epsilon="+e, func(b *testing.B) {
			g := newGeometric(b, GeometricConfig{Epsilon: epsilon(b, e), Adjacency: policy.AddRemove, Random: rand.Reader})
			counts := make([]int64, 1000)
			for b.Loop() {
				if _, err := g.Sanitize(counts); err != nil {
					b.Fatal(err)
				}
			}
			exact := float64(b.Elapsed()) / float64(b.N*len(counts))
			b.ReportMetric(1e9/exact, "draws/s")
			b.ReportMetric(exact/naiveNanoseconds(g.noise), "x-naive-float")
		})
	}
}

// naiveNanoseconds times a draw of the floating-point sampler over the same buffered crypto/rand, in the same process.
func naiveNanoseconds(d discreteLaplace) float64 {
	const draws = 2_000_000
	bits := sampling.NewBits(rand.Reader)
	var sum int64
	start := time.Now()
	for range draws {
		bits.Start()
		sum += int64(math.Round(naiveLaplace(bits, d)))
	}
	elapsed := time.Since(start)
	fmt.Fprint(io.Discard, sum) // keeps the loop from being optimised away
	return float64(elapsed) / draws
}

func BenchmarkNewGeometric(b *testing.B) {
	for b.Loop() {
		newGeometric(b, GeometricConfig{Epsilon: 5e8, Delta: 1e12, Adjacency: policy.ReplaceOne, Random: bytes.NewReader(nil)})
	}
}
