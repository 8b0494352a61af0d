package mechanisms

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"

	"tacit/mechanisms/sampling"
)

// Margins are tables of sums over the cells of a product of attributes: one for each of some sets A of attributes, with a cell for each
// combination of their values, which sums up the cells that have it. The set of all attributes is always among them. (Hay, Rastogi,
// Miklau and Suciu 2010, "Boosting the accuracy of differentially private histograms through consistency", section 4, have a tree of
// sums; a collection of margins is in general none.)
type Margins struct {
	attributes int   // as they were given
	kept       []int // those with two values or more, which are the axes
	sizes      []int // of the axes
	cells      int
	// sets of axes, one bit each: different ones, in falling order, so that the first is that of all axes.
	sets []uint64
	// weights are 1/variance of each margin's cells, to scale.
	weights []float64
	// asked are the sets that are shown, if all are measured by the residual strategy; nil if each is measured by itself.
	asked map[uint64]bool
}

// maxMargins is the largest number of different margins.
const maxMargins = 64

// maxMarginCells keeps indexes far within int.
const maxMarginCells = 1 << 30

// NewMargins returns the margins of sets of attributes, given by their indexes in sizes. The cells are in row-major order: the last
// attribute's value changes fastest. An attribute with one value is in no set, since it makes no difference; sets that are equal then are
// one.
func NewMargins(sizes []int, sets [][]int) (*Margins, error) {
	m := &Margins{attributes: len(sizes), cells: 1}
	axis := make([]int, len(sizes))
	for i, size := range sizes {
		switch {
		case size < 1 || size > maxMarginCells/m.cells:
			return nil, fmt.Errorf("mechanisms: margins of attributes with %v values", sizes)
		case size == 1:
			axis[i] = -1
		default:
			axis[i] = len(m.sizes)
			m.kept, m.sizes = append(m.kept, i), append(m.sizes, size)
			m.cells *= size
		}
	}
	m.sets = append(m.sets, 1<<len(m.sizes)-1)
	for _, attributes := range sets {
		var set uint64
		for _, i := range attributes {
			if i < 0 || i >= len(sizes) {
				return nil, fmt.Errorf("mechanisms: margin of attribute %d of %d", i, len(sizes))
			}
			if axis[i] >= 0 {
				set |= 1 << axis[i]
			}
		}
		m.sets = append(m.sets, set)
	}
	slices.Sort(m.sets)
	m.sets = slices.Compact(m.sets)
	slices.Reverse(m.sets)
	if len(m.sets) > maxMargins {
		return nil, fmt.Errorf("mechanisms: %d margins, more than %d", len(m.sets), maxMargins)
	}
	m.weights = make([]float64, len(m.sets))
	for k := range m.weights {
		m.weights[k] = 1
	}
	return m, nil
}

// Len is how many margins there are.
func (m *Margins) Len() int { return len(m.sets) }

// Sets lists the attributes of each margin, that of all cells first: equal lists are equal margins.
func (m *Margins) Sets() [][]int { return m.lists(m.sets) }

func (m *Margins) lists(sets []uint64) [][]int {
	lists := make([][]int, len(sets))
	for k, set := range sets {
		lists[k] = []int{}
		for axis, attribute := range m.kept {
			if set&(1<<axis) != 0 {
				lists[k] = append(lists[k], attribute)
			}
		}
	}
	return lists
}

func (m *Margins) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d attributes %v of %v values, margins", m.attributes, m.kept, m.sizes)
	for _, set := range m.sets {
		fmt.Fprintf(&b, " %b", set)
	}
	if m.AreTogether() {
		fmt.Fprintf(&b, " together for %d", slices.Sorted(maps.Keys(m.asked)))
	}
	return b.String()
}

// check says what of a configuration does not go with margins.
func (m *Margins) check(c Config) error {
	if !c.Kind.AddsNoise() {
		return errors.New("only noise is fitted to margins")
	}
	if !c.KeepNegative {
		return errors.New("margins are fitted to counts below 0, too: KeepNegative is required")
	}
	if m.AreTogether() && !c.Kind.NeedsDelta() {
		return errors.New("margins are measured together with Gaussian noise alone")
	}
	return nil
}

// all is the set of all axes.
func (m *Margins) all() uint64 { return m.sets[0] }

