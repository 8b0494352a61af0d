package residual

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/policy"
)

// TestOver makes the tables over all columns that a marginal has, and compares the variances of sums of their cells with those of the marginal's.
func TestOver(t *testing.T) {
	for _, c := range examples {
		w := c.workload(t)
		s := mechanismOf(t, w.LeastTotal(), 0.02, policy.AddRemove, 1, seeded(1)).Strategy()
		histogram := make([]int64, int(w.product(w.full())))
		for r := range histogram {
			histogram[r] = int64(1 + r*r*r%11)
		}
		var exact [][]int64
		for _, a := range w.residuals {
			exact = append(exact, w.residual(a, w.tablesOf(histogram)))
		}
		m := s.measurement(exact)
		for k, whole := range w.sets {
			for over := whole; ; over = (over - 1) & whole {
				want := make([]float64, int(w.product(over)))
				w.walk(w.full(), over, func(cell, part int) { want[part] += float64(histogram[cell]) })
				table, ok := m.Over(over.columns())
				if !ok || len(table) != len(want) {
					t.Fatalf("%v: columns %v: %d cells, %t", c, over.columns(), len(table), ok)
				}
				for i, x := range table {
					requireNear(t, fmt.Sprint(c, ": a cell"), x, want[i], 1e-9)
				}
				w.requireSpreads(t, s, k, over)
				if over == 0 {
					break
				}
			}
		}
		if _, ok := m.Over([]int{0, 1, 2, 3, 4, 5, 6}); ok || w.Covers([]int{63}) {
			t.Errorf("%v: columns that there are not", c)
		}
	}
}

// requireSpreads takes boxes of the first values of each column, of one and of all but one.
func (w *Workload) requireSpreads(t *testing.T, s *Strategy, marginal int, over set) {
	t.Helper()
	columns := over.columns()
	for _, fewer := range []int{0, 1} {
		var values []int
		for _, c := range columns {
			values = append(values, max(1, fewer*(w.sizes[c]-1)))
		}
		coefficients := make([]float64, int(w.Cells(marginal)))
		var cells []int
		in := func(cell int, sizes []int) bool {
			for i := len(sizes) - 1; i >= 0; i-- {
				if cell%sizes[i] >= values[i] {
					return false
				}
				cell /= sizes[i]
			}
			return true
		}
		for cell := range int(w.product(over)) {
			if in(cell, w.sizesOf(over)) {
				cells = append(cells, cell)
			}
		}
		w.walk(w.sets[marginal], over, func(cell, part int) {
			if in(part, w.sizesOf(over)) {
				coefficients[cell] = 1
			}
		})
		want := s.SumVariance(marginal, coefficients)
		var first [][]int
		for _, k := range values {
			first = append(first, nil)
			for v := range k {
				first[len(first)-1] = append(first[len(first)-1], v)
			}
		}
		box, ok := s.ValuesSpread(columns, first)
		if plain, ok := s.BoxSpread(columns, values); ok != (over&w.ranged() == 0) || ok && plain != box {
			t.Errorf("columns %v: %v by numbers of values, %v by values", columns, plain, box)
		}
		if worst, ok := s.WorstCell(columns); fewer == 0 && (!ok || worst.Variance < box.Variance*(1-1e-9)) {
			t.Errorf("columns %v: the worst cell has the variance %v, a cell %v", columns, worst.Variance, box.Variance)
		}
		sum, ok2 := s.SumSpread(columns, cells)
		if !ok || !ok2 {
			t.Fatalf("columns %v have no spread", columns)
		}
		requireNear(t, fmt.Sprint(columns, ": the variance of a box"), box.Variance, want, 1e-9*want)
		requireNear(t, fmt.Sprint(columns, ": the variance of a sum"), sum.Variance, want, 1e-9*want)
		if box.Within(0.05) != box.Within(0.05) || math.Abs(box.Within(0.05)-sum.Within(0.05)) > 1e-9*box.Within(0.05) {
			t.Errorf("columns %v: within %v and %v", columns, box.Within(0.05), sum.Within(0.05))
		}
	}
}

