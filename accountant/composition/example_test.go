package composition_test

import (
	"fmt"
	"math"

	"tacit/accountant/composition"
	"tacit/policy"
)

// A budget of epsilon 10 and delta 1e-6 for releases with Gaussian noise, each chosen in view of all earlier answers: what a hundred of them
// have spent by each rule, and how many the budget covers.
func Example() {
	release := composition.Term{Noise: composition.GaussianNoise, Variance: composition.Ratio{Numerator: 100, Denominator: 1}, Squared: 1}
	var composer composition.Composer
	for _, rule := range []policy.Composition{policy.PLDComposition, policy.ZCDPComposition} {
		budget := composition.Filter{Rule: rule, Epsilon: 10e9, Delta: 1e12, Main: release}
		spent := composer.Spent(budget, composition.Tally{release: 100})
		most := int64(0)
		for composer.Covers(budget, composition.Tally{release: most + 1}) {
			most++
		}
		fmt.Printf("%s: a hundred releases cost %.3f and %v, %d are covered\n", rule, float64(spent.Epsilon)/1e9, spent.Delta, most)
	}
	// Output:
	// pld: a hundred releases cost 4.889 and 1e-6, 341 are covered
	// zcdp: a hundred releases cost 5.222 and 1e-6, 307 are covered
}

// What releases tell that are fixed beforehand: mathematics for reports, and no filter, as the package comment explains.
func ExampleEpsilon() {
	release := composition.Term{Noise: composition.GeometricNoise, Epsilon: 1e8, Moves: 1}
	hundred := composition.Tally{release: 100}
	bound := composition.Epsilon(hundred, 1e-6)
	fmt.Printf("epsilon %.3f at delta 1e-6, where a sum would say 10\n", bound.Upper)
	fmt.Printf("delta %.1e at epsilon 5\n", composition.Delta(hundred, 5).Upper)
	rho := 100 * math.Pow(0.1, 2) / 2
	fmt.Printf("by zero-concentrated privacy: epsilon %.3f, delta %.1e\n", composition.EpsilonOfRho(rho, 1e-6), composition.DeltaOfRho(rho, 5))
	// Output:
	// epsilon 4.775 at delta 1e-6, where a sum would say 10
	// delta 2.8e-07 at epsilon 5
	// by zero-concentrated privacy: epsilon 5.222, delta 2.9e-06
}
