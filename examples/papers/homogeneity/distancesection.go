package homogeneity

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"tacit/examples/papers/internal/report"
	"tacit/internal/chart"
	"tacit/policy"
)

// utility is section 5.3 of the 2023 paper: the distances of marginals of the Bankruptcy subset.
func (s source) utility(ctx context.Context) (report.Section, error) {
	settings, err := distances(ctx, s.subset)
	if err != nil {
		return report.Section{}, err
	}
	section := report.Section{
		ID: "homogeneity-utility", Title: "Homogeneity attack: what the noise costs", Source: paper2023 + ", section 5.3 and figure 4",
		Intro: "The total variation distance (TVD) is half the sum of the absolute differences of two distributions: 0 if they are equal, 1 if they have nothing in common. Each box is of the " +
			fmt.Sprintf("marginals of the Bankruptcy subset, each the mean of %d sanitizations. Negative counts become 0, as in the authors' code.\n\n", distanceRepeats) +
			"That code adds noise to the cells of the 78 combinations of quasi-identifiers that somebody has, and leaves the other 165 of 243 empty: who sees the sanitized table sees which " +
			"combinations occur, and no ε covers that. With noise in every cell of the domain, as this proxy adds it, the distances around ε = 1 are about twice as large.",
		Rule:    digitsRule + " A statement: for all mechanisms, δ and widths of marginals, by three standard errors or more.",
		Rows:    distanceRows(settings),
		Tables:  []report.Table{distanceTable(settings)},
		Figures: []report.Figure{distanceFigure(settings), everyCellFigure(settings)},
	}
	return section, nil
}

// of are the settings of a mechanism.
func of(settings []distanceSetting, kind policy.Kind, calibration policy.Calibration, everyCell bool) []distanceSetting {
	var found []distanceSetting
	for _, s := range settings {
		if s.sanitizer.kind == kind && s.sanitizer.calibration == calibration && s.everyCell == everyCell {
			found = append(found, s)
		}
	}
	return found
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	if len(x)%2 == 0 {
		return (x[len(x)/2-1] + x[len(x)/2]) / 2
	}
	return x[len(x)/2]
}

// decade is the power of ten that a setting is drawn at.
func (s distanceSetting) decade() int { return int(math.Round(math.Log10(s.epsilon))) }

func distanceRows(settings []distanceSetting) []report.Row {
	laplace := of(settings, policy.Laplace, "", false)
	var numbers [largestMarginal]int
	for i, m := range laplace[0].means {
		numbers[i] = len(m)
	}
	return append([]report.Row{
		{What: "Marginals of 1, 2 and 3 attributes", Published: "6, 15, 20", Regenerated: fmt.Sprintf("%d, %d, %d", numbers[0], numbers[1], numbers[2]),
			Verdict: report.Holds(numbers == [3]int{6, 15, 20})},
		dropRow(settings)}, effectRows(settings)...)
}

// dropRow is about Laplace noise and that of pDP with each δ: (ε, δ)-DP ends at 1.
func dropRow(settings []distanceSetting) report.Row {
	laplace := of(settings, policy.Laplace, "", false)
	verdicts := []report.Verdict{falls(laplace)}
	texts := []string{dropText(laplace)}
	for _, delta := range bankruptcyDeltas {
		var those []distanceSetting
		for _, s := range of(settings, policy.Gaussian, policy.PDPCalibration, false) {
			if s.sanitizer.delta == delta {
				those = append(those, s)
			}
		}
		v := falls(those)
		verdicts = append(verdicts, v)
		texts = append(texts, fmt.Sprintf("pDP, δ = %s: %s", decimal(delta), v))
	}
	return report.Row{
		What: "Notable drops of TVD from ε = 0.1 to 1 and from 1 to 10", Published: "holds", Regenerated: strings.Join(texts, "; "),
		Verdict: report.Every(verdicts...), Reason: "Notable: by more than three standard errors, for each width of marginals.",
	}
}

