package release

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tacit/accountant"
	"tacit/policy"
)

// A Receipt tells an analyst what an answer cost and how exact it is.
type Receipt struct {
	Lines []ReceiptLine // one for each protected table of the statement
}

// A ReceiptLine is about one protected table. Nothing in it depends on protected rows.
type ReceiptLine struct {
	Table     policy.TableName
	Mechanism string
	// Description tells what the mechanism does to counts; to the noisiest, if the answer has several.
	Description string
	// HalfWidth95 bounds the noise of a count with probability 0.95; of the noisiest, if the answer has several counts.
	HalfWidth95 int64
	// Person bounds what one person counts for; nil if each row is a person.
	Person *policy.Person
	// Threshold that noisy counts of unknown keys had to reach; 0 if all keys were declared.
	Threshold int64
	// Withheld is how many counts are suppressed, of Counts.
	Withheld, Counts int
	// TooManyCells says that the threshold was applied only because there are too many declared cells.
	TooManyCells bool
	// Totals says that grouping sets add up cells, and with them their noise. Fitted says that they add up cells that were fitted to
	// what was measured of the totals. The answer may have both.
	Totals, Fitted bool
	// Filled says that cells which these totals add up may be fill values.
	Filled bool
	// Charged is the loss of this answer by itself, zero if it was free. What it takes of the budget is often less, see Composition.
	Charged accountant.Loss
	// New counts the releases that were made and charged, Adopted those that were made under an earlier charge, which nobody was answered
	// under, and Replayed those that were answered from the ledger.
	New, Adopted, Replayed int
	// Derived is about the questions that were answered by what follows from releases; nil if there are none.
	Derived *DerivedAnswers
	balance
	// Audit is set of a table whose counts an auditor decided about, and then of what stands above only Table and Mechanism are.
	Audit *AuditReceipt
}

// charged reports whether anything was.
func (r *Receipt) charged() bool {
	return slices.ContainsFunc(r.Lines, func(l ReceiptLine) bool { return l.Charged != accountant.Loss{} })
}

func (a *answer) receipt(ctx context.Context) (*Receipt, error) {
	r := &Receipt{}
	index := make(map[policy.TableName]int)
	counted := make(map[policy.TableName]map[[32]byte]bool)
	for _, p := range a.plans {
		for _, table := range p.tables {
			i, ok := index[table.Name]
			if !ok {
				line, err := a.receiptLine(ctx, p, table)
				if err != nil {
					return nil, err
				}
				i = len(r.Lines)
				index[table.Name] = i
				r.Lines = append(r.Lines, line)
				counted[table.Name] = make(map[[32]byte]bool)
			}
			r.Lines[i].take(p, counted[table.Name])
		}
	}
	return r, nil
}

// take adds the questions of a plan but those that were counted.
func (l *ReceiptLine) take(p *plan, counted map[[32]byte]bool) {
	l.Totals = l.Totals || p.query.Totals && p.margins == nil
	l.Fitted = l.Fitted || p.margins != nil
	l.Filled = l.Filled || slices.ContainsFunc(p.questions, p.addsFills)
	if p.byThreshold {
		l.Threshold, l.TooManyCells = p.questions[0].mechanism.Threshold(), p.tooMany
	}
	for _, q := range p.questions {
		if w := q.halfWidth95(); l.Description == "" || w > l.HalfWidth95 {
			l.HalfWidth95, l.Description = w, q.describe()
		}
		if !counted[q.ledger.Key] {
			l.Withheld += q.released.withheld()
			l.Counts += len(q.released.counts)
		}
		switch {
		case counted[q.ledger.Key] || len(q.released.counts) == 0 && !p.byThreshold:
		case q.derived != nil:
			l.takeDerived(q)
		case q.replayed:
			l.Replayed++
		case q.adopted:
			l.Adopted++
		default:
			l.New++
		}
		counted[q.ledger.Key] = true
	}
}

func (a *answer) receiptLine(ctx context.Context, p *plan, table *policy.Table) (ReceiptLine, error) {
	line := ReceiptLine{
		Table: table.Name, Mechanism: string(p.questions[0].mechanism.Kind()), Person: p.terms.Person, Charged: a.paid[table.Name],
	}
	var err error
	line.balance, err = a.balance(ctx, table)
	return line, err
}

// Notice is the receipt as one line of text for each table.
func (r *Receipt) Notice() string {
	lines := make([]string, len(r.Lines))
	for i, l := range r.Lines {
		lines[i] = l.String()
	}
	return strings.Join(lines, "\n")
}

// totals says what totals of grouping sets are made of.
func (l ReceiptLine) totals() string {
	switch {
	case l.Fitted && l.Totals:
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
		return "totals leave out what is withheld, and add up the noise of the rest"
	case !policy.Kind(l.Mechanism).Guaranteed():
		return "totals add up the cells that are shown"
	}
	return "totals add up the noise of their cells"
}

func (l ReceiptLine) String() string {
	if l.Audit != nil {
		return l.Table.String() + ": " + l.Audit.String()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", l.Table, l.Description)
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
	if l.Totals || l.Fitted {
		b.WriteString("; " + l.totals())
	}
	if l.Person != nil {
		fmt.Fprintf(&b, "; each person counts for at most %d rows in %d groups", l.Person.Rows, l.Person.Groups)
	}
	b.WriteString("; " + l.cost())
	if l.Derived != nil && l.Derived.freshText() != "" {
		b.WriteString("; " + l.Derived.freshText())
	}
	b.WriteString("; " + l.balance.String())
	return b.String()
}

// cost says what was charged, and why the rest was free.
func (l ReceiptLine) cost() string {
	free, charged := strings.Join(l.free(), ", "), ""
	if l.Charged != (accountant.Loss{}) {
		charged = "charged " + l.Charged.RoundUp(lossDigits).String()
		if l.Blocks != nil {
			charged += " to " + l.Blocks.String()
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
	return "free (no cells)"
}

// free are the reasons for which releases cost nothing.
func (l ReceiptLine) free() (reasons []string) {
	if l.Replayed > 0 {
		reasons = append(reasons, "answered before")
	}
	if l.Adopted > 0 {
		reasons = append(reasons, "answered under an earlier charge")
	}
	if l.Derived != nil {
		reasons = append(reasons, l.Derived.String())
	}
	return reasons
}
