package mechanisms

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// Tails that are summed up by blocks are those of the table, wherever blocks begin.
func TestSummedTails(t *testing.T) {
	for _, sigma := range []float64{0.3, 1.9, 2, 2.7, 11, 120, 999, 1001} {
		table := &gaussian{sigma: sigma, discrete: true}
		s := byBlocks(&gaussian{sigma: sigma, discrete: true})
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

// Tails without a table are the table's to the last bit, and none of these needs the table after all.
func TestTableTails(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 400 {
		sigma := 0.2 * math.Exp(r.Float64()*math.Log(5000))
		table := &gaussian{sigma: sigma, discrete: true}
		short := &tableTail{gaussian: &gaussian{sigma: sigma, discrete: true}}
		for _, k := range []int64{1, 2, int64(sigma) + 1, int64((r.Float64()*12)*sigma) + 1, int64((r.Float64()*40)*sigma) + 1, lastTabled(sigma), lastTabled(sigma) + 1} {
			for _, k := range []int64{k, k + 1, k + 2} {
				if got, want := short.upperTail(k), table.upperTail(k); got != want {
					t.Errorf("sigma %v: P(Z >= %d) is %v, want %v", sigma, k, got, want)
				}
			}
		}
		if sigma >= 2 && short.gaussian.table != nil {
			t.Errorf("sigma %v: the table was made", sigma)
		}
	}
}

func BenchmarkSummedTail(b *testing.B) {
	for _, sigma := range []float64{10, 900} {
		for name, z := range map[string]func() tails{
			"table":  func() tails { return &gaussian{sigma: sigma, discrete: true} },
			"summed": func() tails { return byBlocks(&gaussian{sigma: sigma, discrete: true}) },
		} {
			b.Run(fmt.Sprintf("%s/%v", name, sigma), func(b *testing.B) {
				for b.Loop() {
					z().upperTail(int64(4 * sigma))
				}
			})
		}
	}
}
