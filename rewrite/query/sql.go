package query

import (
	"fmt"
	"slices"
	"strings"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
)

// CountSQL is the statement that counts, for the curator: one row for each group that exists, with columns for
// the keys in their canonical form and for the counts. The arguments are text; the session's DateStyle is to be ISO
// and its TimeZone UTC. Nothing in it can fail on a row, and every name is qualified.
func (q *BoundQuery) CountSQL(counts []Count) (sql string, args []string) {
	var w expr.SQLWriter
	sql = q.countSQL(&w, counts)
	return sql, w.Args
}

// countSQL is CountSQL as a part of a statement with arguments of its own.
func (q *BoundQuery) countSQL(w *expr.SQLWriter, counts []Count) string {
	if _, ok := q.IsBeyond(); ok {
		return q.beyondSQL(w, q.Counts[0])
	}
	w.Column = q.Column
	outputs, groups := q.keys(w, q.Keys)
	for i, c := range counts {
		if c.Measure != nil {
			outputs = append(outputs, c.outputs(w, q.conditionsOf(w, c)))
			continue
		}
		outputs = append(outputs, fmt.Sprintf("%s AS c%d", q.count(w, c), i+1))
	}
	sql := "SELECT " + strings.Join(outputs, ", ") + " FROM " + q.from(w, counts)
	if len(groups) > 0 {
		sql += " GROUP BY " + strings.Join(groups, ", ")
	}
	return sql
}

// from is what CountSQL reads: the rows that WHERE lets pass, of a relation t and of public tables.
func (q *BoundQuery) from(w *expr.SQLWriter, counts []Count) string {
	if q.person() != nil && !q.oneRow() {
		return q.bounded(w, slices.ContainsFunc(counts, func(c Count) bool { return !c.Persons }))
	}
	from := q.Tables(w)
	if q.Where != expr.Truth(true) {
		from += " WHERE " + w.Formula(q.Where)
	}
	return from
}

// Tables are the protected table, t, of which one row of each person if no more of them count, and the public tables that it is joined with.
func (q *BoundQuery) Tables(w *expr.SQLWriter) string {
	from := q.firstSide(w)
	switch {
	case q.lead != nil:
		from = leadRows(q.lead, w)
	case q.oneRow():
		from = q.firstRows(w)
	}
	for _, j := range q.joins {
		if j == q.partner {
			from += q.secondSide(w)
		} else {
			from += j.SQL(w)
		}
	}
	for _, j := range q.personGroups() {
		if j != q.lead {
			from += personJoin(j, w)
		}
	}
	return from
}

// protectedTable is the (first) protected table, t.
func (q *BoundQuery) protectedTable() string {
	name := q.Table.Policy.Name
	return fmt.Sprintf("%s.%s AS t", pgvalue.AlwaysQuoted(name.Schema), pgvalue.AlwaysQuoted(name.Name))
}

// count prints one count.
func (q *BoundQuery) count(w *expr.SQLWriter, c Count) string {
	output := "pg_catalog.count(*)"
	switch {
	case c.Persons:
		output = "pg_catalog.count(DISTINCT " + w.Key(&q.Table.Person.Column) + ")"
	case c.distinctColumn != nil:
		output = "pg_catalog.count(DISTINCT " + w.Value(c.distinctColumn) + ")"
	}
	if conditions := q.conditionsOf(w, c); len(conditions) > 0 {
		output += " FILTER (WHERE " + strings.Join(conditions, " AND ") + ")"
	}
	return output
}

// conditionsOf are those on the rows that are counted.
func (q *BoundQuery) conditionsOf(w *expr.SQLWriter, c Count) []string {
	conditions := q.counted(c)
	if f := c.formula(); f != expr.Truth(true) {
		conditions = append(conditions, w.Formula(f))
	}
	return conditions
}

// DomainSQL is a statement, for the curator, that tells which of the given cells, column by column, the WHERE clause
// can let pass: it yields their ordinals, from 1. Conditions on other columns than keys count as met. It reads no table. If ok is
// false the clause says nothing of the keys and every cell can pass.
func (q *BoundQuery) DomainSQL(keys [][]pgvalue.Value) (sql string, args []string, ok bool) {
	position := make(map[*expr.Column]string, len(q.Keys))
	for i, k := range q.Keys {
		position[k] = fmt.Sprintf("u.k%d", i+1)
	}
	where := project(q.Where, func(c *expr.Column) bool { return isKnown(c, position) })
	if where == expr.Truth(true) || len(q.Keys) == 0 {
		return "", nil, false
	}
	w := expr.SQLWriter{Keys: position}
	var arrays, names []string
	for i, k := range q.Keys {
		arrays = append(arrays, "pg_catalog.unnest("+w.Arg(pgvalue.ArrayOfValues(keys[i]), k.TypeName+"[]")+")")
		names = append(names, fmt.Sprintf("k%d", i+1))
	}
	sql = fmt.Sprintf("SELECT u.o FROM ROWS FROM (%s) WITH ORDINALITY AS u(%s, o) WHERE %s ORDER BY u.o",
		strings.Join(arrays, ", "), strings.Join(names, ", "), w.Formula(where))
	return sql, w.Args, true
}

// project replaces what is said of columns that are not known by TRUE. A formula without negations only grows by that.
func project(f expr.Formula, known func(*expr.Column) bool) expr.Formula {
	kept := true
	switch f := f.(type) {
	case expr.All:
		return projectAll(f, known)
	case expr.AnyOf:
		parts := make(expr.AnyOf, len(f))
		for i, part := range f {
			if parts[i] = project(part, known); parts[i] == expr.Truth(true) {
				return expr.Truth(true)
			}
		}
		return parts
	case expr.Comparison:
		kept = known(f.Column)
	case expr.Membership:
		kept = known(f.Column)
	case expr.Nullness:
		kept = known(f.Column)
	case expr.Pairing:
		kept = known(f.Left) && known(f.Right)
	}
	if !kept {
		return expr.Truth(true)
	}
	return f
}

// isKnown reports whether a column is one of those that are there, or computed of stored ones that are.
func isKnown(c *expr.Column, columns map[*expr.Column]string) bool {
	if _, ok := columns[c]; ok {
		return true
	}
	return !c.Stored() && !slices.ContainsFunc(c.Inputs(), func(input *expr.Column) bool { _, ok := columns[input]; return !ok })
}

// projectAll leaves out the parts of an AND that are TRUE.
func projectAll(f expr.All, known func(*expr.Column) bool) expr.Formula {
	var parts expr.All
	for _, part := range f {
		if part := project(part, known); part != expr.Truth(true) {
			parts = append(parts, part)
		}
	}
	switch len(parts) {
	case 0:
		return expr.Truth(true)
	case 1:
		return parts[0]
	}
	return parts
}
