package sampling

import "math/bits"

// DiscreteLaplace draws Z with P(Z = z) = (1-a)/(1+a) a^|z|, a = exp(-s/t), for s >= 1 and 1 <= t < 2^40: Canonne, Kamath and
// Steinke 2020, Algorithm 2. A fair sign, with -0 drawn again so that zero is not counted twice, makes Geometric two-sided.
//
// -0 comes with probability at most 1/2, and an attempt at Geometric fails with at most 1/e; an attempt needs at most 17 words on
// average, if every integer below n took a word of its own and every second one were rejected. So a draw needs at most
// 17/0.316 = 54 words on average, and at most 17 more from the middle of an attempt.
func (b *Bits) DiscreteLaplace(s, t uint64) int64 {
	b.Start()
	for b.err == nil {
		y := int64(b.Geometric(s, t))
		if b.Take(1) == 0 {
			return y
		}
		if y != 0 {
			return -y
		}
	}
	return 0
}

// TruncatedDiscreteLaplace draws Z as DiscreteLaplace does, given that |Z| <= bound, for bound >= 1, by rejection.
//
// If the bound is within the scale, bound s <= t, an integer uniform in [-bound, bound] is kept with probability exp(-|z| s/t) >= 1/e.
// Otherwise a draw of DiscreteLaplace is kept if it is within the bound: P(|Z| > bound) = 2 a^(bound+1)/(1+a) < 2 exp(-1)/(1 + exp(-1)) = 0.54,
// since a^(bound+1) <= a exp(-1) and a/(1+a) is largest, 1/2, for a near 1. Either way an attempt succeeds with probability 0.36 or more.
func (b *Bits) TruncatedDiscreteLaplace(s, t uint64, bound int64) int64 {
	hi, product := bits.Mul64(uint64(bound), s)
	narrow := hi == 0 && product <= t
	for range maxAttempts {
		if !narrow {
			if z := b.DiscreteLaplace(s, t); -bound <= z && z <= bound {
				return z
			}
			continue
		}
		b.Start()
		z := int64(b.Below(2*uint64(bound)+1)) - bound
		if b.bernoulliExpOfShare(magnitude(z)*s, t) {
			return z
		}
	}
	b.fail("a draw was not kept")
	return 0
}

// RoundedLaplace draws a continuous Laplace variable of scale t/s, rounded to the nearest integer, for 1 <= t < 2^40 and s >= 1.
//
// |X| is exponential, P(|X| > x) = exp(-x s/t), so that Z = round(X) has P(|Z| >= n) = exp(-(n - 1/2) s/t) for n >= 1. Therefore |Z| >= 1
// with probability exp(-s/2t), and |Z| - 1 is then geometric with ratio exp(-s/t). Halves have probability zero. The sign is fair.
func (b *Bits) RoundedLaplace(s, t uint64) int64 {
	b.Start()
	if !b.BernoulliExp(s, 2*t) {
		return 0
	}
	z := 1 + int64(b.Geometric(s, t))
	if b.Take(1) == 0 {
		return z
	}
	return -z
}

// LaplaceFloor draws a continuous Laplace variable X of scale t/s, rounded down, for 1 <= t < 2^40 and s >= 1: for integers n,
// n + X >= k exactly if n + floor(X) >= k.
//
// floor(X) is floor(|X|) if X >= 0, and -1 - floor(|X|) if X < 0 (but for integers, which have probability zero); floor(|X|) is
// geometric with ratio exp(-s/t). The sign is fair.
func (b *Bits) LaplaceFloor(s, t uint64) int64 {
	b.Start()
	z := int64(b.Geometric(s, t))
	if b.Take(1) == 0 {
		return z
	}
	return -1 - z
}
