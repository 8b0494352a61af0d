package rewrite

import (
	"fmt"
	"reflect"
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
)

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
	sets    []keySet
	counts  []Count
	prints  []string                // of each count, to find it again
	tables  map[*pg.RangeVar]*Table // the protected tables in the statement
	written map[string]bool         // the names of columns in the statement
	printed int                     // bytes of expressions
}

// An output is a column of the select list before anything was replaced.
type output struct {
	name  string
	value *pg.Node
}

// A key is an expression of GROUP BY.
type key struct {
	value operand
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

// read reads a SELECT from the source.
func (r *selectReader) read() (*CountQuery, *Refusal) {
	r.readOutputs()
	if refusal := r.groupBy(); refusal != nil {
		return nil, refusal
	}
	if !r.hasCount() {
		return nil, r.refuseWithoutCount()
	}
	where, refusal := r.readClauses()
	switch {
	case refusal != nil:
		return nil, refusal
	case r.printed > maxPrinted:
		return nil, refuseTooLarge("a SELECT from a protected table with computed keys is too long")
	}
	parts := r.source.where
	if where != nil {
		parts = append(slices.Clip(parts), where)
	}
	parts = besidesKeys(r.source.joins, parts)
	query := &CountQuery{Table: r.source.table, keys: r.keys, Counts: r.counts, joins: r.source.joins, partner: r.source.partner, types: r.params.endSelect()}
	if r.hasMargins() {
		query.Margins = r.margins()
	} else {
		query.Totals, query.GroupingSets = r.grouped, r.groupingSets()
	}
	switch len(parts) {
	case 0:
	case 1:
		query.where = parts[0]
	default:
		query.where = junction{true, parts}
	}
	return query, nil
}

// readOutputs names the select list, before counts are replaced.
func (r *selectReader) readOutputs() {
	for _, n := range r.sel.GetTargetList() {
		target := n.GetResTarget()
		name, known := target.GetName(), true
		if name == "" {
			name, known = columnName(target.GetVal())
		}
		if !known {
			name = ""
		}
		r.outputs = append(r.outputs, output{name, proto.Clone(target.GetVal()).(*pg.Node)})
	}
}

// hasCount reports whether a count of the table stands anywhere in the SELECT but in a sub-select of it.
func (r *selectReader) hasCount() bool { return hasAggregate(r.sel) }

// hasAggregate reports whether an aggregate of the SELECT itself stands anywhere in it.
func hasAggregate(sel *pg.SelectStmt) bool {
	found := false
	places := slices.Concat(sel.GetTargetList(), []*pg.Node{sel.GetHavingClause()}, sel.GetSortClause(), sel.GetDistinctClause(), sel.GetWindowClause())
	for _, n := range places {
		walkLevel(n, func(n *pg.Node) bool {
			if f := n.GetFuncCall(); f != nil && isAggregate(f) {
				found = true
			}
			return !found
		})
	}
	return found
}

// refuseWithoutCount suggests the counts by the columns that the SELECT would have shown.
func (r *selectReader) refuseWithoutCount() *Refusal {
	var names []string
	add := func(o operand) {
		c, ok := o.row.(*Column)
		if ok && c.usable() && c.joined == nil && !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	for _, k := range r.keys {
		add(k.value)
	}
	for _, n := range r.sel.GetTargetList() {
		ref := n.GetResTarget().GetVal().GetColumnRef()
		if ref == nil || len(names) > 0 && len(r.keys) > 0 {
			continue
		}
		found, refusal := r.source.resolve(ref)
		if refusal != nil {
			if ref.GetFields()[len(ref.GetFields())-1].GetAStar() == nil {
				return at(ref.GetLocation(), refusal)
			}
			continue
		}
		add(found.column.value)
	}
	refusal := refuseRows(r.source.example(names))
	if len(r.keys) > 0 {
		refusal.Message = fmt.Sprintf("groups of protected table %s cannot be shown without their counts", r.source.written)
	}
	return at(fromLocation(r.sel.GetFromClause()), refusal)
}

// fromLocation is the place of the first relation in FROM items, -1 if there is none.
func fromLocation(items []*pg.Node) int32 {
	for _, n := range items {
		var found int32 = -1
		switch v := n.GetNode().(type) {
		case *pg.Node_RangeVar:
			found = v.RangeVar.GetLocation()
		case *pg.Node_JoinExpr:
			found = fromLocation([]*pg.Node{v.JoinExpr.GetLarg(), v.JoinExpr.GetRarg()})
		case *pg.Node_RangeSubselect:
			found = fromLocation(v.RangeSubselect.GetSubquery().GetSelectStmt().GetFromClause())
		}
		if found >= 0 {
			return found
		}
	}
	return -1
}

// readClauses reads and replaces in the order in which PostgreSQL's parse analysis meets the clauses, on which the types
// of parameters depend. It takes WHERE, and GROUP BY unless it has grouping sets, out of the tree.
func (r *selectReader) readClauses() (predicate, *Refusal) {
	for i, n := range r.sel.GetTargetList() {
		if refusal := r.replaceTarget(n.GetResTarget(), r.outputs[i].name); refusal != nil {
			return nil, refusal
		}
	}
	var where predicate
	if n := r.sel.GetWhereClause(); n != nil {
		var refusal *Refusal
		if where, refusal = r.condition(n, "WHERE"); refusal != nil {
			return nil, refusal
		}
	}
	if refusal := r.replaceTail(); refusal != nil {
		return nil, refusal
	}
	if r.grouped && !r.hasMargins() {
		r.sel.WhereClause = nil
		return where, r.replaceGrouping()
	}
	r.sel.WhereClause, r.sel.HavingClause, r.sel.GroupClause, r.sel.GroupDistinct = r.sel.GetHavingClause(), nil, nil, false
	return where, nil
}

// maxCounts bounds the counts of one SELECT; each is a question of its own.
const maxCounts = 200

// replaceTarget replaces in a column of the select list. If that changes it, it keeps its name by AS.
func (r *selectReader) replaceTarget(target *pg.ResTarget, name string) *Refusal {
	changed, refusal := r.replace(target.GetVal())
	if refusal != nil || !changed || target.GetName() != "" {
		return refusal
	}
	if name == "" {
		return at(target.GetLocation(), notSupported("this column of the select list needs a name", "Name it with AS."))
	}
	target.Name = name
	return nil
}

// replaceTail replaces in the clauses after WHERE.
func (r *selectReader) replaceTail() *Refusal {
	if _, refusal := r.replace(r.sel.GetHavingClause()); refusal != nil {
		return refusal
	}
	for _, n := range r.sel.GetSortClause() {
		if refusal := r.replaceOrdering(n.GetSortBy().GetNode()); refusal != nil {
			return refusal
		}
	}
	for _, n := range r.sel.GetDistinctClause() {
		if refusal := r.replaceOrdering(n); refusal != nil {
			return refusal
		}
	}
	for _, n := range r.sel.GetWindowClause() {
		if _, refusal := r.replace(n); refusal != nil {
			return refusal
		}
	}
	if refusal := checkLimit(r.sel.GetLimitOffset(), "OFFSET"); refusal != nil {
		return refusal
	}
	return checkLimit(r.sel.GetLimitCount(), "LIMIT")
}

func (r *selectReader) reader() *conditionReader { return &conditionReader{r.source, r.params} }

func (r *selectReader) condition(n *pg.Node, place string) (predicate, *Refusal) {
	return r.reader().read(n, place)
}
