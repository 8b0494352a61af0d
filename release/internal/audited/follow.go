package audited

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/auditor"
	"tacit/policy"
	"tacit/release/internal/epoch"
)

// pollAudit is how often the ledger is asked whether another proxy's round has been answered.
const pollAudit = 20 * time.Millisecond

// PresentBook returns the book of a table as the log is now: nil if no epoch of it was ever sealed. It brings the book that was read before
// up to date, if there is one. The ledger's sums have all of its events, too: what is left of the budget when something is decided is what
// these have left of it, or else others have followed, and the decision is not written down.
//
// A round of a living proxy that is about to open counts is waited for, at most as long as a count may take: who decides before it is
// answered overtakes it, and its risk is spent for nothing. A round that has no answer then, or whose proxy is dead, has let nothing out,
// and never will once another event follows.
func PresentBook(ctx context.Context, l *ledger.Ledger, name policy.TableName, book *Book, patience time.Duration) (*Book, error) {
	for deadline := time.Now().Add(patience); ; {
		mark, err := l.AuditMark(ctx, name)
		if err != nil {
			return nil, err
		}
		switch {
		case book.isAt(mark):
			return book, nil
		case book != nil && book.Last > mark.Sequence:
			if err := l.Follow(ctx); err != nil {
				return nil, err
			}
			continue
		case book != nil && book.Last == mark.Sequence: // an answer came after its event was read
			book = nil
		}
		events, err := l.AuditEvents(ctx, name, book.read())
		if err != nil || book == nil && len(events) == 0 {
			return nil, err
		}
		if AwaitsAnswer(events, mark) && time.Now().Before(deadline) {
			if err := pause(ctx, pollAudit); err != nil {
				return nil, err
			}
			continue
		}
		if book, err = book.with(l, name, events); err != nil {
			return nil, err
		}
	}
}

// isAt reports whether the book has come as far as the log. An answer that the ledger has not taken in yet changes none of its sums.
func (b *Book) isAt(m ledger.AuditMark) bool {
	return b != nil && b.Last == m.Sequence && b.Answers >= m.Answers
}

// read is the number of the last event that the book has; 0 of no book.
func (b *Book) read() int64 {
	if b == nil {
		return 0
	}
	return b.Last
}

// AwaitsAnswer reports whether the last event is a round that opens counts, and that another process, which lives, may still answer.
func AwaitsAnswer(events []accountant.AuditEvent, m ledger.AuditMark) bool {
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
func (b *Book) with(ledger epoch.Log, name policy.TableName, events []accountant.AuditEvent) (*Book, error) {
	switch {
	case len(events) == 0:
		return b, nil
	case b == nil:
		return newBook(ledger, name, events)
	case slices.ContainsFunc(events, func(e accountant.AuditEvent) bool { return epoch.OpensEpoch(e.Kind) }):
		return nil, nil
	}
	steps, _, err := epoch.Events(events)
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
