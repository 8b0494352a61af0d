package rewrite

import (
	"cmp"
	"fmt"
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/policy"
)

// Two protected tables can be joined along the columns that tell persons apart. Each joined row is then of one person, the value
// of these columns, and depends on her own rows of both tables alone: a person more or less, in either table or in both, adds or
// takes away joined rows of hers, and no others. So what bounds the rows of a person in one table (bounded) bounds her joined
// rows as well, and its proof needs nothing else of the rows that it ranks.
//
// A row without a person joins nothing. Any bounds would do, since the noise is made for those that are used (see
// BoundQuery.person).
//
// Of the two, the one whose name comes first leads, so that a question is the same whichever is written first: its columns stand by
// themselves in canonical texts and in the curator's SQL, those of the other behind its alias, like a public table's.

// partnerAlias is the name of the table that does not lead, in canonical texts and for the curator.
const partnerAlias = "t2"

// newPartner makes the join by which a table follows the one that leads, with columns of its own.
func newPartner(t *Table) *join {
	j := &join{protected: t, text: partnerAlias, alias: partnerAlias, columns: slices.Clone(t.Columns)}
	if p := t.Person; p != nil && t.column(p.Column.Name) == nil {
		j.columns = append(j.columns, p.Column)
	}
	for i := range j.columns {
		j.columns[i].joined = j
	}
	return j
}

// protectedIn lists the protected tables whose rows FROM items give, in the order in which they stand.
func (a *analysis) protectedIn(items []*pg.Node) []*pg.RangeVar {
	var found []*pg.RangeVar
	for _, n := range items {
		switch v := n.GetNode().(type) {
		case *pg.Node_RangeVar:
			if a.mentions.tables[v.RangeVar] != nil {
				found = append(found, v.RangeVar)
			}
		case *pg.Node_JoinExpr:
			found = append(found, a.protectedIn([]*pg.Node{v.JoinExpr.GetLarg(), v.JoinExpr.GetRarg()})...)
		case *pg.Node_RangeTableSample:
			found = append(found, a.protectedIn([]*pg.Node{v.RangeTableSample.GetRelation()})...)
		case *pg.Node_RangeSubselect:
			if sel := v.RangeSubselect.GetSubquery().GetSelectStmt(); a.keepsRows(sel) {
				found = append(found, a.protectedIn(sel.GetFromClause())...)
			}
		}
	}
	return found
}

// choosePartner decides which of two protected tables of a FROM clause leads, and refuses more of them.
func (a *analysis) choosePartner(items []*pg.Node) *Refusal {
	tables := a.protectedIn(items)
	switch {
	case len(tables) < 2:
		return nil
	case len(tables) > 2:
		return at(tables[2].GetLocation(), notSupported("a join of more than two protected tables is not supported", "Count in sub-selects and join their results."))
	}
	partner := tables[1]
	if compareNames(a.mentions.tables[tables[0]].Policy.Name, a.mentions.tables[tables[1]].Policy.Name) > 0 {
		partner = tables[0]
	}
	if a.partners == nil {
		a.partners = make(map[*pg.RangeVar]bool)
	}
	a.partners[partner] = true
	return nil
}

func compareNames(a, b policy.TableName) int {
	return cmp.Or(cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Name, b.Name))
}

// add takes in what gives rows of a protected table.
func (f *fromReader) add(s *source) {
	if f.source == nil {
		f.source = s
		return
	}
	f.second = s
}

// joinPersons makes one source of two that give rows of protected tables, if a condition equates their persons.
func (f *fromReader) joinPersons(where []*pg.Node) *Refusal {
	lead, partner := f.source, f.second
	if lead.partner != nil {
		lead, partner = partner, lead
	}
	j := partner.partner
	if refusal := canJoin(lead.table, partner.table); refusal != nil {
		return refusal
	}
	joined := &source{
		table: lead.table, written: lead.written, partner: j, met: make(map[*pg.Node]bool),
		relations: slices.Concat(f.source.relations, f.second.relations),
		where:     slices.Concat(f.source.where, f.second.where),
		joins:     slices.Concat(lead.joins, []*join{j}, partner.joins),
	}
	if len(f.using) > 0 && !f.usesPersons(joined) {
		return refuseWithoutPersons(lead.table, partner.table)
	}
	for _, n := range slices.Concat(f.conditions, where) {
		if joined.equatesPersons(n) {
			joined.met[n] = true
		}
	}
	if len(f.using)+len(joined.met) == 0 {
		return refuseWithoutPersons(lead.table, partner.table)
	}
	j.on = []joinPair{{key: j.person(), outer: &lead.table.Person.Column}}
	f.source, f.second = joined, nil
	return nil
}

// usesPersons reads JOIN USING, which must name the persons' columns alone, and leaves the name to the first table.
func (f *fromReader) usesPersons(joined *source) bool {
	ref := &pg.ColumnRef{Fields: nameNodes(f.using)}
	if len(f.using) != 1 {
		return false
	}
	left, refusal := f.source.resolve(ref)
	if refusal != nil {
		return false
	}
	right, refusal := f.second.resolve(ref)
	if refusal != nil || !joined.arePersons(left.column.value, right.column.value) {
		return false
	}
	if left.column.value.row.typeOf() != right.column.value.row.typeOf() { // the column would be of a type that they have in common
		return false
	}
	r := f.second.relations[right.relation]
	r.merged = append(r.merged, f.using[0])
	return true
}

