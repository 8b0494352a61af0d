package mechanisms

import (
	"math"

	"tacit/policy"
)

// A Guarantee is what a mechanism promises under one adjacency: its exact (epsilon, delta) profile, or a valid bound on it where
// the mechanism says so. Amounts are in floating point, for people who compare mechanisms; what is charged are the integers of
// [Mechanism.Loss].
type Guarantee struct {
	Adjacency policy.Adjacency
	// Pure is the smallest epsilon at which delta is 0; +Inf if there is none.
	Pure float64
	// Rho is a rho for which the mechanism is rho-zCDP (Bun and Steinke 2016); +Inf if there is none. It is the smallest for geometric
	// and discrete Gaussian noise on persons in one cell; noise that is rounded has that of the continuous noise, which is a little more.
	// That Renyi divergences of Laplace and geometric noise, divided by their order, are largest towards order 1, as Rho has it, was found
	// numerically, not by proof; epsilon^2/2 per cell that moves is the proved bound.
	Rho float64
	// Exact says that no delta below Delta holds: it is the hockey-stick divergence of the worst neighbours.
	Exact bool

	delta func(epsilon float64) float64
}

// Delta is the delta at epsilon >= 0.
func (g Guarantee) Delta(epsilon float64) float64 {
	if epsilon >= g.Pure {
		return 0
	}
	return min(1, max(0, g.delta(epsilon)))
}

// Epsilon is the smallest epsilon, to 9 digits and rounded up, at which delta suffices; +Inf if none does.
func (g Guarantee) Epsilon(delta float64) float64 {
	const largest = 1e6
	if g.Delta(largest) > delta {
		return math.Inf(1)
	}
	low, high := 0.0, min(largest, g.Pure)
	if g.Delta(0) <= delta {
		return 0
	}
	for high-low > 1e-10*high {
		middle := (low + high) / 2
		if g.Delta(middle) <= delta {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// nothing is the guarantee of a mechanism whose delta is the same at every epsilon.
func nothing(a policy.Adjacency, delta float64) Guarantee {
	return Guarantee{Adjacency: a, Pure: math.Inf(1), Rho: math.Inf(1), Exact: true, delta: func(float64) float64 { return delta }}
}

// randomizedResponseDelta is the delta of randomized response with a pure epsilon, which no mechanism with that epsilon exceeds
// (Kairouz, Oh and Viswanath 2015, Theorem 3.1).
func randomizedResponseDelta(pure, epsilon float64) float64 {
	return -math.Expm1(epsilon-pure) / (1 + math.Exp(-pure))
}
