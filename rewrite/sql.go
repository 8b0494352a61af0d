package rewrite

import (
	"fmt"
	"slices"
	"strings"
)

// CountSQL is the statement that counts, for the curator: one row for each group that exists, with columns for
// the keys in their canonical form and for the counts. The arguments are text; the session's DateStyle is to be ISO
// and its TimeZone UTC. Nothing in it can fail on a row, and every name is qualified.
func (q *BoundQuery) CountSQL(counts []Count) (sql string, args []string) {
	var w sqlWriter
	sql = q.countSQL(&w, counts)
	return sql, w.args
}

// countSQL is CountSQL as a part of a statement with arguments of its own.
func (q *BoundQuery) countSQL(w *sqlWriter, counts []Count) string {
	w.column = q.column
	var outputs, ordinals []string
	for i, k := range q.Keys {
		outputs = append(outputs, fmt.Sprintf("%s AS k%d", w.key(k), i+1))
		ordinals = append(ordinals, fmt.Sprint(i+1))
	}
	for i, c := range counts {
		outputs = append(outputs, fmt.Sprintf("%s AS c%d", q.count(w, c), i+1))
	}
	sql := "SELECT " + strings.Join(outputs, ", ") + " FROM " + q.from(w, counts)
	if len(ordinals) > 0 {
		sql += " GROUP BY " + strings.Join(ordinals, ", ")
	}
	return sql
}

// tableColumn names a stored column of the protected table, t, or of a public table that it is joined with.
func tableColumn(c *Column) string {
	if c.joined != nil {
		return c.joined.alias + "." + alwaysQuoted(c.Name)
	}
	return "t." + alwaysQuoted(c.Name)
}

// from is what CountSQL reads: the rows that WHERE lets pass, of a relation t and of public tables.
func (q *BoundQuery) from(w *sqlWriter, counts []Count) string {
	if q.person() != nil {
		return q.bounded(w, slices.ContainsFunc(counts, func(c Count) bool { return !c.persons }))
	}
	from := q.tables(w)
	if q.where != truth(true) {
		from += " WHERE " + w.formula(q.where)
	}
	return from
}

// tables are the protected table, t, and the public tables that it is joined with.
func (q *BoundQuery) tables(w *sqlWriter) string {
	name := q.Table.Policy.Name
	from := fmt.Sprintf("%s.%s AS t", alwaysQuoted(name.Schema), alwaysQuoted(name.Name))
	for _, j := range q.joins {
		from += j.sql(w)
	}
	return from
}

// count prints one count.
func (q *BoundQuery) count(w *sqlWriter, c Count) string {
	output := "pg_catalog.count(*)"
	switch {
	case c.persons:
		output = "pg_catalog.count(DISTINCT " + w.key(&q.Table.Person.Column) + ")"
	case c.distinctColumn != nil:
		output = "pg_catalog.count(DISTINCT " + w.value(c.distinctColumn) + ")"
	}
	conditions := q.counted(c)
	if f := c.formula(); f != truth(true) {
		conditions = append(conditions, w.formula(f))
	}
	if len(conditions) > 0 {
		output += " FILTER (WHERE " + strings.Join(conditions, " AND ") + ")"
	}
	return output
}

// key prints a key in canonical form. A collation that equates different texts would show one row's spelling, so
// texts are grouped byte by byte where the collation is not the database's, which never does that.
func (w *sqlWriter) key(c *Column) string {
	key := CanonicalKey(w.value(c), c.TypeOID)
	if c.Collation != "" {
		key = "(" + key + ` COLLATE pg_catalog."C")`
	}
	return key
}

// CanonicalKey is an expression for the canonical value of a key: values that the type's equality does not tell apart look
// alike, so that no single row's spelling shows (1.50 and 1.5, -0 and 0, trailing blanks).
func CanonicalKey(expression string, oid uint32) string {
	switch oid {
	case oidNumeric:
		return "pg_catalog.trim_scale(" + expression + ")"
	case oidFloat4:
		return "(" + expression + " OPERATOR(pg_catalog.+) '0'::pg_catalog.float4)"
	case oidFloat8:
		return "(" + expression + " OPERATOR(pg_catalog.+) '0'::pg_catalog.float8)"
	case oidBpchar:
		return "(" + expression + ")::pg_catalog.text"
	}
	return expression
}

// DomainSQL is a statement, for the curator, that tells which of the given cells, column by column, the WHERE clause
// can let pass: it yields their ordinals, from 1. Conditions on other columns than keys count as met. It reads no table. If ok is
// false the clause says nothing of the keys and every cell can pass.
func (q *BoundQuery) DomainSQL(keys [][]Value) (sql string, args []string, ok bool) {
	position := make(map[*Column]string, len(q.Keys))
	for i, k := range q.Keys {
		position[k] = fmt.Sprintf("u.k%d", i+1)
	}
	where := project(q.where, position)
	if where == truth(true) || len(q.Keys) == 0 {
		return "", nil, false
	}
	w := sqlWriter{keys: position}
	var arrays, names []string
	for i, k := range q.Keys {
		arrays = append(arrays, "pg_catalog.unnest("+w.arg(arrayOfValues(keys[i]), k.TypeName+"[]")+")")
		names = append(names, fmt.Sprintf("k%d", i+1))
	}
	sql = fmt.Sprintf("SELECT u.o FROM ROWS FROM (%s) WITH ORDINALITY AS u(%s, o) WHERE %s ORDER BY u.o",
		strings.Join(arrays, ", "), strings.Join(names, ", "), w.formula(where))
	return sql, w.args, true
}

