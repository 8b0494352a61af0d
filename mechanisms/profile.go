package mechanisms

import (
	"math"
	"sort"
)

// oneCell is the exact delta of noise on a cell that differs by 1, for any epsilon, negative ones included:
// P(Z >= m) - exp(epsilon) P(Z >= m+1) for the best m.
//
// P(Z = z)/P(Z = z+1) grows with z for all noise of this package (they are log-concave), so that the set on which the ratio exceeds
// exp(epsilon), which is where the hockey-stick divergence is attained, is {Z >= m}, m being the first with a larger ratio.
func oneCell(z noise, epsilon float64) float64 { return oneCellWithin(z, epsilon, 0) }

// oneCellWithin is at least oneCell, if the probabilities of the noise have a relative error of at most margin.
func oneCellWithin(z noise, epsilon, margin float64) float64 {
	m := int64(sort.Search(2*farthest, func(i int) bool { return z.logRatio(int64(i)-farthest) > epsilon })) - farthest
	if m == farthest {
		return 0
	}
	return difference(z, epsilon, m, m+1, margin)
}

// difference is P(Z >= first) - exp(epsilon) P(Z >= second), rounded up by a relative error of both.
func difference(z tails, epsilon float64, first, second int64, margin float64) float64 {
	return max(0, tail(z, first)*(1+margin)-timesTail(z, epsilon, second)*(1-margin))
}

// farthest is beyond any noise with a probability that can be told from 0: 700 times the scale of Laplace noise, which is 10^12 at most.
const farthest = 1 << 50

// A pairProfile gives the exact delta of noise on two cells, of which one gains 1 and the other loses 1.
//
// The privacy loss of the first cell is L = ln P(Z = z)/P(Z = z+1) with probability P(Z = z), and delta(epsilon) = E[delta of the
// second cell at epsilon - L].
type pairProfile struct {
	losses []weightedLoss
	// second is the delta of one cell.
	second func(epsilon float64) float64
}

type weightedLoss struct{ loss, probability float64 }

func (p pairProfile) delta(epsilon float64) float64 {
	var sum float64
	for _, l := range p.losses {
		sum += l.probability * p.second(epsilon-l.loss)
	}
	return sum
}

// laplacePair is that of noise whose loss is the same from 1 on, which is so of the discrete and of the rounded Laplace distribution.
func laplacePair(z noise) pairProfile {
	return pairProfile{
		losses: []weightedLoss{
			{z.logRatio(1), tail(z, 1)}, {z.logRatio(0), z.probability(0)}, {z.logRatio(-1), z.probability(-1)}, {z.logRatio(-2), tail(z, 2)},
		},
		second: func(epsilon float64) float64 { return oneCell(z, epsilon) },
	}
}

// roundedGaussianPair enumerates the noise that has a probability of more than 1e-30.
func roundedGaussianPair(g *gaussian) pairProfile {
	reach := int64(12*g.sigma) + 2
	var p pairProfile
	ratios := make([]float64, 0, 2*reach+1)
	for z := -reach; z <= reach; z++ {
		ratios = append(ratios, g.logRatio(z))
		p.losses = append(p.losses, weightedLoss{ratios[len(ratios)-1], g.probability(z)})
	}
	p.second = func(epsilon float64) float64 {
		i := sort.SearchFloat64s(ratios, epsilon)
		m := int64(i) - reach
		return difference(g, epsilon, m, m+1, 0)
	}
	return p
}

// discreteGaussianPair is the delta of discrete Gaussian noise on two cells that differ by 1: P(W > epsilon sigma^2 - 1) -
// exp(epsilon) P(W > epsilon sigma^2 + 1), W being the sum of two draws.
//
// P(W = w) is proportional to exp(-w^2/(4 sigma^2)) times the sum over z of exp(-(z - w/2)^2/sigma^2), which by Poisson's summation
// formula is the same for all w up to a share of 2 exp(-pi^2 sigma^2): 1e-16 from sigma = 2 on. So W is then a discrete Gaussian variable of
// variance 2 sigma^2. With less noise, W is summed up. It is rounded up by a relative error of the probabilities.
func discreteGaussianPair(g *gaussian, margin float64, sums summation) func(epsilon float64) float64 {
	var w tails = sums(&gaussian{sigma: g.sigma * math.Sqrt2, discrete: true})
	if g.sigma < 2 {
		w = gaussianSum{g}
	}
	return func(epsilon float64) float64 {
		// W is an integer: W > x - 1 if W >= floor(x), and W > x + 1 if W >= floor(x) + 2.
		x := math.Floor(epsilon * g.sigma * g.sigma)
		if x >= farthest {
			return 0
		}
		return difference(w, epsilon, int64(x), int64(x)+2, margin)
	}
}

// gaussianSum is the distribution of the sum of two draws of discrete Gaussian noise with a sigma below 2, of which no draw
// beyond 100 has a probability that can be told from 0.
type gaussianSum struct{ one *gaussian }

func (w gaussianSum) upperTail(k int64) float64 {
	var sum float64
	for z := int64(-100); z <= 100; z++ {
		sum += w.one.probability(z) * tail(w.one, k-z)
	}
	return sum
}

func (w gaussianSum) logUpperTail(k int64) float64 { return math.Log(w.upperTail(k)) }
