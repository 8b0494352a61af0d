package mechanisms

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
)

// ErrRandomness is returned when the source of randomness failed. The mechanism refuses from then on: nothing that was drawn with a
// failing source is ever returned.
var ErrRandomness = errors.New("the source of randomness failed")

// maxWordsPerDraw ends a draw that a broken source (a stuck one, for instance) would keep running for ever. A sound source needs at most
// 71 words on average to finish a draw from any point in it (see randomBits.discreteLaplace), so by Markov's inequality each run of
// 142 words finishes it with probability 1/2 or more, and a draw reaches the limit with probability below 2^-461. Reaching it says
// nothing about the count, which the sampler does not know.
const maxWordsPerDraw = 1 << 16

// randomBits deals out uniform bits from a reader. After an error every method returns zero at once, and err stays: callers
// check err after their last call.
type randomBits struct {
	reader *bufio.Reader
	word   uint64 // bits not dealt out yet, in the low end
	left   int    // their number
	budget int    // words that the present draw may still fetch
	err    error
}

func newRandomBits(r io.Reader) *randomBits {
	// 4 kB hold some 1,000 draws; the reader copes with short and empty reads.
	return &randomBits{reader: bufio.NewReaderSize(r, 4096)}
}

// startDraw allows another maxWordsPerDraw words.
func (b *randomBits) startDraw() { b.budget = maxWordsPerDraw }

// take returns n uniform bits, n <= 64.
func (b *randomBits) take(n int) uint64 {
	if n > b.left {
		// At most n-1 bits are thrown away. Which ones depends on how many were dealt out, not on their own values, so the others stay uniform.
		b.refill()
	}
	v := b.word & (1<<n - 1)
	b.word >>= n
	b.left -= n
	return v
}

func (b *randomBits) refill() {
	b.word, b.left = 0, 64
	if b.err != nil {
		return
	}
	if b.budget == 0 {
		b.err = fmt.Errorf("%w: a draw did not end within %d words", ErrRandomness, maxWordsPerDraw)
		return
	}
	b.budget--
	p, err := b.reader.Peek(8)
	if err != nil {
		b.err = fmt.Errorf("%w: %v", ErrRandomness, err)
		return
	}
	b.word = binary.LittleEndian.Uint64(p)
	b.reader.Discard(len(p))
}

// below returns a uniform integer in [0, n), n >= 1, by rejection: a value of bits.Len64(n-1) bits is below n with probability more
// than 1/2, and those that are, are equally likely.
func (b *randomBits) below(n uint64) uint64 {
	width := bits.Len64(n - 1)
	for b.err == nil {
		if v := b.take(width); v < n {
			return v
		}
	}
	return 0
}

// bernoulliExp is true with probability exactly exp(-p/q), for p <= q (Canonne, Kamath and Steinke 2020, Algorithm 1, first case).
//
// With g = p/q and A_k true with probability g/k, the first K for which A_K is false has P(K > k) = g^k/k!, so
// P(K odd) = sum over even k of P(K > k) - P(K > k+1) = sum (-g)^k/k! = exp(-g). Every A_k is decided by a uniform integer: no rounding.
func (b *randomBits) bernoulliExp(p, q uint64) bool {
	k := uint64(1)
	for b.below(q*k) < p && b.err == nil {
		k++
	}
	return k%2 == 1
}

// discreteLaplace draws Z with P(Z = z) = (1-a)/(1+a) a^|z|, a = exp(-s/t), for 1 <= t < 2^40 and s >= 1: Canonne, Kamath and
// Steinke 2020, Algorithm 2.
//
// U below t is kept with probability exp(-U/t), and V is geometric with P(V >= v) = exp(-v). So X = U + t V is geometric:
// P(X = x) is proportional to exp(-x/t). Y = floor(X/s) is geometric with P(Y >= y) = exp(-ys/t) = a^y. A fair sign, with -0 drawn again
// so that zero is not counted twice, makes it two-sided.
//
// An attempt is rejected for U with probability at most 1/e and for -0 with at most 1/2; it needs at most 17 words on average, if
// every integer below n took a word of its own and every second one were rejected. So a draw needs at most 17/0.316 = 54 words on
// average, and at most 17 more from the middle of an attempt. Nothing overflows: every step of V, and of k in bernoulliExp, takes a
// bit and no draw has more than 2^23 of them (maxWordsPerDraw), so V and k are below 2^23, and X and t k below 2^63.
func (b *randomBits) discreteLaplace(s, t uint64) int64 {
	b.startDraw()
	for b.err == nil {
		u := b.below(t)
		if !b.bernoulliExp(u, t) {
			continue
		}
		v := uint64(0)
		for b.bernoulliExp(1, 1) && b.err == nil {
			v++
		}
		y := int64((u + t*v) / s)
		if b.take(1) == 0 {
			return y
		}
		if y != 0 {
			return -y
		}
	}
	return 0
}