// falls says whether the medians of every width fall from 0.1 to 1 and from 1 to 10.
func falls(settings []distanceSetting) report.Verdict {
	verdict := report.Same
	for i, s := range settings {
		if d := s.decade(); d != 0 && d != 1 {
			continue
		}
		before := settings[i-1]
		for width := range largestMarginal {
			drop := median(before.means[width]) - median(s.means[width])
			verdict = report.Every(verdict, report.Exceeds(drop, math.Hypot(before.standardError(width), s.standardError(width))))
		}
	}
	return verdict
}

// dropText has the medians of the marginals of 1, 2 and 3 attributes.
func dropText(laplace []distanceSetting) string {
	var parts []string
	for i, name := range []string{"1", "2", "3"} {
		var values []string
		for _, s := range laplace {
			if d := s.decade(); d >= -1 && d <= 1 {
				values = append(values, digits(median(s.means[i]), 3))
			}
		}
		parts = append(parts, name+"-way "+strings.Join(values, " → "))
	}
	return "Laplace, medians: " + strings.Join(parts, "; ")
}

// effectRows say at which ε δ matters most, for each of the Gaussian mechanisms: by how much the median of the marginals of 3 attributes moves.
func effectRows(settings []distanceSetting) []report.Row {
	var rows []report.Row
	for i, calibration := range []policy.Calibration{policy.ClassicCalibration, policy.PDPCalibration} {
		effect, off := deltaEffects(of(settings, policy.Gaussian, calibration, false))
		others := 0.0
		for decade, e := range effect {
			if decade != 0 {
				others = max(others, e)
			}
		}
		var parts []string
		for decade := -2; decade <= 1; decade++ {
			if e, ok := effect[decade]; ok {
				parts = append(parts, fmt.Sprintf("%s at %s", digits(e, 3), decimal(math.Pow10(decade))))
			}
		}
		rows = append(rows, report.Row{
			What: "The effect of δ is most obvious around ε = 1, " + []string{"(ε, δ)-DP", "pDP"}[i], Published: "holds", Regenerated: strings.Join(parts, ", "),
			Verdict: report.Exceeds(effect[0]-others, math.Sqrt2*off),
			Reason:  "Median TVD of the marginals of 3 attributes with the smallest δ, minus that with the largest.",
		})
	}
	return rows
}

// deltaEffects are, by the decade of epsilon, by how much delta moves the median, and the largest standard error of such an effect.
func deltaEffects(settings []distanceSetting) (effect map[int]float64, off float64) {
	const width = largestMarginal - 1
	effect = map[int]float64{}
	first, last := bankruptcyDeltas[0], bankruptcyDeltas[len(bankruptcyDeltas)-1]
	for _, s := range settings {
		off = max(off, math.Sqrt2*s.standardError(width))
		switch s.sanitizer.delta {
		case first:
			effect[s.decade()] += median(s.means[width])
		case last:
			effect[s.decade()] -= median(s.means[width])
		}
	}
	return effect, off
}

func distanceTable(settings []distanceSetting) report.Table {
	t := report.Table{
		Caption: "Median TVD of the marginals of 1 / 2 / 3 attributes", Header: []string{"mechanism", "δ", "noise in"},
	}
	for d := -3; d <= 2; d++ {
		t.Header = append(t.Header, "ε = "+decimal(math.Pow10(d)))
	}
	for i, s := range settings {
		if i == 0 || s.sanitizer != settings[i-1].sanitizer || s.everyCell != settings[i-1].everyCell {
			t.Rows = append(t.Rows, s.rowStart())
		}
		row := &t.Rows[len(t.Rows)-1]
		(*row)[3+s.decade()+3] = digits(median(s.means[0]), 3) + " / " + digits(median(s.means[1]), 3) + " / " + digits(median(s.means[2]), 3)
	}
	return t
}

