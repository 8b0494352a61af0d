package rewrite

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// readFrom makes a source of the FROM clause of a SELECT; where is its WHERE clause, in which the condition of a join may stand.
// numbered counts public tables.
func (a *analysis) readFrom(sel *pg.SelectStmt, numbered *int) (*source, *pgerror.Refusal) {
	f := &fromReader{a: a, numbered: numbered}
	if refusal := a.choosePartner(sel.GetFromClause()); refusal != nil {
		return nil, refusal
	}
	for _, n := range sel.GetFromClause() {
		if refusal := f.item(n); refusal != nil {
			return nil, refusal
		}
	}
	if refusal := f.join(pgtree.Conjuncts(sel.GetWhereClause())); refusal != nil {
		return nil, refusal
	}
	return f.source, nil
}

func (f *fromReader) item(n *pg.Node) *pgerror.Refusal {
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
		return sampleRefused.At(v.RangeTableSample.GetLocation())
	}
	return f.refuseCombined(n)
}

// table reads a table of FROM.
func (f *fromReader) table(rv *pg.RangeVar) *pgerror.Refusal {
	if t := f.a.references.publics[rv]; t != nil {
		r := newRelation(rv, t.Name)
		j := &pendingJoin{table: t, relation: r, node: rv}
		f.pending = append(f.pending, j)
		return checkTable(rv)
	}
	t := f.a.references.tables[rv]
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
	delete(f.a.references.tables, rv)
	return nil
}

// checkTable refuses what would change which rows a table has, or the names of its columns.
func checkTable(rv *pg.RangeVar) *pgerror.Refusal {
	switch {
	case rv.GetCatalogname() != "":
		return databaseNamed.At(rv.GetLocation())
	case !rv.GetInh():
		return onlyRefused.At(rv.GetLocation())
	case len(rv.GetAlias().GetColnames()) > 0:
		return columnsRenamed.At(rv.GetLocation())
	}
	return nil
}

// subselect reads a sub-select that keeps rows. Its columns become those of one relation.
func (f *fromReader) subselect(n *pg.RangeSubselect) *pgerror.Refusal {
	sel := n.GetSubquery().GetSelectStmt()
	loc := pgtree.FromLocation(sel.GetFromClause())
	if n.GetLateral() {
		return lateralRefused.At(loc)
	}
	if !f.a.keepsRows(sel) {
		return f.byPerson(n)
	}
	inner, refusal := f.a.readFrom(sel, f.numbered)
	if refusal != nil {
		return refusal
	}
	reader := &conditionReader{source: inner, params: f.a.params}
	r := &relation{name: "unnamed_subquery", aliased: true} // as PostgreSQL 16 names it; earlier versions demand an alias
	if n.GetAlias() != nil {
		r.name = n.GetAlias().GetAliasname()
	}
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
	if refusal := r.rename(n.GetAlias().GetColnames()); refusal != nil {
		return pgerror.At(loc, refusal)
	}
	inner.relations = []*relation{r}
	f.add(inner)
	return nil
}

// rename gives the columns of a sub-select the names behind its alias, and lists them.
func (r *relation) rename(aliases []*pg.Node) *pgerror.Refusal {
	for i, alias := range pgtree.Strings(aliases) {
		if i >= len(r.columns) {
			return columnsTooMany.With(r.name, len(r.columns), len(aliases))
		}
		r.columns[i].name = alias
	}
	var names []string
	for _, c := range r.columns {
		name := pgvalue.QuoteIdentifier(c.name)
		if c.value.Unlisted {
			name += " in count(DISTINCT " + name + ")"
		}
		names = append(names, name)
	}
	r.listed = strings.Join(names, ", ")
	return nil
}

