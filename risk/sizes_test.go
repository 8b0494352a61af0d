package risk

import (
	"fmt"
	"math"
	"testing"

	"tacit/mechanisms"
)

func sizesOf(t *testing.T) func(Sizes, error) Sizes {
	return func(s Sizes, err error) Sizes {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// binomial is C(x+n-1, n) for a real x.
func binomial(x float64, n int64) float64 {
	c := 1.0
	for i := range n {
		c *= (x + float64(i)) / float64(i+1)
	}
	return c
}

func TestSizesProbability(t *testing.T) {
	ok := sizesOf(t)
	poisson := func(mean float64) func(int64) float64 {
		return func(n int64) float64 {
			log, _ := math.Lgamma(float64(n) + 1)
			return math.Exp(float64(n)*math.Log(mean) - mean - log)
		}
	}
	negative := func(shape, success float64) func(int64) float64 {
		return func(n int64) float64 {
			return binomial(shape, n) * math.Pow(1-success, float64(n)) * math.Pow(success, shape)
		}
	}
	for _, c := range []struct {
		name  string
		make  func(scope Scope) (Sizes, error)
		plain func(n int64) float64
		mean  float64
	}{
		{"Poisson(2.43)", func(scope Scope) (Sizes, error) { return Poisson(2.43, scope) }, poisson(2.43), 2.43},
		{"Poisson(900)", func(scope Scope) (Sizes, error) { return Poisson(900, scope) }, poisson(900), 900},
		{"Poisson(0.01)", func(scope Scope) (Sizes, error) { return Poisson(0.01, scope) }, poisson(0.01), 0.01},
		{"NegativeBinomial(3, 0.4)", func(scope Scope) (Sizes, error) { return NegativeBinomial(3, 0.4, scope) }, negative(3, 0.4), 4.5},
		{"NegativeBinomial(0.2, 0.02)", func(scope Scope) (Sizes, error) { return NegativeBinomial(0.2, 0.02, scope) }, negative(0.2, 0.02), 9.8},
	} {
		for _, scope := range []Scope{NonEmpty, AllCells} {
			s := ok(c.make(scope))
			share := 1.0
			if scope == NonEmpty {
				share = 1 - c.plain(0)
			}
			sum := s.Probability(0)
			for n := int64(1); n < 4000; n++ {
				p := s.Probability(n)
				sum += p
				if want := c.plain(n) / share; !(math.Abs(p-want) <= 1e-9*want+leftOutSizes) {
					t.Fatalf("%s, scope %d: P(%d) = %v, want %v", c.name, scope, n, p, want)
				}
			}
			if math.Abs(sum-1) > 1e-11 {
				t.Errorf("%s, scope %d: probabilities add up to %.15g", c.name, scope, sum)
			}
			agree(t, c.name+": mean", s.Mean(), c.mean/share)
		}
	}
}

// The limits, which only laws conditioned on n >= 1 have: one record, and the logarithmic law.
func TestSizesLimits(t *testing.T) {
	ok := sizesOf(t)
	if s := ok(Poisson(0, NonEmpty)); s.Probability(1) != 1 || s.Probability(2) != 0 || s.Mean() != 1 {
		t.Errorf("Poisson(0): %+v", s)
	}
	limit, close := ok(NegativeBinomial(0, 0.3, NonEmpty)), ok(NegativeBinomial(1e-9, 0.3, NonEmpty))
	for n := int64(1); n < 50; n++ {
		want := math.Pow(0.7, float64(n)) / (float64(n) * -math.Log(0.3))
		agree(t, "logarithmic law", limit.Probability(n), want)
		if math.Abs(close.Probability(n)-want) > 1e-7*want {
			t.Errorf("P(%d) of shape 1e-9 is %v, want about %v", n, close.Probability(n), want)
		}
	}
	agree(t, "its mean", limit.Mean(), 0.7/(0.3*-math.Log(0.3)))
}

func TestSizesRefuse(t *testing.T) {
	for name, f := range map[string]func() (Sizes, error){
		"Poisson(-1)":                        func() (Sizes, error) { return Poisson(-1, NonEmpty) },
		"Poisson(NaN)":                       func() (Sizes, error) { return Poisson(math.NaN(), NonEmpty) },
		"Poisson(Inf)":                       func() (Sizes, error) { return Poisson(math.Inf(1), NonEmpty) },
		"Poisson(0) of all cells":            func() (Sizes, error) { return Poisson(0, AllCells) },
		"Poisson(1e6)":                       func() (Sizes, error) { return Poisson(1e6, NonEmpty) },
		"NegativeBinomial(0) of all cells":   func() (Sizes, error) { return NegativeBinomial(0, 0.5, AllCells) },
		"NegativeBinomial(-1)":               func() (Sizes, error) { return NegativeBinomial(-1, 0.5, NonEmpty) },
		"NegativeBinomial success 1":         func() (Sizes, error) { return NegativeBinomial(1, 1, NonEmpty) },
		"NegativeBinomial success 0":         func() (Sizes, error) { return NegativeBinomial(1, 0, NonEmpty) },
		"NegativeBinomial of infinite shape": func() (Sizes, error) { return NegativeBinomial(math.Inf(1), 0.5, NonEmpty) },
		"NegativeBinomial too wide":          func() (Sizes, error) { return NegativeBinomial(1, 1e-5, NonEmpty) },
	} {
		if _, err := f(); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	if _, err := MarginalShrinkage(Event, []float64{1, 1}, Sizes{}); err == nil {
		t.Error("the zero Sizes is accepted")
	}
}

// tableOfSizes has cells of one label, number[n] of n records.
func tableOfSizes(number map[int64]int64) *Table {
	t := &Table{Labels: 2}
	for n, cells := range number {
		t.Patterns = append(t.Patterns, Pattern{Counts: []int64{n}, Cells: cells})
	}
	return t
}

// The means of the 2023 paper's footnote 6, of cells that cannot be empty. The multisets are summaries of the public data: 27,504
// records in 5,974 cells, 250 in 103, 250 in 78; the mean is all that matters to a Poisson law.
func TestFitPoisson(t *testing.T) {
	ok := sizesOf(t)
	for _, c := range []struct {
		name             string
		table            *Table
		all, conditioned string
	}{
		{"Adult", tableOfSizes(map[int64]int64{4: 5974 - 3608, 5: 3608}), "4.6", "4.55557"},
		{"Bankruptcy", tableOfSizes(map[int64]int64{2: 59, 3: 44}), "2.43", "2.14226"},
		{"Bankruptcy subset", tableOfSizes(map[int64]int64{3: 62, 4: 16}), "3.21", "3.05393"},
	} {
		digits(t, c.name+", all cells", ok(c.table.FitPoisson(AllCells)).Parameters()[0], c.all)
		fitted := ok(c.table.FitPoisson(NonEmpty))
		digits(t, c.name+", conditioned", fitted.Parameters()[0], c.conditioned)
		agree(t, c.name+": mean", fitted.Mean(), c.table.Describe().Mean)
	}
	unique := ok(tableOfSizes(map[int64]int64{1: 10}).FitPoisson(NonEmpty))
	if unique.Probability(1) != 1 {
		t.Errorf("unique cells have sizes %+v", unique)
	}
	if _, err := (&Table{Labels: 2}).FitPoisson(NonEmpty); err == nil {
		t.Error("a table without cells is fitted")
	}
}

// logLikelihood is that of a table's sizes.
func logLikelihood(table *Table, s Sizes) float64 {
	sum := 0.0
	for _, p := range table.Patterns {
		sum += float64(p.Cells) * math.Log(s.Probability(p.Records()))
	}
	return sum
}

// No neighbour of the fitted law is likelier, on a grid of both parameters that is much finer than any statistical error.
func TestFitNegativeBinomial(t *testing.T) {
	ok := sizesOf(t)
	for i, table := range []*Table{
		tableOfSizes(map[int64]int64{1: 40, 2: 22, 3: 15, 4: 9, 6: 5, 9: 3, 14: 1}),
		tableOfSizes(map[int64]int64{1: 300, 2: 130, 3: 81, 4: 44, 5: 30, 8: 20, 12: 9, 30: 3}),
		tableOfSizes(map[int64]int64{10: 5, 15: 9, 21: 11, 30: 6, 41: 2}),
	} {
		for _, scope := range []Scope{NonEmpty, AllCells} {
			best := ok(table.FitNegativeBinomial(scope))
			shape, success := best.Parameters()[0], best.Parameters()[1]
			top := logLikelihood(table, best)
			for _, f := range []float64{0.9, 0.999, 1, 1.001, 1.1} {
				for _, g := range []float64{0.9, 0.999, 1, 1.001, 1.1} {
					if other := logLikelihood(table, ok(NegativeBinomial(shape*f, min(0.9999, success*g), scope))); other > top+1e-9 {
						t.Errorf("table %d, scope %d: shape %v, success %v has %.12g; with %v and %v it is %.12g", i, scope, shape, success, top, f, g, other)
					}
				}
			}
			agree(t, fmt.Sprintf("table %d, scope %d: mean", i, scope), best.Mean(), table.Describe().Mean)
		}
	}
}

// Sizes that vary less than Poisson's have none; sizes that vary too much have the logarithmic law.
func TestFitNegativeBinomialLimits(t *testing.T) {
	ok := sizesOf(t)
	for name, table := range map[string]*Table{
		"even sizes":   tableOfSizes(map[int64]int64{4: 50, 5: 50}),
		"unique cells": tableOfSizes(map[int64]int64{1: 50}),
	} {
		for _, scope := range []Scope{NonEmpty, AllCells} {
			if s, err := table.FitNegativeBinomial(scope); err == nil {
				t.Errorf("%s, scope %d: fitted %v", name, scope, s.Parameters())
			}
		}
	}
	wide := tableOfSizes(map[int64]int64{1: 1000, 2: 10, 240: 20})
	best := ok(wide.FitNegativeBinomial(NonEmpty))
	if shape := best.Parameters()[0]; shape != 0 {
		t.Fatalf("shape %v, want 0", shape)
	}
	for _, shape := range []float64{1e-3, 0.1} {
		for _, success := range []float64{0.5, 1, 2} {
			other := ok(NegativeBinomial(shape, best.Parameters()[1]*success, NonEmpty))
			if logLikelihood(wide, other) > logLikelihood(wide, best) {
				t.Errorf("shape %v is likelier", shape)
			}
		}
	}
}

// Near the series' end of conditionSlope both of its forms agree.
func TestConditionSlope(t *testing.T) {
	for _, shape := range []float64{1e-6, 1e-4, 0.99e-3 / 3} {
		y := shape * 3
		want := 3 * (1/-math.Expm1(-y) - 1/y)
		if got := conditionSlope(shape, 3); math.Abs(got-want) > 1e-8*want {
			t.Errorf("shape %v: %v, want %v", shape, got, want)
		}
	}
}

// Marginal risks are sums over sizes of expected ones.
func TestMarginal(t *testing.T) {
	ok := sizesOf(t)
	table, err := NewTable(3, [][]int64{{3, 1, 0}, {0, 0, 2}, {1, 1, 2}, {6, 2, 0}, {0, 0, 9}})
	if err != nil {
		t.Fatal(err)
	}
	proportions := [][]float64{{0.75, 0.25, 0}, {0, 0, 1}, {0.25, 0.25, 0.5}, {0.75, 0.25, 0}, {0, 0, 1}}
	weights := []float64{4, 2, 4, 8, 9}
	for i, sizes := range []Sizes{
		ok(Poisson(3.1, NonEmpty)), ok(Poisson(3.1, AllCells)), ok(Poisson(0, NonEmpty)),
		ok(NegativeBinomial(1.5, 0.3, NonEmpty)), ok(NegativeBinomial(1.5, 0.3, AllCells)), ok(NegativeBinomial(0, 0.3, NonEmpty)),
	} {
		for name, s := range noises() {
			for j, v := range Versions {
				if testing.Short() && (i+j)%2 != 0 {
					continue
				}
				var want Average
				for i, p := range proportions {
					r := 0.0
					for n := int64(1); n < 160; n++ {
						r += sizes.Probability(n) * Expected(hidden{s}, v, p, n)
					}
					want.Unweighted += r / 5
					want.Weighted += r * weights[i] / 27
				}
				what := fmt.Sprintf("%v, %s, %s", sizes.Parameters(), name, v)
				measure, err := table.Marginal(v, sizes)
				if err != nil {
					t.Fatal(err)
				}
				got := measure(hidden{s})
				agree(t, what, got.Unweighted, want.Unweighted)
				agree(t, what+", weighted", got.Weighted, want.Weighted)
				if closed := measure(s); !near(closed.Unweighted, want.Unweighted, 1e-9) || !near(closed.Weighted, want.Weighted, 1e-9) {
					t.Errorf("%s, in closed form: %v, want %v", what, closed, want)
				}
			}
		}
	}
}

// The closed forms are those that are used: of noise that is not too small, and few labels.
func TestMarginalInClosedForm(t *testing.T) {
	ok := sizesOf(t)
	for _, sizes := range []Sizes{
		ok(Poisson(3.1, AllCells)), ok(Poisson(0, NonEmpty)), ok(NegativeBinomial(1.5, 0.3, AllCells)), ok(NegativeBinomial(0, 0.05, NonEmpty)),
		ok(NegativeBinomial(40, 0.1, NonEmpty)),
	} {
		for _, p := range [][]float64{{1, 0}, {3, 1}, {2, 3, 5, 0}, {1, 1, 1, 1, 1}} {
			for _, v := range Versions {
				for _, epsilon := range []float64{0.01, 0.7, 2} {
					for name, s := range map[string]mechanisms.Survival{"laplace": laplace(epsilon), "geometric": geometric(epsilon)} {
						got, ok := marginalExponential(s, s.Vanishes(0), v, p, sizes)
						want := sizes.expect(proportions.risks(hidden{s}, v, p, sizes.upTo()))
						if !ok || math.Abs(got-want) > 1e-9*want+leftOutSizes {
							t.Errorf("%v, %v, %s %v, %s: %v (%t), want %v", sizes.Parameters(), p, name, epsilon, v, got, ok, want)
						}
					}
				}
			}
		}
	}
}

// As the mean of Poisson sizes gets small, cells have one record, and no digit of the risk is lost on the way.
func TestMarginalOfSmallMeans(t *testing.T) {
	ok := sizesOf(t)
	table := mustTable(t, 3, [][]int64{{3, 1, 0}, {2, 2, 2}, {1, 0, 0}})
	for name, s := range noises() {
		for _, v := range Versions {
			limit, err := table.Marginal(v, ok(Poisson(0, NonEmpty)))
			if err != nil {
				t.Fatal(err)
			}
			want := limit(s)
			for _, mean := range []float64{1e-8, 1e-10, 1e-12, 1e-14, 1e-16, 1e-30, 1e-300} {
				measure, err := table.Marginal(v, ok(Poisson(mean, NonEmpty)))
				if err != nil {
					t.Fatal(err)
				}
				// A share of mean/2 of the cells has two records.
				if got := measure(s); math.Abs(got.Unweighted-want.Unweighted) > mean+1e-13 || math.Abs(got.Weighted-want.Weighted) > mean+1e-13 {
					t.Errorf("%s, %s, mean %v: %v, want %v", name, v, mean, got, want)
				}
			}
		}
	}
}

// A rare label of an ordinary cell has a small mean, too.
func TestThinned(t *testing.T) {
	for name, s := range noises() {
		for _, mean := range []float64{1e-300, 1e-20, 1e-12, 1e-6, 0.01, 1, 30, 700, 50000} {
			vanishes, survives := thinned(s, mean)
			wantVanishes, wantSurvives := thinned(hidden{s}, mean) // by adding up
			if math.Abs(vanishes-wantVanishes) > 1e-11*wantVanishes+smallShare || !near(survives, wantSurvives, 1e-11) {
				t.Errorf("%s, mean %v: %v and %v, want %v and %v", name, mean, vanishes, survives, wantVanishes, wantSurvives)
			}
			if want := mean * s.Survives(1); mean < 1e-11 && math.Abs(survives/want-1) > 1e-10 {
				t.Errorf("%s, mean %v: survives with %v, want about %v", name, mean, survives, want)
			}
		}
	}
}

// Poisson cells of thousands of records, for which both ways to add up are there.
func TestMarginalOfLargeCells(t *testing.T) {
	ok := sizesOf(t)
	sizes := ok(Poisson(3000, NonEmpty))
	for _, s := range []Survival{laplace(0.002), geometric(0.002), must(mechanisms.GaussianLaw(700))} {
		p := []float64{0.98, 0.015, 0.005}
		got, want := marginal(s, Event, p, sizes), sizes.expect(proportions.risks(s, Event, p, sizes.upTo()))
		if math.Abs(got-want) > 1e-9*want {
			t.Errorf("%T: %.15g, want %.15g", s, got, want)
		}
	}
}

func TestMarginalShrinkage(t *testing.T) {
	ok := sizesOf(t)
	alpha := []float64{0.5, 2, 0, 0.5}
	for _, sizes := range []Sizes{ok(Poisson(2.5, NonEmpty)), ok(NegativeBinomial(3, 0.4, AllCells))} {
		for name, s := range noises() {
			for _, v := range Versions {
				measure, err := MarginalShrinkage(v, alpha, sizes)
				if err != nil {
					t.Fatal(err)
				}
				want := 0.0
				for n := int64(1); n < 120; n++ {
					want += sizes.Probability(n) * dirichlet.risks(s, v, alpha, []int64{n})[0]
				}
				agree(t, name, measure(s), want)
			}
		}
	}
}

// R10 and R11 of the project's list of independently computed numbers.
func TestReferenceMarginal(t *testing.T) {
	ok := sizesOf(t)
	p := []float64{0.7, 0.3}
	for _, s := range []Survival{geometric(1), hidden{geometric(1)}} {
		digits(t, "R10, all cells", marginal(s, Event, p, ok(Poisson(2.43, AllCells))), "0.425526194")
		digits(t, "R10, conditioned", marginal(s, Event, p, ok(Poisson(2.43, NonEmpty))), "0.466604584")
	}
	// R11 is of cells that are and stay homogeneous only, as the 2021 paper has it.
	sizes := ok(NegativeBinomial(3, 0.4, AllCells))
	s := laplace(1)
	sum := 0.0
	for n := int64(1); n < 200; n++ {
		a, _ := Homogeneous([]float64{1, 1}, n)
		sum += sizes.Probability(n) * a * s.Vanishes(0) * s.Survives(n)
	}
	digits(t, "R11", sum, "0.266804353")
}
