package risk

import (
	"math"
	"testing"

	"tacit/policy"
)

// BenchmarkCurve is the risk curve of the Adult data at 100 epsilons from 0.001 to almost 100, calibration of the noise included.
func BenchmarkCurve(b *testing.B) {
	epsilons := make([]float64, 100)
	for i := range epsilons {
		epsilons[i] = math.Pow(10, -3+float64(i)/20)
	}
	table := adult(true, true)
	for _, kind := range []policy.Kind{policy.Geometric, policy.Gaussian, policy.DiscreteGaussian} {
		b.Run(string(kind), func(b *testing.B) {
			for b.Loop() {
				_, err := Curve(func(s Survival) Average { return table.Local(s, Event) }, calibrated(kind, ""), epsilons)
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
