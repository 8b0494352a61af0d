package live

import (
	"slices"
	"strings"

	"tacit/policy"
	"tacit/release/internal/cells"
	"tacit/rewrite/query"
)

// Moves reports whether a key may change where a person's quasi-identifiers alone do: it is one, or is computed of one and whatever else,
// or is a column of a public table whose row is found by one.
func Moves(t *policy.Table, q *query.BoundQuery, key *query.Column) bool {
	return slices.ContainsFunc(key.Origins(), func(c *query.Column) bool {
		table, ok := q.TableOf(c)
		return ok && table == t.Name && slices.Contains(t.Mechanism.Quasi, c.Name)
	})
}

// BlocksOf groups cells that agree in every key but those that move, for a mechanism that swaps them; nil for others. So the cells of two
// persons who differ in quasi-identifiers alone are in one block, as mechanisms.SwappingDelta wants it.
func BlocksOf(t *policy.Table, q *query.BoundQuery, keys [][]query.Value, cellCount int) [][]int {
	if t.Mechanism.Kind != policy.DPSwapping {
		return nil
	}
	var fixed [][]query.Value
	for i, k := range q.Keys {
		if !Moves(t, q, k) {
			fixed = append(fixed, keys[i])
		}
	}
	index := make(map[string]int)
	var blocks [][]int
	var b strings.Builder
	cell := make([]query.Value, len(fixed))
	for i := range cellCount {
		for j := range fixed {
			cell[j] = fixed[j][i]
		}
		key := cells.CellKey(&b, cell)
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
