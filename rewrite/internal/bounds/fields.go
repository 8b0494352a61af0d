package bounds

import (
	"math/big"
	"time"

	"tacit/rewrite/internal/pgvalue"
)

// The bounds of fields of times and intervals (extract and date_part), by the name of the field in lower case and in the singular. The noise of a sum is
// as large as they are far, so those of years and of what is made of them are as near as the bounds of the times.

// OfTimeField bounds a field of times. Years, and what counts them, rise with the time; there is no year 0.
func OfTimeField(unit string, v Bounds) Bounds {
	first, last := yearAt(v.Least), yearAt(v.Greatest)
	if first <= 0 {
		first--
	}
	switch unit {
	case "year":
		return Integers(first, last)
	case "isoyear":
		return Integers(first-2, last+1)
	case "decade", "century", "millennium":
		years := map[string]int64{"decade": 10, "century": 100, "millennium": 1000}[unit]
		return Integers(first/years-1, last/years+1)
	case "doy":
		return Integers(1, 366)
	case "julian":
		return v.Plus(Integers(2_440_587, 2_440_589))
	}
	return Between(new(big.Rat), secondsIn(unit))
}

// yearAt is the year of a day since 1970.
func yearAt(days *big.Rat) int64 {
	whole := new(big.Int).Div(days.Num(), days.Denom())
	return int64(time.Unix(whole.Int64()*int64(pgvalue.Day/time.Second), 0).UTC().Year())
}

// OfDifferenceField bounds a field of the time between two times: all its fields have the sign of the whole. A difference has days, of which there
// are at most so many, and no months; an age has years of at least 365 days, months, and the days of less than a month (timestamp_age).
func OfDifferenceField(unit string, v Bounds, days *big.Rat) Bounds {
	most := days
	switch unit {
	case "year", "decade", "century", "millennium":
		years := map[string]int64{"year": 365, "decade": 3650, "century": 36500, "millennium": 365_000}[unit]
		most = new(big.Rat).Quo(v.Magnitude().Greatest, big.NewRat(years, 1))
	case "quarter":
		return Integers(-4, 4)
	case "month":
		most = big.NewRat(11, 1)
	case "hour":
		most = big.NewRat(23, 1)
	case "minute":
		most = big.NewRat(59, 1)
	case "second", "millisecond", "microsecond":
		most = secondsIn(unit)
	case "epoch":
		return OfIntervalField(unit, v)
	}
	field := Between(new(big.Rat).Neg(most), most)
	if v.Least.Sign() >= 0 {
		field.Least = new(big.Rat)
	}
	if v.Greatest.Sign() <= 0 {
		field.Greatest = new(big.Rat)
	}
	return field
}

// OfIntervalField bounds a field of any interval. An epoch is 86400 seconds a day; that of one with months, which count 30 days, and years, which
// count 365.25, is off by less than 400 days. All else is at most the days, or below 400, or a number of microseconds.
func OfIntervalField(unit string, v Bounds) Bounds {
	limit := new(big.Rat).Add(v.Magnitude().Greatest, big.NewRat(400, 1))
	switch unit {
	case "epoch":
		limit.Mul(limit, big.NewRat(86400, 1))
	case "microsecond", "millisecond":
		limit = secondsIn(unit)
	}
	return Between(new(big.Rat).Neg(limit), limit)
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
