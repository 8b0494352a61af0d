package microdata

import (
	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// permuteAndFlip chooses among candidates with small distances (McKenna and Sheldon 2020, Algorithm 1): it looks at them in a
// random order of which all are equally likely, and takes the first whose coin, that of candidate c, falls on its side:
//
//	probability exp(-epsilon (d(c) - dmin)/(2 Delta)).
//
// Scores are minus distances, and Delta, their sensitivity, is the most that one distance can be: Distance.Most. The nearest
// candidates' coins are certain to, so that it ends. Distances are at most Delta apart, so that each coin has at least
// exp(-epsilon/2), and min(n, exp(epsilon/2)) coins are enough on average for n candidates.
//
// The order is drawn as far as it is needed (Fisher and Yates): the i-th candidate is one of those from i on, with which it changes
// places. Only candidates out of their places are remembered.
type permuteAndFlip struct {
	epsilon uint64 // in units of 1e-9
	most    uint64 // Delta, in the unit of distances
	bits    *sampling.Bits
	moved   map[uint64]uint64
}

func newPermuteAndFlip(e policy.Epsilon, most uint64, b *sampling.Bits) *permuteAndFlip {
	return &permuteAndFlip{epsilon: uint64(e), most: most, bits: b, moved: make(map[uint64]uint64)}
}

// choose returns one of the candidates 0 to n-1, n >= 1. least is the least distance of any.
func (p *permuteAndFlip) choose(n, least uint64, distance func(candidate uint64) uint64) uint64 {
	clear(p.moved)
	at := func(place uint64) uint64 {
		if c, ok := p.moved[place]; ok {
			return c
		}
		return place
	}
	for i := range n {
		p.bits.Start()
		j := i + p.bits.Below(n-i)
		candidate := at(j)
		p.moved[j] = at(i)
		if p.flip(distance(candidate)-least) || p.bits.Err() != nil {
			return candidate
		}
	}
	panic("microdata: internal error: the nearest candidate was not taken")
}

// flip is true with probability exactly exp(-epsilon d/(2 Delta)), for d <= Delta.
//
// That is the product of c equal factors exp(-x y), x = epsilon/(2c) and y = d/Delta, c being chosen such that x <= 1: c
// independent trials that all have to succeed.
func (p *permuteAndFlip) flip(d uint64) bool {
	c := max(1, (p.epsilon+2*perEpsilon-1)/(2*perEpsilon))
	for range c {
		if !p.bernoulliExpOfProduct(2*perEpsilon*c, d) {
			return false
		}
	}
	return true
}

// bernoulliExpOfProduct is true with probability exp(-x y), x = epsilon/q <= 1 and y = d/most <= 1: Canonne, Kamath and Steinke
// 2020, Algorithm 1, with A_k true with probability (xy)/k, which is that of three independent events. So no denominator is a
// product, and none overflows. The first K with A_K false is odd with probability sum over k of (-xy)^k/k!.
func (p *permuteAndFlip) bernoulliExpOfProduct(q, d uint64) bool {
	if d == 0 {
		return true
	}
	k := uint64(1)
	for p.bits.Below(p.most) < d && p.bits.Below(q) < p.epsilon && p.bits.Below(k) == 0 && p.bits.Err() == nil {
		k++
	}
	return k%2 == 1
}

// maxDonorEpsilon is the most that permuteAndFlip takes: 2*perEpsilon*c is then below 2^40, and no draw takes more than 500 trials.
const maxDonorEpsilon = policy.Epsilon(1000 * perEpsilon)
