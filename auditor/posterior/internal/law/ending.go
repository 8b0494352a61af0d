package law

import "math"

// An Ending is the law of a posterior given all sums: rising values and their weights, and a bound of the weights that were cut off.
type Ending struct {
	At, Weight []float64
	Cut        float64
}

// Mirror is the law of one less the posterior.
func (e *Ending) Mirror() Ending {
	m := Ending{Cut: e.Cut}
	for i := len(e.At) - 1; i >= 0; i-- {
		m.At, m.Weight = append(m.At, 1-e.At[i]), append(m.Weight, e.Weight[i])
	}
	return m
}

// Reaches bounds the probability that a martingale with this ending ever reaches c. What was cut may lie at 1. The ratio first falls and
// then rises as k goes down, since it is the slope of a line from a fixed point to a convex curve.
func (e *Ending) Reaches(c float64) float64 {
	total := 0.0
	for _, w := range e.Weight {
		total += w
	}
	best, last := 1.0, math.Inf(1)
	above, next := e.Cut, 1.0 // the weight above k, and the least value above it
	gain := 0.0               // E(Y-k)^+
	for i := len(e.At) - 1; i >= 0; i-- {
		k := e.At[i]
		gain += above * (next - k)
		above, next = above+e.Weight[i], k
		if k >= c {
			continue
		}
		ratio := gain / (c - k) / total
		if ratio > last {
			break
		}
		best, last = min(best, ratio), ratio
	}
	return best
}
