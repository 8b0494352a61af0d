package reply

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tacit/accountant"
	"tacit/policy"
)

// A Receipt tells an analyst what an answer cost and how exact it is.
type Receipt struct {
	Lines []ReceiptLine // one for each protected table of the statement of which rows are counted
	Lists []List        // of values that are shown without counts
}

// A ReceiptLine is about one protected table. Nothing in it depends on protected rows.
type ReceiptLine struct {
	Table     policy.TableName
	Mechanism string
	// Description tells what the mechanism does to counts; to the noisiest, if the answer has several.
	Description string
	// HalfWidth95 bounds the noise of a count with probability 0.95; of the noisiest, if the answer has several counts.
	HalfWidth95 int64
	// Shares are what a share of tacit.within stood for.
	Shares []*ShareOf
	// Sums tell how exact the answer's sums of numbers are, one for each number.
	Sums []SumError
	// Values tell what the mechanism does to each value that the answer has besides counts, or in their place.
	Values []string
	// Bounds are on what one person counts for; nil if each row is a person.
	Bounds *Bounds
	// Threshold that noisy counts of unknown keys had to reach; 0 if all keys were declared.
	Threshold int64
	// Withheld is how many counts are suppressed, of Counts.
	Withheld, Counts int
	// TooManyCells says that the threshold was applied only because there are too many declared cells.
	TooManyCells bool
	// AddsUp says that one count that is shown may add up several of the answer, and AtLeastOne that each is at least 1: see query.Beside.
	AddsUp, AtLeastOne bool
	// AtOnce is about all counts of the answer together; nil if nothing needs to be said of them.
	AtOnce *AtOnce
	// Totals are those of grouping sets that add up cells, and with them their noise; nil if there are none. Fitted says that totals add up
	// cells that were fitted to what was measured of them. The answer may have both.
	Totals *Totals
	Fitted bool
	// Together says that totals were measured together with the cells.
	Together bool
	// Filled says that cells which these totals add up may be fill values.
	Filled bool
	// Charged is the loss of this answer by itself, zero if it was free. What it takes of the budget is often less, see Composition. Of a table with
	// blocks it is what the most charged one paid; Uneven says that others paid less.
	Charged accountant.Loss
	Uneven  bool
	// New counts the releases that were made and charged, Adopted those that were made under an earlier charge, which nobody was answered
	// under, and Replayed those that were answered from the ledger.
	New, Adopted, Replayed int
	// Measured says that a workload was measured for it, which is among New.
	Measured bool
	// Jointly are the joint measurements that were made for it, which are among New.
	Jointly []JointCounts
	// NoCells says of which condition no declared value is, if that is why there are no cells.
	NoCells string
	// InParts says that some cells of one answer follow from the ledger, and others were asked.
	InParts bool
	// ReplayedAges are those of what was replayed.
	ReplayedAges Ages
	// Derived is about the questions that were answered by what follows from releases; nil if there are none.
	Derived *DerivedAnswers
	Balance
	// Audit is set of a table whose counts an auditor decided about, and then of what stands above only Table and Mechanism are.
	Audit *AuditReceipt
}

// Charged reports whether anything was.
func (r *Receipt) Charged() bool {
	return slices.ContainsFunc(r.Lines, func(l ReceiptLine) bool { return l.Charged != accountant.Loss{} })
}

// Notice is the receipt as one line of text for each table.
func (r *Receipt) Notice() string {
	lines := make([]string, len(r.Lines))
	for i, l := range r.Lines {
		lines[i] = l.String()
	}
	for _, l := range r.Lists {
		lines = append(lines, l.String())
	}
	return strings.Join(lines, "\n")
}

// AddShare adds what a share stood for, once; nil is none.
func (l *ReceiptLine) AddShare(s *ShareOf) {
	if s != nil && !slices.ContainsFunc(l.Shares, func(told *ShareOf) bool { return told.String() == s.String() }) {
		l.Shares = append(l.Shares, s)
	}
}

// AddSum adds what is said of a number, once.
func (l *ReceiptLine) AddSum(e SumError) {
	if !slices.ContainsFunc(l.Sums, func(s SumError) bool { return s.String() == e.String() }) {
		l.Sums = append(l.Sums, e)
	}
}

// AddValue adds what is told of a value, once.
func (l *ReceiptLine) AddValue(text string) {
	if !slices.Contains(l.Values, text) {
		l.Values = append(l.Values, text)
	}
}

// described says what is done to counts, sums and the first values: EXPLAIN tells of all.
func (l ReceiptLine) described() string {
	var texts []string
	if l.Description != "" {
		texts = append(texts, l.Description)
	} else if len(l.Sums) > 0 {
		texts = append(texts, l.Mechanism+" noise")
	}
	for _, s := range l.Sums {
		texts = append(texts, s.String())
	}
	texts = append(texts, l.Values[:min(len(l.Values), mostValuesTold)]...)
	if others := len(l.Values) - mostValuesTold; others > 0 {
		texts = append(texts, fmt.Sprintf("and %d other values", others))
	}
	return strings.Join(texts, "; ")
}

// mostValuesTold are as many values as are told of one by one.
const mostValuesTold = 3

