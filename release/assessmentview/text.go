package assessmentview

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"tacit/internal/terminal"
	"tacit/policy"
	"tacit/release/assess"
)

// Print prints an assessment as text.
func Print(w io.Writer, a *assess.Assessment) error {
	fmt.Fprintln(w, a.Notice())
	for i := range a.Questions {
		if err := printAssessed(w, a, &a.Questions[i]); err != nil {
			return err
		}
	}
	for i := range a.Joints {
		if err := printJoint(w, a, &a.Joints[i]); err != nil {
			return err
		}
	}
	fmt.Fprintln(w)
	if slices.ContainsFunc(a.Questions, marked) || slices.ContainsFunc(a.Joints, markedJoint) {
		fmt.Fprintln(w, "* is today's setting.")
	}
	if len(a.Questions) > 0 {
		fmt.Fprint(w, assessmentLegend)
	}
	if len(a.Joints) > 0 {
		fmt.Fprint(w, jointLegend)
	}
	return nil
}

// marked says whether a row of the question is what analysts get today.
func marked(q assess.Question) bool {
	return slices.ContainsFunc(q.Mechanisms, func(m assess.Mechanism) bool { return m.Today && m.Problem == "" })
}

func markedJoint(j assess.Joint) bool {
	return slices.ContainsFunc(j.Mechanisms, func(m assess.JointMechanism) bool { return m.Today && m.Problem == "" })
}

