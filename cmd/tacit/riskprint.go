package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tacit/policy"
	"tacit/release"
	"tacit/risk"
)

// write prints the assessment, and then draws the files that were asked for: figures are not lost with a picture.
func (f *riskFlags) write(cmd *cobra.Command, a *riskAssessment) error {
	show := a.print
	if f.json {
		show = a.printJSON
	}
	if err := show(cmd.OutOrStdout()); err != nil {
		return err
	}
	return f.draw(cmd.ErrOrStderr(), a)
}

func (a *riskAssessment) print(w io.Writer) error {
	fmt.Fprintf(w, "%s\n\n", assessmentNotice)
	paragraph(w, fmt.Sprintf("What someone who knows %s of a person learns from %v. %s", strings.Join(a.request.Quasi, ", "), a.table.Name, a.mechanismText()))
	for i := range a.attributes {
		if err := a.printAttribute(w, &a.attributes[i]); err != nil {
			return err
		}
	}
	if a.overall != nil {
		if err := a.printOverall(w); err != nil {
			return err
		}
	}
	if a.problem == nil {
		fmt.Fprintln(w)
		paragraph(w, a.legend())
	}
	return nil
}

// mechanismText is what the policy says of an answer.
func (a *riskAssessment) mechanismText() string {
	m := a.table.Mechanism
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
	if m.Kind == policy.Gaussian || m.Kind == policy.DiscreteGaussian {
		text += ", delta " + m.Delta.String()
	}
	return text + fmt.Sprintf(" (%s).", a.table.Adjacency)
}

// persons is what is counted.
func (a *riskAssessment) persons() string { return string(a.attributes[0].Counted) }

func (a *riskAssessment) printAttribute(w io.Writer, r *attributeRisk) error {
	fmt.Fprintf(w, "\nSENSITIVE: %s\n", r.Name)
	paragraph(w, "The question: "+r.Question)
	paragraph(w, labelsText(r))
	if r.Refusal != "" {
		paragraph(w, "Analysts who ask the question as it stands are told: "+r.Refusal)
	}
	fmt.Fprintln(w)
	if r.cells.All.Cells == 0 {
		text := fmt.Sprintf("There are no %s in any cell, so that there is nothing to disclose.", a.persons())
		if outside := a.outsideCells(r); outside != "" {
			text += " " + outside
		}
		if a.target != nil {
			text += " The target says nothing yet: ask again when there are."
		}
		paragraph(w, text)
		return nil
	}
	if err := a.printCells(w, r.cells); err != nil {
		return err
	}
	if text := a.outsideCells(r); text != "" {
		paragraph(w, text)
	}
	if r.today == nil {
		return nil
	}
	fmt.Fprintf(w, "\nRisk (%s measure: %s)\n", a.measure.name, a.measure.what())
	if text := r.law.String(); text != "" {
		paragraph(w, "Fitted: "+text)
	}
	if err := a.printRisks(w, r); err != nil {
		return err
	}
	if r.curve != nil {
		fmt.Fprintf(w, "\n%s", a.terminalCurve(r))
	}
	if r.floor != nil {
		fmt.Fprintln(w)
		paragraph(w, a.floorText(r))
	}
	if a.target != nil {
		fmt.Fprintln(w)
		paragraph(w, a.inverseText(r))
	}
	return nil
}

// String says which laws were fitted.
func (l riskLaw) String() string {
	var parts []string
	switch {
	case l.sizes == poissonSizes:
		parts = append(parts, fmt.Sprintf("sizes of cells are Poisson with mean %.6g before the condition that a cell has anybody", l.parameters[0]))
	case l.sizes == negativeBinomialSizes && l.parameters[0] == 0:
		parts = append(parts, fmt.Sprintf("sizes of cells are logarithmic (the limit of negative binomial ones at shape 0) with success %.6g", l.parameters[1]))
	case l.sizes == negativeBinomialSizes:
		parts = append(parts, fmt.Sprintf("sizes of cells are negative binomial with shape %.6g, success %.6g, before the condition that a cell has anybody", l.parameters[0], l.parameters[1]))
	}
	if l.alpha != nil {
		const most = 12 // labels that are listed
		sum, some := 0.0, []string{}
		for i, x := range l.alpha {
			sum += x
			if i < most {
				some = append(some, strconv.FormatFloat(x, 'g', 4, 64))
			}
		}
		if len(l.alpha) > most {
			some = append(some, "...")
		}
		parts = append(parts, fmt.Sprintf("shares of labels have a Dirichlet distribution with alpha %s (sum %.4g; labels by frequency)", strings.Join(some, ", "), sum))
	}
	return strings.Join(parts, "; ")
}

