package homogeneity

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/examples/papers/internal/report"
	"tacit/risk"
)

// differing are the rows that do not come out the same. A row that moves in or out of this list has another result than was looked at.
var differing = []string{
	"differs: Adult: non-empty cells of the six quasi-identifiers",
	"differs: Adult: of these homogeneous in income",
	"within tolerance: Adult and Bankruptcy, Laplace, ε ≥ 10",
	"within tolerance: Adult and Bankruptcy, pDP, ε ≥ 31.6, whatever δ",
	"differs: 2021: around 100% for ε > 10, Laplace and pDP",
	"differs: Bankruptcy subset, local, by cells, ε → 0",
	"differs: Close to the minimum for ε < 0.1",
	"differs: The impact of δ is relatively minor (2021: not obvious); Adult, pDP, δ from 0.00003 to 0.1, by cells",
	"differs: pDP has slightly more risk (+0.05) than (ε, δ)-DP for ε < 1",
	"differs: The curves of Adult and Bankruptcy are similar (Laplace, by records)",
	"differs: Adult by its six quasi-identifiers, ε → ∞",
	"differs: Adult by its six quasi-identifiers, ε → 0",
	"differs: Bankruptcy: the same for sizes of 1 and more",
	"differs: Bankruptcy subset: the same for sizes of 1 and more",
	"differs: Flatter especially for soft thresholding",
}

