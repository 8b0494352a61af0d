package rewrite

import (
	"fmt"
	"reflect"
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// keyNames are the names of the keys that are columns of the protected table.
func (r *selectReader) keyNames() []string {
	var names []string
	for _, k := range r.keys {
		if c, ok := k.value.Row.(*expr.Column); ok && c.Joined == nil {
			names = append(names, c.Name)
		}
	}
	return names
}

// A selectReader turns one SELECT over the rows of a protected table into a CountQuery, and replaces in the tree what is computed of
// rows: keys and counts by references to columns of cells, HAVING by WHERE. Its FROM clause is left to substitute.go.
type selectReader struct {
	sel     *pg.SelectStmt
	source  *source
	params  *parameters
	outputs []output
	keys    []*key
	// grouped says that GROUP BY has grouping sets: the cells are those of all its keys, and stay grouped by them, unless each set has
	// cells of its own (hasMargins).
	grouped bool
	// sets are the grouping sets; nil without, or if they are too many.
	sets   []query.KeySet
	counts []query.Count
	prints []string // of each count, to find it again
	// intervals are those that are asked for of counts.
	intervals []query.Interval
	// array adds an array of the query's answer to the statement.
	array func(Array) *pg.Node
	// degree is that of the sums of numbers: 2 if the SELECT has a variance, else 1.
	degree  int
	tables  map[*pg.RangeVar]*expr.Table // the protected tables in the statement
	written map[string]bool              // the names of columns in the statement
	printed int                          // bytes of expressions
	// outermost is the SELECT that the statement shows the rows of; nil if there is none.
	outermost *pg.SelectStmt
}

// An output is a column of the select list before anything was replaced.
type output struct {
	name  string
	value *pg.Node
}

// A key is an expression of GROUP BY.
type key struct {
	value expr.Operand
	// print tells expressions apart, however their columns are qualified.
	print string
	kind  reflect.Type // of the expression's node
	// written is the expression itself: that of the select list, if GROUP BY refers to it by name or position.
	written *pg.Node
	// column is the key's name among the cells: that of the source's column, if it is one, by itself.
	column string
	// own says that references to the column find it among the cells as they are.
	own bool
}

func (r *selectReader) reader() *conditionReader {
	return &conditionReader{source: r.source, params: r.params}
}

func (r *selectReader) condition(n *pg.Node, place string) (expr.Predicate, *pgerror.Refusal) {
	return r.reader().read(n, place)
}

// countName is the name of a column of counts among the cells. It has a blank, so that no reference meets it by accident.
func (r *selectReader) countName(i int) string { return r.unusedName(fmt.Sprintf("count %d", i+1)) }

// endName is the name of a column of ends among the cells, which has a blank, too.
func (r *selectReader) endName(end string, i int) string {
	return r.unusedName(fmt.Sprintf("%s %d", end, i+1))
}

// print prints an expression so that the same columns, however they are qualified, look the same.
func (r *selectReader) print(n *pg.Node) string {
	plain := pgtree.WithoutLocations(n)
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

func (r *selectReader) unqualify(m protoreflect.Message) {
	for ref := range pgtree.Nodes[*pg.ColumnRef](m) {
		if found, refusal := r.source.resolve(ref); refusal == nil {
			ref.Fields = pgtree.NameNodes([]string{fmt.Sprint(found.relation), found.column.name})
		}
	}
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
	if r.printed > maxPrinted || !slices.ContainsFunc(r.keys, func(k *key) bool { return k.kind == pgtree.KindOf(n) }) {
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

// unusedName is a name that no column of the source has, and that stands nowhere in the statement: sub-selects would find it, too.
func (r *selectReader) unusedName(name string) string {
	for r.source.has(name) || r.written[name] {
		name += "'"
	}
	return name
}

// hasMargins reports whether each grouping set has cells of its own.
func (r *selectReader) hasMargins() bool { return r.grouped && r.source.table.Audited() }

// setName is the name of the column of the margins' numbers among the cells.
func (r *selectReader) setName() string { return r.unusedName("grouping set") }
