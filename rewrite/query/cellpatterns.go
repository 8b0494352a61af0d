package query

import (
	"fmt"
	"slices"
	"strings"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
)

// A LabelledQuery counts the labels of a sensitive attribute in the cells of quasi-identifiers: its last key, as the statement has them,
// is the label, and the others make the cells.
type LabelledQuery struct {
	*BoundQuery
	Count Count
	// Declared are the groups of keys whose values are declared. A group of rows with other values is in no cell.
	Declared []DeclaredKeys
}

// DeclaredKeys are the combinations of values that the keys of a group can have, key by key.
type DeclaredKeys struct {
	Group  *KeyGroup
	Values [][]pgvalue.Value
}

// Label is the index in Keys of the label.
func (q *LabelledQuery) Label() int { return q.order[len(q.order)-1] }

// CellPatternsSQL is a statement, for the curator, that says how many cells have which counts, and nothing of which cells these are: no key
// and no row is in its result. The queries are of one table, and their cells are the same combinations of keys. There are four sorts of rows,
// of an integer, a number and an array for each query:
//
//   - 0, cells, and for each query the counts of the labels that occur in these cells, largest first;
//   - the ordinal of a query, 0, and in the first array, of one label, the sums over all cells of its count, of the square of its count, and of
//     the product of its count and the cell's;
//   - the ordinal below 0, and the sum of the counts of groups that are in no cell, since their values are not declared;
//   - one less than all these, and the number of persons of whom the table has rows, if a row is not a person.
//
// At most limit rows of the first two sorts are asked for. Nothing in it can fail on a row, and every name is qualified, as in
// [BoundQuery.CountSQL], which it aggregates: the same groups, with the same treatment of persons, NULL and undeclared values.
func CellPatternsSQL(queries []*LabelledQuery, limit int) (sql string, args []string) {
	var w expr.SQLWriter
	var groups, counts, outputs, names, results []string
	for i, q := range queries {
		groups = append(groups, fmt.Sprintf("g%d AS MATERIALIZED (%s)", i+1, q.groupsSQL(&w)))
		counts = append(counts, fmt.Sprintf("SELECT %d AS q, g.cell, g.n FROM g%d AS g WHERE g.declared", i+1, i+1))
		outputs = append(outputs, fmt.Sprintf("COALESCE(pg_catalog.array_agg(u.n ORDER BY u.n DESC) FILTER (WHERE u.q OPERATOR(pg_catalog.=) %d), '{}') AS a%d", i+1, i+1))
		names = append(names, fmt.Sprintf("c.a%d", i+1))
	}
	cells := fmt.Sprintf("cells AS (SELECT %s FROM (%s) AS u GROUP BY u.cell)", strings.Join(outputs, ", "), strings.Join(counts, " UNION ALL "))
	results = append(results, fmt.Sprintf("(SELECT 0, pg_catalog.count(*), %s::pg_catalog.numeric[] FROM cells AS c GROUP BY %s LIMIT %d)",
		strings.Join(names, "::pg_catalog.numeric[], "), strings.Join(names, ", "), limit))
	none := strings.Repeat(", NULL::pg_catalog.numeric[]", len(queries))
	for i := range queries {
		results = append(results, momentsSQL(i+1, len(queries), limit),
			fmt.Sprintf("(SELECT %d, COALESCE(pg_catalog.sum(g.n), 0)::pg_catalog.int8%s FROM g%d AS g WHERE NOT g.declared)", -i-1, none, i+1))
	}
	if first := queries[0]; first.person() != nil {
		results = append(results, fmt.Sprintf("(SELECT %d, pg_catalog.count(*)%s FROM (%s) AS p)", -len(queries)-1, none, first.personsSQL(&w)))
	}
	return "WITH " + strings.Join(append(groups, cells), ", ") + " " + strings.Join(results, " UNION ALL "), w.Args
}

// personsSQL are the persons of whom the table has rows that WHERE lets pass, whatever other values these have.
func (q *BoundQuery) personsSQL(w *expr.SQLWriter) string {
	w.Column = expr.TableColumn
	person := &q.person().Column
	sql := fmt.Sprintf("SELECT DISTINCT %s AS p FROM %s WHERE %s IS NOT NULL", w.Bytewise(person), q.Tables(w), expr.TableColumn(person))
	if q.Where != expr.Truth(true) {
		sql += " AND " + w.Formula(q.Where)
	}
	return sql
}

