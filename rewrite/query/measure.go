package query

import (
	"fmt"
	"math/big"
	"strconv"

	"tacit/rewrite/internal/expr"
)

// A Measure is a number of each row whose sums are released. It lies between two bounds that do not depend on rows, and is rounded to a grid:
// with X = round((x - Least)/Grid), held between 0 and Steps, the number is Least + Grid X.
//
// What is released of a cell are the Degree+1 sums over its rows of the Bernstein polynomials of X,
//
//	P_i = sum of C(d, i) X^i (D - X)^(d-i), i = 0 to d, with d = Degree and D = Steps,
//
// whose terms are integers, none of them negative, and for each row D^d together (the binomial theorem). Every power sum up to d follows from
// them: with d = 1,
//
//	sum of X = P_1,  number of rows = (P_0 + P_1)/D,
//
// and with d = 2
//
//	sum of X^2 = P_2,  sum of X = (P_1/2 + P_2)/D,  number of rows = (P_0 + P_1 + P_2)/D^2.
//
// Sensitivity: as the terms of a row are not negative, one row more moves the P of its cell by D^d in the l1 norm, and by at most that in the
// l2 norm; a person with at most R rows by R D^d. So sum, average and number of rows together cost what the sum of X alone would: the l1 norm of
// X is D, too. Nobody who releases the sum about the middle of the range and the number of rows by two mechanisms, each with half of epsilon,
// has as little noise: with Laplace noise its variance is twice as large in both. With Gaussian noise it is the same for the split that
// is best in zCDP.
type Measure struct {
	Value  expr.Expression
	Least  *big.Rat
	Grid   *big.Rat
	Steps  int64
	Degree int
	// Rounds says that the grid is coarser than that of the number's type, or that the type has none.
	Rounds bool
	// DropOutside leaves rows out whose value is beyond the bounds, as one of the columns has it that the value is computed of. Otherwise
	// they count as the bound.
	DropOutside bool
}

// Bounds of a grid, see [mechanisms.Config]: sensitivities are integers, for which noise must be made.
const (
	mostSensitive         = 1 << 30
	mostSensitiveGaussian = 1 << 14
	mostPlainSteps        = 1_000_000 // of numbers that have no grid of their own
)

// NewMeasure is the measure of a value, whose column is bound without the values of parameters. ok is false if its bounds are not known.
func NewMeasure(table *Table, value expr.Expression, c *Column, degree int) (m *Measure, ok bool) {
	least, greatest, ok := c.Span()
	if !ok || least.Cmp(greatest) >= 0 {
		return nil, false
	}
	m = &Measure{Value: value, Least: least, Degree: degree, DropOutside: c.DropsOutside()}
	width := new(big.Rat).Sub(greatest, least)
	most := mostSteps(table, degree)
	grid := c.Grid()
	switch {
	case c.Seconds():
		m.Grid, m.Rounds = unitOfTime(new(big.Rat).Mul(width, big.NewRat(2, 1)), min(most, mostPlainSteps)), true
		m.Least = floor(least, m.Grid)
		width.Sub(greatest, m.Least)
	case grid == nil:
		limit := min(most, mostPlainSteps)
		m.Grid, m.Rounds = coarsened(finest(width), width, limit), true
		width.Sub(greatest, floor(least, m.Grid)) // at most one step more
		m.Grid = coarsened(m.Grid, width, limit)
		m.Least = floor(least, m.Grid)
		width.Sub(greatest, m.Least)
	default:
		m.Least = floor(least, grid) // ends that were computed may lie beside it
		width.Sub(greatest, m.Least)
		m.Grid = coarsened(grid, width, most)
		m.Rounds = m.Grid.Cmp(grid) != 0
	}
	steps := new(big.Rat).Quo(width, m.Grid)
	m.Steps = new(big.Int).Quo(new(big.Int).Add(steps.Num(), new(big.Int).Sub(steps.Denom(), big.NewInt(1))), steps.Denom()).Int64()
	return m, true
}

