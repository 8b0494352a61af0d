package residual

import (
	"math"

	"tacit/policy"
)

// This file has what a workload costs without a strategy. All variances are at the loss 1 (2 rho = 1). Those of a marginal that is asked in ranges are the means
// of the variances of what is asked: cells are measured, and added up.

// rowsThatMove is the squared distance of the cells of one marginal by itself: 1 under add-remove, 2 under replace-one.
func rowsThatMove(adjacency policy.Adjacency) float64 {
	if adjacency == policy.ReplaceOne {
		return 2
	}
	return 1
}

// addedUp is the mean number of cells that what is asked of a marginal adds up: 1 without ranges.
func (w *Workload) addedUp(marginal int) float64 {
	mean := 1.0
	for _, i := range w.ranges[marginal].columns() {
		length, _ := meansOfRanges(w.sizes[i])
		mean *= length
	}
	return mean
}

// EqualSplit are the variances of the marginals, if each is measured by itself with the same share of the loss.
func (w *Workload) EqualSplit(adjacency policy.Adjacency) []float64 {
	variances := make([]float64, len(w.marginals))
	for k := range variances {
		variances[k] = rowsThatMove(adjacency) * float64(len(w.marginals)) * w.addedUp(k)
	}
	return variances
}

// BestSplit are the variances of the marginals if each is measured by itself, with the shares of the loss that give the least weighted total.
//
// With shares x_k, which add up to 1, and L_k cells that are added up, the total is the sum of w_k N_k L_k/x_k. It is least for x_k proportional to
// sqrt(w_k N_k L_k) (Cauchy and Schwarz).
func (w *Workload) BestSplit(adjacency policy.Adjacency) []float64 {
	variances := w.cellsOfBestSplit(adjacency)
	for k := range variances {
		variances[k] *= w.addedUp(k)
	}
	return variances
}

// cellsOfBestSplit are the variances of cells.
func (w *Workload) cellsOfBestSplit(adjacency policy.Adjacency) []float64 {
	variances := make([]float64, len(w.marginals))
	sum := 0.0
	for k, m := range w.marginals {
		variances[k] = math.Sqrt(m.Weight * w.Cells(k) * w.addedUp(k))
		sum += variances[k]
	}
	for k := range variances {
		variances[k] = rowsThatMove(adjacency) * sum / variances[k]
	}
	return variances
}

// withoutBases is the workload measured by cells, of which the same is asked.
func (w *Workload) withoutBases() *Workload {
	for _, b := range w.bases {
		if b != nil {
			plain, err := newWorkload(w.sizes, make([]*base, len(w.sizes)), w.marginals, w.ranges)
			if err != nil {
				panic("residual: internal error: " + err.Error())
			}
			return plain
		}
	}
	return w
}

// LeastSquares are the variances of the marginals if each is measured by itself, with the shares of BestSplit, and then all are fitted to all that
// was measured by generalised least squares.
//
// Let s_k be the variance of the cells of marginal k. Its sums over the columns that A lacks have the variance s_k m_kA, m_kA being the product of these
// columns' sizes, and so its residual over A has the covariance s_k m_kA times the product of C_i. Noise of equal variance on all cells of a marginal is
// independent in orthogonal spaces, which those of different residuals are. So the fit is made for each residual by itself: the mean of its
// measurements, weighted by 1/(s_k m_kA), of the variance 1/(sum over k of 1/(s_k m_kA)).
func (w *Workload) LeastSquares(adjacency policy.Adjacency) []float64 {
	w = w.withoutBases()
	s := &Strategy{w, make([]float64, len(w.residuals))}
	for k, variance := range w.cellsOfBestSplit(adjacency) {
		for _, p := range w.parts[k] {
			s.variances[p.residual] += 1 / (variance * w.product(w.sets[k]&^w.residuals[p.residual]))
		}
	}
	for i := range s.variances {
		s.variances[i] = 1 / s.variances[i]
	}
	variances := make([]float64, len(w.sets))
	for k := range variances {
		variances[k] = s.Variance(k)
	}
	return variances
}

// FinestCells are the variances if the cells of all columns together are measured, and added up.
func (w *Workload) FinestCells(adjacency policy.Adjacency) []float64 {
	var all set
	for _, s := range w.sets {
		all |= s
	}
	variances := make([]float64, len(w.sets))
	for k, s := range w.sets {
		variances[k] = rowsThatMove(adjacency) * w.product(all&^s) * w.addedUp(k)
	}
	return variances
}