func printAssessed(w io.Writer, a *assess.Assessment, q *assess.Question) error {
	fmt.Fprintf(w, "\n%s\n%s\n", q.Question, cellsText(a, q))
	terminal.Paragraph(w, attackText(q))
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%s\t\n", strings.Join(assessedColumns, "\t"))
	var problems []string
	for _, m := range q.Mechanisms {
		fmt.Fprintf(t, "%s\t\n", strings.Join(assessedRow(a, m), "\t"))
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
	for _, note := range assessedNotes(q) {
		fmt.Fprintln(w)
		terminal.Paragraph(w, note)
	}
	return nil
}

// assessedNotes say what must be known of a question's figures.
func assessedNotes(q *assess.Question) []string {
	var notes []string
	if q.Refusal != "" {
		notes = append(notes, refusedText(q))
	}
	if q.Threshold {
		notes = append(notes, thresholdNote)
	}
	if q.Counted == assess.CountedContributions {
		notes = append(notes, contributionsNote)
	}
	if q.Unfitted {
		notes = append(notes, unfittedNote)
	}
	return notes
}

var assessedColumns = []string{"MECHANISM", "EPSILON", "DELTA", "RHO", "BIAS (L1)", "ALPHA", "VARIANCE (MAX)", "(MEAN)", "SUPPRESSED", "RISK", "UNIQUES", "±95%"}

// assessedRow has the figures of a mechanism, in the order of the columns.
func assessedRow(a *assess.Assessment, m assess.Mechanism) []string {
	epsilon := "-"
	if m.Epsilon > 0 {
		epsilon = m.Epsilon.String()
	}
	if m.Today {
		epsilon = "*" + epsilon
	}
	row := []string{string(m.Kind), epsilon}
	if m.Problem != "" {
		for len(row) < len(assessedColumns) {
			row = append(row, "-")
		}
		return row
	}
	g := a.OwnGuarantee(m)
	risk, uniques := "-", "-"
	if m.Risk != nil {
		risk = terminal.Percent(m.Risk.Records.Weighted) + ofOneAttack(m.Kind)
	}
	if m.Uniques.Uniques > 0 {
		uniques = terminal.Percent(m.Uniques.ShareOfUniques())
	}
	fixed := func(x float64, digits int) string { return strconv.FormatFloat(x, 'f', digits, 64) }
	return append(row, deltaText(g.Delta), terminal.Figure(g.Rho), fixed(m.L1Bias, 2), fixed(m.Alpha, 3), fixed(m.MaxVariance, 2), fixed(m.MeanVariance, 2),
		fixed(100*m.Suppressed, 1)+"%", risk, uniques, strconv.FormatInt(m.HalfWidth95, 10))
}

// ofOneAttack marks a risk of which nothing follows for other attacks.
func ofOneAttack(k policy.Kind) string {
	if k.Guaranteed() {
		return ""
	}
	return "†"
}

func cellsText(a *assess.Assessment, q *assess.Question) string {
	cells := "declared " + cellsWord(q.Cells)
	switch {
	case q.Threshold && q.Refusal != "":
		cells = cellsWord(q.Cells) + " with rows"
	case q.Threshold:
		cells = cellsWord(q.Cells) + " with rows (analysts see those that pass a threshold)"
	case q.Refusal != "":
		cells = cellsWord(q.Cells) + " of combinations that somebody has"
	}
	text := fmt.Sprintf("%d %s, %d of them empty; counts up to %d, %d %s in all; %s; %s", q.Cells, cells, q.Zeros, q.Largest, q.Total, q.Counted, a.Adjacency, todayText(a))
	if q.Undeclared > 0 {
		text += fmt.Sprintf("; %d %s more (%s of all) are in no cell, since a value of theirs is not declared", q.Undeclared, q.Counted, terminal.Percent(share(q.Undeclared, q.Undeclared+q.Total)))
	}
	if q.LeftOut != nil && *q.LeftOut > 0 {
		text += fmt.Sprintf("; %d %s more (%s of all) are left out by the bounds of a person, which BIAS counts", *q.LeftOut, q.Counted, terminal.Percent(share(*q.LeftOut, *q.LeftOut+q.Undeclared+q.Total)))
	}
	return text
}

func share(part, whole int64) float64 { return float64(part) / float64(whole) }

func cellsWord(n int) string {
	if n == 1 {
		return "cell"
	}
	return "cells"
}

// todayText names the table's own mechanism.
func todayText(a *assess.Assessment) string {
	if a.Own.Epsilon == 0 {
		return fmt.Sprintf("today %s", a.Own.Kind)
	}
	return fmt.Sprintf("today %s, epsilon %v", a.Own.Kind, a.Own.Epsilon)
}

// attackText says whose risk it is, or why there is none.
func attackText(q *assess.Question) string {
	k := q.Attack
	if k.None != "" {
		return "No risk: " + k.None + "."
	}
	if k.Cells.All.Cells == 0 {
		return fmt.Sprintf("No risk: nobody is in any cell, so that there is no %s to become known.", k.Sensitive)
	}
	text := fmt.Sprintf("Risk that %s becomes known to who knows %s", k.Sensitive, strings.Join(k.Quasi, ", "))
	if k.Default {
		text += " (the last key; --sensitive names another)"
	}
	labels := fmt.Sprintf("%d labels", k.Cells.Labels)
	if k.LabelsSeen {
		labels += " that occur"
	}
	c := k.Cells
	return fmt.Sprintf("%s: %s; %d combinations have %d to %d records; %d of them are homogeneous, with %s of the records.",
		text, labels, c.All.Cells, c.Smallest, c.Largest, c.Homogeneous.Cells, terminal.Percent(float64(c.Homogeneous.Records)/math.Max(1, float64(c.All.Records))))
}

const unfittedNote = "This table fits totals by least squares; the row of its own mechanism is for cells that are not fitted. EXPLAIN has the errors of fitted ones."

const thresholdNote = "Keys that are not declared pass a private threshold. The figures are of the keys that there are: one that is not shown counts as 0, and as suppressed. " +
	"Delta has that of the threshold with it. Which labels are not shown tells of the one that is."

// refusedText has the words of the refusal, and says what the figures are then.
func refusedText(q *assess.Question) string {
	text := "Analysts are refused today: " + strings.TrimSuffix(q.Refusal, ".") + ". "
	if q.Threshold {
		return text + "The figures are those that they would be with the delta of --delta, a threshold of which would decide what is shown."
	}
	return text + "The figures are those that they would be if what occurs were declared, and asked for in parts where that is too much: of each combination of the other " +
		"keys that somebody has, with every label. --delta has those that a threshold would decide about."
}

const contributionsNote = "A person may be in several cells, and is counted once in each: contributions are counted, not persons, and one that is alone in its cell may be of somebody who " +
	"is in others, too."

const assessmentLegend = `DELTA is that at EPSILON, under the table's adjacency; near 1 it promises nothing, whatever the epsilon. That of published suppression
is 1 without a bound on counts (mechanism.bound). RHO is that of zCDP. BIAS is the sum of the cells' absolute biases, that of
what the bounds of a person leave out with them, ALPHA the largest bias minus the smallest. Counts below 0 are shown as 0, and a suppressed cell counts as k/2, unless the table's own mechanism
says otherwise. RISK is the expected share of records whose label is the only one shown of their cell (tacit risk: records, by size);
--json has the other averages. It is of this one attack: kinds marked † have no guarantee, and most of them show exact counts, so that
a low RISK of theirs is no reason to prefer them. UNIQUES is the expected share of those alone in their cell who are shown as 1.
±95% bounds the noise of a count.
`

// deltaText keeps a delta near 1 from looking like 1, and 0 apart from small ones.
func deltaText(delta float64) string {
	switch {
	case delta == 0:
		return "0"
	case delta > 0.999 && delta < 1:
		return fmt.Sprintf("1-%.1e", 1-delta)
	}
	return strconv.FormatFloat(delta, 'g', 3, 64)
}
