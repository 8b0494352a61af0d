package mechanisms

import (
	"math"
	"math/big"
	"sort"

	"tacit/mechanisms/sampling"
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
	k := sort.Search(maxTail, func(i int) bool { return halves.expLower(2*int64(i)+1).Cmp(bound) >= 0 })
	return int64(k) + 1
}
