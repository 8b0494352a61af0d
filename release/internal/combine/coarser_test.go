package combine

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tacit/mechanisms"
	"tacit/policy"
)

// crossed are designs of 2 by 3 counts, in row-major order: finer estimates by how many cells they add up, and coarser ones by the counts that they add up.
var crossed = []struct {
	name  string
	added [][]int
	of    [][][]int
}{
	{"rows", [][]int{{40, 40, 40, 40, 40, 40}}, [][][]int{{{0, 1, 2}, {3, 4, 5}}}},
	{"rows and columns", [][]int{{9, 9, 9, 9, 9, 9}}, [][][]int{{{0, 1, 2}, {3, 4, 5}}, {{0, 3}, {1, 4}, {2, 5}}}},
	{"total", [][]int{{100, 100, 100, 100, 100, 100}}, [][][]int{{{0, 1, 2, 3, 4, 5}}}},
	{"two finer ones", [][]int{{8, 8, 8, 8, 8, 8}, {8, 8, 8, 8, 8, 8}}, [][][]int{{{0, 3}, {1, 4}, {2, 5}}}},
	{"unlike cells", [][]int{{5, 5, 5, 20, 20, 20}}, [][][]int{{{0, 3}, {1, 4}, {2, 5}}}},
}

// designed has the counts of a table, without noise if errors is nil. Each noisy cell has an error of its own.
func designed(added [][]int, of [][][]int, truth []int64, errors func() int64) (estimates []Estimate) {
	for _, cells := range added {
		e := Estimate{Counts: slices.Clone(truth), Added: cells}
		for i, n := range cells {
			for range n {
				if errors != nil {
					e.Counts[i] += errors()
				}
			}
		}
		estimates = append(estimates, e)
	}
	for _, groups := range of {
		e := Estimate{Of: groups}
		for _, group := range groups {
			sum := int64(0)
			for _, i := range group {
				sum += truth[i]
			}
			if errors != nil {
				sum += errors()
			}
			e.Counts = append(e.Counts, sum)
		}
		estimates = append(estimates, e)
	}
	return estimates
}

// TestFitIsLeastSquares compares the variance of each fitted count with that of the generalised least squares solution, found by normal equations over all noisy sums. It fails if
// weights are others, but for their rounding, or if the error that is told is not that of the weights. Without noise the counts are the true ones.
func TestFitIsLeastSquares(t *testing.T) {
	noise := noiseOf(t, policy.Gaussian, 0.05, true)
	truth := []int64{7, 0, 300, 12, 5, 41}
	one, _ := noise.SumWithin(1, big.NewRat(1, 20))
	for _, c := range crossed {
		m := bestOf(t, noise, designed(c.added, c.of, truth, nil), 0)
		if !m.Fitted() || len(m.Sources) != len(c.added)+len(c.of) {
			t.Fatalf("%s: of %v", c.name, m.Sources)
		}
		if !slices.Equal(m.Counts, truth) {
			t.Errorf("%s: without noise %v, not %v", c.name, m.Counts, truth)
		}
		information := mat.NewSymDense(len(truth), nil)
		for _, cells := range c.added {
			for i, n := range cells {
				information.SetSym(i, i, information.At(i, i)+1/float64(n))
			}
		}
		for _, groups := range c.of {
			for _, group := range groups {
				q := mat.NewVecDense(len(truth), nil)
				for _, i := range group {
					q.SetVec(i, 1)
				}
				information.SymRankOne(information, 1, q)
			}
		}
		var least mat.Dense
		if err := least.Inverse(information); err != nil {
			t.Fatal(err)
		}
		for i, of := range m.of {
			got := m.kinds[of].variance()
			if want := least.At(i, i); got < want*(1-1e-9) || got > want*1.03 {
				t.Errorf("%s: count %d has the variance %v, the least is %v", c.name, i, got, want)
			}
			w, _ := m.Within(i, big.NewRat(1, 20))
			if want := float64(one) * math.Sqrt(got); math.Abs(float64(w)-want) > 0.02*want+1 {
				t.Errorf("%s: count %d is within ±%d, want ±%v", c.name, i, w, want)
			}
		}
	}
}