// addOutput reads a column of the select list of a sub-select that keeps rows. Columns that cannot be used are passed on, to be
// refused where they are used.
func (r *relation) addOutput(target *pg.ResTarget, reader *conditionReader) *pgerror.Refusal {
	if ref := target.GetVal().GetColumnRef(); ref != nil {
		fields := ref.GetFields()
		if fields[len(fields)-1].GetAStar() != nil {
			return r.addStar(ref, reader.source)
		}
		found, refusal := reader.source.resolve(ref)
		if refusal != nil {
			return pgerror.At(ref.GetLocation(), refusal)
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
		name, known = pgtree.ColumnName(target.GetVal())
	}
	if !known {
		return nameMissing.At(target.GetLocation())
	}
	o, refusal := reader.operand(target.GetVal())
	if refusal != nil {
		return refusal
	}
	if o.IsConstant() {
		oid := reader.typeOf(o)
		if oid == pgvalue.Unknown {
			oid = pgvalue.Text
		}
		if o, refusal = reader.unified(o, oid); refusal != nil {
			return refusal
		}
		o = expr.Operand{Row: &expr.Conditional{OID: oid, Otherwise: o}, Loc: o.Loc}
	}
	r.columns = append(r.columns, namedValue{name, o})
	return nil
}

// addStar adds the columns of t.* or *.
func (r *relation) addStar(ref *pg.ColumnRef, s *source) *pgerror.Refusal {
	fields := ref.GetFields()
	qualifiers := pgtree.Strings(fields[:len(fields)-1])
	found := s.matching(qualifiers)
	if len(found) == 0 {
		return pgerror.At(ref.GetLocation(), s.refuseQualifier(qualifiers))
	}
	for _, i := range found {
		from := s.relations[i]
		for _, c := range from.columns {
			if !slices.Contains(from.merged, c.name) || len(qualifiers) > 0 {
				r.columns = append(r.columns, c)
			}
		}
		for _, name := range from.unlisted {
			if !slices.Contains(pgtree.SystemColumns, name) {
				r.unlisted = append(r.unlisted, name)
			}
		}
	}
	return nil
}

// joinExpr reads JOIN. The rows of the protected table must all stay single: on the outer side of an outer join.
func (f *fromReader) joinExpr(j *pg.JoinExpr) *pgerror.Refusal {
	loc := pgtree.FromLocation([]*pg.Node{j.GetLarg(), j.GetRarg()})
	left, right := j.GetLarg(), j.GetRarg()
	kind := j.GetJointype()
	switch {
	case j.GetIsNatural() || j.GetAlias() != nil || j.GetJoinUsingAlias() != nil:
		return joinForm.At(loc)
	case kind == pg.JoinType_JOIN_RIGHT:
		left, right, kind = right, left, pg.JoinType_JOIN_LEFT
	}
	if kind == pg.JoinType_JOIN_LEFT && (!f.a.readsRows(left) || right.GetRangeVar() == nil) {
		return outerJoinAdds.At(loc)
	}
	if kind != pg.JoinType_JOIN_INNER && kind != pg.JoinType_JOIN_LEFT {
		return joinKind.At(loc)
	}
	both := f.a.readsRows(left) && f.a.readsRows(right)
	if both && kind == pg.JoinType_JOIN_LEFT {
		return outerJoinProtected.At(loc)
	}
	for _, side := range []*pg.Node{left, right} {
		if refusal := f.item(side); refusal != nil {
			return refusal
		}
	}
	using := pgtree.Strings(j.GetUsingClause())
	if kind == pg.JoinType_JOIN_INNER && len(using) == 0 {
		f.conditions = append(f.conditions, pgtree.Conjuncts(j.GetQuals())...)
		return nil
	}
	if both {
		f.using = using
		return nil
	}
	if len(f.pending) == 0 || f.a.references.publics[right.GetRangeVar()] == nil && f.a.references.publics[left.GetRangeVar()] == nil {
		return f.refuseCombined(nil)
	}
	last := f.pending[len(f.pending)-1]
	last.left, last.using, last.conditions = kind == pg.JoinType_JOIN_LEFT, using, pgtree.Conjuncts(j.GetQuals())
	return nil
}
