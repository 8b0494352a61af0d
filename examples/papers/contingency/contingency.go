package contingency

import (
	"context"
	"math/rand/v2"
	"slices"

	"tacit/examples/papers/internal/report"
	"tacit/mechanisms/sampling"
)

const source = "Nabar and Mishra 2009"

// The paper's parameters in section 6.
const (
	epsilon = 0.5
	delta   = 0.2
)

// Sections is the part of this paper. Draws are seeded, so that every run gives the same. The attack on margins is left out if data is "": nothing
// else needs the data sets.
func Sections(ctx context.Context, data string) ([]report.Section, error) {
	var sections []report.Section
	parts := []func() (report.Section, error){ruleSection, figure2Section, figure3Section, perturbationSection, figure5Section, theoremsSection}
	if data != "" {
		parts = slices.Insert(parts, 1, func() (report.Section, error) { return marginsSection(data) })
	}
	for _, section := range parts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s, err := section()
		if err != nil {
			return nil, err
		}
		sections = append(sections, s)
	}
	return sections, nil
}

// seeded draws from a fixed seed.
func seeded(seed byte) *sampling.Bits {
	return sampling.NewBits(rand.NewChaCha8([32]byte{0: seed}))
}
