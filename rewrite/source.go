package rewrite

import (
	"fmt"
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/policy"
	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// A source is what the FROM clause of a protected SELECT reads: the rows of a protected table, perhaps through sub-selects that keep
// rows as they are, perhaps with columns of public tables beside them. Each row of the table is at most one row of the source; but for
// a join of two protected tables along their persons (personjoin.go).
type source struct {
	table   *expr.Table
	written string // the table as the analyst wrote it
	// relations are what the FROM clause names, in order.
	relations []*relation
	// where are the conditions of sub-selects and of joins.
	where []expr.Predicate
	joins []*expr.Join
	// partner is the second protected table of a join, or says that this source is of it; met are the conditions that join the two.
	partner *expr.Join
	met     map[*pg.Node]bool
	// lead makes the rows those of the persons whom it finds; nil of rows of the table.
	lead *expr.PersonValue
}

// A relation is one name in a FROM clause, with its columns.
type relation struct {
	name    string // the alias, or the table's own name
	aliased bool
	table   policy.TableName // zero for a sub-select
	columns []namedValue
	// unlisted columns exist and cannot be used.
	unlisted []string
	// present are those of them that are NULL in no row.
	present []string
	// merged are the columns that JOIN USING has made one with those of an earlier relation. By itself their name means that one;
	// after the name of this relation it means its own, as in PostgreSQL, which is NULL where a LEFT JOIN finds no row.
	merged []string
	// listed says what can be used, for hints.
	listed string
}

// A namedValue is a column of a relation: its name, and what it is computed of.
type namedValue struct {
	name  string
	value expr.Operand
}

func newRelation(rv *pg.RangeVar, table policy.TableName) *relation {
	r := &relation{name: rv.GetRelname(), table: table}
	if rv.GetAlias() != nil {
		r.name, r.aliased = rv.GetAlias().GetAliasname(), true
	}
	return r
}

func writtenAs(rv *pg.RangeVar) string {
	written := pgvalue.QuoteIdentifier(rv.GetRelname())
	if rv.GetSchemaname() != "" {
		written = pgvalue.QuoteIdentifier(rv.GetSchemaname()) + "." + written
	}
	return written
}

// newSource is a protected table by itself, with the columns of partner if that is not nil.
func newSource(t *expr.Table, rv *pg.RangeVar, partner *expr.Join) *source {
	r := newRelation(rv, t.Policy.Name)
	r.listed = listedColumns(t)
	r.unlisted = slices.Concat(t.Unlisted, pgtree.SystemColumns)
	r.present = t.Present
	columns, person := t.Columns, (*expr.Column)(nil)
	if t.Person != nil {
		person = &t.Person.Column
	}
	if partner != nil {
		columns = partner.Columns[:len(t.Columns)]
		if t.Person != nil {
			person = partner.Person()
		}
	}
	for i := range columns {
		c := &columns[i]
		r.columns = append(r.columns, namedValue{c.Name, expr.Operand{Row: c}})
	}
	if person != nil && t.Column(person.Name) == nil {
		r.columns = append(r.columns, namedValue{person.Name, expr.Operand{Row: person, Unlisted: true}})
		r.unlisted = slices.DeleteFunc(r.unlisted, func(name string) bool { return name == person.Name })
	}
	return &source{table: t, written: writtenAs(rv), relations: []*relation{r}, partner: partner}
}

// name is that of the relation of cells that takes the source's place.
func (s *source) name() string { return s.relations[0].name }

// single reports whether the source is one relation, so that its columns keep their names among the cells.
func (s *source) single() bool { return len(s.relations) == 1 }

// find is the column that a name by itself means.
func (r *relation) find(name string) *namedValue {
	if slices.Contains(r.merged, name) {
		return nil
	}
	return r.own(name)
}

// own is the column that a name after that of the relation means.
func (r *relation) own(name string) *namedValue {
	for i := range r.columns {
		if r.columns[i].name == name {
			return &r.columns[i]
		}
	}
	return nil
}

// has reports whether PostgreSQL finds a column of the name, usable or not.
func (r *relation) has(name string) bool {
	return r.find(name) != nil || slices.Contains(r.unlisted, name)
}

func (s *source) has(name string) bool {
	return slices.ContainsFunc(s.relations, func(r *relation) bool { return r.has(name) })
}

// names reports whether one of the relations has the name.
func (s *source) names(name string) bool {
	return slices.ContainsFunc(s.relations, func(r *relation) bool { return r.name == name })
}

// A reading is a column reference that was resolved.
type reading struct {
	relation int
	column   *namedValue
}

// value reads a column reference.
func (s *source) value(ref *pg.ColumnRef) (expr.Operand, *pgerror.Refusal) {
	found, refusal := s.resolve(ref)
	if refusal != nil {
		return expr.Operand{}, pgerror.At(ref.GetLocation(), refusal)
	}
	o := found.column.value
	o.Loc = ref.GetLocation()
	if o.Unlisted {
		return o, pgerror.At(o.Loc, s.refuseUnlisted(s.relations[found.relation], found.column.name))
	}
	if c, ok := o.Row.(*expr.Column); ok && !c.Countable() {
		return o, pgerror.At(ref.GetLocation(), usable(c))
	}
	return o, nil
}

// resolve finds the column that a reference means. PostgreSQL would take a name that is no column for a function of the row
// or for an outer query's column; here it is refused.
func (s *source) resolve(ref *pg.ColumnRef) (reading, *pgerror.Refusal) {
	fields := ref.GetFields()
	qualifiers := pgtree.Strings(fields[:len(fields)-1])
	candidates := s.matching(qualifiers)
	if len(candidates) == 0 {
		return reading{}, s.refuseQualifier(qualifiers)
	}
	if fields[len(fields)-1].GetAStar() != nil {
		return reading{}, s.refuseWholeRow()
	}
	name := fields[len(fields)-1].GetString_().GetSval()
	var found []reading
	for _, i := range candidates {
		find := s.relations[i].find
		if len(qualifiers) > 0 {
			find = s.relations[i].own
		}
		if c := find(name); c != nil {
			found = append(found, reading{i, c})
		} else if s.relations[i].has(name) {
			return reading{}, s.refuseUnlisted(s.relations[i], name)
		}
	}
	switch {
	case len(found) > 1:
		return reading{}, columnAmbiguous.With(name)
	case len(found) == 1:
		return found[0], nil
	case len(fields) == 1 && s.names(name):
		return reading{}, s.refuseWholeRow()
	case len(fields) == 1:
		return reading{}, columnUnknown.With(name, s.listed(), perhapsColumn(name, s.relations...))
	}
	r := s.relations[candidates[0]]
	return reading{}, memberUnknown.With(pgvalue.QuoteIdentifier(r.name), pgvalue.QuoteIdentifier(name), r.listed, perhapsColumn(name, r))
}

// countsRows reports whether count(column) is count(*), of a column such as a primary key that the policy does not list.
func (s *source) countsRows(f *pg.FuncCall) bool {
	ref := f.GetArgs()[0].GetColumnRef()
	return ref != nil && !f.GetAggDistinct() && s.isPresent(ref)
}

// isPresent reports whether a reference means a column that cannot be used, and that is NULL in no row.
func (s *source) isPresent(ref *pg.ColumnRef) bool {
	fields := ref.GetFields()
	name, having := fields[len(fields)-1].GetString_().GetSval(), []*relation(nil)
	for _, i := range s.matching(pgtree.Strings(fields[:len(fields)-1])) {
		if s.relations[i].has(name) {
			having = append(having, s.relations[i])
		}
	}
	return len(having) == 1 && slices.Contains(having[0].present, name)
}

// perhapsColumn suggests a column for a misspelt name, as PostgreSQL does.
func perhapsColumn(misspelt string, relations ...*relation) string {
	var names []string
	tables := make(map[string]string)
	for _, r := range relations {
		for _, c := range r.columns {
			if !c.value.Unlisted {
				names, tables[c.name] = append(names, c.name), r.name
			}
		}
	}
	if name := pgerror.Closest(misspelt, names, pgerror.FewLetters); name != "" {
		return fmt.Sprintf("Perhaps you meant to reference the column \"%s.%s\". ", tables[name], name)
	}
	return ""
}

func (s *source) refuseUnlisted(r *relation, name string) *pgerror.Refusal {
	kind, table := "column", s.written
	if slices.Contains(pgtree.SystemColumns, name) {
		kind = "system column"
	}
	switch {
	case s.single() || r.table == s.table.Policy.Name:
	case s.partner != nil && r.table == s.partner.Protected.Policy.Name:
		table = r.table.String()
	default:
		return columnBeside.With(kind, name, r.table, r.listed)
	}
	return columnUnlisted.With(kind, name, table, r.listed)
}

func (s *source) listed() string {
	listed := ""
	for i, r := range s.relations {
		if i > 0 {
			listed += ", "
		}
		listed += r.listed
	}
	return listed
}

const outerHint = "A count of a protected table cannot refer to columns of an outer query."

// matching are the relations that the part of a column reference before the column can mean: nothing, a name, or, of a table
// without an alias, schema and table.
func (s *source) matching(qualifiers []string) []int {
	var found []int
	for i, r := range s.relations {
		switch len(qualifiers) {
		case 0:
			found = append(found, i)
		case 1:
			if qualifiers[0] == r.name {
				found = append(found, i)
			}
		case 2:
			if !r.aliased && r.table != (policy.TableName{}) && qualifiers[0] == r.table.Schema && qualifiers[1] == r.table.Name {
				found = append(found, i)
			}
		}
	}
	return found
}

func (s *source) refuseQualifier(qualifiers []string) *pgerror.Refusal {
	table := qualifiers[len(qualifiers)-1]
	r := &pgerror.Refusal{Code: pgerror.CodeUndefinedTable, Message: fmt.Sprintf("missing FROM-clause entry for table %q", table), Hint: outerHint}
	for _, relation := range s.relations {
		if relation.aliased && table == relation.table.Name {
			r.Message = fmt.Sprintf("invalid reference to FROM-clause entry for table %q", table)
			r.Hint = fmt.Sprintf("Perhaps you meant to reference the table alias %q.", relation.name)
		}
	}
	return r
}

func (s *source) refuseWholeRow() *pgerror.Refusal { return refuseRows(s.example(nil)) }

// example suggests a question by the given keys.
func (s *source) example(keys []string) example { return example{s.table, s.written, keys} }

// usable refuses columns of types whose operators this package does not know to be total.
func usable(c *expr.Column) *pgerror.Refusal {
	if c.Usable() {
		return nil
	}
	return typeRefused.With(c.Name, c.Formatted)
}

// joinable allows columns of types whose equality tells no more values of the key apart, and no fewer, than its unique index does.
func joinable(a, b *expr.Column) bool {
	same := a.TypeOID == b.TypeOID || pgvalue.IsInteger(a.TypeOID) && pgvalue.IsInteger(b.TypeOID) || pgvalue.FamilyOf(a.TypeOID) == pgvalue.Texts && pgvalue.FamilyOf(b.TypeOID) == pgvalue.Texts
	return same && a.Usable() && a.Collation == b.Collation
}
