package risk

import (
	"math"
	"slices"
)

// An urn is how the n records of a cell fall to its labels: they are drawn one by one, each time a label with a probability in
// proportion to its weight, and the weight of the label that was drawn grows by added. That is the multinomial distribution with added
// 0, and with added 1 the Dirichlet-multinomial one, weights being alpha (Polya 1930): both models are one.
type urn struct{ added float64 }

// What a label's weight is in each of them.
var (
	proportions = urn{added: 0}
	dirichlet   = urn{added: 1}
)

// A block is some of the labels of a cell together. By m, the number of records that fall to it, none is the probability that none of
// its labels is shown, and one the expected value of the label shown if it is exactly one (0 if it is not): 1 for a label that has
// records under [Event], the number of its records under [Records].
//
// All numbers in a block are sums of products of positive ones: nothing cancels.
type urnBlock struct {
	weight    float64
	none, one []float64
}

// label is the block of one label, with up to most records.
func label(s Survival, v Version, weight float64, most int) urnBlock {
	b := urnBlock{weight: weight, none: make([]float64, most+1), one: make([]float64, most+1)}
	for n := range b.none {
		b.none[n] = s.Vanishes(int64(n))
		switch {
		case v == Records:
			b.one[n] = float64(n) * s.Survives(int64(n))
		case n > 0:
			b.one[n] = s.Survives(int64(n))
		}
	}
	return b
}

// with is the block of a label of another weight.
func (b urnBlock) with(weight float64) urnBlock { return urnBlock{weight, b.none, b.one} }

// risks are the expected risks of cells of so many records (sizes ascend, and are 1 or more), the labels having these weights, of which
// one at least is positive. A label of weight 0 has no records. The error is below leftOut for each merger, besides that of rounding.
//
// With K different weights, and a largest size n, it takes K n times what urn.split does; equal weights are merged by doubling. Of two
// labels, and of any number with geometric noise, only the given sizes are gone through.
func (u urn) risks(s Survival, v Version, weights []float64, sizes []int64) []float64 {
	positive := slices.Sorted(slices.Values(weights))
	for len(positive) > 0 && positive[0] == 0 {
		positive = positive[1:]
	}
	risks := make([]float64, len(sizes))
	one := label(s, v, positive[0], int(sizes[len(sizes)-1]))
	if g, ok := memoryless(s); ok {
		u.memorylessRisks(risks, one, positive, sizes, g)
	} else {
		u.mergedRisks(risks, one, positive, sizes)
	}
	absent := power(s.Vanishes(0), len(weights)-len(positive))
	for i, n := range sizes {
		risks[i] *= absent
		if v == Records {
			risks[i] /= float64(n)
		}
	}
	return risks
}

// mergedRisks merges all labels but one, and that one for the given sizes only.
func (u urn) mergedRisks(risks []float64, one urnBlock, weights []float64, sizes []int64) {
	if len(weights) == 1 {
		for i, n := range sizes {
			risks[i] = one.one[n]
		}
		return
	}
	most := len(one.none) - 1
	rest := u.mergeAll(one, weights[1:], most)
	buffer := make([]float64, most+1)
	for i, n := range sizes {
		_, risks[i] = u.mergeAt(one, rest, int(n), buffer)
	}
}

// A geometricSurvival is b(n) = c q^n for all n, 0 included.
type geometricSurvival struct{ c, q float64 }

// memoryless says whether a survival is that of geometric noise, where b(0) = c: 1/(1+q), at most 1. Under Laplace noise b(0) is less
// than c, which may be any number.
func memoryless(s Survival) (g geometricSurvival, ok bool) {
	e, ok := s.(exponential)
	if !ok {
		return geometricSurvival{}, false
	}
	g.c, g.q, ok = e.Exponential()
	return g, ok && g.c <= 1 && math.Abs(s.Vanishes(0)-g.c) <= 1e-12*g.c
}

// memorylessRisks: under geometric noise all labels but k vanish together with probability c^(K-1) q^(n-n_k), however the n-n_k records
// fall to them. So the risk is the closed form
//
//	c^(K-1) times the sum over k of E[a(n_k) q^(n-n_k); n_k >= 1]
//
// where each n_k by itself is drawn against all others. For a(n_k) = 1 - c q^(n_k) the expectation is one of
// powers of q, which is known of Dirichlet and multinomial cells.
func (u urn) memorylessRisks(risks []float64, one urnBlock, weights []float64, sizes []int64, g geometricSurvival) {
	vanish := make([]float64, len(one.one))
	for m := range vanish {
		vanish[m] = power(g.c, len(weights)-1) * power(g.q, m)
	}
	buffer := make([]float64, len(one.one))
	groups := alike(weights)
	for k, same := range groups {
		rest := same.weight * float64(same.labels-1)
		for j, other := range groups {
			if j != k {
				rest += other.weight * float64(other.labels)
			}
		}
		for i, n := range sizes {
			low, shares := u.split(same.weight, rest, int(n), buffer)
			for x, p := range shares {
				risks[i] += float64(same.labels) * p * one.one[low+x] * vanish[int(n)-low-x]
			}
		}
	}
}

