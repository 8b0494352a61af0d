package rewrite

import (
	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// in reads IN and NOT IN as transformAExprIn in parse_expr.c: one element is a comparison; several constants are an array of a type
// that they have in common with the left side; columns are compared one by one.
func (r *conditionReader) in(e *pg.A_Expr) (expr.Predicate, *pgerror.Refusal) {
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
		if cast = r.typeOf(left); cast == pgvalue.Varchar {
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
