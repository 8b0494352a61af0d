package microdata

import "math"

// binomialTail is P(X >= j) for X binomial with n trials and success probability 0 < p < 1.
//
// The greatest term, f(m), is a product of m factors that are each near 1 on the whole: ((n-m+i)/i) p (1-p)^((n-m)/m). All other terms follow
// by their ratios, away from m, where they fall. All is positive, so relative errors add up: some 10 roundings for each of m
// factors, which is below margin for m up to 10^6. (Terms far from m that are left out are less than 1e-17 of the sum, each less than
// half of the one before, or there are none.)
func binomialTail(n, j int64, p float64) float64 {
	switch {
	case j <= 0:
		return 1
	case j > n:
		return 0
	}
	m := min(max(j, int64(float64(n)*p)), n)
	odds := p / (1 - p)
	top := binomialMass(n, m, p)
	sum := top
	for i, term := m, top; i < n; i++ {
		term *= float64(n-i) / float64(i+1) * odds
		sum += term
		if term < sum*1e-18 && float64(n-i)/float64(i+1)*odds < 0.9 {
			break
		}
	}
	for i, term := m, top; i > j; i-- {
		term *= float64(i) / float64(n-i+1) / odds
		sum += term
		if term == 0 {
			break
		}
	}
	return min(1, sum)
}

// binomialMass is P(X = m).
func binomialMass(n, m int64, p float64) float64 {
	if m == 0 {
		return math.Exp(float64(n) * math.Log1p(-p))
	}
	rest := p * math.Exp(float64(n-m)/float64(m)*math.Log1p(-p))
	mass := 1.0
	for i := int64(1); i <= m; i++ {
		// From both ends: (n-m+i)/i falls with i, and products of the first ones alone would overflow.
		k := (i + 1) / 2
		if i%2 == 0 {
			k = m + 1 - k
		}
		mass *= float64(n-m+k) / float64(k) * rest
	}
	return mass
}

// margin is what a tail is increased by, relative to itself, before it is stated: more than all that rounding can have taken from it.
const margin = 1e-8

// greatestTail is the maximum of P(X_n > t n) over those n from 1 to limit for which X_n > t n implies X_n >= k, or which are
// above ceil(k/t - 1), for X_n binomial with n trials and success probability p. limit < 1 stands for no limit; then t must be more than p.
//
// X_n > t n is X_n >= j for j = floor(t n) + 1, and of the n that have the same j the greatest has the greatest tail: n = ceil(j/t) - 1.
// So one n for each j >= k is enough. By Chernoff's bound its tail is at most exp(-n D), D being the divergence of (t, 1-t) from (p, 1-p),
// which falls as n rises: once that is below the greatest tail so far, or below half a unit of policy.Delta, no other matters. Where
// rounding leaves open whether t n is below j, n is taken to have the greater tail.
func greatestTail(t, p float64, k, limit int64) float64 {
	t = min(t, 1-4e-12) // which makes tails greater
	divergence := t*math.Log(t/p) + (1-t)*math.Log((1-t)/(1-p))
	greatest := 0.0
	for j := k; ; j++ {
		n := int64(float64(j) / t * (1 + 1e-12))
		last := limit >= 1 && n >= limit
		if last {
			n = limit
		}
		greatest = max(greatest, binomialTail(n, j, p))
		if last || limit < 1 && math.Exp(-float64(n)*divergence) <= max(greatest, 5e-19) {
			return greatest
		}
	}
}
