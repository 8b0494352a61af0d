package expr

import (
	"fmt"

	"tacit/rewrite/internal/bounds"
	"tacit/rewrite/internal/extent"
	"tacit/rewrite/internal/pgvalue"
)

// A ValueRange is a declared range whose values are not listed: there are too many, or between any two there are others. It says what Domain
// says of listed values: rows beyond it are in no cell of a key that is computed of the column, and arithmetic may rely on it.
type ValueRange struct {
	Least, Greatest pgvalue.Datum
}

// NewValueRange reads the ends of a range as constants of a column's type.
func NewValueRange(c *Column, least, greatest string) (*ValueRange, error) {
	r := &ValueRange{}
	for _, end := range []struct {
		text string
		to   *pgvalue.Datum
	}{{least, &r.Least}, {greatest, &r.Greatest}} {
		text := end.text
		if c.TypeOID == pgvalue.Timestamptz {
			text += "+00"
		}
		d, refusal := pgvalue.ReadDatum(c.TypeOID, text)
		if refusal != nil {
			return nil, fmt.Errorf("%s", refusal.Message)
		}
		if d.OID == pgvalue.Interval {
			if d, refusal = d.Span(); refusal != nil {
				return nil, fmt.Errorf("%s", refusal.Message)
			}
		}
		if _, ok := extent.PointOf(d); !ok || d.IsInfinite() || d.IsNaN() || TellsTexts(c.TypeOID) {
			return nil, fmt.Errorf("%s has no ranges", c.Formatted)
		}
		*end.to = d
	}
	return r, nil
}

// Declared reports whether the steward has declared the values of a stored column, listed or not.
func (c *Column) Declared() bool { return c.Domain != nil || c.Range != nil }

// extent are the values of the range.
func (r *ValueRange) extent() extent.Extent {
	least, _ := extent.PointOf(r.Least)
	greatest, _ := extent.PointOf(r.Greatest)
	return extent.Extent{Spans: []extent.Span{{From: extent.Cut{At: least}, To: extent.Cut{At: greatest, After: true}}}}
}

// reach is a superset of the values that a column has in rows that meet a condition, and that are in its range if it has one.
func (c *Column) reach(where Formula) extent.Extent {
	e := ExtentOf(where, c)
	if c.Range == nil {
		return e
	}
	r := c.Range.extent()
	r.Null = true
	return e.Intersection(r)
}

// span is what a range lies in, and a decimal exponent below those of all magnitudes but zero.
func (r *ValueRange) span(wide bounds.Bounds) (least, greatest pgvalue.Datum, tiny int, ok bool) {
	inside := func(d pgvalue.Datum) bool { return bounds.OfConstant(d).Within(wide.Least, wide.Greatest) }
	least, greatest = r.Least.InDays(), r.Greatest.InDays()
	return least, greatest, wide.Tiny, inside(least) && inside(greatest)
}

// presentBounds are those of a column within its declared domain as it is in the present year: of one that ends at the present day, to the end
// of the year. Sums are made between them, and a question says so; the same question is asked on all days of a year.
func presentBounds(c *Column) bounds.Bounds {
	v := declaredBounds(c)
	if c.Until == "" || !v.Known() {
		return v
	}
	last := c.Until[:4] + "-12-31"
	if c.TypeOID != pgvalue.Date {
		last += " 23:59:59.999999"
	}
	if c.TypeOID == pgvalue.Timestamptz {
		last += "+00"
	}
	d, refusal := pgvalue.ReadDatum(c.TypeOID, last)
	if refusal != nil {
		panic("rewrite: internal error: " + refusal.Message)
	}
	v.Greatest = bounds.Min(v.Greatest, bounds.OfConstant(d).Greatest)
	return v
}
