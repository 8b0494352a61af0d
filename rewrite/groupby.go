package rewrite

import (
	"fmt"
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// groupBy resolves GROUP BY as PostgreSQL does (findTargetlistEntrySQL92 in parse_clause.c): a bare name is a column of the
// source if there is one, else an output name; an integer is a position in the select list; anything else is an expression
// over the source.
func (r *selectReader) groupBy() *pgerror.Refusal {
	r.sets = []query.KeySet{0}
	for _, item := range r.sel.GetGroupClause() {
		sets, refusal := r.groupItem(item)
		if refusal != nil {
			return refusal
		}
		r.sets = r.crossSets(r.sets, sets)
	}
	if r.sel.GetGroupDistinct() && !r.grouped {
		return groupDistinct.At(pgtree.Location(r.sel.GetGroupClause()[0]))
	}
	if !r.grouped {
		if refusal := r.impliedKeys(); refusal != nil {
			return refusal
		}
	}
	return r.checkMargins()
}

// impliedKeys adds the columns of public tables that stand beside the unique key along which they are joined, where that is a key of the groups: each
// group has one value of them (PostgreSQL 7.2.3 lets them stand beside a primary key).
func (r *selectReader) impliedKeys() (refusal *pgerror.Refusal) {
	if len(r.keys) == 0 || len(r.source.joins) == 0 {
		return nil
	}
	shown := &pg.SelectStmt{TargetList: r.sel.GetTargetList(), HavingClause: r.sel.GetHavingClause(), SortClause: r.sel.GetSortClause(),
		DistinctClause: r.sel.GetDistinctClause(), WindowClause: r.sel.GetWindowClause()}
	pgtree.WalkBelow(shown.ProtoReflect(), func(n *pg.Node) bool {
		if call := n.GetFuncCall(); call != nil && pgtree.IsAggregate(call) {
			if n = extremeOf(call); n == nil {
				return false
			}
		}
		if r.keyOf(n) != nil {
			return false
		}
		if ref := n.GetColumnRef(); ref != nil && refusal == nil && r.isImplied(ref) {
			_, refusal = r.groupValue(n)
		}
		return refusal == nil
	})
	return refusal
}

// extremeOf is the column whose least or greatest value an aggregate is, which a group has one of if it is a key; nil of other aggregates.
func extremeOf(f *pg.FuncCall) *pg.Node {
	name, builtin := pgtree.FunctionName(f)
	if !builtin || name != "min" && name != "max" || len(f.GetArgs()) != 1 || f.GetAggFilter() != nil || f.GetOver() != nil || f.GetArgs()[0].GetColumnRef() == nil {
		return nil
	}
	return f.GetArgs()[0]
}

// extremeKey is the key of which an aggregate is the least or the greatest value, nil if it is none. PostgreSQL has no order of booleans and uuids for that.
func (r *selectReader) extremeKey(f *pg.FuncCall) *key {
	n := extremeOf(f)
	if n == nil || r.grouped {
		return nil
	}
	k := r.keyOf(n)
	if k == nil {
		return nil
	}
	if family := pgvalue.FamilyOf(k.value.Row.TypeOf()); family == pgvalue.Booleans || family == pgvalue.UUIDs {
		return nil
	}
	return k
}

func (r *selectReader) isImplied(ref *pg.ColumnRef) bool {
	found, refusal := r.source.resolve(ref)
	if refusal != nil {
		return false
	}
	c, ok := found.column.value.Row.(*expr.Column)
	return ok && c.Public() && !slices.ContainsFunc(c.Joined.On, func(p expr.JoinPair) bool {
		return !slices.ContainsFunc(r.keys, func(k *key) bool { return k.value.Row == p.Key || k.value.Row == p.Outer && !c.Joined.Left })
	})
}

// groupItem reads an item of GROUP BY, or of a grouping set, and returns the sets of keys that it stands for.
func (r *selectReader) groupItem(n *pg.Node) ([]query.KeySet, *pgerror.Refusal) {
	if items, ok := pgtree.GroupItems(n); ok {
		r.grouped = r.grouped || n.GetGroupingSet() != nil
		parts := make([][]query.KeySet, len(items))
		for i, item := range items {
			var refusal *pgerror.Refusal
			if parts[i], refusal = r.groupItem(item); refusal != nil {
				return nil, refusal
			}
		}
		return r.combineSets(n, parts), nil
	}
	value, refusal := r.grouping(n)
	if refusal != nil {
		return nil, refusal
	}
	return r.groupValue(value)
}

// grouping is the expression that an item of GROUP BY stands for.
func (r *selectReader) grouping(n *pg.Node) (*pg.Node, *pgerror.Refusal) {
	if c := n.GetAConst(); c != nil {
		value, refusal := r.groupPosition(c)
		return value, pgerror.At(c.GetLocation(), refusal)
	}
	if ref := n.GetColumnRef(); ref != nil && len(ref.GetFields()) == 1 {
		if name := ref.GetFields()[0].GetString_().GetSval(); !r.source.has(name) {
			value, refusal := r.groupOutput(name, ref)
			return value, pgerror.At(ref.GetLocation(), refusal)
		}
	}
	return n, nil
}

// groupPosition resolves GROUP BY 2.
func (r *selectReader) groupPosition(c *pg.A_Const) (*pg.Node, *pgerror.Refusal) {
	v, ok := c.GetVal().(*pg.A_Const_Ival)
	if !ok {
		return nil, positionNoInteger.With()
	}
	position := int(v.Ival.GetIval())
	if position < 1 || position > len(r.outputs) {
		return nil, positionBeyond.With(position)
	}
	return r.outputs[position-1].value, nil
}

// groupOutput resolves a name that is no column of the source to the outputs of that name.
func (r *selectReader) groupOutput(name string, ref *pg.ColumnRef) (*pg.Node, *pgerror.Refusal) {
	var found *pg.Node
	for _, o := range r.outputs {
		if o.name != name {
			continue
		}
		if found != nil && !pgtree.Same(found, o.value) {
			return nil, nameAmbiguous.With(name)
		}
		found = o.value
	}
	if found == nil {
		_, refusal := r.source.value(ref)
		return nil, refusal
	}
	return found, nil
}

// groupValue adds a key, and returns the set of it. A constant groups nothing.
func (r *selectReader) groupValue(n *pg.Node) ([]query.KeySet, *pgerror.Refusal) {
	if call := n.GetFuncCall(); call != nil && pgtree.IsAggregate(call) {
		return nil, aggregateMisplaced.At(call.GetLocation(), "GROUP BY")
	}
	value, refusal := r.reader().operand(n)
	if refusal != nil {
		return nil, refusal
	}
	print := r.print(n)
	if value.IsConstant() {
		return []query.KeySet{0}, nil
	}
	if i := slices.IndexFunc(r.keys, func(k *key) bool { return k.print == print }); i >= 0 {
		return oneKey(i), r.checkTwin(r.keys[i], n)
	}
	if !pgvalue.CanBeKey(value.Row.TypeOf()) {
		return nil, keyType.At(pgtree.Location(n), pgvalue.ShownType(value.Row.TypeOf()))
	}
	k := &key{value: value, print: print, kind: pgtree.KindOf(n), written: n}
	if ref := n.GetColumnRef(); ref != nil && r.source.single() {
		k.column, k.own = ref.GetFields()[len(ref.GetFields())-1].GetString_().GetSval(), true
	} else {
		k.column = r.unusedName(fmt.Sprintf("key %d", len(r.keys)+1))
	}
	r.keys = append(r.keys, k)
	return oneKey(len(r.keys) - 1), nil
}

// replaceGrouping replaces in GROUP BY with grouping sets, which stays.
func (r *selectReader) replaceGrouping() *pgerror.Refusal {
	for _, n := range r.sel.GetGroupClause() {
		if refusal := r.replaceGroupItem(n); refusal != nil {
			return refusal
		}
	}
	return nil
}

func (r *selectReader) replaceGroupItem(n *pg.Node) *pgerror.Refusal {
	if items, ok := pgtree.GroupItems(n); ok {
		for _, item := range items {
			if refusal := r.replaceGroupItem(item); refusal != nil {
				return refusal
			}
		}
		return nil
	}
	value, refusal := r.grouping(n)
	if refusal != nil || value != n { // a position or an output name, which PostgreSQL does not take for another output of the same value
		return refusal
	}
	if k := r.keyOf(value); k != nil {
		r.params.readAll(n.ProtoReflect())
		n.Node = pgtree.ColumnRef(r.source.name(), k.column, pgtree.Location(n))
	}
	return nil
}
