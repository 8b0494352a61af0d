package mechanisms

import (
	"math"
	"testing"

	"tacit/policy"
)

// Also with deltas that are far below the precision of 1-delta. The sigma is rounded up.
func TestPDPSigma(t *testing.T) {
	for _, c := range []struct{ epsilon, delta, sigma float64 }{
		{1, 1e-18, 8.89134425460504}, {0.1, 1e-12, 71.3751209024557}, {5, 1e-5, 0.984961494234511}, {1, 0.5, 1.12065671173309}, {0.01, 0.999, 7.1340112100141},
	} {
		if got := pdpSigma(c.epsilon, c.delta, 1); !near(got, c.sigma, 1e-11) {
			t.Errorf("sigma at %v and %v is %.15g, want %.15g", c.epsilon, c.delta, got, c.sigma)
		}
	}
}

// Noise for very large epsilons is small, and for very small ones large: it is found at all, and what is found holds.
func TestCalibrationsAtExtremes(t *testing.T) {
	for _, kind := range []policy.Kind{policy.Gaussian, policy.DiscreteGaussian} {
		for _, adjacency := range bothAdjacencies {
			for _, s := range []int64{1, 2} {
				last := math.Inf(1)
				for _, e := range []float64{0.00005, 0.001, 0.1, 1, 10, 100, 700, 720, 2000, 1e6, 9e9} {
					m := newMechanism(t, Config{Kind: kind, Epsilon: epsilonOf(e), Delta: 1e12, Adjacency: adjacency, Sensitivity: s})
					sigma := m.method.(additive).noise.(*gaussian).sigma
					if sigma > last || e >= 1000 && sigma > 0.1 {
						t.Errorf("%s, epsilon %v, %s, s %d: sigma is %v, and was %v", kind, e, adjacency, s, sigma, last)
					}
					last = sigma
					if d := m.Guarantee(adjacency).Delta(e); d > 1e-6*(1+1e-7) {
						t.Errorf("%s, epsilon %v, %s, s %d: delta is %v", kind, e, adjacency, s, d)
					}
				}
			}
		}
	}
}

// With much noise, delta is a small difference of large tails. Summed up over the values of the privacy loss nothing cancels out: what is
// configured is kept to the last digit that such a sum has.
func TestLargeDiscreteGaussianKeepsItsLoss(t *testing.T) {
	for _, c := range []struct{ epsilon, delta float64 }{{0.1, 1e-18}, {0.01, 1e-12}, {0.005, 1e-6}, {0.001, 1e-9}, {0.0001, 1e-5}} {
		m := newMechanism(t, Config{Kind: policy.DiscreteGaussian, Epsilon: epsilonOf(c.epsilon), Delta: deltaOf(c.delta)})
		g := m.method.(additive).noise.(*gaussian)
		var sum, total float64
		for z := int64(12 * g.sigma); z >= -int64(12*g.sigma); z-- {
			weight := math.Exp(-float64(z) * float64(z) / (2 * g.sigma * g.sigma))
			total += weight
			if loss := (2*float64(z) + 1) / (2 * g.sigma * g.sigma); loss > c.epsilon {
				sum += weight * -math.Expm1(c.epsilon-loss)
			}
		}
		if exact := sum / total; exact > c.delta*(1+1e-11) || exact < c.delta*(1-1e-3) {
			t.Errorf("epsilon %v, sigma %v: exact delta is %.15g, configured %v", c.epsilon, g.sigma, exact, c.delta)
		}
	}
}
