package rewrite

import (
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// stringsOf returns the strings of a dotted name; other nodes, such as the star of t.*, are empty strings.
func stringsOf(nodes []*pg.Node) []string {
	names := make([]string, len(nodes))
	for i, n := range nodes {
		names[i] = n.GetString_().GetSval()
	}
	return names
}

// location is the byte offset of a node, if its kind has one, else -1.
func location(n *pg.Node) int32 {
	if n == nil || n.GetNode() == nil {
		return -1
	}
	m := inner(n.ProtoReflect())
	if f := m.Descriptor().Fields().ByName("location"); f != nil {
		return int32(m.Get(f).Int())
	}
	first := int32(-1) // of what it is made of
	children(m, func(child protoreflect.Message) bool {
		if c, ok := child.Interface().(*pg.Node); ok {
			if loc := location(c); loc >= 0 && (first < 0 || loc < first) {
				first = loc
			}
		}
		return true
	})
	return first
}

// statementLocation is where a statement begins, behind white space.
func statementLocation(sql string, stmt *pg.RawStmt) int32 {
	start := int(stmt.GetStmtLocation())
	return int32(len(sql) - len(strings.TrimLeft(sql[start:], whiteSpace)))
}

// inner returns the message that a Node wraps.
func inner(m protoreflect.Message) protoreflect.Message {
	if f := m.WhichOneof(m.Descriptor().Oneofs().Get(0)); f != nil {
		return m.Get(f).Message()
	}
	return m
}

// at gives a refusal a place, unless it has one. Until Analyze is done, Position is the byte offset plus one.
func at(loc int32, r *Refusal) *Refusal {
	if r != nil && r.Position == 0 && loc >= 0 {
		r.Position = int(loc) + 1
	}
	return r
}

// children calls visit for each message directly below m, in the order of the fields, until it returns false.
func children(m protoreflect.Message, visit func(protoreflect.Message) bool) {
	if _, ok := m.Interface().(*pg.Node); ok { // one of its hundreds of fields is set
		if f := m.WhichOneof(m.Descriptor().Oneofs().Get(0)); f != nil {
			visit(m.Get(f).Message())
		}
		return
	}
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		switch {
		case f.Message() == nil || !m.Has(f):
		case !f.IsList():
			if !visit(m.Get(f).Message()) {
				return
			}
		default:
			for list, j := m.Get(f).List(), 0; j < list.Len(); j++ {
				if !visit(list.Get(j).Message()) {
					return
				}
			}
		}
	}
}

// clearLocations sets every place in the text to zero, so that trees of different texts can be compared.
func clearLocations(m protoreflect.Message) {
	for _, name := range []protoreflect.Name{"location", "stmt_location", "stmt_len"} {
		if f := m.Descriptor().Fields().ByName(name); f != nil {
			m.Clear(f)
		}
	}
	children(m, func(child protoreflect.Message) bool {
		clearLocations(child)
		return true
	})
}

// withoutLocations is a copy of a tree with no places in the text.
func withoutLocations(n *pg.Node) *pg.Node {
	n = proto.Clone(n).(*pg.Node)
	clearLocations(n.ProtoReflect())
	return n
}
