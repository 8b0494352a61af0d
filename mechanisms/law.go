package mechanisms

import (
	"fmt"
	"math"
)

// A Law is the distribution of the noise Z that an additive mechanism adds to a count, over the integers. It is symmetric around 0 and
// log-concave: the less probable the larger |Z| is. It is for people who compare mechanisms; no draw depends on it, nor does a guarantee.
//
// Its probabilities have some 12 digits. The zero Law is of no use: take one from [Mechanism.Law], [LaplaceLaw], [GeometricLaw],
// [GaussianLaw] or [DiscreteGaussianLaw].
type Law struct{ shape shape }

// Law is the distribution of the noise of a cell that is shown. Kinds that do not add noise to what they show have none, and cells that
// are fitted to margins have noise that depends on one another: ok is false.
func (m *Mechanism) Law() (law Law, ok bool) {
	a, ok := m.method.(additive)
	if !ok {
		return Law{}, false
	}
	return Law{a.noise}, true
}

// LaplaceLaw is that of a continuous Laplace variable, rounded to the nearest integer. Its scale is D1/epsilon, with D1 the l1 sensitivity.
func LaplaceLaw(scale float64) (Law, error) {
	if err := checkScale("scale of Laplace noise", scale); err != nil {
		return Law{}, err
	}
	return Law{laplaceShape{1 / scale}}, nil
}

// GeometricLaw is P(Z = z) = (1-alpha)/(1+alpha) alpha^|z|, with alpha = exp(-epsilon/D1).
func GeometricLaw(alpha float64) (Law, error) {
	if !(alpha > 0 && alpha < 1) {
		return Law{}, fmt.Errorf("mechanisms: alpha of geometric noise is %v, must be more than 0 and less than 1", alpha)
	}
	return Law{geometricShape{-math.Log(alpha)}}, nil
}

// GaussianLaw is that of a continuous Gaussian variable, rounded to the nearest integer.
func GaussianLaw(sigma float64) (Law, error) {
	if err := checkScale("sigma of Gaussian noise", sigma); err != nil {
		return Law{}, err
	}
	return Law{&gaussian{sigma: sigma}}, nil
}

// DiscreteGaussianLaw is P(Z = z) proportional to exp(-z^2/(2 sigma^2)).
func DiscreteGaussianLaw(sigma float64) (Law, error) {
	if err := checkScale("sigma of discrete Gaussian noise", sigma); err != nil {
		return Law{}, err
	}
	return Law{&gaussian{sigma: sigma, discrete: true}}, nil
}

// The scales of laws: what is outside of them is all noise or none to any count that there can be.
const leastScale, largestScale = 1e-9, 1e15

func checkScale(what string, scale float64) error {
	if !(scale >= leastScale && scale <= largestScale) {
		return fmt.Errorf("mechanisms: %s is %v, must be %g to %g", what, scale, leastScale, largestScale)
	}
	return nil
}

// AtLeast is P(Z >= k), for every k. It does not cancel: P(Z >= 1) is at most 1/2.
func (l Law) AtLeast(k int64) float64 { return tail(l.shape, max(k, -math.MaxInt64/2)) }

// Probability is P(Z = z).
func (l Law) Probability(z int64) float64 { return l.shape.probability(z) }

// Variance is E[Z^2].
func (l Law) Variance() float64 { return variance(l.shape) }
