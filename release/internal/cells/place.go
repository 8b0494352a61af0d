package cells

import (
	"cmp"
	"math/bits"
	"slices"

	"tacit/rewrite/query"
)

// A Placed count is that of a value by its place among all values, in their order.
type Placed struct {
	Place int
	Count int64
}

// PlaceOf is the place of the first value up to which noisy counts of all values are at least the fraction of their sum; with a fraction of nothing, the
// place of a value that is the most frequent one. ok is false if the counts tell that there are no rows.
func PlaceOf(counts []Placed, f query.Fraction) (place int, ok bool) {
	slices.SortFunc(counts, func(a, b Placed) int { return a.Place - b.Place })
	var all, upTo int64
	for _, p := range counts {
		all += p.Count
	}
	if all <= 0 {
		return 0, false
	}
	if f == (query.Fraction{}) {
		return slices.MaxFunc(counts, func(a, b Placed) int { return cmp.Compare(a.Count, b.Count) }).Place, true
	}
	for _, p := range counts {
		if upTo += p.Count; reached(upTo, all, f) {
			return p.Place, true
		}
	}
	panic("release: internal error: a fraction of rows that all rows are less than")
}

// reached reports whether so many rows are at least the fraction of all.
func reached(upTo, all int64, f query.Fraction) bool {
	if upTo < 0 {
		return false
	}
	hi, lo := bits.Mul64(uint64(upTo), f.All)
	otherHi, otherLo := bits.Mul64(uint64(all), f.Of)
	return hi > otherHi || hi == otherHi && lo >= otherLo
}
