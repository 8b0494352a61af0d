package rewrite

import (
	"fmt"
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// A source is the protected table that a SELECT reads, under the name that it has there.
type source struct {
	table   *Table
	name    string // the alias, or the table's own name
	aliased bool
	written string // the table as the analyst wrote it
}

func newSource(t *Table, rv *pg.RangeVar) *source {
	s := &source{table: t, name: rv.GetRelname(), written: quoteIdentifier(rv.GetRelname())}
	if rv.GetSchemaname() != "" {
		s.written = quoteIdentifier(rv.GetSchemaname()) + "." + s.written
	}
	if rv.GetAlias() != nil {
		s.name, s.aliased = rv.GetAlias().GetAliasname(), true
	}
	return s
}

// systemColumns are columns of every table besides its own.
var systemColumns = []string{"tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"}

// has reports whether PostgreSQL finds a column of the name in the table, usable or not.
func (s *source) has(name string) bool {
	return s.table.column(name) != nil || slices.Contains(s.table.Unlisted, name) || slices.Contains(systemColumns, name)
}

// column resolves a column reference to a listed column. PostgreSQL would take a name that is no column for a function of the row
// or for an outer query's column; here it is refused.
func (s *source) column(ref *pg.ColumnRef) (*Column, *Refusal) {
	c, refusal := s.resolve(ref)
	return c, at(ref.GetLocation(), refusal)
}

func (s *source) resolve(ref *pg.ColumnRef) (*Column, *Refusal) {
	name, refusal := s.columnName(ref)
	if refusal != nil {
		return nil, refusal
	}
	if c := s.table.column(name); c != nil {
		return c, nil
	}
	switch {
	case slices.Contains(s.table.Unlisted, name):
		return nil, &Refusal{
			Code:    codePrivilege,
			Message: fmt.Sprintf("column %q of protected table %s cannot be used", name, s.written),
			Hint:    "Usable columns are " + s.table.listed() + ".",
		}
	case slices.Contains(systemColumns, name):
		return nil, &Refusal{
			Code:    codePrivilege,
			Message: fmt.Sprintf("system column %q of protected table %s cannot be used", name, s.written),
			Hint:    "Usable columns are " + s.table.listed() + ".",
		}
	case len(ref.GetFields()) == 1 && name == s.name:
		return nil, s.refuseWholeRow()
	case len(ref.GetFields()) == 1:
		return nil, &Refusal{
			Code:    codeUndefinedColumn,
			Message: fmt.Sprintf("column %q does not exist", name),
			Hint:    "Usable columns are " + s.table.listed() + "; not those of an outer query, if there is one.",
		}
	}
	return nil, &Refusal{
		Code:    codeUndefinedColumn,
		Message: fmt.Sprintf("column %s.%s does not exist", quoteIdentifier(s.name), quoteIdentifier(name)),
		Hint:    "Usable columns are " + s.table.listed() + ".",
	}
}

const outerHint = "A count of a protected table cannot refer to columns of an outer query."

// columnName returns the column part of a reference to this source.
func (s *source) columnName(ref *pg.ColumnRef) (string, *Refusal) {
	fields := ref.GetFields()
	last := fields[len(fields)-1]
	qualifiers := stringsOf(fields[:len(fields)-1])
	if !s.matches(qualifiers) {
		return "", s.refuseQualifier(qualifiers)
	}
	if last.GetAStar() != nil {
		return "", s.refuseWholeRow()
	}
	return last.GetString_().GetSval(), nil
}

// matches reports whether the part of a column reference before the column means this source: nothing, its name, or, if it
// has no alias, schema and table.
func (s *source) matches(qualifiers []string) bool {
	switch len(qualifiers) {
	case 0:
		return true
	case 1:
		return qualifiers[0] == s.name
	case 2:
		name := s.table.Policy.Name
		return !s.aliased && qualifiers[0] == name.Schema && qualifiers[1] == name.Name
	}
	return false
}

func (s *source) refuseQualifier(qualifiers []string) *Refusal {
	table := qualifiers[len(qualifiers)-1]
	r := &Refusal{Code: codeUndefinedTable, Message: fmt.Sprintf("missing FROM-clause entry for table %q", table), Hint: outerHint}
	if s.aliased && table == s.table.Policy.Name.Name {
		r.Message = fmt.Sprintf("invalid reference to FROM-clause entry for table %q", table)
		r.Hint = fmt.Sprintf("Perhaps you meant to reference the table alias %q.", s.name)
	}
	return r
}

func (s *source) refuseWholeRow() *Refusal { return refuseRows(s.example(nil)) }

// example suggests a question by the given keys.
func (s *source) example(keys []string) example { return example{s.table, s.written, keys} }
