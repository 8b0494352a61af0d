package posterior

import "tacit/auditor/posterior/internal/linear"

// totallyUnimodular recognises sums, with the question, that split into two laminar families: any two sets of one family are nested
// or disjoint. Margins of two-way tables, hierarchies and single cells are such. The incidence matrix of two laminar families is a
// network matrix and so totally unimodular (Edmonds 1970), and then the counts with given sums are the integer points of a polytope
// with integer corners, without gaps.
//
// The test is exact: sets that cross must be in different families, so that a split is a colouring of the graph of crossing pairs with
// two colours. But not every totally unimodular matrix is of this kind; those that are not pay with a stricter guard.
//
// Of a categorical attribute sets are of pairs of atom and value, and each atom's pairs, whose sum is public, are one more set.
func (l *linked) totallyUnimodular() bool {
	rows := append(append([]row(nil), l.rows...), *l.question)
	if l.sameValues(rows) {
		sets := linear.NewBitsets(len(rows), len(l.atoms))
		for i, r := range rows {
			for _, a := range r.atoms {
				sets[i].Add(int(a))
			}
		}
		return linear.TwoLaminar(sets)
	}
	return l.laminarPairs(rows)
}

// sameValues reports whether all rows count the same values, so that the others need not be told apart.
func (l *linked) sameValues(rows []row) bool {
	for _, r := range rows {
		if r.set != rows[0].set {
			return false
		}
	}
	return true
}

// laminarPairs is conservative: the atoms' own sets, which are disjoint, are one family, and all rows must be the other.
func (l *linked) laminarPairs(rows []row) bool {
	values := len(l.Atoms[0].Prior)
	sets := linear.NewBitsets(len(rows), len(l.atoms)*values)
	for i, r := range rows {
		for _, a := range r.atoms {
			for v := range values {
				if (r.set & l.support[l.atoms[a]]).Has(v) {
					sets[i].Add(int(a)*values + v)
				}
			}
		}
	}
	for i := range sets {
		for j := range i {
			if sets[i].Crosses(sets[j]) {
				return false
			}
		}
	}
	return true
}