// volume is how many cells the margin of a set has.
func (m *Margins) volume(set uint64) int {
	n := 1
	for axis, size := range m.sizes {
		if set&(1<<axis) != 0 {
			n *= size
		}
	}
	return n
}

// strides are the steps of each axis in the margin of a set, 0 outside of it.
func (m *Margins) strides(set uint64) []int {
	strides := make([]int, len(m.sizes))
	step := 1
	for axis := len(m.sizes) - 1; axis >= 0; axis-- {
		if set&(1<<axis) != 0 {
			strides[axis] = step
			step *= m.sizes[axis]
		}
	}
	return strides
}

// walk visits all cells, of whose digits (the values of the axes, by number) the last of the given axes changes fastest.
func (m *Margins) walk(axes []int, visit func(digits []int)) {
	digits := make([]int, len(m.sizes))
	for {
		visit(digits)
		i := len(axes) - 1
		for ; i >= 0; i-- {
			axis := axes[i]
			if digits[axis]++; digits[axis] < m.sizes[axis] {
				break
			}
			digits[axis] = 0
		}
		if i < 0 {
			return
		}
	}
}

// axes are all, in their own order.
func (m *Margins) axes() []int {
	axes := make([]int, len(m.sizes))
	for i := range axes {
		axes[i] = i
	}
	return axes
}

// cell is where the digits are in a table with strides.
func cell(digits, strides []int) int {
	i := 0
	for axis, digit := range digits {
		i += digit * strides[axis]
	}
	return i
}

// sums is the margin of a set. Sums that would overflow, which no sound noise brings about, are held.
func (m *Margins) sums(set uint64, counts []int64) []int64 {
	sums, strides := make([]int64, m.volume(set)), m.strides(set)
	next := 0
	m.walk(m.axes(), func(digits []int) {
		i := cell(digits, strides)
		sums[i] = addSaturating(sums[i], counts[next])
		next++
	})
	return sums
}

// A fitted mechanism measures margins, and shows the cells that fit all of them best.
//
// It adds independent noise Z to every cell of every margin of the true counts, and takes of what it measured the cells whose margins
// are closest to it (see [Margins.fit]), as whole numbers. From the true counts to the noisy margins there are integers alone. What comes
// after is post-processing: it costs nothing, and may be computed in floating point. (A replay of a release is read from the ledger. So
// nothing depends on two machines rounding alike, though no operation here leaves them a choice.)
//
// Adjacency: add-remove or replace-one, as configured.
//
// Sensitivity: one person more adds to the cells without taking from any, in all at most s, Config.Sensitivity. Summing up changes no
// norm of an addition without negative parts: she adds at most s to each margin, too. The m margins together move by at most m s in the l1
// norm; in the l2 norm by at most sqrt(m s s), since a cell of a margin moves by s at most, even where a cell of the finest moves by less.
// The same for the person who leaves under replace-one.
//
// Guarantee and theorem: those of [additive] for a vector of counts with Sensitivity m s and PerCell s, for all margins together. The
// noise of each is about m times that of cells that are measured alone.
type fitted struct {
	additive
	margins *Margins
}

func (f fitted) sanitize(bits *sampling.Bits, h Histogram) Cells {
	noisy := make([][]int64, f.margins.Len())
	for k, set := range f.margins.sets {
		noisy[k] = f.margins.sums(set, h.Counts)
		for i, n := range noisy[k] {
			noisy[k][i] = addSaturating(n, f.noise.draw(bits))
		}
	}
	return Cells{Counts: f.margins.fit(noisy)}
}

// expect leaves out what rounding adds to the variance, below 1 and mostly 1/6, and takes the distribution for a normal one, which it
// is only with Gaussian noise.
func (f fitted) expect(h Histogram) []Expectation {
	v := variance(f.noise) * f.margins.variance(f.margins.all())
	cells := make([]Expectation, len(h.Counts))
	for i, n := range h.Counts {
		cells[i] = Expectation{Variance: v, Distribution: func(x float64) float64 {
			return math.Erfc((float64(n)-x)/math.Sqrt(2*v)) / 2
		}}
	}
	return cells
}

