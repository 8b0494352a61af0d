package utility

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrNoDistribution is returned when counts are compared as a distribution and are none: one is negative, all are 0, or they or
// their sum are no finite numbers.
var ErrNoDistribution = errors.New("utility: counts are no distribution: they must be finite, not negative, and not all 0; bring them to 0 or more first, and sanitize with less noise if nothing is left")

// differences are n M - m N of each cell, and N M: the shares n/N and m/M are compared as n M and m N, so that equal shares differ by exactly
// 0 while those are whole and below 2^53.
func differences(original, sanitized []float64) (d []float64, scale float64, err error) {
	if len(original) != len(sanitized) {
		return nil, 0, fmt.Errorf("utility: %d original and %d sanitized counts", len(original), len(sanitized))
	}
	n, m := distributed(original), distributed(sanitized)
	if n == 0 || m == 0 {
		return nil, 0, ErrNoDistribution
	}
	d = make([]float64, len(original))
	s, t := withinRange(n), withinRange(m)
	n, m = n*s, m*t
	for i := range d {
		d[i] = original[i]*s*m - sanitized[i]*t*n
	}
	return d, n * m, nil
}

// withinRange is a power of 2 that brings a total to where products of two are no more than the largest number, nor 0: multiplication by it is
// exact. It is 1 for all numbers of persons that there can be.
func withinRange(total float64) float64 {
	switch {
	case total > 0x1p500:
		return 0x1p-500
	case total < 0x1p-500:
		return 0x1p600
	}
	return 1
}

// distributed is the total of counts that are a distribution, otherwise 0.
func distributed(counts []float64) float64 {
	var sum float64
	for _, n := range counts {
		if !(n >= 0) {
			return 0
		}
		sum += n
	}
	if math.IsInf(sum, 1) {
		return 0
	}
	return sum
}

// halfNorm is at most 1, but for rounding.
func halfNorm(d []float64, scale float64) float64 {
	var sum float64
	for _, x := range d {
		sum += math.Abs(x)
	}
	return min(1, sum/(2*scale))
}

// A MarginalTVD is the total variation distance between the shares of the cells in a marginal of two tables, half the sum of the absolute
// differences: the most by which the two may differ on the share of any set of cells. It is 0 if the shares are equal, 1 if no cell has
// persons in both, and has no unit (Liu and Zhao 2023, section 5.3, footnote 8). Scaling a table does not change it.
type MarginalTVD struct {
	// Variables are their positions in the domain, in order.
	Variables []int
	TVD       float64
}

// MarginalTVDs are the total variation distances of all marginals of 1 to most variables: those of w variables are element w-1, in
// lexicographic order of their variables. A table of six variables has 6, 15 and 20 of 1, 2 and 3.
//
// The difference of two marginals is the marginal of the difference, and each marginal is that of one with a variable more. So the
// differences are summed over one variable after another, and each set of variables is met once. That a marginal's distance is at most
// the whole table's is the triangle inequality for these sums.
func MarginalTVDs(original, sanitized *Histogram, most int) ([][]MarginalTVD, error) {
	if err := sameDomain(original, sanitized); err != nil {
		return nil, err
	}
	if most < 1 || most > len(original.Domain) {
		return nil, fmt.Errorf("utility: marginals of up to %d variables of a table of %d", most, len(original.Domain))
	}
	d, scale, err := differences(original.Counts, sanitized.Counts)
	if err != nil {
		return nil, err
	}
	w := &marginalWalk{scale: scale, found: make([][]MarginalTVD, most), buffers: make([][]float64, len(original.Domain))}
	left := make([]int, len(original.Domain))
	sizes := make([]int, len(left))
	for i, v := range original.Domain {
		left[i], sizes[i] = i, len(v.Levels)
	}
	w.visit(d, left, sizes, 0)
	for _, found := range w.found {
		slices.SortFunc(found, func(a, b MarginalTVD) int { return slices.Compare(a.Variables, b.Variables) })
	}
	return w.found, nil
}

// A marginalWalk visits all marginals of a table of differences.
type marginalWalk struct {
	scale   float64
	found   [][]MarginalTVD
	buffers [][]float64 // one for each number of variables that were summed over, used again
}

// visit looks at a marginal, and at all that arise from it by summing over further variables, of which the first is at position from or
// later: summing over variables in their order meets each set once.
func (w *marginalWalk) visit(d []float64, left, sizes []int, from int) {
	if len(left) <= len(w.found) {
		at := &w.found[len(left)-1]
		*at = append(*at, MarginalTVD{Variables: left, TVD: halfNorm(d, w.scale)})
	}
	if len(left) == 1 {
		return
	}
	depth := len(w.buffers) - len(left)
	for i := from; i < len(left); i++ {
		w.buffers[depth] = sumOver(w.buffers[depth][:0], d, sizes, i)
		w.visit(w.buffers[depth], slices.Delete(slices.Clone(left), i, i+1), slices.Delete(slices.Clone(sizes), i, i+1), i)
	}
}

// sumOver appends to into the sums over variable i of a table with so many levels of each variable.
func sumOver(into, d []float64, sizes []int, i int) []float64 {
	inner := 1
	for _, size := range sizes[i+1:] {
		inner *= size
	}
	for block := inner * sizes[i]; len(d) > 0; d = d[block:] {
		start := len(into)
		into = append(into, d[:inner]...)
		sums := into[start:]
		for at := inner; at < block; at += inner {
			for j, x := range d[at : at+inner] {
				sums[j] += x
			}
		}
	}
	return into
}
