package mechanisms

import (
	"math"

	"tacit/policy"
)

// ExpectSelection tells the distribution of what Select makes of keys with these many people. A key that is not shown counts as 0, as it
// does to an analyst who adds up what she sees, and is what Suppressed is the probability of. ok is false if Select shows none.
func (m *Mechanism) ExpectSelection(counts []int64) (keys []Expectation, ok bool) {
	var of func(n int64) Expectation
	absent := policy.Fill{Kind: policy.FillValue}
	switch s := m.selection().(type) {
	case noisyThreshold:
		of = additive{noise: s.noise, k: s.tau, fill: absent}.expectSuppressed
	case truncatedThreshold:
		of = s.expect
	case publishedSuppression:
		s.fill = absent
		of = s.expectFixed
	default:
		return nil, false
	}
	keys = make([]Expectation, len(counts))
	for i, n := range counts {
		keys[i] = nobody()
		if n > 0 {
			keys[i] = of(n)
		}
	}
	return keys, true
}

// nobody is a key that is not found.
func nobody() Expectation {
	return Expectation{Suppressed: 1, Distribution: func(v float64) float64 { return boolFloat(v >= 0) }}
}

func boolFloat(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Behind is the distribution of a count of n that is shown, independently of its own noise, with probability shown, and counts as 0
// otherwise: one beside the count of persons that Select decides by.
func (e Expectation) Behind(shown float64, n int64) Expectation {
	absent := 1 - shown
	bias := shown*e.Bias - absent*float64(n)
	square := shown*(e.Variance+e.Bias*e.Bias) + absent*float64(n)*float64(n)
	return Expectation{
		Bias: bias, Variance: max(0, square-bias*bias), Suppressed: absent + shown*e.Suppressed,
		Distribution: func(v float64) float64 { return shown*e.Distribution(v) + absent*boolFloat(v >= 0) },
	}
}

// expect is the distribution of n + X where that is above k, and of 0 elsewhere, for n >= 1. Its moments are taken around n.
func (t truncatedThreshold) expect(n int64) Expectation {
	withheld, off := t.withholds(n), float64(n)
	mean, square := t.momentsFrom(t.k + 1 - n)
	bias := mean - off*withheld
	return Expectation{
		Bias: bias, Variance: max(0, square+off*off*withheld-bias*bias), Suppressed: withheld,
		Distribution: func(v float64) float64 {
			switch {
			case v < 0:
				return 0
			case v <= float64(t.k):
				return withheld
			case v >= float64(n+t.k):
				return 1
			}
			return 1 - t.atLeast(int64(math.Floor(v))+1-n)
		},
	}
}

// atLeast is P(X >= j).
func (t truncatedThreshold) atLeast(j int64) float64 {
	switch {
	case j > t.k:
		return 0
	case j > 0:
		return t.upperTail(j)
	case j > -t.k:
		return 1 - t.upperTail(1-j)
	}
	return 1
}

// momentsFrom are E[X; X >= j] and E[X^2; X >= j]: those of discrete Laplace noise from j to k, divided by the probability that it is within
// k. They lose as many digits as k is many steps below the scale of the noise, which is none at a delta below 1/10.
func (t truncatedThreshold) momentsFrom(j int64) (mean, square float64) {
	if j > t.k {
		return 0, 0
	}
	if j < 1 {
		mean, square = t.momentsFrom(1 - max(j, -t.k))
		_, half := t.momentsFrom(1)
		return mean, 2*half - square
	}
	mean, square = momentsFrom(t.noise, j)
	meanBeyond, squareBeyond := momentsFrom(t.noise, t.k+1)
	within := 1 - 2*t.noise.upperTail(t.k+1)
	return (mean - meanBeyond) / within, (square - squareBeyond) / within
}
