package paper

import (
	"errors"
	"math"
	"testing"

	"tacit/internal/battery"
)

// A least-squares fit is where the squares have no slope.
func TestLeastSquares(t *testing.T) {
	cells, rows, columns, total := []float64{3, -1, 4, 1, 5, 9}, []float64{2, 20}, []float64{3, 5, 9}, 18.0
	squares := func(x []float64) float64 {
		table := Table{Rows: 2, Columns: 3}
		sum := func(r Region) (s float64) {
			for i := r.Top; i < r.Bottom; i++ {
				for j := r.Left; j < r.Right; j++ {
					s += x[i*3+j]
				}
			}
			return s
		}
		s := math.Pow(sum(table.All())-total, 2)
		for i := range rows {
			s += math.Pow(sum(table.Row(i))-rows[i], 2)
		}
		for j := range columns {
			s += math.Pow(sum(table.Column(j))-columns[j], 2)
		}
		for i := range cells {
			s += math.Pow(x[i]-cells[i], 2)
		}
		return s
	}
	x := leastSquares(cells, rows, columns, total)
	const step = 1e-3
	for i := range x {
		x[i] += step
		up := squares(x)
		x[i] -= 2 * step
		down := squares(x)
		x[i] += step
		if slope := (up - down) / (2 * step); math.Abs(slope) > 1e-8 {
			t.Errorf("slope %v in cell %d", slope, i)
		}
	}
}

// The noise on a cell is discrete Laplace of scale 1/epsilon: P(|Z| >= k) = 2 a^k/(1+a).
func TestCellNoise(t *testing.T) {
	n := Noise{seeded(21), 1, 2}
	draws := make([]int64, 0, 4000)
	for range 1000 {
		noisy, err := n.Cells([]int{10, 20, 30, 40})
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range noisy {
			draws = append(draws, int64(x)-int64(10*(i+1)))
		}
	}
	a := math.Exp(-0.5)
	d := battery.Distribution{
		PMF: func(z int64) float64 { return (1 - a) / (1 + a) * math.Pow(a, math.Abs(float64(z))) },
		Upper: func(k int64) float64 {
			if k > 0 {
				return math.Pow(a, float64(k)) / (1 + a)
			}
			return 1 - math.Pow(a, float64(1-k))/(1+a)
		},
	}
	if statistic, freedom := battery.ChiSquared(d, draws); statistic >= battery.Limit(freedom) {
		t.Errorf("chi-squared %v with %d degrees of freedom", statistic, freedom)
	}
	if _, err := (Noise{seeded(21), 0, 2}).Perturb(equal(), []int{1, 1, 1, 1}); !errors.Is(err, ErrNoise) {
		t.Errorf("no epsilon: %v", err)
	}
}

// A perturbed table is whole and not negative.
func TestPerturb(t *testing.T) {
	table := Table{Rows: 10, Columns: 10, Cells: make([]Cell, 100)}
	values := make([]int, 100)
	for i := range values {
		values[i] = i % 7
	}
	noisy, err := Noise{seeded(22), 1, 2}.Perturb(table, values)
	if err != nil {
		t.Fatal(err)
	}
	off := 0
	for i, x := range noisy {
		if x < 0 || x != math.Trunc(x) {
			t.Errorf("cell %d: %v", i, x)
		}
		if x != float64(values[i]) {
			off++
		}
	}
	if off < 50 {
		t.Errorf("%d cells are perturbed", off)
	}
}
