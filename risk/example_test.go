package risk_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"tacit/accountant/composition"
	"tacit/mechanisms"
	"tacit/policy"
	"tacit/risk"
)

// diagnoses are six cells of people of one age and town each, and how many of them have each of three diagnoses.
func diagnoses() *risk.Table {
	t, err := risk.NewTable(3, [][]int64{{1, 0, 0}, {0, 2, 0}, {3, 0, 0}, {2, 1, 0}, {4, 4, 1}, {0, 0, 9}})
	if err != nil {
		log.Fatal(err)
	}
	return t
}

// laplace is the survival of counts under Laplace noise, rounded.
func laplace(epsilon float64) (risk.Survival, error) {
	law, err := mechanisms.LaplaceLaw(1 / epsilon)
	return law.Survival(), err
}

// What an epsilon means for the people of a table, and which epsilon a risk of 0.2 allows.
func Example() {
	table := diagnoses()
	measure := func(s risk.Survival) float64 { return table.Local(s, risk.Records).Weighted }
	points, err := risk.Curve(measure, laplace, []float64{0.1, 1, 10})
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range points {
		fmt.Printf("epsilon %v: a person's diagnosis is disclosed with probability %.3f\n", p.Epsilon, p.Risk)
	}
	largest, err := risk.Largest(0.2, measure, laplace, risk.Range{Low: 0.01, High: 10})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("at most 0.2 up to an epsilon of %.3f\n", largest.Epsilon)
	scale, err := risk.SmallestScale(0.2, measure, func(b float64) (risk.Survival, error) { return laplace(1 / b) }, risk.Range{Low: 0.1, High: 100})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("that is with noise of scale %.3f or more\n", scale.Epsilon)
	// Output:
	// epsilon 0.1: a person's diagnosis is disclosed with probability 0.157
	// epsilon 1: a person's diagnosis is disclosed with probability 0.275
	// epsilon 10: a person's diagnosis is disclosed with probability 0.552
	// at most 0.2 up to an epsilon of 0.381
	// that is with noise of scale 2.626 or more
}

// One cell of five people by itself: as it is, and drawn anew.
func ExampleLocal() {
	s, err := laplace(0.5)
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range risk.Versions {
		fmt.Printf("%s: %.4f if all are alike, %.4f if one differs, %.4f if each is drawn\n", v,
			risk.Local(s, v, 3, []int64{5}), risk.Local(s, v, 3, []int64{4, 1}), risk.Expected(s, v, []float64{0.5, 0.3, 0.2}, 5))
		bound, ok := risk.HeterogeneousBound(s, v, 3, 5)
		fmt.Printf("no cell of five that are not alike is above %.4f (%v)\n", bound, ok)
	}
	// Output:
	// event: 0.3532 if all are alike, 0.2495 if one differs, 0.2045 if each is drawn
	// no cell of five that are not alike is above 0.2495 (true)
	// records: 0.3532 if all are alike, 0.1802 if one differs, 0.1119 if each is drawn
	// no cell of five that are not alike is above 0.2495 (true)
}

// The papers' bounds, where they hold, and the exact risks below them.
func ExampleTable_ShrinkageBound() {
	table, alpha := diagnoses(), []float64{1, 1, 1}
	s, err := laplace(0.5)
	if err != nil {
		log.Fatal(err)
	}
	local, _ := table.LocalBound(s, risk.Event)
	expected, _ := table.ExpectedBound(s, risk.Event)
	shrinkage, _, err := table.ShrinkageBound(s, risk.Event, alpha)
	if err != nil {
		log.Fatal(err)
	}
	exact, err := table.Shrinkage(risk.Event, alpha)
	if err != nil {
		log.Fatal(err)
	}
	alike, err := risk.Homogeneous(alpha, 5)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("local: %.4f, at most %.4f\n", table.Local(s, risk.Event).Unweighted, local.Unweighted)
	fmt.Printf("expected: %.4f, at most %.4f\n", table.Expected(s, risk.Event).Unweighted, expected.Unweighted)
	fmt.Printf("shrinkage: %.4f, at most %.4f\n", exact(s).Unweighted, shrinkage.Unweighted)
	fmt.Printf("five people are alike with probability %.4f\n", alike)
	// Output:
	// local: 0.2563, at most 0.2865
	// expected: 0.2625, at most 0.2889
	// shrinkage: 0.2228, at most 0.2648
	// five people are alike with probability 0.1429
}

