package microdata

import (
	"math"

	"tacit/policy"
)

// publishedDonorSwappingDelta is the delta of Das et al. 2024, Theorem 3, for a table of n rows. It is no guarantee: see
// DonorSwappingGuarantee.
func publishedDonorSwappingDelta(keep policy.Share, e policy.Epsilon, n int64) float64 {
	g, l := keep.Float(), math.Exp(-float64(e)/perEpsilon/2)/float64(n)
	return 1 - 2*g*(1-g)*l - 3*(1-g)*(1-g)*l*l
}

// publishedDPKAnonymityDelta is the delta of Theorem 5 at the epsilon that beta is made from. The square is not needed; see oneSidedDelta.
func publishedDPKAnonymityDelta(e policy.Epsilon, bound int64) float64 {
	epsilon := float64(e) / perEpsilon
	return DPKAnonymityTheorem5(epsilon, -math.Expm1(-epsilon), bound)
}

// oneSidedDelta is the delta of Theorem 5 without the square, 1 - min over w of P(Bin(w, beta) <= t w). It holds with t = 1 -
// exp(-epsilon) under replace-one, with t = 1 - (1-beta) exp(-epsilon) under add-remove.
func oneSidedDelta(e policy.Epsilon, bound int64, a policy.Adjacency) float64 {
	beta := -math.Expm1(-float64(e) / perEpsilon)
	t := beta
	if a == policy.AddRemove {
		t = -math.Expm1(-2 * float64(e) / perEpsilon)
	}
	return tailAbove(t, beta, bound)
}
