package assessmentview

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tacit/internal/chart"
	"tacit/internal/terminal"
	"tacit/policy"
	"tacit/release/assess"
)

// assessPictures are those of one question.
type assessPictures struct {
	*assess.Assessment
	question *assess.Question
}

type assessPicture struct {
	caption string
	size    chart.Size
	drawing chart.Drawing
}

// all are the pictures that there is something to show in.
func (p *assessPictures) all() []assessPicture {
	var pictures []assessPicture
	add := func(picture assessPicture, lines int) {
		if lines > 0 {
			picture.caption = fmt.Sprintf("Figure %d. %s", len(pictures)+1, picture.caption)
			pictures = append(pictures, picture)
		}
	}
	add(p.fairness())
	if p.question.Attack.None == "" && p.question.Attack.Cells.All.Cells > 0 {
		add(p.tradeOff())
		add(p.riskCurve())
	}
	add(p.suppressed())
	return pictures
}

// leastShown is where logarithmic axes end: less is as good as 0.
const leastShown = 1e-6

// fairness shows bias, alpha and variance by mechanism, one below the other.
func (p *assessPictures) fairness() (picture assessPicture, lines int) {
	unit := countedUnit(p.question)
	panels := chart.Panels{
		Title: "Bias, fairness and variance of each mechanism", Subtitle: p.subtitle(),
		Notes: "Logarithmic axes. No point: the figure is below a millionth, or the mechanism is not possible at that epsilon. * today's kind. " + p.Notice(),
	}
	for _, measure := range []struct {
		title, label string
		of           func(assess.Mechanism) float64
	}{
		{"Bias (l1): sum of the cells' absolute biases", unit, func(m assess.Mechanism) float64 { return m.L1Bias }},
		{"Fairness (α): largest bias of a cell minus the smallest", unit, func(m assess.Mechanism) float64 { return m.Alpha }},
		{"Variance of a cell, mean of all cells", unit + " squared", func(m assess.Mechanism) float64 { return m.MeanVariance }},
	} {
		series := p.series(measure.of)
		if series == nil {
			continue
		}
		panels.Rows = append(panels.Rows, []chart.Drawing{chart.Bars{
			Title: measure.title, Y: chart.Axis{Label: measure.label, Log: true}, Names: p.kindNames(), Series: series, Points: true,
		}})
	}
	return assessPicture{
		"Bias, α-fairness and mean variance of each mechanism at each epsilon; suppression has no epsilon. Lower is better, and axes are logarithmic.",
		chart.Size{Width: 640, Height: 60 + 230*float64(len(panels.Rows))}, panels,
	}, len(panels.Rows)
}

func countedUnit(q *assess.Question) string {
	return string(q.Counted)
}

func (p *assessPictures) subtitle() string {
	return fmt.Sprintf("%s, %d cells; %s", p.Table, p.question.Cells, todayText(p.Assessment))
}

// kindNames are the kinds, with a mark at today's.
func (p *assessPictures) kindNames() []string {
	names := make([]string, len(policy.Kinds))
	for i, k := range policy.Kinds {
		names[i] = string(k)
		if k == p.Own.Kind && p.question.Refusal == "" {
			names[i] += " *"
		}
	}
	return names
}

// series are the figures by kind, one series for each epsilon; nil if no kind has one to be shown.
func (p *assessPictures) series(of func(assess.Mechanism) float64) []chart.Line {
	var series []chart.Line
	positive := false
	for _, epsilon := range p.epsilons() {
		line := chart.Line{Name: fmt.Sprintf("epsilon %v", epsilon), Y: make([]float64, len(policy.Kinds))}
		for i, k := range policy.Kinds {
			line.Y[i] = math.NaN()
			for _, m := range p.question.Mechanisms {
				if m.Kind == k && m.Problem == "" && (m.Epsilon == epsilon || m.Epsilon == 0) && of(m) >= leastShown {
					line.Y[i], positive = of(m), true
				}
			}
		}
		series = append(series, line)
	}
	if !positive {
		return nil
	}
	return series
}

