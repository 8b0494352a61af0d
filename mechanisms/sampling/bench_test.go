package sampling

import (
	"bufio"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"math"
	"testing"
	"time"
)

// naive draws the same noise in floating point from the same source with the same buffer: what these samplers are compared with. Its
// noise has the known faults (Mironov 2012).
type naive struct{ reader *bufio.Reader }

func (n naive) uniform() float64 {
	p, err := n.reader.Peek(8)
	if err != nil {
		panic(err)
	}
	u := float64(binary.LittleEndian.Uint64(p)>>11) / (1 << 53)
	n.reader.Discard(8)
	return 1 - u
}

func (n naive) exponential() float64 { return -math.Log(n.uniform()) }

func (n naive) geometric(scale float64) int64 { return int64(n.exponential() * scale) }

func (n naive) laplace(scale float64) int64 {
	return int64(math.Round((n.exponential() - n.exponential()) * scale))
}

func (n naive) gaussian(sigma float64) int64 { // Box and Muller
	return int64(math.Round(sigma * math.Sqrt(2*n.exponential()) * math.Cos(2*math.Pi*n.uniform())))
}

// BenchmarkDraws reports draws per second, and how many times as long a draw takes as a naive one, measured in the same run.
func BenchmarkDraws(b *testing.B) {
	float := naive{bufio.NewReaderSize(rand.Reader, 4096)}
	for _, scale := range []uint64{1, 10, 100, 1000} {
		bits := NewBits(rand.Reader)
		g := bits.Gaussian(variance(float64(scale)))
		x := float64(scale)
		for _, c := range []struct {
			name        string
			draw, naive func() int64
		}{
			{"Geometric", func() int64 { bits.Start(); return int64(bits.Geometric(1, scale)) }, func() int64 { return float.geometric(x) }},
			{"DiscreteLaplace", func() int64 { return bits.DiscreteLaplace(1, scale) }, func() int64 { return float.laplace(x) }},
			{"RoundedLaplace", func() int64 { return bits.RoundedLaplace(1, scale) }, func() int64 { return float.laplace(x) }},
			{"LaplaceFloor", func() int64 { return bits.LaplaceFloor(1, scale) }, func() int64 { return float.laplace(x) }},
			{"DiscreteGaussian", g.Discrete, func() int64 { return float.gaussian(x) }},
			{"RoundedGaussian", g.Rounded, func() int64 { return float.gaussian(x) }},
		} {
			b.Run(fmt.Sprintf("%s/%d", c.name, scale), func(b *testing.B) {
				began := time.Now()
				for range b.N {
					sink = c.draw()
				}
				took := time.Since(began)
				b.StopTimer()
				began = time.Now()
				for range b.N {
					sink = c.naive()
				}
				b.ReportMetric(float64(b.N)/took.Seconds()/1e6, "Mdraws/s")
				b.ReportMetric(float64(took)/float64(time.Since(began)), "times-naive")
			})
		}
		if bits.Err() != nil {
			b.Fatal(bits.Err())
		}
	}
}

// BenchmarkNewGaussian is what a release pays before its first draw.
func BenchmarkNewGaussian(b *testing.B) {
	bits := NewBits(rand.Reader)
	for range b.N {
		gaussian = bits.Gaussian(Variance{1<<40 - 1, 0})
	}
}

// What the compiler must not leave out.
var (
	sink     int64
	gaussian *Gaussian
)
