package interval

import (
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/rewrite/internal/pgtree"
)

// This file finds out which column of which sub-select or WITH query a name in a SELECT refers to. What it does not know it says so: no
// table's columns are looked at.

// A level is a SELECT with what its names may refer to.
type level struct {
	p   *pusher
	sel *pg.SelectStmt
	// counts says that the SELECT counts rows of a protected table.
	counts bool
	// outer is the SELECT in one of whose expressions this one stands, nil if there is none.
	outer *level
	rels  []relation
	// partial says that FROM has something whose columns are not known; merged, that its columns are not those of its parts one after the other.
	partial, merged bool

	read    bool // outputs were
	list    []output
	known   bool
	hidden  map[hidden]string
	widened bool
}

// A relation is a sub-select in FROM, or a WITH query.
type relation struct {
	alias   string
	columns []string // names that FROM or WITH gives the first of its columns
	sel     *pg.SelectStmt
}

// An output is a column of a SELECT; value is nil of what a star stands for in a SELECT that counts.
type output struct {
	name  string
	value *pg.Node
}

// A hidden column is asked for of an output.
type hidden struct {
	output      int
	name, level string
}

// withQueries are those that a SELECT can name.
type withQueries struct {
	outer *withQueries
	name  string
	cte   *pg.CommonTableExpr // nil of one that refers to itself, or that is no SELECT
}

func (w *withQueries) find(name string) (*pg.CommonTableExpr, bool) {
	for ; w != nil; w = w.outer {
		if w.name == name {
			return w.cte, true
		}
	}
	return nil, false
}

// enter finds the levels below and including a message.
func (p *pusher) enter(m protoreflect.Message, outer *level, with *withQueries) {
	if field := m.Descriptor().Fields().ByName("with_clause"); field != nil && m.Has(field) {
		if clause, ok := m.Get(field).Message().Interface().(*pg.WithClause); ok {
			with = p.enterWith(clause, with)
		}
	}
	sel, ok := m.Interface().(*pg.SelectStmt)
	if ok {
		l := &level{p: p, sel: sel, outer: outer, counts: p.countsRows(sel), hidden: make(map[hidden]string)}
		p.levels[sel] = l
		p.order = append(p.order, l)
		for _, item := range sel.GetFromClause() {
			l.from(item, with)
			p.enter(item.ProtoReflect(), nil, with)
		}
		outer = l
	}
	pgtree.Children(m, func(child protoreflect.Message) bool {
		n, isNode := child.Interface().(*pg.Node)
		_, isWith := child.Interface().(*pg.WithClause)
		if !isWith && !(ok && isNode && slices.Contains(sel.GetFromClause(), n)) {
			p.enter(child, outer, with)
		}
		return true
	})
}

// enterWith finds the levels of WITH queries, each of which can name those before it.
func (p *pusher) enterWith(clause *pg.WithClause, with *withQueries) *withQueries {
	for _, n := range clause.GetCtes() {
		cte := n.GetCommonTableExpr()
		p.enter(cte.GetCtequery().ProtoReflect(), nil, with)
		known := cte
		if clause.GetRecursive() || cte.GetCtequery().GetSelectStmt() == nil {
			known = nil
		}
		with = &withQueries{with, cte.GetCtename(), known}
	}
	return with
}

// from adds an item of FROM.
func (l *level) from(n *pg.Node, with *withQueries) {
	switch v := n.GetNode().(type) {
	case *pg.Node_RangeSubselect:
		sel := v.RangeSubselect.GetSubquery().GetSelectStmt()
		l.rels = append(l.rels, relation{v.RangeSubselect.GetAlias().GetAliasname(), pgtree.Strings(v.RangeSubselect.GetAlias().GetColnames()), sel})
	case *pg.Node_RangeVar:
		cte, found := with.find(v.RangeVar.GetRelname())
		if v.RangeVar.GetSchemaname() != "" || !found || cte == nil {
			l.partial = true
			return
		}
		r := relation{v.RangeVar.GetRelname(), pgtree.Strings(cte.GetAliascolnames()), cte.GetCtequery().GetSelectStmt()}
		if alias := v.RangeVar.GetAlias(); alias != nil {
			r.alias = alias.GetAliasname()
			if names := pgtree.Strings(alias.GetColnames()); len(names) > 0 {
				r.columns = append(names, r.columns[min(len(names), len(r.columns)):]...)
			}
		}
		l.rels = append(l.rels, r)
	case *pg.Node_JoinExpr:
		j := v.JoinExpr
		if j.GetAlias() != nil {
			l.partial = true
			return
		}
		l.merged = l.merged || j.GetIsNatural() || len(j.GetUsingClause()) > 0
		l.from(j.GetLarg(), with)
		l.from(j.GetRarg(), with)
	default:
		l.partial = true
	}
}

