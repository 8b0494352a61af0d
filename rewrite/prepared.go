package rewrite

import (
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
)

// execute reads a statement with EXECUTE name(constants), alone or in CREATE TABLE AS or EXPLAIN.
func execute(tree *pg.ParseResult, e *pg.ExecuteStmt) *Execute {
	verdict := &Execute{Name: e.GetName()}
	stmt := tree.GetStmts()[0].GetStmt()
	if v := stmt.GetExplainStmt(); v != nil {
		if verdict.Explain, verdict.Err = readExplain(v); verdict.Err != nil {
			return verdict
		}
		stmt = v.GetQuery()
	}
	if stmt.GetExecuteStmt() != e && stmt.GetCreateTableAsStmt().GetQuery().GetExecuteStmt() != e {
		verdict.Err = executeRefused.With()
		return verdict
	}
	verdict.Nothing = verdict.Explain == nil && pgtree.YieldsNothing(stmt)
	for i, n := range e.GetParams() {
		v, ok := executeArgument(n)
		if !ok {
			verdict.Err = variableArgument.At(pgtree.Location(n), i+1)
			return verdict
		}
		verdict.Args = append(verdict.Args, v)
	}
	if verdict.Explain != nil {
		return verdict // which never runs
	}
	var err error
	if verdict.alone, err = pgtree.Print(tree); err != nil {
		verdict.Err = unprintable.With()
		return verdict
	}
	p := newPrinter()
	p.arrays = make([]Array, 1) // one mark for all further arguments
	e.Params = append(e.Params, pg.MakeAConstStrNode(p.mark(0), -1))
	rest, refusal := p.print(tree)
	if refusal != nil {
		verdict.Err = refusal
		return verdict
	}
	verdict.before, verdict.after = rest.pieces[0], rest.pieces[1]
	return verdict
}

// executeArgument reads a constant, with a sign or a cast.
func executeArgument(n *pg.Node) (pgvalue.Value, bool) {
	noColumns := &source{table: &expr.Table{}, relations: []*relation{{}}}
	r := conditionReader{source: noColumns, params: newParameters(nil)}
	if n.GetColumnRef() != nil || n.GetParamRef() != nil {
		return pgvalue.Value{}, false
	}
	o, refusal := r.operand(n)
	if refusal != nil || !o.IsConstant() || o.Fixed != nil || o.Param > 0 {
		return pgvalue.Value{}, false
	}
	v := pgvalue.Value{Text: o.Literal.Text, Null: o.Literal.Null}
	if o.Literal.OID != pgvalue.Unknown {
		v.TypeOID = o.Literal.OID
	}
	return v, true
}

// WithLiterals is the EXECUTE with the arrays' text as further arguments.
func (e *Execute) WithLiterals(literals []string) string {
	if len(literals) == 0 { // as of a statement without rows
		return e.alone
	}
	args := make([]string, len(literals))
	for i, l := range literals {
		args[i] = pgvalue.QuoteConstant(l)
	}
	return e.before + strings.Join(args, ", ") + e.after
}

// declaredTypes are the types of PREPARE name(types). A type that is none of ours counts as one that nothing compares with.
func declaredTypes(p *pg.PrepareStmt) []uint32 {
	oids := make([]uint32, len(p.GetArgtypes()))
	for i, n := range p.GetArgtypes() {
		t := n.GetTypeName()
		names := pgtree.Strings(t.GetNames())
		if name := names[len(names)-1]; name == "unknown" && len(t.GetArrayBounds()) == 0 {
			continue
		}
		plain := &pg.TypeName{Names: t.GetNames(), ArrayBounds: t.GetArrayBounds(), Setof: t.GetSetof(), PctType: t.GetPctType()}
		oid, array, refusal := pgvalue.CastType(plain)
		switch {
		case refusal != nil:
			oids[i] = pgvalue.Any
		case array:
			element, _ := pgvalue.BuiltinType(oid)
			oids[i] = element.Array
		default:
			oids[i] = oid
		}
	}
	return oids
}

// declareTypes writes out the types of all parameters: those given, those inferred, and the arrays'.
func declareTypes(p *pg.PrepareStmt, oids []uint32, arrays []Array) {
	for i := len(p.Argtypes); i < len(oids); i++ {
		p.Argtypes = append(p.Argtypes, typeNameNode(oids[i]))
	}
	for i, n := range p.Argtypes {
		names := pgtree.Strings(n.GetTypeName().GetNames())
		if i < len(oids) && names[len(names)-1] == "unknown" && oids[i] != pgvalue.Unspecified {
			p.Argtypes[i] = typeNameNode(oids[i])
		}
	}
	for _, a := range arrays {
		p.Argtypes = append(p.Argtypes, &pg.Node{Node: &pg.Node_TypeName{TypeName: a.typeNode()}})
	}
}

func typeNameNode(oid pgvalue.OID) *pg.Node {
	name := []string{"unknown"}
	b, ok := pgvalue.BuiltinType(oid)
	var bounds []*pg.Node
	if !ok {
		if b, ok = pgvalue.ElementType(oid); ok {
			bounds = []*pg.Node{pg.MakeIntNode(-1)}
		}
	}
	switch {
	case ok && b.OID == pgvalue.Bpchar:
		name = []string{"bpchar"} // the printer takes pg_catalog.bpchar for char(1)
	case ok:
		name = []string{"pg_catalog", b.Name}
	}
	t := pgtree.TypeNode(name, nil)
	t.ArrayBounds = bounds
	return &pg.Node{Node: &pg.Node_TypeName{TypeName: t}}
}
