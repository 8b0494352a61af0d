package sampling

// BernoulliExp is true with probability exactly exp(-p/q), q >= 1: Canonne, Kamath and Steinke 2020, Algorithm 1. q is less than 2^41.
//
// exp(-p/q) is exp(-1) as often as q goes into p, times exp(-g) with g = (p mod q)/q: independent trials of each, all of which have to
// be true. There are 1/(1-1/e) = 1.6 trials or fewer on average, since the first that is false ends them.
func (b *Bits) BernoulliExp(p, q uint64) bool {
	for ; p > q && b.err == nil; p -= q {
		if !b.bernoulliExpOfShare(1, 1) {
			return false
		}
	}
	return b.bernoulliExpOfShare(p, q)
}

// bernoulliExpOfShare is BernoulliExp for g = p/q <= 1.
//
// With A_k true with probability g/k, the first K for which A_K is false has P(K > k) = g^k/k!, so
// P(K odd) = sum over even k of P(K > k) - P(K > k+1) = sum (-g)^k/k! = exp(-g). Every A_k is decided by a uniform integer: no rounding.
// E[K] = sum of g^k/k! = exp(g) <= e. No step but the first with q = 1 is free of bits, so k stays below 2^23 and q k below 2^64.
func (b *Bits) bernoulliExpOfShare(p, q uint64) bool {
	k := uint64(1)
	for b.Below(q*k) < p && b.err == nil {
		k++
	}
	return k%2 == 1 && b.err == nil
}

// Geometric draws Y >= 0 with P(Y >= y) = exp(-y s/t), for s >= 1 and 1 <= t < 2^40: Canonne, Kamath and Steinke 2020, Algorithm 2,
// but for the sign.
//
// U below t is kept with probability exp(-U/t), and V is geometric with P(V >= v) = exp(-v). So X = U + t V is geometric:
// P(X = x) is proportional to exp(-x/t). Y = floor(X/s) has P(Y >= y) = P(X >= ys) = exp(-ys/t).
//
// An attempt is rejected for U with probability at most 1/e. Nothing overflows: every step of V takes a bit and no draw has more than
// 2^22 + 63 of them (maxWordsPerDraw), so X < 2^40 + 2^40 (2^22 + 63) < 2^63.
func (b *Bits) Geometric(s, t uint64) uint64 {
	for b.err == nil {
		u := b.Below(t)
		if !b.bernoulliExpOfShare(u, t) {
			continue
		}
		v := uint64(0)
		for b.bernoulliExpOfShare(1, 1) {
			v++
		}
		if b.err == nil {
			return (u + t*v) / s
		}
	}
	return 0
}
