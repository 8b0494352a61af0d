package rewrite

import (
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/moment"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// read reads a SELECT from the source.
func (r *selectReader) read() (*query.CountQuery, *pgerror.Refusal) {
	r.readOutputs()
	if r.isDistinct() {
		return r.distinctValues()
	}
	if refusal := r.groupBy(); refusal != nil {
		return nil, refusal
	}
	if !r.hasCount() && !r.canList() {
		return nil, r.refuseWithoutCount()
	}
	return r.readCounts()
}

// readCounts reads what remains once the keys are known.
func (r *selectReader) readCounts() (*query.CountQuery, *pgerror.Refusal) {
	var withoutCount *pgerror.Refusal
	refused := r.refuseWithoutCount() // as the names still are those of columns
	if !r.hasCount() {
		withoutCount = refused
	}
	chooses := r.choosesByCount(r.outermost)
	r.degree = moment.Degree(r.sel)
	where, refusal := r.readClauses()
	switch {
	case refusal != nil:
		return nil, refusal
	case withoutCount == nil && len(r.counts) == 0: // the least and the greatest value of a key alone
		return nil, refused
	case r.printed > maxPrinted:
		return nil, expr.RefuseTooLarge("a SELECT from a protected table with computed keys is too long")
	}
	parts := r.source.where
	if where != nil {
		parts = append(slices.Clip(parts), where)
	}
	parts = besidesKeys(r.source.joins, parts)
	query := &query.CountQuery{Table: r.source.table, Keys: r.keyValues(), Counts: r.counts, Joins: r.source.joins, Partner: r.source.partner, Lead: r.source.lead, Types: r.params.endSelect(),
		ChoosesByCount: chooses, Intervals: r.intervals, WithoutCount: withoutCount}
	if r.hasMargins() {
		query.Margins = r.margins()
	} else {
		query.Totals, query.GroupingSets = r.grouped, r.groupingSets()
	}
	switch len(parts) {
	case 0:
	case 1:
		query.Where = parts[0]
	default:
		query.Where = expr.Junction{And: true, Args: parts}
	}
	return query, nil
}

// keyValues are what the keys are computed of.
func (r *selectReader) keyValues() []expr.Expression {
	values := make([]expr.Expression, len(r.keys))
	for i, k := range r.keys {
		values[i] = k.value.Row
	}
	return values
}

// readOutputs names the select list, before counts are replaced.
func (r *selectReader) readOutputs() {
	for _, n := range r.sel.GetTargetList() {
		target := n.GetResTarget()
		name, known := target.GetName(), true
		if name == "" {
			name, known = pgtree.ColumnName(target.GetVal())
		}
		if !known {
			name = ""
		}
		r.outputs = append(r.outputs, output{name, proto.Clone(target.GetVal()).(*pg.Node)})
	}
}

// hasCount reports whether a count of the table stands anywhere in the SELECT but in a sub-select of it.
func (r *selectReader) hasCount() bool { return pgtree.HasAggregate(r.sel) }

// A SELECT without a count can show the values of keys that are known without reading a row: those that the steward declared, and those that follow
// from types and the statement. The query has keys and no counts then, and is refused if some values are not known.

// canList reports whether such a SELECT has keys, and its table cells whose keys tell nothing of rows. Values that an aggregate adds up would pass
// for those that rows have.
func (r *selectReader) canList() bool {
	return len(r.keys) > 0 && !r.grouped && !r.source.table.Audited() && !pgtree.HasAggregate(r.outermost) && !pgtree.HasWindow(r.sel)
}

// isDistinct reports whether the SELECT is SELECT DISTINCT a, b without GROUP BY, which is what it would be with GROUP BY a, b.
func (r *selectReader) isDistinct() bool {
	distinct := r.sel.GetDistinctClause()
	return len(distinct) == 1 && distinct[0].GetNode() == nil && len(r.sel.GetGroupClause()) == 0 && r.sel.GetHavingClause() == nil && !r.hasCount()
}

// distinctValues reads SELECT DISTINCT. What is no list of keys is refused as rows are.
func (r *selectReader) distinctValues() (*query.CountQuery, *pgerror.Refusal) {
	refused := r.refuseWithoutCount()
	for i := range r.outputs {
		r.sel.GroupClause = append(r.sel.GroupClause, pg.MakeAConstIntNode(int64(i+1), -1))
	}
	if refusal := r.groupBy(); refusal != nil || !r.canList() {
		return nil, refused
	}
	q, refusal := r.readCounts()
	if refusal == nil {
		q.WithoutCount = refused
	}
	return q, refusal
}

// refuseWithoutCount suggests the counts by the columns that the SELECT would have shown.
func (r *selectReader) refuseWithoutCount() *pgerror.Refusal {
	var names []string
	add := func(o expr.Operand) {
		if c, ok := o.Row.(*expr.Column); ok && c.Joined == nil {
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
				return pgerror.At(ref.GetLocation(), refusal)
			}
			continue
		}
		add(found.column.value)
	}
	form := rowsRead
	if len(r.keys) > 0 {
		form = groupsRead
	}
	return form.At(pgtree.FromLocation(r.sel.GetFromClause()), r.source.written, r.source.example(names).statement())
}

