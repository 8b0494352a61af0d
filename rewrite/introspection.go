package rewrite

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/policy"
)

// masked prints a text that concerns no protected table with masks in place of what is withheld of the system's catalog. If nothing
// is, or if the text cannot be reproduced, the verdict stands, and the server denies what it denies.
func (a *analysis) masked(tree *pg.ParseResult, verdict Verdict, relations []*pg.RangeVar) Verdict {
	forget, _ := verdict.(*Forget)
	if _, relay := verdict.(*Relay); !relay && forget == nil {
		return verdict
	}
	if !a.maskAll(tree, relations) || a.err != nil {
		return verdict
	}
	rest, refusal := newPrinter().print(tree)
	if refusal != nil {
		return verdict
	}
	return &Masked{Text: rest.WithLiterals(nil), Forget: forget}
}

// maskAll puts masks into the statements, which mention relations, and reports whether there were any to put.
func (a *analysis) maskAll(tree *pg.ParseResult, relations []*pg.RangeVar) bool {
	masks := a.session.Catalog.Masks
	if masks == nil {
		return false
	}
	m := newMasker(masks)
	m.declared = a.session.ParamOIDs
	estimates := false
	for _, raw := range tree.GetStmts() {
		estimates = estimates || masks.wantsEstimates(raw.ProtoReflect())
	}
	resolved := make(map[string]bool)
	for _, rv := range relations {
		name := rv.GetRelname()
		if masks.relations[name] == nil || name == "pg_class" && !estimates {
			continue
		}
		if rv.GetSchemaname() == "" {
			if _, known := resolved[name]; !known {
				resolved[name] = a.isSystem(name)
			}
			if !resolved[name] {
				continue
			}
		} else if rv.GetSchemaname() != systemSchema {
			continue
		}
		if len(m.relations) == maxMasks {
			return false
		}
		sel := masks.relation(name)
		if sel == nil {
			continue
		}
		m.relations[rv] = sel
		if name == "pg_class" {
			m.classes = append(m.classes, visibleName(rv))
		}
	}
	for _, raw := range tree.GetStmts() {
		if maskable(raw.GetStmt()) {
			m.walk(raw.ProtoReflect())
		}
	}
	return m.replaced
}

// maxMasks bounds how many relations of one text are masked: a sub-select is some hundred times as large as a name.
const maxMasks = 200

// isSystem says whether an unqualified name means a relation of pg_catalog in the session: a temporary table can hide one.
func (a *analysis) isSystem(name string) bool {
	if a.err != nil {
		return false
	}
	table, ok, err := a.session.Resolve(name)
	if err != nil {
		a.err = err
	}
	return err == nil && ok && table == policy.TableName{Schema: systemSchema, Name: name}
}

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

func visibleName(rv *pg.RangeVar) string {
	if alias := rv.GetAlias().GetAliasname(); alias != "" {
		return alias
	}
	return rv.GetRelname()
}

// wantsEstimates says whether a statement may read a withheld column of pg_class: by its name, or by a star.
func (m *Masks) wantsEstimates(message protoreflect.Message) (wants bool) {
	if v, ok := message.Interface().(*pg.ColumnRef); ok {
		last := v.GetFields()[len(v.GetFields())-1]
		return last.GetAStar() != nil || m.estimates[last.GetString_().GetSval()]
	}
	children(message, func(child protoreflect.Message) bool {
		wants = m.wantsEstimates(child)
		return !wants
	})
	return wants
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
	calls    map[*pg.Node]*WithheldFunction
	replaced bool
}

func newMasker(masks *Masks) *masker {
	return &masker{masks: masks, relations: make(map[*pg.RangeVar]*pg.SelectStmt), calls: make(map[*pg.Node]*WithheldFunction)}
}

