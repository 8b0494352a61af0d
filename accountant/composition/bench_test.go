package composition

import (
	"fmt"
	"testing"

	"tacit/policy"
)

// BenchmarkSpent computes what a tally has spent that is not remembered, and the same composition by convolving one release after the
// other, which is what it is compared with.
func BenchmarkSpent(b *testing.B) {
	for _, k := range []int64{20, 100, 1000} {
		for _, main := range []Term{
			geometric(1e8, 1), {Noise: LaplaceNoise, Epsilon: 1e8, Moves: 1}, {Noise: GaussianNoise, Variance: Ratio{100, 1}, Squared: 1},
			{Noise: DiscreteGaussianNoise, Variance: Ratio{100, 1}, Moves: 1, Squared: 1},
		} {
			b.Run(fmt.Sprintf("%s/%d", main.Noise, k), func(b *testing.B) {
				f := Filter{Rule: policy.PLDComposition, Epsilon: 100e9, Delta: 1e12, Main: main}
				var c Composer
				for b.Loop() {
					c.classes = nil
					c.Spent(f, Tally{main: k})
				}
			})
		}
		b.Run(fmt.Sprintf("naive-convolution/%d", k), func(b *testing.B) {
			u := oneLaplace(0.1, steps(k))
			for b.Loop() {
				naive(u, k)
			}
		})
	}
}

// naive convolves k copies of atoms one by one.
func naive(u atoms, k int64) []float64 {
	sum := []float64{1}
	for range k {
		next := make([]float64, len(sum)+len(u.mass)-1)
		for i, p := range sum {
			for j, q := range u.mass {
				next[i+j] += p * q
			}
		}
		sum = next
	}
	return sum
}

// BenchmarkCovers charges one release after the other.
func BenchmarkCovers(b *testing.B) {
	term := geometric(1e3, 1)
	f := Filter{Rule: policy.PLDComposition, Epsilon: 1000e9, Delta: 1e12, Main: term}
	var c Composer
	tally := Tally{}
	for b.Loop() {
		tally[term]++
		if !c.Covers(f, tally) {
			b.Fatal("the budget is spent")
		}
	}
}

// BenchmarkEpsilon is of a mixture, for reports.
func BenchmarkEpsilon(b *testing.B) {
	tally := Tally{
		geometric(1e8, 1): 40, {Noise: LaplaceNoise, Epsilon: 2e8, Moves: 1}: 20, {Noise: GaussianNoise, Variance: Ratio{100, 1}, Squared: 1}: 100,
	}
	for b.Loop() {
		Epsilon(tally, 1e-6)
	}
}
