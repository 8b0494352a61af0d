package residual

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
)

// A Marginal is a table of counts over all combinations of some columns' values.
type Marginal struct {
	// Columns are indexes of the workload's columns, without repetition. None at all is the total.
	Columns []int
	// Weight says how much the variance of its cells counts. Required: from 1e-6 to 1e6.
	Weight float64
}

// A set of columns, one bit each.
type set uint64

func (s set) has(column int) bool { return s>>column&1 == 1 }

// columns are in ascending order.
func (s set) columns() []int {
	var columns []int
	for ; s != 0; s &= s - 1 {
		columns = append(columns, bits.TrailingZeros64(uint64(s)))
	}
	return columns
}

// A Workload is the marginals that are wanted of one table, over columns whose values are declared.
type Workload struct {
	sizes     []int
	bases     []*base // by column; nil for those that are measured by n I - J
	marginals []Marginal
	sets      []set // of the marginals
	ranges    []set // the columns of each marginal that are asked in ranges
	// residuals are the subsets of the marginals' sets in which every column has two values or more. The residual of another subset is 0
	// whatever the counts are.
	residuals []set
	shares    []float64   // c_A of each residual, the most that a row can cost at the variance 1: the product of (n_i - 1)/n_i without bases
	place     map[set]int // in residuals
	// parts[k] are the residuals of which marginal k is made, with what the variance of each adds to that of a cell.
	parts [][]part
}

// A part of a marginal is a residual: variance sigma^2 of it adds sigma^2 share to the variance of each of the marginal's cells, or to the mean of
// the variances of what is asked of it, if columns have bases.
type part struct {
	residual int
	share    float64
}

const (
	maxColumns   = 64
	maxSize      = 1 << 30
	maxResiduals = 1 << 16
	// maxParts bounds all parts of all marginals together, and so memory and time.
	maxParts = 1 << 18
	// maxMarginal is how many cells are counted in floating point exactly, and maxTable how many of the full table have a square that is finite.
	maxMarginal, maxTable   = 1 << 53, 1e150
	leastWeight, mostWeight = 1e-6, 1e6
)

// NewWorkload checks marginals over columns that have so many values each.
func NewWorkload(sizes []int, marginals []Marginal) (*Workload, error) {
	return newWorkload(sizes, make([]*base, len(sizes)), marginals, make([]set, len(marginals)))
}

// NewRangeWorkload is one in which some columns of each marginal are asked in ranges of successive values: ranges[k] are those of marginal k. What is
// asked of that are all combinations of a range of each such column, and a value of each other one. The mean of their variances stands for that of
// the marginal's cells.
func NewRangeWorkload(sizes []int, marginals []Marginal, ranges [][]int) (*Workload, error) {
	return newRangeWorkload(sizes, marginals, ranges, rangeScale)
}

func newRangeWorkload(sizes []int, marginals []Marginal, ranges [][]int, scale int64) (*Workload, error) {
	if len(ranges) != len(marginals) {
		return nil, fmt.Errorf("ranges of %d marginals instead of %d", len(ranges), len(marginals))
	}
	bases, asked := make([]*base, len(sizes)), make([]set, len(marginals))
	for k, columns := range ranges {
		for _, c := range columns {
			if !slices.Contains(marginals[k].Columns, c) || c < 0 || c >= len(sizes) {
				return nil, fmt.Errorf("ranges of column %d, which the marginal of columns %v does not have", c, marginals[k].Columns)
			}
			asked[k] |= 1 << c
			if bases[c] != nil || sizes[c] == 1 {
				continue
			}
			var err error
			if bases[c], err = rangeBase(sizes[c], scale); err != nil {
				return nil, err
			}
		}
	}
	return newWorkload(sizes, bases, marginals, asked)
}

// newWorkload has the columns of each marginal that are asked in ranges in asked.
func newWorkload(sizes []int, bases []*base, marginals []Marginal, asked []set) (*Workload, error) {
	w := &Workload{sizes: slices.Clone(sizes), bases: bases, ranges: asked, place: make(map[set]int)}
	if len(sizes) > maxColumns {
		return nil, fmt.Errorf("%d columns; a workload has at most %d", len(sizes), maxColumns)
	}
	for i, n := range sizes {
		if n < 1 || n > maxSize {
			return nil, fmt.Errorf("column %d has %d values; it needs 1 to %d", i, n, maxSize)
		}
	}
	if w.product(set(1)<<len(sizes)-1) > maxTable {
		return nil, fmt.Errorf("the columns together have more than %v combinations of values", maxTable)
	}
	if len(marginals) == 0 {
		return nil, errors.New("a workload without marginals")
	}
	parts := 0
	for _, m := range marginals {
		s, err := w.check(m)
		if err != nil {
			return nil, err
		}
		if parts += 1 << min(bits.OnesCount64(uint64(s)), 30); parts > maxParts {
			return nil, fmt.Errorf("the marginals have more than %d sets of columns below them", maxParts)
		}
		w.sets = append(w.sets, s)
		w.marginals = append(w.marginals, Marginal{s.columns(), m.Weight})
	}
	for k, s := range w.sets {
		w.divide(s, asked[k])
		if len(w.residuals) > maxResiduals {
			return nil, fmt.Errorf("the marginals have more than %d different sets of columns below them", maxResiduals)
		}
	}
	return w, nil
}

