package rewrite

import (
	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// nullIf reads NULLIF(a, b): a, unless it equals b.
func (r *conditionReader) nullIf(e *pg.A_Expr) (expr.Operand, *pgerror.Refusal) {
	a, b, refusal := r.pair(e.GetLexpr(), e.GetRexpr())
	if refusal != nil {
		return expr.Operand{}, refusal
	}
	refusal = refuseCollation("NULLIF", a)
	if refusal != nil {
		return expr.Operand{}, pgerror.At(e.GetLocation(), refusal)
	}
	equals, refusal := r.compareOperands(a, expr.Equal, b)
	if refusal != nil {
		return expr.Operand{}, pgerror.At(e.GetLocation(), refusal)
	}
	oid := r.typeOf(a)
	if a.IsConstant() && oid == pgvalue.Unknown {
		oid = pgvalue.Text
	}
	null := expr.Operand{Literal: pgvalue.Literal{OID: oid, Null: true}}
	return expr.Operand{Row: &expr.Conditional{OID: oid, Branches: []expr.Branch{{When: equals, Then: null}}, Otherwise: a}, Zoned: a.Zoned, Loc: e.GetLocation()}, nil
}

// caseOf reads CASE in both its forms.
func (r *conditionReader) caseOf(c *pg.CaseExpr) (expr.Operand, *pgerror.Refusal) {
	var subject expr.Operand
	var refusal *pgerror.Refusal
	if c.GetArg() != nil {
		if subject, refusal = r.operand(c.GetArg()); refusal != nil {
			return expr.Operand{}, refusal
		}
	}
	var conditions []expr.Predicate
	var values []expr.Operand
	for _, n := range c.GetArgs() {
		w := n.GetCaseWhen()
		var when expr.Predicate
		if c.GetArg() == nil {
			when, refusal = r.read(w.GetExpr(), "CASE/WHEN")
		} else {
			var value expr.Operand
			if value, refusal = r.operand(w.GetExpr()); refusal == nil {
				when, refusal = r.compareOperands(subject, expr.Equal, value)
			}
		}
		if refusal != nil {
			return expr.Operand{}, pgerror.At(w.GetLocation(), refusal)
		}
		then, refusal := r.operand(w.GetResult())
		if refusal != nil {
			return expr.Operand{}, refusal
		}
		conditions, values = append(conditions, when), append(values, then)
	}
	otherwise := expr.Operand{Literal: pgvalue.Literal{OID: pgvalue.Unknown, Null: true}}
	if c.GetDefresult() != nil {
		if otherwise, refusal = r.operand(c.GetDefresult()); refusal != nil {
			return expr.Operand{}, refusal
		}
	}
	oid, refusal := r.unify(append([]expr.Operand{otherwise}, values...))
	if refusal != nil {
		return expr.Operand{}, pgerror.At(c.GetLocation(), refusal)
	}
	result := &expr.Conditional{OID: oid}
	for i := range conditions {
		if values[i], refusal = r.unified(values[i], oid); refusal != nil {
			return expr.Operand{}, pgerror.At(c.GetLocation(), refusal)
		}
		result.Branches = append(result.Branches, expr.Branch{When: conditions[i], Then: values[i]})
	}
	if result.Otherwise, refusal = r.unified(otherwise, oid); refusal != nil {
		return expr.Operand{}, pgerror.At(c.GetLocation(), refusal)
	}
	return expr.Operand{Row: result, Loc: c.GetLocation()}, nil
}

// coalesce reads COALESCE: the first value that is not NULL.
func (r *conditionReader) coalesce(c *pg.CoalesceExpr) (expr.Operand, *pgerror.Refusal) {
	values, oid, refusal := r.list(c.GetArgs(), c.GetLocation())
	if refusal != nil {
		return expr.Operand{}, refusal
	}
	result := &expr.Conditional{OID: oid, Otherwise: values[len(values)-1]}
	for _, v := range values[:len(values)-1] {
		var missing expr.Predicate = expr.OperandNull{Operand: v}
		if !v.IsConstant() {
			missing = expr.IsNull{Row: v.Row}
		}
		result.Branches = append(result.Branches, expr.Branch{When: expr.Negation{Arg: missing}, Then: v})
	}
	return expr.Operand{Row: result, Loc: c.GetLocation()}, nil
}

// extreme reads GREATEST and LEAST.
func (r *conditionReader) extreme(m *pg.MinMaxExpr) (expr.Operand, *pgerror.Refusal) {
	values, oid, refusal := r.list(m.GetArgs(), m.GetLocation())
	if refusal != nil {
		return expr.Operand{}, refusal
	}
	name := "LEAST"
	if m.GetOp() == pg.MinMaxOp_IS_GREATEST {
		name = "GREATEST"
	}
	return expr.Operand{Row: &expr.Chosen{Name: name, OID: oid, Args: values}, Loc: m.GetLocation()}, nil
}

// list reads values of a common type.
func (r *conditionReader) list(nodes []*pg.Node, loc int32) ([]expr.Operand, pgvalue.OID, *pgerror.Refusal) {
	values := make([]expr.Operand, len(nodes))
	var refusal *pgerror.Refusal
	for i, n := range nodes {
		if values[i], refusal = r.operand(n); refusal != nil {
			return nil, 0, refusal
		}
	}
	oid, refusal := r.unify(values)
	if refusal != nil {
		return nil, 0, pgerror.At(loc, refusal)
	}
	for i := range values {
		if values[i], refusal = r.unified(values[i], oid); refusal != nil {
			return nil, 0, pgerror.At(loc, refusal)
		}
	}
	return values, oid, nil
}
