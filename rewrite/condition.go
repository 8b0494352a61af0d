package rewrite

import (
	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// read reads a boolean expression; place is what PostgreSQL calls the place it stands in: WHERE, FILTER, AND, NOT.
func (r *conditionReader) read(n *pg.Node, place string) (expr.Predicate, *pgerror.Refusal) {
	if r.source.met[n] {
		return expr.Junction{And: true}, nil
	}
	switch v := n.GetNode().(type) {
	case *pg.Node_BoolExpr:
		return r.boolean(v.BoolExpr)
	case *pg.Node_AExpr:
		return r.expression(v.AExpr)
	case *pg.Node_NullTest:
		return r.nullTest(v.NullTest)
	case *pg.Node_BooleanTest:
		return r.booleanTest(v.BooleanTest)
	case *pg.Node_SubLink:
		if p, found, refusal := r.params.ofPersons(v.SubLink, r.source); found {
			return p, refusal
		}
		return r.ownMembership(v.SubLink)
	}
	return r.bare(n, place)
}

func (r *conditionReader) boolean(e *pg.BoolExpr) (expr.Predicate, *pgerror.Refusal) {
	var place string
	switch e.GetBoolop() {
	case pg.BoolExprType_AND_EXPR:
		place = "AND"
	case pg.BoolExprType_OR_EXPR:
		place = "OR"
	case pg.BoolExprType_NOT_EXPR:
		place = "NOT"
	default:
		return nil, expressionRefused.At(e.GetLocation())
	}
	args := make([]expr.Predicate, len(e.GetArgs()))
	for i, arg := range e.GetArgs() {
		var refusal *pgerror.Refusal
		if args[i], refusal = r.read(arg, place); refusal != nil {
			return nil, refusal
		}
	}
	if place == "NOT" {
		return expr.Negation{Arg: args[0]}, nil
	}
	return expr.Junction{And: place == "AND", Args: args}, nil
}

// bare reads what stands alone as a condition: a boolean column, constant or parameter.
func (r *conditionReader) bare(n *pg.Node, place string) (expr.Predicate, *pgerror.Refusal) {
	o, refusal := r.operand(n)
	if refusal != nil {
		return nil, refusal
	}
	if o.Param > 0 {
		r.params.want(o, pgvalue.Bool)
	}
	switch oid := r.typeOf(o); {
	case oid != pgvalue.Bool && oid != pgvalue.Unknown:
		return nil, pgerror.At(o.Loc, notBoolean.With(place, pgvalue.ShownType(oid)))
	case !o.IsConstant():
		return isTrue(o), nil
	}
	return expr.TruthOf{Operand: o}, nil
}

// isTrue is where a boolean of the row is true.
func isTrue(o expr.Operand) expr.Predicate {
	return expr.Compared{Row: o.Row, Op: expr.Equal, Operand: expr.Operand{Literal: pgvalue.Literal{OID: pgvalue.Bool, Text: "t"}}, As: pgvalue.Bool}
}

func (r *conditionReader) nullTest(t *pg.NullTest) (expr.Predicate, *pgerror.Refusal) {
	o, refusal := r.operand(t.GetArg())
	if refusal != nil {
		return nil, refusal
	}
	r.params.want(o, r.typeOf(o))
	var p expr.Predicate = expr.OperandNull{Operand: o}
	if !o.IsConstant() {
		p = expr.IsNull{Row: o.Row}
	} else if o.Param > 0 && r.typeOf(o) == pgvalue.Unknown {
		return nil, pgerror.At(o.Loc, parameterUntold.With(o.Param))
	}
	if t.GetNulltesttype() == pg.NullTestType_IS_NOT_NULL {
		p = expr.Negation{Arg: p}
	}
	return p, nil
}

func (r *conditionReader) booleanTest(t *pg.BooleanTest) (expr.Predicate, *pgerror.Refusal) {
	names := map[pg.BoolTestType]struct {
		place string
		test  expr.TruthTest
		not   bool
	}{
		pg.BoolTestType_IS_TRUE:        {"IS TRUE", expr.TruthTest{Is: true}, false},
		pg.BoolTestType_IS_NOT_TRUE:    {"IS NOT TRUE", expr.TruthTest{Is: true}, true},
		pg.BoolTestType_IS_FALSE:       {"IS FALSE", expr.TruthTest{Is: false}, false},
		pg.BoolTestType_IS_NOT_FALSE:   {"IS NOT FALSE", expr.TruthTest{Is: false}, true},
		pg.BoolTestType_IS_UNKNOWN:     {"IS UNKNOWN", expr.TruthTest{Unknown: true}, false},
		pg.BoolTestType_IS_NOT_UNKNOWN: {"IS NOT UNKNOWN", expr.TruthTest{Unknown: true}, true},
	}
	test, ok := names[t.GetBooltesttype()]
	if !ok {
		return nil, expressionRefused.At(t.GetLocation())
	}
	arg, refusal := r.read(t.GetArg(), test.place)
	if refusal != nil {
		return nil, refusal
	}
	test.test.Arg = arg
	if test.not {
		return expr.Negation{Arg: test.test}, nil
	}
	return test.test, nil
}

func (r *conditionReader) expression(e *pg.A_Expr) (expr.Predicate, *pgerror.Refusal) {
	switch e.GetKind() {
	case pg.A_Expr_Kind_AEXPR_OP:
		if op, ok := comparisonOperator(e.GetName()); ok && e.GetLexpr() != nil {
			return r.compare(e.GetLexpr(), op, e.GetRexpr(), e.GetLocation())
		}
		return r.bare(&pg.Node{Node: &pg.Node_AExpr{AExpr: e}}, "WHERE")
	case pg.A_Expr_Kind_AEXPR_DISTINCT, pg.A_Expr_Kind_AEXPR_NOT_DISTINCT:
		return r.distinct(e)
	case pg.A_Expr_Kind_AEXPR_IN:
		return r.in(e)
	case pg.A_Expr_Kind_AEXPR_OP_ANY, pg.A_Expr_Kind_AEXPR_OP_ALL:
		return r.array(e)
	case pg.A_Expr_Kind_AEXPR_BETWEEN, pg.A_Expr_Kind_AEXPR_NOT_BETWEEN,
		pg.A_Expr_Kind_AEXPR_BETWEEN_SYM, pg.A_Expr_Kind_AEXPR_NOT_BETWEEN_SYM:
		return r.between(e)
	case pg.A_Expr_Kind_AEXPR_LIKE, pg.A_Expr_Kind_AEXPR_ILIKE, pg.A_Expr_Kind_AEXPR_SIMILAR, pg.A_Expr_Kind_AEXPR_NULLIF:
		return r.bare(&pg.Node{Node: &pg.Node_AExpr{AExpr: e}}, "WHERE")
	}
	return nil, expressionRefused.At(e.GetLocation())
}

// compare reads left op right.
func (r *conditionReader) compare(left *pg.Node, op expr.Operator, right *pg.Node, loc int32) (expr.Predicate, *pgerror.Refusal) {
	if p, found, refusal := r.compareOwn(left, op, right); found {
		return p, refusal
	}
	if row := fields(left); row != nil {
		return r.compareRows(row, op, right, loc)
	}
	a, b, refusal := r.pair(left, right)
	if refusal != nil {
		return nil, refusal
	}
	p, refusal := r.compareOperands(a, op, b)
	return p, pgerror.At(loc, refusal)
}

func (r *conditionReader) between(e *pg.A_Expr) (expr.Predicate, *pgerror.Refusal) {
	bounds := e.GetRexpr().GetList().GetItems()
	if len(bounds) != 2 {
		return nil, refuseCondition(e.GetLexpr())
	}
	within := func(low, high *pg.Node) (expr.Predicate, *pgerror.Refusal) {
		p, refusal := r.compare(e.GetLexpr(), expr.GreaterEqual, low, e.GetLocation())
		if refusal != nil {
			return nil, refusal
		}
		q, refusal := r.compare(e.GetLexpr(), expr.LessEqual, high, e.GetLocation())
		return expr.Junction{And: true, Args: []expr.Predicate{p, q}}, refusal
	}
	p, refusal := within(bounds[0], bounds[1])
	if refusal != nil {
		return nil, refusal
	}
	kind := e.GetKind()
	if kind == pg.A_Expr_Kind_AEXPR_BETWEEN_SYM || kind == pg.A_Expr_Kind_AEXPR_NOT_BETWEEN_SYM {
		q, refusal := within(bounds[1], bounds[0])
		if refusal != nil {
			return nil, refusal
		}
		p = expr.Junction{And: false, Args: []expr.Predicate{p, q}}
	}
	if kind == pg.A_Expr_Kind_AEXPR_NOT_BETWEEN || kind == pg.A_Expr_Kind_AEXPR_NOT_BETWEEN_SYM {
		p = expr.Negation{Arg: p}
	}
	return p, nil
}

func (r *conditionReader) distinct(e *pg.A_Expr) (expr.Predicate, *pgerror.Refusal) {
	p, refusal := r.compare(e.GetLexpr(), expr.Equal, e.GetRexpr(), e.GetLocation())
	if refusal != nil {
		return nil, refusal
	}
	var d expr.Predicate
	switch p := p.(type) {
	case expr.Compared:
		d = expr.Distinct{Compared: p}
	case expr.Paired:
		d = expr.DistinctColumns{Left: p.Left, Right: p.Right}
	default:
		return nil, refuseCondition(e.GetLexpr())
	}
	if e.GetKind() == pg.A_Expr_Kind_AEXPR_NOT_DISTINCT {
		d = expr.Negation{Arg: d}
	}
	return d, nil
}
