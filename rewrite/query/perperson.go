package query

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tacit/policy"
	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
)

// A count can ask what persons have in other protected tables: EXISTS, IN, and their opposites, along the columns that tell persons apart. Each such
// condition is a value of the person of a row, found in one row for each person of the other table (expr.PersonValue). What a person counts for depends
// on her own rows in all these tables alone.

// A query can be about persons themselves, by what aggregates yield of the rows of each: how many visits each has, or when the first was. The rows that
// are counted are then those of such a sub-select, one for each person, and no others. So a person more, with all her rows, adds one row to it, or
// none if none of hers meets the conditions there: all that holds of a table in which each row is a person holds here, and no bound is applied to the rows
// that a row is made of. Rows without a person are in none.

// OfEachPerson reports whether the query is about rows that are made of those of each person.
func (q *BoundQuery) OfEachPerson() bool { return q.lead != nil }

// personGroups are the sub-selects by persons that the query uses, each once.
func (q *BoundQuery) personGroups() []*expr.Join {
	var groups []*expr.Join
	if q.lead != nil {
		groups = append(groups, q.lead)
	}
	for _, c := range q.usedColumns() {
		if c.IsOfPersons() && !slices.Contains(groups, c.Joined) {
			groups = append(groups, c.Joined)
		}
	}
	slices.SortFunc(groups, func(a, b *expr.Join) int { return strings.Compare(a.Text, b.Text) })
	return groups
}

// usedColumns are the stored columns that the query uses in any way, each once.
func (q *BoundQuery) usedColumns() []*expr.Column {
	used := slices.Concat(q.Keys, q.cut, expr.ColumnsOf(q.Where))
	for _, c := range q.Counts {
		used = append(used, q.columnsOf(c)...)
	}
	return expr.MergeInputs(used...)
}

// columnsOf are the columns that a count uses besides those of WHERE and the keys.
func (q *BoundQuery) columnsOf(c Count) []*expr.Column {
	used := expr.ColumnsOf(c.formula())
	if v := c.valueColumn(); v != nil {
		used = append(used, v)
	}
	if by := c.OrderedBy(); by != nil {
		used = append(used, by)
	}
	return used
}

// OtherTables are the protected tables besides the first whose rows the query reads, each once: that of a join, and those of sub-selects by persons.
func (q *BoundQuery) OtherTables() []*expr.Table {
	var others []*expr.Table
	add := func(t *expr.Table) {
		if t.Policy.Name != q.Table.Policy.Name && !slices.ContainsFunc(others, func(o *expr.Table) bool { return o.Policy.Name == t.Policy.Name }) {
			others = append(others, t)
		}
	}
	if q.partner != nil {
		add(q.partner.Protected)
	}
	for _, j := range q.personGroups() {
		add(j.Protected)
	}
	return others
}

// personJoin is a LEFT JOIN of one row of each person, for the curator. It has at most one of each, so that it repeats no row: the types of both
// columns have one equality, by which it is grouped, too.
func personJoin(j *expr.Join, w *expr.SQLWriter) string {
	outer := w.Column(j.Persons.Outer)
	return fmt.Sprintf(" LEFT JOIN (%s) AS %s ON %s OPERATOR(pg_catalog.=) %s.person", personRows(j, w, "person", ", TRUE AS present"), j.Alias, outer, j.Alias)
}

// leadRows is a FROM item of the persons whom a query is about.
func leadRows(j *expr.Join, w *expr.SQLWriter) string {
	return fmt.Sprintf("(%s) AS %s", personRows(j, w, pgvalue.AlwaysQuoted(j.Protected.Person.Column.Name), ""), j.Alias)
}

// personRows has one row for each person who has rows of a table that meet a condition: who she is, by the name given, and what aggregates yield of them.
func personRows(j *expr.Join, w *expr.SQLWriter, name, more string) string {
	outside := w.Column
	w.Column = expr.TableColumn
	defer func() { w.Column = outside }()
	g := j.Persons
	person := expr.TableColumn(&g.Table.Person.Column)
	if g.Table.Person.Column.Collation != "" { // which may equate names that are different persons
		person = w.Bytewise(&g.Table.Person.Column)
	}
	outputs := person + " AS " + name + more
	for _, c := range j.Aggregates {
		outputs += ", " + aggregateSQL(c, w) + " AS " + j.Output(c)
	}
	from := fmt.Sprintf("%s.%s AS t", pgvalue.AlwaysQuoted(g.Table.Policy.Name.Schema), pgvalue.AlwaysQuoted(g.Table.Policy.Name.Name))
	for _, public := range g.Joins {
		from += public.SQL(w)
	}
	where := expr.TableColumn(&g.Table.Person.Column) + " IS NOT NULL"
	if j.PersonsWhere != expr.Truth(true) {
		where += " AND " + w.Formula(j.PersonsWhere)
	}
	return fmt.Sprintf("SELECT %s FROM %s WHERE %s GROUP BY %s", outputs, from, where, person)
}

