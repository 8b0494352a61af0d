package risk

import (
	"math"
	"testing"
	"time"
)

// naiveShrinkage is the definition: in each cell of two labels, all ways in which its records may fall, with their probabilities and
// local risks.
func naiveShrinkage(t *Table, s Survival, alpha []float64) Average {
	gamma := func(x float64) float64 { y, _ := math.Lgamma(x); return y }
	return t.average(func(_ Pattern, n int64) float64 {
		size := float64(n)
		constant := gamma(size+1) + gamma(alpha[0]+alpha[1]) - gamma(size+alpha[0]+alpha[1]) - gamma(alpha[0]) - gamma(alpha[1])
		sum := 0.0
		for x := range n + 1 {
			a, b := float64(x), float64(n-x)
			p := math.Exp(constant + gamma(a+alpha[0]) + gamma(b+alpha[1]) - gamma(a+1) - gamma(b+1))
			sum += p * Local(s, Event, 2, []int64{x, n - x})
		}
		return sum
	})
}

// Curves of 100 epsilons and 5,974 cells by each model, and how many times as long the definition of the shrinkage risk takes over all
// cells, one by one.
func BenchmarkModels(b *testing.B) {
	alpha := []float64{2, 0.5}
	table := adult(true, true)
	poisson, err := table.FitPoisson(NonEmpty)
	if err != nil {
		b.Fatal(err)
	}
	negative, err := table.FitNegativeBinomial(NonEmpty)
	if err != nil {
		b.Fatal(err)
	}
	average := func(m Measure[Average], err error) Measure[float64] {
		if err != nil {
			b.Fatal(err)
		}
		return func(s Survival) float64 { return m(s).Weighted }
	}
	number := func(m Measure[float64], err error) Measure[float64] {
		if err != nil {
			b.Fatal(err)
		}
		return m
	}
	naive := adult(false, true)
	start := time.Now()
	for _, epsilon := range epsilonGrid() {
		naiveShrinkage(naive, laplace(epsilon), alpha)
	}
	elapsed := time.Since(start)
	for name, risk := range map[string]Measure[float64]{
		"shrinkage":                            average(table.Shrinkage(Event, alpha)),
		"marginal/poisson":                     average(table.Marginal(Event, poisson)),
		"marginal/poisson/records":             average(table.Marginal(Records, poisson)),
		"marginal/negative-binomial":           average(table.Marginal(Event, negative)),
		"marginal-shrinkage/poisson":           number(MarginalShrinkage(Event, alpha, poisson)),
		"marginal-shrinkage/negative-binomial": number(MarginalShrinkage(Event, alpha, negative)),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				for _, epsilon := range epsilonGrid() {
					risk(laplace(epsilon))
				}
			}
			mean := float64(b.Elapsed()) / float64(b.N)
			b.ReportMetric(mean/1e6, "ms/curve")
			if name == "shrinkage" {
				b.ReportMetric(float64(elapsed)/mean, "x-naive")
			}
		})
	}
}
