package rewrite

import (
	"fmt"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/query"
)

// substitute puts a relation of cells in the place of the protected table: unnest of one array for each key and count, under the
// table's name or alias and with the key columns' own names, so that all references resolve as before. Without keys it has
// exactly one row. Keys with a length, a precision or a collation get them back in a sub-select, so that the result is described
// as before.
func (r *selectReader) substitute(q *query.CountQuery) {
	var calls, plain, outputs []*pg.Node
	exact := true
	column := func(name, plainName string, a Array, value *pg.Node) {
		calls = append(calls, r.array(a))
		plain = append(plain, pg.MakeStrNode(plainName))
		if value == nil {
			value = pgtree.ColumnNode("u", plainName)
		} else {
			exact = false
		}
		outputs = append(outputs, pg.MakeResTargetNodeWithNameAndVal(name, value, -1))
	}
	for i, k := range r.keys {
		column(k.column, fmt.Sprintf("k%d", i+1), Array{Key: i, Count: -1, Type: arrayTypeName(k.value.Row.TypeOf())}, k.restored(fmt.Sprintf("k%d", i+1)))
	}
	columns := 0
	for _, c := range q.Counts {
		for range c.Columns() {
			column(r.countName(columns), fmt.Sprintf("c%d", columns+1), Array{Key: -1, Count: columns, Type: countArrayType(c)}, nil)
			columns++
		}
	}
	if !q.Totals { // of totals the statement has the widths instead
		for i := range q.Intervals {
			column(r.endName("lower", i), fmt.Sprintf("l%d", i+1), Array{Key: -1, Count: i, Type: int8Array, End: LowEnd}, nil)
			column(r.endName("upper", i), fmt.Sprintf("h%d", i+1), Array{Key: -1, Count: i, Type: int8Array, End: HighEnd}, nil)
		}
	}
	if q.Margins != nil {
		column(r.setName(), "s", Array{Key: -1, Count: -1, Type: "pg_catalog.int4[]"}, nil)
	}
	names := make([]*pg.Node, len(outputs))
	for i, o := range outputs {
		names[i] = pg.MakeStrNode(o.GetResTarget().GetName())
	}
	if exact {
		r.sel.FromClause = []*pg.Node{pgtree.Unnest(calls, r.source.name(), names)}
		return
	}
	cells := &pg.SelectStmt{
		TargetList:  outputs,
		FromClause:  []*pg.Node{pgtree.Unnest(calls, "u", plain)},
		LimitOption: pg.LimitOption_LIMIT_OPTION_DEFAULT,
		Op:          pg.SetOperation_SETOP_NONE,
	}
	r.sel.FromClause = []*pg.Node{{Node: &pg.Node_RangeSubselect{RangeSubselect: &pg.RangeSubselect{
		Subquery: &pg.Node{Node: &pg.Node_SelectStmt{SelectStmt: cells}},
		Alias:    &pg.Alias{Aliasname: r.source.name()},
	}}}}
}

const int8Array = "pg_catalog.int8[]"

// countArrayType is the type of an array of counts, or of values in their place.
func countArrayType(c query.Count) string {
	if c.Ordered != nil {
		return arrayTypeName(c.Ordered.Value.TypeOf())
	}
	return int8Array
}

// arrayTypeName is the type of an array of values. The parser's printer takes pg_catalog.bpchar for char(1), so character
// travels as text.
func arrayTypeName(oid pgvalue.OID) string {
	if oid != pgvalue.Bpchar {
		return pgvalue.TypeName(oid) + "[]"
	}
	return "pg_catalog.text[]"
}

// restored gives a key its length, precision, collation and time zone, nil if it has none to be restored.
func (k *key) restored(plainName string) *pg.Node {
	value := pgtree.ColumnNode("u", plainName)
	if k.value.Zoned {
		return pgtree.CastNode(value, pgtree.TypeNode([]string{"pg_catalog", "timestamptz"}, nil))
	}
	c, stored := k.value.Row.(*expr.Column)
	if !stored {
		if k.value.Row.TypeOf() == pgvalue.Bpchar {
			return pgtree.CastNode(value, pgtree.TypeNode([]string{"bpchar"}, nil))
		}
		return nil
	}
	if c.EnumName != nil {
		return pgtree.CastNode(value, pgtree.TypeNode(c.EnumName, nil))
	}
	restored := false
	if t := modifiedType(c); t != nil {
		value, restored = pgtree.CastNode(value, t), true
	}
	if c.Collation != "" {
		value, restored = &pg.Node{Node: &pg.Node_CollateClause{CollateClause: &pg.CollateClause{
			Arg: value, Collname: pgtree.NameNodes(splitQualified(c.Collation)), Location: -1,
		}}}, true
	}
	if !restored {
		return nil
	}
	return value
}

// modifiedType is the column's type with its modifier, nil if it has none. The modifier is decoded as the type's typmodout does.
func modifiedType(c *expr.Column) *pg.TypeName {
	var modifiers []int32
	name := []string{"pg_catalog", c.TypeName[len("pg_catalog."):]}
	switch {
	case c.TypeOID == pgvalue.Bpchar && c.Typmod < 0:
		return pgtree.TypeNode([]string{"bpchar"}, nil)
	case c.Typmod < 0:
		return nil
	case c.TypeOID == pgvalue.Bpchar, c.TypeOID == pgvalue.Varchar:
		modifiers = []int32{c.Typmod - 4}
	case c.TypeOID == pgvalue.Numeric:
		precision, scale := (c.Typmod-4)>>16&0xffff, (c.Typmod-4)&0x7ff
		modifiers = []int32{precision, (scale ^ 1024) - 1024} // since 15 the scale is signed, of 11 bits
	case c.TypeOID == pgvalue.Timestamp, c.TypeOID == pgvalue.Timestamptz:
		modifiers = []int32{c.Typmod}
	default:
		return nil
	}
	return pgtree.TypeNode(name, modifiers)
}

// splitQualified splits a name that quote_ident made: pg_catalog."C".
func splitQualified(name string) []string {
	var parts []string
	part, quoted := []byte{}, false
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '"' && quoted && i+1 < len(name) && name[i+1] == '"':
			part = append(part, c)
			i++
		case c == '"':
			quoted = !quoted
		case c == '.' && !quoted:
			parts, part = append(parts, string(part)), nil
		default:
			part = append(part, c)
		}
	}
	return append(parts, string(part))
}
