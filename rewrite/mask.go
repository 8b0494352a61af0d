package rewrite

import (
	"slices"
	"strings"
	"sync"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
)

// Withheld is what the server withholds from analysts of its own catalog although other roles may see it: what counts and measures
// relations. Tools ask for it beside things that analysts may see, and would get nothing but an error.
type Withheld struct {
	Functions []WithheldFunction
	// Columns are those of pg_class, in their order; none if all of them may be read.
	Columns []CatalogColumn
	// Views of pg_catalog by name, with their definitions in this version of the server, none of them recursive. Those that call
	// none of Functions are of no concern.
	Views map[string]string
}

// A WithheldFunction is a function of pg_catalog that analysts may not call.
type WithheldFunction struct {
	Name string
	// Type is the name of the result's type in pg_catalog.
	Type string
	// Argument is the name of the first argument's type, "" if there is none.
	Argument string
	// Set says that it returns any number of rows.
	Set bool
	// Columns are those of its rows, if it returns rows of several.
	Columns []CatalogColumn
}

// A CatalogColumn is a column of a system relation.
type CatalogColumn struct {
	Name string
	Type string // in pg_catalog
	// Withheld says that analysts may not read it.
	Withheld bool
}

// Masks are what stands in a statement for withheld parts of the catalog. They only name what analysts may see, and statements
// with them run in the analyst's own session: they make nothing readable. A Masks never changes.
type Masks struct {
	functions map[string]*WithheldFunction
	// relations of pg_catalog for which there may be a sub-select.
	relations map[string]*maskedRelation
	// estimates are the withheld columns of pg_class.
	estimates map[string]bool
}

// A maskedRelation makes its sub-select when a statement names it first: few of a server's views are ever asked for.
type maskedRelation struct {
	definition string // of a view
	once       sync.Once
	sel        *pg.SelectStmt // nil if there is none after all
}

// NewMasks returns nil if nothing is withheld.
func NewMasks(w *Withheld) *Masks {
	m := &Masks{
		functions: make(map[string]*WithheldFunction),
		relations: make(map[string]*maskedRelation),
		estimates: make(map[string]bool),
	}
	var withheld []string
	for i := range w.Functions {
		m.functions[w.Functions[i].Name] = &w.Functions[i]
		withheld = append(withheld, w.Functions[i].Name)
	}
	for _, c := range w.Columns {
		if c.Withheld {
			m.estimates[c.Name] = true
		}
	}
	if len(m.functions) == 0 && len(m.estimates) == 0 {
		return nil
	}
	for added := true; added; { // views of such views, too
		added = false
		for name, definition := range w.Views {
			if m.relations[name] == nil && containsAny(definition, withheld) {
				m.relations[name] = &maskedRelation{definition: definition}
				withheld, added = append(withheld, name), true
			}
		}
	}
	if len(m.estimates) > 0 {
		class := &maskedRelation{}
		class.once.Do(func() { class.sel = printable("pg_class", maskedClass(w.Columns)) })
		m.relations["pg_class"] = class
	}
	return m
}

