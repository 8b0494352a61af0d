package rewrite

import (
	"fmt"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// findExecute finds an EXECUTE, which also stands in CREATE TABLE AS and EXPLAIN.
func findExecute(m protoreflect.Message) (found *pg.ExecuteStmt) {
	if v, ok := m.Interface().(*pg.ExecuteStmt); ok {
		return v
	}
	children(m, func(child protoreflect.Message) bool {
		found = findExecute(child)
		return found == nil
	})
	return found
}

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
		verdict.Err = notSupported("EXECUTE of a prepared statement about a protected table is not supported here", "Send EXECUTE alone.")
		return verdict
	}
	verdict.Nothing = verdict.Explain == nil && yieldsNothing(stmt)
	for i, n := range e.GetParams() {
		v, ok := argument(n)
		if !ok {
			verdict.Err = at(location(n), notSupported(
				fmt.Sprintf("argument %d of EXECUTE of a prepared statement about a protected table is not a constant", i+1), "Write the value itself."))
			return verdict
		}
		verdict.Args = append(verdict.Args, v)
	}
	if verdict.Explain != nil {
		return verdict // which never runs
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

// argument reads a constant, with a sign or a cast.
func argument(n *pg.Node) (Value, bool) {
	r := conditionReader{source: &source{table: &Table{}}, params: newParameters(nil)}
	if n.GetColumnRef() != nil || n.GetParamRef() != nil {
		return Value{}, false
	}
	o, refusal := r.operand(n)
	if refusal != nil || o.column != nil || o.param > 0 {
		return Value{}, false
	}
	v := Value{Text: o.literal.text, Null: o.literal.null}
	if o.literal.oid != oidUnknown {
		v.TypeOID = o.literal.oid
	}
	return v, true
}

// assign converts the argument of an EXECUTE to the parameter's type as an assignment does (EvaluateParams in prepare.c). Of the
// conversions that PostgreSQL has, those are left out that depend on settings, and those of binary floating point.
func assign(n int, v Value, to typeOID) (Value, *Refusal) {
	from := v.TypeOID
	if from == oidUnspecified || from == to {
		return Value{Text: v.Text, Null: v.Null}, nil
	}
	if !assignable(from, to) {
		return Value{}, &Refusal{
			Code:    codeNotSupported,
			Message: fmt.Sprintf("argument %d of EXECUTE is of type %s, and the parameter of type %s", n, shownType(from), shownType(to)),
			Hint:    "Write the value as a quoted string, which is read as the parameter's type.",
		}
	}
	if v.Null {
		return Value{Null: true}, nil
	}
	d, refusal := readDatum(from, v.Text)
	if refusal != nil {
		return Value{}, refusal
	}
	return assignDatum(d, to)
}

func assignable(from, to typeOID) bool {
	switch {
	case from == oidBool, IsInteger(from) && familyOf(to) != numbers, isText(from):
		return isText(to)
	case from == oidNumeric && IsInteger(to):
		return true
	}
	return convertible(from, to)
}

func assignDatum(d datum, to typeOID) (Value, *Refusal) {
	switch {
	case d.oid == oidBool:
		return Value{Text: map[string]string{"t": "true", "f": "false"}[d.text]}, nil
	case isText(to):
		return Value{Text: d.text}, nil
	case d.oid == oidNumeric && IsInteger(to):
		if d.number == nil {
			return Value{}, &Refusal{Code: codeNotSupported, Message: "cannot convert NaN to " + shownType(to)}
		}
		d = datum{oid: oidNumeric, text: d.number.FloatString(0)} // rounds halves away from zero, as numeric does
	}
	converted, refusal := literal{oid: d.oid, text: d.text}.read(to)
	return Value{Text: converted.text}, refusal
}

// WithLiterals is the EXECUTE with the arrays' text as further arguments.
func (e *Execute) WithLiterals(literals []string) string {
	args := make([]string, len(literals))
	for i, l := range literals {
		args[i] = quoteConstant(l)
	}
	return e.before + strings.Join(args, ", ") + e.after
}

// declaredTypes are the types of PREPARE name(types). A type that is none of ours counts as one that nothing compares with.
func declaredTypes(p *pg.PrepareStmt) []uint32 {
	oids := make([]uint32, len(p.GetArgtypes()))
	for i, n := range p.GetArgtypes() {
		t := n.GetTypeName()
		names := stringsOf(t.GetNames())
		if name := names[len(names)-1]; name == "unknown" && len(t.GetArrayBounds()) == 0 {
			continue
		}
		plain := &pg.TypeName{Names: t.GetNames(), ArrayBounds: t.GetArrayBounds(), Setof: t.GetSetof(), PctType: t.GetPctType()}
		oid, array, refusal := castType(plain)
		switch {
		case refusal != nil:
			oids[i] = oidAny
		case array:
			element, _ := builtinType(oid)
			oids[i] = element.array
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
		names := stringsOf(n.GetTypeName().GetNames())
		if i < len(oids) && names[len(names)-1] == "unknown" && oids[i] != oidUnspecified {
			p.Argtypes[i] = typeNameNode(oids[i])
		}
	}
	for _, a := range arrays {
		p.Argtypes = append(p.Argtypes, &pg.Node{Node: &pg.Node_TypeName{TypeName: a.typeNode()}})
	}
}

func typeNameNode(oid typeOID) *pg.Node {
	name := []string{"unknown"}
	b, ok := builtinType(oid)
	var bounds []*pg.Node
	if !ok {
		if b, ok = elementType(oid); ok {
			bounds = []*pg.Node{pg.MakeIntNode(-1)}
		}
	}
	switch {
	case ok && b.oid == oidBpchar:
		name = []string{"bpchar"} // the printer takes pg_catalog.bpchar for char(1)
	case ok:
		name = []string{"pg_catalog", b.name}
	}
	t := typeNode(name, nil)
	t.ArrayBounds = bounds
	return &pg.Node{Node: &pg.Node_TypeName{TypeName: t}}
}
