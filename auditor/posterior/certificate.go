package posterior

import (
	"fmt"
	"math"
	"slices"
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
// The partition has to be chosen from public facts. A finer one chosen later, because of answers, needs a certificate of its own under the
// law given these answers: [SplitCertificate], added to what was paid before. Limits stay those of the prior.

// Certificate bounds the probability that the posterior of anybody in the block, whose sums of the sets are in no answer yet, is ever unsafe
// while only unions of blocks are answered.
func Certificate(g Group, sets []ValueSet) (float64, error) {
	return CertificateInsiders(g, sets, 0)
}

// CertificateInsiders is [Certificate] against insiders, as of [RootRiskInsiders].
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

// SplitCertificate is the certificate of one piece of a partition of a block whose sums are known, bought after they were answered.
// Outside are all other people of the block.
func SplitCertificate(inside, outside Group, known Classes, insiders int) (float64, error) {
	qs, err := known.split(nil, inside, outside)
	if err != nil {
		return 0, err
	}
	bound := 0.0
	for i := range qs {
		c, err := qs[i].cut(nil, nil, inside, outside)
		if err != nil {
			return 0, err
		}
		b, err := c.certificate()
		if insiders > 0 {
			b, err = worst(c, insiders, true, (*cut).certificate)
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
	s, err := sumOf(c.inside, 0)
	if err != nil {
		return 0, err
	}
	return s.certificate(s.mass, s.cut), nil
}

// certificate is that of the people inside a cut with a known sum.
func (c *cut) certificate() (float64, error) {
	n1, n2 := c.people()
	if c.sum < 0 || c.sum > n1+n2 {
		return 0, fmt.Errorf("%w: %d of %d uncertain people", ErrImpossible, c.sum, n1+n2)
	}
	if n1 == 0 {
		return 0, nil
	}
	if c.oneType() {
		r := hypergeometric(n1, n2, c.sum)
		w := r.window(windowFloor)
		s := sumLaw{window: w, parts: c.inside}
		share := window{mass: []float64{1}}
		s.posteriors = [][]float64{s.posterior(&w, &share, n1)}
		return s.certificate(w.mass, w.cut), nil
	}
	return c.mixedCertificate()
}

func (c *cut) mixedCertificate() (float64, error) {
	open := cut{inside: c.inside, outside: slices.Clone(c.outside), sum: c.sum}
	for i := range open.outside {
		open.outside[i].release()
	}
	s, err := open.sides()
	if err != nil {
		return 0, err
	}
	if s == nil {
		return open.extremeRisk(), nil
	}
	weights := make([]float64, len(s[0].mass))
	total := 0.0
	for i := range weights {
		weights[i] = s[0].mass[i] * s[1].at(c.sum-s[0].first-i)
		total += weights[i]
	}
	missing := s.bound(0, total)
	for i := range weights {
		weights[i] /= total
	}
	return s[0].certificate(weights, missing), nil
}

// certificate is that of all parts, on both sides, where sums have the given weights, and others at most cut in all.
func (s *sumLaw) certificate(weights []float64, cut float64) float64 {
	total := 0.0
	for t, q := range s.posteriors {
		p := &s.parts[t]
		if q == nil || p.exempt() {
			continue
		}
		e := s.ending(q, weights, cut)
		low, high := p.limits()
		if !(low <= high) || math.IsNaN(p.low+p.high) {
			return 1
		}
		if e.at[len(e.at)-1] > high || e.cut > 0 && high < 1 {
			total += e.reaches(p.high)
		}
		if e.at[0] < low || e.cut > 0 && low > 0 {
			mirrored := e.mirror()
			total += mirrored.reaches(1 - p.low)
		}
	}
	return min(1, total)
}

// An ending is the law of a posterior given all sums: rising values and their weights, and a bound of the weights that were cut off.
type ending struct {
	at, weight []float64
	cut        float64
}

// ending sorts the posteriors if they do not rise with the sum: those of people who share a rate that piles up at its ends. Sums that are too
// unlikely to say what the posterior is count as cut.
func (s *sumLaw) ending(q, weights []float64, cut float64) ending {
	e := ending{cut: cut}
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
		if s.mass[i] < doubtful*s.cut {
			e.cut += weights[i]
			continue
		}
		e.at, e.weight = append(e.at, q[i]), append(e.weight, weights[i])
	}
	if len(e.at) == 0 {
		e.at, e.weight = []float64{0, 1}, []float64{0, 0}
	}
	return e
}

// mirror is the law of one less the posterior.
func (e *ending) mirror() ending {
	m := ending{cut: e.cut}
	for i := len(e.at) - 1; i >= 0; i-- {
		m.at, m.weight = append(m.at, 1-e.at[i]), append(m.weight, e.weight[i])
	}
	return m
}

// reaches bounds the probability that a martingale with this ending ever reaches c. What was cut may lie at 1. The ratio first falls and
// then rises as k goes down, since it is the slope of a line from a fixed point to a convex curve.
func (e *ending) reaches(c float64) float64 {
	total := 0.0
	for _, w := range e.weight {
		total += w
	}
	best, last := 1.0, math.Inf(1)
	above, next := e.cut, 1.0 // the weight above k, and the least value above it
	gain := 0.0               // E(Y-k)^+
	for i := len(e.at) - 1; i >= 0; i-- {
		k := e.at[i]
		gain += above * (next - k)
		above, next = above+e.weight[i], k
		if k >= c {
			continue
		}
		ratio := gain / (c - k) / total
		if ratio > last {
			break
		}
		best, last = min(best, ratio), ratio
	}
	return best
}
