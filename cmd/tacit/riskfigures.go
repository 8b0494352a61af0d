package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tacit/policy"
	"tacit/release"
	"tacit/risk"
)

// A riskAssessment is what the command works out: first the request, then the figures.
type riskAssessment struct {
	request release.HomogeneityRequest
	measure riskMeasure
	target  *riskTarget // nil: none
	within  risk.Range  // of the curve

	table      *policy.Table
	people     int64 // of whom the table has rows; 0 if a row is a person
	attributes []attributeRisk
	overall    *overallRisk // nil: one attribute, or cells that differ between attributes
	// problem says why there are no figures of risk, if there are none.
	problem error
}

// attributeRisk is one sensitive attribute.
type attributeRisk struct {
	*release.AttributeCells
	cells risk.Description
	curve []risk.Point[riskFigures]
	// around is today's setting and some around it, in order; today is that of the table.
	around []risk.Point[riskFigures]
	today  *riskFigures
	// floor and ceiling are the figures of all noise and of none; nil if they are not known.
	floor, ceiling *riskFigures
	inverse        *riskInverse // nil without a target
	law            riskLaw
}

// riskFigures are both versions of a measure. homogeneous is the share of the persons in homogeneous cells whose label is told, nil where a
// measure is not of the cells as they are or none is homogeneous.
type riskFigures struct {
	event, records risk.Average
	homogeneous    *float64
}

// overallRisk is that of several attributes together, today.
type overallRisk struct{ event, records risk.Overall }

// curvePoints is how many epsilons a curve has.
const curvePoints = 121

// assess works out the figures of a report.
func (a *riskAssessment) assess(report *release.HomogeneityReport) error {
	a.table, a.people = report.Table, report.Persons
	for i := range report.Attributes {
		r := attributeRisk{AttributeCells: &report.Attributes[i], cells: report.Attributes[i].Cells.Describe()}
		err := a.measureAttribute(&r)
		if errors.Is(err, release.ErrNoSurvival) {
			a.problem = err
		} else if err != nil {
			return err
		}
		a.attributes = append(a.attributes, r)
	}
	if a.problem != nil || len(a.attributes) < 2 || report.Joint.Check() != nil {
		return nil
	}
	return a.measureOverall(report)
}

// measureAttribute works out today's figures, the curve, and the epsilon for the target.
func (a *riskAssessment) measureAttribute(r *attributeRisk) error {
	if r.cells.All.Cells == 0 {
		return nil
	}
	today, err := r.Survival(0)
	if err != nil {
		return err
	}
	measure, law, err := a.measure.of(r.Cells)
	if err != nil {
		return fmt.Errorf("--measure %s of %s: %w", a.measure.name, r.Name, err)
	}
	r.law = law
	figures := measure(today)
	r.today = &figures
	if allNoise, noNoise, ok := r.Limits(); ok {
		floor, ceiling := measure(allNoise), measure(noNoise)
		r.floor, r.ceiling = &floor, &ceiling
	}
	if a.table.Mechanism.Epsilon == 0 {
		return nil // a kind without one
	}
	if r.curve, err = risk.Curve(measure, r.at, evenly(a.within, curvePoints)); err != nil {
		return err
	}
	if r.around, err = risk.Curve(measure, r.at, a.aroundToday()); err != nil {
		return err
	}
	return a.invert(r, measure)
}

// at is the survival at an epsilon, rounded down to one that a policy can have.
func (r *attributeRisk) at(epsilon float64) (risk.Survival, error) {
	return r.Survival(max(1, policy.Epsilon(epsilon*1e9*(1+1e-12))))
}

// evenly are epsilons of a range, evenly spaced on a logarithmic scale.
func evenly(within risk.Range, points int) []float64 {
	epsilons := make([]float64, points)
	ratio := math.Log(within.High / within.Low)
	for i := range epsilons {
		epsilons[i] = within.Low * math.Exp(ratio*float64(i)/float64(points-1))
	}
	epsilons[points-1] = within.High
	return epsilons
}

