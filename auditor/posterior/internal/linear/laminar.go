package linear

import (
	"iter"
	"math/bits"
)

// TwoLaminar reports whether sets split into two laminar families, of which any two sets are nested or disjoint: whether the graph of crossing
// pairs has a colouring with two colours.
func TwoLaminar(sets []Bitset) bool {
	crossing := NewBitsets(len(sets), len(sets))
	for i := range sets {
		for j := range i {
			if sets[i].Crosses(sets[j]) {
				crossing[i].Add(j)
				crossing[j].Add(i)
			}
		}
	}
	colour := make([]int8, len(sets))
	for i := range sets {
		if colour[i] == 0 && !spread(crossing, colour, i) {
			return false
		}
	}
	return true
}

// spread colours what is connected with i, and fails on an odd cycle.
func spread(crossing []Bitset, colour []int8, i int) bool {
	colour[i] = 1
	for queue := []int{i}; len(queue) > 0; queue = queue[1:] {
		i := queue[0]
		for j := range crossing[i].All() {
			switch colour[j] {
			case 0:
				colour[j] = -colour[i]
				queue = append(queue, j)
			case colour[i]:
				return false
			}
		}
	}
	return true
}

// A Bitset is a set of small integers.
type Bitset []uint64

// NewBitsets are empty sets of integers below n.
func NewBitsets(count, n int) []Bitset {
	words := (n + 63) / 64
	all := make(Bitset, count*words)
	sets := make([]Bitset, count)
	for i := range sets {
		sets[i] = all[i*words : (i+1)*words]
	}
	return sets
}

func (b Bitset) Add(i int) { b[i/64] |= 1 << (i % 64) }

// All are the elements, rising.
func (b Bitset) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, x := range b {
			for ; x != 0; x &= x - 1 {
				if !yield(64*i + bits.TrailingZeros64(x)) {
					return
				}
			}
		}
	}
}

// Crosses reports whether the sets have elements in common, and each has one that the other has not.
func (b Bitset) Crosses(c Bitset) bool {
	var both, left, right uint64
	for i, x := range b {
		both |= x & c[i]
		left |= x &^ c[i]
		right |= c[i] &^ x
	}
	return both != 0 && left != 0 && right != 0
}
