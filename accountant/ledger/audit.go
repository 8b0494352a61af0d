package ledger

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/store"
	"tacit/policy"
)

// The log of an audited table is a sequence of events, numbered from 1 without gaps: what the auditor knew, what he decided, and, as an
// event's answer, the exact counts that it let out. It is all the memory that an auditor has, and one for all analysts.
//
// The order is that of every release, with the decision in place of the question: AppendAudit (durable) -> read protected rows ->
// RecordAudit (durable) -> answer. Two decisions must not both be made on the same history, and none on one that changes behind it. So
// an event is appended only behind the one that its decision has seen, and an answer is recorded only while its event is the last: to
// what was decided afterwards, an event without an answer has let nothing out, and never will. Whoever follows the log from event to event
// may still miss the answer to one that he has read before, so that the last event does not tell what he knows. But answers are never
// taken back: who has seen as many events and as many answers as there are has seen all of them, and an event is appended for nobody else.

// ErrAuditMoved is returned when an event does not follow all that its table's log has, because others were appended or answered since the
// caller looked. Nothing was charged or recorded: the caller reads the new events and answers, and decides anew.
var ErrAuditMoved = errors.New("the auditor's log of the table has moved on")

// ErrAuditFlood is returned when an analyst has had so many decisions that cost nothing written down that more would endanger the
// disk. She may go on after a while. It depends on the size and time of her statements only.
var ErrAuditFlood = errors.New("too many free decisions in too short a time")

// An AuditReservation is an event that is on disk, with its charge. Only AppendAudit makes one, and RecordAudit takes it once.
type AuditReservation struct {
	// Sequence is the number of the event.
	Sequence int64

	ledger   *Ledger
	event    int64 // its row
	entry    int64
	table    policy.TableName
	payload  [sha256.Size]byte // digest of the event's
	recorded bool              // under ledger.mu
}

// Covers reports whether the reservation is of an event with this payload in the log of the table, of which no answer was recorded yet.
// It is what protected rows are opened for: neither a reservation that no ledger made nor one of another decision covers anything.
func (r *AuditReservation) Covers(table policy.TableName, payload []byte) bool {
	if r == nil || r.ledger == nil || r.table != table || r.payload != sha256.Sum256(payload) {
		return false
	}
	r.ledger.mu.Lock()
	defer r.ledger.mu.Unlock()
	return !r.recorded
}

