package rewrite

import (
	"fmt"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
)

// A selectReader turns one SELECT ... FROM protected-table into a CountQuery, and replaces in the tree what is computed of rows:
// counts by references to columns of cells, HAVING by WHERE. Its FROM clause is left to substitute.go.
type selectReader struct {
	sel     *pg.SelectStmt
	source  *source
	params  *parameters
	outputs []output
	keys    []*Column
	counts  []Count
	prints  []string                // of each count, to find it again
	tables  map[*pg.RangeVar]*Table // the protected tables in the statement
}

// An output is a column of the select list before anything was replaced.
type output struct {
	name  string
	value *pg.Node
}

// read reads a SELECT whose FROM is exactly one protected table.
func (r *selectReader) read() (*CountQuery, *Refusal) {
	if refusal := r.checkShape(); refusal != nil {
		return nil, refusal
	}
	r.readOutputs()
	if refusal := r.groupBy(); refusal != nil {
		return nil, refusal
	}
	if !r.hasCount() {
		return nil, r.refuseWithoutCount()
	}
	where, refusal := r.readClauses()
	if refusal != nil {
		return nil, refusal
	}
	slices.SortFunc(r.keys, func(a, b *Column) int { return strings.Compare(a.Name, b.Name) })
	return &CountQuery{Table: r.source.table, Keys: r.keys, Counts: r.counts, where: where, types: r.params.endSelect()}, nil
}

// checkShape refuses clauses that are about rows.
func (r *selectReader) checkShape() *Refusal {
	rv := r.sel.GetFromClause()[0].GetRangeVar()
	switch {
	case rv.GetCatalogname() != "":
		return at(rv.GetLocation(), notSupported("a protected table cannot be named with its database", "Leave out the name of the database."))
	case !rv.GetInh():
		return at(rv.GetLocation(), notSupported("ONLY is not supported on protected tables", "Leave out ONLY."))
	case len(rv.GetAlias().GetColnames()) > 0:
		return at(rv.GetLocation(), notSupported("renaming the columns of a protected table in FROM is not supported", "Use the table's own column names."))
	case len(r.sel.GetLockingClause()) > 0:
		return at(rv.GetLocation(), &Refusal{
			Code:    codePrivilege,
			Message: fmt.Sprintf("rows of protected table %s cannot be locked", r.source.written),
			Hint:    "Leave out FOR UPDATE or FOR SHARE.",
		})
	}
	return nil
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
func (r *selectReader) hasCount() bool {
	found := false
	places := slices.Concat(r.sel.GetTargetList(), []*pg.Node{r.sel.GetHavingClause()}, r.sel.GetSortClause(), r.sel.GetDistinctClause(),
		r.sel.GetWindowClause())
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
	add := func(c *Column) {
		if c != nil && c.usable() && !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	for _, k := range r.keys {
		add(k)
	}
	for _, n := range r.sel.GetTargetList() {
		ref := n.GetResTarget().GetVal().GetColumnRef()
		if ref == nil || len(names) > 0 && len(r.keys) > 0 {
			continue
		}
		c, refusal := r.source.column(ref)
		if refusal != nil && ref.GetFields()[len(ref.GetFields())-1].GetAStar() == nil {
			return refusal
		}
		add(c)
	}
	refusal := refuseRows(r.source.example(names))
	if len(r.keys) > 0 {
		refusal.Message = fmt.Sprintf("groups of protected table %s cannot be shown without their counts", r.source.written)
	}
	return at(r.sel.GetFromClause()[0].GetRangeVar().GetLocation(), refusal)
}

// readClauses reads and replaces in the order in which PostgreSQL's parse analysis meets the clauses, on which the types
// of parameters depend. It takes WHERE and GROUP BY out of the tree.
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
	r.sel.WhereClause, r.sel.HavingClause, r.sel.GroupClause = r.sel.GetHavingClause(), nil, nil
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

func (r *selectReader) condition(n *pg.Node, place string) (predicate, *Refusal) {
	reader := conditionReader{r.source, r.params}
	return reader.read(n, place)
}

func (r *selectReader) addKey(c *Column) {
	if !slices.Contains(r.keys, c) {
		r.keys = append(r.keys, c)
	}
}

// count reads a call of count as a Count, and returns its index.
func (r *selectReader) count(f *pg.FuncCall) (int, *Refusal) {
	if refusal := r.checkCount(f); refusal != nil {
		return 0, at(f.GetLocation(), refusal)
	}
	var parts []predicate
	persons := r.countsPersons(f)
	if !f.GetAggStar() && !persons {
		c, refusal := r.source.column(f.GetArgs()[0].GetColumnRef())
		if refusal != nil {
			return 0, refusal
		}
		if !c.NotNull {
			parts = append(parts, negation{isNull{c}})
		}
	}
	if n := f.GetAggFilter(); n != nil {
		p, refusal := r.condition(n, "FILTER")
		if refusal != nil {
			return 0, refusal
		}
		parts = append(parts, p)
	}
	plain := proto.Clone(f).(*pg.FuncCall)
	clearLocations(plain.ProtoReflect())
	print, err := proto.MarshalOptions{Deterministic: true}.Marshal(plain)
	if err != nil {
		panic("rewrite: internal error: " + err.Error())
	}
	if i := slices.Index(r.prints, string(print)); i >= 0 {
		return i, nil
	}
	if len(r.counts) == maxCounts {
		return 0, &Refusal{Code: codeLimit, Message: fmt.Sprintf("a SELECT from a protected table has more than %d different counts", maxCounts)}
	}
	r.prints = append(r.prints, string(print))
	count := Count{persons: persons}
	switch len(parts) {
	case 1:
		count.filter = parts[0]
	case 2:
		count.filter = junction{true, parts}
	}
	r.counts = append(r.counts, count)
	return len(r.counts) - 1, nil
}

// checkCount allows count(*) and count(column), with FILTER.
func (r *selectReader) checkCount(f *pg.FuncCall) *Refusal {
	name, _ := functionName(f)
	hint := "Counts are written count(*), count(column) and count(*) FILTER (WHERE ...), for example: " + r.source.example(names(r.keys)).statement()
	switch {
	case !isCountName(f):
		return notSupported(fmt.Sprintf("aggregate %s is not supported on protected tables", name), hint)
	case f.GetAggDistinct() && !r.countsPersons(f):
		return notSupported("count(DISTINCT ...) is not supported on protected tables", r.source.table.personHint()+hint)
	case len(f.GetAggOrder()) > 0 || f.GetAggWithinGroup() || f.GetFuncVariadic():
		return notSupported("this form of count is not supported on protected tables", hint)
	case !f.GetAggStar() && (len(f.GetArgs()) != 1 || f.GetArgs()[0].GetColumnRef() == nil):
		if len(f.GetArgs()) == 1 && f.GetArgs()[0].GetAConst() != nil && !f.GetArgs()[0].GetAConst().GetIsnull() {
			hint = "count(*) counts the same rows. " + hint
		}
		return notSupported("count of an expression is not supported on protected tables", hint)
	}
	return nil
}

func names(columns []*Column) []string {
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	return names
}
