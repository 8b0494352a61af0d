package rewrite

import (
	"fmt"
	"reflect"
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// groupBy resolves GROUP BY as PostgreSQL does (findTargetlistEntrySQL92 in parse_clause.c): a bare name is a column of the
// source if there is one, else an output name; an integer is a position in the select list; anything else is an expression
// over the source.
func (r *selectReader) groupBy() *Refusal {
	r.sets = []keySet{0}
	for _, item := range r.sel.GetGroupClause() {
		sets, refusal := r.groupItem(item)
		if refusal != nil {
			return refusal
		}
		r.sets = r.crossSets(r.sets, sets)
	}
	if r.sel.GetGroupDistinct() && !r.grouped {
		return at(location(r.sel.GetGroupClause()[0]), notSupported("GROUP BY DISTINCT is not supported on protected tables", "Leave out DISTINCT."))
	}
	return r.checkMargins()
}

// groupItem reads an item of GROUP BY, or of a grouping set, and returns the sets of keys that it stands for.
func (r *selectReader) groupItem(n *pg.Node) ([]keySet, *Refusal) {
	if items, ok := groupItems(n); ok {
		r.grouped = r.grouped || n.GetGroupingSet() != nil
		parts := make([][]keySet, len(items))
		for i, item := range items {
			var refusal *Refusal
			if parts[i], refusal = r.groupItem(item); refusal != nil {
				return nil, refusal
			}
		}
		return r.combineSets(n, parts), nil
	}
	value, refusal := r.grouping(n)
	if refusal != nil {
		return nil, refusal
	}
	return r.groupValue(value)
}

// groupItems are the parts of (a, b), ROLLUP (a, b), CUBE, GROUPING SETS and ().
func groupItems(n *pg.Node) (items []*pg.Node, ok bool) {
	if row := n.GetRowExpr(); row != nil && row.GetRowFormat() == pg.CoercionForm_COERCE_IMPLICIT_CAST {
		return row.GetArgs(), true
	}
	if set := n.GetGroupingSet(); set != nil {
		return set.GetContent(), true
	}
	return nil, false
}

// grouping is the expression that an item of GROUP BY stands for.
func (r *selectReader) grouping(n *pg.Node) (*pg.Node, *Refusal) {
	if c := n.GetAConst(); c != nil {
		value, refusal := r.groupPosition(c)
		return value, at(c.GetLocation(), refusal)
	}
	if ref := n.GetColumnRef(); ref != nil && len(ref.GetFields()) == 1 {
		if name := ref.GetFields()[0].GetString_().GetSval(); !r.source.has(name) {
			value, refusal := r.groupOutput(name, ref)
			return value, at(ref.GetLocation(), refusal)
		}
	}
	return n, nil
}

// groupPosition resolves GROUP BY 2.
func (r *selectReader) groupPosition(c *pg.A_Const) (*pg.Node, *Refusal) {
	v, ok := c.GetVal().(*pg.A_Const_Ival)
	if !ok {
		return nil, &Refusal{Code: codeSyntax, Message: "non-integer constant in GROUP BY"}
	}
	position := int(v.Ival.GetIval())
	if position < 1 || position > len(r.outputs) {
		return nil, &Refusal{Code: codeColumnReference, Message: fmt.Sprintf("GROUP BY position %d is not in select list", position)}
	}
	return r.outputs[position-1].value, nil
}

// groupOutput resolves a name that is no column of the source to the outputs of that name.
func (r *selectReader) groupOutput(name string, ref *pg.ColumnRef) (*pg.Node, *Refusal) {
	var found *pg.Node
	for _, o := range r.outputs {
		if o.name != name {
			continue
		}
		if found != nil && !proto.Equal(withoutLocations(found), withoutLocations(o.value)) {
			return nil, &Refusal{Code: codeAmbiguousColumn, Message: fmt.Sprintf("GROUP BY %q is ambiguous", name)}
		}
		found = o.value
	}
	if found == nil {
		_, refusal := r.source.value(ref)
		return nil, refusal
	}
	return found, nil
}

// groupValue adds a key, and returns the set of it. A constant groups nothing.
func (r *selectReader) groupValue(n *pg.Node) ([]keySet, *Refusal) {
	if call := n.GetFuncCall(); call != nil && isAggregate(call) {
		return nil, at(call.GetLocation(), &Refusal{Code: codeGrouping, Message: "aggregate functions are not allowed in GROUP BY"})
	}
	value, refusal := r.reader().operand(n)
	if refusal != nil {
		return nil, refusal
	}
	print := r.print(n)
	if value.isConstant() {
		return []keySet{0}, nil
	}
	if i := slices.IndexFunc(r.keys, func(k *key) bool { return k.print == print }); i >= 0 {
		return oneKey(i), r.checkTwin(r.keys[i], n)
	}
	if familyOf(value.row.typeOf()) == otherFamily {
		return nil, at(location(n), notSupported("a protected table cannot be grouped by a value of type "+shownType(value.row.typeOf()), "Cast it, or take a part of it, such as extract(day FROM ...)."))
	}
	k := &key{value: value, print: print, kind: kindOf(n), written: n}
	if ref := n.GetColumnRef(); ref != nil && r.source.single() {
		k.column, k.own = ref.GetFields()[len(ref.GetFields())-1].GetString_().GetSval(), true
	} else {
		k.column = r.unusedName(fmt.Sprintf("key %d", len(r.keys)+1))
	}
	r.keys = append(r.keys, k)
	return oneKey(len(r.keys) - 1), nil
}

// print prints an expression so that the same columns, however they are qualified, look the same.
func (r *selectReader) print(n *pg.Node) string {
	plain := withoutLocations(n)
	r.unqualify(plain.ProtoReflect())
	bytes, err := proto.MarshalOptions{Deterministic: true}.Marshal(plain)
	if err != nil {
		panic("rewrite: internal error: " + err.Error())
	}
	r.printed += len(bytes)
	return string(bytes)
}

// maxPrinted bounds what is printed to find keys in the expressions of a SELECT: each is printed at every level.
const maxPrinted = 64 << 20

// kindOf is the kind of a node.
func kindOf(n *pg.Node) reflect.Type { return reflect.TypeOf(n.GetNode()) }

func (r *selectReader) unqualify(m protoreflect.Message) {
	if ref, ok := m.Interface().(*pg.ColumnRef); ok {
		if found, refusal := r.source.resolve(ref); refusal == nil {
			ref.Fields = nameNodes([]string{fmt.Sprint(found.relation), found.column.name})
		}
		return
	}
	children(m, func(child protoreflect.Message) bool {
		r.unqualify(child)
		return true
	})
}

// keyOf finds the key that an expression is.
func (r *selectReader) keyOf(n *pg.Node) *key {
	switch n.GetNode().(type) {
	case *pg.Node_AConst, *pg.Node_ParamRef, *pg.Node_List, *pg.Node_ResTarget, *pg.Node_SortBy, *pg.Node_WindowDef:
		return nil
	}
	if !slices.ContainsFunc(r.keys, func(k *key) bool { return !k.own }) && n.GetColumnRef() == nil {
		return nil
	}
	if r.printed > maxPrinted || !slices.ContainsFunc(r.keys, func(k *key) bool { return k.kind == kindOf(n) }) {
		return nil
	}
	print := r.print(n)
	for _, k := range r.keys {
		if k.print == print {
			return k
		}
	}
	return nil
}

// replaceGrouping replaces in GROUP BY with grouping sets, which stays.
func (r *selectReader) replaceGrouping() *Refusal {
	for _, n := range r.sel.GetGroupClause() {
		if refusal := r.replaceGroupItem(n); refusal != nil {
			return refusal
		}
	}
	return nil
}

func (r *selectReader) replaceGroupItem(n *pg.Node) *Refusal {
	if items, ok := groupItems(n); ok {
		for _, item := range items {
			if refusal := r.replaceGroupItem(item); refusal != nil {
				return refusal
			}
		}
		return nil
	}
	value, refusal := r.grouping(n)
	if refusal != nil || value != n { // a position or an output name, which PostgreSQL does not take for another output of the same value
		return refusal
	}
	if k := r.keyOf(value); k != nil {
		r.params.readAll(n.ProtoReflect())
		n.Node = reference(r.source.name(), k.column, location(n))
	}
	return nil
}

// unusedName is a name that no column of the source has, and that stands nowhere in the statement: sub-selects would find it, too.
func (r *selectReader) unusedName(name string) string {
	for r.source.has(name) || r.written[name] {
		name += "'"
	}
	return name
}
