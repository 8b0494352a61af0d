package query

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/extent"
	"tacit/rewrite/internal/pgvalue"
)

// Besides counts a query can have values that rows have: the value at a fraction of the rows in the order of a column, or the most frequent one. Such a
// value is chosen among those that are declared, by how many rows have which. It is a [Count] for all else: it has a FILTER, a question of its
// own, and the sensitivity of a count of rows, since it is made of such counts.

// An Ordered makes a Count the value at a fraction of its rows, or the most frequent one, NULL excepted.
type Ordered struct {
	Value expr.Expression
	// Fraction is that of the rows; zero for the most frequent value.
	Fraction Fraction
	// column is what Value is with the values of parameters.
	column *expr.Column
}

// A Fraction is Of/All in lowest terms, between 0 and 1.
type Fraction struct{ Of, All uint64 }

// mostDigits bounds those of a fraction behind the point.
const mostDigits = 6

// ParseFraction reads a decimal between 0 and 1 that has not too many digits.
func ParseFraction(text string) (f Fraction, ok bool) {
	n, ok := new(big.Rat).SetString(text)
	if !ok || n.Sign() <= 0 || n.Cmp(big.NewRat(1, 1)) >= 0 {
		return Fraction{}, false
	}
	if scaled := new(big.Rat).Mul(n, big.NewRat(1_000_000, 1)); !scaled.IsInt() {
		return Fraction{}, false
	}
	return Fraction{n.Num().Uint64(), n.Denom().Uint64()}, true
}

// String is the fraction as a decimal; "" of the zero Fraction.
func (f Fraction) String() string {
	if f.All == 0 {
		return ""
	}
	return strings.TrimRight(big.NewRat(int64(f.Of), int64(f.All)).FloatString(mostDigits), "0")
}

// OrderedBy is the column whose value a count is; nil of counts that are numbers.
func (c Count) OrderedBy() *Column {
	if c.Ordered == nil {
		return nil
	}
	return c.Ordered.column
}

// bind gives the parameters in the value their values.
func (o *Ordered) bind(b *expr.Binding) *Ordered {
	if o == nil {
		return nil
	}
	return &Ordered{Value: o.Value, Fraction: o.Fraction, column: b.Column(o.Value)}
}

// String is the aggregate in a question. percentile_cont has no other, since no value between two of the grid is made.
func (o *Ordered) String() string {
	call := "mode()"
	if o.Fraction != (Fraction{}) {
		call = "percentile_disc(" + o.Fraction.String() + ")"
	}
	return call + " WITHIN GROUP (ORDER BY " + o.column.Text() + ")"
}

// HasOrdered reports whether one of the counts is a value.
func (q *BoundQuery) HasOrdered() bool {
	return slices.ContainsFunc(q.Counts, func(c Count) bool { return c.Ordered != nil })
}

// Grid is the query whose cells are the values that a value of the query is chosen among: those declared that WHERE and FILTER let pass.
func (q *BoundQuery) Grid(c Count) *BoundQuery {
	grid := q.byValue(c)
	grid.Keys, grid.Where = []*expr.Column{c.Ordered.column}, expr.Simplify(expr.All{q.Where, c.formula()})
	return grid
}

// Histogram is the query of the counts by the keys and the value of a value or a sum of the query, of which it follows. place is the value among its keys, and
// places are the keys of the query.
func (q *BoundQuery) Histogram(c Count) (h *BoundQuery, place int, places []int) {
	h = q.byValue(c)
	h.Keys = slices.Clone(q.Keys)
	if !slices.Contains(h.Keys, c.by()) {
		h.Keys = append(h.Keys, c.by())
	}
	slices.SortFunc(h.Keys, func(a, b *expr.Column) int { return strings.Compare(a.Text(), b.Text()) })
	for _, k := range q.Keys {
		places = append(places, slices.Index(h.Keys, k))
	}
	return h, slices.Index(h.Keys, c.by()), places
}

// byValue is the query with the rows of a value as its only count, and without keys.
func (q *BoundQuery) byValue(c Count) *BoundQuery {
	return &BoundQuery{Table: q.Table, Counts: []Count{{bound: c.bound}}, joins: q.joins, partner: q.partner, lead: q.lead, Where: q.Where, Digests: q.Digests}
}

// SampleSQL is a statement, for the curator, with a row for each group that exists and each value in it, NULL included: the keys in their canonical form, the
// value in that, and the number of rows, which are bounded as those of the query's groups are. The rows of a group come
// together. It is otherwise like CountSQL.
func (q *BoundQuery) SampleSQL(c Count) (sql string, args []string) {
	var w expr.SQLWriter
	w.Column = q.Column
	outputs, groups := q.keys(&w, append(slices.Clone(q.Keys), c.Ordered.column))
	rows := Count{bound: c.bound}
	by := strings.Join(groups, ", ")
	return fmt.Sprintf("SELECT %s, %s AS c1 FROM %s GROUP BY %s ORDER BY %s", strings.Join(outputs, ", "), q.count(&w, rows), q.from(&w, []Count{rows}), by, by), w.Args
}

// SortValues gives the values of a column the order of their type, without those that are NULL or not a finite number or time. ok is false if this
// package does not know the order, as that of texts, and then they stay as they are.
func SortValues(c *Column, values []pgvalue.Value) (sorted []pgvalue.Value, ok bool) {
	type place struct {
		value pgvalue.Value
		at    extent.Point
	}
	ok = Orders(c)
	var places []place
	for _, v := range values {
		if v.Null {
			continue
		}
		sorted = append(sorted, v)
		d, refusal := pgvalue.ReadDatum(c.TypeOID, v.Text)
		at, known := extent.PointOf(d)
		if refusal == nil && known && at.Rank == extent.Finite {
			places = append(places, place{v, at})
		}
	}
	if !ok {
		return sorted, false
	}
	slices.SortStableFunc(places, func(a, b place) int { return a.at.Value.Cmp(b.at.Value) })
	sorted = nil
	for _, p := range places {
		sorted = append(sorted, p.value)
	}
	return sorted, true
}

// Orders reports whether this package knows the order of a column's values: of numbers and times.
func Orders(c *Column) bool {
	return pgvalue.FamilyOf(c.TypeOID) == pgvalue.Numbers || pgvalue.IsTime(c.TypeOID)
}
