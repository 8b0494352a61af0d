package mechanisms

import (
	"math/cmplx"

	"gonum.org/v1/gonum/dsp/fourier"
)

// convolutionPowers is the distribution of the sum, modulo their length, of independent variables: as many of each distribution as copies says. It is
// computed by the discrete Fourier transform, in floating point.
func convolutionPowers(distributions [][]float64, copies []int) []float64 {
	n := len(distributions[0])
	transform := fourier.NewFFT(n)
	var product []complex128
	for k, p := range distributions {
		coefficients := transform.Coefficients(nil, p)
		for i, c := range coefficients {
			coefficients[i] = cmplx.Pow(c, complex(float64(copies[k]), 0))
			if k > 0 {
				coefficients[i] *= product[i]
			}
		}
		product = coefficients
	}
	sum := transform.Sequence(nil, product)
	for i := range sum {
		sum[i] /= float64(n)
	}
	return sum
}
