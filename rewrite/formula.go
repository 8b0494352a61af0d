package rewrite

import (
	"math/big"
	"time"
)

// A formula says of each row whether it is counted. Unlike SQL's predicates it knows two values only: WHERE and FILTER take the
// rows on which a predicate is true and no others, so predicate.go says once where it is true and once where it is false, and what
// is left is where it is unknown. A formula has no negation: complement pushes it down to the atoms. So it grows with each of its
// atoms, which DomainSQL relies on: replacing an atom by TRUE never takes a row away.
type formula interface{ formula() }

// A truth is everywhere or nowhere true.
type truth bool

// all is true where each part is, anyOf where at least one part is.
type all []formula
type anyOf []formula

// A comparison of a column with a constant is false where the column is NULL.
type comparison struct {
	column *Column
	op     operator
	value  datum
}

// A pairing of two columns is false where either is NULL.
type pairing struct {
	left  *Column
	op    operator
	right *Column
}

// A membership says whether a column is among the values, or among none of them; false where it is NULL.
type membership struct {
	column *Column
	in     bool
	values []datum // of one type, at least two
}

// A nullness says whether a column is NULL, or is not.
type nullness struct {
	column *Column
	null   bool
}

func (truth) formula()      {}
func (all) formula()        {}
func (anyOf) formula()      {}
func (comparison) formula() {}
func (pairing) formula()    {}
func (membership) formula() {}
func (nullness) formula()   {}

// An operator compares two values.
type operator string

const (
	equal        operator = "="
	unequal      operator = "<>"
	less         operator = "<"
	lessEqual    operator = "<="
	greater      operator = ">"
	greaterEqual operator = ">="
)

// negated is the operator that is true where op is false, both on values that are not NULL: all orders are total, NaN included.
func (op operator) negated() operator {
	return map[operator]operator{equal: unequal, unequal: equal, less: greaterEqual, greaterEqual: less, greater: lessEqual, lessEqual: greater}[op]
}

// flipped is the operator for exchanged sides.
func (op operator) flipped() operator {
	switch op {
	case less:
		return greater
	case greater:
		return less
	case lessEqual:
		return greaterEqual
	case greaterEqual:
		return lessEqual
	}
	return op
}

// holds reports whether op is true of values that compare as sign says.
func (op operator) holds(sign int) bool {
	switch op {
	case equal:
		return sign == 0
	case unequal:
		return sign != 0
	case less:
		return sign < 0
	case lessEqual:
		return sign <= 0
	case greater:
		return sign > 0
	}
	return sign >= 0
}

// complement is true exactly where f is not.
func complement(f formula) formula {
	switch f := f.(type) {
	case truth:
		return !f
	case all:
		var parts anyOf
		for _, part := range f {
			parts = append(parts, complement(part))
		}
		return parts
	case anyOf:
		var parts all
		for _, part := range f {
			parts = append(parts, complement(part))
		}
		return parts
	case comparison:
		f.op = f.op.negated()
		return anyOf{f, nullness{f.column, true}}
	case pairing:
		f.op = f.op.negated()
		return anyOf{f, nullness{f.left, true}, nullness{f.right, true}}
	case membership:
		f.in = !f.in
		return anyOf{f, nullness{f.column, true}}
	case nullness:
		f.null = !f.null
		return f
	}
	panic("rewrite: internal error: unknown formula")
}

// compare is where a column compares with a constant, which was read as the type in which the server compares them. Bounds
// of integers and dates are made closed, so that > 17 and >= 18 are one formula, and fall away beyond the type's range.
func compare(c *Column, op operator, value datum) formula {
	switch {
	case c.TypeOID == oidBool:
		return compareBool(c, op, value)
	case IsInteger(c.TypeOID) && !(c.TypeOID == oidInt8 && isFloat(value.oid)):
		return compareInteger(c, op, value)
	case c.TypeOID == oidDate && value.oid == oidTimestamp && !value.isInfinite():
		return compareDate(c, op, value)
	}
	return comparison{c, op, value}
}

// compareBool lists the values for which op holds; false is less than true.
func compareBool(c *Column, op operator, value datum) formula {
	bound := 0
	if value.text == "t" {
		bound = 1
	}
	whenFalse, whenTrue := op.holds(0-bound), op.holds(1-bound)
	switch {
	case whenFalse && whenTrue:
		return nullness{c, false}
	case whenTrue:
		return comparison{c, equal, datum{oid: oidBool, text: "t"}}
	case whenFalse:
		return comparison{c, equal, datum{oid: oidBool, text: "f"}}
	}
	return truth(false)
}

// compareInteger compares with any number exactly. Integers are compared with numeric as numeric, and smallint and integer with
// floats as double precision, which holds each of them; NaN is greater than all.
func compareInteger(c *Column, op operator, value datum) formula {
	least, greatest := integerBounds(c.TypeOID)
	below := new(big.Rat).SetInt64(least)
	above := new(big.Rat).SetInt64(greatest)
	bound := value.number
	switch {
	case value.infinite("-Infinity"):
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
	closed := func(op operator, n int64) formula { return comparison{c, op, integerDatum(c.TypeOID, n)} }
	switch op {
	case equal, unequal:
		if !whole {
			return beyond(c, op == unequal)
		}
		return closed(op, floor)
	case less, lessEqual:
		if whole && op == less {
			if floor == least {
				return truth(false)
			}
			floor--
		}
		if floor == greatest {
			return nullness{c, false}
		}
		return closed(lessEqual, floor)
	}
	if !whole || op == greater {
		if floor == greatest {
			return truth(false)
		}
		floor++
	}
	if floor == least {
		return nullness{c, false}
	}
	return closed(greaterEqual, floor)
}

// beyond is a comparison with something that no value of the column reaches: it holds for all values or for none.
func beyond(c *Column, holds bool) formula {
	if holds {
		return nullness{c, false}
	}
	return truth(false)
}

const day = 24 * time.Hour

// compareDate compares dates with a timestamp, that is, as timestamps at midnight.
func compareDate(c *Column, op operator, value datum) formula {
	at := time.UnixMicro(value.micros).UTC()
	midnight := at.Truncate(day)
	date := timeDatum(oidDate, midnight)
	if at.Equal(midnight) {
		return comparison{c, op, date}
	}
	switch op {
	case equal, unequal:
		return beyond(c, op == unequal)
	case less, lessEqual:
		return comparison{c, lessEqual, date}
	}
	return comparison{c, greater, date}
}
