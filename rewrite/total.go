package rewrite

import pg "github.com/pganalyze/pg_query_go/v6"

// What takes the place of an aggregate. A count can be suppressed, which is NULL among the cells, and must not come out as 0:
//
//   - a count by itself is the column of it;
//   - a total, which grouping sets have, is the sum of the cells that are not suppressed: NULL if all of them are, and 0, as a count
//     of nothing is, if there are no cells;
//   - a share is NULL if one of its two counts is. With grouping sets it is made of the cells that have both: a numerator and a
//     denominator of different cells have no share.
//
// Totals of an audited table are counts of their own, see margins.go.

// countColumn is a column of counts.
func (r *selectReader) countColumn(i int, loc int32) *pg.Node {
	return &pg.Node{Node: reference(r.source.name(), r.countName(i), loc)}
}

// countNode is a count, or with grouping sets the total of it.
func (r *selectReader) countNode(i int, loc int32) *pg.Node {
	if !r.grouped || r.hasMargins() {
		return r.countColumn(i, loc)
	}
	cells := catalogCall("count")
	cells.GetFuncCall().AggStar = true
	none := operatorNode(pg.A_Expr_Kind_AEXPR_OP, "=", cells, pg.MakeAConstIntNode(0, -1))
	zero := &pg.Node{Node: &pg.Node_CaseExpr{CaseExpr: &pg.CaseExpr{
		Args:     []*pg.Node{{Node: &pg.Node_CaseWhen{CaseWhen: &pg.CaseWhen{Expr: none, Result: pg.MakeAConstIntNode(0, -1), Location: -1}}}},
		Location: -1,
	}}}
	total := &pg.Node{Node: &pg.Node_CoalesceExpr{CoalesceExpr: &pg.CoalesceExpr{
		Args: []*pg.Node{catalogCall("sum", r.countColumn(i, loc)), zero}, Location: -1,
	}}}
	return castNode(total, typeNode([]string{"pg_catalog", "int8"}, nil))
}

// countBeside is a count, or with grouping sets the total of it, of the cells in which another count is not suppressed.
func (r *selectReader) countBeside(i, other int, loc int32) *pg.Node {
	if !r.grouped || r.hasMargins() {
		return r.countColumn(i, loc)
	}
	sum := catalogCall("sum", r.countColumn(i, loc))
	sum.GetFuncCall().AggFilter = &pg.Node{Node: &pg.Node_NullTest{NullTest: &pg.NullTest{
		Arg: r.countColumn(other, loc), Nulltesttype: pg.NullTestType_IS_NOT_NULL, Location: -1,
	}}}
	return sum
}

// quotient is an average: NULL where nothing was counted.
func (r *selectReader) quotient(a aggregated, loc int32) *pg.Node {
	t := typeNode([]string{"pg_catalog", typname(a.oid)}, nil)
	numerator, denominator := r.countBeside(a.numerator, a.denominator, loc), r.countBeside(a.denominator, a.numerator, loc)
	positive := operatorNode(pg.A_Expr_Kind_AEXPR_NULLIF, "=", denominator, pg.MakeAConstIntNode(0, -1))
	return operatorNode(pg.A_Expr_Kind_AEXPR_OP, "/", castNode(numerator, t), castNode(positive, t))
}

func catalogCall(name string, args ...*pg.Node) *pg.Node {
	return pg.MakeFuncCallNode(nameNodes([]string{"pg_catalog", name}), args, -1)
}

func operatorNode(kind pg.A_Expr_Kind, name string, left, right *pg.Node) *pg.Node {
	return &pg.Node{Node: &pg.Node_AExpr{AExpr: &pg.A_Expr{Kind: kind, Name: nameNodes([]string{name}), Lexpr: left, Rexpr: right, Location: -1}}}
}
