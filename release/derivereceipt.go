package release

import (
	"fmt"
	"slices"
	"strings"

	"tacit/accountant"
)

// halfWidth95 bounds the noise of the question's counts with probability 0.95, or of the noisiest of them if they are sums.
func (q *question) halfWidth95() int64 {
	if q.derived != nil {
		return q.derived.error.HalfWidth95
	}
	return q.mechanism.HalfWidth95()
}

// biasOfZero is what showing negative counts as 0 adds to an empty cell on average.
func (q *question) biasOfZero() float64 {
	if q.derived != nil {
		return q.derived.error.BiasOfZero
	}
	return q.mechanism.BiasOfZero()
}

// describe tells in a phrase what the counts are.
func (q *question) describe() string {
	if q.derived == nil || q.derived.added == 1 {
		return q.mechanism.Describe()
	}
	text := fmt.Sprintf("%s noise of up to %d cells, each count within ±%d with probability 95%%", q.mechanism.Kind(), q.derived.added, q.halfWidth95())
	if bias := q.biasOfZero(); bias >= leastBiasShown {
		text += fmt.Sprintf(" (sums of empty cells are up to %.1f too high on average, because counts below 0 are shown as 0)", bias)
	}
	return text
}

// leastBiasShown is the least bias that is worth an analyst's attention in a notice.
const leastBiasShown = 0.5

// DerivedAnswers tells how questions were answered that follow from recorded releases.
type DerivedAnswers struct {
	Questions int
	// Releases are the numbers of those that the answers were computed of, rising.
	Releases []int64
	// Cells is how many cells a count adds up at most.
	Cells int
	// LeftOut are columns: rows are in no count that have values there which are not declared.
	LeftOut []string
	// Fresh is what new answers to these questions would cost together, and HalfWidth95 how exact the noisiest of them would be.
	Fresh       accountant.Loss
	HalfWidth95 int64
	// Shown is how exact the noisiest of the derived ones is.
	Shown int64
}

// take adds a derived question.
func (d *DerivedAnswers) take(q *question) {
	d.Questions++
	if !slices.Contains(d.Releases, q.derived.release) {
		d.Releases = append(d.Releases, q.derived.release)
		slices.Sort(d.Releases)
	}
	d.Cells = max(d.Cells, q.derived.added)
	d.LeftOut = append(d.LeftOut, q.derived.leftOut...)
	slices.Sort(d.LeftOut)
	d.LeftOut = slices.Compact(d.LeftOut)
	d.Fresh = d.Fresh.Add(q.loss)
	d.HalfWidth95, d.Shown = max(d.HalfWidth95, q.mechanism.HalfWidth95()), max(d.Shown, q.halfWidth95())
}

// String says what the answers are derived from, and what is not in them.
func (d *DerivedAnswers) String() string {
	text := fmt.Sprintf("derived from %s: %s", releasesText(d.Releases), addedText(d.Cells))
	if last := len(d.LeftOut) - 1; last > 0 {
		text += fmt.Sprintf("; rows with undeclared values of %s or %s are left out", strings.Join(d.LeftOut[:last], ", "), d.LeftOut[last])
	} else if last == 0 {
		text += fmt.Sprintf("; rows with undeclared values of %s are left out", d.LeftOut[0])
	}
	return text
}

// freshText says how to get a new answer, and what it would be like; nothing where it would be no better and cost.
func (d *DerivedAnswers) freshText() string {
	if d.HalfWidth95 >= d.Shown && len(d.LeftOut) == 0 {
		return ""
	}
	return fmt.Sprintf("SET tacit.fresh = on asks anew, within ±%d for %s", d.HalfWidth95, d.Fresh.RoundUp(lossDigits))
}

func releasesText(numbers []int64) string {
	if len(numbers) == 1 {
		return fmt.Sprintf("release %d", numbers[0])
	}
	text := "releases"
	for i, n := range numbers {
		text += []string{" ", ", "}[min(i, 1)] + fmt.Sprint(n)
	}
	return text
}

func addedText(cells int) string {
	if cells == 1 {
		return "each count is one of its cells"
	}
	return fmt.Sprintf("each count adds up at most %d noisy cells", cells)
}

// takeDerived adds a derived question to the line.
func (l *ReceiptLine) takeDerived(q *question) {
	if l.Derived == nil {
		l.Derived = &DerivedAnswers{}
	}
	l.Derived.take(q)
}

// derivation tells how one question was answered; nil if it was not derived.
func (q *question) derivation() *DerivedAnswers {
	if q.derived == nil {
		return nil
	}
	d := &DerivedAnswers{}
	d.take(q)
	return d
}

// derives says whether an answer of the statement is derived.
func (a *answer) derives() bool {
	return slices.ContainsFunc(a.plans, func(p *plan) bool {
		return slices.ContainsFunc(p.questions, func(q *question) bool { return q.derived != nil })
	})
}
