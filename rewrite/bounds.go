package rewrite

import (
	"math/big"
)

// Bounds are what is known of the finite values of an expression. Numbers bound themselves; dates and timestamps are counted in days
// since 1970. Nothing is known of the zero bounds.
type bounds struct {
	least, greatest *big.Rat
	// tiny is the decimal exponent of the smallest magnitude besides zero, for binary floating point, which fails on underflow.
	tiny int
}

func (v bounds) known() bool { return v.least != nil }

func between(least, greatest *big.Rat) bounds { return bounds{least: least, greatest: greatest} }

func exactly(n *big.Rat) bounds { return bounds{least: n, greatest: n, tiny: exponentOf(n)} }

func integers(least, greatest int64) bounds {
	return between(new(big.Rat).SetInt64(least), new(big.Rat).SetInt64(greatest))
}

// exponentOf is a lower bound on the decimal exponent of a number, 0 for zero.
func exponentOf(n *big.Rat) int {
	if n.Sign() == 0 {
		return 0
	}
	bits := n.Num().BitLen() - n.Denom().BitLen() - 1
	return bits*30103/100000 - 1
}

// union holds the values of either.
func (v bounds) union(w bounds, first bool) bounds {
	switch {
	case first:
		return w
	case !v.known() || !w.known():
		return bounds{}
	}
	return bounds{minRat(v.least, w.least), maxRat(v.greatest, w.greatest), min(v.tiny, w.tiny)}
}

// within reports whether all values lie between two numbers.
func (v bounds) within(least, greatest *big.Rat) bool {
	return v.known() && v.least.Cmp(least) >= 0 && v.greatest.Cmp(greatest) <= 0
}

// hasZero reports whether zero may be among the values.
func (v bounds) hasZero() bool { return !v.known() || v.least.Sign() <= 0 && v.greatest.Sign() >= 0 }

func minRat(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) <= 0 {
		return a
	}
	return b
}

func maxRat(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}

// corners are the bounds of an operation that is monotone in each argument: its extremes lie at the corners.
func corners(v, w bounds, op func(z, x, y *big.Rat) *big.Rat) bounds {
	if !v.known() || !w.known() {
		return bounds{}
	}
	var result bounds
	for i, x := range []*big.Rat{v.least, v.greatest} {
		for j, y := range []*big.Rat{w.least, w.greatest} {
			n := op(new(big.Rat), x, y)
			result = result.union(between(n, n), i+j == 0)
		}
	}
	return result
}

func (v bounds) plus(w bounds) bounds {
	sum := corners(v, w, (*big.Rat).Add)
	sum.tiny = min(v.tiny, w.tiny) - 17 // what two doubles leave when they nearly cancel
	return sum
}

func (v bounds) minus(w bounds) bounds {
	difference := corners(v, w, (*big.Rat).Sub)
	difference.tiny = min(v.tiny, w.tiny) - 17
	return difference
}

func (v bounds) times(w bounds) bounds {
	product := corners(v, w, (*big.Rat).Mul)
	product.tiny = v.tiny + w.tiny
	return product
}

// over is division by something that is never zero.
func (v bounds) over(w bounds) bounds {
	if w.hasZero() || !v.known() {
		return bounds{}
	}
	quotient := corners(v, w, (*big.Rat).Quo)
	quotient.tiny = v.tiny - exponentOf(maxRat(new(big.Rat).Abs(w.least), new(big.Rat).Abs(w.greatest))) - 3
	return quotient
}

func (v bounds) negated() bounds {
	if !v.known() {
		return v
	}
	return bounds{new(big.Rat).Neg(v.greatest), new(big.Rat).Neg(v.least), v.tiny}
}

// magnitude are the bounds of the absolute value, or of what is no larger and of either sign.
func (v bounds) magnitude() bounds {
	if !v.known() {
		return v
	}
	largest := maxRat(new(big.Rat).Abs(v.least), new(big.Rat).Abs(v.greatest))
	return bounds{new(big.Rat), largest, v.tiny}
}

// widened are the bounds of a value that was rounded to a whole number, or cut.
func (v bounds) widened() bounds {
	if !v.known() {
		return v
	}
	one := big.NewRat(1, 1)
	return bounds{new(big.Rat).Sub(v.least, one), new(big.Rat).Add(v.greatest, one), min(v.tiny, 0)}
}

// Guards: a column that is an argument of a function counts as NULL where it is beyond what any table means, so that arithmetic
// cannot overflow and functions of texts have bounded cost. PostgreSQL would go on with such values, or fail.
const (
	guardedExponent     = 100          // numbers: zero, or from 1e-100 to 1e100 in magnitude
	guardedRealExponent = 30           // the same for real
	guardedBytes        = "65536"      // texts
	guardedFirst        = "0001-01-01" // dates and times
	guardedLast         = "9999-12-31"
	firstDay            = -719162 // guardedFirst in days since 1970
	lastDay             = 2932896
)

