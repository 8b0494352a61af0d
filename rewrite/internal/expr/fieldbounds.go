package expr

import (
	"math/big"
	"strings"
	"time"

	"tacit/rewrite/internal/bounds"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/internal/scan"
)

// The bounds of fields of times and intervals (extract and date_part). The noise of a sum is as large as they are far, so those of years and of
// what is made of them are as near as the bounds of the times. Fields that repeat are bounded besides by the values that they can have (known.go).

// fieldTiny is below the exponents of all fields, which have at most six digits behind the point, as binary floating point.
const fieldTiny = -10

// fieldBounds are those of a field of a time or an interval.
func fieldBounds(args []argument, v []bounds.Bounds) bounds.Bounds {
	if !v[1].Known() {
		return bounds.Bounds{}
	}
	unit := strings.TrimSuffix(scan.LowerASCII(args[0].constant.Text), "s")
	var field bounds.Bounds
	switch isTime := pgvalue.IsTime(args[1].oid); {
	case unit == "epoch" && (isTime || args[1].isElapsed()):
		field = v[1].Times(bounds.Exactly(big.NewRat(86400, 1)))
	case isTime:
		field = timeField(unit, v[1])
	case args[1].isElapsed():
		field = differenceField(unit, v[1], v[1].Magnitude().Greatest)
	case args[1].isAge():
		field = differenceField(unit, v[1], big.NewRat(31, 1))
	default:
		field = intervalField(unit, v[1])
	}
	field.Tiny = fieldTiny
	return field
}

// timeField bounds a field of times. Years, and what counts them, rise with the time; there is no year 0.
func timeField(unit string, v bounds.Bounds) bounds.Bounds {
	first, last := yearAt(v.Least), yearAt(v.Greatest)
	if first <= 0 {
		first--
	}
	switch unit {
	case "year":
		return bounds.Integers(first, last)
	case "isoyear":
		return bounds.Integers(first-2, last+1)
	case "decade", "century", "millennium":
		years := map[string]int64{"decade": 10, "century": 100, "millennium": 1000}[unit]
		return bounds.Integers(first/years-1, last/years+1)
	case "doy":
		return bounds.Integers(1, 366)
	case "julian":
		return v.Plus(bounds.Integers(2_440_587, 2_440_589))
	}
	return bounds.Between(new(big.Rat), secondsIn(unit))
}

// yearAt is the year of a day since 1970.
func yearAt(days *big.Rat) int64 {
	whole := new(big.Int).Div(days.Num(), days.Denom())
	return int64(time.Unix(whole.Int64()*int64(pgvalue.Day/time.Second), 0).UTC().Year())
}

// differenceField bounds a field of the time between two times: all its fields have the sign of the whole. A difference has days, of which there
// are at most so many, and no months; an age has years of at least 365 days, months, and the days of less than a month (timestamp_age).
func differenceField(unit string, v bounds.Bounds, days *big.Rat) bounds.Bounds {
	most := days
	switch unit {
	case "year", "decade", "century", "millennium":
		years := map[string]int64{"year": 365, "decade": 3650, "century": 36500, "millennium": 365_000}[unit]
		most = new(big.Rat).Quo(v.Magnitude().Greatest, big.NewRat(years, 1))
	case "quarter":
		return bounds.Integers(-4, 4)
	case "month":
		most = big.NewRat(11, 1)
	case "hour":
		most = big.NewRat(23, 1)
	case "minute":
		most = big.NewRat(59, 1)
	case "second", "millisecond", "microsecond":
		most = secondsIn(unit)
	case "epoch":
		return intervalField(unit, v)
	}
	field := bounds.Between(new(big.Rat).Neg(most), most)
	if v.Least.Sign() >= 0 {
		field.Least = new(big.Rat)
	}
	if v.Greatest.Sign() <= 0 {
		field.Greatest = new(big.Rat)
	}
	return field
}

// intervalField bounds a field of any interval. An epoch is 86400 seconds a day; that of one with months, which count 30 days, and years, which
// count 365.25, is off by less than 400 days. All else is at most the days, or below 400, or a number of microseconds.
func intervalField(unit string, v bounds.Bounds) bounds.Bounds {
	limit := new(big.Rat).Add(v.Magnitude().Greatest, big.NewRat(400, 1))
	switch unit {
	case "epoch":
		limit.Mul(limit, big.NewRat(86400, 1))
	case "microsecond", "millisecond":
		limit = secondsIn(unit)
	}
	return bounds.Between(new(big.Rat).Neg(limit), limit)
}

// secondsIn bounds the seconds of a minute with their fractions, as a field counts them.
func secondsIn(unit string) *big.Rat {
	switch unit {
	case "microsecond":
		return big.NewRat(61_000_000, 1)
	case "millisecond":
		return big.NewRat(61_000, 1)
	}
	return big.NewRat(61, 1)
}

// truncated is a time cut to its unit: moved back by less than the longest one. Where a zone changes its offset, a unit is longer, and a time that
// the zone has twice may be read as the later one.
func truncated(args []argument, v []bounds.Bounds) bounds.Bounds {
	days := map[string]int64{"week": 7, "month": 31, "quarter": 92, "year": 366, "decade": 3653, "century": 36_525, "millennium": 365_250}
	longest := max(1, days[strings.TrimSuffix(scan.LowerASCII(args[0].constant.Text), "s")])
	if len(args) == 3 {
		return v[1].Plus(bounds.Integers(-longest-1, 1))
	}
	return v[1].Plus(bounds.Integers(-longest, 0))
}
