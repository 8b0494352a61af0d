package paper

import (
	"errors"
	"math"

	"tacit/mechanisms/sampling"
)

// A Noise is what perturbation adds: discrete Laplace noise of scale Sensitivity/epsilon, where epsilon is Numerator/Denominator.
type Noise struct {
	Bits                   *sampling.Bits
	Numerator, Denominator uint64
}

// ErrNoise is returned for an epsilon that is not positive.
var ErrNoise = errors.New("paper: epsilon must be positive")

func (n Noise) draw(sensitivity uint64) float64 {
	n.Bits.Start()
	return float64(n.Bits.DiscreteLaplace(n.Numerator, n.Denominator*sensitivity))
}

// Cells adds noise to each cell and nothing else: a person is in one cell, so that the sensitivity to whether she has the attribute is 1. Sums of
// rows and columns are those of the noisy cells.
func (n Noise) Cells(values []int) ([]float64, error) {
	if n.Numerator == 0 || n.Denominator == 0 {
		return nil, ErrNoise
	}
	noisy := make([]float64, len(values))
	for i, v := range values {
		noisy[i] = float64(v) + n.draw(1)
	}
	return noisy, n.Bits.Err()
}

// Perturb adds noise to the cells, to the sums of rows and columns and to the total, and makes them consistent by least squares, negative cells 0
// and all cells whole. A person is in four of these sums, so that the sensitivity is 4.
//
// It stands for the algorithm of Barak et al. 2007, with which the paper compares, and is not it: that one perturbs the Fourier
// coefficients of the table over binary attributes and solves a linear program. Both spread the budget over the margins, which is
// what the comparison is about: margins come out better and cells worse than with [Noise.Cells].
func (n Noise) Perturb(t Table, values []int) ([]float64, error) {
	if n.Numerator == 0 || n.Denominator == 0 {
		return nil, ErrNoise
	}
	const sums = 4
	noisy := make([]float64, len(values))
	for i, v := range values {
		noisy[i] = float64(v) + n.draw(sums)
	}
	rows, columns := make([]float64, t.Rows), make([]float64, t.Columns)
	for i := range rows {
		rows[i] = float64(t.Sum(values, t.Row(i))) + n.draw(sums)
	}
	for j := range columns {
		columns[j] = float64(t.Sum(values, t.Column(j))) + n.draw(sums)
	}
	total := float64(t.Sum(values, t.All())) + n.draw(sums)
	if err := n.Bits.Err(); err != nil {
		return nil, err
	}
	fitted := leastSquares(noisy, rows, columns, total)
	for i, x := range fitted {
		fitted[i] = max(0, math.Round(x))
	}
	return fitted, nil
}

// leastSquares is the table that is nearest to noisy cells, row sums, column sums and total together.
//
// The normal equations are: for each cell, x + (row sum of x) + (column sum of x) + (total of x) = y, where y is the same of what was
// observed. With x split into mean, row effects, column effects and interaction, the left side multiplies these by
// 1+n+m+mn, 1+n, 1+m and 1.
func leastSquares(cells, rows, columns []float64, total float64) []float64 {
	m, n := len(rows), len(columns)
	y := make([]float64, m*n)
	rowMean, columnMean, mean := make([]float64, m), make([]float64, n), 0.0
	for i := range m {
		for j := range n {
			y[i*n+j] = cells[i*n+j] + rows[i] + columns[j] + total
			rowMean[i] += y[i*n+j] / float64(n)
			columnMean[j] += y[i*n+j] / float64(m)
			mean += y[i*n+j] / float64(m*n)
		}
	}
	x := make([]float64, m*n)
	for i := range m {
		for j := range n {
			row, column := rowMean[i]-mean, columnMean[j]-mean
			x[i*n+j] = mean/float64((1+m)*(1+n)) + row/float64(1+n) + column/float64(1+m) + (y[i*n+j] - mean - row - column)
		}
	}
	return x
}
