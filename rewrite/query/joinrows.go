package query

import (
	"fmt"
	"strings"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
)

// Rows of two protected tables are joined along persons, so that a person with n rows in one and m in the other has n times m joined rows. They are
// bounded after the join (see bounded), which is too late for time and memory: 3,000 rows joined with themselves are nine million. So each side has at
// most joinRows of a person before the join. Which ones depends on her own rows in that table, and so do her joined rows on her own rows alone: what
// Sensitivity says of them holds as it does without.
//
// They are chosen among those that WHERE lets pass, as far as it speaks of the one table: a person who has few of these loses none, however many rows
// she has. Rows with the first hashes of their contents are taken. Rows that are alike in all that counts are made of are alike to every count, so that
// it makes no difference which of them is.

// leastJoinRows is how many rows of a person are joined even where the policy's bound is smaller, since conditions and groups choose among joined rows.
const leastJoinRows = 100

// joinRows is how many rows a person has at most in each table of a join, before it: the first and the second. ok is false if nothing is left out:
// without a second table, or where one of them has one row of each person, since the join then has no more rows than the other table.
func (q *BoundQuery) joinRows() (first, second int, ok bool) {
	if q.partner == nil || q.Table.Person.Unique || q.partner.Protected.Person.Unique {
		return 0, 0, false
	}
	return max(q.Table.Person.Rows, leastJoinRows), max(q.partner.Protected.Person.Rows, leastJoinRows), true
}

// joinBounds are the words in a question for what joinRows leaves out.
func (q *BoundQuery) joinBounds() string {
	first, second, ok := q.joinRows()
	if !ok {
		return ""
	}
	return fmt.Sprintf(" JOINING %d AND %d ROWS", first, second)
}

// firstSide is the first protected table of a join, t, with the rows that are joined.
func (q *BoundQuery) firstSide(w *expr.SQLWriter) string {
	first, _, ok := q.joinRows()
	if !ok {
		return q.protectedTable()
	}
	columns := make([]*expr.Column, len(q.Table.Columns))
	for i := range columns {
		columns[i] = &q.Table.Columns[i]
	}
	if p := q.Table.Person; q.Table.Column(p.Column.Name) == nil {
		columns = append(columns, &p.Column)
	}
	return q.joinSide(w, q.protectedTable(), "t", &q.Table.Person.Column, columns, first)
}

// secondSide joins the second protected table, with the rows that are joined.
func (q *BoundQuery) secondSide(w *expr.SQLWriter) string {
	j := q.partner
	_, second, ok := q.joinRows()
	if !ok {
		return j.SQL(w)
	}
	columns := make([]*expr.Column, len(j.Columns))
	for i := range columns {
		columns[i] = &j.Columns[i]
	}
	name := j.Protected.Policy.Name
	table := fmt.Sprintf("%s.%s AS %s", pgvalue.AlwaysQuoted(name.Schema), pgvalue.AlwaysQuoted(name.Name), j.Alias)
	side := q.joinSide(w, table, j.Alias, j.Person(), columns, second)
	return fmt.Sprintf(" JOIN %s ON %s OPERATOR(pg_catalog.=) %s", side, w.Column(j.On[0].Outer), w.Column(j.On[0].Key))
}

// joinSide is a FROM item of the rows of a table that are joined. It has the table's alias, so that columns have the same names in it and around it.
func (q *BoundQuery) joinSide(w *expr.SQLWriter, table, alias string, person *expr.Column, columns []*expr.Column, most int) string {
	var names, values []string
	var compared []*expr.Column
	known := make(map[*expr.Column]string)
	for _, c := range columns {
		names = append(names, alias+"."+pgvalue.AlwaysQuoted(c.Name))
		known[c] = ""
	}
	for _, c := range q.compared() {
		if _, ok := known[c]; ok && c.Name != person.Name {
			values = append(values, digest(w.Key(c), c))
			compared = append(compared, c)
		}
	}
	rank, list := freeName("row", columns), strings.Join(names, ", ")
	name, content := w.Bytewise(person), rowText(values...)
	where := expr.TableColumn(person) + " IS NOT NULL"
	if f := project(q.Where, func(c *expr.Column) bool { return isKnown(c, known) }); f != expr.Truth(true) {
		where += " AND " + w.Formula(f)
	}
	return fmt.Sprintf("(SELECT %s FROM (SELECT %s, pg_catalog.row_number() OVER (PARTITION BY %s ORDER BY %s, %s, %s) AS %s FROM %s WHERE %s) AS %s WHERE %s.%s OPERATOR(pg_catalog.<=) %d) AS %s",
		list, list, name, hashOf(digest(name, person), content), content, apart(append(compared, person)), rank, table, where, alias, alias, rank, most, alias)
}