// equatesPersons reports whether a condition is the equality of the persons of both tables.
func (s *source) equatesPersons(n *pg.Node) bool {
	e := n.GetAExpr()
	if e == nil || e.GetKind() != pg.A_Expr_Kind_AEXPR_OP || e.GetLexpr().GetColumnRef() == nil || e.GetRexpr().GetColumnRef() == nil {
		return false
	}
	if op, ok := comparisonOperator(e.GetName()); !ok || op != equal {
		return false
	}
	left, refusal := s.resolve(e.GetLexpr().GetColumnRef())
	if refusal != nil {
		return false
	}
	right, refusal := s.resolve(e.GetRexpr().GetColumnRef())
	return refusal == nil && s.arePersons(left.column.value, right.column.value)
}

// arePersons reports whether two values are the persons of the two tables.
func (s *source) arePersons(a, b operand) bool {
	if !s.isPerson(a.row) || !s.isPerson(b.row) {
		return false
	}
	return a.row.(*Column).joined != b.row.(*Column).joined
}

// isPerson reports whether a value is that of a column that tells the persons of the source apart.
func (s *source) isPerson(e expression) bool {
	c, ok := e.(*Column)
	if !ok || !c.Stored() {
		return false
	}
	t := s.table
	if s.partner != nil && c.joined == s.partner {
		t = s.partner.protected
	} else if c.joined != nil {
		return false
	}
	return t.Person != nil && c.Name == t.Person.Column.Name
}

// person is the column that tells the persons of a protected table apart.
func (j *join) person() *Column {
	i := slices.IndexFunc(j.columns, func(c Column) bool { return c.Name == j.protected.Person.Column.Name })
	return &j.columns[i]
}

// canJoin says whether the persons of two tables are told apart in one way, and whether their losses are.
func canJoin(a, b *Table) *Refusal {
	for _, t := range []*Table{a, b} {
		if t.Person == nil {
			return notSupported(fmt.Sprintf("protected table %s cannot be joined with another, since the policy names no column that tells its persons apart", t.Policy.Name),
				fmt.Sprintf("Count in sub-selects and join their results. Or ask the steward to declare the column of persons, where each has one row: person: {column: id, rows: 1, groups: 1} for %s.", t.Policy.Name))
		}
	}
	x, y := &a.Person.Column, &b.Person.Column
	switch {
	case !joinable(x, y):
		return notSupported(fmt.Sprintf("protected tables %s and %s cannot be joined, since their persons are of different types (%s, %s)", a.Policy.Name, b.Policy.Name, x.Formatted, y.Formatted),
			"Count in sub-selects and join their results.")
	case x.Collation != "":
		// A collation may equate names that are different persons to bounded.
		return notSupported(fmt.Sprintf("protected tables %s and %s cannot be joined, since their persons have a collation of their own", a.Policy.Name, b.Policy.Name),
			"Count in sub-selects and join their results.")
	case !a.Policy.Mechanism.Combines(b.Policy.Mechanism):
		return notSupported(fmt.Sprintf("protected tables %s and %s cannot be joined, since their counts are sanitized by mechanisms that do not combine", a.Policy.Name, b.Policy.Name),
			"Count in sub-selects and join their results.")
	case a.Policy.Adjacency != b.Policy.Adjacency:
		return notSupported(fmt.Sprintf("protected tables %s and %s cannot be joined, since their losses are stated under different adjacencies", a.Policy.Name, b.Policy.Name),
			"Count in sub-selects and join their results.")
	}
	return nil
}

func refuseWithoutPersons(a, b *Table) *Refusal {
	x, y := quoteIdentifier(a.Person.Column.Name), quoteIdentifier(b.Person.Column.Name)
	return notSupported(fmt.Sprintf("the join of protected tables %s and %s is not along their persons", a.Policy.Name, b.Policy.Name),
		fmt.Sprintf("Equate the columns that tell persons apart: FROM %s AS a JOIN %s AS b ON a.%s = b.%s, with further conditions as you like. Or count in sub-selects and join their results.",
			a.Policy.Name, b.Policy.Name, x, y))
}

// Partner is the second protected table of a join along persons, nil if there is none. It may be the same as the first.
func (q *BoundQuery) Partner() *Table {
	if q.partner == nil {
		return nil
	}
	return q.partner.protected
}

// TableOf is the table of a stored column that is protected; ok is false for a column of a public table.
func (q *BoundQuery) TableOf(c *Column) (name policy.TableName, ok bool) {
	switch {
	case c.joined == nil:
		return q.Table.Policy.Name, true
	case c.joined.protected != nil:
		return c.joined.protected.Policy.Name, true
	}
	return policy.TableName{}, false
}

// person says how persons are told apart in the rows that the query counts; nil if each row is a person. Of two tables' bounds
// it takes the larger ones: any are sound, since Sensitivity is that of the bounds taken, and what the steward found to be enough
// for the rows of one table should not cut those of the other short.
func (q *BoundQuery) person() *Person {
	p := q.Table.Person
	if q.partner == nil {
		return p
	}
	other := q.partner.protected.Person
	return &Person{Column: p.Column, Rows: max(p.Rows, other.Rows), Groups: max(p.Groups, other.Groups)}
}

// PersonBounds is how many rows, in how many groups, one person counts for.
func (q *BoundQuery) PersonBounds() (rows, groups int) {
	p := q.person()
	return p.Rows, p.Groups
}
