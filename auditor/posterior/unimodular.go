package posterior

// totallyUnimodular recognises sums, with the question, that split into two laminar families: any two sets of one family are nested
// or disjoint. Margins of two-way tables, hierarchies and single cells are such. The incidence matrix of two laminar families is a
// network matrix and so totally unimodular (Edmonds 1970), and then the counts with given sums are the integer points of a polytope
// with integer corners, without gaps.
//
// The test is exact: sets that cross must be in different families, so that a split is a colouring of the graph of crossing pairs with
// two colours. But not every totally unimodular matrix is of this kind; those that are not pay with a stricter guard.
//
// Of a categorical attribute sets are of pairs of atom and value, and each atom's pairs, whose sum is public, are one more set.
func (c *contrast) totallyUnimodular() bool {
	rows := append(append([]row(nil), c.rows...), *c.question)
	if c.sameValues(rows) {
		sets := make([]bitset, len(rows))
		for i, r := range rows {
			sets[i] = newBitset(len(c.atoms))
			for _, a := range r.atoms {
				sets[i].add(int(a))
			}
		}
		return twoLaminar(sets)
	}
	return c.laminarPairs(rows)
}

// sameValues says that all rows count the same values, so that the others need not be told apart.
func (c *contrast) sameValues(rows []row) bool {
	for _, r := range rows {
		if r.set != rows[0].set {
			return false
		}
	}
	return true
}

// laminarPairs is conservative: the atoms' own sets, which are disjoint, are one family, and all rows must be the other.
func (c *contrast) laminarPairs(rows []row) bool {
	values := len(c.Atoms[0].Prior)
	sets := make([]bitset, len(rows))
	for i, r := range rows {
		sets[i] = newBitset(len(c.atoms) * values)
		for _, a := range r.atoms {
			for v := range values {
				if (r.set & c.support[c.atoms[a]]).Has(v) {
					sets[i].add(int(a)*values + v)
				}
			}
		}
	}
	for i := range sets {
		for j := range i {
			if sets[i].crosses(sets[j]) {
				return false
			}
		}
	}
	return true
}

// twoLaminar colours the graph of crossing pairs.
func twoLaminar(sets []bitset) bool {
	crossing := make([][]int, len(sets))
	for i := range sets {
		for j := range i {
			if sets[i].crosses(sets[j]) {
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

// A bitset is a set of small integers.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) add(i int) { b[i/64] |= 1 << (i % 64) }

// crosses says that the sets have elements in common, and each has one that the other has not.
func (b bitset) crosses(c bitset) bool {
	var both, left, right uint64
	for i, x := range b {
		both |= x & c[i]
		left |= x &^ c[i]
		right |= c[i] &^ x
	}
	return both != 0 && left != 0 && right != 0
}
