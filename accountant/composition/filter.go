package composition

import (
	"math"
	"math/bits"
	"slices"
	"strings"

	"tacit/policy"
)

// A Tally says how many releases of each term there were.
type Tally map[Term]int64

// A Filter decides which tallies are allowed: those whose [Spent] is within its Epsilon and Delta. It is a composition rule with a budget,
// and all of it is fixed before the first question.
type Filter struct {
	Rule policy.Composition
	// Epsilon and Delta are the budget's.
	Epsilon policy.Epsilon
	Delta   policy.Delta
	// Thresholds is the part of Delta that is kept for terms' Delta. The rest is for composition. Under basic there are no parts.
	Thresholds policy.Delta
	// Main is, under pld, the class of releases that the table's policy makes. Its Delta, and of Gaussian noise its scale, do not matter.
	// The zero Term is none, and so is a discrete Gaussian of which the moves are not known: then zCDP has all of the delta.
	Main Term
}

// Spent is what a tally has used of a filter's budget.
type Spent struct {
	// Epsilon is math.MaxInt64 if there is no bound.
	Epsilon policy.Epsilon
	Delta   policy.Delta
}

// infinite is more than any budget.
const infinite = math.MaxInt64

// spent is the least bound that the filter proves of a tally.
func (c *Composer) spent(f Filter, t Tally) Spent {
	s := sumUp(t)
	switch {
	case s.empty:
		return Spent{}
	case s.invalid:
		return Spent{infinite, infinite}
	case f.Rule == policy.BasicComposition:
		return Spent{s.epsilon, s.delta}
	}
	// So the deltas of terms are within the budget's if they are within Thresholds: the parts of delta do not lend to one another.
	out := Spent{Epsilon: s.epsilon, Delta: policy.Delta(addSaturating(int64(f.forComposition()), int64(s.delta)))}
	for _, b := range f.branches() {
		out.Epsilon = min(out.Epsilon, b(c, s))
	}
	return out
}

// within says whether a budget holds what was spent.
func (f Filter) within(s Spent) bool {
	return s.Epsilon <= f.Epsilon && s.Epsilon != infinite && s.Delta <= f.Delta
}

// forComposition is the part of delta that is not kept for thresholds.
func (f Filter) forComposition() policy.Delta { return max(0, f.Delta-max(0, f.Thresholds)) }

// A branch is a filter of its own, with a share of delta, that bounds epsilon. Of those that are finite the least may be taken, see the
// package comment.
type branch func(c *Composer, s sums) policy.Epsilon

// branches are those of a rule, besides basic's sum of epsilons, which needs no delta.
func (f Filter) branches() []branch {
	delta := f.forComposition()
	zcdp := func(share policy.Delta) branch {
		return func(_ *Composer, s sums) policy.Epsilon { return zcdpEpsilon(s.rho, share) }
	}
	switch f.Rule {
	case policy.AdvancedComposition:
		return []branch{func(_ *Composer, s sums) policy.Epsilon { return advancedEpsilon(s.squares, delta) }}
	case policy.ZCDPComposition:
		return []branch{zcdp(delta)}
	case policy.PLDComposition:
		if !f.Main.hasUnit() {
			return []branch{zcdp(delta)}
		}
		small := delta / zcdpShare
		return []branch{zcdp(small), func(c *Composer, s sums) policy.Epsilon { return c.classEpsilon(f.Main, s.tally, delta-small) }}
	default:
		return nil
	}
}

// zcdpShare: under pld one part in so many of the delta for composition is zCDP's, the rest that of the main class.
const zcdpShare = 100

// sums are those of a tally that rules need, of terms in one order: floating point sums must not depend on that of a map.
type sums struct {
	tally   []counted
	empty   bool
	invalid bool
	// epsilon is that of basic composition: infinite if a term has none besides its delta.
	epsilon policy.Epsilon
	delta   policy.Delta
	// rho is that of zCDP, and squares the sum of squared epsilons; +Inf if a term has none. Both are rounded up.
	rho, squares float64
}

type counted struct {
	Term
	n int64
}

func sumUp(t Tally) sums {
	s := sums{empty: true}
	for term, n := range t {
		switch {
		case n == 0 || term == Approximate(0, 0):
		case n < 0 || !term.valid():
			return sums{invalid: true}
		default:
			s.tally = append(s.tally, counted{term, n})
			s.empty = false
		}
	}
	slices.SortFunc(s.tally, func(a, b counted) int { return strings.Compare(a.String(), b.String()) })
	for _, term := range s.tally {
		s.add(term)
	}
	return s
}

func (s *sums) add(t counted) {
	s.delta = policy.Delta(addSaturating(int64(s.delta), multiplySaturating(int64(t.Delta), t.n)))
	epsilon, square := int64(infinite), math.Inf(1)
	if t.pure() {
		e := float64(t.Epsilon) * 1e-9
		epsilon, square = int64(t.Epsilon), e*e
	}
	s.epsilon = policy.Epsilon(addSaturating(int64(s.epsilon), multiplySaturating(epsilon, t.n)))
	s.squares = up(s.squares + up(square*float64(t.n)))
	s.rho = up(s.rho + up(t.Rho()*float64(t.n)))
}

// pure says whether a term is bounded by its epsilon, but for its Delta.
func (t Term) pure() bool {
	return t.Noise == ApproximateNoise || t.Noise == GeometricNoise || t.Noise == LaplaceNoise
}

// addSaturating adds amounts, neither of which is negative.
func addSaturating(a, b int64) int64 {
	if a > infinite-b {
		return infinite
	}
	return a + b
}

func multiplySaturating(a, n int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(n))
	if hi != 0 || lo > infinite {
		return infinite
	}
	return int64(lo)
}
