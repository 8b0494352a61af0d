package rewrite

import (
	"fmt"
	"slices"
	"strings"
)

// An expression is a value of one row: a column, or what is computed of columns, constants and parameters by functions from the
// list in functionlist.go. Nothing in it can fail on a row, and it has no effect but its value.
type expression interface {
	typeOf() typeOID
	// bind returns the column, stored or computed, that the expression is with the values of parameters. What cannot be is
	// refused through the binding.
	bind(b *binding) *Column
}

func (c *Column) typeOf() typeOID         { return c.TypeOID }
func (c *Column) bind(_ *binding) *Column { return c }

// A computation is how a column is computed that is not stored.
type computation struct {
	// inputs are the stored columns that the value depends on, each once.
	inputs []*Column
	// write prints the computation for the curator.
	write func(w *sqlWriter, g guard) string
	// wide are the bounds of the value, narrow those if the inputs are within their declared domains.
	wide, narrow bounds
	// open says that bounds cannot be told before the values of parameters are.
	open bool
	// void says that the value is NULL in every row, whatever the bounds.
	void bool
	// floored says of which stored time it tells the beginning; nil if of none.
	floored *flooring
}

// join makes the bounds those of any of the values that the column may have.
func (c *computation) join(values []argument) {
	c.void = true
	for _, a := range values {
		switch {
		case a.isVoid():
			continue
		case a.isOpen():
			c.open = true
		default:
			wide, narrow := a.bounds()
			c.wide, c.narrow = c.wide.union(wide, c.void), c.narrow.union(narrow, c.void)
		}
		c.void = false
	}
}

// isOpen reports whether nothing can be proved of an argument yet.
func (a argument) isOpen() bool {
	return a.untold || a.column != nil && a.column.computation != nil && a.column.computation.open
}

// isVoid reports whether an argument is NULL in every row. A function of it is, too: all in the list are strict.
func (a argument) isVoid() bool {
	return a.null || a.column != nil && a.column.computation != nil && a.column.computation.void
}

// Stored reports whether the column is one of the table's, and not computed.
func (c *Column) Stored() bool { return c.computation == nil }

// Inputs are the stored columns that the column is computed of; the column itself if it is stored.
func (c *Column) Inputs() []*Column {
	if c.computation == nil {
		return []*Column{c}
	}
	return c.computation.inputs
}

// Origins are the stored columns of protected tables that decide the column's value: its inputs, and for one of a public table those along
// which its row is found.
func (c *Column) Origins() []*Column {
	var origins []*Column
	for _, input := range c.Inputs() {
		if !input.public() {
			origins = append(origins, input)
			continue
		}
		for _, pair := range input.joined.on {
			origins = append(origins, pair.outer.Origins()...)
		}
	}
	return origins
}

// Text is the column's canonical text: its name, or the expression.
func (c *Column) Text() string {
	switch {
	case c.computation != nil:
		return c.Name
	case c.joined != nil:
		return c.joined.text + "." + quoteIdentifier(c.Name)
	}
	return quoteIdentifier(c.Name)
}

// column binds an expression, once: within each other, the same ones are met many times.
func (b *binding) column(e expression) *Column {
	if c, ok := e.(*Column); ok {
		return c
	}
	if known := b.columns[e]; known != nil {
		return known
	}
	c := e.bind(b)
	if b.columns == nil {
		b.columns = make(map[expression]*Column)
	}
	b.columns[e] = c
	return c
}

// maxComputedBytes bounds the text of an expression, which can be exponentially longer than what was written: a condition stands in it
// twice, for where it is true and for where it is false.
const maxComputedBytes = 1 << 16

// A computedName tells the computed columns of a statement apart.
type computedName struct {
	text string
	oid  typeOID
}

// computedColumn returns the column of a computation; one text of one type is one column within a statement.
func (b *binding) computedColumn(text string, oid typeOID, c computation) *Column {
	if len(text) > maxComputedBytes {
		b.fail(-1, refuseTooLarge(fmt.Sprintf("an expression over a protected table comes to more than %d bytes", maxComputedBytes)))
		return noColumn
	}
	name := computedName{text, oid}
	if known := b.computed[name]; known != nil {
		return known
	}
	t, _ := builtinType(oid)
	column := &Column{Name: text, TypeOID: oid, TypeName: "pg_catalog." + t.name, Typmod: -1, Formatted: t.shown, computation: &c}
	if b.computed == nil {
		b.computed = make(map[computedName]*Column)
	}
	b.computed[name] = column
	return column
}

