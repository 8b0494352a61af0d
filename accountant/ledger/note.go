package ledger

import (
	"context"
	"crypto/rand"

	"tacit/accountant/journal"
)

// Note appends to the log what cost nothing, soon, without waiting. This part of the log is best effort: when events come
// faster than they can be written, or than an analyst's quota allows, or tacit is killed, some are lost (see Dropped). Charges are not:
// Reserve logs them itself.
func (l *Ledger) Note(e Event) {
	if e.Verdict != Replayed && e.Verdict != Derived && e.Verdict != Refused {
		panic("accountant: internal error: only what cost nothing is noted, not " + string(e.Verdict))
	}
	e.SQL, e.Analyst, e.SQLState = journal.Shorten(e.SQL), journal.Shorten(e.Analyst), journal.Shorten(e.SQLState)
	e.Reason, e.Releases = journal.Shorten(e.Reason), e.Releases[:min(len(e.Releases), mostReleases)]
	e.Table.Schema, e.Table.Name = journal.Shorten(e.Table.Schema), journal.Shorten(e.Table.Name)
	now := l.now()
	if l.events.stopped.Load() || !l.events.quota.take(e.Analyst, len(e.SQL)+len(e.Reason)+entryOverhead, now) {
		l.events.dropped.Add(1)
		return
	}
	select {
	case l.events.queue <- loggedEvent{now.UnixNano(), e}:
	default:
		l.events.dropped.Add(1)
	}
}

// mostReleases are as many as are noted of one statement.
const mostReleases = 64

// Dropped is the number of events that Note was given since Open and that are not in the log for ever.
func (l *Ledger) Dropped() int64 { return l.events.dropped.Load() }

// appendEvents writes events in one batch.
func (l *Ledger) appendEvents(events []loggedEvent) error {
	return l.do(context.Background(), func(b *batch) error {
		for _, e := range events {
			row := journal.NewEntry(journal.Kind(e.Verdict), e.Table, e.Analyst)
			row.Statement, row.Sqlstate, row.Refers = e.SQL, e.SQLState, e.Answered
			row.Body = e.body(b.State.Format.Version)
			if e.at >= b.State.At {
				row.At = e.at
			}
			b.Add(row)
		}
		return nil
	})
}

// body is what a note says besides its columns, in a version of the format. A steward's command may write a ledger of version 1 as it is.
func (e *Event) body(version int) string {
	body := journal.NoteBody{Reason: e.Reason}
	if e.Reason == "" {
		body.Releases = e.Releases
	}
	if version > 1 {
		body.Salt = make([]byte, journal.SaltSize)
		rand.Read(body.Salt)
		body.Request = e.Request.String()
	} else if body.Reason == "" && len(body.Releases) == 0 {
		return ""
	}
	return journal.Marshal(body)
}
