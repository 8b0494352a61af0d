package contingency

import (
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/examples/papers/contingency/suppressor"
	"tacit/examples/papers/internal/report"
	"tacit/policy"
)

func decided(t *testing.T, table suppressor.Table, values []int, questions []question, allow allowance) map[string]verdict {
	t.Helper()
	verdicts, err := audit(table, values, questions, allow)
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]verdict{}
	for _, v := range verdicts {
		byName[v.name] = v
	}
	return byName
}

// The risks of the published table, against elimination with partial sums within 6.5 deviations. The saddlepoint engine is to be at most 2% off
// and to the safe side; risks below 1e-9 are those that the reference cuts off in part.
func TestFigure3Risks(t *testing.T) {
	paperOrder := decided(t, hair(100), figure3, marginsFirst(hair(100)), atMost(delta/16))
	for name, want := range map[string]float64{"cell 1,2": 9.336e-3, "cell 2,1": 3.52e-7, "cell 2,2": 6.86e-8} {
		if got := paperOrder[name].risk; got < want || got > 1.02*want {
			t.Errorf("%s: risk %v, want %v", name, got, want)
		}
	}
	for _, name := range []string{"column 3", "cell 1,3", "cell 2,3", "cell 3,1", "cell 3,2", "cell 3,3"} {
		if !paperOrder[name].free {
			t.Errorf("%s does not follow", name)
		}
	}
	for name, want := range map[string]float64{"cell 1,1": 2.7e-13, "cell 1,2": 1.41e-4, "cell 1,3": 6.94e-4, "cell 2,2": 4.4e-9, "cell 3,2": 2.4e-5} {
		got := decided(t, hair(100), figure3, cellsFirst(hair(100)), atMost(delta/16))[name].risk
		if math.Abs(got-want) > 0.02*want {
			t.Errorf("cells first, %s: risk %v, want %v", name, got, want)
		}
	}
}

// No cell is suppressed in either order for sizes from 95 to 170; below and above, some are.
func TestFigure3Suppressions(t *testing.T) {
	for size, want := range map[int]int{90: 2, 94: 2, 95: 0, 100: 0, 170: 0, 180: 4, 200: 4} {
		table := hair(size)
		verdicts, err := audit(table, figure3, marginsFirst(table), atMost(delta/16))
		if err != nil {
			t.Fatal(err)
		}
		if got := count(table, verdicts).cells; got != want {
			t.Errorf("size %d: %d cells suppressed, want %d", size, got, want)
		}
	}
}

// The sampled rule releases the riskiest cell of the paper's order in about a third of its runs, and what is unsafe with probability delta/T
// far more often than with that probability.
func TestSampledRelease(t *testing.T) {
	for _, test := range []struct{ risk, perDecision, want float64 }{{9.336e-3, 80, 0.363}, {1e-9, 80, 1}, {1, 80, 0}, {0.0125, 80, 0.186}, {0.2 / 121, 605, 0.118}} {
		if got := sampledRelease(test.risk, test.perDecision); math.Abs(got-test.want) > 2e-3 {
			t.Errorf("risk %v is released with probability %v, want %v", test.risk, got, test.want)
		}
	}
}

// With the ledger no cell of figure 5 is suppressed, cells first.
func TestFigure5(t *testing.T) {
	const some = 3
	whole, mean, err := average(some, cellsFirst, ledger(delta, delta/10), false)
	if err != nil {
		t.Fatal(err)
	}
	if whole != some || mean.cells+mean.margins > 0 || mean.risk > some*delta/4 {
		t.Errorf("%d tables without suppression, %+v", whole, mean)
	}
	whole, mean, err = average(some, cellsFirst, atMost(delta/121/2), false)
	if err != nil {
		t.Fatal(err)
	}
	if whole != 0 || mean.cells == 0 {
		t.Errorf("at delta/2T %d tables without suppression, %+v", whole, mean)
	}
}

// The decisions are a function of what was released: data sets with the same released values have the same verdicts.
func TestDecisionsTellNothing(t *testing.T) {
	table := suppressor.Table{Rows: 2, Columns: 2, Cells: []suppressor.Cell{{{People: 9, Prior: 0.5}}, {{People: 4, Prior: 0.4}}, {{People: 7, Prior: 0.5}}, {{People: 10, Prior: 0.6}}}}
	seen := map[string]string{}
	released := 0
	for n := range 10 * 5 * 8 * 11 {
		values := []int{n % 10, n / 10 % 5, n / 50 % 8, n / 400}
		if n%7 != 0 {
			continue // some of all
		}
		verdicts, err := audit(table, values, marginsFirst(table), ledger(0.4, 0.3))
		if err != nil {
			t.Fatal(err)
		}
		known, decisions := "", ""
		for _, v := range verdicts {
			if v.released {
				known += fmt.Sprint(v.name, table.Sum(values, v.region), ";")
				released++
			}
			decisions += fmt.Sprint(v.released, v.risk, ";")
		}
		if before, ok := seen[known]; ok && before != decisions {
			t.Fatalf("released %s: %s and %s", known, before, decisions)
		}
		seen[known] = decisions
	}
	if released == 0 || len(seen) < 2 {
		t.Errorf("%d values released, %d publications", released, len(seen))
	}
}