// halfWidth95 bounds the error of a shown cell with probability 0.95: the half width w of the noise Z of a cell before it is fitted, as much
// smaller as its standard deviation is afterwards, with 1/2 for the steps of Z and 1/2 for rounding.
//
// The error of a shown cell is an integer, and differs by less than 1 from X, a linear combination of the independent noises with r
// times the standard deviation of Z, r <= 1 (least squares is the best linear unbiased estimate, and the cell as it was measured is
// another one). So if |X| <= u with probability 0.95, the error is at most u rounded up, and what is returned is right if
// u <= r (w + 1/2) + 1/2. That holds if X, in units of its deviation, has no larger quantile than Z has.
//
// Continuous Gaussian noise: the two are equal, and rounding what it is made of is within the 1/2. Other noise: at this level a single
// Laplace variable is the worst combination, with 2.12 deviations against 1.96 for many small parts. That is not proved: the
// tests simulate it for all kinds, for noise from hardly any to much, and for few and many margins.
func (f fitted) halfWidth95() int64 {
	r := min(1, math.Sqrt(f.margins.variance(f.margins.all())))
	return int64(math.Ceil(float64(r*(float64(halfWidth95(f.noise))+0.5)) + 0.5))
}

// within is halfWidth95 for another probability of a larger error. Nothing but the variance is known of the tails further out: by
// Chebyshev's inequality X is beyond d/sqrt(miss) with probability miss at most, d being its standard deviation. At most 1 is for rounding.
func (f fitted) within(miss *big.Rat) int64 {
	w := f.halfWidth95()
	if miss.Cmp(big.NewRat(1, 20)) >= 0 {
		return w
	}
	p, _ := miss.Float64()
	deviation := math.Sqrt(variance(f.noise) * f.margins.variance(f.margins.all()))
	return max(w, int64(math.Ceil(deviation/math.Sqrt(p)*(1+marginOfFloats)))+1)
}

// FittedError is the standard deviation of a cell, and of the sum of all of them, before they are rounded: of a mechanism that fits
// margins; otherwise ok is false.
func (m *Mechanism) FittedError() (cell, total float64, ok bool) {
	f, ok := m.method.(fitted)
	if !ok {
		return 0, 0, false
	}
	v := variance(f.noise)
	return math.Sqrt(v * f.margins.variance(f.margins.all())), math.Sqrt(v * f.margins.variance(0)), true
}

// fit returns the cells x for which the sum over the margins of weight times squared distance from what was measured is least, made
// whole. noisy has the margins in the order of sets.
//
// Let M_A be the matrix that sums cells up to the margin A, n the number of cells, n_A that of the margin, and w_A its weight. The least
// sum of w_A |M_A x - y_A|^2 is where K x = sum of w_A M_A' y_A, with K = sum of w_A M_A' M_A.
//
// For each axis i let E_i replace a cell by the average over that axis. The E_i are commuting projections, and so the product P_B of
// I - E_i over i in B, and E_i over all others, is a projection for each set B of axes; these are orthogonal and sum up to I (the
// components of an analysis of variance). M_A' M_A gives each cell the sum of the cells that agree with it in A. That is n/n_A times
// their average, and the product of E_i over i not in A is the sum of P_B over B within A. So
//
//	K = sum over B of k_B P_B,  k_B = sum over A that contain B of w_A n/n_A,
//
// and since all axes together are one of the A, every k_B is positive and x = sum over B of P_B (sum of w_A M_A' y_A) / k_B.
//
// With r_A = y_A - M_A y, y being the noisy cells themselves, x = y + inverse of K (sum of w_A M_A' r_A): what is computed in floating
// point is of the size of the noise, whatever the counts are.
//
// The transform below takes one axis after the other to its average, in the place of its first value, and to the differences of its
// other values from it. (That of the first is minus their sum.) Then each number is of one component, that of the axes on which it has
// not the first place.
func (m *Margins) fit(noisy [][]int64) []int64 {
	correction := m.residuals(noisy)
	m.transform(correction, toDifferences)
	next, eigenvalues := 0, make(map[uint64]float64)
	m.walk(m.axes(), func(digits []int) {
		var component uint64
		for axis, digit := range digits {
			if digit > 0 {
				component |= 1 << axis
			}
		}
		eigenvalue, ok := eigenvalues[component]
		if !ok {
			eigenvalue = m.eigenvalue(component)
			eigenvalues[component] = eigenvalue
		}
		correction[next] /= eigenvalue
		next++
	})
	m.transform(correction, fromDifferences)
	return m.whole(noisy[0], correction)
}

