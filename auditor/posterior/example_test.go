package posterior_test

import (
	"fmt"
	"log"

	"tacit/auditor/posterior"
)

// people are so many who have the attribute with probability 0.3 each, of whom nobody may be believed to have it with a probability
// that is off by more than a half of that.
func people(n int) posterior.Atom {
	return posterior.Atom{People: n, Prior: []float64{0.7, 0.3}, Limits: []posterior.Limit{{Low: 0.55, High: 0.85}, {Low: 0.15, High: 0.45}}}
}

// How many have the attribute in each of two towns of 40 and 200 people: the whole is answered first, then a question about one of them
// is decided before anybody looks at its answer.
func Example() {
	system := posterior.System{Atoms: []posterior.Atom{people(40), people(200)}}
	ask := func(what string, atoms ...int) {
		d, err := system.Decide(posterior.Set{Atoms: atoms, Values: posterior.True})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: unsafe with probability %.4f, determined: %v\n", what, d.Risk, d.Determined)
	}
	ask("both towns", 0, 1)
	system.Sums = append(system.Sums, posterior.Sum{Set: posterior.Set{Atoms: []int{0, 1}, Values: posterior.True}, Value: 74})
	ask("the small town, after 74 of both", 0)
	system.Sums = append(system.Sums, posterior.Sum{Set: posterior.Set{Atoms: []int{0}, Values: posterior.True}, Value: 12})
	ask("the large town, after 12 of the small one", 1)
	beliefs, _, err := system.Posterior()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("of the small town's people, each has it with probability %.3f\n", beliefs[0][1])
	// Output:
	// both towns: unsafe with probability 0.0000, determined: false
	// the small town, after 74 of both: unsafe with probability 0.0154, determined: false
	// the large town, after 12 of the small one: unsafe with probability 0.0000, determined: true
	// of the small town's people, each has it with probability 0.300
}

// A group in no sum yet: the risk of its first answer.
func ExampleRootRisk() {
	for _, n := range []int{20, 40, 80, 160} {
		risk, err := posterior.RootRisk(posterior.Group{people(n)}, []posterior.ValueSet{posterior.True})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d people: %.5f\n", n, risk)
	}
	// Output:
	// 20 people: 0.08345
	// 40 people: 0.02340
	// 80 people: 0.00217
	// 160 people: 0.00003
}
