package assessmentview

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"tacit/internal/terminal"
	"tacit/release/assess"
)

var jointColumns = []string{"MECHANISM", "EPSILON", "PART", "±95%", "AVERAGE ±95%: LARGEST CELL", "MEDIAN", "SMALLEST", "DEVIATION ±95%", "STEP"}

// printJoint prints how exact the parts of a joint release are.
func printJoint(w io.Writer, a *assess.Assessment, j *assess.Joint) error {
	fmt.Fprintf(w, "\n%s\n", jointText(a, j))
	for i, part := range j.Parts {
		terminal.Paragraph(w, fmt.Sprintf("%d. %s", i+1, partText(part)))
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%s\t\n", strings.Join(jointColumns, "\t"))
	var problems []string
	for _, m := range j.Mechanisms {
		for _, row := range jointRows(m) {
			fmt.Fprintf(t, "%s\t\n", strings.Join(row, "\t"))
		}
		if m.Problem != "" {
			problems = append(problems, fmt.Sprintf("%s: %s", m.Kind, m.Problem))
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, problem := range problems {
		fmt.Fprintln(w, problem)
	}
	for _, note := range jointNotes(j) {
		fmt.Fprintln(w)
		terminal.Paragraph(w, note)
	}
	return nil
}

func jointText(a *assess.Assessment, j *assess.Joint) string {
	cells := "declared " + cellsWord(j.Cells)
	if !j.Declared {
		cells = cellsWord(j.Cells) + " with rows"
	}
	parts := "One part"
	if n := len(j.Parts); n > 1 {
		parts = fmt.Sprintf("%d parts, which share the loss equally", n)
	}
	return fmt.Sprintf("%s, over %d %s; %s; %s", parts, j.Cells, cells, a.Adjacency, todayText(a))
}

// partText says what is true of a part.
func partText(p assess.JointPart) string {
	n := p.Number
	if n == nil {
		return fmt.Sprintf("%s: %s.", p.Question, spreadText("counts", p.Rows))
	}
	texts := []string{spreadText("rows with a number", p.Rows), spreadText("averages", n.Averages)}
	if n.Deviations != nil {
		texts = append(texts, spreadText("deviations", *n.Deviations))
	}
	treated := "count as the nearer end"
	if n.Dropped {
		treated = "are left out"
	}
	texts = append(texts, fmt.Sprintf("%s of the numbers lie beyond %s to %s and %s", terminal.Percent(n.Beyond), n.Least, n.Greatest, treated))
	if n.LeftOut != nil {
		texts = append(texts, terminal.Percent(*n.LeftOut)+" of the rows are left out by the bounds of a person")
	}
	return fmt.Sprintf("%s: %s.", p.Question, strings.Join(texts, "; "))
}

func spreadText(what string, s assess.Spread) string {
	return fmt.Sprintf("%s from %s to %s, median %s", what, threeDigits(s.Smallest), threeDigits(s.Largest), threeDigits(s.Median))
}

// jointRows has a row for each part of a mechanism, in the order of the columns.
func jointRows(m assess.JointMechanism) (rows [][]string) {
	epsilon := strconv.FormatFloat(m.Epsilon, 'g', -1, 64)
	if m.Today {
		epsilon = "*" + epsilon
	}
	empty := slices.Repeat([]string{"-"}, len(jointColumns)-2)
	if m.Problem != "" {
		return [][]string{append([]string{string(m.Kind), epsilon}, empty...)}
	}
	for i, p := range m.Parts {
		row := append([]string{string(m.Kind), epsilon}, empty...)
		row[2], row[3] = strconv.Itoa(i+1), strconv.FormatInt(p.Count, 10)
		if p.Average != nil {
			row[3], row[8] = threeDigits(p.Sum), p.Grid
			// The larger a cell, the smaller is the error.
			row[4], row[5], row[6] = threeDigits(p.Average.Smallest), threeDigits(p.Average.Median), threeDigits(p.Average.Largest)
		}
		if p.Deviation != nil {
			row[7] = threeDigits(*p.Deviation)
		}
		rows = append(rows, row)
	}
	return rows
}

func jointNotes(j *assess.Joint) []string {
	var notes []string
	if j.Refusal != "" {
		notes = append(notes, "Analysts are refused today: "+strings.TrimSuffix(j.Refusal, ".")+".")
	}
	if j.Threshold {
		notes = append(notes, "Keys that are not declared pass a private threshold, whose count of persons is one more part. The figures are of all cells with rows; analysts see those that pass.")
	}
	return notes
}

const jointLegend = `±95% bounds the noise of a count, or the error of a sum. AVERAGE ±95% bounds that of an average in the cells with the most, the
median and the fewest rows, and is no more than the width of the range. DEVIATION ±95% bounds that of a standard deviation to
first order, in the cell with the median one. Numbers are rounded to multiples of STEP. A narrower range makes all errors smaller,
and leaves more out. A range that is chosen from these figures tells something of the rows: take round numbers.
`

// threeDigits prints a figure with three digits, or all of those before the decimal point.
func threeDigits(x float64) string {
	digits := 0
	for limit := 100.0; digits < 9 && x != 0 && x < limit && x > -limit; limit /= 10 {
		digits++
	}
	text := strconv.FormatFloat(x, 'f', digits, 64)
	if digits > 0 {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text
}
