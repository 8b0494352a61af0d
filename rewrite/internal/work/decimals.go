package work

// PostgreSQL multiplies and divides decimals in proportion to the digits of both. There can be 16,383 after the point.
const (
	mostDigits      = 16_383 + 1000
	guardedDigits   = 16_383 + 101 // of a column without precision: up to 1e100
	usualDigits     = 350          // of an integer, or of binary floating point up to 1e100 in magnitude, and of 1e-100
	quotientDigits  = 2100         // numeric_div yields at most 1,000 after the point, and there are at most 1,000 before it
	multipliedPairs = 40_000       // pairs of digits for one atom
	addedDigits     = 250          // digits for one atom
)

// DigitsOf is how many digits a column has as a decimal, by the modifier of its type if it is one.
func DigitsOf(decimal bool, typmod int32) int {
	switch {
	case !decimal:
		return usualDigits
	case typmod < 4:
		return guardedDigits
	}
	return int((typmod-4)>>16&0xffff) + int((typmod-4)&0x7ff) // as make_numeric_typmod packs them; a negative scale comes to more
}

// Digits is how many a decimal can have that a function yields.
func Digits(name string, args []Argument) int {
	longest, sum := 0, 0
	for _, a := range args {
		longest, sum = max(longest, a.Digits), sum+a.Digits
	}
	switch {
	case longest == 0:
		return usualDigits
	case name == "*":
		return min(sum, mostDigits)
	case name == "/":
		return min(longest+usualDigits, quotientDigits)
	}
	return min(longest+1, mostDigits)
}

func ofDecimals(name string, args []Argument) int {
	digits := args[0].Digits
	if len(args) == 1 {
		return digits / addedDigits
	}
	switch name {
	case "/":
		return max(digits, quotientDigits) * args[1].Digits / multipliedPairs
	case "*", "%", "mod", "div":
		return digits * args[1].Digits / multipliedPairs
	}
	return (digits + args[1].Digits) / addedDigits
}