// totals says what totals of grouping sets are made of.
func (l ReceiptLine) totals() string {
	switch {
	case l.Together && (l.Fitted || l.Totals != nil):
		return "some totals are measured together with their cells, others are not"
	case l.Together:
		return "totals are measured together with their cells"
	case l.Fitted && l.Totals != nil:
		return "some totals are fitted by least squares, others add up the noise of their cells"
	case l.Fitted:
		return "totals are fitted by least squares"
	case l.Filled && !policy.Kind(l.Mechanism).Guaranteed():
		return "fill values are added up in totals"
	case l.Filled:
		return "fill values are added up in totals, with the noise of the rest"
	case l.Withheld > 0 && !policy.Kind(l.Mechanism).Guaranteed():
		return "totals leave out what is withheld"
	case l.Withheld > 0:
		return "totals leave out what is withheld, and add up the noise of the rest: no ± holds for them"
	case !policy.Kind(l.Mechanism).Guaranteed():
		return "totals add up the cells that are shown"
	case l.Totals.Missing:
		return "totals add up the cells that are shown and leave out all others, so that they are too small: no ± holds for them"
	case l.Totals.Cells > 0:
		return fmt.Sprintf("totals add up the noise of their cells, at most %d, within ±%d", l.Totals.Cells, l.Totals.HalfWidth95)
	}
	return "totals add up the noise of their cells"
}

func (l ReceiptLine) String() string {
	if l.Audit != nil {
		return l.Table.String() + ": " + l.Audit.String()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", l.Table, l.described())
	for _, s := range l.Shares {
		fmt.Fprintf(&b, "; asked for %v", s)
	}
	switch {
	case l.Threshold == 0:
	case !policy.Kind(l.Mechanism).Guaranteed():
		b.WriteString("; keys whose count is withheld are not shown")
	default:
		b.WriteString(map[bool]string{false: " before selection: ", true: "; "}[policy.Kind(l.Mechanism).Suppresses()])
		if l.TooManyCells {
			b.WriteString("there are too many declared cells to show them all; ")
		}
		fmt.Fprintf(&b, "only keys whose noisy count reached %d are shown, so small groups are overstated", l.Threshold)
	}
	switch l.Withheld {
	case 0:
	case 1:
		fmt.Fprintf(&b, "; 1 of %d counts is withheld", l.Counts)
	default:
		fmt.Fprintf(&b, "; %d of %d counts are withheld", l.Withheld, l.Counts)
	}
	if l.AtOnce != nil {
		b.WriteString("; " + l.AtOnce.notice())
	}
	if l.AddsUp {
		b.WriteString("; " + addedUp(policy.Kind(l.Mechanism)))
	}
	if l.AtLeastOne {
		b.WriteString("; " + atLeastOne)
	}
	if l.Totals != nil || l.Fitted || l.Together {
		b.WriteString("; " + l.totals())
	}
	if l.Bounds != nil {
		b.WriteString("; " + l.Bounds.String())
	}
	b.WriteString("; " + l.Cost())
	if l.Derived != nil && l.Derived.freshText() != "" {
		b.WriteString("; " + l.Derived.freshText())
	}
	b.WriteString("; " + l.Balance.String())
	return b.String()
}

// Cost says what was charged, and why the rest was free.
func (l ReceiptLine) Cost() string {
	free, charged := strings.Join(l.free(), ", "), ""
	if l.Charged != (accountant.Loss{}) {
		charged = "charged "
		if l.Uneven {
			charged += "at most "
		}
		charged += l.Charged.RoundUp(lossDigits).String()
		if l.Blocks != nil {
			charged += " to " + l.Blocks.String()
		}
		for _, j := range l.Jointly {
			charged += ", " + j.String()
		}
		if l.Measured {
			charged += " with the workload, " + MeasuredOnce
		}
	}
	switch {
	case charged != "" && free != "":
		return fmt.Sprintf("%s, the rest free (%s)", charged, free)
	case charged != "":
		return charged
	case free != "":
		return fmt.Sprintf("free (%s)", free)
	}
	return "free (no cells" + l.NoCells + ")"
}

// addedUp says what counts are that add up those of several keys beside rows of other tables. How many there are depends on these rows.
func addedUp(kind policy.Kind) string {
	if !kind.Guaranteed() {
		return "a number that is shown may add up the counts of several keys"
	}
	return "a number that is shown may add up the counts of several keys, with the noise of each: no ± holds for it"
}

const atLeastOne = "count(*) is 1 or more, since it counts the row beside which nobody is"

// free are the reasons for which releases cost nothing.
func (l ReceiptLine) free() (reasons []string) {
	if l.Replayed > 0 {
		reasons = append(reasons, "answered "+l.ReplayedAges.String())
	}
	if l.Adopted > 0 {
		reasons = append(reasons, "answered under an earlier charge")
	}
	if l.Derived != nil {
		reasons = append(reasons, l.Derived.String())
	}
	return reasons
}

// How says in a few words how the statement was answered about the table: asked, replayed, derived, or by several of these.
func (l ReceiptLine) How() string {
	var how []string
	for _, h := range []struct {
		applies bool
		word    string
	}{
		{l.New > 0, "asked"}, {l.Adopted > 0, "adopted"}, {l.Replayed > 0, "replayed"}, {l.Derived != nil, "derived"}, {l.InParts, "in parts"},
		{l.Audit != nil && l.Audit.Released+l.Audit.Suppressed > 0, "decided"}, {l.Audit != nil && l.Audit.Free+l.Audit.Certified+l.Audit.Public > 0, "free"},
	} {
		if h.applies {
			how = append(how, h.word)
		}
	}
	if len(how) == 0 {
		return "no cells"
	}
	return strings.Join(how, ", ")
}

// Oldest is when the oldest of the recorded answers was given that were used; zero if none was.
func (l ReceiptLine) Oldest() time.Time {
	ages := l.ReplayedAges
	if l.Derived != nil {
		ages.Add(l.Derived.Ages.Oldest)
	}
	return ages.Oldest
}
