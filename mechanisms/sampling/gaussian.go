package sampling

import (
	"fmt"
	"math/big"
	"math/bits"
)

// A Variance is the sigma^2 of a Gaussian: numerator/2^shift, with a numerator below 2^40 and a shift of at most 30, so that
// arithmetic with it fits into 128 bits. The largest sigma is just below 2^20, the smallest 1/16: with that, noise other than 0 has a
// probability of 1.3e-15 or less. Only NewVariance makes one.
type Variance struct {
	numerator uint64
	shift     uint
}

const (
	numeratorBits = 40
	maxShift      = 30
)

// NewVariance returns the smallest Variance that is at least v.
func NewVariance(v *big.Rat) (Variance, error) {
	if least := big.NewRat(1, 256); v.Sign() > 0 && v.Cmp(least) < 0 {
		v = least
	}
	for shift := uint(maxShift); ; shift-- {
		scaled := new(big.Rat).Mul(v, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), shift)))
		up := new(big.Int).Add(scaled.Num(), new(big.Int).Sub(scaled.Denom(), big.NewInt(1)))
		up.Quo(up, scaled.Denom())
		switch {
		case up.Sign() <= 0:
			return Variance{}, fmt.Errorf("a variance of %s", v.FloatString(3))
		case up.BitLen() <= numeratorBits:
			return Variance{numerator: up.Uint64(), shift: shift}, nil
		case shift == 0:
			return Variance{}, fmt.Errorf("a variance of %s is more than 2^%d - 1", v.FloatString(3), numeratorBits)
		}
	}
}

// Rat is the variance, exactly.
func (v Variance) Rat() *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(v.numerator), new(big.Int).Lsh(big.NewInt(1), v.shift))
}

// Float is the variance, exactly.
func (v Variance) Float() float64 {
	f, _ := v.Rat().Float64()
	return f
}

// A Gaussian draws noise of one variance from the bits it was made for. It is for one goroutine at a time.
//
// Both of its distributions are drawn by rejection from the discrete Laplace distribution of scale t = floor(sigma) + 1
// (Canonne, Kamath and Steinke 2020, Algorithm 3): y is kept with a probability exp(-g).
type Gaussian struct {
	bits *Bits
	// sigma^2 = a/b, b = 2^shift. a < 2^40, and t^2 b <= 4 a if sigma >= 1; if not, t = 1 and t^2 b <= 2^30. So t^2 b < 2^42.
	a, b  uint64
	shift uint
	t     uint64

	// The quick arithmetic. Its bounds below hold for 32, 20 and 64, or less of each.
	places       uint   // of a quick comparison
	offsetPlaces uint   // of an offset that are drawn at once
	near         uint64 // |y| below near t has quick bounds; P(|Y| >= 64 t) is less than 2 exp(-64)

	// The draw at hand, which is the real of bernoulliExpOf.
	y      uint64 // |Y|, below 2^43: Geometric's V is below 2^23, and t is at most 2^20
	exact  bool   // the discrete Gaussian: there is no offset
	offset big.Int
	drawn  uint // places of offset
}

// Gaussian returns a sampler that takes its bits from b.
func (b *Bits) Gaussian(v Variance) *Gaussian {
	if v.numerator == 0 {
		panic("sampling: internal error: a Variance that NewVariance did not make")
	}
	// The root of the whole part of sigma^2 has the same whole part as sigma.
	root := new(big.Int).SetUint64(v.numerator >> v.shift)
	t := root.Sqrt(root).Uint64() + 1
	return &Gaussian{
		bits: b, a: v.numerator, b: 1 << v.shift, shift: v.shift, t: t,
		places: 32, offsetPlaces: 20, near: 64,
	}
}

// Discrete draws Z with P(Z = z) proportional to exp(-z^2/(2 sigma^2)), over the integers.
//
// y is kept with probability exp(-g), g = (|y| - sigma^2/t)^2/(2 sigma^2), so that y comes with a probability proportional to
//
//	exp(-|y|/t) exp(-g) = exp(-y^2/(2 sigma^2)) exp(-sigma^2/(2 t^2)).
//
// An attempt succeeds with probability exp(-sigma^2/(2t^2)) (sum of exp(-z^2/(2 sigma^2)))/(sum of exp(-|y|/t)). The first sum is
// at least max(1, sigma sqrt(2 pi)) (Poisson's summation formula), the second is coth(1/(2t)) <= 2t + 1/(6t), and sigma < t <= sigma+1:
// that is at least 0.42 for every sigma (least near 0.4), so that a draw needs 2.4 attempts or fewer on average.
func (g *Gaussian) Discrete() int64 {
	g.exact = true
	for range maxAttempts {
		z := g.bits.DiscreteLaplace(1, g.t)
		g.y = magnitude(z)
		if g.bits.bernoulliExpOf(g, g.quickDiscrete()) {
			return z
		}
		if g.bits.err != nil {
			return 0
		}
	}
	g.bits.fail("a draw was not kept")
	return 0
}

