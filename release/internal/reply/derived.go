package reply

import (
	"fmt"
	"strings"

	"tacit/accountant"
)

// DerivedAnswers tells how questions were answered that follow from recorded releases.
type DerivedAnswers struct {
	Questions int
	// Releases are the numbers of those that the answers were computed of, rising.
	Releases []int64
	// Ages are theirs: an answer is as old as the oldest of them.
	Ages Ages
	// Cells is how many noisy cells a count is made of at most. Means is how many of the questions have weighted means of several releases.
	// Fits is how many of these are fitted to coarser releases besides.
	Cells, Means, Fits int
	// RowsOfSums is how many of the questions are counts that come with recorded sums.
	RowsOfSums int
	// OfWorkload is how many of them follow from a measured workload.
	OfWorkload int
	// Jointly is how many of them follow from counts that were measured jointly for a statement.
	Jointly int
	// LeftOut are columns: rows are in no count that have values there which are not declared.
	LeftOut []string
	// Fresh is what the statement would cost the table if all of it were asked anew, and HalfWidth95 how exact the noisiest of these questions would be.
	// Of one question in EXPLAIN, and of a statement that is answered in parts, it is what new answers to these questions would cost together.
	Fresh       accountant.Loss
	HalfWidth95 int64
	// Shown is how exact the noisiest of the derived ones is.
	Shown int64
	// Values is how many of the questions are about values, which are not among what Cells, HalfWidth95 and Shown say. These are off by
	// ShownValues ranks at most, or rows of a mode, and new answers by FreshValues.
	Values                   int
	FreshValues, ShownValues int64
}

// MeasuredOnce says what the charge for a workload is for.
const MeasuredOnce = "which is measured once: what follows from it is free"

// String says what the answers are derived from, and what is not in them.
func (d *DerivedAnswers) String() string {
	how := addedText(d.Cells)
	if d.Fits > 0 {
		how = fmt.Sprintf("counts are sums, weighted means of such, or fitted to them by least squares, of at most %d noisy cells", d.Cells)
	} else if d.Means > 0 {
		how = fmt.Sprintf("counts are sums, or weighted means of such, of at most %d noisy cells", d.Cells)
	}
	switch d.Questions {
	case d.Values:
		how = "each value is found by its counts"
	case d.Jointly:
		how = "each count follows from a joint measurement"
	case d.OfWorkload:
		how = "each count follows from the measured workload"
	case d.RowsOfSums:
		how = "each count is the number of rows that comes with its sums"
	case d.Fits:
		how = fmt.Sprintf("each count is fitted by least squares to what they give, of at most %d noisy cells", d.Cells)
	case d.Means:
		how = fmt.Sprintf("each count is a weighted mean of what they give, of at most %d noisy cells", d.Cells)
	}
	text := fmt.Sprintf("derived from %s, answered %v: %s", releasesText(d.Releases), d.Ages, how)
	if last := len(d.LeftOut) - 1; last > 0 {
		text += fmt.Sprintf("; rows with undeclared values of %s or %s are left out", strings.Join(d.LeftOut[:last], ", "), d.LeftOut[last])
	} else if last == 0 {
		text += fmt.Sprintf("; rows with undeclared values of %s are left out", d.LeftOut[0])
	}
	return text
}

// freshText says how to get a new answer, and what it would be like; nothing where it would be no better and cost.
func (d *DerivedAnswers) freshText() string {
	if d.HalfWidth95 == 0 && d.Shown == 0 && d.Cells > 1 && d.Values < d.Questions { // of sums, whose errors are said by themselves
		return fmt.Sprintf("SET tacit.fresh = on asks anew, for %s", d.Fresh.RoundUp(lossDigits))
	}
	switch counts := d.HalfWidth95 < d.Shown || len(d.LeftOut) > 0; {
	case !counts && d.FreshValues < d.ShownValues:
		return fmt.Sprintf("SET tacit.fresh = on asks anew, values within ±%d ranks for %s", d.FreshValues, d.Fresh.RoundUp(lossDigits))
	case !counts:
		return ""
	}
	return fmt.Sprintf("SET tacit.fresh = on asks anew, within ±%d for %s", d.HalfWidth95, d.Fresh.RoundUp(lossDigits))
}

func releasesText(numbers []int64) string {
	if len(numbers) == 1 {
		return fmt.Sprintf("release %d", numbers[0])
	}
	text := "releases"
	for i, n := range numbers[:min(len(numbers), maxReleasesShown)] {
		text += []string{" ", ", "}[min(i, 1)] + fmt.Sprint(n)
	}
	if others := len(numbers) - maxReleasesShown; others > 0 {
		text += fmt.Sprintf(" and %d others", others)
	}
	return text
}

// maxReleasesShown are as many as are named. EXPLAIN's JSON names all.
const maxReleasesShown = 4

func addedText(cells int) string {
	if cells == 1 {
		return "each count is one of its cells"
	}
	return fmt.Sprintf("each count adds up at most %d noisy cells", cells)
}
