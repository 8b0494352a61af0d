package composition

import (
	"math"

	"tacit/internal/normal"
)

// A Bound holds a number that was computed and rounded up: the exact one is at most Upper, and at least Upper - Error. Error is +Inf if
// nothing is known of that.
type Bound struct{ Upper, Error float64 }

// unknown is the bound of what is not bounded.
var unknown = Bound{math.Inf(1), math.Inf(1)}

// Epsilon is the smallest epsilon at which the releases of a tally are (epsilon, delta)-differentially private if none of them is chosen
// in view of earlier answers. It is mathematics for tests, reports and comparisons, not a filter: see the package comment.
func Epsilon(t Tally, delta float64) Bound {
	p, ok := independent(t)
	switch {
	case !ok || delta < p.everything:
		return unknown
	case p.empty() || delta >= 1:
		return Bound{}
	}
	remaining := down((delta - p.everything) / (1 - p.everything))
	pure := Bound{up(p.sum), 2 * slack * p.sum} // the exact bound at a delta of 0
	if remaining <= 0 {
		return pure
	}
	b := p.epsilon(remaining)
	if pure.Upper < b.Upper {
		return Bound{pure.Upper, max(0, b.Error-(b.Upper-pure.Upper))}
	}
	return b
}

// Delta is the smallest delta at which they are, at an epsilon of at least 0.
func Delta(t Tally, epsilon float64) Bound {
	p, ok := independent(t)
	if !ok {
		return Bound{1, 1}
	}
	var b Bound
	if !p.empty() && epsilon < up(p.sum) {
		b = p.delta(epsilon)
	}
	return Bound{min(1, up(p.everything+(1-p.everything)*b.Upper)), b.Error + 4*slack}
}

// A problem is a tally as independent losses.
type problem struct {
	units []copies
	// squared is the sum of D^2/sigma^2 of Gaussian noise, which is one release with it.
	squared float64
	// everything is the probability that everything is told.
	everything float64
	// sum is that of epsilons, +Inf if a term is not pure.
	sum float64
}

// Copies are so many of a unit (see unitOf).
type copies struct {
	unit Term
	n    int64
}

// independent returns the problem of a tally; ok is false if a term has no pair.
func independent(t Tally) (p problem, ok bool) {
	s := sumUp(t)
	if s.invalid {
		return problem{}, false
	}
	var survive float64
	for _, term := range s.tally {
		survive += float64(term.n) * math.Log1p(-float64(term.Delta)*1e-18)
		switch {
		case term.Noise == GaussianNoise:
			p.squared = up(p.squared + up(float64(term.n)*term.squaredMu()))
			p.sum = math.Inf(1)
			continue
		case !term.pure():
			p.sum = math.Inf(1)
		}
		count := term.Moves
		if term.Noise == ApproximateNoise {
			count = 1
		}
		if count == 0 {
			return problem{}, false
		}
		if p.sum += float64(term.n) * term.epsilon(); term.Epsilon > 0 || !term.pure() {
			p.add(copies{unitOf(term.Term), multiplySaturating(count, term.n)})
		}
	}
	p.everything = up(-math.Expm1(survive))
	return p, true
}

// add counts copies of one unit together.
func (p *problem) add(c copies) {
	for i, known := range p.units {
		same := known.unit == c.unit
		if known.unit.Noise == c.unit.Noise && c.unit.Noise != DiscreteGaussianNoise {
			same = slower(known.unit, c.unit) && slower(c.unit, known.unit)
		}
		if same {
			p.units[i].n = addSaturating(known.n, c.n)
			return
		}
	}
	p.units = append(p.units, c)
}

func (p problem) empty() bool { return len(p.units) == 0 && p.squared == 0 }

func (p problem) epsilon(delta float64) Bound {
	if len(p.units) == 0 {
		upper := gaussianEpsilon(p.squared, delta)
		return Bound{upper, upper - gaussianEpsilon(down(p.squared), delta+4*normal.Margin) + 1e-12*upper}
	}
	return p.approximate(func(c composed) float64 { return c.tiltFor(delta) }).epsilonBound(delta)
}

func (p problem) delta(epsilon float64) Bound {
	if len(p.units) == 0 {
		return Bound{normal.Delta(up(math.Sqrt(p.squared)), epsilon), 4 * normal.Margin * (1 + p.squared)}
	}
	return p.approximate(func(c composed) float64 { return c.tiltTo(epsilon) }).deltaBound(epsilon)
}
