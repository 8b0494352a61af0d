package suppressor

import (
	"errors"
	"math"
	"testing"

	"tacit/internal/battery"
)

// The noise on a cell is discrete Laplace of scale 1/epsilon: P(|Z| >= k) = 2 a^k/(1+a).
func TestCellNoise(t *testing.T) {
	n := Noise{seeded(21), 1, 2}
	draws := make([]int64, 0, 4000)
	for range 1000 {
		noisy, err := n.Cells([]int{10, 20, 30, 40})
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range noisy {
			draws = append(draws, int64(x)-int64(10*(i+1)))
		}
	}
	a := math.Exp(-0.5)
	d := battery.Distribution{
		PMF: func(z int64) float64 { return (1 - a) / (1 + a) * math.Pow(a, math.Abs(float64(z))) },
		Upper: func(k int64) float64 {
			if k > 0 {
				return math.Pow(a, float64(k)) / (1 + a)
			}
			return 1 - math.Pow(a, float64(1-k))/(1+a)
		},
	}
	if statistic, freedom := battery.ChiSquared(d, draws); statistic >= battery.Limit(freedom) {
		t.Errorf("chi-squared %v with %d degrees of freedom", statistic, freedom)
	}
	if _, err := (Noise{seeded(21), 0, 2}).Cells([]int{1, 1, 1, 1}); !errors.Is(err, ErrNoise) {
		t.Errorf("no epsilon: %v", err)
	}
}
