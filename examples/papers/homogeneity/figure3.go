package homogeneity

import (
	"math"

	"tacit/examples/papers/internal/report"
	"tacit/internal/chart"
)

const (
	curvePoints    = 20 // to a decade of epsilon
	simulations    = 500
	marksPerDecade = 3 // simulated points
)

// simulationsName is what the legend says of points.
const simulationsName = "500 simulations, mean ± SD"

// A panelled figure has the three mechanisms side by side, the average over cells above and that over records below.
type panelled struct {
	name, caption, notes string
	experiment           experiment
	measure              measure
	simulator            simulator
	limits               []chart.Level // asymptotes of the average over cells, then of that over records
	simulated            [][]simulated // beside each of experiment.sanitizers
}

var mechanismNames = []string{"Laplace, ε-DP", "Gaussian, (ε, δ)-DP for ε < 1", "Gaussian, (ε, δ)-pDP"}

// figure draws closed forms as lines and simulations as points.
func (p panelled) figure() (report.Figure, error) {
	rows := make([][]chart.Drawing, 2)
	for i, group := range p.experiment.sanitizers() {
		panels := [2]chart.Figure{}
		for j := range panels {
			panels[j] = emptyPanel(mechanismNames[i]+[]string{", by cells", ", by records"}[j], group[0].below)
			if len(p.limits) == 4 {
				panels[j].Levels = p.limits[2*j : 2*j+2]
			}
		}
		for k, s := range group {
			c, err := p.experiment.curve(p.measure, s, epsilons(-3, 2, curvePoints))
			if err != nil {
				return report.Figure{}, err
			}
			panels[0].Lines = append(panels[0].Lines, chart.Line{Name: lineName(s), X: c.epsilons, Y: c.unweighted, Colour: k + 1})
			panels[1].Lines = append(panels[1].Lines, chart.Line{Name: lineName(s), X: c.epsilons, Y: c.weighted, Colour: k + 1})
		}
		if p.simulated != nil {
			name := ""
			if len(group) == 1 {
				name = simulationsName
			}
			for k, s := range p.simulated[i] {
				panels[0].Lines = append(panels[0].Lines, s.points(s.unweighted, k, name))
				panels[1].Lines = append(panels[1].Lines, s.points(s.weighted, k, name))
			}
		}
		for j := range panels {
			rows[j] = append(rows[j], panels[j])
		}
	}
	return report.Figure{
		Name: p.name, Caption: p.caption, Size: chart.Size{Width: 1080, Height: 680},
		Drawing: chart.Panels{Title: p.experiment.name + ": disclosure risk from homogeneity attack", Rows: rows, Notes: p.notes},
	}, nil
}

func emptyPanel(title string, below float64) chart.Figure {
	f := chart.Figure{
		Title: title, X: chart.Axis{Label: "ε (log scale)", Log: true, Min: 1e-3, Max: 100, Ticks: []float64{0.001, 0.01, 0.1, 1, 10, 100}},
		Y: chart.Axis{Label: "disclosure risk (probability)", Min: 0, Max: 1},
	}
	if below > 0 {
		f.X.Max, f.X.Ticks = below, []float64{0.001, 0.01, 0.1, 1}
	}
	return f
}

// lineName is what the legend says: Laplace noise has no delta.
func lineName(s sanitizer) string {
	if s.delta == 0 {
		return "closed form"
	}
	return s.name
}

// points are the means of simulations with their standard deviations, in the colour of line k. The legend has them where it has room.
func (s simulated) points(spreads []spread, k int, name string) chart.Line {
	l := chart.Line{Name: name, X: s.epsilons, Points: true, Colour: k + 1}
	for _, p := range spreads {
		l.Y, l.Error = append(l.Y, p.mean), append(l.Error, p.deviation)
	}
	return l
}

// A spread is of repeated simulations.
type spread struct{ mean, deviation float64 }

// standardError is that of the mean.
func (s spread) standardError() float64 { return s.deviation / math.Sqrt(simulations) }

// simulated is a measure as repeated sanitizations show it.
type simulated struct {
	epsilons             []float64
	unweighted, weighted []spread
}
