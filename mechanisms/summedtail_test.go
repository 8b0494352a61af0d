package mechanisms

import (
	"fmt"
	"math"
	"testing"
)

// Tails that are summed up by blocks are those of the table, wherever blocks begin.
func TestSummedTails(t *testing.T) {
	for _, sigma := range []float64{0.3, 1.9, 2, 2.7, 11, 120, 999, 1001} {
		table := &gaussian{sigma: sigma, discrete: true}
		s := summedTail{&gaussian{sigma: sigma, discrete: true}}
		for _, share := range []float64{0, 0.1, 0.5, 1, 3, 7, 20, 36} {
			for _, k := range []int64{max(1, int64(share*sigma)), int64(share*sigma) + 1, int64(share*sigma) + 50} {
				want := table.upperTail(k)
				if got := s.upperTail(k); !near(got, want, 1e-12) && want > 1e-290 {
					t.Errorf("sigma %v: P(Z >= %d) is %v, want %v", sigma, k, got, want)
				}
				if got := s.logUpperTail(k); !near(got, math.Log(want), 1e-12) && want > 1e-290 {
					t.Errorf("sigma %v: ln P(Z >= %d) is %v, want %v", sigma, k, got, math.Log(want))
				}
			}
		}
	}
}

func BenchmarkSummedTail(b *testing.B) {
	for _, sigma := range []float64{10, 900} {
		for name, z := range map[string]func() tails{
			"table":  func() tails { return &gaussian{sigma: sigma, discrete: true} },
			"summed": func() tails { return summedTail{&gaussian{sigma: sigma, discrete: true}} },
		} {
			b.Run(fmt.Sprintf("%s/%v", name, sigma), func(b *testing.B) {
				for b.Loop() {
					z().upperTail(int64(4 * sigma))
				}
			})
		}
	}
}
