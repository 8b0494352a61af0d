package contingency

import (
	"fmt"
	"math"
	"slices"

	"tacit/examples/papers/contingency/suppressor"
	"tacit/examples/papers/internal/report"
	"tacit/internal/chart"
	"tacit/policy"
)

// decisions5 is the paper's T for figure 5: 11 by 11 cells and margins.
const decisions5 = 121

func figure5Section() (report.Section, error) {
	s := report.Section{
		ID: "contingency-figure5", Title: "Ten by ten cells: suppressed, or perturbed", Source: source + ", figure 5",
		Intro:     fmt.Sprintf("Ten by ten cells of 80 to 200 people, about 10,000 in all, with priors from 0.3 to 0.5; epsilon %v, delta %v. The paper does not print the table: %d such tables are drawn.", epsilon, delta, tables),
		Tolerance: "two standard deviations of our tables, of a share of distorted cells",
		Rule:      "Suppressed cells: the same number, zero, on every drawn table. Distorted cells: the same is to the percent, within tolerance is within two standard deviations of our tables, since the paper has one table.",
		Notes: []string{
			"The published zero is what the ledger of risks gives, cells first. At delta/T cells with priors near 0.3 need 85 to 100 people, and those with fewer are suppressed. " +
				"The paper's sampled rule is stricter still: its threshold is at delta/2T. Margins first, one answer settles several cells at once; the risk is the same in all, but it comes in larger pieces.",
		},
	}
	suppressed, byLedger, byPaper, err := suppression()
	if err != nil {
		return s, err
	}
	s.Tables = append(s.Tables, suppressed)
	s.Rows = append(s.Rows,
		report.Row{What: "suppressed cells, by the threshold of the paper's rule (margins first, delta/2T)", Published: "0 of 100", Regenerated: fmt.Sprintf("%.2f of 100", byPaper), Verdict: report.Holds(byPaper == 0),
			Reason: "The table is not printed. In tables as it is described some cells have priors near 0.3 and fewer people than that rule needs for them (100 and more)."},
		report.Row{What: "suppressed cells, with tacit's auditor (cells first, risks in a ledger)", Published: "0 of 100", Regenerated: fmt.Sprintf("%.2f of 100", byLedger),
			Origin: "the published number is of the paper's own rule, in the row above"})
	curves, err := distortions()
	if err != nil {
		return s, err
	}
	s.Rows = append(s.Rows, distortionRow(curves[0]))
	s.Figures = []report.Figure{distortionFigure(curves)}
	s.Tables = append(s.Tables, distortionTable(curves))
	return s, nil
}

// A rule is an order of questions and what is allowed of them.
type rule struct {
	order, name string
	questions   func(suppressor.Table) []question
	allow       allowance
}

func rules() []rule {
	var all []rule
	for _, r := range []rule{{order: "cells first", questions: cellsFirst}, {order: "margins first", questions: marginsFirst}} {
		all = append(all,
			rule{r.order, "delta/T", r.questions, atMost(delta / decisions5)},
			rule{r.order, "delta/2T", r.questions, atMost(delta / decisions5 / 2)},
			rule{r.order, "ledger", r.questions, ledger(delta, delta/10)})
	}
	return all
}

// suppression is the table of rules, and how many cells the ledger's suppresses, cells first, and the paper's threshold, margins first; both with
// priors by cell.
func suppression() (table report.Table, byLedger, byPaper float64, err error) {
	table = report.Table{Caption: fmt.Sprintf("Suppression, means of %d tables.", tables),
		Header: []string{"order", "rule", "priors", "tables without suppression", "suppressed cells", "margins", "risk spent"}}
	for _, r := range rules() {
		for _, byColumn := range []bool{true, false} {
			whole, sum, err := average(tables, r.questions, r.allow, byColumn)
			if err != nil {
				return table, 0, 0, err
			}
			cells := float64(sum.cells) / tables
			switch {
			case byColumn:
			case r.order == "cells first" && r.name == "ledger":
				byLedger = cells
			case r.order == "margins first" && r.name == "delta/2T":
				byPaper = cells
			}
			table.Rows = append(table.Rows, []string{r.order, r.name, of(byColumn), fmt.Sprintf("%d of %d", whole, tables),
				fmt.Sprintf("%.2f", cells), fmt.Sprintf("%.2f", float64(sum.margins)/tables), fmt.Sprintf("%.4f", sum.risk/tables)})
		}
	}
	return table, byLedger, byPaper, nil
}

func of(byColumn bool) string {
	if byColumn {
		return "by column"
	}
	return "by cell"
}

// average audits the tables of one kind and adds the outcomes up.
func average(tables int, order func(suppressor.Table) []question, allow allowance, byColumn bool) (whole int, total outcome, err error) {
	bits := seeded(5)
	for range tables {
		t := tenByTen(bits, byColumn)
		values, err := t.Draw(bits)
		if err != nil {
			return 0, total, err
		}
		verdicts, err := audit(t, values, order(t), allow)
		if err != nil {
			return 0, total, err
		}
		o := count(t, verdicts)
		if o.cells+o.margins == 0 {
			whole++
		}
		total.cells, total.margins, total.risk = total.cells+o.cells, total.margins+o.margins, total.risk+o.risk
	}
	return whole, total, nil
}

