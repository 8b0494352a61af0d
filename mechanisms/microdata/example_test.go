package microdata_test

import (
	"fmt"

	"tacit/mechanisms/microdata"
)

// Of classes with at least 5 of the rows that were sampled with probability 0.3, at an epsilon of 0.7: the smallest delta, which is a
// fourth of the bound that is charged.
func ExampleSafeKAnonymityDelta() {
	fmt.Printf("%.6g\n", microdata.SafeKAnonymityDelta(0.7, 0.3, 5))
	// Output: 0.00677511
}

// The paper samples 1 - exp(-epsilon) of the rows. Theorem 5 says what a smaller share gives.
func ExampleDPKAnonymityTheorem5() {
	for _, beta := range []float64{0.39346934, 0.1, 0.01} {
		fmt.Printf("%.4f\n", microdata.DPKAnonymityTheorem5(0.5, beta, 200))
	}
	// Output:
	// 0.8787
	// 0.3439
	// 0.0394
}