// aggregateSQL prints an aggregate of a person's rows. None fails on any values: counts are held, and the others only choose a value.
func aggregateSQL(c *expr.Column, w *expr.SQLWriter) string {
	a, arg := c.Aggregate, "*"
	if a.Arg != nil {
		arg = w.Value(a.Arg)
	}
	if a.Distinct {
		arg = "DISTINCT " + arg
	}
	if a.From != nil {
		arg = heldSQL(a, arg, w)
	}
	call := fmt.Sprintf("pg_catalog.%s(%s)", a.Name, arg)
	if a.Filter != expr.Truth(true) {
		call += " FILTER (WHERE " + w.Formula(a.Filter) + ")"
	}
	switch {
	case a.Name == "count":
		return fmt.Sprintf("LEAST(%s, %d)", call, expr.MostCounted)
	case a.From != nil && c.TypeOID == pgvalue.Int8:
		// Both functions are NULL for NULL, the sum of no value, which LEAST and GREATEST pass over.
		return fmt.Sprintf("pg_catalog.numeric_smaller(pg_catalog.numeric_larger(%s, '%d'::pg_catalog.numeric), '%d'::pg_catalog.numeric)::pg_catalog.int8", call, math.MinInt64, math.MaxInt64)
	}
	if isExtreme := a.Name == "min" || a.Name == "max"; isExtreme && pgvalue.IsDecimal(c.TypeOID) && !(a.Arg.Stored() && a.Arg.Typmod >= 0) {
		return expr.CanonicalKey(call, c.TypeOID) // of 1.0 and 1.00 either may be the least
	}
	return call
}

// heldSQL holds a value that is added up between its bounds, or leaves it out, as a decimal: neither NaN nor an infinite number is added, and no sum of
// decimals between 1e-18 and 1e18 overflows. Whole numbers beyond int8 are not reached by as many rows as there can be.
func heldSQL(a *expr.BoundAggregate, value string, w *expr.SQLWriter) string {
	value = "(" + value + ")::pg_catalog.numeric"
	least, greatest := w.Arg(Decimal(a.From), "pg_catalog.numeric"), w.Arg(Decimal(a.To), "pg_catalog.numeric")
	if a.Drops {
		return fmt.Sprintf("CASE WHEN %[1]s OPERATOR(pg_catalog.>=) %[2]s AND %[1]s OPERATOR(pg_catalog.<=) %[3]s THEN %[1]s END", value, least, greatest)
	}
	return fmt.Sprintf("CASE WHEN %[1]s IS NOT NULL THEN LEAST(GREATEST(%[1]s, %[2]s), %[3]s) END", value, least, greatest)
}

// rowsOf are the rows of a sub-select by persons, in a question.
func rowsOf(j *expr.Join) string { return strings.TrimPrefix(j.Text, "EXISTS ") }

// A PersonRead is what is read of a table by persons.
type PersonRead struct{ join *expr.Join }

// OfPersons has what is read by persons, sub-select by sub-select.
func (q *BoundQuery) OfPersons() (read []PersonRead) {
	for _, j := range q.personGroups() {
		read = append(read, PersonRead{j})
	}
	return read
}

// Table is the protected table.
func (r PersonRead) Table() *expr.Table { return r.join.Protected }

// Used are the stored columns of it, each once.
func (r PersonRead) Used() []*expr.Column {
	return expr.MergeInputs(expr.ColumnsOf(r.join.PersonsWhere)...)
}

// Rows are how many rows of a person her counts and sums are held to, where one of them is added up or computed with; 0 if there are no aggregates.
func (r PersonRead) Rows() int {
	if len(r.join.Aggregates) == 0 {
		return 0
	}
	return r.join.Protected.Person.Rows
}

// AggregatedFor are the stored columns of which aggregates of persons are made that a count, its cells, and WHERE use, each once.
func (q *BoundQuery) AggregatedFor(c Count) []*expr.Column {
	var used []*expr.Column
	for _, column := range expr.MergeInputs(slices.Concat(q.Keys, expr.ColumnsOf(q.Where), q.columnsOf(c))...) {
		if a := column.Aggregate; a != nil {
			used = append(used, a.Arg)
			used = append(used, expr.ColumnsOf(a.Filter)...)
		}
	}
	return expr.MergeInputs(used...)
}

