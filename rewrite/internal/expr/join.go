package expr

import (
	"fmt"
	"slices"
	"strings"

	"tacit/policy"
	"tacit/rewrite/internal/pgvalue"
)

// A join adds the columns of a public table to each row: along a unique key of that table, so that a row of the protected table
// is still at most one row.
type Join struct {
	Table *PublicTable
	// protected is set instead of table for the second protected table, whose columns then are columns.
	Protected *Table
	Columns   []Column
	// Persons is set besides for one row of each person who has rows of it that meet PersonsWhere.
	Persons      *PersonValue
	PersonsWhere Formula
	Aggregates   []*Column // of the rows of each
	Text         string    // its name in the canonical text of the question
	Alias        string    // its name for the curator
	Left         bool
	On           []JoinPair
}

// A JoinPair is an equality of a column of the public table with one of what stands before it.
type JoinPair struct{ Key, Outer *Column }

func (j *Join) SQL(w *SQLWriter) string {
	kind := "JOIN"
	if j.Left {
		kind = "LEFT JOIN"
	}
	conditions := make([]string, len(j.On))
	for i, p := range j.On {
		conditions[i] = fmt.Sprintf("%s OPERATOR(pg_catalog.=) %s", w.Column(p.Outer), w.Column(p.Key))
	}
	return fmt.Sprintf(" %s %s.%s AS %s ON %s", kind, pgvalue.AlwaysQuoted(j.name().Schema), pgvalue.AlwaysQuoted(j.name().Name), j.Alias, strings.Join(conditions, " AND "))
}

func (j *Join) name() policy.TableName {
	if j.Protected != nil {
		return j.Protected.Policy.Name
	}
	return j.Table.Name
}

func (j *Join) String() string {
	kind := " JOIN "
	if j.Left {
		kind = " LEFT JOIN "
	}
	conditions := make([]string, len(j.On))
	for i, p := range j.On {
		conditions[i] = p.Outer.Text() + " = " + p.Key.Text()
	}
	return kind + j.name().String() + " AS " + j.Text + " ON " + strings.Join(conditions, " AND ")
}

// A PublicTable is a table that the policy lists under public, which protected tables may be joined with.
type PublicTable struct {
	Name    policy.TableName
	OID     uint32
	Columns []Column
	// Unique are the unique keys that PostgreSQL enforces: the columns of each.
	Unique [][]string
}

// Person is the column that tells the persons of a protected table apart.
func (j *Join) Person() *Column {
	i := slices.IndexFunc(j.Columns, func(c Column) bool { return c.Name == j.Protected.Person.Column.Name })
	return &j.Columns[i]
}

// Output is the name of an aggregate of a person's rows for the curator, which no column of the table has.
func (j *Join) Output(c *Column) string {
	name := fmt.Sprintf("value %d", slices.Index(j.Aggregates, c)+1)
	if name == j.Protected.Person.Column.Name {
		name += "_"
	}
	return pgvalue.AlwaysQuoted(name)
}
