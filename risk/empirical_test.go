package risk

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// drawDirichlet draws proportions by normed gamma variables (Marsaglia and Tsang 2000).
func drawDirichlet(r *rand.Rand, alpha []float64) []float64 {
	p := make([]float64, len(alpha))
	sum := 0.0
	for k, a := range alpha {
		p[k] = drawGamma(r, a)
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
	return p
}

func drawGamma(r *rand.Rand, a float64) float64 {
	if a < 1 {
		return drawGamma(r, a+1) * math.Pow(r.Float64(), 1/a)
	}
	d := a - 1./3
	for {
		x := r.NormFloat64()
		v := 1 + x/math.Sqrt(9*d)
		if v = v * v * v; v > 0 && math.Log(r.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

// drawCells draws cells of so many records.
func drawCells(r *rand.Rand, alpha []float64, sizes []int64) [][]int64 {
	cells := make([][]int64, len(sizes))
	for i, n := range sizes {
		p := drawDirichlet(r, alpha)
		cells[i] = make([]int64, len(alpha))
		for range n {
			k, u := 0, r.Float64()
			for ; k < len(p)-1 && u >= p[k]; k++ {
				u -= p[k]
			}
			cells[i][k]++
		}
	}
	return cells
}

// With 1000 tables of 60 cells, the mean of r = 1/(1+alpha.) differs from the truth by less than 6 of its standard errors, which fails
// wrongly with a probability of 2e-9 for a normal mean; the plain estimate, without the c_i, is off by more than that: by
// 6 percent.
func TestEstimateDirichletIsUnbiased(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	alpha := []float64{0.8, 1.5, 2.2}
	truth := 1 / (1 + 4.5)
	sizes := make([]int64, 60)
	for i := range sizes {
		sizes[i] = int64(2 + i%9)
	}
	const tables = 1000
	var sum, squares float64
	for range tables {
		table, err := NewTable(3, drawCells(r, alpha, sizes))
		if err != nil {
			t.Fatal(err)
		}
		got, err := table.EstimateDirichlet()
		if err != nil {
			t.Fatal(err)
		}
		x := 1 / (1 + got[0] + got[1] + got[2])
		sum += x
		squares += x * x
	}
	mean := sum / tables
	deviation := math.Sqrt((squares/tables - mean*mean) / tables)
	if math.Abs(mean-truth) > 6*deviation {
		t.Errorf("mean of r is %v with standard error %v, want %v", mean, deviation, truth)
	}
	if deviation > 0.02*truth {
		t.Errorf("standard error %v says nothing", deviation)
	}
}

// The estimate by its formula, in floating point.
func TestEstimateDirichletFormula(t *testing.T) {
	cells := [][]int64{{3, 1, 0, 0}, {0, 0, 2, 0}, {1, 1, 2, 0}, {6, 2, 0, 0}, {1, 3, 9, 0}, {4, 0, 0, 0}, {2, 2, 1, 0}}
	var n, squares float64
	var each [4]float64
	sizes := make([]float64, len(cells))
	for i, counts := range cells {
		for k, c := range counts {
			sizes[i] += float64(c)
			each[k] += float64(c)
		}
		n += sizes[i]
		squares += sizes[i] * sizes[i]
	}
	var spread, chance float64
	for k := range each {
		p := each[k] / n
		chance += p * (1 - p)
		for i, counts := range cells {
			spread += math.Pow(float64(counts[k])-sizes[i]*p, 2)
		}
	}
	ratio := spread / chance
	above, below := ratio*(1-1/n), ratio*(squares-n)/(n*n)
	for _, size := range sizes {
		c := 1 - 2*size/n + squares/(n*n)
		above -= c * size
		below += c * size * (size - 1)
	}
	r := above / below
	table, err := NewTable(4, cells)
	if err != nil {
		t.Fatal(err)
	}
	alpha, err := table.EstimateDirichlet()
	if err != nil {
		t.Fatal(err)
	}
	for k := range alpha {
		agree(t, fmt.Sprintf("alpha %d", k), alpha[k], each[k]/n*(1/r-1))
	}
}

func TestEstimateDirichletRefuses(t *testing.T) {
	for name, cells := range map[string][][]int64{
		"homogeneous cells":   {{3, 0}, {0, 4}, {0, 1}, {7, 0}},
		"even cells":          {{5, 5}, {3, 3}, {4, 4}, {6, 6}},
		"one label":           {{5, 0}, {3, 0}},
		"no cells":            nil,
		"one cell":            {{5, 2}},
		"cells of one record": {{1, 0}, {0, 1}, {1, 0}},
	} {
		table, err := NewTable(2, cells)
		if err != nil {
			t.Fatal(err)
		}
		if alpha, err := table.EstimateDirichlet(); err == nil {
			t.Errorf("%s: estimated %v", name, alpha)
		}
	}
	table := tableOfSizes(map[int64]int64{3: 2})
	if _, err := table.EstimateDirichlet(); err == nil {
		t.Error("a table without moments is accepted")
	}
	table.Moments = []Moment{{Sum: 5, Squares: 13, Cross: 15}, {}}
	if _, err := table.EstimateDirichlet(); err == nil {
		t.Error("moments of another table are accepted")
	}
}