// outputs are the columns of a SELECT, without hidden ones; known is false if a star stands for some that are not known.
func (l *level) outputs() (list []output, known bool) {
	if l.read {
		return l.list, l.known
	}
	l.read = true // before all, for queries that would refer to themselves
	if l.sel.GetOp() != pg.SetOperation_SETOP_NONE {
		l.list, l.known = l.p.levels[l.sel.GetLarg()].outputs()
		return l.list, l.known
	}
	l.known = len(l.sel.GetValuesLists()) == 0
	for _, n := range l.sel.GetTargetList() {
		target := n.GetResTarget()
		if ref := target.GetVal().GetColumnRef(); ref != nil && isStar(ref) {
			columns, ok := l.expand(ref)
			if l.known = l.known && ok; ok {
				for _, c := range columns {
					l.list = append(l.list, output{c.GetResTarget().GetName(), c.GetResTarget().GetVal()})
				}
			}
			continue
		}
		name, ok := target.GetName(), true
		if name == "" {
			name, ok = pgtree.ColumnName(target.GetVal())
		}
		l.known = l.known && ok
		l.list = append(l.list, output{name, target.GetVal()})
	}
	return l.list, l.known
}

func isStar(ref *pg.ColumnRef) bool {
	fields := ref.GetFields()
	return fields[len(fields)-1].GetAStar() != nil
}

// expand is what a star in the select list stands for, without hidden columns; ok is false if that is not known.
func (l *level) expand(star *pg.ColumnRef) (columns []*pg.Node, ok bool) {
	fields := star.GetFields()
	if len(fields) > 2 || l.counts || len(fields) == 1 && (l.partial || l.merged) {
		return nil, false
	}
	for _, r := range l.rels {
		if len(fields) == 2 && fields[0].GetString_().GetSval() != r.alias {
			continue
		}
		names, known := l.p.columnsOf(r)
		if !known {
			return nil, false
		}
		for i, name := range names {
			if slices.Index(names, name) != i { // a name for two columns
				return nil, false
			}
			columns = append(columns, pg.MakeResTargetNodeWithNameAndVal(name, pgtree.ColumnNode(r.alias, name), -1))
		}
	}
	return columns, columns != nil
}

// columnsOf are the names of a relation's columns, as FROM gives them, without hidden ones.
func (p *pusher) columnsOf(r relation) (names []string, known bool) {
	list, known := p.levels[r.sel].outputs()
	for i, o := range list {
		if i < len(r.columns) {
			o.name = r.columns[i]
		}
		names = append(names, o.name)
	}
	return names, known
}

// resolve finds the relation and the column that a reference is to; ok is false if that is not known for certain.
func (l *level) resolve(ref *pg.ColumnRef) (r relation, column int, ok bool) {
	names := pgtree.Strings(ref.GetFields())
	if len(names) > 2 || isStar(ref) {
		return r, 0, false
	}
	for ; l != nil; l = l.outer {
		found, hidden := 0, l.counts || l.partial && len(names) == 1
		for _, candidate := range l.rels {
			if len(names) == 2 && candidate.alias != names[0] {
				continue
			}
			hidden = hidden || len(names) == 2
			columns, known := l.p.columnsOf(candidate)
			if i := slices.Index(columns, names[len(names)-1]); known && i >= 0 {
				r, column = candidate, i
				found++
			}
		}
		if found > 0 || hidden {
			return r, column, found == 1
		}
	}
	return r, 0, false
}
