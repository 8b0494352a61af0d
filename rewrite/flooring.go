package rewrite

import (
	"math/big"
	"time"
)

// A flooring says of a column that is computed of a stored date or timestamp that it tells the beginning of the unit of time which this
// lies in: date_trunc('month', admitted), extract(year FROM admitted), seen::date. So a comparison of it says where the stored value lies.
// Times with time zone have none: what their beginnings are depends on the zone's history.
type flooring struct {
	column *Column
	// unit of date_trunc; "" if the value is the column's own, as another type.
	unit string
	// year says that the value is the number of the year, and no time.
	year bool
}

// truncations are the units that are understood, with the beginning of the one that a time lies in and that of the next.
var truncations = map[string]func(t time.Time) (begin, next time.Time){
	"hour":    func(t time.Time) (begin, next time.Time) { b := t.Truncate(time.Hour); return b, b.Add(time.Hour) },
	"day":     func(t time.Time) (begin, next time.Time) { return days(t, 0, 1) },
	"week":    func(t time.Time) (begin, next time.Time) { return days(t, -(int(t.Weekday())+6)%7, 7) }, // from Monday on
	"month":   func(t time.Time) (begin, next time.Time) { return months(t, t.Month(), 1) },
	"quarter": func(t time.Time) (begin, next time.Time) { return months(t, t.Month()-(t.Month()-1)%3, 3) },
	"year":    func(t time.Time) (begin, next time.Time) { return months(t, time.January, 12) },
}

func days(t time.Time, back, n int) (begin, next time.Time) {
	begin = t.Truncate(day).AddDate(0, 0, back)
	return begin, begin.AddDate(0, 0, n)
}

func months(t time.Time, first time.Month, n int) (begin, next time.Time) {
	begin = time.Date(t.Year(), first, 1, 0, 0, 0, 0, time.UTC)
	return begin, begin.AddDate(0, n, 0)
}

// flooring is what a call makes of a stored time, nil if it is none of those.
func (c *call) flooring(args []argument) *flooring {
	source := args[len(args)-1]
	if source.column == nil || familyOf(source.oid) != dates {
		return nil
	}
	inner := source.column.flooring()
	switch name := c.function.name; {
	case inner == nil || inner.year:
		return nil
	case isCast(c.function) && len(args) == 1 && familyOf(c.function.result) == dates:
		if c.function.result == oidDate && source.oid == oidTimestamp {
			return inner.to("day")
		}
		return inner
	case name == "date_trunc" && len(args) == 2 && args[0].column == nil:
		return inner.to(lowerASCII(args[0].constant.text))
	case (name == "extract" || name == "date_part") && args[0].column == nil && lowerASCII(args[0].constant.text) == "year":
		if f := inner.to("year"); f != nil {
			return &flooring{f.column, f.unit, true}
		}
	}
	return nil
}

// to is a flooring to a unit of a value as it is, or of one that is floored to days: all units that are longer begin with a day.
func (f *flooring) to(unit string) *flooring {
	if truncations[unit] == nil || f.unit != "" && (f.unit != "day" || unit == "hour") {
		return nil
	}
	return &flooring{column: f.column, unit: unit}
}

// flooring is that of a column, nil if it has none. A stored time is its own.
func (c *Column) flooring() *flooring {
	switch {
	case c.computation != nil:
		return c.computation.floored
	case familyOf(c.TypeOID) == dates:
		return &flooring{column: c}
	}
	return nil
}

// extent is a superset of the stored values of which the beginning compares with one of several constants as an operator says.
func (f *flooring) extent(op operator, values []datum) Extent {
	var e Extent
	for _, v := range values {
		s, ok := f.span(op, v)
		if !ok {
			return notNull()
		}
		e.spans = append(e.spans, s)
	}
	e.spans = unite(e.spans)
	return e
}

// span are the stored values for one constant v. Let b be the beginning of the unit of v, n that of the next, and x a stored value, whose
// unit begins at t. Since both t and b are beginnings: t <= v iff t <= b iff x < n; t > v iff x >= n; and if v = b, t < v iff x < v, and t >= v iff
// x >= v; else these are as t <= v and t > v. t = v only if v = b, and then iff b <= x < n.
func (f *flooring) span(op operator, v datum) (span, bool) {
	begin, next, whole, ok := f.unitOf(v)
	if !ok || op == unequal {
		return span{}, false
	}
	from, to := cut{at: begin}, cut{at: next}
	if !whole {
		from = to
	}
	switch op {
	case equal:
		return span{cut{at: begin}, to}, true
	case less:
		return span{lowest, from}, true
	case lessEqual:
		return span{lowest, to}, true
	case greater:
		return span{to, highest}, true
	}
	return span{from, highest}, true
}

// unitOf is the unit that a constant lies in, and whether the constant is its beginning.
func (f *flooring) unitOf(v datum) (begin, next point, whole, ok bool) {
	if f.year {
		return yearOf(v)
	}
	if familyOf(v.oid) != dates || v.isInfinite() {
		return point{}, point{}, false, false
	}
	t := time.UnixMicro(v.micros).UTC()
	if f.unit == "" {
		return timePoint(t), timePoint(t.Add(time.Microsecond)), true, true
	}
	b, n := truncations[f.unit](t)
	return timePoint(b), timePoint(n), b.Equal(t), true
}

// yearOf is the year that a number lies in, if it is one of those in which constants are read.
func yearOf(v datum) (begin, next point, whole, ok bool) {
	if familyOf(v.oid) != numbers || v.number == nil || v.number.Cmp(big.NewRat(1, 1)) < 0 || v.number.Cmp(big.NewRat(9999, 1)) > 0 {
		return point{}, point{}, false, false
	}
	year := int(new(big.Int).Quo(v.number.Num(), v.number.Denom()).Int64())
	b, n := months(time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC), time.January, 12)
	return timePoint(b), timePoint(n), v.number.IsInt(), true
}

func timePoint(t time.Time) point { return point{finite, new(big.Rat).SetInt64(t.UnixMicro())} }
