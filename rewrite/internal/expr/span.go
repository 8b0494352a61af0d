package expr

import (
	"math/big"
	"slices"

	"tacit/rewrite/internal/bounds"
	"tacit/rewrite/internal/pgvalue"
)

// Span are the bounds within which values of a number are added up: those that follow from declared ranges by interval arithmetic, or
// from what the number is computed by. They do not depend on rows. ok is false if there are none that are worth it: those of a type
// alone, such as the largest integer, would leave nothing but noise.
func (c *Column) Span() (least, greatest *big.Rat, ok bool) {
	if pgvalue.FamilyOf(c.TypeOID) != pgvalue.Numbers {
		return nil, nil, false
	}
	present := argument{column: c}.bounds().present
	if !present.Known() {
		return nil, nil, false
	}
	width := new(big.Rat).Sub(present.Greatest, present.Least)
	numbers := slices.DeleteFunc(slices.Clone(c.Inputs()), func(input *Column) bool { return !isQuantity(input) })
	undeclared := len(numbers) == 0 || slices.ContainsFunc(numbers, func(input *Column) bool {
		_, _, _, declared := declaredSpan(input)
		return !declared
	})
	if undeclared && width.Cmp(big.NewRat(widestUndeclared, 1)) > 0 {
		return nil, nil, false
	}
	largest := bounds.PowerOfTen(spanExponent)
	if !present.Within(new(big.Rat).Neg(largest), largest) || width.Cmp(new(big.Rat).Inv(largest)) < 0 {
		return nil, nil, false
	}
	return present.Least, present.Greatest, true
}

// widestUndeclared is what the hours of a day, or the length of a short text, are within.
const widestUndeclared = 10_000

// spanExponent is within what all types of numbers hold, so that a span can be widened to a grid: there are none beyond 1e18, nor any that are narrower
// than 1e-18.
const spanExponent = 18

// DropsOutside reports whether rows are left out of sums where the value is beyond its span: one of the numbers that it is computed of
// is declared so.
func (c *Column) DropsOutside() bool {
	return slices.ContainsFunc(c.Inputs(), func(input *Column) bool { return isQuantity(input) && input.DropOutside })
}

// isQuantity reports whether a stored column has numbers, times or intervals, which could be of any size.
func isQuantity(c *Column) bool {
	return pgvalue.FamilyOf(c.TypeOID) == pgvalue.Numbers || pgvalue.IsTime(c.TypeOID) || c.TypeOID == pgvalue.Interval
}

// Grid is what all values of a number are multiples of, as is declared or as its type has it; nil if it has none.
func (c *Column) Grid() *big.Rat {
	if c.Step != nil {
		return c.Step
	}
	return c.TypeGrid()
}

// TypeGrid is what all values of a number are multiples of by its type; nil if it has none.
func (c *Column) TypeGrid() *big.Rat {
	switch {
	case pgvalue.IsInteger(c.TypeOID):
		return big.NewRat(1, 1)
	case !c.Stored():
		return c.computation.grid
	case c.TypeOID == pgvalue.Numeric && c.Typmod >= 4:
		if scale := (c.Typmod - 4) & 0x7ff; scale < 1024 {
			return new(big.Rat).Inv(bounds.PowerOfTen(int64(scale)))
		}
	}
	return nil
}

// Open reports whether what the column is depends on parameters, so that its bounds do.
func (c *Column) Open() bool { return c.computation != nil && c.computation.open }
