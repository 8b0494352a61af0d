package composition

import (
	"math"
	"math/big"
	"testing"
)

// precision is that of exact values, in bits: what is left after cancellations has hundreds of good ones.
const precision = 400

func newBig(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

func mul(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Mul(x, y) }
func add(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Add(x, y) }
func sub(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Sub(x, y) }
func quo(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Quo(x, y) }

func bigRat(r *big.Rat) *big.Float { return new(big.Float).SetPrec(precision).SetRat(r) }

// bigExp is exp(x): the series of x/2^64, squared 64 times.
func bigExp(x *big.Float) *big.Float {
	const halvings = 64
	small := new(big.Float).SetMantExp(new(big.Float).SetPrec(precision+80).Set(x), -halvings)
	sum := new(big.Float).SetPrec(precision + 80).SetInt64(1)
	term := new(big.Float).SetPrec(precision + 80).SetInt64(1)
	for i := int64(1); i < 12; i++ {
		term.Mul(term, small)
		term.Quo(term, new(big.Float).SetInt64(i))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return new(big.Float).SetPrec(precision).Set(sum)
}

func float(x *big.Float) float64 {
	f, _ := x.Float64()
	return f
}

func TestBigExp(t *testing.T) {
	for _, x := range []float64{0, 1, -1, 0.5, 30, -200} {
		if got := float(bigExp(newBig(x))); math.Abs(got-math.Exp(x)) > 1e-15*math.Exp(x) {
			t.Errorf("exp(%v) is %v, want %v", x, got, math.Exp(x))
		}
	}
}

// An outcome has its probabilities under P and under Q.
type outcome struct{ p, q *big.Float }

// A pair is a dominating pair with finitely many outcomes.
type pair []outcome

// delta is the hockey-stick divergence at epsilon, exactly.
func (x pair) delta(epsilon float64) *big.Float {
	e, sum := bigExp(newBig(epsilon)), newBig(0)
	for _, o := range x {
		if d := sub(o.p, mul(e, o.q)); d.Sign() > 0 {
			sum.Add(sum, d)
		}
	}
	return sum
}

// times is the product pair.
func (x pair) times(y pair) pair {
	out := make(pair, 0, len(x)*len(y))
	for _, a := range x {
		for _, b := range y {
			out = append(out, outcome{mul(a.p, b.p), mul(a.q, b.q)})
		}
	}
	return out
}

// response is randomized response with a pure epsilon.
func response(epsilon *big.Rat) pair {
	e := bigExp(bigRat(epsilon))
	one := newBig(1)
	q := quo(one, add(one, e))
	return pair{{sub(one, q), q}, {q, sub(one, q)}}
}

// repeatedResponse is k of them, of which only the number of true ones matters.
func repeatedResponse(epsilon *big.Rat, k int64) pair {
	one := response(epsilon)
	out := make(pair, k+1)
	for j := range out {
		c := new(big.Float).SetPrec(precision).SetInt(new(big.Int).Binomial(k, int64(j)))
		p, q := c, c
		for i := range k {
			o := one[1]
			if i < int64(j) {
				o = one[0]
			}
			p, q = mul(p, o.p), mul(q, o.q)
		}
		out[j] = outcome{p, q}
	}
	return out
}

// repeatedGaussian is k moves of discrete Gaussian noise, of which only the sum matters; noise beyond far, with a probability of less than
// 1e-60, is left out.
func repeatedGaussian(v *big.Rat, k int64) pair {
	f, _ := v.Float64()
	far := int(17*math.Sqrt(f)) + 2
	weights, total := make([]*big.Float, 2*far+2), newBig(0)
	for i := range weights {
		z := int64(i - far)
		weights[i] = bigExp(bigRat(new(big.Rat).Quo(big.NewRat(-z*z, 2), v)))
		total.Add(total, weights[i])
	}
	for i := range weights {
		weights[i] = quo(weights[i], total)
	}
	p := []*big.Float{newBig(1)}
	q := p
	for range k {
		p, q = convolve(p, weights[:2*far+1]), convolve(q, weights[1:])
	}
	out := make(pair, len(p))
	for i := range p {
		out[i] = outcome{p[i], q[i]}
	}
	return out
}

func convolve(x, y []*big.Float) []*big.Float {
	out := make([]*big.Float, len(x)+len(y)-1)
	for i := range out {
		out[i] = newBig(0)
	}
	for i, a := range x {
		for j, b := range y {
			out[i+j].Add(out[i+j], mul(a, b))
		}
	}
	return out
}

// exactPair is the pair of a tally without Laplace and continuous Gaussian noise. Deltas are outcomes that only one side has.
func exactPair(t Tally) pair {
	out := pair{{newBig(1), newBig(1)}}
	keep := newBig(1)
	for term, n := range t {
		e := big.NewRat(int64(term.Epsilon), 1e9)
		switch term.Noise {
		case ApproximateNoise:
			out = out.times(repeatedResponse(e, n))
		case GeometricNoise:
			out = out.times(repeatedResponse(e.Quo(e, big.NewRat(term.Moves, 1)), n*term.Moves))
		case DiscreteGaussianNoise:
			out = out.times(repeatedGaussian(term.Variance.rat(), n*term.Moves))
		default:
			panic(term.Noise)
		}
		for range n {
			keep = mul(keep, sub(newBig(1), bigRat(big.NewRat(int64(term.Delta), 1e18))))
		}
	}
	for i, o := range out {
		out[i] = outcome{mul(o.p, keep), mul(o.q, keep)}
	}
	rest := sub(newBig(1), keep)
	return append(out, outcome{rest, newBig(0)}, outcome{newBig(0), rest})
}

// exactLaplace is the delta of k moves of continuous Laplace noise of rate r at epsilon.
//
// Of k losses let a be r, b be -r, and c between. The c sum up to s with the density of masses under P
//
//	4^-c exp(-(cr-s)/2)/(c-1)! sum over j of (-1)^j C(c,j) (s+cr-2rj)_+^(c-1)
//
// (that of c uniform variables, times the density exp(-(r-l)/2)/4 of each).
func exactLaplace(r *big.Rat, k int64, epsilon float64) *big.Float {
	sum := newBig(0)
	rate := bigRat(r)
	for a := range k + 1 {
		for b := range k - a + 1 {
			c := k - a - b
			ways := new(big.Int).Mul(new(big.Int).Binomial(k, a), new(big.Int).Binomial(k-a, b))
			weight := mul(new(big.Float).SetPrec(precision).SetInt(ways), bigExp(mul(newBig(-float64(b)), rate)))
			weight.SetMantExp(weight, -int(a+b+2*c))
			at := sub(newBig(epsilon), mul(newBig(float64(a-b)), rate)) // s must exceed it
			sum.Add(sum, mul(weight, exactBetween(rate, c, at)))
		}
	}
	return sum
}

// exactBetween is the integral of (1 - exp(at-s)) over s > at of the density of c losses between, without 4^-c.
func exactBetween(rate *big.Float, c int64, at *big.Float) *big.Float {
	if c == 0 {
		if at.Sign() >= 0 {
			return newBig(0)
		}
		return sub(newBig(1), bigExp(at))
	}
	top := mul(newBig(float64(c)), rate)
	sum := newBig(0)
	for j := range c + 1 {
		start := sub(mul(newBig(float64(2*j)), rate), top)
		from := start
		if at.Cmp(from) > 0 {
			from = at
		}
		if from.Cmp(top) >= 0 {
			continue
		}
		x, y := sub(from, start), sub(top, start)
		plus := mul(bigExp(mul(newBig(0.5), start)), sub(antiderivative(y, c-1, 0.5), antiderivative(x, c-1, 0.5)))
		minus := mul(bigExp(sub(at, mul(newBig(0.5), start))), sub(antiderivative(y, c-1, -0.5), antiderivative(x, c-1, -0.5)))
		term := mul(sub(plus, minus), new(big.Float).SetPrec(precision).SetInt(new(big.Int).Binomial(c, j)))
		if j%2 != 0 {
			term.Neg(term)
		}
		sum.Add(sum, term)
	}
	factorial := new(big.Float).SetPrec(precision).SetInt(new(big.Int).MulRange(1, c-1))
	return quo(mul(sum, bigExp(mul(newBig(-0.5), top))), factorial)
}

// antiderivative is that of exp(alpha x) x^m: exp(alpha x) p_m(x), p_m = (x^m - m p_{m-1})/alpha.
func antiderivative(x *big.Float, m int64, alpha float64) *big.Float {
	power, p := newBig(1), newBig(1/alpha)
	for j := int64(1); j <= m; j++ {
		power = mul(power, x)
		p = quo(sub(power, mul(newBig(float64(j)), p)), newBig(alpha))
	}
	return mul(p, bigExp(mul(newBig(alpha), x)))
}
