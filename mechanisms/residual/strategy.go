package residual

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/optimize"

	"tacit/policy"
)

// A Strategy says how much noise each residual has. Its losses are 2 rho, rho being that of zCDP.
type Strategy struct {
	workload  *Workload
	variances []float64 // sigma_A^2, by residual
}

// Of a residual strategy with variances s_A (written here without the square of sigma)
//
//	loss = sum over A of c_A/s_A    (add-remove, see loss.go), c_A the product of (n_i - 1)/n_i
//	V_k  = sum over A of v_kA s_A   the variance of each cell of marginal k, v_kA being part.share
//
// No other linear strategy with Gaussian noise has a smaller total or a smaller greatest variance at the same loss, whatever its queries are.
// Let M be the inverse covariance of a strategy's estimate of the full table: its loss is the largest diagonal element of M, and the
// variance of a cell with the coefficients q is q' M^-1 q. Both are convex in M. Permuting the values of a column changes
// neither the workload nor the loss. So the mean of M over all such permutations is as good as M. The means are the matrices that are
// sums of products of C_i and J/n_i over all columns i: one number for each residual, 1/s_A. (Xiao, He, Zhang and Kifer 2023 prove it otherwise.)

// LeastTotal is the strategy with the loss 1 under add-remove that has the least sum of weighted variances of all cells.
//
// With v_A = sum over k of w_k N_k v_kA, N_k being the number of cells, the sum is that of v_A s_A. By Cauchy and Schwarz
//
//	(sum of v_A s_A)(sum of c_A/s_A) >= (sum of sqrt(v_A c_A))^2
//
// and both sides are equal for s_A proportional to sqrt(c_A/v_A).
func (w *Workload) LeastTotal() *Strategy {
	s := &Strategy{w, w.coefficients(func(k int) float64 { return w.marginals[k].Weight * w.Cells(k) })}
	root := math.Sqrt(w.leastSum(s.variances))
	for i := range w.residuals {
		s.variances[i] = root * math.Sqrt(w.shares[i]/s.variances[i])
	}
	return s
}

// coefficients are v_A = sum over k of weight(k) v_kA.
func (w *Workload) coefficients(weight func(k int) float64) []float64 {
	v := make([]float64, len(w.residuals))
	for k, parts := range w.parts {
		for _, p := range parts {
			v[p.residual] += weight(k) * p.share
		}
	}
	return v
}

// leastSum is (sum of sqrt(v_A c_A))^2, the least sum of v_A s_A at the loss 1.
func (w *Workload) leastSum(v []float64) float64 {
	sum := 0.0
	for i := range w.residuals {
		sum += math.Sqrt(v[i] * w.shares[i])
	}
	return square(sum)
}

// Variance is that of each cell of the marginal with this index; with bases, the mean of the variances of what is asked of it.
func (s *Strategy) Variance(marginal int) float64 {
	sum := 0.0
	for _, p := range s.workload.parts[marginal] {
		sum += p.share * s.variances[p.residual]
	}
	return sum
}

// greatest is the greatest weighted variance of a cell.
func (s *Strategy) greatest() float64 {
	greatest := 0.0
	for k, m := range s.workload.marginals {
		greatest = max(greatest, m.Weight*s.Variance(k))
	}
	return greatest
}

// greatestWithin is by how much the greatest variance of LeastGreatest may exceed the least, as a share of it.
const greatestWithin = 1e-4

