package mask

import (
	"slices"
	"strings"
	"sync"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/rewrite/internal/pgtree"
)

// Withheld is what the server withholds from analysts of its own catalog although other roles may see it: what counts and measures
// relations. Tools ask for it beside things that analysts may see, and would get nothing but an error.
type Withheld struct {
	Functions []Function
	// Columns are those of pg_class, in their order; none if all of them may be read.
	Columns []Column
	// Views of pg_catalog by name, with their definitions in this version of the server, none of them recursive. Those that call
	// none of Functions are of no concern.
	Views map[string]string
	// Standard are the views of information_schema in the same form. Those that ask for no privilege on a table are of no concern.
	Standard map[string]string
	// Protected are shown as tables of which the listed columns may be selected.
	Protected []Table
}

// A Function is a function of pg_catalog that analysts may not call.
type Function struct {
	Name string
	// Type is the name of the result's type in pg_catalog.
	Type string
	// Argument is the name of the first argument's type, "" if there is none.
	Argument string
	// Set says that it returns any number of rows.
	Set bool
	// Columns are those of its rows, if it returns rows of several.
	Columns []Column
}

// A Column is a column of a system relation.
type Column struct {
	Name string
	Type string // in pg_catalog
	// Withheld says that analysts may not read it.
	Withheld bool
}

// Masks are what stands in a statement for parts of the catalog. They only name what analysts may see, and statements
// with them run in the analyst's own session: they make nothing readable. A Masks never changes.
type Masks struct {
	functions map[string]*Function
	// privileges are expressions for calls of the functions that tell privileges on tables.
	privileges map[privilegeCall]*pg.Node
	// relations for which there may be a sub-select: of pg_catalog by name, of information_schema by qualified name.
	relations map[string]*maskedRelation
	// class are the columns of pg_class that are replaced.
	class map[string]*pg.Node
}

// A maskedRelation makes its sub-select when a statement names it first: few of a server's views are ever asked for.
type maskedRelation struct {
	definition string // of a view
	standard   bool   // of information_schema
	once       sync.Once
	sel        *pg.SelectStmt // nil if there is none after all
}

// New returns nil if nothing is withheld.
func New(w *Withheld) *Masks {
	m := &Masks{
		functions: make(map[string]*Function),
		relations: make(map[string]*maskedRelation),
		class:     make(map[string]*pg.Node),
	}
	var withheld []string
	for i := range w.Functions {
		m.functions[w.Functions[i].Name] = &w.Functions[i]
		withheld = append(withheld, w.Functions[i].Name)
	}
	for _, c := range w.Columns {
		if c.Withheld {
			m.class[c.Name] = unknownEstimate(c.Type)
		}
	}
	m.addViews(w.Views, "", withheld)
	if len(w.Protected) > 0 {
		m.privileges = privilegeMasks(w.Protected)
		m.class["relacl"] = privilegeList(w.Protected)
		m.addViews(w.Standard, standardSchema+".", []string{"has_table_privilege", "has_column_privilege", "has_any_column_privilege", "relacl"})
	}
	if len(m.functions) == 0 && len(m.class) == 0 {
		return nil
	}
	if len(m.class) > 0 {
		class := &maskedRelation{}
		class.once.Do(func() { class.sel = printable("pg_class", m.maskedClass(w.Columns)) })
		m.relations["pg_class"] = class
	}
	return m
}

// addViews adds the views that mention one of the words, and the views of such views.
func (m *Masks) addViews(views map[string]string, prefix string, words []string) {
	for len(words) > 0 {
		var added []string
		for name, definition := range views {
			name = prefix + name
			if m.relations[name] == nil && containsAny(definition, words) {
				m.relations[name] = &maskedRelation{definition: definition, standard: prefix != ""}
				added = append(added, name)
			}
		}
		words = added // no view that is left mentions the others
	}
}

func containsAny(s string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// relation is the sub-select that stands for a relation, nil for none.
func (m *Masks) relation(name string) *pg.SelectStmt {
	r := m.relations[name]
	if r == nil {
		return nil
	}
	r.once.Do(func() { r.sel = printable("v", m.view(r)) })
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
	tree := &pg.ParseResult{Version: parserVersion(), Stmts: []*pg.RawStmt{{Stmt: &pg.Node{Node: &pg.Node_SelectStmt{SelectStmt: all}}}}}
	if _, err := pgtree.Print(tree); err != nil {
		return nil
	}
	return sel
}

// parserVersion is what the parser writes into its trees.
var parserVersion = sync.OnceValue(func() int32 {
	tree, err := pg.Parse("SELECT")
	if err != nil {
		panic("mask: internal error: " + err.Error())
	}
	return tree.GetVersion()
})

// classAlias is the name of pg_class in what is put in its place.
const classAlias = "c"

// maskedClass is pg_class with other values in the columns that are replaced.
func (m *Masks) maskedClass(columns []Column) *pg.SelectStmt {
	var outputs []*pg.Node
	for _, c := range columns {
		value := m.class[c.Name]
		if value == nil {
			value = pgtree.ColumnNode(classAlias, c.Name)
		}
		outputs = append(outputs, pg.MakeResTargetNodeWithNameAndVal(c.Name, value, -1))
	}
	class := pgtree.SystemRelation("pg_class")
	class.GetRangeVar().Alias = &pg.Alias{Aliasname: classAlias}
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

// view makes a sub-select of the definition of a view that calls masked functions or reads masked columns, itself or through other views.
func (m *Masks) view(r *maskedRelation) *pg.SelectStmt {
	tree, err := pg.Parse(r.definition)
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
		if r.standard && rv.GetRelname() == "pg_authid" { // which analysts may not read
			hideAuthid(rv)
		}
		// pg_class may be read by the caller, as far as the definition of a view of pg_catalog goes.
		if rv.GetRelname() == "pg_class" && !(r.standard && m.wantsClass(tree.GetStmts()[0].ProtoReflect())) {
			continue
		}
		if inner := m.relation(relationKey(rv)); inner != nil {
			masker.relations[rv] = inner
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
func (m *Masks) function(call *pg.FuncCall) *Function {
	name, ok := pgtree.SystemName(pgtree.Strings(call.GetFuncname()))
	if !ok {
		return nil
	}
	return m.functions[name]
}

// Mentions says whether a word, as the server reads it, concerns the masks. That pg_class does, depends on the columns.
func (m *Masks) Mentions(word string) bool {
	if m == nil {
		return false
	}
	return m.relations[word] != nil && word != "pg_class" || m.functions[word] != nil ||
		m.privileges != nil && (word == standardSchema || isPrivilegeFunction(word))
}

// rows is a sub-select of what a withheld function in FROM returns: nothing, if it returns any number of rows, else one row of NULLs.
func (f *Function) rows(column string, value *pg.Node) *pg.SelectStmt {
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

// MasksColumn says whether a word names a column of pg_class that is replaced.
func (m *Masks) MasksColumn(word string) bool { return m != nil && m.class[word] != nil }

// MasksClass says whether pg_class is replaced in statements that may read such a column.
func (m *Masks) MasksClass() bool { return m != nil && m.relations["pg_class"] != nil }

// wantsClass says whether a statement may read a column of pg_class that is replaced: by its name, or by a star.
func (m *Masks) wantsClass(message protoreflect.Message) bool {
	for ref := range pgtree.Nodes[*pg.ColumnRef](message) {
		last := ref.GetFields()[len(ref.GetFields())-1]
		if last.GetAStar() != nil || m.class[last.GetString_().GetSval()] != nil {
			return true
		}
	}
	return false
}
