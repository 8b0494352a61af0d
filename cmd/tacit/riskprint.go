package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tacit/internal/terminal"
	"tacit/policy"
	"tacit/release/assess"
	"tacit/risk"
)

// write prints the assessment, and then draws the files that were asked for: figures are not lost with a picture.
func (f *riskFlags) write(cmd *cobra.Command, a riskReport) error {
	show := a.print
	if f.json {
		show = a.printJSON
	}
	if err := show(cmd.OutOrStdout()); err != nil {
		return err
	}
	return f.draw(cmd.ErrOrStderr(), a)
}

// A riskReport is shown to the steward.
type riskReport struct{ *assess.Disclosure }

func (a riskReport) print(w io.Writer) error {
	fmt.Fprintf(w, "%s\n\n", assess.Notice)
	terminal.Paragraph(w, fmt.Sprintf("What someone who knows %s of a person learns from %v. %s", strings.Join(a.Quasi, ", "), a.Table.Name, a.mechanismText()))
	for i := range a.Attributes {
		if err := a.printAttribute(w, &a.Attributes[i]); err != nil {
			return err
		}
	}
	if a.Overall != nil {
		if err := a.printOverall(w); err != nil {
			return err
		}
	}
	if a.Problem == nil {
		fmt.Fprintln(w)
		terminal.Paragraph(w, a.legend())
	}
	return nil
}

// mechanismText is what the policy says of an answer.
func (a riskReport) mechanismText() string {
	m := a.Table.Mechanism
	text := fmt.Sprintf("An answer has %s noise", m.Kind)
	if m.Kind.Suppresses() || m.Kind == policy.DPSwapping {
		text = fmt.Sprintf("An answer is of kind %s", m.Kind)
	}
	if m.K > 0 {
		text += fmt.Sprintf(" below %d", m.K)
	}
	if m.Epsilon > 0 {
		text += ", epsilon " + m.Epsilon.String()
	}
	if m.Kind.NeedsDelta() {
		text += ", delta " + m.Delta.String()
	}
	return text + fmt.Sprintf(" (%s).", a.Table.Adjacency)
}

// persons is what is counted.
func (a riskReport) counted() string { return string(a.Attributes[0].Counted) }

func (a riskReport) printAttribute(w io.Writer, r *assess.AttributeRisk) error {
	fmt.Fprintf(w, "\nSENSITIVE: %s\n", r.Name)
	terminal.Paragraph(w, "The question: "+r.Question)
	terminal.Paragraph(w, labelsText(r))
	if r.Refusal != "" {
		terminal.Paragraph(w, "Analysts who ask the question as it stands are told: "+r.Refusal)
	}
	fmt.Fprintln(w)
	if r.Description.All.Cells == 0 {
		text := fmt.Sprintf("There are no %s in any cell, so that there is nothing to disclose.", a.counted())
		if outside := a.outsideCells(r); outside != "" {
			text += " " + outside
		}
		if a.Target != nil {
			text += " The target says nothing yet: ask again when there are."
		}
		terminal.Paragraph(w, text)
		return nil
	}
	if err := a.printCells(w, r.Description); err != nil {
		return err
	}
	if text := a.outsideCells(r); text != "" {
		terminal.Paragraph(w, text)
	}
	if r.Today == nil {
		return nil
	}
	fmt.Fprintf(w, "\nRisk (%s measure: %s)\n", a.Measure.Name, a.Measure.What())
	if text := lawText(r.Law); text != "" {
		terminal.Paragraph(w, "Fitted: "+text)
	}
	if err := a.printRisks(w, r); err != nil {
		return err
	}
	if r.Curve != nil {
		fmt.Fprintf(w, "\n%s", a.terminalCurve(r))
	}
	fmt.Fprintln(w)
	terminal.Paragraph(w, a.inWords(r))
	if r.Floor != nil {
		fmt.Fprintln(w)
		terminal.Paragraph(w, a.floorText(r))
	}
	if a.Target != nil {
		fmt.Fprintln(w)
		terminal.Paragraph(w, a.inverseText(r))
	}
	return nil
}

// lawText says which laws were fitted.
func lawText(l assess.FittedLaw) string {
	var parts []string
	switch {
	case l.Sizes == assess.PoissonSizes:
		parts = append(parts, fmt.Sprintf("sizes of cells are Poisson with mean %.6g before the condition that a cell has anybody", l.Parameters[0]))
	case l.Sizes == assess.NegativeBinomialSizes && l.Parameters[0] == 0:
		parts = append(parts, fmt.Sprintf("sizes of cells are logarithmic (the limit of negative binomial ones at shape 0) with success %.6g", l.Parameters[1]))
	case l.Sizes == assess.NegativeBinomialSizes:
		parts = append(parts, fmt.Sprintf("sizes of cells are negative binomial with shape %.6g, success %.6g, before the condition that a cell has anybody", l.Parameters[0], l.Parameters[1]))
	}
	if l.Alpha != nil {
		const most = 12 // labels that are listed
		sum, some := 0.0, []string{}
		for i, x := range l.Alpha {
			sum += x
			if i < most {
				some = append(some, strconv.FormatFloat(x, 'g', 4, 64))
			}
		}
		if len(l.Alpha) > most {
			some = append(some, "...")
		}
		parts = append(parts, fmt.Sprintf("shares of labels have a Dirichlet distribution with alpha %s (sum %.4g; labels by frequency)", strings.Join(some, ", "), sum))
	}
	return strings.Join(parts, "; ")
}

