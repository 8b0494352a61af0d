package rewrite

import (
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/rewrite/internal/pgtree"
)

// inlineWith puts a WITH query that keeps rows of protected tables (keepsRows) where it is referred to, as a sub-select, and takes
// it out of WITH. It reports whether there was one. A query that it leaves alone and that reads rows is refused later.
//
// The tables in such a query are given their schemas first: the place where it goes may have another WITH query of their name.
func (a *analysis) inlineWith(m protoreflect.Message) (changed bool) {
	pgtree.Children(m, func(child protoreflect.Message) bool {
		changed = a.inlineWith(child)
		return !changed
	})
	field := m.Descriptor().Fields().ByName("with_clause")
	if changed || field == nil || !m.Has(field) {
		return changed
	}
	with, ok := m.Get(field).Message().Interface().(*pg.WithClause)
	if !ok || with.GetRecursive() {
		return false
	}
	for i := range with.GetCtes() {
		if !a.inlineQuery(m, with, i) {
			continue
		}
		if with.Ctes = slices.Delete(with.GetCtes(), i, i+1); len(with.GetCtes()) == 0 {
			m.Clear(field)
		}
		return true
	}
	return false
}

// inlineQuery puts one WITH query in the place of its references, if it has any and can be moved.
func (a *analysis) inlineQuery(m protoreflect.Message, with *pg.WithClause, i int) bool {
	cte := with.GetCtes()[i].GetCommonTableExpr()
	sel := cte.GetCtequery().GetSelectStmt()
	if sel == nil || cte.GetSearchClause() != nil || cte.GetCycleClause() != nil || !(a.keepsRows(sel) || a.isByPerson(sel)) || !a.knowsTables(sel.ProtoReflect()) {
		return false
	}
	in := inliner{name: cte.GetCtename(), cte: cte}
	for _, later := range with.GetCtes()[i+1:] {
		if later.GetCommonTableExpr().GetCtename() == in.name {
			return false
		}
		in.walk(later.ProtoReflect())
	}
	pgtree.Children(m, func(child protoreflect.Message) bool {
		if _, ok := child.Interface().(*pg.WithClause); !ok {
			in.walk(child)
		}
		return true
	})
	if len(in.places) == 0 || in.hidden || len(in.places) > maxQueries {
		return false
	}
	a.qualify(sel.ProtoReflect())
	for _, n := range in.places {
		rv := n.GetRangeVar()
		alias := &pg.Alias{Aliasname: rv.GetRelname(), Colnames: cte.GetAliascolnames()}
		if rv.GetAlias() != nil {
			alias.Aliasname = rv.GetAlias().GetAliasname()
			if names := rv.GetAlias().GetColnames(); len(names) > 0 {
				alias.Colnames = names
			}
		}
		query := &pg.Node{Node: &pg.Node_SelectStmt{SelectStmt: proto.Clone(sel).(*pg.SelectStmt)}}
		n.Node = &pg.Node_RangeSubselect{RangeSubselect: &pg.RangeSubselect{Subquery: query, Alias: alias}}
	}
	return true
}

// knowsTables reports whether all tables of a query are protected or public ones, but for those of sub-selects in expressions: ownSelect
// takes care that their names mean the same wherever they stand.
func (a *analysis) knowsTables(m protoreflect.Message) bool {
	if _, ok := m.Interface().(*pg.SubLink); ok {
		return true
	}
	if rv, ok := m.Interface().(*pg.RangeVar); ok {
		return a.references.tables[rv] != nil || a.references.publics[rv] != nil
	}
	known := true
	pgtree.Children(m, func(child protoreflect.Message) bool {
		known = a.knowsTables(child)
		return known
	})
	return known
}

// qualify gives the tables of a query their schemas.
func (a *analysis) qualify(m protoreflect.Message) {
	for rv := range pgtree.Nodes[*pg.RangeVar](m) {
		if t := a.references.tables[rv]; t != nil {
			rv.Schemaname = t.Policy.Name.Schema
		} else if t := a.references.publics[rv]; t != nil {
			rv.Schemaname = t.Name.Schema
		}
	}
}

// An inliner finds the references to a WITH query.
type inliner struct {
	name   string
	cte    *pg.CommonTableExpr
	places []*pg.Node
	// hidden says that another WITH query of the name stands somewhere within.
	hidden bool
}

func (in *inliner) walk(m protoreflect.Message) {
	switch v := m.Interface().(type) {
	case *pg.LockingClause:
		return
	case *pg.CommonTableExpr:
		in.hidden = in.hidden || v.GetCtename() == in.name && v != in.cte
	case *pg.Node:
		if rv := v.GetRangeVar(); rv != nil {
			if rv.GetSchemaname() == "" && rv.GetRelname() == in.name {
				in.places = append(in.places, v)
			}
			return
		}
	}
	pgtree.Children(m, func(child protoreflect.Message) bool {
		in.walk(child)
		return true
	})
}
