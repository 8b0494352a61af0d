package query

import "strings"

// Of an audited table every total is a count of its own, which is released or suppressed by itself, rather than the sum of cells of which
// some are suppressed. So the cells of a sub-select with grouping sets are its very rows: those of each set, with NULL for the keys that
// the set has not. GROUP BY goes away, HAVING becomes WHERE as without grouping sets, and GROUPING is computed from the number of the
// set that stands beside each cell.

// A Margin is a grouping set of cells that come in such.
type Margin struct {
	// Keys are the sorted indexes of its keys.
	Keys []int
	// Number has a bit for each key of the CountQuery, bit i for key i, which is set if the grouping set lacks it.
	Number int64
}

// bindMargins takes over margins, of whose keys some may have become one.
func (q *BoundQuery) bindMargins(margins []Margin) {
	for _, m := range margins {
		var set KeySet
		for _, k := range m.Keys {
			set |= 1 << q.order[k]
		}
		q.Margins = append(q.Margins, Margin{Keys: set.List(), Number: m.Number})
	}
}

// Groupings are sets of keys, in words.
func (q *BoundQuery) Groupings(sets [][]int) string {
	texts := make([]string, len(sets))
	for i, set := range sets {
		names := make([]string, len(set))
		for j, k := range set {
			names[j] = q.Keys[k].Text()
		}
		texts[i] = "(" + strings.Join(names, ", ") + ")"
	}
	return strings.Join(texts, ", ")
}
