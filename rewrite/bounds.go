package rewrite

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Bounds are what is known of the finite values of an expression. Numbers bound themselves; dates and timestamps are counted in days
// since 1970; texts are bounded by their lengths in bytes. Nothing is known of the zero bounds.
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

// How much a value of each type may be off by rounding, relative to the value: numeric divides to 16 digits at least, and takes 15
// of a double and 6 of a real.
var (
	roundingOfNumeric = big.NewRat(1, 1e12)
	roundingOfFloat8  = new(big.Rat).Quo(big.NewRat(1, 1), powerOfTen(14))
	roundingOfFloat4  = big.NewRat(1, 1e5)
	leastNumeric      = new(big.Rat).Inv(powerOfTen(800)) // numeric has at most 1000 digits after the point when it divides
)

// rounded are the bounds of a result that the server rounds to what its type holds. Rounding is monotone, so that it is enough to move
// the ends.
func (v bounds) rounded(f *overload) bounds {
	if !v.known() || f.result != oidNumeric && !isFloat(f.result) {
		return v
	}
	off := roundingOfNumeric
	switch {
	case f.result == oidFloat4, slices.Contains(f.args, oidFloat4):
		off = roundingOfFloat4
	case f.result == oidFloat8, slices.Contains(f.args, oidFloat8):
		off = roundingOfFloat8
	}
	by := func(n *big.Rat) *big.Rat { return new(big.Rat).Mul(new(big.Rat).Abs(n), off) }
	v.least = coarse(new(big.Rat).Sub(v.least, by(v.least)), big.ToNegativeInf)
	v.greatest = coarse(new(big.Rat).Add(v.greatest, by(v.greatest)), big.ToPositiveInf)
	if f.result == oidNumeric && v.least.Sign() > 0 && v.least.Cmp(leastNumeric) < 0 {
		v.least = new(big.Rat)
	}
	if f.result == oidNumeric && v.greatest.Sign() < 0 && new(big.Rat).Neg(v.greatest).Cmp(leastNumeric) < 0 {
		v.greatest = new(big.Rat)
	}
	return v
}

// coarse keeps a bound from growing with each operation.
func coarse(n *big.Rat, mode big.RoundingMode) *big.Rat {
	if n.Num().BitLen() < 1<<12 && n.Denom().BitLen() < 1<<12 {
		return n
	}
	rounded, _ := new(big.Float).SetPrec(256).SetMode(mode).SetRat(n).Rat(nil)
	return rounded
}

// Guards: a column that is an argument of a function counts as NULL where it is beyond what any table means, so that arithmetic
// cannot overflow and functions of texts have bounded cost. PostgreSQL would go on with such values, or fail.
const (
	guardedExponent     = 100          // numbers: zero, or from 1e-100 to 1e100 in magnitude
	guardedRealExponent = 30           // the same for real
	guardedBytes        = 1 << 16      // texts
	longestBytes        = 1 << 20      // what functions may make of texts
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
	case isText(oid):
		return integers(0, guardedBytes)
	}
	return bounds{}
}

// columnBounds are those of a column, once guarded.
func columnBounds(c *Column) bounds {
	if isText(c.TypeOID) && !isLong(c) {
		return integers(0, maxBytes(c))
	}
	return typeBounds(c.TypeOID)
}

// maxBytes is the length of the longest text of a column with a declared length: 4 bytes for each character.
func maxBytes(c *Column) int64 { return int64(c.Typmod-4) * 4 }

// isLong reports whether texts of a column may be longer than the guard.
func isLong(c *Column) bool { return c.Typmod < 0 || maxBytes(c) > guardedBytes }

// declaredBounds are those of a column within its declared domain, the type's if it has none.
func declaredBounds(c *Column) bounds {
	wide := columnBounds(c)
	if len(c.Domain) == 0 || !wide.known() || isText(c.TypeOID) || c.public() {
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
	declared.tiny = wide.tiny // of the values between those that are listed
	return declared
}

// datumBounds are those of one constant.
func datumBounds(d datum) bounds {
	switch {
	case d.isInfinite(), d.isNaN():
		return bounds{}
	case isTime(d.oid):
		return exactly(big.NewRat(d.micros, day.Microseconds()))
	case isText(d.oid):
		return integers(int64(len(d.text)), int64(len(d.text)))
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
	return columnBounds(a.column), declaredBounds(a.column)
}

// A guard says which values of stored columns count as NULL in an expression.
type guard int

const (
	unguarded     guard = iota // none: the values are passed on as they are
	withinGuards               // those beyond the guards of their types
	withinDomains              // and those outside of their declared domains
)

// guarded prints a column so that the values that the guard keeps out are NULL.
func (w *sqlWriter) guarded(c *Column, g guard) string {
	name := w.value(c)
	if g == unguarded {
		return name
	}
	var tests []string
	switch {
	case c.TypeOID == oidNumeric, isFloat(c.TypeOID):
		limit, inverse := "1e100", "1e-100"
		if c.TypeOID == oidFloat4 {
			limit, inverse = "1e30", "1e-30"
		}
		tests = append(tests, "("+w.span(name, inverse, limit, c.TypeOID)+" OR "+w.span(name, "-"+limit, "-"+inverse, c.TypeOID)+
			" OR "+name+" OPERATOR(pg_catalog.=) "+w.arg("0", typeName(c.TypeOID))+")")
	case c.TypeOID == oidTimestamptz:
		tests = append(tests, w.span(name, guardedFirst+" 00:00:00+00", guardedLast+" 00:00:00+00", c.TypeOID))
	case isTime(c.TypeOID):
		tests = append(tests, w.span(name, guardedFirst, guardedLast, c.TypeOID))
	case isText(c.TypeOID) && isLong(c):
		tests = append(tests, "pg_catalog.octet_length("+name+"::pg_catalog.text) OPERATOR(pg_catalog.<=) "+w.arg(strconv.Itoa(guardedBytes), "pg_catalog.int4"))
	}
	if g == withinDomains && !isText(c.TypeOID) && declaredBounds(c).known() && len(c.Domain) > 0 {
		tests = append(tests, w.declaredTest(c, name))
	}
	if len(tests) == 0 {
		return name
	}
	return "(CASE WHEN " + strings.Join(tests, " AND ") + " THEN " + name + " END)"
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