// residuals is the sum of w_A M_A' r_A. That of the cells themselves is 0.
func (m *Margins) residuals(noisy [][]int64) []float64 {
	sum := make([]float64, m.cells)
	for k, set := range m.sets[1:] {
		residual, strides, weight := m.sums(set, noisy[0]), m.strides(set), m.weights[k+1]
		for i, n := range residual {
			residual[i] = addSaturating(noisy[k+1][i], -n)
		}
		next := 0
		m.walk(m.axes(), func(digits []int) {
			sum[next] += float64(weight * float64(residual[cell(digits, strides)])) // a conversion forbids a fused operation
			next++
		})
	}
	return sum
}

// eigenvalue is k_B.
func (m *Margins) eigenvalue(component uint64) float64 {
	sum := 0.0
	for k, set := range m.sets {
		if component&^set == 0 {
			sum += float64(m.weights[k] * float64(m.cells/m.volume(set)))
		}
	}
	return sum
}

// transform changes every line of cells along every axis.
func (m *Margins) transform(cells []float64, change func(line []float64)) {
	for axis, stride := range m.strides(m.all()) {
		line := make([]float64, m.sizes[axis])
		for block := 0; block < len(cells); block += stride * len(line) {
			for first := block; first < block+stride; first++ {
				for i := range line {
					line[i] = cells[first+i*stride]
				}
				change(line)
				for i, v := range line {
					cells[first+i*stride] = v
				}
			}
		}
	}
}

func toDifferences(line []float64) {
	sum := 0.0
	for _, v := range line {
		sum += v
	}
	average := sum / float64(len(line))
	for i := range line {
		line[i] -= average
	}
	line[0] = average
}

func fromDifferences(line []float64) {
	average, sum := line[0], 0.0
	for i := 1; i < len(line); i++ {
		sum += line[i]
		line[i] += average
	}
	line[0] = average - sum
}

// whole adds to counts a correction that makes them whole again: with S the sums of the corrections up to each cell, it adds
// round(S_i) - round(S_(i-1)). Halves go up, so that every rounding error is in (-1/2, 1/2], and that of a cell, or of any run of cells,
// less than 1; that of all cells together is at most 1/2.
//
// The axes that most margins have come first: then the cells of a margin of ROLLUP, whose sets contain one another, are runs.
func (m *Margins) whole(counts []int64, correction []float64) []int64 {
	axes, strides := m.axes(), m.strides(m.all())
	slices.SortStableFunc(axes, func(a, b int) int { return m.marginsWith(b) - m.marginsWith(a) })
	whole := make([]int64, len(counts))
	sum, before := 0.0, 0.0
	m.walk(axes, func(digits []int) {
		i := cell(digits, strides)
		sum += correction[i]
		rounded := math.Floor(sum + 0.5)
		whole[i] = addSaturating(counts[i], int64(rounded-before))
		before = rounded
	})
	return whole
}

// marginsWith is how many margins have an axis.
func (m *Margins) marginsWith(axis int) int {
	n := 0
	for _, set := range m.sets {
		n += int(set >> axis & 1)
	}
	return n
}

// variance is that of a cell of the margin of a set T of axes, whether it was measured or not, as it follows from the fitted cells, if
// what was measured has the variance 1/weight.
//
// The covariance of the fitted cells is the inverse of K, the sum of P_B/k_B. A cell of the margin is a'x, a being 1 for the cells in it
// and 0 elsewhere: a product over the axes, of a unit vector for those in T, which I - E_i takes to one of squared length 1 - 1/size and
// E_i to one of 1/size; and for the others of ones, which I - E_i takes to 0 and E_i leaves at the squared length size. So the variance is
// the sum over B within T of (product over B of 1 - 1/size) (product over the rest of T of 1/size) (product outside of T of size)/k_B.
func (m *Margins) variance(set uint64) float64 {
	sum := 0.0
	for component := set; ; component = (component - 1) & set { // all subsets, the empty one last
		term := 1 / m.eigenvalue(component)
		for axis, size := range m.sizes {
			switch s := float64(size); {
			case component&(1<<axis) != 0:
				term *= 1 - 1/s
			case set&(1<<axis) != 0:
				term /= s
			default:
				term *= s
			}
		}
		sum += term
		if component == 0 {
			return sum
		}
	}
}
