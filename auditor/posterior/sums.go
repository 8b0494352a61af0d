package posterior

import (
	"fmt"
	"math"

	"tacit/auditor/posterior/internal/law"
)

// maxWork bounds the multiplications of one result, a tenth of a second or two.
const maxWork = 2e8

// leastTrusted is the part of a window's cut mass, times this, below which a weight says too little about the posterior: it counts as unsafe.
// Other posteriors have a relative error of at most 1/leastTrusted by what was cut, which the tolerance of ties covers.
const leastTrusted = 1e10

// A sumLaw is the law of how many people of a group are in a class, and what each number tells of the group's parts.
type sumLaw struct {
	law.Window
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
	s := sumLaw{Window: before[len(parts)], parts: parts, posteriors: make([][]float64, len(parts))}
	for i := range parts {
		if parts[i].exempt() {
			continue
		}
		others := law.Convolve(&before[i], &after[i+1])
		s.posteriors[i] = s.posterior(&laws[i], &others, parts[i].people)
	}
	return s, nil
}

func windows(parts []part, tilt float64) []law.Window {
	laws := make([]law.Window, len(parts))
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
	mass := all.At(sum)
	if mass == 0 || mass < leastTrusted*all.Cut {
		return fmt.Errorf("%w: the sum is too unlikely", ErrTooLarge)
	}
	for i := range parts {
		total := 0.0
		for k, x := range before[i].Mass {
			total += x * laws[i].Weighted(&after[i+1], sum-before[i].First-k)
		}
		q[i] = total / mass / float64(parts[i].people)
	}
	return nil
}

// around are the laws of the sums of the first i parts, and of those from i on.
func around(laws []law.Window) (before, after []law.Window) {
	n := len(laws)
	before, after = make([]law.Window, n+1), make([]law.Window, n+1)
	before[0], after[n] = law.Certain(), law.Certain()
	for i := range laws {
		before[i+1] = law.Convolve(&before[i], &laws[i])
	}
	for i := n - 1; i > 0; i-- {
		after[i] = law.Convolve(&after[i+1], &laws[i])
	}
	return before, after
}

// posterior is q(s) at each s of the window, for a part with the law f, where the others have the law g.
func (s *sumLaw) posterior(f, g *law.Window, people int) []float64 {
	q := make([]float64, len(s.Mass))
	if len(g.Mass) == 1 {
		for i := range q {
			q[i] = float64(s.First+i-g.First) / float64(people)
		}
		return q
	}
	weighted := make([]float64, len(f.Mass))
	for i, x := range f.Mass {
		weighted[i] = x * float64(f.First+i) / float64(people)
	}
	w := law.Window{First: f.First + g.First, Mass: law.Products(weighted, g.Mass)}
	for i := range q {
		q[i] = w.At(s.First+i) / s.Mass[i]
	}
	return q
}

// unsafe says of each number in the window whether it would take some part's posterior out of its limits.
func (s *sumLaw) unsafe() []bool {
	unsafe := make([]bool, len(s.Mass))
	for t, q := range s.posteriors {
		if q == nil {
			continue
		}
		low, high := s.parts[t].limits()
		for i, x := range q {
			if !(x >= low && x <= high) || s.Mass[i] < leastTrusted*s.Cut {
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