// mergeInputs lists the stored columns of several columns, each once.
func mergeInputs(columns ...*Column) []*Column {
	var inputs []*Column
	for _, c := range columns {
		if c == nil {
			continue
		}
		for _, input := range c.Inputs() {
			if !slices.Contains(inputs, input) {
				inputs = append(inputs, input)
			}
		}
	}
	return inputs
}

// A call is a function, an operator or a cast applied to at least one value that is computed of columns.
type call struct {
	function *overload
	args     []operand
	loc      int32
}

func (c *call) typeOf() typeOID { return c.function.result }

// An argument of a call with the values of parameters: a column, or a constant.
type argument struct {
	column   *Column
	constant datum
	null     bool
	untold   bool // a parameter whose value is not known yet
	oid      typeOID
}

func (b *binding) argument(o operand, as typeOID) argument {
	a := argument{oid: as}
	switch {
	case o.row != nil:
		a.column = b.column(o.row)
	case b.untold && (o.param > 0 || o.fixed != nil):
		a.untold = true
	default:
		var ok bool
		a.constant, ok = b.value(o, as)
		a.null = !ok
	}
	return a
}

// callAtoms is what a call counts for among the atoms of a statement (maxAtoms): it takes longer than a comparison does, and on some values
// longer than on others.
const callAtoms = 20

func (c *call) bind(b *binding) *Column {
	if !b.grow(callAtoms) {
		return noColumn
	}
	args := make([]argument, len(c.args))
	columns := make([]*Column, len(c.args))
	for i, o := range c.args {
		args[i] = b.argument(o, c.function.args[i])
		columns[i] = args[i].column
		if b.refusal != nil {
			return noColumn
		}
	}
	if refusal := c.function.verify(args); refusal != nil {
		b.fail(c.loc, refusal)
		return noColumn
	}
	value := computation{inputs: mergeInputs(columns...), floored: c.flooring(args)}
	declared, refusal := c.function.prove(args, &value)
	if refusal != nil {
		b.fail(c.loc, refusal)
		return noColumn
	}
	value.write = func(w *sqlWriter, g guard) string {
		if declared {
			g = withinDomains
		}
		return c.function.write(w, args, max(g, withinGuards))
	}
	return b.computedColumn(c.function.text(args), c.function.result, value)
}

// noColumn stands for a column that could not be bound.
var noColumn = &Column{Name: "NULL", TypeOID: oidText, TypeName: "pg_catalog.text", Typmod: -1}

// write prints an argument for the curator.
func (a argument) write(w *sqlWriter, g guard) string {
	switch {
	case a.column == nil && (a.null || a.untold):
		return "NULL::" + typeName(a.oid)
	case a.column == nil:
		return w.arg(a.constant.text, typeName(a.oid))
	case a.column.computation != nil:
		return "(" + w.computed(a.column, g) + ")::" + typeName(a.oid)
	}
	return w.guarded(a.column, g) + "::" + typeName(a.oid)
}

// text prints an argument for people and for the identity of a question.
func (a argument) text() string {
	switch {
	case a.column != nil:
		return a.column.Text()
	case a.null || a.untold:
		return "NULL"
	}
	return datumText(&Column{TypeOID: a.oid}, a.constant)
}

// typedText prints one of the values that an expression may have so that numeric does not look like an integer, of which the type of
// the expression, and how it is divided, could not be told.
func (a argument) typedText() string {
	text := a.text()
	if a.column == nil && a.oid == oidNumeric && strings.Trim(text, "-0123456789") == "" {
		text += ".0"
	}
	return text
}

// A conditional is CASE. COALESCE, NULLIF, GREATEST and LEAST are printed through it, too.
type conditional struct {
	oid       typeOID
	branches  []branch
	otherwise operand
}

