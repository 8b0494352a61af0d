package bounds

import (
	"math/big"

	"tacit/rewrite/internal/pgvalue"
)

// Bounds are what is known of all values of an expression: that they are finite, and where they lie. Numbers bound themselves; dates
// and timestamps are counted in days since 1970, intervals in the days by which they move a time, texts in bytes. Nothing is known of
// the zero bounds.
type Bounds struct {
	// Least and Greatest are both nil if nothing is known.
	Least, Greatest *big.Rat
	// Tiny is a decimal exponent below that of every magnitude but zero, for binary floating point, which fails on underflow.
	Tiny int
	// near says that the ends are rounded as PostgreSQL rounds values, see [Bounds.Closely].
	near bool
}

// noTiny is the Tiny of what decimals can come to: their digits after the point are at most mostDigits, so that nothing is smaller.
const noTiny = -20_000

// Known reports whether anything is known.
func (v Bounds) Known() bool { return v.Least != nil }

// Between are the bounds of decimals and whole numbers between two.
func Between(least, greatest *big.Rat) Bounds { return Bounds{Least: least, Greatest: greatest} }

// Exactly are the bounds of one number.
func Exactly(n *big.Rat) Bounds { return Bounds{Least: n, Greatest: n, Tiny: exponentOf(n)} }

// Integers are those between two.
func Integers(least, greatest int64) Bounds {
	return Between(new(big.Rat).SetInt64(least), new(big.Rat).SetInt64(greatest))
}

// exponentOf is a lower bound on the decimal exponent of a number, 0 for zero.
func exponentOf(n *big.Rat) int {
	if n.Sign() == 0 {
		return 0
	}
	bits := n.Num().BitLen() - n.Denom().BitLen() - 1
	return bits*30103/100000 - 1
}

// Union holds the values of either.
func (v Bounds) Union(w Bounds, first bool) Bounds {
	switch {
	case first:
		return w
	case !v.Known() || !w.Known():
		return Bounds{}
	}
	return Bounds{Min(v.Least, w.Least), Max(v.Greatest, w.Greatest), min(v.Tiny, w.Tiny), v.near && w.near}
}

// Within reports whether all values lie between two numbers.
func (v Bounds) Within(least, greatest *big.Rat) bool {
	return v.Known() && v.Least.Cmp(least) >= 0 && v.Greatest.Cmp(greatest) <= 0
}

// HasZero reports whether zero may be among the values.
func (v Bounds) HasZero() bool { return !v.Known() || v.Least.Sign() <= 0 && v.Greatest.Sign() >= 0 }

// Min is the smaller of two numbers.
func Min(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) <= 0 {
		return a
	}
	return b
}

// Max is the larger of two numbers.
func Max(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}

// corners are the bounds of an operation that is monotone in each argument: its extremes lie at the corners.
func corners(v, w Bounds, op func(z, x, y *big.Rat) *big.Rat) Bounds {
	if !v.Known() || !w.Known() {
		return Bounds{}
	}
	var result Bounds
	for i, x := range []*big.Rat{v.Least, v.Greatest} {
		for j, y := range []*big.Rat{w.Least, w.Greatest} {
			n := op(new(big.Rat), x, y)
			result = result.Union(Between(n, n), i+j == 0)
		}
	}
	result.near = v.near && w.near
	return result
}

// Plus are the bounds of a sum.
func (v Bounds) Plus(w Bounds) Bounds {
	sum := corners(v, w, (*big.Rat).Add)
	sum.Tiny = min(v.Tiny, w.Tiny) - 17 // what two doubles leave when they nearly cancel
	return sum
}

// Minus are the bounds of a difference.
func (v Bounds) Minus(w Bounds) Bounds {
	difference := corners(v, w, (*big.Rat).Sub)
	difference.Tiny = min(v.Tiny, w.Tiny) - 17
	return difference
}

// Times are the bounds of a product. One of decimals is rounded to mostDigits, so that a product of tiny ones becomes zero, and is no divisor.
func (v Bounds) Times(w Bounds) Bounds {
	product := corners(v, w, (*big.Rat).Mul)
	product.Tiny = v.Tiny + w.Tiny
	if product.Known() {
		product.Least, product.Greatest = kept(product.Least, down), kept(product.Greatest, up)
	}
	return product
}

// mostDigits is how many digits a decimal can have after the point (NUMERIC_DSCALE_MAX in numeric.c).
const mostDigits = 16383

// kept is an end of bounds without the digits that a decimal cannot have. A decimal that has more is a fraction of a denominator that is longer than this.
func kept(end *big.Rat, outward rounding) *big.Rat {
	if end.Denom().BitLen() <= mostDigits {
		return end
	}
	return multiple(end, new(big.Rat).Inv(PowerOfTen(mostDigits)), outward)
}

// Over is division by something that is never zero.
func (v Bounds) Over(w Bounds) Bounds {
	if w.HasZero() || !v.Known() {
		return Bounds{}
	}
	quotient := corners(v, w, (*big.Rat).Quo)
	quotient.Tiny = v.Tiny - exponentOf(Max(new(big.Rat).Abs(w.Least), new(big.Rat).Abs(w.Greatest))) - 3
	return quotient
}

// ButZero are the bounds of the values that are not zero, where zero is an end of them; whole says that all are whole numbers.
func (v Bounds) ButZero(whole bool) Bounds {
	if !v.Known() || v.Least.Sign() == v.Greatest.Sign() {
		return v
	}
	smallest := new(big.Rat).SetInt64(1)
	if !whole {
		smallest = new(big.Rat).Inv(PowerOfTen(int64(-v.Tiny)))
	}
	switch {
	case v.Least.Sign() == 0:
		v.Least = smallest
	case v.Greatest.Sign() == 0:
		v.Greatest = smallest.Neg(smallest)
	}
	return v
}

