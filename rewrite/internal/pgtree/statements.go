package pgtree

import (
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// statementNames are the kinds of statements whose node is not called as they are.
var statementNames = map[string]string{
	"Create": "CREATE TABLE", "Index": "CREATE INDEX", "CreateTrig": "CREATE TRIGGER", "CreateStats": "CREATE STATISTICS",
	"CreateSeq": "CREATE SEQUENCE", "AlterSeq": "ALTER SEQUENCE", "Rename": "ALTER ... RENAME", "AlterObjectSchema": "ALTER ... SET SCHEMA",
	"AlterOwner": "ALTER ... OWNER", "RefreshMatView": "REFRESH MATERIALIZED VIEW", "SecLabel": "SECURITY LABEL",
	"AlterObjectDepends": "ALTER ... DEPENDS ON EXTENSION", "VariableSet": "this SET", "Transaction": "PREPARE TRANSACTION",
}

// StatementName turns AlterTableStmt into ALTER TABLE.
func StatementName(stmt *pg.Node) string {
	if v := stmt.GetVacuumStmt(); v != nil && !v.GetIsVacuumcmd() {
		return "ANALYZE"
	}
	name := strings.TrimSuffix(string(inner(stmt.ProtoReflect()).Descriptor().Name()), "Stmt")
	if known, ok := statementNames[name]; ok {
		return known
	}
	var b strings.Builder
	for i, c := range name {
		if i > 0 && 'A' <= c && c <= 'Z' {
			b.WriteByte(' ')
		}
		b.WriteRune(c)
	}
	return strings.ToUpper(b.String())
}

// YieldsNothing reports whether a statement has no rows, whatever the counts in it are: tools ask so for the columns of a query. It is
// to be asked before the protected SELECTs are replaced.
func YieldsNothing(stmt *pg.Node) bool {
	switch v := stmt.GetNode().(type) {
	case *pg.Node_ExplainStmt:
		return YieldsNothing(v.ExplainStmt.GetQuery())
	case *pg.Node_CreateTableAsStmt:
		return v.CreateTableAsStmt.GetInto().GetSkipData() || YieldsNothing(v.CreateTableAsStmt.GetQuery())
	case *pg.Node_PrepareStmt:
		return YieldsNothing(v.PrepareStmt.GetQuery())
	case *pg.Node_DeclareCursorStmt:
		return YieldsNothing(v.DeclareCursorStmt.GetQuery())
	case *pg.Node_CopyStmt:
		return YieldsNothing(v.CopyStmt.GetQuery())
	case *pg.Node_SelectStmt:
		return LimitsToNothing(v.SelectStmt)
	}
	return false
}

// changesRows reports whether there is an INSERT, UPDATE or DELETE below: in a WITH query it is run to its end whatever stands around it.
func changesRows(m protoreflect.Message) bool {
	return First[*pg.InsertStmt](m) != nil || First[*pg.UpdateStmt](m) != nil || First[*pg.DeleteStmt](m) != nil
}

// OpensOrEnds reports whether a statement opens or ends a transaction or a subtransaction, and is none of the two phases of a commit.
func OpensOrEnds(v *pg.TransactionStmt) bool {
	switch v.GetKind() {
	case pg.TransactionStmtKind_TRANS_STMT_BEGIN, pg.TransactionStmtKind_TRANS_STMT_START, pg.TransactionStmtKind_TRANS_STMT_SAVEPOINT,
		pg.TransactionStmtKind_TRANS_STMT_RELEASE:
		return true
	}
	return Reverts(v)
}

// Reverts reports whether a statement undoes what was set or made before it.
func Reverts(v *pg.TransactionStmt) bool {
	switch v.GetKind() {
	case pg.TransactionStmtKind_TRANS_STMT_COMMIT, pg.TransactionStmtKind_TRANS_STMT_ROLLBACK, pg.TransactionStmtKind_TRANS_STMT_ROLLBACK_TO:
		return true
	}
	return false
}

func CallsSetConfig(m protoreflect.Message) bool {
	for call := range Nodes[*pg.FuncCall](m) {
		if name, _ := FunctionName(call); name == "set_config" {
			return true
		}
	}
	return false
}

// NeverTrue reports whether a condition holds for no row, as tools write it that only want to know the columns: false, 1 = 0, 1 <> 1,
// alone or with others.
func NeverTrue(condition *pg.Node) bool {
	for _, c := range Conjuncts(condition) {
		if v, ok := c.GetAConst().GetVal().(*pg.A_Const_Boolval); ok && !v.Boolval.GetBoolval() {
			return true
		}
		e := c.GetAExpr()
		left, leftOK := e.GetLexpr().GetAConst().GetVal().(*pg.A_Const_Ival)
		right, rightOK := e.GetRexpr().GetAConst().GetVal().(*pg.A_Const_Ival)
		if !leftOK || !rightOK || e.GetKind() != pg.A_Expr_Kind_AEXPR_OP {
			continue
		}
		same := left.Ival.GetIval() == right.Ival.GetIval()
		switch names := Strings(e.GetName()); {
		case len(names) != 1:
		case names[0] == "=" && !same, names[0] == "<>" && same:
			return true
		}
	}
	return false
}

// LimitsToNothing reports whether a SELECT ends with LIMIT 0 and changes nothing.
func LimitsToNothing(sel *pg.SelectStmt) bool {
	limit, constant := sel.GetLimitCount().GetAConst().GetVal().(*pg.A_Const_Ival)
	return constant && limit.Ival.GetIval() == 0 && !changesRows(sel.ProtoReflect())
}
