package rewrite

import (
	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// comparisonOperator returns the comparison operator that an A_Expr names, with or without pg_catalog.
func comparisonOperator(names []*pg.Node) (expr.Operator, bool) {
	name, builtin := pgtree.BuiltinName(names)
	switch op := expr.Operator(name); op {
	case expr.Equal, expr.Unequal, expr.Less, expr.LessEqual, expr.Greater, expr.GreaterEqual:
		return op, builtin
	}
	return "", false
}

// fields are the values of a row, (a, b) or ROW(a, b); nil of anything else.
func fields(n *pg.Node) []*pg.Node { return n.GetRowExpr().GetArgs() }

// compareRows compares rows field by field. They are equal if all fields are, and unequal if any is. They have no order here.
func (r *conditionReader) compareRows(left []*pg.Node, op expr.Operator, right *pg.Node, loc int32) (expr.Predicate, *pgerror.Refusal) {
	others := fields(right)
	if len(others) != len(left) || op != expr.Equal && op != expr.Unequal {
		return nil, rowValues.At(loc)
	}
	parts := make([]expr.Predicate, len(left))
	for i := range left {
		var refusal *pgerror.Refusal
		if parts[i], refusal = r.compare(left[i], op, others[i], loc); refusal != nil {
			return nil, refusal
		}
	}
	return expr.Junction{And: op == expr.Equal, Args: parts}, nil
}

// rowIn reads (a, b) IN ((1, 2), (3, 4)).
func (r *conditionReader) rowIn(e *pg.A_Expr) (expr.Predicate, *pgerror.Refusal) {
	items := e.GetRexpr().GetList().GetItems()
	if len(items) == 0 {
		return nil, refuseCondition(e.GetLexpr())
	}
	parts := make([]expr.Predicate, len(items))
	for i, item := range items {
		var refusal *pgerror.Refusal
		if parts[i], refusal = r.compareRows(fields(e.GetLexpr()), expr.Equal, item, e.GetLocation()); refusal != nil {
			return nil, refusal
		}
	}
	var p expr.Predicate = expr.Junction{And: false, Args: parts}
	if name, _ := pgtree.BuiltinName(e.GetName()); name == string(expr.Unequal) {
		p = expr.Negation{Arg: p}
	}
	return p, nil
}

const conditionHint = "Conditions, keys and counts on a protected table may be made of its listed columns, constants and parameters by =, <>, <, <=, >, >=, IN, BETWEEN, " +
	"LIKE, IS NULL, IS DISTINCT FROM, AND, OR, NOT, CASE, and the functions, operators and casts that docs/analyst.md lists."

func (r *conditionReader) compareOperands(a expr.Operand, op expr.Operator, b expr.Operand) (expr.Predicate, *pgerror.Refusal) {
	switch {
	case !a.IsConstant() && !b.IsConstant():
		if a.Zoned != b.Zoned {
			return nil, refuseZone(pgvalue.Timestamptz)
		}
		if refusal := r.pairable(a, op, b); refusal != nil {
			return nil, refusal
		}
		return expr.Paired{Left: a.Row, Op: op, Right: b.Row}, nil
	case !b.IsConstant():
		if r.typeOf(a) != pgvalue.Unknown {
			if _, refusal := expr.ComparisonType(r.typeOf(b), r.typeOf(r.inZone(b, a))); refusal != nil && refusal.Code == pgerror.CodeUndefinedOp {
				return nil, expr.UndefinedOperator(r.typeOf(a), op, r.typeOf(b))
			}
		}
		return r.compareOperands(b, op.Flipped(), a)
	case !a.IsConstant():
		b = r.inZone(a, b)
		if refusal := r.checkZones(a, []expr.Operand{b}); refusal != nil {
			return nil, refusal
		}
		as, refusal := r.comparedAs(a, op, r.typeOf(b))
		if refusal != nil {
			return nil, refusal
		}
		r.params.want(b, as)
		return expr.Compared{Row: a.Row, Op: op, Operand: b, As: as}, nil
	}
	return r.fold(a, op, b)
}

// comparedAs tells as what type the server reads a constant that it compares with a value of the row.
func (r *conditionReader) comparedAs(left expr.Operand, op expr.Operator, constant pgvalue.OID) (pgvalue.OID, *pgerror.Refusal) {
	if refusal := refuseOrder(r.typeOf(left), op); refusal != nil {
		return 0, refusal
	}
	as, refusal := expr.ComparisonType(r.typeOf(left), constant)
	if refusal != nil && refusal.Code == pgerror.CodeUndefinedOp {
		refusal = expr.UndefinedOperator(r.typeOf(left), op, constant)
	}
	return as, refusal
}

// refuseOrder refuses to compare labels of an enum in the order of their texts, which is not that of the type.
func refuseOrder(oid pgvalue.OID, op expr.Operator) *pgerror.Refusal {
	if oid == pgvalue.Enum && op != expr.Equal && op != expr.Unequal {
		return enumOrdered.With(op)
	}
	return nil
}

// pairable allows values of a row that the server compares without converting either in a way that may fail.
func (r *conditionReader) pairable(left expr.Operand, op expr.Operator, right expr.Operand) *pgerror.Refusal {
	a, b := r.typeOf(left), r.typeOf(right)
	if refusal := refuseOrder(a, op); refusal != nil {
		return refusal
	}
	exact := func(oid pgvalue.OID) bool { return pgvalue.IsInteger(oid) || oid == pgvalue.Numeric }
	fa, fb := pgvalue.FamilyOf(a), pgvalue.FamilyOf(b)
	switch {
	case fa == pgvalue.Numbers && fb == pgvalue.Numbers && (exact(a) && exact(b) || a != pgvalue.Numeric && b != pgvalue.Numeric),
		fa == fb && fa != pgvalue.Numbers && fa != pgvalue.Dates && fa != pgvalue.NoFamily,
		a == b && fa != pgvalue.NoFamily:
		if expr.CollationOf(left.Row) != expr.CollationOf(right.Row) {
			return collationUnclear.With()
		}
		return nil
	case fa == fb && fa != pgvalue.NoFamily, pgvalue.IsText(a) && pgvalue.IsText(b), pgvalue.IsTime(a) && pgvalue.IsTime(b):
		return expr.RefuseComparison(a, b, "Cast one to the type of the other.")
	}
	return expr.UndefinedOperator(a, op, b)
}

// fold reads a comparison of two constants, such as the 1 = 0 of tools that ask for column names alone.
func (r *conditionReader) fold(a expr.Operand, op expr.Operator, b expr.Operand) (expr.Predicate, *pgerror.Refusal) {
	ta, tb := r.typeOf(a), r.typeOf(b)
	r.params.want(a, ta)
	r.params.want(b, tb)
	equality := op == expr.Equal || op == expr.Unequal
	as := pgvalue.Text
	switch {
	case pgvalue.FamilyOf(ta) == pgvalue.Numbers && pgvalue.FamilyOf(tb) == pgvalue.Numbers && !pgvalue.IsFloat(ta) && !pgvalue.IsFloat(tb):
		as = pgvalue.Numeric
	case ta == pgvalue.Bool && tb == pgvalue.Bool && equality:
		as = pgvalue.Bool
	case a.Param == 0 && b.Param == 0 && ta == pgvalue.Unknown && tb == pgvalue.Unknown && equality:
	default:
		return nil, constantsCompared.With()
	}
	return expr.Folded{Left: a, Right: b, Op: op, As: as}, nil
}

func refuseCondition(n *pg.Node) *pgerror.Refusal {
	form := expressionRefused
	switch n.GetNode().(type) {
	case *pg.Node_SubLink:
		form = subselectRefused
	case *pg.Node_CollateClause:
		form = collateRefused
	case *pg.Node_RowExpr:
		form = rowValues
	}
	return form.At(pgtree.Location(n))
}

func refuseOperator(names []*pg.Node) *pgerror.Refusal {
	name, _ := pgtree.BuiltinName(names)
	return operatorRefused.With(name)
}
