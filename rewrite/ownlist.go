package rewrite

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// A sub-select in a condition that reads nothing protected is the analyst's own affair: city IN (SELECT city FROM mine). Like other
// expressions without columns (fixed.go) it is evaluated in her session, with her privileges and before anything is charged, and its
// values are constants of the question: two lists of the same values are one question, wherever they come from.
//
// It is printed from the tree and runs by itself, in no scope of names: a column that it does not find in its own relations, which
// would be one of the protected table, is the server's error. Names of relations mean the same by themselves only if they are not
// those of a WITH query around it: that could be one that hides a protected table, which the server would then plan.

const (
	// maxOwnValues is the most values that such a sub-select may yield, maxOwnBytes the most that they may come to as an array.
	maxOwnValues = 10_000
	maxOwnBytes  = 1 << 20
)

// ownSelect prints a sub-select of the analyst's own.
func (a *analysis) ownSelect(n *pg.Node) (string, *Refusal) {
	sel := n.GetSelectStmt()
	if sel == nil || sel.GetIntoClause() != nil {
		return "", refuseOwn("this sub-select cannot stand in a condition on a protected table")
	}
	if rv := a.protectedWithin(sel.ProtoReflect()); rv != nil {
		return "", at(rv.GetLocation(), refuseOwn("a sub-select of a protected table cannot stand in a condition on one"))
	}
	if param := paramWithin(sel.ProtoReflect()); param != nil {
		return "", at(param.GetLocation(), refuseOwn("a parameter in a sub-select in a condition on a protected table is not supported"))
	}
	alone := newMentionReader(a.session)
	alone.names = a.mentions.names
	alone.statement(&pg.RawStmt{Stmt: n})
	if alone.err != nil {
		a.err = alone.err
		return "", refuseOwn("this sub-select cannot stand in a condition on a protected table")
	}
	for _, rv := range alone.relations {
		if rv.GetSchemaname() == "" && slices.Contains(a.withNames, rv.GetRelname()) {
			return "", at(rv.GetLocation(), refuseOwn(fmt.Sprintf("a sub-select in a condition on a protected table cannot read the WITH query %s around it", quoteIdentifier(rv.GetRelname()))))
		}
	}
	if alone.found() || alone.related != nil {
		return "", refuseOwn("a sub-select of a protected table cannot stand in a condition on one")
	}
	printed, refusal := a.printer.print(oneStatement(proto.Clone(n).(*pg.Node), a.tree.GetVersion()))
	if refusal != nil {
		return "", refusal
	}
	if len(printed.pieces) != 1 { // with a report in it
		return "", refuseOwn("a report of the proxy cannot be read in a condition on a protected table")
	}
	return printed.pieces[0], nil
}

func refuseOwn(message string) *Refusal {
	return notSupported(message, "A sub-select in a condition may read your own tables alone, is evaluated before the count and yields constants: WHERE city IN (SELECT city FROM mine). "+
		"For anything else keep its result in a table of your own first, or give the values as a list.")
}

func paramWithin(m protoreflect.Message) (found *pg.ParamRef) {
	if v, ok := m.Interface().(*pg.ParamRef); ok {
		return v
	}
	children(m, func(child protoreflect.Message) bool {
		found = paramWithin(child)
		return found == nil
	})
	return found
}

// ownArray is an array of the values of a sub-select, told by the analyst's session. array is its expression, of which %s is the
// sub-select. The session yields the OID of the array's type, a blank, and the array of the values' texts, which to_jsonb prints
// without regard to settings; or an empty text, if there are too many of them. The arrays are not pulled up into what reads them
// (OFFSET 0), where the sub-select would be evaluated more than once.
func (r *conditionReader) ownArray(array string, link *pg.SubLink) (operand, *Refusal) {
	sub, refusal := r.params.ownSelect(link.GetSubselect())
	if refusal != nil {
		return operand{}, at(link.GetLocation(), refusal)
	}
	for _, ref := range columnsWithin(link.GetSubselect().ProtoReflect()) {
		fields := ref.GetFields()
		if len(fields) > 1 && r.source.names(fields[0].GetString_().GetSval()) && !declares(link.GetSubselect().ProtoReflect(), fields[0].GetString_().GetSval()) {
			return operand{}, at(ref.GetLocation(), refuseOwn("a sub-select in a condition on a protected table cannot refer to its columns"))
		}
	}
	sql := "(SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) " + strconv.Itoa(maxOwnBytes) +
		" OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) " + strconv.Itoa(maxOwnValues) +
		" THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END" +
		" FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t" +
		" FROM (SELECT " + fmt.Sprintf(array, sub) + " AS a OFFSET 0) AS o OFFSET 0) AS s)"
	return r.ownConstant(sql, oidText, link.GetLocation()), nil
}

