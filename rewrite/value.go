package rewrite

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/interval"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/internal/scan"
	"tacit/rewrite/pgerror"
)

// A conditionReader turns a WHERE or FILTER clause into a predicate. Whatever it does not know it refuses.
type conditionReader struct {
	source *source
	params *parameters
	// persons is set where the rows of each person are aggregated.
	persons *aggregation
}

// TypeOf is an operand's type as far as it is known.
func (r *conditionReader) typeOf(o expr.Operand) pgvalue.OID {
	switch {
	case o.Row != nil:
		return o.Row.TypeOf()
	case o.Fixed != nil:
		return o.Fixed.Call.TypeOf()
	case o.Cast != 0:
		return o.Cast
	case o.Param > 0:
		return r.params.typeOf(o.Param)
	}
	return o.Literal.OID
}

// operand reads a value: a column, a constant, a parameter, or what is computed of them.
func (r *conditionReader) operand(n *pg.Node) (expr.Operand, *pgerror.Refusal) {
	switch v := n.GetNode().(type) {
	case *pg.Node_ColumnRef:
		if r.persons != nil {
			return expr.Operand{}, r.persons.column(v.ColumnRef)
		}
		return r.source.value(v.ColumnRef)
	case *pg.Node_AConst:
		l, refusal := pgvalue.ReadConst(v.AConst)
		return expr.Operand{Literal: l, Loc: v.AConst.GetLocation()}, pgerror.At(v.AConst.GetLocation(), refusal)
	case *pg.Node_ParamRef:
		r.params.read(v.ParamRef)
		return expr.Operand{Param: int(v.ParamRef.GetNumber()), Loc: v.ParamRef.GetLocation()}, pgerror.At(v.ParamRef.GetLocation(), checkParam(v.ParamRef))
	case *pg.Node_TypeCast:
		return r.cast(v.TypeCast)
	case *pg.Node_AExpr:
		return r.operation(v.AExpr)
	case *pg.Node_FuncCall:
		return r.function(v.FuncCall)
	case *pg.Node_CaseExpr:
		return r.caseOf(v.CaseExpr)
	case *pg.Node_CoalesceExpr:
		return r.coalesce(v.CoalesceExpr)
	case *pg.Node_MinMaxExpr:
		return r.extreme(v.MinMaxExpr)
	case *pg.Node_SqlvalueFunction:
		return r.now(v.SqlvalueFunction)
	case *pg.Node_BoolExpr, *pg.Node_NullTest, *pg.Node_BooleanTest:
		return r.truth(n)
	case *pg.Node_AIndirection:
		return r.subscript(v.AIndirection)
	case *pg.Node_SubLink:
		if v.SubLink.GetTestexpr() != nil || v.SubLink.GetSubLinkType() == pg.SubLinkType_EXISTS_SUBLINK {
			return r.truth(n)
		}
		if o, found, refusal := r.params.valueOf(v.SubLink, r.source); found {
			return o, refusal
		}
	}
	return expr.Operand{}, refuseCondition(n)
}

// subscript reads an element of an array by its number.
func (r *conditionReader) subscript(n *pg.A_Indirection) (expr.Operand, *pgerror.Refusal) {
	node := &pg.Node{Node: &pg.Node_AIndirection{AIndirection: n}}
	if len(n.GetIndirection()) != 1 || n.GetIndirection()[0].GetAIndices() == nil || n.GetIndirection()[0].GetAIndices().GetIsSlice() {
		return expr.Operand{}, refuseCondition(node)
	}
	array, number, refusal := r.pair(n.GetArg(), n.GetIndirection()[0].GetAIndices().GetUidx())
	if refusal != nil {
		return expr.Operand{}, refusal
	}
	return r.apply(expr.Subscript, []expr.Operand{array, number}, pgtree.Location(node), false)
}

// pair reads two values.
func (r *conditionReader) pair(left, right *pg.Node) (a, b expr.Operand, refusal *pgerror.Refusal) {
	if a, refusal = r.operand(left); refusal == nil {
		b, refusal = r.operand(right)
	}
	return a, b, refusal
}

// truth reads a condition as a value.
func (r *conditionReader) truth(n *pg.Node) (expr.Operand, *pgerror.Refusal) {
	p, refusal := r.read(n, "CASE/WHEN")
	return expr.Operand{Row: &expr.Condition{Predicate: p}, Loc: pgtree.Location(n)}, refusal
}