// A weighted is a number of labels of the same weight.
type weighted struct {
	weight float64
	labels int
}

// alike groups ascending weights.
func alike(weights []float64) []weighted {
	var out []weighted
	for i, w := range weights {
		if i == 0 || w != weights[i-1] {
			out = append(out, weighted{weight: w})
		}
		out[len(out)-1].labels++
	}
	return out
}

// mergeAll is the block of labels of ascending weights.
func (u urn) mergeAll(one urnBlock, weights []float64, most int) urnBlock {
	var all *urnBlock
	for _, same := range alike(weights) {
		square := one.with(same.weight)
		for labels := same.labels; ; square = u.merge(square, square, most) {
			if labels&1 == 1 {
				all = u.join(all, square, most)
			}
			if labels >>= 1; labels == 0 {
				break
			}
		}
	}
	return *all
}

func (u urn) join(all *urnBlock, b urnBlock, most int) *urnBlock {
	if all != nil {
		b = u.merge(*all, b, most)
	}
	return &b
}

// merge is two blocks together.
func (u urn) merge(a, b urnBlock, most int) urnBlock {
	out := urnBlock{weight: a.weight + b.weight, none: make([]float64, most+1), one: make([]float64, most+1)}
	buffer := make([]float64, most+1)
	for m := range out.none {
		out.none[m], out.one[m] = u.mergeAt(a, b, m, buffer)
	}
	return out
}

// mergeAt is two blocks together when m records fall to them.
func (u urn) mergeAt(a, b urnBlock, m int, buffer []float64) (none, one float64) {
	low, shares := u.split(a.weight, b.weight, m, buffer)
	for i, p := range shares {
		x, y := low+i, m-low-i
		none += p * a.none[x] * b.none[y]
		one += p * (a.one[x]*b.none[y] + a.none[x]*b.one[y])
	}
	return none, one
}

// smallShare is of the largest probability of a split: those beyond the first below it are left out. They are at most maxSize of
// them: leftOut bounds them together.
const (
	smallShare = 1e-25
	leftOut    = 1e-20
)

// split returns the probabilities that low, low+1, ... of m records fall to a weight of w and the others to the rest. It goes both ways
// from the mode by the ratio of neighbours,
//
//	P(x+1)/P(x) = (m-x)(w + added x) / ((x+1)(rest + added (m-x-1))),
//
// and makes the sum 1: every term has a relative error of some m roundings. The shares are in the buffer, whose length is above m.
func (u urn) split(w, rest float64, m int, buffer []float64) (low int, shares []float64) {
	p := buffer[:m+1]
	mode, unimodal := u.mode(w, rest, m)
	least := 0.0
	if unimodal {
		least = smallShare
	}
	ratio := func(x int) float64 {
		left := float64(m - x)
		return left * (w + u.added*float64(x)) / (float64(x+1) * (rest + u.added*(left-1)))
	}
	p[mode] = 1
	sum := 1.0
	high := mode
	for ; high < m && p[high] >= least; high++ {
		p[high+1] = p[high] * ratio(high)
		sum += p[high+1]
	}
	for low = mode; low > 0 && p[low] >= least; low-- {
		p[low-1] = p[low] / ratio(low-1)
		sum += p[low-1]
	}
	p = p[low : high+1]
	for i := range p {
		p[i] /= sum
	}
	return low, p
}

// mode is the likeliest number of m records. If there are two modes, both ends, unimodal is false and it is the likelier.
//
// With added 0 the ratio above is at least 1 as long as x+1 <= (m+1) w/(w+rest); with added 1, as long as
// x (w+rest-2) <= m(w-1) - (rest-1).
func (u urn) mode(w, rest float64, m int) (mode int, unimodal bool) {
	var at float64
	switch {
	case u.added == 0:
		at = math.Floor(float64(m+1) * w / (w + rest))
	case w+rest > 2:
		at = 1 + math.Floor((float64(m)*(w-1)-(rest-1))/(w+rest-2))
	case rest >= w:
		return 0, false
	default:
		return m, false
	}
	return int(min(float64(m), max(0, at))), true
}
