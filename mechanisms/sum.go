package mechanisms

import (
	"math"
	"math/big"
	"sort"
	"sync"
)

// A SumError tells how far a sum of cells, as they are shown, may be from the sum of their true counts.
type SumError struct {
	// HalfWidth95 bounds the error with probability 0.95, whatever the true counts are, and that of a sum of fewer cells, too.
	HalfWidth95 int64
	// BiasOfZero is what showing negative counts as 0 adds to the sum on average if all its cells are empty, which is when it adds most.
	BiasOfZero float64
}

// SumError is that of the sum of so many cells of one release, or of several with the same mechanism. ok is false for mechanisms other
// than independent noise on every cell: what suppresses, swaps or fits has errors that do not add up like this.
//
// Bound: let Z be the noise of a cell, and n >= 0 its true count. The error e of the cell is Z, or max(Z, -n) where negative counts are
// shown as 0: between Z and max(Z, 0), the two ends being those of a large count and of an empty cell. So of m cells
//
//	P(|sum of e| > w) <= P(sum of Z > w) + P(sum of max(Z, 0) > w),
//
// the first by symmetry for the errors below -w. HalfWidth95 is the smallest w for which bounds of these two, which [latticeSum] computes,
// are 0.05 together; 2 P(sum of Z > w) where nothing is clamped.
//
// Fewer cells have no larger error: max(Z, 0) is not negative, and the sum of symmetric unimodal variables is less peaked the more
// of them there are (Birnbaum, "On random variables with comparable peakedness", 1948).
func (m *Mechanism) SumError(cells int) (e SumError, ok bool) {
	a, ok := m.method.(additive)
	if !ok || a.k > 0 || cells < 1 {
		return SumError{}, false
	}
	e.BiasOfZero = float64(cells) * m.BiasOfZero()
	e.HalfWidth95, _ = m.SumsWithin95(cells, 1)
	return e, true
}

// SumsWithin95 bounds the errors of so many sums, each of so many cells or fewer, all at once with probability 0.95, by the union bound.
// With one sum it is the HalfWidth95 of SumError.
func (m *Mechanism) SumsWithin95(cells, sums int) (w int64, ok bool) {
	if sums < 1 {
		return 0, false
	}
	return m.SumWithin(cells, big.NewRat(1, 20*int64(sums)))
}

// SumWithin bounds the error of a sum of so many cells or fewer, but with a probability of miss, which is above 0 and below 1. It is the
// bound of SumError at another level.
func (m *Mechanism) SumWithin(cells int, miss *big.Rat) (w int64, ok bool) {
	a, ok := m.method.(additive)
	if !ok || a.k > 0 || cells < 1 {
		return 0, false
	}
	return m.sums.halfWidth(sumKey{cells: cells, miss: miss.String()}, func() int64 { return a.sumWithin([]Weighted{{1, cells}}, miss) }), true
}

func (a additive) sumWithin(parts []Weighted, miss *big.Rat) int64 {
	cells, weights := total(parts)
	if cells == 1 {
		return weights * halfWidthBeyond(a.noise, miss)
	}
	below := newLatticeSum(a.noise, parts, false)
	above := below
	if !a.keepNegative {
		above = newLatticeSum(a.noise, parts, true)
	}
	level, _ := miss.Float64()
	if level < 2*(below.slack+above.slack) { // the bounds of tails do not reach so far: each cell within its part is enough
		return weights * halfWidthBeyond(a.noise, new(big.Rat).Quo(miss, big.NewRat(int64(cells), 1)))
	}
	exceeds := func(w int64) float64 { return below.above(w) + above.above(w) }
	high := int64(1)
	for exceeds(high) > level {
		high *= 2
	}
	return int64(sort.Search(int(high), func(w int) bool { return exceeds(int64(w)) <= level }))
}

