package contingency

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"tacit/examples/papers/contingency/attack"
	"tacit/examples/papers/internal/report"
	"tacit/internal/chart"
)

// fourByFour reads the table that sdcTable tests suppression with. Of hidden cells, the true count is returned as well: what was known when the
// table was made.
func fourByFour(data string) (attack.Publication, error) {
	f, err := os.Open(filepath.Join(data, "sdctable_4x4_suppressed.csv"))
	if err != nil {
		return attack.Publication{}, err
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return attack.Publication{}, fmt.Errorf("%s: %w", f.Name(), err)
	}
	var entries []attack.Entry
	for _, line := range lines[1:] {
		v, err := strconv.ParseInt(line[2], 10, 64)
		if err != nil {
			return attack.Publication{}, fmt.Errorf("%s: %w", f.Name(), err)
		}
		entries = append(entries, attack.Entry{Codes: line[:2], Cell: attack.Cell{Value: v, Hidden: line[3] == "u"}})
	}
	return attack.Cross([]attack.Way{attack.Flat("v1", "tot", "w", "x", "y", "z"), attack.Flat("v2", "tot", "a", "b", "c", "d")}, entries)
}

// known are the ranges that were found when the data were collected, by another program.
var known = map[string]string{"(w, a)": "25 to 94", "(w, b)": "47", "(w, c)": "0 to 69", "(x, a)": "26 to 95", "(x, c)": "0 to 69", "(y, b)": "0 to 185",
	"(y, d)": "0 to 185", "(z, b)": "906 to 1091", "(z, d)": "585 to 770"}

func marginsSection(data string) (report.Section, error) {
	p, err := fourByFour(data)
	if err != nil {
		return report.Section{}, err
	}
	intervals, err := p.Bounds()
	if err != nil {
		return report.Section{}, err
	}
	s := report.Section{
		ID: "contingency-margins", Title: "What sums give away of hidden cells", Source: "The linear-programming attack; data of the R package sdcTable (sdctable_4x4_suppressed.csv)",
		Intro: "Four by four cells, of which nine are hidden, two or more in every row and every column, and all sums shown. The attacker asks for the least and the largest value of each " +
			"hidden cell by linear programs. Each answer is proved: by a table that has it, and by multipliers of the sums from which it follows that no table goes beyond, " +
			"both checked in rational arithmetic.",
		Notes: []string{"sdcTable marks the cells and states no ranges. What another program found when the data were collected stands beside ours; a test holds that both are the same.",
			"In a table of two ways the ranges of real numbers are those of whole ones, since its sums are a network (the proof is in the documentation of package attack)."},
	}
	widths, names := chart.Line{Name: "largest less least possible value"}, []string(nil)
	for _, i := range intervals {
		name := p.Cells[i.Cell].Name
		s.Rows = append(s.Rows, report.Row{What: "possible values of " + name, Published: known[name], Regenerated: i.String(), Origin: "found by another program, says the README of the data directory",
			Reason: fmt.Sprintf("true count %d", p.Cells[i.Cell].Value)})
		low, _ := i.Low.Value.Float64()
		high, _ := i.High.Value.Float64()
		names, widths.Y = append(names, name), append(widths.Y, high-low)
	}
	s.Figures = []report.Figure{{
		Name:    "contingency-margins",
		Caption: "Cell (w, b) has no width: it is recovered exactly, although two cells or more are hidden in every row and column.",
		Drawing: chart.Bars{Title: "How much room sums leave for hidden cells", Subtitle: "sdcTable's 4 x 4 table, nine cells hidden", X: chart.Axis{Label: "hidden cell"},
			Y: chart.Axis{Label: "width of the range (people)"}, Names: names, Series: []chart.Line{widths}, Notes: "No bar: the hidden count is known exactly."},
	}}
	return s, nil
}