// groupsSQL are the groups that exist: the text of the cell, the label, the count, and whether the values are declared. rowText tells different
// cells apart, since keys are in canonical form. OFFSET 0 keeps the server from asking of each row what can be asked of a group.
func (q *LabelledQuery) groupsSQL(w *expr.SQLWriter) string {
	counted := q.countSQL(w, []Count{q.Count})
	var cell []string
	for i := range q.Keys {
		if i != q.Label() {
			cell = append(cell, fmt.Sprintf("c.k%d", i+1))
		}
	}
	declared := []string{"true"}
	for _, d := range q.Declared {
		if len(d.Group.Keys) == 1 {
			declared = append(declared, q.declaredKey(w, d.Group.Keys[0], d.Values[0]))
		} else {
			declared = append(declared, q.declaredTogether(w, d))
		}
	}
	return fmt.Sprintf("SELECT %s AS cell, c.k%d AS label, c.c1 AS n, (%s) IS TRUE AS declared FROM (%s OFFSET 0) AS c WHERE c.c1 OPERATOR(pg_catalog.>) 0",
		rowText(cell...), q.Label()+1, strings.Join(declared, " AND "), counted)
}

// declaredKey is whether a key has one of its declared values.
func (q *LabelledQuery) declaredKey(w *expr.SQLWriter, k int, values []pgvalue.Value) string {
	null := slices.ContainsFunc(values, func(v pgvalue.Value) bool { return v.Null })
	values = slices.DeleteFunc(slices.Clone(values), func(v pgvalue.Value) bool { return v.Null })
	test := fmt.Sprintf("c.k%d OPERATOR(pg_catalog.=) ANY (%s)", k+1, w.Arg(pgvalue.ArrayOfValues(values), canonicalType(q.Keys[k])+"[]"))
	if null {
		return fmt.Sprintf("(c.k%d IS NULL OR %s)", k+1, test)
	}
	return test
}

// canonicalType is the type of CanonicalKey.
func canonicalType(c *expr.Column) string {
	if c.TypeOID == pgvalue.Bpchar {
		return "pg_catalog.text"
	}
	return c.TypeName
}

// declaredTogether is whether the keys of a group have one of their declared combinations of values.
func (q *LabelledQuery) declaredTogether(w *expr.SQLWriter, d DeclaredKeys) string {
	var keys, values, arrays, names []string
	for i, k := range d.Group.Keys {
		keys = append(keys, fmt.Sprintf("c.k%d", k+1))
		names = append(names, fmt.Sprintf("k%d", k+1))
		values = append(values, fmt.Sprintf("u.k%d", k+1))
		arrays = append(arrays, "pg_catalog.unnest("+w.Arg(pgvalue.ArrayOfValues(d.Values[i]), canonicalType(q.Keys[k])+"[]")+")")
	}
	return fmt.Sprintf("%s OPERATOR(pg_catalog.=) ANY (SELECT %s FROM ROWS FROM (%s) AS u(%s))",
		rowText(keys...), rowText(values...), strings.Join(arrays, ", "), strings.Join(names, ", "))
}

// momentsSQL are the sums of one query's labels. They are computed as numeric, so that none of them can overflow.
func momentsSQL(query, queries, limit int) string {
	const times = " OPERATOR(pg_catalog.*) "
	sums := fmt.Sprintf("ARRAY[pg_catalog.sum(m.n), pg_catalog.sum(m.n%sm.n), pg_catalog.sum(m.n%sm.size)]", times, times)
	arrays := append([]string{sums}, slices.Repeat([]string{"NULL::pg_catalog.numeric[]"}, queries-1)...)
	return fmt.Sprintf("(SELECT %d, 0, %s FROM (SELECT g.label, g.n::pg_catalog.numeric AS n, pg_catalog.sum(g.n) OVER (PARTITION BY g.cell) AS size FROM g%d AS g WHERE g.declared) AS m GROUP BY m.label LIMIT %d)",
		query, strings.Join(arrays, ", "), query, limit)
}
