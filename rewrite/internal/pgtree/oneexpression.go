package pgtree

import (
	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
)

// IsExpression says whether a text is one expression and nothing else, so that it stays one in parentheses: not two, and no clause behind it
// that closes the parenthesis.
func IsExpression(text string) bool {
	tree, err := pg.Parse("SELECT (" + text + ")")
	if err != nil || len(tree.GetStmts()) != 1 {
		return false
	}
	sel := tree.GetStmts()[0].GetStmt().GetSelectStmt()
	if len(sel.GetTargetList()) != 1 || sel.GetTargetList()[0].GetResTarget().GetName() != "" {
		return false
	}
	plain := &pg.SelectStmt{TargetList: sel.GetTargetList(), LimitOption: sel.GetLimitOption(), Op: sel.GetOp()}
	return sel.GetLimitOption() == pg.LimitOption_LIMIT_OPTION_DEFAULT && sel.GetOp() == pg.SetOperation_SETOP_NONE && proto.Equal(plain, sel)
}
