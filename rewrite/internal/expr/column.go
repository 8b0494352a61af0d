package expr

import (
	"math/big"
	"slices"
	"strings"

	"tacit/rewrite/internal/bounds"
	"tacit/rewrite/internal/pgvalue"
)

// An expression is a value of one row: a column, or what is computed of columns, constants and parameters by functions from the
// list in functionlist.go. Nothing in it can fail on a row, and it has no effect but its value.
type Expression interface {
	TypeOf() pgvalue.OID
	// bind returns the column, stored or computed, that the expression is with the values of parameters. What cannot be is
	// refused through the binding.
	Bind(b *Binding) *Column
}

func (c *Column) TypeOf() pgvalue.OID { return c.TypeOID }

func (c *Column) Bind(_ *Binding) *Column { return c }

// A computation is how a column is computed that is not stored.
type computation struct {
	// inputs are the stored columns that the value depends on, each once.
	inputs []*Column
	// write prints the computation for the curator.
	write func(w *SQLWriter, g nullRule) string
	known
	digits int // the most of a decimal
	// open says that bounds cannot be told before the values of parameters are.
	open bool
	// void says that the value is NULL in every row, whatever the bounds.
	void bool
	// floored says of which stored time it tells the beginning; nil if of none.
	trunc *dateTrunc
	// parts are the columns that it is computed of directly, stored or computed themselves.
	parts []*Column
	// texts are the values besides NULL if they are few whatever the parts are, results those of a CASE; nil if not known, or no CASE.
	texts   []string
	results []argument
	// neverNull says that the value is not NULL in any row.
	neverNull bool
	// missing says that the value can be NULL though no part is.
	missing bool
	// elapsed says that it is the difference of two times, which has no months.
	elapsed bool
	// epoch says that its bounds hold its epoch, see [argument.boundsEpoch].
	epoch bool
	// aged says that it is an age: the years, months and days between two times.
	aged bool
	// step and grid are what its values are multiples of, as keys and in sums; nil if not known.
	step, grid *big.Rat
	// seconds says that it counts seconds.
	seconds bool
	// local says that it is the local time of a stored time, and grain in which units it depends on that.
	local bool
	grain Grain
	// utc is the time without zone of which it is the instant in UTC; nil if it is none.
	utc *Column
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
			c.digits = max(c.digits, a.digits())
			first := c.void
			c.known = each([]known{c.known, a.bounds()}, func(v []bounds.Bounds) bounds.Bounds { return v[0].Union(v[1], first) })
		}
		c.void = false
	}
}

// isOpen reports whether nothing can be proved of an argument yet.
func (a argument) isOpen() bool {
	return a.untold && a.year == 0 || a.column != nil && a.column.computation != nil && a.column.computation.open
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
		if !input.Public() {
			origins = append(origins, input)
			continue
		}
		for _, pair := range input.Joined.On {
			origins = append(origins, pair.Outer.Origins()...)
		}
	}
	return origins
}

// Parts are the columns that the column is computed of directly; none if it is stored.
func (c *Column) Parts() []*Column {
	if c.computation == nil {
		return nil
	}
	return c.computation.parts
}

// Text is the column's canonical text: its name, or the expression.
func (c *Column) Text() string {
	switch {
	case c.computation != nil, c.IsOfPersons():
		return c.Name
	case c.Joined != nil:
		return c.Joined.Text + "." + pgvalue.QuoteIdentifier(c.Name)
	}
	return pgvalue.QuoteIdentifier(c.Name)
}

// Shown is the column for people: one of a joined table by that table's name. What is computed is as in a question.
func (c *Column) Shown() string {
	if c.computation == nil && c.Joined != nil && c.Aggregate == nil {
		return pgvalue.QuoteIdentifier(c.Joined.name().Name) + "." + pgvalue.QuoteIdentifier(c.Name)
	}
	return c.Text()
}

// MergeInputs lists the stored columns of several columns, each once.
func MergeInputs(columns ...*Column) []*Column {
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

// An argument of a call with the values of parameters: a column, or a constant.
type argument struct {
	column   *Column
	constant pgvalue.Datum
	null     bool
	untold   bool // a parameter whose value is not known yet
	year     int  // of a clock that is not read yet; 0 if nothing is known
	oid      pgvalue.OID
}

// write prints an argument for the curator.
func (a argument) write(w *SQLWriter, g nullRule) string {
	switch {
	case a.column == nil && (a.null || a.untold):
		return "NULL::" + pgvalue.TypeName(a.oid)
	case a.column == nil:
		return w.Arg(a.constant.Text, pgvalue.TypeName(a.oid))
	case a.column.computation != nil:
		return "(" + w.computed(a.column, g) + ")::" + pgvalue.TypeName(a.oid)
	}
	return w.guarded(a.column, g) + "::" + pgvalue.TypeName(a.oid)
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
	if a.column == nil && a.oid == pgvalue.Numeric && strings.Trim(text, "-0123456789") == "" {
		text += ".0"
	}
	return text
}
