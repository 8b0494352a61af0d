package expr

import (
	"math/big"
	"time"

	"tacit/rewrite/internal/pgvalue"
)

// A formula says of each row whether it is counted. Unlike SQL's predicates it knows two values only: WHERE and FILTER take the
// rows on which a predicate is true and no others, so predicate.go says once where it is true and once where it is false, and what
// is left is where it is unknown. A formula has no negation: complement pushes it down to the atoms. So it grows with each of its
// atoms, which DomainSQL relies on: replacing an atom by TRUE never takes a row away.
type Formula interface{ formula() }

// A truth is everywhere or nowhere true.
type Truth bool

// All is true where each part is, AnyOf where at least one part is.
type All []Formula

type AnyOf []Formula

// A comparison of a column with a constant is false where the column is NULL.
type Comparison struct {
	Column *Column
	Op     Operator
	Value  pgvalue.Datum
}

// A pairing of two columns is false where either is NULL.
type Pairing struct {
	Left  *Column
	op    Operator
	Right *Column
}

// A membership says whether a column is among the values, or among none of them; false where it is NULL.
type Membership struct {
	Column *Column
	In     bool
	Values []pgvalue.Datum // of one type, at least two
}

// A nullness says whether a column is NULL, or is not.
type Nullness struct {
	Column *Column
	Null   bool
}

func (Truth) formula() {}

func (All) formula() {}

func (AnyOf) formula() {}

func (Comparison) formula() {}

func (Pairing) formula() {}

func (Membership) formula() {}

func (Nullness) formula() {}

// An operator compares two values.
type Operator string

const (
	Equal        Operator = "="
	Unequal      Operator = "<>"
	Less         Operator = "<"
	LessEqual    Operator = "<="
	Greater      Operator = ">"
	GreaterEqual Operator = ">="
)

// Negated is the operator that is true where op is false, both on values that are not NULL: all orders are total, NaN included.
func (op Operator) Negated() Operator {
	return map[Operator]Operator{Equal: Unequal, Unequal: Equal, Less: GreaterEqual, GreaterEqual: Less, Greater: LessEqual, LessEqual: Greater}[op]
}

// Flipped is the operator for exchanged sides.
func (op Operator) Flipped() Operator {
	switch op {
	case Less:
		return Greater
	case Greater:
		return Less
	case LessEqual:
		return GreaterEqual
	case GreaterEqual:
		return LessEqual
	}
	return op
}

// holds reports whether op is true of values that compare as sign says.
func (op Operator) holds(sign int) bool {
	switch op {
	case Equal:
		return sign == 0
	case Unequal:
		return sign != 0
	case Less:
		return sign < 0
	case LessEqual:
		return sign <= 0
	case Greater:
		return sign > 0
	}
	return sign >= 0
}

// complement is true exactly where f is not.
func complement(f Formula) Formula {
	switch f := f.(type) {
	case Truth:
		return !f
	case All:
		var parts AnyOf
		for _, part := range f {
			parts = append(parts, complement(part))
		}
		return parts
	case AnyOf:
		var parts All
		for _, part := range f {
			parts = append(parts, complement(part))
		}
		return parts
	case Comparison:
		f.Op = f.Op.Negated()
		return AnyOf{f, Nullness{f.Column, true}}
	case Pairing:
		f.op = f.op.Negated()
		return AnyOf{f, Nullness{f.Left, true}, Nullness{f.Right, true}}
	case Membership:
		f.In = !f.In
		return AnyOf{f, Nullness{f.Column, true}}
	case Nullness:
		f.Null = !f.Null
		return f
	}
	panic("rewrite: internal error: unknown formula")
}

// compare is where a column compares with a constant, which was read as the type in which the server compares them. Bounds
// of integers and dates are made closed, so that > 17 and >= 18 are one formula, and fall away beyond the type's range.
func compare(c *Column, op Operator, value pgvalue.Datum) Formula {
	switch {
	case c.TypeOID == pgvalue.Bool:
		return compareBool(c, op, value)
	case pgvalue.IsInteger(c.TypeOID) && !(c.TypeOID == pgvalue.Int8 && pgvalue.IsFloat(value.OID)):
		return compareInteger(c, op, value)
	case c.TypeOID == pgvalue.Date && value.OID == pgvalue.Timestamp && !value.IsInfinite():
		return compareDate(c, op, value)
	}
	return Comparison{c, op, value}
}

// compareBool lists the values for which op holds; false is less than true.
func compareBool(c *Column, op Operator, value pgvalue.Datum) Formula {
	bound := 0
	if value.Text == "t" {
		bound = 1
	}
	whenFalse, whenTrue := op.holds(0-bound), op.holds(1-bound)
	switch {
	case whenFalse && whenTrue:
		return Nullness{c, false}
	case whenTrue:
		return Comparison{c, Equal, pgvalue.Datum{OID: pgvalue.Bool, Text: "t"}}
	case whenFalse:
		return Comparison{c, Equal, pgvalue.Datum{OID: pgvalue.Bool, Text: "f"}}
	}
	return Truth(false)
}

// compareInteger compares with any number exactly. Integers are compared with numeric as numeric, and smallint and integer with
// floats as double precision, which holds each of them; NaN is greater than all.
func compareInteger(c *Column, op Operator, value pgvalue.Datum) Formula {
	least, greatest := pgvalue.IntegerBounds(c.TypeOID)
	below := new(big.Rat).SetInt64(least)
	above := new(big.Rat).SetInt64(greatest)
	bound := value.Number
	switch {
	case value.Infinite("-Infinity"):
		return beyond(c, op.holds(1))
	case bound == nil:
		return beyond(c, op.holds(-1))
	case bound.Cmp(below) < 0:
		return beyond(c, op.holds(1))
	case bound.Cmp(above) > 0:
		return beyond(c, op.holds(-1))
	}
	floor := new(big.Int).Div(bound.Num(), bound.Denom()).Int64() // Euclidean, so floor: the denominator is positive
	whole := bound.IsInt()
	closed := func(op Operator, n int64) Formula { return Comparison{c, op, pgvalue.IntegerDatum(c.TypeOID, n)} }
	switch op {
	case Equal, Unequal:
		if !whole {
			return beyond(c, op == Unequal)
		}
		return closed(op, floor)
	case Less, LessEqual:
		if whole && op == Less {
			if floor == least {
				return Truth(false)
			}
			floor--
		}
		if floor == greatest {
			return Nullness{c, false}
		}
		return closed(LessEqual, floor)
	}
	if !whole || op == Greater {
		if floor == greatest {
			return Truth(false)
		}
		floor++
	}
	if floor == least {
		return Nullness{c, false}
	}
	return closed(GreaterEqual, floor)
}

// beyond is a comparison with something that no value of the column reaches: it holds for all values or for none.
func beyond(c *Column, holds bool) Formula {
	if holds {
		return Nullness{c, false}
	}
	return Truth(false)
}

// compareDate compares dates with a timestamp, that is, as timestamps at midnight.
func compareDate(c *Column, op Operator, value pgvalue.Datum) Formula {
	at := time.UnixMicro(value.Micros).UTC()
	midnight := at.Truncate(pgvalue.Day)
	date := pgvalue.TimeDatum(pgvalue.Date, midnight)
	if at.Equal(midnight) {
		return Comparison{c, op, date}
	}
	switch op {
	case Equal, Unequal:
		return beyond(c, op == Unequal)
	case Less, LessEqual:
		return Comparison{c, LessEqual, date}
	}
	return Comparison{c, Greater, date}
}
