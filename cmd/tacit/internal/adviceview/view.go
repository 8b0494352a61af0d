package adviceview

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"tacit/accountant"
	"tacit/internal/chart"
	"tacit/internal/terminal"
	"tacit/release/workloads"
)

// Write writes a proposal for people.
func Write(w io.Writer, p *workloads.Proposal) error {
	fmt.Fprintf(w, "%v: %s in this epoch; spent: %s\n", p.Table, plural(p.Asked, "question was charged", "questions were charged"), shown(p.Spent))
	if p.Why != "" {
		_, err := fmt.Fprintf(w, "  No workload is proposed: %s.\n", p.Why)
		return err
	}
	fmt.Fprintf(w, "  A workload of %s would have answered %d of them:\n    workload: %s\n", plural(len(p.Marginals), "marginal", "marginals"), p.Answers, terminal.Printable(p.YAML()))
	why := ""
	if p.AsExact {
		why = ", the least by which the answers are as exact in the mean of squares"
	}
	fmt.Fprintf(w, "  It costs %s%s. All together would have cost %s with it.\n\n", p.Cost, why, shown(p.Instead))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "MARGINAL\tWEIGHT\tCELLS\tASKED: ±95%\tWORKLOAD: ±95%\t")
	for _, m := range p.Marginals {
		fmt.Fprintf(t, "%s\t%s\t%d\t%.0f\t%.1f\t\n", name(m), workloads.ShownWeight(m.Weight), m.Cells, m.Within, m.Measured)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "\nThe errors are of the counts that were asked: a count with conditions adds up cells of its marginal.")
	return err
}

// Picture compares the errors of the marginals of the proposals that there are.
func Picture(proposals []*workloads.Proposal) (chart.Drawing, chart.Size, error) {
	size := chart.Size{Width: 640, Height: 420}
	var rows [][]chart.Drawing
	for _, p := range proposals {
		if p.Why != "" {
			continue
		}
		b := chart.Bars{
			Title:    "How exact the questions about " + p.Table.String() + " were, and would have been",
			Subtitle: fmt.Sprintf("%d questions; spent %s, with the workload %s", p.Answers, shown(p.Spent), shown(p.Instead)),
			X:        chart.Axis{Label: "marginal"}, Y: chart.Axis{Label: "rows within which 95% of counts are"},
			Series: []chart.Line{{Name: "asked by themselves"}, {Name: "from the workload"}},
		}
		for _, m := range p.Marginals[:min(len(p.Marginals), mostDrawn)] {
			b.Names = append(b.Names, name(m))
			b.Series[0].Y, b.Series[1].Y = append(b.Series[0].Y, math.Round(m.Within*10)/10), append(b.Series[1].Y, math.Round(m.Measured*10)/10)
		}
		rows = append(rows, []chart.Drawing{b})
	}
	switch len(rows) {
	case 0:
		return nil, size, fmt.Errorf("there is no proposal to draw")
	case 1:
		return rows[0][0], size, nil
	}
	size.Height *= float64(len(rows))
	return chart.Grid(rows), size, nil
}

// mostDrawn bounds the bars of a picture, those of the marginals that were asked most.
const mostDrawn = 8

func name(m workloads.ProposedMarginal) string {
	if len(m.Columns) == 0 {
		return "()"
	}
	names := slices.Clone(m.Columns)
	for i, name := range names {
		if slices.Contains(m.Ranges, name) {
			names[i] += " in ranges"
		}
	}
	return terminal.Printable(strings.Join(names, ", "))
}

func shown(l accountant.Loss) string {
	return accountant.Loss{Epsilon: l.Epsilon, Delta: l.Delta}.RoundUp(3).String()
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