// TestFitBySimulation: fitted counts, and totals of them, are off by more than is told no more often than in 5% of the draws; see TestErrorBySimulation for the margin.
func TestFitBySimulation(t *testing.T) {
	const n = 4000
	margin := math.Sqrt(math.Log(1e6) / (2 * n))
	for _, keepNegative := range []bool{true, false} {
		noise := noiseOf(t, policy.Geometric, 0.1, keepNegative)
		for _, c := range crossed[:3] {
			name := fmt.Sprintf("%s, keep negative %t", c.name, keepNegative)
			m, ok := meanOf(t.Context(), noise, designed(c.added, c.of, make([]int64, 6), nil), sourcesOf(len(c.added)+len(c.of)))
			if !ok {
				t.Fatal(name)
			}
			cells := 0
			for _, added := range c.added {
				for _, of := range added {
					cells += of
				}
			}
			for _, of := range c.of {
				cells += len(of)
			}
			total, _ := m.TotalWithin(3, big.NewRat(1, 20))
			exceeded, totals := 0, 0
			for range n {
				drawn, err := noise.Sanitize(mechanisms.Histogram{Counts: make([]int64, cells)})
				if err != nil {
					t.Fatal(err)
				}
				next := 0
				m.addUpFitted(designed(c.added, c.of, make([]int64, 6), func() int64 { next++; return drawn.Counts[next-1] }))
				w, _ := m.Within(0, big.NewRat(1, 20))
				if max(m.Counts[0], -m.Counts[0]) > w {
					exceeded++
				}
				if sum := m.Counts[0] + m.Counts[1] + m.Counts[2]; max(sum, -sum) > total {
					totals++
				}
			}
			share, ofTotals := float64(exceeded)/n, float64(totals)/n
			if share > 0.05+margin || keepNegative && share < 0.03-margin || ofTotals > 0.05+margin {
				t.Errorf("%s: the ± is exceeded by %v of counts, and by %v of totals", name, share, ofTotals)
			}
		}
	}
}

func sourcesOf(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

// TestCoarserEstimates: a coarser one has a part where it makes the error less by more than 5%, whether it was recorded before or after the finer one; by itself it is no
// answer. An answer changes only for a better one.
func TestCoarserEstimates(t *testing.T) {
	noise := noiseOf(t, policy.Geometric, 0.02, true)
	truth := []int64{10, 20}
	finer, rows := designed([][]int{{50, 50}}, nil, truth, nil)[0], Estimate{Counts: []int64{36}, Of: [][]int{{0, 1}}}
	for _, estimates := range [][]Estimate{{finer, rows}, {rows, finer}} {
		m := bestOf(t, noise, estimates, 0)
		if !slices.Equal(m.Sources, []int{0, 1}) || !slices.Equal(m.Counts, []int64{13, 23}) {
			t.Errorf("%v of %v", m.Counts, m.Sources)
		}
	}
	if m := bestOf(t, noise, []Estimate{rows}, 0); m != nil {
		t.Errorf("of a coarser one alone: %+v", m)
	}
	// Of a total of many counts little is known about each.
	many := Estimate{Counts: make([]int64, 40), Added: slices.Repeat([]int{9}, 40)}
	if m := bestOf(t, noise, []Estimate{many, {Counts: []int64{0}, Of: [][]int{sourcesOf(40)}}}, 0); len(m.Sources) != 1 {
		t.Errorf("a total of 40: %v", m.Sources)
	}
	exact := designed([][]int{{1, 1}}, nil, truth, nil)[0]
	if m := bestOf(t, noise, []Estimate{finer, rows, exact}, 0); len(m.Sources) != 1 && m.HalfWidth95() >= bestOf(t, noise, []Estimate{exact}, 0).HalfWidth95() {
		t.Errorf("a finer one that is exact: %v", m.Sources)
	}
	large := Estimate{Counts: make([]int64, MostFitted+1), Added: slices.Repeat([]int{9}, MostFitted+1)}
	if m := bestOf(t, noise, []Estimate{large, {Counts: []int64{0}, Of: [][]int{sourcesOf(MostFitted + 1)}}}, 0); m.Fitted() {
		t.Error("more counts are fitted than is said")
	}
	var estimates []Estimate
	var before *Mean
	for i := range 6 {
		estimates = append(estimates, designed([][]int{{60 - i, 60 - i}}, nil, truth, nil)[0], rows)
		m := bestOf(t, noise, estimates, 0)
		if again := bestOf(t, noise, slices.Clone(estimates), 0); !slices.Equal(again.Counts, m.Counts) {
			t.Fatal("one question has two answers")
		}
		if before != nil && !slices.Equal(before.Sources, m.Sources) && 100*m.HalfWidth95() >= 95*before.HalfWidth95() {
			t.Errorf("from ±%d to ±%d", before.HalfWidth95(), m.HalfWidth95())
		}
		before = m
	}
}
