package rewrite

import (
	"fmt"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// A conditionReader turns a WHERE or FILTER clause into a predicate. Whatever it does not know it refuses.
type conditionReader struct {
	source *source
	params *parameters
}

// read reads a boolean expression; place is what PostgreSQL calls the place it stands in: WHERE, FILTER, AND, NOT.
func (r *conditionReader) read(n *pg.Node, place string) (predicate, *Refusal) {
	switch v := n.GetNode().(type) {
	case *pg.Node_BoolExpr:
		return r.boolean(v.BoolExpr)
	case *pg.Node_AExpr:
		return r.expression(v.AExpr)
	case *pg.Node_NullTest:
		return r.nullTest(v.NullTest)
	case *pg.Node_BooleanTest:
		return r.booleanTest(v.BooleanTest)
	}
	return r.bare(n, place)
}

func (r *conditionReader) boolean(e *pg.BoolExpr) (predicate, *Refusal) {
	var place string
	switch e.GetBoolop() {
	case pg.BoolExprType_AND_EXPR:
		place = "AND"
	case pg.BoolExprType_OR_EXPR:
		place = "OR"
	case pg.BoolExprType_NOT_EXPR:
		place = "NOT"
	default:
		return nil, at(e.GetLocation(), notSupported("this expression is not supported on a protected table", conditionHint))
	}
	args := make([]predicate, len(e.GetArgs()))
	for i, arg := range e.GetArgs() {
		var refusal *Refusal
		if args[i], refusal = r.read(arg, place); refusal != nil {
			return nil, refusal
		}
	}
	if place == "NOT" {
		return negation{args[0]}, nil
	}
	return junction{place == "AND", args}, nil
}

// bare reads what stands alone as a condition: a boolean column, constant or parameter.
func (r *conditionReader) bare(n *pg.Node, place string) (predicate, *Refusal) {
	o, refusal := r.operand(n)
	if refusal != nil {
		return nil, refusal
	}
	if o.param > 0 {
		r.params.want(o, oidBool)
	}
	switch oid := r.typeOf(o); {
	case oid != oidBool && oid != oidUnknown:
		return nil, at(o.loc, &Refusal{
			Code:    "42804",
			Message: fmt.Sprintf("argument of %s must be type boolean, not type %s", place, shownType(oid)),
		})
	case !o.isConstant():
		return compared{o.row, equal, operand{literal: literal{oid: oidBool, text: "t"}}, oidBool}, nil
	}
	return truthOf{o}, nil
}

func (r *conditionReader) nullTest(t *pg.NullTest) (predicate, *Refusal) {
	o, refusal := r.operand(t.GetArg())
	if refusal != nil {
		return nil, refusal
	}
	r.params.want(o, r.typeOf(o))
	var p predicate = operandNull{o}
	if !o.isConstant() {
		p = isNull{o.row}
	} else if o.param > 0 && r.typeOf(o) == oidUnknown {
		return nil, at(o.loc, &Refusal{
			Code:    codeAmbiguousParam,
			Message: fmt.Sprintf("could not determine data type of parameter $%d", o.param),
			Hint:    "Cast it, or let a comparison with a column stand first.",
		})
	}
	if t.GetNulltesttype() == pg.NullTestType_IS_NOT_NULL {
		p = negation{p}
	}
	return p, nil
}

func (r *conditionReader) booleanTest(t *pg.BooleanTest) (predicate, *Refusal) {
	names := map[pg.BoolTestType]struct {
		place string
		test  truthTest
		not   bool
	}{
		pg.BoolTestType_IS_TRUE:        {"IS TRUE", truthTest{is: true}, false},
		pg.BoolTestType_IS_NOT_TRUE:    {"IS NOT TRUE", truthTest{is: true}, true},
		pg.BoolTestType_IS_FALSE:       {"IS FALSE", truthTest{is: false}, false},
		pg.BoolTestType_IS_NOT_FALSE:   {"IS NOT FALSE", truthTest{is: false}, true},
		pg.BoolTestType_IS_UNKNOWN:     {"IS UNKNOWN", truthTest{unknown: true}, false},
		pg.BoolTestType_IS_NOT_UNKNOWN: {"IS NOT UNKNOWN", truthTest{unknown: true}, true},
	}
	test, ok := names[t.GetBooltesttype()]
	if !ok {
		return nil, at(t.GetLocation(), notSupported("this expression is not supported on a protected table", conditionHint))
	}
	arg, refusal := r.read(t.GetArg(), test.place)
	if refusal != nil {
		return nil, refusal
	}
	test.test.arg = arg
	if test.not {
		return negation{test.test}, nil
	}
	return test.test, nil
}

func (r *conditionReader) expression(e *pg.A_Expr) (predicate, *Refusal) {
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
	return nil, at(e.GetLocation(), notSupported("this expression is not supported on a protected table", conditionHint))
}

// compare reads left op right.
func (r *conditionReader) compare(left *pg.Node, op operator, right *pg.Node, loc int32) (predicate, *Refusal) {
	a, refusal := r.operand(left)
	if refusal != nil {
		return nil, refusal
	}
	b, refusal := r.operand(right)
	if refusal != nil {
		return nil, refusal
	}
	p, refusal := r.compareOperands(a, op, b)
	return p, at(loc, refusal)
}

func (r *conditionReader) compareOperands(a operand, op operator, b operand) (predicate, *Refusal) {
	switch {
	case !a.isConstant() && !b.isConstant():
		if a.zoned != b.zoned {
			return nil, refuseZone(oidTimestamptz)
		}
		if refusal := r.pairable(a, op, b); refusal != nil {
			return nil, refusal
		}
		return paired{a.row, op, b.row}, nil
	case !b.isConstant():
		if r.typeOf(a) != oidUnknown {
			if _, refusal := comparisonType(r.typeOf(b), r.typeOf(r.inZone(b, a))); refusal != nil && refusal.Code == codeUndefinedOp {
				return nil, undefinedOperator(r.typeOf(a), op, r.typeOf(b))
			}
		}
		return r.compareOperands(b, op.flipped(), a)
	case !a.isConstant():
		b = r.inZone(a, b)
		if refusal := r.checkZones(a, []operand{b}); refusal != nil {
			return nil, refusal
		}
		as, refusal := r.comparedAs(a, op, r.typeOf(b))
		if refusal != nil {
			return nil, refusal
		}
		r.params.want(b, as)
		return compared{a.row, op, b, as}, nil
	}
	return r.fold(a, op, b)
}

// comparedAs tells as what type the server reads a constant that it compares with a value of the row.
func (r *conditionReader) comparedAs(left operand, op operator, constant typeOID) (typeOID, *Refusal) {
	as, refusal := comparisonType(r.typeOf(left), constant)
	if refusal != nil && refusal.Code == codeUndefinedOp {
		refusal = undefinedOperator(r.typeOf(left), op, constant)
	}
	return as, refusal
}

// comparisonType tells as what type a constant is read that is compared with a column: what oper() in parse_oper.c settles on,
// except that a constant beside an integer column keeps its own numeric type. Where the server's comparison could fail or round
// for some rows (numeric as float), or depends on TimeZone, there is none.
func comparisonType(column, operand typeOID) (typeOID, *Refusal) {
	columnFamily, operandFamily := familyOf(column), familyOf(operand)
	switch {
	case operand == oidUnknown && column == oidVarchar:
		return oidText, nil
	case operand == oidUnknown:
		return column, nil
	case columnFamily == numbers && operandFamily == numbers:
		return comparisonNumber(column, operand)
	case columnFamily == texts && operandFamily == texts:
		return oidText, nil
	case columnFamily == blanks && operandFamily == texts:
		return operand, nil
	case column == oidDate && operandFamily == dates:
		return operand, nil
	case columnFamily == operandFamily && columnFamily != otherFamily:
		return column, nil
	case isTime(column) && isTime(operand):
		return 0, notSupported(fmt.Sprintf("comparing %s with %s depends on the time zone of the session", shownType(column), shownType(operand)),
			"Use a constant of the column's own type.")
	case columnFamily == texts && operandFamily == blanks:
		return 0, refuseComparison(column, operand, "Cast the constant to text.")
	}
	return 0, &Refusal{Code: codeUndefinedOp}
}

func comparisonNumber(column, operand typeOID) (typeOID, *Refusal) {
	switch {
	case IsInteger(column) && column == oidInt8 && isFloat(operand):
		return oidFloat8, nil
	case IsInteger(column):
		return operand, nil
	case column == oidNumeric && isFloat(operand):
		return 0, refuseComparison(column, operand, "Cast the constant to numeric.")
	case column == oidFloat4 && operand != oidFloat4:
		return oidFloat8, nil
	}
	return column, nil
}

func refuseComparison(left, right typeOID, hint string) *Refusal {
	return notSupported(fmt.Sprintf("comparing %s with %s is not supported on protected tables", shownType(left), shownType(right)), hint)
}

func undefinedOperator(left typeOID, op operator, right typeOID) *Refusal {
	return &Refusal{
		Code:    codeUndefinedOp,
		Message: fmt.Sprintf("operator does not exist: %s %s %s", shownType(left), op, shownType(right)),
		Hint:    operatorHint,
	}
}

// pairable allows values of a row that the server compares without converting either in a way that may fail.
func (r *conditionReader) pairable(left operand, op operator, right operand) *Refusal {
	a, b := r.typeOf(left), r.typeOf(right)
	exact := func(oid typeOID) bool { return IsInteger(oid) || oid == oidNumeric }
	fa, fb := familyOf(a), familyOf(b)
	switch {
	case fa == numbers && fb == numbers && (exact(a) && exact(b) || a != oidNumeric && b != oidNumeric),
		fa == fb && fa != numbers && fa != dates && fa != otherFamily,
		a == b && fa != otherFamily:
		if collationOf(left.row) != collationOf(right.row) {
			return &Refusal{Code: "42P22", Message: "could not determine which collation to use for string comparison"}
		}
		return nil
	case fa == fb && fa != otherFamily, isText(a) && isText(b), isTime(a) && isTime(b):
		return refuseComparison(a, b, "Cast one to the type of the other.")
	}
	return undefinedOperator(a, op, b)
}

// collationOf is the collation of a stored column; what is computed has the database's.
func collationOf(e expression) string {
	if c, ok := e.(*Column); ok {
		return c.Collation
	}
	return ""
}

// fold reads a comparison of two constants, such as the 1 = 0 of tools that ask for column names alone.
func (r *conditionReader) fold(a operand, op operator, b operand) (predicate, *Refusal) {
	ta, tb := r.typeOf(a), r.typeOf(b)
	r.params.want(a, ta)
	r.params.want(b, tb)
	equality := op == equal || op == unequal
	as := oidText
	switch {
	case familyOf(ta) == numbers && familyOf(tb) == numbers && !isFloat(ta) && !isFloat(tb):
		as = oidNumeric
	case ta == oidBool && tb == oidBool && equality:
		as = oidBool
	case a.param == 0 && b.param == 0 && ta == oidUnknown && tb == oidUnknown && equality:
	default:
		return nil, notSupported("this comparison of two constants is not supported in a condition on a protected table", conditionHint)
	}
	return folded{a, b, op, as}, nil
}

func (r *conditionReader) between(e *pg.A_Expr) (predicate, *Refusal) {
	bounds := e.GetRexpr().GetList().GetItems()
	if len(bounds) != 2 {
		return nil, refuseCondition(e.GetLexpr())
	}
	within := func(low, high *pg.Node) (predicate, *Refusal) {
		p, refusal := r.compare(e.GetLexpr(), greaterEqual, low, e.GetLocation())
		if refusal != nil {
			return nil, refusal
		}
		q, refusal := r.compare(e.GetLexpr(), lessEqual, high, e.GetLocation())
		return junction{true, []predicate{p, q}}, refusal
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
		p = junction{false, []predicate{p, q}}
	}
	if kind == pg.A_Expr_Kind_AEXPR_NOT_BETWEEN || kind == pg.A_Expr_Kind_AEXPR_NOT_BETWEEN_SYM {
		p = negation{p}
	}
	return p, nil
}

func (r *conditionReader) distinct(e *pg.A_Expr) (predicate, *Refusal) {
	p, refusal := r.compare(e.GetLexpr(), equal, e.GetRexpr(), e.GetLocation())
	if refusal != nil {
		return nil, refusal
	}
	var d predicate
	switch p := p.(type) {
	case compared:
		d = distinct{p}
	case paired:
		d = distinctColumns{p.left, p.right}
	default:
		return nil, refuseCondition(e.GetLexpr())
	}
	if e.GetKind() == pg.A_Expr_Kind_AEXPR_NOT_DISTINCT {
		d = negation{d}
	}
	return d, nil
}

func refuseCondition(n *pg.Node) *Refusal {
	refusal := notSupported("this expression is not supported on a protected table", conditionHint)
	switch n.GetNode().(type) {
	case *pg.Node_SubLink:
		refusal = notSupported("sub-selects are not supported in a condition on a protected table",
			"Write the values as a list, or join with a public table along a unique key of it: SELECT count(*) FROM protected JOIN public USING (key) WHERE public.column = ...")
	case *pg.Node_CollateClause:
		refusal = notSupported("COLLATE is not supported on a protected table", "Leave out COLLATE, and sort the answer by it: ORDER BY key COLLATE ...")
	case *pg.Node_RowExpr:
		refusal = notSupported("row values are not supported on protected tables", "Write their parts by themselves: WHERE a = 1 AND b = 2 GROUP BY a, b.")
	}
	return at(location(n), refusal)
}
