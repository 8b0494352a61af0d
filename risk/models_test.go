package risk

import "testing"

// The largest epsilon for an acceptable risk is there for every measure: it is at most the target at the epsilon that is found, and
// more a little above it.
func TestLargestOfModels(t *testing.T) {
	table := adult(true, true)
	ok := sizesOf(t)
	shrinkage, err := table.Shrinkage(Event, []float64{2, 0.5})
	if err != nil {
		t.Fatal(err)
	}
	marginal, err := table.Marginal(Records, ok(table.FitPoisson(NonEmpty)))
	if err != nil {
		t.Fatal(err)
	}
	both, err := MarginalShrinkage(Event, []float64{2, 0.5}, ok(table.FitNegativeBinomial(NonEmpty)))
	if err != nil {
		t.Fatal(err)
	}
	for name, risk := range map[string]Measure[float64]{
		"shrinkage":          func(s Survival) float64 { return shrinkage(s).Weighted },
		"marginal":           func(s Survival) float64 { return marginal(s).Unweighted },
		"marginal shrinkage": both,
	} {
		for noise, at := range map[string]SurvivalAt{
			"laplace":   func(epsilon float64) (Survival, error) { return laplace(epsilon), nil },
			"geometric": func(epsilon float64) (Survival, error) { return geometric(epsilon), nil },
		} {
			low, _ := at(0.01)
			high, _ := at(20)
			target := (risk(low) + risk(high)) / 2
			got, err := Largest(target, risk, at, Range{0.01, 20})
			if err != nil || got.Answer != Crossed {
				t.Fatalf("%s, %s: %+v, %v", name, noise, got, err)
			}
			below, _ := at(got.Epsilon)
			above, _ := at(got.Epsilon * (1 + 1e-5))
			if risk(below) > target || risk(above) <= target {
				t.Errorf("%s, %s: target %v, epsilon %v has %v, a little more %v", name, noise, target, got.Epsilon, risk(below), risk(above))
			}
		}
	}
}
