package residual

import (
	"io"
	"math"
	"math/big"
	"math/bits"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tacit/accountant/composition"
	"tacit/internal/battery"
	"tacit/policy"
)

// adult are the numbers of values of ten columns of the census file Adult.
var adult = []int{9, 16, 7, 15, 6, 5, 2, 42, 2, 10}

// upTo are all marginals of so many columns, each with the weight 1.
func upTo(columns, least, most int) []Marginal {
	var marginals []Marginal
	for s := range set(1) << columns {
		if n := bits.OnesCount64(uint64(s)); n >= least && n <= most {
			marginals = append(marginals, Marginal{s.columns(), 1})
		}
	}
	return marginals
}

func workloadOf(t testing.TB, sizes []int, marginals []Marginal) *Workload {
	t.Helper()
	w, err := NewWorkload(sizes, marginals)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// cells is how many all marginals have.
func (w *Workload) cells() float64 {
	sum := 0.0
	for k := range w.sets {
		sum += w.Cells(k)
	}
	return sum
}

// total is the sum of the weighted variances of all cells.
func (w *Workload) total(variance func(marginal int) float64) float64 {
	sum := 0.0
	for k, m := range w.marginals {
		sum += m.Weight * w.Cells(k) * variance(k)
	}
	return sum
}

func requireNear(t testing.TB, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s is %v and not %v", what, got, want)
	}
}

// full is the set of all columns.
func (w *Workload) full() set { return set(1)<<len(w.sizes) - 1 }

// marginalMatrix has a row for each cell of a marginal, and a column for each cell of the full table.
func (w *Workload) marginalMatrix(s set) *mat.Dense {
	m := mat.NewDense(int(w.product(s)), int(w.product(w.full())), nil)
	w.walk(w.full(), s, func(cell, part int) { m.Set(part, cell, 1) })
	return m
}

// residualMatrix is Q_A, written out again as a Kronecker product.
func (w *Workload) residualMatrix(a set) *mat.Dense {
	product := mat.NewDense(1, 1, []float64{1})
	for i, n := range w.sizes {
		factor := mat.NewDense(1, n, nil)
		if a.has(i) {
			factor = mat.NewDense(n, n, nil)
		}
		factor.Apply(func(j, k int, _ float64) float64 {
			switch {
			case !a.has(i):
				return 1
			case w.bases[i] != nil:
				return float64(w.bases[i].queries[j*n+k])
			case j == k:
				return float64(n - 1)
			}
			return -1
		}, factor)
		var next mat.Dense
		next.Kronecker(product, factor)
		product = &next
	}
	return product
}

// inverseCovariance is the sum over A of Q_A' Q_A/V_A, whose quadratic form is 2 rho.
func (s *Strategy) inverseCovariance() *mat.Dense {
	w := s.workload
	n := int(w.product(w.full()))
	sum := mat.NewDense(n, n, nil)
	for i, a := range w.residuals {
		q := w.residualMatrix(a)
		var square mat.Dense
		square.Mul(q.T(), q)
		square.Scale(1/(s.variances[i]*w.scale(a)*w.scale(a)), &square)
		sum.Add(sum, &square)
	}
	return sum
}

// quadratic is d' m d.
func quadratic(m *mat.Dense, d []float64) float64 {
	v := mat.NewVecDense(len(d), d)
	return mat.Inner(v, m, v)
}

func mechanismOf(t testing.TB, s *Strategy, rho float64, adjacency policy.Adjacency, rows int64, random io.Reader) *Mechanism {
	t.Helper()
	m, err := s.Mechanism(Config{Rho: new(big.Rat).SetFloat64(rho), Adjacency: adjacency, Rows: rows, Random: random})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// tablesOf are the marginals of a full table.
func (w *Workload) tablesOf(histogram []int64) [][]int64 {
	var tables [][]int64
	for _, s := range w.sets {
		table := make([]int64, int(w.product(s)))
		w.walk(w.full(), s, func(cell, part int) { table[part] += histogram[cell] })
		tables = append(tables, table)
	}
	return tables
}

// released are the noisy integers of each residual: what Measure makes everything of.
func (m *Mechanism) released(tables [][]int64) [][]int64 {
	var all [][]int64
	for i, a := range m.strategy.workload.residuals {
		noisy := m.strategy.workload.residual(a, tables)
		m.addNoise(i, noisy)
		all = append(all, noisy)
	}
	return all
}

var seeded = battery.Seeded

func ratio(r composition.Ratio) float64 { return float64(r.Numerator) / float64(r.Denominator) }
