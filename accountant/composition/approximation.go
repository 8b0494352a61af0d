package composition

import "math"

// An approximation is a lattice on which losses were moved to points by connecting the dots; ok is false if there is none.
type approximation struct {
	lattice
	// squares is the sum of h^2 over all losses that were moved within an interval of h.
	squares float64
	ok      bool
}

// shift is by how much losses may have grown, but with probability beta.
//
// Connecting the dots replaces a loss l by a random l' within its interval of length h, such that E[exp(l-l')] = 1. So E[l'-l] is at most
// h^2/8 (Hoeffding's lemma), and the sum of independent ones exceeds the sum of these means by sqrt(ln(1/beta) (sum of h^2)/2) with
// probability beta at most (Hoeffding's inequality). Thus delta'(epsilon + shift) - beta <= delta(epsilon), delta' being that of the lattice.
func (a approximation) shift(beta float64) float64 {
	if a.squares == 0 {
		return 0
	}
	return up(a.squares/8 + math.Sqrt(-math.Log(beta)*a.squares/2))
}

// untrue is the part beta of a delta that is given to the approximation and to errors, to say how far off a bound can be.
const untrue = 1e-3

// sharp says whether all errors that deltaAt adds are within untrue of delta.
func (a approximation) sharp(epsilon, delta float64) bool {
	errors := a.lost + (2*a.missing+math.Exp(logOutside))/a.scale(epsilon)
	return errors <= untrue/2*delta && 2*a.relative() <= untrue/2
}

func (a approximation) epsilonBound(delta float64) Bound {
	if !a.ok {
		return unknown
	}
	upper := max(0, a.lattice.epsilon(delta))
	lower := a.lattice.epsilon(delta * (1 + 3*untrue))
	if lower <= a.low { // or less
		lower = 0
	}
	lower = max(0, lower-a.shift(untrue*delta))
	if !a.sharp(lower, delta) {
		return Bound{upper, math.Inf(1)}
	}
	return Bound{upper, upper - lower + slack*upper}
}

func (a approximation) deltaBound(epsilon float64) Bound {
	if !a.ok {
		return Bound{1, 1}
	}
	upper := a.deltaAt(epsilon)
	if upper == 0 {
		return Bound{}
	}
	lower := a.deltaAt(epsilon + a.shift(untrue*upper))
	if !a.sharp(epsilon+a.shift(untrue*upper), lower) {
		return Bound{upper, upper}
	}
	return Bound{upper, upper - (1-untrue)*lower + untrue*upper}
}

// fine is by how many points the spread of a problem is divided. Its lattice has some 30 spreads.
const fine = 1 << 12

// approximate puts a problem on one lattice, and tilts it as asked for where it takes a transform.
func (p problem) approximate(tilt func(composed) float64) approximation {
	var t transforms
	c, squares, ok := p.parts()
	if !ok {
		return approximation{}
	}
	if len(c) == 1 && c[0].n == 1 {
		u := c[0].atoms
		return approximation{lattice{low: u.loss(0), step: u.step, mass: u.mass, lost: u.dropped, margin: u.margin}, squares, true}
	}
	d, ok := c.tilted(tilt(c), &t)
	return approximation{d, squares, ok}
}

// parts are the losses of a problem. If it has but one unit, they need not be moved.
func (p problem) parts() (c composed, squares float64, ok bool) {
	alone := len(p.units) == 1 && p.squared == 0
	step := p.spread() / fine
	for _, u := range p.units {
		own, moved, ok := u.part(step)
		if !ok {
			return nil, 0, false
		}
		squares += moved
		if !alone {
			own.atoms = own.onto(step)
			squares += float64(own.n) * step * step
		}
		c = append(c, own)
	}
	if p.squared > 600 { // exp(loss) would overflow
		return nil, 0, false
	}
	if p.squared > 0 {
		u, h := oneGaussian(math.Sqrt(p.squared))
		c = append(c, part{u.onto(step), 1})
		squares += h*h + step*step
	}
	return c, squares, true
}

