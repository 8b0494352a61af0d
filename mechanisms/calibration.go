package mechanisms

import (
	"fmt"
	"math"
	"math/big"

	"tacit/internal/normal"
	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// classicSigma is D sqrt(2 ln(1.25/delta))/epsilon, for counts of neighbours that are D apart in the l2 norm (Dwork and Roth 2014,
// Theorem A.1, for epsilon < 1; Liu and Zhao 2023 use it for others, too, which fails from some epsilon of 5.7 to 9.4 on).
func classicSigma(epsilon, delta, distance float64) float64 {
	return distance * math.Sqrt(2*math.Log(1.25/delta)) / epsilon
}

// pdpSigma is the sigma at which the privacy loss exceeds epsilon with probability delta/2: (D/(2 epsilon)) (sqrt(z^2 + 2 epsilon) - z),
// with P(N < z) = delta/2 (Liu and Zhao 2023, section 2, from Liu 2019), here with the sign of z turned. It implies (epsilon, delta), with some room: the whole
// probability of a loss beyond epsilon on either side is below delta, and the exact delta far below.
func pdpSigma(epsilon, delta, distance float64) float64 {
	z := smallest(func(z float64) bool { return math.Erfc(z/math.Sqrt2) <= delta }) // math.Erfcinv has no digits for a small delta
	return distance / (2 * epsilon) * (math.Sqrt(z*z+2*epsilon) + z)
}

// analyticSigma is the smallest sigma whose exact delta at epsilon is at most delta (Balle and Wang 2018).
func analyticSigma(epsilon, delta, distance float64) float64 {
	return distance * smallest(func(sigma float64) bool { return gaussianDelta(epsilon, sigma, 1) <= delta })
}

// smallest is the smallest positive number for which something holds that holds for all larger ones, to 12 digits and rounded up.
func smallest(holds func(float64) bool) float64 {
	high := 1.0
	for !holds(high) {
		high *= 2
	}
	for high > 1e-12 && holds(high/2) {
		high /= 2
	}
	low := high / 2
	for high-low > 1e-13*high {
		if middle := (low + high) / 2; holds(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// gaussianDelta is the exact delta of continuous Gaussian noise on counts that are D apart in the l2 norm, rounded up. Rounding the noise is
// post-processing: it holds for rounded noise, but not for the discrete Gaussian (sigma^2 = 4, epsilon = 0.5: 0.054007 is more than 0.052440).
func gaussianDelta(epsilon, sigma, distance float64) float64 {
	return normal.Delta(distance/sigma, epsilon)
}

// gaussianVariance is the variance of Gaussian noise for (epsilon, delta), rounded up.
func (c Config) gaussianVariance() (sampling.Variance, error) {
	epsilon, delta := float64(c.Epsilon)/1e9, float64(c.Delta)/1e18
	distance := math.Sqrt(c.jointDistance())
	var sigma float64
	switch c.Calibration {
	case policy.ClassicCalibration:
		if c.Epsilon >= 1e9 {
			return sampling.Variance{}, fmt.Errorf("mechanisms: %s: the classic calibration is for an epsilon below 1", c.Kind)
		}
		sigma = classicSigma(epsilon, delta, distance)
	case policy.PDPCalibration:
		sigma = pdpSigma(epsilon, delta, distance)
	case policy.AnalyticCalibration, "":
		sigma = analyticSigma(epsilon, delta, distance)
	default:
		return sampling.Variance{}, fmt.Errorf("mechanisms: %s: unknown calibration %q", c.Kind, c.Calibration)
	}
	return varianceAbove(sigma * sigma * (1 + normal.Margin))
}

// discreteGaussianVariance is the smallest variance of discrete Gaussian noise that is found to do for (epsilon, delta).
func (c Config) discreteGaussianVariance() (sampling.Variance, error) {
	// The exact delta need not fall steadily: what is found is checked once it is a Variance.
	target := smallest(c.discreteGaussianDoes)
	for {
		v, err := varianceAbove(target)
		if err != nil || c.discreteGaussianDoes(v.Float()) {
			return v, err
		}
		target *= 1 + 1e-6
	}
}

// discreteGaussianDoes says whether a variance does for (epsilon, delta). The tails whose difference is delta may be 10^7 times as large as it:
// the margin is of the tails.
//
// Two processes with one policy must find the same variance, and so must a later version of this package: answers that were recorded before are
// told apart by it. It follows from the tails to their last digit, and so it is the sums of the table that decide. Those by blocks, which take
// a twentieth of the time, agree with them to a part in 10^12: they decide where as much more or less would not matter.
func (c Config) discreteGaussianDoes(variance float64) bool {
	sigma, delta := math.Sqrt(variance), float64(c.Delta)/1e18
	var summed noise // of this sigma, whose tails both margins share
	blocks := func(z *gaussian) noise {
		if summed == nil {
			summed = byBlocks(z)
		}
		return summed
	}
	at := func(margin float64, sums summation) float64 {
		return c.discreteGaussianProfile(sigma, margin, sums)(float64(c.Epsilon) / 1e9)
	}
	const agree = 1e-12
	switch {
	case c.Sensitivity > 1, c.Parts > 1: // there are no tails
	case at(marginOfFloats+agree, blocks) <= delta:
		return true
	case at(marginOfFloats-agree, blocks) > delta:
		return false
	}
	return at(marginOfFloats, byTable) <= delta
}

// varianceAbove takes a computed variance over.
func varianceAbove(v float64) (sampling.Variance, error) {
	r := new(big.Rat).SetFloat64(v)
	if r == nil {
		return sampling.Variance{}, fmt.Errorf("mechanisms: a variance of %v", v)
	}
	out, err := sampling.NewVariance(r)
	if err != nil {
		return out, fmt.Errorf("mechanisms: %w: raise epsilon or delta, or lower the bounds of a person", err)
	}
	return out, nil
}
