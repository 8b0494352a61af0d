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
