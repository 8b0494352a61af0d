package mechanisms

import (
	"io"
	"math"
	"math/rand/v2"
)

// falseFailure is the probability with which a statistical test of this package may fail on a right implementation, for a seed
// chosen blindly. The seeds are fixed: a run gives the same verdict every time.
const falseFailure = 1e-6

// seeded is a deterministic stream of uniform bytes.
func seeded(seed byte) io.Reader { return rand.NewChaCha8([32]byte{0: seed}) }

// probability of z under d, in floating point.
func (d discreteLaplace) probability(z int64) float64 {
	a := d.a()
	return -math.Expm1(-float64(d.s)/float64(d.t)) / (1 + a) * math.Pow(a, math.Abs(float64(z)))
}

// tail is P(Z >= k) for every k.
func (d discreteLaplace) tail(k int64) float64 {
	a := d.a()
	if k < 1 {
		return 1 - math.Pow(a, float64(1-k))/(1+a)
	}
	return math.Pow(a, float64(k)) / (1 + a)
}

// chiSquared compares draws with d. Its bins are the single values that are expected 50 times or more, and the two tails.
func chiSquared(d discreteLaplace, draws []int64) (statistic float64, freedom int) {
	n := float64(len(draws))
	last := int64(0) // the tails are beyond it
	for n*d.tail(last+2) >= 50 && n*d.probability(last+1) >= 50 {
		last++
	}
	observed := make([]float64, 2*last+3)
	for _, z := range draws {
		observed[max(-last-1, min(last+1, z))+last+1]++
	}
	for i, o := range observed {
		z := int64(i) - last - 1
		expected := n * d.probability(z)
		if z < -last || z > last {
			expected = n * d.tail(last+1)
		}
		statistic += (o - expected) * (o - expected) / expected
	}
	return statistic, len(observed) - 1
}

// chiSquaredLimit is exceeded by a chi-squared variable with k degrees of freedom with probability at most falseFailure: the
// smallest x with the Chernoff bound exp(-(x - k - k ln(x/k))/2) <= falseFailure.
func chiSquaredLimit(k int) float64 {
	low, high := float64(k), float64(k)+1000*math.Sqrt(float64(k))+1000
	for high-low > 1e-6 {
		x := (low + high) / 2
		if (x-float64(k)-float64(k)*math.Log(x/float64(k)))/2 >= -math.Log(falseFailure) {
			high = x
		} else {
			low = x
		}
	}
	return high
}

// hoeffding is the distance from its expectation that the mean of n independent variables in [0, 1] exceeds with probability at
// most falseFailure: 2 exp(-2 n x^2) = falseFailure.
func hoeffding(n int) float64 {
	return math.Sqrt(math.Log(2/falseFailure) / (2 * float64(n)))
}

// hockeyStick is the smallest delta with P(S) <= exp(epsilon) Q(S) + delta for every S; p and q list the probabilities of the same
// outputs.
func hockeyStick(epsilon float64, p, q []float64) float64 {
	delta := 0.0
	for i := range p {
		delta += max(0, p[i]-math.Exp(epsilon)*q[i])
	}
	return delta
}

// product is the joint distribution of two independent outputs.
func product(p, q []float64) []float64 {
	joint := make([]float64, 0, len(p)*len(q))
	for _, x := range p {
		for _, y := range q {
			joint = append(joint, x*y)
		}
	}
	return joint
}
