package contingency

import (
	"math"

	"tacit/examples/papers/contingency/suppressor"
	"tacit/mechanisms/sampling"
)

// tables is how many tables of figure 5 are drawn.
const tables = 20

// tenByTen draws who is in the table of figure 5: ten by ten cells of 80 to 200 people, about 10,000 in all, with priors from 0.3 to 0.5, of each
// cell, or of each column.
func tenByTen(bits *sampling.Bits, byColumn bool) suppressor.Table {
	t := suppressor.Table{Rows: 10, Columns: 10}
	prior := func() float64 {
		bits.Start()
		return float64(30+bits.Below(21)) / 100
	}
	columns := make([]float64, t.Columns)
	for j := range columns {
		columns[j] = prior()
	}
	for i := range t.Rows * t.Columns {
		bits.Start()
		g := suppressor.Group{People: 80 + int(min(120, bits.Geometric(1, 20))), Prior: columns[i%t.Columns]}
		if !byColumn {
			g.Prior = prior()
		}
		t.Cells = append(t.Cells, suppressor.Cell{g})
	}
	return t
}

// distorted is the share of cells that are off by more than a quarter.
func distorted(values []int, noisy []float64) float64 {
	n := 0
	for i, v := range values {
		if math.Abs(noisy[i]-float64(v)) > 0.25*float64(v) {
			n++
		}
	}
	return float64(n) / float64(len(values))
}
