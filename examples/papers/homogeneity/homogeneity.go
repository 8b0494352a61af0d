// Package homogeneity regenerates the results of two papers on disclosure risk from homogeneity attack (DR-HA) with the measures of package risk:
//
//   - F. Liu, X. Zhao, "Disclosure Risk from Homogeneity Attack in Differentially Privately Sanitized Frequency Distribution", 2023 (here: the 2023 paper)
//   - F. Liu, X. Zhao, G. Zhang, "Disclosure Risk from Homogeneity Attack in Differentially Private Frequency Distribution", 2021 (the 2021 paper)
//
// The data sets are Adult and Qualitative Bankruptcy of the UCI repository. Every number that the papers state becomes a row, every figure a figure; where
// a result differs, the row says why. Start with Sections. What the papers print of theorems that do not hold is in errata.go.
package homogeneity

import (
	"context"

	"tacit/examples/papers/internal/report"
)

const (
	paper2023 = "Liu and Zhao 2023"
	paper2021 = "Liu, Zhao and Zhang 2021"
)

// Sections is the part of these papers.
func Sections(ctx context.Context, data string) ([]report.Section, error) {
	s, err := read(data)
	if err != nil {
		return nil, err
	}
	x, err := s.experiments()
	if err != nil {
		return nil, err
	}
	sections := []report.Section{s.cells()}
	utility := func() (report.Section, error) { return s.utility(ctx) }
	for _, next := range []func() (report.Section, error){x.curves, x.quasi, x.models, x.thresholds, utility, x.errata, x.times} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		section, err := next()
		if err != nil {
			return nil, err
		}
		sections = append(sections, section)
	}
	return sections, nil
}
