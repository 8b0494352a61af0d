package expr

import (
	"fmt"
	"strings"

	"tacit/rewrite/internal/pgvalue"
)

// Bytewise is a key that is compared byte by byte if it is a text: with a deterministic collation texts are equal only if their
// bytes are, and comparing these is much faster.
func (w *SQLWriter) Bytewise(c *Column) string {
	if f := pgvalue.FamilyOf(c.TypeOID); f == pgvalue.Texts || f == pgvalue.Blanks || f == pgvalue.Enums {
		return "(" + w.Key(c) + ` COLLATE pg_catalog."C")`
	}
	return w.Key(c)
}

// TableColumn names a stored column of the protected table, t, or of a public table that it is joined with.
func TableColumn(c *Column) string {
	switch {
	case c.Aggregate != nil:
		value := fmt.Sprintf("%s.%s", c.Joined.Alias, c.Joined.Output(c))
		if c.Aggregate.Name == "count" && c.Joined.Persons.Outer != nil {
			value = "COALESCE(" + value + ", 0)"
		}
		return value
	case c.IsOfPersons():
		return c.Joined.Alias + ".present"
	}
	name := "t." + pgvalue.AlwaysQuoted(c.Name)
	if c.Joined != nil {
		name = c.Joined.Alias + "." + pgvalue.AlwaysQuoted(c.Name)
	}
	if c.TypeOID == pgvalue.Enum { // and not by a cast, which could be one of somebody's own
		return "pg_catalog.textin(pg_catalog.enum_out(" + name + "))"
	}
	return name
}

// Key prints a key in canonical form. A collation that equates different texts would show one row's spelling, so
// texts are grouped byte by byte where the collation is not the database's, which never does that.
func (w *SQLWriter) Key(c *Column) string {
	key := CanonicalKey(w.Value(c), c.TypeOID)
	if c.Collation != "" {
		key = "(" + key + ` COLLATE pg_catalog."C")`
	}
	return key
}

// CanonicalKey is an expression for the canonical value of a key: values that the type's equality does not tell apart look
// alike, so that no single row's spelling shows (1.50 and 1.5, -0 and 0, trailing blanks).
func CanonicalKey(expression string, oid uint32) string {
	switch oid {
	case pgvalue.Numeric:
		return "pg_catalog.trim_scale(" + expression + ")"
	case pgvalue.Float4:
		return "(" + expression + " OPERATOR(pg_catalog.+) '0'::pg_catalog.float4)"
	case pgvalue.Float8:
		return "(" + expression + " OPERATOR(pg_catalog.+) '0'::pg_catalog.float8)"
	case pgvalue.Bpchar:
		return "(" + expression + ")::pg_catalog.text"
	}
	return expression
}

// A SQLWriter prints formulas with qualified operators and every constant as an argument.
type SQLWriter struct {
	// column names a stored column that is not among keys.
	Column func(*Column) string
	// keys are columns, stored or computed, that are there as they are.
	Keys map[*Column]string
	Args []string
}

// Value prints a column, stored or computed.
func (w *SQLWriter) Value(c *Column) string {
	if name, ok := w.Keys[c]; ok {
		if c.Collation != "" {
			return "(" + name + " COLLATE " + c.Collation + ")"
		}
		return name
	}
	if c.Stored() {
		return w.Column(c)
	}
	return w.computed(c, unguarded)
}

// computed prints the computation of a column.
func (w *SQLWriter) computed(c *Column, g nullRule) string {
	if name, ok := w.Keys[c]; ok {
		return name
	}
	return "(" + c.computation.write(w, g) + ")::" + c.TypeName
}

// Arg adds an argument and returns its place in the SQL, cast to a type.
func (w *SQLWriter) Arg(text, typeName string) string {
	w.Args = append(w.Args, text)
	return fmt.Sprintf("$%d::%s", len(w.Args), typeName)
}

func (w *SQLWriter) Formula(f Formula) string {
	var b strings.Builder
	w.write(&b, f)
	return b.String()
}

func (w *SQLWriter) write(b *strings.Builder, f Formula) {
	switch f := f.(type) {
	case Truth:
		b.WriteString(strings.ToUpper(truthText(f)))
	case All:
		w.list(b, f, " AND ")
	case AnyOf:
		w.list(b, f, " OR ")
	case Comparison:
		fmt.Fprintf(b, "%s OPERATOR(pg_catalog.%s) %s", w.Value(f.Column), f.Op, w.Arg(f.Value.Text, pgvalue.TypeName(f.Value.OID)))
	case Pairing:
		fmt.Fprintf(b, "%s OPERATOR(pg_catalog.%s) %s", w.Value(f.Left), f.op, w.Value(f.Right))
	case Membership:
		w.membership(b, f)
	case Nullness:
		test := " IS NOT NULL"
		if f.Null {
			test = " IS NULL"
		}
		b.WriteString(w.Value(f.Column) + test)
	default:
		panic("rewrite: internal error: unknown formula")
	}
}

func (w *SQLWriter) list(b *strings.Builder, parts []Formula, separator string) {
	b.WriteByte('(')
	for i, part := range parts {
		if i > 0 {
			b.WriteString(separator)
		}
		w.write(b, part)
	}
	b.WriteByte(')')
}

func (w *SQLWriter) membership(b *strings.Builder, m Membership) {
	texts := make([]string, len(m.Values))
	for i, v := range m.Values {
		texts[i] = v.Text
	}
	test := "%s OPERATOR(pg_catalog.<>) ALL (%s)"
	if m.In {
		test = "%s OPERATOR(pg_catalog.=) ANY (%s)"
	}
	fmt.Fprintf(b, test, w.Value(m.Column), w.Arg(pgvalue.ArrayLiteral(texts), pgvalue.TypeName(m.Values[0].OID)+"[]"))
}
