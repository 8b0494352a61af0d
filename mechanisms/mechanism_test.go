package mechanisms

import (
	"errors"
	"io"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
	"tacit/internal/battery"
	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// kindConfig is a configuration that New takes.
func kindConfig(kind policy.Kind) Config {
	c := Config{Kind: kind, Adjacency: policy.AddRemove, Sensitivity: 1, PerCell: 1, Random: battery.Seeded(1)}
	if kind != policy.Suppression {
		c.Epsilon = 5e8
	}
	if kind == policy.Gaussian || kind == policy.DiscreteGaussian {
		c.Delta = 1e12
	}
	if kind.Suppresses() {
		c.K, c.Fill = 6, policy.Fill{}
	}
	return c
}

// oneBlock is a histogram that every kind takes.
func oneBlock(counts []int64) Histogram {
	block := make([]int, len(counts))
	for i := range block {
		block[i] = i
	}
	return Histogram{Counts: counts, Blocks: [][]int{block}}
}

func TestConfigurationIsChecked(t *testing.T) {
	gaussians := []policy.Kind{policy.Gaussian, policy.DiscreteGaussian}
	suppressors := []policy.Kind{policy.Suppression, policy.DPSuppression, policy.DPSuppressionEq2, policy.DPSuppressionAlg2}
	noisy := slices.DeleteFunc(slices.Clone(policy.Kinds), func(k policy.Kind) bool { return k == policy.Suppression })
	for _, c := range []struct {
		name  string
		kinds []policy.Kind
		spoil func(*Config)
	}{
		{"no randomness", policy.Kinds, func(c *Config) { c.Random = nil }},
		{"epsilon zero", noisy, func(c *Config) { c.Epsilon = 0 }},
		{"epsilon negative", noisy, func(c *Config) { c.Epsilon = -1 }},
		{"delta negative", policy.Kinds, func(c *Config) { c.Delta = -1 }},
		{"delta one", policy.Kinds, func(c *Config) { c.Delta = 1e18 }},
		{"delta zero", gaussians, func(c *Config) { c.Delta = 0 }},
		{"no sensitivity", policy.Kinds, func(c *Config) { c.Sensitivity = 0 }},
		{"too sensitive", policy.Kinds, func(c *Config) { c.Sensitivity = maxSensitivity + 1 }},
		{"no sensitivity per cell", policy.Kinds, func(c *Config) { c.PerCell = 0 }},
		{"more per cell than in all", policy.Kinds, func(c *Config) { c.PerCell = 2 }},
		{"no adjacency", policy.Kinds, func(c *Config) { c.Adjacency = "" }},
		{"other adjacency", policy.Kinds, func(c *Config) { c.Adjacency = "replace" }},
		{"no k", suppressors, func(c *Config) { c.K = 0 }},
		{"negative bound", suppressors, func(c *Config) { c.Bound = -1 }},
		{"unknown calibration", gaussians[:1], func(c *Config) { c.Calibration = "guess" }},
		{"classic calibration from 1 on", gaussians[:1], func(c *Config) { c.Calibration, c.Epsilon = policy.ClassicCalibration, 1e9 }},
		{"too much noise", gaussians, func(c *Config) { c.Epsilon, c.Delta = 1, 1 }},
		{"unknown kind", policy.Kinds[:1], func(c *Config) { c.Kind = "exponential" }},
		{"no kind", policy.Kinds[:1], func(c *Config) { c.Kind = "" }},
	} {
		for _, kind := range c.kinds {
			config := kindConfig(kind)
			newMechanism(t, config)
			c.spoil(&config)
			if m, err := New(config); err == nil || m != nil {
				t.Errorf("%s, %s: %v, error %v", kind, c.name, m, err)
			}
		}
	}
}

func TestLosses(t *testing.T) {
	pure := accountant.Loss{Epsilon: 5e8}
	withDelta := accountant.Loss{Epsilon: 5e8, Delta: 1e12}
	none := accountant.Loss{Releases: 1}
	for kind, want := range map[policy.Kind]struct{ loss, threshold accountant.Loss }{
		policy.Geometric:         {pure, withDelta},
		policy.Laplace:           {pure, withDelta},
		policy.DPSuppression:     {pure, withDelta},
		policy.Gaussian:          {withDelta, accountant.Loss{Epsilon: 5e8, Delta: 2e12}},
		policy.DiscreteGaussian:  {withDelta, accountant.Loss{Epsilon: 5e8, Delta: 2e12}},
		policy.Suppression:       {none, none},
		policy.DPSuppressionEq2:  {none, none},
		policy.DPSuppressionAlg2: {none, none},
		policy.DPSwapping:        {none, none},
	} {
		for _, adjacency := range []policy.Adjacency{policy.AddRemove, policy.ReplaceOne} {
			c := kindConfig(kind)
			c.Delta, c.Adjacency = 1e12, adjacency
			m := newMechanism(t, c)
			if m.Kind() != kind || m.Loss() != want.loss || m.ThresholdLoss() != want.threshold {
				t.Errorf("%s: Loss is %v and ThresholdLoss %v, want %v and %v", m.Kind(), m.Loss(), m.ThresholdLoss(), want.loss, want.threshold)
			}
		}
	}
}

func TestSanitizeShowsWhatThePolicySays(t *testing.T) {
	counts := make([]int64, 2000)
	for i := range counts {
		counts[i] = int64(i % 4)
	}
	for _, kind := range []policy.Kind{policy.Geometric, policy.Laplace, policy.Gaussian, policy.DiscreteGaussian} {
		c := kindConfig(kind)
		c.Random = battery.Seeded(4)
		shown, err := newMechanism(t, c).Sanitize(Histogram{Counts: counts})
		if err != nil {
			t.Fatal(err)
		}
		c.Random, c.KeepNegative = battery.Seeded(4), true
		kept, err := newMechanism(t, c).Sanitize(Histogram{Counts: counts})
		if err != nil {
			t.Fatal(err)
		}
		if slices.Min(kept.Counts) >= 0 {
			t.Errorf("%s: no negative count was kept", kind)
		}
		for i := range counts {
			if shown.Counts[i] != max(0, kept.Counts[i]) {
				t.Fatalf("%s, cell %d: shown %d, kept %d", kind, i, shown.Counts[i], kept.Counts[i])
			}
		}
		if shown.Suppressed != nil || kept.Suppressed != nil {
			t.Errorf("%s: cells are suppressed", kind)
		}
		if !slices.Equal(counts[:4], []int64{0, 1, 2, 3}) {
			t.Fatal("Sanitize changed its argument")
		}
	}
	// The same draws, suppressed: dp-suppression has the noise of geometric.
	kept, err := newMechanism(t, Config{Kind: policy.Geometric, Epsilon: 5e8, KeepNegative: true, Random: battery.Seeded(5)}).Sanitize(Histogram{Counts: counts})
	if err != nil {
		t.Fatal(err)
	}
	for fill, value := range map[policy.Fill]int64{{}: 0, {Kind: policy.FillHalf}: 1, {Kind: policy.FillValue, Value: 9}: 9, {Kind: policy.FillValue}: 0} {
		cells, err := newMechanism(t, Config{Kind: policy.DPSuppression, Epsilon: 5e8, K: 3, Fill: fill, Random: battery.Seeded(5)}).Sanitize(Histogram{Counts: counts})
		if err != nil {
			t.Fatal(err)
		}
		for i, noisy := range kept.Counts {
			want, suppressed := noisy, noisy < 3
			if suppressed {
				want = value
			}
			if cells.Counts[i] != want || fill.Kind == policy.FillNull && cells.Suppressed[i] != suppressed || fill.Kind != policy.FillNull && cells.Suppressed != nil {
				t.Fatalf("fill %v, cell %d: noisy count %d is shown as %d", fill, i, noisy, cells.Counts[i])
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

// Counts next to the ends of int64 neither wrap round nor panic, whatever is asked about them.
func TestLargestCounts(t *testing.T) {
	h := oneBlock([]int64{math.MaxInt64, math.MaxInt64 - 1, 0, 1})
	for _, kind := range policy.Kinds {
		for _, fill := range []policy.Fill{{}, {Kind: policy.FillHalf}, {Kind: policy.FillValue, Value: 3}} {
			c := kindConfig(kind)
			c.Fill = fill
			m := newMechanism(t, c)
			cells, err := m.Sanitize(h)
			if err != nil || slices.Min(cells.Counts) < 0 {
				t.Fatalf("%s: %v, error %v", kind, cells, err)
			}
			for i, x := range m.Expect(h) {
				if math.IsNaN(x.Bias+x.Variance+x.Suppressed) || x.Variance < 0 {
					t.Errorf("%s, cell %d: %+v", kind, i, x)
				}
				for _, v := range []float64{math.Inf(-1), -1e300, -1, 0, 5, 1e19, 1e300, math.Inf(1)} {
					if p := x.Distribution(v); !(p >= 0 && p <= 1+1e-12) || v > 1e18*20 && p < 1-1e-12 || v < -1e18 && p > 1e-12 {
						t.Errorf("%s, cell %d: P(shown <= %v) = %v", kind, i, v, p)
					}
				}
			}
			for _, n := range h.Counts {
				if interval, ok := m.Interval95(n, false); ok && (interval.Low < 0 || interval.High < interval.Low) {
					t.Errorf("%s: interval of %d is %v", kind, n, interval)
				}
			}
		}
	}
}

func TestNoPartialResult(t *testing.T) {
	h := oneBlock(make([]int64, 3000))
	for i := range h.Counts {
		h.Counts[i] = 5
	}
	for _, kind := range policy.Kinds {
		if kind == policy.Suppression {
			continue // draws nothing
		}
		// The first call may use up what there is; later calls fail although the reader has recovered.
		limit := int64(400)
		if kind == policy.DPSuppressionAlg2 {
			limit = 0
		}
		c := kindConfig(kind)
		c.Delta, c.Random = 1e12, io.MultiReader(io.LimitReader(battery.Seeded(6), limit), &failOnce{}, battery.Seeded(7))
		m := newMechanism(t, c)
		for range 3 {
			if cells, err := m.Sanitize(h); cells.Counts != nil || cells.Suppressed != nil || !errors.Is(err, sampling.ErrRandomness) {
				t.Fatalf("%s: %d counts and error %v, want none and sampling.ErrRandomness", kind, len(cells.Counts), err)
			}
		}
		if kind == policy.DPSwapping || kind == policy.DPSuppressionAlg2 {
			continue
		}
		if shown, ok, err := m.Select(1000); shown != 0 || ok || !errors.Is(err, sampling.ErrRandomness) {
			t.Fatalf("%s: Select returned %d, %v, %v", kind, shown, ok, err)
		}
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

// A stuck source ends in an error: no draw goes on for ever, whatever bits it repeats.
func TestStuckRandomness(t *testing.T) {
	for _, kind := range policy.Kinds {
		for _, b := range []byte{0x00, 0x55, 0xff} {
			c := kindConfig(kind)
			c.Epsilon, c.Random = 3e9, stuck(b)
			m := newMechanism(t, c)
			if _, err := m.Sanitize(oneBlock(make([]int64, 100))); err != nil && !errors.Is(err, sampling.ErrRandomness) {
				t.Errorf("%s, bytes %#x: error %v", kind, b, err)
			}
		}
	}
}

type stuck byte

func (s stuck) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(s)
	}
	return len(p), nil
}

// However calls interleave, they share out one stream: no draw is lost or repeated.
func TestConcurrentUse(t *testing.T) {
	for _, kind := range []policy.Kind{policy.Geometric, policy.Laplace, policy.Gaussian, policy.DiscreteGaussian} {
		c := kindConfig(kind)
		c.KeepNegative, c.Delta, c.Random = true, 1e12, battery.Seeded(8)
		m := newMechanism(t, c)
		var wg sync.WaitGroup
		var mu sync.Mutex
		var all []int64
		for range 8 {
			wg.Go(func() {
				for range 100 {
					cells, err := m.Sanitize(Histogram{Counts: make([]int64, 50)})
					if err != nil {
						t.Error(err)
					}
					// What only reads runs beside what draws.
					m.Guarantee(policy.ReplaceOne).Delta(0.1)
					m.Expect(Histogram{Counts: []int64{3}})
					m.Interval95(3, false)
					mu.Lock()
					all = append(all, cells.Counts...)
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		c.Random = battery.Seeded(8)
		one, err := newMechanism(t, c).Sanitize(Histogram{Counts: make([]int64, len(all))})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(one.Counts)
		slices.Sort(all)
		if !cmp.Equal(one.Counts, all) {
			t.Errorf("%s: draws were lost or repeated", kind)
		}
	}
}

// Select and Sanitize draw from the same bits, too, and kinds without a guarantee are as safe to share.
func TestConcurrentUseOfAllMethods(t *testing.T) {
	for _, kind := range policy.Kinds {
		c := kindConfig(kind)
		c.Delta = 1e17
		m := newMechanism(t, c)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for n := range int64(50) {
					if _, err := m.Sanitize(oneBlock([]int64{1, 2, n})); err != nil {
						t.Error(err)
					}
					if _, _, err := m.Select(n + 1); err != nil && !errors.Is(err, errNoThreshold) {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
	}
}

// Two mechanisms of one configuration have nothing in common: noise of one is not drawn from the bits of the other.
func TestMechanismsShareNothing(t *testing.T) {
	for _, kind := range []policy.Kind{policy.Gaussian, policy.DiscreteGaussian} {
		c := kindConfig(kind)
		c.KeepNegative, c.Delta = true, 1e12
		release := func(m *Mechanism) []int64 {
			cells, err := m.Sanitize(Histogram{Counts: make([]int64, 20)})
			if err != nil {
				t.Fatal(err)
			}
			return cells.Counts
		}
		c.Random = battery.Seeded(1)
		alone := newMechanism(t, c)
		want := append(release(alone), release(alone)...)
		c.Random = battery.Seeded(1)
		first := newMechanism(t, c)
		c.Random = battery.Seeded(2)
		second := newMechanism(t, c)
		got := release(first)
		other := release(second)
		got = append(got, release(first)...)
		if !slices.Equal(got, want) {
			t.Errorf("%s: draws depend on another mechanism", kind)
		}
		if slices.Equal(other, want[:20]) {
			t.Errorf("%s: two mechanisms with their own bits draw the same", kind)
		}
	}
}
