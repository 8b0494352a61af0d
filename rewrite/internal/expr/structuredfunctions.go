package expr

import (
	"tacit/rewrite/internal/bounds"
	"tacit/rewrite/internal/pgvalue"
)

// The names of what is written with brackets.
const (
	ElementOf = "ANY" // a constant is among the elements of an array
	Subscript = "[]"
)

// structuredFunctions take jsonb and arrays apart. None of them fails: what is not there is NULL. (Those of json do: it is read only then.)
// A part is no longer than the whole as it is written.
func structuredFunctions() []Overload {
	var list overloads
	for _, key := range []string{"text", "int4"} {
		list.add(
			infix("->>", "jsonb "+key+" -> text").constants(1).within(unchanged).sparse(),
			infix("->", "jsonb "+key+" -> jsonb").constants(1).within(unchanged).sparse(),
		)
	}
	list.add(infix("?", "jsonb text -> bool").constants(1), simple("jsonb_typeof", "jsonb -> text").within(word))
	for _, element := range []string{"text", "varchar", "int4", "int8"} {
		has := define(ElementOf, element+" _"+element+" -> bool", "(%s OPERATOR(pg_catalog.=) ANY (%s))")
		subscript := define(Subscript, "_"+element+" int4 -> "+element, "((%s)[%s])")
		list.add(has.constants(0).sparse(), subscript.constants(1).within(elementsOf(typeNamed(element))).sparse(), simple("cardinality", "_"+element+" -> int4").within(natural),
			simple("array_length", "_"+element+" int4 -> int4").constants(1).within(natural).sparse())
	}
	return list
}

// elementsOf are the elements of an array of a type.
func elementsOf(oid pgvalue.OID) func([]bounds.Bounds) bounds.Bounds {
	if pgvalue.IsText(oid) {
		return unchanged
	}
	return func([]bounds.Bounds) bounds.Bounds { return bounds.OfType(oid) }
}