// labelsText says how many labels there are, and how analysts learn which cells there are.
func labelsText(r *attributeRisk) string {
	labels := fmt.Sprintf("Labels that are declared (NULL included, where it can be): %d; that occur: %d", r.Cells.Labels, r.Seen)
	if r.LabelsSeen {
		labels = fmt.Sprintf("Labels that occur: %d; which there can be is not declared", r.Seen)
	}
	switch {
	case r.Keys == release.ThresholdKeys && r.Parts:
		return labels + ". All values are declared, but they have more combinations than one answer may have (limits.cells). So analysts are shown only combinations that pass a private threshold; " +
			"labels that nobody has are never shown. If they ask for parts of them, what is declared decides, and the risk is another: ask for the same parts, or raise limits.cells."
	case r.Keys == release.ThresholdKeys:
		return labels + ". Analysts are shown only combinations that pass a private threshold; labels that nobody has are never shown."
	case r.Keys == release.RefusedKeys:
		return labels + ". Analysts are refused, since not all values are declared; the figures are those that they would be if what occurs were declared."
	case r.Parts:
		return labels + ". There are too many combinations for one answer (limits.cells): analysts can ask for parts of them."
	}
	return labels + "."
}

func (a *riskAssessment) printCells(w io.Writer, d risk.Description) error {
	t := newAligned(w)
	fmt.Fprintf(t, "\tCELLS\t\t%s\t\t\n", strings.ToUpper(a.persons()))
	for _, group := range []struct {
		name string
		risk.Group
	}{{"homogeneous", d.Homogeneous}, {"of these unique", d.Unique}, {"heterogeneous", d.Heterogeneous}, {"all", d.All}} {
		fmt.Fprintf(t, "%s\t%d\t%s\t%d\t%s\t\n", group.name, group.Cells, percent(share(group.Cells, d.All.Cells)), group.Records, percent(share(group.Records, d.All.Records)))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "A cell has %d to %d %s, %s on average.\n", d.Smallest, d.Largest, a.persons(), meanText(d.Mean))
	return err
}

// outsideCells says who is in no cell, and of how many persons what is counted is.
func (a *riskAssessment) outsideCells(r *attributeRisk) string {
	var parts []string
	if r.Undeclared > 0 {
		parts = append(parts, fmt.Sprintf("In no cell, since a value is not declared: %d %s (%s of all).", r.Undeclared, r.Counted, percent(share(r.Undeclared, r.Undeclared+r.cells.All.Records))))
	}
	switch r.Counted {
	case release.CountedContributions:
		parts = append(parts, fmt.Sprintf("The table has %d persons. A contribution is a person in a cell and a label: one person may have several, within the policy's bounds, and a unique one may be of a person who has others.", a.people))
	case release.CountedRows:
		parts = append(parts, fmt.Sprintf("The table has %d persons, who may have several rows each.", a.people))
	}
	return strings.Join(parts, " ")
}

func share(part, whole int64) float64 { return float64(part) / float64(whole) }

// meanText writes a mean in four digits, and all of those before the point.
func meanText(mean float64) string {
	if mean >= 1000 {
		return strconv.FormatFloat(mean, 'f', 0, 64)
	}
	return strconv.FormatFloat(mean, 'g', 4, 64)
}

func (a *riskAssessment) printRisks(w io.Writer, r *attributeRisk) error {
	t := newAligned(w)
	fmt.Fprintln(t, "\tEPSILON\t"+strings.Join(a.riskHeadings(r), "\t")+"\t")
	line := func(mark, epsilon string, f *riskFigures) {
		if f != nil {
			fmt.Fprintf(t, "%s\t%s\t%s\t\n", mark, epsilon, strings.Join(a.riskCells(f), "\t"))
		}
	}
	line("", "to 0", r.floor)
	for _, p := range r.around {
		mark := ""
		if p.Epsilon == epsilonValue(a.table.Mechanism.Epsilon) {
			mark = "*"
		}
		line(mark, figure(p.Epsilon), &p.Risk)
	}
	if len(r.around) == 0 {
		line("*", "-", r.today)
	}
	line("", "no noise", r.ceiling)
	return t.Flush()
}

// riskHeadings and riskCells are the columns of figures.
func (a *riskAssessment) riskHeadings(r *attributeRisk) []string {
	switch {
	case a.measure.marginal():
		return []string{"EVENT", "RECORDS"}
	case r.today.homogeneous != nil:
		return []string{"EVENT", "BY SIZE", "RECORDS", "BY SIZE", "HOMOGENEOUS"}
	}
	return []string{"EVENT", "BY SIZE", "RECORDS", "BY SIZE"}
}