func (w *Workload) check(m Marginal) (s set, err error) {
	for _, c := range m.Columns {
		if c < 0 || c >= len(w.sizes) {
			return s, fmt.Errorf("there is no column %d", c)
		}
		if s.has(c) {
			return s, fmt.Errorf("column %d is in a marginal twice", c)
		}
		s |= 1 << c
	}
	if slices.Contains(w.sets, s) {
		return s, fmt.Errorf("the marginal of columns %v is there twice; give it a larger weight", s.columns())
	}
	if !(m.Weight >= leastWeight && m.Weight <= mostWeight) {
		return s, fmt.Errorf("the marginal of columns %v has the weight %v, which is not between 1e-6 and 1e6", s.columns(), m.Weight)
	}
	if w.product(s) > maxMarginal {
		return s, fmt.Errorf("the marginal of columns %v has more than 2^53 cells", s.columns())
	}
	return s, nil
}

// divide finds the parts of a marginal.
//
// A marginal over S is the sum of its residuals over A, A a subset of S. That over A is the residual's table u_A, each cell of which is spread
// evenly over the values of the columns of S that A lacks: divided by n_j for each. The covariance of u_A is sigma_A^2 times the product of
// C_i = I - J/n_i over A (I is the identity, J has ones alone), whose diagonal is the product of (n_i - 1)/n_i. With bases it is the product of Sigma_i (see
// base.go), and the mean over all that is asked is a product of means.
func (w *Workload) divide(s, asked set) {
	var parts []part
	for a := s; ; a = (a - 1) & s {
		if share := w.asked(a, s&^a, asked); share > 0 {
			if _, known := w.place[a]; !known {
				w.place[a] = len(w.residuals)
				w.residuals, w.shares = append(w.residuals, a), append(w.shares, w.costs(a))
			}
			parts = append(parts, part{w.place[a], share})
		}
		if a == 0 {
			break
		}
	}
	w.parts = append(w.parts, parts)
}

// asked is the mean of the squared norms of what is asked of the residual over a, in a marginal that has the columns of others besides.
func (w *Workload) asked(a, others, ranges set) float64 {
	mean := 1.0
	for _, i := range a.columns() {
		length, squared := meansOfRanges(w.sizes[i])
		switch b := w.bases[i]; {
		case b == nil && ranges.has(i): // l - l^2/n of l values
			mean *= length - squared/float64(w.sizes[i])
		case b == nil:
			mean *= w.centred(i)
		case ranges.has(i):
			mean *= b.stretch
		default:
			mean *= b.cell
		}
	}
	for _, i := range others.columns() {
		if mean /= square(float64(w.sizes[i])); ranges.has(i) {
			_, squared := meansOfRanges(w.sizes[i])
			mean *= squared
		}
	}
	return mean
}

// meansOfRanges are the means of the number of values of a range, and of its square, over all ranges of n values.
func meansOfRanges(n int) (length, squared float64) {
	of := float64(n)
	return (of + 2) / 3, (of + 1) * (of + 2) / 6
}

// centred is (n_i - 1)/n_i.
func (w *Workload) centred(column int) float64 {
	return float64(w.sizes[column]-1) / float64(w.sizes[column])
}

// costs is the product of the largest diagonal elements of K_i.
func (w *Workload) costs(s set) float64 {
	product := 1.0
	for _, i := range s.columns() {
		if b := w.bases[i]; b != nil {
			product *= b.most
		} else {
			product *= w.centred(i)
		}
	}
	return product
}

// scale is the product of N_i: by what integers of a residual are larger than counts.
func (w *Workload) scale(s set) float64 {
	product := 1.0
	for _, i := range s.columns() {
		if b := w.bases[i]; b != nil {
			product *= float64(b.scale)
		} else {
			product *= float64(w.sizes[i])
		}
	}
	return product
}

// product is that of the sizes: the number of cells of the marginal.
func (w *Workload) product(s set) float64 {
	product := 1.0
	for _, i := range s.columns() {
		product *= float64(w.sizes[i])
	}
	return product
}

// Cells is how many cells the marginal with this index has.
func (w *Workload) Cells(marginal int) float64 { return w.product(w.sets[marginal]) }

func square(x float64) float64 { return x * x }