// operation reads an operator.
func (r *conditionReader) operation(e *pg.A_Expr) (expr.Operand, *pgerror.Refusal) {
	node := &pg.Node{Node: &pg.Node_AExpr{AExpr: e}}
	name, builtin := pgtree.BuiltinName(e.GetName())
	switch e.GetKind() {
	case pg.A_Expr_Kind_AEXPR_OP:
		if _, ok := comparisonOperator(e.GetName()); ok && e.GetLexpr() != nil {
			return r.truth(node)
		}
	case pg.A_Expr_Kind_AEXPR_LIKE, pg.A_Expr_Kind_AEXPR_ILIKE:
	case pg.A_Expr_Kind_AEXPR_SIMILAR:
		return r.similar(e, name)
	case pg.A_Expr_Kind_AEXPR_NULLIF:
		return r.nullIf(e)
	default:
		return r.truth(node)
	}
	if !builtin {
		return expr.Operand{}, pgerror.At(e.GetLocation(), refuseOperator(e.GetName()))
	}
	if e.GetLexpr() == nil {
		return r.signed(e, name)
	}
	left, right, refusal := r.pair(e.GetLexpr(), e.GetRexpr())
	if refusal != nil {
		return expr.Operand{}, refusal
	}
	if name == "||" {
		if left, right, refusal = r.joined(left, right); refusal != nil {
			return expr.Operand{}, pgerror.At(e.GetLocation(), refusal)
		}
	}
	return r.apply(name, []expr.Operand{left, right}, e.GetLocation(), true)
}

// joined are the sides of ||, of which one may be a whole number if the other is a text (textanycat and anytextcat in PostgreSQL).
func (r *conditionReader) joined(left, right expr.Operand) (a, b expr.Operand, refusal *pgerror.Refusal) {
	isText := func(o expr.Operand) bool { t := r.typeOf(o); return t == pgvalue.Unknown || pgvalue.IsText(t) }
	switch {
	case isText(right):
		left, refusal = r.written(left)
	case isText(left):
		right, refusal = r.written(right)
	}
	return left, right, refusal
}

// signed reads -5 and -column.
func (r *conditionReader) signed(e *pg.A_Expr, sign string) (expr.Operand, *pgerror.Refusal) {
	o, refusal := r.operand(e.GetRexpr())
	if refusal != nil {
		return expr.Operand{}, refusal
	}
	if o.IsConstant() && o.Param == 0 && o.Fixed == nil && (sign == "-" || sign == "+") {
		negative, ok := o.Literal.Negate()
		if ok {
			if sign == "-" {
				o.Literal = negative
			}
			o.Loc = e.GetLocation()
			return o, nil
		}
	}
	return r.apply(sign, []expr.Operand{o}, e.GetLocation(), true)
}

// similar reads SIMILAR TO, whose pattern is turned into a regular expression: a constant here, as similar_to_escape does it, and by this
// function in the analyst's session if it is a parameter or has escapes.
func (r *conditionReader) similar(e *pg.A_Expr, name string) (expr.Operand, *pgerror.Refusal) {
	call := e.GetRexpr().GetFuncCall()
	if call == nil {
		return expr.Operand{}, similarUnread.At(e.GetLocation())
	}
	var args []expr.Operand
	for _, n := range call.GetArgs() {
		o, refusal := r.operand(n)
		switch {
		case refusal != nil:
			return expr.Operand{}, refusal
		case !o.IsConstant():
			return expr.Operand{}, similarUnread.At(e.GetLocation())
		}
		args = append(args, o)
	}
	pattern, refusal := r.regularExpression(args, e.GetLocation())
	if refusal != nil {
		return expr.Operand{}, refusal
	}
	left, refusal := r.operand(e.GetLexpr())
	if refusal != nil {
		return expr.Operand{}, refusal
	}
	return r.apply(name, []expr.Operand{left, pattern}, e.GetLocation(), true)
}

// regularExpression is a pattern of SIMILAR TO, and perhaps its escape, as a regular expression.
func (r *conditionReader) regularExpression(args []expr.Operand, loc int32) (expr.Operand, *pgerror.Refusal) {
	if pattern := args[0]; len(args) == 1 && pattern.Param == 0 && pattern.Fixed == nil && !pattern.Literal.Null {
		if translated, ok := similarPattern(pattern.Literal.Text); ok {
			pattern.Literal = pgvalue.Literal{OID: pgvalue.Text, Text: translated}
			return pattern, nil
		}
	}
	return r.apply("similar_to_escape", args, loc, false)
}

