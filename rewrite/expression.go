package rewrite

import (
	"fmt"
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// walkLevel calls visit for each node below and including n that belongs to the same query level: sub-selects are passed
// over, except for the left side of IN. It does not descend where visit returns false.
func walkLevel(n *pg.Node, visit func(*pg.Node) bool) {
	if n == nil || n.GetNode() == nil || !visit(n) {
		return
	}
	m := inner(n.ProtoReflect())
	if l := n.GetSubLink(); l != nil {
		walkLevel(l.GetTestexpr(), visit)
		return
	}
	walkBelow(m, visit)
}

func walkBelow(m protoreflect.Message, visit func(*pg.Node) bool) {
	children(m, func(child protoreflect.Message) bool {
		if n, ok := child.Interface().(*pg.Node); ok {
			walkLevel(n, visit)
		} else {
			walkBelow(child, visit)
		}
		return true
	})
}

// replaceOrdering replaces within an item of ORDER BY or DISTINCT ON, where a bare name is an output name first.
func (r *selectReader) replaceOrdering(n *pg.Node) *Refusal {
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
func (r *selectReader) replace(n *pg.Node) (changed bool, refusal *Refusal) {
	walkLevel(n, func(n *pg.Node) bool {
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
			n.Node = reference(r.source.name(), k.column, location(n))
			changed = true
			return false
		}
		switch v := n.GetNode().(type) {
		case *pg.Node_FuncCall:
			if !isAggregate(v.FuncCall) {
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
				refusal = at(v.GroupingFunc.GetLocation(), notSupported("GROUPING is supported on protected tables with grouping sets only", "Use ROLLUP, CUBE or GROUPING SETS."))
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
func checkWindowFilter(f *pg.FuncCall) (refusal *Refusal) {
	walkLevel(f.GetAggFilter(), func(n *pg.Node) bool {
		if call := n.GetFuncCall(); call != nil && isAggregate(call) {
			refusal = at(call.GetLocation(), &Refusal{Code: codeGrouping, Message: "aggregate functions are not allowed in FILTER"})
		}
		return refusal == nil
	})
	return refusal
}

// checkLimit refuses what PostgreSQL refuses in LIMIT and OFFSET.
func checkLimit(n *pg.Node, clause string) (refusal *Refusal) {
	walkLevel(n, func(n *pg.Node) bool {
		if call := n.GetFuncCall(); call != nil && isAggregate(call) {
			refusal = at(call.GetLocation(), &Refusal{Code: codeGrouping, Message: "aggregate functions are not allowed in " + clause})
		}
		if ref := n.GetColumnRef(); ref != nil {
			refusal = at(ref.GetLocation(), &Refusal{
				Code: codeColumnReference, Message: fmt.Sprintf("argument of %s must not contain variables", clause),
			})
		}
		return refusal == nil
	})
	return refusal
}

// replaceColumn checks that a reference is to a key, and makes it one to the column of cells, if it does not find that as it is.
func (r *selectReader) replaceColumn(n *pg.Node, ref *pg.ColumnRef) (changed bool, refusal *Refusal) {
	found, refusal := r.source.resolve(ref)
	if refusal != nil {
		return false, at(ref.GetLocation(), refusal)
	}
	k := r.keyOf(n)
	if found.column.value.unlisted {
		return false, at(ref.GetLocation(), r.source.refuseUnlisted(r.source.relations[found.relation], found.column.name))
	}
	if k == nil {
		return false, at(ref.GetLocation(), r.refuseUngrouped(found, "column %q must appear in the GROUP BY clause or be used in an aggregate function"))
	}
	if k.own && len(ref.GetFields()) < 3 {
		return false, nil
	}
	n.Node = reference(r.source.name(), k.column, ref.GetLocation())
	return true, nil
}

func (r *selectReader) refuseUngrouped(found reading, message string) *Refusal {
	keys := r.keyNames()
	if c, ok := found.column.value.row.(*Column); ok && c.usable() && c.joined == nil {
		keys = append(keys, c.Name)
	}
	return &Refusal{
		Code:    codeGrouping,
		Message: fmt.Sprintf(message, r.source.relations[found.relation].name+"."+found.column.name),
		Hint:    "Group by it, for example: " + r.source.example(keys).statement(),
	}
}

// replaceOuter looks through a sub-select that stands in an expression over rows. Its references to the protected table must be
// to keys, as PostgreSQL demands of a grouped query, and it must not hold an aggregate that belongs to the query around it. Names
// that the sub-select declares itself hide the table's.
func (r *selectReader) replaceOuter(n *pg.Node) *Refusal {
	if !r.source.single() {
		return at(location(n), notSupported("a sub-select in an expression beside a join of a protected table is not supported",
			"Count in a sub-select in FROM, and use its result in the expression."))
	}
	o := outerReader{r: r, shadowed: declares(n.ProtoReflect(), r.source.name())}
	o.walk(n.ProtoReflect())
	return o.refusal
}

type outerReader struct {
	r        *selectReader
	shadowed bool
	nearer   []*Table // protected tables in FROM of the sub-selects around, which hide columns of the outer one
	refusal  *Refusal
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
		o.reference(v)
		return
	case *pg.FuncCall:
		if isAggregate(v) {
			o.aggregate(v)
		}
	}
	children(m, func(child protoreflect.Message) bool {
		if o.refusal == nil {
			o.walk(child)
		}
		return o.refusal == nil
	})
}

func (o *outerReader) reference(ref *pg.ColumnRef) {
	fields := ref.GetFields()
	qualifiers := stringsOf(fields[:len(fields)-1])
	name := o.r.source.name()
	whole := len(fields) == 1 && fields[0].GetString_().GetSval() == name && !o.r.source.has(name)
	switch {
	case !whole && len(fields) == 1:
		o.unqualified(ref)
	case o.shadowed || !whole && len(o.r.source.matching(qualifiers)) == 0:
	case whole || fields[len(fields)-1].GetAStar() != nil:
		o.refusal = at(ref.GetLocation(), o.r.source.refuseWholeRow())
	default:
		node := &pg.Node{Node: &pg.Node_ColumnRef{ColumnRef: ref}}
		found, refusal := o.r.source.resolve(ref)
		k := o.r.keyOf(node)
		switch {
		case refusal != nil:
			o.refusal = at(ref.GetLocation(), refusal)
		case k == nil:
			o.refusal = at(ref.GetLocation(), o.r.refuseUngrouped(found, "subquery uses ungrouped column %q from outer query"))
		case len(fields) == 3 || !k.own:
			ref.Fields = nameNodes([]string{name, k.column})
		}
	}
}

// unqualified refuses the bare name of a column of the protected table that is no key. PostgreSQL takes it for that unless the
// sub-select has one of the name itself, which is not known here; among the cells there is none, and the name would mean a column
// further out.
func (o *outerReader) unqualified(ref *pg.ColumnRef) {
	name := ref.GetFields()[0].GetString_().GetSval()
	hidden := slices.ContainsFunc(o.nearer, func(t *Table) bool {
		return t.column(name) != nil || slices.Contains(t.Unlisted, name) || slices.Contains(systemColumns, name)
	})
	isKey := slices.ContainsFunc(o.r.keys, func(k *key) bool { return k.own && k.column == name })
	if o.r.source.has(name) && !isKey && !hidden {
		o.refusal = at(ref.GetLocation(), &Refusal{
			Code:    codeAmbiguousColumn,
			Message: fmt.Sprintf("column reference %q in a sub-select may be to protected table %s", name, o.r.source.written),
			Hint:    "Qualify it with the name of its own table.",
		})
	}
}

// aggregate refuses an aggregate in a sub-select if its arguments may be columns of the protected table alone: then it would
// be the outer query's aggregate over rows.
func (o *outerReader) aggregate(f *pg.FuncCall) {
	walkBelow(f.ProtoReflect(), func(n *pg.Node) bool {
		ref := n.GetColumnRef()
		if ref == nil || o.refusal != nil {
			return o.refusal == nil
		}
		fields := ref.GetFields()
		name := fields[len(fields)-1].GetString_().GetSval()
		qualifiers := stringsOf(fields[:len(fields)-1])
		if len(o.r.source.matching(qualifiers)) > 0 && o.r.source.has(name) && !(len(qualifiers) > 0 && o.shadowed) {
			o.refusal = at(f.GetLocation(), notSupported("an aggregate in this sub-select may be one over rows of a protected table",
				"Qualify its columns with the name of their own table."))
		}
		return false
	})
}

// declares reports whether a FROM clause in m gives the name to something.
func declares(m protoreflect.Message, name string) bool {
	found := false
	switch v := m.Interface().(type) {
	case *pg.RangeVar:
		found = v.GetRelname() == name && v.GetAlias() == nil
	case *pg.Alias:
		found = v.GetAliasname() == name
	}
	if found {
		return true
	}
	children(m, func(child protoreflect.Message) bool {
		found = declares(child, name)
		return !found
	})
	return found
}

// reference is a node that names a column of a FROM item.
func reference(relation, column string, loc int32) *pg.Node_ColumnRef {
	return &pg.Node_ColumnRef{ColumnRef: &pg.ColumnRef{
		Fields:   []*pg.Node{pg.MakeStrNode(relation), pg.MakeStrNode(column)},
		Location: loc,
	}}
}

// countName is the name of a column of counts among the cells. It has a blank, so that no reference meets it by accident.
func (r *selectReader) countName(i int) string { return r.unusedName(fmt.Sprintf("count %d", i+1)) }
