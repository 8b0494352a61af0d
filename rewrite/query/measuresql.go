package query

import (
	"fmt"
	"math/big"
	"strings"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
)

// How the curator adds up a measure: the number of rows, the sum of X and, of degree 2, that of X^2. It is done once for each row, so the
// cheapest way is taken that a type allows.
//
//   - The values themselves are added up, held between the bounds, and X follows from their sum in [ReadNumbers]: of whole numbers and decimals,
//     for degree 1. The sum of decimals is rounded to the grid, and not each row. That moves the released sums no further: let a person's
//     rows add y to the sum of (x - Least)/Grid, with 0 <= y <= R D. The rounded sum grows by an integer between floor(y) and ceil(y), which are within 0 and
//     R D, and what it grows by less, the other sum does more.
//   - X is computed of each row as a float8, held between 0 and Steps as an integer. On that alone the sensitivity rests, and not on
//     how the float8 is rounded.
//   - X is computed of each row as a decimal, and held so, too.
//
// No stored value makes any of it fail: it is held between the bounds in its own type, in which NaN is greater than all others, before anything is
// computed of it, and float8 fails on overflow and underflow, which the bounds of floats preclude. Nor do the bounds fail: any type of numbers that has no
// grid can hold what [expr.Column.Span] yields and the multiples of a grid about it; whole numbers are held between theirs as
// decimals, or are multiples of 1.

// addsValues reports whether the values are added up, and not X.
func (c Count) addsValues() bool {
	return c.Measure.Degree == 1 && (c.measured.TypeOID == pgvalue.Numeric || c.Measure.whole(c.measured))
}

// whole reports whether X is computed of integers alone.
func (m *Measure) whole(c *expr.Column) bool {
	return pgvalue.IsInteger(c.TypeOID) && m.Grid.Cmp(big.NewRat(1, 1)) == 0
}

// mostNarrow is the most that a row may add to a sum of int4, which PostgreSQL adds up in an int8 without looking for overflow: 2^42
// rows are beyond any table.
const mostNarrow = 1 << 20

// narrow reports whether int4 will do for a whole number, which is faster.
func (m *Measure) narrow(c *expr.Column) bool {
	most := new(big.Rat).SetInt64(mostNarrow)
	return c.TypeOID != pgvalue.Int8 && new(big.Rat).Abs(m.Least).Cmp(most) <= 0 && m.Greatest().Cmp(most) <= 0 && m.Total() <= mostNarrow
}

// finelyFloating reports whether X can be computed of a float8: the grid is one by a power of ten that a float8 holds exactly, which
// multiplies without underflow, and about the bounds float8 are much closer than the grid.
func (m *Measure) finelyFloating(c *expr.Column) bool {
	const mostExact, mostAbout = 1e22, 1 << 40
	if !pgvalue.IsFloat(c.TypeOID) || !m.Grid.Num().IsInt64() || m.Grid.Num().Int64() != 1 {
		return false
	}
	most := new(big.Rat).Mul(m.Grid, new(big.Rat).SetInt64(mostAbout))
	return new(big.Rat).SetInt(m.Grid.Denom()).Cmp(new(big.Rat).SetFloat64(mostExact)) <= 0 &&
		new(big.Rat).Abs(m.Least).Cmp(most) <= 0 && m.Greatest().Cmp(most) <= 0
}

// typeName is that in which values are held between the bounds.
func (c Count) typeName() string {
	switch m := c.Measure; {
	case m.whole(c.measured) && m.narrow(c.measured):
		return "pg_catalog.int4"
	case m.whole(c.measured):
		return "pg_catalog.int8"
	case pgvalue.IsInteger(c.measured.TypeOID):
		return "pg_catalog.numeric"
	case m.finelyFloating(c.measured):
		return "pg_catalog.float8"
	}
	return c.measured.TypeName
}

// outputs prints the columns of a measured count, of rows that meet conditions.
func (c Count) outputs(w *expr.SQLWriter, conditions []string) string {
	m, typeName, number := c.Measure, c.typeName(), w.Value(c.measured)
	least, greatest := w.Arg(Decimal(m.Least), typeName), w.Arg(Decimal(m.Greatest()), typeName)
	value := number + "::" + typeName
	held := heldBetween(typeName, value, least, greatest)
	switch {
	case m.DropOutside: // NULL is neither
		conditions = append(conditions, value+" OPERATOR(pg_catalog.>=) "+least, value+" OPERATOR(pg_catalog.<=) "+greatest)
		held = value
	default: // also where the column has no NULL: a row with one would add nothing, and so as much as the least value takes away
		conditions = append(conditions, number+" IS NOT NULL")
	}
	filter := ""
	if len(conditions) > 0 {
		filter = " FILTER (WHERE " + strings.Join(conditions, " AND ") + ")"
	}
	x := c.added(w, held, least)
	outputs := []string{"pg_catalog.count(*)" + filter}
	for power := 1; power <= m.Degree; power++ {
		term := strings.Join([]string{x, x}[:power], " OPERATOR(pg_catalog.*) ")
		outputs = append(outputs, "COALESCE(pg_catalog.sum("+term+")"+filter+", 0)")
	}
	return strings.Join(outputs, ", ")
}

// added prints what is added up of a value that is held between the bounds: the value itself, or X.
func (c Count) added(w *expr.SQLWriter, held, least string) string {
	m := c.Measure
	difference := held
	if m.Least.Sign() != 0 {
		difference = fmt.Sprintf("(%s OPERATOR(pg_catalog.-) %s)", held, least)
	}
	number := func(n *big.Rat) string { return w.Arg(Decimal(n), "pg_catalog.numeric") }
	switch {
	case c.addsValues():
		return held
	case m.whole(c.measured):
		return difference
	case m.finelyFloating(c.measured):
		steps := fmt.Sprintf("pg_catalog.round(%s OPERATOR(pg_catalog.*) %s)::pg_catalog.int8", difference, w.Arg(m.Grid.Denom().String(), "pg_catalog.float8"))
		return heldBetween("pg_catalog.int8", steps, w.Arg("0", "pg_catalog.int8"), w.Arg(fmt.Sprint(m.Steps), "pg_catalog.int8"))
	}
	steps := fmt.Sprintf("pg_catalog.round((%s::pg_catalog.numeric OPERATOR(pg_catalog.-) %s) OPERATOR(pg_catalog./) %s)", held, number(m.Least), number(m.Grid))
	return heldBetween("pg_catalog.numeric", steps, number(new(big.Rat)), number(new(big.Rat).SetInt64(m.Steps))) + "::pg_catalog.int8"
}

// holders are the functions of the larger and the smaller of two values, for types that have them. They are those of max and min, with the same
// order as GREATEST and LEAST, and PostgreSQL calls them at once: GREATEST looks for NULL, which these values are not, and calls a comparison.
var holders = map[string][2]string{
	"pg_catalog.int4":    {"pg_catalog.int4larger", "pg_catalog.int4smaller"},
	"pg_catalog.int8":    {"pg_catalog.int8larger", "pg_catalog.int8smaller"},
	"pg_catalog.float8":  {"pg_catalog.float8larger", "pg_catalog.float8smaller"},
	"pg_catalog.numeric": {"pg_catalog.numeric_larger", "pg_catalog.numeric_smaller"},
}

// heldBetween prints a value that is held between bounds.
func heldBetween(typeName, value, least, greatest string) string {
	h, ok := holders[typeName]
	if !ok {
		h = [2]string{"GREATEST", "LEAST"}
	}
	return fmt.Sprintf("%s(%s(%s, %s), %s)", h[1], h[0], value, least, greatest)
}
