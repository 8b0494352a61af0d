package bounds

import (
	"math/big"
	"testing"

	"tacit/rewrite/internal/pgvalue"
)

// TestUnionIsOfTheSmallest fails if the smaller magnitudes of one side are forgotten.
func TestUnionIsOfTheSmallest(t *testing.T) {
	small, large := Integers(0, 1), Integers(0, 1)
	small.Tiny = -5
	for _, u := range []Bounds{small.Union(large, false), large.Union(small, false)} {
		if u.Tiny != -5 {
			t.Errorf("tiny is %d, want -5", u.Tiny)
		}
	}
}

// TestButZeroLeavesOutZeroAlone fails if a divisor is said to be no zero that may be, or if a number is left out with the zero.
func TestButZeroLeavesOutZeroAlone(t *testing.T) {
	hundredths := Between(new(big.Rat), big.NewRat(5, 1))
	hundredths.Tiny = -2
	for _, c := range []struct {
		of              Bounds
		whole           bool
		least, greatest *big.Rat
	}{
		{Integers(0, 60), true, big.NewRat(1, 1), big.NewRat(60, 1)},
		{Integers(-60, 0), true, big.NewRat(-60, 1), big.NewRat(-1, 1)},
		{Integers(-5, 5), true, big.NewRat(-5, 1), big.NewRat(5, 1)},
		{Integers(0, 0), true, new(big.Rat), new(big.Rat)},
		{Integers(3, 9), true, big.NewRat(3, 1), big.NewRat(9, 1)},
		{hundredths, false, big.NewRat(1, 100), big.NewRat(5, 1)},
	} {
		got := c.of.ButZero(c.whole)
		if got.Least.Cmp(c.least) != 0 || got.Greatest.Cmp(c.greatest) != 0 {
			t.Errorf("%v to %v without zero is %v to %v, want %v to %v", c.of.Least, c.of.Greatest, got.Least, got.Greatest, c.least, c.greatest)
		}
	}
	if (Bounds{}).ButZero(true).Known() {
		t.Error("unknown bounds are known without zero")
	}
}

// A product of decimals with more digits than there can be is rounded, to zero or across a whole number.
func TestProductsLoseDigits(t *testing.T) {
	tiny := new(big.Rat).Inv(PowerOfTen(990))
	v := Integers(1, 120)
	for range 16 {
		v = v.Times(Exactly(tiny))
	}
	if v.HasZero() {
		t.Error("what has 15840 digits after the point is cut")
	}
	for _, product := range []Bounds{v.Times(Exactly(tiny)), v.Negated().Times(Exactly(tiny))} {
		if !product.HasZero() {
			t.Errorf("what has 16830 digits after the point stays between %v and %v", product.Least.FloatString(3), product.Greatest.FloatString(3))
		}
	}
	almost := new(big.Rat).Sub(big.NewRat(1, 1), v.Least) // 1 less 10^-15840
	if squared := Exactly(almost).Closely().Times(Exactly(almost).Closely()); squared.ToWhole("ceil", pgvalue.Numeric).Least.Cmp(big.NewRat(1, 1)) != 0 || squared.Greatest.Cmp(almost) > 0 {
		t.Error("the square of what is next to 1 is elsewhere")
	}
}
