package sampling

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
// 71 words on average to finish a draw from any point in it: 58 for Bits.DiscreteLaplace, and 13 for Gaussian's decision whether to keep
// it. So by Markov's inequality each run of 142 words finishes it with probability 1/2 or more, and a draw reaches the limit with
// probability below 2^-461. Reaching it says nothing about the count, which the sampler does not know.
const maxWordsPerDraw = 1 << 16

// maxAttempts ends a draw by rejection in the same way; every attempt has maxWordsPerDraw of its own. No method of this package keeps
// an attempt with less than probability 0.04 (see Gaussian.Rounded), so that a sound source reaches the limit with probability below 2^-240.
const maxAttempts = 1 << 12

// maxPlaces ends a comparison in the same way: it is still open after so many binary places with probability below 2^-900.
const maxPlaces = 1024

// Bits deals out uniform bits from a reader. The draw in which the reader fails, and every one after it, returns zero (or false) at
// once, and Err stays: callers check it after their last call. It is for one goroutine at a time.
type Bits struct {
	reader *bufio.Reader
	word   uint64 // bits not dealt out yet, in the low end
	left   int    // their number
	budget int    // words that the present draw may still fetch
	err    error
}

// NewBits deals out the bits of r, which must be uniform and independent: crypto/rand.Reader, except in tests.
func NewBits(r io.Reader) *Bits {
	// 4 kB hold some hundreds of draws; the reader copes with short and empty reads.
	return &Bits{reader: bufio.NewReaderSize(r, 4096)}
}

// Err is nil, or ErrRandomness: then nothing that was drawn since the last call may be used.
func (b *Bits) Err() error { return b.err }

// Start begins a draw: it allows another maxWordsPerDraw words.
func (b *Bits) Start() { b.budget = maxWordsPerDraw }

// Take returns n uniform bits, n <= 64.
func (b *Bits) Take(n int) uint64 {
	if n > b.left {
		// At most n-1 bits are thrown away. Which ones depends on how many were dealt out, not on their own values, so the others stay uniform.
		b.refill()
	}
	v := b.word & (1<<n - 1)
	b.word >>= n
	b.left -= n
	return v
}

// fail gives up for good, keeping the first reason: all bits are 0 from now on.
func (b *Bits) fail(reason string) {
	b.word = 0
	if b.err == nil {
		b.err = fmt.Errorf("%w: %s", ErrRandomness, reason)
	}
}

func (b *Bits) refill() {
	b.word, b.left = 0, 64
	if b.err != nil {
		return
	}
	if b.budget == 0 {
		b.fail("a draw did not end")
		return
	}
	b.budget--
	p, err := b.reader.Peek(8)
	if err != nil {
		b.fail(err.Error())
		return
	}
	b.word = binary.LittleEndian.Uint64(p)
	b.reader.Discard(len(p))
}

// Below returns a uniform integer in [0, n), n >= 1, by rejection: a value of bits.Len64(n-1) bits is below n with probability more
// than 1/2, and those that are, are equally likely.
func (b *Bits) Below(n uint64) uint64 {
	width := bits.Len64(n - 1)
	for b.err == nil {
		if v := b.Take(width); v < n {
			return v
		}
	}
	return 0
}