// quickDiscrete bounds the g of Discrete.
func (g *Gaussian) quickDiscrete() quick {
	if g.y >= g.near*g.t {
		return open(g.places)
	}
	// g = d^2/(2 a b t^2) with d = |y| t b - a. d < 64 t^2 b < 2^48 in magnitude, d^2 < 2^96, and the shift is by at most 31.
	d := magnitude(int64(g.y*g.t*g.b) - int64(g.a))
	hi, lo := bits.Mul64(d, d)
	hi, lo = shiftLeft(hi, lo, int(g.places)-1-int(g.shift))
	// floor(floor(x/a)/t^2) = floor(x/(a t^2)); a right shift is such a division too.
	hi, lo = divide(hi, lo, g.a)
	_, lo = divide(hi, lo, g.t*g.t)
	// g < 2^20: it is at most max(64^2 t^2/(2 sigma^2), 1/2), where t <= 2 sigma, or t = 1 and sigma >= 1/16. So lo < 2^52.
	return quick{low: lo, high: lo + 1, places: g.places}
}

// Rounded draws a continuous Gaussian variable of mean 0, rounded to the nearest integer: P(Z = z) is the integral of its density from
// z - 1/2 to z + 1/2.
//
// Z and an offset V, uniform in [-1/2, 1/2), are drawn together, with a density proportional to exp(-(z+v)^2/(2 sigma^2)). Given y from
// the discrete Laplace distribution, x = |y| + V is kept with probability exp(-g),
//
//	g = x^2/(2 sigma^2) - |y|/t + sigma^2/(2 t^2) + 1/(2t),
//
// which is not negative: x^2/(2 sigma^2) + sigma^2/(2 t^2) >= |x|/t, and |x| >= |y| - 1/2. What is kept has a density
// proportional to exp(-|y|/t) exp(-g), which is the one wanted. (By symmetry the offset of a negative y is -V. That of y = 0 is taken in
// [0, 1/2), and has a sign that nobody sees.)
//
// V is a real number: its first 20 places are drawn at once, others if a comparison needs them. An attempt succeeds with probability
// exp(-1/(2t) - sigma^2/(2t^2)) sigma sqrt(2 pi)/coth(1/(2t)), which is least for the least sigma, 1/16: 0.0438.
func (g *Gaussian) Rounded() int64 {
	g.exact = false
	for range maxAttempts {
		z := g.bits.DiscreteLaplace(1, g.t)
		g.y = magnitude(z)
		if g.bits.bernoulliExpOf(g, g.quickRounded(g.drawOffset())) {
			return z
		}
		if g.bits.err != nil {
			return 0
		}
	}
	g.bits.fail("a draw was not kept")
	return 0
}

// drawOffset draws the first places of x = |y| + V, first/2^offsetPlaces.
func (g *Gaussian) drawOffset() (first uint64) {
	if g.y == 0 {
		first = g.bits.Take(int(g.offsetPlaces) - 1) // of [0, 1/2)
	} else {
		first = g.y<<g.offsetPlaces + g.bits.Take(int(g.offsetPlaces)) - 1<<(g.offsetPlaces-1)
	}
	g.offset.SetUint64(first)
	g.drawn = g.offsetPlaces
	return first
}

