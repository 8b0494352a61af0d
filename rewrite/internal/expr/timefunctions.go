package expr

import (
	"math/big"
	"slices"
	"strings"

	"tacit/rewrite/internal/bounds"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/internal/scan"
	"tacit/rewrite/internal/timetext"
	"tacit/rewrite/pgerror"
)

// timeFunctions are those of dates, times and intervals. Timestamps with time zone are turned to local time first, see localTime.
func timeFunctions() []Overload {
	return slices.Concat(timeOperators(), namedTimeFunctions(), fieldFunctions())
}

func timeOperators() []Overload {
	var list overloads
	list.add(
		infix("+", "date int4 -> date").within(func(v []bounds.Bounds) bounds.Bounds { return v[0].Plus(v[1]) }),
		infix("+", "int4 date -> date").within(func(v []bounds.Bounds) bounds.Bounds { return v[0].Plus(v[1]) }),
		infix("-", "date int4 -> date").within(func(v []bounds.Bounds) bounds.Bounds { return v[0].Minus(v[1]) }),
		infix("-", "date date -> int4").within(func(v []bounds.Bounds) bounds.Bounds { return v[0].Minus(v[1]) }),
		infix("-", "timestamp timestamp -> interval").within(elapsed),
		infix("-", "timestamptz timestamptz -> interval").within(elapsed),
		prefix("-", "interval -> interval").only(intervalReason),
		infix("*", "interval float8 -> interval").only(intervalReason),
		infix("*", "float8 interval -> interval").only(intervalReason),
		infix("+", "interval interval -> interval").only(intervalReason),
		infix("-", "interval interval -> interval").only(intervalReason),
	)
	for _, oid := range []string{"date", "timestamp"} {
		list.add(
			infix("+", oid+" interval -> timestamp").constants(1).within(bounds.Shifted(0, 1)),
			infix("-", oid+" interval -> timestamp").constants(1).within(bounds.Shifted(0, 1)),
			infix("+", "interval "+oid+" -> timestamp").constants(0).within(bounds.Shifted(1, 0)),
		)
	}
	list.add(
		infix("+", "timestamptz interval -> timestamptz").constants(1).checked(byTheClock(1)).within(bounds.Shifted(0, 1)),
		infix("-", "timestamptz interval -> timestamptz").constants(1).checked(byTheClock(1)).within(bounds.Shifted(0, 1)),
		infix("+", "interval timestamptz -> timestamptz").constants(0).checked(byTheClock(0)).within(bounds.Shifted(1, 0)),
	)
	return list
}

// zoneCheck is what a time zone makes of some moments. Which zone an abbreviation stands for depends on timezone_abbreviations, and since PostgreSQL 18 on TimeZone.
const zoneCheck = "pg_catalog.to_jsonb(ARRAY(SELECT pg_catalog.timezone(%s, x.t) FROM pg_catalog.unnest('{1950-01-01 00:00:00+00,1970-07-01 00:00:00+00,1990-01-01 00:00:00+00," +
	"2010-07-01 00:00:00+00,2025-01-01 00:00:00+00,2025-07-01 00:00:00+00}'::pg_catalog.timestamptz[]) AS x(t)))"

func namedTimeFunctions() []Overload {
	return []Overload{
		simple("timezone", "text timestamptz -> timestamp").constants(0).within(bounds.ZoneShifted).
			checkedByServer(0, zoneCheck),
		simple("timezone", "text timestamp -> timestamptz").constants(0).within(bounds.ZoneShifted).
			checkedByServer(0, zoneCheck),
		simple("date_trunc", "text timestamp -> timestamp").constants(0).checked(units(0, truncUnits)).bounded(truncated),
		simple("date_trunc", "text timestamptz -> timestamptz").only(zoneReason),
		simple("date_trunc", "text timestamptz text -> timestamptz").constants(0, 2).checked(units(0, truncUnits)).bounded(truncated).
			checkedByServer(2, zoneCheck),
		simple("date_trunc", "text interval -> interval").only(intervalReason),
		simple("date_bin", "interval timestamp timestamp -> timestamp").constants(0, 2).checked(binStride).within(bounds.Binned),
		simple("date_bin", "interval timestamptz timestamptz -> timestamptz").constants(0, 2).checked(binStride).within(bounds.Binned),
		simple("to_timestamp", "float8 -> timestamptz").within(func(v []bounds.Bounds) bounds.Bounds { return v[0].Over(bounds.Exactly(big.NewRat(86400, 1))) }),
		simple("to_timestamp", "text text -> timestamptz").only(failsReason),
		simple("to_char", "timestamp text -> text").constants(1).checked(timeFormat).within(formatted),
		simple("to_char", "timestamptz text -> text").only(zoneReason),
		simple("to_char", "numeric text -> text").only(formatReason),
		simple("to_char", "int4 text -> text").only(formatReason),
		simple("to_char", "int8 text -> text").only(formatReason),
		simple("to_char", "float8 text -> text").only(formatReason),
		simple("to_char", "interval text -> text").only(intervalReason),
		simple("age", "timestamp timestamp -> interval").within(elapsed),
		simple("age", "timestamptz timestamptz -> interval").only(zoneReason),
		simple("to_date", "text text -> date").only(failsReason),
		simple("make_date", "int4 int4 int4 -> date").only(failsReason),
		simple("now", " -> timestamptz").within(func([]bounds.Bounds) bounds.Bounds { return bounds.OfType(pgvalue.Timestamptz) }),
		simple("current_setting", "text -> text").only("it depends on the session"),
	}
}

