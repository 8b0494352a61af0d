package mechanisms_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"tacit/mechanisms"
	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// seeded is for examples, whose output must be the same each time. Releases take crypto/rand.Reader.
func seeded() *rand.ChaCha8 { return rand.NewChaCha8([32]byte{1}) }

// The counts of four towns are shown with geometric noise. A person is one row, so that she changes one count by 1.
func Example() {
	m, err := mechanisms.New(mechanisms.Config{
		Kind: policy.Geometric, Epsilon: 5e8, Adjacency: policy.AddRemove, Sensitivity: 1, PerCell: 1, Random: seeded(),
	})
	if err != nil {
		log.Fatal(err)
	}
	cells, err := m.Sanitize(mechanisms.Histogram{Counts: []int64{0, 12, 340, 5600}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("cost:", m.Loss().Epsilon)
	for _, shown := range cells.Counts {
		interval, _ := m.Interval95(shown, false)
		fmt.Printf("%4d, between %d and %d with probability 0.95\n", shown, interval.Low, interval.High)
	}
	// Output:
	// cost: 0.5
	//    0, between 0 and 6 with probability 0.95
	//   11, between 5 and 17 with probability 0.95
	//  341, between 335 and 347 with probability 0.95
	// 5602, between 5596 and 5608 with probability 0.95
}

// Noise with an epsilon of 1 and a delta of 1e-6, of two kinds: what each promises, and how large it is.
func Example_compare() {
	for _, kind := range []policy.Kind{policy.Laplace, policy.DiscreteGaussian} {
		c := mechanisms.Config{Kind: kind, Epsilon: 1e9, Adjacency: policy.AddRemove, Sensitivity: 1, PerCell: 1, Random: seeded()}
		if kind == policy.DiscreteGaussian {
			c.Delta = 1e12
		}
		m, err := mechanisms.New(c)
		if err != nil {
			log.Fatal(err)
		}
		law, _ := m.Law()
		fmt.Printf("%s: epsilon %.3f at delta 1e-6, variance %.1f, a count of 1 is shown as 4 or more with probability %.4f\n",
			kind, m.Guarantee(policy.AddRemove).Epsilon(1e-6), law.Variance(), law.AtLeast(3))
	}
	// Output:
	// laplace: epsilon 1.000 at delta 1e-6, variance 2.1, a count of 1 is shown as 4 or more with probability 0.0410
	// discrete-gaussian: epsilon 1.000 at delta 1e-6, variance 17.9, a count of 1 is shown as 4 or more with probability 0.2768
}

// Laws of noise whose scale somebody else has chosen: how likely nobody is shown as somebody, and one person as nobody.
func ExampleLaw() {
	for _, noise := range []struct {
		name string
		law  func(float64) (mechanisms.Law, error)
		of   float64
	}{
		{"rounded Laplace noise of scale 2", mechanisms.LaplaceLaw, 2},
		{"geometric noise of alpha 0.6", mechanisms.GeometricLaw, 0.6},
		{"rounded Gaussian noise of sigma 2", mechanisms.GaussianLaw, 2},
		{"discrete Gaussian noise of sigma 2", mechanisms.DiscreteGaussianLaw, 2},
	} {
		law, err := noise.law(noise.of)
		if err != nil {
			log.Fatal(err)
		}
		s := law.Survival()
		fmt.Printf("%s: %.3f, %.3f\n", noise.name, s.Survives(0), s.Vanishes(1))
	}
	// Output:
	// rounded Laplace noise of scale 2: 0.389, 0.389
	// geometric noise of alpha 0.6: 0.375, 0.375
	// rounded Gaussian noise of sigma 2: 0.401, 0.401
	// discrete Gaussian noise of sigma 2: 0.400, 0.400
}

// What Laplace noise of scale 1 has for its delta at an epsilon of 0.3, as it is on paper: without rounding.
func ExampleContinuousLaplaceDelta() {
	for _, a := range []policy.Adjacency{policy.AddRemove, policy.ReplaceOne} {
		fmt.Printf("%s: %.9f\n", a, mechanisms.ContinuousLaplaceDelta(1, 0.3, a))
	}
	// Output:
	// add-remove: 0.295311910
	// replace-one: 0.390933722
}

// The median age of a ward, of which ages from 0 to 120 are known to be possible. How many ranks it may be off is known without the data.
func ExampleExponential() {
	e, err := mechanisms.NewExponential(mechanisms.Config{
		Kind: policy.Geometric, Epsilon: 5e8, Adjacency: policy.AddRemove, Sensitivity: 1, Random: seeded(),
	})
	if err != nil {
		log.Fatal(err)
	}
	median := sampling.Ratio{Of: 1, All: 2}
	ages := mechanisms.Sample{Grid: 121, At: []int{31, 40, 55, 70, 88}, Counts: []int64{90, 120, 160, 110, 60}}
	age, err := e.Quantile(ages, median)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d, within %d ranks of the median with probability 0.95, for an epsilon of %v\n", age, e.QuantileWithin95(ages.Grid, median), e.Loss().Epsilon)
	// Output: 55, within 16 ranks of the median with probability 0.95, for an epsilon of 0.5
}
