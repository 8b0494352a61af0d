package disclosure

import (
	"math"

	"tacit/mechanisms"
)

// gaussianLaw is discrete Gaussian noise of a variance (parameter sigma^2).
func gaussianLaw(variance float64) (mechanisms.Law, error) {
	return mechanisms.DiscreteGaussianLaw(math.Sqrt(variance))
}

// negligible ends sums over tails, which fall off faster than geometrically.
const negligible = 1e-18

// clamped is the distribution of max(0, n + Z). Its bias is E[max(0, -Z-n)], the sum of P(Z >= k) over k > n; of E[Z^2], the moment around n
// loses the sum over k > n of (k^2 - n^2) P(Z = k).
func clamped(law mechanisms.Law, n int64) mechanisms.Expectation {
	var bias, lost float64
	for k := n + 1; law.AtLeast(k) > negligible; k++ {
		bias += law.AtLeast(k)
		lost += float64(k*k-n*n) * law.Probability(k)
	}
	return mechanisms.Expectation{
		Bias:     bias,
		Variance: law.Variance() - lost - bias*bias,
		Distribution: func(v float64) float64 {
			if v < 0 {
				return 0
			}
			return law.AtLeast(n - int64(v))
		},
	}
}

// reach is the least r with P(|Z| > r) negligible.
func reach(law mechanisms.Law) int64 {
	r := int64(1)
	for law.AtLeast(r+1) > negligible {
		r++
	}
	return r
}

// oneCellDelta is the exact delta of noise on one cell that gains 1, and twoCellDelta that on two cells of which one gains 1 and the other loses
// 1: add-remove and replace-one. Both are the hockey-stick sum over what is shown.
//
// The second sums over the first cell's noise z: it changes the probability by the factor r = P(Z = z)/P(Z = z+1), so that what is left to the second
// cell is epsilon - ln r.
func oneCellDelta(law mechanisms.Law, epsilon float64) float64 {
	var sum float64
	for z, r := -reach(law), reach(law); z <= r; z++ {
		sum += max(0, law.Probability(z)-math.Exp(epsilon)*law.Probability(z+1))
	}
	return sum
}

func twoCellDelta(law mechanisms.Law, epsilon float64) float64 {
	var sum float64
	r := reach(law)
	for z := -r; z <= r; z++ {
		ratio := law.Probability(z) / law.Probability(z+1)
		sum += law.Probability(z) * oneCellDelta(law, epsilon-math.Log(ratio))
	}
	return sum
}
