package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tacit/policy"
	"tacit/release"
	"tacit/risk"
)

// A riskTarget is an acceptable risk, of one of the figures.
type riskTarget struct {
	risk float64
	of   figureName
}

// String is the risk as it was asked for.
func (t *riskTarget) String() string {
	return strconv.FormatFloat(float64(float32(100*t.risk)), 'g', -1, 32) + "%"
}

func (t *riskTarget) figure(f riskFigures) float64 { return f.of(t.of) }

// A figureName is one of the four figures of a measure.
type figureName string

const (
	eventFigure   figureName = "event"
	eventBySize   figureName = "event-by-size"
	recordsFigure figureName = "records"
	recordsBySize figureName = "records-by-size"
)

var figureNames = []string{string(eventFigure), string(eventBySize), string(recordsFigure), string(recordsBySize)}

func (n figureName) words() string {
	name, bySize := strings.CutSuffix(string(n), "-by-size")
	if bySize {
		return strings.ToUpper(name) + " by size"
	}
	return strings.ToUpper(name)
}

// plain is the name as the pictures have it.
func (n figureName) plain() string { return strings.Replace(string(n), "-by-size", " by size", 1) }

func (f riskFigures) of(name figureName) float64 {
	switch name {
	case eventFigure:
		return f.event.Unweighted
	case eventBySize:
		return f.event.Weighted
	case recordsFigure:
		return f.records.Unweighted
	case recordsBySize:
		return f.records.Weighted
	}
	return math.NaN()
}

// parseTarget reads a probability, or a percentage, and which figure is aimed at; nil if there is none.
func parseTarget(text, of string, m riskMeasure) (*riskTarget, error) {
	switch {
	case text == "" && of != "":
		return nil, errors.New("--of says which figure --target is of; write --target, too")
	case text == "":
		return nil, nil
	case of == "" && m.marginal():
		of = string(recordsFigure)
	case of == "":
		of = string(recordsBySize)
	}
	if !slices.Contains(figureNames, of) {
		return nil, fmt.Errorf("--of: %q is no figure; write one of %s", of, strings.Join(figureNames, ", "))
	}
	if m.marginal() && strings.HasSuffix(of, "-by-size") {
		return nil, fmt.Errorf("--of: the measure %s draws the sizes of cells, so that it has no average by size; write %s or %s", m.name, eventFigure, recordsFigure)
	}
	number, percent := strings.CutSuffix(text, "%")
	target, err := strconv.ParseFloat(number, 64)
	if percent {
		target /= 100
	}
	if err != nil || !(target > 0 && target <= 1) {
		return nil, fmt.Errorf("--target: %q is not a risk; write one above 0 and up to 1, or as 10%%", text)
	}
	return &riskTarget{target, figureName(of)}, nil
}

// riskInverse is the epsilon for a target. It is proved, or else found among the epsilons that were tried.
type riskInverse struct {
	risk.Inverse
	proved bool
	// within is where it was looked for, which does not depend on what is drawn.
	within risk.Range
	// tried are epsilons of that range, some of them above Epsilon.
	tried []risk.Point[riskFigures]
}

// Where a target's epsilon is looked for, and at how many for what else there is to say.
const (
	leastTargetEpsilon = 1e-3
	mostTargetEpsilon  = 1e2
	triedEpsilons      = 61
)

func targetRange(t *policy.Table) risk.Range {
	r := risk.Range{Low: leastTargetEpsilon, High: mostTargetEpsilon}
	if today := epsilonValue(t.Mechanism.Epsilon); today > 0 {
		r.Low, r.High = min(r.Low, today), max(r.High, today)
	}
	return validRange(r, t)
}

// invert finds the largest epsilon for the target.
func (a *riskAssessment) invert(r *attributeRisk, measure risk.Measure[riskFigures]) error {
	if a.target == nil {
		return nil
	}
	within := targetRange(a.table)
	tried, err := risk.Curve(measure, r.at, evenly(within, triedEpsilons))
	if err != nil {
		return err
	}
	if r.Keys == release.ThresholdKeys { // the threshold moves with epsilon in steps, which the proof does not allow for
		r.inverse = &riskInverse{a.amongPoints(tried), false, within, tried}
		return nil
	}
	inverse, err := risk.Largest(a.target.risk, func(s risk.Survival) float64 { return a.target.figure(measure(s)) }, r.at, within)
	r.inverse = &riskInverse{inverse, true, within, tried}
	return err
}

