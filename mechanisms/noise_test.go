package mechanisms

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// testVariance is the variance of Gaussian noise with about this sigma.
func testVariance(t testing.TB, sigma float64) sampling.Variance {
	t.Helper()
	v, err := sampling.NewVariance(new(big.Rat).SetFloat64(sigma * sigma))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A noiseFamily makes noise of a scale, and knows its density or, of the discrete ones, what its probabilities are proportional to.
type noiseFamily struct {
	name     string
	make     func(t testing.TB, scale float64) noise
	density  func(x, scale float64) float64
	discrete bool
	reach    float64 // in scales, beyond which nothing is left
}

// laplaceOf is noise of scale num/den, as near to a scale as 10^6 and 10^12 allow.
func laplaceOf(scale float64) discreteLaplace {
	return newDiscreteLaplace(epsilonOf(1/scale), 1)
}

func noiseFamilies() []noiseFamily {
	laplace := func(x, scale float64) float64 { return math.Exp(-math.Abs(x)/scale) / (2 * scale) }
	normal := func(x, scale float64) float64 {
		return math.Exp(-x*x/(2*scale*scale)) / (scale * math.Sqrt(2*math.Pi))
	}
	return []noiseFamily{
		{"discrete Laplace", func(t testing.TB, b float64) noise { return laplaceOf(b) }, laplace, true, 45},
		{"rounded Laplace", func(t testing.TB, b float64) noise { return roundedLaplace{laplaceOf(b)} }, laplace, false, 45},
		{"discrete Gaussian", func(t testing.TB, b float64) noise { return newGaussian(testVariance(t, b), true) }, normal, true, 12},
		{"rounded Gaussian", func(t testing.TB, b float64) noise { return newGaussian(testVariance(t, b), false) }, normal, false, 12},
	}
}

// scaleOf is the scale that the noise has in fact.
func scaleOf(z noise) float64 {
	switch z := z.(type) {
	case discreteLaplace:
		return 1 / z.rate()
	case roundedLaplace:
		return 1 / z.rate()
	case *gaussian:
		return z.sigma
	}
	panic("unknown noise")
}

// direct lists the probabilities of 0, 1, 2, ... by normalising, or by integration from z - 1/2 to z + 1/2.
func (f noiseFamily) direct(scale float64) []float64 {
	p := make([]float64, int(f.reach*scale)+8)
	if f.discrete {
		var sum float64
		for z := len(p) - 1; z >= 0; z-- {
			p[z] = f.density(float64(z), scale)
			sum += 2 * p[z]
		}
		sum -= p[0]
		for z := range p {
			p[z] /= sum
		}
		return p
	}
	density := func(x float64) float64 { return f.density(x, scale) }
	p[0] = 2 * integral(density, 0, 0.5, scale)
	for z := 1; z < len(p); z++ {
		p[z] = integral(density, float64(z)-0.5, float64(z)+0.5, scale)
	}
	return p
}

// integral is by Gauss and Legendre's rule of five points on pieces of a tenth of the scale or less.
func integral(f func(float64) float64, low, high, scale float64) float64 {
	const (
		x1, w1 = 0.5384693101056830910363144, 0.4786286704993664680412915
		x2, w2 = 0.9061798459386639927976269, 0.2369268850561890875142640
		w0     = 0.5688888888888888888888889
	)
	pieces := math.Ceil((high - low) / (scale / 10))
	h := (high - low) / pieces / 2
	var sum float64
	for i := pieces - 1; i >= 0; i-- {
		c := low + h*(2*i+1)
		sum += h * (w0*f(c) + w1*(f(c-h*x1)+f(c+h*x1)) + w2*(f(c-h*x2)+f(c+h*x2)))
	}
	return sum
}

// Every number that noise tells of itself agrees with its definition: summed up, or integrated.
func TestNoiseTellsItsDistribution(t *testing.T) {
	for _, f := range noiseFamilies() {
		for _, scale := range []float64{1. / 16, 0.25, 0.5, 1, 1.9, 2, 7.3, 100, 999.9, 1000, 1000.1, 20000} {
			z := f.make(t, scale)
			t.Run(fmt.Sprintf("%s/%v", f.name, scale), func(t *testing.T) { checkAgainst(t, z, f.direct(scaleOf(z))) })
		}
	}
}

func checkAgainst(t *testing.T, z noise, p []float64) {
	scale := int64(math.Ceil(scaleOf(z)))
	check := func(what string, got, want float64) {
		t.Helper()
		// Where next to nothing is left, the direct sums have ended.
		if !near(got, want, 1e-9) && !(got < 1e-15 && want < 1e-15) {
			t.Errorf("%s is %.15g, summed up %.15g", what, got, want)
		}
	}
	tails := make([]float64, len(p)+1)
	for i := len(p) - 1; i >= 0; i-- {
		tails[i] = tails[i+1] + p[i]
	}
	for _, k := range []int64{1, 2, 3, scale, 3 * scale, 5*scale + 1} {
		if k >= int64(len(p)) {
			continue
		}
		check(fmt.Sprintf("P(Z = %d)", k), z.probability(k), p[k])
		check(fmt.Sprintf("P(Z = %d)", -k), z.probability(-k), p[k])
		check(fmt.Sprintf("P(Z >= %d)", k), tail(z, k), tails[k])
		check(fmt.Sprintf("P(Z >= %d)", -k), tail(z, -k), 1-tails[k+1])
		check(fmt.Sprintf("exp(ln P(Z >= %d))", k), math.Exp(z.logUpperTail(k)), tails[k])
		check(fmt.Sprintf("exp(0.5) P(Z >= %d)", k), timesTail(z, 0.5, k), math.Exp(0.5)*tails[k])
		check(fmt.Sprintf("exp(0.5) P(Z >= %d)", -k), timesTail(z, 0.5, -k), math.Exp(0.5)*(1-tails[k+1]))
	}
	check("P(Z = 0)", z.probability(0), p[0])
	var second float64
	for i := len(p) - 1; i > 0; i-- {
		second += 2 * float64(i) * float64(i) * p[i]
	}
	check("the variance", variance(z), second)
	for _, j := range []int64{0, 1, 2, scale, 4 * scale} {
		var excess, squares, mean, square float64
		for i := int64(len(p) - 1); i >= j; i-- {
			excess += float64(i-j) * p[i]
			squares += float64(i-j) * float64(i+j) * p[i]
			mean += float64(i) * p[i]
			square += float64(i) * float64(i) * p[i]
		}
		e, s := z.excess(j)
		check(fmt.Sprintf("E[max(0, Z-%d)]", j), e, excess)
		check(fmt.Sprintf("E[Z^2-%d^2; Z > %d]", j, j), s, squares)
		m, q := momentsFrom(z, j)
		check(fmt.Sprintf("E[Z; Z >= %d]", j), m, mean)
		if j > 0 {
			check(fmt.Sprintf("E[Z^2; Z >= %d]", j), q, square)
			m, q = momentsFrom(z, 1-j)
			check(fmt.Sprintf("E[Z; Z >= %d]", 1-j), m, mean)
			check(fmt.Sprintf("E[Z^2; Z >= %d]", 1-j), q, second-square)
		}
	}
	last := math.Inf(-1)
	for k := -3 * scale; k <= 3*scale; k += max(1, scale/50) {
		got := z.logRatio(k)
		i, j := max(k, -k), max(k+1, -k-1)
		if got < last {
			t.Errorf("ln P(Z = %d)/P(Z = %d) is %v, and was %v before", k, k+1, got, last)
		}
		last = got
		if i >= int64(len(p)) || j >= int64(len(p)) || p[i] < 1e-15 || p[j] < 1e-15 {
			continue
		}
		// From smooth on, that of the rounded Gaussian is approximated.
		if want := math.Log(p[i] / p[j]); math.Abs(got-want) > 1e-9+1e-7*math.Abs(want) {
			t.Errorf("ln P(Z = %d)/P(Z = %d) is %v, want %v", k, k+1, got, want)
		}
	}
}

// Sums over noise of a scale that nobody can sum over, or next to none: computed with 60 digits in mpmath from P(Z >= k), and from
// the closed forms of geometric sums.
func TestLaplaceNoiseOfExtremeScale(t *testing.T) {
	for _, c := range []struct {
		rounded                                 bool
		s, t                                    uint64
		k, j                                    int64
		probability, upperTail, excess, squares float64
	}{
		{false, 1, 1000000000000, 1, 0, 4.999999999995e-13, 0.49999999999975, 500000000000.0, 1.0e+24},
		{true, 1, 1000000000000, 1, 0, 4.999999999995e-13, 0.49999999999975, 500000000000.0, 1.0e+24},
		{false, 1, 1000000000000, 3000000000000, 1000000000000, 2.489353418393197e-14, 0.02489353418394442, 183939720585.7212, 7.357588823428846e+23},
		{true, 1, 1000000000000, 3000000000000, 1000000000000, 2.489353418393197e-14, 0.02489353418394442, 183939720585.7212, 7.357588823428846e+23},
		{false, 1, 1000000000, 1000000000, 5000000000, 1.839397205857212e-10, 0.183939720677691, 3368973.499542734, 4.04276819945128e+16},
		{true, 1, 1000000000, 1000000000, 5000000000, 1.839397205857212e-10, 0.183939720677691, 3368973.499542734, 4.04276819945128e+16},
		{false, 1, 1000000, 10000000, 10000000, 2.269996488124053e-11, 2.269997623122487e-5, 22.69996488123864, 499399227.3872539},
		{true, 1, 1000000, 10000000, 10000000, 2.269996488124337e-11, 2.26999762312277e-5, 22.69996488124148, 499399227.3873163},
		{false, 123456789, 2000000000, 40, 17, 0.002612071552381849, 0.04363503103855184, 2.834445647161367, 188.2363509186606},
		{true, 123456789, 2000000000, 40, 17, 0.002613315779093707, 0.04365581602475997, 2.835795798915171, 188.3260148850791},
		{false, 100, 1, 2, 1, 1.383896526736738e-87, 1.383896526736738e-87, 1.383896526736738e-87, 4.151689580210213e-87},
		{true, 100, 1, 2, 1, 3.587547986582205e-66, 3.587547986582205e-66, 3.587547986582205e-66, 1.076264395974662e-65},
		{false, 9e18, 1e9, 1, 0, 0, 0, 0, 0},
		{true, 9e18, 1e9, 1, 0, 0, 0, 0, 0},
		{false, 1, 2, math.MaxInt64, math.MaxInt64, 0, 0, 0, 0},
		{true, 1, 2, math.MaxInt64, math.MaxInt64, 0, 0, 0, 0},
	} {
		var z noise = discreteLaplace{c.s, c.t}
		if c.rounded {
			z = roundedLaplace{discreteLaplace{c.s, c.t}}
		}
		excess, squares := z.excess(c.j)
		got := [4]float64{z.probability(c.k), z.upperTail(c.k), excess, squares}
		for i, want := range [4]float64{c.probability, c.upperTail, c.excess, c.squares} {
			if !near(got[i], want, 1e-11) {
				t.Errorf("%T{%d/%d}, k %d, j %d: number %d is %.16g, want %.16g", z, c.s, c.t, c.k, c.j, i, got[i], want)
			}
		}
	}
}

// Nothing goes wrong where noise never gets.
func TestNoiseFarOut(t *testing.T) {
	for _, f := range noiseFamilies() {
		for _, scale := range []float64{1. / 16, 3, 1e6} {
			z := f.make(t, scale)
			for _, k := range []int64{1 << 40, 1 << 53, math.MaxInt64 - 1, math.MaxInt64} {
				excess, squares := z.excess(k)
				if z.upperTail(k) != 0 || z.probability(k) != 0 || z.probability(-k) != 0 || excess != 0 || squares != 0 || tail(z, 2-k) != 1 {
					t.Errorf("%s of scale %v at %d: %v %v %v %v %v", f.name, scale, k, z.upperTail(k), z.probability(k), excess, squares, tail(z, 2-k))
				}
			}
		}
	}
}

// tailBelow is the first k whose tail is small enough, and never one whose tail is not: directly summed or integrated tails are
// compared without any margin.
func TestTailBelowIsSharp(t *testing.T) {
	for _, f := range noiseFamilies() {
		for _, scale := range []float64{1. / 16, 0.5, 1, 7.3, 100, 999.9, 1000.1, 5000} {
			z := f.make(t, scale)
			p := f.direct(scaleOf(z))
			tails := make([]float64, len(p)+1)
			for i := len(p) - 1; i >= 0; i-- {
				tails[i] = tails[i+1] + p[i]
			}
			for _, limit := range []float64{0.999, 0.5, 0.3, 0.025, 1e-3, 1e-6, 1e-9, 1e-12} {
				k := z.tailBelow(new(big.Rat).SetFloat64(limit))
				// The direct tails have some 13 digits.
				if k < 1 || k >= int64(len(tails)) || tails[k]*(1-1e-12) > limit {
					t.Errorf("%s of scale %v: tail below %v at %d, where it is more", f.name, scale, limit, k)
				} else if k > 1 && tails[k-1] <= limit*(1-2*marginOfFloats) {
					t.Errorf("%s of scale %v: tail below %v at %d, and already one before", f.name, scale, limit, k)
				}
			}
		}
	}
}

// The smallest share of delta that there is.
func TestTailBelowTheSmallestShare(t *testing.T) {
	share := big.NewRat(1, 1e18)
	share.Quo(share, big.NewRat(policy.MaxRows, 1))
	least, _ := share.Float64()
	for _, f := range noiseFamilies() {
		for _, scale := range []float64{1. / 16, 1, 1000, 1 << 19} {
			z := f.make(t, scale)
			k := z.tailBelow(share)
			if z.upperTail(k) > least*(1+1e-12) || k > 1 && z.upperTail(k-1) < least*(1-2*marginOfFloats) {
				t.Errorf("%s of scale %v: k = %d, tail %v, want 2e-21", f.name, scale, k, z.upperTail(k))
			}
		}
	}
}
