package disclosure

import (
	"context"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/examples/papers/internal/report"
	"tacit/examples/papers/internal/utility"
	"tacit/mechanisms"
)

// The printed tables, by the sums of their columns, which were added up from the papers by themselves: a figure that is copied wrongly changes one.
func TestPublishedSums(t *testing.T) {
	sum := func(columns ...[]string) (total float64) {
		for _, c := range columns {
			for _, text := range c {
				total += number(text)
			}
		}
		return total
	}
	near := func(name string, got, want float64) {
		if math.Abs(got-want) > 5e-4 {
			t.Errorf("%s: the column adds up to %.3f, in the paper to %.3f", name, got, want)
		}
	}
	for id, want := range map[string][2]float64{"ma": {51_341.24, 1448.935}, "tx": {62_773.94, 1362.61}, "national": {189_371.67, 1816.395}} {
		var l1, alpha float64
		for _, p := range zhu[id] {
			l1, alpha = l1+sum(p.l1), alpha+sum(p.alpha)
		}
		near(id+", l1 bias", l1, want[0])
		near(id+", α", alpha, want[1])
	}
	var l1, alpha, variance float64
	for _, p := range das {
		l1, alpha, variance = l1+sum(p.l1), alpha+sum(p.alpha), variance+sum(p.variance)
	}
	near("2024, l1 bias", l1, 20_390.34)
	near("2024, α", alpha, 7648.51)
	near("2024, variance", variance, 65_414.66)
}

// Only cells of one person count, each with the probability of being shown as 1: that of no noise.
func TestExpectMatches(t *testing.T) {
	cells := counted(t, 1, 1, 0, 2)
	s, err := cells.laplace("matches", 1)
	if err != nil {
		t.Fatal(err)
	}
	law, err := mechanisms.LaplaceLaw(2)
	if err != nil {
		t.Fatal(err)
	}
	got, ok := cells.expectMatches(s.expect)
	if want := 2 * law.Probability(0); !ok || math.Abs(got-want) > 1e-12 {
		t.Errorf("%v matches, want %v", got, want)
	}
}

// Of two rows each is the other's only donor.
func TestNobodyIsHerOwnDonor(t *testing.T) {
	cells := counted(t, 1, 0, 1, 0)
	for from, want := range map[int][]float64{0: {0, 1}, 2: {1, 0}} {
		got := cells.racesOfDonors(from, 1)
		if math.Abs(got[0]-want[0]) > 1e-12 || math.Abs(got[1]-want[1]) > 1e-12 {
			t.Errorf("a row of cell %d gets the races with probabilities %v, want %v", from, got, want)
		}
	}
}

// Releases of the true counts have the accuracy of the original, and no deviation.
func TestAccuraciesOfTheOriginal(t *testing.T) {
	cells := village(t)
	want, err := accuracy(cells, cells.histogram)
	if err != nil {
		t.Fatal(err)
	}
	mean, deviation, err := cells.accuracies(&sanitizer{release: func() ([]int64, error) { return cells.counts, nil }})
	if err != nil || math.Abs(mean-want) > 1e-12 || deviation > 1e-6 {
		t.Errorf("mean %v, deviation %v, %v; want %v", mean, deviation, err, want)
	}
}

func estimates(standardError float64, values ...float64) []utility.Estimate {
	all := make([]utility.Estimate, len(values))
	for i, v := range values {
		all[i] = utility.Estimate{Value: v, StandardError: standardError}
	}
	return all
}

