package expr

import (
	"tacit/rewrite/internal/extent"
	"tacit/rewrite/internal/pgvalue"
)

// ExtentOf is a superset of the values of a column where a formula is true.
func ExtentOf(f Formula, c *Column) extent.Extent {
	switch f := f.(type) {
	case All:
		return extent.Combine(extentsOf(f, c), extent.Everything(), extent.Extent.Intersection)
	case AnyOf:
		return extent.Combine(extentsOf(f, c), extent.Extent{}, extent.Extent.Union)
	case Truth:
		if !f {
			return extent.Extent{}
		}
		return extent.Everything()
	}
	e, _ := ExtentOfAtom(f, c)
	return e
}

func extentsOf(parts []Formula, c *Column) []extent.Extent {
	extents := make([]extent.Extent, len(parts))
	for i, part := range parts {
		extents[i] = ExtentOf(part, c)
	}
	return extents
}

// ExtentOfAtom is a superset of the values of a column where an atom is true, and whether it is no larger.
func ExtentOfAtom(f Formula, c *Column) (e extent.Extent, exact bool) {
	switch f := f.(type) {
	case Comparison:
		return extentOfColumn(c, f.Column, f.Op, []pgvalue.Datum{f.Value})
	case Membership:
		return extentOfColumn(c, f.Column, membershipOperator(f.In), f.Values)
	case Nullness:
		if f.Column == c {
			return extent.Extent{Null: f.Null, Any: !f.Null}, true
		}
	case Pairing:
		if f.Left == c || f.Right == c {
			return extent.NotNull(), false
		}
	}
	return extent.Everything(), false
}

// extentOfColumn has the values of a column where this, or what is computed of it, compares with constants.
func extentOfColumn(c, compared *Column, op Operator, values []pgvalue.Datum) (e extent.Extent, exact bool) {
	if compared == c {
		return ExtentOfValues(c, op, values)
	}
	if f := compared.dateTrunc(); f != nil && f.column == c {
		return f.extent(op, values), false
	}
	return extent.Everything(), false
}

// ExtentOfValues has the values that compare with one of several constants, or for unequal with all of them, as an operator says.
func ExtentOfValues(c *Column, op Operator, values []pgvalue.Datum) (e extent.Extent, exact bool) {
	switch {
	case c.Collation != "": // which may equate different texts
		return extent.NotNull(), false
	case TellsTexts(c.TypeOID):
		return extentOfTexts(c, op, values)
	}
	positive := op
	if op == Unequal {
		positive = Equal
	}
	for _, v := range values {
		p, ok := extent.PointOf(v)
		if !ok || !comparedExactly(c.TypeOID, v.OID) {
			return extent.NotNull(), false
		}
		e.Spans = append(e.Spans, SpanOf(positive, p))
	}
	if e.Spans = extent.Unite(e.Spans); op == Unequal {
		e.Spans = extent.Gaps(e.Spans)
	}
	return e, true
}

// TellsTexts reports whether of a type only equality is known, which is that of canonical texts.
func TellsTexts(oid pgvalue.OID) bool {
	switch pgvalue.FamilyOf(oid) {
	case pgvalue.Booleans, pgvalue.Texts, pgvalue.Blanks, pgvalue.UUIDs, pgvalue.Enums:
		return true
	}
	return false
}

func extentOfTexts(c *Column, op Operator, values []pgvalue.Datum) (e extent.Extent, exact bool) {
	if op != Equal && op != Unequal {
		return extent.NotNull(), false
	}
	e.Except = op == Unequal
	for _, v := range values {
		if !equatedExactly(c.TypeOID, v.OID) {
			return extent.NotNull(), false
		}
		e.Texts = append(e.Texts, v.Text)
	}
	e.Texts = extent.SortedTexts(e.Texts)
	return e, true
}

// equatedExactly reports whether a column equals a constant if and only if their canonical texts are the same. Of a varchar and a
// character(n) the varchar is taken for a character(n), too, so that its trailing blanks do not count.
func equatedExactly(column, constant pgvalue.OID) bool {
	switch pgvalue.FamilyOf(column) {
	case pgvalue.Texts, pgvalue.Enums:
		return pgvalue.FamilyOf(constant) == pgvalue.Texts
	case pgvalue.Blanks:
		return constant == pgvalue.Bpchar || constant == pgvalue.Text
	}
	return column == constant
}

// comparedExactly reports whether a column is compared with a constant without that either is rounded. A bigint or numeric that is
// compared with binary floating point becomes such.
func comparedExactly(column, constant pgvalue.OID) bool {
	switch {
	case pgvalue.IsInteger(column):
		return pgvalue.IsInteger(constant)
	case column == pgvalue.Numeric:
		return constant == pgvalue.Numeric || pgvalue.IsInteger(constant)
	case pgvalue.IsFloat(column):
		return pgvalue.IsFloat(constant)
	case pgvalue.FamilyOf(column) == pgvalue.Dates, pgvalue.FamilyOf(column) == pgvalue.Instants:
		return pgvalue.FamilyOf(constant) == pgvalue.FamilyOf(column)
	}
	return false
}
