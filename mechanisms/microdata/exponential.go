package microdata

import (
	"fmt"
	"math/big"

	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// expBounds returns integers with low <= exp(-e) 2^places <= high, whose difference is 1 or 2.
//
// exp(-e) is y^(2^s) for y = exp(-x), x = e/2^s <= 1. y lies between two successive partial sums of the alternating series of
// x^k/k!, computed in integers that are rounded down for low and up for high. A square of a number below 1 makes an interval at
// most twice as wide, plus a unit: the s+64 places more than were asked for are worth more than that costs.
func expBounds(e policy.Epsilon, places uint) (low, high *big.Int) {
	s := uint(0)
	for e>>s >= perEpsilon {
		s++
	}
	work := places + s + 64
	denominator := new(big.Int).Lsh(big.NewInt(perEpsilon), s)
	low, high = seriesBounds(big.NewInt(int64(e)), denominator, work)
	for range s {
		low.Rsh(low.Mul(low, low), work)
		high = shiftUp(high.Mul(high, high), work)
	}
	return low.Rsh(low, work-places), shiftUp(high, work-places)
}

// seriesBounds returns low <= exp(-n/d) 2^places <= high for 0 <= n <= d.
func seriesBounds(n, d *big.Int, places uint) (low, high *big.Int) {
	one := big.NewInt(1)
	low = new(big.Int).Lsh(one, places)
	high = new(big.Int).Set(low)
	least, most := new(big.Int).Set(low), new(big.Int).Set(low) // of the last term
	for k := int64(1); most.Cmp(one) > 0; k++ {
		by := new(big.Int).Mul(d, big.NewInt(k))
		least.Quo(least.Mul(least, n), by)
		most = divideUp(most.Mul(most, n), by)
		if k%2 == 1 {
			low.Sub(low, most)
			high.Sub(high, least)
		} else {
			low.Add(low, least)
			high.Add(high, most)
		}
	}
	// What is left out is less than the last term, which is at most 1.
	low.Sub(low, one)
	if low.Sign() < 0 {
		low.SetInt64(0)
	}
	return low, high.Add(high, one)
}

func divideUp(n, d *big.Int) *big.Int {
	q, r := new(big.Int).QuoRem(n, d, new(big.Int))
	if r.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	return q
}

func shiftUp(n *big.Int, places uint) *big.Int {
	return divideUp(n, new(big.Int).Lsh(big.NewInt(1), places))
}

// A probability is a real number from 0 to 1 of which any number of binary places can be had.
type probability struct {
	// bounds returns integers with low <= p 2^places <= high, which are the closer together the more places.
	bounds    func(places uint) (low, high *big.Int)
	places    uint   // of the quick comparison, at most 63
	low, high uint64 // bounds(places)
}

func newProbability(bounds func(uint) (*big.Int, *big.Int), places uint) probability {
	low, high := bounds(places)
	return probability{bounds: bounds, places: places, low: low.Uint64(), high: high.Uint64()}
}

// maxPlaces ends a draw that does not end. A sound source reaches it with probability below 2^-1000.
const maxPlaces = 1100

// draw is true with probability exactly p: it says whether a uniform real number in [0, 1) is below p, of which so many places are
// drawn as the comparison takes. Places that begin a number u leave it in [u, u+1) 2^-places.
func (p *probability) draw(b *sampling.Bits) (bool, error) {
	b.Start()
	u := b.Take(int(p.places))
	switch {
	case b.Err() != nil:
		return false, b.Err()
	case u < p.low:
		return true, nil
	case u >= p.high:
		return false, nil
	}
	digits := new(big.Int).SetUint64(u)
	for places := p.places + 64; places < maxPlaces && b.Err() == nil; places += 64 {
		digits.Lsh(digits, 64)
		digits.Or(digits, new(big.Int).SetUint64(b.Take(64)))
		low, high := p.bounds(places)
		if digits.Cmp(low) < 0 {
			return true, nil
		}
		if digits.Cmp(high) >= 0 {
			return false, nil
		}
	}
	if err := b.Err(); err != nil {
		return false, err
	}
	return false, fmt.Errorf("%w: a draw did not end", sampling.ErrRandomness)
}
