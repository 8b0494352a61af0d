package pgtree

import (
	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
)

// ColumnRef is a node that names a column of a FROM item.
func ColumnRef(relation, column string, loc int32) *pg.Node_ColumnRef {
	return &pg.Node_ColumnRef{ColumnRef: &pg.ColumnRef{
		Fields:   []*pg.Node{pg.MakeStrNode(relation), pg.MakeStrNode(column)},
		Location: loc,
	}}
}

// PowerNode is 2 to the power of n, which is below 31.
func PowerNode(n int) *pg.Node { return pg.MakeAConstIntNode(1<<n, -1) }

func SystemRelation(name string) *pg.Node {
	return &pg.Node{Node: &pg.Node_RangeVar{RangeVar: &pg.RangeVar{
		Schemaname: SystemSchema, Relname: name, Inh: true, Relpersistence: "p", Location: -1,
	}}}
}

func Subselect(sel *pg.SelectStmt, alias *pg.Alias, lateral bool) *pg.Node {
	return &pg.Node{Node: &pg.Node_RangeSubselect{RangeSubselect: &pg.RangeSubselect{
		Lateral:  lateral,
		Subquery: &pg.Node{Node: &pg.Node_SelectStmt{SelectStmt: sel}},
		Alias:    alias,
	}}}
}

// NullOf is NULL of a type of pg_catalog.
func NullOf(typeName string) *pg.Node {
	null := &pg.Node{Node: &pg.Node_AConst{AConst: &pg.A_Const{Isnull: true, Location: -1}}}
	return CastNode(null, TypeNode([]string{SystemSchema, typeName}, nil))
}

// Unnest is a FROM item. The bare name is not looked up by PostgreSQL if there are several arrays; for one, it is qualified.
func Unnest(arrays []*pg.Node, alias string, columns []*pg.Node) *pg.Node {
	name := []*pg.Node{pg.MakeStrNode("unnest")}
	if len(arrays) == 1 {
		name = []*pg.Node{pg.MakeStrNode("pg_catalog"), pg.MakeStrNode("unnest")}
	}
	return &pg.Node{Node: &pg.Node_RangeFunction{RangeFunction: &pg.RangeFunction{
		Functions: []*pg.Node{pg.MakeListNode([]*pg.Node{pg.MakeFuncCallNode(name, arrays, -1), {}})},
		Alias:     &pg.Alias{Aliasname: alias, Colnames: columns},
	}}}
}

func TypeNode(name []string, modifiers []int32) *pg.TypeName {
	t := &pg.TypeName{Names: NameNodes(name), Typemod: -1, Location: -1}
	for _, m := range modifiers {
		t.Typmods = append(t.Typmods, pg.MakeAConstIntNode(int64(m), -1))
	}
	return t
}

func NameNodes(names []string) []*pg.Node {
	nodes := make([]*pg.Node, len(names))
	for i, n := range names {
		nodes[i] = pg.MakeStrNode(n)
	}
	return nodes
}

func ColumnNode(relation, column string) *pg.Node {
	return &pg.Node{Node: ColumnRef(relation, column, -1)}
}

func CastNode(n *pg.Node, t *pg.TypeName) *pg.Node {
	return &pg.Node{Node: &pg.Node_TypeCast{TypeCast: &pg.TypeCast{Arg: n, TypeName: t, Location: -1}}}
}

// Expression parses an expression of our own.
func Expression(sql string) *pg.Node {
	tree, err := pg.Parse("SELECT " + sql)
	if err != nil {
		panic("pgtree: internal error: " + err.Error())
	}
	n := tree.GetStmts()[0].GetStmt().GetSelectStmt().GetTargetList()[0].GetResTarget().GetVal()
	ClearLocations(n.ProtoReflect())
	return n
}

func False() *pg.Node {
	return &pg.Node{Node: &pg.Node_AConst{AConst: &pg.A_Const{Val: &pg.A_Const_Boolval{Boolval: &pg.Boolean{}}, Location: -1}}}
}

func CatalogCall(name string, args ...*pg.Node) *pg.Node {
	return pg.MakeFuncCallNode(NameNodes([]string{"pg_catalog", name}), args, -1)
}

func OperatorNode(kind pg.A_Expr_Kind, name string, left, right *pg.Node) *pg.Node {
	return &pg.Node{Node: &pg.Node_AExpr{AExpr: &pg.A_Expr{Kind: kind, Name: NameNodes([]string{name}), Lexpr: left, Rexpr: right, Location: -1}}}
}

// Decimal is a constant of type numeric.
func Decimal(text string) *pg.Node { return NumericNode(pg.MakeAConstStrNode(text, -1)) }

// NumericNode casts to numeric.
func NumericNode(n *pg.Node) *pg.Node {
	return CastNode(n, TypeNode([]string{SystemSchema, "numeric"}, nil))
}

// Arithmetic applies an operator.
func Arithmetic(left *pg.Node, operator string, right *pg.Node) *pg.Node {
	return OperatorNode(pg.A_Expr_Kind_AEXPR_OP, operator, left, right)
}

// AtLeastZero is a number, or 0 if it is negative.
func AtLeastZero(n *pg.Node) *pg.Node {
	return &pg.Node{Node: &pg.Node_MinMaxExpr{MinMaxExpr: &pg.MinMaxExpr{Op: pg.MinMaxOp_IS_GREATEST, Args: []*pg.Node{n, Decimal("0")}, Location: -1}}}
}

// Positive is a number, or NULL if it is not more than 0.
func Positive(n *pg.Node) *pg.Node {
	return OperatorNode(pg.A_Expr_Kind_AEXPR_NULLIF, "=", AtLeastZero(n), Decimal("0"))
}

// IntervalOf is an interval of so many seconds, in days and hours. Beyond a billion days either way it is those: no number makes it fail.
func IntervalOf(seconds *pg.Node) *pg.Node {
	days := Arithmetic(seconds, "/", Decimal("86400"))
	held := days
	for _, limit := range []struct {
		op   pg.MinMaxOp
		days string
	}{{pg.MinMaxOp_IS_GREATEST, "-1000000000"}, {pg.MinMaxOp_IS_LEAST, "1000000000"}} {
		held = &pg.Node{Node: &pg.Node_MinMaxExpr{MinMaxExpr: &pg.MinMaxExpr{Op: limit.op, Args: []*pg.Node{held, Decimal(limit.days)}, Location: -1}}}
	}
	present := &pg.Node{Node: &pg.Node_NullTest{NullTest: &pg.NullTest{Arg: proto.Clone(days).(*pg.Node), Nulltesttype: pg.NullTestType_IS_NOT_NULL, Location: -1}}}
	number := &pg.Node{Node: &pg.Node_CaseExpr{CaseExpr: &pg.CaseExpr{
		Args: []*pg.Node{{Node: &pg.Node_CaseWhen{CaseWhen: &pg.CaseWhen{Expr: present, Result: held, Location: -1}}}}, Location: -1,
	}}}
	day := CastNode(pg.MakeAConstStrNode("1 day", -1), TypeNode([]string{"pg_catalog", "interval"}, nil))
	return Arithmetic(CastNode(number, TypeNode([]string{"pg_catalog", "float8"}, nil)), "*", day)
}

func OneStatement(n *pg.Node, version int32) *pg.ParseResult {
	return &pg.ParseResult{Version: version, Stmts: []*pg.RawStmt{{Stmt: n}}}
}