type branch struct {
	when predicate
	then operand
}

func (c *conditional) typeOf() typeOID { return c.oid }

func (c *conditional) bind(b *binding) *Column {
	var conditions []formula
	var values []argument
	var columns []*Column
	for _, br := range c.branches {
		if !b.grow(1) {
			return noColumn
		}
		f := b.formula(br.when)
		conditions = append(conditions, f)
		columns = append(columns, columnsOf(f)...)
		values = append(values, b.argument(br.then, c.oid))
	}
	values = append(values, b.argument(c.otherwise, c.oid))
	for _, v := range values {
		columns = append(columns, v.column)
	}
	value := computation{inputs: mergeInputs(columns...)}
	value.join(values)
	if len(conditions) == 0 { // a constant that takes the place of a column
		value.write = func(w *sqlWriter, g guard) string { return values[0].write(w, g) }
		return b.computedColumn(values[0].typedText(), c.oid, value)
	}
	var text strings.Builder
	text.WriteString("CASE")
	for i, f := range conditions {
		text.WriteString(" WHEN " + formulaText(f) + " THEN " + values[i].typedText())
	}
	text.WriteString(" ELSE " + values[len(conditions)].typedText() + " END")
	value.write = func(w *sqlWriter, g guard) string {
		var sql strings.Builder
		sql.WriteString("CASE")
		for i, f := range conditions {
			sql.WriteString(" WHEN " + w.formula(f) + " THEN " + values[i].write(w, g))
		}
		sql.WriteString(" ELSE " + values[len(conditions)].write(w, g) + " END")
		return sql.String()
	}
	return b.computedColumn(text.String(), c.oid, value)
}

// A chosen is GREATEST or LEAST, which pass over NULL.
type chosen struct {
	name string
	oid  typeOID
	args []operand
}

func (c *chosen) typeOf() typeOID { return c.oid }

func (c *chosen) bind(b *binding) *Column {
	args := make([]argument, len(c.args))
	columns := make([]*Column, len(c.args))
	texts := make([]string, len(c.args))
	for i, o := range c.args {
		if !b.grow(1) {
			return noColumn
		}
		args[i] = b.argument(o, c.oid)
		columns[i], texts[i] = args[i].column, args[i].typedText()
	}
	value := computation{inputs: mergeInputs(columns...)}
	value.join(args)
	value.write = func(w *sqlWriter, g guard) string {
		list := make([]string, len(args))
		for i, a := range args {
			list[i] = a.write(w, g)
		}
		return c.name + "(" + strings.Join(list, ", ") + ")"
	}
	return b.computedColumn(c.name+"("+strings.Join(texts, ", ")+")", c.oid, value)
}

// A condition is a predicate as a value of type boolean.
type condition struct{ predicate predicate }

func (c *condition) typeOf() typeOID { return oidBool }

func (c *condition) bind(b *binding) *Column {
	yes, no := b.formula(c.predicate), b.simplified(c.predicate.when(false, b))
	value := computation{inputs: mergeInputs(append(columnsOf(yes), columnsOf(no)...)...)}
	text := "(" + formulaText(yes) + ")"
	if !twoValued(c.predicate) {
		text = "CASE WHEN " + formulaText(yes) + " THEN true WHEN " + formulaText(no) + " THEN false END"
	}
	value.write = func(w *sqlWriter, _ guard) string {
		return "CASE WHEN " + w.formula(yes) + " THEN TRUE WHEN " + w.formula(no) + " THEN FALSE END"
	}
	return b.computedColumn(text, oidBool, value)
}

// columnsOf lists the columns that a formula mentions.
func columnsOf(f formula) []*Column {
	switch f := f.(type) {
	case all:
		return columnsOfAll(f)
	case anyOf:
		return columnsOfAll(f)
	case comparison:
		return []*Column{f.column}
	case pairing:
		return []*Column{f.left, f.right}
	case membership:
		return []*Column{f.column}
	case nullness:
		return []*Column{f.column}
	}
	return nil
}

func columnsOfAll(parts []formula) []*Column {
	var columns []*Column
	for _, part := range parts {
		columns = append(columns, columnsOf(part)...)
	}
	return columns
}
