package residual

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"tacit/policy"
)

// This file has what no linear strategy with Gaussian noise is below at the loss 1: the bound of Li and Miklau 2013 ("Optimal error of query sets under the
// differentially-private matrix mechanism"), for marginals and for ranges. Start at Workload.LeastBound.
//
// Let M = W'W, W being what is asked of the N cells of the full table: each query times the root of its part of the weight, w_k N_k/Q_k of marginal k with
// N_k cells, of which Q_k queries are asked. The weighted total of a strategy with the inverse covariance K is tr(M K^+), and its loss is at least tr(K)/N. By
// Cauchy and Schwarz tr(M K^+) tr(K) >= (tr M^1/2)^2. So the total at the loss 1 is at least (tr M^1/2)^2/N.
//
// M is a sum of Kronecker products. Marginal S has, for each column, the matrix J of ones if S lacks it, I if cells are asked, and G if ranges are, G_ij being the
// number of ranges that have both values. Where no marginal asks for ranges of a column, it has I and J alone, of which the vector of ones and its complement are
// eigenspaces. So for each set A of such columns, M is, on the residual over A and with multiplicity m_A, the product of n_i - 1 over A,
//
//	M_A = sum over the S that have A of (w_S N_S/Q_S) (product of n_j over such columns that S lacks) (product of I, J or G over the other columns),
//
// a matrix over the combinations of values of the columns with ranges. Without such columns it is a number, and LeastTotal attains the bound: there, v_A c_A = m_A^2
// sum over S of w_S/N_S.
//
// Replace-one: the loss of no strategy is below that of a removal, as rows may be in no cell. Nor is it below the mean loss of a
// replacement, r and r' being different and uniformly distributed. That mean is 2/(N-1) tr(C K), with C = I - J/N. As above, tr(M K^+) tr(C K) >= (tr (C M C)^1/2)^2. So the bound is
// the larger one of that above, and of 2/(N-1) (tr (C M C)^1/2)^2. C changes M_A where A is empty alone.

// LeastBound is what the weighted total is not below.
func (w *Workload) LeastBound(adjacency policy.Adjacency) float64 {
	weights := make([]float64, len(w.marginals))
	for k, m := range w.marginals {
		weights[k] = m.Weight * w.Cells(k)
	}
	return w.bound(weights, adjacency)
}

// bound is that of the sum of weights times the mean variances of the marginals.
func (w *Workload) bound(weights []float64, adjacency policy.Adjacency) float64 {
	b := newSpectrum(w, weights)
	all, withoutTotal := b.traces()
	if adjacency != policy.ReplaceOne || b.cells == 1 {
		return square(all) / b.cells
	}
	return max(square(all)/b.cells, 2/(b.cells-1)*square(withoutTotal))
}

// A spectrum finds traces of square roots.
type spectrum struct {
	w       *Workload
	weights []float64 // by marginal
	columns set       // of the workload, with two values or more
	ranged  set       // those of which some marginal asks ranges
	cells   float64   // N
	// roots are tr G^1/2, by column.
	roots map[int]float64
}

func newSpectrum(w *Workload, weights []float64) *spectrum {
	b := &spectrum{w: w, weights: weights, roots: make(map[int]float64)}
	for k, s := range w.sets {
		b.columns |= s
		b.ranged |= w.ranges[k]
	}
	for _, i := range b.columns.columns() {
		if w.sizes[i] == 1 {
			b.columns &^= 1 << i
			b.ranged &^= 1 << i
		}
	}
	b.cells = w.product(b.columns)
	return b
}

// mostSpectral bounds the cube of the number of combinations of values of columns with ranges, times the sets A, of which eigenvalues are found. Of
// more, the bound is that of the marginal which has the largest one for each A: M_A is not below any of its terms, and the square root is monotone.
const mostSpectral = 1 << 31

