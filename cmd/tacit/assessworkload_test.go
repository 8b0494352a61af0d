package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// stewardWorkload is the command that docs/steward.md shows.
const stewardWorkload = "class, sex; class, age; survived *3; ()"

// TestDocumentedWorkload prints the comparison that the steward's page shows.
func TestDocumentedWorkload(t *testing.T) {
	t.Parallel()
	s := newQuickstart(t, "{kind: geometric, epsilon: 0.5}", "{epsilon: 1, delta: 1e-6}")
	out, stderr, status := run(t, "assess", "--policy", s.policy, "--table", "titanic", "--workload", stewardWorkload)
	if status != 0 || stderr != "" {
		t.Fatalf("status %d: %s%s", status, out, stderr)
	}
	shows(t, readText(t, "../../docs/steward.md"), `tacit assess --policy policy.yaml --table titanic --workload "`+stewardWorkload+`"`)
	if diff := cmp.Diff(stewardBlock(t, "public.titanic: 4 groupings"), out); diff != "" {
		t.Errorf("docs/steward.md (-shows +is printed):\n%s", diff)
	}
}

// TestAssessWorkload compares sizes, errors and bounds with those computed by hand.
func TestAssessWorkload(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	var of struct {
		Rho       float64
		Groupings []struct {
			Keys   []string
			Weight float64
			Cells  float64
			Errors map[string]float64 `json:"standard_deviation"`
		}
		All   map[string]float64
		Bound float64 `json:"all_bound"`
	}
	read := func(flags ...string) {
		out, stderr, status := run(t, append([]string{"assess", "-p", s.policy, "-t", "people", "--json"}, flags...)...)
		if status != 0 {
			t.Fatalf("status %d: %s%s", status, out, stderr)
		}
		if err := json.Unmarshal([]byte(out), &of); err != nil {
			t.Fatal(err)
		}
	}
	read("--workload", "region, sex; age / 10; region * 2.5; ()", "--epsilon", "1", "--delta", "1e-6")
	// Sex may be NULL, which is a value.
	want := []float64{4 * 3, 10, 4, 1}
	for i, g := range of.Groupings {
		if g.Cells != want[i] || len(g.Keys) != []int{2, 1, 1, 0}[i] || (g.Weight == 2.5) != (i == 2) {
			t.Errorf("%v: %v cells, weight %v", g.Keys, g.Cells, g.Weight)
		}
		// Four groupings share rho: each has the variance 4/(2 rho).
		if sd := math.Sqrt(2 / of.Rho); math.Abs(g.Errors["equal_split"]-sd) > 1e-9*sd {
			t.Errorf("%v: equal split %v, want %v", g.Keys, g.Errors["equal_split"], sd)
		}
	}
	if total := of.All["least_total"]; total < of.Bound*(1-1e-9) || total > of.Bound*(1+1e-6) || total >= of.All["best_split"] || of.All["best_split"] >= of.All["equal_split"] {
		t.Errorf("%v, bound %v", of.All, of.Bound)
	}
	// The default is the table's budget.
	read("--workload", "sex")
	if of.Rho < 400 {
		t.Errorf("rho %v of a budget of 1000", of.Rho)
	}
}

