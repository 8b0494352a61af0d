package mechanisms

import (
	"math"
	"math/big"

	"tacit/accountant/composition"
	"tacit/mechanisms/sampling"
)

// A noise is a distribution of Z over the integers that is symmetric around 0, and the less probable the larger |Z| is.
//
// Its probabilities are computed in floating point, to some 12 digits: no draw depends on them. Where a guarantee does, whoever
// uses them leaves a margin for that.
type noise interface {
	shape
	// draw is exact.
	draw(b *sampling.Bits) int64
	// logUpperTail is ln P(Z >= k), for k >= 1: all but the discrete Gaussian have it when the probability itself is too small for a number.
	logUpperTail(k int64) float64
	// logRatio is ln P(Z = z)/P(Z = z+1), which grows with z.
	logRatio(z int64) float64
	// tailBelow is the smallest k >= 1 with P(Z >= k) <= p, for 0 < p < 1. It is rounded up, if at all.
	tailBelow(p *big.Rat) int64
	// term is what is known of the loss of adding Z to each count, with the distances of a configuration (see [Mechanism.Term]).
	term(c Config) composition.Term
}

// A shape is what there is to know of a noise without drawing it.
type shape interface {
	// probability is P(Z = z).
	probability(z int64) float64
	// upperTail is P(Z >= k), for k >= 1.
	upperTail(k int64) float64
	// excess is the sum over k > j of P(Z >= k), E[max(0, Z-j)], and squares that of (2k-1) P(Z >= k), E[Z^2 - j^2; Z > j], for j >= 0.
	excess(j int64) (excess, squares float64)
}

// tails are of a symmetric distribution over the integers, which a noise is.
type tails interface {
	upperTail(k int64) float64
	logUpperTail(k int64) float64
}

// tail is P(Z >= k), for every k of which 1 - k is an int64.
func tail(z interface{ upperTail(k int64) float64 }, k int64) float64 {
	if k < 1 {
		return 1 - z.upperTail(1-k)
	}
	return z.upperTail(k)
}

// timesTail is exp(epsilon) P(Z >= k), for every k.
func timesTail(z tails, epsilon float64, k int64) float64 {
	if k < 1 {
		return math.Exp(epsilon) * tail(z, k)
	}
	return math.Exp(epsilon + z.logUpperTail(k))
}

// variance is E[Z^2], twice the sum over k >= 1 of (2k-1) P(Z >= k).
func variance(z shape) float64 {
	_, squares := z.excess(0)
	return 2 * squares
}

// momentsFrom are E[Z; Z >= j] and E[Z^2; Z >= j] for every j. By symmetry, the first is E[Z; Z >= 1-j], and the second
// E[Z^2] - E[Z^2; Z >= 1-j]: that keeps a large -j from drowning them.
func momentsFrom(z noise, j int64) (mean, square float64) {
	if j < 1 {
		mean, square = momentsFrom(z, 1-j)
		return mean, variance(z) - square
	}
	excess, squares := z.excess(j)
	at, p := float64(j), z.upperTail(j)
	return at*p + excess, at*at*p + squares
}

// halfWidth95 is the smallest w >= 0 with P(|Z| > w) = 2 P(Z >= w+1) <= 0.05.
func halfWidth95(z noise) int64 { return halfWidthOfAll95(z, 1) }

// halfWidthOfAll95 is the smallest w >= 0 with counts P(|Z| > w) <= 0.05: by the union bound, the noise of none of so many counts is more
// with a probability of 0.95, whether their draws are independent or not. Of independent ones the exact quantile of the largest is at level
// 1 - 0.95^(1/counts), which is less than 1.026 times 0.05/counts.
func halfWidthOfAll95(z noise, counts int) int64 {
	return halfWidthBeyond(z, big.NewRat(1, 20*int64(counts)))
}

// halfWidthBeyond is the smallest w >= 0 with P(|Z| > w) <= miss.
func halfWidthBeyond(z noise, miss *big.Rat) int64 {
	return z.tailBelow(new(big.Rat).Quo(miss, big.NewRat(2, 1))) - 1
}

// searchTail is the smallest k >= 1 for which a tail that was computed in floating point is below p with a margin for its errors.
func searchTail(p *big.Rat, upperTail func(k int64) float64) int64 {
	limit, _ := p.Float64()
	limit *= 1 - marginOfFloats
	low, high := int64(0), int64(1)
	for upperTail(high) > limit {
		low, high = high, 2*high
	}
	for high-low > 1 {
		middle := low + (high-low)/2
		if upperTail(middle) > limit {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// marginOfFloats is more than the relative error of any probability of this package down to 1e-21: some thousand roundings of 2^-53, those
// of math.Erfc and math.Exp, which are below 2^-50, and what smooth leaves out, 7/5760 (9.5/sigma)^4 at 9.5 sigma.
const marginOfFloats = 1e-10

// geometricSums are the sums over k > j of q^k and of k q^k with q = exp(-rate), both divided by q^shift. Powers are taken as exponentials
// and 1-q is computed at once: with noise of scale 10^12, q itself has but four digits of its distance from 1.
func geometricSums(rate float64, j int64, shift float64) (sum, weighted float64) {
	at, step := float64(j), -math.Expm1(-rate) // 1 - q
	power := math.Exp(-rate * (at + 1 - shift))
	return power / step, power * (1 + at*step) / (step * step)
}
