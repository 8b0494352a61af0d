package fourier

import (
	"errors"
	"math"
	"math/big"
	"math/bits"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"tacit/internal/battery"
	"tacit/mechanisms/sampling"
	"tacit/policy"
)

const half = policy.Epsilon(500_000_000)

func seeded(seed byte) *sampling.Bits { return sampling.NewBits(battery.Seeded(seed)) }

func mechanism(t testing.TB, c Config) *Mechanism {
	t.Helper()
	if c.Adjacency == "" {
		c.Adjacency = policy.AddRemove
	}
	if c.Epsilon == 0 {
		c.Epsilon = half
	}
	m, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Coefficients are what their definition says, and sensitivities are those of all pairs of neighbours.
func TestCoefficientsAndSensitivity(t *testing.T) {
	for _, test := range []struct {
		config       Config
		coefficients int
		replace      int64
	}{
		{Config{Categories: []int{2}, Margins: [][]int{{0}}}, 2, 2},
		{Config{Categories: []int{3, 3}, Margins: [][]int{{0, 1}}}, 16, 16},
		{Config{Categories: []int{3, 3}, Margins: [][]int{{0}, {1}}}, 7, 8},
		{Config{Categories: []int{2, 2, 2}, Margins: [][]int{{0}, {1}, {2}}}, 4, 6},
		{Config{Categories: []int{1, 5}, Margins: [][]int{{0, 1}}}, 8, 8},
		{Config{Categories: []int{1}, Margins: [][]int{{}}}, 1, 1},
	} {
		m := mechanism(t, test.config)
		if m.Coefficients() != test.coefficients || m.Sensitivity() != int64(test.coefficients) {
			t.Errorf("%+v: %d coefficients, sensitivity %d", test.config, m.Coefficients(), m.Sensitivity())
		}
		test.config.Adjacency = policy.ReplaceOne
		if got := mechanism(t, test.config).Sensitivity(); got != test.replace {
			t.Errorf("%+v: sensitivity %d to replacing one, want %d", test.config, got, test.replace)
		}
		counts := make([]int64, len(m.codes))
		for i := range counts {
			counts[i] = int64(i * i % 7)
		}
		base, furthest := m.of(counts), int64(0)
		for i, b := range m.coefficients {
			sum := int64(0)
			for a, code := range m.codes {
				if bits.OnesCount32(b&code)%2 == 0 {
					sum += counts[a]
				} else {
					sum -= counts[a]
				}
			}
			if base[i] != sum {
				t.Errorf("%+v: coefficient %b is %d, want %d", test.config, b, base[i], sum)
			}
		}
		distance := func() (d int64) {
			for i, s := range m.of(counts) {
				d += max(s-base[i], base[i]-s)
			}
			return d
		}
		for a := range counts {
			counts[a]++
			if d := distance(); d != int64(test.coefficients) {
				t.Errorf("%+v: one person more in cell %d is %d away", test.config, a, d)
			}
			for other := range counts {
				counts[other]--
				furthest = max(furthest, distance())
				counts[other]++
			}
			counts[a]--
		}
		if max(furthest, 1) != test.replace {
			t.Errorf("%+v: replacing one is %d away, want %d", test.config, furthest, test.replace)
		}
	}
}

// The noise is that of the stated scale: P(Z = z) is proportional to exp(-|z| epsilon/sensitivity). The verdict is wrong about a right sampler
// with probability battery.FalseFailure.
func TestNoise(t *testing.T) {
	m, source := mechanism(t, Config{Categories: []int{3, 3}, Margins: [][]int{{0, 1}}}), seeded(1)
	if m.Scale() != 32 {
		t.Errorf("scale %v", m.Scale())
	}
	counts := []int64{101, 23, 22, 32, 95, 24, 45, 38, 70}
	exact := m.of(counts)
	var draws []int64
	for range 400 {
		r, err := m.Release(source, counts)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range r.Noisy {
			draws = append(draws, s-exact[i])
		}
	}
	a := math.Exp(-1.0 / 32)
	d := battery.Distribution{
		PMF: func(z int64) float64 { return (1 - a) / (1 + a) * math.Pow(a, math.Abs(float64(z))) },
		Upper: func(k int64) float64 {
			if k > 0 {
				return math.Pow(a, float64(k)) / (1 + a)
			}
			return 1 - math.Pow(a, float64(1-k))/(1+a)
		},
	}
	if statistic, freedom := battery.ChiSquared(d, draws); statistic >= battery.Limit(freedom) {
		t.Errorf("chi-squared %v with %d degrees of freedom", statistic, freedom)
	}
}

// gonum solves the same program: minimize t subject to t - noisy + sum - s = 0, t + noisy - sum - s' = 0, all variables at least 0.
func peer(t *testing.T, m *Mechanism, noisy []int64) float64 {
	n, k := len(m.codes), len(m.coefficients)
	a, b, c := mat.NewDense(2*k, n+1+2*k, nil), make([]float64, 2*k), make([]float64, n+1+2*k)
	c[n] = 1
	for i, coefficient := range m.coefficients {
		for j, code := range m.codes {
			sign := 1.0
			if odd(code, coefficient) {
				sign = -1
			}
			a.Set(2*i, j, sign)
			a.Set(2*i+1, j, -sign)
		}
		for r := range 2 {
			a.Set(2*i+r, n, 1)
			a.Set(2*i+r, n+1+2*i+r, -1)
		}
		b[2*i], b[2*i+1] = float64(noisy[i]), -float64(noisy[i])
	}
	best, _, err := lp.Simplex(c, a, b, 1e-10, nil)
	if err != nil {
		t.Fatal(err)
	}
	return best
}

func TestFitAgainstPeer(t *testing.T) {
	source := seeded(2)
	for _, config := range []Config{
		{Categories: []int{3, 3}, Margins: [][]int{{0, 1}}},
		{Categories: []int{3, 3}, Margins: [][]int{{0}, {1}}},
		{Categories: []int{2, 3, 2}, Margins: [][]int{{0, 1}, {2}}},
	} {
		m := mechanism(t, config)
		counts := make([]int64, len(m.codes))
		for range 10 {
			for i := range counts {
				source.Start()
				counts[i] = int64(source.Below(60))
			}
			r, err := m.Release(source, counts)
			if err != nil {
				t.Fatal(err)
			}
			distance, _ := r.Fitted.Distance.Float64()
			if want := peer(t, m, r.Noisy); math.Abs(distance-want) > 1e-4 {
				t.Errorf("%+v: distance %v, gonum finds %v", config, distance, want)
			}
		}
	}
}

// Coefficients without noise are fitted exactly, if they are those of all margins.
func TestFitWithoutNoise(t *testing.T) {
	m := mechanism(t, Config{Categories: []int{3, 5}, Margins: [][]int{{0, 1}}})
	counts := make([]int64, 15)
	for i := range counts {
		counts[i] = int64(i * 5 % 11)
	}
	f, err := m.fit(m.of(counts))
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range f.rounded() {
		if v != counts[i] {
			t.Errorf("cell %d: %d, want %d", i, v, counts[i])
		}
	}
}

// A bound that weights do not prove is not claimed: any weights give a true one.
func TestBoundHoldsForAnyWeights(t *testing.T) {
	m, source := mechanism(t, Config{Categories: []int{3, 3}, Margins: [][]int{{0, 1}}}), seeded(3)
	r, err := m.Release(source, []int64{9, 0, 3, 0, 0, 7, 1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	if r.Fitted.Gap.Sign() < 0 || r.Fitted.Gap.Cmp(big.NewRat(1, 1000)) > 0 {
		t.Errorf("gap %v", r.Fitted.Gap.FloatString(9))
	}
	for range 1000 {
		weights := make([]float64, m.Coefficients())
		for i := range weights {
			source.Start()
			weights[i] = float64(source.Below(2001))/1000 - 1
		}
		if m.bound(weights, r.Noisy).Cmp(r.Fitted.Distance) > 0 {
			t.Fatalf("weights %v prove too much", weights)
		}
	}
}

// The true table is a candidate: the fit is no farther than the largest noise. Tables are whole and not negative.
func TestRelease(t *testing.T) {
	m, source := mechanism(t, Config{Categories: []int{10, 10}, Margins: [][]int{{0, 1}}}), seeded(4)
	if m.Coefficients() != 256 {
		t.Errorf("%d coefficients", m.Coefficients())
	}
	counts := make([]int64, 100)
	for i := range counts {
		counts[i] = int64(30 + i%17)
	}
	exact := m.of(counts)
	start := time.Now()
	for range 5 {
		r, err := m.Release(source, counts)
		if err != nil {
			t.Fatal(err)
		}
		noise := int64(0)
		for i, s := range r.Noisy {
			noise = max(noise, s-exact[i], exact[i]-s)
		}
		if r.Fitted.Distance.Cmp(big.NewRat(noise, 1)) > 0 {
			t.Errorf("distance %v, and noise of up to %d", r.Fitted.Distance.FloatString(3), noise)
		}
		for i, v := range r.Counts {
			if v < 0 || math.Abs(float64(v)-r.Fitted.Cells()[i]) > 0.5 {
				t.Errorf("cell %d is %d, fitted %v", i, v, r.Fitted.Cells()[i])
			}
		}
	}
	t.Logf("%v for each release", time.Since(start)/5)
}

func TestRefuses(t *testing.T) {
	good := Config{Categories: []int{3, 3}, Margins: [][]int{{0, 1}}, Adjacency: policy.AddRemove, Epsilon: half}
	for name, spoil := range map[string]func(*Config){
		"no categories":     func(c *Config) { c.Categories = []int{3, 0} },
		"many bits":         func(c *Config) { c.Categories = []int{1 << 9, 1 << 9} },
		"no margin":         func(c *Config) { c.Margins = nil },
		"unknown attribute": func(c *Config) { c.Margins = [][]int{{2}} },
		"no adjacency":      func(c *Config) { c.Adjacency = "" },
		"no epsilon":        func(c *Config) { c.Epsilon = 0 },
		"tiny epsilon":      func(c *Config) { c.Epsilon = 1000 },
		"large":             func(c *Config) { c.Categories = []int{1 << 5, 1 << 5} },
	} {
		c := good
		if spoil(&c); true {
			if _, err := New(c); !errors.Is(err, ErrConfig) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	m := mechanism(t, good)
	for _, counts := range [][]int64{{1}, {-1, 0, 0, 0, 0, 0, 0, 0, 0}, {1 << 40, 0, 0, 0, 0, 0, 0, 0, 0}} {
		if _, err := m.Release(seeded(5), counts); !errors.Is(err, ErrCounts) {
			t.Errorf("%v: %v", counts, err)
		}
	}
	if _, err := m.Release(sampling.NewBits(failing{}), make([]int64, 9)); !errors.Is(err, sampling.ErrRandomness) {
		t.Errorf("a failing source: %v", err)
	}
	if _, err := m.Release(nil, make([]int64, 9)); !errors.Is(err, sampling.ErrRandomness) {
		t.Errorf("no source: %v", err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("broken") }

func BenchmarkRelease(b *testing.B) {
	m, source := mechanism(b, Config{Categories: []int{10, 10}, Margins: [][]int{{0, 1}}}), seeded(6)
	counts := make([]int64, 100)
	for i := range counts {
		counts[i] = int64(30 + i%17)
	}
	for b.Loop() {
		if _, err := m.Release(source, counts); err != nil {
			b.Fatal(err)
		}
	}
}
