package rewrite

import (
	"cmp"
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/policy"
	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/pgerror"
)

// readsRows reports whether a FROM item gives rows of a protected table: the table itself, or a sub-select or join that keeps them.
func (a *analysis) readsRows(n *pg.Node) bool {
	switch v := n.GetNode().(type) {
	case *pg.Node_RangeVar:
		return a.references.tables[v.RangeVar] != nil
	case *pg.Node_JoinExpr:
		return a.readsRows(v.JoinExpr.GetLarg()) || a.readsRows(v.JoinExpr.GetRarg())
	case *pg.Node_RangeTableSample:
		return a.readsRows(v.RangeTableSample.GetRelation())
	case *pg.Node_RangeSubselect:
		sel := v.RangeSubselect.GetSubquery().GetSelectStmt()
		return a.keepsRows(sel) || a.isByPerson(sel)
	}
	return false
}

// keepsRows reports whether a SELECT only renames, computes and filters rows of a protected table.
func (a *analysis) keepsRows(sel *pg.SelectStmt) bool {
	plain := sel.GetOp() == pg.SetOperation_SETOP_NONE && len(sel.GetValuesLists()) == 0 && sel.GetWithClause() == nil && sel.GetIntoClause() == nil &&
		len(sel.GetDistinctClause()) == 0 && len(sel.GetGroupClause()) == 0 && sel.GetHavingClause() == nil && len(sel.GetWindowClause()) == 0 &&
		sel.GetLimitCount() == nil && sel.GetLimitOffset() == nil && len(sel.GetLockingClause()) == 0
	return plain && !pgtree.HasAggregate(sel) && slices.ContainsFunc(sel.GetFromClause(), a.readsRows)
}

// isByPerson reports whether a SELECT groups rows of a protected table by its persons, and so has one row for each. What else is wrong with it is refused
// where it is read (perperson.go).
func (a *analysis) isByPerson(sel *pg.SelectStmt) bool {
	plain := sel.GetOp() == pg.SetOperation_SETOP_NONE && len(sel.GetValuesLists()) == 0 && sel.GetWithClause() == nil && sel.GetIntoClause() == nil &&
		len(sel.GetWindowClause()) == 0 && !pgtree.HasWindow(sel) &&
		sel.GetLimitCount() == nil && sel.GetLimitOffset() == nil && len(sel.GetLockingClause()) == 0
	by := groups(sel)
	if !plain || len(by) != 1 || len(sel.GetDistinctClause()) > 0 && len(sel.GetGroupClause()) > 0 || len(a.protectedIn(sel.GetFromClause())) != 1 {
		return false
	}
	names := a.personNames(sel.GetFromClause())
	isPerson := func(ref *pg.ColumnRef) bool {
		fields := ref.GetFields()
		return len(fields) > 0 && slices.Contains(names, fields[len(fields)-1].GetString_().GetSval())
	}
	return isPerson(groupedBy(sel, nil)) || isPerson(by[0].GetColumnRef())
}

// groups is what a SELECT is grouped by. SELECT DISTINCT of one column is the same SELECT grouped by it.
func groups(sel *pg.SelectStmt) []*pg.Node {
	distinct := sel.GetDistinctClause()
	if len(distinct) == 1 && distinct[0].GetNode() == nil && len(sel.GetTargetList()) == 1 && len(sel.GetGroupClause()) == 0 && sel.GetHavingClause() == nil {
		return []*pg.Node{pg.MakeAConstIntNode(1, -1)}
	}
	return sel.GetGroupClause()
}

// groupedBy is the one column that a SELECT is grouped by, nil if it is none: a name by itself means a column of the source, if that has one.
func groupedBy(sel *pg.SelectStmt, source *source) *pg.ColumnRef {
	n := groups(sel)[0]
	if position := int(n.GetAConst().GetIval().GetIval()); position >= 1 && position <= len(sel.GetTargetList()) {
		return sel.GetTargetList()[position-1].GetResTarget().GetVal().GetColumnRef()
	}
	ref := n.GetColumnRef()
	if len(ref.GetFields()) != 1 || source != nil && source.means(ref) {
		return ref
	}
	for _, target := range sel.GetTargetList() {
		if output := target.GetResTarget(); output.GetName() == ref.GetFields()[0].GetString_().GetSval() {
			return output.GetVal().GetColumnRef()
		}
	}
	return ref
}

// personNames are the names of columns of FROM items that tell persons apart.
func (a *analysis) personNames(items []*pg.Node) (names []string) {
	for _, n := range items {
		switch v := n.GetNode().(type) {
		case *pg.Node_RangeVar:
			if t := a.references.tables[v.RangeVar]; t != nil && t.Person != nil {
				names = append(names, t.Person.Column.Name)
			}
		case *pg.Node_JoinExpr:
			names = append(names, a.personNames([]*pg.Node{v.JoinExpr.GetLarg(), v.JoinExpr.GetRarg()})...)
		case *pg.Node_RangeSubselect:
			sel := v.RangeSubselect.GetSubquery().GetSelectStmt()
			inner := a.personNames(sel.GetFromClause())
			if !a.keepsRows(sel) || len(v.RangeSubselect.GetAlias().GetColnames()) > 0 {
				continue
			}
			for _, target := range sel.GetTargetList() {
				fields := target.GetResTarget().GetVal().GetColumnRef().GetFields()
				switch {
				case len(fields) == 0:
				case fields[len(fields)-1].GetAStar() != nil:
					names = append(names, inner...)
				case slices.Contains(inner, fields[len(fields)-1].GetString_().GetSval()):
					names = append(names, cmp.Or(target.GetResTarget().GetName(), fields[len(fields)-1].GetString_().GetSval()))
				}
			}
		}
	}
	return names
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
	// persons are the sub-selects that group rows by persons.
	persons []*source
	// conditions are those of inner joins.
	conditions []*pg.Node
}

