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
		return nil, at(e.GetLocation(), notSupported("this condition is not supported on a protected table", conditionHint))
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
	case o.column != nil:
		return compared{o.column, equal, operand{literal: literal{oid: oidBool, text: "t"}}, oidBool}, nil
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
	if o.column != nil {
		p = isNull{o.column}
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
		return nil, at(t.GetLocation(), notSupported("this condition is not supported on a protected table", conditionHint))
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
		op, refusal := operatorName(e.GetName())
		if refusal != nil {
			return nil, at(e.GetLocation(), refusal)
		}
		if e.GetLexpr() == nil {
			break
		}
		return r.compare(e.GetLexpr(), op, e.GetRexpr(), e.GetLocation())
	case pg.A_Expr_Kind_AEXPR_DISTINCT, pg.A_Expr_Kind_AEXPR_NOT_DISTINCT:
		return r.distinct(e)
	case pg.A_Expr_Kind_AEXPR_IN:
		return r.in(e)
	case pg.A_Expr_Kind_AEXPR_OP_ANY, pg.A_Expr_Kind_AEXPR_OP_ALL:
		return r.array(e)
	case pg.A_Expr_Kind_AEXPR_BETWEEN, pg.A_Expr_Kind_AEXPR_NOT_BETWEEN,
		pg.A_Expr_Kind_AEXPR_BETWEEN_SYM, pg.A_Expr_Kind_AEXPR_NOT_BETWEEN_SYM:
		return r.between(e)
	case pg.A_Expr_Kind_AEXPR_LIKE, pg.A_Expr_Kind_AEXPR_ILIKE, pg.A_Expr_Kind_AEXPR_SIMILAR:
		return nil, at(e.GetLocation(), notSupported("pattern matching is not supported in a condition on a protected table", conditionHint))
	}
	return nil, at(e.GetLocation(), notSupported("this condition is not supported on a protected table", conditionHint))
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
	case a.column != nil && b.column != nil:
		if refusal := pairable(a.column, op, b.column); refusal != nil {
			return nil, refusal
		}
		return paired{a.column, op, b.column}, nil
	case b.column != nil:
		if b.column.TypeOID != oidUnspecified && r.typeOf(a) != oidUnknown {
			if _, refusal := comparisonType(b.column.TypeOID, r.typeOf(a)); refusal != nil && refusal.Code == codeUndefinedOp {
				return nil, undefinedOperator(r.typeOf(a), op, b.column.TypeOID)
			}
		}
		return r.compareOperands(b, op.flipped(), a)
	case a.column != nil:
		as, refusal := r.readAs(a.column, op, b)
		if refusal != nil {
			return nil, refusal
		}
		return compared{a.column, op, b, as}, nil
	}
	return r.fold(a, op, b)
}

// readAs tells as what type the server reads an operand that it compares with a column, and so infers a parameter's type.
func (r *conditionReader) readAs(c *Column, op operator, o operand) (typeOID, *Refusal) {
	as, refusal := comparisonType(c.TypeOID, r.typeOf(o))
	if refusal != nil {
		if refusal.Code == codeUndefinedOp {
			refusal = undefinedOperator(c.TypeOID, op, r.typeOf(o))
		}
		return 0, refusal
	}
	r.params.want(o, as)
	return as, nil
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
		return 0, notSupported("comparing "+shownType(column)+" with character is not supported on protected tables", "Cast the constant to text.")
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
		return 0, notSupported("comparing numeric with "+shownType(operand)+" is not supported on protected tables", "Cast the constant to numeric.")
	case column == oidFloat4 && operand != oidFloat4:
		return oidFloat8, nil
	}
	return column, nil
}

func undefinedOperator(left typeOID, op operator, right typeOID) *Refusal {
	return &Refusal{
		Code:    codeUndefinedOp,
		Message: fmt.Sprintf("operator does not exist: %s %s %s", shownType(left), op, shownType(right)),
		Hint:    operatorHint,
	}
}