// What approaches comes nearer at each step, and in the end is near.
func TestApproach(t *testing.T) {
	f := families[0]
	for _, c := range []struct {
		name       string
		randomised []float64 // where the classical figure is 1000
		off        float64
		want       report.Verdict
	}{
		{"nearer at each step", []float64{1400, 1200, 1050}, 1, report.Same},
		{"from below", []float64{600, 800, 990}, 1, report.Same},
		{"nearer, and far in the end", []float64{4479, 3900, 3695}, 1, report.Differs},
		{"passes, and moves away", []float64{920, 995, 1018}, 1, report.Differs},
		{"within the scatter", []float64{1400, 1050, 1049}, 10, report.Undecided},
	} {
		off := make([]float64, len(c.randomised))
		for i, v := range c.randomised {
			off[i] = v - 1000
		}
		if got := nears(estimates(c.off, off...), 200); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	// One setting at which it does not hold refutes it.
	classical, first, last := estimates(0, 10, 10, 10, 10, 10, 10), estimates(0, 20, 20, 20, 20, 20, 20), estimates(0, 11, 11, 11, 11, 11, 11)
	curves := []curve{{error: classical}, {epsilon: 1, error: first}, {epsilon: 2, error: last}}
	if got := f.approach(curves, "error", curve.errors).Verdict; got != report.Same {
		t.Errorf("at every setting: %s", got)
	}
	last[5].Value = 30
	if got := f.approach(curves, "error", curve.errors).Verdict; got != report.Differs {
		t.Errorf("at all settings but one: %s", got)
	}
}

// Neighbours in the published order must be apart by three standard errors.
func TestOrdered(t *testing.T) {
	theirs := map[string]float64{"a": 1, "b": 2}
	for _, c := range []struct {
		a, b, off float64
		want      report.Verdict
	}{{10, 20, 2, report.Same}, {10, 20, 3, report.Undecided}, {20, 10, 2, report.Differs}} {
		got, reason := ordered(theirs, map[string]utility.Estimate{"a": {Value: c.a, StandardError: c.off}, "b": {Value: c.b, StandardError: c.off}})
		if got != c.want || (got == report.Same) != (reason == "") {
			t.Errorf("%v and %v: %s (%s), want %s", c.a, c.b, got, reason, c.want)
		}
	}
}

// The verdict on a row of numbers: to the digits, within the tolerance at every ε, or not.
func TestCompared(t *testing.T) {
	printed := []string{"100.5", "10"}
	for _, c := range []struct {
		values []float64
		want   report.Verdict
	}{{[]float64{100.52, 10}, report.Same}, {[]float64{101, 10}, report.Within}, {[]float64{100.5, 12.1}, report.Differs}} {
		r := compared("n", printed, c.values, unknown+"Nothing was tried.")
		if r.Verdict != c.want || r.Unexplained != (c.want == report.Differs) {
			t.Errorf("%v: %s, unexplained %t; want %s", c.values, r.Verdict, r.Unexplained, c.want)
		}
	}
}

// Everything by verdict, as it was looked at: a row that moves has another result.
func TestSections(t *testing.T) {
	if testing.Short() {
		t.Skip("measures every mechanism on every excerpt, which takes minutes")
	}
	dir := os.Getenv("DATA")
	if dir == "" {
		t.Skip("needs the excerpts: set DATA to the directory that has acs_excerpt_ma2019.csv")
	}
	sections, err := Sections(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := report.Check(sections); err != nil {
		t.Error(err)
	}
	got := map[string]string{}
	for _, s := range sections {
		for _, r := range s.Rows {
			got[s.ID] += letters[r.Verdict]
		}
	}
	if diff := cmp.Diff(verdicts, got); diff != "" {
		t.Errorf("verdicts, row by row (-want +got):\n%s", diff)
	}
}

// letters are short for verdicts: same, within, differs, not distinguishable, none.
var letters = map[report.Verdict]string{report.Same: "s", report.Within: "w", report.Differs: "d", report.Undecided: "u", report.Shown: "."}

// verdicts are those of all rows of each section, in their order.
var verdicts = map[string]string{
	"disclosure-data":            ".........",
	"disclosure-delta":           "ss..ss.ss",
	"disclosure-table-ma":        "wwwwwwwwwduusussss.....",
	"disclosure-table-tx":        "wwwwwwwwwddusussss.....",
	"disclosure-table-national":  "wwwwwwwwwduusussss.....",
	"disclosure-anonymity":       "ddd",
	"disclosure-table-2024":      "wwdwwwdwd...ddd...dsd",
	"disclosure-curves-ma":       ".sdd.ddd....",
	"disclosure-curves-tx":       ".sdd.ddd....",
	"disclosure-curves-national": ".sdd.ddd....",
	"disclosure-matches":         "ssdsdssdsd",
	"disclosure-subgroups":       "dssd....",
	"disclosure-classification":  "dddddduu",
}

// DP swapping of 2023 moves a cell with probability 8/(e^ε+8), nine places being those of RACE: 1/(1+e^ε/8).
func TestMovedCells(t *testing.T) {
	s := &study{results: map[string][]measured{swappingName: make([]measured, len(epsilons))}}
	line := s.movedCells(func(measured) float64 { return 0 })
	for i, want := range []float64{0.127_802, 0.519_860, 0.746_393, 0.829_129} { // ε = 4, 2, 1, 0.5
		if math.Abs(line.X[i]-want) > 1e-4 {
			t.Errorf("point %d: a share of %v, want %v", i, line.X[i], want)
		}
	}
}
