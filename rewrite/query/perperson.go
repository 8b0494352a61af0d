package query

import (
	"fmt"
	"slices"
	"strings"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
)

// A count can ask what persons have in other protected tables: EXISTS, IN, and their opposites, along the columns that tell persons apart. Each such
// condition is a value of the person of a row, found in one row for each person of the other table (expr.PersonValue). What a person counts for depends
// on her own rows in all these tables alone.

// personGroups are the sub-selects by persons that the query uses, each once.
func (q *BoundQuery) personGroups() []*expr.Join {
	var groups []*expr.Join
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
	outside := w.Column
	w.Column = expr.TableColumn
	defer func() { w.Column = outside }()
	g := j.Persons
	person := expr.TableColumn(&g.Table.Person.Column)
	from := fmt.Sprintf("%s.%s AS t", pgvalue.AlwaysQuoted(g.Table.Policy.Name.Schema), pgvalue.AlwaysQuoted(g.Table.Policy.Name.Name))
	for _, public := range g.Joins {
		from += public.SQL(w)
	}
	where := person + " IS NOT NULL"
	if j.PersonsWhere != expr.Truth(true) {
		where += " AND " + w.Formula(j.PersonsWhere)
	}
	return fmt.Sprintf(" LEFT JOIN (SELECT %s AS person, TRUE AS present FROM %s WHERE %s GROUP BY %s) AS %s ON %s OPERATOR(pg_catalog.=) %s.person",
		person, from, where, person, j.Alias, outer, j.Alias)
}

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
	elsewhere := func(column *expr.Column) bool {
		return column.IsOfPersons() && column.Joined.Protected.Policy.Name != q.Table.Policy.Name &&
			(q.partner == nil || column.Joined.Protected.Policy.Name != q.partner.Protected.Policy.Name)
	}
	depends := func(columns []*expr.Column) bool { return slices.ContainsFunc(expr.MergeInputs(columns...), elsewhere) }
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
	mixed := func(part expr.Formula) bool {
		columns := expr.MergeInputs(expr.ColumnsOf(part)...)
		return depends(columns) && slices.ContainsFunc(columns, func(column *expr.Column) bool { return !elsewhere(column) })
	}
	return slices.ContainsFunc(slices.Concat(conjunctsOf(q.Where), conjunctsOf(c.formula())), mixed)
}
