package expr

import (
	"fmt"
	"slices"

	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/internal/work"
	"tacit/rewrite/pgerror"
)

// A predicate is a condition of WHERE or FILTER, read completely: its columns resolved, its constants and parameters typed as
// PostgreSQL's parse analysis types them. Nothing in it can fail on a row.
type Predicate interface {
	// when returns where the predicate is true, or where it is false; it is unknown elsewhere.
	when(is bool, b *Binding) Formula
}

// A binding holds the values of parameters. The first refusal sticks.
type Binding struct {
	Types   map[int]pgvalue.OID
	Values  []pgvalue.Value
	Refusal *pgerror.Refusal
	// untold says that values are not known yet: parameters are taken as NULL, to check the constants alone.
	Untold bool
	// Year is when an untold clock is read; 0: nothing is known of it.
	Year int

	// constants are the values of the expressions without columns, by fixed.index.
	Constants []pgvalue.Value
	// Checked are the calls of which the server of the count is to look at a constant, with that.
	Checked []CheckedCall

	Atoms, MaxAtoms int
	work            int // of the atoms, those that every row is once, however many counts there are
	bytes           int // of constants read
	simplifier      simplifier
	computed        map[computedName]*Column
	columns         map[Expression]boundOnce
	persons         []*Column // whether they have rows elsewhere
}

// A formula can have more atoms than the condition that it is made of: IS UNKNOWN reads its argument twice, at each level. So the
// atoms are counted while it is made, and the text of constants, which are read anew for each. Simplifying goes through a list again
// for each level that falls away around it.
const (
	MaxAtoms         = 50_000 // of all conditions of a statement
	maxConstantBytes = 64 << 20
	maxListParts     = 10 * MaxAtoms
)

// grow counts atoms and reports whether the condition is still within bounds.
func (b *Binding) grow(atoms int) bool {
	b.Atoms += atoms
	if b.Atoms > b.MaxAtoms {
		b.fail(-1, RefuseTooLarge(fmt.Sprintf("the conditions of a statement about protected tables come to more than %d comparisons", MaxAtoms)))
	}
	return b.Refusal == nil
}

// labour counts atoms of work on a row.
func (b *Binding) labour(atoms int) {
	b.work += atoms
	b.grow(atoms)
}

// touch counts what it takes to compare columns.
func (b *Binding) touch(columns ...*Column) {
	for _, c := range columns {
		b.labour(work.Copy(textBytes(c.TypeOID, argument{column: c, oid: c.TypeOID}.bounds())))
	}
}

// read counts the text of a constant and reports whether it may be read.
func (b *Binding) read(text string) bool {
	b.bytes += len(text)
	if b.bytes > maxConstantBytes {
		b.fail(-1, RefuseTooLarge(fmt.Sprintf("the constants in a condition on a protected table come to more than %d bytes", maxConstantBytes)))
	}
	return b.Refusal == nil
}

// Repeat counts again, n times, what was counted so far.
func (b *Binding) Repeat(n int) {
	bytes := b.bytes
	b.grow(n * (b.Atoms - b.work))
	for range n {
		b.bytes += bytes
		b.read("")
	}
}

// Formula is where a predicate is true.
func (b *Binding) Formula(p Predicate) Formula {
	return b.simplified(p.when(true, b))
}

// simplified is the canonical form of what predicates make within the binding.
func (b *Binding) simplified(f Formula) Formula {
	if b.Refusal != nil {
		return Truth(false)
	}
	b.simplifier.limit = maxListParts
	f = b.simplifier.simplify(f).formula
	if b.simplifier.exceeded() {
		b.fail(-1, RefuseTooLarge(fmt.Sprintf("the lists in a condition on a protected table come to more than %d parts at all levels", maxListParts)))
	}
	return f
}

func RefuseTooLarge(message string) *pgerror.Refusal {
	return &pgerror.Refusal{Code: pgerror.CodeLimit, Message: message, Hint: "Ask several questions with shorter conditions."}
}

