package law

import (
	"math"
	"sort"
)

// A Beta is the law of a rate, by its two shapes.
type Beta struct{ Yes, No float64 }

// concave reports whether the beta-binomial law is log-concave, so that its ratios fall.
func (b Beta) concave() bool { return b.Yes >= 1 && b.No >= 1 }

// binomial is the beta-binomial law: how many of n people have a value when they share a rate that is drawn from b. It is tilted by
// the factor exp(tilt v), and has ratios only of a concave b.
func (b Beta) binomial(n int, tilt float64) Ratios {
	r := Ratios{
		high: n, odds: math.Exp(tilt), a: float64(n), b: b.Yes, slopeB: 1, d: float64(n-1) + b.No, slopeD: -1,
	}
	r.mode = sort.Search(n, func(v int) bool { return r.up(v) < 1 })
	return r
}

// Window is the tilted beta-binomial law of n people, whole if it is not concave: then the rate piles up at 0 or 1.
func (b Beta) Window(n int, tilt float64) Window {
	r := b.binomial(n, tilt)
	if b.concave() {
		return r.Window(Floor)
	}
	w := Window{Mass: make([]float64, n+1)}
	most := 0.0
	for v := range n {
		w.Mass[v+1] = w.Mass[v] + math.Log(r.up(v))
		most = max(most, w.Mass[v+1])
	}
	total := 0.0
	for v := range w.Mass {
		w.Mass[v] = math.Exp(w.Mass[v] - most)
		total += w.Mass[v]
	}
	for v := range w.Mass {
		w.Mass[v] /= total
	}
	return w
}

// Outside is the probability of a value that is not in low..high.
func (b Beta) Outside(n, low, high int) float64 {
	if b.concave() {
		r := b.binomial(n, 0)
		return r.Outside(low, high)
	}
	w, out := b.Window(n, 0), 0.0
	for v, x := range w.Mass {
		if v < low || v > high {
			out += x
		}
	}
	return min(1, out)
}
