package query

import (
	"math/big"
	"slices"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
)

// Sums of a number follow from counts by it: each value that is declared adds the terms of its row, see [Measure], as often as rows have it.

// FollowsFromCounts reports whether the sums of a count follow from counts by its number: that of a stored column of whole numbers or decimals, whose
// values are not rounded. Totals of grouping sets do not, since they add up cells whose errors are not independent of one another.
func (q *BoundQuery) FollowsFromCounts(c Count) bool {
	return c.Measure != nil && c.measured.Stored() && c.measured.Joined == nil && !c.Measure.Rounds && !q.Totals &&
		(pgvalue.IsInteger(c.measured.TypeOID) || c.measured.TypeOID == pgvalue.Numeric)
}

// SumsOfRows are the measured counts of columns whose rows are those that a count counts: the count has the number of rows where the value is not
// NULL, and values beyond the bounds count as these.
func (q *BoundQuery) SumsOfRows(c Count) (sums []Count) {
	if c.beyond != within || c.Persons || c.distinctColumn != nil || c.Ordered != nil || c.Measure != nil {
		return nil
	}
	for i := range q.Table.Columns {
		x := &q.Table.Columns[i]
		filter, ok := q.withoutNotNull(c, x)
		if !ok || !pgvalue.IsInteger(x.TypeOID) && !pgvalue.IsDecimal(x.TypeOID) {
			continue
		}
		for degree := 1; degree <= 2; degree++ {
			if m, ok := NewMeasure(q.Table, x, x, degree); ok && !m.DropOutside {
				sums = append(sums, Count{Measure: m, measured: x, bound: filter.bound})
			}
		}
	}
	return sums
}

// withoutNotNull is a count without the condition that a column is not NULL; ok is false if NULL is counted.
func (q *BoundQuery) withoutNotNull(c Count, x *expr.Column) (rest Count, ok bool) {
	notNull := expr.Nullness{Column: x}
	if x.NotNull || implied(notNull, conjunctsOf(q.Where)) {
		return c, true
	}
	parts := conjunctsOf(c.formula())
	if !implied(notNull, parts) {
		return c, false
	}
	parts = slices.DeleteFunc(slices.Clone(parts), func(f expr.Formula) bool { return f == expr.Formula(notNull) })
	return boundCount(expr.Simplify(expr.All(parts))), true
}

// Rows is the number of rows of which the sums of a measure add up to a total, rounded to the nearest integer.
func (m *Measure) Rows(total *big.Int) int64 {
	n := rounded(new(big.Rat).SetFrac(total, big.NewInt(m.Total()))).Num()
	return held(n)[0]
}

// RowsWithin bounds by how much Rows is off if the total is off by w: the integer below w/D^d + 1/2.
func (m *Measure) RowsWithin(w int64) int64 {
	return rounded(new(big.Rat).SetFrac64(w, m.Total())).Num().Int64()
}

// by is the value that a count is chosen by or adds up.
func (c Count) by() *expr.Column {
	if c.measured != nil {
		return c.measured
	}
	return c.OrderedBy()
}

// Terms are what a row adds to the sums of a measured count if its number has a value: nil for NULL. ok is false if the value is beyond the bounds, or none of
// the grid.
func (c Count) Terms(v pgvalue.Value) (terms []*big.Int, ok bool) {
	if v.Null {
		return nil, true
	}
	m := c.Measure
	x, ok := new(big.Rat).SetString(v.Text)
	if !ok {
		return nil, false
	}
	steps := x.Quo(x.Sub(x, m.Least), m.Grid)
	if !steps.IsInt() || steps.Sign() < 0 || steps.Cmp(new(big.Rat).SetInt64(m.Steps)) > 0 {
		return nil, false
	}
	powers := []*big.Int{big.NewInt(1)}
	for range m.Degree {
		powers = append(powers, new(big.Int).Mul(powers[len(powers)-1], steps.Num()))
	}
	for _, n := range m.polynomials(powers) {
		terms = append(terms, big.NewInt(n))
	}
	return terms, true
}

// LacksUndeclared reports whether sums that follow from counts by the number lack rows that the sums themselves have: those beyond the declared values,
// which count as the nearer end.
func (q *BoundQuery) LacksUndeclared(c Count) bool {
	if c.Measure.DropOutside || slices.Contains(q.Keys, c.measured) {
		return false
	}
	return !c.measured.Declares(expr.ExtentOf(expr.Simplify(expr.All{q.Where, c.formula()}), c.measured))
}

// Filtered is the query with the FILTER of a count in WHERE, and the count without it: the same rows are counted.
func (q *BoundQuery) Filtered(c Count) (*BoundQuery, Count) {
	filtered := *q
	filtered.Where, c.bound = expr.Simplify(expr.All{q.Where, c.formula()}), nil
	return &filtered, c
}

// Alone is the query of one of the counts.
func (q *BoundQuery) Alone(c Count) *BoundQuery {
	alone := *q
	alone.Counts, alone.Intervals = []Count{c}, nil
	return &alone
}
