package expr

import (
	"slices"
	"strings"
	"time"

	"tacit/rewrite/internal/extent"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/internal/scan"
	"tacit/rewrite/internal/timetext"
)

// A Grain is a unit of time that an expression does not look into: of two instants in one minute of local time, an expression of grain
// ByMinute has the same value. The longer the unit, the larger the number; an expression can be known to be of a shorter grain than it is.
//
// So the values that an expression has over a span of time are those that it has at some instants of the span: one in each unit that the span
// meets. If instants are no further apart than a unit is long, and the first and the last of the span are among them, each unit has one.
//
// A local unit is cut shorter where a zone changes its offset. No day of any zone has had less than two hours, and instants are no further apart. An hour
// begins with a quarter of an hour of UTC since 1980, unless its beginning is skipped, and then at least a quarter is left of it: so instants are those
// at which a quarter begins, even of an hour that lasts a minute since its zone changes its clocks at 0:01. Before, they are whole minutes, and before
// 1972, where offsets have seconds, hours are not known; nor is anything of a zone whose rules the analyst writes herself.
type Grain int

const (
	// ByInstant says nothing.
	ByInstant Grain = iota
	ByMinute
	ByHour
	ByDay
	// ByNothing is that of an expression that does not depend on the time at all.
	ByNothing
)

// Quarter is how far instants of a time with time zone are apart, of which all but the ends of a span are the beginnings of quarters of an hour. Where
// longer steps do they are a quarter apart at the beginning of a span, for as long as one step lasts: the last hour of a day comes again where a zone
// goes back at midnight, and the span may begin in between.
const Quarter = 15 * time.Minute

// Step is how far instants may be apart.
func (g Grain) Step(zoned bool) time.Duration {
	switch {
	case g == ByMinute:
		return time.Minute
	case zoned && g >= ByDay:
		return 2 * time.Hour
	case zoned:
		return Quarter
	case g == ByHour:
		return time.Hour
	}
	return pgvalue.Day
}

// GrainOf is in which units of time a column depends on a stored one.
func (c *Column) GrainOf(stored *Column) Grain {
	switch {
	case c == stored:
		return ByInstant
	case !slices.Contains(c.Inputs(), stored):
		return ByNothing
	case c.computation.grain != ByInstant:
		return c.computation.grain
	}
	grain := ByNothing
	for _, p := range c.computation.parts {
		grain = min(grain, p.GrainOf(stored))
	}
	return grain
}

// grain is that of a call of a function that cuts or takes apart a stored time, or its local time; ByInstant of others.
func (c *Call) grain(args []argument) Grain {
	at := slices.IndexFunc(args, func(a argument) bool { return a.column != nil })
	if at < 0 || slices.ContainsFunc(args[at+1:], func(a argument) bool { return a.column != nil }) || !isClock(args[at].column) {
		return ByInstant
	}
	switch name := c.Function.Name; {
	case name == "date_trunc" && len(args) == 3 && !isNamedZone(args[2]):
		return ByInstant
	case name == "date_trunc", name == "extract", name == "date_part":
		return unitGrain(scan.LowerASCII(args[0].constant.Text))
	case isCast(c.Function) && c.Function.Result == pgvalue.Date:
		return ByDay
	case name == "to_char":
		return formatGrain(args[1].constant.Text)
	}
	return ByInstant
}

// isClock reports whether a column is a stored time, or its local time in a zone.
func isClock(c *Column) bool {
	if c.Stored() {
		return pgvalue.IsTime(c.TypeOID)
	}
	return c.computation.local
}

// isLocal reports whether a call is the local time of a stored one.
func (c *Call) isLocal(args []argument) bool {
	return c.Function.Name == "timezone" && args[1].column != nil && args[1].column.Stored() && args[1].oid == pgvalue.Timestamptz && isNamedZone(args[0])
}

// inUTC is the time that a call takes for one in UTC, or the instant of such a time of which it tells the time in UTC; nil of other calls. Cube writes
// one around the other, around each time column.
func (c *Call) inUTC(args []argument) *Column {
	if c.Function.Name != "timezone" || args[0].null || args[0].untold || args[0].constant.Text != "UTC" && args[0].constant.Text != "Etc/UTC" {
		return nil
	}
	if of := args[1].column; args[1].oid == pgvalue.Timestamp || of.computation != nil && of.computation.utc != nil {
		return of
	}
	return nil
}

// isNamedZone reports whether a zone is not one whose rules are written out, as AAA0BBB,J60,J300 is: those could change an offset by whole days.
func isNamedZone(zone argument) bool { return !strings.Contains(zone.constant.Text, ",") }

func unitGrain(unit string) Grain {
	switch strings.TrimSuffix(unit, "s") {
	case "minute":
		return ByMinute
	case "hour":
		return ByHour
	case "day", "week", "month", "quarter", "year", "decade", "century", "centurie", "millennium", "dow", "isodow", "doy", "isoyear", "julian":
		if unit == "julian" {
			return ByInstant // which has a fraction
		}
		return ByDay
	}
	return ByInstant
}

// formatGrain is that of the finest word in a format of to_char.
func formatGrain(format string) Grain {
	grain := ByDay
	words, ok := timetext.Words(format)
	if !ok {
		return ByInstant
	}
	for _, word := range words {
		switch word {
		case "HH24", "HH12", "HH", "AM", "PM", "am", "pm":
			grain = min(grain, ByHour)
		case "MI":
			grain = min(grain, ByMinute)
		case "SS", "MS", "US":
			return ByInstant
		}
	}
	return grain
}

// A Stretch is a stretch of time, with both of its ends.
type Stretch struct{ First, Last time.Time }

// Since when all zones differ from UTC by whole minutes, and by whole quarters of an hour.
var (
	wholeMinutes = time.Date(1972, 5, 1, 0, 0, 0, 0, time.UTC)
	quarters     = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
)

// since is the grain in which a time with time zone is gone through from an instant on; ok is false if none is fine enough.
func (g Grain) since(first time.Time) (finer Grain, ok bool) {
	switch {
	case g >= ByDay || !first.Before(quarters):
		return g, true
	case first.Before(wholeMinutes):
		return g, false
	}
	return ByMinute, true
}

// Stretches are those in which a stored timestamp lies in rows that meet a condition. They are gone through in a grain that is as fine as the one that is
// asked for. ok is false if they have no end, or if no grain is fine enough. The timestamp may be NULL besides.
func (c *Column) Stretches(where Formula, of Grain) (stretches []Stretch, g Grain, null, ok bool) {
	g = of
	if !c.Stored() || c.TypeOID != pgvalue.Timestamp && c.TypeOID != pgvalue.Timestamptz {
		return nil, g, false, false
	}
	e := c.reach(where)
	if e.Any {
		return nil, g, false, false
	}
	for _, s := range extent.Whole(e.Spans, 1) {
		if s.From.At.Rank != extent.Finite || s.To.At.Rank != extent.Finite {
			return nil, g, false, false
		}
		micros := func(c extent.Cut) int64 { return c.At.Value.Num().Int64() }
		first := time.UnixMicro(micros(s.From)).UTC()
		if c.TypeOID == pgvalue.Timestamptz {
			if g, ok = g.since(first); !ok {
				return nil, g, false, false
			}
		}
		stretches = append(stretches, Stretch{first, time.UnixMicro(micros(s.To) - 1).UTC()})
	}
	return stretches, g, e.Null && !c.NotNull, true
}
