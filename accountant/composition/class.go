package composition

import (
	"math"
	"math/big"
	"math/bits"

	"tacit/policy"
)

// A class is a set of terms each of which is dominated by so many copies of one pair, the unit: one move of geometric noise (which is
// randomized response), one move of Laplace or of discrete Gaussian noise. Whatever terms of it are chosen in view of earlier answers, as
// long as their copies are at most k all that is told can be made from k copies of the unit by choices that do not know P from Q: of
// those that are left in the end nothing is shown (padding). So the composition of k copies bounds it.
//
// Gaussian noise needs no unit: its class counts D^2/sigma^2, in parts as small as one likes (see gaussianEpsilon).

// A classKey is a composition of a class at a delta.
type classKey struct {
	unit    Term
	copies  int64
	squared float64 // of Gaussian noise, in place of copies
	delta   policy.Delta
}

// unitOf is the unit of the class that a main term is of: its Moves are those of the rate Epsilon/Moves.
func unitOf(main Term) Term {
	switch main.Noise {
	case ApproximateNoise:
		return Term{Noise: GeometricNoise, Epsilon: main.Epsilon, Moves: 1}
	case GeometricNoise, LaplaceNoise:
		return Term{Noise: main.Noise, Epsilon: main.Epsilon, Moves: main.Moves}
	case DiscreteGaussianNoise:
		return Term{Noise: main.Noise, Variance: main.Variance}
	default:
		return Term{Noise: main.Noise}
	}
}

// hasUnit says whether the term, as a main one, has a class.
func (main Term) hasUnit() bool {
	return main.valid() && (main.Noise != DiscreteGaussianNoise || main.Moves > 0)
}

// rate is the epsilon of one move.
func (t Term) rate() float64 { return t.epsilon() / float64(max(1, t.Moves)) }

// classEpsilon is the epsilon at delta of a tally whose terms are all of the class of main: infinite if one is not.
func (c *Composer) classEpsilon(main Term, tally []counted, delta policy.Delta) policy.Epsilon {
	if delta <= 0 {
		return infinite
	}
	key := classKey{unit: unitOf(main), delta: delta}
	testError := key.unit.testError()
	for _, t := range tally {
		if key.unit.Noise == GaussianNoise {
			key.squared = up(key.squared + up(float64(t.n)*t.squaredMu()))
			continue
		}
		key.copies = addSaturating(key.copies, multiplySaturating(key.unit.copiesOf(t.Term, testError), t.n))
	}
	if key.copies > maxCopies || math.IsInf(key.squared, 1) {
		return infinite
	}
	return c.remembered(key)
}

func (c *Composer) remembered(key classKey) policy.Epsilon {
	c.mu.Lock()
	epsilon, ok := c.classes[key]
	c.mu.Unlock()
	if ok {
		return epsilon
	}
	epsilon = epsilonAbove(key.compute(&c.transforms))
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.classes == nil || len(c.classes) >= maxClasses {
		c.classes = make(map[classKey]policy.Epsilon)
	}
	c.classes[key] = epsilon
	return epsilon
}

func (k classKey) compute(t *transforms) float64 {
	delta := deltaBelow(k.delta)
	switch k.unit.Noise {
	case GaussianNoise:
		return gaussianEpsilon(k.squared, delta)
	case GeometricNoise:
		return responses(k.unit.rate(), k.copies).epsilon(delta)
	case DiscreteGaussianNoise:
		v := k.unit.Variance.float()
		if v >= wide {
			d, ok := moves(v, k.copies)
			if !ok {
				return math.Inf(1)
			}
			return d.epsilon(delta)
		}
		return composed{{oneMove(v), k.copies}}.epsilon(delta, t)
	default:
		return composed{{oneLaplace(k.unit.rate(), steps(k.copies)), k.copies}}.epsilon(delta, t)
	}
}

// epsilon is the epsilon at delta of a sum of losses, +Inf if it cannot be found.
func (c composed) epsilon(delta float64, t *transforms) float64 {
	d, ok := c.tilted(c.tiltFor(delta), t)
	if !ok {
		return math.Inf(1)
	}
	return d.epsilon(delta)
}

// steps is how many steps the Laplace loss from 0 to its rate has. Connecting the dots at a distance of h makes k losses larger by
// k h^2/8 on average, at most: with n steps that is some 1/(4 n^2) of their mean.
func steps(copies int64) int {
	switch {
	case copies <= 300:
		return 32
	case copies <= 100_000:
		return 16
	}
	return 8
}

