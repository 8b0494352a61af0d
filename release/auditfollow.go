package release

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tacit/accountant"
	"tacit/auditor"
	"tacit/policy"
)

// pollAudit is how often the ledger is asked whether another proxy's round has been answered.
const pollAudit = 20 * time.Millisecond

// presentBook returns the book of a table as the log is now: nil if no epoch of it was ever sealed. It brings the book that was read before
// up to date, if there is one. The ledger's sums have all of its events, too: what is left of the budget when something is decided is what
// these have left of it, or else others have followed, and the decision is not written down.
//
// A round of a living proxy that is about to open counts is waited for, at most as long as a count may take: who decides before it is
// answered overtakes it, and its risk is spent for nothing. A round that has no answer then, or whose proxy is dead, has let nothing out,
// and never will once another event follows.
func presentBook(ctx context.Context, ledger *accountant.Ledger, name policy.TableName, book *auditBook, patience time.Duration) (*auditBook, error) {
	for deadline := time.Now().Add(patience); ; {
		mark, err := ledger.AuditMark(ctx, name)
		if err != nil {
			return nil, err
		}
		switch {
		case book.isAt(mark):
			return book, nil
		case book != nil && book.last > mark.Sequence:
			if err := ledger.Follow(ctx); err != nil {
				return nil, err
			}
			continue
		case book != nil && book.last == mark.Sequence: // an answer came after its event was read
			book = nil
		}
		events, err := ledger.AuditEvents(ctx, name, book.read())
		if err != nil || book == nil && len(events) == 0 {
			return nil, err
		}
		if awaitsAnswer(events, mark) && time.Now().Before(deadline) {
			if err := pause(ctx, pollAudit); err != nil {
				return nil, err
			}
			continue
		}
		if book, err = book.with(ledger, name, events); err != nil {
			return nil, err
		}
	}
}

// isAt reports whether the book has come as far as the log. An answer that the ledger has not taken in yet changes none of its sums.
func (b *auditBook) isAt(m accountant.AuditMark) bool {
	return b != nil && b.last == m.Sequence && b.answers >= m.Answers
}

// read is the number of the last event that the book has; 0 of no book.
func (b *auditBook) read() int64 {
	if b == nil {
		return 0
	}
	return b.last
}

// awaitsAnswer reports whether the last event is a round that opens counts, and that another process, which lives, may still answer.
func awaitsAnswer(events []accountant.AuditEvent, m accountant.AuditMark) bool {
	if len(events) == 0 {
		return false
	}
	last := events[len(events)-1]
	if last.Answer != nil || last.Kind != auditor.EventRound || last.Sequence == m.Sequence && (m.Own || !m.Alive) {
		return false
	}
	_, opens, err := auditor.Event{Kind: last.Kind, Payload: last.Payload}.Decisions()
	return err == nil && opens > 0 // what is damaged is found when it is read
}

// with is the book with the events behind it. After a new epoch, which has other facts, it is nil: the whole log is to be read.
func (b *auditBook) with(ledger auditLog, name policy.TableName, events []accountant.AuditEvent) (*auditBook, error) {
	switch {
	case len(events) == 0:
		return b, nil
	case b == nil:
		return newBook(ledger, name, events)
	case slices.ContainsFunc(events, func(e accountant.AuditEvent) bool { return sealsEpoch(e.Kind) }):
		return nil, nil
	}
	steps, _, err := auditorEvents(events)
	if err != nil {
		return nil, err
	}
	if err := b.apply(events, steps); err != nil {
		return nil, fmt.Errorf("the auditor's log of %v in the ledger is damaged: %w", name, err)
	}
	b.suppressed.known = nil // some of it may follow now
	return b, nil
}

// pause waits, unless the context ends before.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
