package sampling

import (
	"fmt"
	"testing"

	"tacit/internal/battery"
)

// The battery below has fewer than a hundred verdicts that could be wrong about a right sampler, each with probability at most
// battery.FalseFailure: 1e-6 in all, for seeds chosen blindly.
const chiSquaredDraws = 200_000

// someDraws is a fourth of them in short form. That so few still tell a right sampler from a wrong one, each mustNotFit shows; how
// probable a wrong verdict about a right one is does not depend on their number.
func someDraws() int {
	if testing.Short() {
		return chiSquaredDraws / 4
	}
	return chiSquaredDraws
}

// some draws with a seed.
func some(t *testing.T, seed byte, draw func(*Bits) int64) []int64 {
	t.Helper()
	return drawn(t, someDraws(), seed, draw)
}

// many draws with a seed, as many in short form: for faults that fewer do not show.
func many(t *testing.T, seed byte, draw func(*Bits) int64) []int64 {
	t.Helper()
	return drawn(t, chiSquaredDraws, seed, draw)
}

func drawn(t *testing.T, n int, seed byte, draw func(*Bits) int64) []int64 {
	t.Helper()
	b := NewBits(battery.Seeded(seed))
	draws := make([]int64, n)
	for i := range draws {
		draws[i] = draw(b)
	}
	if err := b.Err(); err != nil {
		t.Fatal(err)
	}
	return draws
}

func mustFit(t *testing.T, name string, d battery.Distribution, draws []int64) {
	t.Helper()
	if statistic, freedom := battery.ChiSquared(d, draws); statistic > battery.Limit(freedom) {
		t.Errorf("%s: chi-squared %.0f with %d degrees of freedom, limit %.0f", name, statistic, freedom, battery.Limit(freedom))
	}
}

func mustNotFit(t *testing.T, name string, d battery.Distribution, draws []int64) {
	t.Helper()
	if statistic, freedom := battery.ChiSquared(d, draws); statistic <= battery.Limit(freedom) {
		t.Errorf("%s: chi-squared %.0f with %d degrees of freedom is within the limit %.0f", name, statistic, freedom, battery.Limit(freedom))
	}
}

// The scales t/s of the Laplace forms: 0.2, 1, 7.3, 100, 1000.
var laplaceScales = []struct{ s, t uint64 }{{5, 1}, {1, 1}, {10, 73}, {1, 100}, {1, 1000}}

func TestLaplaceForms(t *testing.T) {
	for i, c := range laplaceScales {
		larger := laplaceForms(10*c.s, 11*c.t)
		for name, f := range laplaceForms(c.s, c.t) {
			draws := some(t, byte(i), f.draw)
			mustFit(t, fmt.Sprintf("%s, scale %d/%d", name, c.t, c.s), f.Distribution, draws)
			mustNotFit(t, fmt.Sprintf("%s, scale %d/%d, against one 10%% larger", name, c.t, c.s), larger[name].Distribution, draws)
		}
	}
}

// Neither rounding down nor the discrete Laplace distribution gives the rounded one. (At a larger scale 200,000 draws do not show it:
// a shift by half of one is within the error of their mean.)
func TestRoundedLaplaceIsNoOther(t *testing.T) {
	for i, c := range laplaceScales[:3] {
		forms := laplaceForms(c.s, c.t)
		name := fmt.Sprintf(" for RoundedLaplace, scale %d/%d", c.t, c.s)
		mustNotFit(t, "LaplaceFloor"+name, forms["RoundedLaplace"].Distribution, some(t, byte(i), forms["LaplaceFloor"].draw))
		if c.t <= c.s {
			mustNotFit(t, "DiscreteLaplace"+name, forms["RoundedLaplace"].Distribution, some(t, byte(i), forms["DiscreteLaplace"].draw))
		}
	}
}

func TestTruncatedDiscreteLaplace(t *testing.T) {
	for i, c := range []struct {
		s, t  uint64
		bound int64
	}{
		{1, 1, 1}, {10, 73, 5}, {1, 100, 100}, {1, 1000, 300}, // within the scale
		{5, 1, 2}, {1, 1, 3}, {10, 73, 8}, {1, 100, 101}, {1, 100, 500}, {1, 1000, 3000}, // beyond it
	} {
		f := truncated(c.s, c.t, c.bound)
		draws := many(t, byte(i), f.draw)
		name := fmt.Sprintf("scale %d/%d, bound %d", c.t, c.s, c.bound)
		mustFit(t, name, f.Distribution, draws)
		for _, z := range draws {
			if z < -c.bound || z > c.bound {
				t.Fatalf("%s: a draw of %d", name, z)
			}
		}
		if c.bound*int64(c.s) <= 5*int64(c.t) { // what is beyond is not too rare to be missed
			mustNotFit(t, name+", against a larger one", truncated(c.s, c.t, c.bound+1+c.bound/20).Distribution, draws)
		}
	}
}

