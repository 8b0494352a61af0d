package rewrite

import (
	"fmt"
	"strings"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// Constants is a statement for the analyst's own session that evaluates the expressions without columns that stand in protected
// sub-selects, given the values of the statement's parameters. It yields one row of texts, whose values Bind wants, or none if they are larger
// than MaxConstants. It is empty if there are no such expressions. Every name in it is qualified.
func (a *Answer) Constants(params []pgvalue.Value) (sql string, args []pgvalue.Value) {
	if !a.HasConstants() {
		return "", nil
	}
	w := &constantWriter{types: a.ParamOIDs, params: params}
	outputs := make([]string, 0, len(a.fixed)+len(a.serverChecks))
	for _, f := range a.fixed {
		outputs = append(outputs, fmt.Sprintf("pg_catalog.to_jsonb(%s) OPERATOR(pg_catalog.#>>) '{}'", w.call(f.Call)))
	}
	for _, c := range a.serverChecks {
		outputs = append(outputs, fmt.Sprintf("("+c.Function.ServerCheck+")::pg_catalog.text", w.operand(c.Args[c.Function.ServerChecked], pgvalue.Text)))
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

// HasConstants says whether Constants asks anything.
func (a *Answer) HasConstants() bool { return len(a.fixed)+len(a.serverChecks) > 0 }

// MaxConstants is the most bytes that the constants of a statement may come to.
const MaxConstants = expr.MaxOwnBytes + 1<<14

// RefuseConstants refuses a statement whose constants are larger.
func RefuseConstants() *pgerror.Refusal {
	return expr.RefuseTooLarge(fmt.Sprintf("the constants that this statement about a protected table computes come to more than %d bytes", MaxConstants))
}

// A constantWriter prints expressions without columns.
type constantWriter struct {
	types  []uint32
	params []pgvalue.Value
	args   []pgvalue.Value
}

func (w *constantWriter) call(c *expr.Call) string {
	args := make([]any, len(c.Args))
	for i, o := range c.Args {
		args[i] = w.operand(o, c.Function.Args[i])
	}
	sql := c.Function.Plain
	if sql == "" {
		sql = c.Function.SQL
	}
	return fmt.Sprintf(sql, args...)
}

func (w *constantWriter) operand(o expr.Operand, as pgvalue.OID) string {
	switch {
	case o.Fixed != nil:
		return "(" + w.call(o.Fixed.Call) + ")::" + pgvalue.TypeName(as)
	case o.Param > 0:
		return w.parameter(o, as)
	}
	from := o.Literal.OID
	if from == pgvalue.Unknown {
		from = as
	}
	return w.arg(pgvalue.Value{Text: o.Literal.Text, Null: o.Literal.Null}, from) + "::" + pgvalue.TypeName(as)
}

func (w *constantWriter) parameter(o expr.Operand, as pgvalue.OID) string {
	var v pgvalue.Value
	var oid pgvalue.OID
	if o.Param <= len(w.params) {
		v = w.params[o.Param-1]
	}
	if o.Param <= len(w.types) {
		oid = w.types[o.Param-1]
	}
	if _, ok := pgvalue.BuiltinType(oid); !ok {
		oid = pgvalue.Text
	}
	text := w.arg(v, oid)
	if o.Cast != 0 {
		text += "::" + pgvalue.TypeName(o.Cast)
	}
	return text + "::" + pgvalue.TypeName(as)
}

func (w *constantWriter) arg(v pgvalue.Value, oid pgvalue.OID) string {
	w.args = append(w.args, v)
	return fmt.Sprintf("$%d::%s", len(w.args), pgvalue.TypeName(oid))
}