// labelsText says how many labels there are, and how analysts learn which cells there are.
func labelsText(r *assess.AttributeRisk) string {
	labels := fmt.Sprintf("Labels that are declared (NULL included, where it can be): %d; that occur: %d", r.Cells.Labels, r.Seen)
	if r.LabelsSeen {
		labels = fmt.Sprintf("Labels that occur: %d; which there can be is not declared", r.Seen)
	}
	switch {
	case r.Keys == assess.ThresholdKeys && r.Parts:
		return labels + ". All values are declared, but they have more combinations than one answer may have (limits.cells). So analysts are shown only combinations that pass a private threshold; " +
			"labels that nobody has are never shown. If they ask for parts of them, what is declared decides, and the risk is another: ask for the same parts, or raise limits.cells."
	case r.Keys == assess.ThresholdKeys:
		return labels + ". Analysts are shown only combinations that pass a private threshold; labels that nobody has are never shown."
	case r.Keys == assess.RefusedKeys:
		return labels + ". Analysts are refused, since not all values are declared; the figures are those that they would be if what occurs were declared."
	case r.Parts:
		return labels + ". There are too many combinations for one answer (limits.cells): analysts can ask for parts of them."
	}
	return labels + "."
}

func (a riskReport) printCells(w io.Writer, d risk.Description) error {
	t := newAligned(w, tabwriter.AlignRight)
	fmt.Fprintf(t, "\tCELLS\t\t%s\t\t\n", strings.ToUpper(a.counted()))
	for _, group := range []struct {
		name string
		risk.Group
	}{{"homogeneous", d.Homogeneous}, {"of these unique", d.Unique}, {"heterogeneous", d.Heterogeneous}, {"all", d.All}} {
		fmt.Fprintf(t, "%s\t%d\t%s\t%d\t%s\t\n", group.name, group.Cells, terminal.Percent(share(group.Cells, d.All.Cells)), group.Records, terminal.Percent(share(group.Records, d.All.Records)))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "A cell has %d to %d %s, %s on average.\n", d.Smallest, d.Largest, a.counted(), terminal.Mean(d.Mean))
	return err
}

// outsideCells says who is in no cell, and of how many persons what is counted is.
func (a riskReport) outsideCells(r *assess.AttributeRisk) string {
	var parts []string
	if r.Undeclared > 0 {
		parts = append(parts, fmt.Sprintf("In no cell, since a value is not declared: %d %s (%s of all).", r.Undeclared, r.Counted, terminal.Percent(share(r.Undeclared, r.Undeclared+r.Description.All.Records))))
	}
	switch r.Counted {
	case assess.CountedContributions:
		parts = append(parts, fmt.Sprintf("The table has %d persons. A contribution is a person in a cell and a label: one person may have several, within the policy's bounds, and a unique one may be of a person who has others.", a.Persons))
	case assess.CountedRows:
		parts = append(parts, fmt.Sprintf("The table has %d persons, who may have several rows each.", a.Persons))
	}
	return strings.Join(parts, " ")
}

func share(part, whole int64) float64 { return float64(part) / float64(whole) }

func (a riskReport) printRisks(w io.Writer, r *assess.AttributeRisk) error {
	t := newAligned(w, tabwriter.AlignRight)
	fmt.Fprintln(t, "\tEPSILON\t"+strings.Join(a.riskHeadings(r), "\t")+"\t")
	line := func(mark, epsilon string, f *assess.Risk) {
		if f != nil {
			fmt.Fprintf(t, "%s\t%s\t%s\t\n", mark, epsilon, strings.Join(a.riskCells(f), "\t"))
		}
	}
	line("", "to 0", r.Floor)
	for _, p := range r.Around {
		mark := ""
		if p.Epsilon == a.Table.Mechanism.Epsilon.Float() {
			mark = "*"
		}
		line(mark, terminal.Figure(p.Epsilon), &p.Risk)
	}
	if len(r.Around) == 0 {
		line("*", "-", r.Today)
	}
	line("", "no noise", r.Ceiling)
	return t.Flush()
}

// riskHeadings and riskCells are the columns of figures.
func (a riskReport) riskHeadings(r *assess.AttributeRisk) []string {
	switch {
	case a.Measure.Marginal():
		return []string{"EVENT", "RECORDS"}
	case r.Today.Homogeneous != nil:
		return []string{"EVENT", "BY SIZE", "RECORDS", "BY SIZE", "HOMOGENEOUS"}
	}
	return []string{"EVENT", "BY SIZE", "RECORDS", "BY SIZE"}
}

