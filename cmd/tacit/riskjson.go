package main

import (
	"encoding/json"
	"io"
	"math"

	"tacit/release"
	"tacit/risk"
)

// The JSON forms. Risks are probabilities.
type (
	jsonRisk struct {
		Notice     string              `json:"notice"`
		Table      string              `json:"table"`
		Mechanism  jsonRiskMechanism   `json:"mechanism"`
		Quasi      []string            `json:"quasi_identifiers"`
		Counted    string              `json:"counted"`           // persons, rows, or contributions of persons
		Persons    int64               `json:"persons,omitempty"` // of whom the table has rows, where a row is not a person
		Measure    string              `json:"measure"`
		Target     *float64            `json:"target,omitempty"`
		Of         figureName          `json:"of,omitempty"`      // which figure the target is of
		Problem    string              `json:"problem,omitempty"` // why there are no risks
		Attributes []jsonAttributeRisk `json:"attributes"`
		Overall    *jsonOverallRisk    `json:"overall,omitempty"` // of all attributes, today
	}
	jsonRiskMechanism struct {
		Kind        string  `json:"kind"`
		Epsilon     float64 `json:"epsilon"` // 0: it has none
		Delta       float64 `json:"delta"`
		Adjacency   string  `json:"adjacency"`
		Calibration string  `json:"calibration,omitempty"`
		K           int64   `json:"k,omitempty"`
	}
	jsonAttributeRisk struct {
		Sensitive   string            `json:"sensitive"`
		Question    string            `json:"question"`
		Keys        release.KeyRule   `json:"keys"`
		InParts     bool              `json:"in_parts"`          // too many cells for one answer
		Refusal     string            `json:"refusal,omitempty"` // what analysts are told who ask the question
		Labels      int               `json:"labels"`
		LabelsSeen  int               `json:"labels_seen"`
		Sensitivity int64             `json:"sensitivity"`
		Undeclared  int64             `json:"undeclared"` // of what is counted, in no cell
		Cells       jsonCellGroups    `json:"cells"`
		Fitted      *jsonFitted       `json:"fitted,omitempty"` // by measures that draw
		Today       *jsonRiskFigures  `json:"today"`            // null: no cells, or no risk for this kind
		Floor       *jsonRiskFigures  `json:"floor"`            // as epsilon falls to 0; null: not known
		Ceiling     *jsonRiskFigures  `json:"ceiling"`          // without noise; null: not known
		Inverse     *jsonRiskInverse  `json:"inverse,omitempty"`
		Curve       []jsonRiskFigures `json:"curve"`
	}
	jsonCellGroups struct {
		All           jsonCellGroup `json:"all"`
		Homogeneous   jsonCellGroup `json:"homogeneous"`
		Unique        jsonCellGroup `json:"unique"`
		Heterogeneous jsonCellGroup `json:"heterogeneous"`
		Smallest      int64         `json:"smallest"`
		Mean          float64       `json:"mean"`
		Largest       int64         `json:"largest"`
	}
	jsonCellGroup struct {
		Cells   int64 `json:"cells"`
		Persons int64 `json:"persons"` // or what else is counted
	}
	jsonRiskFigures struct {
		Epsilon *float64    `json:"epsilon,omitempty"`
		Event   jsonAverage `json:"event"`
		Records jsonAverage `json:"records"`
		// Homogeneous is the share of persons in homogeneous cells whose label is told.
		Homogeneous *float64 `json:"homogeneous,omitempty"`
	}
	jsonAverage struct {
		Unweighted float64 `json:"unweighted"` // cells alike
		Weighted   float64 `json:"weighted"`   // by size of cell; NaN is left out: the measure draws sizes
	}
	jsonFitted struct {
		Sizes      sizesLaw  `json:"sizes,omitempty"`
		Parameters []float64 `json:"parameters,omitempty"` // the mean of Poisson sizes; shape and success of negative binomial ones
		Alpha      []float64 `json:"alpha,omitempty"`      // of the Dirichlet distribution of shares
	}
	jsonRiskInverse struct {
		Answer  risk.Answer `json:"answer"`
		Epsilon *float64    `json:"epsilon"` // null if the answer is never
		Risk    float64     `json:"risk"`    // at epsilon, or at low if the answer is never
		Proved  bool        `json:"proved"`  // otherwise it is among the epsilons of the curve
		Low     float64     `json:"low"`     // where it was looked for
		High    float64     `json:"high"`
	}
	jsonOverallRisk struct {
		Bounded   jsonRiskFigures `json:"bounded"`   // the largest of a cell's
		Unbounded jsonRiskFigures `json:"unbounded"` // their sum: attributes disclosed
	}
)

