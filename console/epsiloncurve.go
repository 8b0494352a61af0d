package console

import (
	"math"
	"slices"
	"strconv"

	"tacit/internal/terminal"
	"tacit/policy"
	"tacit/release/assess"
)

// This file has the figures of an assessment over epsilon as a table, over whose rows a slider goes where scripts run.

// A curveTable has figures over epsilon: a row for each of some epsilons, and for each kind its error and its risk.
type curveTable struct {
	Kinds []policy.Kind
	Rows  []curveRow
}

type curveRow struct {
	Epsilon string
	Today   bool
	Cells   []string
}

// shownPoints is how many epsilons a table has, besides those that were asked for.
const shownPoints = 12

func newCurveTable(curves []assess.Curve) (t curveTable) {
	points := make(map[policy.Epsilon]bool)
	for _, c := range curves {
		for i, p := range c.Points {
			if p.Epsilon > 0 && (p.Asked || p.Today || i%max(1, len(c.Points)/shownPoints) == 0) {
				points[p.Epsilon] = true
			}
		}
	}
	var epsilons []policy.Epsilon
	for e := range points {
		epsilons = append(epsilons, e)
	}
	slices.Sort(epsilons)
	for _, c := range curves {
		if len(c.Points) > 0 && c.Points[0].Epsilon > 0 {
			t.Kinds = append(t.Kinds, c.Kind)
		}
	}
	for _, e := range epsilons {
		row := curveRow{Epsilon: terminal.Figure(e.Float())}
		for _, c := range curves {
			if !slices.Contains(t.Kinds, c.Kind) {
				continue
			}
			text := "-"
			for _, p := range c.Points {
				if p.Epsilon == e {
					text, row.Today = curveText(p.Figures), row.Today || p.Today
				}
			}
			row.Cells = append(row.Cells, text)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func curveText(f assess.Figures) string {
	text := strconv.FormatFloat(f.Error, 'f', 2, 64)
	if f.Error >= 1000 {
		text = thousands(int64(math.Round(f.Error)))
	}
	if f.Risk != nil {
		text += ", risk " + terminal.Percent(f.Risk.Records.Weighted)
	}
	return text
}
