package mechanisms

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"math"
	"testing"
	"time"

	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// ofScale is a configuration whose noise has about this scale: b of Laplace noise, sigma of Gaussian noise.
func ofScale(kind policy.Kind, scale float64) Config {
	c := kindConfig(kind)
	c.Random = rand.Reader
	switch kind {
	case policy.Suppression:
	case policy.DPSuppressionEq2, policy.DPSuppressionAlg2:
		c.Epsilon = epsilonOf(2 / scale)
	case policy.Gaussian, policy.DiscreteGaussian:
		c.Delta = 1e12
		// By bisection: sigma falls with epsilon.
		low, high := 1e-6, 1e3
		for range 40 {
			c.Epsilon = epsilonOf(math.Sqrt(low * high))
			if analyticSigma(float64(c.Epsilon)/1e9, 1e-6, 1) > scale {
				low = float64(c.Epsilon) / 1e9
			} else {
				high = float64(c.Epsilon) / 1e9
			}
		}
	default:
		c.Epsilon = epsilonOf(1 / scale)
	}
	return c
}

// A histogram of 1,000,000 cells (of 1,000 blocks, for swapping), and how many times a floating-point sampler of the same bits would take.
func BenchmarkSanitize(b *testing.B) {
	h := Histogram{Counts: make([]int64, 1_000_000)}
	for i := range 1000 {
		block := make([]int, 1000)
		for j := range block {
			block[j] = 1000*i + j
		}
		h.Blocks = append(h.Blocks, block)
	}
	for i := range h.Counts {
		h.Counts[i] = int64(i % 20)
	}
	for _, kind := range policy.Kinds {
		for _, scale := range []float64{1, 3, 10, 100, 1000} {
			if scale > 1 && (kind == policy.Suppression || kind == policy.DPSwapping) {
				continue
			}
			b.Run(fmt.Sprintf("%s/%v", kind, scale), func(b *testing.B) {
				m := newMechanism(b, ofScale(kind, scale))
				for b.Loop() {
					if _, err := m.Sanitize(h); err != nil {
						b.Fatal(err)
					}
				}
				exact := float64(b.Elapsed()) / float64(b.N*len(h.Counts))
				b.ReportMetric(exact, "ns/cell")
				if a, ok := m.method.(additive); ok {
					b.ReportMetric(exact/naiveNanoseconds(a.noise), "x-naive-float")
				}
			})
		}
	}
}

// naiveNanoseconds times a draw of the floating-point sampler over the same buffered crypto/rand, in the same process.
func naiveNanoseconds(z noise) float64 {
	const draws = 2_000_000
	bits := sampling.NewBits(rand.Reader)
	var sum int64
	start := time.Now()
	for range draws {
		bits.Start()
		sum += int64(math.Round(naive(bits, z)))
	}
	elapsed := time.Since(start)
	fmt.Fprint(io.Discard, sum) // keeps the loop from being optimised away
	return float64(elapsed) / draws
}

func BenchmarkNew(b *testing.B) {
	for _, kind := range policy.Kinds {
		for _, scale := range []float64{1, 100, 900, 1e4, 5e5} {
			for _, adjacency := range bothAdjacencies {
				b.Run(fmt.Sprintf("%s/%v/%s", kind, scale, adjacency), func(b *testing.B) {
					c := ofScale(kind, scale)
					c.Delta, c.Adjacency, c.Random = 1e12, adjacency, bytes.NewReader(nil)
					for b.Loop() {
						newMechanism(b, c)
					}
				})
			}
		}
	}
}

// The numbers that people ask for beside a release.
func BenchmarkNumbers(b *testing.B) {
	for _, kind := range []policy.Kind{policy.Geometric, policy.Gaussian, policy.DiscreteGaussian} {
		for _, scale := range []float64{1, 900} {
			m := newMechanism(b, ofScale(kind, scale))
			b.Run(fmt.Sprintf("guarantee/%s/%v", kind, scale), func(b *testing.B) {
				for b.Loop() {
					m.Guarantee(policy.ReplaceOne).Epsilon(1e-5)
				}
			})
			b.Run(fmt.Sprintf("expect/%s/%v", kind, scale), func(b *testing.B) {
				for b.Loop() {
					m.Expect(Histogram{Counts: []int64{5}})
				}
			})
			b.Run(fmt.Sprintf("interval/%s/%v", kind, scale), func(b *testing.B) {
				for b.Loop() {
					m.Interval95(5, false)
				}
			})
		}
	}
}
