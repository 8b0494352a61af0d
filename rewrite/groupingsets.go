package rewrite

import (
	"math/bits"
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// A keySet is a set of keys of GROUP BY, one bit for each by its number.
type keySet uint64

const (
	// maxGroupingSets bounds the different grouping sets that are told of a query.
	maxGroupingSets = 64
	// maxExpandedSets bounds those that are formed on the way, and is PostgreSQL's own limit on the grouping sets of a statement.
	maxExpandedSets = 4096
)

// list has the numbers of the keys in rising order.
func (s keySet) list() []int {
	list := []int{}
	for ; s != 0; s &= s - 1 {
		list = append(list, bits.TrailingZeros64(uint64(s)))
	}
	return list
}

// oneKey is the set of one key, alone in a list. nil, which stands for too many sets wherever it appears, if its number has no bit.
func oneKey(i int) []keySet {
	if i >= 64 {
		return nil
	}
	return []keySet{1 << i}
}

// groupingSets are the different grouping sets of the SELECT, nil if there are none or too many.
func (r *selectReader) groupingSets() [][]int {
	if !r.grouped || len(r.sets) > maxGroupingSets {
		return nil
	}
	var lists [][]int
	for _, set := range r.sets {
		lists = append(lists, set.list())
	}
	return lists
}

// combineSets are the sets of a row, or of a grouping set, whose items stand for the sets parts (expandGroupingSet in parse_agg.c): a row
// and the top of GROUP BY take one set of each item; ROLLUP all beginnings; CUBE all choices; GROUPING SETS the sets of each item.
func (r *selectReader) combineSets(n *pg.Node, parts [][]keySet) []keySet {
	switch n.GetGroupingSet().GetKind() {
	case pg.GroupingSetKind_GROUPING_SET_ROLLUP:
		whole := []keySet{0}
		sets := whole
		for _, part := range parts {
			whole = r.crossSets(whole, part)
			sets = r.uniteSets(whole, sets)
		}
		return sets
	case pg.GroupingSetKind_GROUPING_SET_CUBE:
		sets := []keySet{0}
		for _, part := range parts {
			sets = r.crossSets(sets, r.uniteSets(part, []keySet{0}))
		}
		return sets
	case pg.GroupingSetKind_GROUPING_SET_SETS:
		sets := []keySet{}
		for i, part := range parts {
			if i == 0 {
				sets = part
			} else {
				sets = r.uniteSets(sets, part)
			}
		}
		return sets
	}
	sets := []keySet{0} // of a row, or of ()
	for _, part := range parts {
		sets = r.crossSets(sets, part)
	}
	return sets
}

// crossSets unites each set of one list with each of another.
func (r *selectReader) crossSets(a, b []keySet) []keySet {
	if a == nil || b == nil || len(a)*len(b) > maxExpandedSets {
		return nil
	}
	crossed := make([]keySet, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			crossed = append(crossed, x|y)
		}
	}
	return r.different(crossed)
}

// uniteSets has the sets of both lists.
func (r *selectReader) uniteSets(a, b []keySet) []keySet {
	if a == nil || b == nil || len(a)+len(b) > maxExpandedSets {
		return nil
	}
	return r.different(slices.Concat(a, b))
}

// different keeps the first of equal sets, unless each of them has rows of its own: the server shows those of a set that stands twice
// twice, if it is not GROUP BY DISTINCT.
func (r *selectReader) different(sets []keySet) []keySet {
	if r.hasMargins() && !r.sel.GetGroupDistinct() {
		return sets
	}
	seen := make(map[keySet]bool, len(sets))
	return slices.DeleteFunc(sets, func(s keySet) bool {
		was := seen[s]
		seen[s] = true
		return was
	})
}