// aroundToday are today's epsilon and round multiples of it within the range.
func (a *riskAssessment) aroundToday() []float64 {
	today := epsilonValue(a.table.Mechanism.Epsilon)
	var epsilons []float64
	for _, factor := range []float64{0.1, 0.2, 0.5, 1, 2, 5, 10} {
		e := epsilonValue(policy.Epsilon(math.Round(today * factor * 1e9)))
		if factor == 1 || e >= a.within.Low && e <= a.within.High {
			epsilons = append(epsilons, e)
		}
	}
	return epsilons
}

// measureOverall is the risk of all attributes together. A joint table has no other measures than these.
func (a *riskAssessment) measureOverall(report *release.HomogeneityReport) error {
	measure := report.Joint.Local
	switch a.measure.name {
	case localMeasure:
	case expectedMeasure:
		measure = report.Joint.Expected
	default:
		return nil
	}
	for _, r := range a.attributes {
		if r.today == nil || r.Keys != a.attributes[0].Keys {
			return nil
		}
	}
	s, err := report.Attributes[0].Survival(0)
	if err != nil {
		return err
	}
	var o overallRisk
	if o.event, err = measure(s, risk.Event); err == nil {
		o.records, err = measure(s, risk.Records)
	}
	a.overall = &o
	return err
}

// verdict is an error if there are no figures, or if today's exceed the target.
func (a *riskAssessment) verdict() error {
	if a.problem != nil {
		return a.problem
	}
	for _, r := range a.attributes {
		if a.target != nil && r.today != nil && a.target.figure(*r.today) > a.target.risk {
			return fmt.Errorf("%w: %s of %s is %s, target %s", errTargetExceeded, a.target.of.words(), r.Name, percent(a.target.figure(*r.today)), a.target)
		}
	}
	return nil
}

type (
	measureName string
	sizesLaw    string
)

const (
	localMeasure             measureName = "local"
	expectedMeasure          measureName = "expected"
	shrinkageMeasure         measureName = "shrinkage"
	marginalMeasure          measureName = "marginal"
	marginalShrinkageMeasure measureName = "marginal-shrinkage"
)

// measures are all of them, with what they are an average of.
var measures = []struct {
	name measureName
	what string
}{
	{localMeasure, "the cells as they are"},
	{expectedMeasure, "cells drawn anew, each with its own shares of labels"},
	{shrinkageMeasure, "cells drawn anew, with shares from a Dirichlet distribution that is estimated from all cells"},
	{marginalMeasure, "cells drawn anew, with sizes from a law that is fitted to all cells"},
	{marginalShrinkageMeasure, "cells drawn anew, with sizes and shares from laws that are fitted to all cells"},
}

func measureNames() []string {
	var names []string
	for _, m := range measures {
		names = append(names, string(m.name))
	}
	return names
}

const (
	poissonSizes          sizesLaw = "poisson"
	negativeBinomialSizes sizesLaw = "negative-binomial"
)

// A riskMeasure is a measure with what it needs.
type riskMeasure struct {
	name  measureName
	sizes sizesLaw // of marginal measures; "" is negative binomial where there is one, and else Poisson
}

// marginal says whether sizes are drawn, too. Then there is no average by the sizes that cells have.
func (m riskMeasure) marginal() bool {
	return strings.HasPrefix(string(m.name), string(marginalMeasure))
}

// what says what the measure is an average of.
func (m riskMeasure) what() string {
	i := slices.Index(measureNames(), string(m.name))
	return measures[i].what
}

func (m riskMeasure) check() error {
	switch {
	case !slices.Contains(measureNames(), string(m.name)):
		return fmt.Errorf("--measure: %q is none; write one of %s", m.name, strings.Join(measureNames(), ", "))
	case m.sizes != "" && !m.marginal():
		return fmt.Errorf("--sizes is for the measures %s and %s", marginalMeasure, marginalShrinkageMeasure)
	case m.sizes != "" && m.sizes != poissonSizes && m.sizes != negativeBinomialSizes:
		return fmt.Errorf("--sizes: %q is no law of sizes; write %s or %s", m.sizes, poissonSizes, negativeBinomialSizes)
	}
	return nil
}

