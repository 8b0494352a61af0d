package composition

import "math"

// A lattice is the distribution of a privacy loss L = ln P/Q under P that takes values low + i step:
//
//	P(L = l_i) = mass[i] exp(log - tilt l_i).
//
// The tilt moves the mass to where the question is: with it, an error of the masses is one relative to delta, not to 1.
type lattice struct {
	low, step float64
	mass      []float64
	tilt, log float64
	// missing bounds what is not in mass of the losses beyond the last l_i, and the sum of all errors of mass, as masses are counted.
	missing float64
	// lost bounds the probability of what was left out before, untilted.
	lost float64
	// margin bounds the relative error of probabilities.
	margin float64
}

// loss is l_i.
func (d lattice) loss(i int) float64 { return d.low + float64(i)*d.step }

// scale is exp(tilt l_i - log): by so much masses at l_i are larger than probabilities. From exp(700) on it is less than that, which
// makes any delta look smaller than it is.
func (d lattice) scale(loss float64) float64 { return math.Exp(min(700, d.tilt*loss-d.log)) }

// A walk goes down a lattice from its top. At l_i it knows, as masses are counted there, the delta of epsilon = l_i, and the sum over
// l >= l_i of P(L = l) exp(l_i - l), which is exp(l_i) Q(L >= l_i). Every step adds positive numbers, so nothing cancels.
type walk struct {
	lattice
	i         int
	delta     float64
	survivors float64
	// untilt, fade and gain are exp(-tilt step), exp(-step) and 1 - exp(-step).
	untilt, fade, gain float64
}

func (d lattice) walk() *walk {
	w := &walk{lattice: d, i: len(d.mass) - 1, untilt: math.Exp(-d.tilt * d.step), fade: math.Exp(-d.step), gain: -math.Expm1(-d.step)}
	w.survivors = d.mass[w.i]
	return w
}

// deltaBelow is the delta of epsilon = l_{i-1}: that of l_i, and of what remains (1 - exp(-step)) exp(l_i) Q(L >= l_i).
func (w *walk) deltaBelow() float64 { return w.untilt * (w.delta + w.gain*w.survivors) }

func (w *walk) step() {
	w.delta = w.deltaBelow()
	w.i--
	w.survivors = w.mass[w.i] + w.untilt*w.fade*w.survivors
}

// relative bounds the relative error of what a walk over the lattice computes.
func (d lattice) relative() float64 { return d.margin + 8*float64(len(d.mass))*0x1p-53 + slack }

// epsilon is the smallest epsilon, rounded up, at which delta suffices: +Inf if that is beyond the lattice. It is not below low.
//
// Between two points delta is linear in exp(epsilon), so that there it can be solved for.
func (d lattice) epsilon(delta float64) float64 {
	available := delta/(1+d.relative()) - d.lost
	w := d.walk()
	if !(d.missing <= available*d.scale(d.loss(w.i))) {
		return math.Inf(1)
	}
	for ; w.i > 0; w.step() {
		limit := available * d.scale(d.loss(w.i-1))
		if w.deltaBelow()+d.missing <= limit {
			continue
		}
		// What is missing counts as much as at the lower point.
		room := (available*d.scale(d.loss(w.i)) - d.missing/w.untilt - w.delta) / w.survivors
		return d.loss(w.i) + math.Log1p(-min(max(0, room), w.gain))
	}
	return d.low
}

// deltaAt is the delta at epsilon, rounded up.
//
// Below low the part of the lattice that is not known adds at most exp(low) - exp(epsilon), since delta falls by at most 1 as exp(epsilon)
// grows by 1.
func (d lattice) deltaAt(epsilon float64) float64 {
	w := d.walk()
	for w.i > 0 && d.loss(w.i-1) > epsilon {
		w.step()
	}
	delta := d.lost + d.missing/d.scale(max(epsilon, d.low))
	switch at := d.loss(w.i); {
	case at <= epsilon: // beyond the lattice
	case epsilon < d.low:
		delta += w.delta/d.scale(at) + math.Exp(at) - math.Exp(epsilon)
	default:
		delta += (w.delta - w.survivors*math.Expm1(epsilon-at)) / d.scale(at)
	}
	return min(1, delta*(1+d.relative()))
}