// Everything but the printed formulas, of which none agrees, and the times, by verdict.
func TestSections(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates every figure, which takes some ten seconds")
	}
	sections, err := Sections(context.Background(), dataDir(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := report.Check(sections); err != nil {
		t.Error(err)
	}
	var got []string
	for _, s := range sections {
		switch s.ID {
		case "homogeneity-errata":
			if c := report.Count(s); c.Differs != c.All() {
				t.Errorf("of %d printed formulas %d differ from the right values", c.All(), c.Differs)
			}
			continue
		case "homogeneity-times":
			continue
		}
		for _, r := range s.Rows {
			if r.Verdict != report.Same && r.Verdict != report.Shown {
				got = append(got, string(r.Verdict)+": "+r.What)
			}
		}
	}
	if diff := cmp.Diff(differing, got); diff != "" {
		t.Errorf("rows that differ from the published ones (-want +got):\n%s", diff)
	}
}

// subsetCells are the Bankruptcy subset's counts of the labels that occur, and how many cells have them.
var subsetCells = []risk.Pattern{
	{Counts: []int64{2, 2}, Cells: 11}, {Counts: []int64{2}, Cells: 20}, {Counts: []int64{1}, Cells: 18}, {Counts: []int64{7}, Cells: 1}, {Counts: []int64{4, 2, 1}, Cells: 1}, {Counts: []int64{3, 2}, Cells: 1}, {Counts: []int64{1, 1}, Cells: 3}, {Counts: []int64{5}, Cells: 2}, {Counts: []int64{8}, Cells: 1}, {Counts: []int64{2, 1}, Cells: 4}, {Counts: []int64{4}, Cells: 9},
	{Counts: []int64{4, 4}, Cells: 1}, {Counts: []int64{9}, Cells: 1}, {Counts: []int64{10, 4}, Cells: 1}, {Counts: []int64{4, 2},
		Cells: 2}, {Counts: []int64{11}, Cells: 1}, {Counts: []int64{3}, Cells: 1},
}

func subsetTable() *risk.Table { return &risk.Table{Labels: 3, Patterns: subsetCells} }

// The asymptotes that the 2023 paper prints, from the multiset of counts: 54 of 78 cells, 142 of 250 records, and with the paper's 2 2^-K for a
// heterogeneous cell 0.1635 and 0.1790.
func TestSubsetAsymptotes(t *testing.T) {
	x := experiments{subset: experiment{name: "Bankruptcy subset", table: subsetTable()}}
	var got []report.Verdict
	for _, row := range x.subsetRows() {
		got = append(got, row.Verdict)
	}
	if want := []report.Verdict{report.Same, report.Same, report.Same, report.Same, report.Differs, report.Same, report.Same, report.Same}; !slices.Equal(got, want) {
		t.Errorf("the rows agree: %v, want %v", got, want)
	}
	for _, c := range []struct {
		name                 string
		got                  risk.Average
		unweighted, weighted float64
	}{
		{"(13) as printed", x.average13(printed13, 1e-9), 0.1058, 0.0980},
		{"(13) as meant", x.average13(meant13, 1e-9), 0.1635, 0.1790},
		{"exact", local(x.subset.table, risk.AllNoise), 0.1651, 0.1825},
	} {
		if math.Abs(c.got.Unweighted-c.unweighted) > 5e-5 || math.Abs(c.got.Weighted-c.weighted) > 5e-5 {
			t.Errorf("%s: %.4f and %.4f, want %v and %v", c.name, c.got.Unweighted, c.got.Weighted, c.unweighted, c.weighted)
		}
	}
}

// The zero-truncated estimates of footnote 6, from the multiset of sizes.
func TestTruncatedPoisson(t *testing.T) {
	rows, err := sizeRows(experiment{name: "Bankruptcy subset", table: subsetTable()}, "3.21")
	if err != nil {
		t.Fatal(err)
	}
	if rows[0].Regenerated != "3.20513" || rows[0].Verdict != report.Same || rows[1].Regenerated != "3.05393" || rows[1].Verdict != report.Differs {
		t.Errorf("rows %+v", rows)
	}
}

// The simulation of the expected risk against its closed form. With 500 repetitions a mean is beyond 6 standard errors with a probability of 2e-9; there are
// 96 of them.
func TestRedrawnAgreesWithClosedForm(t *testing.T) {
	e := experiment{name: "Bankruptcy subset", table: subsetTable(), deltas: bankruptcyDeltas}
	var d deviation
	for i, group := range e.sanitizers() {
		all, err := simulate(e.redrawn, group, uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		if err := d.compare(e, expected, group, all); err != nil {
			t.Fatal(err)
		}
	}
	if d.largest > 6 || d.points < 80 {
		t.Errorf("%d points, the farthest %v standard errors from its closed form", d.points, d.largest)
	}
}

// The scales of the simulations are by the papers' equations, those of the closed forms by the mechanisms.
func TestScaleIsThatOfTheMechanism(t *testing.T) {
	for _, s := range []sanitizer{gaussianDP(1e-3), gaussianPDP(3e-5), gaussianPDP(0.1)} {
		m, err := s.at(0.5, seeded(0))
		if err != nil {
			t.Fatal(err)
		}
		law, _ := m.Law()
		sigma := s.scale(0.5)
		if want := math.Erfc(2.5/sigma/math.Sqrt2) / 2; math.Abs(law.AtLeast(3)-want) > 1e-9 {
			t.Errorf("%s %s: P(Z >= 3) = %v, by its equation %v", s.calibration, s.name, law.AtLeast(3), want)
		}
	}
}

func TestSeededRepeatsAndDiffers(t *testing.T) {
	read := func(i uint64) [8]byte {
		var b [8]byte
		if _, err := seeded(i).Read(b[:]); err != nil {
			t.Fatal(err)
		}
		return b
	}
	if first, again := read(1), read(1); first != again || first == read(2) || first == read(1<<40) {
		t.Error("draws do not follow from their seed alone")
	}
}

func TestText(t *testing.T) {
	for got, want := range map[string]string{count(5): "5", count(27_504): "27,504", count(1_234_567): "1,234,567", percent(0.4044, 1): "40.4%", decimal(3e-5): "0.00003"} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if !prints(0.16346, "0.16") || prints(0.16506, "0.16") || !prints(250, "250") {
		t.Error("prints does not round to the decimals of the published number")
	}
}

func TestEpsilons(t *testing.T) {
	grid := epsilons(-3, 2, 20)
	if len(grid) != 101 || grid[0] != 1e-3 || math.Abs(grid[100]-100) > 1e-9 {
		t.Errorf("%d from %v to %v", len(grid), grid[0], grid[len(grid)-1])
	}
	below := gaussianDP(0.1).within(grid)
	if len(below) != 60 || below[59] >= 1 {
		t.Errorf("%d below 1, up to %v", len(below), below[len(below)-1])
	}
}
