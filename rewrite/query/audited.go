package query

import (
	"fmt"
	"slices"
	"strings"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
)

// Counts of an audited table are exact, or suppressed by an auditor that decides before it sees them. It decides about sets of people
// and of values of the private attribute, so it has to know, without looking at a row, whom a count counts. That follows from public
// facts: which combinations of the public columns there are, and which values the private one can have. MembershipSQL has the server
// itself evaluate a question's keys and conditions over these, so that comparison, collation and arithmetic are those of a count.

// CheckPublic says why values of a public column cannot be told apart as the auditor has to.
func CheckPublic(c *expr.Column) error {
	if c.Usable() {
		return nil
	}
	return fmt.Errorf("column %q of type %s cannot be public knowledge of an audited table, since its values cannot be grouped by; "+
		"take it off the columns", c.Name, c.Formatted)
}

// UsedColumns are the public columns of the audited table that the query uses, in the policy's order.
func (q *BoundQuery) UsedColumns() []*expr.Column {
	used := slices.Concat(q.Keys, expr.ColumnsOf(q.Where))
	for _, c := range q.Counts {
		used = append(used, expr.ColumnsOf(c.formula())...)
	}
	for _, j := range q.joins {
		for _, pair := range j.On {
			used = append(used, pair.Outer)
		}
	}
	inputs := expr.MergeInputs(used...)
	return slices.DeleteFunc(q.Table.PublicColumns(), func(c *expr.Column) bool { return !slices.Contains(inputs, c) })
}

// ReadsPublic reports whether MembershipSQL reads public tables, so that its result can change.
func (q *BoundQuery) ReadsPublic() bool { return len(q.joins) > 0 }

// MembershipSQL is a statement, for the curator, that tells whom the query counts, if facts are the combinations of UsedColumns, column by
// column, and values what the private column can be. It yields a row for each combination and value that WHERE lets pass: its
// ordinal and that of the value, from 1; the keys in canonical form; and for each of Counts whether it is counted. It reads no
// protected table.
func (q *BoundQuery) MembershipSQL(facts [][]pgvalue.Value, values []pgvalue.Value) (sql string, args []string) {
	w := expr.SQLWriter{Column: expr.TableColumn}
	outputs := []string{"1 AS fact", "p.o AS value"}
	if len(facts) > 0 {
		outputs[0] = "u.o AS fact"
	}
	from := q.factRows(&w, facts, values)
	for _, j := range q.joins {
		from += j.SQL(&w)
	}
	for i, k := range q.Keys {
		outputs = append(outputs, fmt.Sprintf("%s AS k%d", w.Key(k), i+1))
	}
	for i, c := range q.Counts {
		outputs = append(outputs, fmt.Sprintf("(%s) AS c%d", w.Formula(c.formula()), i+1))
	}
	sql = "SELECT " + strings.Join(outputs, ", ") + " FROM " + from
	if q.Where != expr.Truth(true) {
		sql += " WHERE " + w.Formula(q.Where)
	}
	return sql, w.Args
}

// factRows is a FROM item with a relation t that has the columns of the table as far as they are used, beside a relation p of the private
// values and, if any public column is used, u of the facts; p and u have ordinals o.
func (q *BoundQuery) factRows(w *expr.SQLWriter, facts [][]pgvalue.Value, values []pgvalue.Value) string {
	var arrays, names, outputs []string
	add := func(c *expr.Column, value string) {
		if c.Typmod >= 0 || c.TypeOID == pgvalue.Enum { // arrays do not carry it, and a char(5) is padded by it
			value = "(" + value + "::" + c.Formatted + ")"
		}
		if c.Collation != "" {
			value = "(" + value + " COLLATE " + c.Collation + ")"
		}
		outputs = append(outputs, value+" AS "+pgvalue.AlwaysQuoted(c.Name))
	}
	array := func(c *expr.Column, values []pgvalue.Value) string {
		return "pg_catalog.unnest(" + w.Arg(pgvalue.ArrayOfValues(values), c.TypeName+"[]") + ")"
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