// readClauses reads and replaces in the order in which PostgreSQL's parse analysis meets the clauses, on which the types
// of parameters depend. It takes WHERE, and GROUP BY unless it has grouping sets, out of the tree.
func (r *selectReader) readClauses() (expr.Predicate, *pgerror.Refusal) {
	for i, n := range r.sel.GetTargetList() {
		if refusal := r.replaceTarget(n.GetResTarget(), r.outputs[i].name); refusal != nil {
			return nil, refusal
		}
	}
	var where expr.Predicate
	if n := r.sel.GetWhereClause(); n != nil {
		var refusal *pgerror.Refusal
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

// replaceTarget replaces in a column of the select list. If that changes it, it keeps its name by AS.
func (r *selectReader) replaceTarget(target *pg.ResTarget, name string) *pgerror.Refusal {
	changed, refusal := r.replace(target.GetVal())
	if refusal != nil || !changed || target.GetName() != "" {
		return refusal
	}
	if name == "" {
		return nameMissing.At(target.GetLocation())
	}
	target.Name = name
	return nil
}

// replaceTail replaces in the clauses after WHERE.
func (r *selectReader) replaceTail() *pgerror.Refusal {
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

// Counts that are chosen by their size are further from the truth than others: of many noisy counts the largest is the one whose noise
// happened to be large. So the answer says how far off any of them may be, if the statement may choose among its counts. It is told from
// the statement alone; where it is not clear, it may.

// choosesByCount reports whether the statement may choose or order cells by their counts: unless the SELECT is all of it, and only shows them.
func (r *selectReader) choosesByCount(outermost *pg.SelectStmt) bool {
	return r.sel != outermost || pgtree.AggregateIn([]*pg.Node{r.sel.GetHavingClause()}) || pgtree.AggregateIn(r.sel.GetDistinctClause()) ||
		slices.ContainsFunc(r.sel.GetSortClause(), r.sortsByCount) || pgtree.HasWindow(r.sel)
}

// sortsByCount reports whether an item of ORDER BY has a count in it, by itself or as a column of the select list.
func (r *selectReader) sortsByCount(n *pg.Node) bool {
	sorted := n.GetSortBy().GetNode()
	if i := int(sorted.GetAConst().GetIval().GetIval()); i >= 1 && i <= len(r.outputs) {
		sorted = r.outputs[i-1].value
	}
	if fields := sorted.GetColumnRef().GetFields(); len(fields) == 1 {
		name := fields[0].GetString_().GetSval()
		if i := slices.IndexFunc(r.outputs, func(o output) bool { return o.name == name }); i >= 0 {
			sorted = r.outputs[i].value
		}
	}
	return pgtree.AggregateIn([]*pg.Node{sorted})
}
