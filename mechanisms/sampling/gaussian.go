package sampling

import (
	"fmt"
	"math/big"
	"math/bits"
)

// A Variance is the sigma^2 of a Gaussian: numerator/2^shift, with a numerator below 2^40 and a shift of at most 30, so that
// arithmetic with it fits into 128 bits. The largest sigma is 2^20, the smallest 1/16: with that, noise other than 0 has a
// probability of 1e-15.
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
			return Variance{}, fmt.Errorf("a variance of %s is more than 2^%d", v.FloatString(0), numeratorBits)
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

	// The draw at hand, which is the real of bernoulliExpOf.
	y      uint64 // |Y|
	exact  bool   // the discrete Gaussian: there is no offset
	offset big.Int
	places uint // of offset
}

// Gaussian returns a sampler that takes its bits from b.
func (b *Bits) Gaussian(v Variance) *Gaussian {
	g := &Gaussian{bits: b, a: v.numerator, b: 1 << v.shift, shift: v.shift}
	for g.t = 1; g.t*g.t*g.b <= g.a; g.t++ { // t > sigma; at most 2^20 steps
	}
	return g
}

// near is how many times t a |y| may be for the quick arithmetic. P(|Y| >= 64 t) is less than 2 exp(-64).
const near = 64

// Discrete draws Z with P(Z = z) proportional to exp(-z^2/(2 sigma^2)), over the integers.
//
// y is kept with probability exp(-g), g = (|y| - sigma^2/t)^2/(2 sigma^2), so that y comes with a probability proportional to
//
//	exp(-|y|/t) exp(-g) = exp(-y^2/(2 sigma^2)) exp(-sigma^2/(2 t^2)).
//
// An attempt succeeds with probability exp(-sigma^2/(2t^2)) (sum of exp(-z^2/(2 sigma^2)))/(sum of exp(-|y|/t)). The first sum is
// at least max(1, sigma sqrt(2 pi)) (Poisson's summation formula), the second is coth(1/(2t)) <= 2t + 1/(6t), and sigma < t <= sigma+1:
// that is at least 0.27 for every sigma, so that a draw needs 4 attempts or fewer on average.
func (g *Gaussian) Discrete() int64 {
	g.exact = true
	for range maxAttempts {
		z := g.bits.DiscreteLaplace(1, g.t)
		g.y = magnitude(z)
		if g.keepDiscrete() {
			return z
		}
	}
	g.bits.fail("a draw was not kept")
	return 0
}

func (g *Gaussian) keepDiscrete() bool {
	if g.y >= near*g.t {
		return g.bits.bernoulliExpOf(g, 0, 2<<places) // no quick bounds
	}
	// g = d^2/(2 a b t^2) with d = |y| t b - a. d < 64 * 2^42 = 2^48.
	d := magnitude(int64(g.y*g.t*g.b) - int64(g.a))
	hi, lo := bits.Mul64(d, d)
	hi, lo = shiftLeft(hi, lo, places-1-int(g.shift))
	// floor(floor(x/a)/t^2) = floor(x/(a t^2)).
	hi, lo = divide(hi, lo, g.a)
	hi, lo = divide(hi, lo, g.t*g.t)
	if hi != 0 || lo >= 1<<63 {
		return g.bits.bernoulliExpOf(g, 0, 2<<places)
	}
	return g.bits.bernoulliExpOf(g, lo, lo+1)
}

// offsetPlaces are the binary places of an offset that are drawn at once.
const offsetPlaces = 20

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
// exp(-1/(2t) - sigma^2/(2t^2)) sigma sqrt(2 pi)/coth(1/(2t)), which is least for the least sigma, 1/16: 0.044.
func (g *Gaussian) Rounded() int64 {
	g.exact = false
	for range maxAttempts {
		z := g.bits.DiscreteLaplace(1, g.t)
		g.y = magnitude(z)
		if g.keepRounded() {
			return z
		}
	}
	g.bits.fail("a draw was not kept")
	return 0
}

func (g *Gaussian) keepRounded() bool {
	// x = first/2^20 and what further places add. For y = 0, 20 places of [0, 1/2).
	var first uint64
	if g.y == 0 {
		first = g.bits.Take(offsetPlaces - 1)
	} else {
		first = g.y<<offsetPlaces + g.bits.Take(offsetPlaces) - 1<<(offsetPlaces-1)
	}
	g.offset.SetUint64(first)
	g.places = offsetPlaces
	if g.y >= near*g.t {
		return g.bits.bernoulliExpOf(g, 0, 2<<places)
	}
	// |y|/t - 1/(2t) - sigma^2/(2t^2) = n/(2 t^2 b).
	n := 2*int64(g.y*g.t*g.b) - int64(g.t*g.b) - int64(g.a) // below 2^50 in magnitude
	hi, lo := shiftLeft(0, magnitude(n), places)
	hi, subtrahend := divide(hi, lo, 2*g.t*g.t*g.b) // rounded towards zero; below 2^39, since |y| < 64 t
	if hi != 0 {
		return g.bits.bernoulliExpOf(g, 0, 2<<places)
	}
	least, ok := g.square(first)
	most, okToo := g.square(first + 1)
	if !ok || !okToo {
		return g.bits.bernoulliExpOf(g, 0, 2<<places)
	}
	low, high := int64(least)-int64(subtrahend)-1, int64(most)-int64(subtrahend)+1
	if n < 0 {
		low, high = int64(least)+int64(subtrahend), int64(most)+int64(subtrahend)+2
	}
	return g.bits.bernoulliExpOf(g, uint64(max(0, low)), uint64(max(1, high)))
}

// square is floor(2^32 x^2/(2 sigma^2)) for x = first/2^20, if it is below 2^62.
func (g *Gaussian) square(first uint64) (uint64, bool) {
	hi, lo := bits.Mul64(first, first) // below 2^54 t^2
	hi, lo = shiftLeft(hi, lo, int(g.shift)+places-1-2*offsetPlaces)
	hi, lo = divide(hi, lo, g.a)
	return lo, hi == 0 && lo < 1<<62
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
	// x^2 moves by 2x 2^-places at most, which is below 2^-p sigma^2 with this many places.
	for g.places < p+64 {
		g.offset.Lsh(&g.offset, places)
		g.offset.Or(&g.offset, new(big.Int).SetUint64(g.bits.Take(places)))
		g.places += places
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

// exponent is floor(g 2^p) for an x of offset/2^places.
func (g *Gaussian) exponent(offset *big.Int, p uint) *big.Int {
	// g = (x^2 b^2 t^2 - 2|y| t a b + a^2 + a b t)/(2 a b t^2)
	ratio := func(n *big.Int, shift uint) *big.Rat {
		return new(big.Rat).SetFrac(n, new(big.Int).Lsh(big.NewInt(1), shift))
	}
	x := ratio(new(big.Int).Mul(offset, new(big.Int).SetUint64(g.b*g.t)), g.places)
	sum := x.Mul(x, x)
	a, tb := new(big.Int).SetUint64(g.a), new(big.Int).SetUint64(g.t*g.b)
	rest := new(big.Int).SetUint64(2 * g.y)
	rest.Sub(big.NewInt(1), rest)
	rest.Mul(rest, tb)
	rest.Add(rest, a)
	rest.Mul(rest, a)
	sum.Add(sum, new(big.Rat).SetInt(rest))
	sum.Mul(sum, new(big.Rat).SetFrac(new(big.Int).Lsh(big.NewInt(1), p), g.denominator()))
	return new(big.Int).Div(sum.Num(), sum.Denom()) // rounds down, the denominator being positive
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
