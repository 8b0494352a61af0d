package mechanisms

import (
	"math"
	"testing"

	"tacit/accountant/composition"
)

// Computed with 50 digits in mpmath.
func TestDeltaOfRho(t *testing.T) {
	for _, c := range []struct{ rho, epsilon, delta float64 }{
		{0.5, 4.728386979, 1.0000000263399e-5}, {1e-6, 0.01, 1.0169180723477e-15}, {1e-9, 0.0003, 4.1051733760644e-16},
		{1e-12, 0.00001, 1.0118514828864e-18}, {0.01, 1, 1.664113977388e-13}, {10, 30, 1.1217702240171e-5}, {100, 50, 1}, {1e-6, 1e-9, 0.00085776313589846},
	} {
		if got := composition.DeltaOfRho(c.rho, c.epsilon); !near(got, c.delta, 1e-9) {
			t.Errorf("delta of rho %v at %v is %.14g, want %.14g", c.rho, c.epsilon, got, c.delta)
		}
	}
}

// The best epsilon is never above the usual one, both give back their delta, and both hold for the exact delta of Gaussian noise.
func TestEpsilonOfRho(t *testing.T) {
	for _, rho := range []float64{1e-6, 1e-3, 0.1, 1, 20} {
		for _, delta := range []float64{1e-15, 1e-6, 0.01} {
			basic, best := epsilonOfRho(rho, delta), composition.EpsilonOfRho(rho, delta)
			if best > basic {
				t.Errorf("rho %v, delta %v: best epsilon %v, basic one %v", rho, delta, best, basic)
			}
			if best > 0 && !near(composition.DeltaOfRho(rho, best), delta, 1e-6) {
				t.Errorf("rho %v: delta at %v is %v, want %v", rho, best, composition.DeltaOfRho(rho, best), delta)
			}
			if sigma := math.Sqrt(1 / (2 * rho)); gaussianDelta(best, sigma, 1) > delta {
				t.Errorf("rho %v: Gaussian noise has delta %v at %v, more than %v", rho, gaussianDelta(best, sigma, 1), best, delta)
			}
		}
	}
}
