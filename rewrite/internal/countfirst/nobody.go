package countfirst

import (
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/pgtree"
)

// An outer join shows a row of the other side that matches nobody once, with NULL in all columns of the protected side. The inner SELECT does
// not know such rows. So an aggregate may only be moved into it if it leaves them out: its argument is NULL there, or its condition not true.
// What follows is the structure of expressions, from their leaves: a column of the protected side is NULL.

// isNull reports whether an expression of the protected side is certainly NULL where all columns are.
func (s *side) isNull(n *pg.Node) bool {
	null := func(n *pg.Node) bool { return s.isNull(n) }
	switch v := n.GetNode().(type) {
	case *pg.Node_ColumnRef:
		return s.has(v.ColumnRef)
	case *pg.Node_AConst:
		return v.AConst.GetIsnull()
	case *pg.Node_TypeCast:
		return s.isNull(v.TypeCast.GetArg())
	case *pg.Node_CollateClause:
		return s.isNull(v.CollateClause.GetArg())
	case *pg.Node_AExpr:
		return s.isNullOperator(v.AExpr)
	case *pg.Node_BoolExpr:
		return !slices.ContainsFunc(v.BoolExpr.GetArgs(), func(n *pg.Node) bool { return !s.isNull(n) })
	case *pg.Node_MinMaxExpr:
		return !slices.ContainsFunc(v.MinMaxExpr.GetArgs(), func(n *pg.Node) bool { return !s.isNull(n) })
	case *pg.Node_CoalesceExpr:
		return !slices.ContainsFunc(v.CoalesceExpr.GetArgs(), func(n *pg.Node) bool { return !s.isNull(n) })
	case *pg.Node_CaseExpr:
		return s.isNullCase(v.CaseExpr)
	case *pg.Node_FuncCall:
		name, builtin := pgtree.FunctionName(v.FuncCall)
		return builtin && !slices.Contains(seesNull, name) && slices.ContainsFunc(v.FuncCall.GetArgs(), null)
	}
	return false
}

// seesNull are the functions that are not NULL for every NULL, among those that package expr allows. All others are strict.
var seesNull = []string{"concat", "concat_ws", "format", "num_nulls", "num_nonnulls"}

func (s *side) isNullOperator(e *pg.A_Expr) bool {
	switch e.GetKind() {
	case pg.A_Expr_Kind_AEXPR_OP:
		return s.isNull(e.GetLexpr()) || s.isNull(e.GetRexpr())
	case pg.A_Expr_Kind_AEXPR_NULLIF, pg.A_Expr_Kind_AEXPR_IN, pg.A_Expr_Kind_AEXPR_LIKE, pg.A_Expr_Kind_AEXPR_ILIKE,
		pg.A_Expr_Kind_AEXPR_SIMILAR, pg.A_Expr_Kind_AEXPR_BETWEEN, pg.A_Expr_Kind_AEXPR_NOT_BETWEEN:
		return s.isNull(e.GetLexpr())
	}
	return false
}

// isNullCase is of a CASE no branch of which is taken.
func (s *side) isNullCase(c *pg.CaseExpr) bool {
	if c.GetDefresult() != nil && !s.isNull(c.GetDefresult()) {
		return false
	}
	return c.GetArg() != nil && s.isNull(c.GetArg()) || c.GetArg() == nil && !slices.ContainsFunc(c.GetArgs(), func(n *pg.Node) bool {
		return !s.isNotTrue(n.GetCaseWhen().GetExpr()) && !s.isNull(n.GetCaseWhen().GetResult())
	})
}

// isNotTrue reports whether a condition on the protected side is certainly not true where all columns are NULL.
func (s *side) isNotTrue(n *pg.Node) bool {
	switch v := n.GetNode().(type) {
	case *pg.Node_BoolExpr:
		switch v.BoolExpr.GetBoolop() {
		case pg.BoolExprType_AND_EXPR:
			return slices.ContainsFunc(v.BoolExpr.GetArgs(), s.isNotTrue)
		case pg.BoolExprType_OR_EXPR:
			return !slices.ContainsFunc(v.BoolExpr.GetArgs(), func(n *pg.Node) bool { return !s.isNotTrue(n) })
		}
	case *pg.Node_NullTest:
		return v.NullTest.GetNulltesttype() == pg.NullTestType_IS_NOT_NULL && s.isNull(v.NullTest.GetArg())
	case *pg.Node_AExpr:
		if v.AExpr.GetKind() == pg.A_Expr_Kind_AEXPR_OP_ANY { // false for an empty array
			return s.isNull(v.AExpr.GetLexpr())
		}
	case *pg.Node_BooleanTest:
		switch v.BooleanTest.GetBooltesttype() {
		case pg.BoolTestType_IS_TRUE, pg.BoolTestType_IS_FALSE, pg.BoolTestType_IS_NOT_UNKNOWN:
			return s.isNull(v.BooleanTest.GetArg())
		}
	}
	return s.isNull(n)
}
