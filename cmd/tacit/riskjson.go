package main

import (
	"encoding/json"
	"io"

	"tacit/release/assess"
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
		Of         assess.RiskFigure   `json:"of,omitempty"`      // which figure the target is of
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
		Keys        assess.KeyRule    `json:"keys"`
		InParts     bool              `json:"in_parts"`          // too many cells for one answer
		Refusal     string            `json:"refusal,omitempty"` // what analysts are told who ask the question
		Labels      int               `json:"labels"`
		LabelsSeen  int               `json:"labels_seen"`
		Sensitivity int64             `json:"sensitivity"`
		Undeclared  int64             `json:"undeclared"` // of what is counted, in no cell
		Cells       risk.Description  `json:"cells"`
		Fitted      *assess.FittedLaw `json:"fitted,omitempty"`    // by measures that draw
		Today       *assess.Risk      `json:"today"`               // null: no cells, or no risk for this kind
		Floor       *assess.Risk      `json:"floor"`               // as epsilon falls to 0; null: not known
		Ceiling     *assess.Risk      `json:"ceiling"`             // without noise; null: not known
		BaseRate    *float64          `json:"base_rate,omitempty"` // the share of the most frequent label
		Inverse     *jsonRiskInverse  `json:"inverse,omitempty"`
		Curve       []jsonRiskPoint   `json:"curve"`
	}
	jsonRiskPoint struct {
		Epsilon float64 `json:"epsilon"`
		assess.Risk
	}
	jsonRiskInverse struct {
		Answer  risk.Outcome `json:"answer"`
		Epsilon *float64     `json:"epsilon"` // null if the answer is never
		Risk    float64      `json:"risk"`    // at epsilon, or at low if the answer is never
		Proved  bool         `json:"proved"`  // otherwise it is among the epsilons of the curve
		Low     float64      `json:"low"`     // where it was looked for
		High    float64      `json:"high"`
	}
	jsonOverallRisk struct {
		Bounded   assess.Risk `json:"bounded"`   // the largest of a cell's
		Unbounded assess.Risk `json:"unbounded"` // their sum: attributes disclosed
	}
)

func (a riskReport) printJSON(w io.Writer) error {
	m := a.Table.Mechanism
	out := jsonRisk{
		Notice: assess.Notice, Table: a.Table.Name.String(), Quasi: a.Quasi, Counted: a.counted(), Persons: a.Persons, Measure: string(a.Measure.Name),
		Mechanism: jsonRiskMechanism{
			Kind: string(m.Kind), Epsilon: m.Epsilon.Float(), Delta: float64(m.Delta) / 1e18, Adjacency: string(a.Table.Adjacency), Calibration: string(m.Calibration), K: m.K,
		},
		Attributes: []jsonAttributeRisk{},
	}
	if a.Target != nil {
		out.Target, out.Of = &a.Target.Risk, a.Target.Of
	}
	if a.Problem != nil {
		out.Problem = a.Problem.Error()
	}
	for i := range a.Attributes {
		out.Attributes = append(out.Attributes, a.jsonAttribute(&a.Attributes[i]))
	}
	if o := a.Overall; o != nil {
		out.Overall = &jsonOverallRisk{
			Bounded:   assess.Risk{Event: o.Event.Bounded, Records: o.Records.Bounded},
			Unbounded: assess.Risk{Event: o.Event.Unbounded, Records: o.Records.Unbounded},
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(out)
}

func (a riskReport) jsonAttribute(r *assess.AttributeRisk) jsonAttributeRisk {
	out := jsonAttributeRisk{
		Sensitive: r.Name, Question: r.Question, Keys: r.Keys, InParts: r.Parts, Refusal: r.Refusal, Labels: r.Cells.Labels, LabelsSeen: r.Seen, Sensitivity: r.Sensitivity, Undeclared: r.Undeclared,
		Cells: r.Description, Today: r.Today, Floor: r.Floor, Ceiling: r.Ceiling, BaseRate: r.BaseRate, Curve: []jsonRiskPoint{},
	}
	if r.Inverse != nil {
		out.Inverse = &jsonRiskInverse{Answer: r.Inverse.Answer, Risk: r.Inverse.Risk, Proved: r.Inverse.Proved, Low: r.Inverse.Within.Low, High: r.Inverse.Within.High}
		if r.Inverse.Answer != risk.Never {
			out.Inverse.Epsilon = &r.Inverse.Epsilon
		}
	}
	if r.Law.Sizes != "" || r.Law.Alpha != nil {
		out.Fitted = &r.Law
	}
	for _, p := range r.Curve {
		out.Curve = append(out.Curve, jsonRiskPoint{p.Epsilon, p.Risk})
	}
	return out
}
