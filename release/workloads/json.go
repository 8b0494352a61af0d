package workloads

import (
	"encoding/json"

	"tacit/accountant"
)

// MarshalJSON writes amounts as decimal strings, exactly.
func (p *Proposal) MarshalJSON() ([]byte, error) {
	type amount struct {
		Epsilon string `json:"epsilon"`
		Delta   string `json:"delta"`
	}
	of := func(l accountant.Loss) amount { return amount{l.Epsilon.String(), l.Delta.String()} }
	type marginal struct {
		Columns  []string `json:"columns"`
		Ranges   []string `json:"ranges,omitempty"`
		Weight   float64  `json:"weight"`
		Cells    int      `json:"cells"`
		Within   float64  `json:"half_width_95_asked"`
		Measured float64  `json:"half_width_95_of_workload"`
	}
	type workload struct {
		YAML      string     `json:"declare"`
		Marginals []marginal `json:"marginals"`
		Answers   int        `json:"answers"`
		Cost      amount     `json:"cost"`
		Otherwise amount     `json:"spent_instead"`
		AsExact   bool       `json:"as_exact"`
	}
	out := struct {
		Table    string    `json:"table"`
		Asked    int       `json:"asked"`
		Spent    amount    `json:"spent"`
		Why      string    `json:"why_not,omitempty"`
		Workload *workload `json:"workload"`
	}{Table: p.Table.String(), Asked: p.Asked, Spent: of(p.Spent), Why: p.Why}
	if p.Why == "" {
		out.Workload = &workload{YAML: p.YAML(), Answers: p.Answers, Cost: of(p.Cost), Otherwise: of(p.Instead), AsExact: p.AsExact}
		for _, m := range p.Marginals {
			out.Workload.Marginals = append(out.Workload.Marginals, marginal{append([]string{}, m.Columns...), m.Ranges, m.Weight, m.Cells, m.Within, m.Measured})
		}
	}
	return json.Marshal(out)
}