// TestWithinIsABound computes the distribution of a cell's error exactly: with one column of three values, 9 times the error is 3 X0 + 2 X1 - X2 - X3 with
// discrete Gaussian X. No share of the error may be beyond the bound, and with much noise the bound is near the least one.
func TestWithinIsABound(t *testing.T) {
	w := workloadOf(t, []int{3}, []Marginal{{[]int{0}, 1}})
	for _, rho := range []float64{8, 0.5, 0.02, 0.0005} {
		s := mechanismOf(t, w.LeastTotal(), rho, policy.AddRemove, 1, seeded(1)).Strategy()
		var law []float64 // of 9 times the error plus the middle
		law = []float64{1}
		add := func(variance float64, factor int) {
			d := discreteOf(variance)
			reach := int(d.reach())
			next := make([]float64, len(law)+2*reach*factor)
			for i, p := range law {
				for z := -reach; z <= reach; z++ {
					next[i+factor*(z+reach)] += p * d.probability(int64(z))
				}
			}
			law = next
		}
		total, column := s.variances[w.place[0]], s.variances[w.place[1]]*9
		add(total, 3)
		add(column, 2)
		add(column, 1)
		add(column, 1)
		spread, _ := s.BoxSpread([]int{0}, []int{1})
		for _, miss := range []float64{0.3, 0.05, 1e-4} {
			x := spread.Within(miss)
			beyond, least := 0.0, 0.0
			middle := len(law) / 2
			for i, p := range law {
				if math.Abs(float64(i-middle))/9 > x {
					beyond += p
				}
			}
			for tail, i := 0.0, 0; ; i++ {
				if tail += 2 * law[i]; tail > miss {
					least = float64(middle-i) / 9
					break
				}
			}
			if beyond > miss {
				t.Errorf("rho %v: the error is beyond %v with a probability of %v, more than %v", rho, x, beyond, miss)
			}
			if rho < 0.001 && x > 1.1*least {
				t.Errorf("rho %v: within %v, and %v would do", rho, x, least)
			}
		}
	}
}

// TestRecord makes a release again of what is kept of it, and refuses what is no record.
func TestRecord(t *testing.T) {
	w := workloadOf(t, []int{2, 3, 1, 4}, []Marginal{{[]int{0, 1}, 1}, {[]int{3}, 5}, {[]int{2, 1}, 1}})
	m := mechanismOf(t, w.LeastTotal(), 0.02, policy.ReplaceOne, 1, seeded(3))
	released, err := m.Measure(w.tablesOf(make([]int64, int(w.product(w.full())))))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(released.Record())
	if err != nil {
		t.Fatal(err)
	}
	read := func(change func(*Record)) (*Measurement, *Strategy, error) {
		t.Helper()
		var r Record
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatal(err)
		}
		change(&r)
		return r.Measurement()
	}
	again, s, err := read(func(*Record) {})
	if err != nil {
		t.Fatal(err)
	}
	for k := range w.sets {
		if diff := cmp.Diff(released.Marginal(k), again.Marginal(k)); diff != "" || s.Variance(k) != m.Strategy().Variance(k) {
			t.Errorf("marginal %d, of the variance %v instead of %v:\n%s", k, s.Variance(k), m.Strategy().Variance(k), diff)
		}
	}
	for name, change := range map[string]func(*Record){
		"a residual less":    func(r *Record) { r.Residuals = r.Residuals[1:] },
		"a residual twice":   func(r *Record) { r.Residuals[1] = r.Residuals[0] },
		"a number less":      func(r *Record) { r.Residuals[0].Noisy = r.Residuals[0].Noisy[1:] },
		"no variance":        func(r *Record) { r.Residuals[0].Variance = 0 },
		"other columns":      func(r *Record) { r.Residuals[0].Columns = []int{0, 3} },
		"a column too many":  func(r *Record) { r.Residuals[0].Columns = []int{70} },
		"other sizes":        func(r *Record) { r.Sizes[3] = 5 },
		"no marginals":       func(r *Record) { r.Marginals = nil },
		"a marginal besides": func(r *Record) { r.Marginals = append(r.Marginals, []int{0, 3}) },
	} {
		if _, _, err := read(change); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}
