package risk

import (
	"errors"
	"math"
)

// Marginal is the expected risk of cells whose sizes are drawn from a law, and whose labels' proportions are those of this table's
// cells (Liu and Zhao 2023, Definition 9):
//
//	sum over cells i of w_i, sum over n >= 1 of P(n) E(n, p_i)
//
// with E the expected risk of n records. It is exact for any noise, and what is left out of the law changes it by less than 1e-15.
//
// Erratum: equations 16, 20, 25 and 29 multiply by P(n_i), the probability of the observed size, instead of averaging over sizes. One
// cell of 3 records of one label, shown almost as it is, would have a risk of 0.224.
func (t *Table) Marginal(v Version, sizes Sizes) (Measure[Average], error) {
	if err := errors.Join(t.Check(), v.check(), sizes.check()); err != nil {
		return nil, err
	}
	var proportions [][]float64 // different ones
	known := make(map[string]int)
	of := make([]int, len(t.Patterns))
	for i, p := range t.Patterns {
		direction := direction(p.Counts)
		key := string(appendCounts(nil, direction))
		at, ok := known[key]
		if !ok {
			at = len(proportions)
			known[key] = at
			proportions = append(proportions, t.padded(direction))
		}
		of[i] = at
	}
	return func(s Survival) Average {
		risks := make([]float64, len(proportions))
		for i, p := range proportions {
			risks[i] = marginal(s, v, p, sizes)
		}
		i := -1
		return t.average(func(Pattern, int64) float64 { i++; return risks[of[i]] })
	}, nil
}

// marginal is the expected risk of a cell whose labels have these proportions, which need not sum up to 1. Where there is a closed form
// whose terms do not cancel, it is that.
func marginal(s Survival, v Version, proportion []float64, sizes Sizes) float64 {
	if v == Event && sizes.odds == 0 && sizes.mean > 0 {
		return poissonEvent(s, proportion, sizes)
	}
	if e, ok := s.(exponential); ok {
		if risk, ok := marginalExponential(e, s.Vanishes(0), v, proportion, sizes); ok {
			return risk
		}
	}
	return sizes.expect(proportions.risks(s, v, proportion, sizes.upTo()))
}

// marginalExponential is the expectation of the closed form of expectedExponential: its powers t^n have that of the generating function
// of sizes, and a cell of 0 records adds nothing.
func marginalExponential(e exponential, f float64, v Version, proportion []float64, sizes Sizes) (risk float64, ok bool) {
	c, q, ok := e.Exponential()
	if !ok {
		return 0, false
	}
	sum := sumOf(proportion)
	var p []float64
	for _, share := range proportion {
		if share > 0 {
			p = append(p, share/sum)
		}
	}
	x := expansion{c: c, q: q, rest: f - c, version: v, powers: sizes.powers()}
	risk, ok = x.of(p)
	return sizes.share() * risk * power(f, len(proportion)-len(p)), ok
}

// poissonEvent: if the size is Poisson, the numbers of records of labels are independent Poisson variables N_k, of means mean p_k. So
//
//	sum over k of E[a(N_k); N_k >= 1] times the product over j other than k of E[b(N_j)]
//
// is the expectation without condition; an empty cell adds nothing to it.
func poissonEvent(s Survival, proportion []float64, sizes Sizes) float64 {
	sum := sumOf(proportion)
	none, one := 1.0, 0.0
	for _, p := range proportion {
		vanishes, survives := thinned(s, sizes.mean*p/sum)
		none, one = none*vanishes, one*vanishes+none*survives
	}
	return one * sizes.share() / sizes.occupied
}

// thinned are E[b(N)] and E[a(N); N >= 1] for a Poisson variable N, the second one with all digits however small
// the mean, with which it tends to mean a(1).
//
// With geometric noise b(n) = c q^n, and E[q^N] = exp(-mean(1-q)): then the risk has a closed form. The second one is
// P(N >= 1) - E[b(N); N >= 1], where each term is taken without a difference, and the latter is at most half of the former since b(1) <= 1/2.
func thinned(s Survival, mean float64) (vanishes, survives float64) {
	if g, ok := memoryless(s); ok {
		vanishes = g.c * math.Exp(-mean*(1-g.q))
		return vanishes, -math.Expm1(-mean) + vanishes*math.Expm1(-mean*g.q)
	}
	if mean == 0 {
		return s.Vanishes(0), 0
	}
	// From the mode both ways, to the first term below smallShare, of the probability of a record if that is small. Beyond, terms fall off
	// faster than geometrically.
	least := smallShare * min(1, mean)
	mode := int64(mean)
	first := poissonNearMean(mode, mean)
	add := func(n int64, p float64) {
		vanishes += p * s.Vanishes(n)
		if n > 0 {
			survives += p * s.Survives(n)
		}
	}
	for n, p := mode, first; p > least; n, p = n+1, p*mean/float64(n+1) {
		add(n, p)
	}
	for n, p := mode, first; n > 0 && p > least; n-- {
		p *= float64(n) / mean
		add(n-1, p)
	}
	return vanishes, survives
}

// direction are counts without their common factor: all cells of one direction have the same proportions.
func direction(counts []int64) []int64 {
	divisor := int64(0)
	for _, n := range counts {
		for n != 0 {
			divisor, n = n, divisor%n
		}
	}
	out := make([]int64, len(counts))
	for k, n := range counts {
		out[k] = n / divisor
	}
	return out
}

// padded are the weights of all labels, of which only those with counts occur.
func (t *Table) padded(counts []int64) []float64 {
	out := make([]float64, t.Labels)
	for k, n := range counts {
		out[k] = float64(n)
	}
	return out
}
