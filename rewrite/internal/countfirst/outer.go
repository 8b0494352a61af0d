package countfirst

import (
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"

	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// outer puts counts in the place of the protected side of an outer join that keeps the rows of its other side.
//
// Each row of the other side meets one row of counts at most, since these are grouped by the protected side of the equalities. A row that
// PostgreSQL's own join would repeat for each protected row comes once, with their number; so counts are added up, and aggregates of the
// other side may only be such that do not mind how often a row comes.
func (r *Rewriter) outer(sel *pg.SelectStmt, j *join) *pgerror.Refusal {
	o := &outerJoin{sel: sel, side: j.side, counter: counter{name: j.side.relations[0].name}, beside: &query.Beside{}, outer: true}
	o.pairs = j.usingPairs()
	on := j.side.sort(pgtree.Conjuncts(j.expr.GetQuals()))
	on = r.bounded(on, j, sel)
	where := j.side.sort(pgtree.Conjuncts(sel.GetWhereClause()))
	o.pairs = append(o.pairs, on.pairs...)
	switch {
	case j.side.audited:
		return auditedJoin.With()
	case len(on.mixed) > 0:
		return mixedCondition.At(pgtree.Location(on.mixed[0]))
	case len(o.pairs) == 0:
		return noEquality.With()
	case volatile(o.pairs, on.beside) != nil:
		return volatileKey.At(pgtree.Location(volatile(o.pairs, on.beside)))
	case len(where.beside) < len(pgtree.Conjuncts(sel.GetWhereClause())):
		return whereProtected.At(pgtree.Location(sel.GetWhereClause()))
	}
	o.unmet = slices.Concat(on.beside, j.side.aboutKeys(on.inside, o.pairs))
	o.oneRow = r.oneRow(sel, j)
	if refusal := o.replaceAll(); refusal != nil {
		return refusal
	}
	if len(o.measures) == 0 {
		return noCount.With()
	}
	inside := slices.Concat(on.inside, r.seriesBounds(o.pairs, j, sel))
	inner, item := o.item(&pg.Node{Node: j.protected.GetNode()}, inside) // the very nodes: package rewrite knows tables by them
	o.beside.AddsUp = !o.oneRow
	r.Beside[inner] = o.beside
	if len(j.expr.GetUsingClause()) == 0 {
		var equal []*pg.Node
		for i, p := range o.pairs {
			equal = append(equal, pgtree.Arithmetic(o.key(i), "=", p.other))
		}
		j.expr.Quals = conjunction(slices.Concat(equal, on.beside))
	}
	j.protected.Node = item.Node
	return nil
}

// An outerJoin is the work on one SELECT.
type outerJoin struct {
	counter
	sel    *pg.SelectStmt
	side   *side
	beside *query.Beside
	// unmet are the conditions on the other side without which a row matches nobody.
	unmet []*pg.Node
	// oneRow says that a group is of one row of the other side; outer that rows of nobody are in PostgreSQL's own join, with NULLs.
	oneRow, outer bool
	outputs       []string
}

// replaceAll replaces the aggregates of the protected side.
func (o *outerJoin) replaceAll() *pgerror.Refusal {
	for _, n := range o.sel.GetTargetList() {
		t := n.GetResTarget()
		name, known := t.GetName(), true
		if name == "" {
			name, known = pgtree.ColumnName(t.GetVal())
		}
		o.outputs = append(o.outputs, name)
		before := proto.Clone(t.GetVal())
		if refusal := o.replace(t.GetVal()); refusal != nil {
			return refusal
		}
		if known && name != "" && !proto.Equal(before, t.GetVal()) {
			t.Name = name
		}
	}
	for _, n := range slices.Concat([]*pg.Node{o.sel.GetHavingClause()}, o.sel.GetWindowClause()) {
		if refusal := o.replace(n); refusal != nil {
			return refusal
		}
	}
	for _, n := range o.sel.GetGroupClause() {
		if refusal := o.replace(n); refusal != nil {
			return refusal
		}
	}
	for _, n := range slices.Concat(o.sel.GetSortClause(), o.sel.GetDistinctClause()) {
		sorted := n
		if by := n.GetSortBy(); by != nil {
			sorted = by.GetNode()
		}
		if fields := sorted.GetColumnRef().GetFields(); len(fields) == 1 && slices.Contains(o.outputs, fields[0].GetString_().GetSval()) {
			continue
		}
		if refusal := o.replace(sorted); refusal != nil {
			return refusal
		}
	}
	return nil
}

// replace replaces in an expression. What is left of the protected side stands outside of aggregates.
func (o *outerJoin) replace(n *pg.Node) (refusal *pgerror.Refusal) {
	pgtree.WalkLevel(n, func(n *pg.Node) bool {
		if refusal != nil {
			return false
		}
		if ref := n.GetColumnRef(); ref != nil {
			fields := ref.GetFields()
			switch star := fields[len(fields)-1].GetAStar() != nil; {
			case star && len(fields) == 1:
				refusal = starRefused.At(ref.GetLocation())
			case o.side.has(ref):
				refusal = ungroupedProtected.At(ref.GetLocation())
			}
			return false
		}
		if link := n.GetSubLink(); link != nil && o.side.mentions(n).side {
			refusal = ungroupedProtected.At(link.GetLocation())
			return false
		}
		if f := n.GetFuncCall(); f != nil {
			var done bool
			done, refusal = o.call(n, f)
			return !done && refusal == nil
		}
		return true
	})
	return refusal
}

// call replaces an aggregate, or an interval of one; done is false for other calls.
func (o *outerJoin) call(n *pg.Node, f *pg.FuncCall) (done bool, refusal *pgerror.Refusal) {
	m, ok, refusal := o.side.readInterval(f, o.outer)
	if ok {
		if refusal == nil && !o.oneRow {
			refusal = intervalRefused.At(f.GetLocation(), pgtree.Strings(f.GetFuncname())[1])
		}
		if refusal == nil {
			n.Node = o.single(m, pgtree.Strings(f.GetFuncname())[1] == "suppressed").GetNode()
		}
		return true, refusal
	}
	if !pgtree.IsAggregate(f) {
		return false, nil
	}
	m, k, refusal := o.side.classify(f, o.outer)
	name, _ := pgtree.FunctionName(f)
	switch {
	case refusal != nil:
	case k == ofOther && !o.outer:
		refusal = correlated.At(f.GetLocation())
	case k == ofOther:
		refusal = checkOther(f)
	case m.star && !o.oneRow:
		refusal = starOfSeveral.At(f.GetLocation())
	case m.counts:
		n.Node = o.total(m).GetNode()
	case !o.oneRow:
		refusal = severalRows.At(f.GetLocation(), name)
	default:
		n.Node = o.single(m, false).GetNode()
	}
	return true, refusal
}

// share is what a row of the other side has of a measure: its own, or what it is of nobody where it can match nobody. It is NULL where that
// is not known: where the key is none of those that are counted.
func (o *outerJoin) share(m measure) *pg.Node {
	value, ofNobody := o.counter.measure(m.value), m.ofNobody
	if m.counts {
		ofNobody = pg.MakeAConstIntNode(0, -1)
	}
	if m.star {
		o.beside.AtLeastOne = true
		ofNobody = pg.MakeAConstIntNode(1, -1)
		// GREATEST passes over NULL, which is a count that is withheld.
		value = when(nullTest(value, pg.NullTestType_IS_NOT_NULL), &pg.Node{Node: &pg.Node_MinMaxExpr{MinMaxExpr: &pg.MinMaxExpr{
			Op: pg.MinMaxOp_IS_GREATEST, Args: []*pg.Node{value, pg.MakeAConstIntNode(1, -1)}, Location: -1}}})
	}
	c := when(nullTest(o.key(0), pg.NullTestType_IS_NOT_NULL), value)
	if ofNobody != nil {
		c.GetCaseExpr().Args = append(c.GetCaseExpr().Args, branch(o.matchesNobody(), ofNobody))
	}
	return c
}

// matchesNobody is the condition that a row of the other side matches nobody whatever rows there are.
func (o *outerJoin) matchesNobody() *pg.Node {
	var any []*pg.Node
	for _, p := range o.pairs {
		any = append(any, nullTest(p.other, pg.NullTestType_IS_NULL))
	}
	for _, n := range o.unmet {
		any = append(any, &pg.Node{Node: &pg.Node_BooleanTest{BooleanTest: &pg.BooleanTest{Arg: clone(n), Booltesttype: pg.BoolTestType_IS_NOT_TRUE, Location: -1}}})
	}
	if len(any) == 1 {
		return any[0]
	}
	return pg.MakeBoolExprNode(pg.BoolExprType_OR_EXPR, any, -1)
}

// total adds up a count over the rows of a group: NULL if it is not known of one of them.
func (o *outerJoin) total(m measure) *pg.Node {
	share := o.share(m)
	rows := pgtree.CatalogCall("count")
	rows.GetFuncCall().AggStar = true
	known := pgtree.OperatorNode(pg.A_Expr_Kind_AEXPR_OP, "=", rows, pgtree.CatalogCall("count", share))
	sum := &pg.Node{Node: &pg.Node_CoalesceExpr{CoalesceExpr: &pg.CoalesceExpr{Args: []*pg.Node{pgtree.CatalogCall("sum", clone(share)), pg.MakeAConstIntNode(0, -1)}, Location: -1}}}
	return when(known, pgtree.CastNode(sum, pgtree.TypeNode([]string{pgtree.SystemSchema, "int8"}, nil)))
}

// single is a measure of a group of one row.
func (o *outerJoin) single(m measure, boolean bool) *pg.Node {
	if boolean {
		return pgtree.CatalogCall("bool_or", o.share(m))
	}
	return pgtree.CatalogCall("max", o.share(m))
}

func when(condition, result *pg.Node) *pg.Node {
	return &pg.Node{Node: &pg.Node_CaseExpr{CaseExpr: &pg.CaseExpr{Args: []*pg.Node{branch(condition, result)}, Location: -1}}}
}

func branch(condition, result *pg.Node) *pg.Node {
	return &pg.Node{Node: &pg.Node_CaseWhen{CaseWhen: &pg.CaseWhen{Expr: condition, Result: result, Location: -1}}}
}
