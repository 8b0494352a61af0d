package release

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"tacit/accountant"
	"tacit/auditor"
	"tacit/policy"
	"tacit/rewrite"
)

// An auditBook is all that is known of an audited table: what its log in the ledger says. It is read once and kept up to date by those who
// append to the log; whoever cannot know what became of an event forgets it, so that the next one reads the log again. It is used by one
// goroutine at a time, which holds the table's lock.
type auditBook struct {
	ledger *accountant.Ledger
	state  *auditor.State
	facts  *facts
	// last is the number of the last event, epochs how many were sealed.
	last       int64
	epochs     int
	members    membershipCache
	suppressed suppressedStatements
}

// auditBook returns the book of a table.
func (d *Door) auditBook(ctx context.Context, ledger *accountant.Ledger, table *rewrite.Table) (*auditBook, error) {
	name := table.Policy.Name
	d.mu.Lock()
	book := d.books[name]
	d.mu.Unlock()
	if book == nil || book.ledger != ledger {
		var err error
		if book, err = openBook(ctx, ledger, name); err != nil {
			return nil, failure(ctx, refuseLedger(), err)
		}
		if book == nil {
			return nil, refuseUnsealed(name)
		}
		d.mu.Lock()
		if d.books == nil {
			d.books = make(map[policy.TableName]*auditBook)
		}
		d.books[name] = book
		d.mu.Unlock()
	}
	switch {
	case !book.facts.fits(table):
		return nil, refuseChangedColumns(name)
	case book.facts.promise != promiseOf(table.Policy.Mechanism.Audit):
		return nil, refuseChangedAuditor(name)
	}
	return book, nil
}

// forgetBook makes the next statement read the log again.
func (d *Door) forgetBook(name policy.TableName) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.books, name)
}

// openBook reads the log of a table; nil if no epoch of it was ever sealed.
func openBook(ctx context.Context, ledger auditLog, name policy.TableName) (*auditBook, error) {
	events, err := ledger.AuditEvents(ctx, name, 0)
	if err != nil || len(events) == 0 {
		return nil, err
	}
	book := &auditBook{last: events[len(events)-1].Sequence}
	book.ledger, _ = ledger.(*accountant.Ledger)
	steps, stored, err := auditorEvents(events)
	if err != nil {
		return nil, err
	}
	if book.facts, err = decodeFacts(stored); err != nil {
		return nil, err
	}
	for _, e := range events {
		if sealsEpoch(e.Kind) {
			book.epochs++
		}
	}
	if book.state, err = restore(events, steps); err != nil {
		return nil, fmt.Errorf("the auditor's log of %v in the ledger is damaged: %w", name, err)
	}
	book.suppressed.restore(book.state)
	if n := book.state.Units(); n != len(book.facts.units) {
		return nil, fmt.Errorf("the auditor's log of %v in the ledger is damaged: %d units, and facts of %d", name, n, len(book.facts.units))
	}
	return book, nil
}

// restore makes the state that a log leads to. Rounds that cost nothing and let nothing out do not change it, unless decisions are
// numbered: they are passed over unread, or a log of suppressions would take long to read. `tacit replay` reads them all.
func restore(events []accountant.AuditEvent, steps []auditor.Event) (*auditor.State, error) {
	state, err := auditor.Restore(steps[:1])
	if err != nil {
		return nil, err
	}
	_, numbered := state.DecisionsLeft()
	for i, e := range events[1:] {
		if e.Kind == auditor.EventRound && e.Risk == 0 && e.Answer == nil && !numbered {
			continue
		}
		if err := state.Apply(steps[i+1]); err != nil {
			return nil, fmt.Errorf("event %d: %w", e.Sequence, err)
		}
	}
	return state, nil
}

// An auditLog is where the events of audited tables are: a ledger, or a reader of one.
type auditLog interface {
	AuditEvents(ctx context.Context, table policy.TableName, after int64) ([]accountant.AuditEvent, error)
	LastAudit(ctx context.Context, table policy.TableName) (int64, error)
}

// auditorEvents are the events as the auditor wrote them, and the facts of the last epoch as they are stored.
func auditorEvents(events []accountant.AuditEvent) (steps []auditor.Event, facts []byte, err error) {
	for _, e := range events {
		step := auditor.Event{Kind: e.Kind, Payload: e.Payload, Answer: e.Answer}
		if sealsEpoch(e.Kind) {
			if step.Payload, facts, err = unwrapEpoch(e.Payload); err != nil {
				return nil, nil, fmt.Errorf("event %d: %w", e.Sequence, err)
			}
		}
		steps = append(steps, step)
	}
	return steps, facts, nil
}

// sealsEpoch reports whether events of a kind have facts beside what the auditor wrote.
func sealsEpoch(kind string) bool { return kind == auditor.EventOpened || kind == auditor.EventSealed }

// wrapEpoch puts the auditor's payload and the facts into one.
func wrapEpoch(payload, facts []byte) []byte {
	wrapped := binary.AppendUvarint(nil, uint64(len(payload)))
	return append(append(wrapped, payload...), facts...)
}

func unwrapEpoch(wrapped []byte) (payload, facts []byte, err error) {
	length, n := binary.Uvarint(wrapped)
	if n <= 0 || length > uint64(len(wrapped)-n) {
		return nil, nil, errors.New("the epoch is damaged")
	}
	rest := wrapped[n:]
	return rest[:length], rest[length:], nil
}
