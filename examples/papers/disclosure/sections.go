package disclosure

import (
	"context"

	"tacit/examples/papers/internal/report"
)

// Sections regenerates the results of both papers from the excerpts in a directory.
func Sections(ctx context.Context, data string) ([]report.Section, error) {
	studies := make([]*study, len(excerpts))
	for i, e := range excerpts {
		var err error
		if studies[i], err = newStudy(e, data); err != nil {
			return nil, err
		}
	}
	if err := measureAll(ctx, studies); err != nil {
		return nil, err
	}
	var sections []report.Section
	for _, section := range parts(ctx, studies) {
		s, err := section()
		if err != nil {
			return nil, err
		}
		sections = append(sections, s)
	}
	return sections, nil
}

// parts are the sections, in the order of the page.
func parts(ctx context.Context, studies []*study) []func() (report.Section, error) {
	massachusetts, national := studies[0], studies[2]
	sections := []func() (report.Section, error){
		func() (report.Section, error) { return dataSection(studies) },
		func() (report.Section, error) { return deltaSection(massachusetts) },
	}
	for _, s := range studies {
		sections = append(sections, func() (report.Section, error) { return tableSection(s), nil })
	}
	sections = append(sections,
		func() (report.Section, error) { return anonymitySection(ctx, studies) },
		func() (report.Section, error) { return dasSection(massachusetts), nil })
	for _, s := range studies {
		sections = append(sections, func() (report.Section, error) { return curveSection(ctx, s) })
	}
	return append(sections,
		func() (report.Section, error) { return matchSection(ctx, studies) },
		func() (report.Section, error) { return subgroupSection(ctx, national) },
		func() (report.Section, error) { return classificationSection(ctx, studies) })
}
