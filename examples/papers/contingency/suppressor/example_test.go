package suppressor_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"tacit/examples/papers/contingency/suppressor"
	"tacit/mechanisms/sampling"
)

// Of three cells whose people have the attribute with probability 1/2 each, the one of six people is suppressed. No value is read of it.
func Example() {
	table := suppressor.Table{Rows: 1, Columns: 3, Cells: []suppressor.Cell{
		{{People: 40, Prior: 0.5}}, {{People: 6, Prior: 0.5}}, {{People: 60, Prior: 0.5}},
	}}
	counter, err := suppressor.NewCounter(table, sampling.NewBits(rand.NewChaCha8([32]byte{1})))
	if err != nil {
		log.Fatal(err)
	}
	s := suppressor.Suppressor{Table: table, Epsilon: 0.5, Delta: 0.2, Sampler: counter, Beliefs: counter}
	p, err := s.Suppress(nil, func(r suppressor.Region) int { return table.Sum([]int{21, 3, 28}, r) })
	if err != nil {
		log.Fatal(err)
	}
	for _, sum := range p.Released {
		fmt.Printf("column %d: %d\n", sum.Left, sum.Value)
	}
	fmt.Printf("suppressed: column %d\n", p.Suppressed[0].Left)
	// Output:
	// column 0: 21
	// column 2: 28
	// suppressed: column 1
}
