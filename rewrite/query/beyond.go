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

// What lies beyond the bounds of a person is left out of counts, which are too small then. How much that is is a question of its own: one number
// for all cells of a query, which the steward can have measured with noise, besides the counts and charged like them.

// beyond says what a count of what is left out counts: nothing, for an ordinary count.
type beyond int

const (
	within beyond = iota
	rowsBeyond
	groupsBeyond // of persons
)

// BeyondBounds is the query of one count, without keys: of the rows that the bounds of a person keep out of all cells of q together, or of the
// groups that persons are left out of if q counts persons alone. ok is false if nothing is left out. A join of two protected tables has
// none, nor has a count by what persons have in others: no steward has asked for it of both.
func (q *BoundQuery) BeyondBounds() (b *BoundQuery, ok bool) {
	left, ok := q.LeavesOut()
	if !ok || q.partner != nil || len(q.personGroups()) > 0 {
		return nil, false
	}
	return &BoundQuery{Table: q.Table, Counts: []Count{{beyond: left}}, joins: q.joins, Where: q.Where, cut: q.Keys, Digests: q.Digests}, true
}

// LeavesOut says what the bounds of a person may leave out of the cells; ok is false if they leave out nothing.
func (q *BoundQuery) LeavesOut() (left beyond, ok bool) {
	if q.Table.Person == nil || q.Table.Person.Unique || q.oneRow() {
		return within, false
	}
	if slices.ContainsFunc(q.Counts, func(c Count) bool { return !c.Persons }) {
		return rowsBeyond, true
	}
	return groupsBeyond, len(q.Keys) > 0
}

// IsBeyond says that the query is one of BeyondBounds, and whether it counts rows or groups.
func (q *BoundQuery) IsBeyond() (rows, ok bool) {
	if len(q.Counts) == 0 {
		return false, false
	}
	left := q.Counts[0].beyond
	return left == rowsBeyond, left != within
}

// timesBeyond is how many times a person's bound on rows is looked at, of what lies beyond her bounds.
const timesBeyond = 10

// MostBeyond is how much of what one person has beyond the bounds is counted. One person more, with all her rows, changes the count by at most
// that, since what is kept of a person depends on her own rows.
func (q *BoundQuery) MostBeyond() int { return min(policy.MaxRows, timesBeyond*q.person().Rows) }

// beyondQuestion is the question of a count of what is left out.
func (q *BoundQuery) beyondQuestion(c Count) string {
	p := q.person()
	var b strings.Builder
	fmt.Fprintf(&b, "%s left out, at most %d of each %s, FROM %s", map[beyond]string{rowsBeyond: "rows", groupsBeyond: "groups"}[c.beyond],
		q.MostBeyond(), pgvalue.QuoteIdentifier(p.Column.Name), q.Table.Policy.Name)
	fmt.Fprintf(&b, " PER %s AT MOST %d ROWS IN %d GROUPS", pgvalue.QuoteIdentifier(p.Column.Name), p.Rows, p.Groups)
	for _, j := range q.joins {
		b.WriteString(j.String())
	}
	if q.Where != expr.Truth(true) {
		fmt.Fprintf(&b, " WHERE %s", expr.FormulaText(q.Where))
	}
	for i, k := range q.cut {
		b.WriteString([]string{" GROUP BY ", ", "}[min(i, 1)])
		b.WriteString(k.Text())
	}
	return b.String()
}

// beyondSQL counts what is left out. It ranks the groups of a person as bounded does, so that it leaves out as much; which of her rows are kept
// makes no difference.
func (q *BoundQuery) beyondSQL(w *expr.SQLWriter, c Count) string {
	p := q.person()
	all, kept := "pg_catalog.count(*)", fmt.Sprintf("LEAST(pg_catalog.count(*) FILTER (WHERE t.g OPERATOR(pg_catalog.<=) %d), %d)", p.Groups, p.Rows)
	if c.beyond == groupsBeyond {
		all, kept = "pg_catalog.max(t.g)", fmt.Sprintf("LEAST(pg_catalog.max(t.g), %d)", p.Groups)
	}
	return fmt.Sprintf("SELECT COALESCE(pg_catalog.sum(LEAST(u.n, %d)), 0)::pg_catalog.int8 AS c1 FROM (SELECT %s OPERATOR(pg_catalog.-) %s AS n FROM (%s) AS t GROUP BY t.p) AS u",
		q.MostBeyond(), all, kept, q.rankedGroups(w))
}

// rankedGroups has the person p of each row that WHERE lets pass, and the rank g of its group among hers.
func (q *BoundQuery) rankedGroups(w *expr.SQLWriter) string {
	w.Column = expr.TableColumn
	p := q.person()
	person, group := w.Bytewise(&p.Column), "1"
	if len(q.cut) > 0 {
		group = fmt.Sprintf("pg_catalog.dense_rank() OVER (PARTITION BY %s ORDER BY %s)", person, q.keyOrder(w, q.cut))
	}
	sql := fmt.Sprintf("SELECT %s AS p, %s AS g FROM %s WHERE t.%s IS NOT NULL", person, group, q.Tables(w), pgvalue.AlwaysQuoted(p.Column.Name))
	if q.Where != expr.Truth(true) {
		sql += " AND " + w.Formula(q.Where)
	}
	return sql
}

// Unbounded is the query as if a person counted for all her rows, for the steward, who compares what is counted with what there is. Its
// sensitivity has no bound that noise could be made for.
func (q *BoundQuery) Unbounded() *BoundQuery {
	all, table := *q, *q.Table
	table.Person = &Person{Column: q.Table.Person.Column, Rows: math.MaxInt32, Groups: math.MaxInt32}
	all.Table = &table
	return &all
}

// BoundsSQL is a statement, for the steward, that says what other bounds would keep of the rows and groups of all cells together. Its one row has the
// number of persons, of their rows, and of their groups; then for each bound on groups how many groups are kept; and then, for each bound on
// rows and each on groups, how many rows.
func (q *BoundQuery) BoundsSQL(rows, groups []int) (sql string, args []string) {
	var w expr.SQLWriter
	ranked := *q.Unbounded() // all rows of a person
	ranked.cut = q.Keys
	perPerson := []string{"pg_catalog.count(*) AS n", "pg_catalog.max(t.g) AS m"}
	outputs := []string{"pg_catalog.count(*)", total("u.n"), total("u.m")}
	for i, g := range groups {
		perPerson = append(perPerson, fmt.Sprintf("pg_catalog.count(*) FILTER (WHERE t.g OPERATOR(pg_catalog.<=) %d) AS k%d", g, i))
		outputs = append(outputs, total(fmt.Sprintf("LEAST(u.m, %d)", g)))
	}
	for _, r := range rows {
		for i := range groups {
			outputs = append(outputs, total(fmt.Sprintf("LEAST(u.k%d, %d)", i, r)))
		}
	}
	sql = fmt.Sprintf("SELECT %s FROM (SELECT %s FROM (%s) AS t GROUP BY t.p) AS u", strings.Join(outputs, ", "), strings.Join(perPerson, ", "), ranked.rankedGroups(&w))
	return sql, w.Args
}

func total(expression string) string {
	return fmt.Sprintf("COALESCE(pg_catalog.sum(%s), 0)::pg_catalog.int8", expression)
}
