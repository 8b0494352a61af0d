package residual_test

import (
	"crypto/rand"
	"fmt"
	"math"
	"math/big"

	"tacit/mechanisms/residual"
	"tacit/policy"
)

// A dashboard has counts by region, by sex, and by both. Regions count three times as much.
func Example() {
	const region, sex = 0, 1
	w, err := residual.NewWorkload([]int{8, 2}, []residual.Marginal{
		{Columns: []int{region}, Weight: 3}, {Columns: []int{sex}, Weight: 1}, {Columns: []int{region, sex}, Weight: 1},
	})
	if err != nil {
		panic(err)
	}
	m, err := w.LeastTotal().Mechanism(residual.Config{Rho: big.NewRat(1, 50), Adjacency: policy.AddRemove, Random: rand.Reader})
	if err != nil {
		panic(err)
	}
	// Each table counts the same people.
	both := []int64{120, 130, 90, 80, 60, 75, 44, 51, 30, 28, 17, 22, 9, 12, 3, 2}
	byRegion, bySex := make([]int64, 8), make([]int64, 2)
	for i, n := range both {
		byRegion[i/2] += n
		bySex[i%2] += n
	}
	released, err := m.Measure([][]int64{byRegion, bySex, both})
	if err != nil {
		panic(err)
	}
	fmt.Println(len(released.Marginal(0)), "regions, standard deviation", math.Round(math.Sqrt(m.Strategy().Variance(0))*100)/100)
	first := []float64{1, 1, 1, 0, 0, 0, 0, 0}
	fmt.Printf("of the first three together %.2f\n", math.Sqrt(m.Strategy().SumVariance(0, first)))
	second := residual.Cell{Marginal: 2, Values: []int{0, 1}}
	fmt.Printf("covariance of the first region with its second sex %.2f\n", m.Strategy().Covariance(residual.Cell{Marginal: 0, Values: []int{0}}, second))
	fmt.Println(m.Term().Noise)
	// Output:
	// 8 regions, standard deviation 6.06
	// of the first three together 10.06
	// covariance of the first region with its second sex 18.37
	// discrete-gaussian
}
