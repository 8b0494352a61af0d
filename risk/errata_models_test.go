package risk

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tacit/mechanisms"
)

// The tests of this file hold the forms of Liu and Zhao 2023, and of Liu, Zhao and Zhang 2021, for shrinkage and marginal risks against
// exact values. Nothing else uses the printed forms.

// Liu and Zhao 2023, (15), K = 3, Dirichlet(1, 1, 1), n = 4, epsilon = 0.2: the exact risk exceeds the bound.
func TestErratumShrinkageBound(t *testing.T) {
	const n, epsilon = 4, 0.2
	alpha := []float64{1, 1, 1}
	exact := dirichlet.risks(laplace(epsilon), Event, alpha, []int64{n})[0]
	digits(t, "exact", exact, "0.264053")
	f0 := 1 - math.Exp(-epsilon/2)/2
	a, _ := Homogeneous(alpha, n)
	eighth := f0 * (math.Exp(-epsilon/2) + math.Exp((1.5-n)*epsilon) - math.Exp((1-n)*epsilon)) / 2
	printed := f0*f0*(1-math.Exp((0.5-n)*epsilon)/2)*a + (1-a)*eighth
	digits(t, "printed bound", printed, "0.255910")
	if exact <= printed {
		t.Error("the printed bound holds")
	}
}

// Liu and Zhao 2023, (28): K = 2, Dirichlet(1, 2), n = 4, sigma = 1.2, homogeneous cells only; the factor is 1/2^K, not 1/(4 B).
func TestErratumGaussianShrinkage(t *testing.T) {
	const n, sigma = 4, 1.2
	s := must(mechanisms.GaussianLaw(sigma))
	a, _ := Homogeneous([]float64{1, 2}, n)
	digits(t, "right", a*s.Vanishes(0)*s.Survives(n), "0.264147")
	erf := func(x float64) float64 { return 1 + math.Erf(x/(math.Sqrt2*sigma)) }
	beta := 0.5 // B(1, 2)
	digits(t, "printed", erf(0.5)*a*erf(n-0.5)/(4*beta), "0.528295")
}

// Liu and Zhao 2023, corollary 2: (19) drops heterogeneous cells and is said to be above 2^-K; with K = 2, Dirichlet(1, 1) and n = 10
// it tends to 2/11/4 = 0.0455 as epsilon tends to 0, while the shrinkage risk is above 1/4.
func TestErratumAllHomogeneous(t *testing.T) {
	s := laplace(1e-9)
	a, _ := Homogeneous([]float64{1, 1}, 10)
	if printed := a * s.Vanishes(0) * s.Survives(10); math.Abs(printed-2.0/11/4) > 1e-8 {
		t.Errorf("(19) tends to %v, not to 2/11/4", printed)
	}
	if whole := dirichlet.risks(s, Event, []float64{1, 1}, []int64{10})[0]; whole <= 0.25 {
		t.Errorf("the shrinkage risk is %v", whole)
	}
}

// Liu and Zhao 2023, (16): one homogeneous cell of 3 records, Poisson(3), epsilon = 50. The printed form multiplies by P(3).
func TestErratumMarginal(t *testing.T) {
	ok := sizesOf(t)
	table := tableOfSizes(map[int64]int64{3: 1})
	s := laplace(50)
	all := ok(Poisson(3, AllCells))
	digits(t, "printed", all.Probability(3)*Local(s, Event, 2, []int64{3}), "0.224")
	for scope, want := range map[Scope]string{AllCells: "0.950", NonEmpty: "1.0000"} {
		measure, err := table.Marginal(Event, ok(Poisson(3, scope)))
		if err != nil {
			t.Fatal(err)
		}
		digits(t, "right", measure(s).Unweighted, want)
	}
}

// Liu and Zhao 2023, (17) and (21), without the condition that a cell has records: with Poisson(0.1) at most 1 - exp(-0.1) = 0.095,
// whatever the noise; what they count besides are cells that the table does not have. (21) with K = 2, Dirichlet(1, 1) tends to
// 0.0936/4 as epsilon tends to 0, which is below the 1/4 that it is said to be above.
func TestErratumConditioned(t *testing.T) {
	ok := sizesOf(t)
	alpha := []float64{1, 1}
	risk := func(scope Scope) float64 {
		measure, err := MarginalShrinkage(Event, alpha, ok(Poisson(0.1, scope)))
		if err != nil {
			t.Fatal(err)
		}
		return measure(laplace(50))
	}
	if all := risk(AllCells); all > -math.Expm1(-0.1) {
		t.Errorf("all cells: %v", all)
	}
	if conditioned := risk(NonEmpty); conditioned < 0.98 {
		t.Errorf("conditioned: %v", conditioned)
	}
	s := laplace(1e-9)
	printed := 0.0
	for n := int64(1); n < 30; n++ {
		a, _ := Homogeneous(alpha, n)
		printed += ok(Poisson(0.1, AllCells)).Probability(n) * a * s.Vanishes(0) * s.Survives(n)
	}
	digits(t, "(21), times 4", 4*printed, "0.0936")
}

// Liu, Zhao and Zhang 2021, corollary 3.6: its sum starts at n = 0, where the term is the wrong side of the Laplace distribution.
// Poisson(2), Beta(1, 2), epsilon = 10: printed -19.157, right 0.591084 (of cells that are and stay homogeneous; not conditioned).
func TestErratumSumFromZero(t *testing.T) {
	const epsilon = 10.0
	alpha := []float64{1, 2}
	s := laplace(epsilon)
	sizes := sizesOf(t)(Poisson(2, AllCells))
	right := 0.0
	for n := int64(1); n < 100; n++ {
		a, _ := Homogeneous(alpha, n)
		right += sizes.Probability(n) * a * s.Vanishes(0) * s.Survives(n)
	}
	digits(t, "right", right, "0.591084")
	atZero := sizes.Probability(0) * s.Vanishes(0) * (1 - math.Exp(epsilon/2)/2) * 2 // A is 2 there
	digits(t, "printed", right+atZero, "-19.157")
}

