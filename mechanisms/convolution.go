package mechanisms

import (
	"math/cmplx"

	"gonum.org/v1/gonum/dsp/fourier"
)

// convolutionPower is the distribution of the sum modulo len(p) of m independent variables with distribution p: by the discrete Fourier
// transform, in floating point.
func convolutionPower(p []float64, m int) []float64 {
	transform := fourier.NewFFT(len(p))
	coefficients := transform.Coefficients(nil, p)
	for i, c := range coefficients {
		coefficients[i] = cmplx.Pow(c, complex(float64(m), 0))
	}
	sum := transform.Sequence(nil, coefficients)
	for i := range sum {
		sum[i] /= float64(len(p))
	}
	return sum
}
