package risk

import "math"

// Local is the local risk of one cell: with a(n) and b(n) for the probabilities that a count survives and vanishes,
//
//	sum over the labels k that occur of w_k a(n_k) product over all K labels j other than k of b(n_j),
//
// with w_k = 1 for the event version and n_k/n for the record version. Counts are those of labels that occur, zeros being left out;
// the K of the labels are at least as many. As the noise gets large, the event version tends to m 2^-K if m labels occur, and to 2^-K
// in a homogeneous cell.
//
// It is NaN for what is no cell, with negative counts or more of them than labels, or no version.
//
// Erratum: Liu and Zhao 2023, equations 13 and 22, bound it instead, wrongly for three labels or more; see [Table.LocalBound].
func Local(s Survival, v Version, labels int, counts []int64) float64 {
	var n int64
	occurring := make([]int64, 0, len(counts))
	for _, count := range counts {
		if count < 0 || count > math.MaxInt64-n {
			return math.NaN()
		}
		n += count
		if count > 0 {
			occurring = append(occurring, count)
		}
	}
	if v.check() != nil || len(occurring) > labels {
		return math.NaN()
	}
	return localIn(remember(s, 0), v, labels, occurring, n)
}

// Scenario1 is the part of [Local] that homogeneous cells have: with n records of one label and none of the other K-1, a(n) b(0)^(K-1), that
// the cell is shown as what it is. It is the same in both versions, and 0 in a cell of several labels, where all of [Local] is that
// labels vanish. NaN for what is no cell.
func Scenario1(s Survival, labels int, counts []int64) float64 {
	local := Local(s, Event, labels, counts)
	occurring := 0
	for _, n := range counts {
		if n > 0 {
			occurring++
		}
	}
	if occurring == 1 || math.IsNaN(local) {
		return local
	}
	return 0
}

// localIn goes from label to label with the probability that none was shown and the one that exactly one was, weighted. That is
// the sum of products above without a quotient of them: b(n) underflows.
func localIn(m *memo, v Version, labels int, counts []int64, n int64) float64 {
	none, one := 1.0, 0.0
	for _, count := range counts {
		a, b := m.at(count)
		one = one*b + none*a*v.share(count, n)
		none *= b
	}
	return one * power(m.vanishesEmpty(), labels-len(counts))
}

// vanishesEmpty is b(0).
func (m *memo) vanishesEmpty() float64 {
	_, b := m.at(0)
	return b
}

// power is x^n, for n >= 0.
func power(x float64, n int) float64 {
	if n == 0 {
		return 1
	}
	return math.Pow(x, float64(n))
}

// Local is the local risk, averaged over the cells (equations 11 and 12). It is NaN if v is no version.
func (t *Table) Local(s Survival, v Version) Average {
	if v.check() != nil {
		return noNumber
	}
	m := remember(s, t.largest())
	return t.average(func(p Pattern, n int64) float64 { return localIn(m, v, t.Labels, p.Counts, n) })
}
