package seal

import (
	"context"
	"fmt"
	"time"

	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/internal/epoch"
)

// A Decision is one event of an audited table, as its log has it: what was decided about the counts that somebody asked for, and what that was charged.
// It has no count.
type Decision struct {
	Event     int64
	At        time.Time
	Kind      string // the auditor's: opened, round, sealed or acknowledged
	Analyst   string
	Statement string
	// What became of the counts of a round. Certified ones are exact, and Free follow from what was released.
	Released, Certified, Free, Suppressed int
	// Answered says that what was released, if anything was, is in the ledger.
	Answered bool
	Risk     policy.Risk
	// Total is what was charged up to and with this event.
	Total policy.Risk
}

// Decisions are those of a table, oldest first, from its log in the ledger alone; none if no epoch was sealed. Cells are those that were withheld last
// in this epoch, the newest statement first, most at most.
func Decisions(ctx context.Context, l *ledger.Reader, name policy.TableName, most int) ([]Decision, []WithheldCell, error) {
	events, err := l.AuditEvents(ctx, name, 0)
	if err != nil || len(events) == 0 {
		return nil, nil, err
	}
	steps, facts, err := epoch.Events(events)
	if err != nil {
		return nil, nil, err
	}
	var total policy.Risk
	decisions := make([]Decision, len(events))
	for i, e := range events {
		one := &Proof{Table: name}
		if err := one.take(e, steps[i]); err != nil {
			return nil, nil, fmt.Errorf("event %d of %v: %w", e.Sequence, name, err)
		}
		total += e.Risk
		decisions[i] = Decision{
			Event: e.Sequence, At: e.At, Kind: e.Kind, Analyst: e.Analyst, Statement: e.Statement, Released: one.Released, Certified: one.Certified, Free: one.Free,
			Suppressed: one.Suppressed, Answered: one.Unanswered == 0, Risk: e.Risk, Total: total,
		}
	}
	cells, err := withheldCells(decisions, steps, facts, most)
	return decisions, cells, err
}
