package countfirst

import (
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/rewrite/internal/pgtree"
)

// The expressions of the other side along which a join is made are printed several times: in the condition of the join, and where a row without
// a count is told from one that matches nobody. So they must have the same value each time.

// stable are functions that do, of those that keys are computed with.
var stable = []string{"abs", "btrim", "ceil", "ceiling", "date", "date_part", "date_trunc", "extract", "floor", "initcap", "left", "length", "lower", "lpad", "ltrim",
	"make_date", "mod", "now", "replace", "right", "round", "rpad", "rtrim", "split_part", "substr", "substring", "timezone", "to_char", "to_date", "trunc", "upper", "width_bucket"}

// volatile finds a call or a sub-select that may have another value each time; nil if there is none.
func volatile(pairs []pair, beside []*pg.Node) (found *pg.Node) {
	nodes := slices.Clone(beside)
	for _, p := range pairs {
		nodes = append(nodes, p.other)
	}
	for _, n := range nodes {
		for link := range pgtree.Nodes[*pg.SubLink](n.ProtoReflect()) {
			found = &pg.Node{Node: &pg.Node_SubLink{SubLink: link}}
		}
		for f := range pgtree.Nodes[*pg.FuncCall](n.ProtoReflect()) {
			if name, builtin := pgtree.FunctionName(f); !builtin || !slices.Contains(stable, name) {
				found = &pg.Node{Node: &pg.Node_FuncCall{FuncCall: f}}
			}
		}
	}
	return found
}

// aboutKeys are the conditions on the protected side that are about columns of the equalities alone, as conditions on the other side. No row
// matches where one of them is not true. These columns have no cells there, so that nothing else would tell.
func (s *side) aboutKeys(inside []*pg.Node, pairs []pair) (conditions []*pg.Node) {
	for _, n := range inside {
		if n = clone(n); s.putOther(n.ProtoReflect(), pairs) {
			conditions = append(conditions, n)
		}
	}
	return conditions
}

// putOther puts the other side's expressions in the place of the columns of a comparison; ok is false if it has anything but these and constants.
func (s *side) putOther(m protoreflect.Message, pairs []pair) (ok bool) {
	if n, isNode := m.Interface().(*pg.Node); isNode {
		switch v := n.GetNode().(type) {
		case *pg.Node_ColumnRef:
			at := slices.IndexFunc(pairs, func(p pair) bool { return p.side.GetColumnRef() != nil && s.equal(p.side, n) })
			if at < 0 {
				return false
			}
			n.Node = clone(pairs[at].other).GetNode()
			return true
		case *pg.Node_AConst, *pg.Node_String_:
			return true
		case *pg.Node_TypeCast:
			return v.TypeCast.GetArg().GetAConst() != nil
		case *pg.Node_AExpr, *pg.Node_BoolExpr, *pg.Node_NullTest, *pg.Node_List:
		default:
			return false
		}
	}
	ok = true
	pgtree.Children(m, func(child protoreflect.Message) bool {
		ok = s.putOther(child, pairs)
		return ok
	})
	return ok
}