// project replaces what is said of other columns than the given, and those computed of them alone, by TRUE. A formula without negations
// only grows by that.
func project(f formula, columns map[*Column]string) formula {
	known := func(c *Column) bool { return isKnown(c, columns) }
	kept := true
	switch f := f.(type) {
	case all:
		return projectAll(f, columns)
	case anyOf:
		parts := make(anyOf, len(f))
		for i, part := range f {
			if parts[i] = project(part, columns); parts[i] == truth(true) {
				return truth(true)
			}
		}
		return parts
	case comparison:
		kept = known(f.column)
	case membership:
		kept = known(f.column)
	case nullness:
		kept = known(f.column)
	case pairing:
		kept = known(f.left) && known(f.right)
	}
	if !kept {
		return truth(true)
	}
	return f
}

func isKnown(c *Column, columns map[*Column]string) bool {
	if _, ok := columns[c]; ok {
		return true
	}
	return !c.Stored() && !slices.ContainsFunc(c.Inputs(), func(input *Column) bool { _, ok := columns[input]; return !ok })
}

// projectAll leaves out the parts of an AND that are TRUE.
func projectAll(f all, columns map[*Column]string) formula {
	var parts all
	for _, part := range f {
		if part := project(part, columns); part != truth(true) {
			parts = append(parts, part)
		}
	}
	switch len(parts) {
	case 0:
		return truth(true)
	case 1:
		return parts[0]
	}
	return parts
}

// A sqlWriter prints formulas with qualified operators and every constant as an argument.
type sqlWriter struct {
	// column names a stored column that is not among keys.
	column func(*Column) string
	// keys are columns, stored or computed, that are there as they are.
	keys map[*Column]string
	args []string
}

// value prints a column, stored or computed.
func (w *sqlWriter) value(c *Column) string {
	if name, ok := w.keys[c]; ok {
		if c.Collation != "" {
			return "(" + name + " COLLATE " + c.Collation + ")"
		}
		return name
	}
	if c.Stored() {
		return w.column(c)
	}
	return w.computed(c, unguarded)
}

// computed prints the computation of a column.
func (w *sqlWriter) computed(c *Column, g guard) string {
	if name, ok := w.keys[c]; ok {
		return name
	}
	return "(" + c.computation.write(w, g) + ")::" + c.TypeName
}

// arg adds an argument and returns its place in the SQL, cast to a type.
func (w *sqlWriter) arg(text, typeName string) string {
	w.args = append(w.args, text)
	return fmt.Sprintf("$%d::%s", len(w.args), typeName)
}

func (w *sqlWriter) formula(f formula) string {
	var b strings.Builder
	w.write(&b, f)
	return b.String()
}

func (w *sqlWriter) write(b *strings.Builder, f formula) {
	switch f := f.(type) {
	case truth:
		b.WriteString(strings.ToUpper(truthText(f)))
	case all:
		w.list(b, f, " AND ")
	case anyOf:
		w.list(b, f, " OR ")
	case comparison:
		fmt.Fprintf(b, "%s OPERATOR(pg_catalog.%s) %s", w.value(f.column), f.op, w.arg(f.value.text, typeName(f.value.oid)))
	case pairing:
		fmt.Fprintf(b, "%s OPERATOR(pg_catalog.%s) %s", w.value(f.left), f.op, w.value(f.right))
	case membership:
		w.membership(b, f)
	case nullness:
		test := " IS NOT NULL"
		if f.null {
			test = " IS NULL"
		}
		b.WriteString(w.value(f.column) + test)
	default:
		panic("rewrite: internal error: unknown formula")
	}
}

func (w *sqlWriter) list(b *strings.Builder, parts []formula, separator string) {
	b.WriteByte('(')
	for i, part := range parts {
		if i > 0 {
			b.WriteString(separator)
		}
		w.write(b, part)
	}
	b.WriteByte(')')
}

func (w *sqlWriter) membership(b *strings.Builder, m membership) {
	texts := make([]string, len(m.values))
	for i, v := range m.values {
		texts[i] = v.text
	}
	test := "%s OPERATOR(pg_catalog.<>) ALL (%s)"
	if m.in {
		test = "%s OPERATOR(pg_catalog.=) ANY (%s)"
	}
	fmt.Fprintf(b, test, w.value(m.column), w.arg(ArrayLiteral(texts), typeName(m.values[0].oid)+"[]"))
}

func typeName(oid typeOID) string {
	b, ok := builtinType(oid)
	if !ok {
		panic("rewrite: internal error: constant of an unknown type")
	}
	return "pg_catalog." + b.name
}
