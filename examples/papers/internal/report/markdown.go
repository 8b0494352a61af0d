package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Markdown writes sections for reading in a terminal or on a forge.
func Markdown(w io.Writer, sections []Section) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "# The papers' results, regenerated\n\n%s\n\n", Count(sections...))
	b.WriteString("| section | source | same | within | differ | not decided | no verdict |\n|---|---|---:|---:|---:|---:|---:|\n")
	for _, s := range sections {
		t := Count(s)
		fmt.Fprintf(b, "| [%s](#%s) | %s | %d | %d | %d | %d | %d |\n", cell(s.Title), s.ID, cell(s.Source), t.Same, t.Within, t.Differs, t.Undecided, t.Shown)
	}
	for _, s := range sections {
		s.markdown(b)
	}
	return b.Flush()
}

func (s Section) markdown(b *bufio.Writer) {
	fmt.Fprintf(b, "\n<a id=\"%s\"></a>\n## %s\n\n*%s*\n", s.ID, s.Title, s.Source)
	if s.Intro != "" {
		fmt.Fprintf(b, "\n%s\n", s.Intro)
	}
	if s.Rule != "" {
		fmt.Fprintf(b, "\n**What is the same here.** %s\n", s.Rule)
	}
	if len(s.Rows) > 0 {
		b.WriteString("\n| what | published | regenerated | | reason or remark |\n|---|---|---|---|---|\n")
	}
	for _, r := range s.Rows {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", cell(r.What), cell(r.Beside()), cell(r.Regenerated), r.Verdict.markdown(), cell(r.Reason))
	}
	for _, t := range s.Tables {
		fmt.Fprintf(b, "\n%s\n\n|", t.Caption)
		for _, h := range t.Header {
			fmt.Fprintf(b, " %s |", cell(h))
		}
		b.WriteString("\n|" + strings.Repeat("---|", len(t.Header)) + "\n")
		for _, row := range t.Rows {
			b.WriteString("|")
			for _, c := range row {
				fmt.Fprintf(b, " %s |", cell(c))
			}
			b.WriteString("\n")
		}
	}
	for _, f := range s.Figures {
		fmt.Fprintf(b, "\n![%s](%s.png)\n\n%s\n", strings.NewReplacer("[", "(", "]", ")", "\n", " ").Replace(f.Caption), f.Name, f.Caption)
	}
	for _, note := range s.Notes {
		fmt.Fprintf(b, "\n- %s\n", note)
	}
}

func (v Verdict) markdown() string {
	if v == Differs {
		return "**differs**"
	}
	return string(v)
}

// cell keeps text within one cell of a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text)
}
