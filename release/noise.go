package release

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"tacit/mechanisms"
	"tacit/policy"
	"tacit/rewrite"
)

// A sensitivity is the most by which one person more changes a count: all its cells together, and any one of them (see
// rewrite.BoundQuery.Sensitivity and PerCell).
type sensitivity struct{ cells, perCell int }

func (s sensitivity) compare(other sensitivity) int {
	return cmp.Or(cmp.Compare(s.cells, other.cells), cmp.Compare(s.perCell, other.perCell))
}

func sensitivityOf(q *rewrite.BoundQuery, c rewrite.Count) sensitivity {
	return sensitivity{q.Sensitivity(c), q.PerCell(c)}
}

// newMechanisms returns the mechanisms of a table's counts by their sensitivity. Every count costs the same loss; what grows with the
// sensitivity is the noise.
func newMechanisms(t *policy.Table, random io.Reader) (map[sensitivity]*mechanisms.Mechanism, error) {
	made := make(map[sensitivity]*mechanisms.Mechanism)
	if t.Mechanism.Kind == policy.Audit { // shows counts as they are, or not at all
		return made, nil
	}
	for _, s := range sensitivities(t) {
		m, err := mechanisms.New(mechanismConfig(t, s, random))
		if err != nil {
			return nil, fmt.Errorf("table %s: kind %s, for persons who change a count by %d: %w", t.Name, t.Mechanism.Kind, s.cells, err)
		}
		made[s] = m
	}
	return made, nil
}

func mechanismConfig(t *policy.Table, s sensitivity, random io.Reader) mechanisms.Config {
	m := t.Mechanism
	return mechanisms.Config{
		Kind:         m.Kind,
		Epsilon:      m.Epsilon,
		Delta:        m.Delta,
		Adjacency:    t.Adjacency,
		Sensitivity:  int64(s.cells),
		PerCell:      int64(s.perCell),
		KeepNegative: m.KeepNegative,
		Calibration:  m.Calibration,
		K:            m.K,
		Fill:         m.Fill,
		Bound:        m.Bound,
		Random:       random,
	}
}

// sensitivities are those that counts of a table can have.
func sensitivities(t *policy.Table) []sensitivity {
	all := []sensitivity{{1, 1}}
	if p := t.Person; p != nil {
		all = append(all, sensitivity{p.Groups, 1}, sensitivity{p.Rows, p.Rows})
	}
	return slices.Compact(all)
}

// moves reports whether a key may change where a person's quasi-identifiers alone do: it is one, or is computed of one and whatever else,
// or is a column of a public table whose row is found by one.
func moves(t *policy.Table, q *rewrite.BoundQuery, key *rewrite.Column) bool {
	return slices.ContainsFunc(key.Origins(), func(c *rewrite.Column) bool {
		table, ok := q.TableOf(c)
		return ok && table == t.Name && slices.Contains(t.Mechanism.Quasi, c.Name)
	})
}

// blocksOf groups cells that agree in every key but those that move, for a mechanism that swaps them; nil for others. So the cells of two
// persons who differ in quasi-identifiers alone are in one block, as mechanisms.SwappingDelta wants it.
func blocksOf(t *policy.Table, q *rewrite.BoundQuery, keys [][]rewrite.Value, cells int) [][]int {
	if t.Mechanism.Kind != policy.DPSwapping {
		return nil
	}
	var fixed [][]rewrite.Value
	for i, k := range q.Keys {
		if !moves(t, q, k) {
			fixed = append(fixed, keys[i])
		}
	}
	index := make(map[string]int)
	var blocks [][]int
	var b strings.Builder
	cell := make([]rewrite.Value, len(fixed))
	for i := range cells {
		for j := range fixed {
			cell[j] = fixed[j][i]
		}
		key := cellKey(&b, cell)
		block, ok := index[key]
		if !ok {
			block = len(blocks)
			index[key] = block
			blocks = append(blocks, nil)
		}
		blocks[block] = append(blocks[block], i)
	}
	return blocks
}

// personColumn is the column that tells persons apart, none if a row is a person.
func personColumn(t *policy.Table) string {
	if t.Person == nil {
		return ""
	}
	return t.Person.Column
}
