package sampling

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"testing"
)

func TestBernoulliExactly(t *testing.T) {
	for _, r := range []Ratio{{0, 1}, {1, 1}, {0, 3}, {1, 3}, {3, 8}, {4, 5}, {6, 7}} {
		checkShare(t, fmt.Sprintf("Bernoulli %v", r), float64(r.Of)/float64(r.All), 18, func(b *Bits) bool { return b.Bernoulli(r) })
	}
}

func TestBernoulliExpProductExactly(t *testing.T) {
	for _, c := range []struct{ x, y Ratio }{
		{Ratio{1, 1}, Ratio{1, 1}}, {Ratio{1, 2}, Ratio{3, 4}}, {Ratio{2, 3}, Ratio{1, 1}}, {Ratio{1, 1}, Ratio{4, 5}}, {Ratio{2, 3}, Ratio{3, 5}},
		{Ratio{0, 5}, Ratio{1, 1}}, {Ratio{1, 1}, Ratio{0, 7}},
	} {
		want := math.Exp(-float64(c.x.Of) / float64(c.x.All) * float64(c.y.Of) / float64(c.y.All))
		checkShare(t, fmt.Sprintf("exp(-%v %v)", c.x, c.y), want, 20, func(b *Bits) bool { return b.BernoulliExpProduct(c.x, c.y) })
	}
}

// thirds has the bounds of n/3, as far apart as wide says.
func thirds(n, wide int64) func(uint) (*big.Int, *big.Int) {
	return func(places uint) (low, high *big.Int) {
		one := new(big.Int).Lsh(big.NewInt(1), places)
		low = new(big.Int).Mul(one, big.NewInt(n))
		low.Quo(low, big.NewInt(3))
		high = new(big.Int).Add(low, big.NewInt(1+wide))
		if low.Sub(low, big.NewInt(wide)).Sign() < 0 {
			low.SetInt64(0)
		}
		if high.Cmp(one) > 0 {
			high = one
		}
		return low, high
	}
}

// Every comparison has few places at first, so that most need more.
func TestBernoulliRealExactly(t *testing.T) {
	for n := int64(0); n <= 3; n++ {
		for wide := range int64(2) {
			for _, places := range []uint{1, 2, 3} {
				p := newProbability(thirds(n, wide), places)
				checkShare(t, fmt.Sprintf("%d/3, %d places, bounds %d wider", n, places, wide), float64(n)/3, 15, func(b *Bits) bool {
					b.Start()
					return b.BernoulliReal(&p)
				})
			}
		}
	}
}

// A comparison of numbers that agree in every place gives up: every place of p, and of U, is 1.
func TestBernoulliRealThatNeverEnds(t *testing.T) {
	p := NewProbability(func(places uint) (low, high *big.Int) {
		one := new(big.Int).Lsh(big.NewInt(1), places)
		return new(big.Int).Sub(one, big.NewInt(1)), one
	})
	b := NewBits(constant(0xff))
	b.Start()
	if b.BernoulliReal(&p) || !errors.Is(b.Err(), ErrRandomness) {
		t.Errorf("no failure: %v", b.Err())
	}
	if used := maxWordsPerDraw - b.budget; used > maxPlaces/probabilityPlaces+1 {
		t.Errorf("it gave up after %d words", used)
	}
}
