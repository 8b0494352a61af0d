package risk

import (
	"testing"
	"time"

	"tacit/mechanisms"
)

// The curves of the Adult data, 100 epsilons with 500 repetitions, and how many times as long it takes to draw noise anew for every
// epsilon, which is the simulation of each scale by itself.
func BenchmarkSimulate(b *testing.B) {
	table := adult(true, false)
	var scales []float64
	for _, epsilon := range epsilonGrid() {
		scales = append(scales, 1/epsilon)
	}
	for _, noise := range []StandardNoise{StandardLaplace, StandardGaussian} {
		s := Simulation{Noise: noise, Scales: scales, Trials: Trials{Event, OneLabel, 500}, Seed: 1}
		b.Run(string(noise), func(b *testing.B) {
			for b.Loop() {
				if _, err := table.Simulate(s); err != nil {
					b.Fatal(err)
				}
			}
			mean := float64(b.Elapsed()) / float64(b.N)
			b.ReportMetric(mean/1e9, "s/curve")
			b.ReportMetric(float64(naiveSimulation(b, table, s))/mean, "x-anew")
		})
	}
}

// naiveSimulation is the time of one simulation for each scale by itself.
func naiveSimulation(b *testing.B, table *Table, s Simulation) time.Duration {
	start := time.Now()
	for _, scale := range s.Scales {
		one := s
		one.Scales = []float64{scale}
		if _, err := table.Simulate(one); err != nil {
			b.Fatal(err)
		}
	}
	return time.Since(start)
}

// The curves of 100 epsilons, and how many times as long 500 simulations of them take, which is estimated by 4.
func BenchmarkThreshold(b *testing.B) {
	table := adult(true, true)
	for _, a := range []Attack{HardThreshold, SoftThreshold} {
		b.Run(string(a), func(b *testing.B) {
			var scales []float64
			for b.Loop() {
				scales = scales[:0]
				for _, epsilon := range epsilonGrid() {
					scales = append(scales, 1/epsilon)
					law, err := mechanisms.LaplaceLaw(1 / epsilon)
					if err != nil {
						b.Fatal(err)
					}
					if _, err := table.Threshold(law, Records, a); err != nil {
						b.Fatal(err)
					}
				}
			}
			mean := float64(b.Elapsed()) / float64(b.N)
			s := Simulation{Noise: StandardLaplace, Scales: scales, Trials: Trials{Records, a, 4}, Seed: 1}
			start := time.Now()
			if _, err := table.Simulate(s); err != nil {
				b.Fatal(err)
			}
			simulated := 125 * time.Since(start)
			b.ReportMetric(mean/1e9, "s/curve")
			b.ReportMetric(float64(simulated)/mean, "x-simulated")
		})
	}
}
