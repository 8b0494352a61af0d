package rewrite

import (
	"fmt"
	"strconv"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// in reads IN and NOT IN as transformAExprIn in parse_expr.c: one element is a comparison; several constants are an array of a type
// that they have in common with the left side; columns are compared one by one.
func (r *conditionReader) in(e *pg.A_Expr) (expr.Predicate, *pgerror.Refusal) {
	if fields(e.GetLexpr()) != nil {
		return r.rowIn(e)
	}
	left, refusal := r.operand(e.GetLexpr())
	if refusal != nil {
		return nil, refusal
	}
	if e.GetRexpr().GetList() == nil {
		return nil, refuseCondition(e.GetRexpr())
	}
	var constants, columns []expr.Operand
	for _, item := range e.GetRexpr().GetList().GetItems() {
		o, refusal := r.operand(item)
		if refusal != nil {
			return nil, refusal
		}
		if o.IsConstant() && !left.IsConstant() {
			o = r.inZone(left, o)
			constants = append(constants, o)
		} else {
			columns = append(columns, o)
		}
	}
	var parts []expr.Predicate
	if len(constants) > 1 {
		p, refusal := r.among(left, constants)
		if refusal != nil {
			return nil, pgerror.At(e.GetLocation(), refusal)
		}
		parts = append(parts, p)
	} else {
		columns = append(constants, columns...)
	}
	for _, o := range columns {
		p, refusal := r.compareOperands(left, expr.Equal, o)
		if refusal != nil {
			return nil, pgerror.At(e.GetLocation(), refusal)
		}
		parts = append(parts, p)
	}
	var p expr.Predicate = expr.Junction{And: false, Args: parts}
	if names := pgtree.Strings(e.GetName()); names[len(names)-1] == string(expr.Unequal) {
		p = expr.Negation{Arg: p}
	}
	return p, nil
}

// among reads a list of constants against a value of the row.
func (r *conditionReader) among(left expr.Operand, elements []expr.Operand) (expr.Predicate, *pgerror.Refusal) {
	if refusal := r.checkZones(left, elements); refusal != nil {
		return nil, refusal
	}
	common, refusal := r.commonType(r.typeOf(left), elements)
	if refusal != nil {
		return nil, refusal
	}
	if common == pgvalue.Enum {
		common = pgvalue.Text
	}
	as, refusal := r.comparedAs(left, expr.Equal, common)
	if refusal != nil {
		return nil, refusal
	}
	for i := range elements {
		r.params.want(elements[i], common)
		if elements[i].Param == 0 && elements[i].Fixed == nil && elements[i].Literal.OID == pgvalue.Unknown {
			elements[i].Literal.OID = common
		}
	}
	return expr.Among{Row: left.Row, Elements: elements, Common: common, As: as}, nil
}

// array reads column = ANY (array) and column <> ALL (array), where the array is ARRAY[...], a constant or a parameter.
func (r *conditionReader) array(e *pg.A_Expr) (expr.Predicate, *pgerror.Refusal) {
	isAny := e.GetKind() == pg.A_Expr_Kind_AEXPR_OP_ANY
	op, ok := comparisonOperator(e.GetName())
	if list := e.GetRexpr().GetAArrayExpr(); list != nil && !(ok && (isAny && op == expr.Equal || !isAny && op == expr.Unequal)) {
		return r.eachElement(e, list, isAny)
	}
	if !ok {
		return nil, pgerror.At(e.GetLocation(), refuseOperator(e.GetName()))
	}
	left, refusal := r.operand(e.GetLexpr())
	if refusal != nil {
		return nil, refusal
	}
	if left.IsConstant() && (isAny && op == expr.Equal || !isAny && op == expr.Unequal) {
		return r.elementOf(e, left, !isAny)
	}
	if left.IsConstant() || !(isAny && op == expr.Equal || !isAny && op == expr.Unequal) {
		return nil, quantifierRefused.At(e.GetLocation())
	}
	p, refusal := r.arrayOperand(left, e.GetRexpr())
	if refusal != nil {
		return nil, pgerror.At(e.GetLocation(), refusal)
	}
	if !isAny {
		p = expr.Negation{Arg: p}
	}
	return p, nil
}

// elementOf reads constant = ANY (column), and constant <> ALL (column) as its negation.
func (r *conditionReader) elementOf(e *pg.A_Expr, left expr.Operand, negated bool) (expr.Predicate, *pgerror.Refusal) {
	right, refusal := r.operand(e.GetRexpr())
	switch {
	case refusal != nil:
		return nil, refusal
	case right.IsConstant() || !pgvalue.IsStructured(r.typeOf(right)) || left.Literal.Null:
		return nil, quantifierRefused.At(e.GetLocation())
	}
	found, refusal := r.apply(expr.ElementOf, []expr.Operand{left, right}, e.GetLocation(), false)
	if refusal != nil {
		return nil, refusal
	}
	p := isTrue(found)
	if negated {
		p = expr.Negation{Arg: p}
	}
	return p, nil
}

// eachElement reads value LIKE ANY (ARRAY[...]) and value < ALL (ARRAY[...]) as one operation for each element.
func (r *conditionReader) eachElement(e *pg.A_Expr, list *pg.A_ArrayExpr, isAny bool) (expr.Predicate, *pgerror.Refusal) {
	var parts []expr.Predicate
	for _, item := range list.GetElements() {
		p, refusal := r.expression(&pg.A_Expr{Kind: pg.A_Expr_Kind_AEXPR_OP, Name: e.GetName(), Lexpr: e.GetLexpr(), Rexpr: item, Location: e.GetLocation()})
		if refusal != nil {
			return nil, refusal
		}
		parts = append(parts, p)
	}
	return expr.Junction{And: !isAny, Args: parts}, nil
}

func (r *conditionReader) arrayOperand(left expr.Operand, n *pg.Node) (expr.Predicate, *pgerror.Refusal) {
	if link := n.GetSubLink(); link != nil && link.GetSubLinkType() == pg.SubLinkType_ARRAY_SUBLINK {
		list, refusal := r.ownArray("ARRAY(%s)", link)
		if refusal != nil {
			return nil, refusal
		}
		return r.amongOwn(left, list)
	}
	var cast pgvalue.OID // of the elements
	if t := n.GetTypeCast(); t != nil {
		oid, array, refusal := pgvalue.CastType(t.GetTypeName())
		if refusal != nil {
			return nil, refusal
		}
		if !array {
			return nil, pgvalue.RefuseCast(t.GetTypeName())
		}
		cast, n = oid, t.GetArg()
	}
	if list := n.GetAArrayExpr(); list != nil {
		return r.arrayElements(left, list, cast)
	}
	o, refusal := r.operand(n)
	if refusal != nil {
		return nil, refusal
	}
	if !o.IsConstant() || o.Fixed != nil || o.Cast != 0 || o.Param == 0 && o.Literal.OID != pgvalue.Unknown {
		return nil, refuseCondition(n)
	}
	return r.arrayValue(left, o, cast)
}

// arrayValue reads an array in text form.
func (r *conditionReader) arrayValue(left expr.Operand, o expr.Operand, cast pgvalue.OID) (expr.Predicate, *pgerror.Refusal) {
	if left.Zoned {
		return nil, refuseZone(pgvalue.Timestamptz)
	}
	if cast == 0 {
		if cast = r.typeOf(left); cast == pgvalue.Varchar || cast == pgvalue.Enum {
			cast = pgvalue.Text
		}
	}
	if o.Param > 0 {
		element, _ := pgvalue.BuiltinType(cast)
		r.params.want(o, element.Array)
		declared, ok := pgvalue.ElementType(r.params.typeOf(o.Param))
		if !ok {
			return nil, expr.UndefinedOperator(r.typeOf(left), expr.Equal, r.params.typeOf(o.Param))
		}
		cast = declared.OID
	}
	as, refusal := r.comparedAs(left, expr.Equal, cast)
	if refusal != nil {
		return nil, refusal
	}
	return expr.AmongArray{Row: left.Row, Array: o, Of: cast, As: as}, nil
}

// arrayElements reads ARRAY[...], whose elements have a type of their own.
func (r *conditionReader) arrayElements(left expr.Operand, list *pg.A_ArrayExpr, cast pgvalue.OID) (expr.Predicate, *pgerror.Refusal) {
	elements := make([]expr.Operand, len(list.GetElements()))
	for i, item := range list.GetElements() {
		o, refusal := r.operand(item)
		if refusal != nil {
			return nil, refusal
		}
		if !o.IsConstant() {
			return nil, refuseCondition(item)
		}
		if cast == 0 {
			o = r.inZone(left, o)
		}
		elements[i] = o
	}
	if refusal := r.checkZones(left, elements); refusal != nil {
		return nil, refusal
	}
	common := cast
	if cast == 0 {
		var refusal *pgerror.Refusal
		if common, refusal = r.commonType(pgvalue.Unknown, elements); refusal != nil {
			return nil, refusal
		}
	}
	for i, e := range elements {
		r.params.want(e, common)
		if !pgvalue.Convertible(r.typeOf(e), common) {
			return nil, arrayRefused.At(e.Loc)
		}
		if e.Param == 0 && e.Fixed == nil && e.Literal.OID == pgvalue.Unknown {
			elements[i].Literal.OID = common
		}
	}
	as, refusal := r.comparedAs(left, expr.Equal, common)
	if refusal != nil {
		return nil, refusal
	}
	if len(elements) == 0 {
		return expr.Junction{And: false}, nil
	}
	return expr.Among{Row: left.Row, Elements: elements, Common: common, As: as}, nil
}

// A sub-select of the analyst's own runs in no scope of names: a column that it does not find in its own relations, which would be one of the
// protected table, is the server's error. Names of relations mean the same by themselves only if they are not those of a WITH query around
// it: that could be one that hides a protected table, which the server would then plan.

// ownArray is an array of the values of a sub-select, told by the analyst's session. array is its expression, of which %s is the
// sub-select. The session yields the OID of the array's type, a blank, and the array of the values' texts, which to_jsonb prints
// without regard to settings; or an empty text, if there are too many of them. The arrays are not pulled up into what reads them
// (OFFSET 0), where the sub-select would be evaluated more than once.
func (r *conditionReader) ownArray(array string, link *pg.SubLink) (expr.Operand, *pgerror.Refusal) {
	sub, refusal := r.params.ownSelect(link.GetSubselect())
	if refusal != nil {
		return expr.Operand{}, pgerror.At(link.GetLocation(), refusal)
	}
	for ref := range pgtree.Nodes[*pg.ColumnRef](link.GetSubselect().ProtoReflect()) {
		fields := ref.GetFields()
		if len(fields) > 1 && r.source.names(fields[0].GetString_().GetSval()) && !pgtree.Declares(link.GetSubselect().ProtoReflect(), fields[0].GetString_().GetSval()) {
			return expr.Operand{}, pgerror.At(ref.GetLocation(), expr.RefuseOwn("a sub-select in a condition on a protected table cannot refer to its columns"))
		}
	}
	sql := "(SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) " + strconv.Itoa(expr.MaxOwnBytes) +
		" OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) " + strconv.Itoa(expr.MaxOwnValues) +
		" THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END" +
		" FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t" +
		" FROM (SELECT " + fmt.Sprintf(array, sub) + " AS a OFFSET 0) AS o OFFSET 0) AS s)"
	return r.ownConstant(sql, pgvalue.Text, link.GetLocation()), nil
}

// ownConstant is an expression of the analyst's session of a known type.
func (r *conditionReader) ownConstant(sql string, oid pgvalue.OID, loc int32) expr.Operand {
	plain := strings.ReplaceAll(sql, "%", "%%") // it goes through Sprintf
	return r.params.addFixed(&expr.Call{Function: &expr.Overload{Name: "sub-select", Result: oid, Plain: plain}, Loc: loc})
}

// ownMembership reads value IN (SELECT ...), = ANY (SELECT ...) and <> ALL (SELECT ...).
func (r *conditionReader) ownMembership(link *pg.SubLink) (expr.Predicate, *pgerror.Refusal) {
	op, ok := expr.Equal, true
	if len(link.GetOperName()) > 0 {
		op, ok = comparisonOperator(link.GetOperName())
	}
	isAny := link.GetSubLinkType() == pg.SubLinkType_ANY_SUBLINK
	isAll := link.GetSubLinkType() == pg.SubLinkType_ALL_SUBLINK
	if !ok || !(isAny && op == expr.Equal || isAll && op == expr.Unequal) {
		return nil, pgerror.At(link.GetLocation(), expr.RefuseOwn("this use of a sub-select is not supported in a condition on a protected table"))
	}
	left, refusal := r.operand(link.GetTestexpr())
	if refusal != nil {
		return nil, refusal
	}
	list, refusal := r.ownArray("ARRAY(%s)", link)
	if refusal != nil {
		return nil, refusal
	}
	p, refusal := r.amongOwn(left, list)
	if refusal == nil && isAll {
		p = expr.Negation{Arg: p}
	}
	return p, pgerror.At(link.GetLocation(), refusal)
}

// AmongOwn reads the membership in an array of a sub-select's values.
func (r *conditionReader) amongOwn(left, list expr.Operand) (expr.Predicate, *pgerror.Refusal) {
	switch {
	case left.IsConstant():
		return nil, expr.RefuseOwn("a comparison of a constant with a sub-select is not supported in a condition on a protected table")
	case left.Zoned:
		return nil, refuseZone(pgvalue.Timestamptz)
	}
	return expr.AmongOwn{Row: left.Row, List: list}, nil
}

// compareOwn reads value op (SELECT ...) if one side is a sub-select.
func (r *conditionReader) compareOwn(left *pg.Node, op expr.Operator, right *pg.Node) (p expr.Predicate, found bool, refusal *pgerror.Refusal) {
	link := right.GetSubLink()
	if link == nil {
		if link = left.GetSubLink(); link == nil {
			return nil, false, nil
		}
		left, op = right, op.Flipped()
	}
	if link.GetSubLinkType() != pg.SubLinkType_EXPR_SUBLINK || left.GetSubLink() != nil {
		return nil, false, nil
	}
	if _, found, refusal := r.params.valueOf(link, r.source); found {
		return nil, refusal != nil, refusal
	}
	a, refusal := r.operand(left)
	if refusal != nil {
		return nil, true, refusal
	}
	switch {
	case a.IsConstant():
		return nil, true, pgerror.At(link.GetLocation(), expr.RefuseOwn("a comparison of a constant with a sub-select is not supported in a condition on a protected table"))
	case a.Zoned:
		return nil, true, pgerror.At(link.GetLocation(), refuseZone(pgvalue.Timestamptz))
	}
	value, refusal := r.ownArray("ARRAY[(%s)]", link)
	return expr.ComparedOwn{Row: a.Row, Op: op, Value: value}, true, refusal
}

// castOwn reads (SELECT ...)::type, which may stand wherever a constant may. The types allowed are those whose values are short.
func (r *conditionReader) castOwn(link *pg.SubLink, to pgvalue.OID) (expr.Operand, *pgerror.Refusal) {
	if link.GetSubLinkType() != pg.SubLinkType_EXPR_SUBLINK {
		return expr.Operand{}, refuseCondition(&pg.Node{Node: &pg.Node_SubLink{SubLink: link}})
	}
	if pgvalue.IsText(to) {
		return expr.Operand{}, pgerror.At(link.GetLocation(), expr.RefuseOwn("casting a sub-select to "+pgvalue.ShownType(to)+" is not supported in a condition on a protected table; compare it as it is"))
	}
	sub, refusal := r.params.ownSelect(link.GetSubselect())
	if refusal != nil {
		return expr.Operand{}, pgerror.At(link.GetLocation(), refusal)
	}
	return r.ownConstant("("+sub+")::"+pgvalue.TypeName(to), to, link.GetLocation()), nil
}
