package accountant

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tacit/policy"
)

// The log of an audited table is a sequence of events, numbered from 1 without gaps: what the auditor knew, what he decided, and, as an
// event's answer, the exact counts that it let out. It is all the memory that an auditor has, and one for all analysts.
//
// The order is that of every release, with the decision in place of the question: AppendAudit (durable) -> read protected rows ->
// RecordAudit (durable) -> answer. Two decisions must not both be made on the same history, and none on one that changes behind it. So
// an event is appended only behind the one that its decision has seen, and an answer is recorded only while its event is the last: to
// what was decided afterwards, an event without an answer has let nothing out, and never will.

// ErrAuditMoved is returned when an event does not follow the last one of its table, because others were appended since the caller
// looked. Nothing was charged or recorded: the caller reads the new events, and decides anew.
var ErrAuditMoved = errors.New("the auditor's log of the table has moved on")

// ErrAuditFlood is returned when an analyst has had so many decisions that cost nothing written down that more would endanger the
// disk. She may go on after a while. It depends on the size and time of her statements only.
var ErrAuditFlood = errors.New("too many free decisions in too short a time")

// An AuditEvent is what happened to an audited table.
type AuditEvent struct {
	Sequence int64
	At       time.Time
	// Kind and Payload are the auditor's.
	Kind    string
	Payload []byte
	// Answer is what the event let out; nil if that was not recorded.
	Answer    []byte
	Analyst   string
	Statement string // the beginning of it, at most 2,000 bytes
	// Risk is what was charged for it.
	Risk policy.Risk
}

// An AuditEntry asks for an event.
type AuditEntry struct {
	Analyst string // Required.
	SQL     string // her statement, for the log
	Table   policy.TableName
	Kind    string // Required.
	// TableBudget and Cap are those of a Charge, of which the risk counts.
	TableBudget policy.Budget
	Cap         *policy.Budget
	// Risk is charged. 0: the event costs nothing.
	Risk policy.Risk
	// Continues: the statement has let something out already, for which it was charged or which a plan had paid for, and is not to be refused
	// for the size of what is to be written down besides.
	Continues bool
	// Follows is the number of the last event that the auditor has seen; 0 if there was none.
	Follows int64
	Payload []byte
}

