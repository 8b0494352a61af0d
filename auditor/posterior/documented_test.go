package posterior

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// TestDocumentedLeastPeople holds the table of docs/auditor.md against what is computed: the least blocks for a risk of 0.001, released
// once and certified.
func TestDocumentedLeastPeople(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	text, err := os.ReadFile("../../docs/auditor.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, epsilon := range []float64{0.1, 0.2, 0.5, 0.8} {
		row := fmt.Sprintf("| %v |", epsilon)
		for _, p := range []float64{0.5, 0.3, 0.1, 0.05, 0.01} {
			margin := epsilon * p
			kind := Atom{Prior: []float64{1 - p, p}, Limits: []Limit{{0, 1}, {p - margin, p + margin}}}
			row += fmt.Sprintf(" %d / %d |", least(t, need{Kind: kind}), least(t, need{Kind: kind, Certified: true}))
		}
		if !strings.Contains(string(text), row+"\n") {
			t.Errorf("docs/auditor.md lacks the row %s", row)
		}
	}
}

func least(t *testing.T, n need) int {
	t.Helper()
	n.Sets, n.Risk = []ValueSet{True}, 1e-3
	people, err := fewestPeople(n)
	if err != nil {
		t.Fatal(err)
	}
	return people
}

// TestDocumentedPriors holds what docs/auditor.md says of wrong priors: how often somebody of a table of 100 cells of 150 people is exposed,
// p = .3 and epsilon .5, if the rates of cells are normal around the declared one, or all another; and the least cells under an interval.
func TestDocumentedPriors(t *testing.T) {
	text, err := os.ReadFile("../../docs/auditor.md")
	if err != nil {
		t.Fatal(err)
	}
	exposed := func(rate float64) float64 {
		safe := 0.0
		for v := 23; v <= 67; v++ { // .15 to .45 of 150, without 22.5 and with 67.5 between counts
			safe += math.Exp(logChoose(150, v) + float64(v)*math.Log(rate) + float64(150-v)*math.Log1p(-rate))
		}
		return 1 - safe
	}
	table := func(cell float64) string { return percent(1 - math.Pow(1-cell, 100)) }
	want := []string{"| as declared | " + table(exposed(.3)) + " |", table(exposed(.36)) + " of such tables"}
	for scatter, row := range map[float64]string{.05: "5% around the declared one", .1: "10%", .2: "20%"} {
		sum, weights := 0.0, 0.0
		for z := -4.5; z <= 4.5; z += .01 {
			w := math.Exp(-z * z / 2)
			sum, weights = sum+w*exposed(max(.3*(1+scatter*z), 1e-6)), weights+w
		}
		want = append(want, "| scatter by "+row+" | "+table(sum/weights)+" |")
	}
	for eta, before := range map[float64]string{.02: "%d at ±2%%", .05: "%d at ±5%%", .1: "%d at ±10%%"} {
		limit, people := Limit{.5 * .3 * (1 + eta), 1.5 * .3 * (1 - eta)}, 0
		for _, p := range []float64{.3 * (1 - eta), .3, .3 * (1 + eta)} {
			people = max(people, least(t, need{Kind: Atom{Prior: []float64{1 - p, p}, Limits: []Limit{{0, 1}, limit}}}))
		}
		want = append(want, fmt.Sprintf(before, people))
	}
	for _, w := range want {
		if !strings.Contains(string(text), w) {
			t.Errorf("docs/auditor.md lacks %q", w)
		}
	}
}

func logChoose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// percent is a probability as the guide has it: with a decimal below 1%.
func percent(p float64) string {
	if p < .01 {
		return fmt.Sprintf("%.1f%%", 100*p)
	}
	return fmt.Sprintf("%.0f%%", 100*p)
}
