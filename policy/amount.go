package policy

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// An Epsilon is an amount of epsilon in units of 1e-9, never negative. Losses and budgets are compared and summed in these
// units, so that no rounding can make a sum of losses look smaller than it is.
type Epsilon int64

// A Delta is an amount of delta in units of 1e-18, never negative.
type Delta int64

// OneDelta is a delta of 1, at which nothing is promised.
const OneDelta Delta = 1e18

// The number of decimal places that each unit holds.
const (
	epsilonPlaces = 9
	deltaPlaces   = 18
)

// ParseEpsilon reads a decimal number such as 0.5, 4 or 1e-3. The value must be exactly representable: digits beyond the ninth
// decimal place are an error, not rounded.
func ParseEpsilon(s string) (Epsilon, error) {
	n, err := parseFixed(s, epsilonPlaces)
	return Epsilon(n), err
}

// ParseDelta reads a decimal number such as 0.000001 or 1e-6. The value must be exactly representable: digits beyond the
// eighteenth decimal place are an error, not rounded. Whether a delta makes sense (it must be below 1) is for the caller to say.
func ParseDelta(s string) (Delta, error) {
	n, err := parseFixed(s, deltaPlaces)
	return Delta(n), err
}

// Float is the amount as a floating point number, for formulas and pictures.
func (e Epsilon) Float() float64 { return float64(e) / 1e9 }

// String returns the shortest decimal that is exactly e, without an exponent: "0.5".
func (e Epsilon) String() string {
	sign, digits, exponent := decimal(int64(e), epsilonPlaces)
	return sign + positional(digits, exponent)
}

// String returns the shortest decimal that is exactly d, with an exponent where that is shorter: "0.05", "1e-6".
func (d Delta) String() string {
	sign, digits, exponent := decimal(int64(d), deltaPlaces)
	plain, scientific := positional(digits, exponent), scientific(digits, exponent)
	if len(plain) <= len(scientific) {
		return sign + plain
	}
	return sign + scientific
}

// parseFixed reads an unsigned decimal as an integer number of units of 10^-places.
func parseFixed(s string, places int) (int64, error) {
	digits, exponent, err := scanDecimal(s)
	if err != nil || digits == "" {
		return 0, err
	}
	shift := places + exponent
	if shift < 0 {
		return 0, fmt.Errorf("%s has more than %d decimal places", s, places)
	}
	if len(digits)+shift > len("9223372036854775807") {
		return 0, tooLarge(s, places)
	}
	n, err := strconv.ParseInt(digits+strings.Repeat("0", shift), 10, 64)
	if err != nil {
		return 0, tooLarge(s, places)
	}
	return n, nil
}

func tooLarge(s string, places int) error {
	_, digits, exponent := decimal(math.MaxInt64, places)
	return fmt.Errorf("%s is larger than %s", s, positional(digits, exponent))
}

// scanDecimal splits a decimal number into its significant digits and a power of ten: the value is digits * 10^exponent.
// Leading and trailing zeros are dropped; zero has no digits.
func scanDecimal(s string) (digits string, exponent int, err error) {
	if strings.HasPrefix(s, "-") {
		return "", 0, fmt.Errorf("%s is negative", s)
	}
	mantissa, power, hasPower := cutByte(s, "eE")
	if hasPower {
		// Four digits are more than any representable amount needs, and keep the sums below from overflowing.
		if exponent, err = strconv.Atoi(power); err != nil || len(power) > 5 {
			return "", 0, notDecimal(s)
		}
	}
	whole, fraction, hasPoint := strings.Cut(mantissa, ".")
	digits = whole + fraction
	if digits == "" || (hasPoint && fraction == "") || strings.Trim(digits, "0123456789") != "" || len(s) > 100 {
		return "", 0, notDecimal(s)
	}
	significant := strings.TrimRight(digits, "0")
	exponent += len(digits) - len(significant) - len(fraction)
	return strings.TrimLeft(significant, "0"), exponent, nil
}

func cutByte(s, chars string) (before, after string, found bool) {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

func notDecimal(s string) error {
	if s == "" {
		return errors.New("the number is missing")
	}
	if len(s) > 40 {
		s = s[:40] + "..."
	}
	return fmt.Errorf("%q is not a decimal number", s)
}

// decimal splits units of 10^-places into a sign, significant digits and a power of ten.
func decimal(units int64, places int) (sign, digits string, exponent int) {
	s := strconv.FormatInt(units, 10)
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	digits = strings.TrimRight(s, "0")
	if digits == "" {
		return "", "0", 0
	}
	return sign, digits, len(s) - len(digits) - places
}

func positional(digits string, exponent int) string {
	if exponent >= 0 {
		return digits + strings.Repeat("0", exponent)
	}
	point := len(digits) + exponent
	if point <= 0 {
		return "0." + strings.Repeat("0", -point) + digits
	}
	return digits[:point] + "." + digits[point:]
}

func scientific(digits string, exponent int) string {
	exponent += len(digits) - 1
	if len(digits) > 1 {
		digits = digits[:1] + "." + digits[1:]
	}
	return digits + "e" + strconv.Itoa(exponent)
}
