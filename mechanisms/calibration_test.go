package mechanisms

import (
	"math"
	"testing"

	"tacit/internal/normal"
	"tacit/policy"
)

// Computed with 50 digits in mpmath. gaussianDelta is rounded up, and not by more than its margin, of which terms that are much larger than
// their difference make more.
func TestGaussianDelta(t *testing.T) {
	for _, c := range []struct{ epsilon, sigma, delta, relative float64 }{
		{1e-6, 1000, 0.0003984426624712682, 1e-8},
		{0.001, 1e5, 0, 0},
		{0.1, 60, 2.739468903418913e-12, 1e-9},
		{1, 4, 2.924272104856407e-6, 1e-10},
		{10, 0.5, 9.940202816118153e-6, 1e-10},
		{100, 0.1, 1.879717002051916e-7, 1e-10},
		{700, 0.05, 1.356662127752497e-138, 1e-9},
		{900, 0.04, 1.049857812601929e-122, 1e-9},
		{5, 1. / 16, 0.9999999999999855, 1e-11},
		{0, 3, 0.1323676652218073, 1e-10},
		{1e-9, 1e6, 3.984424800717609e-7, 1e-5},
	} {
		got := gaussianDelta(c.epsilon, c.sigma, 1)
		if got < c.delta*(1-1e-15) || !near(got, c.delta, c.relative) {
			t.Errorf("delta(%v) of sigma %v is %.16g, want %.16g", c.epsilon, c.sigma, got, c.delta)
		}
		if scaled := gaussianDelta(c.epsilon, 3*c.sigma, 3); !near(scaled, got, 1e-4) {
			t.Errorf("delta(%v) of sigma %v is %v, of three times both %v", c.epsilon, c.sigma, got, scaled)
		}
	}
}

func TestScaledErfc(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{
		{0, 1}, {0.5, 0.61569034419292587}, {3, 0.17900115118138995}, {10, 0.056140992743822586}, {24.999, 0.022550473014042084},
		{25, 0.022549572432641359}, {25.001, 0.022548671923112327}, {40, 0.014100335983377814}, {1e3, 0.00056418930145338765}, {1e8, 5.6418958354775629e-9},
	} {
		if got := normal.ScaledErfc(c.x); !near(got, c.want, 2e-13) {
			t.Errorf("exp(x^2) erfc(x) at %v is %.17g, want %.17g", c.x, got, c.want)
		}
	}
}

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
