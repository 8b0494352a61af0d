package microdata

import (
	"math/big"

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