// epsilons are those of the curves of distortion.
var epsilons = []float64{0.25, 0.5, 1, 2, 4, 6, 8, 10, 12, 16}

// A distortion is what a perturbation does to tables of figure 5.
type distortion struct {
	name         string
	share, swing []float64 // of cells that are off by more than a quarter: mean and standard deviation over tables
}

func distortions() ([]distortion, error) {
	var all []distortion
	for _, p := range perturbations() {
		d := distortion{name: p.name}
		for _, e := range epsilons {
			shares, err := shares(p, policy.Epsilon(e*perEpsilon))
			if err != nil {
				return nil, err
			}
			d.share, d.swing = append(d.share, mean(shares)), append(d.swing, deviation(shares))
		}
		all = append(all, d)
	}
	return all, nil
}

// shares are those of the tables, the same ones for every perturbation.
func shares(p perturbation, epsilon policy.Epsilon) ([]float64, error) {
	bits, noise := seeded(6), seeded(7)
	var all []float64
	for range tables {
		t := tenByTen(bits, false)
		values, err := t.Draw(bits)
		if err != nil {
			return nil, err
		}
		noisy, err := p.add(noise, t, values, epsilon)
		if err != nil {
			return nil, err
		}
		all = append(all, distorted(values, noisy))
	}
	return all, nil
}

// published5 is the share of distorted cells in figure 5.
const published5 = 0.10

func distortionRow(d distortion) report.Row {
	k := slices.Index(epsilons, epsilon)
	verdict := report.Differs
	switch off := math.Abs(d.share[k] - published5); {
	case off < 0.005:
		verdict = report.Same
	case off < 2*d.swing[k]:
		verdict = report.Within
	}
	return report.Row{What: "cells that the perturbation distorts by more than 25%, at epsilon 0.5", Published: "10%",
		Regenerated: fmt.Sprintf("%.0f%% (standard deviation over tables %.0f)", 100*d.share[k], 100*d.swing[k]),
		Verdict:     verdict, Unexplained: verdict == report.Differs,
		Reason: fmt.Sprintf("The guarantee needs noise of scale 256/epsilon = 512 on each of 256 coefficients, which is a standard deviation of 45 on a cell of some 40 before the linear program. "+
			"10%% is reached at epsilon %.1f, where the scale is %.0f. Noise of scale 32 fits both figures: in figure 4 it is what the guarantee asks for, 16/epsilon; in figure 5 it is what "+
			"the guarantee asks for when coefficients are divided by 2^(k/2) = 16, as they often are, added to coefficients that are not. What was run cannot be told.", reaches(d), 256/reaches(d)),
	}
}

// reaches is the epsilon at which the published share is reached, between two of the curve.
func reaches(d distortion) float64 {
	for k := 1; k < len(epsilons); k++ {
		if a, b := d.share[k-1], d.share[k]; a > published5 && b <= published5 {
			return epsilons[k-1] + (a-published5)/(a-b)*(epsilons[k]-epsilons[k-1])
		}
	}
	return math.NaN()
}

func distortionFigure(all []distortion) report.Figure {
	f := chart.Figure{
		Title: "Cells that perturbation distorts by more than a quarter", Subtitle: fmt.Sprintf("10 by 10 cells of 80 to 200 people, priors 0.3 to 0.5; means and standard deviations (bars) of %d tables", tables),
		X: chart.Axis{Label: "epsilon (one person more or less)", Log: true}, Y: chart.Axis{Label: "share of cells", Percent: true, Min: 0, Max: 1},
		Marks: []chart.Mark{{X: epsilon, Text: "the paper's epsilon"}}, Levels: []chart.Level{{Y: published5, Text: "published"}},
	}
	for _, d := range all {
		f.Lines = append(f.Lines, chart.Line{Name: d.name, X: epsilons, Y: d.share, Error: d.swing})
	}
	return report.Figure{Name: "contingency-figure5",
		Caption: "At the paper's epsilon the algorithm of Barak et al. distorts nearly all cells; the published share is reached at sixteen times the epsilon. Noise on each cell distorts few. Bars are a standard deviation up and down, even where that is above 100%.",
		Drawing: f, Size: chart.Size{Width: 640, Height: 400}}
}

func distortionTable(all []distortion) report.Table {
	t := report.Table{Caption: "Cells that are off by more than 25%.", Header: []string{"epsilon"}}
	for _, d := range all {
		t.Header = append(t.Header, d.name)
	}
	for k, e := range epsilons {
		row := []string{fmt.Sprint(e)}
		for _, d := range all {
			row = append(row, fmt.Sprintf("%.1f%%", 100*d.share[k]))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
