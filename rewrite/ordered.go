package rewrite

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// This file reads percentile_disc, percentile_cont and mode over rows, and median, which tools write for percentile_cont(0.5). Each fraction is a value of
// its own among the cells, of which the expression that takes the place of the call is made. The least and the greatest value are those of one
// row, so that min and max are refused, and so are the fractions 0 and 1.

// isOrdered reports whether a function chooses a value by the order of rows.
func isOrdered(name string) bool {
	return slices.Contains([]string{"percentile_disc", "percentile_cont", "mode", "median"}, name)
}

// An orderedCall is a call of one of these.
type orderedCall struct {
	name string
	call *pg.FuncCall
	// by is what rows are ordered by.
	by *pg.Node
	// fractions are those of the call; none of mode. list says that they are an array.
	fractions []query.Fraction
	list      bool
}

// replaceOrdered replaces a call in the tree.
func (r *selectReader) replaceOrdered(n *pg.Node, name string) *pgerror.Refusal {
	f := n.GetFuncCall()
	c, refusal := r.readOrdered(f, name)
	if refusal != nil {
		return refusal
	}
	value, refusal := r.orderedValue(c)
	if refusal != nil {
		return refusal
	}
	filter, refusal := r.filter(f)
	if refusal != nil {
		return refusal
	}
	fractions := c.fractions
	if name == "mode" {
		fractions = []query.Fraction{{}}
	}
	var parts []*pg.Node
	for _, fraction := range fractions {
		count := query.Count{Filter: filter, Ordered: &query.Ordered{Value: value.Row, Fraction: fraction}}
		i, refusal := r.addCount(f, fraction.String(), count)
		if refusal != nil {
			return refusal
		}
		parts = append(parts, c.shown(r.countColumn(i, f.GetLocation()), value.Row.TypeOf()))
	}
	if c.list {
		n.Node = &pg.Node_AArrayExpr{AArrayExpr: &pg.A_ArrayExpr{Elements: parts, Location: -1}}
		return nil
	}
	n.Node = parts[0].Node
	return nil
}

// shown gives a value the type that the call has.
func (c orderedCall) shown(value *pg.Node, oid pgvalue.OID) *pg.Node {
	switch {
	case c.name == "percentile_cont" || c.name == "median":
		return pgtree.CastNode(value, pgtree.TypeNode([]string{"pg_catalog", pgvalue.Typname(pgvalue.Float8)}, nil))
	case oid == pgvalue.Bpchar:
		return pgtree.CastNode(value, pgtree.TypeNode([]string{"bpchar"}, nil))
	}
	return value
}

// readOrdered reads the form of a call.
func (r *selectReader) readOrdered(f *pg.FuncCall, name string) (c orderedCall, refusal *pgerror.Refusal) {
	table, arguments := r.source.table, 1
	switch {
	case table.Audited():
		return c, orderedAudited.With(name)
	case !table.Policy.Mechanism.Kind.AddsNoise():
		return c, orderedMechanism.With(name, table.Policy.Mechanism.Kind)
	case r.grouped:
		return c, orderedTotals.With(name)
	case name == "mode":
		arguments = 0
	}
	within := name != "median"
	if f.GetAggStar() || f.GetAggDistinct() || f.GetFuncVariadic() || f.GetAggWithinGroup() != within || len(f.GetArgs()) != arguments || within != (len(f.GetAggOrder()) == 1) {
		return c, r.refuseCount(aggregateForm, name)
	}
	c = orderedCall{name: name, call: f}
	switch name {
	case "median":
		c.by, c.fractions = f.GetArgs()[0], []query.Fraction{{Of: 1, All: 2}}
		return c, nil
	case "mode":
	default:
		var ok bool
		if c.fractions, c.list, ok = readFractions(f.GetArgs()[0]); !ok {
			return c, fractionRefused.At(pgtree.Location(f.GetArgs()[0]), name)
		}
	}
	by := f.GetAggOrder()[0].GetSortBy()
	if by.GetSortbyDir() != pg.SortByDir_SORTBY_DEFAULT && by.GetSortbyDir() != pg.SortByDir_SORTBY_ASC || by.GetSortbyNulls() != pg.SortByNulls_SORTBY_NULLS_DEFAULT {
		return c, orderRefused.With(name)
	}
	c.by = by.GetNode()
	return c, nil
}

