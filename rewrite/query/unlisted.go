package query

import (
	"fmt"
	"math/big"
	"slices"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
)

// This file says why the values of a column are not listed though the steward has declared its range, and what of it has listed values. It depends on the
// statement, the types and the policy alone.

// UnlistedKeys are the keys whose values are neither declared nor known.
func (q *BoundQuery) UnlistedKeys() (keys []*Column) {
	for _, g := range q.KeyGroups() {
		for _, i := range g.Keys {
			if k := q.Keys[i]; !g.Declared() && slices.ContainsFunc(k.Inputs(), func(c *Column) bool { return c.Domain == nil && g.known[c] == nil }) {
				keys = append(keys, k)
			}
		}
	}
	return keys
}

// WhyUnlisted says why the values of a column, or of what is computed of columns, are not listed though all is declared; "" if something is not. limit is
// how many cells there may be.
func WhyUnlisted(c *Column, limit int) (why string) {
	for _, input := range c.Inputs() {
		_, known := input.Known(expr.Truth(true))
		switch {
		case why == "" && (input.Range != nil || len(input.Domain) > limit):
			why = whyLong(input, limit)
		case !input.Declared() && !known:
			return ""
		}
	}
	return why
}

// whyLong says what is the matter with a range, or with values that are too many.
func whyLong(c *Column, limit int) string {
	const tooMany = "%s values of %s are declared, more than limits.cells (%d)."
	if c.Range == nil {
		return fmt.Sprintf(tooMany, fmt.Sprint(len(c.Domain)), c.Shown(), limit)
	}
	step := c.Step
	if pgvalue.IsInteger(c.TypeOID) && step == nil {
		step = big.NewRat(1, 1)
	}
	switch {
	case pgvalue.FamilyOf(c.TypeOID) != pgvalue.Numbers:
		return fmt.Sprintf("The declared range of %s has too many values to be listed.", c.Shown())
	case step == nil:
		return fmt.Sprintf("The declared range of %s has no step, so that its values are not listed.", c.Shown())
	}
	width := new(big.Rat).Sub(c.Range.Greatest.Number, c.Range.Least.Number)
	steps := floor(width.Quo(width, step), big.NewRat(1, 1))
	return fmt.Sprintf(tooMany, Decimal(steps.Add(steps, big.NewRat(1, 1))), c.Shown(), limit)
}

// Rounded is an expression of a column, or of what is computed of columns, that has listed values: of a number with a range at least so many, by round or trunc; of a time its
// days or, of a few, its months; "" if there is none.
func Rounded(c *Column, by string, values int64) string {
	name := c.Shown()
	least, greatest, ok := c.Span()
	switch {
	case c.TypeOID == pgvalue.Date:
		return fmt.Sprintf("date_trunc('month', %s::timestamp)", name)
	case pgvalue.IsTime(c.TypeOID) && values > 20:
		return fmt.Sprintf("date_trunc('day', %s)", name)
	case pgvalue.IsTime(c.TypeOID):
		return fmt.Sprintf("date_trunc('month', %s)", name)
	case !ok:
		return ""
	case pgvalue.IsFloat(c.TypeOID):
		name += "::numeric"
	}
	digits, unit := 18, big.NewRat(1, 1_000_000_000_000_000_000) // the largest power of ten of which there are as many
	for wide := new(big.Rat).Quo(new(big.Rat).Sub(greatest, least), big.NewRat(10*values, 1)); unit.Cmp(wide) <= 0; digits-- {
		unit.Mul(unit, big.NewRat(10, 1))
	}
	return fmt.Sprintf("%s(%s, %d)", by, name, digits)
}
