package residual

import (
	"math"

	"tacit/policy"
)

// This file has what a workload costs without a strategy, and the bound of what one can do. All variances are at the loss 1 (2 rho = 1).

// rowsThatMove is the squared distance of the cells of one marginal by itself: 1 under add-remove, 2 under replace-one.
func rowsThatMove(adjacency policy.Adjacency) float64 {
	if adjacency == policy.ReplaceOne {
		return 2
	}
	return 1
}

// EqualSplit is the variance of a cell of any marginal, if each is measured by itself with the same share of the loss.
func (w *Workload) EqualSplit(adjacency policy.Adjacency) float64 {
	return rowsThatMove(adjacency) * float64(len(w.marginals))
}

// BestSplit are the variances of the marginals' cells if each is measured by itself, with the shares of the loss that give the least
// weighted total.
//
// With shares x_k, which add up to 1, the total is the sum of w_k N_k/x_k. It is least for x_k proportional to sqrt(w_k N_k) (Cauchy and Schwarz).
func (w *Workload) BestSplit(adjacency policy.Adjacency) []float64 {
	variances := make([]float64, len(w.marginals))
	sum := 0.0
	for k, m := range w.marginals {
		variances[k] = math.Sqrt(m.Weight * w.Cells(k))
		sum += variances[k]
	}
	for k := range variances {
		variances[k] = rowsThatMove(adjacency) * sum / variances[k]
	}
	return variances
}

// LeastSquares are the variances of the marginals' cells if each is measured by itself, with the shares of BestSplit, and then all are fitted to all that
// was measured by generalised least squares.
//
// Let s_k be the variance of the cells of marginal k. Its sums over the columns that A lacks have the variance s_k m_kA, m_kA being the product of these
// columns' sizes, and so its residual over A has the covariance s_k m_kA times the product of C_i. Noise of equal variance on all cells of a marginal is
// independent in orthogonal spaces, which those of different residuals are. So the fit is made for each residual by itself: the mean of its
// measurements, weighted by 1/(s_k m_kA), of the variance 1/(sum over k of 1/(s_k m_kA)).
func (w *Workload) LeastSquares(adjacency policy.Adjacency) []float64 {
	s := &Strategy{w, make([]float64, len(w.residuals))}
	for k, variance := range w.BestSplit(adjacency) {
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
		variances[k] = rowsThatMove(adjacency) * w.product(all&^s)
	}
	return variances
}

// LeastBound is what the weighted total of no linear strategy with Gaussian noise is below: the bound of Li and Miklau 2013 ("Optimal
// error of query sets under the differentially-private matrix mechanism").
//
// Add-remove: with the eigenvalues l of W'W, W being the weighted workload over the N cells of the full table, the bound is (sum of sqrt(l))^2/N. W'W is a sum of
// products of I and J. So the residual over A is an eigenspace, of dimension m_A, the product of n_i - 1 over A, and with the eigenvalue
//
//	l_A = sum over the marginals S that have A of w_S N/N_S.
//
// So the bound is (sum over A of m_A sqrt(sum over S of w_S/N_S))^2. LeastTotal attains it: there, v_A c_A = m_A^2 sum over S of w_S/N_S.
//
// Replace-one: the loss of no strategy is below that of a removal, as rows may be in no cell, and it is not below the mean loss of a
// replacement, r and r' being different and uniformly distributed. The mean of |C_A (e_r - e_r')|^2 is 2 c_A N/(N-1), and 0 for the total, N being all cells of the
// workload's columns. So the bound is the larger one of that above, and of 2 N/(N-1) times that without the total.
func (w *Workload) LeastBound(adjacency policy.Adjacency) float64 {
	weights := make([]float64, len(w.residuals))
	for k, parts := range w.parts {
		for _, p := range parts {
			weights[p.residual] += w.marginals[k].Weight / w.Cells(k)
		}
	}
	all, withoutTotal := 0.0, 0.0
	var columns set
	for i, a := range w.residuals {
		x := w.product(a) * w.shares[i] * math.Sqrt(weights[i])
		all += x
		if a != 0 {
			withoutTotal += x
		}
		columns |= a
	}
	if adjacency != policy.ReplaceOne || columns == 0 {
		return square(all)
	}
	cells := w.product(columns)
	return max(square(all), 2*cells/(cells-1)*square(withoutTotal))
}
