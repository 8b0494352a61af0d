package mechanisms

import (
	"math"

	"tacit/policy"
)

// A Survival says how likely a cell is shown as 1 or more, given its true count: it survives, or vanishes. A cell that is withheld is
// not shown, whether or not a fill value below k stands in its place: who knows k takes such a value for what it is. A cell in whose place a
// fill value of k or more stands is shown. Each cell survives or vanishes independently of all others.
//
// It is computed with true counts, for the steward alone. Take one from [Mechanism.Survival] or [Law.Survival]: the probabilities of the
// zero Survival are NaN.
type Survival struct {
	survives, vanishes func(n int64) float64
	// law is that of the noise, if a cell survives if and only if its sum with the noise is 1 or more.
	law *Law
	// stepped is that the threshold follows from epsilon.
	stepped bool
}

// Survives is the probability that a cell of n >= 0 people is shown as 1 or more. It has as many digits when it is small as when it is
// not.
func (s Survival) Survives(n int64) float64 {
	if s.survives == nil {
		return math.NaN()
	}
	return s.survives(n)
}

// Vanishes is 1 - Survives, but has as many digits when it is small as when it is not.
func (s Survival) Vanishes(n int64) float64 {
	if s.vanishes == nil {
		return math.NaN()
	}
	return s.vanishes(n)
}

// Monotone says whether the probabilities of each count only rise, or only fall, with epsilon, all other settings of the mechanism being equal.
// They do not if the threshold follows from epsilon, as in [Mechanism.SelectionSurvival]: it is a whole number, and so falls in steps, between
// which less noise shows fewer of the counts below it.
func (s Survival) Monotone() bool { return !s.stepped }

// Law is the distribution of the noise, if a cell survives if and only if its sum with the noise is 1 or more.
func (s Survival) Law() (law Law, ok bool) {
	if s.law == nil {
		return Law{}, false
	}
	return *s.law, true
}

// Exponential are c and q with P(a cell of n vanishes) = c q^n for all n >= 1, as Laplace and geometric noise have it. ok is false for other
// noise, and for Laplace noise of so small a scale, below 1/1419, that c is no number.
func (s Survival) Exponential() (c, q float64, ok bool) {
	if s.law == nil {
		return 0, 0, false
	}
	c, q, ok = s.exponential()
	return c, q, ok && !math.IsInf(c, 1)
}

func (s Survival) exponential() (c, q float64, ok bool) {
	switch z := s.law.shape.(type) {
	case discreteLaplace:
		return 1 / (1 + z.a()), z.a(), true
	case geometricShape:
		return 1 / (1 + z.a()), z.a(), true
	case roundedLaplace:
		return math.Exp(z.rate()/2) / 2, z.a(), true
	case laplaceShape:
		return math.Exp(z.rate/2) / 2, math.Exp(-z.rate), true
	}
	return 0, 0, false
}

// Survival is that of cells to which noise of this law is added, and of which negative sums are shown as they are or as 0.
func (l Law) Survival() Survival {
	s := l.atLeast(1)
	s.law = &l
	return s
}

// atLeast is the survival of cells whose sum with the noise is least or more: n + Z >= k, and n + Z <= k-1 by symmetry if Z >= n+1-k.
func (l Law) atLeast(k int64) Survival {
	return Survival{
		survives: func(n int64) float64 { return l.AtLeast(k - n) },
		vanishes: func(n int64) float64 { return l.AtLeast(n + 1 - k) },
	}
}

// always is the survival of cells that have a fill value of k or more wherever they are withheld.
func always() Survival {
	return Survival{survives: func(int64) float64 { return 1 }, vanishes: func(int64) float64 { return 0 }}
}

// Survival says how likely a cell of n people is shown as 1 or more. ok is false where cells are not independent of one another: the
// noisy threshold of dp-suppression-alg2 is one for all cells, dp-swapping moves counts between them, and margins tie cells together.
func (m *Mechanism) Survival() (survival Survival, ok bool) {
	switch method := m.method.(type) {
	case additive:
		return method.survival(), true
	case publishedSuppression:
		if method.kind != policy.DPSuppressionAlg2 {
			return method.survival(), true
		}
	}
	return Survival{}, false
}

func (a additive) survival() Survival {
	law := Law{a.noise}
	switch {
	case a.k > 0 && ShowsFill(a.fill, a.k):
		return always()
	case a.k > 1:
		return law.atLeast(a.k)
	}
	return law.Survival()
}

// survival: a count that is shown is shown as it is, so that 0 survives as a fill value alone.
func (p publishedSuppression) survival() Survival {
	if ShowsFill(p.fill, p.k) {
		return Survival{
			survives: func(n int64) float64 {
				if n == 0 {
					return p.below(0)
				}
				return 1
			},
			vanishes: func(n int64) float64 {
				if n == 0 {
					return p.above(0)
				}
				return 0
			},
		}
	}
	return found(Survival{survives: p.above, vanishes: p.below}) // nobody is shown as 0
}

// ShowsFill says whether a fill value passes for a count. One below k does not, to who knows k, which is no secret: dp-suppression and
// suppression show no such count, and where the threshold is noisy, so that they may be shown, a release with the fill value is one without
// it in which withheld cells were replaced, and discloses no more than that. Half of a noisy threshold is below whatever else is shown.
func ShowsFill(f policy.Fill, k int64) bool { return f.Kind == policy.FillValue && f.Value >= k }

// Unfilled is the mechanism as who knows k reads it: without a fill value that does not pass for a count.
func (m *Mechanism) Unfilled() (*Mechanism, error) {
	c := m.config
	if c.Fill.Kind == policy.FillNull || ShowsFill(c.Fill, c.K) {
		return m, nil
	}
	c.Fill = policy.Fill{}
	return New(c)
}
