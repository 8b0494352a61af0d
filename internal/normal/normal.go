package normal

import "math"

// Margin is more than the relative error of each of the two terms that Delta is the difference of: an argument, of at most 40 or so where
// a term can be told from 0, is known to 2^-51 of its larger part, and its square is in an exponent.
const Margin = 1e-12

// Delta is the exact delta at epsilon of continuous Gaussian noise on neighbours that are mu standard deviations apart,
//
//	Phi(mu/2 - epsilon/mu) - exp(epsilon) Phi(-mu/2 - epsilon/mu)
//
// (Balle and Wang 2018, Theorem 8), rounded up by Margin of both terms.
//
// With a and b for the two arguments without their signs, exp(epsilon - b^2/2) = exp(-a^2/2): that keeps large epsilons from overflowing.
func Delta(mu, epsilon float64) float64 {
	a, b := mu/2-epsilon/mu, mu/2+epsilon/mu
	first := math.Erfc(-a/math.Sqrt2) / 2
	second := math.Exp(-a*a/2) * ScaledErfc(b/math.Sqrt2) / 2
	return min(1, max(0, first*(1+Margin)-second*(1-Margin)))
}

// ScaledErfc is exp(x^2) erfc(x), for x >= 0. From 25 on the asymptotic series (NIST DLMF 7.12.1) has 14 digits after six terms.
func ScaledErfc(x float64) float64 {
	if x < 25 {
		return math.Exp(x*x) * math.Erfc(x)
	}
	u := 1 / (2 * x * x)
	return (1 - u*(1-3*u*(1-5*u*(1-7*u*(1-9*u))))) / (x * math.Sqrt(math.Pi))
}
