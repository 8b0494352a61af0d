package bounds

import (
	"math/big"
	"testing"

	"tacit/rewrite/internal/pgvalue"
)

func rat(text string) *big.Rat {
	n, _ := new(big.Rat).SetString(text)
	return n
}

// TestNearBoundsAreMet fails if near bounds hold a whole number that no value is rounded to, or lack one that some value is. It also fails if bounds of
// sums, which are not near, have become others: then recorded answers would be of another question.
func TestNearBoundsAreMet(t *testing.T) {
	of := func(least, greatest string) Bounds { return Between(rat(least), rat(greatest)).Closely() }
	for _, c := range []struct {
		name            string
		got             Bounds
		least, greatest string
	}{
		{"a quotient", of("0", "100000").Over(of("10000", "10000")).Cut(), "0", "10"},
		{"a quotient that never ends", of("1", "2").Over(of("3", "3")).Cut(), "0.33333333333333333333", "0.66666666666666666667"},
		{"a large quotient", of("1", "12345678901234567.5").Over(of("1", "1")).Cut(), "1", "12345678901234568"},
		{"a quotient next to zero", of("1e-1001", "1").Over(of("1", "1")).Cut(), "0", "1"},
		{"floor", of("-0.5", "9.9").ToWhole("floor", pgvalue.Numeric), "-1", "9"},
		{"ceil", of("-0.5", "9.1").ToWhole("ceil", pgvalue.Numeric), "0", "10"},
		{"trunc", of("-0.5", "9.9").ToWhole("trunc", pgvalue.Numeric), "0", "9"},
		{"round", of("-0.5", "2.5").ToWhole("round", pgvalue.Numeric), "-1", "3"},
		{"round of double precision", of("-0.5", "2.5").ToWhole("round", pgvalue.Float8), "0", "2"},
		{"round to hundreds", of("49", "1050").ToMultiples("round", rat("100"), 0), "0", "1100"},
		{"trunc to hundreds", of("-99", "1099").ToMultiples("trunc", rat("100"), 0), "0", "1000"},
		{"what remains", of("0", "1000").Remainder(of("10", "10"), pgvalue.Int4), "0", "9"},
		{"what remains of either sign", of("-3", "1000").Remainder(of("-10", "-7"), pgvalue.Int4), "-3", "9"},
		{"a magnitude", of("-20", "-10").Magnitude(), "10", "20"},
		{"digits of real", of("0", "0.30000001").Printed(pgvalue.Float4), "0", "0.3"},
		{"places", of("0", "5").Places(120), "0", "5"},
		{"a sum's quotient", Integers(0, 100_000).Over(Integers(10_000, 10_000)).Cut().ToWhole("floor", pgvalue.Numeric), "", ""},
	} {
		if c.least == "" {
			if c.got.Least.Cmp(rat("-1")) > 0 || c.got.Greatest.Cmp(rat("11")) < 0 {
				t.Errorf("%s is from %v to %v", c.name, c.got.Least, c.got.Greatest)
			}
			continue
		}
		if c.got.Least.Cmp(rat(c.least)) != 0 || c.got.Greatest.Cmp(rat(c.greatest)) != 0 {
			t.Errorf("%s is from %s to %s, want %s to %s", c.name, c.got.Least.FloatString(30), c.got.Greatest.FloatString(30), c.least, c.greatest)
		}
	}
	if mixed := of("0", "5").Plus(Integers(1, 1)); mixed.near {
		t.Error("a sum with bounds that are not near has near ones")
	}
}
