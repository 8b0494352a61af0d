package report

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"tacit/internal/chart"
)

// A Part computes the sections of a paper, or of several, from the data sets in a directory. It draws from fixed seeds, so that every run gives the
// same sections; only times differ, and stand in a section of their own.
type Part func(ctx context.Context, data string) ([]Section, error)

// A Section is what is regenerated of one paper, or of one of its experiments.
type Section struct {
	ID     string // Required: the anchor in the page; lower case, digits and hyphens, unique.
	Title  string // Required.
	Source string // Required: the paper, and its section, table or figure.
	Intro  string // Paragraphs, with an empty line between them.
	Rule   string // What is the same in this section, and what is the tolerance: required if a row has a verdict.
	// Tolerance is how far off a row within it may be, in a few words: required if a row is.
	Tolerance string
	Rows      []Row
	Tables    []Table
	Figures   []Figure
	Notes     []string
}

// A Row is one published number, or one published statement, and what became of it.
type Row struct {
	What        string // Required.
	Published   string // Required if there is a verdict.
	Regenerated string // Required.
	Verdict     Verdict
	Reason      string // Why the two differ: required if they do; otherwise a remark, or nothing.
	Unexplained bool   // The two differ, and why is not known; Reason says what is.
	Origin      string // Required if there is no verdict: where Published comes from, if not from a paper.
}

// A Table is regenerated as a whole.
type Table struct {
	Caption string // Required.
	Header  []string
	Rows    [][]string // each as long as Header
}

// A Figure is written as Name.svg and Name.png.
type Figure struct {
	Name    string // Required: the stem of its files; lower case, digits and hyphens, unique.
	Caption string // Required: says what to see.
	Drawing chart.Drawing
	Size    chart.Size
}

var name = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// Check reports all that is missing in sections.
func Check(sections []Section) error {
	var errs []error
	ids, figures := map[string]bool{}, map[string]bool{}
	for _, s := range sections {
		if !name.MatchString(s.ID) || ids[s.ID] {
			errs = append(errs, fmt.Errorf("section %q: the ID must be unique, of lower-case letters, digits and hyphens", s.ID))
		}
		ids[s.ID] = true
		errs = append(errs, s.check(figures))
	}
	return errors.Join(errs...)
}

func (s Section) check(figures map[string]bool) error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("section %q: %w", s.ID, fmt.Errorf(format, args...)))
	}
	if s.Title == "" || s.Source == "" {
		bad("it needs a title and a source")
	}
	for _, r := range s.Rows {
		if err := r.check(); err != nil {
			bad("%w", err)
		}
	}
	if Count(s).All() > 0 && s.Rule == "" {
		bad("it passes verdicts, and does not say by what rule")
	}
	if Count(s).Within > 0 && s.Tolerance == "" {
		bad("rows are within a tolerance that it does not name")
	}
	for _, t := range s.Tables {
		for i, row := range t.Rows {
			if len(row) != len(t.Header) {
				bad("table %q, row %d: %d cells under %d headings", t.Caption, i+1, len(row), len(t.Header))
			}
		}
	}
	for _, f := range s.Figures {
		if !name.MatchString(f.Name) || figures[f.Name] {
			bad("figure %q: the name must be unique, of lower-case letters, digits and hyphens", f.Name)
		}
		figures[f.Name] = true
		if f.Caption == "" || f.Drawing == nil {
			bad("figure %q: it needs a caption and a drawing", f.Name)
		}
	}
	return errors.Join(errs...)
}
