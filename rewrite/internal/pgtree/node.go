package pgtree

import (
	"iter"
	"reflect"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Strings returns the strings of a dotted name; other nodes, such as the star of t.*, are empty strings.
func Strings(nodes []*pg.Node) []string {
	names := make([]string, len(nodes))
	for i, n := range nodes {
		names[i] = n.GetString_().GetSval()
	}
	return names
}

// Location is the byte offset of a node, if its kind has one, else -1.
func Location(n *pg.Node) int32 {
	if n == nil || n.GetNode() == nil {
		return -1
	}
	m := inner(n.ProtoReflect())
	if f := m.Descriptor().Fields().ByName("location"); f != nil {
		return int32(m.Get(f).Int())
	}
	first := int32(-1) // of what it is made of
	Children(m, func(child protoreflect.Message) bool {
		if c, ok := child.Interface().(*pg.Node); ok {
			if loc := Location(c); loc >= 0 && (first < 0 || loc < first) {
				first = loc
			}
		}
		return true
	})
	return first
}

// StatementLocation is where a statement begins, behind white space.
func StatementLocation(sql string, stmt *pg.RawStmt) int32 {
	start := int(stmt.GetStmtLocation())
	return int32(len(sql) - len(strings.TrimLeft(sql[start:], WhiteSpace)))
}

// inner returns the message that a Node wraps.
func inner(m protoreflect.Message) protoreflect.Message {
	if f := m.WhichOneof(m.Descriptor().Oneofs().Get(0)); f != nil {
		return m.Get(f).Message()
	}
	return m
}

// Nodes passes the messages of one type in m, with m itself, from the outside in.
func Nodes[T any](m protoreflect.Message) iter.Seq[T] {
	return func(yield func(T) bool) { passNodes(m, yield) }
}

func passNodes[T any](m protoreflect.Message, yield func(T) bool) bool {
	if v, ok := m.Interface().(T); ok && !yield(v) {
		return false
	}
	more := true
	Children(m, func(child protoreflect.Message) bool {
		more = passNodes(child, yield)
		return more
	})
	return more
}

// First is the first message of one type in m, the zero value if there is none.
func First[T any](m protoreflect.Message) (first T) {
	for v := range Nodes[T](m) {
		return v
	}
	return first
}

// ClearLocations sets every place in the text to zero, so that trees of different texts can be compared.
func ClearLocations(m protoreflect.Message) {
	for _, name := range []protoreflect.Name{"location", "stmt_location", "stmt_len"} {
		if f := m.Descriptor().Fields().ByName(name); f != nil {
			m.Clear(f)
		}
	}
	Children(m, func(child protoreflect.Message) bool {
		ClearLocations(child)
		return true
	})
}

// WithoutLocations is a copy of a tree with no places in the text.
func WithoutLocations(n *pg.Node) *pg.Node {
	n = proto.Clone(n).(*pg.Node)
	ClearLocations(n.ProtoReflect())
	return n
}

// FromLocation is the place of the first relation in FROM items, -1 if there is none.
func FromLocation(items []*pg.Node) int32 {
	for _, n := range items {
		var found int32 = -1
		switch v := n.GetNode().(type) {
		case *pg.Node_RangeVar:
			found = v.RangeVar.GetLocation()
		case *pg.Node_JoinExpr:
			found = FromLocation([]*pg.Node{v.JoinExpr.GetLarg(), v.JoinExpr.GetRarg()})
		case *pg.Node_RangeSubselect:
			found = FromLocation(v.RangeSubselect.GetSubquery().GetSelectStmt().GetFromClause())
		}
		if found >= 0 {
			return found
		}
	}
	return -1
}

// WhiteSpace is what input functions skip.
const WhiteSpace = " \t\n\r\v\f"

// WalkLevel calls visit for each node below and including n that belongs to the same query level: sub-selects are passed
// over, except for the left side of IN. It does not descend where visit returns false.
func WalkLevel(n *pg.Node, visit func(*pg.Node) bool) {
	if n == nil || n.GetNode() == nil || !visit(n) {
		return
	}
	m := inner(n.ProtoReflect())
	if l := n.GetSubLink(); l != nil {
		WalkLevel(l.GetTestexpr(), visit)
		return
	}
	WalkBelow(m, visit)
}

func WalkBelow(m protoreflect.Message, visit func(*pg.Node) bool) {
	Children(m, func(child protoreflect.Message) bool {
		if n, ok := child.Interface().(*pg.Node); ok {
			WalkLevel(n, visit)
		} else {
			WalkBelow(child, visit)
		}
		return true
	})
}

// GroupItems are the parts of (a, b), ROLLUP (a, b), CUBE, GROUPING SETS and ().
func GroupItems(n *pg.Node) (items []*pg.Node, ok bool) {
	if row := n.GetRowExpr(); row != nil && row.GetRowFormat() == pg.CoercionForm_COERCE_IMPLICIT_CAST {
		return row.GetArgs(), true
	}
	if set := n.GetGroupingSet(); set != nil {
		return set.GetContent(), true
	}
	return nil, false
}

// KindOf is the kind of a node.
func KindOf(n *pg.Node) reflect.Type { return reflect.TypeOf(n.GetNode()) }

// Conjuncts are the parts of a condition that must all be true.
func Conjuncts(n *pg.Node) []*pg.Node {
	switch e := n.GetBoolExpr(); {
	case n == nil:
		return nil
	case e != nil && e.GetBoolop() == pg.BoolExprType_AND_EXPR:
		var parts []*pg.Node
		for _, arg := range e.GetArgs() {
			parts = append(parts, Conjuncts(arg)...)
		}
		return parts
	}
	return []*pg.Node{n}
}