// A latticeSum bounds the upper tail of a sum of m independent copies of X, which is the noise Z of a cell, or max(Z, 0), times the weight of the
// cell. Weights are positive integers.
//
// Let h be odd, Y the integer nearest to X/h, and R = X - hY, |R| <= (h-1)/2. With h = 1 there is no remainder, and the distribution of the
// sum is exact but for what is listed below. With noise of a large scale, a step h of 1/2000 of the sum's standard deviation at most keeps
// the lattice small, and the remainders are bounded: the sum of the R exceeds m E[R] + (h-1) sqrt(m ln(1/p)/2) with a probability of at
// most p (Hoeffding 1963, Theorem 2).
//
// The distribution of the sum of the Y, modulo the size N of the lattice, is the inverse discrete Fourier transform of the m-th power of
// that of Y, or of the product of such powers if there are several weights. Modulo N no probability becomes smaller, so that tails within a window of N sums are bounds, but for the sums above the
// window. What this leaves out is added to every tail as slack:
//
//   - Y beyond a reach, which counts as that, with a probability of at most missed/m for each;
//   - sums above the window, of probability at most missed by Markov's inequality for exp(rate times the sum), the window being chosen
//     for it;
//   - p = remainder, if h > 1;
//   - rounding. Tails have a relative error of at most marginOfFloats, so probabilities of Y are wrong by at most twice E|Y| + 1 times as
//     much together, and those of the sum by m times that. A Fourier transform of size N is computed with a relative error of a small
//     multiple of log2(N) 2^-53 in the l2 norm (Higham, "Accuracy and Stability of Numerical Algorithms", Theorem 24.2): with
//     roundingOfTransform for each of the m factors and all transforms, errors of all probabilities together are at most
//     sqrt(N) (m+k) roundingOfTransform for k weights, by the Cauchy-Schwarz inequality.
type latticeSum struct {
	step   int64
	offset float64 // the remainders are at most this
	first  int64   // of the window
	// tails are the probabilities of sums in the window from first on, with slack.
	tails []float64
	slack float64
}

const (
	stepsOfDeviation    = 2000
	missed              = 1e-9
	remainder           = 1e-6
	roundingOfTransform = 1e-12
)

func newLatticeSum(z noise, parts []Weighted, positive bool) *latticeSum {
	m, _ := total(parts)
	squares := 0.0
	for _, part := range parts {
		squares += float64(part.Cells) * float64(part.Weight) * float64(part.Weight)
	}
	deviation := math.Sqrt(squares * variance(z)) // that of max(Z, 0) is less
	s := &latticeSum{step: max(1, int64(deviation/stepsOfDeviation)) | 1}
	lattices := make([]*lattice, len(parts))
	mean := 0.0
	for i, part := range parts {
		y := newLattice(z, int64(part.Weight), s.step, missed/float64(m), positive)
		of, absolute := y.means()
		mean += float64(part.Cells) * of
		s.slack += float64(part.Cells) * 2 * (absolute + 1) * marginOfFloats
		s.offset += float64(part.Cells) * y.meanRemainder
		lattices[i] = y
	}
	window := windowSize(highest(lattices, parts, deviation/float64(s.step)) - mean)
	s.first = int64(math.Floor(mean)) - int64(window)/2
	s.slack += 2*missed + math.Sqrt(float64(window))*float64(m+len(parts))*roundingOfTransform
	if s.step > 1 {
		s.slack += remainder
		s.offset += float64(s.step-1) * math.Sqrt(float64(m)*math.Log(1/remainder)/2)
	}
	s.tails = sumOf(lattices, parts, window)
	s.accumulate()
	return s
}

// windowSize is a power of two that leaves more than half of it above the mean.
func windowSize(half float64) int {
	n := 1 << 4
	for float64(n)/2 < half+2 {
		n *= 2
	}
	return n
}

// accumulate turns the probabilities of sums modulo the size into tails of the window.
func (s *latticeSum) accumulate() {
	n := int64(len(s.tails))
	tails := make([]float64, n+1)
	for i := n - 1; i >= 0; i-- {
		at := ((s.first+i)%n + n) % n
		tails[i] = tails[i+1] + max(0, s.tails[at])
	}
	for i := range tails {
		tails[i] += s.slack
	}
	s.tails = tails
}

// above is at least the probability that the sum is more than w.
func (s *latticeSum) above(w int64) float64 {
	k := math.Floor((float64(w)-s.offset)/float64(s.step)) + 1 - float64(s.first)
	switch {
	case k < 0:
		return 1
	case k >= float64(len(s.tails)):
		return s.slack
	}
	return min(1, s.tails[int(k)])
}

// A lattice is the distribution of Y over [-len(negative), len(positive)).
type lattice struct {
	positive []float64 // of 0, 1, ...
	negative []float64 // of -1, -2, ...; nil for max(Z, 0)
	// meanRemainder is at least E[R]: 0 of symmetric noise. Of max(Z, 0), with a probability that falls from one integer to the next, it is
	// at most 0 given Y > 0, and what remains is E[Z; 1 <= Z <= j] with j = (h-1)/2, the sum over k <= j of P(Z >= k) less j P(Z > j).
	// With a weight above 1 it is the mean of X less h times that of Y.
	meanRemainder float64
}

