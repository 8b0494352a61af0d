package countfirst

import (
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// scalar puts counts in the place of the protected table of a sub-select that has one count for each row of an outer query:
//
//	SELECT r.name, (SELECT count(*) FROM visits v WHERE v.region = r.name) FROM regions r
//
// The sub-select stays one, with one row of its own to which the counts of the outer row's key are joined.
func (r *Rewriter) scalar(link *pg.SubLink) *pgerror.Refusal {
	sel := link.GetSubselect().GetSelectStmt()
	if link.GetSubLinkType() != pg.SubLinkType_EXPR_SUBLINK || sel == nil || len(sel.GetFromClause()) != 1 || !r.ReadsRows(sel.GetFromClause()[0]) {
		return nil
	}
	protected := sel.GetFromClause()[0]
	s, ok := r.readSide(protected)
	if !ok || s.audited {
		return nil
	}
	found := s.sort(pgtree.Conjuncts(sel.GetWhereClause()))
	if len(found.pairs) == 0 {
		return nil // it is the same for all rows, or not equal to anything of them
	}
	if r.within > 0 && s.alongPersons(found.pairs) {
		return nil // it is a value of the person of each row, which package rewrite reads
	}
	loc := pgtree.FromLocation(sel.GetFromClause())
	plain := sel.GetOp() == pg.SetOperation_SETOP_NONE && sel.GetWithClause() == nil && len(sel.GetDistinctClause()) == 0 && len(sel.GetGroupClause()) == 0 &&
		sel.GetHavingClause() == nil && len(sel.GetWindowClause()) == 0 && len(sel.GetLockingClause()) == 0 && sel.GetLimitOffset() == nil && len(sel.GetTargetList()) == 1
	if !plain || len(found.mixed) > 0 || pgtree.HasWindow(sel) {
		return correlated.At(loc)
	}
	if n := volatile(found.pairs, found.beside); n != nil {
		return volatileKey.At(pgtree.Location(n))
	}
	o := &outerJoin{sel: sel, side: s, counter: counter{name: s.relations[0].name, pairs: found.pairs}, beside: &query.Beside{}, unmet: slices.Concat(found.beside, s.aboutKeys(found.inside, found.pairs)), oneRow: true}
	if refusal := o.replaceAll(); refusal != nil {
		return pgerror.At(loc, refusal)
	}
	if len(o.measures) == 0 {
		return noCount.At(loc)
	}
	inner, item := o.item(&pg.Node{Node: protected.GetNode()}, found.inside)
	r.Beside[inner] = o.beside
	var on []*pg.Node
	for i, p := range o.pairs {
		on = append(on, pgtree.Arithmetic(o.key(i), "=", p.other))
	}
	one := &pg.SelectStmt{TargetList: []*pg.Node{pg.MakeResTargetNodeWithNameAndVal("one row", pg.MakeAConstIntNode(1, -1), -1)},
		LimitOption: pg.LimitOption_LIMIT_OPTION_DEFAULT, Op: pg.SetOperation_SETOP_NONE}
	sel.WhereClause, sel.SortClause = nil, nil
	sel.FromClause = []*pg.Node{{Node: &pg.Node_JoinExpr{JoinExpr: &pg.JoinExpr{Jointype: pg.JoinType_JOIN_LEFT,
		Larg: pgtree.Subselect(one, &pg.Alias{Aliasname: "one row"}, false), Rarg: item, Quals: conjunction(slices.Concat(on, found.beside))}}}}
	return nil
}

// alongPersons reports whether one of the equalities has the column that tells the persons of the protected side apart.
func (s *side) alongPersons(pairs []pair) bool {
	return slices.ContainsFunc(pairs, func(p pair) bool {
		fields := p.side.GetColumnRef().GetFields()
		return len(fields) > 0 && slices.ContainsFunc(s.relations, func(r relation) bool {
			return r.table != nil && r.table.Person != nil && r.table.Person.Column.Name == fields[len(fields)-1].GetString_().GetSval()
		})
	})
}
