package rewrite

import (
	"fmt"

	pg "github.com/pganalyze/pg_query_go/v6"
)

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

// maxMarginKeys bounds the keys, and is PostgreSQL's own limit on the arguments of GROUPING.
const maxMarginKeys = 31

// hasMargins reports whether each grouping set has cells of its own.
func (r *selectReader) hasMargins() bool { return r.grouped && r.source.table.Audited() }

// checkMargins refuses what has too many of them.
func (r *selectReader) checkMargins() *Refusal {
	if !r.hasMargins() || len(r.keys) <= maxMarginKeys && r.sets != nil && len(r.sets) <= maxGroupingSets {
		return nil
	}
	return at(location(r.sel.GetGroupClause()[0]), &Refusal{
		Code:    codeLimit,
		Message: fmt.Sprintf("a SELECT from an audited table has more than %d grouping sets, or more than %d keys in them", maxGroupingSets, maxMarginKeys),
		Hint:    "Ask in several statements. What was released once stays free.",
	})
}

// checkTwin refuses a key that stands in grouping sets as two columns of the select list: one of them is NULL where the other is not.
func (r *selectReader) checkTwin(k *key, n *pg.Node) *Refusal {
	if !r.hasMargins() || r.outputOf(k.written, k.print) == r.outputOf(n, k.print) {
		return nil
	}
	return at(location(n), notSupported("grouping sets that tell two columns of one value apart are not supported on an audited table", "Leave out one of the columns."))
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
		if kindOf(o.value) == kindOf(n) && r.print(o.value) == print {
			return i
		}
	}
	return -1
}

// margins are the grouping sets.
func (r *selectReader) margins() []Margin {
	all := keySet(1)<<len(r.keys) - 1
	margins := make([]Margin, len(r.sets))
	for i, set := range r.sets {
		margins[i] = Margin{Keys: set.list(), Number: int64(all &^ set)}
	}
	return margins
}

// bindMargins takes over margins, of whose keys some may have become one.
func (q *BoundQuery) bindMargins(margins []Margin) {
	for _, m := range margins {
		var set keySet
		for _, k := range m.Keys {
			set |= 1 << q.order[k]
		}
		q.Margins = append(q.Margins, Margin{Keys: set.list(), Number: m.Number})
	}
}

// setName is the name of the column of the margins' numbers among the cells.
func (r *selectReader) setName() string { return r.unusedName("grouping set") }

// replaceGroupingFunc computes GROUPING(a, b, ...), whose last argument is bit 0, from the number of the margin.
func (r *selectReader) replaceGroupingFunc(n *pg.Node) *Refusal {
	f := n.GetGroupingFunc()
	var sum *pg.Node
	for i, arg := range f.GetArgs() {
		k, refusal := r.groupingArgument(arg)
		if refusal != nil {
			return refusal
		}
		number := &pg.Node{Node: reference(r.source.name(), r.setName(), -1)}
		bit := operatorNode(pg.A_Expr_Kind_AEXPR_OP, "%", operatorNode(pg.A_Expr_Kind_AEXPR_OP, "/", number, powerNode(k)), powerNode(1))
		bit = operatorNode(pg.A_Expr_Kind_AEXPR_OP, "*", bit, powerNode(len(f.GetArgs())-1-i))
		if sum != nil {
			bit = operatorNode(pg.A_Expr_Kind_AEXPR_OP, "+", sum, bit)
		}
		sum = bit
	}
	n.Node = sum.Node
	return nil
}

// powerNode is 2 to the power of n, which is below 31.
func powerNode(n int) *pg.Node { return pg.MakeAConstIntNode(1<<n, -1) }

// groupingArgument returns the number of the key that an argument of GROUPING is.
func (r *selectReader) groupingArgument(n *pg.Node) (int, *Refusal) {
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
			return 0, at(ref.GetLocation(), refusal)
		}
	}
	return 0, at(location(n), &Refusal{Code: codeGrouping, Message: "arguments to GROUPING must be grouping expressions of the associated query level"})
}
