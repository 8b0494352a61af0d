package sampling

import "math/big"

// A real is a number of which any number of binary places can be had.
type real interface {
	// bounds returns integers with low <= g 2^places < high, which are the closer together the more places. The caller may change them.
	bounds(places uint) (low, high *big.Int)
}

// quick bounds a real g without big.Int: low <= g 2^places < high. low is below 2^63, and places at most 32.
type quick struct {
	low, high uint64
	places    uint
}

// open bounds nothing: bernoulliExpOf asks the real at once.
func open(places uint) quick { return quick{low: 0, high: 2 << places, places: places} }

// bernoulliExpOf is true with probability exactly exp(-g), for g >= 0 within the bounds q.
//
// It is BernoulliExp, with uniform numbers W of as many places as it takes to compare them with g. Where the quick bounds leave a comparison
// open, which they do with a probability of some (high-low) 2^-places, more places are had of both. Every comparison ends with
// probability 1, because W = g/k has probability zero.
func (b *Bits) bernoulliExpOf(g real, q quick) bool {
	one := uint64(1) << q.places
	whole := q.low >> q.places
	low, high := q.low-whole<<q.places, q.high-whole<<q.places
	if high > one {
		// The quick bounds leave the whole part open: they are of no use.
		whole, low, high = b.wholePart(g, q.places), 0, one
	}
	for range whole {
		if !b.bernoulliExpOfShare(1, 1) {
			return false
		}
	}
	// k < 2^23, since every step takes a bit; so (w+1) k < 2^56.
	for k := uint64(1); b.err == nil; k++ {
		w := b.Take(int(q.places))
		below := (w+1)*k <= low
		if !below && w*k < high {
			below = b.compare(g, comparison{w: w, k: k, whole: whole, places: q.places})
		}
		if !below {
			return k%2 == 1 && b.err == nil
		}
	}
	return false
}

// A comparison asks whether W k < g - whole, W being a uniform number in [0, 1) whose first places are w.
type comparison struct {
	w, k, whole uint64
	places      uint
}

// compare answers c, drawing more places of W until the answer is the same whatever the others are. It is false after a failure.
func (b *Bits) compare(g real, c comparison) bool {
	digits, times, whole := new(big.Int).SetUint64(c.w), new(big.Int).SetUint64(c.k), new(big.Int).SetUint64(c.whole)
	for p := 2 * c.places; p <= maxPlaces && b.err == nil; p += c.places {
		digits.Lsh(digits, c.places)
		digits.Or(digits, new(big.Int).SetUint64(b.Take(int(c.places))))
		low, high := g.bounds(p)
		shifted := new(big.Int).Lsh(whole, p)
		least := new(big.Int).Mul(digits, times)
		if least.Cmp(high.Sub(high, shifted)) >= 0 {
			return false
		}
		if least.Add(least, times).Cmp(low.Sub(low, shifted)) <= 0 {
			return b.err == nil
		}
	}
	b.fail("a comparison did not end")
	return false
}

// wholePart is the integer part of g, or 0 after a failure.
func (b *Bits) wholePart(g real, step uint) uint64 {
	one := big.NewInt(1)
	for p := 2 * step; p <= maxPlaces; p += step {
		low, high := g.bounds(p)
		if b.err != nil {
			return 0
		}
		low.Rsh(low, p)
		high.Rsh(high.Sub(high, one), p)
		if low.Cmp(high) == 0 {
			return low.Uint64()
		}
	}
	b.fail("a comparison did not end")
	return 0
}
