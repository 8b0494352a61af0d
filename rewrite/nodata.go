package rewrite

import (
	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// yieldsNothing reports whether a statement has no rows, whatever the counts in it are: tools ask so for the columns of a query. It is
// to be asked before the protected SELECTs are replaced.
func yieldsNothing(stmt *pg.Node) bool {
	switch v := stmt.GetNode().(type) {
	case *pg.Node_ExplainStmt:
		return yieldsNothing(v.ExplainStmt.GetQuery())
	case *pg.Node_CreateTableAsStmt:
		return v.CreateTableAsStmt.GetInto().GetSkipData() || yieldsNothing(v.CreateTableAsStmt.GetQuery())
	case *pg.Node_PrepareStmt:
		return yieldsNothing(v.PrepareStmt.GetQuery())
	case *pg.Node_DeclareCursorStmt:
		return yieldsNothing(v.DeclareCursorStmt.GetQuery())
	case *pg.Node_CopyStmt:
		return yieldsNothing(v.CopyStmt.GetQuery())
	case *pg.Node_SelectStmt:
		limit, constant := v.SelectStmt.GetLimitCount().GetAConst().GetVal().(*pg.A_Const_Ival)
		return constant && limit.Ival.GetIval() == 0 && !changesRows(stmt.ProtoReflect())
	}
	return false
}

// changesRows reports whether there is an INSERT, UPDATE or DELETE below: in a WITH query it is run to its end whatever stands around it.
func changesRows(m protoreflect.Message) bool {
	switch m.Interface().(type) {
	case *pg.InsertStmt, *pg.UpdateStmt, *pg.DeleteStmt:
		return true
	}
	found := false
	children(m, func(child protoreflect.Message) bool {
		found = changesRows(child)
		return !found
	})
	return found
}

// NoCells are cells of the queries' shape for an answer of which nothing will be seen.
func (a *Answer) NoCells() []*Cells {
	cells := make([]*Cells, len(a.Queries))
	for i, q := range a.Queries {
		cells[i] = &Cells{Keys: make([][]Value, len(q.keys)), Counts: make([][]int64, len(q.Counts))}
	}
	for _, r := range a.Reports {
		cells = append(cells, &Cells{Keys: make([][]Value, len(r.Columns))})
	}
	return cells
}
