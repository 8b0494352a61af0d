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
// append to the log, and by whoever finds that other proxies or the steward have; whoever cannot know what became of an event forgets it, so
// that the next one reads the log again. It is used by one goroutine at a time, which holds the table's lock.
type auditBook struct {
	ledger *accountant.Ledger
	state  *auditor.State
	facts  *facts
	// last is the number of the last event, and answers is how many were read with their answers; epochs is how many were sealed.
	last       int64
	answers    int64
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
	if book != nil && book.ledger != ledger {
		book = nil
	}
	book, err := presentBook(ctx, ledger, name, book, d.Policy().Limits.CountTimeout)
	switch {
	case err != nil:
		d.forgetBook(name)
		return nil, failure(ctx, refuseLedger(), err)
	case book == nil:
		return nil, refuseUnsealed(name)
	}
	d.keepBook(name, book)
	switch {
	case !book.facts.fits(table):
		return nil, refuseChangedColumns(name)
	case book.facts.promise != promiseOf(table.Policy.Mechanism.Audit):
		return nil, refuseChangedAuditor(name)
	}
	return book, nil
}

func (d *Door) keepBook(name policy.TableName, book *auditBook) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.books == nil {
		d.books = make(map[policy.TableName]*auditBook)
	}
	d.books[name] = book
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
	return newBook(ledger, name, events)
}

// newBook makes the book that a whole log leads to.
func newBook(ledger auditLog, name policy.TableName, events []accountant.AuditEvent) (*auditBook, error) {
	book := &auditBook{}
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
	if book.state, err = auditor.Restore(steps[:1]); err == nil {
		book.note(events[0])
		err = book.apply(events[1:], steps[1:])
	}
	if err != nil {
		return nil, fmt.Errorf("the auditor's log of %v in the ledger is damaged: %w", name, err)
	}
	if n := book.state.Units(); n != len(book.facts.units) {
		return nil, fmt.Errorf("the auditor's log of %v in the ledger is damaged: %d units, and facts of %d", name, n, len(book.facts.units))
	}
	return book, nil
}

// apply brings the state up to further events. Rounds that cost nothing and let nothing out do not change it, unless decisions are
// numbered: they are passed over unread, or a log of suppressions would take long to read. `tacit replay` reads them all.
func (b *auditBook) apply(events []accountant.AuditEvent, steps []auditor.Event) error {
	_, numbered := b.state.DecisionsLeft()
	for i, e := range events {
		if e.Kind != auditor.EventRound || e.Risk != 0 || e.Answer != nil || numbered {
			if err := b.state.Apply(steps[i]); err != nil {
				return fmt.Errorf("event %d: %w", e.Sequence, err)
			}
		}
		b.note(e)
	}
	b.suppressed.restore(b.state)
	return nil
}

// note remembers how far the book has come.
func (b *auditBook) note(e accountant.AuditEvent) {
	b.last = e.Sequence
	if e.Answer != nil {
		b.answers++
	}
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
