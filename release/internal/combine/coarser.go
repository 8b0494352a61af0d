package combine

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/mat"

	"tacit/mechanisms"
)

// What coarser releases tell. Let y be the counts of a question as means of finer releases, with the variances A, a diagonal matrix, and r those of coarser
// releases: G y but for noise, G adding up those counts that lie in each coarser cell. All in units of the variance of a noisy cell, which r has. The least
// squares solution of both is
//
//	x = y + K (r - G y),  K = A G' (G A G' + I)^-1.
//
// K is rounded to multiples of 1/fitScale. Whatever K is, x has the mean of the true counts, as r - G y has the mean 0. So rounding costs a little exactness, and no
// truth: what is said of the error is computed of the weights that are used. These are integers, of which the sum is divided and rounded once.
//
// The signs of weights do not matter for the error of cells which keep negative counts, whose noise is symmetric. Where these are shown as 0, a cell is off by Z or
// more, and by max(Z, 0) or less. So with weights of both signs the error is on either side below that of the sum of |a| max(Z, 0), of which half of the probability
// is allowed to each.

const (
	fitScale = 16
	// MostFitted is how many counts a question has at most that are fitted, and how many coarser cells they are fitted to.
	MostFitted = 128
	// mostFittedCount bounds counts, so that no weighted sum is beyond an int64.
	mostFittedCount = 1 << 40
)

// A fit is what coarser estimates change.
type fit struct {
	coarser []int // estimates, as indexes
	// scale makes integers of the means: the counts of each are its weighted sum times scale over the divisor of its kind.
	scale int64
	// weights[i] are those of the coarser cells in count i, in the order of coarser, in parts of fitScale; and groups the counts that each of them adds up.
	weights [][]int64
	groups  [][]int
}

// fitted is the mean of some finer estimates, fitted to coarser ones. ok is false if there are too many counts or kinds of them.
func (m *Mean) fitted(estimates []Estimate, coarser []int) (f *Mean, ok bool) {
	n := len(m.of)
	made := &fit{coarser: coarser, scale: 1}
	for _, i := range coarser {
		made.groups = append(made.groups, estimates[i].Of...)
	}
	if n > MostFitted || len(made.groups) > MostFitted || slices.ContainsFunc(slices.Concat(m.members, coarser), func(i int) bool {
		return slices.ContainsFunc(estimates[i].Counts, func(n int64) bool { return n > mostFittedCount || n < -mostFittedCount })
	}) {
		return nil, false
	}
	for _, k := range m.kinds {
		if made.scale = made.scale / int64(divisorOf(int(made.scale), int(k.divisor))) * k.divisor; made.scale > maxFitWeight {
			return nil, false
		}
	}
	if !made.solve(m) {
		return nil, false
	}
	f = &Mean{noise: m.noise, members: m.members, base: m.kinds, baseOf: m.of, of: make([]int, n), fit: made}
	known := make(map[string]int)
	for i := range n {
		k := made.kind(m, estimates, i)
		key := fmt.Sprint(k.parts)
		place, found := known[key]
		if !found {
			if place = len(f.kinds); place == maxKinds {
				return nil, false
			}
			known[key] = place
			f.kinds = append(f.kinds, k)
		}
		f.of[i] = place
	}
	return f, true
}

// maxFitWeight is the largest weight of a noisy cell.
const maxFitWeight = 1 << 8

// variance is that of a count of a kind, in units of the variance of a noisy cell.
func (k kind) variance() float64 {
	sum := 0.0
	for _, part := range k.parts {
		sum += float64(part.Cells) * square(float64(part.Weight)/float64(k.divisor))
	}
	return sum
}

func square(x float64) float64 { return x * x }

