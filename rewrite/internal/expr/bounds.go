package expr

import (
	"fmt"
	"math/big"
	"strconv"

	"tacit/rewrite/internal/pgvalue"
)

// bounds are what is known of all values of an expression: that they are finite, and where they lie. Numbers bound themselves; dates
// and timestamps are counted in days since 1970, intervals in the days by which they move a time, texts in bytes. Nothing is known of
// the zero bounds.
type bounds struct {
	least, greatest *big.Rat
	// tiny is a decimal exponent below that of every magnitude but zero, for binary floating point, which fails on underflow.
	tiny int
}

// noTiny is the tiny of what decimals can come to: their digits after the point are at most 16383, so that nothing is smaller.
const noTiny = -20_000

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

// exact are the bounds of a sum, a difference or a remainder of decimals, which has all their digits: what is left when two nearly
// cancel can be as small as any decimal.
func (v bounds) exact() bounds {
	v.tiny = noTiny
	return v
}

// rounded are the bounds of a result once its type has rounded it, as binary floating point does. Rounding is monotone: what is between
// two numbers stays between what these are rounded to.
func (v bounds) rounded(oid pgvalue.OID) bounds {
	if !v.known() || !pgvalue.IsFloat(oid) {
		return v
	}
	round := func(n *big.Rat) *big.Rat {
		f, _ := n.Float64()
		if oid == pgvalue.Float4 {
			narrow, _ := n.Float32()
			f = float64(narrow)
		}
		return new(big.Rat).SetFloat64(f) // nil if infinite
	}
	least, greatest := round(v.least), round(v.greatest)
	if least == nil || greatest == nil {
		return bounds{}
	}
	return bounds{least, greatest, v.tiny}
}

// whole are the bounds of a quotient of integers, whose fraction is cut off towards zero, which is monotone.
func (v bounds) whole() bounds {
	if !v.known() {
		return v
	}
	trunc := func(n *big.Rat) *big.Rat { return new(big.Rat).SetInt(new(big.Int).Quo(n.Num(), n.Denom())) }
	return between(trunc(v.least), trunc(v.greatest))
}

// cut are the bounds of a quotient of decimals. It is rounded to at least 16 digits and to no fewer than there are before the point, but
// to at most 1000 after it (select_div_scale in numeric.c), so that one that is next to zero becomes zero, and is no divisor.
func (v bounds) cut() bounds {
	if !v.known() {
		return v
	}
	distance := func(n *big.Rat) *big.Rat {
		e := new(big.Rat).Abs(n)
		e = minRat(e.Quo(e, powerOfTen(15)), big.NewRat(1, 1))
		return e.Add(e, new(big.Rat).Inv(powerOfTen(1000)))
	}
	return bounds{new(big.Rat).Sub(v.least, distance(v.least)), new(big.Rat).Add(v.greatest, distance(v.greatest)), v.tiny}
}

// off are the bounds of a value that is known but for an error.
func (v bounds) off(relative, absolute *big.Rat) bounds {
	if !v.known() {
		return v
	}
	distance := func(n *big.Rat) *big.Rat {
		e := new(big.Rat).Abs(n)
		return e.Add(e.Mul(e, relative), absolute)
	}
	return bounds{new(big.Rat).Sub(v.least, distance(v.least)), new(big.Rat).Add(v.greatest, distance(v.greatest)), v.tiny}
}

// printed are the bounds of binary floating point that was printed with as many digits as it always keeps (FLT_DIG and DBL_DIG).
func (v bounds) printed(oid pgvalue.OID) bounds {
	digits := int64(15)
	if oid == pgvalue.Float4 {
		digits = 6
	}
	p := v.off(new(big.Rat).Inv(powerOfTen(digits-1)), new(big.Rat))
	p.tiny--
	return p
}

