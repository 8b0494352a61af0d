package suppressor

import (
	"errors"

	"tacit/mechanisms/sampling"
)

// A Noise is the least that perturbation adds: discrete Laplace noise of scale 1/epsilon, where epsilon is Numerator/Denominator. The perturbation
// that the paper compares with, which is for margins, is package fourier's.
type Noise struct {
	Bits                   *sampling.Bits
	Numerator, Denominator uint64
}

// ErrNoise is returned for an epsilon that is not positive.
var ErrNoise = errors.New("suppressor: epsilon must be positive")

// Cells adds noise to each cell and nothing else: a person is in one cell, so that the sensitivity to whether she has the attribute is 1. Sums of
// rows and columns are those of the noisy cells.
func (n Noise) Cells(values []int) ([]float64, error) {
	if n.Numerator == 0 || n.Denominator == 0 {
		return nil, ErrNoise
	}
	noisy := make([]float64, len(values))
	for i, v := range values {
		noisy[i] = float64(v) + float64(n.Bits.DiscreteLaplace(n.Numerator, n.Denominator))
	}
	return noisy, n.Bits.Err()
}
