package risk

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/integrate/quad"
)

// Shrinkage is the expected risk of cells that have the sizes of this table's, and whose labels' proportions are drawn from a Dirichlet
// distribution for each cell (Liu and Zhao 2023, Definition 8): all cells tell about each of them. Take alpha from
// [Table.EstimateDirichlet], or all 1. A label with an alpha of 0 never occurs, but is shown by noise, as any label of the domain.
//
// It is exact for any noise: the local risk with Dirichlet-multinomial weights, label by label ([urn]), and in closed form for
// geometric noise.
//
// Erratum: Liu and Zhao 2023, equations 15 and 24, bound it instead, wrongly for three labels or more under [Event].
func (t *Table) Shrinkage(v Version, alpha []float64) (Measure[Average], error) {
	if err := errors.Join(t.Check(), v.check(), checkAlpha(alpha, t.Labels)); err != nil {
		return nil, err
	}
	sizes, err := t.distinctSizes()
	if err != nil {
		return nil, err
	}
	alpha = slices.Clone(alpha)
	return func(s Survival) Average {
		risks := dirichlet.risks(s, v, alpha, sizes)
		return t.average(func(_ Pattern, n int64) float64 {
			at, _ := slices.BinarySearch(sizes, n)
			return risks[at]
		})
	}, nil
}

// distinctSizes are the sizes of cells, ascending.
func (t *Table) distinctSizes() ([]int64, error) {
	var sizes []int64
	for _, p := range t.Patterns {
		sizes = append(sizes, p.Records())
	}
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	switch {
	case len(sizes) == 0:
		return nil, errors.New("risk: the table has no cells")
	case sizes[len(sizes)-1] > maxSize:
		return nil, fmt.Errorf("risk: a cell has more than %d records: use the local or the expected measure for cells as large", maxSize)
	}
	return sizes, nil
}

// MarginalShrinkage is the expected risk of a cell whose size is drawn from a law, too (Liu and Zhao 2023, Definition 10). What is left
// out of the law changes it by less than 1e-15.
//
// Erratum: the sums of Liu, Zhao and Zhang 2021, corollaries 3.6, 3.9 and 3.13, start at cells of 0 records, where they use the wrong
// side of the Laplace distribution and may be -19; and they leave out heterogeneous cells.
func MarginalShrinkage(v Version, alpha []float64, sizes Sizes) (Measure[float64], error) {
	if err := errors.Join(v.check(), checkAlpha(alpha, len(alpha)), sizes.check()); err != nil {
		return nil, err
	}
	alpha = slices.Clone(alpha)
	upTo := sizes.upTo()
	return func(s Survival) float64 { return sizes.expect(dirichlet.risks(s, v, alpha, upTo)) }, nil
}

// Homogeneous is the probability that a cell of n >= 1 records is homogeneous if the labels' proportions are drawn from a Dirichlet
// distribution: E[sum of p_k^n], A_i of Liu and Zhao 2023,
//
//	sum over k of Gamma(alpha.) Gamma(alpha_k+n) / (Gamma(alpha.+n) Gamma(alpha_k)).
func Homogeneous(alpha []float64, n int64) (float64, error) {
	if err := checkAlpha(alpha, len(alpha)); err != nil {
		return 0, err
	}
	if n < 1 {
		return 0, fmt.Errorf("risk: a cell of %d records is not homogeneous or heterogeneous: give 1 or more", n)
	}
	// The sum of the others, without a difference: that of all labels after a label, and of all before.
	others := make([]float64, len(alpha))
	after := 0.0
	for k, a := range slices.Backward(alpha) {
		others[k] = after
		after += a
	}
	var sum, before float64
	for k, a := range alpha {
		if a > 0 {
			sum += math.Exp(logShare(a, before+others[k], n))
		}
		before += a
	}
	return sum, nil
}

// logShare is ln of the product of (a+i)/(a+others+i) for i from 0 to n-1: that all n records are of the label of a. It adds up logarithms
// that are all negative, so that nothing cancels as it would between values of ln Gamma; from summedOneByOne on, 16 for each doubling of i. The sum
// of a function over integers is there its integral between halves of them, by Gauss's formula, less 1/24 of what its derivative gains: what is
// left out is below 1e-12 of it, as derivatives fall off with powers of i.
func logShare(a, others float64, n int64) float64 {
	log := func(x float64) float64 {
		if a+x < others { // of a small number, and of one close to 1
			return math.Log((a + x) / (a + others + x))
		}
		return math.Log1p(-others / (a + others + x))
	}
	slope := func(x float64) float64 { return others / ((a + x) * (a + others + x)) }
	const summedOneByOne = 512
	sum := 0.0
	for i := range min(n, summedOneByOne) {
		sum += log(float64(i))
	}
	end := float64(n) - 0.5
	for low := summedOneByOne - 0.5; low < end; {
		high := min(end, 2*low)
		sum += quad.Fixed(log, low, high, nodesOfInterval, quad.Legendre{}, 0) - (slope(high)-slope(low))/24
		low = high
	}
	return sum
}

// The alphas of labels that occur. Beyond, the distribution is one of its limits to all digits, which the expected measure has.
const leastAlpha, mostAlpha = 1e-9, 1e12

func checkAlpha(alpha []float64, labels int) error {
	if len(alpha) != labels || labels == 0 {
		return fmt.Errorf("risk: %d alphas for %d labels: give one for each label of the domain", len(alpha), labels)
	}
	sum := 0.0
	for _, a := range alpha {
		if a != 0 && !(a >= leastAlpha && a <= mostAlpha) {
			return fmt.Errorf("risk: an alpha is %v: give %g to %g, or 0 for a label that never occurs", a, leastAlpha, mostAlpha)
		}
		sum += a
	}
	if sum == 0 {
		return errors.New("risk: all alphas are 0: some label must occur")
	}
	return nil
}