// places are the bounds of a decimal without its digits after a place, and thus without all that is smaller. What is next to zero can
// become zero.
func (v bounds) places(n int) bounds {
	p := v.off(new(big.Rat), new(big.Rat).Inv(powerOfTen(int64(n))))
	p.tiny = max(v.tiny, -n) - 1
	return p
}

// only are bounds of a result that holds for finite arguments.
func (v bounds) only(result bounds) bounds {
	if !v.known() {
		return bounds{}
	}
	return result
}

// widened are the bounds of a value that was rounded to a whole number, or cut.
func (v bounds) widened() bounds {
	if !v.known() {
		return v
	}
	w := v.off(new(big.Rat), big.NewRat(1, 1))
	w.tiny = min(v.tiny, 0)
	return w
}

// Guards: a column that is an argument of a function counts as NULL where it is beyond what any table means, so that arithmetic
// cannot overflow and functions of texts have bounded cost. PostgreSQL would go on with such values, or fail.
const (
	guardedExponent     = 100          // numbers: zero, or from 1e-100 to 1e100 in magnitude
	guardedRealExponent = 30           // the same for real
	guardedBytes        = 65536        // texts
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

// maxTextBytes bounds every text that is computed. PostgreSQL fails at 1 GB.
const maxTextBytes = 1 << 20

var guardedMagnitude, guardedReal = powerOfTen(guardedExponent), powerOfTen(guardedRealExponent)

func powerOfTen(n int64) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(n), nil))
}

// typeBounds are those of a column of a type, once guarded.
func typeBounds(oid pgvalue.OID) bounds {
	switch {
	case pgvalue.IsInteger(oid):
		return integers(pgvalue.IntegerBounds(oid))
	case oid == pgvalue.Float4:
		return bounds{new(big.Rat).Neg(guardedReal), guardedReal, -guardedRealExponent - 1}.rounded(oid)
	case pgvalue.FamilyOf(oid) == pgvalue.Numbers:
		return bounds{new(big.Rat).Neg(guardedMagnitude), guardedMagnitude, -guardedExponent - 1}.rounded(oid)
	case pgvalue.IsTime(oid):
		return integers(firstDay, lastDay+1)
	case pgvalue.IsText(oid):
		return integers(0, guardedBytes)
	}
	return bounds{}
}

// declaredBounds are those of a column within its declared domain, the type's if it has none.
func declaredBounds(c *Column) bounds {
	if least, greatest, tiny, ok := declaredSpan(c); ok {
		return bounds{datumBounds(least).least, datumBounds(greatest).greatest, tiny}
	}
	return columnBounds(c)
}

// columnBounds are those of a column, once guarded.
func columnBounds(c *Column) bounds {
	if pgvalue.IsText(c.TypeOID) && !isLong(c) {
		return integers(0, int64(c.Typmod-4)*maxCharacterBytes)
	}
	return typeBounds(c.TypeOID)
}

// isLong reports whether texts of a column may be longer than the guard.
func isLong(c *Column) bool { return c.Typmod < 0 || int(c.Typmod) > guardedBytes/maxCharacterBytes }

// declaredSpan is what a declared domain of numbers or times lies in: its least and its greatest value, and a decimal exponent below
// those of all magnitudes but zero. There is none if the domain reaches beyond the guards.
func declaredSpan(c *Column) (least, greatest pgvalue.Datum, tiny int, ok bool) {
	wide := typeBounds(c.TypeOID)
	if len(c.Domain) == 0 || !wide.known() || c.Public() || pgvalue.IsText(c.TypeOID) {
		return pgvalue.Datum{}, pgvalue.Datum{}, 0, false
	}
	for i, text := range c.Domain {
		d, refusal := pgvalue.ReadDatum(c.TypeOID, text)
		v := datumBounds(d)
		if refusal != nil || !v.within(wide.least, wide.greatest) || pgvalue.IsDecimal(c.TypeOID) && v.tiny < wide.tiny {
			return pgvalue.Datum{}, pgvalue.Datum{}, 0, false
		}
		if i == 0 || v.least.Cmp(datumBounds(least).least) < 0 {
			least = d
		}
		if i == 0 || v.greatest.Cmp(datumBounds(greatest).greatest) > 0 {
			greatest = d
		}
		tiny = min(tiny, v.tiny)
	}
	if c.Until != "" { // what is computed means the same tomorrow
		greatest, _ = pgvalue.ReadDatum(c.TypeOID, lastOf(c.TypeOID))
	}
	return least, greatest, tiny, true
}

