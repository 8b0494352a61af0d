package rewrite

import (
	"fmt"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// substitute puts a relation of cells in the place of the protected table: unnest of one array for each key and count, under the
// table's name or alias and with the key columns' own names, so that all references resolve as before. Without keys it has
// exactly one row. Keys with a length, a precision or a collation get them back in a sub-select, so that the result is described
// as before.
func (r *selectReader) substitute(q *CountQuery, array func(Array) *pg.Node) {
	var calls, plain, outputs []*pg.Node
	exact := true
	column := func(name, plainName string, a Array, value *pg.Node) {
		calls = append(calls, array(a))
		plain = append(plain, pg.MakeStrNode(plainName))
		if value == nil {
			value = columnNode("u", plainName)
		} else {
			exact = false
		}
		outputs = append(outputs, pg.MakeResTargetNodeWithNameAndVal(name, value, -1))
	}
	for i, k := range q.keys {
		column(k.column, fmt.Sprintf("k%d", i+1), Array{Key: i, Count: -1, Type: k.arrayTypeName()}, k.restored(fmt.Sprintf("k%d", i+1)))
	}
	for i := range q.Counts {
		column(r.countName(i), fmt.Sprintf("c%d", i+1), Array{Key: -1, Count: i, Type: "pg_catalog.int8[]"}, nil)
	}
	if q.Margins != nil {
		column(r.setName(), "s", Array{Key: -1, Count: -1, Type: "pg_catalog.int4[]"}, nil)
	}
	names := make([]*pg.Node, len(outputs))
	for i, o := range outputs {
		names[i] = pg.MakeStrNode(o.GetResTarget().GetName())
	}
	if exact {
		r.sel.FromClause = []*pg.Node{unnest(calls, r.source.name(), names)}
		return
	}
	cells := &pg.SelectStmt{
		TargetList:  outputs,
		FromClause:  []*pg.Node{unnest(calls, "u", plain)},
		LimitOption: pg.LimitOption_LIMIT_OPTION_DEFAULT,
		Op:          pg.SetOperation_SETOP_NONE,
	}
	r.sel.FromClause = []*pg.Node{{Node: &pg.Node_RangeSubselect{RangeSubselect: &pg.RangeSubselect{
		Subquery: &pg.Node{Node: &pg.Node_SelectStmt{SelectStmt: cells}},
		Alias:    &pg.Alias{Aliasname: r.source.name()},
	}}}}
}

// unnest is a FROM item. The bare name is not looked up by PostgreSQL if there are several arrays; for one, it is qualified.
func unnest(arrays []*pg.Node, alias string, columns []*pg.Node) *pg.Node {
	name := []*pg.Node{pg.MakeStrNode("unnest")}
	if len(arrays) == 1 {
		name = []*pg.Node{pg.MakeStrNode("pg_catalog"), pg.MakeStrNode("unnest")}
	}
	return &pg.Node{Node: &pg.Node_RangeFunction{RangeFunction: &pg.RangeFunction{
		Functions: []*pg.Node{pg.MakeListNode([]*pg.Node{pg.MakeFuncCallNode(name, arrays, -1), {}})},
		Alias:     &pg.Alias{Aliasname: alias, Colnames: columns},
	}}}
}

// arrayTypeName is the type of the array of a key. The parser's printer takes pg_catalog.bpchar for char(1), so character
// travels as text.
func (k *key) arrayTypeName() string {
	if oid := k.value.row.typeOf(); oid != oidBpchar {
		return typeName(oid) + "[]"
	}
	return "pg_catalog.text[]"
}

// restored gives a key its length, precision, collation and time zone, nil if it has none to be restored.
func (k *key) restored(plainName string) *pg.Node {
	value := columnNode("u", plainName)
	if k.value.zoned {
		return castNode(value, typeNode([]string{"pg_catalog", "timestamptz"}, nil))
	}
	c, stored := k.value.row.(*Column)
	if !stored {
		if k.value.row.typeOf() == oidBpchar {
			return castNode(value, typeNode([]string{"bpchar"}, nil))
		}
		return nil
	}
	restored := false
	if t := modifiedType(c); t != nil {
		value, restored = castNode(value, t), true
	}
	if c.Collation != "" {
		value, restored = &pg.Node{Node: &pg.Node_CollateClause{CollateClause: &pg.CollateClause{
			Arg: value, Collname: nameNodes(splitQualified(c.Collation)), Location: -1,
		}}}, true
	}
	if !restored {
		return nil
	}
	return value
}

// modifiedType is the column's type with its modifier, nil if it has none. The modifier is decoded as the type's typmodout does.
func modifiedType(c *Column) *pg.TypeName {
	var modifiers []int32
	name := []string{"pg_catalog", c.TypeName[len("pg_catalog."):]}
	switch {
	case c.TypeOID == oidBpchar && c.Typmod < 0:
		return typeNode([]string{"bpchar"}, nil)
	case c.Typmod < 0:
		return nil
	case c.TypeOID == oidBpchar, c.TypeOID == oidVarchar:
		modifiers = []int32{c.Typmod - 4}
	case c.TypeOID == oidNumeric:
		precision, scale := (c.Typmod-4)>>16&0xffff, (c.Typmod-4)&0x7ff
		modifiers = []int32{precision, (scale ^ 1024) - 1024} // since 15 the scale is signed, of 11 bits
	case c.TypeOID == oidTimestamp, c.TypeOID == oidTimestamptz:
		modifiers = []int32{c.Typmod}
	default:
		return nil
	}
	return typeNode(name, modifiers)
}

func typeNode(name []string, modifiers []int32) *pg.TypeName {
	t := &pg.TypeName{Names: nameNodes(name), Typemod: -1, Location: -1}
	for _, m := range modifiers {
		t.Typmods = append(t.Typmods, pg.MakeAConstIntNode(int64(m), -1))
	}
	return t
}

func nameNodes(names []string) []*pg.Node {
	nodes := make([]*pg.Node, len(names))
	for i, n := range names {
		nodes[i] = pg.MakeStrNode(n)
	}
	return nodes
}

func columnNode(relation, column string) *pg.Node {
	return &pg.Node{Node: reference(relation, column, -1)}
}

func castNode(n *pg.Node, t *pg.TypeName) *pg.Node {
	return &pg.Node{Node: &pg.Node_TypeCast{TypeCast: &pg.TypeCast{Arg: n, TypeName: t, Location: -1}}}
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
