package rewrite

import (
	"fmt"
	"strings"
)

// CountSQL is the statement that counts, for the curator: one row for each group that exists, with columns for
// the keys in their canonical form and for the counts. The arguments are text; the session's DateStyle is to be ISO
// and its TimeZone UTC. Nothing in it can fail on a row, and every name is qualified.
func (q *BoundQuery) CountSQL(counts []Count) (sql string, args []string) {
	w := sqlWriter{column: func(c *Column) string { return "t." + alwaysQuoted(c.Name) }}
	var outputs, ordinals []string
	for i, k := range q.Keys {
		outputs = append(outputs, fmt.Sprintf("%s AS k%d", storedKey(k), i+1))
		ordinals = append(ordinals, fmt.Sprint(i+1))
	}
	for i, c := range counts {
		output := "pg_catalog.count(*)"
		if f := c.formula(); f != truth(true) {
			output += " FILTER (WHERE " + w.formula(f) + ")"
		}
		outputs = append(outputs, fmt.Sprintf("%s AS c%d", output, i+1))
	}
	name := q.Table.Policy.Name
	sql = fmt.Sprintf("SELECT %s FROM %s.%s AS t", strings.Join(outputs, ", "), alwaysQuoted(name.Schema), alwaysQuoted(name.Name))
	if q.where != truth(true) {
		sql += " WHERE " + w.formula(q.where)
	}
	if len(ordinals) > 0 {
		sql += " GROUP BY " + strings.Join(ordinals, ", ")
	}
	return sql, w.args
}

// storedKey is a key column in canonical form. A collation that equates different texts would show one row's spelling, so
// texts are grouped byte by byte where the collation is not the database's, which never does that.
func storedKey(c *Column) string {
	key := CanonicalKey("t."+alwaysQuoted(c.Name), c.TypeOID)
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
	position := make(map[*Column]int, len(q.Keys))
	for i, k := range q.Keys {
		position[k] = i
	}
	where := simplify(project(q.where, position))
	if where == truth(true) || len(q.Keys) == 0 {
		return "", nil, false
	}
	w := sqlWriter{column: func(c *Column) string {
		name := fmt.Sprintf("u.k%d", position[c]+1)
		if c.Collation != "" {
			return "(" + name + " COLLATE " + c.Collation + ")"
		}
		return name
	}}
	var arrays, names []string
	for i, k := range q.Keys {
		arrays = append(arrays, "pg_catalog.unnest("+w.arg(arrayOfValues(keys[i]), k.TypeName+"[]")+")")
		names = append(names, fmt.Sprintf("k%d", i+1))
	}
	sql = fmt.Sprintf("SELECT u.o FROM ROWS FROM (%s) WITH ORDINALITY AS u(%s, o) WHERE %s ORDER BY u.o",
		strings.Join(arrays, ", "), strings.Join(names, ", "), w.formula(where))
	return sql, w.args, true
}

// project replaces what is said of other columns than the given by TRUE. A formula without negations only grows by that.
func project(f formula, columns map[*Column]int) formula {
	known := func(c *Column) bool { _, ok := columns[c]; return ok }
	kept := true
	switch f := f.(type) {
	case all:
		parts := make(all, len(f))
		for i, part := range f {
			parts[i] = project(part, columns)
		}
		return parts
	case anyOf:
		parts := make(anyOf, len(f))
		for i, part := range f {
			parts[i] = project(part, columns)
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

// A sqlWriter prints formulas with qualified operators and every constant as an argument.
type sqlWriter struct {
	column func(*Column) string
	args   []string
}

// arg adds an argument and returns its place in the SQL, cast to a type.
func (w *sqlWriter) arg(text, typeName string) string {
	w.args = append(w.args, text)
	return fmt.Sprintf("$%d::%s", len(w.args), typeName)
}

func (w *sqlWriter) formula(f formula) string {
	switch f := f.(type) {
	case truth:
		return strings.ToUpper(formulaText(f))
	case all:
		return w.list(f, " AND ")
	case anyOf:
		return w.list(f, " OR ")
	case comparison:
		return fmt.Sprintf("%s OPERATOR(pg_catalog.%s) %s", w.column(f.column), f.op, w.arg(f.value.text, typeName(f.value.oid)))
	case pairing:
		return fmt.Sprintf("%s OPERATOR(pg_catalog.%s) %s", w.column(f.left), f.op, w.column(f.right))
	case membership:
		return w.membership(f)
	case nullness:
		if f.null {
			return w.column(f.column) + " IS NULL"
		}
		return w.column(f.column) + " IS NOT NULL"
	}
	panic("rewrite: internal error: unknown formula")
}

func (w *sqlWriter) list(parts []formula, separator string) string {
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = w.formula(part)
	}
	return "(" + strings.Join(texts, separator) + ")"
}

func (w *sqlWriter) membership(m membership) string {
	texts := make([]string, len(m.values))
	for i, v := range m.values {
		texts[i] = v.text
	}
	test := "%s OPERATOR(pg_catalog.<>) ALL (%s)"
	if m.in {
		test = "%s OPERATOR(pg_catalog.=) ANY (%s)"
	}
	return fmt.Sprintf(test, w.column(m.column), w.arg(ArrayLiteral(texts), typeName(m.values[0].oid)+"[]"))
}

func typeName(oid typeOID) string {
	b, ok := builtinType(oid)
	if !ok {
		panic("rewrite: internal error: constant of an unknown type")
	}
	return "pg_catalog." + b.name
}