// Dates and timestamps of PostgreSQL reach from 4713 BC to the year 294276.
const (
	minDay = -2_440_000
	maxDay = 100_000_000
)

var guardedMagnitude, guardedReal = powerOfTen(guardedExponent), powerOfTen(guardedRealExponent)

func powerOfTen(n int64) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(n), nil))
}

// typeBounds are those of a column of a type, once guarded.
func typeBounds(oid typeOID) bounds {
	switch {
	case IsInteger(oid):
		return integers(integerBounds(oid))
	case oid == oidFloat4:
		return bounds{new(big.Rat).Neg(guardedReal), guardedReal, -guardedRealExponent}
	case familyOf(oid) == numbers:
		return bounds{new(big.Rat).Neg(guardedMagnitude), guardedMagnitude, -guardedExponent}
	case isTime(oid):
		return integers(firstDay, lastDay+1)
	}
	return bounds{}
}

// declaredBounds are those of a column within its declared domain, the type's if it has none.
func declaredBounds(c *Column) bounds {
	wide := typeBounds(c.TypeOID)
	if len(c.Domain) == 0 || !wide.known() || c.public() {
		return wide
	}
	var declared bounds
	for i, text := range c.Domain {
		d, refusal := readDatum(c.TypeOID, text)
		if refusal != nil || d.isInfinite() || d.isNaN() {
			return wide
		}
		declared = declared.union(datumBounds(d), i == 0)
	}
	if !declared.within(wide.least, wide.greatest) {
		return wide
	}
	return declared
}

// datumBounds are those of one constant.
func datumBounds(d datum) bounds {
	switch {
	case d.isInfinite(), d.isNaN():
		return bounds{}
	case isTime(d.oid):
		return exactly(big.NewRat(d.micros, day.Microseconds()))
	case d.number != nil:
		return exactly(d.number)
	}
	return bounds{}
}

// bounds returns the bounds of an argument, and those within the declared domains.
func (a argument) bounds() (wide, narrow bounds) {
	switch {
	case a.column == nil && (a.null || a.untold):
		return bounds{}, bounds{}
	case a.column == nil:
		v := datumBounds(a.constant)
		return v, v
	case a.column.computation != nil:
		return a.column.computation.wide, a.column.computation.narrow
	}
	return typeBounds(a.column.TypeOID), declaredBounds(a.column)
}

// guarded prints a column so that values beyond the guards are NULL; and, if declared, those outside of its declared domain.
func (w *sqlWriter) guarded(c *Column, declared bool) string {
	name := w.value(c)
	test := ""
	switch f := familyOf(c.TypeOID); {
	case declared && declaredBounds(c).known() && len(c.Domain) > 0:
		test = w.declaredTest(c, name)
	case c.TypeOID == oidNumeric, isFloat(c.TypeOID):
		limit, inverse := "1e100", "1e-100"
		if c.TypeOID == oidFloat4 {
			limit, inverse = "1e30", "1e-30"
		}
		test = "(" + w.span(name, inverse, limit, c.TypeOID) + " OR " + w.span(name, "-"+limit, "-"+inverse, c.TypeOID) +
			" OR " + name + " OPERATOR(pg_catalog.=) " + w.arg("0", typeName(c.TypeOID)) + ")"
	case isTime(c.TypeOID):
		last := guardedLast
		if c.TypeOID == oidTimestamptz {
			test = w.span(name, guardedFirst+" 00:00:00+00", last+" 00:00:00+00", c.TypeOID)
		} else {
			test = w.span(name, guardedFirst, last, c.TypeOID)
		}
	case (f == texts || f == blanks) && c.Typmod < 0:
		test = "pg_catalog.octet_length(" + name + "::pg_catalog.text) OPERATOR(pg_catalog.<=) " + w.arg(guardedBytes, "pg_catalog.int4")
	}
	if test == "" {
		return name
	}
	return "(CASE WHEN " + test + " THEN " + name + " END)"
}

// span prints a test that a value lies between two constants.
func (w *sqlWriter) span(name, least, greatest string, oid typeOID) string {
	return name + " OPERATOR(pg_catalog.>=) " + w.arg(least, typeName(oid)) + " AND " + name + " OPERATOR(pg_catalog.<=) " + w.arg(greatest, typeName(oid))
}

// declaredTest prints a test that a value lies between the least and the greatest of its declared domain.
func (w *sqlWriter) declaredTest(c *Column, name string) string {
	var least, greatest datum
	for i, text := range c.Domain {
		d, _ := readDatum(c.TypeOID, text)
		v := datumBounds(d)
		if i == 0 || v.least.Cmp(datumBounds(least).least) < 0 {
			least = d
		}
		if i == 0 || v.greatest.Cmp(datumBounds(greatest).greatest) > 0 {
			greatest = d
		}
	}
	return w.span(name, least.text, greatest.text, c.TypeOID)
}
