package rewrite

import (
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

const (
	// maxGroupingSets bounds the different grouping sets that are told of a query.
	maxGroupingSets = 64
	// maxExpandedSets bounds those that are formed on the way, and is PostgreSQL's own limit on the grouping sets of a statement.
	maxExpandedSets = 4096
)

// oneKey is the set of one key, alone in a list. nil, which stands for too many sets wherever it appears, if its number has no bit.
func oneKey(i int) []query.KeySet {
	if i >= 64 {
		return nil
	}
	return []query.KeySet{1 << i}
}

// groupingSets are the different grouping sets of the SELECT, nil if there are none or too many.
func (r *selectReader) groupingSets() [][]int {
	if !r.grouped || len(r.sets) > maxGroupingSets {
		return nil
	}
	var lists [][]int
	for _, set := range r.sets {
		lists = append(lists, set.List())
	}
	return lists
}

// combineSets are the sets of a row, or of a grouping set, whose items stand for the sets parts (expandGroupingSet in parse_agg.c): a row
// and the top of GROUP BY take one set of each item; ROLLUP all beginnings; CUBE all choices; GROUPING SETS the sets of each item.
func (r *selectReader) combineSets(n *pg.Node, parts [][]query.KeySet) []query.KeySet {
	switch n.GetGroupingSet().GetKind() {
	case pg.GroupingSetKind_GROUPING_SET_ROLLUP:
		whole := []query.KeySet{0}
		sets := whole
		for _, part := range parts {
			whole = r.crossSets(whole, part)
			sets = r.uniteSets(whole, sets)
		}
		return sets
	case pg.GroupingSetKind_GROUPING_SET_CUBE:
		sets := []query.KeySet{0}
		for _, part := range parts {
			sets = r.crossSets(sets, r.uniteSets(part, []query.KeySet{0}))
		}
		return sets
	case pg.GroupingSetKind_GROUPING_SET_SETS:
		sets := []query.KeySet{}
		for i, part := range parts {
			if i == 0 {
				sets = part
			} else {
				sets = r.uniteSets(sets, part)
			}
		}
		return sets
	}
	sets := []query.KeySet{0} // of a row, or of ()
	for _, part := range parts {
		sets = r.crossSets(sets, part)
	}
	return sets
}

// crossSets unites each set of one list with each of another.
func (r *selectReader) crossSets(a, b []query.KeySet) []query.KeySet {
	if a == nil || b == nil || len(a)*len(b) > maxExpandedSets {
		return nil
	}
	crossed := make([]query.KeySet, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			crossed = append(crossed, x|y)
		}
	}
	return r.different(crossed)
}

// uniteSets has the sets of both lists.
func (r *selectReader) uniteSets(a, b []query.KeySet) []query.KeySet {
	if a == nil || b == nil || len(a)+len(b) > maxExpandedSets {
		return nil
	}
	return r.different(slices.Concat(a, b))
}

// different keeps the first of equal sets, unless each of them has rows of its own: the server shows those of a set that stands twice
// twice, if it is not GROUP BY DISTINCT.
func (r *selectReader) different(sets []query.KeySet) []query.KeySet {
	if r.hasMargins() && !r.sel.GetGroupDistinct() {
		return sets
	}
	seen := make(map[query.KeySet]bool, len(sets))
	return slices.DeleteFunc(sets, func(s query.KeySet) bool {
		was := seen[s]
		seen[s] = true
		return was
	})
}

// maxMarginKeys bounds the keys, and is PostgreSQL's own limit on the arguments of GROUPING.
const maxMarginKeys = 31

// checkMargins refuses what has too many of them.
func (r *selectReader) checkMargins() *pgerror.Refusal {
	if !r.hasMargins() || len(r.keys) <= maxMarginKeys && r.sets != nil && len(r.sets) <= maxGroupingSets {
		return nil
	}
	return pgerror.At(pgtree.Location(r.sel.GetGroupClause()[0]), setsTooMany.With(maxGroupingSets, maxMarginKeys))
}

// checkTwin refuses a key that stands in grouping sets as two columns of the select list: one of them is NULL where the other is not.
func (r *selectReader) checkTwin(k *key, n *pg.Node) *pgerror.Refusal {
	if !r.hasMargins() || r.outputOf(k.written, k.print) == r.outputOf(n, k.print) {
		return nil
	}
	return setsTellApart.At(pgtree.Location(n))
}

// outputOf is the column of the select list that PostgreSQL groups by, -1 if it adds one: that which GROUP BY refers to, or the first
// of the same value (findTargetlistEntrySQL99).
func (r *selectReader) outputOf(n *pg.Node, print string) int {
	for i, o := range r.outputs {
		if o.value == n {
			return i
		}
	}
	for i, o := range r.outputs {
		if pgtree.KindOf(o.value) == pgtree.KindOf(n) && r.print(o.value) == print {
			return i
		}
	}
	return -1
}

// margins are the grouping sets.
func (r *selectReader) margins() []query.Margin {
	all := query.KeySet(1)<<len(r.keys) - 1
	margins := make([]query.Margin, len(r.sets))
	for i, set := range r.sets {
		margins[i] = query.Margin{Keys: set.List(), Number: int64(all &^ set)}
	}
	return margins
}

// replaceGroupingFunc computes GROUPING(a, b, ...), whose last argument is bit 0, from the number of the margin.
func (r *selectReader) replaceGroupingFunc(n *pg.Node) *pgerror.Refusal {
	f := n.GetGroupingFunc()
	var sum *pg.Node
	for i, arg := range f.GetArgs() {
		k, refusal := r.groupingArgument(arg)
		if refusal != nil {
			return refusal
		}
		number := &pg.Node{Node: pgtree.ColumnRef(r.source.name(), r.setName(), -1)}
		bit := pgtree.OperatorNode(pg.A_Expr_Kind_AEXPR_OP, "%", pgtree.OperatorNode(pg.A_Expr_Kind_AEXPR_OP, "/", number, pgtree.PowerNode(k)), pgtree.PowerNode(1))
		bit = pgtree.OperatorNode(pg.A_Expr_Kind_AEXPR_OP, "*", bit, pgtree.PowerNode(len(f.GetArgs())-1-i))
		if sum != nil {
			bit = pgtree.OperatorNode(pg.A_Expr_Kind_AEXPR_OP, "+", sum, bit)
		}
		sum = bit
	}
	n.Node = sum.Node
	return nil
}

// groupingArgument returns the number of the key that an argument of GROUPING is.
func (r *selectReader) groupingArgument(n *pg.Node) (int, *pgerror.Refusal) {
	if k := r.keyOf(n); k != nil {
		r.params.readAll(n.ProtoReflect())
		for i := range r.keys {
			if r.keys[i] == k {
				return i, nil
			}
		}
	}
	if ref := n.GetColumnRef(); ref != nil {
		if _, refusal := r.source.resolve(ref); refusal != nil {
			return 0, pgerror.At(ref.GetLocation(), refusal)
		}
	}
	return 0, groupingArguments.At(pgtree.Location(n))
}
