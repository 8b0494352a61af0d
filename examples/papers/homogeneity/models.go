package homogeneity

import (
	"tacit/examples/papers/internal/report"
	"tacit/internal/chart"
	"tacit/risk"
)

// models is about the measures that the 2023 paper defines and does not compute: with priors on labels and sizes.
func (x experiments) models() (report.Section, error) {
	s := report.Section{
		ID: "homogeneity-models", Title: "Homogeneity attack: models of labels and sizes", Source: paper2023 + ", definitions 7 to 10, footnote 6, supplement S2",
		Rule: digitsRule,
		Intro: "The paper gives formulas for cells whose labels or sizes are drawn anew, and of their results only the estimates of a Poisson distribution of sizes. Those are the means of the " +
			"sizes. A cell of the tables has at least one record, so that the distribution is to be truncated at 0, and its estimate is smaller.",
	}
	for _, c := range []struct {
		experiment experiment
		published  string
	}{{x.adult, "4.6"}, {x.bankruptcy, "2.43"}, {x.subset, "3.21"}} {
		rows, err := sizeRows(c.experiment, c.published)
		if err != nil {
			return s, err
		}
		s.Rows = append(s.Rows, rows...)
	}
	t, err := x.modelTable()
	if err != nil {
		return s, err
	}
	s.Tables = []report.Table{t}
	f, err := x.modelFigure()
	s.Figures = []report.Figure{f}
	return s, err
}

// sizeRows are the estimates of footnote 6.
func sizeRows(e experiment, published string) ([]report.Row, error) {
	plain, err := e.table.FitPoisson(risk.AllCells)
	if err != nil {
		return nil, err
	}
	conditioned, err := e.table.FitPoisson(risk.NonEmpty)
	if err != nil {
		return nil, err
	}
	mean, right := plain.Parameters()[0], conditioned.Parameters()[0]
	return []report.Row{
		{What: e.name + ": Poisson estimate of the sizes (footnote 6)", Published: published, Regenerated: digits(mean, 5), Verdict: report.Holds(prints(mean, published))},
		{What: e.name + ": the same for sizes of 1 and more", Published: published, Regenerated: digits(right, 5), Verdict: report.Holds(prints(right, published)),
			Reason: "Maximum likelihood for the zero-truncated distribution: no table has an empty cell."},
	}, nil
}

// A model is a measure with all that was estimated for it.
type model struct {
	name string
	of   risk.Measure[risk.Average]
}

// modelsOf are the measures of definitions 6 to 10 in the event version, those with a Dirichlet prior only if it can be estimated.
func modelsOf(e experiment) ([]model, error) {
	all := []model{{"local", measured(local, e)}, {"expected", measured(expected, e)}}
	sizes, err := e.table.FitNegativeBinomial(risk.NonEmpty)
	if err != nil {
		return nil, err
	}
	marginal, err := e.table.Marginal(risk.Event, sizes)
	if err != nil {
		return nil, err
	}
	all = append(all, model{"marginal", marginal})
	alpha, err := e.table.EstimateDirichlet()
	if err != nil { // no estimate: all cells are homogeneous
		return all, nil
	}
	shrinkage, err := e.table.Shrinkage(risk.Event, alpha)
	if err != nil {
		return nil, err
	}
	both, err := risk.MarginalShrinkage(risk.Event, alpha, sizes)
	if err != nil {
		return nil, err
	}
	return append(all, model{"shrinkage", shrinkage}, model{"marginal shrinkage", func(s risk.Survival) risk.Average {
		return risk.Average{Unweighted: both(s), Weighted: both(s)}
	}}), nil
}

func measured(m measure, e experiment) risk.Measure[risk.Average] {
	return func(s risk.Survival) risk.Average { return m(e.table, s) }
}

// modelTable has all measures at some epsilons.
func (x experiments) modelTable() (report.Table, error) {
	t := report.Table{
		Caption: "All measures under Laplace noise, by cells / by records. Sizes: negative binomial, truncated at 0; proportions: Dirichlet, by corrected moments. Both are fitted to the table.",
		Header:  []string{"data", "measure"},
	}
	columns := []float64{0.1, 0.5, 1, 2, 5}
	for _, e := range columns {
		t.Header = append(t.Header, "ε = "+decimal(e))
	}
	for _, e := range []experiment{x.adult, x.adultQuasi, x.bankruptcy, x.subset} {
		models, err := modelsOf(e)
		if err != nil {
			return t, err
		}
		for _, m := range models {
			points, err := risk.Curve(m.of, laplace().survival, columns)
			if err != nil {
				return t, err
			}
			row := []string{e.name, m.name}
			for _, p := range points {
				row = append(row, digits(p.Risk.Unweighted, 3)+" / "+digits(p.Risk.Weighted, 3))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t, nil
}

// modelFigure draws them for the tables that have heterogeneous cells.
func (x experiments) modelFigure() (report.Figure, error) {
	var panels []chart.Drawing
	for _, e := range []experiment{x.subset, x.adultQuasi} {
		f := emptyPanel(e.name, 0)
		models, err := modelsOf(e)
		if err != nil {
			return report.Figure{}, err
		}
		for _, m := range models {
			points, err := risk.Curve(m.of, laplace().survival, epsilons(-3, 2, 12))
			if err != nil {
				return report.Figure{}, err
			}
			l := chart.Line{Name: m.name}
			for _, p := range points {
				l.X, l.Y = append(l.X, p.Epsilon), append(l.Y, p.Risk.Unweighted)
			}
			f.Lines = append(f.Lines, l)
		}
		panels = append(panels, f)
	}
	return report.Figure{
		Name: "homogeneity-models", Size: chart.Size{Width: 980, Height: 420},
		Drawing: chart.Panels{Title: "Five measures of disclosure risk from homogeneity attack, Laplace, by cells", Rows: [][]chart.Drawing{panels}},
		Caption: "Definitions 6 to 10 of the 2023 paper, which plots the first two only. Each step from local to marginal shrinkage lets more be drawn anew.",
	}, nil
}
