package mask

import (
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
)

// maskable says whether a statement asks something. Others keep SQL for later, or take no sub-select.
func maskable(stmt *pg.Node) bool {
	switch v := stmt.GetNode().(type) {
	case *pg.Node_SelectStmt, *pg.Node_InsertStmt, *pg.Node_UpdateStmt, *pg.Node_DeleteStmt, *pg.Node_PrepareStmt,
		*pg.Node_CreateTableAsStmt, *pg.Node_ExplainStmt, *pg.Node_DeclareCursorStmt:
		return true
	case *pg.Node_CopyStmt:
		return v.CopyStmt.GetQuery() != nil
	}
	return false
}

// maxRelations bounds how many relations of one text are replaced: a sub-select is some hundred times as large as a name.
const maxRelations = 200

// Replace puts masks into statements, which mention relations, and reports whether there were any to put. declared are the types of
// parameters. isSystem says whether an unqualified name means a relation of pg_catalog in the session: a temporary table can hide one.
func (m *Masks) Replace(tree *pg.ParseResult, relations []*pg.RangeVar, declared []uint32, isSystem func(name string) bool) bool {
	if m == nil {
		return false
	}
	masker := newMasker(m)
	masker.declared = declared
	if !masker.findRelations(tree, relations, isSystem) {
		return false
	}
	for _, raw := range tree.GetStmts() {
		if maskable(raw.GetStmt()) {
			masker.walk(raw.ProtoReflect())
		}
	}
	return masker.replaced
}

// relationKey is the name of a relation in Masks.
func relationKey(rv *pg.RangeVar) string {
	if schema := rv.GetSchemaname(); schema != "" && schema != pgtree.SystemSchema {
		return schema + "." + rv.GetRelname()
	}
	return rv.GetRelname()
}

// findRelations notes which relations are to be replaced. It reports false if there are too many.
func (m *masker) findRelations(tree *pg.ParseResult, relations []*pg.RangeVar, isSystem func(name string) bool) bool {
	class := false
	for _, raw := range tree.GetStmts() {
		class = class || m.masks.wantsClass(raw.ProtoReflect())
	}
	resolved := make(map[string]bool)
	for _, rv := range relations {
		name := relationKey(rv)
		if m.masks.relations[name] == nil || name == "pg_class" && !class {
			continue
		}
		if rv.GetSchemaname() == "" {
			if _, known := resolved[name]; !known {
				resolved[name] = isSystem(name)
			}
			if !resolved[name] {
				continue
			}
		}
		if len(m.relations) == maxRelations {
			return false
		}
		sel := m.masks.relation(name)
		if sel == nil {
			continue
		}
		m.relations[rv] = sel
		if name == "pg_class" {
			m.classes = append(m.classes, pgtree.VisibleName(rv))
		}
	}
	return true
}

// A masker puts masks into a tree.
type masker struct {
	masks    *Masks
	declared []uint32 // types of parameters
	// relations are the names that are to be replaced, each by its sub-select.
	relations map[*pg.RangeVar]*pg.SelectStmt
	// classes are the names under which pg_class stands, if it is replaced.
	classes []string
	// calls are the nodes that were calls of withheld functions of a single value.
	calls    map[*pg.Node]*Function
	replaced bool
}

func newMasker(masks *Masks) *masker {
	return &masker{masks: masks, relations: make(map[*pg.RangeVar]*pg.SelectStmt), calls: make(map[*pg.Node]*Function)}
}

// walk goes from the inside out.
func (m *masker) walk(message protoreflect.Message) {
	target, _ := message.Interface().(*pg.ResTarget)
	name, named := "", false
	if target != nil && target.GetName() == "" && target.GetVal() != nil {
		name, named = pgtree.ColumnName(target.GetVal())
	}
	pgtree.Children(message, func(child protoreflect.Message) bool {
		m.walk(child)
		return true
	})
	switch v := message.Interface().(type) {
	case *pg.Node:
		m.node(v)
	case *pg.ColumnRef:
		m.columnRef(v)
	case *pg.ResTarget:
		if now, known := pgtree.ColumnName(v.GetVal()); named && (now != name || !known) {
			v.Name = name
		}
	}
}

func (m *masker) node(n *pg.Node) {
	switch v := n.GetNode().(type) {
	case *pg.Node_RangeVar:
		if sel := m.relations[v.RangeVar]; sel != nil {
			alias := v.RangeVar.GetAlias()
			if alias == nil {
				alias = &pg.Alias{Aliasname: v.RangeVar.GetRelname()}
			}
			m.replace(n, pgtree.Subselect(proto.Clone(sel).(*pg.SelectStmt), alias, false))
		}
	case *pg.Node_RangeFunction:
		m.rangeFunction(n, v.RangeFunction)
	case *pg.Node_FuncCall:
		if f := m.masks.function(v.FuncCall); f != nil && !f.Set && len(f.Columns) == 0 {
			m.replace(n, m.call(f, v.FuncCall))
			m.calls[n] = f
		} else if mask := m.masks.privilege(v.FuncCall); mask != nil {
			m.replace(n, mask)
		}
	case *pg.Node_ColumnRef:
		m.systemColumn(n, v.ColumnRef)
	}
}

func (m *masker) replace(n, by *pg.Node) {
	n.Node = by.Node
	m.replaced = true
}

