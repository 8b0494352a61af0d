package risk

import "math"

// Expected is the expected risk of a cell of n records whose labels are drawn with probabilities p, one for each of the K labels, which add
// up to 1: the local risk, averaged over Multinomial(n, p). It is exact for every noise, but for an absolute error below 1e-30 and
// rounding.
//
// Where b(n) = c q^n for n >= 1 (Laplace and geometric noise), there is a closed form (expectedExponential). Otherwise it is the
// coefficient of z^n in a sum of products of K polynomials (expectedByPolynomials), which takes up to some 100 sqrt(n) multiplications for
// two labels, and for each label more up to some 1,000 n.
//
// It is NaN for what are no probabilities, for no version, and for n below 0 or above 3e9.
//
// Erratum: Liu and Zhao 2023, equations 14 and 23, bound it instead, wrongly for three labels or more; see [Table.ExpectedBound].
func Expected(s Survival, v Version, p []float64, n int64) float64 {
	if v.check() != nil || !isDistribution(p) || n < 0 || n > largestRecords {
		return math.NaN()
	}
	return expectedIn(remember(s, n), v, len(p), p, n)
}

// isDistribution says whether probabilities add up to 1, but for rounding.
func isDistribution(p []float64) bool {
	const rounding = 1e-9
	for _, probability := range p {
		if !(probability >= 0) {
			return false
		}
	}
	return math.Abs(sumOf(p)-1) <= rounding
}

// expectedIn is for probabilities p of labels that may occur, the others of K being 0.
func expectedIn(m *memo, v Version, labels int, p []float64, n int64) float64 {
	m.scratch.reset()
	occurring := m.scratch.take(len(p))[:0]
	for _, probability := range p {
		if probability > 0 {
			occurring = append(occurring, probability)
		}
	}
	if n < 1 || len(occurring) == 0 {
		return 0
	}
	return expectedOf(m, v, occurring, n) * power(m.vanishesEmpty(), labels-len(occurring))
}

// expectedOf chooses the faster way.
func expectedOf(m *memo, v Version, p []float64, n int64) float64 {
	const few = 200 // records, with which a polynomial for each of two labels takes less time than powers do
	if e, is := m.of.(exponential); is && (n > few || len(p) > 2) {
		if risk, ok := expectedExponential(e, m.vanishesEmpty(), v, p, n); ok {
			return risk
		}
	}
	return expectedByPolynomials(m, v, p, n)
}

// Expected is the expected risk, averaged over the cells (equation 12), with each cell's shares n_k/n for p, as equation 14 has it.
// It is NaN if v is no version.
func (t *Table) Expected(s Survival, v Version) Average {
	if v.check() != nil {
		return noNumber
	}
	m := remember(s, t.largest())
	var p []float64
	return t.average(func(pattern Pattern, n int64) float64 {
		if len(pattern.Counts) == 1 {
			return localIn(m, v, t.Labels, pattern.Counts, n)
		}
		p = p[:0]
		for _, count := range pattern.Counts {
			p = append(p, float64(count)/float64(n))
		}
		return expectedIn(m, v, t.Labels, p, n)
	})
}
