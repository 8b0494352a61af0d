package mechanisms

import (
	"math"

	"tacit/policy"
)

// Alone says for each cell of each group how likely it is shown as 1 or more, and no other cell of its group is, where "shown" is as a
// [Survival] has it. It is exact, and for the
// two kinds without a [Survival]: dp-swapping, and dp-suppression-alg2, whose cells depend on one another. ok is false for others, of which
// it would be a product of survivals.
//
// A group lists cells by index, each once. Like Expect it is for people who compare mechanisms, and for the steward alone.
//
// With V for the event that all of a set of cells vanish, it is P(V of the others) - P(V of the group).
func (m *Mechanism) Alone(h Histogram, groups [][]int) (alone [][]float64, ok bool) {
	var of func(group []int) []float64
	switch method := m.method.(type) {
	case cellSwapping:
		of = method.alone(h)
	case publishedSuppression:
		if method.kind == policy.DPSuppressionAlg2 {
			of = func(group []int) []float64 { return method.alone(h, group) }
		}
	}
	if of == nil {
		return nil, false
	}
	alone = make([][]float64, len(groups))
	for i, group := range groups {
		alone[i] = of(group)
	}
	return alone, true
}

// alone: whether a set of cells vanishes depends on the largest of their counts.
func (p publishedSuppression) alone(h Histogram, group []int) []float64 {
	largest, second := -1, -1 // of the group, by place
	for i, cell := range group {
		switch {
		case largest < 0 || h.Counts[cell] > h.Counts[group[largest]]:
			largest, second = i, largest
		case second < 0 || h.Counts[cell] > h.Counts[group[second]]:
			second = i
		}
	}
	alone := make([]float64, len(group))
	for i := range group {
		others := largest
		if i == largest {
			others = second
		}
		none := 1.0 // without others
		if others >= 0 {
			none = p.vanishUpTo(h.Counts[group[others]])
		}
		alone[i] = max(0, none-p.vanishUpTo(h.Counts[group[largest]]))
	}
	return alone
}

// vanishUpTo is the probability that counts of n and of less are all shown as less than 1: with k~ for the noisy threshold, n must be
// withheld unless it is 0, k~ >= n, and where one is withheld, k~ >= 0, no fill value may pass for a count.
func (p publishedSuppression) vanishUpTo(n int64) float64 {
	switch {
	case ShowsFill(p.fill, p.k) && n == 0:
		return p.above(0)
	case ShowsFill(p.fill, p.k):
		return 0
	case n == 0:
		return 1
	}
	return p.below(n)
}

// places are some of those of one block, and how many of them are occupied.
type places struct{ all, occupied int }

func (p places) without(occupied bool) places {
	p.all--
	if occupied {
		p.occupied--
	}
	return p
}

// alone: blocks are independent of one another.
func (s cellSwapping) alone(h Histogram) func(group []int) []float64 {
	blockOf, blocks := make([]int, len(h.Counts)), make([]places, len(h.Blocks))
	for b, block := range h.Blocks {
		blocks[b].all = len(block)
		for _, cell := range block {
			blockOf[cell] = b
			if h.Counts[cell] > 0 {
				blocks[b].occupied++
			}
		}
	}
	return func(group []int) []float64 {
		// The blocks that the group has places in, in the order in which they come.
		index := make(map[int]int)
		var of []int
		var parts []places
		for _, cell := range group {
			b := blockOf[cell]
			i, known := index[b]
			if !known {
				i = len(parts)
				index[b], of, parts = i, append(of, b), append(parts, places{})
			}
			parts[i].all++
			if h.Counts[cell] > 0 {
				parts[i].occupied++
			}
		}
		others := productsOfOthers(parts, func(i int) float64 { return s.emptied(parts[i], blocks[of[i]]) })
		alone := make([]float64, len(group))
		for j, cell := range group {
			i := index[blockOf[cell]]
			block := blocks[of[i]]
			rest := s.emptied(parts[i].without(h.Counts[cell] > 0), block)
			alone[j] = others[i] * max(0, rest-s.emptied(parts[i], block))
		}
		return alone
	}
}

// productsOfOthers are, for each part, the products of the values of all others, without a division by what may be 0.
func productsOfOthers(parts []places, value func(i int) float64) []float64 {
	products := make([]float64, len(parts))
	before := 1.0
	for i := range parts {
		products[i] = before
		before *= value(i)
	}
	after := 1.0
	for i := len(parts) - 1; i >= 0; i-- {
		products[i] *= after
		after *= value(i)
	}
	return products
}

// emptied is the probability that nobody is shown at some places of a block: each occupied cell outside of them moves to none of them, with
// probability 1 - a p for a places, and each one among them moves to one of the q - a others, with (q-a) p.
func (s cellSwapping) emptied(some, block places) float64 {
	_, p := s.probabilities(block.all)
	stay := math.Pow(1-float64(some.all)*p, float64(block.occupied-some.occupied))
	return stay * math.Pow(float64(block.all-some.all)*p, float64(some.occupied))
}