// similarPattern translates the part of SIMILAR TO's patterns in which % and _ are wildcards and |*+?{}()[] as in regular
// expressions. Escapes are left out.
func similarPattern(pattern string) (string, bool) {
	var b strings.Builder
	b.WriteString("^(?:")
	inBrackets := false
	for _, c := range pattern {
		switch {
		case c == '\\' || c == '"':
			return "", false
		case inBrackets:
			inBrackets = c != ']'
			b.WriteRune(c)
		case c == '[':
			inBrackets = true
			b.WriteRune(c)
		case c == '%':
			b.WriteString(".*")
		case c == '_':
			b.WriteByte('.')
		case c == '(':
			b.WriteString("(?:")
		case c == '.' || c == '^' || c == '$':
			b.WriteString(`\` + string(c))
		default:
			b.WriteRune(c)
		}
	}
	b.WriteString(")$")
	return b.String(), true
}

// function reads a call of one of the functions of the list.
func (r *conditionReader) function(f *pg.FuncCall) (expr.Operand, *pgerror.Refusal) {
	if refusal := interval.RefuseMisplaced(f); refusal != nil {
		return expr.Operand{}, refusal
	}
	name, builtin := pgtree.FunctionName(f)
	switch {
	case pgtree.IsAggregate(f) && r.persons != nil:
		return r.persons.aggregate(f)
	case pgtree.IsAggregate(f):
		return expr.Operand{}, aggregateMisplaced.At(f.GetLocation(), "WHERE")
	case f.GetOver() != nil || f.GetFuncVariadic():
		return expr.Operand{}, callRefused.At(f.GetLocation(), name)
	case builtin && name == "concat":
		return r.concat(f)
	case builtin && name == "width_bucket" && len(f.GetArgs()) == 2:
		return r.bucketOf(f)
	case builtin && len(f.GetArgs()) == 1 && slices.Contains(castNames, name):
		return r.cast(&pg.TypeCast{Arg: f.GetArgs()[0], TypeName: pgtree.TypeNode([]string{"pg_catalog", name}, nil), Location: f.GetLocation()})
	case !builtin || len(expr.FunctionList[name]) == 0 || expr.FunctionList[name][0].Symbol:
		return expr.Operand{}, pgerror.At(f.GetLocation(), refuseFunction(name, ""))
	}
	args := make([]expr.Operand, len(f.GetArgs()))
	for i, n := range f.GetArgs() {
		if n.GetNamedArgExpr() != nil {
			return expr.Operand{}, argumentsNamed.At(f.GetLocation())
		}
		var refusal *pgerror.Refusal
		if args[i], refusal = r.operand(n); refusal != nil {
			return expr.Operand{}, refusal
		}
	}
	if name == "extract" && len(args) == 2 && args[0].Param == 0 && args[0].Literal.OID == pgvalue.Unknown {
		args[0].Literal.OID = pgvalue.Text
	}
	return r.apply(name, args, f.GetLocation(), false)
}

// castNames are the types whose casts are also written like calls of functions: date(value).
var castNames = []string{"date", "text", "int2", "int4", "int8", "numeric", "float4", "float8", "bool", "varchar"}

// concat reads concat(a, b, ...): the texts one after the other, NULL as none.
func (r *conditionReader) concat(f *pg.FuncCall) (expr.Operand, *pgerror.Refusal) {
	empty := expr.Operand{Literal: pgvalue.Literal{OID: pgvalue.Text}}
	whole := empty
	for i, n := range f.GetArgs() {
		o, refusal := r.operand(n)
		if refusal != nil {
			return expr.Operand{}, refusal
		}
		if o, refusal = r.written(o); refusal != nil {
			return expr.Operand{}, refusal
		}
		if t := r.typeOf(o); t != pgvalue.Unknown && !pgvalue.IsText(t) {
			return expr.Operand{}, pgerror.At(f.GetLocation(), refuseFunction("concat", "its arguments must be texts or integers, and constants be texts"))
		}
		switch {
		case !o.IsConstant() && r.typeOf(o) == pgvalue.Bpchar: // PostgreSQL's concat keeps the blanks that a cast takes off
			return expr.Operand{}, pgerror.At(f.GetLocation(), refuseFunction("concat", expr.BlankReason))
		case !o.IsConstant():
			if o, refusal = r.converted(o, pgvalue.Text); refusal != nil {
				return expr.Operand{}, pgerror.At(f.GetLocation(), refusal)
			}
			o = expr.Operand{Row: &expr.Conditional{OID: pgvalue.Text, Branches: []expr.Branch{{When: expr.IsNull{Row: o.Row}, Then: empty}}, Otherwise: o}, Loc: o.Loc}
		case o.Param > 0 || o.Fixed != nil:
			if o, refusal = r.unified(o, pgvalue.Text); refusal != nil {
				return expr.Operand{}, pgerror.At(f.GetLocation(), refusal)
			}
			o = expr.Operand{Row: &expr.Conditional{OID: pgvalue.Text, Branches: []expr.Branch{{When: expr.OperandNull{Operand: o}, Then: empty}}, Otherwise: o}, Loc: o.Loc}
		case o.Literal.Null:
			continue
		}
		if i == 0 {
			whole = o
			continue
		}
		if whole, refusal = r.apply("||", []expr.Operand{whole, o}, f.GetLocation(), true); refusal != nil {
			return expr.Operand{}, refusal
		}
	}
	return whole, nil
}

// written is a whole number of the row as a text, without digits behind its point; any other value as it is.
func (r *conditionReader) written(o expr.Operand) (expr.Operand, *pgerror.Refusal) {
	call, _ := o.Row.(*expr.Call)
	isField := call != nil && (call.Function.Name == "extract" || call.Function.Name == "date_part") &&
		slices.Contains(expr.WholeFields, strings.TrimSuffix(scan.LowerASCII(call.Args[0].Literal.Text), "s"))
	var refusal *pgerror.Refusal
	if isField {
		if o, refusal = r.converted(o, pgvalue.Int8); refusal != nil {
			return o, refusal
		}
	}
	if o.IsConstant() || !pgvalue.IsInteger(r.typeOf(o)) {
		return o, nil
	}
	return r.converted(o, pgvalue.Text)
}

// cast reads value::type and type 'constant'.
func (r *conditionReader) cast(t *pg.TypeCast) (expr.Operand, *pgerror.Refusal) {
	to, array, refusal := pgvalue.CastType(t.GetTypeName())
	if refusal != nil {
		return expr.Operand{}, refusal
	}
	link := t.GetArg().GetSubLink()
	o, found, refusal := r.params.valueOf(link, r.source)
	if link.GetSubLinkType() == pg.SubLinkType_EXPR_SUBLINK && !array && !found {
		return r.castOwn(link, to)
	}
	if !found {
		o, refusal = r.operand(t.GetArg())
	}
	if refusal != nil {
		return expr.Operand{}, refusal
	}
	switch {
	case array:
		return expr.Operand{}, pgvalue.RefuseCast(t.GetTypeName())
	case !o.IsConstant():
		return r.castRow(o, to, t)
	case o.Fixed != nil:
		return r.castFixed(o, to), nil
	}
	if o.Param > 0 && o.Cast != 0 {
		return r.castFixed(o, to), nil
	}
	r.params.want(o, to)
	from := r.typeOf(o)
	if to == pgvalue.Interval && from != pgvalue.Unknown && from != pgvalue.Interval {
		return expr.Operand{}, castRefused.At(t.GetLocation(), pgvalue.ShownType(from), pgvalue.ShownType(to))
	}
	if needsZone(o.Literal, from, to) && o.Param == 0 {
		return r.castFixed(o, to), nil
	}
	if !pgvalue.Convertible(from, to) {
		return expr.Operand{}, castRefused.At(t.GetLocation(), pgvalue.ShownType(from), pgvalue.ShownType(to))
	}
	if o.Param > 0 {
		o.Cast = to
		return o, nil
	}
	if !o.Literal.Null {
		d, refusal := o.Literal.Read(to)
		if refusal != nil {
			return expr.Operand{}, pgerror.At(o.Loc, refusal)
		}
		if to != pgvalue.Bpchar && pgvalue.FamilyOf(to) != pgvalue.Texts {
			o.Literal.Text = d.Text
		}
	}
	o.Literal.OID = to
	return o, nil
}

// castRow casts a value of the row.
func (r *conditionReader) castRow(o expr.Operand, to pgvalue.OID, t *pg.TypeCast) (expr.Operand, *pgerror.Refusal) {
	from := r.typeOf(o)
	switch {
	case from == pgvalue.Timestamptz && (to == pgvalue.Date || to == pgvalue.Timestamp):
		o = r.localTime(o)
		from = pgvalue.Timestamp
	case o.Zoned && to == pgvalue.Timestamptz, from == to && !o.Zoned:
		return o, nil
	case to == pgvalue.Timestamptz && (from == pgvalue.Date || from == pgvalue.Timestamp):
		return r.instant(o), nil
	}
	o.Zoned = false
	if pgvalue.IsText(to) {
		var refusal *pgerror.Refusal
		if o, refusal = r.written(o); refusal != nil {
			return expr.Operand{}, pgerror.At(t.GetLocation(), refusal)
		}
		from = r.typeOf(o)
	}
	if from == to {
		return o, nil
	}
	f, ok := expr.CastBetween(from, to)
	if !ok {
		return expr.Operand{}, castRefused.At(t.GetLocation(), pgvalue.ShownType(from), pgvalue.ShownType(to))
	}
	if refusal := refuseCollation(f.Name, o); refusal != nil {
		return expr.Operand{}, pgerror.At(t.GetLocation(), refusal)
	}
	return expr.Operand{Row: &expr.Call{Function: f, Args: []expr.Operand{o}, Loc: t.GetLocation()}, Loc: t.GetLocation()}, nil
}
