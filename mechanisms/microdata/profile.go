package microdata

import "math"

// The deltas of two mechanisms at an epsilon and a share of sampled rows of choice, for people who compare bounds. What is charged is
// what SafeKAnonymity.Guarantee and DPKAnonymityGuarantee say.

// SafeKAnonymityDelta is the smallest delta of SafeKAnonymity under add-remove, if nothing but the classes' values and their numbers of rows
// is published: the hockey-stick divergence of the worst neighbours, where SafeKAnonymity.Guarantee has the bound of Li, Qardaji and Su.
//
// Neighbours differ in a class that has N rows in the one and N-1 in the other. What is shown is the number j of sampled rows, if that is at least
// k. Of f(j; N) for the probability of j,
//
//	delta = max over N of the sum over j >= k of (f(j; N) - exp(epsilon) f(j; N-1))^+,
//
// and f(j; N-1)/f(j; N) = (1 - j/N)/(1 - beta), so that j counts from g N on, g = 1 - (1-beta) exp(-epsilon). Fewer than k are less likely of
// N, and the other direction needs no delta, at an epsilon of at least -ln(1-beta). NaN at less, and for what is no share or no k.
//
// The sum for N is at most P(Bin(N, beta) > g N) <= exp(-N D(g, beta)), which ends the search.
func SafeKAnonymityDelta(epsilon, beta float64, k int64) float64 {
	if !(beta > 0 && beta < 1) || k < 1 || !(epsilon >= -math.Log1p(-beta)) || math.IsInf(epsilon, 1) {
		return math.NaN()
	}
	g := 1 - (1-beta)*math.Exp(-epsilon)
	divergence := g*math.Log(g/beta) + (1-g)*math.Log((1-g)/(1-beta))
	greatest := 0.0
	for n := k; math.Exp(-float64(n)*divergence) > max(greatest, 1e-18); n++ {
		greatest = max(greatest, excess(n, max(k, int64(g*float64(n))), beta, math.Exp(epsilon)))
	}
	return greatest
}

// excess is the sum over j >= from of (f(j; n) - factor f(j; n-1))^+.
func excess(n, from int64, beta, factor float64) float64 {
	sum, odds := 0.0, beta/(1-beta)
	for j, mass := from, binomialMass(n, from, beta); j <= n; j++ {
		sum += max(0, mass*(1-factor*(1-float64(j)/float64(n))/(1-beta)))
		mass *= float64(n-j) / float64(j+1) * odds
	}
	return sum
}

// DPKAnonymityTheorem5 is the delta of Zhu et al. 2023, Theorem 5, of tables in which no cell has more than so many rows, at any epsilon and
// share of sampled rows:
//
//	1 - min over w of P(Bin(w, beta) <= (1-exp(-epsilon)) w)^2.
//
// It holds under replace-one, where publishing the sample is (0, beta): it is never below what DPKAnonymityGuarantee has at the paper's
// beta, 1 - exp(-epsilon). NaN for what is no share, no epsilon or no number of rows.
func DPKAnonymityTheorem5(epsilon, beta float64, rows int64) float64 {
	if !(beta > 0 && beta < 1) || !(epsilon >= 0) || rows < 1 {
		return math.NaN()
	}
	within := 1 - tailAbove(-math.Expm1(-epsilon), beta, rows)
	return 1 - within*within
}

// tailAbove is the largest P(Bin(w, beta) > t w) for w up to a number of rows.
func tailAbove(t, beta float64, rows int64) float64 {
	greatest := 0.0
	for w := int64(1); w <= rows; w++ {
		greatest = max(greatest, binomialTail(w, int64(t*float64(w))+1, beta))
	}
	return greatest
}
