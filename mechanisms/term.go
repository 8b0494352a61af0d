package mechanisms

import "tacit/accountant/composition"

// Term is what is known of the privacy loss of one call of Sanitize beyond Loss, under the mechanism's adjacency. That of a kind without
// a guarantee is the zero Term.
//
// Let each person change any one cell by at most 1 (PerCell). Cells and what a person changes of them are integers, so that neighbours
// differ in at most d cells, by 1 each, d being the l1 distance: s under add-remove; 2s under replace-one, where those that one person
// leaves and those that another comes to may be different ones. The noises are independent and symmetric. So the pair of d moves of 1
// dominates the pair of any two neighbours in both orders: a cell that does not move adds nothing, and a move by -1 is one by 1 of the
// mirrored noise. That is the term of geometric, Laplace and discrete Gaussian noise. Rounding, withholding and showing sums below 0 as 0
// are post-processing, which the pair dominates, too. Fitted margins are sanitized as cells are.
//
// If a person changes a cell by more, the pair depends on how her rows are spread over cells, and no worst spread is proved here:
// geometric and Laplace noise has the term of any mechanism with its epsilon, discrete Gaussian noise that of its l2 distance. For
// continuous Gaussian noise the l2 distance is all that matters (Dong, Roth and Su 2022, Theorem 2.7).
func (m *Mechanism) Term() composition.Term {
	switch method := m.method.(type) {
	case additive:
		return method.noise.term(m.config)
	case fitted:
		return method.noise.term(m.config)
	case together:
		return method.release.Term()
	default:
		return composition.Term{}
	}
}

func (d discreteLaplace) term(c Config) composition.Term {
	return c.movesOf(composition.GeometricNoise)
}

func (r roundedLaplace) term(c Config) composition.Term { return c.movesOf(composition.LaplaceNoise) }

// The variance always fits (see sampling.Variance).
func (g *gaussian) term(c Config) composition.Term {
	v, ok := composition.RatioOf(g.variance.Rat())
	if !ok {
		panic("mechanisms: internal error: a variance that is no ratio of two words")
	}
	t := composition.Term{Noise: composition.GaussianNoise, Variance: v, Squared: c.squaredDistance()}
	if g.discrete {
		t.Noise = composition.DiscreteGaussianNoise
		if c.PerCell == 1 {
			t.Moves = c.distance()
		}
	}
	return t
}

// movesOf is the term of noise with a pure epsilon.
func (c Config) movesOf(noise composition.Noise) composition.Term {
	if c.PerCell > 1 {
		return composition.Approximate(c.Epsilon, 0)
	}
	return composition.Term{Noise: noise, Epsilon: c.Epsilon, Moves: c.distance()}
}

// ThresholdTerm is what is known, beyond ThresholdLoss, of calling Select once for each key of a table: Term with Delta, the
// mechanism's, added.
//
// Let x and y be neighbours. Of both thresholds (see [noisyThreshold] and [truncatedThreshold]) it is shown there that with some
// probability u under x something is told that cannot be told under y, and with some v the other way round, u and v at most
// D <= Delta, and that otherwise what is told of x and of y is made from the moves of Term: so the distributions are u U + (1-u) A(x)
// and v V + (1-v) A(y), where A has Term's pair. (A cell of the truncated threshold, given that both sides can take its value, has a
// loss of exactly +-epsilon/d with the probabilities that make both distributions sum up to 1: it is randomized response, which is one
// move.) From the pair that tells everything with probability D on both sides, and A otherwise, these are made by replacing, on the first
// side, a share of what only that side tells by draws from A(x), and likewise on the second. So it dominates them, and as a larger
// Delta only tells more often, that of Delta does.
func (m *Mechanism) ThresholdTerm() composition.Term {
	t := m.Term()
	if t != (composition.Term{}) {
		t.Delta += m.config.Delta
	}
	return t
}
