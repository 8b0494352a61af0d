package combine

import (
	"slices"
	"testing"

	"tacit/policy"
)

// BenchmarkFit is the most that one question takes: eight finer releases, eight coarser ones, and as many counts as are fitted. The bounds of the errors are remembered
// by the mechanism, which is made anew each time.
func BenchmarkFit(b *testing.B) {
	var estimates []Estimate
	for i := range 8 {
		estimates = append(estimates, Estimate{Counts: make([]int64, MostFitted), Added: slices.Repeat([]int{20}, MostFitted)})
		coarse := Estimate{Counts: make([]int64, MostFitted/8)}
		for g := range coarse.Counts {
			var group []int
			for k := range 8 {
				group = append(group, (g*8+k*(1+i))%MostFitted)
			}
			slices.Sort(group)
			coarse.Of = append(coarse.Of, slices.Compact(group))
		}
		estimates = append(estimates, coarse)
	}
	for b.Loop() {
		if _, err := Best(b.Context(), noiseOf(b, policy.Geometric, 0.5, true), estimates, 0); err != nil {
			b.Fatal(err)
		}
	}
}
