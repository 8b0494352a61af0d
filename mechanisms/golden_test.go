package mechanisms

import (
	"math"
	"runtime"
	"testing"

	"tacit/internal/battery"
	"tacit/policy"
)

// The noise of a policy stays what it was: recorded answers are of it, and proxies of two versions may share a ledger. These are the variances,
// numerator/2^shift, thresholds and half-widths that policies had before tails were summed up by blocks; five rows are such that a relative change of 1e-14 in the
// tails has changed the variance.
func TestNoiseIsThatOfEarlierVersions(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the last digits of math.Exp, and of sums that a compiler may fuse with products, are those of amd64")
	}
	for _, c := range []struct {
		epsilon, delta       string
		adjacency            policy.Adjacency
		numerator            float64
		shift                int
		threshold, halfWidth int64
	}{
		{"0.001", "1e-12", policy.ReplaceOne, 959873887705, 14, 53845, 15002},
		{"0.001", "0.001", policy.ReplaceOne, 639607748820, 22, 1209, 765},
		{"0.003", "1e-15", policy.AddRemove, 642778012809, 17, 17588, 4340},
		{"0.003", "0.3", policy.ReplaceOne, 3503141239, 30, 3, 3},
		{"0.01", "1e-5", policy.ReplaceOne, 997092739304, 23, 1472, 676},
		{"0.01", "0.001", policy.AddRemove, 591809753635, 26, 292, 184},
		{"0.02", "1e-18", policy.AddRemove, 637882623266, 22, 3417, 764},
		{"0.02", "1e-15", policy.ReplaceOne, 1000800320081, 22, 3881, 957},
		{"0.02", "1e-6", policy.ReplaceOne, 879931568393, 24, 1091, 449},
		{"0.05", "1e-9", policy.AddRemove, 642126531845, 26, 589, 192},
		{"0.1", "1e-15", policy.ReplaceOne, 682333364750, 26, 803, 198},
		{"0.2", "1e-18", policy.AddRemove, 877922132157, 29, 356, 79},
		{"0.2", "0.001", policy.ReplaceOne, 210389241104, 30, 45, 27},
		{"0.3", "1e-5", policy.AddRemove, 135681971864, 30, 50, 22},
		{"0.5", "1e-18", policy.AddRemove, 289768788680, 30, 146, 32},
		{"0.5", "1e-9", policy.ReplaceOne, 244624013143, 30, 93, 30},
		{"0.7", "1e-12", policy.AddRemove, 92244731215, 30, 67, 18},
		{"1", "1e-18", policy.ReplaceOne, 148769737565, 30, 105, 23},
		{"1", "0.3", policy.AddRemove, 439066019, 30, 2, 1},
		{"1.5", "1e-5", policy.ReplaceOne, 14272463740, 30, 18, 7},
		{"2", "1e-6", policy.AddRemove, 5419560859, 30, 13, 4},
		{"3", "1e-12", policy.ReplaceOne, 11171244492, 30, 25, 6},
		{"5", "1e-15", policy.AddRemove, 2678245610, 30, 14, 3},
		{"5", "0.3", policy.ReplaceOne, 203477927, 30, 2, 1},
		{"10", "0.001", policy.AddRemove, 160567620, 30, 3, 1},
		{"30", "1e-6", policy.ReplaceOne, 107291720, 30, 3, 0},
		{"100", "1e-9", policy.AddRemove, 5368710, 30, 2, 0},
	} {
		epsilon, err := policy.ParseEpsilon(c.epsilon)
		if err != nil {
			t.Fatal(err)
		}
		delta, err := policy.ParseDelta(c.delta)
		if err != nil {
			t.Fatal(err)
		}
		m, err := New(Config{Kind: policy.DiscreteGaussian, Epsilon: epsilon, Delta: delta, Adjacency: c.adjacency, Sensitivity: 1, PerCell: 1, Random: battery.Seeded(1)})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := m.method.(additive).noise.(*gaussian).variance.Float(), math.Ldexp(c.numerator, -c.shift); got != want {
			t.Errorf("epsilon %s, delta %s, %s: variance %v, want %v", c.epsilon, c.delta, c.adjacency, got, want)
		}
		if got := m.selection().threshold(); got != c.threshold {
			t.Errorf("epsilon %s, delta %s, %s: threshold %d, want %d", c.epsilon, c.delta, c.adjacency, got, c.threshold)
		}
		if got := m.HalfWidth95(); got != c.halfWidth {
			t.Errorf("epsilon %s, delta %s, %s: half-width %d, want %d", c.epsilon, c.delta, c.adjacency, got, c.halfWidth)
		}
	}
}
