package assess

import (
	"encoding/json"
	"math"

	"tacit/policy"
	"tacit/risk"
)

// The JSON forms have null where a figure is infinite, or where there is none.
type (
	jsonAssessment struct {
		Notice    string         `json:"notice"`
		Table     string         `json:"table"`
		Adjacency string         `json:"adjacency"`
		Questions []jsonAssessed `json:"questions"`
		Joints    []Joint        `json:"joint_releases,omitempty"`
	}
	jsonAssessed struct {
		Question   string                  `json:"question"`
		Declared   bool                    `json:"declared"`
		Threshold  bool                    `json:"threshold"`         // the cells are those that have rows, and a private threshold shows some of them
		Refused    bool                    `json:"refused"`           // analysts are, today
		Refusal    string                  `json:"refusal,omitempty"` // what they are told
		Counted    Counted                 `json:"counted"`
		Undeclared int64                   `json:"undeclared"` // of what is counted, in no cell
		LeftOut    *int64                  `json:"left_out"`   // by the bounds of a person; null if each row is a person
		Cells      int                     `json:"cells"`
		Empty      int                     `json:"empty"`
		Largest    int64                   `json:"largest"`
		Total      int64                   `json:"total"`
		Unfitted   bool                    `json:"unfitted"` // the table fits these cells to totals, and its own mechanism is assessed without
		Attack     jsonAttack              `json:"attack"`
		Mechanisms []jsonAssessedMechanism `json:"mechanisms"`
	}
	jsonAttack struct {
		None       string            `json:"none,omitempty"` // why there is no risk
		Sensitive  string            `json:"sensitive,omitempty"`
		Default    bool              `json:"default"` // the last key, since none was named
		Quasi      []string          `json:"quasi_identifiers,omitempty"`
		Labels     int               `json:"labels,omitempty"`
		LabelsSeen bool              `json:"labels_seen"` // they are not declared
		Cells      *risk.Description `json:"cells,omitempty"`
	}
	jsonAssessedMechanism struct {
		Mechanism    string                   `json:"mechanism"`
		Guaranteed   bool                     `json:"guaranteed"`
		Today        bool                     `json:"today"`
		Epsilon      *float64                 `json:"epsilon"`
		Problem      string                   `json:"problem,omitempty"` // why there are no figures
		Delta        float64                  `json:"delta"`             // under the table's adjacency
		Guarantees   map[string]jsonGuarantee `json:"guarantees"`
		L1Bias       float64                  `json:"l1_bias"`
		Alpha        float64                  `json:"alpha_fairness"`
		MaxVariance  float64                  `json:"max_variance"`
		MeanVariance float64                  `json:"mean_variance"`
		Error        float64                  `json:"root_mean_squared_error"` // of a cell
		Suppressed   float64                  `json:"suppressed_share"`
		Risk         *Risk                    `json:"risk"`
		Uniques      *jsonUniques             `json:"unique_exact_matches"` // null: nobody is unique
		HalfWidth95  int64                    `json:"half_width_95"`
	}
	jsonUniques struct {
		Uniques   float64 `json:"uniques"`
		AsOne     float64 `json:"as_one"`      // expected, in cells that are shown as 1
		OneOrMore float64 `json:"one_or_more"` // expected, in cells that are shown as 1 or more
	}
	jsonGuarantee struct {
		Delta       float64  `json:"delta"`
		PureEpsilon *float64 `json:"pure_epsilon"`
		Rho         *float64 `json:"rho"`
		Exact       bool     `json:"exact"`
	}
)

func finite(x float64) *float64 {
	if math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// MarshalJSON writes the figures under both adjacencies.
func (a *Assessment) MarshalJSON() ([]byte, error) {
	out := jsonAssessment{Notice: Notice, Table: a.Table.String(), Adjacency: string(a.Adjacency), Questions: []jsonAssessed{}, Joints: a.Joints}
	for _, q := range a.Questions {
		assessed := jsonAssessed{
			Question: q.Question, Declared: q.Declared, Threshold: q.Threshold, Refused: q.Refusal != "", Refusal: q.Refusal, Counted: q.Counted, Undeclared: q.Undeclared, LeftOut: q.LeftOut,
			Cells: q.Cells, Empty: q.Zeros, Largest: q.Largest, Total: q.Total,
			Unfitted: q.Unfitted, Attack: jsonAttackOf(q.Attack), Mechanisms: []jsonAssessedMechanism{},
		}
		for _, m := range q.Mechanisms {
			assessed.Mechanisms = append(assessed.Mechanisms, jsonMechanism(a, m))
		}
		out.Questions = append(out.Questions, assessed)
	}
	return json.Marshal(out)
}

func jsonAttackOf(k Attack) jsonAttack {
	if k.None != "" {
		return jsonAttack{None: k.None, Default: k.Default}
	}
	return jsonAttack{
		Sensitive: k.Sensitive, Default: k.Default, Quasi: k.Quasi, Labels: k.Cells.Labels, LabelsSeen: k.LabelsSeen, Cells: &k.Cells,
	}
}

func jsonMechanism(a *Assessment, m Mechanism) jsonAssessedMechanism {
	guarantee := func(g Guarantee) jsonGuarantee {
		return jsonGuarantee{Delta: g.Delta, PureEpsilon: finite(g.Pure), Rho: finite(g.Rho), Exact: g.Exact}
	}
	out := jsonAssessedMechanism{
		Mechanism: string(m.Kind), Guaranteed: m.Kind.Guaranteed(), Today: m.Today, Problem: m.Problem, Delta: a.OwnGuarantee(m).Delta,
		Guarantees: map[string]jsonGuarantee{
			string(policy.AddRemove): guarantee(m.AddRemove), string(policy.ReplaceOne): guarantee(m.ReplaceOne),
		},
		L1Bias: m.L1Bias, Alpha: m.Alpha, MaxVariance: m.MaxVariance, MeanVariance: m.MeanVariance, Error: m.Error,
		Suppressed: m.Suppressed, Risk: m.Risk, Uniques: jsonUniquesOf(m.Uniques), HalfWidth95: m.HalfWidth95,
	}
	if m.Epsilon > 0 {
		e := m.Epsilon.Float()
		out.Epsilon = &e
	}
	return out
}

func jsonUniquesOf(u risk.UniqueMatches) *jsonUniques {
	if u.Uniques == 0 {
		return nil
	}
	return &jsonUniques{Uniques: u.Uniques, AsOne: u.AsOne, OneOrMore: u.OneOrMore}
}
