package posterior

import (
	"math"
	"sort"
)

// A beta is the law of a rate, by its two shapes.
type beta struct{ yes, no float64 }

// concave says whether the beta-binomial law is log-concave, so that its ratios fall.
func (b beta) concave() bool { return b.yes >= 1 && b.no >= 1 }

// binomial is the beta-binomial law: how many of n people have a value when they share a rate that is drawn from b. It is tilted by
// the factor exp(tilt v), and a recursion only of a concave b.
func (b beta) binomial(n int, tilt float64) recursion {
	r := recursion{
		high: n, odds: math.Exp(tilt), a: float64(n), b: b.yes, slopeB: 1, d: float64(n-1) + b.no, slopeD: -1,
	}
	r.mode = sort.Search(n, func(v int) bool { return r.up(v) < 1 })
	return r
}

// window is the tilted beta-binomial law of n people, whole if it is not concave: then the rate piles up at 0 or 1.
func (b beta) window(n int, tilt float64) window {
	r := b.binomial(n, tilt)
	if b.concave() {
		return r.window(windowFloor)
	}
	w := window{mass: make([]float64, n+1)}
	most := 0.0
	for v := range n {
		w.mass[v+1] = w.mass[v] + math.Log(r.up(v))
		most = max(most, w.mass[v+1])
	}
	total := 0.0
	for v := range w.mass {
		w.mass[v] = math.Exp(w.mass[v] - most)
		total += w.mass[v]
	}
	for v := range w.mass {
		w.mass[v] /= total
	}
	return w
}

// outside is the probability of a value that is not in low..high.
func (b beta) outside(n, low, high int) float64 {
	if b.concave() {
		r := b.binomial(n, 0)
		return r.outside(low, high)
	}
	w, out := b.window(n, 0), 0.0
	for v, x := range w.mass {
		if v < low || v > high {
			out += x
		}
	}
	return min(1, out)
}
