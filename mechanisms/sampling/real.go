package sampling

import "math/big"

// A real is a number of which any number of binary places can be had.
type real interface {
	// bounds returns integers with low <= g 2^places < high, which are the closer together the more places.
	bounds(places uint) (low, high *big.Int)
}

// places is the precision of a quick comparison.
const places = 32

// bernoulliExpOf is true with probability exactly exp(-g), for a g >= 0 with low <= g 2^places < high.
//
// It is BernoulliExp, with uniform numbers W of as many places as it takes to compare them with g. Where 32 places leave a comparison
// open, which they do with a probability of some (high-low) 2^-32, more places are had of both. Every comparison ends with probability
// 1, because W = g/k has probability zero.
func (b *Bits) bernoulliExpOf(g real, low, high uint64) bool {
	whole := low >> places
	low, high = low-whole<<places, high-whole<<places
	if high > 1<<places {
		// The quick bounds leave the whole part open: they are of no use.
		whole, low, high = wholePart(g), 0, 1<<places
	}
	for range whole {
		if !b.bernoulliExpOfShare(1, 1) || b.err != nil {
			return false
		}
	}
	for k := uint64(1); b.err == nil; k++ {
		w := b.Take(places)
		below := (w+1)*k <= low
		if !below && w*k < high {
			below = b.compare(w, k, whole, g)
		}
		if !below {
			return k%2 == 1
		}
	}
	return false
}

// compare says whether W k < g - whole, W being a uniform number whose first places are w.
func (b *Bits) compare(w, k, whole uint64, g real) bool {
	digits, times, part := new(big.Int).SetUint64(w), new(big.Int).SetUint64(k), new(big.Int).SetUint64(whole)
	for p := uint(2 * places); b.err == nil; p += places {
		digits.Lsh(digits, places)
		digits.Or(digits, new(big.Int).SetUint64(b.Take(places)))
		low, high := g.bounds(p)
		shifted := new(big.Int).Lsh(part, p)
		least := new(big.Int).Mul(digits, times)
		if least.Cmp(high.Sub(high, shifted)) >= 0 {
			return false
		}
		if least.Add(least, times).Cmp(low.Sub(low, shifted)) <= 0 {
			return true
		}
	}
	return false
}

// wholePart is the integer part of g.
func wholePart(g real) uint64 {
	one := big.NewInt(1)
	for p := uint(2 * places); ; p += places {
		low, high := g.bounds(p)
		low.Rsh(low, p)
		high.Rsh(high.Sub(high, one), p)
		if low.Cmp(high) == 0 {
			return low.Uint64()
		}
	}
}
