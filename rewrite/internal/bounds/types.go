package bounds

import (
	"math/big"
	"strconv"
	"time"

	"tacit/rewrite/internal/pgvalue"
)

// Guards: a column that is an argument of a function counts as NULL where it is beyond what any table means, so that arithmetic
// cannot overflow and functions of texts have bounded cost. PostgreSQL would go on with such values, or fail.
const (
	guardedExponent     = 100          // numbers: zero, or from 1e-100 to 1e100 in magnitude
	guardedRealExponent = 30           // the same for real
	GuardedBytes        = 65536        // texts
	GuardedFirst        = "0001-01-01" // dates and times
	GuardedLast         = "9999-12-31"
	GuardedInterval     = "178000000 years" // as intervals are compared: infinite ones are beyond it
	firstDay            = -719162           // GuardedFirst in days since 1970
	lastDay             = 2932896
)

// Dates and timestamps of PostgreSQL reach from 4713 BC to the year 294276.
const (
	minDay = -2_440_000
	maxDay = 100_000_000
)

// maxIntervalDays is above the seconds of any interval that is finite, in days: 2^31 months of 365.25/12 days, 2^31 days and 2^63 microseconds.
const maxIntervalDays = 70_000_000_000

// MaxTextBytes bounds every text that is computed. PostgreSQL fails at 1 GB.
const MaxTextBytes = 1 << 20

// GuardedMagnitude is the largest number, guardedReal the largest real.
var GuardedMagnitude, guardedReal = PowerOfTen(guardedExponent), PowerOfTen(guardedRealExponent)

// OfType are those of a column of a type, once guarded.
func OfType(oid pgvalue.OID) Bounds {
	switch {
	case pgvalue.IsInteger(oid):
		return Integers(pgvalue.IntegerBounds(oid))
	case oid == pgvalue.Float4:
		return Bounds{Least: new(big.Rat).Neg(guardedReal), Greatest: guardedReal, Tiny: -guardedRealExponent - 1}.Rounded(oid)
	case pgvalue.FamilyOf(oid) == pgvalue.Numbers:
		return Bounds{Least: new(big.Rat).Neg(GuardedMagnitude), Greatest: GuardedMagnitude, Tiny: -guardedExponent - 1}.Rounded(oid)
	case pgvalue.IsTime(oid):
		return Integers(firstDay, lastDay+1)
	case oid == pgvalue.Interval:
		return Integers(-maxIntervalDays, maxIntervalDays)
	case pgvalue.IsText(oid), pgvalue.IsStructured(oid): // as it is written
		return Integers(0, GuardedBytes)
	}
	return Bounds{}
}

// OfConstant are those of one constant.
func OfConstant(d pgvalue.Datum) Bounds {
	switch {
	case d.IsInfinite(), d.IsNaN():
		return Bounds{}
	case pgvalue.IsTime(d.OID):
		return Exactly(big.NewRat(d.Micros, pgvalue.Day.Microseconds()))
	case d.Number != nil:
		return Exactly(d.Number)
	case pgvalue.IsText(d.OID):
		return Exactly(big.NewRat(int64(len(d.Text)), 1))
	}
	return Bounds{}
}

// Fits reports whether every value is one of the type, and computed without an error.
func Fits(oid pgvalue.OID, v Bounds) bool {
	limit := func(exponent int64) bool {
		n := PowerOfTen(exponent)
		return v.Within(new(big.Rat).Neg(n), n)
	}
	switch {
	case !v.Known():
		return false
	case pgvalue.IsInteger(oid):
		t := OfType(oid)
		return v.Within(t.Least, t.Greatest)
	case oid == pgvalue.Float4:
		return limit(37) && v.Tiny > -37
	case oid == pgvalue.Float8:
		return limit(300) && v.Tiny > -300
	case oid == pgvalue.Numeric:
		return limit(1000)
	case pgvalue.IsTime(oid):
		return v.Within(big.NewRat(minDay, 1), big.NewRat(maxDay, 1))
	case pgvalue.IsText(oid):
		return v.Within(new(big.Rat), big.NewRat(MaxTextBytes, 1))
	}
	return true
}

// OfTexts are those of the whole numbers that a function yields, in order.
func OfTexts(texts []string) Bounds {
	least, _ := strconv.ParseInt(texts[0], 10, 64)
	greatest, _ := strconv.ParseInt(texts[len(texts)-1], 10, 64)
	return Integers(least, greatest)
}

// OfYear are those of the times of a year in any time zone.
func OfYear(year int) Bounds {
	days := func(y int) int64 { return time.Date(y, time.January, 1, 0, 0, 0, 0, time.UTC).Unix() / 86400 }
	return Integers(days(year)-1, days(year+1)+1)
}
