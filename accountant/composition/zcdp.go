package composition

import (
	"math"

	"tacit/policy"
)

// Rho is a rho for which the term, but for its Delta, is rho-zCDP, rounded up.
//
// Of Gaussian noise it is D^2/(2 sigma^2) (Bun and Steinke 2016, Proposition 6; of the discrete Gaussian on integers Canonne, Kamath and
// Steinke 2020, Theorem 4). A pure epsilon is epsilon^2/2 (Bun and Steinke 2016, Proposition 4), and m independent moves of epsilon/m
// each are m times that of one.
func (t Term) Rho() float64 {
	switch t.Noise {
	case GaussianNoise, DiscreteGaussianNoise:
		return up(float64(t.Squared) / (2 * t.Variance.float()))
	case GeometricNoise, LaplaceNoise:
		return up(t.epsilon() * t.epsilon() / (2 * float64(t.Moves)))
	default:
		return up(t.epsilon() * t.epsilon() / 2)
	}
}

// epsilon is Epsilon, rounded to nearest.
func (t Term) epsilon() float64 { return float64(t.Epsilon) / 1e9 }

// zcdpEpsilon is what rho-zCDP says at delta.
//
// A sequence of releases whose rhos sum up to at most rho whatever is chosen is rho-zCDP, even if each is chosen in view of the answers of
// those before (Feldman and Zrnic 2021, Theorem 3.1: it holds of each Renyi divergence alone, and so of all). What that says at delta is
// Canonne, Kamath and Steinke 2020, Corollary 13: the infimum over orders a > 1 of
//
//	a rho + (ln(1/delta) + (a-1) ln(1-1/a) - ln a)/(a-1).
//
// Every order gives a valid epsilon, so that the search may end anywhere.
func zcdpEpsilon(rho float64, delta policy.Delta) policy.Epsilon {
	if delta <= 0 || math.IsInf(rho, 1) {
		return infinite
	}
	return epsilonAbove(EpsilonOfRho(rho, deltaBelow(delta)))
}

// EpsilonAt is what rho-zCDP says at delta, rounded up, as the ledger counts it.
func EpsilonAt(rho float64, delta policy.Delta) policy.Epsilon { return zcdpEpsilon(rho, delta) }

// EpsilonOfRho is what rho-zCDP says at delta, in floating point, rounded up (see zcdpEpsilon).
func EpsilonOfRho(rho, delta float64) float64 {
	at := func(logB float64) float64 { // b = a-1
		b := math.Exp(logB)
		first, second, third := (1+b)*rho, -math.Log(delta)/b, math.Log1p(1/b)+math.Log1p(b)/b
		return first + second - third + slack*(first+second+third)
	}
	return max(0, at(minimize(at, -60, 60)))
}

// DeltaOfRho is a delta at epsilon of any rho-zCDP mechanism, by the same corollary: the infimum over orders a > 1 of
// exp((a-1)(a rho - epsilon)) (1-1/a)^a/(a-1). It is for reports, and rounded to nearest.
func DeltaOfRho(rho, epsilon float64) float64 {
	at := func(logB float64) float64 { // b = a-1
		b := math.Exp(logB)
		a := 1 + b
		return b*(a*rho-epsilon) - a*math.Log1p(1/b) - logB
	}
	return min(1, math.Exp(at(minimize(at, -60, 60))))
}

// minimize returns a point where a function with one minimum in the interval is near it (golden section).
func minimize(f func(float64) float64, low, high float64) float64 {
	ratio := (math.Sqrt(5) - 1) / 2
	x, y := high-ratio*(high-low), low+ratio*(high-low)
	fx, fy := f(x), f(y)
	for high-low > 1e-8 {
		if fx < fy {
			high, y, fy = y, x, fx
			x = high - ratio*(high-low)
			fx = f(x)
		} else {
			low, x, fx = x, y, fy
			y = low + ratio*(high-low)
			fy = f(y)
		}
	}
	return (low + high) / 2
}

// RhoWithin is nearly the largest rho of which rho-zCDP says at most epsilon at delta, and never a larger one; 0 if there is none.
func RhoWithin(epsilon policy.Epsilon, delta policy.Delta) float64 {
	low, high := 0.0, 1<<20*1.0
	for range 200 {
		if middle := (low + high) / 2; zcdpEpsilon(middle, delta) <= epsilon {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}
