package pgtree

import (
	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
)

// ModernOptions spells the options of a COPY as they are printed: HEADER without a value for that of the older syntax, which has one.
func ModernOptions(v *pg.CopyStmt) {
	for _, o := range v.GetOptions() {
		if d := o.GetDefElem(); d.GetArg().GetBoolean().GetBoolval() {
			d.Arg = nil
		}
	}
}

// CopyProbe is a COPY of no rows with the options of a COPY, but those that name columns.
func CopyProbe(v *pg.CopyStmt, version int32) (string, error) {
	nothing, err := pg.Parse("SELECT 1 WHERE false")
	if err != nil {
		return "", err
	}
	probe := proto.Clone(v).(*pg.CopyStmt)
	probe.Query = nothing.GetStmts()[0].GetStmt()
	probe.Options = nil
	for _, o := range v.GetOptions() {
		if o.GetDefElem().GetArg().GetList() == nil {
			probe.Options = append(probe.Options, o)
		}
	}
	return pg.Deparse(OneStatement(&pg.Node{Node: &pg.Node_CopyStmt{CopyStmt: probe}}, version))
}

// CursorProbe declares a cursor of the same name and options.
func CursorProbe(v *pg.DeclareCursorStmt, version int32) (string, error) {
	something, err := pg.Parse("SELECT 1")
	if err != nil {
		return "", err
	}
	probe := proto.Clone(v).(*pg.DeclareCursorStmt)
	probe.Query = something.GetStmts()[0].GetStmt()
	return pg.Deparse(OneStatement(&pg.Node{Node: &pg.Node_DeclareCursorStmt{DeclareCursorStmt: probe}}, version))
}