// Unmet is a column of which no declared value meets the condition, as UnmetColumn has it, and the texts that are asked for; nil if there is none.
func (r PersonRead) Unmet() (c *expr.Column, asked []string) {
	for i := range r.join.Protected.Policy.Columns {
		declared := &r.join.Protected.Policy.Columns[i]
		column := r.join.Protected.Column(declared.Name)
		if column == nil || declared.Domain.Range != nil || declared.Domain.Bounds != nil {
			continue
		}
		if e := expr.ExtentOf(r.join.PersonsWhere, column); column.DeclaresNone(e) {
			if !e.Except {
				asked = e.Texts
			}
			return column, asked
		}
	}
	return nil, nil
}

// moves reports whether a person's rows can move from cell to cell if her rows of another table alone are there or not: then they are taken from
// one place and put in another, by which a count changes twice as much as if all of them came or went.
//
// Neighbours differ in a person with her rows in all tables, or in one of them. Without her rows of the counted table, or of the one that this is joined
// with, none of hers are counted, and nothing moves. Let the other tables differ, and let conditions and values that depend on these be E, and on
// nothing else: E is the same for all rows of a person. Let the keys and what is counted have nothing of E, and let WHERE and FILTER be
// conjunctions, each part of which is made of E alone or has nothing of E. Then what a person adds to the counts is either zero or one
// vector that does not depend on E: the bounds of a person take her rows after WHERE, which lets the same ones pass or none. So the l1
// norm of the change is at most that of the vector.
//
// Where each person has one row, the parts may be mixed, too: the row is in its cell or it is not. In all other cases the change is at most what was
// taken away and what is added, each of which is within the bounds.
func (q *BoundQuery) moves(c Count) bool {
	depends := func(columns []*expr.Column) bool {
		return slices.ContainsFunc(expr.MergeInputs(columns...), q.isElsewhere)
	}
	values := slices.Clone(q.Keys)
	if v := c.valueColumn(); v != nil {
		values = append(values, v)
	}
	if by := c.OrderedBy(); by != nil {
		values = append(values, by)
	}
	if depends(values) {
		return true
	}
	if q.oneRow() {
		return false
	}
	return slices.ContainsFunc(q.conjuncts(c), func(part expr.Formula) bool {
		elsewhere, own := q.partsOf(part)
		return len(elsewhere) > 0 && own
	})
}

// comesWith reports whether two persons who are exchanged in another table alone can both come to a cell, or both leave one, though nothing of theirs moves.
//
// Let a part of a conjunction depend on one other table and on nothing else. Of a person without rows there it is the same whoever she is. So
// if she whose rows go leaves, he whose rows come enters, or the other way round. A part that depends on her other rows, too, can be true of one of them only
// without rows there, and of the other only with.
func (q *BoundQuery) comesWith(c Count) bool {
	return slices.ContainsFunc(q.conjuncts(c), func(part expr.Formula) bool {
		elsewhere, own := q.partsOf(part)
		return len(elsewhere) > 1 || len(elsewhere) == 1 && own
	})
}

// conjuncts are the parts of the conjunctions in WHERE and FILTER.
func (q *BoundQuery) conjuncts(c Count) []expr.Formula {
	return slices.Concat(conjunctsOf(q.Where), conjunctsOf(c.formula()))
}

// isElsewhere reports whether a column tells what persons have in another table than those that are counted.
func (q *BoundQuery) isElsewhere(column *expr.Column) bool {
	return column.IsOfPersons() && column.Joined.Protected.Policy.Name != q.Table.Policy.Name &&
		(q.partner == nil || column.Joined.Protected.Policy.Name != q.partner.Protected.Policy.Name)
}

// partsOf are the other tables on which a condition depends, each once, and whether it depends on anything else.
func (q *BoundQuery) partsOf(condition expr.Formula) (elsewhere []policy.TableName, own bool) {
	for _, column := range expr.MergeInputs(expr.ColumnsOf(condition)...) {
		switch {
		case !q.isElsewhere(column):
			own = true
		case !slices.Contains(elsewhere, column.Joined.Protected.Policy.Name):
			elsewhere = append(elsewhere, column.Joined.Protected.Policy.Name)
		}
	}
	return elsewhere, own
}
