package bounds

import (
	"math/big"
	"strconv"

	"tacit/rewrite/internal/pgvalue"
)

// How near bounds are to the values that there are. Where sums are made between bounds, a question names them, so that they must stay what they were when
// the first answer was recorded: there what rounds is counted in by a margin. Cells are listed by near bounds, or there would be some that no value can be in.
//
// All that PostgreSQL rounds by is monotone: what is between two numbers is rounded to what is between these, rounded. So an end of near bounds is what
// the end itself is rounded to, and is met, if the end is.

// Closely are the same bounds, from which near ones are computed: of an operation whose arguments are all near. They hold for constants and for columns of
// numbers; seconds of a time are printed with fewer digits than they have.
func (v Bounds) Closely() Bounds {
	v.near = true
	return v
}

// divided are the near bounds of a quotient of decimals. It is rounded to a scale that depends on both operands (select_div_scale in numeric.c), from 0 to
// 1000, which is at least 16 less the digits of the quotient before the point, counted in fours: of a quotient whose magnitude is at least
// 10000^w and below 10000^(w+1), 16 - 4w.
//
// Let e be an end, and E the multiple of 10^-s next to it away from the values, where s is that least scale for e. No value q is rounded beyond E, since
// one of the numbers that q can be rounded to is E or lies between E and q:
//
//   - Nearer to zero than e, the scale is at least s, so that E is one. So it is where s is 1000, which no scale exceeds.
//   - Farther from zero, with a larger w, 10000^w lies between E and q. It is a whole number or, below 1, has no more than -4w digits. So it is one.
//   - If q has the other sign, zero is one.
func (v Bounds) divided() Bounds {
	unit := func(n *big.Rat) *big.Rat { return new(big.Rat).Inv(PowerOfTen(leastScale(n))) }
	return Bounds{multiple(v.Least, unit(v.Least), down), multiple(v.Greatest, unit(v.Greatest), up), v.Tiny, true}
}

// leastScale is the least scale that a quotient of this magnitude is rounded to.
func leastScale(n *big.Rat) int64 {
	const fewest, most = 0, 1000
	if n.Sign() == 0 {
		return most
	}
	digits, base := int64(16), PowerOfTen(4)
	magnitude := new(big.Rat).Abs(n)
	for digits > fewest && magnitude.Cmp(base) >= 0 {
		magnitude.Quo(magnitude, base)
		digits -= 4
	}
	for digits < most && magnitude.Cmp(big.NewRat(1, 1)) < 0 {
		magnitude.Mul(magnitude, base)
		digits += 4
	}
	return min(digits, most)
}

// ToWhole are the bounds of a value of a type that a function of this name rounds to a whole number, or a cast, which does as round does.
func (v Bounds) ToWhole(name string, oid pgvalue.OID) Bounds {
	if !v.Known() {
		return v
	}
	w := v.off(new(big.Rat), big.NewRat(1, 1))
	if v.near {
		to := roundings[name]
		if name == "round" && pgvalue.IsFloat(oid) {
			to = halfEven
		}
		w.Least, w.Greatest = to(v.Least), to(v.Greatest)
	}
	w.Tiny = min(v.Tiny, 0)
	return w
}

// ToMultiples are the bounds of a decimal that round or trunc makes a multiple of a unit: at most a unit more. So is one between bounds that are multiples
// already.
func (v Bounds) ToMultiples(name string, unit *big.Rat, tiny int) Bounds {
	least, greatest := down, up
	switch {
	case !v.Known():
		return v
	case v.near:
		least, greatest = roundings[name], roundings[name]
	}
	return Bounds{multiple(v.Least, unit, least), multiple(v.Greatest, unit, greatest), tiny, v.near}
}

// Remainder are the bounds of what is left of a division. It has the sign of the dividend and is smaller than the divisor.
func (v Bounds) Remainder(w Bounds, oid pgvalue.OID) Bounds {
	if w.HasZero() || !v.Known() {
		return Bounds{}
	}
	limit := w.Magnitude().Greatest
	r := Between(new(big.Rat).Neg(limit), limit).Exact()
	if v.near = v.near && w.near; !v.near {
		return r
	}
	if pgvalue.IsInteger(oid) {
		limit = new(big.Rat).Sub(limit, big.NewRat(1, 1))
	}
	zero := new(big.Rat)
	r.Least = Max(new(big.Rat).Neg(limit), Min(v.Least, zero))
	r.Greatest = Min(limit, Max(v.Greatest, zero))
	return r.Closely()
}

// A rounding makes a whole number of any.
type rounding func(n *big.Rat) *big.Rat

// roundings are those of functions of PostgreSQL; round is that of decimals.
var roundings = map[string]rounding{"ceil": up, "ceiling": up, "floor": down, "round": halfAway, "trunc": towardsZero}

func down(n *big.Rat) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Div(n.Num(), n.Denom())) // rounds down, as the denominator is positive
}

func up(n *big.Rat) *big.Rat {
	least := down(new(big.Rat).Neg(n))
	return least.Neg(least)
}

func towardsZero(n *big.Rat) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Quo(n.Num(), n.Denom()))
}

// halfAway is the nearest whole number, of two the one that is farther from zero.
func halfAway(n *big.Rat) *big.Rat {
	if n.Sign() < 0 {
		return up(new(big.Rat).Sub(n, big.NewRat(1, 2)))
	}
	return down(new(big.Rat).Add(n, big.NewRat(1, 2)))
}

// halfEven is the nearest whole number, of two the even one, as of binary floating point.
func halfEven(n *big.Rat) *big.Rat {
	nearest := down(new(big.Rat).Add(n, big.NewRat(1, 2)))
	if new(big.Rat).Sub(nearest, n).Cmp(big.NewRat(1, 2)) == 0 && nearest.Num().Bit(0) == 1 {
		nearest.Sub(nearest, big.NewRat(1, 1))
	}
	return nearest
}

// multiple is the multiple of a unit that a rounding makes of a number.
func multiple(n, unit *big.Rat, to rounding) *big.Rat {
	steps := to(new(big.Rat).Quo(n, unit))
	return steps.Mul(steps, unit)
}

// printed is binary floating point with so many digits.
func printed(n *big.Rat, digits int) *big.Rat {
	f, _ := n.Float64()
	short, _ := new(big.Rat).SetString(strconv.FormatFloat(f, 'e', digits-1, 64))
	return short
}
