package expr

import (
	"fmt"
	"strconv"

	"tacit/rewrite/internal/bounds"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/internal/small"
)

// declaredBounds are those of a column within its declared domain, the type's if it has none.
func declaredBounds(c *Column) bounds.Bounds {
	if least, greatest, tiny, ok := declaredSpan(c); ok {
		return bounds.Bounds{Least: bounds.OfConstant(least).Least, Greatest: bounds.OfConstant(greatest).Greatest, Tiny: tiny}
	}
	return columnBounds(c)
}

// columnBounds are those of a column, once guarded.
func columnBounds(c *Column) bounds.Bounds {
	if a := c.Aggregate; a != nil && a.all.Known() && pgvalue.IsInteger(c.TypeOID) {
		return a.all
	}
	if pgvalue.IsText(c.TypeOID) && !c.MayBeLong() {
		return bounds.Integers(0, int64(c.Typmod-4)*bounds.MaxCharacterBytes)
	}
	return bounds.OfType(c.TypeOID)
}

// MayBeLong reports whether values are texts of which no type says that they are not longer than the guard.
func (c *Column) MayBeLong() bool {
	return pgvalue.IsText(c.TypeOID) && (!c.Stored() || c.Typmod < 0 || int(c.Typmod) > bounds.GuardedBytes/bounds.MaxCharacterBytes)
}

// declaredSpan is what a declared domain of numbers or times lies in: its least and its greatest value, and a decimal exponent below
// those of all magnitudes but zero. There is none if the domain reaches beyond the guards.
func declaredSpan(c *Column) (least, greatest pgvalue.Datum, tiny int, ok bool) {
	if a := c.Aggregate; a != nil && a.usual.Known() {
		return a.usualSpan(c.TypeOID)
	}
	wide := bounds.OfType(c.TypeOID)
	if c.Range != nil && wide.Known() && !c.Public() {
		if least, greatest, tiny, ok = c.Range.span(wide); ok && c.Until != "" { // what is computed means the same tomorrow
			greatest, _ = pgvalue.ReadDatum(c.TypeOID, lastOf(c.TypeOID))
		}
		return least, greatest, tiny, ok
	}
	if len(c.Domain) == 0 || !wide.Known() || c.Public() || pgvalue.IsText(c.TypeOID) {
		return pgvalue.Datum{}, pgvalue.Datum{}, 0, false
	}
	if d := c.declaration; d != nil {
		d.spanOnce.Do(func() { d.least, d.greatest, d.tiny, d.spanned = c.listedSpan(wide) })
		return d.least, d.greatest, d.tiny, d.spanned
	}
	return c.listedSpan(wide)
}

// listedSpan is declaredSpan of a domain whose values are listed, within what is known of its type.
func (c *Column) listedSpan(wide bounds.Bounds) (least, greatest pgvalue.Datum, tiny int, ok bool) {
	for i, text := range c.Domain {
		d, refusal := pgvalue.ReadDatum(c.TypeOID, text)
		v := bounds.OfConstant(d)
		if refusal != nil || !v.Within(wide.Least, wide.Greatest) || pgvalue.IsDecimal(c.TypeOID) && v.Tiny < wide.Tiny {
			return pgvalue.Datum{}, pgvalue.Datum{}, 0, false
		}
		if i == 0 || v.Least.Cmp(bounds.OfConstant(least).Least) < 0 {
			least = d
		}
		if i == 0 || v.Greatest.Cmp(bounds.OfConstant(greatest).Greatest) > 0 {
			greatest = d
		}
		tiny = min(tiny, v.Tiny)
	}
	if c.Until != "" { // what is computed means the same tomorrow
		greatest, _ = pgvalue.ReadDatum(c.TypeOID, lastOf(c.TypeOID))
	}
	return least, greatest, tiny, true
}

// lastOf is the last value of a type of times that is within the guards.
func lastOf(oid pgvalue.OID) string {
	if oid == pgvalue.Timestamptz {
		return bounds.GuardedLast + " 00:00:00+00"
	}
	return bounds.GuardedLast
}

// known are the bounds of the values of an expression.
type known struct {
	// wide hold for all rows, narrow for those whose values are in the declared domains, and present for those whose values are in the domains as
	// they are in the present year. Nothing relies on present: values beyond it are held at it where they are added up. Cells are listed by narrow,
	// which is as near as can be (bounds.Closely).
	wide, narrow, present bounds.Bounds
}