func (a *riskAssessment) printJSON(w io.Writer) error {
	m := a.table.Mechanism
	out := jsonRisk{
		Notice: assessmentNotice, Table: a.table.Name.String(), Quasi: a.request.Quasi, Counted: a.persons(), Persons: a.people, Measure: string(a.measure.name),
		Mechanism: jsonRiskMechanism{
			Kind: string(m.Kind), Epsilon: epsilonValue(m.Epsilon), Delta: float64(m.Delta) / 1e18, Adjacency: string(a.table.Adjacency), Calibration: string(m.Calibration), K: m.K,
		},
		Attributes: []jsonAttributeRisk{},
	}
	if a.target != nil {
		out.Target, out.Of = &a.target.risk, a.target.of
	}
	if a.problem != nil {
		out.Problem = a.problem.Error()
	}
	for i := range a.attributes {
		out.Attributes = append(out.Attributes, a.jsonAttribute(&a.attributes[i]))
	}
	if o := a.overall; o != nil {
		out.Overall = &jsonOverallRisk{
			Bounded:   *jsonFigures(&riskFigures{event: o.event.Bounded, records: o.records.Bounded}),
			Unbounded: *jsonFigures(&riskFigures{event: o.event.Unbounded, records: o.records.Unbounded}),
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(out)
}

func (a *riskAssessment) jsonAttribute(r *attributeRisk) jsonAttributeRisk {
	out := jsonAttributeRisk{
		Sensitive: r.Name, Question: r.Question, Keys: r.Keys, InParts: r.Parts, Refusal: r.Refusal, Labels: r.Cells.Labels, LabelsSeen: r.Seen, Sensitivity: r.Sensitivity, Undeclared: r.Undeclared,
		Cells: *jsonCells(r.cells),
		Today: jsonFigures(r.today), Floor: jsonFigures(r.floor), Ceiling: jsonFigures(r.ceiling), Curve: []jsonRiskFigures{},
	}
	if r.inverse != nil {
		out.Inverse = &jsonRiskInverse{Answer: r.inverse.Answer, Risk: r.inverse.Risk, Proved: r.inverse.proved, Low: r.inverse.within.Low, High: r.inverse.within.High}
		if r.inverse.Answer != risk.Never {
			out.Inverse.Epsilon = &r.inverse.Epsilon
		}
	}
	if r.law.sizes != "" || r.law.alpha != nil {
		out.Fitted = &jsonFitted{r.law.sizes, r.law.parameters, r.law.alpha}
	}
	for _, p := range r.curve {
		f := jsonFigures(&p.Risk)
		f.Epsilon = &p.Epsilon
		out.Curve = append(out.Curve, *f)
	}
	return out
}

func jsonCells(d risk.Description) *jsonCellGroups {
	group := func(g risk.Group) jsonCellGroup { return jsonCellGroup{g.Cells, g.Records} }
	return &jsonCellGroups{
		All: group(d.All), Homogeneous: group(d.Homogeneous), Unique: group(d.Unique), Heterogeneous: group(d.Heterogeneous),
		Smallest: d.Smallest, Mean: d.Mean, Largest: d.Largest,
	}
}

func jsonFigures(f *riskFigures) *jsonRiskFigures {
	if f == nil {
		return nil
	}
	return &jsonRiskFigures{Event: jsonMeans(f.event), Records: jsonMeans(f.records), Homogeneous: f.homogeneous}
}

func jsonMeans(a risk.Average) jsonAverage { return jsonAverage{a.Unweighted, a.Weighted} }

// MarshalJSON leaves an average out that there is not.
func (a jsonAverage) MarshalJSON() ([]byte, error) {
	type both jsonAverage
	if !math.IsNaN(a.Weighted) {
		return json.Marshal(both(a))
	}
	return json.Marshal(map[string]float64{"unweighted": a.Unweighted})
}
