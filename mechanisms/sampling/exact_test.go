package sampling

import (
	"fmt"
	"math"
	"math/big"
	"testing"
)

// mostUndecided is the share of sequences that may be too short. The bounds are exact; the fewer, the closer.
const mostUndecided = 0.3

// checkExactly runs f on every sequence of n bits. The probability of every outcome lies between the share of sequences that lead to it
// and that share plus the undecided ones: this is the sampler's distribution, not a sample from it. pmf is wanted.
func checkExactly(t *testing.T, name string, n int, f func(*Bits) int64, pmf func(int64) float64) {
	t.Helper()
	tally, undecided := enumerate(n, f)
	for z := range tally {
		if pmf(z) <= 0 {
			t.Errorf("%s: an outcome of %d", name, z)
		}
	}
	for z := int64(-15); z <= 15; z++ {
		if want, got := pmf(z), tally[z]; got > want+1e-14 || got+undecided < want-1e-14 {
			t.Errorf("%s: P(Z = %d) is in [%v, %v], want %v", name, z, got, got+undecided, want)
		}
	}
	if undecided > mostUndecided {
		t.Errorf("%s: %v of the sequences are undecided; too many to conclude", name, undecided)
	}
}

func TestBernoulliExpOfMoreThanOneExactly(t *testing.T) {
	for _, c := range []struct{ p, q uint64 }{{2, 1}, {3, 2}, {7, 3}, {5, 1}} {
		probability := math.Exp(-float64(c.p) / float64(c.q))
		checkExactly(t, "BernoulliExp", 18, func(b *Bits) int64 {
			if b.BernoulliExp(c.p, c.q) {
				return 1
			}
			return 0
		}, func(z int64) float64 { return map[int64]float64{0: 1 - probability, 1: probability}[z] })
	}
}

func TestLaplaceFormsExactly(t *testing.T) {
	for i, c := range []struct{ s, t uint64 }{{1, 1}, {1, 2}, {2, 1}, {3, 2}, {5, 1}} {
		if testing.Short() && i%2 == 0 {
			continue
		}
		for name, f := range laplaceForms(c.s, c.t) {
			checkExactly(t, name, 19, f.draw, f.PMF)
		}
	}
}

func TestTruncatedDiscreteLaplaceExactly(t *testing.T) {
	for i, c := range []struct {
		s, t  uint64
		bound int64
		n     int
	}{
		{1, 1, 1, 18}, {1, 2, 2, 18}, {1, 5, 3, 20}, {2, 7, 3, 20}, // uniform proposals
		{1, 1, 2, 20}, {2, 1, 1, 20}, {2, 1, 3, 21}, // proposals of DiscreteLaplace
	} {
		if testing.Short() && i%2 == 0 {
			continue
		}
		f := truncated(c.s, c.t, c.bound)
		checkExactly(t, "TruncatedDiscreteLaplace", c.n, f.draw, f.PMF)
	}
}

// coarsely is a Gaussian whose quick comparisons have few places, so that most of them are left open, and whose values from 2 t on are
// far.
func coarsely(b *Bits, v Variance) *Gaussian {
	g := b.Gaussian(v)
	g.places, g.offsetPlaces, g.near = 2, 2, 2
	return g
}

// The probability with which an attempt keeps |Y| = y is exp(-g) for the discrete Gaussian, and the mean of exp(-g) over the offset for
// the rounded one: a share of the continuous Gaussian.
func TestGaussianKeepsExactly(t *testing.T) {
	for i, variance := range []*big.Rat{big.NewRat(1, 4), big.NewRat(3, 4), big.NewRat(1, 1), big.NewRat(7, 1)} {
		v, err := NewVariance(variance)
		if err != nil {
			t.Fatal(err)
		}
		square := v.Float()
		sigma, scale := math.Sqrt(square), math.Floor(math.Sqrt(square))+1
		for y := range uint64(2*scale) + 3 {
			if testing.Short() && (uint64(i)+y)%2 != 0 {
				continue
			}
			away := float64(y) - square/scale
			discrete := math.Exp(-away * away / (2 * square))
			from := max(0, float64(y)-0.5) // y = 0 has half of the offsets
			rounded := sigma * math.Sqrt(2*math.Pi) * (normalAbove(from, sigma) - normalAbove(float64(y)+0.5, sigma)) / (float64(y) + 0.5 - from) *
				math.Exp(float64(y)/scale-square/(2*scale*scale)-1/(2*scale))
			checkShare(t, fmt.Sprintf("variance %s, y = %d, discrete", variance, y), discrete, 14, func(b *Bits) bool {
				b.Start()
				g := coarsely(b, v)
				g.y, g.exact = y, true
				return b.bernoulliExpOf(g, g.quickDiscrete())
			})
			checkShare(t, fmt.Sprintf("variance %s, y = %d, rounded", variance, y), rounded, 15, func(b *Bits) bool {
				b.Start()
				g := coarsely(b, v)
				g.y = y
				return b.bernoulliExpOf(g, g.quickRounded(g.drawOffset()))
			})
		}
	}
}

// checkShare runs f on sequences of n bits.
func checkShare(t *testing.T, name string, want float64, n int, f func(*Bits) bool) {
	t.Helper()
	tally, undecided := enumerate(n, f)
	if got := tally[true]; got > want+1e-14 || got+undecided < want-1e-14 {
		t.Errorf("%s: kept with a probability in [%v, %v], want %v", name, got, got+undecided, want)
	}
	if undecided > mostUndecided {
		t.Errorf("%s: %v of the sequences are undecided; too many to conclude", name, undecided)
	}
}
