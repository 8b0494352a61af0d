package microdata

import (
	"math"

	"tacit/policy"
)

// Bias is the expectation of a published count minus the true one, for a combination that x rows have, if block rows have the same
// values in all columns but the quasi-identifiers: (block - nQ x)/(exp(epsilon) + nQ - 1) (Zhu et al. 2023, Proposition 1, which is
// about cells that move as one; the expectation is the same).
//
// It is for people who plan a publication. No release depends on it.
func (m *DPSwapping) Bias(x, block int64) float64 {
	return (float64(block) - float64(m.domain)*float64(x)) / (math.Exp(float64(m.epsilon)/perEpsilon) + float64(m.domain) - 1)
}

// TotalBias is the sum of |Bias| over all combinations of quasi-identifiers in one block, of which counts are those that rows have
// (Zhu et al. 2023, Theorem 4, is the sum of that over blocks). The others have 0 rows.
func (m *DPSwapping) TotalBias(counts []int64) float64 {
	block, sum := int64(0), 0.0
	for _, x := range counts {
		block += x
	}
	for _, x := range counts {
		sum += math.Abs(m.Bias(x, block))
	}
	return sum + math.Abs(m.Bias(0, block))*(float64(m.domain)-float64(len(counts)))
}

// BiasBounds bound the expectation of a published count minus the true one, for x and block as in DPSwapping.Bias: from -(1-gamma)
// x, if no row takes the combination, to (1-gamma) (block - x), if all do that are swapped. (Das et al. 2024, Proposition 1, has
// bounds in the square of the number of rows.)
func (m *DonorSwapping) BiasBounds(x, block int64) (least, most float64) {
	move := (policy.OneShare - m.config.Keep).Float()
	return -move * float64(x), move * float64(block-x)
}

// SuppressionBias is how much likelier a combination that x rows have is to be found in fewer than k of them once rows are sampled
// with probability 0 < beta < 1: P(Bin(x, beta) <= k-1) for x >= k, else 0, since it was before (Zhu et al. 2023, Theorem 6).
func SuppressionBias(x, k int64, beta float64) float64 {
	if x < k {
		return 0
	}
	return binomialTail(x, x-k+1, 1-beta) // x-k+1 or more are not sampled
}