// spread is of the order of the standard deviation of all losses, or more.
func (p problem) spread() float64 {
	variance := p.squared
	for _, u := range p.units {
		one := u.unit.rate()
		if u.unit.Noise == DiscreteGaussianNoise {
			v := u.unit.Variance.float()
			one = 1/math.Sqrt(v) + 1/v
		}
		variance += float64(u.n) * one * one
	}
	return math.Sqrt(variance)
}

// part is the loss of all copies, in closed form if there is one; squares is that of losses moved by connecting the dots.
func (c copies) part(step float64) (p part, squares float64, ok bool) {
	switch v := c.unit.Variance.float; {
	case c.n > maxCopies:
		return part{}, 0, false
	case c.unit.Noise == GeometricNoise:
		return part{responses(c.unit.rate(), c.n).atoms(), 1}, 0, true
	case c.unit.Noise == LaplaceNoise:
		n := int(math.Ceil(min(1<<17, max(8, c.unit.rate()/step))))
		u := oneLaplace(c.unit.rate(), n)
		return part{u, c.n}, float64(c.n) * u.step * u.step, true
	case v() < wide:
		return part{oneMove(v()), c.n}, 0, true
	default:
		d, ok := moves(v(), c.n)
		return part{d.atoms(), 1}, 0, ok
	}
}

// atoms are those of a lattice that is not tilted.
func (d lattice) atoms() atoms {
	return atoms{offset: d.low, step: d.step, mass: d.mass, dropped: d.lost, margin: d.margin}
}

// onto moves the atoms to multiples of a step by connecting the dots: of the mass p at l = l0 + x, p (1-exp(-x))/(1-exp(-step)) to the upper
// point.
func (u atoms) onto(step float64) atoms {
	first := math.Floor(u.loss(0)/step) - 1
	last := math.Floor(u.loss(len(u.mass)-1)/step) + 2
	out := atoms{step: step, first: int64(first), mass: make([]float64, int(last-first)+1), dropped: u.dropped}
	for i, p := range u.mass {
		at := math.Floor(u.loss(i) / step)
		x := min(max(0, u.loss(i)-at*step), step)
		upper := math.Expm1(-x) / math.Expm1(-step)
		out.mass[int(at-first)] += p * (1 - upper)
		out.mass[int(at-first)+1] += p * upper
	}
	for out.mass[0] == 0 {
		out.first, out.mass = out.first+1, out.mass[1:]
	}
	for last := len(out.mass) - 1; out.mass[last] == 0; last-- {
		out.mass = out.mass[:last]
	}
	// Points are at most some 2^21 steps from 0, so that x is known to 2^-31 of a step; a share of that moves to a neighbour.
	out.margin = u.margin + 0x1p-30
	return out
}

// oneGaussian is the loss of one Gaussian release with D/sigma = mu, normal with mean mu^2/2 and variance mu^2 under P, on steps of h.
func oneGaussian(mu float64) (u atoms, h float64) {
	const perMu = 512
	h = mu / perMu
	half := int64(math.Ceil(reach * perMu))
	u = atoms{offset: mu * mu / 2, step: h, first: -half, mass: make([]float64, 2*half+1), dropped: negligible}
	for i := range 2 * half {
		x := float64(i-half) / perMu // deviations from the mean under P; under Q it is mu more
		p := normalBetween(x, 1./perMu)
		q := normalBetween(x+mu, 1./perMu)
		upper := min(max(0, (p-math.Exp(u.loss(int(i)))*q)/-math.Expm1(-h)), p)
		u.mass[i+1] += upper
		u.mass[i] += p - upper
	}
	u.margin = 2e-12 * perMu / min(1, mu)
	return u, h
}

// normalBetween is P(x < N < x+width), computed on the side where both tails are small.
func normalBetween(x, width float64) float64 {
	if x < 0 {
		x = -x - width
	}
	return (math.Erfc(x/math.Sqrt2) - math.Erfc((x+width)/math.Sqrt2)) / 2
}
