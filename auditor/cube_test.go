package auditor

import (
	"math/rand/v2"
	"testing"
)

// cube is a table of n^3 cells, and all its two-way margins.
func cube(rng *rand.Rand, n, people int) (Opening, []Query) {
	o := Opening{Config: Config{Values: 2, Epsilon: 0.8, Delta: risk(0.5), PerDecision: risk(0.1), PerStatement: risk(0.5)}}
	for range 3 {
		o.Types = append(o.Types, Type{Prior: boolean(0.3 + 0.2*rng.Float64())})
	}
	margins := make([]Query, 3*n*n)
	for i := range margins {
		margins[i] = about()
	}
	for u := range int32(n * n * n) {
		o.Units = append(o.Units, Unit{rng.IntN(3), people})
		x, y, z := int(u)/(n*n), int(u)/n%n, int(u)%n
		for _, m := range [3]int{x*n + y, n*n + y*n + z, 2*n*n + z*n + x} {
			margins[m].Units = append(margins[m].Units, u)
		}
	}
	return o, margins
}

// All two-way margins of a 10x10x10 table, 300 linked sums of which 271 are independent.
func BenchmarkTwoWayMargins(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	o, margins := cube(rng, 10, 200)
	data := draw(rng, o.Types, o.Units)
	for b.Loop() {
		s := open(b, o, data)
		released, free := 0, 0
		replies, rounds := s.rounds(margins)
		for _, r := range replies {
			switch r.Decision.Outcome {
			case Free:
				free++
			case Released:
				released++
			}
		}
		b.ReportMetric(float64(released), "released")
		b.ReportMetric(float64(free), "free")
		b.ReportMetric(float64(rounds), "rounds")
	}
}