// LeastGreatest is a strategy with the loss 1 under add-remove whose greatest weighted variance of a cell is the least, but for a share of
// 1e-4. It also returns a lower bound, which no linear strategy with Gaussian noise is below; with ranges, no residual strategy with the same bases. For others
// see GreatestBound.
//
// With x_A = ln s_A the loss and each V_k are sums of exponentials of x. So the logarithms of both, and the logarithm of the p-norm of
// the w_k V_k, are convex functions of x (Boyd, Kim, Vandenberghe and Hassibi 2007, "A tutorial on geometric programming"), and so is
//
//	f(x) = ln loss + (1/p) ln sum over k of (w_k V_k)^p,
//
// which exceeds ln(loss max w_k V_k) by at most ln(number of marginals)/p. It is minimised for larger and larger p, each time from where the last
// search ended. Multiplying all s_A by one factor does not change f: in the end the factor makes the loss 1.
//
// Bound: for any y_k >= 0 that add up to 1, max w_k V_k is at least the sum of y_k w_k V_k, whose least value at loss 1 is in closed
// form, as in LeastTotal. The gradient of the p-norm gives nearly the best y.
func (w *Workload) LeastGreatest() (s *Strategy, bound float64, err error) {
	x := make([]float64, len(w.residuals))
	for i, v := range w.LeastTotal().variances {
		x[i] = math.Log(v)
	}
	best := math.Inf(1)
	for p := 1.0; p <= 1<<24; p *= 2 {
		norm := greatestNorm{w, p}
		found, problem := optimize.Minimize(optimize.Problem{Func: norm.value, Grad: norm.gradient}, x,
			&optimize.Settings{GradientThreshold: 1e-9, MajorIterations: 2000, Converger: &optimize.FunctionConverge{Relative: 1e-12, Iterations: 20}},
			&optimize.LBFGS{})
		if found == nil {
			return nil, 0, fmt.Errorf("no strategy with the least greatest variance was found: %w", problem)
		}
		// A search that ended early is as good as what it found, which the bound tells.
		x = found.X
		at := w.atLossOne(x)
		if g := at.greatest(); g < best {
			s, best = at, g
		}
		if bound = max(bound, norm.bound(x)); best <= bound*(1+greatestWithin) {
			return s, min(bound, best), nil
		}
	}
	return nil, 0, fmt.Errorf("the search for the least greatest variance ended at %v, and the bound is %v", best, bound)
}

// atLossOne has variances exp(x) times what makes the loss 1.
func (w *Workload) atLossOne(x []float64) *Strategy {
	loss := 0.0
	for i := range w.residuals {
		loss += w.shares[i] * math.Exp(-x[i])
	}
	s := &Strategy{w, make([]float64, len(x))}
	for i := range x {
		s.variances[i] = loss * math.Exp(x[i])
	}
	return s
}

// A greatestNorm is the function f of LeastGreatest for one p.
type greatestNorm struct {
	workload *Workload
	p        float64
}

// shares are w_k V_k to the power of p, divided by their sum, and the logarithm of the p-norm.
func (f greatestNorm) shares(s *Strategy) (shares []float64, logNorm float64) {
	shares = make([]float64, len(f.workload.marginals))
	most := math.Inf(-1)
	for k, m := range f.workload.marginals {
		shares[k] = math.Log(m.Weight * s.Variance(k))
		most = max(most, shares[k])
	}
	sum := 0.0
	for k := range shares {
		shares[k] = math.Exp(f.p * (shares[k] - most))
		sum += shares[k]
	}
	for k := range shares {
		shares[k] /= sum
	}
	return shares, most + math.Log(sum)/f.p
}

// value is f: of the strategy that has the loss 1.
func (f greatestNorm) value(x []float64) float64 {
	_, logNorm := f.shares(f.workload.atLossOne(x))
	return logNorm
}

func (f greatestNorm) gradient(gradient, x []float64) {
	w := f.workload
	s := w.atLossOne(x)
	for i := range w.residuals {
		gradient[i] = -w.shares[i] / s.variances[i]
	}
	shares, _ := f.shares(s)
	for k, parts := range w.parts {
		variance := s.Variance(k)
		for _, p := range parts {
			gradient[p.residual] += shares[k] * p.share * s.variances[p.residual] / variance
		}
	}
}

// bound is that of LeastGreatest with y_k proportional to shares_k/(w_k V_k).
func (f greatestNorm) bound(x []float64) float64 {
	y := f.weights(f.workload.atLossOne(x))
	return f.workload.leastSum(f.workload.coefficients(func(k int) float64 { return y[k] }))
}

// weights are y_k w_k.
func (f greatestNorm) weights(s *Strategy) []float64 {
	y, _ := f.shares(s)
	sum := 0.0
	for k, m := range f.workload.marginals {
		y[k] /= m.Weight * s.Variance(k)
		sum += y[k]
	}
	for k, m := range f.workload.marginals {
		y[k] *= m.Weight / sum
	}
	return y
}

// GreatestBound is what the greatest weighted variance of no linear strategy with Gaussian noise is below. s is the one that LeastGreatest found, whose variances
// tell which weights make the bound large. Any weights that add up to 1 make one.
func (s *Strategy) GreatestBound(adjacency policy.Adjacency) float64 {
	best := 0.0
	for p := 1.0; p <= 1<<12; p *= 8 {
		best = max(best, s.workload.bound(greatestNorm{s.workload, p}.weights(s), adjacency))
	}
	return best
}
