package expr

import (
	"math/big"
	"strings"

	"tacit/rewrite/internal/bounds"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/internal/scan"
)

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
	case unit == "epoch" && (isTime || args[1].boundsEpoch()):
		field = v[1].Times(bounds.Exactly(big.NewRat(86400, 1)))
	case isTime:
		field = bounds.OfTimeField(unit, v[1])
	case args[1].isElapsed():
		field = bounds.OfDifferenceField(unit, v[1], v[1].Magnitude().Greatest)
	case args[1].isAge():
		field = bounds.OfDifferenceField(unit, v[1], big.NewRat(31, 1))
	default:
		field = bounds.OfIntervalField(unit, v[1])
	}
	field.Tiny = fieldTiny
	return field
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
