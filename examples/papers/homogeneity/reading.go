package homogeneity

import (
	"math"

	"tacit/risk"
)

// A reading looks values up on curves. After an error it gives zeros, and the error at the end.
type reading struct{ err error }

func (r *reading) at(e experiment, m measure, s sanitizer, epsilon float64) risk.Average {
	if r.err != nil {
		return risk.Average{}
	}
	var a risk.Average
	a, r.err = e.at(m, s, epsilon)
	return a
}

func (r *reading) curve(e experiment, m measure, s sanitizer) curve {
	if r.err != nil {
		return curve{}
	}
	var c curve
	c, r.err = e.curve(m, s, epsilons(-3, 2, curvePoints))
	return c
}

// An interval is from the least of some values to the largest.
type interval struct{ low, high float64 }

func nothing() interval { return interval{math.Inf(1), math.Inf(-1)} }

func (i *interval) add(values ...float64) {
	for _, v := range values {
		i.low, i.high = min(i.low, v), max(i.high, v)
	}
}

// String writes both ends with three decimals.
func (i interval) String() string {
	if digits(i.low, 3) == digits(i.high, 3) {
		return digits(i.low, 3)
	}
	return digits(i.low, 3) + " to " + digits(i.high, 3)
}

// gap is the largest absolute difference of two lists.
func gap(a, b []float64) float64 {
	most := 0.0
	for i := range min(len(a), len(b)) {
		most = max(most, math.Abs(a[i]-b[i]))
	}
	return most
}
