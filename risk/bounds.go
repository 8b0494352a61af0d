package risk

import (
	"errors"

	"tacit/mechanisms"
)

// HeterogeneousBound is at least the risk of every cell of n records in which two or more of the labels occur. ok is false where no bound
// is proved: the exact [Local] is all there is then.
//
// Of cells in which m labels occur, the one of counts (n-m+1, 1, ..., 1) has the risk
//
//	U_m = b(0)^(K-m) {a(n-m+1) b(1)^(m-1) + (m-1) a(1) b(1)^(m-2) b(n-m+1)}.
//
// For the event version it is the largest in two cases, and the bound is the largest U_m with 2 <= m <= min(K, n):
//
//   - If b(n) = c q^n for n >= 1 (Laplace and geometric noise), the product of all b(n_k) is c^m q^n whatever the counts, and the risk is that
//     times the sum of q^-n_k/c, minus m. That is convex in the counts, and so largest at (n-m+1, 1, ..., 1).
//   - If only two labels can occur (K = 2 or n = 2), the risk is b(x) + b(n-x) - 2 b(x) b(n-x). For the noise of every [mechanisms.Law],
//     b is convex from 1 on and so the sum largest at x = 1; and it is log-concave, and so the product smallest there.
//
// For Gaussian noise and three labels or more it is not: with K = 5, n = 8 and sigma = 8, (2,2,2,1,1) has a risk of 0.108916 and
// (4,1,1,1,1) has 0.108581.
//
// For the record version, U_2 is a bound for any K and noise: b(n_j) <= b(1) for one of the labels other than k that occur and at most b(0)
// for all the others, and a(n_k) <= a(n-1), so that even a weighted mean of terms a(n-1) b(1) b(0)^(K-2) bounds it.
//
// Erratum: Liu and Zhao 2023 have U_2 for the event version whatever K is (the terms of "scenario 8" in equations 13 to 17, and E_i/4 in 22
// to 26). For three labels of 1 each and epsilon = 0.1, the risk is 0.355863 and U_2 is 0.260411.
//
// There is none for more than 2^20 labels, or 3e9 records.
func HeterogeneousBound(s Survival, v Version, labels int, n int64) (bound float64, ok bool) {
	if labels > largestLabels || n > largestRecords {
		return 0, false
	}
	return remember(s, n).heterogeneousBound(v, labels, n)
}

func (m *memo) heterogeneousBound(v Version, labels int, n int64) (bound float64, ok bool) {
	most := min(int64(labels), n)
	switch {
	case v.check() != nil:
		return 0, false
	case most < 2: // there are none
		return 0, true
	case v == Records:
		most = 2
	case most == 2:
		if !hasLaw(m.of) {
			return 0, false
		}
	default:
		if !isExponential(m.of) {
			return 0, false
		}
	}
	for occurring := int64(2); occurring <= most; occurring++ {
		bound = max(bound, m.uneven(labels, occurring, n))
	}
	return bound, true
}

// uneven is U_m.
func (m *memo) uneven(labels int, occurring, n int64) float64 {
	a1, b1 := m.at(1)
	a, b := m.at(n - occurring + 1)
	ones := float64(occurring - 1)
	alone := power(b1, int(occurring)-2) * (a*b1 + ones*a1*b)
	return alone * power(m.vanishesEmpty(), labels-int(occurring))
}

func hasLaw(s Survival) bool {
	l, is := s.(interface{ Law() (mechanisms.Law, bool) })
	if !is {
		return false
	}
	_, ok := l.Law()
	return ok
}

func isExponential(s Survival) bool {
	e, is := s.(exponential)
	if !is {
		return false
	}
	_, _, ok := e.Exponential()
	return ok
}

// LocalBound is the papers' bound of the local risk where it holds: exact for homogeneous cells, and [HeterogeneousBound] for others. ok is
// false if a cell has none.
//
// Errata: Liu and Zhao 2023, equation 13 multiplies the second term by F0^(K-1) twice over, and equation 22 by its like (and so does S1):
// F0 = b(0) to the power of K-1 belongs to the first term alone. Their own asymptotes for the bankruptcy subset, 0.16 and 0.18, are those
// of the corrected form.
func (t *Table) LocalBound(s Survival, v Version) (bound Average, ok bool) {
	if v.check() != nil {
		return Average{}, false
	}
	m := remember(s, t.largest())
	return t.bound(func(p Pattern, n int64) (float64, bool) {
		if len(p.Counts) == 1 {
			return localIn(m, v, t.Labels, p.Counts, n), true
		}
		return m.heterogeneousBound(v, t.Labels, n)
	})
}

// ExpectedBound is the papers' bound of the expected risk where it holds (equations 14 and 23 of Liu and Zhao 2023), with each cell's
// shares for p: with probability A = sum p_k^n the cell that is drawn is homogeneous. ok is false if a cell has none.
//
// Erratum: as for [HeterogeneousBound]. With K = 3, p = (0.5, 0.3, 0.2), n = 4 and epsilon = 0.2, equation 14 gives 0.260785, less than the
// exact 0.276610.
func (t *Table) ExpectedBound(s Survival, v Version) (bound Average, ok bool) {
	if v.check() != nil {
		return Average{}, false
	}
	m := remember(s, t.largest())
	return t.bound(func(p Pattern, n int64) (float64, bool) {
		var homogeneous float64
		for _, count := range p.Counts {
			homogeneous += power(float64(count)/float64(n), int(n))
		}
		return m.boundOf(v, t.Labels, n, homogeneous)
	})
}

// ShrinkageBound is the papers' bound of the shrinkage risk where it holds (equations 15 and 24), with A = [Homogeneous]. ok is false if a
// cell has none.
//
// Errata: as for [HeterogeneousBound]. With K = 3, alpha = (1, 1, 1), n = 4 and epsilon = 0.2, equation 15 gives 0.255910, less than the
// exact 0.264053. Equation 28 has a factor 1/(4 B(alpha_1, alpha_2)) that must be 1/2^K. And equations 19 to 21 and 28 to 30, "when all
// cells are homogeneous", are the first terms alone: the prior allows for heterogeneous cells, and so they may be below 2^-K.
func (t *Table) ShrinkageBound(s Survival, v Version, alpha []float64) (bound Average, ok bool, err error) {
	if err := errors.Join(v.check(), checkAlpha(alpha, t.Labels)); err != nil {
		return Average{}, false, err
	}
	m := remember(s, t.largest())
	bound, ok = t.bound(func(_ Pattern, n int64) (float64, bool) {
		homogeneous, failed := Homogeneous(alpha, n)
		if failed != nil {
			err = failed
			return 0, false
		}
		return m.boundOf(v, t.Labels, n, homogeneous)
	})
	return bound, ok, err
}

// boundOf is the bound for a cell of n records that is homogeneous with this probability.
func (m *memo) boundOf(v Version, labels int, n int64, homogeneous float64) (float64, bool) {
	alike := homogeneous * localIn(m, v, labels, []int64{n}, n)
	if homogeneous == 1 {
		return alike, true
	}
	bound, ok := m.heterogeneousBound(v, labels, n)
	return alike + (1-homogeneous)*bound, ok
}

// bound averages bounds, if all cells have one.
func (t *Table) bound(measure func(p Pattern, n int64) (float64, bool)) (Average, bool) {
	all := true
	average := t.average(func(p Pattern, n int64) float64 {
		bound, ok := measure(p, n)
		all = all && ok
		return bound
	})
	if !all {
		return Average{}, false
	}
	return average, true
}
