package policy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWorkload reads a workload with all that it can have, and one with defaults: a delta in proportion to epsilon.
func TestWorkload(t *testing.T) {
	read := func(workload string) *Workload {
		t.Helper()
		text := edited(t, budgetLine, "budget: {epsilon: 10, delta: 1e-6}\n    workload: "+workload)
		text = strings.Replace(text, sexLine, sexLine+"\n      age: {range: [0, 120]}\n      region: {values_from: public.regions.region}", 1)
		p, err := Parse("tacit.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return p.Tables[0].Workload
	}
	want := &Workload{
		Marginals: []Marginal{{Columns: []string{"region", "sex"}, Weight: WeightOne}, {Columns: []string{"age"}, Weight: 2_500_000, Ranges: []string{"age"}}, {Weight: WeightOne}},
		Epsilon:   2e9, Delta: 1e11, Greatest: true, BySteward: true, Nonnegative: true,
	}
	if diff := cmp.Diff(want, read("{marginals: [[region, sex], {columns: [age], weight: 2.5, ranges: [age]}, []], epsilon: 2, delta: 1e-7, for: greatest, measured: by-steward, negative: fit}")); diff != "" {
		t.Errorf("(-want +read):\n%s", diff)
	}
	want = &Workload{Marginals: []Marginal{{Columns: []string{"sex"}, Weight: WeightOne}}, Epsilon: 2e9, Delta: 2e11}
	if diff := cmp.Diff(want, read("{marginals: [[sex]], epsilon: 2}")); diff != "" {
		t.Errorf("defaults (-want +read):\n%s", diff)
	}
}

// TestManyRanges refuses ranges of three columns in one marginal, whose integers would not fit into 64 bits.
func TestManyRanges(t *testing.T) {
	for ranges, wrong := range map[string]bool{"[sex, age]": false, "[sex, age, region]": true} {
		text := edited(t, budgetLine, "budget: {epsilon: 10, delta: 1e-6}\n    workload: {marginals: [{columns: [sex, age, region], ranges: "+ranges+"}], epsilon: 1}")
		text = strings.Replace(text, sexLine, sexLine+"\n      age: {range: [0, 120]}\n      region: {values: [north, south]}", 1)
		if _, err := Parse("tacit.yaml", []byte(text)); (err != nil) != wrong || wrong && !strings.Contains(err.Error(), "ranges of more than 2 columns") {
			t.Errorf("%s: %v", ranges, err)
		}
	}
}
