package expr

import (
	"fmt"
	"slices"
	"strings"

	"tacit/rewrite/internal/bounds"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/internal/work"
)

// Column binds an expression, once: within each other, the same ones are met many times.
func (b *Binding) Column(e Expression) *Column {
	if c, ok := e.(*Column); ok {
		return c
	}
	if known, ok := b.columns[e]; ok {
		b.labour(known.atoms)
		return known.column
	}
	before := b.Atoms
	c := e.Bind(b)
	if b.columns == nil {
		b.columns = make(map[Expression]boundOnce)
	}
	b.columns[e] = boundOnce{c, b.Atoms - before}
	return c
}

// A boundOnce is the column of an expression, and what it came to. Wherever it is met again, the server computes it again.
type boundOnce struct {
	column *Column
	atoms  int
}

// maxComputedBytes bounds the text of an expression, which can be exponentially longer than what was written: a condition stands in it
// twice, for where it is true and for where it is false.
const maxComputedBytes = 1 << 16

// A computedName tells the computed columns of a statement apart.
type computedName struct {
	text string
	oid  pgvalue.OID
}

// computedColumn returns the column of a computation; one text of one type is one column within a statement.
func (b *Binding) computedColumn(text string, oid pgvalue.OID, c computation) *Column {
	if len(text) > maxComputedBytes {
		b.fail(-1, RefuseTooLarge(fmt.Sprintf("an expression over a protected table comes to more than %d bytes", maxComputedBytes)))
		return noColumn
	}
	name := computedName{text, oid}
	if known := b.computed[name]; known != nil {
		return known
	}
	column := &Column{Name: text, TypeOID: oid, TypeName: pgvalue.TypeName(oid), Typmod: -1, Formatted: pgvalue.ShownType(oid), computation: &c}
	if b.computed == nil {
		b.computed = make(map[computedName]*Column)
	}
	b.computed[name] = column
	return column
}

// A call is a function, an operator or a cast applied to at least one value that is computed of columns.
type Call struct {
	Function *Overload
	Args     []Operand
	Loc      int32
	// Told is the place, from 1, of what the analyst's session makes of the function's ServerCheck, among the constants; 0 if it was not asked.
	Told int
}

// A CheckedCall is a call whose function has a ServerCheck, and the constant.
type CheckedCall struct {
	*Call
	Constant string
}

func (c *Call) TypeOf() pgvalue.OID { return c.Function.Result }

func (b *Binding) argument(o Operand, as pgvalue.OID) argument {
	a := argument{oid: as}
	switch {
	case o.Row != nil:
		a.column = b.Column(o.Row)
	default:
		var ok bool
		a.constant, ok = b.value(o, as)
		a.untold = !ok && b.Untold && (o.Param > 0 || o.Fixed != nil)
		a.null = !ok && !a.untold
		if a.untold && o.Fixed != nil && o.Fixed.isClock() {
			a.year = b.Year
		}
	}
	return a
}

// callAtoms is what a call counts for among the atoms of a statement (MaxAtoms): it takes longer than a comparison does, and on some values
// longer than on others.
const callAtoms = 20

// byteAtoms is what a byte of a constant counts for besides: LIKE and strpos may look for it at each place of a text.
const byteAtoms = 10

func (c *Call) Bind(b *Binding) *Column {
	if !b.grow(callAtoms) {
		return noColumn
	}
	args := make([]argument, len(c.Args))
	columns := make([]*Column, len(c.Args))
	for i, o := range c.Args {
		args[i] = b.argument(o, c.Function.Args[i])
		columns[i] = args[i].column
		if pgvalue.IsText(args[i].oid) {
			b.grow(byteAtoms * len(args[i].constant.Text))
		}
		if b.Refusal != nil {
			return noColumn
		}
	}
	if refusal := c.Function.verify(args); refusal != nil {
		b.fail(c.Loc, refusal)
		return noColumn
	}
	if i := c.Function.ServerChecked; c.Function.ServerCheck != "" && !args[i].null && !b.Untold {
		b.Checked = append(b.Checked, CheckedCall{c, args[i].constant.Text})
	}
	inner := c.inUTC(args)
	if inner != nil && inner.TypeOID == pgvalue.Timestamptz {
		return inner.computation.utc // there and back
	}
	value := computation{utc: inner, inputs: MergeInputs(columns...), parts: present(columns), trunc: c.dateTrunc(args), local: c.isLocal(args), grain: c.grain(args), texts: c.results(args),
		elapsed: c.isElapsed(), aged: c.Function.Name == "age", step: c.step(args), grid: c.grid(args), seconds: c.seconds(args), missing: c.Function.missing, digits: work.Digits(c.Function.Name, measured(args))}
	declared, refusal := c.Function.prove(args, &value)
	if refusal != nil {
		b.fail(c.Loc, refusal)
		return noColumn
	}
	b.labour(work.OfCall(c.Function.Name, measured(args), work.Argument{Bytes: textBytes(c.Function.Result, value.known)}))
	if value.texts != nil && !pgvalue.IsText(c.Function.Result) {
		value.known = each([]known{value.known}, func(v []bounds.Bounds) bounds.Bounds { return v[0].Only(bounds.OfTexts(value.texts)) })
	}
	value.write = func(w *SQLWriter, g nullRule) string {
		if declared {
			g = withinDomains
		}
		return c.Function.write(w, args, max(g, withinGuards))
	}
	return b.computedColumn(c.Function.text(args), c.Function.Result, value)
}

