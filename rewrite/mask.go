package rewrite

import (
	"slices"
	"strings"
	"sync"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
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

const systemSchema = "pg_catalog"

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
		FromClause:  []*pg.Node{subselect(proto.Clone(sel).(*pg.SelectStmt), &pg.Alias{Aliasname: name}, false)},
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
		value := columnNode(alias, c.Name)
		if c.Withheld {
			value = unknownEstimate(c.Type)
		}
		outputs = append(outputs, pg.MakeResTargetNodeWithNameAndVal(c.Name, value, -1))
	}
	class := systemRelation("pg_class")
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
	return castNode(pg.MakeAConstStrNode(text, -1), typeNode([]string{systemSchema, typeName}, nil))
}

func systemRelation(name string) *pg.Node {
	return &pg.Node{Node: &pg.Node_RangeVar{RangeVar: &pg.RangeVar{
		Schemaname: systemSchema, Relname: name, Inh: true, Relpersistence: "p", Location: -1,
	}}}
}

func subselect(sel *pg.SelectStmt, alias *pg.Alias, lateral bool) *pg.Node {
	return &pg.Node{Node: &pg.Node_RangeSubselect{RangeSubselect: &pg.RangeSubselect{
		Lateral:  lateral,
		Subquery: &pg.Node{Node: &pg.Node_SelectStmt{SelectStmt: sel}},
		Alias:    alias,
	}}}
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
	reader := newMentionReader(&Session{Catalog: &Catalog{}})
	reader.statement(tree.GetStmts()[0])
	masker := newMasker(m)
	for _, rv := range reader.relations {
		if rv.GetSchemaname() == "" { // the server prints no schema for its own
			rv.Schemaname = systemSchema
		}
		// pg_class may be read by the caller, as far as its definition goes.
		if rv.GetSchemaname() == systemSchema && rv.GetRelname() != "pg_class" {
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
	clearLocations(sel.ProtoReflect())
	return sel
}

// function returns the withheld function that a call means. Analysts make no functions, so that a bare name is the server's.
func (m *Masks) function(call *pg.FuncCall) *WithheldFunction {
	name, ok := systemName(stringsOf(call.GetFuncname()))
	if !ok {
		return nil
	}
	return m.functions[name]
}

// systemName is the last part of a name that may be one of pg_catalog.
func systemName(names []string) (name string, ok bool) {
	switch {
	case len(names) == 1:
		return names[0], true
	case len(names) == 2 && names[0] == systemSchema:
		return names[1], true
	}
	return "", false
}

// names says whether a word, as the server reads it, concerns the masks. That pg_class does, depends on the columns.
func (m *Masks) names(word string) bool {
	if m == nil {
		return false
	}
	return m.relations[word] != nil && word != "pg_class" || m.functions[word] != nil
}

// nullOf is NULL of a type of pg_catalog.
func nullOf(typeName string) *pg.Node {
	null := &pg.Node{Node: &pg.Node_AConst{AConst: &pg.A_Const{Isnull: true, Location: -1}}}
	return castNode(null, typeNode([]string{systemSchema, typeName}, nil))
}

// rows is a sub-select of what a withheld function in FROM returns: nothing, if it returns any number of rows, else one row of NULLs.
func (f *WithheldFunction) rows(column string, value *pg.Node) *pg.SelectStmt {
	sel := &pg.SelectStmt{LimitOption: pg.LimitOption_LIMIT_OPTION_DEFAULT, Op: pg.SetOperation_SETOP_NONE}
	if len(f.Columns) == 0 {
		sel.TargetList = []*pg.Node{pg.MakeResTargetNodeWithNameAndVal(column, value, -1)}
	}
	for _, c := range f.Columns {
		sel.TargetList = append(sel.TargetList, pg.MakeResTargetNodeWithNameAndVal(c.Name, nullOf(c.Type), -1))
	}
	if f.Set {
		sel.WhereClause = &pg.Node{Node: &pg.Node_AConst{AConst: &pg.A_Const{
			Val: &pg.A_Const_Boolval{Boolval: &pg.Boolean{Boolval: false}}, Location: -1,
		}}}
	}
	return sel
}