// Negated are the bounds of the values with the other sign.
func (v Bounds) Negated() Bounds {
	if !v.Known() {
		return v
	}
	return Bounds{new(big.Rat).Neg(v.Greatest), new(big.Rat).Neg(v.Least), v.Tiny, v.near}
}

// Magnitude are the bounds of the absolute value, or of what is no larger and of either sign.
func (v Bounds) Magnitude() Bounds {
	if !v.Known() {
		return v
	}
	smallest, largest := new(big.Rat), Max(new(big.Rat).Abs(v.Least), new(big.Rat).Abs(v.Greatest))
	if v.near && !v.HasZero() {
		smallest = Min(new(big.Rat).Abs(v.Least), new(big.Rat).Abs(v.Greatest))
	}
	return Bounds{smallest, largest, v.Tiny, v.near}
}

// Exact are the bounds of a sum, a difference or a remainder of decimals, which has all their digits: what is left when two nearly
// cancel can be as small as any decimal.
func (v Bounds) Exact() Bounds {
	v.Tiny = noTiny
	return v
}

// Rounded are the bounds of a result once its type has rounded it, as binary floating point does. Rounding is monotone: what is between
// two numbers stays between what these are rounded to.
func (v Bounds) Rounded(oid pgvalue.OID) Bounds {
	if !v.Known() || !pgvalue.IsFloat(oid) {
		return v
	}
	round := func(n *big.Rat) *big.Rat {
		f, _ := n.Float64()
		if oid == pgvalue.Float4 {
			narrow, _ := n.Float32()
			f = float64(narrow)
		}
		return new(big.Rat).SetFloat64(f) // nil if infinite
	}
	least, greatest := round(v.Least), round(v.Greatest)
	if least == nil || greatest == nil {
		return Bounds{}
	}
	return Bounds{least, greatest, v.Tiny, v.near}
}

// Whole are the bounds of a quotient of integers, whose fraction is cut off towards zero, which is monotone.
func (v Bounds) Whole() Bounds {
	if !v.Known() {
		return v
	}
	return Bounds{Least: towardsZero(v.Least), Greatest: towardsZero(v.Greatest), near: v.near}
}

// Floored are the bounds of the beginning of the day that a time lies in.
func (v Bounds) Floored() Bounds {
	if !v.Known() {
		return v
	}
	return Between(new(big.Rat).SetInt(new(big.Int).Div(v.Least.Num(), v.Least.Denom())), v.Greatest)
}

// Cut are the bounds of a quotient of decimals. It is rounded to at least 16 digits and to no fewer than there are before the point, but
// to at most 1000 after it (select_div_scale in numeric.c), so that one that is next to zero becomes zero, and is no divisor.
func (v Bounds) Cut() Bounds {
	switch {
	case !v.Known():
		return v
	case v.near:
		return v.divided()
	}
	distance := func(n *big.Rat) *big.Rat {
		e := new(big.Rat).Abs(n)
		e = Min(e.Quo(e, PowerOfTen(15)), big.NewRat(1, 1))
		return e.Add(e, new(big.Rat).Inv(PowerOfTen(1000)))
	}
	return Bounds{new(big.Rat).Sub(v.Least, distance(v.Least)), new(big.Rat).Add(v.Greatest, distance(v.Greatest)), v.Tiny, v.near}
}

// off are the bounds of a value that is known but for an error.
func (v Bounds) off(relative, absolute *big.Rat) Bounds {
	if !v.Known() {
		return v
	}
	distance := func(n *big.Rat) *big.Rat {
		e := new(big.Rat).Abs(n)
		return e.Add(e.Mul(e, relative), absolute)
	}
	return Bounds{new(big.Rat).Sub(v.Least, distance(v.Least)), new(big.Rat).Add(v.Greatest, distance(v.Greatest)), v.Tiny, v.near}
}

// Printed are the bounds of binary floating point that was printed with as many digits as it always keeps (FLT_DIG and DBL_DIG).
func (v Bounds) Printed(oid pgvalue.OID) Bounds {
	digits := int64(15)
	if oid == pgvalue.Float4 {
		digits = 6
	}
	p := v.off(new(big.Rat).Inv(PowerOfTen(digits-1)), new(big.Rat))
	if v.near && v.Known() {
		p.Least, p.Greatest = printed(v.Least, int(digits)), printed(v.Greatest, int(digits))
	}
	p.Tiny--
	return p
}

// Places are the bounds of a decimal without its digits after a place, and thus without all that is smaller. What is next to zero can
// become zero.
func (v Bounds) Places(n int) Bounds {
	unit := new(big.Rat).Inv(PowerOfTen(int64(n)))
	p := v.off(new(big.Rat), unit)
	if v.near && v.Known() {
		p.Least, p.Greatest = multiple(v.Least, unit, halfAway), multiple(v.Greatest, unit, halfAway)
	}
	p.Tiny = max(v.Tiny, -n) - 1
	return p
}

// Only are bounds of a result that holds for finite arguments.
func (v Bounds) Only(result Bounds) Bounds {
	if !v.Known() {
		return Bounds{}
	}
	return result
}

// PowerOfTen is that of a whole number that is not negative.
func PowerOfTen(n int64) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(n), nil))
}