// quickRounded bounds the g of Rounded, for x from first/2^offsetPlaces to (first+1)/2^offsetPlaces.
func (g *Gaussian) quickRounded(first uint64) quick {
	if g.y >= g.near*g.t {
		return open(g.places)
	}
	// |y|/t - 1/(2t) - sigma^2/(2t^2) = n/(2 t^2 b); n is below 2^50 in magnitude.
	n := 2*int64(g.y*g.t*g.b) - int64(g.t*g.b) - int64(g.a)
	hi, lo := shiftLeft(0, magnitude(n), int(g.places))
	_, lo = divide(hi, lo, 2*g.t*g.t*g.b) // rounded towards zero; below 2^39, since |y| < 64 t
	rest := int64(lo)
	least, most := g.square(first), g.square(first+1)
	low, high := least-rest-1, most-rest+1
	if n < 0 {
		low, high = least+rest, most+rest+2
	}
	// g 2^places >= 0, and it is below high.
	return quick{low: uint64(max(0, low)), high: uint64(high), places: g.places}
}

// square is floor(2^places x^2/(2 sigma^2)) for x = first/2^offsetPlaces <= 64 t. It is below 2^52, as in quickDiscrete.
func (g *Gaussian) square(first uint64) int64 {
	// first^2 is at most 2^52 t^2, times 2^places b/2^(2 offsetPlaces+1) < 2^(42-9)/t^2, or 2^85 in all.
	hi, lo := bits.Mul64(first, first)
	hi, lo = shiftLeft(hi, lo, int(g.shift)+int(g.places)-1-2*int(g.offsetPlaces))
	_, lo = divide(hi, lo, g.a)
	return int64(lo)
}

// bounds makes a Gaussian the real g of the draw at hand.
func (g *Gaussian) bounds(p uint) (low, high *big.Int) {
	if g.exact {
		d := new(big.Int).SetUint64(g.y)
		d.Mul(d, new(big.Int).SetUint64(g.t*g.b))
		d.Sub(d, new(big.Int).SetUint64(g.a))
		low = d.Mul(d, d)
		low.Lsh(low, p)
		low.Quo(low, g.denominator())
		return low, new(big.Int).Add(low, big.NewInt(1))
	}
	// With e = 2^-drawn, g moves by at most (x+e) e/sigma^2 <= (y+1) e/sigma^2, which is below 2^-p with this many places.
	enough := int(p) + bits.Len64(g.y+1) + int(g.shift) - bits.Len64(g.a) + 1
	for int(g.drawn) < enough {
		g.offset.Lsh(&g.offset, g.places)
		g.offset.Or(&g.offset, new(big.Int).SetUint64(g.bits.Take(int(g.places))))
		g.drawn += g.places
	}
	low = g.exponent(&g.offset, p)
	high = g.exponent(new(big.Int).Add(&g.offset, big.NewInt(1)), p)
	return low, high.Add(high, big.NewInt(1))
}

// denominator is 2 a b t^2.
func (g *Gaussian) denominator() *big.Int {
	d := new(big.Int).SetUint64(g.a)
	d.Mul(d, new(big.Int).SetUint64(2*g.b))
	return d.Mul(d, new(big.Int).SetUint64(g.t*g.t))
}

// exponent is floor(g 2^p) for x = offset/2^drawn.
func (g *Gaussian) exponent(offset *big.Int, p uint) *big.Int {
	// g = (x^2 b^2 t^2 - 2|y| t a b + a^2 + a b t)/(2 a b t^2), both sides of which are taken 2^(2 drawn) times.
	a, tb := new(big.Int).SetUint64(g.a), new(big.Int).SetUint64(g.t*g.b)
	sum := new(big.Int).Mul(offset, tb)
	sum.Mul(sum, sum)
	rest := new(big.Int).SetUint64(2 * g.y)
	rest.Sub(big.NewInt(1), rest)
	rest.Mul(rest, tb)
	rest.Add(rest, a)
	rest.Mul(rest, a)
	sum.Add(sum, rest.Lsh(rest, 2*g.drawn))
	sum.Lsh(sum, p)
	return sum.Quo(sum, new(big.Int).Lsh(g.denominator(), 2*g.drawn)) // g >= 0
}

func magnitude(z int64) uint64 {
	if z < 0 {
		return uint64(-z)
	}
	return uint64(z)
}

// shiftLeft shifts a number of 128 bits; a negative n shifts it right.
func shiftLeft(hi, lo uint64, n int) (uint64, uint64) {
	if n < 0 {
		return hi >> -n, lo>>-n | hi<<(64+n)
	}
	return hi<<n | lo>>(64-n), lo << n
}

// divide is the quotient of a number of 128 bits.
func divide(hi, lo, by uint64) (uint64, uint64) {
	quotient, rest := hi/by, hi%by
	low, _ := bits.Div64(rest, lo, by)
	return quotient, low
}