// An operand is what is compared, or an argument of a function: a value of the row, a parameter or a constant.
type Operand struct {
	Row     Expression // nil if it is the same for all rows
	Param   int
	Literal pgvalue.Literal
	Cast    pgvalue.OID // of a parameter, 0 if none
	Fixed   *Fixed      // a constant that is computed
	// unlisted marks the column that tells persons apart, of which only the different values can be counted.
	Unlisted bool
	Zoned    bool // a timestamp of a row that stands for one with time zone in the analyst's session
	Loc      int32
}

// IsConstant reports whether the operand is the same for all rows.
func (o Operand) IsConstant() bool { return o.Row == nil }

// value returns an operand's value read as a type, unless it is NULL or not to be had.
func (b *Binding) value(o Operand, as pgvalue.OID) (pgvalue.Datum, bool) {
	l := o.Literal
	switch {
	case o.Fixed != nil && b.Untold:
		var ok bool
		if l, ok = o.Fixed.midnight(); !ok {
			return pgvalue.Datum{}, false
		}
	case o.Fixed != nil:
		if o.Fixed.Index >= len(b.Constants) {
			return pgvalue.Datum{}, false
		}
		v := b.Constants[o.Fixed.Index]
		l = pgvalue.Literal{OID: o.Fixed.Call.TypeOf(), Text: v.Text, Null: v.Null}
	case o.Param > 0:
		if b.Untold {
			return pgvalue.Datum{}, false
		}
		v := b.Values[o.Param-1]
		l = pgvalue.Literal{OID: b.Types[o.Param], Text: v.Text, Null: v.Null}
		if o.Cast != 0 && !l.Null {
			d, refusal := l.Read(o.Cast)
			if refusal != nil {
				b.fail(o.Loc, refusal)
				return pgvalue.Datum{}, false
			}
			l = pgvalue.Literal{OID: o.Cast, Text: d.Text}
		}
	}
	if l.Null || !b.read(l.Text) {
		return pgvalue.Datum{}, false
	}
	d, refusal := l.Read(as)
	if refusal != nil {
		b.fail(o.Loc, refusal)
		return pgvalue.Datum{}, false
	}
	return d, true
}

// compared is the value of an operand in the form in which equal values have equal texts.
func (b *Binding) compared(o Operand, as pgvalue.OID) (pgvalue.Datum, bool) {
	d, ok := b.value(o, as)
	b.grow(work.Copy(len(d.Text)))
	if ok && as == pgvalue.Interval {
		var refusal *pgerror.Refusal
		if d, refusal = d.Span(); refusal != nil {
			b.fail(o.Loc, refusal)
			return d, false
		}
	}
	return d, ok
}

func (b *Binding) fail(loc int32, r *pgerror.Refusal) {
	if b.Refusal == nil {
		b.Refusal = pgerror.At(loc, r)
	}
}

// A fixed is an expression without columns: current_date - 30, or lower($1). The analyst's own session evaluates it before the
// question is asked, with her time zone and clock; to the question it is a constant like any other.
type Fixed struct {
	Call  *Call
	Index int // among those of the statement
}

// isClock reports whether it is the present day or time, in any of the types of times.
func (f *Fixed) isClock() bool {
	if isCast(f.Call.Function) && len(f.Call.Args) == 1 {
		of := f.Call.Args[0].Fixed
		return of != nil && pgvalue.IsTime(f.Call.Function.Result) && of.isClock()
	}
	return len(f.Call.Args) == 0 && slices.Contains([]string{"current_date", "current_timestamp", "localtimestamp", "now"}, f.Call.Function.Name)
}

// midnight is a written date as the timestamp that it is cast to, of which the server's answer is known beforehand.
func (f *Fixed) midnight() (pgvalue.Literal, bool) {
	if !isCast(f.Call.Function) || f.Call.Function.Result != pgvalue.Timestamp || len(f.Call.Args) != 1 {
		return pgvalue.Literal{}, false
	}
	o := f.Call.Args[0]
	if o.Fixed != nil || o.Param > 0 || o.Literal.OID != pgvalue.Date || o.Literal.Null {
		return pgvalue.Literal{}, false
	}
	d, refusal := o.Literal.Read(pgvalue.Timestamp)
	return pgvalue.Literal{OID: pgvalue.Timestamp, Text: d.Text}, refusal == nil
}
