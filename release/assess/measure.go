package assess

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tacit/risk"
)

// This file has the measures of risk that a steward can choose. Package risk computes them; here are their names, and what has to be fitted to a
// table first.

// A RiskMeasure is a measure with what it needs.
type RiskMeasure struct {
	// Name is required.
	Name MeasureName
	// Sizes is the law of marginal measures. Default "": negative binomial where there is one, and else Poisson.
	Sizes SizesLaw
}

// A MeasureName names what a risk is an average of.
type MeasureName string

const (
	LocalMeasure             MeasureName = "local"
	ExpectedMeasure          MeasureName = "expected"
	shrinkageMeasure         MeasureName = "shrinkage"
	marginalMeasure          MeasureName = "marginal"
	marginalShrinkageMeasure MeasureName = "marginal-shrinkage"
)

// measures are all of them, with what they are an average of.
var measures = []struct {
	name MeasureName
	what string
}{
	{LocalMeasure, "the cells as they are"},
	{ExpectedMeasure, "cells drawn anew, each with its own shares of labels"},
	{shrinkageMeasure, "cells drawn anew, with shares from a Dirichlet distribution that is estimated from all cells"},
	{marginalMeasure, "cells drawn anew, with sizes from a law that is fitted to all cells"},
	{marginalShrinkageMeasure, "cells drawn anew, with sizes and shares from laws that are fitted to all cells"},
}

// MeasureNames are the names that a request can have.
func MeasureNames() []string {
	var names []string
	for _, m := range measures {
		names = append(names, string(m.name))
	}
	return names
}

// A SizesLaw is a law of the sizes of cells.
type SizesLaw string

const (
	PoissonSizes          SizesLaw = "poisson"
	NegativeBinomialSizes SizesLaw = "negative-binomial"
)

// Marginal says whether sizes are drawn, too. Then there is no average by the sizes that cells have.
func (m RiskMeasure) Marginal() bool {
	return strings.HasPrefix(string(m.Name), string(marginalMeasure))
}

// What says what the measure is an average of.
func (m RiskMeasure) What() string {
	i := slices.Index(MeasureNames(), string(m.Name))
	return measures[i].what
}

// Check says what is wrong with a measure, in the words of the command line.
func (m RiskMeasure) Check() error {
	switch {
	case !slices.Contains(MeasureNames(), string(m.Name)):
		return fmt.Errorf("--measure: %q is none; write one of %s", m.Name, strings.Join(MeasureNames(), ", "))
	case m.Sizes != "" && !m.Marginal():
		return fmt.Errorf("--sizes is for the measures %s and %s", marginalMeasure, marginalShrinkageMeasure)
	case m.Sizes != "" && m.Sizes != PoissonSizes && m.Sizes != NegativeBinomialSizes:
		return fmt.Errorf("--sizes: %q is no law of sizes; write %s or %s", m.Sizes, PoissonSizes, NegativeBinomialSizes)
	}
	return nil
}

// A FittedLaw is what a measure has fitted to the table; its parts are empty if it has fitted none.
type FittedLaw struct {
	Sizes SizesLaw `json:"sizes,omitempty"`
	// Parameters are the mean of Poisson sizes; shape and success of negative binomial ones.
	Parameters []float64 `json:"parameters,omitempty"`
	// Alpha is of the Dirichlet distribution of shares.
	Alpha []float64 `json:"alpha,omitempty"`
}

// of is the measure of a table, in both versions, and what was fitted for it.
func (m RiskMeasure) of(t *risk.Table) (risk.Measure[Risk], FittedLaw, error) {
	var law FittedLaw
	var sizes risk.Sizes
	var err error
	if m.Marginal() {
		if sizes, law.Sizes, err = m.fit(t); err != nil {
			return nil, law, err
		}
		law.Parameters = sizes.Parameters()
	}
	if m.Name == shrinkageMeasure || m.Name == marginalShrinkageMeasure {
		if law.Alpha, err = t.EstimateDirichlet(); err != nil {
			return nil, law, err
		}
	}
	event, err := m.version(t, risk.Event, sizes, law.Alpha)
	if err != nil {
		return nil, law, err
	}
	records, err := m.version(t, risk.Records, sizes, law.Alpha)
	if err != nil {
		return nil, law, err
	}
	homogeneous := m.homogeneous(t)
	return func(s risk.Survival) Risk { return Risk{event(s), records(s), homogeneous(s)} }, law, nil
}

// homogeneous is the risk of records in homogeneous cells, which is the same for the local and the expected measure. Here floor and
// ceiling are those of each cell, so that what is above the floor is what the counts give away.
func (m RiskMeasure) homogeneous(t *risk.Table) func(risk.Survival) *float64 {
	cells := &risk.Table{Labels: t.Labels}
	for _, p := range t.Patterns {
		if len(p.Counts) == 1 {
			cells.Patterns = append(cells.Patterns, p)
		}
	}
	if len(cells.Patterns) == 0 || m.Name != LocalMeasure && m.Name != ExpectedMeasure {
		return func(risk.Survival) *float64 { return nil }
	}
	return func(s risk.Survival) *float64 {
		of := cells.Local(s, risk.Records).Weighted
		return &of
	}
}

func (m RiskMeasure) version(t *risk.Table, v risk.Version, sizes risk.Sizes, alpha []float64) (risk.Measure[risk.Average], error) {
	switch m.Name {
	case LocalMeasure:
		return func(s risk.Survival) risk.Average { return t.Local(s, v) }, nil
	case ExpectedMeasure:
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
	return nil, fmt.Errorf("internal error: no measure %q", m.Name)
}

// fit is the law of sizes. Sizes that vary no more than by chance have no negative binomial law.
func (m RiskMeasure) fit(t *risk.Table) (risk.Sizes, SizesLaw, error) {
	if m.Sizes != PoissonSizes {
		sizes, err := t.FitNegativeBinomial(risk.NonEmpty)
		switch {
		case err == nil:
			return sizes, NegativeBinomialSizes, nil
		case m.Sizes == NegativeBinomialSizes:
			return sizes, "", fmt.Errorf("%w (--sizes %s)", err, PoissonSizes)
		}
	}
	sizes, err := t.FitPoisson(risk.NonEmpty)
	return sizes, PoissonSizes, err
}
