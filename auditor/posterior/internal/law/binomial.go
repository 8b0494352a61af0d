package law

// Binomial is the law of how many of n independent people have a value, of which each has the given odds.
func Binomial(n int, odds float64) Ratios {
	mode := int(float64(n+1) * (odds / (1 + odds)))
	return Ratios{high: n, mode: min(mode, n), odds: odds, a: float64(n), b: 1, d: 1}
}
