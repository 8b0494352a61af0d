package countfirst

import (
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"

	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/pgerror"
)

// inner puts counts in the place of the protected side of an inner join with groups: the largest ones, as Superset limits the series of a chart.
//
//	SELECT day, region, count(*) FROM visits JOIN (SELECT region AS r, count(*) FROM visits GROUP BY region ORDER BY 2 DESC LIMIT 5) t ON region = r GROUP BY day, region
//
// The other side has one row for each of its keys, and the keys are among those of the statement: so each group is one group of the protected
// table, or is left out. Whatever else is joined this way is left to package rewrite, which refuses it.
func (r *Rewriter) inner(sel *pg.SelectStmt, j *join) *pgerror.Refusal {
	if j.side.audited || len(sel.GetFromClause()) != 1 || sel.GetFromClause()[0].GetJoinExpr() != j.expr || len(j.expr.GetUsingClause()) > 0 || len(sel.GetGroupClause()) == 0 {
		return nil
	}
	on := j.side.sort(slices.Concat(pgtree.Conjuncts(j.expr.GetQuals()), pgtree.Conjuncts(sel.GetWhereClause())))
	if len(on.mixed) > 0 || len(on.pairs) == 0 || !onePerKey(j.other, on.pairs) {
		return nil
	}
	c := &counter{name: j.side.relations[0].name, pairs: on.pairs}
	keys := j.side.keys(sel, r, j)
	if keys == nil || slices.ContainsFunc(on.pairs, func(p pair) bool {
		return !slices.ContainsFunc(keys, func(k *pg.Node) bool { return j.side.equal(k, p.side) })
	}) {
		return nil
	}
	c.keys = keys
	work := &innerJoin{counter: c, side: j.side}
	changed := proto.Clone(sel).(*pg.SelectStmt)
	if !work.replaceAll(changed) || len(c.measures) == 0 {
		return nil
	}
	_, item := c.item(&pg.Node{Node: j.protected.GetNode()}, on.inside)
	var equal []*pg.Node
	for i, p := range on.pairs {
		equal = append(equal, pgtree.Arithmetic(c.key(i), "=", p.other))
	}
	sel.TargetList, sel.SortClause, sel.DistinctClause, sel.WindowClause = changed.GetTargetList(), changed.GetSortClause(), changed.GetDistinctClause(), changed.GetWindowClause()
	j.expr.Quals, sel.WhereClause = conjunction(equal), conjunction(slices.Concat(on.beside, pgtree.Conjuncts(changed.GetHavingClause())))
	sel.GroupClause, sel.HavingClause = nil, nil
	j.protected.Node = item.Node
	return nil
}

// onePerKey reports whether the other side is a sub-select grouped by no more than the columns that are equated.
func onePerKey(n *pg.Node, pairs []pair) bool {
	sub := n.GetRangeSubselect()
	sel := sub.GetSubquery().GetSelectStmt()
	if sub.GetAlias() == nil || sub.GetLateral() || len(sub.GetAlias().GetColnames()) > 0 || sel.GetOp() != pg.SetOperation_SETOP_NONE || len(sel.GetGroupClause()) == 0 {
		return false
	}
	return !slices.ContainsFunc(sel.GetGroupClause(), func(key *pg.Node) bool {
		if _, ok := pgtree.GroupItems(key); ok {
			return true
		}
		return !slices.ContainsFunc(sel.GetTargetList(), func(t *pg.Node) bool {
			target := t.GetResTarget()
			name, _ := pgtree.ColumnName(target.GetVal())
			if target.GetName() != "" {
				name = target.GetName()
			}
			return isKey(key, target, sel) && slices.ContainsFunc(pairs, func(p pair) bool { return names(p.other, sub.GetAlias().GetAliasname(), name) })
		})
	})
}