// floor is the greatest multiple of a grid that is not above a number: bounds that follow by interval arithmetic have hundreds of digits.
func floor(n, grid *big.Rat) *big.Rat {
	steps := new(big.Rat).Quo(n, grid)
	whole := new(big.Int).Div(steps.Num(), steps.Denom()) // rounds down, as the denominator is positive
	return new(big.Rat).Mul(new(big.Rat).SetInt(whole), grid)
}

// mostSteps is how many steps a measure may have, so that its sensitivity is one that noise is made for.
func mostSteps(table *Table, degree int) int64 {
	most := int64(mostSensitive)
	if table.Policy.Mechanism.Kind.NeedsDelta() {
		most = mostSensitiveGaussian
	}
	if table.Person != nil {
		most /= int64(table.Person.Rows)
	}
	if degree == 2 {
		return max(1, new(big.Int).Sqrt(big.NewInt(most)).Int64())
	}
	return most
}

// finest is a power of ten that is much smaller than a width.
func finest(width *big.Rat) *big.Rat {
	grid, tenth := big.NewRat(1, 1), big.NewRat(1, 10)
	for least := new(big.Rat).Quo(width, new(big.Rat).SetInt64(mostPlainSteps)); grid.Cmp(least) > 0; {
		grid.Mul(grid, tenth)
	}
	return grid
}

// coarsened is a grid times the least power of ten that leaves no more than so many steps.
func coarsened(grid, width *big.Rat, most int64) *big.Rat {
	ten, limit := big.NewRat(10, 1), new(big.Rat).SetInt64(most)
	for grid = new(big.Rat).Set(grid); new(big.Rat).Quo(width, grid).Cmp(limit) > 0; {
		grid.Mul(grid, ten)
	}
	return grid
}

// unitOfTime is the shortest of a part of a second that is a power of ten, a second, a minute, an hour, and days, that leaves no more than so many
// steps of a width in seconds.
func unitOfTime(width *big.Rat, most int64) *big.Rat {
	limit := new(big.Rat).SetInt64(most)
	wide := func(grid *big.Rat) bool { return new(big.Rat).Quo(width, grid).Cmp(limit) > 0 }
	grid := coarsened(big.NewRat(1, 1_000_000), width, most)
	if grid.Cmp(big.NewRat(1, 1)) <= 0 {
		return grid
	}
	for _, seconds := range []int64{1, 60, 3600} {
		if unit := big.NewRat(seconds, 1); !wide(unit) {
			return unit
		}
	}
	return coarsened(big.NewRat(86400, 1), width, most)
}

// Greatest is the largest number that is counted.
func (m *Measure) Greatest() *big.Rat {
	greatest := new(big.Rat).Mul(m.Grid, new(big.Rat).SetInt64(m.Steps))
	return greatest.Add(greatest, m.Least)
}

// Weights are what the sum of the number is made of: with them the sum of the polynomials is D^d times as much.
func (m *Measure) Weights() []*big.Rat {
	weights := []*big.Rat{m.Least, m.Greatest()}
	if m.Degree == 2 {
		middle := new(big.Rat).Add(weights[0], weights[1])
		weights = []*big.Rat{weights[0], middle.Quo(middle, big.NewRat(2, 1)), weights[1]}
	}
	return weights
}

// Total is what the terms of one row come to, D^d.
func (m *Measure) Total() int64 {
	total := int64(1)
	for range m.Degree {
		total *= m.Steps
	}
	return total
}

// OtherwiseTreated is the same measured count with values beyond the range left out, if they count as its end, and the other way round.
func (c Count) OtherwiseTreated() Count {
	m := *c.Measure
	m.DropOutside = !m.DropOutside
	c.Measure = &m
	return c
}

// Columns is how many numbers of each cell CountSQL yields of a count, and a release has.
func (c Count) Columns() int {
	if c.Measure == nil {
		return 1
	}
	return c.Measure.Degree + 1
}

