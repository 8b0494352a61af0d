package policy

import (
	"math"
	"strconv"
)

// Amounts of privacy are exact in the ledger and in what programs read. People are shown a few significant digits: of what was spent never
// less than it is, and of what is left never more. An infinite amount stays infinite.

// RoundUp is the least epsilon of so many significant digits that is not below e.
func (e Epsilon) RoundUp(digits int) Epsilon { return roundUp(e, digits) }

// RoundDown is the largest epsilon of so many significant digits that is not above e.
func (e Epsilon) RoundDown(digits int) Epsilon { return roundDown(e, digits) }

// RoundUp is the least delta of so many significant digits that is not below d.
func (d Delta) RoundUp(digits int) Delta { return roundUp(d, digits) }

// RoundDown is the largest delta of so many significant digits that is not above d.
func (d Delta) RoundDown(digits int) Delta { return roundDown(d, digits) }

// RoundUp is the least risk of so many significant digits that is not below r.
func (r Risk) RoundUp(digits int) Risk { return roundUp(r, digits) }

// RoundDown is the largest risk of so many significant digits that is not above r.
func (r Risk) RoundDown(digits int) Risk { return roundDown(r, digits) }

// An amount is never negative; math.MaxInt64 stands for infinity.
type amount interface{ ~int64 }

func roundUp[A amount](a A, digits int) A {
	rounded := roundDown(a, digits)
	if rounded == a {
		return a
	}
	step := lastDigit(a, digits)
	if rounded > math.MaxInt64-step {
		return math.MaxInt64
	}
	return rounded + step
}

func roundDown[A amount](a A, digits int) A {
	if a == math.MaxInt64 {
		return a
	}
	return a - a%lastDigit(a, digits)
}

// lastDigit is the value of the last of so many significant digits.
func lastDigit[A amount](a A, digits int) A {
	value := A(1)
	for rest := len(strconv.FormatInt(int64(a), 10)) - digits; rest > 0; rest-- {
		value *= 10
	}
	return value
}
