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
