package sampling

import (
	"bufio"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// enumerate runs f on every sequence of n bits, up to 64. tally[v] is the share of sequences on which f ended with v; undecided is the
// share of those that were too short for f. A sequence on which f ends early stands for all that begin with it.
func enumerate[V comparable](n int, f func(*Bits) V) (tally map[V]float64, undecided float64) {
	empty := bufio.NewReaderSize(strings.NewReader(""), 16)
	tally = make(map[V]float64)
	var extend func(word uint64, left int)
	extend = func(word uint64, left int) {
		b := Bits{reader: empty, word: word, left: left, budget: 1}
		v := f(&b)
		switch {
		case b.err == nil:
			tally[v] += math.Ldexp(1, -left)
		case left == n:
			undecided += math.Ldexp(1, -n)
		default:
			extend(word, left+1)
			extend(word|1<<left, left+1)
		}
	}
	extend(0, 0)
	return tally, undecided
}

// The probability of every outcome lies between the share of bit sequences that lead to it and that share plus the undecided ones.
// This is the sampler's exact distribution, not a sample from it.
func TestBernoulliExpExactly(t *testing.T) {
	for _, c := range []struct{ p, q uint64 }{{0, 1}, {1, 1}, {1, 2}, {3, 4}, {2, 3}, {5, 7}} {
		tally, undecided := enumerate(20, func(b *Bits) bool { return b.BernoulliExp(c.p, c.q) })
		want := math.Exp(-float64(c.p) / float64(c.q))
		if got := tally[true]; got > want+1e-15 || got+undecided < want-1e-15 {
			t.Errorf("P(BernoulliExp(%d, %d)) is in [%v, %v], want exp(-%d/%d) = %v", c.p, c.q, got, got+undecided, c.p, c.q, want)
		}
		if undecided > 0.1 {
			t.Errorf("BernoulliExp(%d, %d): %v of the sequences are undecided; too many to conclude", c.p, c.q, undecided)
		}
	}
}

func TestDiscreteLaplaceExactly(t *testing.T) {
	for _, d := range []struct{ s, t uint64 }{{1, 1}, {1, 2}, {2, 1}} {
		tally, undecided := enumerate(21, func(b *Bits) int64 { return b.DiscreteLaplace(d.s, d.t) })
		for z := int64(-12); z <= 12; z++ {
			a := math.Exp(-float64(d.s) / float64(d.t))
			want := (1 - a) / (1 + a) * math.Pow(a, math.Abs(float64(z)))
			if got := tally[z]; got > want+1e-15 || got+undecided < want-1e-15 {
				t.Errorf("s/t = %d/%d: P(Z = %d) is in [%v, %v], want %v", d.s, d.t, z, got, got+undecided, want)
			}
		}
		if undecided > 0.1 {
			t.Errorf("s/t = %d/%d: %v of the sequences are undecided; too many to conclude", d.s, d.t, undecided)
		}
	}
}

func TestBelowIsUniform(t *testing.T) {
	for n := uint64(1); n <= 9; n++ {
		tally, undecided := enumerate(16, func(b *Bits) uint64 { return b.Below(n) })
		for v := range n {
			// Each of the n values has the same share of the decided sequences.
			if want := (1 - undecided) / float64(n); math.Abs(tally[v]-want) > 1e-15 {
				t.Errorf("below(%d) = %d has probability %v, want %v", n, v, tally[v], want)
			}
		}
		if uint64(len(tally)) != n {
			t.Errorf("below(%d) has %d values", n, len(tally))
		}
	}
}

// seeded is a deterministic stream of uniform bytes.
func seeded(seed byte) io.Reader { return rand.NewChaCha8([32]byte{0: seed}) }

func draw(r io.Reader, n int) ([]int64, error) {
	b := NewBits(r)
	z := make([]int64, n)
	for i := range z {
		z[i] = b.DiscreteLaplace(1, 2)
	}
	return z, b.err
}

func TestReadersThatDribble(t *testing.T) {
	want, err := draw(seeded(1), 5000)
	if err != nil {
		t.Fatal(err)
	}
	for name, wrap := range map[string]func(io.Reader) io.Reader{
		"one byte": iotest.OneByteReader, "half": iotest.HalfReader, "error with data": iotest.DataErrReader,
	} {
		got, err := draw(wrap(seeded(1)), 5000)
		if err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s reader: draws differ from those of a full reader (error %v)", name, err)
		}
	}
}

// A constant reader repeats one byte, or returns nothing at all if it is negative.
type constant int

func (c constant) Read(p []byte) (int, error) {
	if c < 0 {
		return 0, nil
	}
	for i := range p {
		p[i] = byte(c)
	}
	return len(p), nil
}

func TestReadersThatFail(t *testing.T) {
	boom := errors.New("boom")
	for name, r := range map[string]io.Reader{
		"at once":      iotest.ErrReader(boom),
		"ends":         io.LimitReader(seeded(2), 5000),
		"mid-word":     io.LimitReader(seeded(2), 5003),
		"fails late":   io.MultiReader(io.LimitReader(seeded(2), 5000), iotest.ErrReader(boom)),
		"no progress":  constant(-1),
		"stuck at 0":   constant(0),
		"fails once":   iotest.TimeoutReader(seeded(2)),
		"zeros at end": io.MultiReader(io.LimitReader(seeded(2), 5000), constant(0)),
	} {
		if _, err := draw(r, 5000); !errors.Is(err, ErrRandomness) {
			t.Errorf("%s: error %v, want ErrRandomness", name, err)
		}
	}
}

// After a failure the source fails for ever, although the reader would go on, and what it returns is the same whatever was drawn.
func TestFailureIsSticky(t *testing.T) {
	b := NewBits(iotest.TimeoutReader(iotest.OneByteReader(seeded(3))))
	for range 5 {
		if z := b.DiscreteLaplace(1, 2); z != 0 || b.err == nil {
			t.Fatalf("after a failure: %d, %v", z, b.err)
		}
	}
}

func FuzzDiscreteLaplace(f *testing.F) {
	f.Add([]byte{}, uint64(1), uint64(2))
	f.Add([]byte(strings.Repeat("\xff", 64)), uint64(1), uint64(1))
	f.Add([]byte(strings.Repeat("\x00\x01", 64)), uint64(1<<63-1), uint64(2e9))
	f.Add([]byte(strings.Repeat("\x01", 1<<16)), uint64(1), uint64(1e12))
	f.Fuzz(func(t *testing.T, stream []byte, s, scale uint64) {
		if s == 0 || s > math.MaxInt64 || scale == 0 || scale >= 1<<40 {
			t.Skip("outside what DiscreteLaplace takes")
		}
		b := NewBits(io.MultiReader(strings.NewReader(string(stream)), rand.NewChaCha8([32]byte{})))
		if z, limit := b.DiscreteLaplace(s, scale), int64(scale<<23/s); z > limit || z < -limit {
			t.Errorf("noise of %d", z)
		}
	})
}