// copiesOf is how many copies of the unit dominate a term, infinite if none are known to. testError is that of one copy.
//
// A move at a smaller rate can be made from one at a larger: discrete Laplace noise of ratio a' > a is that of ratio a plus independent
// noise, which is 0 with probability a/a' and, otherwise, discrete Laplace of ratio a' (the quotient of the generating functions is
// a/a' + (a'-a)(1/a'-a)/(1+a'^2-a'(z+1/z))); and Laplace noise of scale b' > b that of scale b plus noise that is 0 with probability
// (b/b')^2, and otherwise Laplace of scale b'. Any pure term is dominated by randomized response, and so are some of its moves together.
// Randomized response of an epsilon is dominated by n copies of the unit if their majority tells P from Q with an error of at most
// 1/(1+exp(epsilon)) on both sides: what the majority says, made worse to just that error, is randomized response. (This is for terms of
// other kinds than the table's present ones, after its policy changed, say.) Of all that applies the least counts.
func (unit Term) copiesOf(t Term, testError float64) int64 {
	switch {
	case t.Noise == DiscreteGaussianNoise && unit.Noise == t.Noise && t.Moves > 0 && t.Variance == unit.Variance:
		return t.Moves
	case !t.pure():
		return infinite
	}
	count := max(1, t.Moves)
	least := majority(testError, wrong(t.epsilon()))
	if least > 1 {
		least = min(least, multiplySaturating(count, majority(testError, wrong(t.rate()))))
	}
	switch {
	case !slower(t, unit):
		return least
	case unit.Noise == GeometricNoise:
		return min(least, unit.together(t))
	case unit.Noise == t.Noise:
		return min(least, count)
	}
	return least
}

// together is how many copies of a unit of randomized response dominate a pure term whose rate is at most the unit's: as many of its moves
// as have at most the unit's epsilon together make one.
func (unit Term) together(t Term) int64 {
	count := max(1, t.Moves)
	if slower(Term{Epsilon: t.Epsilon}, unit) {
		return 1
	}
	product := func(a, b int64) *big.Int { return new(big.Int).Mul(big.NewInt(a), big.NewInt(b)) }
	moves := new(big.Int).Quo(product(int64(unit.Epsilon), count), product(int64(t.Epsilon), max(1, unit.Moves))).Int64()
	return (count + moves - 1) / moves
}

// slower says whether the rate of t is at most that of the unit, exactly.
func slower(t, unit Term) bool {
	hi, lo := bits.Mul64(uint64(t.Epsilon), uint64(max(1, unit.Moves)))
	otherHi, otherLo := bits.Mul64(uint64(unit.Epsilon), uint64(max(1, t.Moves)))
	return hi < otherHi || hi == otherHi && lo <= otherLo
}

// wrong is the probability that randomized response with a pure epsilon is untrue.
func wrong(epsilon float64) float64 { return 1 / (1 + math.Exp(epsilon)) }

// testError is the error, on either side, of telling P from Q by one draw of the unit.
func (unit Term) testError() float64 {
	switch unit.Noise {
	case GeometricNoise:
		return up(wrong(unit.rate()))
	case LaplaceNoise: // below 1/2 or above
		return up(math.Exp(-unit.rate()/2) / 2)
	case DiscreteGaussianNoise: // up to 0, or from 1 on
		return up((1 - down(atZero(unit.Variance.float()))) / 2)
	default:
		return 0.5
	}
}

// majority is the smallest odd number of tests with an error of q whose majority has an error of at most p; infinite if it is not found
// to be some hundreds.
//
// P_n, the error of n, is q for n = 1, and P_{n+2} = P_n - (1-2q) C(n, (n+1)/2) (q(1-q))^((n+1)/2).
func majority(q, p float64) int64 {
	const most = 999
	missed := q
	fall := (1 - 2*q) * q * (1 - q)
	for n := int64(1); n <= most; n += 2 {
		if up(missed)+float64(n)*0x1p-51 <= p {
			return n
		}
		missed -= fall
		half := float64(n+1) / 2
		fall *= float64(n+2) * float64(n+1) / (half * (half + 1)) * q * (1 - q)
	}
	return infinite
}