func (a riskReport) riskCells(f *assess.Risk) []string {
	if a.Measure.Marginal() {
		return []string{terminal.Percent(f.Event.Unweighted), terminal.Percent(f.Records.Unweighted)}
	}
	cells := []string{terminal.Percent(f.Event.Unweighted), terminal.Percent(f.Event.Weighted), terminal.Percent(f.Records.Unweighted), terminal.Percent(f.Records.Weighted)}
	if f.Homogeneous != nil {
		cells = append(cells, terminal.Percent(*f.Homogeneous))
	}
	return cells
}

// floorText says what is left of the risk however much noise there is, and whether that is something to compare with.
func (a riskReport) floorText(r *assess.AttributeRisk) string {
	text := fmt.Sprintf("As epsilon falls to 0, each figure tends to its own in the first row, not to 0: noise alone shows just one label now and then, each of the %d with probability 2^-%d. "+
		"So much is chance: who sees it cannot tell whether it is the truth.", r.Cells.Labels, r.Cells.Labels)
	if a.belowFloor(r) {
		text += " Today's figures are not all above that: a cell with several labels shows just one the less often the larger its counts are"
		if a.Table.Mechanism.K > 0 {
			text += ", and one of few persons shows none"
		}
		text += ". Chance is no baseline of such cells."
		if r.Today.Homogeneous != nil {
			text += fmt.Sprintf(" What the counts give away is to be seen in homogeneous cells: the label of %s of their persons is told today, %s by chance.",
				terminal.Percent(*r.Today.Homogeneous), terminal.Percent(*r.Floor.Homogeneous))
		}
	}
	return text
}

// belowFloor says whether a figure of today's is less than chance.
func (a riskReport) belowFloor(r *assess.AttributeRisk) bool {
	for _, name := range assess.RiskFigures {
		if r.Today.Of(name) < r.Floor.Of(name) {
			return true
		}
	}
	return false
}

// inWords says what a reader looks for first: today, the target, and what is guessed right by who has seen nothing.
func (a riskReport) inWords(r *assess.AttributeRisk) string {
	of := assess.RecordsBySize
	if a.Measure.Marginal() {
		of = assess.RecordsFigure
	}
	text := fmt.Sprintf("Today the label of %s of the %s is told", terminal.Percent(r.Today.Of(of)), a.counted())
	if a.Table.Mechanism.Epsilon > 0 {
		text = fmt.Sprintf("Today, at epsilon %v, the label of %s of the %s is told", a.Table.Mechanism.Epsilon, terminal.Percent(r.Today.Of(of)), a.counted())
	}
	if a.Target != nil {
		text += fmt.Sprintf("; the target is %s (%s)", a.Target, a.Target.Of.Words())
	}
	if r.BaseRate != nil {
		text += fmt.Sprintf(". %s would be guessed right without any data, by naming the most frequent label each time", terminal.Percent(*r.BaseRate))
	}
	return text + "."
}

func (a riskReport) printOverall(w io.Writer) error {
	fmt.Fprintf(w, "\nALL %d ATTRIBUTES, each asked once at today's epsilon; the losses add up\n", len(a.Attributes))
	t := newAligned(w, tabwriter.AlignRight)
	fmt.Fprintln(t, "\tEVENT\tBY SIZE\tRECORDS\tBY SIZE\t")
	for _, line := range []struct {
		name           string
		event, records risk.Average
	}{{"largest of a cell's", a.Overall.Event.Bounded, a.Overall.Records.Bounded}, {"sum, attributes disclosed", a.Overall.Event.Unbounded, a.Overall.Records.Unbounded}} {
		form := terminal.Percent
		if line.name != "largest of a cell's" {
			form = attributesText
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t\n", line.name, form(line.event.Unweighted), form(line.event.Weighted), form(line.records.Unweighted), form(line.records.Weighted))
	}
	return t.Flush()
}

// attributesText writes a number of attributes in three digits.
func attributesText(x float64) string {
	if x > 0 && x < 1e-5 {
		return "<0.00001"
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// legend explains the columns.
func (a riskReport) legend() string {
	text := "EVENT is the share of cells of which exactly one label is shown, one that the cell has; RECORDS the share of their " + a.counted() + " who have it"
	switch {
	case a.Measure.Marginal():
		text += "."
	case slices.ContainsFunc(a.Attributes, func(r assess.AttributeRisk) bool { return r.Today != nil && r.Today.Homogeneous != nil }):
		text += "; BY SIZE, a cell counts as often as it has " + a.counted() + "; HOMOGENEOUS is the share of those in homogeneous cells whose label is told."
	default:
		text += "; BY SIZE, a cell counts as often as it has " + a.counted() + "."
	}
	text += " * is today's setting. Exact, from the distribution of the noise."
	of := "these counts"
	if a.Measure.Name != assess.LocalMeasure {
		of = "counts of cells drawn so"
	}
	return text + " It is the risk of one release of " + of + ", to someone who knows the quasi-identifiers and nothing else: no guarantee. docs/risk.md says what it means."
}
