package audited

import (
	"context"
	"fmt"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/auditor"
	"tacit/policy"
	"tacit/release/internal/epoch"
	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// An Book is all that is known of an audited table: what its log in the ledger says. It is read once and kept up to date by those who
// append to the log, and by whoever finds that other proxies or the steward have; whoever cannot know what became of an event forgets it, so
// that the next one reads the log again. It is used by one goroutine at a time, which holds the table's lock.
type Book struct {
	ledger *ledger.Ledger
	State  *auditor.State
	Facts  *epoch.PublicFacts
	// last is the number of the last event, and answers is how many were read with their answers; epochs is how many were sealed.
	Last       int64
	Answers    int64
	Epochs     int
	members    membershipCache
	suppressed suppressedStatements
}

// Book returns the book of a table.
func (d *Answerer) book(ctx context.Context, l *ledger.Ledger, table *query.Table) (*Book, error) {
	name := table.Policy.Name
	d.mu.Lock()
	book := d.Books[name]
	d.mu.Unlock()
	if book != nil && book.ledger != l {
		book = nil
	}
	book, err := PresentBook(ctx, l, name, book, d.monitor.Current().Policy.Limits.CountTimeout)
	switch {
	case err != nil:
		d.ForgetBook(name)
		return nil, reply.Failure(ctx, reply.RefuseLedger.With(), err)
	case book == nil:
		return nil, reply.RefuseUnsealed.With(name)
	}
	d.KeepBook(name, book)
	switch {
	case !book.Facts.Fits(table):
		return nil, reply.RefuseChangedColumns.With(name)
	case book.Facts.Promise != epoch.PromiseOf(table.Policy.Mechanism.Audit):
		return nil, reply.RefuseChangedAuditor.With(name)
	}
	return book, nil
}

func (d *Answerer) KeepBook(name policy.TableName, book *Book) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.Books[name] = book
}

// ForgetBook makes the next statement read the log again.
func (d *Answerer) ForgetBook(name policy.TableName) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.Books, name)
}

// OpenBook reads the log of a table; nil if no epoch of it was ever sealed.
func OpenBook(ctx context.Context, ledger epoch.Log, name policy.TableName) (*Book, error) {
	events, err := ledger.AuditEvents(ctx, name, 0)
	if err != nil || len(events) == 0 {
		return nil, err
	}
	return newBook(ledger, name, events)
}

// newBook makes the book that a whole log leads to.
func newBook(log epoch.Log, name policy.TableName, events []accountant.AuditEvent) (*Book, error) {
	book := &Book{}
	book.ledger, _ = log.(*ledger.Ledger)
	steps, stored, err := epoch.Events(events)
	if err != nil {
		return nil, err
	}
	if book.Facts, err = epoch.DecodeFacts(stored); err != nil {
		return nil, err
	}
	for _, e := range events {
		if epoch.OpensEpoch(e.Kind) {
			book.Epochs++
		}
	}
	if book.State, err = auditor.Restore(steps[:1]); err == nil {
		book.note(events[0])
		err = book.apply(events[1:], steps[1:])
	}
	if err != nil {
		return nil, fmt.Errorf("the auditor's log of %v in the ledger is damaged: %w", name, err)
	}
	if n := book.State.Units(); n != len(book.Facts.Units) {
		return nil, fmt.Errorf("the auditor's log of %v in the ledger is damaged: %d units, and facts of %d", name, n, len(book.Facts.Units))
	}
	return book, nil
}

// apply brings the state up to further events. Rounds that cost nothing and let nothing out do not change it, unless decisions are
// numbered: they are passed over unread, or a log of suppressions would take long to read. `tacit replay` reads them all.
func (b *Book) apply(events []accountant.AuditEvent, steps []auditor.Event) error {
	_, numbered := b.State.DecisionsLeft()
	for i, e := range events {
		if e.Kind != auditor.EventRound || e.Risk != 0 || e.Answer != nil || numbered {
			if err := b.State.Apply(steps[i]); err != nil {
				return fmt.Errorf("event %d: %w", e.Sequence, err)
			}
		}
		b.note(e)
	}
	b.suppressed.restore(b.State)
	return nil
}

// note remembers how far the book has come.
func (b *Book) note(e accountant.AuditEvent) {
	b.Last = e.Sequence
	if e.Answer != nil {
		b.Answers++
	}
}
