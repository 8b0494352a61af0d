package law

// Ratios are a log-concave law on the integers from low to high, given by the ratios of neighbouring probabilities,
//
//	f(v+1)/f(v) = odds (a-v)(b+slopeB v) / ((v+1)(d+slopeD v)),
//
// which the binomial, hypergeometric and beta-binomial laws share. Walking from the mode keeps every step's relative error at a few units
// in the last place, where the logarithm of the gamma function loses eight digits at ten million people. The ratios fall as v grows, so
// that what is left beyond a point is at most a geometric series: nothing is cut off uncounted.
type Ratios struct {
	low, high, mode               int
	odds, a, b, slopeB, d, slopeD float64
}

// tailFloor is where to stop walking, relative to the mode. A tail only adds to a risk.
const tailFloor = 1e-20

// up is f(v+1)/f(v).
func (r *Ratios) up(v int) float64 {
	x := float64(v)
	return r.odds * (r.a - x) * (r.b + r.slopeB*x) / ((x + 1) * (r.d + r.slopeD*x))
}

// down is f(v-1)/f(v).
func (r *Ratios) down(v int) float64 {
	x := float64(v - 1)
	return (x + 1) * (r.d + r.slopeD*x) / (r.odds * (r.a - x) * (r.b + r.slopeB*x))
}

// Outside is the probability of a value that is not in low..high, an upper bound by what lies beyond the last term.
func (r *Ratios) Outside(low, high int) float64 {
	if low <= r.low && high >= r.high {
		return 0
	}
	in, out := 0.0, 0.0
	add := func(v int, x float64) {
		if v < low || v > high {
			out += x
		} else {
			in += x
		}
	}
	add(r.mode, 1)
	cut := 0.0
	for v, x := r.mode, 1.0; v < r.high; v++ {
		ratio := r.up(v)
		if x < tailFloor {
			cut += beyond(x, ratio)
			break
		}
		x *= ratio
		add(v+1, x)
	}
	for v, x := r.mode, 1.0; v > r.low; v-- {
		ratio := r.down(v)
		if x < tailFloor {
			cut += beyond(x, ratio)
			break
		}
		x *= ratio
		add(v-1, x)
	}
	return min(1, (out+cut)/(in+out))
}

// Window is the law without what is below a floor relative to the mode.
func (r *Ratios) Window(floor float64) Window {
	var below []float64
	cut, total := 0.0, 1.0
	for v, x := r.mode, 1.0; v > r.low; v-- {
		ratio := r.down(v)
		if x < floor {
			cut += beyond(x, ratio)
			break
		}
		x *= ratio
		total += x
		below = append(below, x)
	}
	w := Window{First: r.mode - len(below), Mass: make([]float64, 0, 2*len(below)+8)}
	for i := len(below) - 1; i >= 0; i-- {
		w.Mass = append(w.Mass, below[i])
	}
	w.Mass = append(w.Mass, 1)
	for v, x := r.mode, 1.0; v < r.high; v++ {
		ratio := r.up(v)
		if x < floor {
			cut += beyond(x, ratio)
			break
		}
		x *= ratio
		total += x
		w.Mass = append(w.Mass, x)
	}
	for i := range w.Mass {
		w.Mass[i] /= total
	}
	w.Cut = cut / total
	return w
}
