package assess

import (
	"math/rand/v2"
	"testing"

	"tacit/policy"
	"tacit/release/internal/live"
	"tacit/rewrite/query"
)

// BenchmarkAssessCurves takes as many cells as a policy allows by default, 100,000, with counts like those of a population.
func BenchmarkAssessCurves(b *testing.B) {
	const towns, labels = 10_000, 10
	r := rand.New(rand.NewPCG(1, 2))
	keys := make([][]query.Value, 2)
	counts, all := make([]int64, 0, towns*labels), make([]int, 0, towns*labels)
	for town := range towns {
		for label := range labels {
			keys[0] = append(keys[0], query.Value{Text: string(rune(town))})
			keys[1] = append(keys[1], query.Value{Text: string(rune(label))})
			all = append(all, len(counts))
			counts = append(counts, int64(r.ExpFloat64()*r.ExpFloat64()*60))
		}
	}
	cells := newTrueCells(counts, [][]int{all}, live.SensitivityOfRow)
	cells.attack = (&target{key: 1}).on(&assessedCells{keys: keys}, cells)
	if cells.attack.None != "" {
		b.Fatal(cells.attack.None)
	}
	table := &policy.Table{Adjacency: policy.AddRemove, Mechanism: policy.Mechanism{Kind: policy.Geometric, Epsilon: 5e8}}
	w := &assessing{
		query: &query.BoundQuery{Table: &query.Table{Policy: table}}, request: Request{Epsilons: []policy.Epsilon{5e8}, Delta: 1e12, K: 6},
	}
	for b.Loop() {
		if curves, _ := w.curves(b.Context(), cells); len(curves) != len(policy.Kinds) {
			b.Fatal(len(curves))
		}
	}
}
