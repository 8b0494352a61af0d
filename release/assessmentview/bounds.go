package assessmentview

import (
	"fmt"
	"io"
	"text/tabwriter"

	"tacit/internal/terminal"
	"tacit/release/assess"
)

// PrintBounds prints what bounds of a person leave out of each question, and with how much noise the rest is counted.
func PrintBounds(w io.Writer, all []*assess.Bounds) error {
	fmt.Fprintln(w, assess.Notice)
	for _, b := range all {
		fmt.Fprintf(w, "\n%s\n%d persons with %d rows, %d groups of persons; %d %s with rows\n\n", b.Question, b.Persons, b.TotalRows, b.TotalGroups, b.Cells, cellsWord(b.Cells))
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(t, "ROWS\tGROUPS\tROWS LEFT OUT\t±95% OF ROWS\tERROR OF A CELL\tPERSONS' GROUPS LEFT OUT\t±95% OF PERSONS\t")
		for i, c := range b.Choices {
			mark := map[bool]string{true: "*"}[i == b.Today] + map[bool]string{true: ">"}[i == b.Proposed]
			fmt.Fprintf(t, "%s%d\t%d\t%s\t%d\t%s\t%s\t%d\t\n", mark, c.Rows, c.Groups, terminal.Percent(c.RowsLeftOut), c.RowsWithin, terminal.Mean(c.Error), terminal.Percent(c.GroupsLeftOut), c.PersonsWithin)
		}
		if err := t.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(w)
		terminal.Paragraph(w, proposedText(b))
	}
	_, err := fmt.Fprint(w, "\n"+boundsLegend)
	return err
}

func proposedText(b *assess.Bounds) string {
	c, today := b.Choices[b.Proposed], b.Choices[b.Today]
	if b.Proposed == b.Today {
		return "Today's bounds are those that would be proposed for this question."
	}
	return fmt.Sprintf("Proposed for this question is rows: %d, groups: %d, which leave out %s of the rows, instead of %s today; the error of a cell is then %s instead of %s.",
		c.Rows, c.Groups, terminal.Percent(c.RowsLeftOut), terminal.Percent(today.RowsLeftOut), terminal.Mean(c.Error), terminal.Mean(today.Error))
}

const boundsLegend = `* is today's setting, > what is proposed: the bound on rows with the least error of a count of rows in a cell (bias and noise together, if
what is left out is spread evenly over the cells), with the least bound on groups that is within 5% of it. A larger bound on groups costs
counts of persons by groups, and thresholds, more noise. Choose bounds for all questions that matter, and round numbers: bounds that
follow from the rows tell something of them.
`
