package assess

import (
	"context"
	"errors"
	"fmt"
	"math"

	"tacit/policy"
	"tacit/risk"
)

// This file computes what `tacit risk` shows: from the counts of a HomogeneityReport, the risk today, its curve over epsilon, and the epsilon
// for a target. Start at Disclose.

// A DisclosureRequest says which risk of which attack is computed.
type DisclosureRequest struct {
	HomogeneityRequest
	// Measure is required.
	Measure RiskMeasure
	// Target is an acceptable risk. Default nil: none.
	Target *RiskTarget
	// Within is the range of the curves. Required; see [ParseRange].
	Within risk.Range
}

// A Disclosure is what the request asks for. It is computed from true counts: it is for the steward alone.
type Disclosure struct {
	DisclosureRequest
	Table *policy.Table
	// Persons is the number of persons of whom the table has rows; 0 if a row is a person.
	Persons    int64
	Attributes []AttributeRisk
	// Overall is the risk of all attributes together, today; nil if there is one, or if their cells differ.
	Overall *OverallRisk
	// Problem says why there are no figures of risk, if there are none.
	Problem error
}

// An AttributeRisk is the risk that one sensitive attribute becomes known.
type AttributeRisk struct {
	*AttributeCells
	Description risk.Description
	Curve       []risk.Point[Risk]
	// Around is today's setting and some around it, in order; Today is that of the table, nil if there is none.
	Around []risk.Point[Risk]
	Today  *Risk
	// Floor and Ceiling are the figures of all noise and of none; nil if they are not known.
	Floor, Ceiling *Risk
	// BaseRate is the share of all records that have the most frequent label, which is guessed right without any data; nil if it is not known.
	BaseRate *float64
	// Inverse is nil without a target.
	Inverse *TargetEpsilon
	Law     FittedLaw
}

// OverallRisk is that of several attributes together, today.
type OverallRisk struct{ Event, Records risk.Overall }

// CurvePoints is how many epsilons a curve has.
const CurvePoints = 121

// Disclose reads the counts and computes all figures.
func Disclose(ctx context.Context, p *policy.Policy, request DisclosureRequest) (*Disclosure, error) {
	report, err := Homogeneity(ctx, p, request.HomogeneityRequest)
	if err != nil {
		return nil, err
	}
	d := &Disclosure{DisclosureRequest: request, Table: report.Table, Persons: report.Persons}
	for i := range report.Attributes {
		r := AttributeRisk{AttributeCells: &report.Attributes[i], Description: report.Attributes[i].Cells.Describe()}
		err := d.measure(&r)
		if errors.Is(err, ErrNoSurvival) {
			d.Problem = err
		} else if err != nil {
			return nil, err
		}
		d.Attributes = append(d.Attributes, r)
	}
	if d.Problem != nil || len(d.Attributes) < 2 || report.Joint.Check() != nil {
		return d, nil
	}
	return d, d.measureOverall(report)
}

// measure computes today's figures, the curve, and the epsilon for the target.
func (d *Disclosure) measure(r *AttributeRisk) error {
	if r.Description.All.Cells == 0 {
		return nil
	}
	today, err := r.Survival(0)
	if err != nil {
		return err
	}
	measure, law, err := d.Measure.of(r.Cells)
	if err != nil {
		return fmt.Errorf("--measure %s of %s: %w", d.Measure.Name, r.Name, err)
	}
	r.Law, r.BaseRate = law, baseRate(r.Cells)
	figures := measure(today)
	r.Today = &figures
	if allNoise, noNoise, ok := r.Limits(); ok {
		floor, ceiling := measure(allNoise), measure(noNoise)
		r.Floor, r.Ceiling = &floor, &ceiling
	}
	if d.Table.Mechanism.Epsilon == 0 {
		return nil // a kind without one
	}
	if r.Curve, err = risk.Curve(measure, r.at, evenly(d.Within, CurvePoints)); err != nil {
		return err
	}
	if r.Around, err = risk.Curve(measure, r.at, d.aroundToday()); err != nil {
		return err
	}
	return d.invert(r, measure)
}

// baseRate is the share of the most frequent label.
func baseRate(t *risk.Table) *float64 {
	var most, all int64
	for _, m := range t.Moments {
		most, all = max(most, m.Sum), all+m.Sum
	}
	if all == 0 {
		return nil
	}
	rate := float64(most) / float64(all)
	return &rate
}

// at is the survival at an epsilon, rounded down to one that a policy can have.
func (r *AttributeRisk) at(epsilon float64) (risk.Survival, error) {
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
func (d *Disclosure) aroundToday() []float64 {
	today := d.Table.Mechanism.Epsilon.Float()
	var epsilons []float64
	for _, factor := range []float64{0.1, 0.2, 0.5, 1, 2, 5, 10} {
		e := policy.Epsilon(math.Round(today * factor * 1e9)).Float()
		if factor == 1 || e >= d.Within.Low && e <= d.Within.High {
			epsilons = append(epsilons, e)
		}
	}
	return epsilons
}

// measureOverall is the risk of all attributes together. A joint table has no other measures than these.
func (d *Disclosure) measureOverall(report *HomogeneityReport) error {
	measure := report.Joint.Local
	switch d.Measure.Name {
	case LocalMeasure:
	case ExpectedMeasure:
		measure = report.Joint.Expected
	default:
		return nil
	}
	for _, r := range d.Attributes {
		if r.Today == nil || r.Keys != d.Attributes[0].Keys {
			return nil
		}
	}
	s, err := report.Attributes[0].Survival(0)
	if err != nil {
		return err
	}
	var o OverallRisk
	if o.Event, err = measure(s, risk.Event); err == nil {
		o.Records, err = measure(s, risk.Records)
	}
	d.Overall = &o
	return err
}

// defaultRange reaches from nearly all noise to nearly none, with today's epsilon inside.
func defaultRange(t *policy.Table) risk.Range {
	today, bound := t.Mechanism.Epsilon.Float(), 1.0
	if t.Person != nil {
		bound = float64(max(t.Person.Rows, t.Person.Groups))
	}
	r := risk.Range{Low: 0.01, High: 20 * bound}
	if today > 0 {
		r.Low, r.High = min(r.Low, today/10), max(r.High, 4*today)
	}
	return validRange(r, t)
}

// validRange ends a range where the table's calibration does.
func validRange(r risk.Range, t *policy.Table) risk.Range {
	if t.Mechanism.Kind == policy.Gaussian && t.Mechanism.Calibration == policy.ClassicCalibration {
		r.High = 0.99
	}
	return r
}
