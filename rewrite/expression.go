package rewrite

import (
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/interval"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/pgerror"
)

// replaceOrdering replaces within an item of ORDER BY or DISTINCT ON, where a bare name is an output name first.
func (r *selectReader) replaceOrdering(n *pg.Node) *pgerror.Refusal {
	if ref := n.GetColumnRef(); ref != nil && len(ref.GetFields()) == 1 {
		name := ref.GetFields()[0].GetString_().GetSval()
		if slices.ContainsFunc(r.outputs, func(o output) bool { return o.name == name && name != "" }) {
			return nil
		}
	}
	_, refusal := r.replace(n)
	return refusal
}

// replace makes an expression over rows one over cells: counts and keys become references to columns of cells, and whatever else it
// mentions of the source is refused. It reports whether it changed anything.
func (r *selectReader) replace(n *pg.Node) (changed bool, refusal *pgerror.Refusal) {
	pgtree.WalkLevel(n, func(n *pg.Node) bool {
		if refusal != nil {
			return false
		}
		if ref := n.GetColumnRef(); ref != nil {
			var moved bool
			moved, refusal = r.replaceColumn(n, ref)
			changed = changed || moved
			return false
		}
		if k := r.keyOf(n); k != nil {
			r.params.readAll(n.ProtoReflect())
			n.Node = pgtree.ColumnRef(r.source.name(), k.column, pgtree.Location(n))
			changed = true
			return false
		}
		switch v := n.GetNode().(type) {
		case *pg.Node_FuncCall:
			if interval.IsCall(v.FuncCall) {
				refusal = r.replaceInterval(n)
				changed = true
				return false
			}
			if !pgtree.IsAggregate(v.FuncCall) {
				refusal = checkWindowFilter(v.FuncCall)
				return refusal == nil
			}
			if refusal = r.replaceAggregate(n); refusal == nil {
				changed = true
			}
			return false
		case *pg.Node_GroupingFunc:
			switch {
			case !r.grouped:
				refusal = groupingAlone.At(v.GroupingFunc.GetLocation())
			case r.hasMargins():
				refusal = r.replaceGroupingFunc(n)
				changed = true
				return false
			}
		case *pg.Node_SubLink:
			refusal = r.replaceOuter(v.SubLink.GetSubselect())
		}
		return refusal == nil
	})
	return changed, refusal
}

// checkWindowFilter refuses an aggregate in the FILTER of a window function, as PostgreSQL does.
func checkWindowFilter(f *pg.FuncCall) (refusal *pgerror.Refusal) {
	pgtree.WalkLevel(f.GetAggFilter(), func(n *pg.Node) bool {
		if call := n.GetFuncCall(); call != nil && pgtree.IsAggregate(call) {
			refusal = aggregateMisplaced.At(call.GetLocation(), "FILTER")
		}
		return refusal == nil
	})
	return refusal
}

// checkLimit refuses what PostgreSQL refuses in LIMIT and OFFSET.
func checkLimit(n *pg.Node, clause string) (refusal *pgerror.Refusal) {
	pgtree.WalkLevel(n, func(n *pg.Node) bool {
		if call := n.GetFuncCall(); call != nil && pgtree.IsAggregate(call) {
			refusal = aggregateMisplaced.At(call.GetLocation(), clause)
		}
		if ref := n.GetColumnRef(); ref != nil {
			refusal = pgerror.At(ref.GetLocation(), limitVariable.With(clause))
		}
		return refusal == nil
	})
	return refusal
}

// replaceColumn checks that a reference is to a key, and makes it one to the column of cells, if it does not find that as it is.
func (r *selectReader) replaceColumn(n *pg.Node, ref *pg.ColumnRef) (changed bool, refusal *pgerror.Refusal) {
	found, refusal := r.source.resolve(ref)
	if refusal != nil {
		return false, pgerror.At(ref.GetLocation(), refusal)
	}
	k := r.keyOf(n)
	if found.column.value.Unlisted {
		return false, pgerror.At(ref.GetLocation(), r.source.refuseUnlisted(r.source.relations[found.relation], found.column.name))
	}
	if k == nil {
		return false, pgerror.At(ref.GetLocation(), r.refuseUngrouped(found, ungrouped))
	}
	if k.own && len(ref.GetFields()) < 3 {
		return false, nil
	}
	n.Node = pgtree.ColumnRef(r.source.name(), k.column, ref.GetLocation())
	return true, nil
}

func (r *selectReader) refuseUngrouped(found reading, form pgerror.Form) *pgerror.Refusal {
	keys := r.keyNames()
	if c, ok := found.column.value.Row.(*expr.Column); ok && c.Joined == nil {
		keys = append(keys, c.Name)
	}
	return form.With(r.source.relations[found.relation].name+"."+found.column.name, r.source.example(keys).statement())
}

