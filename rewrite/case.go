package rewrite

import (
	"slices"
	"strconv"

	pg "github.com/pganalyze/pg_query_go/v6"

	"google.golang.org/protobuf/proto"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/extent"
	"tacit/rewrite/internal/pgtree"
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

// maxThresholds bounds the array of width_bucket, each of whose elements is a comparison.
const maxThresholds = 100

// bucketOf reads width_bucket(value, ARRAY[...]): how many of the elements, which rise, the value has reached.
func (r *conditionReader) bucketOf(f *pg.FuncCall) (expr.Operand, *pgerror.Refusal) {
	thresholds, ok := elementsOf(f.GetArgs()[1])
	if !ok || len(thresholds) == 0 || len(thresholds) > maxThresholds {
		return expr.Operand{}, thresholdsUnread.At(f.GetLocation(), maxThresholds)
	}
	value, refusal := r.operand(f.GetArgs()[0])
	switch {
	case refusal != nil:
		return expr.Operand{}, refusal
	case value.IsConstant() || r.typeOf(value) == pgvalue.Float4 || value.Zoned: // real is compared with numeric in another way than it is counted
		return expr.Operand{}, thresholdsUnread.At(f.GetLocation(), maxThresholds)
	}
	result := &expr.Conditional{OID: pgvalue.Int4}
	number := func(n int) expr.Operand {
		return expr.Operand{Literal: pgvalue.Literal{OID: pgvalue.Int4, Text: strconv.Itoa(n)}, Loc: f.GetLocation()}
	}
	var before pgvalue.Datum
	for i, n := range thresholds {
		d, below, refusal := r.below(value, n)
		switch {
		case refusal != nil:
			return expr.Operand{}, pgerror.At(f.GetLocation(), refusal)
		case i > 0 && extent.After(before, d):
			return expr.Operand{}, thresholdsUnread.At(f.GetLocation(), maxThresholds)
		}
		before = d
		result.Branches = append(result.Branches, expr.Branch{When: below, Then: number(i)})
	}
	result.Branches = append(result.Branches, expr.Branch{When: expr.Negation{Arg: expr.IsNull{Row: value.Row}}, Then: number(len(thresholds))})
	result.Otherwise = expr.Operand{Literal: pgvalue.Literal{OID: pgvalue.Int4, Null: true}}
	return expr.Operand{Row: result, Loc: f.GetLocation()}, nil
}

// below is where a value of the row is below a threshold, a constant.
func (r *conditionReader) below(value expr.Operand, n *pg.Node) (pgvalue.Datum, expr.Predicate, *pgerror.Refusal) {
	o, refusal := r.operand(n)
	if refusal != nil {
		return pgvalue.Datum{}, nil, refusal
	}
	if !o.IsConstant() || o.Param > 0 || o.Fixed != nil || o.Literal.Null {
		return pgvalue.Datum{}, nil, thresholdsUnread.With(maxThresholds)
	}
	below, refusal := r.compareOperands(value, expr.Less, o)
	if refusal != nil {
		return pgvalue.Datum{}, nil, refusal
	}
	compared, ok := below.(expr.Compared)
	if !ok || compared.Operand.Fixed != nil {
		return pgvalue.Datum{}, nil, thresholdsUnread.With(maxThresholds)
	}
	d, refusal := compared.Operand.Literal.Read(compared.As)
	return d, below, refusal
}

// elementsOf are the elements of an array, ARRAY[...] or a text with a cast, each with the cast that the array stands in.
func elementsOf(n *pg.Node) (elements []*pg.Node, ok bool) {
	cast := n.GetTypeCast()
	if cast == nil {
		list := n.GetAArrayExpr()
		literal := func(n *pg.Node) bool { return n.GetAConst().GetSval() != nil }
		return list.GetElements(), list != nil && !slices.ContainsFunc(list.GetElements(), literal)
	}
	of := proto.Clone(cast.GetTypeName()).(*pg.TypeName)
	if len(of.GetArrayBounds()) != 1 {
		return nil, false
	}
	of.ArrayBounds = nil
	if list := cast.GetArg().GetAArrayExpr(); list != nil {
		elements = list.GetElements()
	} else {
		values, refusal := pgvalue.ParseArray(cast.GetArg().GetAConst().GetSval().GetSval())
		if refusal != nil || slices.ContainsFunc(values, func(v pgvalue.Value) bool { return v.Null }) {
			return nil, false
		}
		for _, v := range values {
			elements = append(elements, pg.MakeAConstStrNode(v.Text, -1))
		}
	}
	casts := make([]*pg.Node, len(elements))
	for i, e := range elements {
		casts[i] = pgtree.CastNode(e, of)
	}
	return casts, true
}
