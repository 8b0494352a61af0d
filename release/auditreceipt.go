package release

import (
	"context"
	"fmt"
	"strings"

	"tacit/accountant"
	"tacit/auditor"
	"tacit/policy"
)

// shownDigits are the significant digits of risks that analysts are told: up of what was spent, down of what is left.
const shownDigits = 3

// An AuditReceipt tells what an auditor did with the counts of a statement about one table. Nothing in it depends on a count that was not
// released.
type AuditReceipt struct {
	Epsilon policy.Epsilon
	AuditTally
	// Spent is the risk of this answer. TableLeft and AnalystLeft are what remains; AnalystLeft is nil for an analyst without a cap on it.
	Spent, TableLeft policy.Risk
	AnalystLeft      *policy.Risk
	// Alarm says since when and why nothing new is released; "" while there is no alarm. Frozen is why the steward has stopped it.
	Alarm, Frozen string
}

// An AuditTally counts the counts of cells by what became of them.
type AuditTally struct {
	// Public facts need no decision: whoever counts in them does so whatever her private value is.
	Public int
	// Free counts follow from what was released before, or belong to a plan that was certified once and for all.
	Free, Certified int
	// Released and Suppressed were decided about.
	Released, Suppressed int
}

// Total is how many counts there are.
func (t AuditTally) Total() int {
	return t.Public + t.Free + t.Certified + t.Released + t.Suppressed
}

func (t *AuditTally) add(other AuditTally) {
	t.Public += other.Public
	t.Free += other.Free
	t.Certified += other.Certified
	t.Released += other.Released
	t.Suppressed += other.Suppressed
}

// receipt adds a line for each audited table.
func (a *auditing) receipt(ctx context.Context, r *Receipt) error {
	for _, p := range a.parts {
		line, err := a.receiptLine(ctx, p)
		if err != nil {
			return err
		}
		line.Audit.AuditTally, line.Audit.Spent = p.tally(), p.spent
		r.Lines = append(r.Lines, line)
		if !p.written {
			a.ledger.Note(accountant.Event{Analyst: a.ask.Analyst, Table: p.table.Policy.Name, Verdict: accountant.Replayed, SQL: a.ask.SQL})
		}
	}
	return nil
}

// receiptLine has what is left.
func (a *auditing) receiptLine(ctx context.Context, p *auditPart) (ReceiptLine, error) {
	t := p.table.Policy
	line := ReceiptLine{Table: t.Name, Mechanism: string(policy.Audit), Audit: &AuditReceipt{Epsilon: t.Mechanism.Audit.Epsilon}}
	s, err := a.standing(ctx, p)
	if err != nil {
		return line, err
	}
	left := leftOfRisk(s)
	line.Audit.TableLeft, line.Audit.Alarm, line.Audit.Frozen = left.Table, p.book.state.Alarm(), s.Frozen
	if a.cap != nil && a.cap.Risk != policy.NoRiskCap {
		line.Audit.AnalystLeft = &left.Analyst
	}
	return line, nil
}

// tally counts the counts of all cells by what became of them.
func (p *auditPart) tally() AuditTally {
	var t AuditTally
	for _, q := range p.queries {
		for _, counts := range q.counts {
			for _, c := range counts {
				t.take(p, c)
			}
		}
	}
	return t
}

// take adds one count.
func (t *AuditTally) take(p *auditPart, c auditedCount) {
	if c.question < 0 {
		t.Public++
		return
	}
	t.count(p.became(c))
}

// count adds one count that was decided about.
func (t *AuditTally) count(o auditor.Outcome) {
	switch o {
	case auditor.Free:
		t.Free++
	case auditor.Certified:
		t.Certified++
	case auditor.Released:
		t.Released++
	default:
		t.Suppressed++
	}
}

// parts says what became of the counts.
func (t AuditTally) parts() string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{
		{t.Released, "released"}, {t.Certified, "certified"}, {t.Free, "free"}, {t.Public, "public"}, {t.Suppressed, "suppressed (NULL)"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	if len(parts) == 0 {
		return "no counts"
	}
	return strings.Join(parts, ", ")
}

func (r *AuditReceipt) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "exact counts by a simulatable auditor (epsilon %v): %s; ", r.Epsilon, r.parts())
	if r.Spent == 0 {
		b.WriteString("no risk spent")
	} else {
		fmt.Fprintf(&b, "risk spent %v", r.Spent.RoundUp(shownDigits))
	}
	fmt.Fprintf(&b, "; left: table %v", r.TableLeft.RoundDown(shownDigits))
	if r.AnalystLeft != nil {
		fmt.Fprintf(&b, ", yours %v", r.AnalystLeft.RoundDown(shownDigits))
	}
	if r.Alarm != "" {
		b.WriteString("; nothing new is released since " + r.Alarm)
	}
	if r.Frozen != "" {
		b.WriteString("; frozen: " + r.Frozen)
	}
	return b.String()
}
