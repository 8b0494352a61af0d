package composition

import (
	"math"

	"tacit/policy"
)

// advancedEpsilon is sqrt(2 ln(1/delta) s) + s/2, s being the sum of squared epsilons: a filter for releases that are (epsilon, d)-
// differentially private, chosen in view of earlier answers, if the ds are kept within a part of the budget of their own (Whitehouse,
// Ramdas, Rogers and Wu 2023, Theorem 1).
func advancedEpsilon(squares float64, delta policy.Delta) policy.Epsilon {
	if delta <= 0 {
		return infinite
	}
	return epsilonAbove(math.Sqrt(-2*math.Log(deltaBelow(delta))*squares) + squares/2)
}
