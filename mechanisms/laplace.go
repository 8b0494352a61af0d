package mechanisms

import (
	"math"
	"math/big"

	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// A roundedLaplace is a continuous Laplace variable of scale b = t/s, rounded to the nearest integer: P(Z >= k) = exp(-(k-1/2)/b)/2 for
// k >= 1.
type roundedLaplace struct {
	discreteLaplace // of the same scale: their tails have the same ratio
}

func (r roundedLaplace) shape() laplaceShape { return laplaceShape{r.rate()} }

func (r roundedLaplace) draw(b *sampling.Bits) int64 { return b.RoundedLaplace(r.s, r.t) }

func (r roundedLaplace) probability(z int64) float64 { return r.shape().probability(z) }

func (r roundedLaplace) upperTail(k int64) float64 { return r.shape().upperTail(k) }

func (r roundedLaplace) logUpperTail(k int64) float64 { return -(float64(k)-0.5)*r.rate() - math.Ln2 }

// logRatio is that of the discrete Laplace distribution but next to 0, where P(Z = 0)/P(Z = 1) =
// 2 (1-r)/(r (1-r^2)) with r = exp(-1/(2b)).
func (r roundedLaplace) logRatio(z int64) float64 {
	half := r.rate() / 2
	center := math.Ln2 + half - math.Log1p(math.Exp(-half))
	switch z {
	case 0:
		return center
	case -1:
		return -center
	}
	return r.discreteLaplace.logRatio(z)
}

func (r roundedLaplace) excess(j int64) (excess, squares float64) { return r.shape().excess(j) }

// A laplaceShape is a rounded Laplace variable of a rate that need not be a ratio of integers: b = 1/rate.
type laplaceShape struct{ rate float64 }

func (l laplaceShape) probability(z int64) float64 {
	if z == 0 {
		return -math.Expm1(-l.rate / 2)
	}
	return math.Exp(-(math.Abs(float64(z))-0.5)*l.rate) / 2 * -math.Expm1(-l.rate)
}

func (l laplaceShape) upperTail(k int64) float64 { return math.Exp(-(float64(k)-0.5)*l.rate) / 2 }

func (l laplaceShape) excess(j int64) (excess, squares float64) {
	sum, weighted := geometricSums(l.rate, j, 0.5)
	return sum / 2, weighted - sum/2
}

// tailBelow finds the smallest k with exp((2k-1) s/(2t)) >= 1/(2p). The left side is rounded down and the right side up.
func (r roundedLaplace) tailBelow(p *big.Rat) int64 {
	bound := newFloat(big.ToPositiveInf).SetRat(new(big.Rat).Inv(new(big.Rat).Mul(p, big.NewRat(2, 1))))
	halves := discreteLaplace{s: r.s, t: 2 * r.t}
	near, _ := bound.Float64()
	k := searchNear(math.Log(near)/r.rate()-0.5, func(i int) bool { return halves.expLower(2*int64(i)+1).Cmp(bound) >= 0 })
	return int64(k) + 1
}

// ContinuousLaplaceDelta is the smallest delta at an epsilon of at least 0 of continuous Laplace noise of a scale b on counts that one person
// changes by 1: in one cell under add-remove, in two under replace-one. With r = 1/b and A = exp((epsilon-r)/2), or
// exp((epsilon-2r)/2) of two cells,
//
//	delta = 1 - A                        of one cell,
//	delta = 1 - A (1 + (2r-epsilon)/4)   of two cells,
//
// and 0 from an epsilon of r, or 2r, on. For the loss of one cell is r with probability 1/2, -r with probability exp(-r)/2, and has the
// density exp((l-r)/2)/4 between; of two cells delta is the mean of that of one at epsilon less the loss of the other. Noise that is rounded
// has less. NaN for what is no scale, no epsilon or no adjacency.
func ContinuousLaplaceDelta(scale, epsilon float64, a policy.Adjacency) float64 {
	rate := 1 / scale
	if !(scale > 0) || math.IsInf(scale, 1) || !(epsilon >= 0) {
		return math.NaN()
	}
	switch a {
	case policy.AddRemove:
		return max(0, -math.Expm1((epsilon-rate)/2))
	case policy.ReplaceOne:
		left := 2*rate - epsilon
		if left <= 0 {
			return 0
		}
		return max(0, -math.Expm1(-left/2)-math.Exp(-left/2)*left/4)
	}
	return math.NaN()
}