// lastOf is the last value of a type of times that is within the guards.
func lastOf(oid pgvalue.OID) string {
	if oid == pgvalue.Timestamptz {
		return guardedLast + " 00:00:00+00"
	}
	return guardedLast
}

// datumBounds are those of one constant.
func datumBounds(d pgvalue.Datum) bounds {
	switch {
	case d.IsInfinite(), d.IsNaN():
		return bounds{}
	case pgvalue.IsTime(d.OID):
		return exactly(big.NewRat(d.Micros, pgvalue.Day.Microseconds()))
	case d.Number != nil:
		return exactly(d.Number)
	case pgvalue.IsText(d.OID):
		return exactly(big.NewRat(int64(len(d.Text)), 1))
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
type nullRule int

const (
	unguarded     nullRule = iota // none: the values are passed on as they are
	withinGuards                  // those beyond the guards of their types
	withinDomains                 // and those outside of their declared domains
)

// guarded prints a column so that the values that the guard keeps out are NULL.
func (w *SQLWriter) guarded(c *Column, g nullRule) string {
	name := w.Value(c)
	if g == unguarded {
		return name
	}
	limit, inverse := "1e100", "1e-100"
	if c.TypeOID == pgvalue.Float4 {
		limit, inverse = "1e30", "1e-30"
	}
	test := ""
	switch least, greatest, tiny, declared := declaredSpan(c); {
	case g == withinDomains && declared:
		test = w.span(name, least.Text, greatest.Text, c.TypeOID)
		if pgvalue.IsDecimal(c.TypeOID) {
			test += " AND " + w.sized(name, fmt.Sprintf("1e%d", tiny), limit, c.TypeOID)
		}
	case pgvalue.IsDecimal(c.TypeOID):
		test = w.sized(name, inverse, limit, c.TypeOID)
	case c.TypeOID == pgvalue.Timestamptz:
		test = w.span(name, guardedFirst+" 00:00:00+00", lastOf(c.TypeOID), c.TypeOID)
	case pgvalue.IsTime(c.TypeOID):
		test = w.span(name, guardedFirst, guardedLast, c.TypeOID)
	case pgvalue.IsText(c.TypeOID) && isLong(c):
		test = "pg_catalog.octet_length(" + name + "::pg_catalog.text) OPERATOR(pg_catalog.<=) " + w.Arg(strconv.Itoa(guardedBytes), "pg_catalog.int4")
	}
	if test == "" {
		return name
	}
	return "(CASE WHEN " + test + " THEN " + name + " END)"
}

// maxCharacterBytes is the length of the longest character in UTF-8.
const maxCharacterBytes = 4

// sized prints a test that a number is zero, or between two magnitudes.
func (w *SQLWriter) sized(name, least, greatest string, oid pgvalue.OID) string {
	return "(" + w.span(name, least, greatest, oid) + " OR " + w.span(name, "-"+greatest, "-"+least, oid) +
		" OR " + name + " OPERATOR(pg_catalog.=) " + w.Arg("0", pgvalue.TypeName(oid)) + ")"
}

// span prints a test that a value lies between two constants.
func (w *SQLWriter) span(name, least, greatest string, oid pgvalue.OID) string {
	return name + " OPERATOR(pg_catalog.>=) " + w.Arg(least, pgvalue.TypeName(oid)) + " AND " + name + " OPERATOR(pg_catalog.<=) " + w.Arg(greatest, pgvalue.TypeName(oid))
}
