package mechanisms

import (
	"math"
	"math/big"
	"sort"

	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// discreteLaplace is the distribution P(Z = z) = (1-a)/(1+a) a^|z| with a = exp(-s/t). Its upper tail is
// P(Z >= k) = (1-a)/(1+a) sum over z >= k of a^z = a^k/(1+a), for k >= 1.
type discreteLaplace struct {
	s, t uint64 // in lowest terms; 1 <= t < 2^40
}

// newDiscreteLaplace returns the noise for counts that are distance apart in the l1 norm, which is one that [drawable] accepts:
// s/t = epsilon/distance, exactly if t can be below 2^40, as it can for each distance up to 2 policy.MaxRows. Otherwise s/t is a little
// less, so that the noise is a little larger and the loss no more than epsilon: s is the largest integer for which
// t = ceil(s distance/epsilon) is below 2^40. As s+1 is not, t is more than 2^39 - 1, and the ratio is wrong by less than a part in 2^38.
func newDiscreteLaplace(epsilon policy.Epsilon, distance int64) discreteLaplace {
	scale := noiseScale(epsilon, distance)
	if scale.Num().Cmp(mostScale) < 0 {
		return discreteLaplace{s: scale.Denom().Uint64(), t: scale.Num().Uint64()}
	}
	most := new(big.Rat).Quo(new(big.Rat).SetInt(new(big.Int).Sub(mostScale, big.NewInt(1))), scale)
	s := new(big.Int).Quo(most.Num(), most.Denom())
	t := new(big.Rat).Mul(scale, new(big.Rat).SetInt(s))
	up := new(big.Int).Quo(new(big.Int).Add(t.Num(), new(big.Int).Sub(t.Denom(), big.NewInt(1))), t.Denom())
	ratio := new(big.Rat).SetFrac(s, up)
	return discreteLaplace{s: ratio.Num().Uint64(), t: ratio.Denom().Uint64()}
}

// drawable reports whether the scale of noise is at most 2^40 - 1, so that some s does.
func drawable(epsilon policy.Epsilon, distance int64) bool {
	return noiseScale(epsilon, distance).Cmp(new(big.Rat).SetInt(new(big.Int).Sub(mostScale, big.NewInt(1)))) <= 0
}

// noiseScale is distance/epsilon.
func noiseScale(epsilon policy.Epsilon, distance int64) *big.Rat {
	scale := new(big.Rat).SetFrac64(1e9, int64(epsilon))
	return scale.Mul(scale, new(big.Rat).SetInt64(distance))
}

// mostScale is what sampling.Bits.Geometric draws below.
var mostScale = new(big.Int).Lsh(big.NewInt(1), 40)

// rate is s/t, rounded to nearest.
func (d discreteLaplace) rate() float64 { return float64(d.s) / float64(d.t) }

// a is the ratio of neighbouring probabilities.
func (d discreteLaplace) a() float64 { return d.shape().a() }

func (d discreteLaplace) shape() geometricShape { return geometricShape{d.rate()} }

func (d discreteLaplace) draw(b *sampling.Bits) int64 { return b.DiscreteLaplace(d.s, d.t) }

func (d discreteLaplace) probability(z int64) float64 { return d.shape().probability(z) }

func (d discreteLaplace) upperTail(k int64) float64 { return d.shape().upperTail(k) }

func (d discreteLaplace) logUpperTail(k int64) float64 {
	return -d.rate()*float64(k) - math.Log1p(d.a())
}

func (d discreteLaplace) logRatio(z int64) float64 {
	if z < 0 {
		return -d.rate()
	}
	return d.rate()
}

func (d discreteLaplace) excess(j int64) (excess, squares float64) { return d.shape().excess(j) }

// A geometricShape is the discrete Laplace distribution of a rate that need not be a ratio of integers: a = exp(-rate).
type geometricShape struct{ rate float64 }

func (g geometricShape) a() float64 { return math.Exp(-g.rate) }

func (g geometricShape) probability(z int64) float64 {
	return -math.Expm1(-g.rate) / (1 + g.a()) * math.Exp(-g.rate*math.Abs(float64(z)))
}

func (g geometricShape) upperTail(k int64) float64 {
	return math.Exp(-g.rate*float64(k)) / (1 + g.a())
}

func (g geometricShape) excess(j int64) (excess, squares float64) {
	sum, weighted := geometricSums(g.rate, j, 0)
	return sum / (1 + g.a()), (2*weighted - sum) / (1 + g.a())
}

// maxTail is more than any k that tailBelow looks for: 1/p <= 500e18 < exp(47.7), and t/s <= 1e12.
const maxTail = 1 << 46

// tailBelow is the smallest k >= 1 with P(Z >= k) <= p, for p >= 1e-18/policy.MaxRows, a share of the smallest positive Delta.
//
// Divided by a^k, the inequality reads 1/p <= exp(k s/t) + exp((k-1) s/t). Its left side is rounded up and its right side
// down, so a k that is returned does satisfy it. It could only be larger than the smallest one if the two sides
// agreed in some 170 bits; they are never equal, because exp(s/t) is transcendental (Lindemann) and p is rational.
func (d discreteLaplace) tailBelow(p *big.Rat) int64 {
	return d.firstSum(newFloat(big.ToPositiveInf).SetRat(new(big.Rat).Inv(p)))
}

// firstSum is the smallest k >= 1 with e^k + e^(k-1) >= bound, e being exp(s/t); its left side is rounded down.
func (d discreteLaplace) firstSum(bound *big.Float) int64 {
	near, _ := bound.Float64()
	k := searchNear((math.Log(near)-math.Log1p(d.a()))/d.rate(), func(i int) bool {
		sum := d.expLower(int64(i) + 1)
		return sum.Add(sum, d.expLower(int64(i))).Cmp(bound) >= 0
	})
	return int64(k) + 1
}

// searchNear is sort.Search below maxTail. It looks beside a guess first, because each look is slow; a wrong guess costs time only.
func searchNear(guess float64, holds func(int) bool) int {
	low, high := 0, maxTail
	if at := int(max(0, min(guess, maxTail-1))); holds(at) {
		high = at
		if below := max(0, at-4); !holds(below) {
			low = below + 1
		}
	} else {
		low = at + 1
		if above := min(maxTail, at+4); above == maxTail || holds(above) {
			high = above
		}
	}
	return low + sort.Search(high-low, func(i int) bool { return holds(low + i) })
}

// The arithmetic of expLower.
const (
	// floatPrecision in bits: 69 for a share of an amount of delta, the rest so that roundings do not matter in practice.
	floatPrecision = 192
	// expTerms of the series for exp(y), y <= 1/2, leave a remainder below 2^-199.
	expTerms = 40
	// maxExponent is where expLower stops growing: exp(1024) is far above any 1/p.
	maxExponent = 1024
)

// expLower is at most exp(k s/t), and very close to it up to exp(1024), for k >= 0.
//
// With y = k s/t / 2^r <= 1/2 it sums y^i/i! from the smallest term to the largest and squares the sum r times. Every term left out is
// positive, every operation rounds down and has positive operands, in all of which it increases: so every step's result is a
// lower bound.
func (d discreteLaplace) expLower(k int64) *big.Float {
	y := newFloat(big.ToNegativeInf)
	y.Mul(y.SetInt64(k), newFloat(big.ToNegativeInf).SetRat(big.NewRat(int64(d.s), int64(d.t))))
	if limit := big.NewFloat(maxExponent); y.Cmp(limit) > 0 {
		y.Set(limit)
	}
	halvings := max(0, y.MantExp(nil)+1)
	y.SetMantExp(y, -halvings)
	one, sum := big.NewFloat(1), newFloat(big.ToNegativeInf).SetInt64(1)
	for i := int64(expTerms); i >= 1; i-- {
		sum.Mul(sum, y)
		sum.Quo(sum, new(big.Float).SetInt64(i))
		sum.Add(sum, one)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// expUpper is at least exp(s/t), and very close to it: a lower bound of exp(s/t) to some 180 bits, and one part in 2^160 more. Beyond
// exp(1024), where expLower stops, it is of no use: no k is then found
// for a truncated threshold, but noise that small has the other one at 2.
func (d discreteLaplace) expUpper() *big.Float {
	lower := d.expLower(1)
	margin := newFloat(big.ToPositiveInf).SetMantExp(lower, -160)
	return newFloat(big.ToPositiveInf).Add(lower, margin)
}

func newFloat(mode big.RoundingMode) *big.Float {
	return new(big.Float).SetPrec(floatPrecision).SetMode(mode)
}
