package rewrite

import pg "github.com/pganalyze/pg_query_go/v6"

// nullIf reads NULLIF(a, b): a, unless it equals b.
func (r *conditionReader) nullIf(e *pg.A_Expr) (operand, *Refusal) {
	a, refusal := r.operand(e.GetLexpr())
	if refusal != nil {
		return operand{}, refusal
	}
	b, refusal := r.operand(e.GetRexpr())
	if refusal != nil {
		return operand{}, refusal
	}
	refusal = refuseCollation("NULLIF", a)
	if refusal != nil {
		return operand{}, at(e.GetLocation(), refusal)
	}
	equals, refusal := r.compareOperands(a, equal, b)
	if refusal != nil {
		return operand{}, at(e.GetLocation(), refusal)
	}
	oid := r.typeOf(a)
	if a.isConstant() && oid == oidUnknown {
		oid = oidText
	}
	null := operand{literal: literal{oid: oid, null: true}}
	return operand{row: &conditional{oid, []branch{{equals, null}}, a}, zoned: a.zoned, loc: e.GetLocation()}, nil
}

// caseOf reads CASE in both its forms.
func (r *conditionReader) caseOf(c *pg.CaseExpr) (operand, *Refusal) {
	var subject operand
	var refusal *Refusal
	if c.GetArg() != nil {
		if subject, refusal = r.operand(c.GetArg()); refusal != nil {
			return operand{}, refusal
		}
	}
	var conditions []predicate
	var values []operand
	for _, n := range c.GetArgs() {
		w := n.GetCaseWhen()
		var when predicate
		if c.GetArg() == nil {
			when, refusal = r.read(w.GetExpr(), "CASE/WHEN")
		} else {
			var value operand
			if value, refusal = r.operand(w.GetExpr()); refusal == nil {
				when, refusal = r.compareOperands(subject, equal, value)
			}
		}
		if refusal != nil {
			return operand{}, at(w.GetLocation(), refusal)
		}
		then, refusal := r.operand(w.GetResult())
		if refusal != nil {
			return operand{}, refusal
		}
		conditions, values = append(conditions, when), append(values, then)
	}
	otherwise := operand{literal: literal{oid: oidUnknown, null: true}}
	if c.GetDefresult() != nil {
		if otherwise, refusal = r.operand(c.GetDefresult()); refusal != nil {
			return operand{}, refusal
		}
	}
	oid, refusal := r.unify(append([]operand{otherwise}, values...))
	if refusal != nil {
		return operand{}, at(c.GetLocation(), refusal)
	}
	result := &conditional{oid: oid}
	for i := range conditions {
		if values[i], refusal = r.unified(values[i], oid); refusal != nil {
			return operand{}, at(c.GetLocation(), refusal)
		}
		result.branches = append(result.branches, branch{conditions[i], values[i]})
	}
	if result.otherwise, refusal = r.unified(otherwise, oid); refusal != nil {
		return operand{}, at(c.GetLocation(), refusal)
	}
	return operand{row: result, loc: c.GetLocation()}, nil
}

// unify is the common type of the results of CASE, COALESCE, GREATEST and LEAST.
func (r *conditionReader) unify(values []operand) (typeOID, *Refusal) {
	for _, v := range values {
		if v.zoned {
			return 0, refuseZone(oidTimestamptz)
		}
		if c, ok := v.row.(*Column); ok && c.Collation != "" {
			return 0, notSupported("a column with a collation of its own is not supported in CASE, COALESCE, GREATEST and LEAST on protected tables", "Compare the column with constants, for example: CASE WHEN column = 'a' THEN 'A' ELSE 'other' END.")
		}
	}
	oid, refusal := r.commonType(oidUnknown, values)
	if refusal != nil {
		return 0, refusal
	}
	if familyOf(oid) == otherFamily {
		return 0, notSupported("values of type "+shownType(oid)+" are not supported in CASE, COALESCE, GREATEST and LEAST on protected tables", "Cast them to a type of numbers, texts, dates or times, for example: column::text.")
	}
	return oid, nil
}

// unified is a value cast to the common type.
func (r *conditionReader) unified(o operand, oid typeOID) (operand, *Refusal) {
	if !o.isConstant() {
		if o.row.typeOf() == oid {
			return o, nil
		}
		return r.converted(o, oid)
	}
	r.params.want(o, oid)
	if o.fixed == nil && !convertible(r.typeOf(o), oid) {
		return operand{}, refuseConversion(r.typeOf(o), oid)
	}
	if o.param == 0 && o.fixed == nil && o.literal.oid == oidUnknown {
		o.literal.oid = oid
	}
	return o, nil
}

// coalesce reads COALESCE: the first value that is not NULL.
func (r *conditionReader) coalesce(c *pg.CoalesceExpr) (operand, *Refusal) {
	values, oid, refusal := r.list(c.GetArgs(), c.GetLocation())
	if refusal != nil {
		return operand{}, refusal
	}
	result := &conditional{oid: oid, otherwise: values[len(values)-1]}
	for _, v := range values[:len(values)-1] {
		var missing predicate = operandNull{v}
		if !v.isConstant() {
			missing = isNull{v.row}
		}
		result.branches = append(result.branches, branch{negation{missing}, v})
	}
	return operand{row: result, loc: c.GetLocation()}, nil
}

// extreme reads GREATEST and LEAST.
func (r *conditionReader) extreme(m *pg.MinMaxExpr) (operand, *Refusal) {
	values, oid, refusal := r.list(m.GetArgs(), m.GetLocation())
	if refusal != nil {
		return operand{}, refusal
	}
	name := "LEAST"
	if m.GetOp() == pg.MinMaxOp_IS_GREATEST {
		name = "GREATEST"
	}
	return operand{row: &chosen{name, oid, values}, loc: m.GetLocation()}, nil
}

// list reads values of a common type.
func (r *conditionReader) list(nodes []*pg.Node, loc int32) ([]operand, typeOID, *Refusal) {
	values := make([]operand, len(nodes))
	var refusal *Refusal
	for i, n := range nodes {
		if values[i], refusal = r.operand(n); refusal != nil {
			return nil, 0, refusal
		}
	}
	oid, refusal := r.unify(values)
	if refusal != nil {
		return nil, 0, at(loc, refusal)
	}
	for i := range values {
		if values[i], refusal = r.unified(values[i], oid); refusal != nil {
			return nil, 0, at(loc, refusal)
		}
	}
	return values, oid, nil
}
