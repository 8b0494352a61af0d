package residual

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tacit/policy"
)

// TestLeastSquares fits by matrices: the variance of a cell is q' (sum over k of W_k' W_k/s_k)^+ q. It fails if the closed form says something else, or
// if it is not between what was measured and the bound.
func TestLeastSquares(t *testing.T) {
	for _, c := range small {
		w := workloadOf(t, c.sizes, c.marginals)
		for _, adjacency := range []policy.Adjacency{policy.AddRemove, policy.ReplaceOne} {
			separate, fitted := w.BestSplit(adjacency), w.LeastSquares(adjacency)
			n := int(w.product(w.full()))
			information := mat.NewSymDense(n, nil)
			for k, s := range w.sets {
				rows := w.marginalMatrix(s)
				for cell := range int(w.Cells(k)) {
					information.SymRankOne(information, 1/separate[k], rows.RowView(cell))
				}
			}
			var eigen mat.EigenSym
			if !eigen.Factorize(information, true) {
				t.Fatal("no eigenvalues")
			}
			var vectors mat.Dense
			eigen.VectorsTo(&vectors)
			for k, s := range w.sets {
				q := w.marginalMatrix(s).RowView(0)
				variance := 0.0
				for i, value := range eigen.Values(nil) {
					if value > 1e-9 {
						variance += math.Pow(mat.Dot(q, vectors.ColView(i)), 2) / value
					}
				}
				requireNear(t, fmt.Sprint(c, adjacency, k), fitted[k], variance, 1e-9*variance)
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
