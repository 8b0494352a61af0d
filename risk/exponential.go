package risk

import "math"

// An exponential survival has b(n) = c q^n for n >= 1, as Laplace and geometric noise do.
type exponential interface {
	Exponential() (c, q float64, ok bool)
}

// mostSubsets is the number of labels from which on a sum over their subsets takes longer than polynomials.
const mostSubsets = 8

// expectedExponential is the expected risk for b(n) = c q^n for n >= 1 and b(0) = f. With b(n) = c q^n + (f-c) [n = 0], a product of b(n_j)
// is a sum over the subsets S of the labels j for which the first term is taken, and the expectation of products of powers is a power:
//
//	sum over k and S without k of c^|S| (f-c)^(m-1-|S|) {(p_k + q p_S)^n - c q^n (p_k + p_S)^n + (c-1) q^n p_S^n}
//
// for the event version, m being the number of labels that may occur and p_S the sum of their probabilities; the last two terms are those of
// 1 - a(n_k), and of n_k = 0. For the record version, one of the n records is of label k and the others are drawn:
//
//	sum over k and S of c^|S| (f-c)^(m-1-|S|) p_k {(p_k + q p_S)^(n-1) - c q^n (p_k + p_S)^(n-1)}.
//
// Geometric noise has f = c, so that S is all labels but k. For noise that is small, c is large and the terms cancel: ok is false where
// that takes more than some five of 16 digits.
func expectedExponential(e exponential, f float64, v Version, p []float64, n int64) (risk float64, ok bool) {
	c, q, ok := e.Exponential()
	if !ok {
		return 0, false
	}
	size := float64(n)
	x := expansion{c: c, q: q, rest: f - c, version: v, powers: powers{
		ofSize: func(t float64) float64 { return math.Pow(t, size) },
		ofRest: func(t float64) float64 { return math.Pow(t, size-1) },
		errors: size + 16,
	}}
	return x.of(p)
}

// powers are t^n and t^(n-1), with an error of so many roundings; or their expectations, if n is drawn.
type powers struct {
	ofSize, ofRest func(t float64) float64
	errors         float64
}

// An expansion sums terms up, and their magnitudes.
type expansion struct {
	c, q, rest float64
	version    Version
	powers
	sum, magnitude float64
}

// of is the sum of all terms.
func (x *expansion) of(p []float64) (risk float64, ok bool) {
	if math.Abs(x.rest) < 1e-15 { // a rounding error
		x.rest = 0
	}
	if x.rest != 0 && len(p) > mostSubsets {
		return 0, false
	}
	for k := range p {
		x.expand(p, k)
	}
	const rounding = 1. / (1 << 52)
	return x.sum, !math.IsInf(x.magnitude, 1) && x.magnitude*x.errors*rounding <= 1e-10*x.sum
}

// expand adds the terms of label k up.
func (x *expansion) expand(p []float64, k int) {
	others := make([]float64, 0, len(p)-1)
	others = append(append(others, p[:k]...), p[k+1:]...)
	x.subsets(p[k], others, 1, 0)
}

// subsets goes through those of the others, with the factor and the probability of what was chosen so far.
func (x *expansion) subsets(p float64, others []float64, factor, chosen float64) {
	if factor == 0 {
		return
	}
	if len(others) == 0 {
		x.add(p, factor, chosen)
		return
	}
	x.subsets(p, others[1:], factor*x.c, chosen+others[0])
	x.subsets(p, others[1:], factor*x.rest, chosen)
}

// add adds the terms of one subset up.
func (x *expansion) add(p, factor, chosen float64) {
	var first, second, third float64
	if x.version == Records {
		first = p * x.ofRest(p+x.q*chosen)
		second = p * x.c * x.q * x.ofRest(x.q*(p+chosen))
	} else {
		first = x.ofSize(p + x.q*chosen)
		second = x.c * x.ofSize(x.q*(p+chosen))
		third = (x.c - 1) * x.ofSize(x.q*chosen)
	}
	x.sum += factor * (first - second + third)
	x.magnitude += math.Abs(factor) * (first + second + math.Abs(third))
}