// AppendAudit writes an event down durably and charges its risk, or does neither: afterwards the caller may read protected rows, and the
// risk is never given back. The error is ErrAuditMoved, an *OverBudgetError, a *FrozenError, ErrAuditFlood, ErrUnavailable, or a fault of the
// caller's. Risks are under no adjacency.
func (l *Ledger) AppendAudit(ctx context.Context, e accountant.AuditEntry) (*AuditReservation, error) {
	if err := e.Check(); err != nil {
		return nil, err
	}
	if e.Risk == 0 && !l.audits.take(e.Analyst, len(e.Payload)+len(journal.Shorten(e.SQL))+entryOverhead, l.now()) && !e.Continues {
		return nil, ErrAuditFlood
	}
	r := &AuditReservation{ledger: l, Sequence: e.Follows + 1, table: e.Table, payload: sha256.Sum256(e.Payload)}
	err := l.do(ctx, func(b *batch) error {
		t := b.State.Table(e.Table)
		switch {
		case e.Follows > t.Events:
			return fmt.Errorf("accountant: an event that follows number %d of %v, which has %d", e.Follows, e.Table, t.Events)
		case e.Follows < t.Events || e.Answers != t.Answers:
			return ErrAuditMoved
		}
		if err := t.AffordsRisk(&e); err != nil {
			return err
		}
		made := b.append(&e)
		b.reserved = true
		r.event, r.entry = made.Events[0].ID, made.ID
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// append writes the event.
func (b *batch) append(e *accountant.AuditEntry) *journal.Entry {
	row := journal.NewEntry(journal.KindDecided, e.Table, e.Analyst)
	row.Statement, row.Body = journal.Shorten(e.SQL), journal.Marshal(journal.ChargedBody{Owner: b.ledger.proxy})
	if e.Request != (accountant.Request{}) {
		row.Operation = accountant.OperationOf(e.Request).Bytes()
	}
	if e.Risk > 0 {
		row.Kind, row.Risk = journal.KindCharged, int64(e.Risk)
		row.Body = b.stateAccounting(row, journal.Stated(e.Accounting(), e.Cap), b.ledger.proxy)
	}
	row.Events = []journal.Event{{
		Schema: e.Table.Schema, Name: e.Table.Name, Sequence: e.Follows + 1, Kind: e.Kind, Payload: append([]byte{}, e.Payload...),
	}}
	return b.Add(row)
}

// RecordAudit writes down what an event let out, which may be shown afterwards. A reservation can be recorded once, on the ledger that
// made it, and only while its event is the last of its table: else the error is ErrAuditMoved, and nothing may be shown. An event that
// lets nothing out needs no answer.
func (l *Ledger) RecordAudit(ctx context.Context, r *AuditReservation, answer []byte) error {
	if r == nil || r.ledger != l {
		return errors.New("accountant: an answer without an event in this ledger")
	}
	recording := false
	err := l.do(ctx, func(b *batch) error {
		if r.recorded && !recording {
			return errors.New("accountant: an answer was recorded before")
		}
		if t := b.State.Table(r.table); t.Event != r.event || t.Answered {
			return ErrAuditMoved
		}
		r.recorded, recording = true, true
		e := journal.NewEntry(journal.KindAnswered, r.table, "")
		e.Refers = r.entry
		e.Answers = []journal.Answer{{Event: r.event, Payload: append([]byte{}, answer...)}} // never nil, which would be NULL
		b.Add(e)
		return nil
	})
	if err != nil && recording {
		l.mu.Lock()
		defer l.mu.Unlock()
		r.recorded = false
	}
	return err
}

// AbandonAudit says that an event will not be answered, because the analyst gave up or the count failed: its risk stays spent, and others no
// longer wait for it. It does not wait for the ledger. If that cannot be written they wait for a while.
func (l *Ledger) AbandonAudit(r *AuditReservation) {
	if r == nil || r.ledger != l {
		return
	}
	l.background.Go(func() {
		// Whatever goes wrong, nothing is lost but time: the event stays as it is.
		_ = l.do(context.Background(), func(b *batch) error {
			if t := b.State.Table(r.table); r.recorded || t.Event != r.event || t.Answered || t.Auditor == "" {
				return nil
			}
			r.recorded = true
			e := journal.NewEntry(journal.KindAbandoned, r.table, "")
			e.Refers, e.Body = r.entry, journal.Marshal(journal.AbandonedBody{Event: r.event})
			b.Add(e)
			return nil
		})
	})
}

const auditEvents = `SELECT a.sequence, e.at, a.kind, a.payload, CASE WHEN w.id IS NULL THEN 0 ELSE 1 END, w.payload, e.analyst, e.statement, e.risk
	FROM audit_event a JOIN entry e ON e.id = a.entry LEFT JOIN audit_answer w ON w.event = a.id
	WHERE a.table_schema = $1 AND a.table_name = $2 AND a.sequence > $3 ORDER BY a.sequence`

// AuditEvents returns the events of a table behind a number, in order; behind 0 all.
func (r *Reader) AuditEvents(ctx context.Context, table policy.TableName, after int64) ([]accountant.AuditEvent, error) {
	events, err := store.Collect(ctx, r.store, scanEvent, auditEvents, table.Schema, table.Name, after)
	return events, r.readError(ctx, err)
}

// LastAudit is the number of the last event of a table; 0 if there is none.
func (r *Reader) LastAudit(ctx context.Context, table policy.TableName) (int64, error) {
	last, _, err := store.One(ctx, r.store, store.ScanNumber,
		`SELECT coalesce(max(sequence), 0) FROM audit_event WHERE table_schema = $1 AND table_name = $2`, table.Schema, table.Name)
	return last, r.readError(ctx, err)
}

func scanEvent(rows store.Scanner) (e accountant.AuditEvent, err error) {
	var at, answered int64
	if err := rows.Scan(&e.Sequence, &at, &e.Kind, &e.Payload, &answered, &e.Answer, &e.Analyst, &e.Statement, &e.Risk); err != nil {
		return accountant.AuditEvent{}, err
	}
	if answered == 1 && e.Answer == nil {
		e.Answer = []byte{}
	}
	e.At = time.Unix(0, at).UTC()
	return e, nil
}

// An AuditMark is how far the log of an audited table has come.
type AuditMark struct {
	Sequence int64 // of the last event; 0 if there is none
	Answers  int64 // how many events have theirs
	// Own and Alive say of the last event, while it has no answer, that this ledger appended it, and that the process which did may still answer it.
	Own, Alive bool
}

// AuditMark says how far the log of a table has come, as far as is known here.
func (l *Ledger) AuditMark(ctx context.Context, table policy.TableName) (AuditMark, error) {
	if err := ctx.Err(); err != nil {
		return AuditMark{}, err
	}
	if err := l.usable(); err != nil {
		return AuditMark{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == nil {
		return AuditMark{}, l.rebuilding()
	}
	t := l.state.Table(table)
	m := AuditMark{Sequence: t.Events, Answers: t.Answers}
	if t.Events > 0 && !t.Answered {
		m.Own, m.Alive = t.Auditor == l.proxy, l.newBatch().isAlive(t.Auditor)
	}
	return m, nil
}