func (a *riskAssessment) riskCells(f *riskFigures) []string {
	if a.measure.marginal() {
		return []string{percent(f.event.Unweighted), percent(f.records.Unweighted)}
	}
	cells := []string{percent(f.event.Unweighted), percent(f.event.Weighted), percent(f.records.Unweighted), percent(f.records.Weighted)}
	if f.homogeneous != nil {
		cells = append(cells, percent(*f.homogeneous))
	}
	return cells
}

// floorText says what is left of the risk however much noise there is, and whether that is something to compare with.
func (a *riskAssessment) floorText(r *attributeRisk) string {
	text := fmt.Sprintf("As epsilon falls to 0, each figure tends to its own in the first row, not to 0: noise alone shows just one label now and then, each of the %d with probability 2^-%d. "+
		"So much is chance: who sees it cannot tell whether it is the truth.", r.Cells.Labels, r.Cells.Labels)
	if a.belowFloor(r) {
		text += " Today's figures are not all above that: a cell with several labels shows just one the less often the larger its counts are"
		if a.table.Mechanism.K > 0 {
			text += ", and one of few persons shows none"
		}
		text += ". Chance is no baseline of such cells."
		if r.today.homogeneous != nil {
			text += fmt.Sprintf(" What the counts give away is to be seen in homogeneous cells: the label of %s of their persons is told today, %s by chance.",
				percent(*r.today.homogeneous), percent(*r.floor.homogeneous))
		}
	}
	return text
}

// belowFloor says whether a figure of today's is less than chance.
func (a *riskAssessment) belowFloor(r *attributeRisk) bool {
	for _, name := range figureNames {
		if r.today.of(figureName(name)) < r.floor.of(figureName(name)) {
			return true
		}
	}
	return false
}

func (a *riskAssessment) printOverall(w io.Writer) error {
	fmt.Fprintf(w, "\nALL %d ATTRIBUTES, each asked once at today's epsilon; the losses add up\n", len(a.attributes))
	t := newAligned(w)
	fmt.Fprintln(t, "\tEVENT\tBY SIZE\tRECORDS\tBY SIZE\t")
	for _, line := range []struct {
		name           string
		event, records risk.Average
	}{{"largest of a cell's", a.overall.event.Bounded, a.overall.records.Bounded}, {"sum, attributes disclosed", a.overall.event.Unbounded, a.overall.records.Unbounded}} {
		form := percent
		if line.name != "largest of a cell's" {
			form = attributesText
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t\n", line.name, form(line.event.Unweighted), form(line.event.Weighted), form(line.records.Unweighted), form(line.records.Weighted))
	}
	return t.Flush()
}

// percent writes a probability in three digits.
func percent(p float64) string {
	switch {
	case p == 0:
		return "0%"
	case p < 1e-5:
		return "<0.001%"
	case p < 1 && p > 0.9995:
		return ">99.95%"
	}
	return strconv.FormatFloat(100*p, 'g', 3, 64) + "%"
}

// attributesText writes a number of attributes in three digits.
func attributesText(x float64) string {
	if x > 0 && x < 1e-5 {
		return "<0.00001"
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// legend explains the columns.
func (a *riskAssessment) legend() string {
	text := "EVENT is the share of cells of which exactly one label is shown, one that the cell has; RECORDS the share of their " + a.persons() + " who have it"
	switch {
	case a.measure.marginal():
		text += "."
	case slices.ContainsFunc(a.attributes, func(r attributeRisk) bool { return r.today != nil && r.today.homogeneous != nil }):
		text += "; BY SIZE, a cell counts as often as it has " + a.persons() + "; HOMOGENEOUS is the share of those in homogeneous cells whose label is told."
	default:
		text += "; BY SIZE, a cell counts as often as it has " + a.persons() + "."
	}
	text += " * is today's setting. Exact, from the distribution of the noise."
	of := "these counts"
	if a.measure.name != localMeasure {
		of = "counts of cells drawn so"
	}
	return text + " It is the risk of one release of " + of + ", to someone who knows the quasi-identifiers and nothing else: no guarantee. docs/risk.md says what it means."
}

// An aligned table has its columns aligned to the right, and no blanks at the ends of lines.
type aligned struct {
	*tabwriter.Writer
	text *strings.Builder
	out  io.Writer
}

func newAligned(w io.Writer) aligned {
	var b strings.Builder
	return aligned{tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight), &b, w}
}

// Flush writes the table.
func (t aligned) Flush() error {
	if err := t.Writer.Flush(); err != nil {
		return err
	}
	for line := range strings.Lines(t.text.String()) {
		if _, err := fmt.Fprintln(t.out, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

// paragraph writes text in lines of a terminal's width.
func paragraph(w io.Writer, text string) {
	const width = 118
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			fmt.Fprintln(w, line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	fmt.Fprintln(w, line)
}
