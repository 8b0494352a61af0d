package combine

import (
	"math/big"
	"slices"

	"tacit/mechanisms"
)

// How exact weighted means are. Let A be the sum of the weights, and B a bound of the error of the weighted sum (see
// [mechanisms.Mechanism.WeightedWithin]). The mean is off by at most B/A, and rounding adds at most 1/2. As the error is an integer, it is at most
// the integer below B/A + 1/2. What showing negative counts as 0 adds to the cells is in B.

// Within bounds the error of one count, but with a probability of miss.
func (m *Mean) Within(cell int, miss *big.Rat) (w int64, ok bool) {
	return m.within(m.kinds[m.of[cell]], 1, m.missOf(miss))
}

// MostWithin is that of the least exact count.
func (m *Mean) MostWithin(miss *big.Rat) (w int64, ok bool) {
	for _, k := range m.kinds {
		of, known := m.within(k, 1, m.missOf(miss))
		if !known {
			return 0, false
		}
		w = max(w, of)
	}
	return w, true
}

// TotalWithin bounds the error of a sum of so many of the counts, or of fewer, but with a probability of miss.
//
// Let S be the sum of the noises of so many counts, and T that of some of these, all times their weights. As noises are symmetric and independent, P(|T| > w) is at
// most 2 P(|S| > w) (Levy's inequality), and what showing negative counts as 0 adds is not less in S. So a bound of S with half the probability is
// one of T. If counts are of several kinds, or fitted, so that their errors are not independent, each within its part of the probability is enough.
func (m *Mean) TotalWithin(counts int, miss *big.Rat) (w int64, ok bool) {
	if len(m.kinds) == 1 && m.fit == nil {
		return m.within(m.kinds[0], counts, new(big.Rat).Quo(miss, big.NewRat(2, 1)))
	}
	w, ok = m.MostWithin(new(big.Rat).Quo(miss, big.NewRat(int64(counts), 1)))
	return int64(counts) * w, ok
}

// within bounds the error of a sum of so many counts of a kind.
func (m *Mean) within(k kind, counts int, miss *big.Rat) (w int64, ok bool) {
	parts := slices.Clone(k.parts)
	for i := range parts {
		parts[i].Cells *= counts
	}
	b, ok := m.noise.WeightedWithin(parts, miss)
	bound := new(big.Int).Mul(big.NewInt(2), big.NewInt(b))
	bound.Add(bound, new(big.Int).Mul(big.NewInt(k.divisor), big.NewInt(int64(counts))))
	bound.Quo(bound, big.NewInt(2*k.divisor))
	return bound.Int64(), ok
}

// HalfWidth95 bounds the error of the least exact count with a probability of 0.95.
func (m *Mean) HalfWidth95() int64 { return m.error }

// SumError is that of the least exact count.
func (m *Mean) SumError() mechanisms.SumError {
	e := mechanisms.SumError{HalfWidth95: m.error}
	for _, k := range m.kinds {
		cells := 0
		for _, part := range k.parts {
			cells += part.Weight * part.Cells
		}
		e.BiasOfZero = max(e.BiasOfZero, float64(cells)*m.noise.BiasOfZero()/float64(k.divisor))
	}
	return e
}

// Noisy is how many noisy cells have a part in one count, at most.
func (m *Mean) Noisy() (most int) {
	for _, k := range m.kinds {
		cells := 0
		for _, part := range k.parts {
			cells += part.Cells
		}
		most = max(most, cells)
	}
	return most
}