// epsilons are those of the rows, rising.
func (p *assessPictures) epsilons() []policy.Epsilon {
	var epsilons []policy.Epsilon
	for _, m := range p.question.Mechanisms {
		if m.Epsilon > 0 {
			epsilons = append(epsilons, m.Epsilon)
		}
	}
	slices.Sort(epsilons)
	return slices.Compact(epsilons)
}

func (p *assessPictures) suppressed() (picture assessPicture, lines int) {
	series := p.series(func(m assess.Mechanism) float64 { return m.Suppressed })
	return assessPicture{
		"Expected share of cells that are withheld or filled, or of keys that a threshold does not show.", chart.Size{Width: 640, Height: 300},
		chart.Bars{
			Title: "Share of cells that are suppressed", Subtitle: p.subtitle(),
			Y: chart.Axis{Label: "expected share of cells", Percent: true}, Names: p.kindNames(), Series: series,
			Notes: "No bar: nothing is suppressed, or the mechanism is not possible at that epsilon. * today's kind. " + p.Notice(),
		},
	}, len(series)
}

// riskOf is the figure of the pictures: the share of records, by size.
func riskOf(f assess.Figures) float64 { return f.Risk.Records.Weighted }

// noGuaranteeNote stands where kinds without a guarantee may look like the best ones.
const noGuaranteeNote = "Dashed: kinds without a guarantee, most of which show exact counts. The risk is of one attack, and no reason to prefer them. "

const riskAxis = "expected share of records disclosed"

// riskCurve is risk against epsilon, with today's epsilon marked, and the kind without one as a level of its own line.
func (p *assessPictures) riskCurve() (picture assessPicture, lines int) {
	figure := chart.Figure{
		Title: "Risk against epsilon", Subtitle: p.attacked(), X: chart.Axis{Label: "epsilon of one answer", Log: true},
		Y: chart.Axis{Label: riskAxis, Percent: true}, Legend: chart.Beside, Marks: p.epsilonMarks(), Notes: noGuaranteeNote + p.Notice(),
	}
	low, high := p.reach()
	k := p.question.Attack.Cells
	without := float64(k.Homogeneous.Records) / float64(k.All.Records)
	figure.Levels = []chart.Level{{Y: without, Text: "no noise: " + terminal.Percent(without)}}
	for _, curve := range p.question.Curves {
		line := p.line(curve.Kind)
		for _, point := range curve.Points {
			if point.Risk == nil {
				continue
			}
			if point.Epsilon == 0 {
				line.X, line.Y = []float64{low, high}, []float64{riskOf(point.Figures), riskOf(point.Figures)}
				continue
			}
			line.X, line.Y = append(line.X, point.Epsilon.Float()), append(line.Y, riskOf(point.Figures))
		}
		if len(line.X) > 0 {
			figure.Lines = append(figure.Lines, line)
		}
	}
	why := "With much noise it is chance that shows one label alone"
	if p.question.Threshold {
		why = "With much noise it is the threshold that leaves one label alone"
	}
	return assessPicture{
		fmt.Sprintf("How likely %s becomes known, against epsilon. %s, with little noise the homogeneous combinations are disclosed.", p.question.Attack.Sensitive, why),
		chart.Size{Width: 640, Height: 400}, figure,
	}, len(figure.Lines)
}

// attacked says in a picture whose risk it is.
func (p *assessPictures) attacked() string {
	k := p.question.Attack
	return fmt.Sprintf("risk that %s becomes known to who knows %s", k.Sensitive, strings.Join(k.Quasi, ", "))
}

// line is that of a kind: of one colour in all pictures, by its place among all kinds. Kinds without a guarantee share colours, and are dashed. Two pairs of
// kinds are so alike that their lines may coincide: the one below is wide.
func (p *assessPictures) line(k policy.Kind) chart.Line {
	return chart.Line{Name: string(k), Colour: 1 + slices.Index(policy.Kinds, k), Dashed: !k.Guaranteed(), Wide: k == policy.Geometric || k == policy.DiscreteGaussian}
}

