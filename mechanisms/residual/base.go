package residual

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// A column that is asked in ranges is measured by other queries than n I - J, which is what the other columns have.
//
// Let Q be any matrix of integers, n by n, whose rows add up to 0 and whose rank is n - 1. Then Q tells all of a column but its total, as n I - J does. The residual
// over A is measured by the product of such matrices over A, and of sums over the other columns. Its components have independent noise of the
// variance V_A = s_A N_A^2, N_A being the product of n_i and, for columns that have a base, of its scale N_i. With
//
//	K_i = Q_i' Q_i/N_i^2    Sigma_i = N_i^2 (Q_i' Q_i)^+    (the Moore-Penrose inverse; K_i = Sigma_i = C_i for a column without a base)
//
// a change d of the table costs d_A' K_A d_A/s_A, and the residual table that is made of what was released, by the product of the Q_i^+, has the
// covariance s_A Sigma_A. Both are products over A. As Q_i^+ Q_i = C_i, the table's mean is the true residual. (He, Xiao, Toksoz, Ding, Zhang and Kifer 2023,
// "ResidualPlanner+", call this strategy replacement. There the queries are real numbers; here they are integers.)
type base struct {
	n       int
	scale   int64   // N_i
	queries []int64 // Q_i, row by row
	// gram is K_i, inverse N_i Q_i^+, and covariance Sigma_i, row by row.
	gram, inverse, covariance []float64
	// most is the largest diagonal element of K_i, and least the smallest element of all. worst is the largest diagonal element of Sigma_i.
	most, least, worst float64
	// cell and stretch are the means of q' Sigma_i q over all cells and over all ranges q.
	cell, stretch float64
}

// MostRanged is how many values a column that is asked in ranges has at most.
const MostRanged = 366

// mostScale keeps lengths of columns of Q exact in floating point.
const mostScale = 1 << 20

// newBase checks queries, and finds what follows from them.
func newBase(n int, scale int64, queries []int64) (*base, error) {
	b := &base{n: n, scale: scale, queries: queries}
	switch {
	case n < 2 || n > MostRanged:
		return nil, fmt.Errorf("a column of %d values is asked in ranges, which needs 2 to %d", n, MostRanged)
	case scale < 1 || scale > mostScale:
		return nil, fmt.Errorf("the scale %d of queries is not between 1 and %d", scale, mostScale)
	case len(queries) != n*n:
		return nil, fmt.Errorf("%d numbers instead of %d for the queries of a column", len(queries), n*n)
	}
	q := mat.NewDense(n, n, nil)
	for i := range n {
		sum := int64(0)
		for j := range n {
			x := queries[i*n+j]
			if x < -2*scale || x > 2*scale {
				return nil, fmt.Errorf("a query has the coefficient %d, above twice the scale %d", x, scale)
			}
			sum += x
			q.Set(i, j, float64(x))
		}
		if sum != 0 {
			return nil, errors.New("the coefficients of a query of a residual do not add up to 0")
		}
	}
	return b, b.complete(q)
}

// complete inverts: Q'Q + N^2 J/n has the eigenvalue N^2 for the vector of ones, and those of Q'Q for all that are orthogonal to it.
func (b *base) complete(q *mat.Dense) error {
	n, squared := b.n, float64(b.scale)*float64(b.scale)
	var gram, inverse, left mat.Dense
	gram.Mul(q.T(), q)
	whole := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			whole.SetSym(i, j, gram.At(i, j)/squared+1/float64(n))
		}
	}
	var factor mat.Cholesky
	if !factor.Factorize(whole) || factor.Cond() > 1e8 {
		return errors.New("the queries of a column do not tell its values apart")
	}
	if err := factor.SolveTo(&inverse, eye(n)); err != nil {
		return err
	}
	left.Mul(&inverse, q.T())
	b.gram, b.inverse, b.covariance = make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		for j := range n {
			k := gram.At(i, j) / squared // integers below 2^53, so that it is exact
			b.gram[i*n+j], b.least = k, min(b.least, k)
			b.inverse[i*n+j] = left.At(i, j) / float64(b.scale)
			b.covariance[i*n+j] = (inverse.At(i, j)+inverse.At(j, i))/2 - 1/float64(n)
		}
		b.most = max(b.most, b.gram[i*n+i])
		b.worst = max(b.worst, b.covariance[i*n+i])
		b.cell += b.covariance[i*n+i] / float64(n)
	}
	b.average()
	return nil
}

