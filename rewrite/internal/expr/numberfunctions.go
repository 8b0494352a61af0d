package expr

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"tacit/rewrite/internal/bounds"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// numberFunctions are those of numbers.
func numberFunctions() []Overload { return slices.Concat(arithmetic(), roundings()) }

func arithmetic() []Overload {
	var list overloads
	for _, oid := range []string{"int2", "int4", "int8", "numeric", "float4", "float8"} {
		same := oid + " " + oid + " -> " + oid
		sum, difference, quotient := bounds.Bounds.Plus, bounds.Bounds.Minus, bounds.Bounds.Over
		switch oid {
		case "int2", "int4", "int8":
			quotient = func(v, w bounds.Bounds) bounds.Bounds { return v.Over(w).Whole() }
		case "numeric":
			quotient = func(v, w bounds.Bounds) bounds.Bounds { return v.Over(w).Cut() }
			sum = func(v, w bounds.Bounds) bounds.Bounds { return v.Plus(w).Exact() }
			difference = func(v, w bounds.Bounds) bounds.Bounds { return v.Minus(w).Exact() }
		}
		list.add(
			infix("+", same).within(func(v []bounds.Bounds) bounds.Bounds { return sum(v[0], v[1]) }),
			infix("-", same).within(func(v []bounds.Bounds) bounds.Bounds { return difference(v[0], v[1]) }),
			infix("*", same).within(func(v []bounds.Bounds) bounds.Bounds { return v[0].Times(v[1]) }),
			infix("/", same).within(func(v []bounds.Bounds) bounds.Bounds { return quotient(v[0], v[1]) }),
			prefix("-", oid+" -> "+oid).within(func(v []bounds.Bounds) bounds.Bounds { return v[0].Negated() }),
			prefix("+", oid+" -> "+oid).within(unchanged),
			simple("abs", oid+" -> "+oid).within(func(v []bounds.Bounds) bounds.Bounds { return v[0].Magnitude() }),
		)
		if oid != "float4" && oid != "float8" {
			list.add(
				infix("%", same).within(func(v []bounds.Bounds) bounds.Bounds { return v[0].Remainder(v[1], typeNamed(oid)) }),
				simple("mod", same).within(func(v []bounds.Bounds) bounds.Bounds { return v[0].Remainder(v[1], typeNamed(oid)) }),
			)
		}
	}
	for _, mixed := range []string{"float4 float8", "float8 float4"} { // which decide the type of integer and real
		for symbol, of := range map[string]func(v, w bounds.Bounds) bounds.Bounds{"+": bounds.Bounds.Plus, "-": bounds.Bounds.Minus, "*": bounds.Bounds.Times, "/": bounds.Bounds.Over} {
			list.add(infix(symbol, mixed+" -> float8").
				within(func(v []bounds.Bounds) bounds.Bounds { return of(v[0], v[1]) }))
		}
	}
	return list
}

func roundings() []Overload {
	var list overloads
	for _, oid := range []string{"numeric", "float8"} {
		for _, name := range []string{"ceil", "ceiling", "floor", "round", "trunc"} {
			list.add(simple(name, oid+" -> "+oid).within(func(v []bounds.Bounds) bounds.Bounds { return v[0].ToWhole(name, typeNamed(oid)) }))
		}
		list.add(simple("sign", oid+" -> "+oid).within(func(v []bounds.Bounds) bounds.Bounds { return v[0].Only(bounds.Integers(-1, 1)) }))
		list.add(simple("width_bucket", oid+" "+oid+" "+oid+" int4 -> int4").constants(1, 2, 3).checked(bucketBounds).
			within(func(v []bounds.Bounds) bounds.Bounds { return v[0].Only(bounds.Integers(0, maxBuckets+1)) }))
		for _, name := range []string{"sqrt", "cbrt", "exp", "ln", "log", "power", "pow"} {
			signature := oid + " -> " + oid
			if strings.HasPrefix(name, "pow") {
				signature = oid + " " + oid + " -> " + oid
			}
			list.add(simple(name, signature).only(failsReason))
		}
	}
	for _, name := range []string{"round", "trunc"} {
		list.add(simple(name, "numeric int4 -> numeric").constants(1).checked(fewDigits(1)).bounded(func(args []argument, v []bounds.Bounds) bounds.Bounds {
			return v[0].ToMultiples(name, placeOf(args[1]), -maxRoundedDigits-1)
		}))
	}
	list.add(
		simple("div", "numeric numeric -> numeric").within(func(v []bounds.Bounds) bounds.Bounds { return v[0].Over(v[1]).ToWhole("trunc", pgvalue.Numeric) }),
	)
	return list
}

// placeOf is the unit of the last place of which there are so many digits behind the point.
func placeOf(a argument) *big.Rat {
	n := integerOf(a)
	unit := bounds.PowerOfTen(max(n, -n))
	if n > 0 {
		unit.Inv(unit)
	}
	return unit
}

const maxRoundedDigits = 100

func fewDigits(i int) func([]argument) *pgerror.Refusal {
	return func(args []argument) *pgerror.Refusal {
		if n := integerOf(args[i]); n > maxRoundedDigits || n < -maxRoundedDigits {
			return roundedTooFar.With(maxRoundedDigits)
		}
		return nil
	}
}

const maxBuckets = 1_000_000

// bucketBounds are what width_bucket checks when it reaches a row.
func bucketBounds(args []argument) *pgerror.Refusal {
	low, high := args[1].constant, args[2].constant
	switch n := integerOf(args[3]); {
	case n <= 0 || n > maxBuckets:
		return &pgerror.Refusal{Code: "2201G", Message: "count must be greater than zero", Detail: fmt.Sprintf("On a protected table it is at most %d.", maxBuckets)}
	case low.Number == nil || high.Number == nil:
		return &pgerror.Refusal{Code: "2201G", Message: "lower and upper bounds must be finite"}
	case low.Number.Cmp(high.Number) == 0:
		return &pgerror.Refusal{Code: "2201G", Message: "lower bound cannot equal upper bound"}
	}
	for _, bound := range []*big.Rat{low.Number, high.Number} {
		if new(big.Rat).Abs(bound).Cmp(bounds.GuardedMagnitude) > 0 {
			return &pgerror.Refusal{Code: "2201G", Message: "lower and upper bounds must be between -1e100 and 1e100 on a protected table"}
		}
	}
	return nil
}
