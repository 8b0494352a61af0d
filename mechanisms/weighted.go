package mechanisms

import (
	"math/big"
	"strconv"
)

// A Weighted is a part of a weighted sum of counts: so many cells, each of which counts as often as the weight says.
type Weighted struct{ Weight, Cells int }

// total is how many cells the parts have, and the sum of the weights of these.
func total(parts []Weighted) (cells int, weights int64) {
	for _, part := range parts {
		cells += part.Cells
		weights += int64(part.Weight) * int64(part.Cells)
	}
	return cells, weights
}

// maxWeight bounds weights, by which the work of a bound grows.
const maxWeight = 1 << 8

// WeightedWithin bounds the error of a weighted sum of cells, as they are shown, but with a probability of miss, which is above 0 and below 1. The cells
// are different ones, of one release or of several with this mechanism, so that their noises are independent. ok is false where SumWithin has no bound, and
// unless each part has cells and a weight from 1 to maxWeight.
//
// Bound: as of [Mechanism.SumError]. With weights a > 0, the sum of a e is between that of a Z and that of a max(Z, 0).
//
// A sum of fewer cells with the same weights can have a larger bound, by less than the largest weight: multiples of different weights do not lie on the
// same lattice. So each sum has to be asked for by itself.
func (m *Mechanism) WeightedWithin(parts []Weighted, miss *big.Rat) (w int64, ok bool) {
	a, ok := m.method.(additive)
	if !ok || a.k > 0 || len(parts) == 0 {
		return 0, false
	}
	var key []byte
	for _, part := range parts {
		if part.Cells < 1 || part.Weight < 1 || part.Weight > maxWeight {
			return 0, false
		}
		key = strconv.AppendInt(append(key, ' '), int64(part.Weight), 10)
		key = strconv.AppendInt(append(key, '*'), int64(part.Cells), 10)
	}
	return m.sums.halfWidth(sumKey{parts: string(key), miss: miss.String()}, func() int64 { return a.sumWithin(parts, miss) }), true
}