func containsAny(s string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// relation is the sub-select that stands for a relation of pg_catalog, nil for none.
func (m *Masks) relation(name string) *pg.SelectStmt {
	r := m.relations[name]
	if r == nil {
		return nil
	}
	r.once.Do(func() { r.sel = printable(name, m.view(r.definition)) })
	return r.sel
}

// printable returns nil for a sub-select that the parser's printer cannot reproduce: what it stands for stays denied.
func printable(name string, sel *pg.SelectStmt) *pg.SelectStmt {
	if sel == nil {
		return nil
	}
	all := &pg.SelectStmt{
		TargetList:  []*pg.Node{pg.MakeResTargetNodeWithVal(pg.MakeColumnRefNode([]*pg.Node{pg.MakeAStarNode()}, -1), -1)},
		FromClause:  []*pg.Node{pgtree.Subselect(proto.Clone(sel).(*pg.SelectStmt), &pg.Alias{Aliasname: name}, false)},
		LimitOption: pg.LimitOption_LIMIT_OPTION_DEFAULT,
		Op:          pg.SetOperation_SETOP_NONE,
	}
	tree := &pg.ParseResult{Version: parserVersion, Stmts: []*pg.RawStmt{{Stmt: &pg.Node{Node: &pg.Node_SelectStmt{SelectStmt: all}}}}}
	if _, refusal := newPrinter().print(tree); refusal != nil {
		return nil
	}
	return sel
}

// parserVersion is what the parser writes into its trees.
var parserVersion = func() int32 {
	tree, err := pg.Parse("SELECT")
	if err != nil {
		panic("rewrite: internal error: " + err.Error())
	}
	return tree.GetVersion()
}()

// maskedClass is pg_class with the planner's own words for "unknown" in place of its estimates.
func maskedClass(columns []CatalogColumn) *pg.SelectStmt {
	const alias = "c"
	var outputs []*pg.Node
	for _, c := range columns {
		value := pgtree.ColumnNode(alias, c.Name)
		if c.Withheld {
			value = unknownEstimate(c.Type)
		}
		outputs = append(outputs, pg.MakeResTargetNodeWithNameAndVal(c.Name, value, -1))
	}
	class := pgtree.SystemRelation("pg_class")
	class.GetRangeVar().Alias = &pg.Alias{Aliasname: alias}
	return &pg.SelectStmt{
		TargetList:  outputs,
		FromClause:  []*pg.Node{class},
		LimitOption: pg.LimitOption_LIMIT_OPTION_DEFAULT,
		Op:          pg.SetOperation_SETOP_NONE,
	}
}

// unknownEstimate is what pg_class holds of a relation that was never vacuumed: -1 rows, 0 pages.
func unknownEstimate(typeName string) *pg.Node {
	text := "0"
	if typeName == "float4" {
		text = "-1"
	}
	return pgtree.CastNode(pg.MakeAConstStrNode(text, -1), pgtree.TypeNode([]string{pgtree.SystemSchema, typeName}, nil))
}

// view makes a sub-select of the definition of a view that calls withheld functions, itself or through other views.
func (m *Masks) view(definition string) *pg.SelectStmt {
	tree, err := pg.Parse(definition)
	if err != nil || len(tree.GetStmts()) != 1 {
		return nil
	}
	sel := tree.GetStmts()[0].GetStmt().GetSelectStmt()
	if sel == nil {
		return nil
	}
	masker := newMasker(m)
	for _, rv := range pgtree.RelationsIn(tree.GetStmts()[0]) {
		if rv.GetSchemaname() == "" { // the server prints no schema for its own
			rv.Schemaname = pgtree.SystemSchema
		}
		// pg_class may be read by the caller, as far as its definition goes.
		if rv.GetSchemaname() == pgtree.SystemSchema && rv.GetRelname() != "pg_class" {
			if inner := m.relation(rv.GetRelname()); inner != nil {
				masker.relations[rv] = inner
			}
		}
	}
	qualifyCalls(sel.ProtoReflect())
	masker.walk(sel.ProtoReflect())
	if !masker.replaced {
		return nil
	}
	pgtree.ClearLocations(sel.ProtoReflect())
	return sel
}

// function returns the withheld function that a call means. Analysts make no functions, so that a bare name is the server's.
func (m *Masks) function(call *pg.FuncCall) *WithheldFunction {
	name, ok := pgtree.SystemName(pgtree.Strings(call.GetFuncname()))
	if !ok {
		return nil
	}
	return m.functions[name]
}

// names says whether a word, as the server reads it, concerns the masks. That pg_class does, depends on the columns.
func (m *Masks) names(word string) bool {
	if m == nil {
		return false
	}
	return m.relations[word] != nil && word != "pg_class" || m.functions[word] != nil
}

// rows is a sub-select of what a withheld function in FROM returns: nothing, if it returns any number of rows, else one row of NULLs.
func (f *WithheldFunction) rows(column string, value *pg.Node) *pg.SelectStmt {
	sel := &pg.SelectStmt{LimitOption: pg.LimitOption_LIMIT_OPTION_DEFAULT, Op: pg.SetOperation_SETOP_NONE}
	if len(f.Columns) == 0 {
		sel.TargetList = []*pg.Node{pg.MakeResTargetNodeWithNameAndVal(column, value, -1)}
	}
	for _, c := range f.Columns {
		sel.TargetList = append(sel.TargetList, pg.MakeResTargetNodeWithNameAndVal(c.Name, pgtree.NullOf(c.Type), -1))
	}
	if f.Set {
		sel.WhereClause = &pg.Node{Node: &pg.Node_AConst{AConst: &pg.A_Const{
			Val: &pg.A_Const_Boolval{Boolval: &pg.Boolean{Boolval: false}}, Location: -1,
		}}}
	}
	return sel
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
func (m *Masks) wantsEstimates(message protoreflect.Message) bool {
	for ref := range pgtree.Nodes[*pg.ColumnRef](message) {
		last := ref.GetFields()[len(ref.GetFields())-1]
		if last.GetAStar() != nil || m.estimates[last.GetString_().GetSval()] {
			return true
		}
	}
	return false
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
	if len(fields) < 3 || fields[0].GetString_().GetSval() != pgtree.SystemSchema {
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