// fieldFunctions are extract and date_part.
func fieldFunctions() []Overload {
	var list overloads
	for _, source := range []struct {
		oid   string
		units []string
		why   string
	}{
		{"date", dateFields, ""}, {"timestamp", timeFields, ""}, {"interval", intervalFields, ""}, {"timestamptz", nil, zoneReason},
	} {
		part := simple("date_part", "text "+source.oid+" -> float8").constants(0).checked(units(0, source.units))
		extract := define("extract", "text "+source.oid+" -> numeric", "pg_catalog.date_part(%s, %s)::pg_catalog.numeric").
			constants(0).checked(units(0, source.units))
		extract.Plain = "pg_catalog.date_part(%s, %s)::pg_catalog.numeric"
		part, extract = part.bounded(fieldBounds), extract.bounded(fieldBounds)
		if source.why != "" {
			part, extract = part.only(source.why), extract.only(source.why)
		}
		list.add(part, extract)
	}
	return list
}

// byTheClock allows intervals of hours and less, which are as long in every time zone. A day has 23 to 25 hours.
func byTheClock(i int) func([]argument) *pgerror.Refusal {
	return func(args []argument) *pgerror.Refusal {
		if pgvalue.HasDays(args[i].constant.Text) {
			return daysOfZone.With()
		}
		return nil
	}
}

// elapsed is the time between two times, neither of which may be infinite.
func elapsed(v []bounds.Bounds) bounds.Bounds { return v[0].Minus(v[1]) }

// formatted is a time in a format of at most MaxTextArgument bytes, of which none stands for more than ten.
func formatted([]bounds.Bounds) bounds.Bounds { return bounds.Integers(0, 10*bounds.MaxTextArgument) }

// binStride is what date_bin checks when it reaches a row.
func binStride(args []argument) *pgerror.Refusal {
	stride := args[0].constant
	wrong := func(part string) bool { return strings.Contains(stride.Text, part) }
	if slices.ContainsFunc([]string{"-", "mon", "year"}, wrong) || stride.Number.Sign() == 0 {
		return strideWrong.With()
	}
	return nil
}

var (
	truncUnits = []string{"microseconds", "milliseconds", "second", "minute", "hour", "day", "week", "month", "quarter", "year", "decade", "century", "millennium"}
	dateFields = []string{"century", "day", "decade", "dow", "doy", "epoch", "isodow", "isoyear", "julian", "millennium", "month", "quarter", "week", "year"}
	timeFields = slices.Concat(dateFields, []string{"hour", "minute", "second", "microseconds", "milliseconds"})
	// intervalFields leave out those that only dates have.
	intervalFields = []string{"century", "day", "decade", "epoch", "hour", "microseconds", "millennium", "milliseconds", "minute", "month", "quarter", "second", "year"}
)

// pluralUnits are those that PostgreSQL knows in the plural, too (deltatktbl in datetime.c).
var pluralUnits = []string{"second", "minute", "hour", "day", "week", "month", "year", "decade"}

// units allows the units of a function; PostgreSQL reads them without regard to case, and some in the plural.
func units(i int, known []string) func([]argument) *pgerror.Refusal {
	return func(args []argument) *pgerror.Refusal {
		unit := scan.LowerASCII(args[i].constant.Text)
		if singular := strings.TrimSuffix(unit, "s"); slices.Contains(known, unit) || slices.Contains(pluralUnits, singular) && slices.Contains(known, singular) {
			return nil
		}
		return unitUnknown.With(args[i].constant.Text, strings.Join(known, ", "))
	}
}

func timeFormat(args []argument) *pgerror.Refusal {
	format := args[1].constant.Text
	if _, ok := timetext.Words(format); !ok || len(format) > bounds.MaxTextArgument {
		return formatUnknown.With(format)
	}
	return nil
}