var sigmas = []float64{1.0 / 16, 0.3, 1, 7.3, 100, 1000}

func TestGaussian(t *testing.T) {
	for i, sigma := range sigmas {
		if testing.Short() && i%2 != 0 {
			continue
		}
		v := variance(sigma)
		forms := map[string]struct {
			draw         func(g *Gaussian) int64
			distribution func(sigma float64) battery.Distribution
		}{
			"discrete": {(*Gaussian).Discrete, discreteGaussian},
			"rounded":  {(*Gaussian).Rounded, roundedGaussian},
		}
		for name, f := range forms {
			var g *Gaussian
			draws := some(t, byte(i), func(b *Bits) int64 {
				if g == nil {
					g = b.Gaussian(v)
				}
				return f.draw(g)
			})
			name = fmt.Sprintf("%s, sigma %v", name, sigma)
			mustFit(t, name, f.distribution(sigma), draws)
			if sigma < 0.1 {
				// There is one bin. That any of the draws is not 0 has probability 3e-10.
				for _, z := range draws {
					if z != 0 {
						t.Fatalf("%s: a draw of %d", name, z)
					}
				}
				continue
			}
			mustNotFit(t, name+", against a sigma 10% larger", f.distribution(1.1*sigma), draws)
			if sigma < 10 { // as for RoundedLaplace
				mustNotFit(t, name+", against one rounded down", gaussianFloor(sigma), draws)
			}
		}
	}
}

// The discrete Gaussian and the rounded one have variances that differ by about 1/12: at a small sigma that tells them apart.
func TestDiscreteGaussianIsNotTheRoundedOne(t *testing.T) {
	for _, sigma := range []float64{0.3, 0.5, 1} {
		v := variance(sigma)
		discrete := some(t, 1, func(b *Bits) int64 { return b.Gaussian(v).Discrete() })
		mustNotFit(t, fmt.Sprintf("discrete for rounded, sigma %v", sigma), roundedGaussian(sigma), discrete)
		rounded := some(t, 1, func(b *Bits) int64 { return b.Gaussian(v).Rounded() })
		mustNotFit(t, fmt.Sprintf("rounded for discrete, sigma %v", sigma), discreteGaussian(sigma), rounded)
	}
}

// A sampler that takes -0 for 0 doubles the weight of zero. (At a scale of 1000 that is lost among 3000 bins.)
func TestDoubledZeroIsFound(t *testing.T) {
	for i, c := range laplaceScales[:4] {
		if testing.Short() && i%2 == 0 {
			continue
		}
		draws := many(t, byte(i), func(b *Bits) int64 {
			b.Start()
			y := int64(b.Geometric(c.s, c.t))
			return b.signed(y, b.negative())
		})
		mustNotFit(t, fmt.Sprintf("scale %d/%d", c.t, c.s), laplaceForms(c.s, c.t)["DiscreteLaplace"].Distribution, draws)
	}
	for i, sigma := range []float64{0.3, 1, 7.3, 100} {
		if testing.Short() && i%2 == 0 {
			continue
		}
		v := variance(sigma)
		double := func(draw func(*Gaussian) int64) []int64 {
			return many(t, byte(i), func(b *Bits) int64 {
				for g := b.Gaussian(v); ; {
					if z := draw(g); z == 0 || b.negative() {
						return z
					}
				}
			})
		}
		mustNotFit(t, fmt.Sprintf("discrete, sigma %v", sigma), discreteGaussian(sigma), double((*Gaussian).Discrete))
		mustNotFit(t, fmt.Sprintf("rounded, sigma %v", sigma), roundedGaussian(sigma), double((*Gaussian).Rounded))
	}
}

// With so few places most comparisons are left open by the quick bounds, and far values are common.
func TestGaussianByTheSlowPath(t *testing.T) {
	for i, sigma := range []float64{0.3, 1, 7.3, 100} {
		if testing.Short() && i%2 == 0 {
			continue
		}
		v := variance(sigma)
		for name, f := range map[string]struct {
			draw         func(g *Gaussian) int64
			distribution battery.Distribution
		}{
			"discrete": {(*Gaussian).Discrete, discreteGaussian(sigma)},
			"rounded":  {(*Gaussian).Rounded, roundedGaussian(sigma)},
		} {
			b := NewBits(battery.Seeded(byte(i)))
			g := b.Gaussian(v)
			g.places, g.offsetPlaces, g.near = 3, 3, 2
			draws := make([]int64, chiSquaredDraws/4)
			for i := range draws {
				draws[i] = f.draw(g)
			}
			if b.Err() != nil {
				t.Fatal(b.Err())
			}
			mustFit(t, fmt.Sprintf("%s, sigma %v", name, sigma), f.distribution, draws)
		}
	}
}