func eye(n int) *mat.DiagDense {
	one := mat.NewDiagDense(n, nil)
	for i := range n {
		one.SetDiag(i, 1)
	}
	return one
}

// average visits all ranges: one that is longer by a value has that value's covariances with the others more.
func (b *base) average() {
	n, ranges := b.n, float64(b.n)*float64(b.n+1)/2
	for first := range n {
		sum := 0.0
		for last := first; last < n; last++ {
			sum += b.covariance[last*n+last]
			for i := first; i < last; i++ {
				sum += 2 * b.covariance[last*n+i]
			}
			b.stretch += sum / ranges
		}
	}
}

// spread is q' Sigma q of the sum of some values.
func (b *base) spread(values []int) float64 {
	sum := 0.0
	for _, i := range values {
		for _, j := range values {
			sum += b.covariance[i*b.n+j]
		}
	}
	return max(0, sum)
}

// The best base of all ranges.
//
// Let G be W'W, W having a row for each range, and g its part that is orthogonal to the vector of ones. The total of q' Sigma q over all ranges is
// tr(g K^+), and the cost of a row is a diagonal element of K. So K is to have a diagonal of at most 1, and the least tr(g K^+). For any weights l_r of cells
// that are above 0 and add up to 1, and with D their diagonal matrix, restricted to the same space,
//
//	tr(g K^+) max K_rr >= tr(g K^+) tr(D K) >= (tr (D^1/2 g D^1/2)^1/2)^2
//
// by Cauchy and Schwarz, and the second is an equality for K = D^-1/2 (D^1/2 g D^1/2)^1/2 D^-1/2. The first is one if all K_rr with l_r > 0 are equal. So weights
// are raised where K_rr is above the mean, and lowered where it is below, until both sides are near each other. (Li, Miklau, Hay, McGregor and Rastogi 2015,
// "The matrix mechanism", state the problem; the bound is that of Li and Miklau 2013, with weights.)
//
// Q is N K^1/2 rounded to integers; its diagonal takes up what its rows do not add up to 0. What is said of costs and errors is computed of the rounded
// Q. So rounding costs a little accuracy, and no privacy.

// rangeWithin is by how much the total of a base may exceed its bound, before rounding, as a share of it. Above mostImproved values, where each
// round takes long, equal weights are kept: they are within a tenth.
const (
	rangeWithin  = 2e-3
	rangeRounds  = 40
	mostImproved = 150
	rangeScale   = 1 << 12
)

// rangeBase is the base of all ranges of n values, in integers of a scale.
func rangeBase(n int, scale int64) (*base, error) {
	if n < 2 || n > MostRanged {
		return newBase(n, scale, nil)
	}
	u := cosines(n)
	g := inner(u, rangeGram(n))
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = 1 / float64(n)
	}
	var best *mat.SymDense
	least, bound := math.Inf(1), 0.0
	for range rangeRounds {
		k, trace, err := weightedGram(u, g, weights)
		if err != nil {
			return nil, err
		}
		diagonal, most := diagonalOf(u, k), 0.0
		for _, x := range diagonal {
			most = max(most, x)
		}
		bound = max(bound, trace*trace)
		// tr(g K^+) is the trace, as g K^-1 is similar to the square root.
		if total := trace * most; total < least {
			least = total
			best = mat.NewSymDense(n-1, nil)
			best.ScaleSym(1/most, k)
		}
		if least <= bound*(1+rangeWithin) || n > mostImproved {
			break
		}
		sum := 0.0
		for i := range weights {
			weights[i] *= math.Pow(diagonal[i]/most, 2)
			sum += weights[i]
		}
		for i := range weights {
			weights[i] /= sum
		}
	}
	root, err := power(best, 0.5)
	if err != nil {
		return nil, err
	}
	return newBase(n, scale, rounded(inner(u.T(), root), scale))
}

