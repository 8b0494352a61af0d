package expr

import (
	"math/big"
	"time"

	"tacit/rewrite/internal/extent"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/internal/scan"
)

// A dateTrunc says of a column that is computed of a stored date or timestamp that it tells the beginning of the unit of time which this
// lies in: date_trunc('month', admitted), extract(year FROM admitted), seen::date. So a comparison of it says where the stored value lies.
// Times with time zone have none: what their beginnings are depends on the zone's history.
type dateTrunc struct {
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
	begin = t.Truncate(pgvalue.Day).AddDate(0, 0, back)
	return begin, begin.AddDate(0, 0, n)
}

func months(t time.Time, first time.Month, n int) (begin, next time.Time) {
	begin = time.Date(t.Year(), first, 1, 0, 0, 0, 0, time.UTC)
	return begin, begin.AddDate(0, n, 0)
}

// dateTrunc is what a call makes of a stored time, nil if it is none of those.
func (c *Call) dateTrunc(args []argument) *dateTrunc {
	source := args[len(args)-1]
	if source.column == nil || pgvalue.FamilyOf(source.oid) != pgvalue.Dates {
		return nil
	}
	inner := source.column.dateTrunc()
	switch name := c.Function.Name; {
	case inner == nil || inner.year:
		return nil
	case isCast(c.Function) && len(args) == 1 && pgvalue.FamilyOf(c.Function.Result) == pgvalue.Dates:
		if c.Function.Result == pgvalue.Date && source.oid == pgvalue.Timestamp {
			return inner.to("day")
		}
		return inner
	case name == "date_trunc" && len(args) == 2 && args[0].column == nil:
		return inner.to(scan.LowerASCII(args[0].constant.Text))
	case (name == "extract" || name == "date_part") && args[0].column == nil && scan.LowerASCII(args[0].constant.Text) == "year":
		if f := inner.to("year"); f != nil {
			return &dateTrunc{f.column, f.unit, true}
		}
	}
	return nil
}

// to is a truncation to a unit of a value as it is, or of one that is truncated to days: all units that are longer begin with a day.
func (f *dateTrunc) to(unit string) *dateTrunc {
	if truncations[unit] == nil || f.unit != "" && (f.unit != "day" || unit == "hour") {
		return nil
	}
	return &dateTrunc{column: f.column, unit: unit}
}

// dateTrunc is that of a column, nil if it has none. A stored time is its own.
func (c *Column) dateTrunc() *dateTrunc {
	switch {
	case c.computation != nil:
		return c.computation.trunc
	case pgvalue.FamilyOf(c.TypeOID) == pgvalue.Dates:
		return &dateTrunc{column: c}
	}
	return nil
}

// extent is a superset of the stored values of which the beginning compares with one of several constants as an operator says.
func (f *dateTrunc) extent(op Operator, values []pgvalue.Datum) extent.Extent {
	var e extent.Extent
	for _, v := range values {
		s, ok := f.span(op, v)
		if !ok {
			return extent.NotNull()
		}
		e.Spans = append(e.Spans, s)
	}
	e.Spans = extent.Unite(e.Spans)
	return e
}

// span are the stored values for one constant v. Let b be the beginning of the unit of v, n that of the next, and x a stored value, whose
// unit begins at t. Since both t and b are beginnings: t <= v iff t <= b iff x < n; t > v iff x >= n; and if v = b, t < v iff x < v, and t >= v iff
// x >= v; else these are as t <= v and t > v. t = v only if v = b, and then iff b <= x < n.
func (f *dateTrunc) span(op Operator, v pgvalue.Datum) (extent.Span, bool) {
	begin, next, whole, ok := f.unitOf(v)
	if !ok || op == Unequal {
		return extent.Span{}, false
	}
	from, to := extent.Cut{At: begin}, extent.Cut{At: next}
	if !whole {
		from = to
	}
	switch op {
	case Equal:
		return extent.Span{From: extent.Cut{At: begin}, To: to}, true
	case Less:
		return extent.Span{From: extent.Lowest, To: from}, true
	case LessEqual:
		return extent.Span{From: extent.Lowest, To: to}, true
	case Greater:
		return extent.Span{From: to, To: extent.Highest}, true
	}
	return extent.Span{From: from, To: extent.Highest}, true
}

// unitOf is the unit that a constant lies in, and whether the constant is its beginning.
func (f *dateTrunc) unitOf(v pgvalue.Datum) (begin, next extent.Point, whole, ok bool) {
	if f.year {
		return yearOf(v)
	}
	if pgvalue.FamilyOf(v.OID) != pgvalue.Dates || v.IsInfinite() {
		return extent.Point{}, extent.Point{}, false, false
	}
	t := time.UnixMicro(v.Micros).UTC()
	if f.unit == "" {
		return timePoint(t), timePoint(t.Add(time.Microsecond)), true, true
	}
	b, n := truncations[f.unit](t)
	return timePoint(b), timePoint(n), b.Equal(t), true
}

// yearOf is the year that a number lies in, if it is one of those in which constants are read.
func yearOf(v pgvalue.Datum) (begin, next extent.Point, whole, ok bool) {
	if pgvalue.FamilyOf(v.OID) != pgvalue.Numbers || v.Number == nil || v.Number.Cmp(big.NewRat(1, 1)) < 0 || v.Number.Cmp(big.NewRat(9999, 1)) > 0 {
		return extent.Point{}, extent.Point{}, false, false
	}
	year := int(new(big.Int).Quo(v.Number.Num(), v.Number.Denom()).Int64())
	b, n := months(time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC), time.January, 12)
	return timePoint(b), timePoint(n), v.Number.IsInt(), true
}

func timePoint(t time.Time) extent.Point {
	return extent.Point{Rank: extent.Finite, Value: new(big.Rat).SetInt64(t.UnixMicro())}
}
