package risk

import (
	"math"
	"testing"

	"tacit/mechanisms"
)

// What is no cell has no risk, which is not one of 0.
func TestLocalOfNoCell(t *testing.T) {
	for name, risk := range map[string]float64{
		"more counts than labels": Local(AllNoise, Event, 2, []int64{1, 1, 1}),
		"a negative count":        Local(AllNoise, Event, 3, []int64{2, -1}),
		"too many records":        Local(AllNoise, Records, 3, []int64{math.MaxInt64, 1}),
		"no version":              Local(AllNoise, "", 3, []int64{2, 1}),
		"no survival":             Local(mechanisms.Survival{}, Event, 3, []int64{2, 1}),
	} {
		if !math.IsNaN(risk) {
			t.Errorf("%s: %v", name, risk)
		}
	}
	if risk := Local(AllNoise, Event, 2, []int64{1, 0, 1}); risk != 0.5 {
		t.Errorf("a count of 0 beside two of two labels: %v", risk)
	}
}

func TestExpectedOfNoCell(t *testing.T) {
	half := []float64{0.5, 0.5}
	for _, s := range []Survival{laplace(1), geometric(1), must(mechanisms.GaussianLaw(2))} {
		for name, risk := range map[string]float64{
			"an infinite probability": Expected(s, Event, []float64{math.Inf(1), 0.5, 0.5}, 3),
			"NaN":                     Expected(s, Event, []float64{math.NaN(), 0.5, 0.5}, 3),
			"a negative probability":  Expected(s, Event, []float64{-1, 2}, 3),
			"weights":                 Expected(s, Event, []float64{3, 2}, 3),
			"no probabilities":        Expected(s, Event, nil, 3),
			"too many records":        Expected(s, Event, half, math.MaxInt64),
			"negative records":        Expected(s, Event, half, -1),
			"no version":              Expected(s, "", half, 3),
		} {
			if !math.IsNaN(risk) {
				t.Errorf("%s: %v", name, risk)
			}
		}
		if risk := Expected(s, Event, []float64{0.1, 0.2, 0.7}, 0); risk != 0 {
			t.Errorf("a cell of nobody: %v", risk)
		}
	}
	if risk := Expected(mechanisms.Survival{}, Event, half, 3); !math.IsNaN(risk) {
		t.Errorf("no survival: %v", risk)
	}
}

// A version that is none is not the event version.
func TestUnknownVersion(t *testing.T) {
	table := mustTable(t, 2, [][]int64{{3, 0}, {2, 1}})
	joint := &JointTable{Labels: []int{2}, Patterns: []JointPattern{{Counts: [][]int64{{3, 1}}, Cells: 1}}}
	const unknown = Version("evnet")
	for name, a := range map[string]Average{"local": table.Local(laplace(1), unknown), "expected": table.Expected(laplace(1), unknown)} {
		if !math.IsNaN(a.Unweighted) || !math.IsNaN(a.Weighted) {
			t.Errorf("%s: %v", name, a)
		}
	}
	if _, err := joint.Local(laplace(1), unknown); err == nil {
		t.Error("local risk of several attributes")
	}
	if _, err := joint.Expected(laplace(1), unknown); err == nil {
		t.Error("expected risk of several attributes")
	}
	if bound, ok := HeterogeneousBound(laplace(1), unknown, 3, 5); ok {
		t.Errorf("a bound of %v", bound)
	}
	alike := mustTable(t, 2, [][]int64{{3, 0}})
	if bound, ok := alike.LocalBound(laplace(1), unknown); ok {
		t.Errorf("a local bound of %v", bound)
	}
	if bound, ok := alike.ExpectedBound(laplace(1), unknown); ok {
		t.Errorf("an expected bound of %v", bound)
	}
	if bound, ok, err := alike.ShrinkageBound(laplace(1), unknown, []float64{1, 1}); ok || err == nil {
		t.Errorf("a bound of shrinkage of %v", bound)
	}
	for name, average := range map[string]Average{"local": table.Local(mechanisms.Survival{}, Event), "expected": table.Expected(mechanisms.Survival{}, Event)} {
		if !math.IsNaN(average.Unweighted) {
			t.Errorf("%s risk without a survival: %v", name, average)
		}
	}
}

func TestHeterogeneousBoundOfTooMany(t *testing.T) {
	if _, ok := HeterogeneousBound(laplace(1), Event, 1<<40, 1<<40); ok {
		t.Error("a bound of 2^40 labels")
	}
	if _, ok := HeterogeneousBound(laplace(1), Records, 2, math.MaxInt64); ok {
		t.Error("a bound of all records there can be")
	}
}
