package rewrite

import (
	"fmt"
	"slices"
	"strings"
)

// Counts of an audited table are exact, or suppressed by an auditor that decides before it sees them. It decides about sets of people
// and of values of the private attribute, so it has to know, without looking at a row, whom a count counts. That follows from public
// facts: which combinations of the public columns there are, and which values the private one can have. MembershipSQL has the server
// itself evaluate a question's keys and conditions over these, so that comparison, collation and arithmetic are those of a count.

// Audited reports whether counts of the table are released or suppressed by an auditor.
func (t *Table) Audited() bool { return t.Private != "" }

// PrivateColumn is the private attribute of an audited table. Its domain is declared.
func (t *Table) PrivateColumn() *Column { return t.column(t.Private) }

// PublicColumns are all columns of an audited table but the private one, in the policy's order. Their values are public facts.
func (t *Table) PublicColumns() []*Column {
	var public []*Column
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Name != t.Private {
			public = append(public, c)
		}
	}
	return public
}

// CheckPublic says why values of a public column cannot be told apart as the auditor has to.
func CheckPublic(c *Column) error {
	if c.usable() {
		return nil
	}
	return fmt.Errorf("column %q of type %s cannot be public knowledge of an audited table, since its values cannot be grouped by; "+
		"take it off the columns", c.Name, c.Formatted)
}

// UnitsSQL is a statement, for the curator, that counts the rows of an audited table: one row for each combination of the public
// columns and of the private one in their canonical form, divided by the seals before which the rows were written, and their number.
// A seal is the text of an xid8: all transactions before it had ended when it was taken. The column before the last is 1 for rows
// that were there at the first seal, 2 for others that were there at the second, and so on; 0 for rows that came after all of them.
//
// The age of a visible row is never below 0, unless it was written 2^31 transactions ago or more; then it is older than any seal that is
// to be trusted, see release.
func (t *Table) UnitsSQL(seals []string) (sql string, args []string) {
	w := sqlWriter{column: tableColumn}
	var outputs, ordinals []string
	for _, c := range append(t.PublicColumns(), t.PrivateColumn()) {
		outputs = append(outputs, w.key(c))
	}
	since := "CASE"
	for i, seal := range seals {
		since += fmt.Sprintf(" WHEN pg_catalog.age(t.xmin) NOT BETWEEN 0 AND pg_catalog.age(%s::pg_catalog.xid) THEN %d",
			w.arg(seal, "pg_catalog.xid8"), i+1)
	}
	if len(seals) == 0 {
		since = "0"
	} else {
		since += " ELSE 0 END"
	}
	outputs = append(outputs, since)
	for i := range outputs {
		ordinals = append(ordinals, fmt.Sprint(i+1))
	}
	name := t.Policy.Name
	return fmt.Sprintf("SELECT %s, pg_catalog.count(*) FROM %s.%s AS t GROUP BY %s",
		strings.Join(outputs, ", "), alwaysQuoted(name.Schema), alwaysQuoted(name.Name), strings.Join(ordinals, ", ")), w.args
}

// UsedColumns are the public columns of the audited table that the query uses, in the policy's order.
func (q *BoundQuery) UsedColumns() []*Column {
	used := slices.Concat(q.Keys, columnsOf(q.where))
	for _, c := range q.Counts {
		used = append(used, columnsOf(c.formula())...)
	}
	for _, j := range q.joins {
		for _, pair := range j.on {
			used = append(used, pair.outer)
		}
	}
	inputs := mergeInputs(used...)
	return slices.DeleteFunc(q.Table.PublicColumns(), func(c *Column) bool { return !slices.Contains(inputs, c) })
}

// ReadsPublic reports whether MembershipSQL reads public tables, so that its result can change.
func (q *BoundQuery) ReadsPublic() bool { return len(q.joins) > 0 }

// MembershipSQL is a statement, for the curator, that tells whom the query counts, if facts are the combinations of UsedColumns, column by
// column, and values what the private column can be. It yields a row for each combination and value that WHERE lets pass: its
// ordinal and that of the value, from 1; the keys in canonical form; and for each of Counts whether it is counted. It reads no
// protected table.
func (q *BoundQuery) MembershipSQL(facts [][]Value, values []Value) (sql string, args []string) {
	w := sqlWriter{column: tableColumn}
	outputs := []string{"1 AS fact", "p.o AS value"}
	if len(facts) > 0 {
		outputs[0] = "u.o AS fact"
	}
	from := q.factRows(&w, facts, values)
	for _, j := range q.joins {
		from += j.sql(&w)
	}
	for i, k := range q.Keys {
		outputs = append(outputs, fmt.Sprintf("%s AS k%d", w.key(k), i+1))
	}
	for i, c := range q.Counts {
		outputs = append(outputs, fmt.Sprintf("(%s) AS c%d", w.formula(c.formula()), i+1))
	}
	sql = "SELECT " + strings.Join(outputs, ", ") + " FROM " + from
	if q.where != truth(true) {
		sql += " WHERE " + w.formula(q.where)
	}
	return sql, w.args
}

// factRows is a FROM item with a relation t that has the columns of the table as far as they are used, beside a relation p of the private
// values and, if any public column is used, u of the facts; p and u have ordinals o.
func (q *BoundQuery) factRows(w *sqlWriter, facts [][]Value, values []Value) string {
	var arrays, names, outputs []string
	add := func(c *Column, value string) {
		if c.Typmod >= 0 { // arrays do not carry it, and a char(5) is padded by it
			value = "(" + value + "::" + c.Formatted + ")"
		}
		if c.Collation != "" {
			value = "(" + value + " COLLATE " + c.Collation + ")"
		}
		outputs = append(outputs, value+" AS "+alwaysQuoted(c.Name))
	}
	array := func(c *Column, values []Value) string {
		return "pg_catalog.unnest(" + w.arg(arrayOfValues(values), c.TypeName+"[]") + ")"
	}
	for i, c := range q.UsedColumns() {
		name := fmt.Sprintf("c%d", i+1)
		arrays, names = append(arrays, array(c, facts[i])), append(names, name)
		add(c, "u."+name)
	}
	private := q.Table.PrivateColumn()
	from := array(private, values) + " WITH ORDINALITY AS p(v, o)"
	add(private, "p.v")
	if len(arrays) > 0 {
		from = fmt.Sprintf("ROWS FROM (%s) WITH ORDINALITY AS u(%s, o) CROSS JOIN %s", strings.Join(arrays, ", "), strings.Join(names, ", "), from)
	}
	return from + " CROSS JOIN LATERAL (SELECT " + strings.Join(outputs, ", ") + ") AS t"
}
