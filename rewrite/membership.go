package rewrite

import (
	"fmt"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// in reads IN and NOT IN as transformAExprIn in parse_expr.c: one element is a comparison; several constants are an array of a type
// that they have in common with the left side; columns are compared one by one.
func (r *conditionReader) in(e *pg.A_Expr) (predicate, *Refusal) {
	left, refusal := r.operand(e.GetLexpr())
	if refusal != nil {
		return nil, refusal
	}
	if e.GetRexpr().GetList() == nil {
		return nil, refuseCondition(e.GetRexpr())
	}
	var constants, columns []operand
	for _, item := range e.GetRexpr().GetList().GetItems() {
		o, refusal := r.operand(item)
		if refusal != nil {
			return nil, refusal
		}
		if o.isConstant() && !left.isConstant() {
			o = r.inZone(left, o)
			constants = append(constants, o)
		} else {
			columns = append(columns, o)
		}
	}
	var parts []predicate
	if len(constants) > 1 {
		p, refusal := r.among(left, constants)
		if refusal != nil {
			return nil, at(e.GetLocation(), refusal)
		}
		parts = append(parts, p)
	} else {
		columns = append(constants, columns...)
	}
	for _, o := range columns {
		p, refusal := r.compareOperands(left, equal, o)
		if refusal != nil {
			return nil, at(e.GetLocation(), refusal)
		}
		parts = append(parts, p)
	}
	var p predicate = junction{false, parts}
	if names := stringsOf(e.GetName()); names[len(names)-1] == string(unequal) {
		p = negation{p}
	}
	return p, nil
}

// among reads a list of constants against a value of the row.
func (r *conditionReader) among(left operand, elements []operand) (predicate, *Refusal) {
	if refusal := r.checkZones(left, elements); refusal != nil {
		return nil, refusal
	}
	common, refusal := r.commonType(r.typeOf(left), elements)
	if refusal != nil {
		return nil, refusal
	}
	as, refusal := r.comparedAs(left, equal, common)
	if refusal != nil {
		return nil, refusal
	}
	for i := range elements {
		r.params.want(elements[i], common)
		if elements[i].param == 0 && elements[i].fixed == nil && elements[i].literal.oid == oidUnknown {
			elements[i].literal.oid = common
		}
	}
	return among{left.row, elements, common, as}, nil
}

// commonType is select_common_type in parse_coerce.c for the column's type and the elements' (or the elements' alone if first is
// unknown), for the types that are compared at all.
func (r *conditionReader) commonType(first typeOID, elements []operand) (typeOID, *Refusal) {
	common := first
	for _, e := range elements {
		t := r.typeOf(e)
		switch {
		case t == oidUnknown || t == common:
		case common == oidUnknown:
			common = t
		case familyOf(t) == numbers && familyOf(common) == numbers:
			if rank(t) > rank(common) {
				common = t
			}
		case familyOf(t) == texts && familyOf(common) == texts:
			common = oidText
		case familyOf(t) == familyOf(common) && familyOf(t) == dates:
			common = oidTimestamp
		case familyOf(t) == familyOf(common):
		case isText(t) && isText(common), isTime(t) && isTime(common):
			return 0, at(e.loc, notSupported(fmt.Sprintf("a list of both %s and %s is not supported on protected tables", shownType(common), shownType(t)),
				"Use constants of the column's own type."))
		default:
			return 0, undefinedOperator(first, equal, t)
		}
	}
	if common == oidUnknown {
		common = oidText
	}
	return common, nil
}

func isText(oid typeOID) bool { return familyOf(oid) == texts || familyOf(oid) == blanks }

func isTime(oid typeOID) bool { return familyOf(oid) == dates || familyOf(oid) == instants }

// rank orders the number types so that each is cast to the later ones implicitly.
func rank(oid typeOID) int {
	for i, b := range builtins {
		if b.oid == oid {
			return i
		}
	}
	return -1
}

// array reads column = ANY (array) and column <> ALL (array), where the array is ARRAY[...], a constant or a parameter.
func (r *conditionReader) array(e *pg.A_Expr) (predicate, *Refusal) {
	isAny := e.GetKind() == pg.A_Expr_Kind_AEXPR_OP_ANY
	op, ok := comparisonOperator(e.GetName())
	if list := e.GetRexpr().GetAArrayExpr(); list != nil && !(ok && (isAny && op == equal || !isAny && op == unequal)) {
		return r.eachElement(e, list, isAny)
	}
	if !ok {
		return nil, at(e.GetLocation(), refuseOperator(e.GetName()))
	}
	left, refusal := r.operand(e.GetLexpr())
	if refusal != nil {
		return nil, refusal
	}
	if left.isConstant() || !(isAny && op == equal || !isAny && op == unequal) {
		return nil, at(e.GetLocation(), notSupported("this use of ANY or ALL is not supported in a condition on a protected table",
			"Write column = ANY (array), column <> ALL (array), or IN and NOT IN with a list."))
	}
	p, refusal := r.arrayOperand(left, e.GetRexpr())
	if refusal != nil {
		return nil, at(e.GetLocation(), refusal)
	}
	if !isAny {
		p = negation{p}
	}
	return p, nil
}

// eachElement reads value LIKE ANY (ARRAY[...]) and value < ALL (ARRAY[...]) as one operation for each element.
func (r *conditionReader) eachElement(e *pg.A_Expr, list *pg.A_ArrayExpr, isAny bool) (predicate, *Refusal) {
	var parts []predicate
	for _, item := range list.GetElements() {
		p, refusal := r.expression(&pg.A_Expr{Kind: pg.A_Expr_Kind_AEXPR_OP, Name: e.GetName(), Lexpr: e.GetLexpr(), Rexpr: item, Location: e.GetLocation()})
		if refusal != nil {
			return nil, refusal
		}
		parts = append(parts, p)
	}
	return junction{!isAny, parts}, nil
}

func (r *conditionReader) arrayOperand(left operand, n *pg.Node) (predicate, *Refusal) {
	if link := n.GetSubLink(); link != nil && link.GetSubLinkType() == pg.SubLinkType_ARRAY_SUBLINK {
		list, refusal := r.ownArray("ARRAY(%s)", link)
		if refusal != nil {
			return nil, refusal
		}
		return r.amongOwn(left, list)
	}
	var cast typeOID // of the elements
	if t := n.GetTypeCast(); t != nil {
		oid, array, refusal := castType(t.GetTypeName())
		if refusal != nil {
			return nil, refusal
		}
		if !array {
			return nil, refuseCast(t.GetTypeName())
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
	if !o.isConstant() || o.fixed != nil || o.cast != 0 || o.param == 0 && o.literal.oid != oidUnknown {
		return nil, refuseCondition(n)
	}
	return r.arrayValue(left, o, cast)
}

// arrayValue reads an array in text form.
func (r *conditionReader) arrayValue(left operand, o operand, cast typeOID) (predicate, *Refusal) {
	if left.zoned {
		return nil, refuseZone(oidTimestamptz)
	}
	if cast == 0 {
		if cast = r.typeOf(left); cast == oidVarchar {
			cast = oidText
		}
	}
	if o.param > 0 {
		element, _ := builtinType(cast)
		r.params.want(o, element.array)
		declared, ok := elementType(r.params.typeOf(o.param))
		if !ok {
			return nil, undefinedOperator(r.typeOf(left), equal, r.params.typeOf(o.param))
		}
		cast = declared.oid
	}
	as, refusal := r.comparedAs(left, equal, cast)
	if refusal != nil {
		return nil, refusal
	}
	return amongArray{left.row, o, cast, as}, nil
}

// arrayElements reads ARRAY[...], whose elements have a type of their own.
func (r *conditionReader) arrayElements(left operand, list *pg.A_ArrayExpr, cast typeOID) (predicate, *Refusal) {
	elements := make([]operand, len(list.GetElements()))
	for i, item := range list.GetElements() {
		o, refusal := r.operand(item)
		if refusal != nil {
			return nil, refusal
		}
		if !o.isConstant() {
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
		var refusal *Refusal
		if common, refusal = r.commonType(oidUnknown, elements); refusal != nil {
			return nil, refusal
		}
	}
	for i, e := range elements {
		r.params.want(e, common)
		if !convertible(r.typeOf(e), common) {
			return nil, at(e.loc, notSupported("this array is not supported in a condition on a protected table", conditionHint))
		}
		if e.param == 0 && e.fixed == nil && e.literal.oid == oidUnknown {
			elements[i].literal.oid = common
		}
	}
	as, refusal := r.comparedAs(left, equal, common)
	if refusal != nil {
		return nil, refusal
	}
	if len(elements) == 0 {
		return junction{and: false}, nil
	}
	return among{left.row, elements, common, as}, nil
}