// An AuditReservation is an event that is on disk, with its charge. Only AppendAudit makes one, and RecordAudit takes it once.
type AuditReservation struct {
	// Sequence is the number of the event.
	Sequence int64

	ledger   *Ledger
	event    int64 // its row
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

// check says what is wrong with an entry.
func (e *AuditEntry) check() error {
	switch {
	case e.Analyst == "":
		return errors.New("accountant: an event without an analyst")
	case e.Kind == "":
		return errors.New("accountant: an event without a kind")
	case !finite(int64(e.Risk)):
		return fmt.Errorf("accountant: a risk of %v cannot be charged", e.Risk)
	case e.Follows < 0:
		return fmt.Errorf("accountant: no event has the number %d", e.Follows)
	}
	return nil
}

// AppendAudit writes an event down durably and charges its risk, or does neither: afterwards the caller may read protected rows, and the
// risk is never given back. The error is ErrAuditMoved, an *OverBudgetError, ErrAuditFlood, ErrUnavailable, or a fault of the caller's.
// Risks are under no adjacency: a table whose losses are under one has a balance of both.
func (l *Ledger) AppendAudit(ctx context.Context, e AuditEntry) (*AuditReservation, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	if e.Risk == 0 && !l.audits.take(e.Analyst, len(e.Payload)+len(logText(e.SQL))+entryOverhead, l.now()) && !e.Continues {
		return nil, ErrAuditFlood
	}
	r := &AuditReservation{ledger: l, Sequence: e.Follows + 1, table: e.Table, payload: sha256.Sum256(e.Payload)}
	err := l.write(ctx, func(t *transaction) error {
		switch last := t.lastEvent(e.Table); {
		case t.err != nil:
			return t.err
		case e.Follows > last:
			return fmt.Errorf("accountant: an event that follows number %d of %v, which has %d", e.Follows, e.Table, last)
		case e.Follows < last:
			return ErrAuditMoved
		}
		if err := t.chargeRisk(&e); err != nil {
			return err
		}
		r.event = t.append(l.now(), &e)
		return t.err
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// chargeRisk adds the risk to the balance, if the budgets cover it. One of 0 is covered always.
func (t *transaction) chargeRisk(e *AuditEntry) error {
	if e.Risk == 0 {
		return nil
	}
	all, own, _, err := t.spent(e.Table, e.Analyst)
	if err != nil {
		return err
	}
	if err := (budgets{e.Table, e.TableBudget, e.Cap}).cover(Loss{Risk: e.Risk}, all, own); err != nil {
		return err
	}
	t.insert(addToBalance, e.Table.Schema, e.Table.Name, e.Analyst, "", 0, 0, 0, int64(e.Risk))
	return t.err
}

// append writes the event, and returns its row.
func (t *transaction) append(at time.Time, e *AuditEntry) int64 {
	verdict := Charged
	if e.Risk == 0 {
		verdict = Decided
	}
	entry := t.insert(insertEntry,
		at.UnixNano(), e.Analyst, e.Table.Schema, e.Table.Name, string(verdict), logText(e.SQL), "", "", 0, 0, 0, int64(e.Risk))
	return t.insert(insertEvent, entry, e.Table.Schema, e.Table.Name, e.Follows+1, e.Kind, append([]byte{}, e.Payload...))
}

const (
	insertEvent  = `INSERT INTO audit_event (entry, table_schema, table_name, sequence, kind, payload) VALUES (?, ?, ?, ?, ?, ?)`
	insertAnswer = `INSERT INTO audit_answer (event, at, payload) VALUES (?, ?, ?)`
	lastEvent    = `SELECT coalesce(max(sequence), 0) FROM audit_event WHERE table_schema = ? AND table_name = ?`
	laterEvents  = `SELECT count(*) FROM audit_event e JOIN audit_event later USING (table_schema, table_name)
		WHERE e.id = ? AND later.sequence > e.sequence`
	auditEvents = `SELECT a.sequence, e.at, a.kind, a.payload, w.id IS NOT NULL, w.payload, e.analyst, e.statement, e.risk
		FROM audit_event a JOIN entry e ON e.id = a.entry LEFT JOIN audit_answer w ON w.event = a.id
		WHERE a.table_schema = ? AND a.table_name = ? AND a.sequence > ? ORDER BY a.sequence`
)

// lastEvent is the number of the last event of a table; 0 if there is none.
func (t *transaction) lastEvent(table policy.TableName) int64 {
	return t.number(lastEvent, table.Schema, table.Name)
}

// RecordAudit writes down what an event let out, which may be shown afterwards. A reservation can be recorded once, on the ledger that
// made it, and only while its event is the last of its table: else the error is ErrAuditMoved, and nothing may be shown. An event that
// lets nothing out needs no answer.
func (l *Ledger) RecordAudit(ctx context.Context, r *AuditReservation, answer []byte) error {
	if r == nil || r.ledger != l {
		return errors.New("accountant: an answer without an event in this ledger")
	}
	return l.write(ctx, func(t *transaction) error {
		if r.recorded {
			return errors.New("accountant: an answer was recorded before")
		}
		if later := t.number(laterEvents, r.event); t.err == nil && later > 0 {
			return ErrAuditMoved
		}
		t.insert(insertAnswer, r.event, l.now().UnixNano(), append([]byte{}, answer...)) // never nil, which would be NULL
		r.recorded = t.err == nil
		return t.err
	})
}

// AuditEvents returns the events of a table behind a number, in order; behind 0 all.
func (r *Reader) AuditEvents(ctx context.Context, table policy.TableName, after int64) ([]AuditEvent, error) {
	rows, err := r.query(ctx, auditEvents, table.Schema, table.Name, after)
	if err != nil {
		return nil, r.readError(ctx, err)
	}
	defer rows.Close()
	var events []AuditEvent
	for rows.Next() {
		e, err := scanEvent(rows)
		if err != nil {
			return nil, r.readError(ctx, err)
		}
		events = append(events, e)
	}
	return events, r.readError(ctx, rows.Err())
}

// LastAudit is the number of the last event of a table; 0 if there is none.
func (r *Reader) LastAudit(ctx context.Context, table policy.TableName) (last int64, err error) {
	rows, err := r.query(ctx, lastEvent, table.Schema, table.Name)
	if err != nil {
		return 0, r.readError(ctx, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&last); err != nil {
			return 0, r.readError(ctx, err)
		}
	}
	return last, r.readError(ctx, rows.Err())
}

func scanEvent(rows *sql.Rows) (e AuditEvent, err error) {
	var at int64
	var answered bool
	if err := rows.Scan(&e.Sequence, &at, &e.Kind, &e.Payload, &answered, &e.Answer, &e.Analyst, &e.Statement, &e.Risk); err != nil {
		return AuditEvent{}, err
	}
	if answered && e.Answer == nil {
		e.Answer = []byte{}
	}
	e.At = time.Unix(0, at).UTC()
	return e, nil
}
