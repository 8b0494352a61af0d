package utility

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Repetitions are several releases of one table, from which bias, variance and fairness are estimated.
type Repetitions struct {
	original []float64
	errors   []float64 // shown minus true count, of all cells of one release after another
	releases int
}

// NewRepetitions starts without releases of a table with these counts.
func NewRepetitions(original []float64) *Repetitions { return &Repetitions{original: original} }

// Add adds a release.
func (r *Repetitions) Add(sanitized []float64) error {
	if len(sanitized) != len(r.original) {
		return fmt.Errorf("utility: %d original and %d sanitized counts", len(r.original), len(sanitized))
	}
	for i, n := range sanitized {
		if off := n - r.original[i]; !finite(off) {
			return fmt.Errorf("utility: the error of cell %d is %v", i, off)
		}
	}
	for i, n := range sanitized {
		r.errors = append(r.errors, n-r.original[i])
	}
	r.releases++
	return nil
}

// An Estimate is a mean over releases, and its standard error: the estimated standard deviation of that mean, the releases being independent.
type Estimate struct {
	Value, StandardError float64
}

// Empirical is what repeated releases tell of a mechanism on one table. [mechanisms.Summary] is what L1Bias, Alpha and the variances estimate.
//
// Bias: of a cell, the expectation of the shown count minus the true count (Zhu et al. 2023, section 2). Estimates of the l1 norm and the range of
// biases are too large: the mean of R releases is off by the noise, which the norm and the range take for bias. The published tables have
// such estimates. So each is given twice. The plain one is that of the means of all releases, and is too large on average; AtLeast takes
// the signs, or the two cells, from the means of one half of the releases, and the biases from the other half, and is too small on
// average: no choice of signs or cells exceeds the norm or the range. The truth is between the expectations of the two.
//
// A standard error is that of the chosen sum of cells, with the covariances that the releases have. It does not cover the choice.
type Empirical struct {
	Releases int
	// L1Error and L2Error are the mean errors of a release, in persons.
	L1Error, L2Error Estimate
	// L1Bias is the sum of the absolute biases of all cells, in persons (Zhu et al. 2023, Tables 2 and 3, "Bias (l1 norm)"; Das et al. 2024, Table 1, "Error").
	L1Bias, L1BiasAtLeast Estimate
	// Alpha is the largest bias of a cell minus the smallest, in persons: the mechanism is alpha-fair on this table (Zhu et al. 2023, Definition 1,
	// after Zhu, Fioretto and Van Hentenryck 2022). The papers write it as the infinity norm of the bias, which it is not.
	Alpha, AlphaAtLeast Estimate
	// MaxVariance is the largest variance of a cell, in persons squared (Das et al. 2024, Table 1, "Variance"): too large on average, as L1Bias is.
	MaxVariance Estimate
	// MeanVariance is that of an average cell.
	MeanVariance Estimate
}

// Summary sums the releases up. There must be four or more, so that each half has a standard error.
func (r *Repetitions) Summary() (Empirical, error) {
	if len(r.original) == 0 {
		return Empirical{}, errors.New("utility: the table has no cells")
	}
	if r.releases < 4 {
		return Empirical{}, fmt.Errorf("utility: %d releases; four or more are required", r.releases)
	}
	e := Empirical{Releases: r.releases}
	e.L1Error, e.L2Error = r.errorsOfReleases()
	half := r.releases / 2
	first, second, all := r.part(0, half), r.part(half, r.releases), r.part(0, r.releases)
	means, firstMeans, secondMeans := all.means(), first.means(), second.means()
	e.L1Bias = all.along(signs(means))
	e.L1BiasAtLeast = average(second.along(signs(firstMeans)), first.along(signs(secondMeans)))
	e.Alpha = all.along(extremes(means))
	e.AlphaAtLeast = average(second.along(extremes(firstMeans)), first.along(extremes(secondMeans)))
	e.MaxVariance, e.MeanVariance = all.summedVariances(means)
	return e, nil
}

