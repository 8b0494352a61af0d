package composition

import "math"

// gaussianEpsilon is the epsilon at delta, rounded up, of Gaussian releases whose D^2/sigma^2 sum up to squared; +Inf if it is too
// large for a number.
//
// All together are one release with that D^2/sigma^2 (Dong, Roth and Su 2022, Corollary 3.3), and no choice of later scales in view of
// earlier answers gains anything as long as the sum is bounded: what is seen is a Brownian motion with a drift of 0 or 1, up to a time
// that is bounded (Smith and Thakurta 2022, Theorem 3.1; Koskela, Tobaben and Honkela 2023, Theorem 10).
func gaussianEpsilon(squared, delta float64) float64 {
	mu := up(math.Sqrt(squared))
	if gaussianDelta(mu, 0) <= delta {
		return 0
	}
	high := mu * mu
	for gaussianDelta(mu, high) > delta {
		high *= 2
		if math.IsInf(high, 1) {
			return high
		}
	}
	low := 0.0
	for range 200 {
		middle := (low + high) / 2
		if middle <= low || middle >= high || high-low < 1e-13*high {
			break
		}
		if gaussianDelta(mu, middle) <= delta {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// squaredMu is the mu^2 of a Gaussian pair that dominates the term, rounded up: D^2/sigma^2, and of a pure epsilon that of the Gaussian
// pair that is told apart with the same error of 1/(1+exp(epsilon)) on both sides, and so makes randomized response (Dong, Roth and Su
// 2022, section 2.2). A discrete Gaussian has none.
func (t Term) squaredMu() float64 {
	if t.Noise == GaussianNoise {
		return up(float64(t.Squared) / t.Variance.float())
	}
	if !t.pure() {
		return math.Inf(1)
	}
	return min(squaredMuOf(t.epsilon()), up(float64(max(1, t.Moves))*squaredMuOf(t.rate())))
}

// squaredMuOf is (2x)^2 with P(N > x) = 1/(1+exp(epsilon)), rounded up.
func squaredMuOf(epsilon float64) float64 {
	low, high := 0.0, 1.0
	above := func(x float64) bool { return math.Erfc(x/math.Sqrt2)/2*(1+marginOfErfc) > wrong(epsilon) }
	for above(high) {
		if low, high = high, 2*high; high > 64 {
			return math.Inf(1)
		}
	}
	for range 60 {
		if middle := (low + high) / 2; above(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return up(4 * high * high)
}

// gaussianDelta is Phi(mu/2 - epsilon/mu) - exp(epsilon) Phi(-mu/2 - epsilon/mu) (Balle and Wang 2018, Theorem 8), rounded up by
// more than its rounding errors.
//
// With a and b for the two arguments, exp(epsilon - b^2/2) = exp(-a^2/2): that keeps large epsilons from overflowing.
func gaussianDelta(mu, epsilon float64) float64 {
	a, b := mu/2-epsilon/mu, mu/2+epsilon/mu
	first := math.Erfc(-a/math.Sqrt2) / 2
	second := math.Exp(-a*a/2) * scaledErfc(b/math.Sqrt2) / 2
	return min(1, max(0, first*(1+marginOfErfc)-second*(1-marginOfErfc)))
}

// marginOfErfc is more than the relative error of the terms of gaussianDelta: a, of at most 40 or so, is known to 2^-51 of its larger part,
// and its square is in an exponent.
const marginOfErfc = 1e-12

// scaledErfc is exp(x^2) erfc(x), for x >= 0. From 25 on the asymptotic series (NIST DLMF 7.12.1) has 14 digits after six terms.
func scaledErfc(x float64) float64 {
	if x < 25 {
		return math.Exp(x*x) * math.Erfc(x)
	}
	u := 1 / (2 * x * x)
	return (1 - u*(1-3*u*(1-5*u*(1-7*u*(1-9*u))))) / (x * math.Sqrt(math.Pi))
}