// ownConstant is an expression of the analyst's session of a known type.
func (r *conditionReader) ownConstant(sql string, oid typeOID, loc int32) operand {
	plain := strings.ReplaceAll(sql, "%", "%%") // it goes through Sprintf
	return r.params.addFixed(&call{function: &overload{name: "sub-select", result: oid, plain: plain}, loc: loc})
}

func columnsWithin(m protoreflect.Message) (found []*pg.ColumnRef) {
	if v, ok := m.Interface().(*pg.ColumnRef); ok {
		return []*pg.ColumnRef{v}
	}
	children(m, func(child protoreflect.Message) bool {
		found = append(found, columnsWithin(child)...)
		return true
	})
	return found
}

// ownMembership reads value IN (SELECT ...), = ANY (SELECT ...) and <> ALL (SELECT ...).
func (r *conditionReader) ownMembership(link *pg.SubLink) (predicate, *Refusal) {
	op, ok := equal, true
	if len(link.GetOperName()) > 0 {
		op, ok = comparisonOperator(link.GetOperName())
	}
	isAny := link.GetSubLinkType() == pg.SubLinkType_ANY_SUBLINK
	isAll := link.GetSubLinkType() == pg.SubLinkType_ALL_SUBLINK
	if !ok || !(isAny && op == equal || isAll && op == unequal) {
		return nil, at(link.GetLocation(), refuseOwn("this use of a sub-select is not supported in a condition on a protected table"))
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
		p = negation{p}
	}
	return p, at(link.GetLocation(), refusal)
}

// amongOwn reads the membership in an array of a sub-select's values.
func (r *conditionReader) amongOwn(left, list operand) (predicate, *Refusal) {
	switch {
	case left.isConstant():
		return nil, refuseOwn("a comparison of a constant with a sub-select is not supported in a condition on a protected table")
	case left.zoned:
		return nil, refuseZone(oidTimestamptz)
	}
	return amongOwn{left.row, list}, nil
}

// compareOwn reads value op (SELECT ...) if one side is a sub-select.
func (r *conditionReader) compareOwn(left *pg.Node, op operator, right *pg.Node) (p predicate, found bool, refusal *Refusal) {
	link := right.GetSubLink()
	if link == nil {
		if link = left.GetSubLink(); link == nil {
			return nil, false, nil
		}
		left, op = right, op.flipped()
	}
	if link.GetSubLinkType() != pg.SubLinkType_EXPR_SUBLINK || left.GetSubLink() != nil {
		return nil, false, nil
	}
	a, refusal := r.operand(left)
	if refusal != nil {
		return nil, true, refusal
	}
	switch {
	case a.isConstant():
		return nil, true, at(link.GetLocation(), refuseOwn("a comparison of a constant with a sub-select is not supported in a condition on a protected table"))
	case a.zoned:
		return nil, true, at(link.GetLocation(), refuseZone(oidTimestamptz))
	}
	value, refusal := r.ownArray("ARRAY[(%s)]", link)
	return comparedOwn{a.row, op, value}, true, refusal
}

