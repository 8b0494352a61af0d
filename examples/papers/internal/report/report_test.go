package report

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tacit/internal/chart"
)

func sections() []Section {
	return []Section{{
		ID: "adult", Title: "Adult <data>", Source: "a paper, table 1", Intro: "One.\n\nTwo.", Rule: "A fifth.", Tolerance: "20% of a mean",
		Rows: []Row{
			{What: "cells | all", Published: "5,974", Regenerated: "5,974", Verdict: Same},
			{What: "risk", Published: "0.25", Regenerated: "0.16", Verdict: Differs, Reason: "another\nformula"},
			{What: "mean", Published: "10", Regenerated: "11", Verdict: Within},
			{What: "order", Published: "a < b", Regenerated: "a 1 ± 1, b 1 ± 1", Verdict: Undecided, Reason: "standard errors"},
			{What: "range", Published: "3", Regenerated: "3", Origin: "of the data's README"},
		},
		Tables: []Table{{Caption: "sizes", Header: []string{"a", "b"}, Rows: [][]string{{"1", "2"}}}},
		Figures: []Figure{{Name: "adult-risk", Caption: "The risk.", Drawing: chart.Figure{
			Title: "risk", X: chart.Axis{Label: "x"}, Y: chart.Axis{Label: "y"}, Lines: []chart.Line{{Name: "l", X: []float64{1, 2}, Y: []float64{1, 2}}}}}},
		Notes: []string{"A note."},
	}}
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := Write(context.Background(), dir, sections()); err != nil {
		t.Fatal(err)
	}
	for file, wants := range map[string][]string{
		"index.html":     {"Adult &lt;data&gt;", `<p>Two.</p>`, `<td class="verdict differs">differs</td><td>another`, "A fifth.", "3 (no verdict: of the data&#39;s README)", `src="adult-risk.svg"`, "Of 4 published numbers and statements, 1 come out the same, 1 within a stated tolerance, and 1 differ; of 1 the draws do not decide. Tolerances: 20% of a mean (1). Each section", "A note."},
		"summary.md":     {`| cells \| all | 5,974 | 5,974 | same |  |`, "| risk | 0.25 | 0.16 | **differs** | another formula |", "| range | 3 (no verdict: of the data's README) | 3 |  |  |", "| 1 | 1 | 1 | 1 | 1 |", "(adult-risk.png)", "| 1 | 2 |"},
		"adult-risk.svg": {"<svg"},
		"adult-risk.png": {"\x89PNG"},
	} {
		content, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(content), want) {
				t.Errorf("%s: no %q", file, want)
			}
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.part"))
	if err != nil || left != nil {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// The page must not depend on scripts or on other servers: a steward opens it on a machine without a network.
func TestHTMLIsSelfContained(t *testing.T) {
	var b bytes.Buffer
	if err := HTML(&b, sections()); err != nil {
		t.Fatal(err)
	}
	for _, not := range []string{"<script", "http://", "https://", "@import", "url("} {
		if strings.Contains(b.String(), not) {
			t.Errorf("the page has %q", not)
		}
	}
}

func TestWriteStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Write(ctx, t.TempDir(), sections()); err == nil {
		t.Error("no error")
	}
}

func TestCheck(t *testing.T) {
	if err := Check(sections()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, want string
		spoil      func(*Section)
	}{
		{"no reason", "no reason why", func(s *Section) { s.Rows[1].Reason = "" }},
		{"no published number", "by a paper", func(s *Section) { s.Rows[0].Published = "" }},
		{"a verdict without a paper", "by a paper", func(s *Section) { s.Rows[0].Origin = "computed" }},
		{"no verdict and no origin", "where the number beside it comes from", func(s *Section) { s.Rows[4].Origin = "" }},
		{"undecided without a reason", "no reason why", func(s *Section) { s.Rows[3].Reason = "" }},
		{"a reason that is none", "is no reason", func(s *Section) { s.Rows[1].Reason = "see the figure" }},
		{"the same and unexplained", "without a known reason", func(s *Section) { s.Rows[0].Unexplained = true }},
		{"no rule", "by what rule", func(s *Section) { s.Rule = "" }},
		{"no title", "title", func(s *Section) { s.Title = "" }},
		{"an ID that is no anchor", "the ID must be", func(s *Section) { s.ID = "A b" }},
		{"a ragged table", "1 cells under 2 headings", func(s *Section) { s.Tables[0].Rows[0] = []string{"1"} }},
		{"a name with a path", "the name must be", func(s *Section) { s.Figures[0].Name = "../x" }},
		{"no caption", "caption", func(s *Section) { s.Figures[0].Caption = "" }},
		{"two figures of a name", "the name must be", func(s *Section) { s.Figures = append(s.Figures, s.Figures[0]) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := sections()
			c.spoil(&s[0])
			if err := Check(s); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v; want %q in it", err, c.want)
			}
		})
	}
	twice := append(sections(), sections()...)
	if Check(twice) == nil {
		t.Error("two sections of an ID pass")
	}
}

// The headline must not claim a reason for every difference where a row says that none is known.
func TestTally(t *testing.T) {
	s := sections()
	if got := Count(s...).String(); !strings.Contains(got, "Each difference has its reason.") || !strings.Contains(got, "1 rows more have no verdict") {
		t.Error(got)
	}
	s[0].Rows[1].Unexplained = true
	if got := Count(s...).String(); !strings.Contains(got, "but 1, of which none is known") {
		t.Error(got)
	}
}

func TestExceeds(t *testing.T) {
	for _, c := range []struct {
		difference, standardError float64
		want                      Verdict
	}{{1, 0.3, Same}, {1, 0.4, Undecided}, {-1, 0.4, Undecided}, {-1, 0.3, Differs}, {0, 0, Undecided}, {1e-9, 0, Same}} {
		if got := Exceeds(c.difference, c.standardError); got != c.want {
			t.Errorf("%v ± %v: %s, want %s", c.difference, c.standardError, got, c.want)
		}
	}
	if Every(Same, Undecided, Differs) != Differs || Every(Same, Undecided, Within) != Undecided || Every(Within, Same) != Within || Every(Same) != Same {
		t.Error("one part that does not hold refutes all")
	}
}
