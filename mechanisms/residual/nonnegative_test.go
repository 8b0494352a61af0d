package residual

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tacit/policy"
)

// fitCases are small enough for all sets of cells that may be 0 to be tried.
var fitCases = []struct {
	name      string
	sizes     []int
	marginals []Marginal
	ranges    [][]int
	counts    []int64 // of the full table
}{
	{"one marginal", []int{2, 3}, []Marginal{{[]int{0, 1}, 1}, {[]int{0}, 1}, {nil, 1}}, nil, []int64{0, 0, 9, 1, 0, 2}},
	{"two that share a column", []int{2, 2, 2}, []Marginal{{[]int{0, 1}, 1}, {[]int{1, 2}, 2}}, nil, []int64{5, 0, 0, 0, 1, 0, 0, 0}},
	{"three ways around", []int{2, 2, 2}, []Marginal{{[]int{0, 1}, 1}, {[]int{1, 2}, 1}, {[]int{0, 2}, 1}}, nil, []int64{4, 0, 0, 1, 0, 0, 0, 0}},
	{"nobody", []int{3, 2}, []Marginal{{[]int{0, 1}, 1}}, nil, []int64{0, 0, 0, 0, 0, 0}},
	{"apart", []int{4, 3}, []Marginal{{[]int{0}, 1}, {[]int{1}, 1}}, nil, []int64{3, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0}},
	{"ranges", []int{5, 2}, []Marginal{{[]int{0, 1}, 1}, {[]int{1}, 1}}, [][]int{{0}, nil}, []int64{0, 7, 0, 0, 2, 0, 0, 0, 0, 1}},
}

// TestNonnegativeByEnumeration compares the fit with the nearest tables, found by trying which cells are 0.
func TestNonnegativeByEnumeration(t *testing.T) {
	for _, c := range fitCases {
		ranges := c.ranges
		if ranges == nil {
			ranges = make([][]int, len(c.marginals))
		}
		w, err := NewRangeWorkload(c.sizes, c.marginals, ranges)
		if err != nil {
			t.Fatal(err)
		}
		fitted := 0
		for seed := range byte(8) {
			m := mechanismOf(t, w.LeastTotal(), 0.05, policy.AddRemove, 1, seeded(1+seed))
			measured, err := m.Measure(w.tablesOf(c.counts))
			if err != nil {
				t.Fatal(err)
			}
			at, g, released := w.constraints(m.Strategy(), measured)
			want := nearestByEnumeration(t, g, released)
			fit := measured.Nonnegative()
			var got []float64
			for _, k := range at {
				got = append(got, fit.Marginal(k)...)
			}
			for i := range want {
				requireNear(t, c.name, got[i], want[i], 0.15) // the total may be lifted by a tenth, and distances be off by some hundredths
			}
			if slices.Min(released) < 0 {
				fitted++
			}
		}
		if fitted == 0 {
			t.Errorf("%s: nothing was below 0", c.name)
		}
	}
}

// constraints are the marginals that no other contains, the covariance of all their cells, and their cells as they were released.
func (w *Workload) constraints(s *Strategy, m *Measurement) (at []int, g *mat.Dense, released []float64) {
	var cells []Cell
	for k, of := range w.sets {
		if w.isWithin(of) {
			continue
		}
		at = append(at, k)
		table := m.Marginal(k)
		released = append(released, table...)
		for i := range table {
			cells = append(cells, w.cell(k, i))
		}
	}
	g = mat.NewDense(len(cells), len(cells), nil)
	g.Apply(func(i, j int, _ float64) float64 { return s.Covariance(cells[i], cells[j]) }, g)
	return at, g, released
}

// nearestByEnumeration is r + G l with l >= 0, r + G l >= 0 and l'(r + G l) = 0: the conditions of Karush, Kuhn and Tucker. Some l has cells whose
// rows of G are independent.
func nearestByEnumeration(t *testing.T, g *mat.Dense, r []float64) []float64 {
	t.Helper()
	const tolerance = 1e-7
	for which := range 1 << len(r) {
		var active []int
		for i := range r {
			if which>>i&1 == 1 {
				active = append(active, i)
			}
		}
		l := make([]float64, len(r))
		if n := len(active); n > 0 {
			part, right := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
			for i, a := range active {
				right.SetVec(i, -r[a])
				for j, b := range active {
					part.Set(i, j, g.At(a, b))
				}
			}
			var found mat.VecDense
			if found.SolveVec(part, right) != nil {
				continue
			}
			for i, a := range active {
				l[a] = found.AtVec(i)
			}
		}
		point := make([]float64, len(r))
		for i := range r {
			point[i] = r[i]
			for j := range r {
				point[i] += g.At(i, j) * l[j]
			}
		}
		if slices.Min(l) >= -tolerance && slices.Min(point) >= -tolerance {
			return point
		}
	}
	t.Fatal("no point meets the conditions")
	return nil
}

// TestNonnegativeMarginalsAgree takes a sparse table of more columns: no cell is below 0, tables over the same columns agree, and the true tables are no
// further away than from what was released. The same release has the same fit, and one without negative cells stays as it is.
func TestNonnegativeMarginalsAgree(t *testing.T) {
	w := workloadOf(t, []int{9, 6, 5, 2, 10}, upTo(5, 0, 3))
	counts := make([]int64, int(w.product(w.full())))
	for i := range counts {
		if i*i%97 == 0 {
			counts[i] = int64(i % 50)
		}
	}
	m := mechanismOf(t, w.LeastTotal(), 0.02, policy.AddRemove, 1, seeded(5))
	measured, err := m.Measure(w.tablesOf(counts))
	if err != nil {
		t.Fatal(err)
	}
	fit, again := measured.Nonnegative(), measured.Nonnegative()
	for i := range fit.tables {
		if !slices.Equal(fit.tables[i], again.tables[i]) {
			t.Fatal("two fits of one release differ")
		}
	}
	below := 0
	for k, s := range w.sets {
		table := fit.Marginal(k)
		if x := slices.Min(table); x < -1e-9 {
			t.Errorf("columns %v: a cell of %v", s.columns(), x)
		}
		if slices.Min(measured.Marginal(k)) < 0 {
			below++
		}
		for over := s; over != 0; {
			over = (over - 1) & s
			sums, part := make([]float64, int(w.product(over))), 0
			w.walk(s, over, func(cell, to int) { sums[to] += table[cell] })
			want, _ := fit.Over(over.columns())
			for part = range want {
				requireNear(t, "a sum of cells", sums[part], want[part], 1e-6)
			}
		}
	}
	if below < 10 {
		t.Errorf("%d marginals had cells below 0", below)
	}
	var exact [][]int64
	for _, a := range w.residuals {
		exact = append(exact, w.residual(a, w.tablesOf(counts)))
	}
	truth := m.Strategy().measurement(exact)
	if before, after := distance(truth, measured), distance(truth, fit); after > before {
		t.Errorf("the truth is %v from the fit, and %v from what was released", after, before)
	}
	kept := truth.Nonnegative()
	for i := range truth.tables {
		for j, x := range truth.tables[i] {
			requireNear(t, "what is not below 0", kept.tables[i][j], x, 1e-3) // but for the grid
		}
	}
}

// distance is that of two releases without bases, in which noise is alike in all directions.
func distance(a, b *Measurement) float64 {
	sum := 0.0
	for i := range a.tables {
		for j, x := range a.tables[i] {
			sum += square(x-b.tables[i][j]) / a.variances[i]
		}
	}
	return math.Sqrt(sum)
}
