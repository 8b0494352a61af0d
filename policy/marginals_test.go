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
	got := read(`{marginals: [[age / 10, sex], [age / 10], {columns: ["date_trunc('month', born)"]}], epsilon: 2}`)
	for i := range got.Computed {
		if got.Computed[i].Line < 10 {
			t.Errorf("the line of %s is %d", got.Computed[i].Text, got.Computed[i].Line)
		}
		got.Computed[i].Line = 0
	}
	want = &Workload{
		Marginals: []Marginal{{Columns: []string{"age / 10", "sex"}, Weight: WeightOne}, {Columns: []string{"age / 10"}, Weight: WeightOne}, {Columns: []string{"date_trunc('month', born)"}, Weight: WeightOne}},
		Computed:  []Computed{{Text: "age / 10"}, {Text: "date_trunc('month', born)"}}, Epsilon: 2e9, Delta: 2e11,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("expressions (-want +read):\n%s", diff)
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

// TestExpressionsOfWorkloads refuses what cannot be an expression of a workload, with its line, and tells no change where only the line is another.
func TestExpressionsOfWorkloads(t *testing.T) {
	with := func(marginals, before string) string {
		text := edited(t, budgetLine, "budget: {epsilon: 10, delta: 1e-6}\n    "+before+"workload: {marginals: "+marginals+", epsilon: 1}")
		return strings.Replace(text, sexLine, sexLine+"\n      age: {range: [0, 120]}", 1)
	}
	for marginals, want := range map[string]string{
		"[[age / 10, age / 10]]":                      "is in the marginal twice",
		"[[sex, age / 10], [age / 10, sex]]":          "the marginal is in the list twice",
		"[{columns: [age / 10], ranges: [age / 10]}]": "is an expression, and ranges are of columns",
		"[[years]]": "is not among the columns of the table",
		"[[age + 1" + strings.Repeat(" + 1", 100) + "]]": "more than 300 bytes",
		"[[[age / 10]]]": ":",
		"[{columns: [age / 10], ranges: [age / 20]}]": "is not among the columns of the marginal",
	} {
		_, err := Parse("tacit.yaml", []byte(with(marginals, "")))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "tacit.yaml:") {
			t.Errorf("%s: %v", marginals, err)
		}
	}
	first, err := Parse("tacit.yaml", []byte(with("[[age / 10]]", "")))
	if err != nil {
		t.Fatal(err)
	}
	for text, changed := range map[string]bool{with("[[age / 10]]", "# a comment\n    "): false, with("[[age / 20]]", ""): true} {
		p, err := Parse("tacit.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Changes(first); len(got) > 0 != changed {
			t.Errorf("changed are %v", got)
		}
	}
}
