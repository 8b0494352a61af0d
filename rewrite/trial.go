package rewrite

import (
	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
)

// modernOptions spells the options of a COPY as they are printed: HEADER without a value for that of the older syntax, which has one.
func modernOptions(v *pg.CopyStmt) {
	for _, o := range v.GetOptions() {
		if d := o.GetDefElem(); d.GetArg().GetBoolean().GetBoolval() {
			d.Arg = nil
		}
	}
}

// copyTrial is a COPY of no rows with the options of a COPY, but those that name columns.
func copyTrial(v *pg.CopyStmt, version int32) (string, error) {
	nothing, err := pg.Parse("SELECT 1 WHERE false")
	if err != nil {
		return "", err
	}
	trial := proto.Clone(v).(*pg.CopyStmt)
	trial.Query = nothing.GetStmts()[0].GetStmt()
	trial.Options = nil
	for _, o := range v.GetOptions() {
		if o.GetDefElem().GetArg().GetList() == nil {
			trial.Options = append(trial.Options, o)
		}
	}
	return pg.Deparse(oneStatement(&pg.Node{Node: &pg.Node_CopyStmt{CopyStmt: trial}}, version))
}

// cursorTrial declares a cursor of the same name and options, and closes it.
func cursorTrial(v *pg.DeclareCursorStmt, version int32) ([]string, error) {
	something, err := pg.Parse("SELECT 1")
	if err != nil {
		return nil, err
	}
	trial := proto.Clone(v).(*pg.DeclareCursorStmt)
	trial.Query = something.GetStmts()[0].GetStmt()
	declare, err := pg.Deparse(oneStatement(&pg.Node{Node: &pg.Node_DeclareCursorStmt{DeclareCursorStmt: trial}}, version))
	return []string{declare, "CLOSE " + alwaysQuoted(v.GetPortalname())}, err
}

func oneStatement(n *pg.Node, version int32) *pg.ParseResult {
	return &pg.ParseResult{Version: version, Stmts: []*pg.RawStmt{{Stmt: n}}}
}