// A riskLaw is what a measure has fitted to the table; its parts are empty if it has fitted none.
type riskLaw struct {
	sizes      sizesLaw
	parameters []float64 // of sizes
	alpha      []float64 // of the labels' shares
}

// of is the measure of a table, in both versions, and what was fitted for it.
func (m riskMeasure) of(t *risk.Table) (risk.Measure[riskFigures], riskLaw, error) {
	var law riskLaw
	var sizes risk.Sizes
	var err error
	if m.marginal() {
		if sizes, law.sizes, err = m.fit(t); err != nil {
			return nil, law, err
		}
		law.parameters = sizes.Parameters()
	}
	if m.name == shrinkageMeasure || m.name == marginalShrinkageMeasure {
		if law.alpha, err = t.EstimateDirichlet(); err != nil {
			return nil, law, err
		}
	}
	event, err := m.version(t, risk.Event, sizes, law.alpha)
	if err != nil {
		return nil, law, err
	}
	records, err := m.version(t, risk.Records, sizes, law.alpha)
	if err != nil {
		return nil, law, err
	}
	homogeneous := m.homogeneous(t)
	return func(s risk.Survival) riskFigures { return riskFigures{event(s), records(s), homogeneous(s)} }, law, nil
}

// homogeneous is the risk of records in homogeneous cells, which is the same for the local and the expected measure. Here floor and
// ceiling are those of each cell, so that what is above the floor is what the counts give away.
func (m riskMeasure) homogeneous(t *risk.Table) func(risk.Survival) *float64 {
	cells := &risk.Table{Labels: t.Labels}
	for _, p := range t.Patterns {
		if len(p.Counts) == 1 {
			cells.Patterns = append(cells.Patterns, p)
		}
	}
	if len(cells.Patterns) == 0 || m.name != localMeasure && m.name != expectedMeasure {
		return func(risk.Survival) *float64 { return nil }
	}
	return func(s risk.Survival) *float64 {
		of := cells.Local(s, risk.Records).Weighted
		return &of
	}
}

func (m riskMeasure) version(t *risk.Table, v risk.Version, sizes risk.Sizes, alpha []float64) (risk.Measure[risk.Average], error) {
	switch m.name {
	case localMeasure:
		return func(s risk.Survival) risk.Average { return t.Local(s, v) }, nil
	case expectedMeasure:
		return func(s risk.Survival) risk.Average { return t.Expected(s, v) }, nil
	case shrinkageMeasure:
		return t.Shrinkage(v, alpha)
	case marginalMeasure:
		one, err := t.Marginal(v, sizes)
		if err != nil {
			return nil, err
		}
		return func(s risk.Survival) risk.Average {
			return risk.Average{Unweighted: one(s).Unweighted, Weighted: math.NaN()}
		}, nil
	case marginalShrinkageMeasure:
		one, err := risk.MarginalShrinkage(v, alpha, sizes)
		if err != nil {
			return nil, err
		}
		return func(s risk.Survival) risk.Average { return risk.Average{Unweighted: one(s), Weighted: math.NaN()} }, nil
	}
	return nil, fmt.Errorf("internal error: no measure %q", m.name)
}

// fit is the law of sizes. Sizes that vary no more than by chance have no negative binomial law.
func (m riskMeasure) fit(t *risk.Table) (risk.Sizes, sizesLaw, error) {
	if m.sizes != poissonSizes {
		sizes, err := t.FitNegativeBinomial(risk.NonEmpty)
		switch {
		case err == nil:
			return sizes, negativeBinomialSizes, nil
		case m.sizes == negativeBinomialSizes:
			return sizes, "", fmt.Errorf("%w (--sizes %s)", err, poissonSizes)
		}
	}
	sizes, err := t.FitPoisson(risk.NonEmpty)
	return sizes, poissonSizes, err
}
