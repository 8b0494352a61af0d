package query

import "math/bits"

// A KeySet is a set of keys of GROUP BY, one bit for each by its number.
type KeySet uint64

// List has the numbers of the keys in rising order.
func (s KeySet) List() []int {
	list := []int{}
	for ; s != 0; s &= s - 1 {
		list = append(list, bits.TrailingZeros64(uint64(s)))
	}
	return list
}
