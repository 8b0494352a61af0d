package composition

import (
	"fmt"
	"math"
	"testing"

	"tacit/policy"
)

// Google's accountant gives the least Laplace scale b (and the largest rate of discrete Laplace noise) with which so many releases are
// (epsilon, delta)-differentially private, to 0.1 (and to 0.001): google/differential-privacy,
// python/dp_accounting/dp_accounting/pld/accountant_test.py, commit 7b02d985. So at that scale epsilon is what was asked for, to about 1%.
func TestPublishedCompositions(t *testing.T) {
	lap := func(scale float64) Term {
		return Term{Noise: LaplaceNoise, Epsilon: policy.Epsilon(math.Round(1e9 / scale)), Moves: 1}
	}
	for _, c := range []struct {
		term    Term
		k       int64
		epsilon float64
		delta   float64
	}{
		{lap(13.6), 20, 1, 1e-4},
		{lap(71.0), 500, 1, 1e-4},
		{lap(70. / 21), 10, 3, 0},
		{Term{Noise: GeometricNoise, Epsilon: 73e6, Moves: 1}, 20, 1, 1e-4},
		{Term{Noise: GaussianNoise, Variance: Ratio{1, 9}, Squared: 1}, 1, 1, 0.78760074},     // sigma 1/3
		{Term{Noise: GaussianNoise, Variance: Ratio{100, 1}, Squared: 36}, 25, 1, 0.78760074}, // sigma 10, sensitivity 6
		// pld_privacy_accountant_test.py, test_gaussian_basic: 3 with noise multiplier sqrt(3)
		{Term{Noise: GaussianNoise, Variance: Ratio{3, 1}, Squared: 1}, 3, 1, 0.126936},
	} {
		got := Epsilon(Tally{c.term: c.k}, c.delta)
		if math.Abs(got.Upper-c.epsilon) > 0.01*c.epsilon {
			t.Errorf("%d of %v at delta %v: epsilon is %v, published %v", c.k, c.term, c.delta, got, c.epsilon)
		}
	}
}

// 100 Laplace releases with epsilon 0.1 each. The exact deltas were computed by exactLaplace, with 600 and with 1000 bits alike, in some
// minutes. A filter bounds epsilon by 16 to 32 steps of a loss, and is off by no more than 1e-5.
func TestHundredLaplaceReleases(t *testing.T) {
	term := Term{Noise: LaplaceNoise, Epsilon: 1e8, Moves: 1}
	for epsilon, delta := range map[float64]float64{3: 0.0011711741215262976, 4.692: 1.0034590203282719e-06} {
		tally := Tally{term: 100}
		closeBound(t, fmt.Sprintf("delta at %v", epsilon), Delta(tally, epsilon), delta, 1e-5)
		closeBound(t, fmt.Sprintf("epsilon at %v", delta), Epsilon(tally, delta), epsilon, 1e-6)
		var c Composer
		budget := policy.Delta(math.Ceil(delta * 1e18 * 100 / 99)) // of which a hundredth is zCDP's
		spent := c.Spent(Filter{Rule: policy.PLDComposition, Delta: budget, Main: term}, tally)
		if got := float64(spent.Epsilon) / 1e9; got < epsilon-1e-7 || got > epsilon*(1+2e-5) {
			t.Errorf("spent %v, exactly %v", spent, epsilon)
		}
	}
}

// k Gaussian releases are one with k times D^2/sigma^2, whose delta Balle and Wang's formula gives: here in other words, by the density.
func TestGaussiansAgainstClosedForm(t *testing.T) {
	for _, k := range []int64{1, 2, 10, 1000, 1_000_000} {
		for _, sigma := range []uint64{1, 7, 100} {
			for _, epsilon := range []float64{0, 0.1, 1, 5} {
				term := Term{Noise: GaussianNoise, Variance: Ratio{sigma * sigma, 1}, Squared: 1}
				mu := math.Sqrt(float64(k)) / float64(sigma)
				if mu > 5 {
					continue
				}
				exact := integrateGaussian(mu, epsilon)
				if exact < 1e-12 {
					continue
				}
				got := Delta(Tally{term: k}, epsilon)
				if math.Abs(got.Upper-exact) > 1e-9*exact+1e-13 {
					t.Errorf("%d of sigma %d at %v: %v, want %v", k, sigma, epsilon, got, exact)
				}
				if back := Epsilon(Tally{term: k}, exact); epsilon > 0 && math.Abs(back.Upper-epsilon) > 1e-6 {
					t.Errorf("%d of sigma %d at delta %v: %v, want %v", k, sigma, exact, back, epsilon)
				}
			}
		}
	}
}

// integrateGaussian is the integral of max(0, 1 - exp(epsilon - l)) over a loss l that is normal with mean mu^2/2 and variance mu^2, by
// Simpson's rule.
func integrateGaussian(mu, epsilon float64) float64 {
	const n = 200_000
	low, high := epsilon, max(epsilon, mu*mu/2)+14*mu
	f := func(l float64) float64 {
		x := (l - mu*mu/2) / mu
		return -math.Expm1(epsilon-l) * math.Exp(-x*x/2) / (mu * math.Sqrt(2*math.Pi))
	}
	h := (high - low) / n
	sum := f(low) + f(high)
	for i := 1; i < n; i++ {
		sum += float64(2+2*(i%2)) * f(low+float64(i)*h)
	}
	return sum * h / 3
}