// reach are the ends of the curves.
func (p *assessPictures) reach() (low, high float64) {
	low, high = math.Inf(1), 0
	for _, curve := range p.question.Curves {
		for _, point := range curve.Points {
			if point.Epsilon > 0 {
				low, high = min(low, point.Epsilon.Float()), max(high, point.Epsilon.Float())
			}
		}
	}
	return low, high
}

// epsilonMarks marks today's epsilon, and the others that are compared.
func (p *assessPictures) epsilonMarks() []chart.Mark {
	var marks []chart.Mark
	for _, e := range p.epsilons() {
		if e != p.Own.Epsilon || p.question.Refusal != "" {
			marks = append(marks, chart.Mark{X: e.Float(), Text: e.String()})
		}
	}
	if p.Own.Epsilon > 0 && p.question.Refusal == "" {
		marks = append(marks, chart.Mark{X: p.Own.Epsilon.Float(), Text: fmt.Sprintf("today: %v", p.Own.Epsilon)})
	}
	return marks
}

// leastErrorShown keeps the epsilons at which there is no noise to speak of from filling the picture of risk and error. Of those that are
// compared, a fiftieth of it is shown.
const leastErrorShown = 0.05

// tradeOff is risk against error: a line for each kind as epsilon goes, with points at the epsilons that are compared.
func (p *assessPictures) tradeOff() (picture assessPicture, lines int) {
	figure := chart.Figure{
		Title: "Risk against error", Subtitle: p.attacked(), X: chart.Axis{Label: "root mean squared error of a cell, " + countedUnit(p.question), Log: true},
		Y: chart.Axis{Label: riskAxis, Percent: true}, Legend: chart.Beside,
		Notes: "Each line runs over epsilon; points are at " + p.epsilonList() + ". Along a line epsilon grows from right to left. Lower left is better among kinds with a guarantee. " + noGuaranteeNote + p.Notice(),
	}
	var without []string
	var points []chart.Line // over all lines
	for _, curve := range p.question.Curves {
		line, compared := p.line(curve.Kind), p.line(curve.Kind)
		compared.Points, compared.Name = true, ""
		for _, point := range curve.Points {
			if point.Risk == nil || point.Error < leastErrorShown && !(point.Error >= leastErrorShown/50 && (point.Asked || point.Today)) {
				continue
			}
			line.X, line.Y = append(line.X, point.Error), append(line.Y, riskOf(point.Figures))
			if point.Asked || point.Today {
				compared.X, compared.Y = append(compared.X, point.Error), append(compared.Y, riskOf(point.Figures))
			}
			if point.Today {
				figure.Marks = []chart.Mark{{X: point.Error, Text: todayText(p.Assessment)}}
				figure.Levels = []chart.Level{{Y: riskOf(point.Figures), Text: "today"}}
			}
		}
		if len(line.X) == 0 {
			without = append(without, string(curve.Kind))
			continue
		}
		if len(line.X) == 1 {
			line.Points = true
		}
		figure.Lines, points = append(figure.Lines, line), append(points, compared)
	}
	figure.Lines = append(figure.Lines, points...)
	if without != nil {
		figure.Notes += " Not shown, since with less error or not possible: " + strings.Join(without, ", ") + "."
	}
	return assessPicture{
		"What a risk costs in accuracy, and an accuracy in risk. Where today's setting is among them, lines cross at it. Suppression shows counts as they are, and is " +
			"at the lower left where no combination is homogeneous: that is of this attack alone, and promises nothing.", chart.Size{Width: 640, Height: 420}, figure,
	}, len(figure.Lines)
}

func (p *assessPictures) epsilonList() string {
	var list []string
	for _, e := range p.epsilons() {
		list = append(list, e.String())
	}
	return "epsilon " + strings.Join(list, ", ")
}
