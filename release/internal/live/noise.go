package live

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"tacit/mechanisms"
	"tacit/policy"
	"tacit/rewrite/query"
)

// A Sensitivity is the most by which one person more changes a count: all its cells together, and any one of them (see
// query.BoundQuery.Sensitivity and PerCell).
type Sensitivity struct{ Cells, PerCell int }

// SensitivityOfRow is that of a count in which each row is a person.
var SensitivityOfRow = Sensitivity{Cells: 1, PerCell: 1}

func (s Sensitivity) compare(other Sensitivity) int {
	return cmp.Or(cmp.Compare(s.Cells, other.Cells), cmp.Compare(s.PerCell, other.PerCell))
}

func SensitivityOf(q *query.BoundQuery, c query.Count) Sensitivity {
	return Sensitivity{q.Sensitivity(c), q.PerCell(c)}
}

// NewMechanisms returns the mechanisms of a table's counts by their sensitivity. Every count costs the same loss; what grows with the
// sensitivity is the noise.
func NewMechanisms(t *policy.Table, random io.Reader) (map[Sensitivity]*mechanisms.Mechanism, error) {
	made := make(map[Sensitivity]*mechanisms.Mechanism)
	if t.Mechanism.Kind == policy.Audit { // shows counts as they are, or not at all
		return made, nil
	}
	for _, s := range sensitivities(t) {
		m, err := mechanisms.New(MechanismConfig(t, s, random))
		if err != nil {
			return nil, fmt.Errorf("table %s: kind %s, for persons who change a count by %d: %w", t.Name, t.Mechanism.Kind, s.Cells, err)
		}
		made[s] = m
	}
	return made, nil
}

func MechanismConfig(t *policy.Table, s Sensitivity, random io.Reader) mechanisms.Config {
	m := t.Mechanism
	return mechanisms.Config{
		Kind:         m.Kind,
		Epsilon:      m.Epsilon,
		Delta:        m.Delta,
		Adjacency:    t.Adjacency,
		Sensitivity:  int64(s.Cells),
		PerCell:      int64(s.PerCell),
		KeepNegative: m.KeepNegative,
		Calibration:  m.Calibration,
		K:            m.K,
		Fill:         m.Fill,
		Bound:        m.Bound,
		Random:       random,
	}
}

// Exponential is the mechanism that chooses values, with the loss that a count has under the same terms, but for its delta.
func (r *State) Exponential(t *policy.Table, s Sensitivity) (*mechanisms.Exponential, error) {
	return mechanisms.NewExponential(MechanismConfig(t, s, r.random))
}

// sensitivities are those that counts of a table can have.
func sensitivities(t *policy.Table) []Sensitivity {
	all := []Sensitivity{{1, 1}}
	if p := t.Person; p != nil {
		all = append(all, Sensitivity{p.Groups, 1}, Sensitivity{p.Rows, p.Rows})
	}
	return slices.Compact(all)
}

// personColumn is the column that tells persons apart, none if a row is a person.
func personColumn(t *policy.Table) string {
	if t.Person == nil {
		return ""
	}
	return t.Person.Column
}
