package homogeneity

import (
	"fmt"

	"tacit/examples/papers/internal/report"
	"tacit/internal/chart"
	"tacit/mechanisms"
	"tacit/risk"
)

// thresholdPoints are to a decade of epsilon.
const thresholdPoints = 12

// thresholds is figure S1 of the 2023 paper, which is figure 6 of the 2021 paper: what an attacker concludes from cells that are heterogeneous after
// sanitization.
func (x experiments) thresholds() (report.Section, error) {
	s := report.Section{
		ID: "homogeneity-thresholds", Title: "Homogeneity attack: hard and soft thresholding", Source: paper2023 + ", supplement S5, figure S1; " + paper2021 + ", appendix E, figure 6",
		Rule: curveRule, Tolerance: curveTolerance,
		Intro: "An attacker who is shown several labels may guess the one with the largest count (hard thresholding) or believe each in proportion to its count (soft). The risk is then the probability " +
			"that the guess is a label of the cell, or the weight that such labels have. The papers simulate both under Laplace noise on Adult; here they are computed from the law of the noise, with simulations beside.\n\n" +
			"For the cells of the six quasi-identifiers the figure has the record version: the share of the cell's records for whom the guess is right. In the event version, every guess is a label of a cell with both.",
	}
	curves, err := x.thresholdCurves()
	if err != nil {
		return s, err
	}
	s.Rows = thresholdRows(curves)
	s.Figures = []report.Figure{thresholdFigure(curves)}
	return s, nil
}

// A thresholdCurve is one attack on one table.
type thresholdCurve struct {
	experiment experiment
	attack     risk.Attack
	version    risk.Version
	curve
	simulated simulated
}

func (x experiments) thresholdCurves() ([]thresholdCurve, error) {
	var curves []thresholdCurve
	for _, e := range []experiment{x.adult, x.adultQuasi} {
		for _, attack := range risk.Attacks {
			c := thresholdCurve{experiment: e, attack: attack, version: risk.Records}
			if err := c.compute(); err != nil {
				return nil, err
			}
			curves = append(curves, c)
		}
	}
	return curves, nil
}

func (c *thresholdCurve) compute() error {
	for _, epsilon := range epsilons(-3, 2, thresholdPoints) {
		law, err := mechanisms.LaplaceLaw(1 / epsilon)
		if err != nil {
			return err
		}
		a, err := c.experiment.table.Threshold(law, c.version, c.attack)
		if err != nil {
			return err
		}
		c.epsilons = append(c.epsilons, epsilon)
		c.unweighted, c.weighted = append(c.unweighted, a.Unweighted), append(c.weighted, a.Weighted)
	}
	all, err := simulate(func(noise risk.StandardNoise, scales []float64, seed uint64) ([]risk.Estimate, error) {
		return c.experiment.table.Simulate(risk.Simulation{
			Noise: noise, Scales: scales, Seed: seed, Trials: risk.Trials{Version: c.version, Attack: c.attack, Repetitions: simulations},
		})
	}, []sanitizer{laplace()}, 5)
	if err != nil {
		return err
	}
	c.simulated = all[0]
	return nil
}

func thresholdRows(curves []thresholdCurve) []report.Row {
	attack, hard, soft := curves[0], curves[1], curves[2]
	last := len(attack.unweighted) - 1
	flatter := steepest(soft) < steepest(hard)-0.01
	low := func(c thresholdCurve) string { return digits(c.unweighted[0], 3) }
	high := func(c thresholdCurve) string { return digits(c.unweighted[last], 3) }
	return []report.Row{
		{What: "Upper asymptote, hard and soft", Published: "100%", Regenerated: high(hard) + ", " + high(soft), Verdict: report.Every(reads(hard.unweighted[last], 1), reads(soft.unweighted[last], 1))},
		{What: "Lower asymptote, hard and soft", Published: "> 0.25", Regenerated: low(hard) + ", " + low(soft), Verdict: report.Holds(hard.unweighted[0] > 0.25 && soft.unweighted[0] > 0.25),
			Reason: "3/8 for two labels and noise without bound: 1/4 that the right label alone is shown, and half of 1/4 that both are."},
		{What: "Somewhat S-shaped, but flatter than the homogeneity attack: steepest rise within a decade of ε", Published: "flatter",
			Regenerated: fmt.Sprintf("homogeneity +%s, hard +%s, soft +%s", digits(steepest(attack), 2), digits(steepest(hard), 2), digits(steepest(soft), 2)),
			Verdict:     report.Holds(max(steepest(hard), steepest(soft)) < steepest(attack))},
		{What: "Flatter especially for soft thresholding", Published: "holds", Regenerated: fmt.Sprintf("hard +%s, soft +%s", digits(steepest(hard), 3), digits(steepest(soft), 3)),
			Verdict: report.Holds(flatter), Unexplained: !flatter,
			Reason: fmt.Sprintf("By the 2021 paper's definition, shares of the sanitized counts, soft is at most %s below hard, and both reach 1 at the same ε. "+
				"The papers give no formula and no numbers, so that why their soft curve is flatter is not known.", digits(gap(hard.unweighted, soft.unweighted), 3))},
	}
}

// steepest is the most by which a curve rises within a decade of epsilon.
func steepest(c thresholdCurve) float64 {
	most := 0.0
	for i := thresholdPoints; i < len(c.unweighted); i++ {
		most = max(most, c.unweighted[i]-c.unweighted[i-thresholdPoints])
	}
	return most
}

func thresholdFigure(curves []thresholdCurve) report.Figure {
	var panels []chart.Drawing
	for i := 0; i < len(curves); i += len(risk.Attacks) {
		f := emptyPanel([]string{"5,974 cells, as published", "5,009 cells of six quasi-identifiers, share of records"}[i/len(risk.Attacks)], 0)
		f.Y.Label = "disclosure risk (probability)"
		group := curves[i : i+len(risk.Attacks)]
		for k, c := range group {
			f.Lines = append(f.Lines, chart.Line{Name: string(c.attack), X: c.epsilons, Y: c.unweighted, Colour: k + 1})
		}
		for k, c := range group {
			f.Lines = append(f.Lines, c.simulated.points(c.simulated.unweighted, k, []string{simulationsName, "", ""}[k]))
		}
		panels = append(panels, f)
	}
	return report.Figure{
		Name: "homogeneity-thresholds", Size: chart.Size{Width: 980, Height: 440},
		Drawing: chart.Panels{Title: "Adult, Laplace: attacks that conclude from heterogeneous cells, too (by cells)", Rows: [][]chart.Drawing{panels}, Notes: panelNotes},
		Caption: "Figure S1 of the 2023 paper: as published on the left; on the right for the cells of the six quasi-identifiers, which the papers do not have, as the share of records for whom the guess is right. " +
			"The homogeneity attack alone understates what an attacker concludes at small ε.",
	}
}