// orderedValue reads what rows are ordered by.
func (r *selectReader) orderedValue(c orderedCall) (o expr.Operand, refusal *pgerror.Refusal) {
	if o, refusal = r.reader().operand(c.by); refusal != nil {
		return o, refusal
	}
	if o.IsConstant() {
		return o, r.refuseCount(aggregateForm, c.name)
	}
	oid, loc := o.Row.TypeOf(), pgtree.Location(c.by)
	numbers := pgvalue.FamilyOf(oid) == pgvalue.Numbers
	switch continuous := c.name == "percentile_cont" || c.name == "median"; {
	case !pgvalue.CanBeKey(oid), o.Zoned, c.name == "mode" && pgvalue.FamilyOf(oid) == pgvalue.Texts && hasCollation(o.Row):
		return o, orderedType.At(loc, c.name, pgvalue.ShownType(oid), "")
	case continuous && !numbers && pgvalue.IsTime(oid):
		return o, orderedType.At(loc, c.name, pgvalue.ShownType(oid), " percentile_disc orders dates and times, too.")
	case continuous && !numbers, c.name == "percentile_disc" && !numbers && !pgvalue.IsTime(oid):
		return o, orderedType.At(loc, c.name, pgvalue.ShownType(oid), " mode() finds the most frequent one of other values.")
	}
	return o, nil
}

func hasCollation(e expr.Expression) bool {
	c, ok := e.(*expr.Column)
	return ok && c.Collation != ""
}

// readFractions reads a constant fraction, or an array of such.
func readFractions(n *pg.Node) (fractions []query.Fraction, list, ok bool) {
	for n.GetTypeCast() != nil {
		n = n.GetTypeCast().GetArg()
	}
	if array := n.GetAArrayExpr(); array != nil {
		for _, element := range array.GetElements() {
			f, list, ok := readFractions(element)
			if !ok || list {
				return nil, true, false
			}
			fractions = append(fractions, f...)
		}
		return fractions, true, len(fractions) > 0
	}
	text := n.GetAConst().GetFval().GetFval()
	if s := n.GetAConst().GetSval(); s != nil {
		text = strings.TrimSpace(s.GetSval())
		if inner, isArray := strings.CutPrefix(text, "{"); isArray {
			for part := range strings.SplitSeq(strings.TrimSuffix(inner, "}"), ",") {
				f, ok := query.ParseFraction(strings.TrimSpace(part))
				if !ok {
					return nil, true, false
				}
				fractions = append(fractions, f)
			}
			return fractions, true, strings.HasSuffix(text, "}")
		}
	}
	f, ok := query.ParseFraction(text)
	return []query.Fraction{f}, false, ok
}

// refuseExtreme refuses min and max, and suggests a percentile near them, if that is answered.
func (r *selectReader) refuseExtreme(f *pg.FuncCall, name string) *pgerror.Refusal {
	if len(f.GetArgs()) != 1 || f.GetAggDistinct() {
		return r.refuseCount(aggregateUnknown, name)
	}
	o, refusal := r.countArgument(f.GetArgs()[0])
	if refusal != nil {
		return refusal
	}
	c, stored := o.Row.(*expr.Column)
	if !stored || c.Domain == nil || !query.Orders(c) || c.Joined != nil || r.grouped || !r.source.table.Policy.Mechanism.Kind.AddsNoise() {
		return r.refuseCount(aggregateUnknown, name)
	}
	fraction := map[string]string{"min": "0.01", "max": "0.99"}[name]
	return extremeRefused.With(name, "SELECT percentile_disc("+fraction+") WITHIN GROUP (ORDER BY "+pgvalue.QuoteIdentifier(c.Name)+") FROM "+r.source.written)
}