// solve finds K.
func (f *fit) solve(m *Mean) bool {
	n, cells := len(m.of), len(f.groups)
	variances := make([]float64, n)
	for i, of := range m.of {
		variances[i] = m.kinds[of].variance()
	}
	in := mat.NewDense(cells, n, nil)
	for c, group := range f.groups {
		for _, i := range group {
			in.Set(c, i, 1)
		}
	}
	var spread, whole, solved mat.Dense // A G', G A G' + I, K'
	spread.Mul(mat.NewDiagDense(n, variances), in.T())
	whole.Mul(in, &spread)
	sum := mat.NewSymDense(cells, nil)
	for i := range cells {
		for j := i; j < cells; j++ {
			sum.SetSym(i, j, whole.At(i, j))
		}
		sum.SetSym(i, i, whole.At(i, i)+1)
	}
	var factor mat.Cholesky
	if !factor.Factorize(sum) || factor.SolveTo(&solved, spread.T()) != nil {
		return false
	}
	f.weights = make([][]int64, n)
	for i := range n {
		f.weights[i] = make([]int64, cells)
		for c := range cells { // two machines round alike, though their sums may differ in the last digits
			f.weights[i][c] = int64(math.Floor(fitScale*solved.At(c, i) + 0.5 + 1e-9))
		}
	}
	return true
}

// used are the coarser estimates that have a weight in some count.
func (f *fit) used(estimates []Estimate) (used []int) {
	first := 0
	for _, i := range f.coarser {
		after := first + len(estimates[i].Of)
		if slices.ContainsFunc(f.weights, func(weights []int64) bool {
			return slices.ContainsFunc(weights[first:after], func(w int64) bool { return w != 0 })
		}) {
			used = append(used, i)
		}
		first = after
	}
	return used
}

// ofMeans are the weights of all means in one count, in parts of fitScale.
func (f *fit) ofMeans(i, counts int) []int64 {
	weights := make([]int64, counts)
	weights[i] = fitScale
	for c, group := range f.groups {
		for _, j := range group {
			weights[j] -= f.weights[i][c]
		}
	}
	return weights
}

// kind is that of one count: the noisy cells of all estimates with the magnitudes of their weights.
func (f *fit) kind(m *Mean, estimates []Estimate, i int) kind {
	cells := make(map[int64]int)
	for j, weight := range f.ofMeans(i, len(m.of)) {
		k := m.kinds[m.of[j]]
		for at, member := range m.members {
			if w := magnitude(weight) * int64(k.weights[at]) * (f.scale / k.divisor); w > 0 {
				cells[w] += estimates[member].Added[j]
			}
		}
	}
	for _, weight := range f.weights[i] {
		if weight != 0 {
			cells[magnitude(weight)*f.scale]++
		}
	}
	made := kind{divisor: fitScale * f.scale}
	common := int(made.divisor)
	for w := range cells {
		common = divisorOf(common, int(w))
	}
	made.divisor /= int64(common)
	for w, n := range cells {
		made.parts = append(made.parts, mechanisms.Weighted{Weight: int(w) / common, Cells: n})
	}
	slices.SortFunc(made.parts, func(a, b mechanisms.Weighted) int { return b.Weight - a.Weight })
	return made
}

func magnitude(n int64) int64 { return max(n, -n) }

// addUpFitted makes the counts.
func (m *Mean) addUpFitted(estimates []Estimate) {
	f := m.fit
	sums := make([]int64, len(m.baseOf)) // of the means, times scale
	for j, of := range m.baseOf {
		for at, i := range m.members {
			sums[j] += int64(m.base[of].weights[at]) * (f.scale / m.base[of].divisor) * estimates[i].Counts[j]
		}
	}
	var coarser []int64
	for _, i := range f.coarser {
		coarser = append(coarser, estimates[i].Counts...)
	}
	m.Counts = make([]int64, len(sums))
	for i := range m.Counts {
		sum := int64(0)
		for j, weight := range f.ofMeans(i, len(sums)) {
			sum += weight * sums[j]
		}
		for c, weight := range f.weights[i] {
			sum += weight * f.scale * coarser[c]
		}
		m.Counts[i] = nearest(sum, fitScale*f.scale)
	}
}

// missOf is the probability that one side of an error may have, where both are bounded by the larger one.
func (m *Mean) missOf(miss *big.Rat) *big.Rat {
	if m.fit == nil || m.noise.BiasOfZero() == 0 {
		return miss
	}
	return new(big.Rat).Quo(miss, big.NewRat(2, 1))
}

// Fitted reports whether coarser estimates have a part in it.
func (m *Mean) Fitted() bool { return m.fit != nil }
