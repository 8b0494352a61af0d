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
