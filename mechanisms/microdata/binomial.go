package microdata

import "math"

// binomialTail is P(X >= j) for X binomial with n trials and success probability 0 < p < 1.
//
// The greatest term, f(m), is a product of m factors that are each near 1 on the whole: ((n-m+i)/i) p (1-p)^((n-m)/m). All other
// terms follow by their ratios, away from m, where they fall. All is positive, so relative errors add up: some 10 roundings for
// each of m factors, which is below margin for m up to 10^6. The terms left out add up to less than 1e-17 of the sum: the first is
// below 1e-18 of it, and each is less than 0.9 of the one before.
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
	for front, back := int64(1), m; front <= back; {
		// (n-m+i)/i falls with i. Great factors while the product is small, and small ones while it is great, keep it from
		// overflowing.
		i := back
		if mass < 1 {
			i = front
			front++
		} else {
			back--
		}
		mass *= float64(n-m+i) / float64(i) * rest
	}
	return mass
}

// margin is what a tail is increased by, relative to itself, before it is stated: more than all that rounding can have taken from
// it.
const margin = 1e-8

// maxSteps is how many n greatestTail looks at.
const maxSteps = 10_000

// greatestTail is the maximum of P(X_n > t n and X_n >= k) over n >= 1, for X_n binomial with n trials and success probability p <= t.
//
// The event is X_n >= j for j = max(k, floor(t n) + 1), and of the n that have the same j the greatest has the greatest tail: n =
// ceil(j/t) - 1. So one n for each j >= k is enough. Where rounding leaves open whether t n is below j, n is taken to have the
// greater tail. Tails of greater n are bounded by those of two theorems, both of which fall as n rises: it ends once one is below
// the greatest tail so far, or below half a unit of policy.Delta. If that does not happen in maxSteps (t being p, hardly above
// 1/2), it returns the bound.
//
// Chernoff: exp(-n D), D being the divergence of (t, 1-t) from (p, 1-p).
//
// Berry and Esseen: 1/2 + 0.4748/sqrt(n p (1-p)), because t n is at least the mean. (The constant is Shevtsova's, 2011, times the
// third absolute moment over the cube of the deviation, (p^2 + (1-p)^2)/sqrt(p(1-p)) <= 1/sqrt(p(1-p)).)
func greatestTail(t, p float64, k int64) float64 {
	t = min(t, 1-4e-12) // which makes tails greater
	divergence := t*math.Log(t/p) + (1-t)*math.Log((1-t)/(1-p))
	greatest := 0.0
	for j := k; ; j++ {
		n := int64(float64(j) / t * (1 + 1e-12))
		greatest = max(greatest, binomialTail(n, j, p))
		rest := 0.5 + 0.4748/math.Sqrt(float64(n)*p*(1-p))
		if t > p*(1+1e-9) {
			rest = min(rest, math.Exp(-float64(n)*divergence))
		}
		if rest <= max(greatest, 5e-19) {
			return greatest
		}
		if j == k+maxSteps {
			return max(greatest, rest)
		}
	}
}
