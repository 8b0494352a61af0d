package rewrite

import (
	"fmt"
	"strings"
)

// A fixed is an expression without columns: current_date - 30, or lower($1). The analyst's own session evaluates it before the
// question is asked, with her time zone and clock; to the question it is a constant like any other.
type fixed struct {
	call  *call
	index int // among those of the statement
}

// A probe has the analyst's session look at a constant that PostgreSQL would look at only when it reaches a row: a regular
// expression, the name of a time zone.
type probe struct {
	function *overload
	constant operand
}

func (p *parameters) addFixed(c *call) operand {
	f := &fixed{c, len(p.fixed)}
	p.fixed = append(p.fixed, f)
	return operand{fixed: f, loc: c.loc}
}

func (p *parameters) addProbe(f *overload, constant operand) {
	p.probes = append(p.probes, probe{f, constant})
}

// Constants is a statement for the analyst's own session that evaluates the expressions without columns that stand in protected
// sub-selects, given the values of the statement's parameters. It yields one row of texts, whose values Bind wants, or none if they are larger
// than MaxConstants. It is empty if there are no such expressions. Every name in it is qualified.
func (a *Answer) Constants(params []Value) (sql string, args []Value) {
	if len(a.fixed)+len(a.probes) == 0 {
		return "", nil
	}
	w := &constantWriter{types: a.ParamOIDs, params: params}
	outputs := make([]string, 0, len(a.fixed)+len(a.probes))
	for _, f := range a.fixed {
		outputs = append(outputs, fmt.Sprintf("pg_catalog.to_jsonb(%s) OPERATOR(pg_catalog.#>>) '{}'", w.call(f.call)))
	}
	for _, p := range a.probes {
		outputs = append(outputs, fmt.Sprintf("("+p.function.probe+")::pg_catalog.text", w.operand(p.constant, p.function.probedAs)))
	}
	names, lengths := make([]string, len(outputs)), make([]string, len(outputs))
	for i := range outputs {
		names[i] = fmt.Sprintf("c%d", i+1)
		outputs[i] += " AS " + names[i]
		lengths[i] = "coalesce(pg_catalog.octet_length(f." + names[i] + "), 0)::pg_catalog.int8"
	}
	return fmt.Sprintf("SELECT f.* FROM (SELECT %s OFFSET 0) AS f WHERE %s OPERATOR(pg_catalog.<=) %d",
		strings.Join(outputs, ", "), strings.Join(lengths, " OPERATOR(pg_catalog.+) "), MaxConstants), w.args
}

// MaxConstants is the most bytes that the constants of a statement may come to.
const MaxConstants = maxOwnBytes + 1<<14

// RefuseConstants refuses a statement whose constants are larger.
func RefuseConstants() *Refusal {
	return refuseTooLarge(fmt.Sprintf("the constants that this statement about a protected table computes come to more than %d bytes", MaxConstants))
}

// A constantWriter prints expressions without columns.
type constantWriter struct {
	types  []uint32
	params []Value
	args   []Value
}

func (w *constantWriter) call(c *call) string {
	args := make([]any, len(c.args))
	for i, o := range c.args {
		args[i] = w.operand(o, c.function.args[i])
	}
	sql := c.function.plain
	if sql == "" {
		sql = c.function.sql
	}
	return fmt.Sprintf(sql, args...)
}

func (w *constantWriter) operand(o operand, as typeOID) string {
	switch {
	case o.fixed != nil:
		return "(" + w.call(o.fixed.call) + ")::" + typeName(as)
	case o.param > 0:
		return w.parameter(o, as)
	}
	from := o.literal.oid
	if from == oidUnknown {
		from = as
	}
	return w.arg(Value{Text: o.literal.text, Null: o.literal.null}, from) + "::" + typeName(as)
}

func (w *constantWriter) parameter(o operand, as typeOID) string {
	var v Value
	var oid typeOID
	if o.param <= len(w.params) {
		v = w.params[o.param-1]
	}
	if o.param <= len(w.types) {
		oid = w.types[o.param-1]
	}
	if _, ok := builtinType(oid); !ok {
		oid = oidText
	}
	text := w.arg(v, oid)
	if o.cast != 0 {
		text += "::" + typeName(o.cast)
	}
	return text + "::" + typeName(as)
}

func (w *constantWriter) arg(v Value, oid typeOID) string {
	w.args = append(w.args, v)
	return fmt.Sprintf("$%d::%s", len(w.args), typeName(oid))
}
