package bounds

import "math/big"

// The bounds of a time are those of its days since 1970.

// Shifted is a time moved by an interval, whose bounds hold the days.
func Shifted(time, days int) func(v []Bounds) Bounds {
	return func(v []Bounds) Bounds {
		far := v[days].Magnitude()
		if !far.Known() {
			return Bounds{}
		}
		return v[time].Plus(Between(new(big.Rat).Neg(far.Greatest), far.Greatest))
	}
}

// Binned is a time moved back by less than the stride, or, before the origin, forward to it.
func Binned(v []Bounds) Bounds {
	if !v[0].Known() || !v[2].Known() {
		return Bounds{}
	}
	return Shifted(1, 0)(v)
}

// ZoneShifted is a time moved by the offset of a time zone: at most 168 hours (DecodePosixTimezone, and tzparse in localtime.c).
func ZoneShifted(v []Bounds) Bounds { return v[1].Plus(Integers(-8, 8)) }