// The attacker who knows the rule, and what the auditor lets her know instead.
func TestBeliefs(t *testing.T) {
	b, err := believe()
	if err != nil {
		t.Fatal(err)
	}
	if b.all.Tables != 3121 || b.allowed.Tables != 42 {
		t.Errorf("%d tables, of which the rule may hide %d", b.all.Tables, b.allowed.Tables)
	}
	want := []string{"5", "100", "0.9", "0.9642", "1.0000", "0.9000"}
	if diff := cmp.Diff(want, b.people().Rows[4]); diff != "" {
		t.Error(diff)
	}
}

// At the paper's epsilon the algorithm of Barak et al. distorts nearly all cells of figure 5; at sixteen times the epsilon, about as many as published.
func TestDistortions(t *testing.T) {
	p := perturbations()[0]
	for _, test := range []struct{ epsilon, low, high float64 }{{0.5, 0.85, 0.97}, {8, 0.07, 0.15}} {
		all, err := shares(p, policy.Epsilon(test.epsilon*perEpsilon))
		if err != nil {
			t.Fatal(err)
		}
		if got := mean(all); got < test.low || got > test.high {
			t.Errorf("epsilon %v: %v of the cells are distorted", test.epsilon, got)
		}
	}
}

// Sections pass the report's checks, and rows that differ are the ones that are known to. With DATA the attack on margins is among them.
func TestSections(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	sections, err := Sections(t.Context(), os.Getenv("DATA"))
	if err != nil {
		t.Fatal(err)
	}
	if err := report.Check(sections); err != nil {
		t.Error(err)
	}
	var differ []string
	for _, s := range sections {
		for _, row := range s.Rows {
			if s.ID == "contingency-margins" && row.Published != row.Regenerated {
				t.Errorf("%s: %s, another program found %s", row.What, row.Regenerated, row.Published)
			}
			if row.Verdict == report.Differs {
				differ = append(differ, row.What)
			}
		}
	}
	want := []string{"suppressed cells, by the threshold of the paper's rule (margins first, delta/2T)",
		"cells that the perturbation distorts by more than 25%, at epsilon 0.5",
		"Theorem 2: probability that the sampled rule releases a question of risk delta/T, figure 3"}
	if diff := cmp.Diff(want, differ); diff != "" {
		t.Error(diff)
	}
}

// A cell that vanishes is distorted, one that is off by a quarter is not.
func TestDistorted(t *testing.T) {
	if got := distorted([]int{20, 20, 20, 20}, []float64{25, 26, 15, 0}); got != 0.5 {
		t.Errorf("%v", got)
	}
	cell, margin := errorsOf(hair(100), figure3, floats(figure4))
	if math.Abs(cell-6.78) > 0.01 || math.Abs(margin-9.33) > 0.01 {
		t.Errorf("figure 4 is off by %v and %v", cell, margin)
	}
}

// Lemma 1, on tables with and without known cells: maximum flows are as many as data sets. It fails if edges or capacities are others.
func TestFlowsAreDataSets(t *testing.T) {
	unknown := example2()
	unknown.known[0][0] = -1
	uneven := flowTable{people: [2][2]int{{4, 1}, {2, 3}}, known: [2][2]int{{-1, 1}, {0, -1}}, rows: [2]int{3, 2}, columns: [2]int{2, 3}}
	for name, table := range map[string]flowTable{"figure 2": example2(), "nothing known": unknown, "uneven": uneven} {
		g := table.graph()
		if flows, sets := g.maximumFlows(), table.dataSets(false); flows != sets || sets == 0 && name != "uneven" {
			t.Errorf("%s: %d flows, %d data sets", name, flows, sets)
		}
	}
	// By hand: 9 with the known value, and 3*2*2*3 with one of the cell.
	if exact, all := example2().dataSets(true), example2().dataSets(false); exact != 9 || all != 9+36+1 {
		t.Errorf("%d data sets with the known value, %d in all", exact, all)
	}
}
