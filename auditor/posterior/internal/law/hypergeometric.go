package law

// Hypergeometric is the law of how many of the inside people have a value when sum of all people, inside and outside, have it, and all
// are exchangeable. Priors do not enter: given the sum, every choice of the people who have the value is equally likely.
func Hypergeometric(inside, outside, sum int) Ratios {
	low, high := max(0, sum-outside), min(inside, sum)
	mode := int(float64(inside+1) * (float64(sum+1) / float64(inside+outside+2)))
	return Ratios{
		low: low, high: high, mode: max(low, min(mode, high)),
		odds: 1, a: float64(inside), b: float64(sum), slopeB: -1, d: float64(outside - sum + 1), slopeD: 1,
	}
}