// rounded is a scale times a symmetric matrix, in integers whose rows add up to 0.
func rounded(m *mat.SymDense, scale int64) []int64 {
	n := m.SymmetricDim()
	queries := make([]int64, n*n)
	for i := range n {
		sum := int64(0)
		for j := range n {
			queries[i*n+j] = int64(math.Round(float64(scale) * m.At(i, j)))
			sum += queries[i*n+j]
		}
		queries[i*n+i] -= sum
	}
	return queries
}

// cosines are n - 1 orthonormal columns that are orthogonal to the vector of ones.
func cosines(n int) *mat.Dense {
	u := mat.NewDense(n, n-1, nil)
	u.Apply(func(i, k int, _ float64) float64 {
		return math.Sqrt(2/float64(n)) * math.Cos(math.Pi*(float64(i)+0.5)*float64(k+1)/float64(n))
	}, u)
	return u
}

// rangeGram counts the ranges that have both of two values.
func rangeGram(n int) *mat.SymDense {
	g := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			g.SetSym(i, j, float64(i+1)*float64(n-j))
		}
	}
	return g
}

// inner is u' m u.
func inner(u mat.Matrix, m mat.Symmetric) *mat.SymDense {
	var half, whole mat.Dense
	half.Mul(m, u)
	whole.Mul(u.T(), &half)
	return symmetric(&whole)
}

func symmetric(m *mat.Dense) *mat.SymDense {
	n, _ := m.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, (m.At(i, j)+m.At(j, i))/2)
		}
	}
	return s
}

// weightedGram is K for some weights, and the trace of (D^1/2 g D^1/2)^1/2.
func weightedGram(u *mat.Dense, g *mat.SymDense, weights []float64) (k *mat.SymDense, trace float64, err error) {
	d := inner(u, mat.NewDiagDense(len(weights), weights))
	half, err := power(d, 0.5)
	if err != nil {
		return nil, 0, err
	}
	inverse, err := power(d, -0.5)
	if err != nil {
		return nil, 0, err
	}
	root, err := power(inner(half, g), 0.5)
	if err != nil {
		return nil, 0, err
	}
	return inner(inverse, root), mat.Trace(root), nil
}

// power is that of a positive definite matrix.
func power(m *mat.SymDense, exponent float64) (*mat.SymDense, error) {
	var eigen mat.EigenSym
	if !eigen.Factorize(m, true) {
		return nil, errors.New("the best queries for ranges were not found")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	values := eigen.Values(nil)
	for i, x := range values {
		if x <= 0 {
			return nil, errors.New("the best queries for ranges were not found")
		}
		values[i] = math.Pow(x, exponent)
	}
	return inner(vectors.T(), mat.NewDiagDense(len(values), values)), nil
}

// diagonalOf is the diagonal of u k u'.
func diagonalOf(u *mat.Dense, k *mat.SymDense) []float64 {
	n, _ := u.Dims()
	var half mat.Dense
	half.Mul(u, k)
	diagonal := make([]float64, n)
	for i := range n {
		diagonal[i] = mat.Dot(half.RowView(i), u.RowView(i))
	}
	return diagonal
}

// ask is Q x, modulo 2^64.
func (b *base) ask(x []int64) []int64 {
	answers := make([]int64, b.n)
	for i := range answers {
		for j, v := range x {
			answers[i] += b.queries[i*b.n+j] * v
		}
	}
	return answers
}

// invert puts N Q^+ x in place of x, a line of a table, or its transpose.
func (b *base) invert(table []float64, first, step int, transposed bool) {
	made := make([]float64, b.n)
	for i := range made {
		for j := range made {
			at := i*b.n + j
			if transposed {
				at = j*b.n + i
			}
			made[i] += b.inverse[at] * table[first+j*step]
		}
	}
	for i, x := range made {
		table[first+i*step] = x
	}
}
