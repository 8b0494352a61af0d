package sampling

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/big"
	"testing"

	"tacit/internal/battery"
)

// choices are groups with the exact distribution of what is drawn of them, outcomes numbered through.
var choices = []struct {
	groups []Tied
	rate   *big.Rat
}{
	{[]Tied{{1, 0}, {1, 1}, {1, 2}, {1, 3}}, big.NewRat(1, 2)},
	{[]Tied{{3, 7}, {1, 5}, {2, 9}, {1, 5}}, big.NewRat(1, 3)},
	{[]Tied{{1, 40}, {5, 0}, {20, 12}}, big.NewRat(1, 10)},
	{[]Tied{{2, 1 << 62}, {3, 1<<62 + 3}, {1, 1<<62 + 1}}, big.NewRat(3, 4)},
	{[]Tied{{2, 1_000_000_000}, {4, 0}, {1, 2_000_000_000}}, big.NewRat(1, 1_000_000_000)},
	{[]Tied{{1, 0}, {7, 1}}, big.NewRat(7, 2)},
	{[]Tied{{4, 12345}}, big.NewRat(1, 1)},
}

func distributionOf(groups []Tied, rate *big.Rat) []float64 {
	r, _ := rate.Float64()
	least := uint64(math.MaxUint64)
	for _, g := range groups {
		least = min(least, g.Cost)
	}
	var p []float64
	sum := 0.0
	for _, g := range groups {
		for range g.Outcomes {
			w := math.Exp(-r * float64(g.Cost-least))
			p, sum = append(p, w), sum+w
		}
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// The draws have the distribution that is stated, and not one whose rate is a tenth more.
func TestExponentialChoice(t *testing.T) {
	for i, c := range choices {
		if testing.Short() && i%3 != 0 {
			continue
		}
		rate := NewRate(c.rate)
		draws := some(t, byte(i), func(b *Bits) int64 {
			group, outcome := b.ExponentialChoice(c.groups, rate)
			for _, before := range c.groups[:group] {
				outcome += before.Outcomes
			}
			return int64(outcome)
		})
		fit := func(rate *big.Rat) battery.Distribution {
			p := distributionOf(c.groups, rate)
			return battery.Distribution{
				PMF: func(z int64) float64 {
					if z < 0 || z >= int64(len(p)) {
						return 0
					}
					return p[z]
				},
				Upper: func(k int64) (upper float64) {
					for z := max(0, k); z < int64(len(p)); z++ {
						upper += p[z]
					}
					return upper
				},
			}
		}
		name := fmt.Sprintf("case %d", i)
		mustFit(t, name, fit(c.rate), draws)
		if len(c.groups) > 1 && c.rate.Cmp(big.NewRat(1, 1)) < 0 { // the probabilities of large rates hardly differ
			mustNotFit(t, name+" at another rate", fit(new(big.Rat).Mul(c.rate, big.NewRat(11, 10))), draws)
		}
	}
}

// Bounds of exponentials hold the exact value, which a series of rational numbers tells, and are as close as they have places.
func TestExponentials(t *testing.T) {
	for _, rate := range []*big.Rat{big.NewRat(1, 1_000_000), big.NewRat(1, 3), big.NewRat(1, 2), big.NewRat(5, 1), big.NewRat(1e12, 7)} {
		e := newExponentials(rate, 128)
		for _, n := range []uint64{0, 1, 2, 3, 10, 77, 1000, 1<<40 + 1, math.MaxUint64} {
			bound := e.at(n)
			if width := new(big.Int).Sub(bound.high, bound.low); width.Sign() < 0 || width.Cmp(big.NewInt(2)) > 0 {
				t.Errorf("exp(-%v %d) is known up to %v units of 2^-128", rate, n, width)
			}
			low, high := slowExponential(new(big.Rat).Mul(rate, new(big.Rat).SetInt(new(big.Int).SetUint64(n))))
			scaled := func(b *big.Int) *big.Float {
				return new(big.Float).SetPrec(300).SetMantExp(new(big.Float).SetInt(b), -128)
			}
			if scaled(bound.low).Cmp(high) > 0 || scaled(bound.high).Cmp(low) < 0 {
				t.Errorf("exp(-%v %d) is not between %v and %v", rate, n, scaled(bound.low), scaled(bound.high))
			}
		}
	}
}

// slowExponential bounds exp(-x) by another way: 1/exp(x), whose series has positive terms, of x/2^k and squared k times.
func slowExponential(x *big.Rat) (low, high *big.Float) {
	f := func(n *big.Rat) *big.Float { return new(big.Float).SetPrec(400).SetRat(n) }
	if f(x).Cmp(big.NewFloat(1000)) > 0 {
		return new(big.Float), big.NewFloat(0x1p-1000)
	}
	y := f(new(big.Rat).Quo(x, big.NewRat(1<<20, 1)))
	sum, term := big.NewFloat(1).SetPrec(400), big.NewFloat(1).SetPrec(400)
	for k := int64(1); k < 200; k++ {
		term.Mul(term, y).Quo(term, new(big.Float).SetPrec(400).SetInt64(k))
		sum.Add(sum, term)
	}
	for range 20 {
		sum.Mul(sum, sum)
	}
	value := new(big.Float).SetPrec(400).Quo(big.NewFloat(1), sum)
	margin := new(big.Float).SetPrec(400).Mul(value, big.NewFloat(0x1p-300))
	return new(big.Float).Sub(value, margin), new(big.Float).Add(value, margin)
}

// Where the first places leave the group open, more are drawn, and the group is the one of the number that they are places of.
func TestExponentialChoiceRefines(t *testing.T) {
	groups, rate := []Tied{{1, 0}, {1, 1}}, big.NewRat(1, 1)
	e := newExponentials(rate, firstPlaces)
	w := e.at(1)
	one := new(big.Int).Lsh(big.NewInt(1), firstPlaces)
	// The border is 1/(1+exp(-1)).
	border := new(big.Int).Quo(new(big.Int).Lsh(one, firstPlaces), new(big.Int).Add(one, w.low))
	if _, known := chosen(groups, 0, border, e); known {
		t.Error("a number at the border is told without further places")
	}
	for group, u := range []*big.Int{new(big.Int).Sub(border, big.NewInt(8)), new(big.Int).Add(border, big.NewInt(8))} {
		if got, known := chosen(groups, 0, u, e); !known || got != group {
			t.Errorf("group %d, known %t, instead of %d", got, known, group)
		}
	}
}

// A source that fails yields nothing.
func TestExponentialChoiceFails(t *testing.T) {
	b := NewBits(bytes.NewReader(make([]byte, 20)))
	for range 3 {
		b.ExponentialChoice(choices[0].groups, NewRate(choices[0].rate))
	}
	if !errors.Is(b.Err(), ErrRandomness) {
		t.Errorf("%v", b.Err())
	}
}
