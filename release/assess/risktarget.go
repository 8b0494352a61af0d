package assess

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tacit/policy"
	"tacit/risk"
)

// This file has the risk that a steward accepts, and finds the epsilon that keeps it.

// A RiskTarget is an acceptable risk, of one of the figures.
type RiskTarget struct {
	Risk float64
	Of   RiskFigure
}

// String is the risk as it was asked for.
func (t *RiskTarget) String() string {
	return strconv.FormatFloat(float64(float32(100*t.Risk)), 'g', -1, 32) + "%"
}

// Figure is the figure that the target is of.
func (t *RiskTarget) Figure(r Risk) float64 { return r.Of(t.Of) }

// Kept says whether a risk is at most the target.
func (t *RiskTarget) Kept(r Risk) bool { return t.Figure(r) <= t.Risk }

// A RiskFigure names one of the four figures of a measure.
type RiskFigure string

const (
	EventFigure   RiskFigure = "event"
	eventBySize   RiskFigure = "event-by-size"
	RecordsFigure RiskFigure = "records"
	RecordsBySize RiskFigure = "records-by-size"
)

// RiskFigures are all of them.
var RiskFigures = []RiskFigure{EventFigure, eventBySize, RecordsFigure, RecordsBySize}

// Words are the name as tables have it.
func (n RiskFigure) Words() string {
	name, bySize := strings.CutSuffix(string(n), "-by-size")
	if bySize {
		return strings.ToUpper(name) + " by size"
	}
	return strings.ToUpper(name)
}

// Plain is the name as the pictures have it.
func (n RiskFigure) Plain() string { return strings.Replace(string(n), "-by-size", " by size", 1) }

// Of is one of the figures; NaN if the measure has none.
func (r Risk) Of(name RiskFigure) float64 {
	switch name {
	case EventFigure:
		return r.Event.Unweighted
	case eventBySize:
		return r.Event.Weighted
	case RecordsFigure:
		return r.Records.Unweighted
	case RecordsBySize:
		return r.Records.Weighted
	}
	return math.NaN()
}

// FigureList has the names of all figures, with commas between them.
func FigureList() string {
	var names []string
	for _, name := range RiskFigures {
		names = append(names, string(name))
	}
	return strings.Join(names, ", ")
}

// ParseRiskTarget reads a probability, or a percentage, and which figure of the measure is aimed at; nil if there is none. Its errors are in
// the words of the command line.
func ParseRiskTarget(text string, of RiskFigure, m RiskMeasure) (*RiskTarget, error) {
	switch {
	case text == "" && of != "":
		return nil, errors.New("--of says which figure --target is of; write --target, too")
	case text == "":
		return nil, nil
	case of == "" && m.Marginal():
		of = RecordsFigure
	case of == "":
		of = RecordsBySize
	}
	if !slices.Contains(RiskFigures, of) {
		return nil, fmt.Errorf("--of: %q is no figure; write one of %s", of, FigureList())
	}
	if m.Marginal() && strings.HasSuffix(string(of), "-by-size") {
		return nil, fmt.Errorf("--of: the measure %s draws the sizes of cells, so that it has no average by size; write %s or %s", m.Name, EventFigure, RecordsFigure)
	}
	number, percent := strings.CutSuffix(text, "%")
	target, err := strconv.ParseFloat(number, 64)
	if percent {
		target /= 100
	}
	if err != nil || !(target > 0 && target <= 1) {
		return nil, fmt.Errorf("--target: %q is not a risk; write one above 0 and up to 1, or as 10%%", text)
	}
	return &RiskTarget{target, of}, nil
}

// A TargetEpsilon is the epsilon for a target.
type TargetEpsilon struct {
	risk.Inverse
	// Proved says that the target is kept at every lower epsilon. Otherwise it is at each of those that were tried.
	Proved bool
	// Within is where it was looked for, which does not depend on what is drawn.
	Within risk.Range
	// Tried are epsilons of that range, some of them above Epsilon.
	Tried []risk.Point[Risk]
}

// Where a target's epsilon is looked for, and at how many for what else there is to say.
const (
	leastTargetEpsilon = 1e-3
	mostTargetEpsilon  = 1e2
	triedEpsilons      = 61
)

func targetRange(t *policy.Table) risk.Range {
	r := risk.Range{Low: leastTargetEpsilon, High: mostTargetEpsilon}
	if today := t.Mechanism.Epsilon.Float(); today > 0 {
		r.Low, r.High = min(r.Low, today), max(r.High, today)
	}
	return validRange(r, t)
}

// invert finds the largest epsilon for the target.
func (d *Disclosure) invert(r *AttributeRisk, measure risk.Measure[Risk]) error {
	if d.Target == nil {
		return nil
	}
	within := targetRange(d.Table)
	tried, err := risk.Curve(measure, r.at, evenly(within, triedEpsilons))
	if err != nil {
		return err
	}
	if r.Keys == ThresholdKeys { // the threshold moves with epsilon in steps, which the proof does not allow for
		r.Inverse = &TargetEpsilon{d.Target.amongPoints(tried), false, within, tried}
		return nil
	}
	inverse, err := risk.Largest(d.Target.Risk, func(s risk.Survival) float64 { return d.Target.Figure(measure(s)) }, r.at, within)
	r.Inverse = &TargetEpsilon{inverse, true, within, tried}
	return err
}

// amongPoints is the last epsilon of some before the first at which the risk exceeds the target.
func (t *RiskTarget) amongPoints(tried []risk.Point[Risk]) risk.Inverse {
	last := risk.Inverse{Answer: risk.Never, Risk: t.Figure(tried[0].Risk)}
	for _, p := range tried {
		if !t.Kept(p.Risk) {
			return last
		}
		last = risk.Inverse{Answer: risk.Crossed, Epsilon: p.Epsilon, Risk: t.Figure(p.Risk)}
	}
	last.Answer = risk.Always
	return last
}

// KeptAbove is the first stretch of the epsilons that were tried above the answer at which the risk is at most the target again; ok is false if
// there is none.
func (t *RiskTarget) KeptAbove(of *TargetEpsilon) (stretch risk.Range, ok bool) {
	last := -1
	for i, p := range of.Tried {
		keeps := p.Epsilon > of.Epsilon*(1+1e-5) && t.Kept(p.Risk)
		switch {
		case keeps && !ok:
			stretch, last, ok = risk.Range{Low: p.Epsilon, High: p.Epsilon}, i, true
		case keeps && last == i-1:
			stretch.High, last = p.Epsilon, i
		}
	}
	return stretch, ok
}
