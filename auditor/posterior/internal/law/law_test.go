package law

import (
	"fmt"
	"math"
	"math/big"
	"testing"
)

// exact computes laws in rational arithmetic, from binomial coefficients.
func exactBinomial(n int64, p *big.Rat) []*big.Rat {
	q := new(big.Rat).Sub(big.NewRat(1, 1), p)
	law := make([]*big.Rat, n+1)
	for k := range law {
		x := new(big.Rat).SetInt(new(big.Int).Binomial(n, int64(k)))
		for range k {
			x.Mul(x, p)
		}
		for range n - int64(k) {
			x.Mul(x, q)
		}
		law[k] = x
	}
	return law
}

func outsideOf(law []*big.Rat, low, high int) float64 {
	sum := new(big.Rat)
	for v, x := range law {
		if v < low || v > high {
			sum.Add(sum, x)
		}
	}
	f, _ := sum.Float64()
	return f
}

func TestBinomialAgainstRationals(t *testing.T) {
	for _, n := range []int{1, 2, 7, 40} {
		for _, p := range []*big.Rat{big.NewRat(1, 100), big.NewRat(3, 10), big.NewRat(1, 2), big.NewRat(9, 10)} {
			law := exactBinomial(int64(n), p)
			f, _ := p.Float64()
			r := Binomial(n, f/(1-f))
			for low := 0; low <= n; low += 1 + n/9 {
				for high := low - 1; high <= n; high += 1 + n/9 {
					want := outsideOf(law, low, high)
					agree(t, fmt.Sprint(n, p, low, high), r.Outside(low, high), want, 1e-13*want+1e-19)
				}
			}
		}
	}
}

func TestHypergeometricAgainstRationals(t *testing.T) {
	for _, c := range [][3]int64{{8, 8, 9}, {1, 6, 3}, {30, 5, 20}, {5, 30, 2}, {20, 20, 0}, {20, 20, 40}, {0, 9, 4}, {9, 0, 4}, {60, 40, 31}} {
		inside, outside, sum := c[0], c[1], c[2]
		all := new(big.Int).Binomial(inside+outside, sum)
		law := make([]*big.Rat, inside+1)
		for v := range law {
			ways := new(big.Int).Binomial(inside, int64(v))
			rest := new(big.Int)
			if sum >= int64(v) {
				rest.Binomial(outside, sum-int64(v))
			}
			law[v] = new(big.Rat).SetFrac(ways.Mul(ways, rest), all)
		}
		r := Hypergeometric(int(inside), int(outside), int(sum))
		w := r.Window(Floor)
		for v := range law {
			want, _ := law[v].Float64()
			agree(t, fmt.Sprint(c, v), w.At(v), want, 1e-13*want+1e-29)
			for high := v; high <= int(inside); high++ {
				want := outsideOf(law, v, high)
				agree(t, fmt.Sprint(c, v, high), r.Outside(v, high), want, 1e-13*want+1e-19)
			}
		}
	}
}

// TestMillions compares with a recursion in 160 bits that begins at 0 people with its exact probability, not at the mode with a sum.
func TestMillions(t *testing.T) {
	const n = 1_000_000
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(160).SetFloat64(x) }
	p, q := number(0.01), number(1)
	q.Sub(q, p)
	odds := new(big.Float).Quo(p, q)
	term := number(1)
	for range n {
		term.Mul(term, q)
	}
	const low, high = 9_600, 10_500
	below, above := number(0), number(0)
	for v := 0; v < 12_500; v++ {
		if v < low {
			below.Add(below, term)
		}
		if v > high {
			above.Add(above, term)
		}
		term.Mul(term, odds)
		term.Mul(term, number(float64(n-v)))
		term.Quo(term, number(float64(v+1)))
	}
	want, _ := below.Add(below, above).Float64()
	r := Binomial(n, 0.01/0.99)
	agree(t, "binomial", r.Outside(low, high)/want, 1, 1e-12)

	// Half of a million people, of whom 2000 have the value: begins at 0 with the product of (n/2-i)/(n-i).
	term = number(1)
	for i := range 2000 {
		term.Mul(term, number(float64(n/2-i)))
		term.Quo(term, number(float64(n-i)))
	}
	tail := number(0)
	for v := range 2000 {
		if v < 900 {
			tail.Add(tail, term)
		}
		term.Mul(term, number(float64(n/2-v)))
		term.Mul(term, number(float64(2000-v)))
		term.Quo(term, number(float64(v+1)))
		term.Quo(term, number(float64(n/2-2000+v+1)))
	}
	want, _ = tail.Float64()
	h := Hypergeometric(n/2, n/2, 2000)
	agree(t, "hypergeometric", h.Outside(900, n)/want, 1, 1e-12)
}

// TestBetaBinomial compares with Polya's urn, person by person, also where the rate piles up at 0 or 1.
func TestBetaBinomial(t *testing.T) {
	for _, b := range []Beta{{3, 7}, {1, 1}, {.5, 4}, {4, .5}, {.2, .3}, {300, 700}} {
		const n = 60
		law := []float64{1}
		for i := range n {
			next := make([]float64, len(law)+1)
			for v, x := range law {
				yes := (b.Yes + float64(v)) / (b.Yes + b.No + float64(i))
				next[v+1] += x * yes
				next[v] += x * (1 - yes)
			}
			law = next
		}
		w := b.Window(n, 0)
		out := 0.0
		for v, x := range law {
			agree(t, fmt.Sprint(b, v), w.At(v), x, 1e-12*x+1e-29)
			if v < 20 || v > 40 {
				out += x
			}
		}
		agree(t, fmt.Sprint(b), b.Outside(n, 20, 40), out, 1e-12)
	}
}

// TestCutMass: what a window leaves out, and what is never walked to, is counted as its bound.
func TestCutMass(t *testing.T) {
	for _, floor := range []float64{1e-2, 1e-4, 1e-8} {
		f := Binomial(300, .3/.7)
		g := Hypergeometric(200, 300, 150)
		b := Beta{30, 70}.binomial(250, 0)
		sum, all := Certain(), Certain()
		for _, r := range []Ratios{f, g, b} {
			short, whole := r.Window(floor), r.Window(1e-300)
			missing := 0.0
			for i, x := range whole.Mass {
				if short.At(whole.First+i) == 0 {
					missing += x
				}
			}
			if kept := 1 - missing; !(missing/kept <= short.Cut && short.Cut <= 3*missing/kept) {
				t.Errorf("floor %v: %v is missing, the bound is %v", floor, missing/kept, short.Cut)
			}
			sum, all = Convolve(&sum, &short), Convolve(&all, &whole)
		}
		missing := 0.0
		for i, x := range all.Mass {
			missing = max(missing, x-sum.At(all.First+i))
		}
		if !(missing > 0 && missing <= sum.Cut) {
			t.Errorf("floor %v: %v is missing of one sum, the bound for all is %v", floor, missing, sum.Cut)
		}
	}
	r := Binomial(1_000_000, 1)
	if risk := r.Outside(400_000, 600_000); !(risk > 0 && risk < 1e-15) {
		t.Errorf("a tail beyond all that is walked counts as %v", risk)
	}
}

func agree(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %.17g, want %.17g", what, got, want)
	}
}