// pairable allows columns that the server compares without converting either in a way that may fail.
func pairable(a *Column, op operator, b *Column) *Refusal {
	exact := func(oid typeOID) bool { return IsInteger(oid) || oid == oidNumeric }
	fa, fb := familyOf(a.TypeOID), familyOf(b.TypeOID)
	switch {
	case fa == numbers && fb == numbers && (exact(a.TypeOID) && exact(b.TypeOID) || a.TypeOID != oidNumeric && b.TypeOID != oidNumeric),
		fa == fb && fa != numbers && fa != dates,
		a.TypeOID == b.TypeOID:
		if a.Collation != b.Collation {
			return &Refusal{Code: "42P22", Message: "could not determine which collation to use for string comparison"}
		}
		return nil
	case fa == fb, isText(a.TypeOID) && isText(b.TypeOID), isTime(a.TypeOID) && isTime(b.TypeOID):
		return notSupported(fmt.Sprintf("comparing a column of type %s with one of type %s is not supported on protected tables",
			shownType(a.TypeOID), shownType(b.TypeOID)), "")
	}
	return undefinedOperator(a.TypeOID, op, b.TypeOID)
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

// operand reads a column, a constant or a parameter, perhaps cast, perhaps with a sign.
func (r *conditionReader) operand(n *pg.Node) (operand, *Refusal) {
	switch n := n.GetNode().(type) {
	case *pg.Node_ColumnRef:
		column, refusal := r.source.column(n.ColumnRef)
		if refusal != nil {
			return operand{}, refusal
		}
		return operand{column: column, loc: n.ColumnRef.GetLocation()}, at(n.ColumnRef.GetLocation(), usable(column))
	case *pg.Node_AConst:
		l, refusal := readConst(n.AConst)
		return operand{literal: l, loc: n.AConst.GetLocation()}, at(n.AConst.GetLocation(), refusal)
	case *pg.Node_ParamRef:
		r.params.read(n.ParamRef)
		return operand{param: int(n.ParamRef.GetNumber()), loc: n.ParamRef.GetLocation()}, at(n.ParamRef.GetLocation(), checkParam(n.ParamRef))
	case *pg.Node_TypeCast:
		return r.cast(n.TypeCast)
	case *pg.Node_AExpr:
		return r.signed(n.AExpr)
	}
	return operand{}, refuseCondition(n)
}

// usable refuses columns of types whose operators this package does not know to be total.
func usable(c *Column) *Refusal {
	if c.usable() {
		return nil
	}
	return notSupported(fmt.Sprintf("column %q of type %s cannot be used in conditions or as a key on a protected table", c.Name, c.Formatted),
		"Usable types are boolean, integers, numeric, real, double precision, text, varchar, char, date, timestamp and uuid.")
}

// cast reads 'text'::type, CAST(... AS type) or type 'text'.
func (r *conditionReader) cast(t *pg.TypeCast) (operand, *Refusal) {
	to, array, refusal := castType(t.GetTypeName())
	if refusal != nil {
		return operand{}, refusal
	}
	if array {
		return operand{}, refuseCast(t.GetTypeName())
	}
	o, refusal := r.operand(t.GetArg())
	if refusal != nil {
		return operand{}, refusal
	}
	if o.column != nil || o.cast != 0 {
		return operand{}, at(t.GetLocation(), notSupported("only constants and parameters can be cast in a condition on a protected table", conditionHint))
	}
	if o.param > 0 {
		r.params.want(operand{param: o.param}, to)
	}
	if from := r.typeOf(o); !convertible(from, to) {
		return operand{}, at(t.GetLocation(), notSupported(
			fmt.Sprintf("casting %s to %s is not supported in a condition on a protected table", shownType(from), shownType(to)), conditionHint))
	}
	if o.param > 0 {
		o.cast = to
		return o, nil
	}
	if !o.literal.null {
		d, refusal := o.literal.read(to)
		if refusal != nil {
			return operand{}, at(o.loc, refusal)
		}
		if to != oidBpchar && familyOf(to) != texts {
			o.literal.text = d.text
		}
	}
	o.literal.oid = to
	return o, nil
}

// signed reads -5 and +5, where the grammar has not folded the sign into the number.
func (r *conditionReader) signed(e *pg.A_Expr) (operand, *Refusal) {
	names := stringsOf(e.GetName())
	sign := names[len(names)-1]
	if e.GetKind() != pg.A_Expr_Kind_AEXPR_OP || e.GetLexpr() != nil || len(names) != 1 || sign != "-" && sign != "+" {
		return operand{}, at(e.GetLocation(), notSupported("expressions are not supported in a condition on a protected table", conditionHint))
	}
	o, refusal := r.operand(e.GetRexpr())
	if refusal != nil {
		return operand{}, refusal
	}
	negative, ok := o.literal.negate()
	if o.column != nil || o.param > 0 || !ok {
		return operand{}, at(e.GetLocation(), notSupported("expressions are not supported in a condition on a protected table", conditionHint))
	}
	if sign == "-" {
		o.literal = negative
	}
	o.loc = e.GetLocation()
	return o, nil
}

// typeOf is an operand's type as far as it is known.
func (r *conditionReader) typeOf(o operand) typeOID {
	switch {
	case o.column != nil:
		return o.column.TypeOID
	case o.cast != 0:
		return o.cast
	case o.param > 0:
		return r.params.typeOf(o.param)
	}
	return o.literal.oid
}

func refuseCondition(n *pg.Node) *Refusal {
	message := "this expression is not supported in a condition on a protected table"
	switch v := n.GetNode().(type) {
	case *pg.Node_FuncCall:
		if isAggregate(v.FuncCall) {
			return at(v.FuncCall.GetLocation(), &Refusal{Code: codeGrouping, Message: "aggregate functions are not allowed in WHERE"})
		}
		message = "functions are not supported in a condition on a protected table"
	case *pg.Node_SubLink:
		message = "sub-selects are not supported in a condition on a protected table"
	case *pg.Node_CollateClause:
		message = "COLLATE is not supported in a condition on a protected table"
	case *pg.Node_SqlvalueFunction:
		message = "the current time, date and user are not supported in a condition on a protected table"
		return at(v.SqlvalueFunction.GetLocation(), notSupported(message, "Write the value as a constant or a parameter."))
	}
	return at(location(n), notSupported(message, conditionHint))
}
