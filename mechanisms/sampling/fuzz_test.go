package sampling

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// stream is fuzzed bytes with random ones behind them, so that sound draws end.
func stream(fuzzed []byte) *Bits {
	return NewBits(io.MultiReader(bytes.NewReader(fuzzed), rand.NewChaCha8([32]byte{})))
}

func addStreams(f *testing.F, add func(stream []byte)) {
	for _, s := range []string{"", strings.Repeat("\xff", 64), strings.Repeat("\x00\x01", 64), strings.Repeat("\x01", 1<<12), strings.Repeat("\x00", 256)} {
		add([]byte(s))
	}
}

func FuzzLaplaceForms(f *testing.F) {
	addStreams(f, func(s []byte) {
		f.Add(s, uint64(1), uint64(2), int64(3))
		f.Add(s, uint64(1<<63), uint64(1<<40-1), int64(1<<62))
		f.Add(s, uint64(1), uint64(1<<40-1), int64(1<<63-1))
		f.Add(s, uint64(1), uint64(1000), int64(1000))
	})
	f.Fuzz(func(t *testing.T, fuzzed []byte, s, scale uint64, bound int64) {
		if s == 0 || scale == 0 || scale >= 1<<40 {
			t.Skip("outside what the methods take")
		}
		limit := int64((scale<<22+64*scale)/s) + 1
		b := stream(fuzzed)
		for name, z := range map[string]int64{
			"DiscreteLaplace": b.DiscreteLaplace(s, scale), "RoundedLaplace": b.RoundedLaplace(s, scale), "LaplaceFloor": b.LaplaceFloor(s, scale),
		} {
			if z < -limit || z > limit {
				t.Errorf("%s: %d is beyond %d", name, z, limit)
			}
		}
		if bound >= 1 {
			if z := b.TruncatedDiscreteLaplace(s, scale, bound); z < -bound || z > bound {
				t.Errorf("TruncatedDiscreteLaplace: %d is beyond %d", z, bound)
			}
		}
	})
}

// fuzzedVariance is one that NewVariance could have made, whatever the numbers.
func fuzzedVariance(numerator uint64, shift uint8) Variance {
	s := uint(shift) % (maxShift + 1)
	return Variance{numerator: max(numerator%(1<<numeratorBits), 1, 1<<s>>8), shift: s}
}

func FuzzGaussian(f *testing.F) {
	addStreams(f, func(s []byte) {
		for _, v := range extremes()[:7] {
			f.Add(s, v.numerator, uint8(v.shift))
		}
	})
	f.Fuzz(func(t *testing.T, fuzzed []byte, numerator uint64, shift uint8) {
		g := stream(fuzzed).Gaussian(fuzzedVariance(numerator, shift))
		limit := int64(g.t<<22 + 64*g.t)
		for name, draw := range map[string]func() int64{"Discrete": g.Discrete, "Rounded": g.Rounded} {
			if z := draw(); z < -limit || z > limit || z != 0 && g.bits.Err() != nil {
				t.Errorf("%s: %d (%v)", name, z, g.bits.Err())
			}
		}
	})
}

func FuzzQuickBounds(f *testing.F) {
	for _, v := range extremes()[:7] {
		f.Add(v.numerator, uint8(v.shift), uint64(0), uint64(0))
		f.Add(v.numerator, uint8(v.shift), ^uint64(0), uint64(1<<20-1))
	}
	f.Fuzz(func(t *testing.T, numerator uint64, shift uint8, y, offset uint64) {
		g := NewBits(seeded(1)).Gaussian(fuzzedVariance(numerator, shift))
		g.y = y % (64 * g.t)
		checkQuick(t, g, offset%(1<<20))
	})
}