// measured are arguments as the work on them is counted.
func measured(args []argument) []work.Argument {
	list := make([]work.Argument, len(args))
	for i, a := range args {
		list[i] = work.Argument{Bytes: textBytes(a.oid, a.bounds()), Digits: a.digits(), Constant: a.constant.Text, Document: pgvalue.IsStructured(a.oid), Stored: a.column != nil && a.column.Stored()}
	}
	return list
}

// digits is the most that a decimal can have; 0 of other values.
func (a argument) digits() int {
	switch {
	case a.oid != pgvalue.Numeric:
		return 0
	case a.column == nil:
		return len(a.constant.Text)
	case !a.column.Stored() && a.column.TypeOID == pgvalue.Numeric:
		return a.column.computation.digits
	}
	return work.DigitsOf(a.column.TypeOID == pgvalue.Numeric, a.column.Typmod)
}

// textBytes is the most that a text can have; 0 of other values, and if it is not known yet.
func textBytes(oid pgvalue.OID, k known) int {
	if !pgvalue.IsText(oid) {
		return 0
	}
	return k.wide.Bytes()
}

// noColumn stands for a column that could not be bound.
var noColumn = &Column{Name: "NULL", TypeOID: pgvalue.Text, TypeName: "pg_catalog.text", Typmod: -1}

// A conditional is CASE. COALESCE, NULLIF, GREATEST and LEAST are printed through it, too.
type Conditional struct {
	OID       pgvalue.OID
	Branches  []Branch
	Otherwise Operand
}

type Branch struct {
	When Predicate
	Then Operand
}

func (c *Conditional) TypeOf() pgvalue.OID { return c.OID }

func (c *Conditional) Bind(b *Binding) *Column {
	var conditions []Formula
	var values []argument
	var columns []*Column
	for _, br := range c.Branches {
		if !b.grow(1) {
			return noColumn
		}
		f := b.Formula(br.When)
		conditions = append(conditions, f)
		columns = append(columns, ColumnsOf(f)...)
		values = append(values, b.result(br.Then, c.OID))
	}
	values = append(values, b.result(c.Otherwise, c.OID))
	for _, v := range values {
		columns = append(columns, v.column)
	}
	value := computation{inputs: MergeInputs(columns...), parts: present(columns), results: values, elapsed: areElapsed(values), epoch: boundEpochs(values)}
	value.join(values)
	if nullsZero(conditions, values) {
		value.known = each([]known{value.known}, func(v []bounds.Bounds) bounds.Bounds { return v[0].ButZero(pgvalue.IsInteger(c.OID)) })
	}
	if len(conditions) == 0 { // a constant that takes the place of a column
		value.write = func(w *SQLWriter, g nullRule) string { return values[0].write(w, g) }
		return b.computedColumn(values[0].typedText(), c.OID, value)
	}
	var text strings.Builder
	text.WriteString("CASE")
	for i, f := range conditions {
		text.WriteString(" WHEN " + FormulaText(f) + " THEN " + values[i].typedText())
	}
	text.WriteString(" ELSE " + values[len(conditions)].typedText() + " END")
	value.write = func(w *SQLWriter, g nullRule) string {
		var sql strings.Builder
		sql.WriteString("CASE")
		for i, f := range conditions {
			sql.WriteString(" WHEN " + w.Formula(f) + " THEN " + values[i].write(w, g))
		}
		sql.WriteString(" ELSE " + values[len(conditions)].write(w, g) + " END")
		return sql.String()
	}
	return b.computedColumn(text.String(), c.OID, value)
}

