package linear

// TwoLaminar reports whether sets split into two laminar families, of which any two sets are nested or disjoint: whether the graph of crossing
// pairs has a colouring with two colours.
func TwoLaminar(sets []Bitset) bool {
	crossing := make([][]int, len(sets))
	for i := range sets {
		for j := range i {
			if sets[i].Crosses(sets[j]) {
				crossing[i] = append(crossing[i], j)
				crossing[j] = append(crossing[j], i)
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
func spread(crossing [][]int, colour []int8, i int) bool {
	colour[i] = 1
	for queue := []int{i}; len(queue) > 0; queue = queue[1:] {
		i := queue[0]
		for _, j := range crossing[i] {
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

func NewBitset(n int) Bitset { return make(Bitset, (n+63)/64) }

func (b Bitset) Add(i int) { b[i/64] |= 1 << (i % 64) }

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
