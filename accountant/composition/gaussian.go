package composition

import (
	"math"

	"tacit/internal/normal"
)

// gaussianEpsilon is the epsilon at delta, rounded up, of Gaussian releases whose D^2/sigma^2 sum up to squared; +Inf if that is so
// much that the margin of normal.Delta is in doubt, where epsilon is some 500,000.
//
// All together are one release with that D^2/sigma^2 (Dong, Roth and Su 2022, Corollary 3.3), and no choice of later scales in view of
// earlier answers gains anything as long as the sum is bounded: what is seen is a Brownian motion with a drift of 0 or 1, up to a time
// that is bounded (Smith and Thakurta 2022, Theorem 3.1; Koskela, Tobaben and Honkela 2023, Theorem 10).
func gaussianEpsilon(squared, delta float64) float64 {
	mu := up(math.Sqrt(squared))
	if !(mu <= 1000) {
		return math.Inf(1)
	}
	if normal.Delta(mu, 0) <= delta {
		return 0
	}
	high := mu * mu
	for normal.Delta(mu, high) > delta {
		high *= 2
	}
	low := 0.0
	for range 200 {
		middle := (low + high) / 2
		if middle <= low || middle >= high || high-low < 1e-13*high {
			break
		}
		if normal.Delta(mu, middle) <= delta {
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
	above := func(x float64) bool { return math.Erfc(x/math.Sqrt2)/2*(1+normal.Margin) > wrong(epsilon) }
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