// walk goes from the inside out.
func (m *masker) walk(message protoreflect.Message) {
	target, _ := message.Interface().(*pg.ResTarget)
	name, named := "", false
	if target != nil && target.GetName() == "" && target.GetVal() != nil {
		name, named = columnName(target.GetVal())
	}
	children(message, func(child protoreflect.Message) bool {
		m.walk(child)
		return true
	})
	switch v := message.Interface().(type) {
	case *pg.Node:
		m.node(v)
	case *pg.ColumnRef:
		m.columnRef(v)
	case *pg.ResTarget:
		if now, known := columnName(v.GetVal()); named && (now != name || !known) {
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
			m.replace(n, subselect(proto.Clone(sel).(*pg.SelectStmt), alias, false))
		}
	case *pg.Node_RangeFunction:
		m.rangeFunction(n, v.RangeFunction)
	case *pg.Node_FuncCall:
		if f := m.masks.function(v.FuncCall); f != nil && !f.Set && len(f.Columns) == 0 {
			m.replace(n, m.call(f, v.FuncCall))
			m.calls[n] = f
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
func (m *masker) call(f *WithheldFunction, call *pg.FuncCall) *pg.Node {
	var tests []*pg.Node
	for i, arg := range call.GetArgs() {
		if named := arg.GetNamedArgExpr(); named != nil {
			arg = named.GetArg()
		}
		if p := arg.GetParamRef(); p != nil && i == 0 && f.Argument != "" && !m.isDeclared(int(p.GetNumber())) {
			arg = castNode(arg, typeNode([]string{systemSchema, f.Argument}, nil))
		}
		tests = append(tests, &pg.Node{Node: &pg.Node_NullTest{NullTest: &pg.NullTest{
			Arg: arg, Nulltesttype: pg.NullTestType_IS_NULL, Location: -1,
		}}})
	}
	null := nullOf(f.Type)
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
	return param <= len(m.declared) && m.declared[param-1] != oidUnspecified
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
	m.replace(n, subselect(f.rows(alias.GetAliasname(), items[0]), alias, true))
}

// columnRef takes the schema from pg_catalog.pg_stat_all_tables.relid: a sub-select has none.
func (m *masker) columnRef(v *pg.ColumnRef) {
	fields := v.GetFields()
	if len(fields) < 3 || fields[0].GetString_().GetSval() != systemSchema {
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
	if !slices.Contains(systemColumns, name) || !slices.Contains(m.classes, relation) {
		return
	}
	class := systemRelation("pg_class")
	class.GetRangeVar().Alias = &pg.Alias{Aliasname: inner}
	same := &pg.Node{Node: &pg.Node_AExpr{AExpr: &pg.A_Expr{
		Kind: pg.A_Expr_Kind_AEXPR_OP, Name: nameNodes([]string{systemSchema, "="}),
		Lexpr: columnNode(inner, "oid"), Rexpr: columnNode(relation, "oid"), Location: -1,
	}}}
	m.replace(n, &pg.Node{Node: &pg.Node_SubLink{SubLink: &pg.SubLink{
		SubLinkType: pg.SubLinkType_EXPR_SUBLINK,
		Subselect: &pg.Node{Node: &pg.Node_SelectStmt{SelectStmt: &pg.SelectStmt{
			TargetList:  []*pg.Node{pg.MakeResTargetNodeWithVal(columnNode(inner, name), -1)},
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
	if v, ok := message.Interface().(*pg.FuncCall); ok && len(v.GetFuncname()) == 1 {
		v.Funcname = append([]*pg.Node{pg.MakeStrNode(systemSchema)}, v.Funcname...)
	}
	children(message, func(child protoreflect.Message) bool {
		qualifyCalls(child)
		return true
	})
}

// aids reports whether a text that names no protected table names what the proxy serves to make tools and analysts comfortable: a
// relation of its own, or a withheld part of the system's catalog. As in watches, strings hold no names.
func aids(sql string, c *Catalog) bool {
	s := scanner{sql: sql, limit: len(sql)}
	class, wanted, schema, dot := false, false, false, false
	for s.pos < len(sql) {
		t := s.next()
		if t.kind == blankToken {
			continue
		}
		word := ""
		if (t.kind == wordToken || t.kind == quotedToken) && len(t.text) <= maxNameBytes {
			word = strings.Trim(lowerASCII(t.text), `"`)
		}
		switch {
		case dot && word != "" || c.Masks.names(word):
			return true
		case word == "pg_class":
			class = true
		case t.text == "*" || word == "table" || word != "" && c.Masks != nil && c.Masks.estimates[word]:
			wanted = true
		}
		schema, dot = word == reportSchema, schema && t.text == "."
	}
	return class && wanted && c.Masks != nil && c.Masks.relations["pg_class"] != nil
}
