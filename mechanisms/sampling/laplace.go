package sampling

import "math/bits"

// DiscreteLaplace draws Z with P(Z = z) = (1-a)/(1+a) a^|z|, a = exp(-s/t), for s >= 1 and 1 <= t < 2^40: Canonne, Kamath and
// Steinke 2020, Algorithm 2. A fair sign, with -0 drawn again so that zero is not counted twice, makes Geometric two-sided.
//
// If every integer below n > 1 took two words, an attempt at Geometric needed at most 2 for U, 2e to keep it, and 2(e-1)/(1-1/e) for V;
// with the sign that is 14 words on average. It fails with probability at most 1/e, and -0 comes with at most 1/2. So a draw needs
// at most 14/((1-1/e)/2) = 44.3 words on average, and at most 14 more from the middle of an attempt.
func (b *Bits) DiscreteLaplace(s, t uint64) int64 {
	b.Start()
	for b.err == nil {
		y := int64(b.Geometric(s, t))
		if negative := b.negative(); !negative || y != 0 {
			return b.signed(y, negative)
		}
	}
	return 0
}

// negative is a fair sign.
func (b *Bits) negative() bool { return b.Take(1) == 1 }

// signed is y or -y, or 0 if the source has failed on the way.
func (b *Bits) signed(y int64, negative bool) int64 {
	switch {
	case b.err != nil:
		return 0
	case negative:
		return -y
	default:
		return y
	}
}

// TruncatedDiscreteLaplace draws Z as DiscreteLaplace does, given that |Z| <= bound, for bound >= 1, by rejection.
//
// If the bound is within the scale, bound s <= t, an integer uniform in [-bound, bound] is kept with probability exp(-|z| s/t) >= 1/e.
// Otherwise a draw of DiscreteLaplace is kept if it is within the bound: P(|Z| > bound) = 2 a^(bound+1)/(1+a) < 1/e, since
// a^bound < 1/e and a/(1+a) < 1/2. Either way an attempt succeeds with probability 0.36 or more.
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
		if b.err != nil {
			return 0
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
	return b.signed(z, b.negative())
}

// LaplaceFloor draws a continuous Laplace variable X of scale t/s, rounded down, for 1 <= t < 2^40 and s >= 1: for integers n,
// n + X >= k exactly if n + floor(X) >= k.
//
// floor(X) is floor(|X|) if X >= 0, and -1 - floor(|X|) if X < 0 (but for integers, which have probability zero); floor(|X|) is
// geometric with ratio exp(-s/t). The sign is fair.
func (b *Bits) LaplaceFloor(s, t uint64) int64 {
	b.Start()
	z := int64(b.Geometric(s, t))
	if b.negative() {
		z = -1 - z
	}
	return b.signed(z, false)
}
