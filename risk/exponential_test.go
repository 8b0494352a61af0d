package risk

import (
	"fmt"
	"math"
	"testing"

	"tacit/mechanisms"
)

// Noise that hardly ever moves a count: c of the closed forms is up to 1e300, or no number, and all measures are those without noise.
func TestMeasuresAlmostWithoutNoise(t *testing.T) {
	ok := sizesOf(t)
	table := mustTable(t, 3, [][]int64{{3, 1, 0}, {0, 0, 2}, {1, 1, 2}, {0, 300, 1}})
	alpha := []float64{1, 1, 1}
	for _, epsilon := range []float64{100, 700, 1400, 1418, 1420, 1430, 3000, 1e6, 1e9} {
		for name, s := range map[string]mechanisms.Survival{
			"laplace":   laplace(epsilon),
			"geometric": must(mechanisms.GeometricLaw(math.Exp(-min(epsilon, 700)))),
		} {
			if c, _, ok := s.Exponential(); ok && math.IsInf(c, 1) {
				t.Errorf("%s %v: c is infinite", name, epsilon)
			}
			for _, v := range Versions {
				measures := map[string]Measure[Average]{
					"local":    func(s Survival) Average { return table.Local(s, v) },
					"expected": func(s Survival) Average { return table.Expected(s, v) },
				}
				shrinkage, err := table.Shrinkage(v, alpha)
				if err != nil {
					t.Fatal(err)
				}
				measures["shrinkage"] = shrinkage
				for _, sizes := range []Sizes{ok(Poisson(4, NonEmpty)), ok(NegativeBinomial(3, 0.4, AllCells))} {
					marginal, err := table.Marginal(v, sizes)
					if err != nil {
						t.Fatal(err)
					}
					both, err := MarginalShrinkage(v, alpha, sizes)
					if err != nil {
						t.Fatal(err)
					}
					measures[fmt.Sprint("marginal ", sizes.Parameters())] = marginal
					measures[fmt.Sprint("marginal shrinkage ", sizes.Parameters())] = func(s Survival) Average { return Average{both(s), both(s)} }
				}
				for which, measure := range measures {
					got, want := measure(s), measure(NoNoise)
					if !near(got.Unweighted, want.Unweighted, 1e-9) || !near(got.Weighted, want.Weighted, 1e-9) {
						t.Errorf("%s, epsilon %v, %s, %s: %v, want %v", name, epsilon, v, which, got, want)
					}
				}
			}
		}
	}
}