func (s distanceSetting) rowStart() []string {
	name := map[policy.Calibration]string{"": "Laplace", policy.ClassicCalibration: "Gaussian, (ε, δ)-DP", policy.PDPCalibration: "Gaussian, pDP"}[s.sanitizer.calibration]
	delta, cells := "–", "234 cells, as published"
	if s.sanitizer.delta > 0 {
		delta = decimal(s.sanitizer.delta)
	}
	if s.everyCell {
		cells = "all 729 cells"
	}
	return []string{name, delta, cells, "–", "–", "–", "–", "–", "–"}
}

// axisEnds are those of the marginals of 1, 2 and 3 attributes, beyond all of their distances.
var axisEnds = [largestMarginal]float64{0.2, 0.5, 0.6}

// boxes are one panel: a width of marginals under some settings, with a series for each name.
func boxes(title string, width int, settings []distanceSetting, name func(distanceSetting) string) chart.Boxes {
	b := chart.Boxes{Title: title, X: chart.Axis{Label: "ε"}, Y: chart.Axis{Label: "total variation distance", Min: 0, Max: axisEnds[width]}}
	groups := map[int]int{}
	for _, s := range settings {
		d := s.decade()
		if _, seen := groups[d]; !seen {
			groups[d] = len(b.Groups)
			b.Groups = append(b.Groups, chart.BoxGroup{Name: decimal(math.Pow10(d))})
		}
		g := &b.Groups[groups[d]]
		g.Series = append(g.Series, chart.BoxSeries{Name: name(s), Values: s.means[width]})
	}
	return b
}

func distanceFigure(settings []distanceSetting) report.Figure {
	rows := make([][]chart.Drawing, largestMarginal)
	for width := range rows {
		for i, found := range [][]distanceSetting{of(settings, policy.Laplace, "", false), of(settings, policy.Gaussian, policy.ClassicCalibration, false), of(settings, policy.Gaussian, policy.PDPCalibration, false)} {
			title := fmt.Sprintf("%d-way, %s", width+1, []string{"Laplace", "Gaussian (ε, δ)-DP", "Gaussian pDP"}[i])
			rows[width] = append(rows[width], boxes(title, width, found, func(s distanceSetting) string { return s.sanitizer.name }))
		}
	}
	return report.Figure{
		Name: "homogeneity-tvd", Size: chart.Size{Width: 1080, Height: 960},
		Drawing: chart.Panels{Title: "Bankruptcy subset: distance between original and sanitized marginals", Rows: rows,
			Notes: fmt.Sprintf("Each box: 6, 15 or 20 marginals, each the mean of %d sanitizations. TVD: total variation distance, 0 to 1.", distanceRepeats)},
		Caption: fmt.Sprintf("Figure 4 of the 2023 paper. The last boxes of (ε, δ)-DP are at ε = %s, because its calibration is for ε below 1; the authors' code draws them at 1.", decimal(belowOne)),
	}
}

func everyCellFigure(settings []distanceSetting) report.Figure {
	var row []chart.Drawing
	for width := range largestMarginal {
		found := append(of(settings, policy.Laplace, "", false), of(settings, policy.Laplace, "", true)...)
		row = append(row, boxes(fmt.Sprintf("%d-way", width+1), width, found, func(s distanceSetting) string {
			if s.everyCell {
				return "all 729 cells"
			}
			return "234 cells, as published"
		}))
	}
	return report.Figure{
		Name: "homogeneity-tvd-every-cell", Size: chart.Size{Width: 1080, Height: 360},
		Drawing: chart.Panels{Title: "Bankruptcy subset, Laplace: noise where somebody is, and noise in every cell", Rows: [][]chart.Drawing{row}},
		Caption: "Not in the paper. Noise in the cells of observed combinations of quasi-identifiers tells which combinations are observed; noise in every cell does not, and costs more.",
	}
}