// errorsOfReleases are the means of the norms.
func (r *Repetitions) errorsOfReleases() (l1, l2 Estimate) {
	var norms, roots moments
	all := r.part(0, r.releases)
	for i := range r.releases {
		var sum, squares float64
		for _, x := range all.release(i) {
			sum += math.Abs(x)
			squares += x * x
		}
		norms.add(sum)
		roots.add(math.Sqrt(squares))
	}
	return norms.estimate(), roots.estimate()
}

// A batch is some of the releases.
type batch struct {
	errors   []float64
	cells    int
	releases int
}

func (r *Repetitions) part(from, to int) batch {
	cells := len(r.original)
	return batch{errors: r.errors[from*cells : to*cells], cells: cells, releases: to - from}
}

func (b batch) release(i int) []float64 { return b.errors[i*b.cells : (i+1)*b.cells] }

// means are the mean errors of the cells.
func (b batch) means() []float64 {
	means := make([]float64, b.cells)
	for i := range b.releases {
		for cell, x := range b.release(i) {
			means[cell] += x
		}
	}
	for cell := range means {
		means[cell] /= float64(b.releases)
	}
	return means
}

// A weight is one term of a sum of cells.
type weight struct {
	cell   int
	factor float64
}

// signs is the sum that is the l1 norm of the means.
func signs(means []float64) []weight {
	sum := make([]weight, 0, len(means))
	for cell, mean := range means {
		switch {
		case mean > 0:
			sum = append(sum, weight{cell, 1})
		case mean < 0:
			sum = append(sum, weight{cell, -1})
		}
	}
	return sum
}

// extremes is the sum that is the range of the means.
func extremes(means []float64) []weight {
	least, most := 0, 0
	for cell, mean := range means {
		if mean < means[least] {
			least = cell
		}
		if mean > means[most] {
			most = cell
		}
	}
	return []weight{{most, 1}, {least, -1}}
}

// along is the mean of a sum of cells.
func (b batch) along(sum []weight) Estimate {
	var m moments
	for i := range b.releases {
		release := b.release(i)
		var x float64
		for _, w := range sum {
			x += w.factor * release[w.cell]
		}
		m.add(x)
	}
	return m.estimate()
}

// variances are the sample variances of the cells.
func (b batch) variances(means []float64) []float64 {
	variances := make([]float64, b.cells)
	for i := range b.releases {
		for cell, x := range b.release(i) {
			variances[cell] += (x - means[cell]) * (x - means[cell])
		}
	}
	for cell := range variances {
		variances[cell] /= float64(b.releases - 1)
	}
	return variances
}

// summedVariances are the largest and the mean of the sample variances, each the mean over releases of squared deviations times R/(R-1).
func (b batch) summedVariances(means []float64) (largest, mean Estimate) {
	variances := b.variances(means)
	most := slices.Index(variances, slices.Max(variances))
	correction := float64(b.releases) / float64(b.releases-1)
	var ofMost, ofAll moments
	for i := range b.releases {
		release := b.release(i)
		off := release[most] - means[most]
		ofMost.add(off * off * correction)
		var sum float64
		for cell, x := range release {
			sum += (x - means[cell]) * (x - means[cell])
		}
		ofAll.add(sum * correction / float64(b.cells))
	}
	return ofMost.estimate(), ofAll.estimate()
}

// average is that of two independent estimates.
func average(a, b Estimate) Estimate {
	return Estimate{Value: (a.Value + b.Value) / 2, StandardError: math.Hypot(a.StandardError, b.StandardError) / 2}
}

// moments accumulate a mean and the squared deviations from it (Welford 1962).
type moments struct {
	n, mean, squares float64
}

func (m *moments) add(x float64) {
	m.n++
	off := x - m.mean
	m.mean += off / m.n
	m.squares += off * (x - m.mean)
}

// estimate is of two values or more.
func (m *moments) estimate() Estimate {
	return Estimate{Value: m.mean, StandardError: math.Sqrt(m.squares / (m.n - 1) / m.n)}
}