// castOwn reads (SELECT ...)::type, which may stand wherever a constant may. The types allowed are those whose values are short.
func (r *conditionReader) castOwn(link *pg.SubLink, to typeOID) (operand, *Refusal) {
	if link.GetSubLinkType() != pg.SubLinkType_EXPR_SUBLINK {
		return operand{}, refuseCondition(&pg.Node{Node: &pg.Node_SubLink{SubLink: link}})
	}
	if isText(to) {
		return operand{}, at(link.GetLocation(), refuseOwn("casting a sub-select to "+shownType(to)+" is not supported in a condition on a protected table; compare it as it is"))
	}
	sub, refusal := r.params.ownSelect(link.GetSubselect())
	if refusal != nil {
		return operand{}, at(link.GetLocation(), refusal)
	}
	return r.ownConstant("("+sub+")::"+typeName(to), to, link.GetLocation()), nil
}

type (
	// amongOwn is column = ANY (array of a sub-select).
	amongOwn struct {
		row  expression
		list operand
	}
	// comparedOwn is column op (SELECT ...).
	comparedOwn struct {
		row   expression
		op    operator
		value operand
	}
)

func (p amongOwn) when(is bool, b *binding) formula {
	of, values, ok := b.own(p.list)
	if !ok {
		return truth(false)
	}
	as, refusal := comparedWithOwn(p.row.typeOf(), equal, of)
	if refusal != nil {
		b.fail(p.list.loc, refusal)
		return truth(false)
	}
	if len(values) == 0 {
		return truth(!is) // of no element: false even for NULL
	}
	list := among{row: p.row, common: of, as: as}
	for _, v := range values {
		list.elements = append(list.elements, operand{literal: literal{oid: of, text: v.Text, null: v.Null}, loc: p.list.loc})
	}
	return list.when(is, b)
}

func (p comparedOwn) when(is bool, b *binding) formula {
	of, values, ok := b.own(p.value)
	if !ok {
		return truth(false)
	}
	as, refusal := comparedWithOwn(p.row.typeOf(), p.op, of)
	if refusal != nil {
		b.fail(p.value.loc, refusal)
		return truth(false)
	}
	if len(values) != 1 { // of an array that is NULL
		b.fail(p.value.loc, refuseTooMuchOwn())
		return truth(false)
	}
	value := operand{literal: literal{oid: of, text: values[0].Text, null: values[0].Null}, loc: p.value.loc}
	return compared{p.row, p.op, value, as}.when(is, b)
}

// comparedWithOwn tells as what type a value is read that is compared with a column; its type is known when the sub-select was
// evaluated.
func comparedWithOwn(column typeOID, op operator, of typeOID) (typeOID, *Refusal) {
	as, refusal := comparisonType(column, of)
	if refusal != nil && refusal.Code == codeUndefinedOp {
		return 0, undefinedOperator(column, op, of)
	}
	return as, refusal
}

func refuseTooMuchOwn() *Refusal {
	return refuseOwn(fmt.Sprintf("a sub-select in a condition on a protected table yields arrays, or more than %d values or %d bytes", maxOwnValues, maxOwnBytes))
}

// withNames lists the names of all WITH queries in a statement.
func withNames(m protoreflect.Message) (names []string) {
	if v, ok := m.Interface().(*pg.CommonTableExpr); ok {
		names = append(names, v.GetCtename())
	}
	children(m, func(child protoreflect.Message) bool {
		names = append(names, withNames(child)...)
		return true
	})
	return names
}

// own reads what the analyst's session tells of a sub-select: the type of the values, and the values.
func (b *binding) own(o operand) (of typeOID, values []Value, ok bool) {
	if b.untold || o.fixed.index >= len(b.constants) || b.refusal != nil {
		return 0, nil, false
	}
	text := b.constants[o.fixed.index].Text
	if text == "" {
		b.fail(o.loc, refuseTooMuchOwn())
		return 0, nil, false
	}
	number, array, _ := strings.Cut(text, " ")
	oid, err := strconv.ParseUint(number, 10, 32)
	element, known := elementType(typeOID(oid))
	if err != nil || !known {
		b.fail(o.loc, refuseOwn("a sub-select in a condition on a protected table yields values of a type that is not supported there; cast them, to text for example"))
		return 0, nil, false
	}
	if !b.read(array) {
		return 0, nil, false
	}
	values, refusal := parseArray(array)
	if refusal != nil {
		b.fail(o.loc, refusal)
	}
	return element.oid, values, refusal == nil
}
