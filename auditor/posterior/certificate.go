package posterior

import (
	"math"
	"slices"

	"tacit/auditor/posterior/internal/law"
)

// A certificate answers for ever. Fix a partition of people into blocks before any answer about them, and let F be all sums of blocks. Any
// answers about unions of blocks, in any order and number, chosen by whatever was answered before, are functions of F; so a person's
// posterior after each is E[Y | answers], a martingale that ends at Y, her posterior given F, which depends on her block's sum alone.
// For c above the prior and any k < c, (x-k)^+ is convex, and Doob's inequality gives
//
//	P(the posterior ever reaches c) <= E(Y-k)^+ / (c-k).
//
// The least over k is sharp among all martingales that end at Y (Dubins and Gilat). As E(Y-k)^+ is piecewise linear, the least is at a value
// of Y. Blocks and classes of values add up, as do the two sides: if the sum over all blocks is at most delta, everything about unions of
// blocks is answered, by anyone, without looking at the history.
//
// The partition has to be chosen from public facts, before any answer about the people.

// CertificateInsiders bounds the probability that the posterior of anybody in the block, whose sums of the sets are in no answer yet, is
// ever unsafe while only unions of blocks are answered, against insiders as of [RootRiskInsiders].
func CertificateInsiders(g Group, sets []ValueSet, insiders int) (float64, error) {
	qs, err := asked(nil, g, sets)
	if err != nil {
		return 0, err
	}
	bound := 0.0
	for i := range qs {
		parts, _, err := qs[i].parts(nil, g)
		if err != nil {
			return 0, err
		}
		b, err := rootBound(&cut{inside: parts})
		if insiders > 0 {
			b, err = worst(cut{inside: parts}, insiders, false, rootBound)
		}
		if err != nil {
			return 0, err
		}
		bound += b
	}
	return probability(bound)
}

// rootBound is the certificate of the people inside a cut with no sum.
func rootBound(c *cut) (float64, error) {
	if len(c.inside) == 0 {
		return 0, nil
	}
	if bounded(c.inside) {
		return boxBound(c.inside)
	}
	s, err := sumOf(c.inside, 0)
	if err != nil {
		return 0, err
	}
	return s.certificate(s.Mass, s.Cut), nil
}

// certificate is that of all parts, on both sides, where sums have the given weights, and others at most cut in all.
func (s *sumLaw) certificate(weights []float64, cut float64) float64 {
	total := 0.0
	for t, q := range s.posteriors {
		if q == nil || s.parts[t].exempt() {
			continue
		}
		above, below := s.sidesOf(t, weights, cut)
		total += above + below
	}
	return min(1, total)
}

// sidesOf are the certificates of one part: that its posterior is never above, and never below, what is safe.
func (s *sumLaw) sidesOf(t int, weights []float64, cut float64) (above, below float64) {
	p := &s.parts[t]
	e := s.ending(s.posteriors[t], weights, cut)
	low, high := p.limits()
	if !(low <= high) || math.IsNaN(p.low+p.high) {
		return 1, 1
	}
	if e.At[len(e.At)-1] > high || e.Cut > 0 && high < 1 {
		above = e.Reaches(p.high)
	}
	if e.At[0] < low || e.Cut > 0 && low > 0 {
		mirrored := e.Mirror()
		below = mirrored.Reaches(1 - p.low)
	}
	return above, below
}

// ending sorts the posteriors if they do not rise with the sum: those of people who share a rate that piles up at its ends. Sums that are too
// unlikely to say what the posterior is count as cut.
func (s *sumLaw) ending(q, weights []float64, cut float64) law.Ending {
	e := law.Ending{Cut: cut}
	order := make([]int, len(q))
	for i := range order {
		order[i] = i
	}
	if !slices.IsSorted(q) {
		slices.SortStableFunc(order, func(i, j int) int {
			switch {
			case q[i] < q[j]:
				return -1
			case q[i] > q[j]:
				return 1
			}
			return 0
		})
	}
	for _, i := range order {
		if s.Mass[i] < leastTrusted*s.Cut {
			e.Cut += weights[i]
			continue
		}
		e.At, e.Weight = append(e.At, q[i]), append(e.Weight, weights[i])
	}
	if len(e.At) == 0 {
		e.At, e.Weight = []float64{0, 1}, []float64{0, 0}
	}
	return e
}
