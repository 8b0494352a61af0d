package utility

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"tacit/internal/battery"
	"tacit/mechanisms"
	"tacit/policy"
)

// bankruptcy is a table of the size of Liu and Zhao's: six variables of three levels, 250 persons.
func bankruptcy(t testing.TB) (original, sanitized *Histogram) {
	r := seeded(10)
	original, sanitized = table(t, nil, 3, 3, 3, 3, 3, 3), table(t, nil, 3, 3, 3, 3, 3, 3)
	for range 250 {
		original.Counts[r.IntN(729)]++
		sanitized.Counts[r.IntN(729)]++
	}
	return original, sanitized
}

// national is a table of the size of the national excerpt of Das et al.: 20 PUMAs, 9 races, 2 sexes, 3 kinds of ownership, 3 levels of income;
// 27,253 persons, half of the cells without any.
func national(t testing.TB) *Histogram {
	r := seeded(11)
	h := table(t, nil, 20, 9, 2, 3, 3)
	for range 27_253 {
		h.Counts[int(float64(len(h.Counts))*math.Pow(r.Float64(), 4))]++
	}
	return h
}

// All 6, 15 and 20 marginals of one release, and how much longer it takes to go through the cells for each of them.
func BenchmarkMarginalTVDs(b *testing.B) {
	original, sanitized := bankruptcy(b)
	b.Run("41 marginals", func(b *testing.B) {
		for b.Loop() {
			if _, err := MarginalTVDs(original, sanitized, 3); err != nil {
				b.Fatal(err)
			}
		}
	})
	marginals, err := MarginalTVDs(original, sanitized, 3)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("41 marginals, naive peer: each from all cells", func(b *testing.B) {
		for b.Loop() {
			for _, m := range slices.Concat(marginals...) {
				var names []string
				for _, v := range m.Variables {
					names = append(names, original.Domain[v].Name)
				}
				before, _ := original.Marginal(names...)
				after, _ := sanitized.Marginal(names...)
				if tvd, err := TVD(before.Counts, after.Counts); err != nil || tvd != m.TVD {
					b.Fatal(tvd, err)
				}
			}
		}
	})
	wide := national(b)
	noisy := national(b)
	b.Run("25 marginals of 3,240 cells", func(b *testing.B) {
		for b.Loop() {
			if _, err := MarginalTVDs(wide, noisy, 3); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// One mechanism at one epsilon on the national table, 200 releases: drawing them, and everything that the papers' tables say of them.
func BenchmarkRepetitions(b *testing.B) {
	h := national(b)
	counts, err := h.Integers()
	if err != nil {
		b.Fatal(err)
	}
	m, err := mechanisms.New(mechanisms.Config{Kind: policy.Laplace, Epsilon: 1e9, Adjacency: policy.ReplaceOne, Sensitivity: 1, PerCell: 1, Random: battery.Seeded(1)})
	if err != nil {
		b.Fatal(err)
	}
	var shown []mechanisms.Cells
	b.Run("200 releases drawn", func(b *testing.B) {
		for b.Loop() {
			shown = shown[:0]
			for range 200 {
				cells, err := m.Sanitize(mechanisms.Histogram{Counts: counts})
				if err != nil {
					b.Fatal(err)
				}
				shown = append(shown, cells)
			}
		}
	})
	b.Run("200 releases measured", func(b *testing.B) {
		for b.Loop() {
			r := NewRepetitions(h.Counts)
			for _, cells := range shown {
				s, err := h.Sanitized(cells, 0)
				if err != nil {
					b.Fatal(err)
				}
				if err := r.Add(s.Counts); err != nil {
					b.Fatal(err)
				}
				if _, err := CountUniqueMatches(counts, cells); err != nil {
					b.Fatal(err)
				}
			}
			summary(b, r)
		}
	})
}

// rowsOf are the persons of a table: the active levels, and whether the target is positive.
func rowsOf(h *Histogram) (rows [][]int, positive []bool) {
	for cell, n := range h.Counts {
		var active []int
		rest, base := cell, 0
		for v := len(h.Domain) - 1; v >= 0; v-- {
			size := len(h.Domain[v].Levels)
			if v > 0 { // the target is first
				active = append(active, base+rest%size)
				base += size
			}
			rest /= size
		}
		for range int(n) {
			rows, positive = append(rows, active), append(positive, rest == 0 && cell >= len(h.Counts)/2)
		}
	}
	return rows, positive
}

// descend is gradient descent over rows, as a beginner has it.
func descend(rows [][]int, positive []bool, coefficients, steps int) []float64 {
	x := make([]float64, coefficients+1)
	for range steps {
		gradient := make([]float64, len(x))
		for i, active := range rows {
			z := x[coefficients]
			for _, a := range active {
				z += x[a]
			}
			slope := logistic(z)
			if positive[i] {
				slope--
			}
			gradient[coefficients] += slope
			for _, a := range active {
				gradient[a] += slope
			}
		}
		for i := range x {
			ridge := x[i]
			if i == coefficients {
				ridge = 0
			}
			x[i] -= (gradient[i] + ridge) / float64(len(rows))
		}
	}
	return x
}

// The classification of Das et al.: income from race, age in 5 bins, sex and ownership, 23,006 persons; and how much longer 1,000 steps of gradient
// descent over the rows take, which are not at the minimum yet.
func BenchmarkTrainLogistic(b *testing.B) {
	r := seeded(12)
	h := table(b, nil, 2, 9, 5, 2, 3)
	for range 23_006 {
		cell := int(270 * math.Pow(r.Float64(), 3))
		if r.Float64() < logistic(float64(cell%7)-3) {
			cell += 270
		}
		h.Counts[cell]++
	}
	task := Task{Target: "a", Positive: "B"}
	b.Run("Newton over cells", func(b *testing.B) {
		for b.Loop() {
			if _, err := TrainLogistic(h, task); err != nil {
				b.Fatal(err)
			}
		}
	})
	rows, positive := rowsOf(h)
	b.Run(fmt.Sprintf("naive peer, gradient descent over %d rows", len(rows)), func(b *testing.B) {
		for b.Loop() {
			descend(rows, positive, 19, 1000)
		}
	})
}
