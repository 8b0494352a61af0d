package norows

import (
	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgtree"
)

// Replace replaces protected tables whose rows are selected where no row can come out. It takes them out of tables.
func Replace(m protoreflect.Message, tables map[*pg.RangeVar]*expr.Table) {
	sel, ok := m.Interface().(*pg.SelectStmt)
	switch {
	case ok && pgtree.LimitsToNothing(sel):
		emptyRows(m, tables)
		return
	case ok && pgtree.NeverTrue(sel.GetWhereClause()):
		if selectsRows(sel) {
			emptyItems(sel.GetFromClause(), tables)
		}
		for _, item := range sel.GetFromClause() {
			if item.GetRangeVar() == nil {
				emptyRows(item.ProtoReflect(), tables)
			}
		}
	}
	pgtree.Children(m, func(child protoreflect.Message) bool {
		Replace(child, tables)
		return true
	})
}

// emptyRows replaces the tables of every SELECT of rows. Counts are left to those who read them.
func emptyRows(m protoreflect.Message, tables map[*pg.RangeVar]*expr.Table) {
	if sel, ok := m.Interface().(*pg.SelectStmt); ok && selectsRows(sel) {
		emptyItems(sel.GetFromClause(), tables)
	}
	pgtree.Children(m, func(child protoreflect.Message) bool {
		emptyRows(child, tables)
		return true
	})
}

func selectsRows(sel *pg.SelectStmt) bool {
	return len(sel.GetGroupClause()) == 0 && sel.GetHavingClause() == nil && !pgtree.HasAggregate(sel)
}

// emptyItems replaces the protected tables among the items of FROM.
func emptyItems(items []*pg.Node, tables map[*pg.RangeVar]*expr.Table) {
	for _, item := range items {
		if join := item.GetJoinExpr(); join != nil {
			emptyItems([]*pg.Node{join.GetLarg(), join.GetRarg()}, tables)
			continue
		}
		rv := item.GetRangeVar()
		table := tables[rv]
		if table == nil {
			continue
		}
		alias := rv.GetAlias()
		if alias == nil {
			alias = &pg.Alias{Aliasname: rv.GetRelname()}
		}
		delete(tables, rv)
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
