package residual

import (
	"testing"

	"tacit/policy"
)

// The workload of these benchmarks is all marginals of up to three of ten columns: 176 of them, with 135,253 cells.

func BenchmarkLeastTotal(b *testing.B) {
	for b.Loop() {
		w := workloadOf(b, adult, upTo(10, 0, 3))
		w.LeastTotal().Loss(policy.ReplaceOne)
	}
}

func BenchmarkLeastGreatest(b *testing.B) {
	for b.Loop() {
		if _, _, err := workloadOf(b, adult, upTo(10, 0, 3)).LeastGreatest(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMeasure(b *testing.B) {
	m, tables := ofAdult(b)
	for b.Loop() {
		if _, err := m.Measure(tables); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReconstruct(b *testing.B) {
	m, tables := ofAdult(b)
	measured, err := m.Measure(tables)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for k := range tables {
			measured.Marginal(k)
			m.Strategy().Variance(k)
		}
	}
}

func ofAdult(b *testing.B) (*Mechanism, [][]int64) {
	w := workloadOf(b, adult, upTo(10, 0, 3))
	tables := make([][]int64, len(w.sets))
	for k := range tables {
		tables[k] = make([]int64, int(w.Cells(k)))
	}
	return mechanismOf(b, w.LeastTotal(), 0.5, policy.AddRemove, 1, seeded(1)), tables
}

// BenchmarkNonnegative fits noise alone: a table with nobody in it.
func BenchmarkNonnegative(b *testing.B) {
	m, tables := ofAdult(b)
	measured, err := m.Measure(tables)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		measured.Nonnegative()
	}
}