// Liu, Zhao and Zhang 2021: C(n+lambda+1, n) (1-r)^n r^lambda adds up to 1/r^2.
func TestErratumNegativeBinomial(t *testing.T) {
	const shape, success = 3, 0.4
	printed := 0.0
	for n := int64(0); n < 400; n++ {
		printed += binomial(shape+2, n) * math.Pow(1-success, float64(n)) * math.Pow(success, shape)
	}
	agree(t, "sum", printed, 1/(success*success))
}

// Liu, Zhao and Zhang 2021, corollary 3.13, has lambda^(-n) for the Poisson weight lambda^n. With Poisson(3), Beta(1, 2) and sigma =
// 0.8 its sum from n = 1 comes out below a tenth of what it should be.
func TestErratumPoissonWeight(t *testing.T) {
	const lambda = 3.0
	s := gaussian(0.8)
	sizes := sizesOf(t)(Poisson(lambda, AllCells))
	var right, printed float64
	for n := int64(1); n < 60; n++ {
		a, _ := Homogeneous([]float64{1, 2}, n)
		term := sizes.Probability(n) * a * s.Vanishes(0) * s.Survives(n)
		right += term
		printed += term * math.Pow(lambda, -2*float64(n))
	}
	if printed > right/10 {
		t.Errorf("printed %v, right %v", printed, right)
	}
}

// For two labels the right-hand sides of (15), (17), (24) and (26), with sizes conditioned on n >= 1, are bounds, and equal to the risk
// of cells of one record: (S3), (S5), (S8) and (S10) are these.
func TestBoundsOfTwoLabels(t *testing.T) {
	alpha := []float64{0.7, 1.9}
	sizes := sizesOf(t)(NegativeBinomial(2, 0.3, NonEmpty))
	for _, scale := range []float64{0.2, 0.5, 1, 3, 20, 500} {
		for name, c := range map[string]struct {
			s          Survival
			one, eight func(n float64) float64
		}{
			"laplace": {
				laplace(1 / scale),
				func(n float64) float64 { return scenario1(1/scale, 2, n) },
				func(n float64) float64 { return scenario8(1/scale, 2, n) },
			},
			"gaussian": {
				gaussian(scale),
				func(n float64) float64 {
					return gaussianFactor(scale, 1, 2) * (1 + math.Erf((n-0.5)/(math.Sqrt2*scale)))
				},
				func(n float64) float64 { return gaussianFactor(scale, 0, 2) * uneven8(scale, n) },
			},
		} {
			what := fmt.Sprintf("%s %v", name, scale)
			marginal := 0.0
			for n := int64(1); n < 400; n++ {
				a, _ := Homogeneous(alpha, n)
				bound := a * c.one(float64(n))
				if n > 1 {
					bound += (1 - a) * c.eight(float64(n))
				}
				marginal += sizes.Probability(n) * bound
				if n > 12 {
					continue
				}
				exact := dirichlet.risks(c.s, Event, alpha, []int64{n})[0]
				if exact > bound*(1+1e-12) {
					t.Errorf("%s, n = %d: %v is above %v", what, n, exact, bound)
				}
				if n == 1 {
					agree(t, what+", one record", bound, exact)
				}
			}
			measure, err := MarginalShrinkage(Event, alpha, sizes)
			if err != nil {
				t.Fatal(err)
			}
			if exact := measure(c.s); exact > marginal*(1+1e-12) {
				t.Errorf("%s: %v is above %v", what, exact, marginal)
			}
		}
	}
}

// Liu and Zhao 2023, supplement S2: for two labels the printed estimate divides by s^2 - n p (1-p), which is 0 with s^2 = n p (1-p).
// For three, of a Dirichlet(0.8, 1.5, 2.2), it takes the variance of n_ik across cells for that of n_.k, and is negative; the estimate
// here is not.
func TestErratumEstimate(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	sizes := make([]int64, 3000)
	for i := range sizes {
		sizes[i] = int64(1 + r.IntN(12))
	}
	cells := drawCells(r, []float64{0.8, 1.5, 2.2}, sizes)
	var n, squares, first, firstSquares float64
	for i, counts := range cells {
		n += float64(sizes[i])
		squares += float64(sizes[i] * sizes[i])
		first += float64(counts[0])
		firstSquares += float64(counts[0] * counts[0])
	}
	number := float64(len(cells))
	p, variance := first/n, (firstSquares-first*first/number)/(number-1)
	if printed := (p*p*(1-p)*squares - p*variance) / (variance - p*(1-p)*n); printed > 0 {
		t.Errorf("the printed estimate is %v", printed)
	}
	table, err := NewTable(3, cells)
	if err != nil {
		t.Fatal(err)
	}
	alpha, err := table.EstimateDirichlet()
	if err != nil {
		t.Fatal(err)
	}
	// The standard error of alpha is about 0.03 of it; 8 of them, and the seed is fixed.
	for k, want := range []float64{0.8, 1.5, 2.2} {
		if math.Abs(alpha[k]-want) > 0.25*want {
			t.Errorf("alpha %d is %v, want about %v", k, alpha[k], want)
		}
	}
}