// replaceOuter looks through a sub-select that stands in an expression over rows. Its references to the protected table must be
// to keys, as PostgreSQL demands of a grouped query, and it must not hold an aggregate that belongs to the query around it. Names
// that the sub-select declares itself hide the table's.
func (r *selectReader) replaceOuter(n *pg.Node) *pgerror.Refusal {
	if !r.source.single() {
		return subselectBeside.At(pgtree.Location(n))
	}
	o := outerReader{r: r, shadowed: pgtree.Declares(n.ProtoReflect(), r.source.name())}
	o.walk(n.ProtoReflect())
	return o.refusal
}

type outerReader struct {
	r        *selectReader
	shadowed bool
	nearer   []*expr.Table // protected tables in FROM of the sub-selects around, which hide columns of the outer one
	refusal  *pgerror.Refusal
}

func (o *outerReader) walk(m protoreflect.Message) {
	switch v := m.Interface().(type) {
	case *pg.SelectStmt:
		outer := o.nearer
		defer func() { o.nearer = outer }()
		for _, item := range v.GetFromClause() {
			if t := o.r.tables[item.GetRangeVar()]; t != nil {
				o.nearer = append(slices.Clip(outer), t)
			}
		}
	case *pg.ColumnRef:
		o.columnRef(v)
		return
	case *pg.FuncCall:
		if pgtree.IsAggregate(v) {
			o.aggregate(v)
		}
	}
	pgtree.Children(m, func(child protoreflect.Message) bool {
		if o.refusal == nil {
			o.walk(child)
		}
		return o.refusal == nil
	})
}

func (o *outerReader) columnRef(ref *pg.ColumnRef) {
	fields := ref.GetFields()
	qualifiers := pgtree.Strings(fields[:len(fields)-1])
	name := o.r.source.name()
	whole := len(fields) == 1 && fields[0].GetString_().GetSval() == name && !o.r.source.has(name)
	switch {
	case !whole && len(fields) == 1:
		o.unqualified(ref)
	case o.shadowed || !whole && len(o.r.source.matching(qualifiers)) == 0:
	case whole || fields[len(fields)-1].GetAStar() != nil:
		o.refusal = pgerror.At(ref.GetLocation(), o.r.source.refuseWholeRow())
	default:
		node := &pg.Node{Node: &pg.Node_ColumnRef{ColumnRef: ref}}
		found, refusal := o.r.source.resolve(ref)
		k := o.r.keyOf(node)
		switch {
		case refusal != nil:
			o.refusal = pgerror.At(ref.GetLocation(), refusal)
		case k == nil:
			o.refusal = pgerror.At(ref.GetLocation(), o.r.refuseUngrouped(found, ungroupedOuter))
		case len(fields) == 3 || !k.own:
			ref.Fields = pgtree.NameNodes([]string{name, k.column})
		}
	}
}

// unqualified refuses the bare name of a column of the protected table that is no key. PostgreSQL takes it for that unless the
// sub-select has one of the name itself, which is not known here; among the cells there is none, and the name would mean a column
// further out.
func (o *outerReader) unqualified(ref *pg.ColumnRef) {
	name := ref.GetFields()[0].GetString_().GetSval()
	hidden := slices.ContainsFunc(o.nearer, func(t *expr.Table) bool {
		return t.Column(name) != nil || slices.Contains(t.Unlisted, name) || slices.Contains(pgtree.SystemColumns, name)
	})
	isKey := slices.ContainsFunc(o.r.keys, func(k *key) bool { return k.own && k.column == name })
	if o.r.source.has(name) && !isKey && !hidden {
		o.refusal = pgerror.At(ref.GetLocation(), innerColumn.With(name, o.r.source.written))
	}
}

// aggregate refuses an aggregate in a sub-select if its arguments may be columns of the protected table alone: then it would
// be the outer query's aggregate over rows.
func (o *outerReader) aggregate(f *pg.FuncCall) {
	pgtree.WalkBelow(f.ProtoReflect(), func(n *pg.Node) bool {
		ref := n.GetColumnRef()
		if ref == nil || o.refusal != nil {
			return o.refusal == nil
		}
		fields := ref.GetFields()
		name := fields[len(fields)-1].GetString_().GetSval()
		qualifiers := pgtree.Strings(fields[:len(fields)-1])
		if len(o.r.source.matching(qualifiers)) > 0 && o.r.source.has(name) && !(len(qualifiers) > 0 && o.shadowed) {
			o.refusal = aggregateUnclear.At(f.GetLocation())
		}
		return false
	})
}
