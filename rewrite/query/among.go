package query

import (
	"math/big"
	"slices"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
)

// A query by some key can be divided into queries about different values of the key: each cell of the whole is a cell of one of them, with the
// same count, since all its rows have the key's value.

// Among is the query about those cells alone in which a key, a stored column, has one of the values; ok is false if this package cannot
// write that. No value is NULL.
func (q *BoundQuery) Among(key *expr.Column, values []pgvalue.Value) (part *BoundQuery, ok bool) {
	data := make([]pgvalue.Datum, len(values))
	for i, v := range values {
		d, refusal := pgvalue.ReadDatum(key.TypeOID, v.Text)
		if refusal != nil || v.Null {
			return nil, false
		}
		data[i] = d
	}
	among, ok := amongFormula(key, data)
	if !ok {
		return nil, false
	}
	where := expr.Simplify(expr.All{q.Where, among})
	narrowed := *q
	narrowed.Where = expr.Simplify(expr.All(essential(conjunctsOf(where), nil)))
	narrowed.Digests = &DomainDigests{}
	return &narrowed, true
}

// maxListed bounds the values that are listed one by one.
const maxListed = 1000

// amongFormula is true where a column has one of the values: of consecutive whole numbers or days, which rise, as two bounds.
func amongFormula(c *expr.Column, values []pgvalue.Datum) (f expr.Formula, ok bool) {
	last := len(values) - 1
	if last < 0 {
		return nil, false
	}
	if last == 0 {
		return expr.Comparison{Column: c, Op: expr.Equal, Value: values[0]}, true
	}
	for i := range last {
		if !consecutive(values[i], values[i+1]) {
			return expr.Membership{Column: c, In: true, Values: slices.Clone(values)}, len(values) <= maxListed
		}
	}
	return expr.All{
		expr.Comparison{Column: c, Op: expr.GreaterEqual, Value: values[0]}, expr.Comparison{Column: c, Op: expr.LessEqual, Value: values[last]},
	}, true
}

func consecutive(a, b pgvalue.Datum) bool {
	switch {
	case a.OID == pgvalue.Date && !a.IsInfinite() && !b.IsInfinite():
		return b.Micros-a.Micros == pgvalue.Day.Microseconds()
	case pgvalue.IsInteger(a.OID):
		return new(big.Rat).Sub(b.Number, a.Number).Cmp(big.NewRat(1, 1)) == 0
	}
	return false
}

// Admits reports whether the conditions of a shape on a column alone may let a value of it pass. It can say so wrongly: what follows from the
// release is for [Shape.Derive] to tell.
func (s *Shape) Admits(c *expr.Column, v pgvalue.Value) bool {
	d, refusal := pgvalue.ReadDatum(c.TypeOID, v.Text)
	if refusal != nil || v.Null {
		return false
	}
	value, _ := expr.ExtentOfValues(c, expr.Equal, []pgvalue.Datum{d})
	for _, conditions := range [][]ShapeCondition{s.Where, s.Filter} {
		for _, condition := range conditions {
			if condition.Atom == nil || len(condition.Columns) != 1 || condition.Columns[0] != c.Name {
				continue
			}
			if f, ok := condition.Atom.formula(c); ok && !value.Within(expr.ExtentOf(f, c)) {
				return false
			}
		}
	}
	return true
}
