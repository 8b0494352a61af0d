package posterior

import (
	"fmt"
	"math"
)

// maxWork bounds the multiplications of one result, a tenth of a second or two.
const maxWork = 2e8

// doubtful is the part of a window's cut mass, times this, below which a weight says too little about the posterior: it counts as unsafe.
// Other posteriors have a relative error of at most 1/doubtful by what was cut, which the tolerance of ties covers.
const doubtful = 1e10

// A sumLaw is the law of how many people of a group are in a class, and what each number tells of the group's parts.
type sumLaw struct {
	window
	parts []part
	// posteriors are of each part at each number in the window; nil of a part that is exempt.
	posteriors [][]float64
}

// sumOf convolves the laws of the parts, tilted: a factor exp(tilt v) on the law of the sum, which no posterior given the sum depends on.
// Posteriors are q(s) = E[M | s]/n, the sum over m of m/n f(m) g(s-m) over f*g(s), where g is the law of the sum of the other parts. It
// comes from products of those before and those after; dividing the product of all by f would lose every digit for rates above 1/2.
func sumOf(parts []part, tilt float64) (sumLaw, error) {
	if w := work(parts, tilt); w > maxWork {
		return sumLaw{}, fmt.Errorf("%w: %d types take %.0e operations", ErrTooLarge, len(parts), w)
	}
	laws := windows(parts, tilt)
	before, after := around(laws)
	s := sumLaw{window: before[len(parts)], parts: parts, posteriors: make([][]float64, len(parts))}
	for i := range parts {
		if parts[i].exempt() {
			continue
		}
		others := convolve(&before[i], &after[i+1])
		s.posteriors[i] = s.posterior(&laws[i], &others, parts[i].people)
	}
	return s, nil
}

func windows(parts []part, tilt float64) []window {
	laws := make([]window, len(parts))
	for i := range parts {
		laws[i] = parts[i].window(tilt)
	}
	return laws
}

// meansAt sets the posteriors q(s) of [sumOf] at one number alone, of all parts: each is a sum over what the parts before, the part itself
// and those after contribute.
func meansAt(q []float64, parts []part, tilt float64, sum int) error {
	if w := work(parts, tilt); w > maxWork {
		return fmt.Errorf("%w: %d types take %.0e operations", ErrTooLarge, len(parts), w)
	}
	laws := windows(parts, tilt)
	before, after := around(laws)
	all := &before[len(parts)]
	mass := all.at(sum)
	if mass == 0 || mass < doubtful*all.cut {
		return fmt.Errorf("%w: the sum is too unlikely", ErrTooLarge)
	}
	for i := range parts {
		total := 0.0
		for k, x := range before[i].mass {
			total += x * laws[i].weighted(&after[i+1], sum-before[i].first-k)
		}
		q[i] = total / mass / float64(parts[i].people)
	}
	return nil
}

// weighted is the sum of v f(v) g(s-v).
func (w *window) weighted(g *window, s int) float64 {
	from, to := max(0, s-w.first-g.first-len(g.mass)+1), min(len(w.mass), s-w.first-g.first+1)
	total := 0.0
	for i := from; i < to; i++ {
		total += w.mass[i] * float64(w.first+i) * g.mass[s-w.first-i-g.first]
	}
	return total
}

// around are the laws of the sums of the first i parts, and of those from i on.
func around(laws []window) (before, after []window) {
	n := len(laws)
	before, after = make([]window, n+1), make([]window, n+1)
	before[0], after[n] = certain(), certain()
	for i := range laws {
		before[i+1] = convolve(&before[i], &laws[i])
	}
	for i := n - 1; i > 0; i-- {
		after[i] = convolve(&after[i+1], &laws[i])
	}
	return before, after
}

// posterior is q(s) at each s of the window, for a part with the law f, where the others have the law g.
func (s *sumLaw) posterior(f, g *window, people int) []float64 {
	q := make([]float64, len(s.mass))
	if len(g.mass) == 1 {
		for i := range q {
			q[i] = float64(s.first+i-g.first) / float64(people)
		}
		return q
	}
	weighted := make([]float64, len(f.mass))
	for i, x := range f.mass {
		weighted[i] = x * float64(f.first+i) / float64(people)
	}
	w := window{first: f.first + g.first, mass: products(weighted, g.mass)}
	for i := range q {
		q[i] = w.at(s.first+i) / s.mass[i]
	}
	return q
}

// unsafe says of each number in the window whether it would take some part's posterior out of its limits.
func (s *sumLaw) unsafe() []bool {
	unsafe := make([]bool, len(s.mass))
	for t, q := range s.posteriors {
		if q == nil {
			continue
		}
		low, high := s.parts[t].limits()
		for i, x := range q {
			if !(x >= low && x <= high) || s.mass[i] < doubtful*s.cut {
				unsafe[i] = true
			}
		}
	}
	return unsafe
}

// An extent estimates how wide the window of a law is.
type extent struct{ width, variance float64 }

// extent is that of the part's law: what a window keeps is within 12 deviations, or 60 of a small mean.
func (p *part) extent(tilt float64) extent {
	whole := float64(p.people + 1)
	if p.shared > 0 {
		return extent{whole, whole * whole / (24 * 24)}
	}
	x := p.odds * math.Exp(tilt)
	variance := float64(p.people) * x / ((1 + x) * (1 + x))
	return extent{min(whole, 24*math.Sqrt(variance)+60), variance}
}

func (e extent) plus(o extent) extent {
	variance := e.variance + o.variance
	return extent{min(e.width+o.width, 24*math.Sqrt(variance)+60), variance}
}

// work estimates how many multiplications sumOf takes.
func work(parts []part, tilt float64) float64 {
	n := len(parts)
	before, after := make([]extent, n+1), make([]extent, n+1)
	before[0], after[n] = extent{width: 1}, extent{width: 1}
	for i := range parts {
		before[i+1] = before[i].plus(parts[i].extent(tilt))
	}
	for i := n - 1; i >= 0; i-- {
		after[i] = after[i+1].plus(parts[i].extent(tilt))
	}
	total := 0.0
	for i := range parts {
		own := parts[i].extent(tilt).width
		total += (before[i].width + after[i+1].width) * own
		if !parts[i].exempt() {
			total += before[i].width*after[i+1].width + before[i].plus(after[i+1]).width*own
		}
	}
	return total
}