// nullsZero reports whether a CASE is NULLIF(x, 0), which divisors are.
func nullsZero(conditions []Formula, values []argument) bool {
	if len(conditions) != 1 || !values[0].isVoid() || values[1].column == nil {
		return false
	}
	zero, ok := conditions[0].(Comparison)
	return ok && zero.Column == values[1].column && zero.Op == Equal && zero.Value.Number != nil && zero.Value.Number.Sign() == 0
}

// A chosen is GREATEST or LEAST, which pass over NULL.
type Chosen struct {
	Name string
	OID  pgvalue.OID
	Args []Operand
}

func (c *Chosen) TypeOf() pgvalue.OID { return c.OID }

func (c *Chosen) Bind(b *Binding) *Column {
	args := make([]argument, len(c.Args))
	columns := make([]*Column, len(c.Args))
	texts := make([]string, len(c.Args))
	for i, o := range c.Args {
		if !b.grow(1) {
			return noColumn
		}
		args[i] = b.result(o, c.OID)
		columns[i], texts[i] = args[i].column, args[i].typedText()
	}
	value := computation{inputs: MergeInputs(columns...), parts: present(columns), elapsed: areElapsed(args)}
	value.join(args)
	value.known = each([]known{value.known}, func(v []bounds.Bounds) bounds.Bounds { return c.held(v[0], args) })
	value.write = func(w *SQLWriter, g nullRule) string {
		list := make([]string, len(args))
		for i, a := range args {
			list[i] = a.write(w, g)
		}
		return c.Name + "(" + strings.Join(list, ", ") + ")"
	}
	return b.computedColumn(c.Name+"("+strings.Join(texts, ", ")+")", c.OID, value)
}

// held are the bounds of values of which none passes a constant among the arguments: unlike a column, that is never NULL.
func (c *Chosen) held(v bounds.Bounds, args []argument) bounds.Bounds {
	for _, a := range args {
		limit := bounds.OfConstant(a.constant)
		switch {
		case a.column != nil || a.null || a.untold || c.OID == pgvalue.Interval && !areElapsed(args) || !limit.Known() || !v.Known():
		case c.Name == "GREATEST":
			v.Least = bounds.Max(v.Least, limit.Least)
			v.Greatest = bounds.Max(v.Least, v.Greatest)
		default:
			v.Greatest = bounds.Min(v.Greatest, limit.Greatest)
			v.Least = bounds.Min(v.Least, v.Greatest)
		}
	}
	return v
}

// A condition is a predicate as a value of type boolean.
type Condition struct{ Predicate Predicate }

func (c *Condition) TypeOf() pgvalue.OID { return pgvalue.Bool }

func (c *Condition) Bind(b *Binding) *Column {
	yes, no := b.Formula(c.Predicate), b.simplified(c.Predicate.when(false, b))
	columns := append(ColumnsOf(yes), ColumnsOf(no)...)
	value := computation{inputs: MergeInputs(columns...), parts: present(columns), neverNull: twoValued(c.Predicate)}
	text := "(" + FormulaText(yes) + ")"
	if !twoValued(c.Predicate) {
		text = "CASE WHEN " + FormulaText(yes) + " THEN true WHEN " + FormulaText(no) + " THEN false END"
	}
	value.write = func(w *SQLWriter, _ nullRule) string {
		return "CASE WHEN " + w.Formula(yes) + " THEN TRUE WHEN " + w.Formula(no) + " THEN FALSE END"
	}
	return b.computedColumn(text, pgvalue.Bool, value)
}

// present are the columns among arguments, of which constants have none.
func present(columns []*Column) []*Column {
	return slices.DeleteFunc(slices.Clone(columns), func(c *Column) bool { return c == nil })
}

// ColumnsOf lists the columns that a formula mentions.
func ColumnsOf(f Formula) []*Column {
	switch f := f.(type) {
	case All:
		return ColumnsOfAll(f)
	case AnyOf:
		return ColumnsOfAll(f)
	case Comparison:
		return []*Column{f.Column}
	case Pairing:
		return []*Column{f.Left, f.Right}
	case Membership:
		return []*Column{f.Column}
	case Nullness:
		return []*Column{f.Column}
	}
	return nil
}

func ColumnsOfAll(parts []Formula) []*Column {
	var columns []*Column
	for _, part := range parts {
		columns = append(columns, ColumnsOf(part)...)
	}
	return columns
}
