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
// Scores are minus distances, and Delta, their sensitivity, is the most that one distance can be: distance.most. The nearest
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
	x, y := sampling.Ratio{Of: p.epsilon, All: 2 * perEpsilon * c}, sampling.Ratio{Of: d, All: p.most}
	for range c {
		p.bits.Start()
		if !p.bits.BernoulliExpProduct(x, y) {
			return false
		}
	}
	return true
}

// maxDonorEpsilon is the most that permuteAndFlip takes: a coin takes 500 trials at most, each of which is a draw.
const maxDonorEpsilon = policy.Epsilon(1000 * perEpsilon)
