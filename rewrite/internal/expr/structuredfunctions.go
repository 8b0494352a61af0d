package expr

import (
	"fmt"

	"tacit/rewrite/internal/bounds"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/internal/small"
)

// The names of what is written with brackets.
const (
	ElementOf = "ANY" // a constant is among the elements of an array
	Subscript = "[]"
)

// structuredFunctions take jsonb and arrays apart. None of them fails, since no document and no array is written as a text: that of a number in a
// document can be 10,000 times as long as the number. (Operators of json fail: it is read only then.) What is not there is NULL.
func structuredFunctions() []Overload {
	var list overloads
	for _, key := range []string{"text", "int4"} {
		scalar := fmt.Sprintf("(SELECT CASE WHEN pg_catalog.jsonb_typeof(x.v) OPERATOR(pg_catalog.=) ANY ('{string,number,boolean}') THEN %s END FROM (SELECT (%%s OPERATOR(pg_catalog.->) %%s) AS v OFFSET 0) AS x)",
			"(x.v OPERATOR(pg_catalog.#>>) '{}')")
		text := define("->>", "jsonb "+key+" -> text", small.Text(scalar))
		text.Symbol, text.Plain = true, infix("->>", "jsonb "+key+" -> text").SQL
		list.add(text.constants(1).within(guardedText).sparse(), infix("->", "jsonb "+key+" -> jsonb").constants(1).within(unchanged).sparse())
	}
	list.add(infix("?", "jsonb text -> bool").constants(1), simple("jsonb_typeof", "jsonb -> text").within(word))
	for _, element := range []string{"text", "varchar", "int4", "int8"} {
		has := define(ElementOf, element+" _"+element+" -> bool", "(%s OPERATOR(pg_catalog.=) ANY (%s))")
		subscript := define(Subscript, "_"+element+" int4 -> "+element, "((%s)[%s])").within(func([]bounds.Bounds) bounds.Bounds { return bounds.OfType(typeNamed(element)) })
		if pgvalue.IsText(typeNamed(element)) {
			subscript.SQL = small.Text(subscript.SQL)
			subscript = subscript.within(guardedText)
		}
		list.add(has.constants(0).sparse(), subscript.constants(1).sparse(), simple("cardinality", "_"+element+" -> int4").within(natural),
			simple("array_length", "_"+element+" int4 -> int4").constants(1).within(natural).sparse())
	}
	return list
}

func guardedText([]bounds.Bounds) bounds.Bounds { return bounds.Integers(0, bounds.GuardedBytes) }
