package homogeneity

import (
	"errors"
	"fmt"
	"math"

	"tacit/examples/papers/internal/report"
	"tacit/internal/chart"
	"tacit/risk"
)

const panelNotes = "Lines: exact closed form. Points: mean of 500 simulations of sanitized counts, ± their standard deviation (often smaller than the point)."

// curves is figure 3 of the 2023 paper with the statements about it.
func (x experiments) curves() (report.Section, error) {
	s := report.Section{
		ID: "homogeneity-curves", Title: "Homogeneity attack: risk against ε",
		Rule: curveRule, Tolerance: curveTolerance,
		Source: paper2023 + ", section 5.2, figure 3, corollaries 2 and 4; " + paper2021 + ", section 4, figures 3 to 5",
		Intro: "DR-HA is the probability that exactly one label of a cell is shown after sanitization, and is one that the cell has, averaged over cells (unweighted) or over " +
			"records (weighted by cell size). ε is that of adding or removing a record.\n\n" +
			"The values of δ are those of the authors' published code (github.com/zhao-xingyuan/DR-HA); the text gives their range only. For heterogeneous cells the paper plots an upper " +
			"bound, equations 14 and 23 and the like. Here the lines are the exact risk of its definition 6, which the bound is meant for.",
	}
	r := &reading{}
	s.Rows = append(s.Rows, x.asymptoteRows(r)...)
	s.Rows = append(s.Rows, x.subsetRows()...)
	s.Rows = append(s.Rows, x.shapeRows(r)...)
	s.Rows = append(s.Rows, x.survivalRows(r)...)
	s.Tables = []report.Table{x.glance(r)}
	if r.err != nil {
		return s, r.err
	}
	var all deviation
	for i, p := range x.panels() {
		if err := p.simulate(p.simulator, uint64(10*i), &all); err != nil {
			return s, err
		}
		f, err := p.figure()
		if err != nil {
			return s, err
		}
		s.Figures = append(s.Figures, f)
	}
	s.Rows = append(s.Rows, all.row())
	inverses, err := x.inverses()
	if err != nil {
		return s, err
	}
	samplers, err := x.samplerTable()
	if err != nil {
		return s, err
	}
	s.Tables = append(s.Tables, inverses, samplers)
	surface, err := x.surface()
	s.Figures = append(s.Figures, x.boundsFigure(r), surface)
	return s, errors.Join(r.err, err)
}

// panels are the panels a to x of figure 3.
func (x experiments) panels() []panelled {
	quarter := func() []chart.Level {
		return []chart.Level{{Y: 0.25, Text: "0.25"}, {Y: 1, Text: "1"}, {Y: 0.25, Text: "0.25"}, {Y: 1, Text: "1"}}
	}
	return []panelled{
		{name: "homogeneity-adult", experiment: x.adult, measure: local, simulator: x.adult.attacked(risk.OneLabel), limits: quarter(), notes: panelNotes,
			caption: "Figure 3, a to f: Adult, 5,974 cells with income among the classifying attributes, all homogeneous, so that local and expected risk are the same. " +
				"Above, the average over cells, below, over records: large cells, which noise of scale 10 does not hide, hold most records."},
		{name: "homogeneity-bankruptcy", experiment: x.bankruptcy, measure: local, simulator: x.bankruptcy.attacked(risk.OneLabel), limits: quarter(), notes: panelNotes,
			caption: "Figure 3, g to l: Bankruptcy, 103 homogeneous cells."},
		{name: "homogeneity-subset-local", experiment: x.subset, measure: local, simulator: x.subset.attacked(risk.OneLabel), limits: ends(local, x.subset.table), notes: panelNotes,
			caption: "Figure 3, m to r: Bankruptcy subset, three labels, 54 homogeneous cells of 78: local risk, exact, with its asymptotes."},
		{name: "homogeneity-subset-expected", experiment: x.subset, measure: expected, simulator: x.subset.redrawn, limits: ends(expected, x.subset.table), notes: panelNotes,
			caption: "Figure 3, s to x: Bankruptcy subset, expected risk: the counts of each cell are drawn anew with its shares, exact. The asymptotes are above those of the local risk, because a " +
				"heterogeneous cell may be drawn homogeneous."},
	}
}

// ends are the asymptotes as levels.
func ends(m measure, t *risk.Table) []chart.Level {
	low, high := m(t, risk.AllNoise), m(t, risk.NoNoise)
	level := func(y float64) chart.Level { return chart.Level{Y: y, Text: digits(y, 3)} }
	return []chart.Level{level(low.Unweighted), level(high.Unweighted), level(low.Weighted), level(high.Weighted)}
}