// each applies a function to the bounds of each kind.
func each(args []known, of func(v []bounds.Bounds) bounds.Bounds) known {
	wide, narrow, present := make([]bounds.Bounds, len(args)), make([]bounds.Bounds, len(args)), make([]bounds.Bounds, len(args))
	for i, a := range args {
		wide[i], narrow[i], present[i] = a.wide, a.narrow, a.present
	}
	return known{of(wide), of(narrow), of(present)}
}

// bounds returns the bounds of an argument.
func (a argument) bounds() known {
	switch {
	case a.year > 0:
		wide := bounds.OfType(a.oid)
		return known{wide, wide, bounds.OfYear(a.year)}
	case a.column == nil && (a.null || a.untold):
		return known{}
	case a.column == nil:
		v := bounds.OfConstant(a.constant)
		return known{v, v.Rounded(a.oid).Closely(), v}
	case a.column.computation != nil:
		return a.column.computation.known
	}
	if a.oid == pgvalue.Interval { // one that is compared as 30 days may have months that come to other seconds
		return known{columnBounds(a.column), columnBounds(a.column), presentBounds(a.column)}
	}
	narrow := declaredBounds(a.column).Rounded(a.column.TypeOID) // as the guard compares
	if a.column.Aggregate == nil && pgvalue.FamilyOf(a.oid) == pgvalue.Numbers {
		narrow = narrow.Closely()
	}
	return known{columnBounds(a.column), narrow, presentBounds(a.column)}
}

// A guard says which values of stored columns count as NULL in an expression.
type nullRule int

const (
	unguarded     nullRule = iota // none: the values are passed on as they are
	withinGuards                  // those beyond the guards of their types
	withinDomains                 // and those outside of their declared domains
)

// guarded prints a column so that the values that the guard keeps out are NULL.
func (w *SQLWriter) guarded(c *Column, g nullRule) string {
	name := w.Value(c)
	if g == unguarded {
		return name
	}
	limit, inverse := "1e100", "1e-100"
	if c.TypeOID == pgvalue.Float4 {
		limit, inverse = "1e30", "1e-30"
	}
	test := ""
	switch least, greatest, tiny, declared := declaredSpan(c); {
	case g == withinDomains && declared:
		test = w.span(name, least.Text, greatest.Text, c.TypeOID)
		if pgvalue.IsDecimal(c.TypeOID) {
			if c.Range == nil {
				inverse = fmt.Sprintf("1e%d", tiny)
			}
			test += " AND " + w.sized(name, inverse, limit, c.TypeOID)
		}
	case pgvalue.IsDecimal(c.TypeOID):
		test = w.sized(name, inverse, limit, c.TypeOID)
	case c.TypeOID == pgvalue.Timestamptz:
		test = w.span(name, bounds.GuardedFirst+" 00:00:00+00", lastOf(c.TypeOID), c.TypeOID)
	case c.TypeOID == pgvalue.Interval:
		test = w.span(name, "-"+bounds.GuardedInterval, bounds.GuardedInterval, c.TypeOID)
	case pgvalue.IsTime(c.TypeOID):
		test = w.span(name, bounds.GuardedFirst, bounds.GuardedLast, c.TypeOID)
	case pgvalue.IsStructured(c.TypeOID):
		test = small.Value(name, c.TypeOID)
	case c.MayBeLong():
		test = "pg_catalog.octet_length(" + name + "::pg_catalog.text) OPERATOR(pg_catalog.<=) " + w.Arg(strconv.Itoa(bounds.GuardedBytes), "pg_catalog.int4")
	}
	if test == "" {
		return name
	}
	return "(CASE WHEN " + test + " THEN " + name + " END)"
}

// sized prints a test that a number is zero, or between two magnitudes.
func (w *SQLWriter) sized(name, least, greatest string, oid pgvalue.OID) string {
	return "(" + w.span(name, least, greatest, oid) + " OR " + w.span(name, "-"+greatest, "-"+least, oid) +
		" OR " + name + " OPERATOR(pg_catalog.=) " + w.Arg("0", pgvalue.TypeName(oid)) + ")"
}

// span prints a test that a value lies between two constants.
func (w *SQLWriter) span(name, least, greatest string, oid pgvalue.OID) string {
	return name + " OPERATOR(pg_catalog.>=) " + w.Arg(least, pgvalue.TypeName(oid)) + " AND " + name + " OPERATOR(pg_catalog.<=) " + w.Arg(greatest, pgvalue.TypeName(oid)) + small.Elapsed(name, oid)
}
