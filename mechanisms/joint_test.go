package mechanisms

import (
	"math"
	"math/big"
	"testing"

	"tacit/policy"
)

// TestNoiseOfLargeDistances makes discrete Laplace noise for the largest distances. Its rate is never more than epsilon over the distance, and
// hardly less. It fails if the rate is rounded up.
func TestNoiseOfLargeDistances(t *testing.T) {
	for _, epsilon := range []policy.Epsilon{2_000_000, 100_000_000, 123_456_789, 333_333_333, 1_000_000_000, 10_000_000_001} {
		for _, distance := range []int64{1, 999, 1001, 1 << 20, 1_000_003, 1<<30 - 1, 1 << 30} {
			if !drawable(epsilon, distance) {
				t.Errorf("epsilon %v, distance %d: no noise", epsilon, distance)
				continue
			}
			d := newDiscreteLaplace(epsilon, distance)
			rate := new(big.Rat).SetFrac(new(big.Int).SetUint64(d.s), new(big.Int).SetUint64(d.t))
			off := new(big.Rat).Quo(rate, new(big.Rat).Inv(noiseScale(epsilon, distance)))
			short, _ := new(big.Rat).Sub(big.NewRat(1, 1), off).Float64()
			if short < 0 || short > math.Ldexp(1, -38) || d.t >= 1<<40 || d.s == 0 {
				t.Errorf("epsilon %v, distance %d: %d/%d is off by %v", epsilon, distance, d.s, d.t, short)
			}
		}
	}
	if drawable(1, 2*maxSensitivity) {
		t.Error("noise of a scale beyond 2^40")
	}
}

// TestPartsShareTheLoss adds up the losses of parts of different sensitivities: together they are those of one release. The zCDP of each is a share
// of the whole.
func TestPartsShareTheLoss(t *testing.T) {
	sensitivities := []int64{1, 120, 10_000}
	for _, kind := range []policy.Kind{policy.Gaussian, policy.DiscreteGaussian} {
		for _, adjacency := range []policy.Adjacency{policy.AddRemove, policy.ReplaceOne} {
			c := Config{Kind: kind, Epsilon: 5e8, Delta: 1e12, Adjacency: adjacency, Sensitivity: 7, PerCell: 7, Random: noRandomness{}}
			whole := made(t, c).Guarantee(adjacency).Rho
			sum := 0.0
			c.Parts = int64(len(sensitivities))
			for _, s := range sensitivities {
				c.Sensitivity, c.PerCell = s, s
				sum += made(t, c).Guarantee(adjacency).Rho
			}
			if sum > whole*(1+1e-6) || sum < whole*(1-1e-2) {
				t.Errorf("%s, %s: parts have %v of zCDP together, a release by itself %v", kind, adjacency, sum, whole)
			}
		}
	}
}

func made(t *testing.T, c Config) *Mechanism {
	t.Helper()
	m, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

type noRandomness struct{}

func (noRandomness) Read([]byte) (int, error) { return 0, nil }
