package query

import (
	"slices"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/pgerror"
)

// Names in the curator's SQL are those of the tables in its FROM. A column of any other table would be an error after the charge, or, where a table has
// one of that name, another column, even one that the policy does not list. So each column is looked at once more before there is any SQL.

var strayColumn = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "column %[1]q cannot be used here, beside what persons have in another table",
	Hint: "Put a condition on it into the WHERE clause of the sub-select that reads its table."}

// checkSources refuses a query that uses a column of a table that it does not read.
func (q *BoundQuery) checkSources() *pgerror.Refusal {
	for _, c := range q.usedColumns() {
		if !q.reads(c) {
			return strayColumn.With(c.Name)
		}
	}
	for _, j := range q.personGroups() {
		inside := expr.ColumnsOf(j.PersonsWhere)
		for _, c := range j.Aggregates {
			inside = append(slices.Concat(inside, expr.ColumnsOf(c.Aggregate.Filter)), c.Aggregate.Arg)
		}
		for _, c := range expr.MergeInputs(inside...) {
			if c.Joined == nil && !has(j.Protected, c) || c.Joined != nil && !slices.Contains(j.Persons.Joins, c.Joined) {
				return strayColumn.With(c.Name)
			}
		}
	}
	return nil
}

// reads reports whether a stored column is one of the query's own tables.
func (q *BoundQuery) reads(c *expr.Column) bool {
	switch {
	case c.IsOfPersons():
		return true // its sub-select is in FROM
	case c.Joined != nil:
		return c.Joined == q.partner || slices.Contains(q.joins, c.Joined)
	case q.lead != nil:
		return c == &q.Table.Person.Column
	}
	return has(q.Table, c)
}

// has reports whether a column is one of a protected table.
func has(t *expr.Table, c *expr.Column) bool {
	for i := range t.Columns {
		if c == &t.Columns[i] {
			return true
		}
	}
	return t.Person != nil && c == &t.Person.Column
}