// The same risk measured by sanitizing the table many times, and what guessing the largest count adds to it.
func ExampleTable_Simulate() {
	table := diagnoses()
	law, err := mechanisms.LaplaceLaw(2)
	if err != nil {
		log.Fatal(err)
	}
	estimates, err := table.Simulate(risk.Simulation{
		Noise: risk.StandardLaplace, Scales: []float64{2}, Trials: risk.Trials{Version: risk.Records, Attack: risk.OneLabel, Repetitions: 2000}, Seed: 1,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("exact %.2f, simulated %.2f\n", table.Local(law.Survival(), risk.Records).Weighted, estimates[0].Mean.Weighted)
	for _, attack := range []risk.Attack{risk.HardThreshold, risk.SoftThreshold} {
		guessed, err := table.Threshold(law, risk.Records, attack)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %.3f\n", attack, guessed.Weighted)
	}
	// Output:
	// exact 0.21, simulated 0.21
	// hard threshold: 0.639
	// soft threshold: 0.580
}

// A mechanism itself, as it would sanitize a release, draws the table 500 times.
func ExampleTable_SimulateMechanism() {
	table := diagnoses()
	m, err := mechanisms.New(mechanisms.Config{
		Kind: policy.Geometric, Epsilon: 5e8, Adjacency: policy.AddRemove, Sensitivity: 1, PerCell: 1, Random: rand.NewChaCha8([32]byte{1}),
	})
	if err != nil {
		log.Fatal(err)
	}
	drawn, err := table.SimulateMechanism(m, risk.Trials{Version: risk.Event, Attack: risk.OneLabel, Repetitions: 500})
	if err != nil {
		log.Fatal(err)
	}
	s, _ := m.Survival()
	fmt.Printf("exact %.2f, simulated %.2f\n", table.Local(s, risk.Event).Unweighted, drawn.Mean.Unweighted)
	// Output:
	// exact 0.27, simulated 0.25
}

// Cells whose sizes are drawn, too, by a negative binomial law.
func ExampleTable_Marginal() {
	table := diagnoses()
	sizes, err := risk.NegativeBinomial(2, 0.3, risk.NonEmpty)
	if err != nil {
		log.Fatal(err)
	}
	marginal, err := table.Marginal(risk.Event, sizes)
	if err != nil {
		log.Fatal(err)
	}
	s, err := laplace(0.5)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("mean size %.2f, one person with probability %.3f, risk %.4f\n", sizes.Mean(), sizes.Probability(1), marginal(s).Unweighted)
	// Output:
	// mean size 5.13, one person with probability 0.138, risk 0.2860
}

// Two sensitive attributes that are published one after the other, with an epsilon of 0.5 for each release.
func ExampleJointTable_Sequential() {
	table := risk.JointTable{Labels: []int{2, 2}, Patterns: []risk.JointPattern{
		{Counts: [][]int64{{3}, {2, 1}}, Cells: 4}, {Counts: [][]int64{{1}, {1}}, Cells: 2},
	}}
	half := composition.Approximate(5e8, 0)
	steps, err := table.Sequential(risk.Sequence{
		Releases: []composition.Term{half, half, half},
		Filter:   composition.Filter{Rule: policy.BasicComposition},
		At:       func(spent composition.Spent) (risk.Survival, error) { return laplace(float64(spent.Epsilon) / 1e9) },
		Version:  risk.Event,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, step := range steps {
		fmt.Printf("epsilon %v: %.4f attributes of a person are disclosed\n", step.Spent.Epsilon, step.Overall.Unbounded.Weighted)
	}
	// Output:
	// epsilon 0.5: 0.0000 attributes of a person are disclosed
	// epsilon 1: 0.6420 attributes of a person are disclosed
	// epsilon 1.5: 0.9517 attributes of a person are disclosed
}

// Counts below 6 are shown as 3: both persons who are alone in their cell are shown, though not as one.
func ExampleCountUniqueMatches() {
	m, err := mechanisms.New(mechanisms.Config{
		Kind: policy.Suppression, K: 6, Fill: policy.Fill{Kind: policy.FillHalf}, Adjacency: policy.AddRemove, Sensitivity: 1, PerCell: 1, Random: noBytes{},
	})
	if err != nil {
		log.Fatal(err)
	}
	h := mechanisms.Histogram{Counts: []int64{7, 1, 11, 8, 1, 9}}
	cells, err := m.Sanitize(h)
	if err != nil {
		log.Fatal(err)
	}
	found, err := risk.CountUniqueMatches(h.Counts, cells)
	if err != nil {
		log.Fatal(err)
	}
	expected, err := risk.ExpectUniqueMatches(m, h)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("of %v persons alone in their cell, shown as 1: %v, as 1 or more: %v\n", found.Uniques, found.AsOne, found.OneOrMore)
	fmt.Printf("expected: %v and %v\n", expected.AsOne, expected.OneOrMore)
	// Output:
	// of 2 persons alone in their cell, shown as 1: 0, as 1 or more: 2
	// expected: 0 and 2
}

// noBytes is for mechanisms that draw nothing.
type noBytes struct{}

func (noBytes) Read([]byte) (int, error) { panic("nothing is drawn") }

// Of three cells of 4 persons the first alone is homogeneous: scenario 1 is that it is shown as it is. In the others
// labels have to vanish.
func ExampleScenario1() {
	s, err := laplace(1)
	if err != nil {
		log.Fatal(err)
	}
	for _, counts := range [][]int64{{4, 0}, {3, 1}, {2, 2}} {
		fmt.Printf("%v: scenario 1 %.4f, all %.4f\n", counts, risk.Scenario1(s, 2, counts), risk.Local(s, risk.Event, 2, counts))
	}
	// Output:
	// [4 0]: scenario 1 0.6862, all 0.6862
	// [3 1]: scenario 1 0.0000, all 0.3194
	// [2 2]: scenario 1 0.0000, all 0.1982
}