// amongPoints is the last epsilon of some before the first at which the risk exceeds the target.
func (a *riskAssessment) amongPoints(tried []risk.Point[riskFigures]) risk.Inverse {
	last := risk.Inverse{Answer: risk.Never, Risk: a.target.figure(tried[0].Risk)}
	for _, p := range tried {
		if a.target.figure(p.Risk) > a.target.risk {
			return last
		}
		last = risk.Inverse{Answer: risk.Crossed, Epsilon: p.Epsilon, Risk: a.target.figure(p.Risk)}
	}
	last.Answer = risk.Always
	return last
}

// inverseText answers which epsilon the target allows.
func (a *riskAssessment) inverseText(r *attributeRisk) string {
	today := percent(a.target.figure(*r.today))
	text := fmt.Sprintf("%s of at most %s: today it is %s. ", a.target.of.words(), a.target, today)
	if r.inverse == nil {
		return text + "There is no epsilon to choose."
	}
	return text + a.answerText(r) + a.keepingText(r) +
		" This measures one attack, and is no reason for a larger epsilon: what epsilon guarantees, to each person and against every attack, gets worse as it grows."
}

func (a *riskAssessment) answerText(r *attributeRisk) string {
	at, low, high := percent(r.inverse.Risk), figure(r.inverse.within.Low), figure(r.inverse.within.High)
	how := "every lower one"
	if !r.inverse.proved {
		how = "each lower one of those that were tried"
	}
	switch {
	case r.inverse.Answer == risk.Always:
		return fmt.Sprintf("No epsilon from %s to %s exceeds the target; what is beyond was not looked at.", low, high)
	case r.inverse.Answer == risk.Crossed:
		return fmt.Sprintf("Epsilon %s keeps the target, and so does %s (it is %s there).", epsilonDown(r.inverse.Epsilon), how, at)
	case r.floor != nil && a.target.figure(*r.floor) > a.target.risk:
		return fmt.Sprintf("No epsilon keeps the target together with every lower one: as epsilon falls to 0, the figure tends to %s, which is chance. "+
			"Choose a target above that. What gives away more than chance, and is too much, needs other means than noise: coarser quasi-identifiers, so that fewer cells are homogeneous; "+
			"dp-suppression, which withholds small counts; not to publish %s together with %s. Chance is less where more labels are declared: declare all that there can be.",
			percent(a.target.figure(*r.floor)), r.Name, strings.Join(a.request.Quasi, ", "))
	}
	return fmt.Sprintf("It is %s at epsilon %s already, and what is below that was not looked at. Coarser quasi-identifiers, dp-suppression, or not to publish %s together with %s may keep the target.",
		at, low, r.Name, strings.Join(a.request.Quasi, ", "))
}

// keepingText says where the figure is at most the target again above the epsilon of the answer, and why that is no permission.
func (a *riskAssessment) keepingText(r *attributeRisk) string {
	first, last := -1, -1
	for i, p := range r.inverse.tried {
		keeps := p.Epsilon > r.inverse.Epsilon*(1+1e-5) && a.target.figure(p.Risk) <= a.target.risk
		switch {
		case keeps && first < 0:
			first, last = i, i
		case keeps && last == i-1:
			last = i
		}
	}
	if first < 0 {
		return ""
	}
	return fmt.Sprintf(" It is at most the target from epsilon %s to %s, too, of those that were tried. There it is cells that show several labels, or none, "+
		"that hide their persons, and not the noise.", figure(r.inverse.tried[first].Epsilon), figure(r.inverse.tried[last].Epsilon))
}

// epsilonDown writes an epsilon in four digits, rounded down.
func epsilonDown(e float64) string { return policy.Epsilon(e * 1e9).RoundDown(4).String() }
