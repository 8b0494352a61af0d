package sampling

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"testing/iotest"
)

// draws are all methods that return noise, in a form that a failing source is tried on. Each begins its draw.
func draws(v Variance) map[string]func(*Bits) int64 {
	return map[string]func(*Bits) int64{
		"BernoulliExp": func(b *Bits) int64 {
			b.Start()
			if b.BernoulliExp(1<<62, 1<<40) {
				return 1
			}
			return 0
		},
		"Bernoulli": func(b *Bits) int64 { b.Start(); return boolean(b.Bernoulli(Ratio{1 << 39, 1<<40 - 1})) },
		"BernoulliExpProduct": func(b *Bits) int64 {
			b.Start()
			return boolean(b.BernoulliExpProduct(Ratio{1<<40 - 2, 1<<40 - 1}, Ratio{1<<41 - 2, 1<<41 - 1}))
		},
		"BernoulliReal":       func(b *Bits) int64 { b.Start(); return boolean(b.BernoulliReal(&twoThirds)) },
		"Geometric":           func(b *Bits) int64 { b.Start(); return int64(b.Geometric(1, 1<<40-1)) },
		"DiscreteLaplace":     func(b *Bits) int64 { return b.DiscreteLaplace(1, 1000) },
		"Truncated, narrow":   func(b *Bits) int64 { return b.TruncatedDiscreteLaplace(1, 1000, 1000) },
		"Truncated, wide":     func(b *Bits) int64 { return b.TruncatedDiscreteLaplace(1, 1000, 1001) },
		"RoundedLaplace":      func(b *Bits) int64 { return b.RoundedLaplace(3, 7) },
		"LaplaceFloor":        func(b *Bits) int64 { return b.LaplaceFloor(1, 1000) },
		"Discrete":            func(b *Bits) int64 { return b.Gaussian(v).Discrete() },
		"Rounded":             func(b *Bits) int64 { return b.Gaussian(v).Rounded() },
		"Discrete, slow path": func(b *Bits) int64 { return keep(b, v, true) },
		"Rounded, slow path":  func(b *Bits) int64 { return keep(b, v, false) },
		"the whole part, failed": func(b *Bits) int64 {
			g := b.Gaussian(v)
			g.y = 70 * g.t
			return int64(b.wholePart(g, 32)) * boolean(b.err == nil)
		},
	}
}

var twoThirds = NewProbability(thirds(2, 0))

// keep is 1 if the slow path keeps sigma^2/t rounded down, for which the exponent of the discrete Gaussian is about 0.
func keep(b *Bits, v Variance, exact bool) int64 {
	b.Start()
	g := b.Gaussian(v)
	g.y, g.exact = g.a/g.b/g.t, exact
	g.drawOffset()
	return boolean(b.bernoulliExpOf(g, open(32)))
}

func boolean(x bool) int64 {
	if x {
		return 1
	}
	return 0
}

// The draw in which the source ends returns zero, wherever that is, and so do those after it.
func TestFailureInAnyPlaceReturnsZero(t *testing.T) {
	for _, square := range []float64{1. / 256, 1, 100, 1 << 39} {
		for name, draw := range draws(variance(math.Sqrt(square))) {
			for words := range 400 {
				if testing.Short() && words%4 != 0 {
					continue
				}
				b := NewBits(io.LimitReader(seeded(byte(words)), int64(words/10*8)))
				b.Start()
				for range 1000 {
					z := draw(b)
					if b.Err() == nil {
						continue
					}
					if !errors.Is(b.Err(), ErrRandomness) || z != 0 {
						t.Fatalf("variance %v, %s, %d words: a draw of %d with error %v", square, name, words/10, z, b.Err())
					}
					break
				}
				first := b.Err()
				if z := draw(b); first == nil && name != "the whole part, failed" || z != 0 || b.Err() != first {
					t.Fatalf("variance %v, %s, %d words: then a draw of %d with error %v", square, name, words/10, z, b.Err())
				}
			}
		}
	}
}

// A source that repeats itself ends every draw quickly, whether by noise or by an error, and noise is bounded.
func TestStuckSourcesEndQuickly(t *testing.T) {
	// An attempt may use up all of its words, behind others that were rejected after a few; some are read ahead.
	const most = 2 * maxWordsPerDraw
	patterns := [][]byte{{0}, {0xff}, {0, 0xff}, {0xaa}, {0x55}, {1}, {0x80}}
	random := rand.New(rand.NewChaCha8([32]byte{1}))
	others := 24
	if testing.Short() {
		others = 6
	}
	for range others {
		p := make([]byte, 1+random.IntN(24))
		for i := range p {
			p[i] = byte(random.Uint32())
		}
		patterns = append(patterns, p)
	}
	for _, square := range []float64{1. / 256, 4, 1 << 39} { // t = 1, 3, and nearly the most
		for name, draw := range draws(variance(math.Sqrt(square))) {
			for _, p := range patterns {
				for _, sound := range []int64{0, 24} { // bytes before the source is stuck
					stuck := &repeating{pattern: p}
					b := NewBits(io.MultiReader(io.LimitReader(seeded(1), sound), stuck))
					b.Start()
					z := draw(b)
					if stuck.words() > most {
						t.Errorf("variance %v, %s, % x: read %d words", square, name, p, stuck.words())
					}
					if b.Err() != nil && z != 0 {
						t.Errorf("variance %v, %s, % x: a draw of %d with error %v", square, name, p, z, b.Err())
					}
				}
			}
		}
	}
}

// repeating repeats a pattern for ever.
type repeating struct {
	pattern []byte
	read    int // bytes
}

// words is how many words were read, some of them ahead.
func (r *repeating) words() int { return r.read / 8 }

func (r *repeating) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = r.pattern[(r.read+i)%len(r.pattern)]
	}
	r.read += len(p)
	return len(p), nil
}

// A comparison of numbers that agree in every place gives up: g is 0 here, and every place of W.
func TestComparisonThatNeverEnds(t *testing.T) {
	v, err := NewVariance(big.NewRat(6, 1))
	if err != nil {
		t.Fatal(err)
	}
	g := NewBits(constant(0)).Gaussian(v)
	g.y, g.exact = 2, true // t = 3, and y = sigma^2/t
	g.bits.Start()
	if g.bits.bernoulliExpOf(g, g.quickDiscrete()) || !errors.Is(g.bits.Err(), ErrRandomness) {
		t.Errorf("no failure: %v", g.bits.Err())
	}
	if used := maxWordsPerDraw - g.bits.budget; used > maxPlaces/64+1 {
		t.Errorf("it gave up after %d words", used)
	}
}

// All that remains of a word is 0 after a failure that is not the reader's.
func TestNothingIsDealtOutAfterAFailure(t *testing.T) {
	b := NewBits(constant(0xff))
	b.Start()
	b.Take(1)
	b.fail("a test")
	if got := b.Take(63) | b.Take(64) | b.Below(1<<40); got != 0 || b.BernoulliExp(0, 1) || b.BernoulliExp(3, 2) {
		t.Errorf("%x", got)
	}
}

// An error that comes with the last byte that is needed is no failure.
func TestErrorAfterTheLastByte(t *testing.T) {
	b := NewBits(iotest.DataErrReader(bytes.NewReader([]byte{1, 0, 0, 0, 0, 0, 0, 0x80})))
	b.Start()
	if got := b.Take(64); got != 1|1<<63 || b.Err() != nil {
		t.Errorf("%x, %v", got, b.Err())
	}
	if got := b.Take(1); got != 0 || !errors.Is(b.Err(), ErrRandomness) {
		t.Errorf("%x, %v", got, b.Err())
	}
}