// ReadNumbers reads what CountSQL yields of some counts in a cell, and makes of power sums those sums that are released.
func ReadNumbers(counts []Count, columns [][]byte) (numbers []int64, err error) {
	for _, c := range counts {
		read := columns[:c.Columns()]
		columns = columns[len(read):]
		if c.Measure == nil {
			n, err := strconv.ParseInt(string(read[0]), 10, 64)
			if err != nil {
				return nil, err
			}
			numbers = append(numbers, n)
			continue
		}
		powers, err := c.powerSums(read)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, c.Measure.polynomials(powers)...)
	}
	return numbers, nil
}

// powerSums reads the number of rows and the power sums of X, as [Count.outputs] has them.
func (c Count) powerSums(read [][]byte) ([]*big.Int, error) {
	powers := make([]*big.Int, len(read))
	for i, text := range read {
		sum, ok := new(big.Rat).SetString(string(text))
		if !ok {
			return nil, fmt.Errorf("rewrite: internal error: %q instead of a sum", text)
		}
		if i == 1 && c.addsValues() {
			offset := new(big.Rat).SetInt(powers[0])
			sum.Sub(sum, offset.Mul(offset, c.Measure.Least))
			sum = rounded(sum.Quo(sum, c.Measure.Grid))
		}
		if !sum.IsInt() {
			return nil, fmt.Errorf("rewrite: internal error: %q instead of a whole sum", text)
		}
		powers[i] = sum.Num()
	}
	return powers, nil
}

// rounded is the nearest integer, the greater of two.
func rounded(n *big.Rat) *big.Rat {
	n = new(big.Rat).Add(n, big.NewRat(1, 2))
	return new(big.Rat).SetInt(new(big.Int).Div(n.Num(), n.Denom())) // rounds down, as the denominator is positive
}

// polynomials are the sums that are released, of the number of rows and the power sums of X, of any size. What is beyond an
// int64 is held at mostTotal: each of the sums grows with each row, so that this brings no two of them further apart.
func (m *Measure) polynomials(powers []*big.Int) []int64 {
	n, first := powers[0], powers[1]
	steps := big.NewInt(m.Steps)
	product := func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }
	minus := func(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }
	if m.Degree == 1 {
		return held(minus(product(steps, n), first), first)
	}
	second := powers[2]
	middle := minus(product(steps, first), second) // sum of X (D - X)
	double := new(big.Int).Lsh(middle, 1)
	return held(minus(minus(product(product(steps, steps), n), second), double), double, second)
}

// mostTotal bounds what is released before noise.
const mostTotal = 1 << 62

func held(sums ...*big.Int) []int64 {
	polynomials := make([]int64, len(sums))
	for i, s := range sums {
		polynomials[i] = mostTotal
		if s.Cmp(big.NewInt(mostTotal)) < 0 {
			polynomials[i] = s.Int64()
		}
	}
	return polynomials
}

// MeasureText names the number that is added up, for people: as a question does, but a column of a joined table by that table's name, which the
// statement has, and not by the name that the question gives it.
func (c Count) MeasureText() string { return c.measured.Shown() }

// text is the measure in a question.
func (m *Measure) text(c *Column) string {
	name := map[int]string{1: "sum", 2: "sum_of_squares"}[m.Degree]
	text := fmt.Sprintf("%s(%s FROM %s TO %s", name, c.Text(), Decimal(m.Least), Decimal(m.Greatest()))
	if m.Grid.Cmp(big.NewRat(1, 1)) != 0 {
		text += " BY " + Decimal(m.Grid)
	}
	if m.DropOutside {
		text += " ELSE NULL"
	}
	return text + ")"
}

// Decimal prints a number whose denominator has no prime factors but 2 and 5.
func Decimal(n *big.Rat) string {
	digits, exact := n.FloatPrec()
	if !exact {
		digits = 30
	}
	return n.FloatString(digits)
}
