package rewrite

import (
	"fmt"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// readsRows reports whether a FROM item gives rows of a protected table: the table itself, or a sub-select or join that keeps them.
func (a *analysis) readsRows(n *pg.Node) bool {
	switch v := n.GetNode().(type) {
	case *pg.Node_RangeVar:
		return a.mentions.tables[v.RangeVar] != nil
	case *pg.Node_JoinExpr:
		return a.readsRows(v.JoinExpr.GetLarg()) || a.readsRows(v.JoinExpr.GetRarg())
	case *pg.Node_RangeTableSample:
		return a.readsRows(v.RangeTableSample.GetRelation())
	case *pg.Node_RangeSubselect:
		return a.keepsRows(v.RangeSubselect.GetSubquery().GetSelectStmt())
	}
	return false
}

// keepsRows reports whether a SELECT only renames, computes and filters rows of a protected table.
func (a *analysis) keepsRows(sel *pg.SelectStmt) bool {
	plain := sel.GetOp() == pg.SetOperation_SETOP_NONE && len(sel.GetValuesLists()) == 0 && sel.GetWithClause() == nil && sel.GetIntoClause() == nil &&
		len(sel.GetDistinctClause()) == 0 && len(sel.GetGroupClause()) == 0 && sel.GetHavingClause() == nil && len(sel.GetWindowClause()) == 0 &&
		sel.GetLimitCount() == nil && sel.GetLimitOffset() == nil && len(sel.GetLockingClause()) == 0
	return plain && !hasAggregate(sel) && slices.ContainsFunc(sel.GetFromClause(), a.readsRows)
}

// A fromReader makes a source of a FROM clause.
type fromReader struct {
	a      *analysis
	source *source
	// second is the other source of a join of two protected tables, using what JOIN USING says of it.
	second *source
	using  []string
	// numbered counts the public tables that have a number, also in the sub-selects.
	numbered *int
	pending  []*pendingJoin
	// conditions are those of inner joins.
	conditions []*pg.Node
}

// A pendingJoin is a public table whose unique key is yet to be found among the conditions.
type pendingJoin struct {
	table      *PublicTable
	relation   *relation
	node       *pg.RangeVar
	left       bool
	conditions []*pg.Node // its own, of a LEFT JOIN
	using      []string
}

// readFrom makes a source of the FROM clause of a SELECT; where is its WHERE clause, in which the condition of a join may stand.
// numbered counts public tables.
func (a *analysis) readFrom(sel *pg.SelectStmt, numbered *int) (*source, *Refusal) {
	f := &fromReader{a: a, numbered: numbered}
	if refusal := a.choosePartner(sel.GetFromClause()); refusal != nil {
		return nil, refusal
	}
	for _, n := range sel.GetFromClause() {
		if refusal := f.item(n); refusal != nil {
			return nil, refusal
		}
	}
	if refusal := f.join(conjuncts(sel.GetWhereClause())); refusal != nil {
		return nil, refusal
	}
	return f.source, nil
}

func (f *fromReader) item(n *pg.Node) *Refusal {
	switch v := n.GetNode().(type) {
	case *pg.Node_RangeVar:
		return f.table(v.RangeVar)
	case *pg.Node_RangeSubselect:
		if f.a.readsRows(n) {
			return f.subselect(v.RangeSubselect)
		}
	case *pg.Node_JoinExpr:
		return f.joinExpr(v.JoinExpr)
	case *pg.Node_RangeTableSample:
		return at(v.RangeTableSample.GetLocation(), notSupported("TABLESAMPLE is not supported on protected tables", "Leave out TABLESAMPLE."))
	}
	return f.refuseCombined(n)
}

// refuseCombined suggests to count first and to join the counts.
func (f *fromReader) refuseCombined(n *pg.Node) *Refusal {
	t, written, loc := f.a.mentions.first, "", f.a.firstMention()
	for rv, mentioned := range f.a.mentions.tables {
		if rv.GetLocation() == loc {
			t, written = mentioned, writtenAs(rv)
		}
	}
	if written == "" && f.source != nil { // it was read
		t, written = f.source.table, f.source.written
	}
	keys := t.defaultKey()
	join := ""
	if len(keys) > 0 {
		join = fmt.Sprintf(": FROM (%s) AS c JOIN ... USING (%s)", example{t, written, keys}.statement(), quoteIdentifier(keys[0]))
	}
	return at(loc, notSupported("joining the rows of a protected table with this is not supported",
		"The other side of a join must be a table that the policy lists under public, joined by equality with a unique key of it. Or count in a sub-select and join its result"+join+"."))
}

// table reads a table of FROM.
func (f *fromReader) table(rv *pg.RangeVar) *Refusal {
	if t := f.a.mentions.publics[rv]; t != nil {
		r := newRelation(rv, t.Name)
		j := &pendingJoin{table: t, relation: r, node: rv}
		f.pending = append(f.pending, j)
		return checkTable(rv)
	}
	t := f.a.mentions.tables[rv]
	if t == nil {
		return f.refuseCombined(nil)
	}
	if refusal := checkTable(rv); refusal != nil {
		return refusal
	}
	if f.a.partners[rv] {
		f.add(newSource(t, rv, newPartner(t)))
	} else {
		f.add(newSource(t, rv, nil))
	}
	delete(f.a.mentions.tables, rv)
	return nil
}

// checkTable refuses what would change which rows a table has, or the names of its columns.
func checkTable(rv *pg.RangeVar) *Refusal {
	switch {
	case rv.GetCatalogname() != "":
		return at(rv.GetLocation(), notSupported("a protected table cannot be named with its database", "Leave out the name of the database."))
	case !rv.GetInh():
		return at(rv.GetLocation(), notSupported("ONLY is not supported on protected tables", "Leave out ONLY."))
	case len(rv.GetAlias().GetColnames()) > 0:
		return at(rv.GetLocation(), notSupported("renaming the columns of a protected table in FROM is not supported", "Use the table's own column names."))
	}
	return nil
}

// subselect reads a sub-select that keeps rows. Its columns become those of one relation.
func (f *fromReader) subselect(n *pg.RangeSubselect) *Refusal {
	sel := n.GetSubquery().GetSelectStmt()
	loc := fromLocation(sel.GetFromClause())
	if n.GetLateral() {
		return at(loc, notSupported("LATERAL is not supported around a protected table", "Leave out LATERAL."))
	}
	inner, refusal := f.a.readFrom(sel, f.numbered)
	if refusal != nil {
		return refusal
	}
	reader := &conditionReader{inner, f.a.params}
	r := &relation{name: n.GetAlias().GetAliasname(), aliased: true}
	for _, target := range sel.GetTargetList() {
		if refusal := r.addOutput(target.GetResTarget(), reader); refusal != nil {
			return refusal
		}
	}
	if w := sel.GetWhereClause(); w != nil {
		p, refusal := reader.read(w, "WHERE")
		if refusal != nil {
			return refusal
		}
		inner.where = append(inner.where, p)
	}
	for i, alias := range stringsOf(n.GetAlias().GetColnames()) {
		if i >= len(r.columns) {
			return at(loc, &Refusal{Code: codeColumnReference, Message: fmt.Sprintf("table %q has %d columns available but %d columns specified", r.name, len(r.columns), len(n.GetAlias().GetColnames()))})
		}
		r.columns[i].name = alias
	}
	var names []string
	for _, c := range r.columns {
		names = append(names, quoteIdentifier(c.name))
	}
	r.listed = strings.Join(names, ", ")
	inner.relations = []*relation{r}
	f.add(inner)
	return nil
}

// addOutput reads a column of the select list of a sub-select that keeps rows. Columns that cannot be used are passed on, to be
// refused where they are used.
func (r *relation) addOutput(target *pg.ResTarget, reader *conditionReader) *Refusal {
	if ref := target.GetVal().GetColumnRef(); ref != nil {
		fields := ref.GetFields()
		if fields[len(fields)-1].GetAStar() != nil {
			return r.addStar(ref, reader.source)
		}
		found, refusal := reader.source.resolve(ref)
		if refusal != nil {
			return at(ref.GetLocation(), refusal)
		}
		name := target.GetName()
		if name == "" {
			name = found.column.name
		}
		r.columns = append(r.columns, namedValue{name, found.column.value})
		return nil
	}
	name, known := target.GetName(), true
	if name == "" {
		name, known = columnName(target.GetVal())
	}
	if !known {
		return at(target.GetLocation(), notSupported("this column of the select list needs a name", "Name it with AS."))
	}
	o, refusal := reader.operand(target.GetVal())
	if refusal != nil {
		return refusal
	}
	if o.isConstant() {
		oid := reader.typeOf(o)
		if oid == oidUnknown {
			oid = oidText
		}
		if o, refusal = reader.unified(o, oid); refusal != nil {
			return refusal
		}
		o = operand{row: &conditional{oid: oid, otherwise: o}, loc: o.loc}
	}
	r.columns = append(r.columns, namedValue{name, o})
	return nil
}

// addStar adds the columns of t.* or *.
func (r *relation) addStar(ref *pg.ColumnRef, s *source) *Refusal {
	fields := ref.GetFields()
	qualifiers := stringsOf(fields[:len(fields)-1])
	found := s.matching(qualifiers)
	if len(found) == 0 {
		return at(ref.GetLocation(), s.refuseQualifier(qualifiers))
	}
	for _, i := range found {
		from := s.relations[i]
		for _, c := range from.columns {
			if !slices.Contains(from.merged, c.name) || len(qualifiers) > 0 {
				r.columns = append(r.columns, c)
			}
		}
		for _, name := range from.unlisted {
			if !slices.Contains(systemColumns, name) {
				r.unlisted = append(r.unlisted, name)
			}
		}
	}
	return nil
}

// joinExpr reads JOIN. The rows of the protected table must all stay single: on the outer side of an outer join.
func (f *fromReader) joinExpr(j *pg.JoinExpr) *Refusal {
	loc := fromLocation([]*pg.Node{j.GetLarg(), j.GetRarg()})
	left, right := j.GetLarg(), j.GetRarg()
	kind := j.GetJointype()
	switch {
	case j.GetIsNatural() || j.GetAlias() != nil || j.GetJoinUsingAlias() != nil:
		return at(loc, notSupported("this form of JOIN is not supported on protected tables", "Write JOIN ... ON with an equality."))
	case kind == pg.JoinType_JOIN_RIGHT:
		left, right, kind = right, left, pg.JoinType_JOIN_LEFT
	}
	if kind == pg.JoinType_JOIN_LEFT && (!f.a.readsRows(left) || right.GetRangeVar() == nil) {
		return at(loc, notSupported("an outer join that adds rows to those of a protected table is not supported",
			"Put the protected table on the side whose rows are kept: FROM protected LEFT JOIN public ON ...; groups without rows are shown all the same if the keys' values are declared."))
	}
	if kind != pg.JoinType_JOIN_INNER && kind != pg.JoinType_JOIN_LEFT {
		return at(loc, notSupported("this kind of JOIN is not supported on protected tables", "Use JOIN or LEFT JOIN with a public table, by equality with a unique key of it."))
	}
	both := f.a.readsRows(left) && f.a.readsRows(right)
	if both && kind == pg.JoinType_JOIN_LEFT {
		return at(loc, notSupported("an outer join of protected tables is not supported", "Use JOIN, or count in sub-selects and join their results."))
	}
	for _, side := range []*pg.Node{left, right} {
		if refusal := f.item(side); refusal != nil {
			return refusal
		}
	}
	using := stringsOf(j.GetUsingClause())
	if kind == pg.JoinType_JOIN_INNER && len(using) == 0 {
		f.conditions = append(f.conditions, conjuncts(j.GetQuals())...)
		return nil
	}
	if both {
		f.using = using
		return nil
	}
	if len(f.pending) == 0 || f.a.mentions.publics[right.GetRangeVar()] == nil && f.a.mentions.publics[left.GetRangeVar()] == nil {
		return f.refuseCombined(nil)
	}
	last := f.pending[len(f.pending)-1]
	last.left, last.using, last.conditions = kind == pg.JoinType_JOIN_LEFT, using, conjuncts(j.GetQuals())
	return nil
}