// glance is what a steward reads first: a few epsilons side by side.
func (x experiments) glance(r *reading) report.Table {
	t := report.Table{
		Caption: "The risk at some ε, by cells / by records (local, event version; δ = 0.001)",
		Header:  []string{"data", "mechanism"},
	}
	columns := []float64{0.1, 0.5, 1, 2, 5, 10}
	for _, e := range columns {
		t.Header = append(t.Header, "ε = "+decimal(e))
	}
	for _, e := range []experiment{x.adult, x.adultQuasi, x.bankruptcy, x.subset} {
		for i, s := range []sanitizer{laplace(), gaussianDP(1e-3), gaussianPDP(1e-3)} {
			row := []string{e.name, []string{"Laplace", "Gaussian, (ε, δ)-DP", "Gaussian, pDP"}[i]}
			for _, epsilon := range columns {
				if s.below > 0 && epsilon >= s.below {
					row = append(row, "–")
					continue
				}
				a := r.at(e, local, s, epsilon)
				row = append(row, digits(a.Unweighted, 3)+" / "+digits(a.Weighted, 3))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// surface is figure 5 of the 2021 paper as a map: the risk against epsilon and delta at once.
func (x experiments) surface() (report.Figure, error) {
	const perDecade = 4
	var deltas []float64
	var panels []chart.Drawing
	h := chart.Heat{X: chart.Axis{Label: "ε"}, Y: chart.Axis{Label: "δ"}, Unit: "disclosure risk, by cells"}
	grid := epsilons(-3, 2, perDecade)
	for i, e := range grid {
		h.Columns = append(h.Columns, "")
		if i%perDecade == 0 {
			h.Columns[i] = decimal(math.Round(e*1e3) / 1e3)
		}
	}
	for i := range 9 {
		deltas = append(deltas, math.Pow(10, -5+float64(i)/2))
		h.Rows = append(h.Rows, "")
		if i%2 == 0 {
			h.Rows[i] = fmt.Sprintf("1e-%d", 5-i/2)
		}
	}
	for _, e := range []experiment{x.adult, x.bankruptcy} {
		panel := h
		panel.Title = e.name + ": pDP"
		for _, delta := range deltas {
			c, err := e.curve(local, gaussianPDP(delta), grid)
			if err != nil {
				return report.Figure{}, err
			}
			panel.Values = append(panel.Values, c.unweighted)
		}
		panels = append(panels, panel)
	}
	return report.Figure{
		Name: "homogeneity-surface", Size: chart.Size{Width: 980, Height: 400},
		Drawing: chart.Panels{Title: "Disclosure risk from homogeneity attack (DR-HA) against ε and δ", Rows: [][]chart.Drawing{panels}},
		Caption: "Figure 5 of the 2021 paper, there a surface: the risk against ε and δ for the Gaussian mechanism of pDP. It runs in S-shape along ε and hardly changes along δ but for ε " +
			"of 1 to 20.",
	}, nil
}

// quasi is what the papers do not show: Adult by the six quasi-identifiers alone.
func (x experiments) quasi() (report.Section, error) {
	s := report.Section{
		ID: "homogeneity-adult-quasi", Title: "Homogeneity attack: Adult without income among its cells",
		Source: paper2023 + ", section 5.1, as it is described", Rule: curveRule, Tolerance: curveTolerance,
		Intro: "An attacker who knows six quasi-identifiers looks at 5,009 cells, not at 5,974. Of these 965, with 60% of the records, have both incomes. With noise, such a cell may show one income " +
			"only, and the attacker takes it for that of all in the cell: the event version counts that as a disclosure, the record version counts those for whom it is true.\n\n" +
			"Therefore more noise means more risk in places, in the event version: with ever more noise every label is shown with probability 1/2, and two labels offer two chances.",
	}
	r := &reading{}
	s.Rows = x.quasiRows(r)
	comparison := x.comparison(r)
	if r.err != nil {
		return s, r.err
	}
	panels := panelled{name: "homogeneity-adult-quasi-panels", experiment: x.adultQuasi, measure: local, limits: ends(local, x.adultQuasi.table), notes: panelNotes,
		caption: "As figure 3, a to f, by the six quasi-identifiers alone. The papers do not have this figure."}
	var d deviation
	if err := panels.simulate(x.adultQuasi.attacked(risk.OneLabel), 100, &d); err != nil {
		return s, err
	}
	f, err := panels.figure()
	s.Figures = []report.Figure{comparison, f}
	return s, err
}

// comparison draws the published curve over those of the six quasi-identifiers.
func (x experiments) comparison(r *reading) report.Figure {
	published, event, records := r.curve(x.adult, local, laplace()), r.curve(x.adultQuasi, local, laplace()), r.curve(x.adultQuasi, localRecords, laplace())
	var panels []chart.Drawing
	for i, title := range []string{"Average over cells", "Average over records"} {
		f := emptyPanel(title, 0)
		for j, c := range []curve{published, event, records} {
			y := c.unweighted
			if i == 1 {
				y = c.weighted
			}
			name := []string{"5,974 cells, as published", "5,009 cells: one true label shown", "5,009 cells: share of records"}[j]
			f.Lines = append(f.Lines, chart.Line{Name: name, X: c.epsilons, Y: y, Dashed: j == 0})
		}
		panels = append(panels, f)
	}
	return report.Figure{
		Name: "homogeneity-adult-comparison", Size: chart.Size{Width: 980, Height: 420},
		Drawing: chart.Panels{Title: "Adult, Laplace: what income among the classifying attributes does", Rows: [][]chart.Drawing{panels}},
		Caption: "Dashed, the published curve of Adult; the others by the six quasi-identifiers, in both versions. At large ε the risk is that of the original table: 81% of the cells, with 40% of the records, " +
			"are homogeneous. At small ε it does not vanish: noise alone shows each label with probability 1/2.",
	}
}