// call is NULL in place of a call. The arguments stay, though nothing depends on them: a parameter or an aggregate among them has
// its place in the statement.
func (m *masker) call(f *Function, call *pg.FuncCall) *pg.Node {
	var tests []*pg.Node
	for i, arg := range call.GetArgs() {
		if named := arg.GetNamedArgExpr(); named != nil {
			arg = named.GetArg()
		}
		if p := arg.GetParamRef(); p != nil && i == 0 && f.Argument != "" && !m.isDeclared(int(p.GetNumber())) {
			arg = pgtree.CastNode(arg, pgtree.TypeNode([]string{pgtree.SystemSchema, f.Argument}, nil))
		}
		tests = append(tests, &pg.Node{Node: &pg.Node_NullTest{NullTest: &pg.NullTest{
			Arg: arg, Nulltesttype: pg.NullTestType_IS_NULL, Location: -1,
		}}})
	}
	null := pgtree.NullOf(f.Type)
	if len(tests) == 0 {
		return null
	}
	test := tests[0]
	if len(tests) > 1 {
		test = &pg.Node{Node: &pg.Node_BoolExpr{BoolExpr: &pg.BoolExpr{Boolop: pg.BoolExprType_OR_EXPR, Args: tests, Location: -1}}}
	}
	return &pg.Node{Node: &pg.Node_CaseExpr{CaseExpr: &pg.CaseExpr{
		Args:     []*pg.Node{{Node: &pg.Node_CaseWhen{CaseWhen: &pg.CaseWhen{Expr: test, Result: null, Location: -1}}}},
		Location: -1,
	}}}
}

func (m *masker) isDeclared(param int) bool {
	return param <= len(m.declared) && m.declared[param-1] != pgvalue.Unspecified
}

// rangeFunction replaces a withheld function that stands in FROM. By then a call of a single value is NULL already, which cannot
// stand there.
func (m *masker) rangeFunction(n *pg.Node, v *pg.RangeFunction) {
	if len(v.GetFunctions()) != 1 || v.GetOrdinality() {
		return
	}
	items := v.GetFunctions()[0].GetList().GetItems()
	if len(items) == 0 {
		return
	}
	f := m.calls[items[0]]
	if f == nil {
		f = m.masks.function(items[0].GetFuncCall())
	}
	if f == nil {
		return
	}
	alias := v.GetAlias()
	if alias == nil {
		alias = &pg.Alias{Aliasname: f.Name}
	}
	m.replace(n, pgtree.Subselect(f.rows(alias.GetAliasname(), items[0]), alias, true))
}

// columnRef takes the schema from pg_catalog.pg_stat_all_tables.relid: a sub-select has none.
func (m *masker) columnRef(v *pg.ColumnRef) {
	fields := v.GetFields()
	if schema := fields[0].GetString_().GetSval(); len(fields) < 3 || schema != pgtree.SystemSchema && schema != standardSchema {
		return
	}
	for rv := range m.relations {
		if rv.GetAlias() == nil && rv.GetRelname() == fields[1].GetString_().GetSval() {
			v.Fields = fields[1:]
			return
		}
	}
}

// systemColumn fetches c.xmin, which a sub-select does not pass on, for a row of a pg_class that is replaced.
func (m *masker) systemColumn(n *pg.Node, v *pg.ColumnRef) {
	const inner = "tacit_class"
	fields := v.GetFields()
	if len(fields) != 2 {
		return
	}
	relation, name := fields[0].GetString_().GetSval(), fields[1].GetString_().GetSval()
	if !slices.Contains(pgtree.SystemColumns, name) || !slices.Contains(m.classes, relation) {
		return
	}
	class := pgtree.SystemRelation("pg_class")
	class.GetRangeVar().Alias = &pg.Alias{Aliasname: inner}
	same := &pg.Node{Node: &pg.Node_AExpr{AExpr: &pg.A_Expr{
		Kind: pg.A_Expr_Kind_AEXPR_OP, Name: pgtree.NameNodes([]string{pgtree.SystemSchema, "="}),
		Lexpr: pgtree.ColumnNode(inner, "oid"), Rexpr: pgtree.ColumnNode(relation, "oid"), Location: -1,
	}}}
	m.replace(n, &pg.Node{Node: &pg.Node_SubLink{SubLink: &pg.SubLink{
		SubLinkType: pg.SubLinkType_EXPR_SUBLINK,
		Subselect: &pg.Node{Node: &pg.Node_SelectStmt{SelectStmt: &pg.SelectStmt{
			TargetList:  []*pg.Node{pg.MakeResTargetNodeWithVal(pgtree.ColumnNode(inner, name), -1)},
			FromClause:  []*pg.Node{class},
			WhereClause: same,
			LimitOption: pg.LimitOption_LIMIT_OPTION_DEFAULT,
			Op:          pg.SetOperation_SETOP_NONE,
		}}},
		Location: -1,
	}}})
}

// qualifyCalls gives unqualified functions of a definition by the server the schema that they have.
func qualifyCalls(message protoreflect.Message) {
	for call := range pgtree.Nodes[*pg.FuncCall](message) {
		if len(call.GetFuncname()) == 1 {
			call.Funcname = append([]*pg.Node{pg.MakeStrNode(pgtree.SystemSchema)}, call.Funcname...)
		}
	}
}