// isKey reports whether an item of GROUP BY is a column of the select list: its expression or its place.
func isKey(key *pg.Node, target *pg.ResTarget, sel *pg.SelectStmt) bool {
	if c, ok := key.GetAConst().GetVal().(*pg.A_Const_Ival); ok {
		i := int(c.Ival.GetIval())
		return i >= 1 && i <= len(sel.GetTargetList()) && sel.GetTargetList()[i-1].GetResTarget() == target
	}
	return pgtree.Same(key, target.GetVal())
}

// keys are the keys of GROUP BY on the protected side; nil if others cannot be told. Those of the other side stay in sight without GROUP BY.
func (s *side) keys(sel *pg.SelectStmt, r *Rewriter, j *join) (keys []*pg.Node) {
	for _, n := range sel.GetGroupClause() {
		if _, ok := pgtree.GroupItems(n); ok {
			return nil
		}
		key := r.grouped(sel, j, n)
		switch m := s.mentions(key); {
		case m.side && m.other, pgtree.First[*pg.SubLink](key.ProtoReflect()) != nil:
			return nil
		case m.side:
			keys = append(keys, clone(key))
		}
	}
	return keys
}

// equal reports whether two expressions of the side are the same, however their columns are qualified.
func (s *side) equal(a, b *pg.Node) bool { return proto.Equal(s.bare(a), s.bare(b)) }

func (s *side) bare(n *pg.Node) *pg.Node {
	plain := pgtree.WithoutLocations(n)
	if len(s.relations) == 1 {
		for ref := range pgtree.Nodes[*pg.ColumnRef](plain.ProtoReflect()) {
			ref.Fields = ref.GetFields()[len(ref.GetFields())-1:]
		}
	}
	return plain
}

// An innerJoin replaces keys and aggregates by columns of counts.
type innerJoin struct {
	*counter
	side    *side
	outputs []string
}

// replaceAll reports whether all of the protected side could be replaced.
func (w *innerJoin) replaceAll(sel *pg.SelectStmt) bool {
	for _, n := range sel.GetTargetList() {
		t := n.GetResTarget()
		name, known := t.GetName(), true
		if name == "" {
			name, known = pgtree.ColumnName(t.GetVal())
		}
		w.outputs = append(w.outputs, name)
		before := clone(t.GetVal())
		if !w.replace(t.GetVal()) {
			return false
		}
		if known && !proto.Equal(before, t.GetVal()) {
			t.Name = name
		}
	}
	var rest []*pg.Node
	for _, n := range slices.Concat(sel.GetSortClause(), sel.GetDistinctClause()) {
		sorted := n
		if by := n.GetSortBy(); by != nil {
			sorted = by.GetNode()
		}
		if fields := sorted.GetColumnRef().GetFields(); len(fields) != 1 || !slices.Contains(w.outputs, fields[0].GetString_().GetSval()) {
			rest = append(rest, sorted)
		}
	}
	rest = slices.Concat(rest, sel.GetWindowClause())
	if sel.GetHavingClause() != nil {
		rest = append(rest, sel.GetHavingClause())
	}
	return !slices.ContainsFunc(rest, func(n *pg.Node) bool { return !w.replace(n) })
}

func (w *innerJoin) replace(n *pg.Node) bool {
	ok := true
	pgtree.WalkLevel(n, func(n *pg.Node) bool {
		if !ok {
			return false
		}
		if at := slices.IndexFunc(w.keys, func(k *pg.Node) bool { return w.side.equal(k, n) }); at >= 0 {
			n.Node = pgtree.ColumnRef(w.name, keyName(at), pgtree.Location(n))
			return false
		}
		if ref := n.GetColumnRef(); ref != nil {
			ok = !w.side.has(ref)
			return false
		}
		if n.GetSubLink() != nil && w.side.mentions(n).side {
			ok = false
			return false
		}
		if f := n.GetFuncCall(); f != nil && pgtree.IsAggregate(f) {
			m, k, refusal := w.side.classify(f, false)
			if ok = refusal == nil && k == ofSide; ok {
				n.Node = w.measure(m.value).GetNode()
			}
			return false
		}
		return true
	})
	return ok
}
