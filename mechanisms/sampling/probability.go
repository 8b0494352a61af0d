package sampling

import "math/big"

// A Probability is a real number p from 0 to 1 of which any number of binary places can be had.
type Probability struct {
	bounds    func(places uint) (low, high *big.Int)
	places    uint   // of the first comparison, and how many more each further one has: at most 63
	low, high uint64 // bounds(places)
}

// probabilityPlaces are those that fit into one word with an upper bound of 2^places.
const probabilityPlaces = 63

// NewProbability returns the p of which bounds returns integers with low <= p 2^places <= high <= 2^places, which are the closer
// together the more places: their difference is bounded.
func NewProbability(bounds func(places uint) (low, high *big.Int)) Probability {
	return newProbability(bounds, probabilityPlaces)
}

func newProbability(bounds func(uint) (*big.Int, *big.Int), places uint) Probability {
	low, high := bounds(places)
	return Probability{bounds: bounds, places: places, low: low.Uint64(), high: high.Uint64()}
}

// BernoulliReal is true with probability exactly p.
//
// It says whether a real number U, uniform in [0, 1), is below p, of which so many places are drawn as the comparison takes. If the first
// places are those of the integer u, U lies in [u, u+1) 2^-places. u < low has u+1 <= low, so that U is below p; u >= high has U >= p.
// In between the comparison is open, with probability (high-low) 2^-places, and more places are had of both: it ends with probability
// 1, and after one word nearly always.
func (b *Bits) BernoulliReal(p *Probability) bool {
	u := b.Take(int(p.places))
	if u < p.low || u >= p.high {
		return u < p.low && b.err == nil
	}
	digits := new(big.Int).SetUint64(u)
	for places := 2 * p.places; places <= maxPlaces && b.err == nil; places += p.places {
		digits.Lsh(digits, p.places)
		digits.Or(digits, new(big.Int).SetUint64(b.Take(int(p.places))))
		low, high := p.bounds(places)
		switch {
		case digits.Cmp(low) < 0:
			return b.err == nil
		case digits.Cmp(high) >= 0:
			return false
		}
	}
	b.fail("a comparison did not end")
	return false
}
