package residual

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tacit/policy"
)

// TestLeastSquares fits by matrices: the variance of what is asked is q' (sum over k of W_k' W_k/s_k)^+ q, and the mean over all q of a marginal counts. It fails
// if the closed form says something else, or if it is not between what was measured and the bound. Without a fit, q adds up cells of variance s_k.
func TestLeastSquares(t *testing.T) {
	for _, c := range examples {
		w := c.workload(t)
		for _, adjacency := range []policy.Adjacency{policy.AddRemove, policy.ReplaceOne} {
			separate, fitted, cells := w.BestSplit(adjacency), w.LeastSquares(adjacency), w.cellsOfBestSplit(adjacency)
			equal, finest := w.EqualSplit(adjacency), w.FinestCells(adjacency)
			n := int(w.product(w.full()))
			information := mat.NewSymDense(n, nil)
			for k, s := range w.sets {
				rows := w.marginalMatrix(s)
				for cell := range int(w.Cells(k)) {
					information.SymRankOne(information, 1/cells[k], rows.RowView(cell))
				}
			}
			var eigen mat.EigenSym
			if !eigen.Factorize(information, true) {
				t.Fatal("no eigenvalues")
			}
			var vectors mat.Dense
			eigen.VectorsTo(&vectors)
			for k := range w.sets {
				variance, added, all, asked := 0.0, 0.0, 0.0, 0.0
				for _, q := range w.askedMatrix(k, c.ranges) {
					for i, value := range eigen.Values(nil) {
						if value > 1e-9 {
							variance += math.Pow(mat.Dot(q, vectors.ColView(i)), 2) / value
						}
					}
					all += mat.Sum(q)
					added += mat.Sum(q) / (w.product(w.full()) / w.Cells(k))
					asked++
				}
				rows := rowsThatMove(adjacency)
				requireNear(t, fmt.Sprint(c, adjacency, k), fitted[k], variance/asked, 1e-9*variance)
				requireNear(t, "best split", separate[k], cells[k]*added/asked, 1e-9*separate[k])
				requireNear(t, "equal split", equal[k], rows*float64(len(w.sets))*added/asked, 1e-9*equal[k])
				requireNear(t, "finest cells", finest[k], rows*all/asked, 1e-9*finest[k])
				if fitted[k] > separate[k]*(1+1e-12) {
					t.Errorf("%v: marginal %d: fitted %v, and %v as it was measured", c, k, fitted[k], separate[k])
				}
			}
			total := w.total(func(k int) float64 { return fitted[k] })
			if total < w.LeastBound(adjacency)*(1-1e-12) {
				t.Errorf("%v, %s: %v is below the bound", c, adjacency, total)
			}
		}
	}
}

// askedMatrix is what is asked of a marginal, as vectors over the cells of the full table.
func (w *Workload) askedMatrix(marginal int, ranges [][]int) (asked []*mat.VecDense) {
	var of []int
	if ranges != nil {
		of = ranges[marginal]
	}
	rows := w.marginalMatrix(w.sets[marginal])
	w.eachAsked(w.sets[marginal], of, func(values [][]int) {
		q := mat.NewVecDense(int(w.product(w.full())), nil)
		w.eachCell(w.sets[marginal], values, func(cell int) { q.AddVec(q, rows.RowView(cell)) })
		asked = append(asked, q)
	})
	return asked
}