// newLattice leaves out values of a probability of at most p together.
func newLattice(z noise, weight, step int64, p float64, positive bool) *lattice {
	half := (step - 1) / 2
	from := func(y int64) int64 { return (y*step - half + weight - 1) / weight } // the least Z for which Y >= y, which is positive
	reach := int64(1)
	for z.upperTail(from(reach+1)) > p {
		reach *= 2
	}
	reach = int64(sort.Search(int(reach), func(y int) bool { return z.upperTail(from(int64(y)+1)) <= p }))
	y := &lattice{positive: make([]float64, reach+1)}
	for i := reach; i >= 1; i-- {
		y.positive[i] = z.upperTail(from(i)) - z.upperTail(from(i+1))
		if step == 1 && i%weight == 0 {
			y.positive[i] = z.probability(i / weight)
		}
	}
	y.positive[reach] += z.upperTail(from(reach + 1))
	beyond := z.upperTail(from(1)) // P(Y >= 1)
	if positive {
		y.positive[0] += 1 - beyond
		if half > 0 {
			y.meanRemainder = y.remainderOf(z, weight, step)
		}
		return y
	}
	y.negative = y.positive[1:]
	y.positive[0] += 1 - 2*beyond
	return y
}

// remainderOf is at least E[R] of max(Z, 0), for a step above 1.
func (y *lattice) remainderOf(z noise, weight, step int64) float64 {
	half := (step - 1) / 2
	all, _ := z.excess(0)
	if weight == 1 {
		rest, _ := z.excess(half)
		return max(0, all-rest-float64(half)*z.upperTail(half+1))
	}
	mean, _ := y.means() // at most that of Y, but for rounding
	whole, lattice := float64(weight)*all, float64(step)*mean
	return max(0, whole-lattice) + 4*(whole+lattice+float64(step))*marginOfFloats
}

// means are E[Y] and E|Y|.
func (y *lattice) means() (mean, absolute float64) {
	for i, p := range y.positive {
		absolute += float64(i) * p
	}
	if y.negative != nil {
		return 0, 2 * absolute
	}
	return absolute, absolute
}

// highest is a sum that is exceeded with a probability of at most missed: by Markov's inequality for some rates, in units of
// 1/deviation of the sum. The reach of Y is at most some 40 deviations, so no exponential is beyond what a number holds.
func highest(lattices []*lattice, parts []Weighted, deviation float64) float64 {
	least := math.Inf(1)
	for _, r := range []float64{0.5, 1, 2, 4, 6} {
		rate := r / max(deviation, 1)
		logOfMoment := 0.0
		for i, y := range lattices {
			moment := 0.0
			for i, p := range y.positive {
				moment += p * math.Exp(rate*float64(i))
			}
			for i, p := range y.negative {
				moment += p * math.Exp(-rate*float64(i+1))
			}
			logOfMoment += float64(parts[i].Cells) * math.Log(moment)
		}
		least = min(least, (logOfMoment-math.Log(missed))/rate)
	}
	return least
}

// sumOf is the distribution of the sum of as many copies of each lattice as its part has cells, modulo n.
func sumOf(lattices []*lattice, parts []Weighted, n int) []float64 {
	distributions, copies := make([][]float64, len(lattices)), make([]int, len(lattices))
	for k, y := range lattices {
		p := make([]float64, n)
		for i, v := range y.positive {
			p[i%n] += v
		}
		for i, v := range y.negative {
			p[n-1-i%n] += v
		}
		distributions[k], copies[k] = p, parts[k].Cells
	}
	return convolutionPowers(distributions, copies)
}

// A sumCache remembers half widths by the number of cells, which is up to the analysts. Its zero value is ready.
type sumCache struct {
	mu   sync.Mutex // protects made
	made map[sumKey]int64
}

// A sumKey is of a sum of so many cells, which may be further off with a probability of miss.
type sumKey struct {
	cells int
	parts string // of a weighted sum; empty of others
	miss  string
}

// mostSums is how many half widths are kept.
const mostSums = 1 << 12

func (c *sumCache) halfWidth(of sumKey, compute func() int64) int64 {
	c.mu.Lock()
	w, ok := c.made[of]
	c.mu.Unlock()
	if ok {
		return w
	}
	w = compute()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.made == nil || len(c.made) >= mostSums {
		c.made = make(map[sumKey]int64)
	}
	c.made[of] = w
	return w
}
