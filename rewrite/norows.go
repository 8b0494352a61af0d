package rewrite

import (
	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgtree"
)

// Tools ask for the columns of a table by a SELECT that has no rows: LIMIT 0, WHERE 1 = 0. Whatever stands in the table has no part in the
// result. So a relation of the listed columns without rows takes the table's place, and nothing is counted or charged.

// emptyProbes replaces protected tables whose rows are selected where no row can come out.
func (a *analysis) emptyProbes(m protoreflect.Message) {
	sel, ok := m.Interface().(*pg.SelectStmt)
	switch {
	case ok && pgtree.LimitsToNothing(sel):
		a.emptyRows(m)
		return
	case ok && pgtree.NeverTrue(sel.GetWhereClause()):
		if selectsRows(sel) {
			a.emptyItems(sel.GetFromClause())
		}
		for _, item := range sel.GetFromClause() {
			if item.GetRangeVar() == nil {
				a.emptyRows(item.ProtoReflect())
			}
		}
	}
	pgtree.Children(m, func(child protoreflect.Message) bool {
		a.emptyProbes(child)
		return true
	})
}

// emptyRows replaces the tables of every SELECT of rows. Counts are left to those who read them.
func (a *analysis) emptyRows(m protoreflect.Message) {
	if sel, ok := m.Interface().(*pg.SelectStmt); ok && selectsRows(sel) {
		a.emptyItems(sel.GetFromClause())
	}
	pgtree.Children(m, func(child protoreflect.Message) bool {
		a.emptyRows(child)
		return true
	})
}

func selectsRows(sel *pg.SelectStmt) bool {
	return len(sel.GetGroupClause()) == 0 && sel.GetHavingClause() == nil && !pgtree.HasAggregate(sel)
}

// emptyItems replaces the protected tables among the items of FROM.
func (a *analysis) emptyItems(items []*pg.Node) {
	for _, item := range items {
		if join := item.GetJoinExpr(); join != nil {
			a.emptyItems([]*pg.Node{join.GetLarg(), join.GetRarg()})
			continue
		}
		rv := item.GetRangeVar()
		table := a.references.tables[rv]
		if table == nil {
			continue
		}
		alias := rv.GetAlias()
		if alias == nil {
			alias = &pg.Alias{Aliasname: rv.GetRelname()}
		}
		delete(a.references.tables, rv)
		item.Node = pgtree.Subselect(noRows(table), alias, false).Node
	}
}

// noRows is a SELECT of the listed columns of a table, without rows.
func noRows(table *expr.Table) *pg.SelectStmt {
	sel := &pg.SelectStmt{
		WhereClause: pgtree.False(),
		LimitOption: pg.LimitOption_LIMIT_OPTION_DEFAULT,
		Op:          pg.SetOperation_SETOP_NONE,
	}
	for _, c := range table.Columns {
		sel.TargetList = append(sel.TargetList, pg.MakeResTargetNodeWithNameAndVal(c.Name, pgtree.Expression("NULL::"+c.Formatted), -1))
	}
	return sel
}