// A pendingJoin is a public table whose unique key is yet to be found among the conditions.
type pendingJoin struct {
	table      *expr.PublicTable
	relation   *relation
	node       *pg.RangeVar
	left       bool
	conditions []*pg.Node // its own, of a LEFT JOIN
	using      []string
}

// refuseCombined suggests to count first and to join the counts.
func (f *fromReader) refuseCombined(n *pg.Node) *pgerror.Refusal {
	t, written, loc := f.a.references.first, "", f.a.firstReference()
	for rv, mentioned := range f.a.references.tables {
		if rv.GetLocation() == loc {
			t, written = mentioned, writtenAs(rv)
		}
	}
	if written == "" && f.source != nil { // it was read
		t, written = f.source.table, f.source.written
	}
	return joinRefused.At(loc, "SELECT * FROM ("+example{table: t, name: written}.counting("n")+") AS c")
}

// Two protected tables can be joined along the columns that tell persons apart. Each joined row is then of one person, the value
// of these columns, and depends on her own rows of both tables alone: a person more or less, in either table or in both, adds or
// takes away joined rows of hers, and no others. So what bounds the rows of a person in one table (bounded) bounds her joined
// rows as well, and its proof needs nothing else of the rows that it ranks.
//
// A row without a person joins nothing. Any bounds would do, since the noise is made for those that are used (see
// BoundQuery.person).
//
// Of the two, the one whose name comes first leads, so that a question is the same whichever is written first: its columns stand by
// themselves in canonical texts and in the curator's SQL, those of the other behind its alias, like a public table's.

// partnerAlias is the name of the table that does not lead, in canonical texts and for the curator.
const partnerAlias = "t2"

// newPartner makes the join by which a table follows the one that leads, with columns of its own.
func newPartner(t *expr.Table) *expr.Join {
	j := &expr.Join{Protected: t, Text: partnerAlias, Alias: partnerAlias, Columns: slices.Clone(t.Columns)}
	if p := t.Person; p != nil && t.Column(p.Column.Name) == nil {
		j.Columns = append(j.Columns, p.Column)
	}
	for i := range j.Columns {
		j.Columns[i].Joined = j
	}
	return j
}

// protectedIn lists the protected tables whose rows FROM items give, in the order in which they stand.
func (a *analysis) protectedIn(items []*pg.Node) []*pg.RangeVar {
	var found []*pg.RangeVar
	for _, n := range items {
		switch v := n.GetNode().(type) {
		case *pg.Node_RangeVar:
			if a.references.tables[v.RangeVar] != nil {
				found = append(found, v.RangeVar)
			}
		case *pg.Node_JoinExpr:
			found = append(found, a.protectedIn([]*pg.Node{v.JoinExpr.GetLarg(), v.JoinExpr.GetRarg()})...)
		case *pg.Node_RangeTableSample:
			found = append(found, a.protectedIn([]*pg.Node{v.RangeTableSample.GetRelation()})...)
		case *pg.Node_RangeSubselect:
			if sel := v.RangeSubselect.GetSubquery().GetSelectStmt(); a.keepsRows(sel) || a.isByPerson(sel) {
				found = append(found, a.protectedIn(sel.GetFromClause())...)
			}
		}
	}
	return found
}

// choosePartner decides which of two protected tables of a FROM clause leads, and refuses more of them.
func (a *analysis) choosePartner(items []*pg.Node) *pgerror.Refusal {
	tables := slices.DeleteFunc(a.protectedIn(items), func(rv *pg.RangeVar) bool { return a.isGrouped(rv, items) })
	switch {
	case len(tables) < 2:
		return nil
	case len(tables) > 2:
		return tablesTooMany.At(tables[2].GetLocation())
	}
	partner := tables[1]
	if compareNames(a.references.tables[tables[0]].Policy.Name, a.references.tables[tables[1]].Policy.Name) > 0 {
		partner = tables[0]
	}
	if a.partners == nil {
		a.partners = make(map[*pg.RangeVar]bool)
	}
	a.partners[partner] = true
	return nil
}

func compareNames(a, b policy.TableName) int {
	return cmp.Or(cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Name, b.Name))
}

// add takes in what gives rows of a protected table.
func (f *fromReader) add(s *source) {
	if f.source == nil {
		f.source = s
		return
	}
	f.second = s
}

// isGrouped reports whether a table stands in a sub-select of FROM items that groups its rows by persons.
func (a *analysis) isGrouped(rv *pg.RangeVar, items []*pg.Node) bool {
	return slices.ContainsFunc(items, func(n *pg.Node) bool {
		for s := range pgtree.Nodes[*pg.RangeSubselect](n.ProtoReflect()) {
			if sel := s.GetSubquery().GetSelectStmt(); a.isByPerson(sel) && slices.Contains(a.protectedIn(sel.GetFromClause()), rv) {
				return true
			}
		}
		return false
	})
}
