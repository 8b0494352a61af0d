package reply

import (
	"fmt"
	"strings"

	"tacit/auditor"
	"tacit/policy"
)

// ShownDigits are the significant digits of risks that analysts are told: up of what was spent, down of what is left.
const ShownDigits = 3

// An AuditReceipt tells what an auditor did with the counts of a statement about one table. Nothing in it depends on a count that was not
// released.
type AuditReceipt struct {
	Epsilon policy.Epsilon
	AuditTally
	// Spent is the risk of this answer. TableLeft and AnalystLeft are what remains; AnalystLeft is nil for an analyst without a cap on it.
	Spent, TableLeft policy.Risk
	AnalystLeft      *policy.Risk
	// AsksAnew says that the analyst wants new or young answers, which an exact count cannot be: it is that of the sealed epoch.
	AsksAnew bool
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

// Count adds one count that was decided about.
func (t *AuditTally) Count(o auditor.Outcome) {
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
		fmt.Fprintf(&b, "risk spent %v", r.Spent.RoundUp(ShownDigits))
	}
	fmt.Fprintf(&b, "; left: table %v", r.TableLeft.RoundDown(ShownDigits))
	if r.AnalystLeft != nil {
		fmt.Fprintf(&b, ", yours %v", r.AnalystLeft.RoundDown(ShownDigits))
	}
	if r.AsksAnew {
		b.WriteString("; tacit.fresh and tacit.max_age do not apply: the counts are those of the sealed epoch")
	}
	if r.Alarm != "" {
		b.WriteString("; nothing new is released since " + r.Alarm)
	}
	if r.Frozen != "" {
		b.WriteString("; frozen: " + r.Frozen)
	}
	return b.String()
}
