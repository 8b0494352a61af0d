// Command contingency regenerates what Nabar and Mishra, "Releasing Private Contingency Tables", publish: the table of figure 3, the
// comparison of figure 5, the claims of section 6 and the attack of section 3. It prints published numbers beside regenerated ones, and says
// where they differ and why. All draws are seeded, so that every run prints the same.
//
//	go run ./examples/papers/contingency
package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"tacit/mechanisms/sampling"
)

func main() {
	if err := report(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "contingency:", err)
		os.Exit(1)
	}
}

// report writes all sections.
func report(w io.Writer) error {
	for _, section := range []func(io.Writer) error{attackSection, figure3Section, figure5Section, frontierSection} {
		if err := section(w); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	return nil
}

// seeded draws from a fixed seed.
func seeded(seed byte) *sampling.Bits {
	return sampling.NewBits(rand.NewChaCha8([32]byte{0: seed}))
}