// TestAssessWorkloadOfRanges: ranges of a column are nearer to their bound than cells that are added up, and both are what is documented of them.
func TestAssessWorkloadOfRanges(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newSite(t, siteOptions{})
	out, stderr, status := run(t, "assess", "-p", s.policy, "-t", "people", "--workload", "age in ranges, sex; region *3", "--epsilon", "1", "--delta", "1e-6")
	if status != 0 || !strings.Contains(out, "  age in ranges, sex ") || !strings.Contains(out, "Standard deviation of a cell, or of a range.") || !strings.Contains(out, rangesAreMeans) {
		t.Fatalf("status %d: %s%s", status, out, stderr)
	}
	out, _, _ = run(t, "assess", "-p", s.policy, "-t", "people", "--json", "--workload", "age in ranges", "--epsilon", "1", "--delta", "1e-6")
	var of struct {
		Rho       float64
		Groupings []struct {
			Ranges []string
			Cells  float64
			Errors map[string]float64 `json:"standard_deviation"`
		}
		Bound    float64 `json:"all_bound"`
		Greatest float64 `json:"greatest_bound"`
	}
	if err := json.Unmarshal([]byte(out), &of); err != nil || len(of.Groupings) != 1 || len(of.Groupings[0].Ranges) != 1 {
		t.Fatal(err, out)
	}
	// A range has (n + 2)/3 of n values in the mean.
	g := of.Groupings[0]
	if cells := math.Sqrt((g.Cells + 2) / 3 / (2 * of.Rho)); math.Abs(g.Errors["equal_split"]/cells-1) > 1e-9 || math.Abs(g.Errors["finest_cells"]/cells-1) > 1e-9 {
		t.Errorf("by itself %v, want %v", g.Errors, cells)
	}
	if least := g.Errors["least_total"]; least < of.Bound || least > 1.05*of.Bound || g.Errors["best_split"] < 1.5*least || g.Errors["least_greatest"] < of.Greatest {
		t.Errorf("%v, bounds %v and %v", g.Errors, of.Bound, of.Greatest)
	}
}

const rangesAreMeans = "Of a grouping with ranges it is the root of the mean variance of all ranges of successive values"

// TestAssessWorkloadReadsNoRow: two tables of which one has no row have the same output.
func TestAssessWorkloadReadsNoRow(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	print := func() string {
		out, stderr, status := run(t, "assess", "-p", s.policy, "-t", "people", "--workload", "region, sex; age")
		if status != 0 {
			t.Fatalf("status %d: %s%s", status, out, stderr)
		}
		return out
	}
	before := print()
	s.exec("DELETE FROM public.people WHERE id = 1")
	same(t, before, print())
	s.exec("DELETE FROM public.people")
	same(t, before, print())
}

// TestAssessWorkloadRefuses has one for each rule.
func TestAssessWorkloadRefuses(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	for i, c := range []struct {
		says  string
		flags []string
	}{
		{"--table TABLE is required", []string{"--workload", "sex"}},
		{"--query SQL is required", nil},
		{"names its table", []string{"-t", "people", "-q", "SELECT count(*) FROM people"}},
		{"goes with --table, --epsilon", []string{"-t", "people", "--workload", "sex", "-q", "SELECT count(*) FROM people"}},
		{"one amount", []string{"-t", "people", "--workload", "sex", "--epsilon", "1,2"}},
		{"is not between 0 and 1", []string{"-t", "people", "--workload", "sex", "--delta", "1"}},
		{"a grouping is empty", []string{"-t", "people", "--workload", "sex;;age"}},
		{"nothing stands between two commas", []string{"-t", "people", "--workload", "sex,,age"}},
		{"the weight 0 is not between", []string{"-t", "people", "--workload", "sex*0"}},
		{"is there twice", []string{"-t", "people", "--workload", "sex, sex"}},
		{"is a constant", []string{"-t", "people", "--workload", "1"}},
		{"is there twice; give it a larger weight", []string{"-t", "people", "--workload", "sex, region; region, sex"}},
		{"ranges of 3 keys", []string{"-t", "people", "--workload", "age in ranges, sex in ranges, region IN RANGES"}},
		{"age / 10 is computed", []string{"-t", "people", "--workload", "age / 10 in ranges"}},
		{"follow from the same column", []string{"-t", "people", "--workload", "age; age / 10"}},
		{"not declared", []string{"-t", "people", "--workload", "illness"}},
		{"name", []string{"-t", "people", "--workload", "name"}},
		{"one column or expression", []string{"-t", "people", "--workload", "sex age"}},
		{"syntax error", []string{"-t", "people", "--workload", "sex) --"}},
	} {
		if testing.Short() && i%6 != 0 {
			continue
		}
		out, stderr, status := run(t, append([]string{"assess", "-p", s.policy}, c.flags...)...)
		if status == 0 || !strings.Contains(stderr, c.says) || out != "" {
			t.Errorf("%q: status %d\n%s%s", c.flags, status, out, stderr)
		}
	}
}
