package homogeneity

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"tacit/mechanisms"
	"tacit/policy"
)

// A sanitizer is a mechanism of the papers, of which only epsilon is left open. Its epsilon is one of add-remove: the papers add noise for a sensitivity
// of 1, and one record more or less changes one cell by 1.
type sanitizer struct {
	name        string
	kind        policy.Kind
	calibration policy.Calibration
	delta       float64
	// below is what epsilon must stay below, 0 for none.
	below float64
}

func laplace() sanitizer { return sanitizer{name: "Laplace", kind: policy.Laplace} }

// gaussianDP is the classic calibration of (epsilon, delta)-DP, which the papers use for epsilon below 1.
func gaussianDP(delta float64) sanitizer {
	return sanitizer{fmt.Sprintf("δ = %s", decimal(delta)), policy.Gaussian, policy.ClassicCalibration, delta, 1}
}

// gaussianPDP is that of probabilistic differential privacy.
func gaussianPDP(delta float64) sanitizer {
	return sanitizer{fmt.Sprintf("δ = %s", decimal(delta)), policy.Gaussian, policy.PDPCalibration, delta, 0}
}

// at is the mechanism for an epsilon.
func (s sanitizer) at(epsilon float64, random io.Reader) (*mechanisms.Mechanism, error) {
	return mechanisms.New(mechanisms.Config{
		Kind: s.kind, Epsilon: policy.Epsilon(math.Round(epsilon * 1e9)), Delta: policy.Delta(math.Round(s.delta * 1e18)), Adjacency: policy.AddRemove,
		Sensitivity: 1, PerCell: 1, Calibration: s.calibration, Random: random,
	})
}

// seeded is the source of draws number i: the same in every run, another for every i.
func seeded(i uint64) io.Reader {
	seed := [32]byte{0: 'h'}
	for b := range 8 {
		seed[b+1] = byte(i >> (8 * b))
	}
	return rand.NewChaCha8(seed)
}

// The deltas of the papers' curves, from the code that the 2023 paper points to (github.com/zhao-xingyuan/DR-HA): the text says only that they run from
// the order of 1/n, which is 3.6e-5 for Adult and 4e-3 for Bankruptcy, to 0.1.
var (
	adultDeltas      = []float64{3e-5, 1e-3, 1e-2, 1e-1}
	bankruptcyDeltas = []float64{1e-3, 1e-2, 1e-1}
)

// epsilons are evenly spaced in their logarithm from 10^low to 10^high, so many to a decade.
func epsilons(low, high float64, perDecade int) []float64 {
	n := int(math.Round((high - low) * float64(perDecade)))
	grid := make([]float64, n+1)
	for i := range grid {
		grid[i] = math.Pow(10, low+float64(i)/float64(perDecade))
	}
	return grid
}

// within are those epsilons of a grid that the sanitizer takes.
func (s sanitizer) within(grid []float64) []float64 {
	var kept []float64
	for _, e := range grid {
		if s.below == 0 || e < s.below*(1-1e-9) {
			kept = append(kept, e)
		}
	}
	return kept
}
