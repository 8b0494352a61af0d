package homogeneity

import (
	"tacit/examples/papers/internal/report"
	"tacit/internal/chart"
	"tacit/risk"
)

// boundsFigure sets the bounds that the 2023 paper plots for the Bankruptcy subset beside the exact risk, and beside those that are proved.
func (x experiments) boundsFigure(r *reading) report.Figure {
	t := x.subset.table
	panels := []chart.Drawing{
		x.boundPanel(r, boundCase{"Local, by cells", local, t.LocalBound, func(p risk.Pattern, epsilon float64) float64 {
			return meant13(t.Labels, float64(p.Records()), epsilon, len(p.Counts) == 1)
		}}),
		x.boundPanel(r, boundCase{"Expected, by cells", expected, t.ExpectedBound, func(p risk.Pattern, epsilon float64) float64 {
			return plotted14(p.Counts, t.Labels, epsilon)
		}}),
	}
	return report.Figure{
		Name: "homogeneity-subset-bounds", Size: chart.Size{Width: 980, Height: 420},
		Drawing: chart.Panels{Title: "Bankruptcy subset, Laplace: exact risk and bounds", Rows: [][]chart.Drawing{panels}},
		Caption: "What panels m and s of figure 3 plot is equations 13 and 14, in the form that was meant. For a cell with all three labels they are no bound, and the averages are below the exact " +
			"risk for ε below 0.09. The bounds that are proved for any number of labels are above it everywhere, and are the same for ε above 0.55.",
	}
}

// A boundCase is a measure with its bounds.
type boundCase struct {
	title   string
	measure measure
	proved  func(risk.Survival, risk.Version) (risk.Average, bool)
	papers  func(p risk.Pattern, epsilon float64) float64
}

// boundPanel has the exact risk, the paper's bound and the proved one, averaged over cells.
func (x experiments) boundPanel(r *reading, c boundCase) chart.Figure {
	exact := r.curve(x.subset, c.measure, laplace())
	cells := float64(x.subset.table.Describe().All.Cells)
	plotted, bound := chart.Line{Name: "as plotted in the paper", X: exact.epsilons, Dashed: true}, chart.Line{Name: "proved bound", X: exact.epsilons}
	for _, epsilon := range exact.epsilons {
		sum := 0.0
		for _, p := range x.subset.table.Patterns {
			sum += c.papers(p, epsilon) * float64(p.Cells) / cells
		}
		s, err := laplace().survival(epsilon)
		if err != nil {
			r.err = err
			return chart.Figure{}
		}
		b, _ := c.proved(s, risk.Event)
		plotted.Y, bound.Y = append(plotted.Y, sum), append(bound.Y, b.Unweighted)
	}
	f := emptyPanel(c.title, 0)
	f.Lines = []chart.Line{bound, {Name: "exact", X: exact.epsilons, Y: exact.unweighted}, plotted}
	return f
}
