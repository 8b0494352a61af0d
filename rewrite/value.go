package rewrite

import (
	"fmt"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// operand reads a value: a column, a constant, a parameter, or what is computed of them.
func (r *conditionReader) operand(n *pg.Node) (operand, *Refusal) {
	switch v := n.GetNode().(type) {
	case *pg.Node_ColumnRef:
		return r.source.value(v.ColumnRef)
	case *pg.Node_AConst:
		l, refusal := readConst(v.AConst)
		return operand{literal: l, loc: v.AConst.GetLocation()}, at(v.AConst.GetLocation(), refusal)
	case *pg.Node_ParamRef:
		r.params.read(v.ParamRef)
		return operand{param: int(v.ParamRef.GetNumber()), loc: v.ParamRef.GetLocation()}, at(v.ParamRef.GetLocation(), checkParam(v.ParamRef))
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
	case *pg.Node_SubLink:
		if v.SubLink.GetTestexpr() != nil {
			return r.truth(n)
		}
	}
	return operand{}, refuseCondition(n)
}

// truth reads a condition as a value.
func (r *conditionReader) truth(n *pg.Node) (operand, *Refusal) {
	p, refusal := r.read(n, "CASE/WHEN")
	return operand{row: &condition{p}, loc: location(n)}, refusal
}

// typeOf is an operand's type as far as it is known.
func (r *conditionReader) typeOf(o operand) typeOID {
	switch {
	case o.row != nil:
		return o.row.typeOf()
	case o.fixed != nil:
		return o.fixed.call.typeOf()
	case o.cast != 0:
		return o.cast
	case o.param > 0:
		return r.params.typeOf(o.param)
	}
	return o.literal.oid
}

// operation reads an operator.
func (r *conditionReader) operation(e *pg.A_Expr) (operand, *Refusal) {
	node := &pg.Node{Node: &pg.Node_AExpr{AExpr: e}}
	name, builtin := builtinName(e.GetName())
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
		return operand{}, at(e.GetLocation(), refuseOperator(e.GetName()))
	}
	if e.GetLexpr() == nil {
		return r.signed(e, name)
	}
	left, refusal := r.operand(e.GetLexpr())
	if refusal != nil {
		return operand{}, refusal
	}
	right, refusal := r.operand(e.GetRexpr())
	if refusal != nil {
		return operand{}, refusal
	}
	return r.apply(name, []operand{left, right}, e.GetLocation(), true)
}

func refuseOperator(names []*pg.Node) *Refusal {
	name, _ := builtinName(names)
	return notSupported(fmt.Sprintf("operator %s is not supported on a protected table", name), conditionHint)
}

// signed reads -5 and -column.
func (r *conditionReader) signed(e *pg.A_Expr, sign string) (operand, *Refusal) {
	o, refusal := r.operand(e.GetRexpr())
	if refusal != nil {
		return operand{}, refusal
	}
	if o.isConstant() && o.param == 0 && o.fixed == nil && (sign == "-" || sign == "+") {
		negative, ok := o.literal.negate()
		if ok {
			if sign == "-" {
				o.literal = negative
			}
			o.loc = e.GetLocation()
			return o, nil
		}
	}
	return r.apply(sign, []operand{o}, e.GetLocation(), true)
}

