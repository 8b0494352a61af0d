package rewrite

import (
	"fmt"
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// A sub-select in a condition may read another protected table, or the same one, along the columns that tell persons apart: EXISTS with an equality of
// these, or IN. It is then a value of the person of a row (expr.PersonValue), and charged to both tables, as a join is. Its own conditions are those
// of a WHERE clause and read by the same code, so that no row makes them fail.

// A personSelect is such a sub-select.
type personSelect struct {
	rows    *pg.RangeVar
	outer   *source
	inner   *source
	related bool // by an equality of persons in its WHERE clause
	present bool // rows without a person are left out by its WHERE clause
	where   []expr.Predicate
}

// ofPersons reads EXISTS (SELECT ...), person IN (SELECT person ...) and person <> ALL (SELECT person ...), once each.
func (a *analysis) ofPersons(link *pg.SubLink, outer *source) (p expr.Predicate, found bool, refusal *pgerror.Refusal) {
	if known := a.membership[link]; known != nil {
		return known, true, nil
	}
	sel := link.GetSubselect().GetSelectStmt()
	a.mention(sel)
	if !slices.ContainsFunc(sel.GetFromClause(), a.readsRows) {
		return nil, false, nil
	}
	p, refusal = a.personsAmong(link, sel, outer)
	if refusal == nil {
		if a.membership == nil {
			a.membership = make(map[*pg.SubLink]expr.Predicate)
		}
		a.membership[link] = p
	}
	return p, true, refusal
}

// enterPersons begins to read what is found of persons in a table of its own, and what it returns ends it. Nothing in there asks for other tables of
// persons: its SQL has no place for them.
func (a *analysis) enterPersons() (leave func()) {
	a.withinPersons++
	return func() { a.withinPersons-- }
}

// A mention is a table that the policy names, protected or public.
type mention struct {
	name      string
	protected *expr.Table
	public    *expr.PublicTable
}

func (a *analysis) noteMentions() {
	a.mentioned = make(map[int32]mention)
	for rv, t := range a.references.tables {
		a.mentioned[rv.GetLocation()] = mention{name: rv.GetRelname(), protected: t}
	}
	for rv, t := range a.references.publics {
		a.mentioned[rv.GetLocation()] = mention{name: rv.GetRelname(), public: t}
	}
}

// mention finds the tables of a sub-select that may be a copy of one in the statement, and keeps in mind which are protected.
func (a *analysis) mention(sel *pg.SelectStmt) {
	for rv := range pgtree.Nodes[*pg.RangeVar](sel.ProtoReflect()) {
		m, ok := a.mentioned[rv.GetLocation()]
		switch {
		case !ok || m.name != rv.GetRelname():
		case m.public != nil:
			a.references.publics[rv] = m.public
		default:
			if a.readWithin == nil {
				a.readWithin = make(map[*pg.RangeVar]*expr.Table)
			}
			a.references.tables[rv], a.readWithin[rv] = m.protected, m.protected
		}
	}
}

func (a *analysis) personsAmong(link *pg.SubLink, sel *pg.SelectStmt, outer *source) (expr.Predicate, *pgerror.Refusal) {
	nested := a.withinPersons > 0
	defer a.enterPersons()()
	s := &personSelect{rows: a.protectedIn(sel.GetFromClause())[0], outer: outer}
	exists, not := link.GetSubLinkType() == pg.SubLinkType_EXISTS_SUBLINK, link.GetSubLinkType() == pg.SubLinkType_ALL_SUBLINK
	refused := subselectProtected.At(s.rows.GetLocation(), insteadOf(outer, a.references.tables[s.rows]))
	grouped := a.isByPerson(sel)
	if !exists && !comparesAny(link) || !grouped && !a.keepsRows(distinctRows(sel)) {
		return nil, refused
	}
	var refusal *pgerror.Refusal
	if s.inner, refusal = a.readFrom(sel, new(int)); refusal != nil {
		return nil, pgerror.At(s.rows.GetLocation(), refusal)
	}
	if s.inner.partner != nil {
		return nil, refused
	}
	if refusal := canJoin(outer.table, s.inner.table); refusal != nil {
		return nil, pgerror.At(s.rows.GetLocation(), refusal)
	}
	s.related = slices.ContainsFunc(pgtree.Conjuncts(sel.GetWhereClause()), s.relates)
	if nested || exists && !s.related || !exists && !s.comparesPersons(link, sel) {
		return nil, refused
	}
	if refusal := s.readWhere(sel.GetWhereClause(), a.params); refusal != nil {
		return nil, refusal
	}
	if exists {
		if refusal := s.checkOutputs(sel, a.params); refusal != nil {
			return nil, refusal
		}
	}
	rows, conditions, refusal := s.persons(sel, grouped, a.params)
	if refusal != nil {
		return nil, pgerror.At(s.rows.GetLocation(), refusal)
	}
	person := &s.inner.table.Person.Column
	among := expr.AmongPersons{Row: rows}
	if !exists && !s.related && !s.present && !person.NotNull {
		among.Unknown = personMissing.At(s.rows.GetLocation(), pgvalue.QuoteIdentifier(person.Name), s.inner.table.Policy.Name, "SELECT count(*) FROM "+outer.table.Policy.Name.String()+" AS a WHERE NOT "+existsRow(s.inner.table, outer.person()))
	}
	var p expr.Predicate = among
	if len(conditions) > 0 {
		p = expr.Junction{And: true, Args: append([]expr.Predicate{among}, conditions...)}
	}
	if not {
		return expr.Negation{Arg: p}, nil
	}
	return p, nil
}

// persons are those whom the sub-select finds, and what is true of their rows then: of those that it groups by person, or that a sub-select of its own does.
func (s *personSelect) persons(sel *pg.SelectStmt, grouped bool, params *parameters) (rows *expr.PersonValue, conditions []expr.Predicate, refusal *pgerror.Refusal) {
	if rows = s.inner.lead; rows != nil {
		rows.Outer = s.outer.person()
		if grouped {
			return nil, nil, refuseGrouping(s.inner)
		}
		return rows, areTrue(append(s.inner.where, s.where...)), nil
	}
	rows = &expr.PersonValue{
		Table: s.inner.table, Joins: s.inner.joins, Where: expr.Junction{And: true, Args: besidesKeys(s.inner.joins, append(s.inner.where, s.where...))}, Outer: s.outer.person(),
	}
	if !grouped {
		return rows, nil, nil
	}
	g, refusal := aggregationOf(s.inner, sel, rows, params)
	if refusal == nil {
		conditions, refusal = g.having(sel)
	}
	return rows, areTrue(conditions), refusal
}

// areTrue says of conditions that they are true, rather than unknown.
func areTrue(conditions []expr.Predicate) []expr.Predicate {
	for i, p := range conditions {
		conditions[i] = expr.TruthTest{Arg: p, Is: true}
	}
	return conditions
}

// comparesAny reports whether a sub-select stands in = ANY or <> ALL.
func comparesAny(link *pg.SubLink) bool {
	op, ok := expr.Equal, true
	if len(link.GetOperName()) > 0 {
		op, ok = comparisonOperator(link.GetOperName())
	}
	return ok && (link.GetSubLinkType() == pg.SubLinkType_ANY_SUBLINK && op == expr.Equal || link.GetSubLinkType() == pg.SubLinkType_ALL_SUBLINK && op == expr.Unequal)
}

// distinctRows is a SELECT without DISTINCT, which makes no difference to whether there is a row.
func distinctRows(sel *pg.SelectStmt) *pg.SelectStmt {
	if d := sel.GetDistinctClause(); len(d) != 1 || d[0].GetNode() != nil {
		return sel
	}
	return &pg.SelectStmt{
		TargetList: sel.TargetList, FromClause: sel.FromClause, WhereClause: sel.WhereClause, GroupClause: sel.GroupClause, HavingClause: sel.HavingClause,
		WindowClause: sel.WindowClause, ValuesLists: sel.ValuesLists, LimitOffset: sel.LimitOffset, LimitCount: sel.LimitCount, LockingClause: sel.LockingClause,
		WithClause: sel.WithClause, IntoClause: sel.IntoClause, Op: sel.Op,
	}
}

// readWhere reads the conditions of the sub-select, but for those about persons.
func (s *personSelect) readWhere(where *pg.Node, params *parameters) *pgerror.Refusal {
	reader := &conditionReader{source: s.inner, params: params}
	for _, n := range pgtree.Conjuncts(where) {
		switch {
		case s.relates(n):
		case s.leavesNobodyOut(n):
			s.present = true
		default:
			p, refusal := reader.read(n, "WHERE")
			if refusal != nil && s.reachesOut(n) {
				return rowsCompared.At(pgtree.Location(n), s.inner.table.Policy.Name, pgvalue.QuoteIdentifier(s.inner.table.Person.Column.Name))
			}
			if refusal != nil {
				return refusal
			}
			s.where = append(s.where, p)
		}
	}
	return nil
}

// reachesOut reports whether a condition has columns of the row around the sub-select.
func (s *personSelect) reachesOut(n *pg.Node) (found bool) {
	pgtree.WalkLevel(n, func(n *pg.Node) bool {
		ref := n.GetColumnRef()
		found = found || ref != nil && !s.inner.means(ref) && s.outer.means(ref)
		return !found
	})
	return found
}

// relates reports whether a condition equates the persons of both tables. A name means a column of the sub-select if that has one.
func (s *personSelect) relates(n *pg.Node) bool {
	e := n.GetAExpr()
	if e.GetKind() != pg.A_Expr_Kind_AEXPR_OP || e.GetLexpr().GetColumnRef() == nil || e.GetRexpr().GetColumnRef() == nil {
		return false
	}
	if op, ok := comparisonOperator(e.GetName()); !ok || op != expr.Equal {
		return false
	}
	left, right := e.GetLexpr().GetColumnRef(), e.GetRexpr().GetColumnRef()
	return s.innerPerson(left) && s.outerPerson(right) || s.innerPerson(right) && s.outerPerson(left)
}

func (s *personSelect) innerPerson(ref *pg.ColumnRef) bool {
	return s.inner.means(ref) && isPersonOf(s.inner, ref)
}

func (s *personSelect) outerPerson(ref *pg.ColumnRef) bool {
	return !s.inner.means(ref) && isPersonOf(s.outer, ref)
}

// leavesNobodyOut reports whether a condition is person IS NOT NULL.
func (s *personSelect) leavesNobodyOut(n *pg.Node) bool {
	test := n.GetNullTest()
	return test.GetNulltesttype() == pg.NullTestType_IS_NOT_NULL && test.GetArg().GetColumnRef() != nil && s.innerPerson(test.GetArg().GetColumnRef())
}

// comparesPersons reports whether IN compares the persons of both tables.
func (s *personSelect) comparesPersons(link *pg.SubLink, sel *pg.SelectStmt) bool {
	left := link.GetTestexpr().GetColumnRef()
	if left == nil || len(sel.GetTargetList()) != 1 {
		return false
	}
	right := sel.GetTargetList()[0].GetResTarget().GetVal().GetColumnRef()
	return right != nil && isPersonOf(s.outer, left) && s.innerPerson(right)
}

// checkOutputs refuses what the sub-select of EXISTS selects, whose values do not matter, if PostgreSQL would.
func (s *personSelect) checkOutputs(sel *pg.SelectStmt, params *parameters) *pgerror.Refusal {
	reader := &conditionReader{source: s.inner, params: params}
	for _, target := range sel.GetTargetList() {
		value := target.GetResTarget().GetVal()
		fields := value.GetColumnRef().GetFields()
		switch {
		case len(fields) == 1 && fields[0].GetAStar() != nil, value.GetAConst() != nil:
		case len(fields) > 0 && fields[len(fields)-1].GetAStar() != nil:
			if qualifiers := pgtree.Strings(fields[:len(fields)-1]); len(s.inner.matching(qualifiers)) == 0 {
				return pgerror.At(value.GetColumnRef().GetLocation(), s.inner.refuseQualifier(qualifiers))
			}
		case len(fields) > 0:
			if _, refusal := s.inner.resolve(value.GetColumnRef()); refusal != nil {
				return pgerror.At(value.GetColumnRef().GetLocation(), refusal)
			}
		default:
			if _, refusal := reader.operand(value); refusal != nil {
				return refusal
			}
		}
	}
	return nil
}

// means reports whether a reference means something of the source, rather than of an outer query.
func (s *source) means(ref *pg.ColumnRef) bool {
	fields := ref.GetFields()
	if len(fields) == 1 {
		return s.has(fields[0].GetString_().GetSval())
	}
	return len(s.matching(pgtree.Strings(fields[:len(fields)-1]))) > 0
}

// isPersonOf reports whether a reference means the column that tells the persons of a source apart.
func isPersonOf(s *source, ref *pg.ColumnRef) bool {
	found, refusal := s.resolve(ref)
	return refusal == nil && s.isPerson(found.column.value.Row)
}

// person is the column that tells the persons of a source apart.
func (s *source) person() *expr.Column {
	if s.partner != nil && s.met == nil { // to be joined with the table that leads
		return s.partner.Person()
	}
	return &s.table.Person.Column
}

// existsRow asks whether the person of a row a has rows of a table.
func existsRow(t *expr.Table, person *expr.Column) string {
	return fmt.Sprintf("EXISTS (SELECT FROM %s AS b WHERE b.%s = a.%s)", t.Policy.Name, pgvalue.QuoteIdentifier(t.Person.Column.Name), pgvalue.QuoteIdentifier(person.Name))
}

// insteadOf is a statement about the persons of both tables, "" if there is none.
func insteadOf(outer *source, t *expr.Table) string {
	if t == nil || canJoin(outer.table, t) != nil {
		return ""
	}
	return "SELECT count(*) FROM " + outer.table.Policy.Name.String() + " AS a WHERE " + existsRow(t, outer.person())
}

// valueOf reads (SELECT count(*) FROM visits AS v WHERE v.patient_id = p.patient_id), an aggregate of what the person of a row has in a protected table. found is
// false of other sub-selects.
func (a *analysis) valueOf(link *pg.SubLink, outer *source) (o expr.Operand, found bool, refusal *pgerror.Refusal) {
	sel := link.GetSubselect().GetSelectStmt()
	if link.GetSubLinkType() != pg.SubLinkType_EXPR_SUBLINK || sel == nil {
		return o, false, nil
	}
	if known, ok := a.values[link]; ok {
		return known, true, nil
	}
	a.mention(sel)
	if !slices.ContainsFunc(sel.GetFromClause(), a.readsRows) || !pgtree.HasAggregate(sel) {
		return o, false, nil
	}
	if o, refusal = a.readValue(sel, outer); refusal == nil {
		if a.values == nil {
			a.values = make(map[*pg.SubLink]expr.Operand)
		}
		a.values[link] = o
	}
	return o, true, refusal
}

func (a *analysis) readValue(sel *pg.SelectStmt, outer *source) (expr.Operand, *pgerror.Refusal) {
	nested := a.withinPersons > 0
	defer a.enterPersons()()
	s := &personSelect{rows: a.protectedIn(sel.GetFromClause())[0], outer: outer}
	refused := subselectProtected.At(s.rows.GetLocation(), insteadOf(outer, a.references.tables[s.rows]))
	rows := &pg.SelectStmt{FromClause: sel.FromClause, Op: pg.SetOperation_SETOP_NONE}
	alone := a.keepsRows(rows) && sel.GetOp() == pg.SetOperation_SETOP_NONE && sel.GetWithClause() == nil && len(sel.GetDistinctClause())+len(sel.GetGroupClause())+len(sel.GetWindowClause())+len(sel.GetSortClause())+len(sel.GetLockingClause()) == 0 &&
		sel.GetHavingClause() == nil && sel.GetLimitCount() == nil && sel.GetLimitOffset() == nil && !pgtree.HasWindow(sel)
	if !alone || nested || len(sel.GetTargetList()) != 1 {
		return expr.Operand{}, refused
	}
	var refusal *pgerror.Refusal
	if s.inner, refusal = a.readFrom(sel, new(int)); refusal != nil {
		return expr.Operand{}, pgerror.At(s.rows.GetLocation(), refusal)
	}
	if s.inner.partner != nil || s.inner.lead != nil {
		return expr.Operand{}, refused
	}
	if refusal := canJoin(outer.table, s.inner.table); refusal != nil {
		return expr.Operand{}, pgerror.At(s.rows.GetLocation(), refusal)
	}
	if !slices.ContainsFunc(pgtree.Conjuncts(sel.GetWhereClause()), s.relates) {
		return expr.Operand{}, refused
	}
	if refusal := s.readWhere(sel.GetWhereClause(), a.params); refusal != nil {
		return expr.Operand{}, refusal
	}
	found, _, refusal := s.persons(sel, false, a.params)
	if refusal != nil {
		return expr.Operand{}, refusal
	}
	g := &aggregation{s.inner, found, s.inner.table, a.params}
	return g.reader().operand(sel.GetTargetList()[0].GetResTarget().GetVal())
}
