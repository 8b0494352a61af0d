package composition

import (
	"math"

	"tacit/policy"
)

// slack is more than the relative error of some dozens of operations in floating point and calls of math's functions, each of
// which is within 2^-51.
const slack = 1e-14

// up is at least what a short computation in floating point of positive numbers, which came to x, would come to without rounding.
func up(x float64) float64 { return x * (1 + slack) }

// down is at most that.
func down(x float64) float64 { return x * (1 - slack) }

// epsilonAbove is an epsilon in floating point as an amount, rounded up.
func epsilonAbove(x float64) policy.Epsilon {
	units := math.Ceil(up(x) * 1e9)
	if !(units < infinite) { // +Inf and NaN, too
		return infinite
	}
	return policy.Epsilon(max(0, units))
}

// deltaBelow is an amount of delta in floating point, rounded down.
func deltaBelow(d policy.Delta) float64 { return down(float64(d) * 1e-18) }