// similar reads SIMILAR TO with a constant pattern, which is turned into a regular expression as similar_to_escape does.
func (r *conditionReader) similar(e *pg.A_Expr, name string) (operand, *Refusal) {
	refusal := at(e.GetLocation(), notSupported("this form of SIMILAR TO is not supported on a protected table", "Use LIKE, or ~ with a regular expression."))
	call := e.GetRexpr().GetFuncCall()
	if call == nil || len(call.GetArgs()) != 1 {
		return operand{}, refusal
	}
	pattern, bad := r.operand(call.GetArgs()[0])
	if bad != nil {
		return operand{}, bad
	}
	if !pattern.isConstant() || pattern.param > 0 || pattern.fixed != nil || pattern.literal.null {
		return operand{}, refusal
	}
	translated, ok := similarPattern(pattern.literal.text)
	if !ok {
		return operand{}, refusal
	}
	left, bad := r.operand(e.GetLexpr())
	if bad != nil {
		return operand{}, bad
	}
	pattern.literal = literal{oid: oidText, text: translated}
	return r.apply(name, []operand{left, pattern}, e.GetLocation(), true)
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
func (r *conditionReader) function(f *pg.FuncCall) (operand, *Refusal) {
	name, builtin := functionName(f)
	switch {
	case isAggregate(f):
		return operand{}, at(f.GetLocation(), &Refusal{Code: codeGrouping, Message: "aggregate functions are not allowed in WHERE"})
	case f.GetOver() != nil || f.GetFuncVariadic():
		return operand{}, at(f.GetLocation(), notSupported(fmt.Sprintf("this call of %s is not supported on the rows of a protected table", name), conditionHint))
	case builtin && name == "concat":
		return r.concat(f)
	case builtin && len(f.GetArgs()) == 1 && slices.Contains(castNames, name):
		return r.cast(&pg.TypeCast{Arg: f.GetArgs()[0], TypeName: typeNode([]string{"pg_catalog", name}, nil), Location: f.GetLocation()})
	case !builtin || len(functionList[name]) == 0 || functionList[name][0].symbol:
		return operand{}, at(f.GetLocation(), refuseFunction(name, ""))
	}
	args := make([]operand, len(f.GetArgs()))
	for i, n := range f.GetArgs() {
		if n.GetNamedArgExpr() != nil {
			return operand{}, at(f.GetLocation(), notSupported("named arguments are not supported on a protected table", "Give the arguments in their order."))
		}
		var refusal *Refusal
		if args[i], refusal = r.operand(n); refusal != nil {
			return operand{}, refusal
		}
	}
	if name == "extract" && len(args) == 2 && args[0].param == 0 && args[0].literal.oid == oidUnknown {
		args[0].literal.oid = oidText
	}
	return r.apply(name, args, f.GetLocation(), false)
}

// castNames are the types whose casts are also written like calls of functions: date(value).
var castNames = []string{"date", "text", "int2", "int4", "int8", "numeric", "float4", "float8", "bool", "varchar"}

// concat reads concat(a, b, ...): the texts one after the other, NULL as none.
func (r *conditionReader) concat(f *pg.FuncCall) (operand, *Refusal) {
	empty := operand{literal: literal{oid: oidText}}
	whole := empty
	for i, n := range f.GetArgs() {
		o, refusal := r.operand(n)
		if refusal != nil {
			return operand{}, refusal
		}
		if t := r.typeOf(o); o.isConstant() && t != oidUnknown && !isText(t) || !o.isConstant() && !isText(t) && !IsInteger(t) {
			return operand{}, at(f.GetLocation(), refuseFunction("concat", "its arguments must be texts or integers, and constants be texts"))
		}
		switch {
		case !o.isConstant() && r.typeOf(o) == oidBpchar: // PostgreSQL's concat keeps the blanks that a cast takes off
			return operand{}, at(f.GetLocation(), refuseFunction("concat", blankReason))
		case !o.isConstant():
			if o, refusal = r.converted(o, oidText); refusal != nil {
				return operand{}, at(f.GetLocation(), refusal)
			}
			o = operand{row: &conditional{oidText, []branch{{isNull{o.row}, empty}}, o}, loc: o.loc}
		case o.param > 0 || o.fixed != nil:
			if o, refusal = r.unified(o, oidText); refusal != nil {
				return operand{}, at(f.GetLocation(), refusal)
			}
			o = operand{row: &conditional{oidText, []branch{{operandNull{o}, empty}}, o}, loc: o.loc}
		case o.literal.null:
			continue
		}
		if i == 0 {
			whole = o
			continue
		}
		if whole, refusal = r.apply("||", []operand{whole, o}, f.GetLocation(), true); refusal != nil {
			return operand{}, refusal
		}
	}
	return whole, nil
}

func refuseFunction(name, why string) *Refusal {
	message := fmt.Sprintf("function %s is not supported on protected tables", name)
	if why != "" {
		message = fmt.Sprintf("this use of %s is not supported on protected tables: %s", name, why)
	}
	return notSupported(message, "Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. "+
		"Others can be applied to the keys in an outer query: SELECT f(k), n FROM (SELECT ... AS k, count(*) AS n FROM ... GROUP BY 1) AS c")
}

// apply applies a function or an operator.
func (r *conditionReader) apply(name string, args []operand, loc int32, isOperator bool) (operand, *Refusal) {
	args = r.localTimes(name, args)
	types := make([]typeOID, len(args))
	constant := true
	for i, o := range args {
		types[i] = r.typeOf(o)
		constant = constant && o.isConstant()
	}
	if isOperator && len(types) == 2 { // one of unknown type is taken to be of the other's if there is such an operator
		types = sameTypes(name, types)
	}
	f, ok := resolve(functionList[name], types)
	switch {
	case !ok && isOperator:
		return operand{}, at(loc, r.refuseTypes(name, types))
	case !ok:
		return operand{}, at(loc, refuseFunction(name, "there is none for arguments of type "+shownTypes(types)))
	case f.sql == "" && !constant:
		return operand{}, at(loc, refuseFunction(f.name, f.why))
	}
	zoned := false
	for i := range args {
		r.params.want(args[i], f.args[i])
		if args[i].isConstant() && args[i].param == 0 && args[i].fixed == nil && !convertible(args[i].literal.oid, f.args[i]) {
			return operand{}, at(loc, refuseFunction(f.name, "the constant is not of type "+shownType(f.args[i])))
		}
		if refusal := refuseCollation(f.name, args[i]); refusal != nil {
			return operand{}, at(loc, refusal)
		}
		if args[i].row != nil && args[i].row.typeOf() != f.args[i] {
			var refusal *Refusal
			if args[i], refusal = r.converted(args[i], f.args[i]); refusal != nil {
				return operand{}, at(loc, refusal)
			}
		}
		zoned = zoned || args[i].zoned
	}
	made := &call{function: f, args: args, loc: loc}
	if f.probe != "" {
		r.params.addProbe(f, args[f.probed])
	}
	if constant {
		return r.params.addFixed(made), nil
	}
	return operand{row: made, loc: loc, zoned: zoned && f.result == oidTimestamp && name == "date_trunc"}, nil
}

// refuseCollation refuses a column with a collation of its own in what is computed, which counts as having the database's: functions
// and comparisons of texts with different collations fail when they reach a row.
func refuseCollation(name string, o operand) *Refusal {
	c, ok := o.row.(*Column)
	if !ok || c.Collation == "" {
		return nil
	}
	return refuseFunction(name, "column "+quoteIdentifier(c.Name)+" has a collation of its own")
}

// converted is a value of the row after an implicit cast.
func (r *conditionReader) converted(o operand, to typeOID) (operand, *Refusal) {
	from := o.row.typeOf()
	if isText(from) && to == oidText && from != oidBpchar {
		return o, nil
	}
	f, ok := castBetween(from, to)
	if !ok {
		return operand{}, notSupported(fmt.Sprintf("taking %s for %s is not supported on protected tables", shownType(from), shownType(to)), "Cast the values to one type, for example both to date: column::date.")
	}
	o.row = &call{function: f, args: []operand{o}, loc: o.loc}
	return o, nil
}

func sameTypes(name string, types []typeOID) []typeOID {
	for i := range types {
		other := types[1-i]
		if types[i] != oidUnknown || other == oidUnknown {
			continue
		}
		for _, f := range functionList[name] {
			if len(f.args) == 2 && f.args[0] == other && f.args[1] == other {
				return []typeOID{other, other}
			}
		}
	}
	return types
}

func (r *conditionReader) refuseTypes(name string, types []typeOID) *Refusal {
	if len(functionList[name]) == 0 {
		return notSupported(fmt.Sprintf("operator %s is not supported on a protected table", name), conditionHint)
	}
	refusal := &Refusal{Code: codeNotSupported, Message: fmt.Sprintf("operator %s is not supported for %s on a protected table", name, shownTypes(types)), Hint: conditionHint}
	return refusal
}

func shownTypes(types []typeOID) string {
	shown := make([]string, len(types))
	for i, t := range types {
		shown[i] = shownType(t)
	}
	return strings.Join(shown, ", ")
}

// cast reads value::type and type 'constant'.
func (r *conditionReader) cast(t *pg.TypeCast) (operand, *Refusal) {
	to, array, refusal := castType(t.GetTypeName())
	if refusal != nil {
		return operand{}, refusal
	}
	if link := t.GetArg().GetSubLink(); link != nil && link.GetTestexpr() == nil && !array {
		return r.castOwn(link, to)
	}
	o, refusal := r.operand(t.GetArg())
	if refusal != nil {
		return operand{}, refusal
	}
	switch {
	case array:
		return operand{}, refuseCast(t.GetTypeName())
	case !o.isConstant():
		return r.castRow(o, to, t)
	case o.fixed != nil:
		return r.castFixed(o, to), nil
	}
	if o.param > 0 && o.cast != 0 {
		return r.castFixed(o, to), nil
	}
	r.params.want(o, to)
	from := r.typeOf(o)
	if to == oidInterval && from != oidUnknown && from != oidInterval {
		return operand{}, at(t.GetLocation(), refuseConversion(from, to))
	}
	if needsZone(o.literal, from, to) && o.param == 0 {
		return r.castFixed(o, to), nil
	}
	if !convertible(from, to) {
		return operand{}, at(t.GetLocation(), refuseConversion(from, to))
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

func refuseConversion(from, to typeOID) *Refusal {
	return notSupported(fmt.Sprintf("casting %s to %s is not supported on a protected table", shownType(from), shownType(to)), conditionHint)
}

// castRow casts a value of the row.
func (r *conditionReader) castRow(o operand, to typeOID, t *pg.TypeCast) (operand, *Refusal) {
	from := r.typeOf(o)
	switch {
	case from == oidTimestamptz && (to == oidDate || to == oidTimestamp):
		o = r.localTime(o)
		from = oidTimestamp
	case o.zoned && to == oidTimestamptz, from == to && !o.zoned:
		return o, nil
	}
	o.zoned = false
	if from == to {
		return o, nil
	}
	f, ok := castBetween(from, to)
	if !ok {
		return operand{}, at(t.GetLocation(), refuseConversion(from, to))
	}
	if refusal := refuseCollation(f.name, o); refusal != nil {
		return operand{}, at(t.GetLocation(), refusal)
	}
	return operand{row: &call{function: f, args: []operand{o}, loc: t.GetLocation()}, loc: t.GetLocation()}, nil
}