// traces are tr M^1/2 and tr (C M C)^1/2.
func (b *spectrum) traces() (all, withoutTotal float64) {
	plain := b.columns &^ b.ranged
	seen := make(map[set]bool)
	for _, s := range b.w.sets {
		for a := s & plain; ; a = (a - 1) & s & plain {
			seen[a] = true
			if a == 0 {
				break
			}
		}
	}
	exact := math.Pow(b.w.product(b.ranged), 3)*float64(len(seen)) <= mostSpectral
	for a := range seen {
		multiplicity := 1.0
		for _, i := range a.columns() {
			multiplicity *= float64(b.w.sizes[i] - 1)
		}
		trace, centred := b.largestTerm(a), 0.0
		if a != 0 {
			centred = trace
		}
		if exact {
			trace, centred = b.exactTraces(a)
		}
		all += multiplicity * trace
		withoutTotal += multiplicity * centred
	}
	return all, withoutTotal
}

// factor is the weight of each query of a marginal, times the sizes of columns without ranges that it lacks.
func (b *spectrum) factor(marginal int) float64 {
	factor := b.weights[marginal] / b.w.Cells(marginal) * b.w.product(b.columns&^b.ranged&^b.w.sets[marginal])
	for _, i := range (b.w.ranges[marginal] & b.ranged).columns() {
		factor *= 2 / float64(b.w.sizes[i]+1) // n values have n (n + 1)/2 ranges
	}
	return factor
}

// largestTerm is the largest trace of the square root of a term of M_A.
func (b *spectrum) largestTerm(a set) float64 {
	most := 0.0
	for k, s := range b.w.sets {
		if a&^s != 0 {
			continue
		}
		trace := math.Sqrt(b.factor(k))
		for _, i := range b.ranged.columns() {
			switch n := float64(b.w.sizes[i]); {
			case b.w.ranges[k].has(i):
				trace *= b.root(i)
			case s.has(i):
				trace *= n
			default:
				trace *= math.Sqrt(n)
			}
		}
		most = max(most, trace)
	}
	return most
}

func (b *spectrum) root(column int) float64 {
	if _, ok := b.roots[column]; !ok {
		b.roots[column] = rootTrace(rangeGram(b.w.sizes[column]))
	}
	return b.roots[column]
}

// exactTraces are tr M_A^1/2, and for C M C.
func (b *spectrum) exactTraces(a set) (trace, centred float64) {
	n := int(b.w.product(b.ranged))
	m := mat.NewSymDense(n, nil)
	for k, s := range b.w.sets {
		if a&^s != 0 {
			continue
		}
		product := mat.NewDense(1, 1, []float64{b.factor(k)})
		for _, i := range b.ranged.columns() {
			var next mat.Dense
			next.Kronecker(product, b.matrix(k, i))
			product = &next
		}
		m.AddSym(m, symmetric(product))
	}
	trace = rootTrace(m)
	if a != 0 {
		return trace, trace
	}
	return trace, rootTrace(centredBothWays(m))
}

// matrix is that of one column: I, J or G.
func (b *spectrum) matrix(marginal, column int) mat.Matrix {
	n := b.w.sizes[column]
	switch {
	case b.w.ranges[marginal].has(column):
		return rangeGram(n)
	case b.w.sets[marginal].has(column):
		return eye(n)
	}
	ones := mat.NewDense(n, n, nil)
	ones.Apply(func(int, int, float64) float64 { return 1 }, ones)
	return ones
}

// centredBothWays is C m C.
func centredBothWays(m *mat.SymDense) *mat.SymDense {
	n := m.SymmetricDim()
	means, mean := make([]float64, n), 0.0
	for i := range n {
		for j := range n {
			means[i] += m.At(i, j) / float64(n)
		}
		mean += means[i] / float64(n)
	}
	c := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			c.SetSym(i, j, m.At(i, j)-means[i]-means[j]+mean)
		}
	}
	return c
}

// rootTrace is the sum of the square roots of the eigenvalues of a matrix that has none below 0 but by rounding. It is 0, which bounds nothing, if they are not found.
func rootTrace(m *mat.SymDense) float64 {
	var eigen mat.EigenSym
	if !eigen.Factorize(m, false) {
		return 0
	}
	sum := 0.0
	for _, x := range eigen.Values(nil) {
		sum += math.Sqrt(max(0, x))
	}
	return sum
}

// HasRanges reports whether ranges of a column are asked.
func (w *Workload) HasRanges() bool {
	for _, s := range w.ranges {
		if s != 0 {
			return true
		}
	}
	return false
}
