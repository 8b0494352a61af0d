package mechanisms

import "math"

// An Expectation is the distribution of one cell of a release, given the true counts. It is for people who compare mechanisms, and for
// the steward alone: it is computed from the true counts. No release depends on it.
//
// A cell that is withheld counts as its fill value, and as k/2 if there is none, as in Zhu et al. 2023, Definition 3.
type Expectation struct {
	// Bias is the expectation of the shown count, minus the true count.
	Bias float64
	// Variance of the shown count.
	Variance float64
	// Suppressed is the probability that the cell is withheld, or shown as the fill value.
	Suppressed float64
	// Distribution is P(shown <= v).
	Distribution func(v float64) float64
}

// Expect tells the distribution of each cell that Sanitize returns for h.
func (m *Mechanism) Expect(h Histogram) []Expectation { return m.method.expect(h) }

// A Summary is what a release of many cells is like.
type Summary struct {
	// L1Bias is the sum of the absolute biases.
	L1Bias float64
	// Alpha is the largest bias minus the smallest: the release is alpha-fair (Zhu, Fioretto and Van Hentenryck 2022; Zhu et al. 2023,
	// Definition 1).
	Alpha float64
	// MaxVariance is the largest variance of a cell, MeanVariance that of an average one.
	MaxVariance, MeanVariance float64
	// Suppressed is the expected share of suppressed cells.
	Suppressed float64
}

// Summarize sums cells up.
func Summarize(cells []Expectation) Summary {
	if len(cells) == 0 {
		return Summary{}
	}
	var s Summary
	least, most := math.Inf(1), math.Inf(-1)
	for _, c := range cells {
		s.L1Bias += math.Abs(c.Bias)
		least, most = min(least, c.Bias), max(most, c.Bias)
		s.MaxVariance = max(s.MaxVariance, c.Variance)
		s.MeanVariance += c.Variance / float64(len(cells))
		s.Suppressed += c.Suppressed / float64(len(cells))
	}
	s.Alpha = most - least
	return s
}

// expect computes with sums over tails, which are closed forms for geometric and Laplace noise.
func (a additive) expect(h Histogram) []Expectation {
	cells := make([]Expectation, len(h.Counts))
	for i, n := range h.Counts {
		switch {
		case a.k > 0:
			cells[i] = a.expectSuppressed(n)
		case a.keepNegative:
			cells[i] = Expectation{Variance: variance(a.noise), Distribution: func(v float64) float64 { return a.atMost(n, v) }}
		default:
			cells[i] = a.expectClamped(n)
		}
	}
	return cells
}

// atMost is P(n + Z <= v) = P(Z >= n - v), for n >= 0.
func (a additive) atMost(n int64, v float64) float64 {
	const beyond = 1 << 62 // what an int64 holds with room to spare
	switch {
	case v >= beyond:
		return 1
	case v <= -beyond:
		return 0
	}
	return tail(a.noise, -max(-beyond, addSaturating(int64(math.Floor(v)), -n)))
}

// expectClamped is the distribution of max(0, n + Z), for n >= 0. Its bias is E[max(0, -Z-n)], the sum of P(Z >= k) over k > n. Of
// E[Z^2], the moment around n loses the sum over k > n of (k^2 - n^2) P(Z = -k).
//
// For Laplace noise the bias is exp(-(n+1/2)/b)/(2(1 - exp(-1/b))), and so alpha is the difference of that at the least and the largest
// count. (Zhu et al. 2023, Theorem 9, states a multiple of the difference of the counts, which is far above.)
func (a additive) expectClamped(n int64) Expectation {
	bias, squares := a.noise.excess(n)
	return Expectation{
		Bias:     bias,
		Variance: variance(a.noise) - squares - bias*bias,
		Distribution: func(v float64) float64 {
			if v < 0 {
				return 0
			}
			return a.atMost(n, v)
		},
	}
}

// expectSuppressed is the distribution of n + Z where Z >= j = k - n, and of the fill value elsewhere. Its moments are taken around n.
func (a additive) expectSuppressed(n int64) Expectation {
	j, k := a.k-n, float64(a.k)
	withheld := tail(a.noise, 1-j) // P(Z < j), by symmetry
	fill := fillValue(a.fill, a.k)
	off := fill - float64(n)
	bias, square := momentsFrom(a.noise, j)
	bias += off * withheld
	square += off * off * withheld
	return Expectation{
		Bias: bias, Variance: square - bias*bias, Suppressed: withheld,
		Distribution: func(v float64) float64 {
			var p float64
			if v >= fill {
				p = withheld
			}
			if v >= k {
				p += max(0, a.atMost(n, v)-withheld)
			}
			return p
		},
	}
}
