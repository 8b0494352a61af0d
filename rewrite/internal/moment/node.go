package moment

import (
	"math/big"
	"strconv"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/query"
)

// What takes the place of a sum, an average or a variance: with N the noisy number of rows, S1 and S2 the noisy sums of X and X^2 (see
// [query.Measure]), g the grid and b the least value,
//
//   - The sum is b N + g S1, rounded to the grid.
//   - The average is the sum by N, between the bounds unless negative counts are shown.
//   - The variance is g^2 (N S2 - S1^2)/N^2, or 0 if that is negative. The sample's has N (N-1) below.
//
// Averages are NULL where N is not positive, and those of samples where it is not more than 1. Without noise these are the very digits that
// PostgreSQL computes.

// Node is the aggregate, made of the columns of its measure.
func (a Aggregate) Node(column func(i int) *pg.Node) *pg.Node {
	m := columns{a.Measure, column}
	value := m.sum()
	switch {
	case a.Name == "avg":
		value = pgtree.Arithmetic(trimmed(value), "/", pgtree.Positive(m.rows()))
	case a.Name != "sum":
		value = m.variance(a.Name)
	case !pgvalue.IsFloat(a.OID):
		digits, _ := m.measure.Grid.FloatPrec()
		value = pgtree.CatalogCall("round", value, pg.MakeAConstIntNode(int64(digits), -1))
		if a.Measure.Rounds {
			value = trimmed(value)
		}
	}
	return a.typed(value)
}

// typed gives a number the type of the aggregate. Intervals are added up as seconds.
func (a Aggregate) typed(n *pg.Node) *pg.Node {
	if a.OID == pgvalue.Interval {
		return pgtree.IntervalOf(n)
	}
	return pgtree.CastNode(n, pgtree.TypeNode([]string{pgtree.SystemSchema, pgvalue.Typname(a.OID)}, nil))
}

// columns are those of a measure.
type columns struct {
	measure *query.Measure
	column  func(i int) *pg.Node
}

// trimmed is a number without zeros behind its last digit, on whose number those of a quotient depend.
func trimmed(n *pg.Node) *pg.Node { return pgtree.CatalogCall("trim_scale", n) }

func whole(n int64) *pg.Node { return pgtree.Decimal(strconv.FormatInt(n, 10)) }

// polynomial is a column.
func (m columns) polynomial(i int) *pg.Node {
	return pgtree.NumericNode(m.column(i))
}

func (m columns) times(factor *big.Rat, n *pg.Node) *pg.Node {
	if factor.Cmp(big.NewRat(1, 1)) == 0 {
		return n
	}
	return pgtree.Arithmetic(pgtree.Decimal(query.Decimal(factor)), "*", n)
}

// rows is N.
func (m columns) rows() *pg.Node {
	sum := m.polynomial(0)
	for i := 1; i <= m.measure.Degree; i++ {
		sum = pgtree.Arithmetic(sum, "+", m.polynomial(i))
	}
	return trimmed(pgtree.Arithmetic(sum, "/", whole(m.measure.Total())))
}

// powerSum is S1.
func (m columns) powerSum() *pg.Node {
	if m.measure.Degree == 1 {
		return m.polynomial(1)
	}
	upper := pgtree.Arithmetic(pgtree.Arithmetic(m.polynomial(1), "/", whole(2)), "+", m.polynomial(2))
	return trimmed(pgtree.Arithmetic(upper, "/", whole(m.measure.Steps)))
}

func (m columns) sum() *pg.Node {
	sum := m.times(m.measure.Grid, m.powerSum())
	if m.measure.Least.Sign() == 0 {
		return sum
	}
	return pgtree.Arithmetic(m.times(m.measure.Least, m.rows()), "+", sum)
}

func (m columns) variance(name string) *pg.Node {
	n, divisor := m.rows(), m.rows()
	if !strings.HasSuffix(name, "_pop") {
		divisor = pgtree.Arithmetic(divisor, "-", whole(1))
	}
	squares := pgtree.Arithmetic(pgtree.Arithmetic(m.rows(), "*", m.polynomial(2)), "-", pgtree.Arithmetic(m.powerSum(), "*", m.powerSum()))
	value := pgtree.Arithmetic(pgtree.AtLeastZero(squares), "/", pgtree.Arithmetic(n, "*", pgtree.Positive(divisor)))
	value = m.times(new(big.Rat).Mul(m.measure.Grid, m.measure.Grid), value)
	if strings.HasPrefix(name, "stddev") {
		return pgtree.CatalogCall("sqrt", value)
	}
	return value
}
