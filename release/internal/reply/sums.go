package reply

import (
	"fmt"
	"math/big"
	"strings"
)

// A SumError tells how exact sums of a number are, and what follows from them.
type SumError struct {
	// Value is the number, as a question has it. It lies between Least and Greatest, and is rounded to Grid, all of them decimals.
	Value, Least, Greatest, Grid string
	// Rounded says that the grid is coarser than the values are known to be.
	Rounded bool
	// Dropped says that values beyond the bounds are left out; otherwise they count as the bound.
	Dropped bool
	// Sum bounds the error of a sum with probability 0.95, and Average that of an average times the number of rows.
	Sum, Average *big.Rat
	// Cells is how many cells are added up, at most, in a derived answer; 1 otherwise.
	Cells int
}

// bound says how exact they are.
func (s SumError) bound() string {
	text := fmt.Sprintf("each sum within ±%s and each average within ±%s divided by the number of rows, with probability 95%%", shortened(s.Sum), shortened(s.Average))
	if s.Cells > 1 {
		text = fmt.Sprintf("of up to %d cells, ", s.Cells) + text
	}
	return text
}

// treatment says what is done to values.
func (s SumError) treatment() string {
	text := fmt.Sprintf("values beyond %s to %s count as the nearer end", s.Least, s.Greatest)
	if s.Dropped {
		text = fmt.Sprintf("values beyond %s to %s are left out", s.Least, s.Greatest)
	}
	if s.Rounded {
		text += ", and values are rounded to multiples of " + s.Grid
	}
	return text
}

// String is what the notice says.
func (s SumError) String() string {
	return fmt.Sprintf("%s: %s (%s)", s.Value, s.bound(), s.treatment())
}

// shortened prints a number of three digits or more that is no smaller.
func shortened(n *big.Rat) string {
	scale, hundred := big.NewRat(1, 1), big.NewRat(100, 1)
	digits := 0
	for n.Sign() > 0 && new(big.Rat).Mul(n, scale).Cmp(hundred) < 0 {
		scale.Mul(scale, big.NewRat(10, 1))
		digits++
	}
	scaled := new(big.Rat).Mul(n, scale)
	up := new(big.Int).Quo(new(big.Int).Add(scaled.Num(), new(big.Int).Sub(scaled.Denom(), big.NewInt(1))), scaled.Denom())
	text := new(big.Rat).Quo(new(big.Rat).SetInt(up), scale).FloatString(digits)
	if digits > 0 {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text
}
