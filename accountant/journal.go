package accountant

import (
	"context"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// maxLogText is how many bytes of a statement, or of a question's text, are kept.
const maxLogText = 2000

// logText is the beginning of a statement, as UTF-8 that every store can keep: without zero bytes. It ends between two characters.
func logText(sql string) string {
	// The bytes that replace an invalid one take more room: cut before as well, so that no megabyte is copied to keep 2,000 bytes.
	sql = strings.ToValidUTF8(sql[:min(len(sql), maxLogText+utf8.UTFMax)], string(utf8.RuneError))
	sql = strings.ReplaceAll(sql, "\x00", string(utf8.RuneError))
	if len(sql) <= maxLogText {
		return sql
	}
	end := maxLogText
	for !utf8.RuneStart(sql[end]) {
		end--
	}
	return sql[:end]
}

const (
	journalCapacity = 1024                   // events that wait; more are dropped
	journalBatch    = 256                    // events in one transaction
	journalPause    = 100 * time.Millisecond // between transactions, so that a flood of refusals does not occupy the disk
)

// A journal writes events to the log in the background.
type journal struct {
	events  chan loggedEvent
	quota   quota
	dropped atomic.Int64
	stopped atomic.Bool
	halt    chan struct{} // closed to stop the goroutine
	done    chan struct{} // closed when it has ended
}

type loggedEvent struct {
	at int64
	Event
}

// Note appends to the log what cost nothing, soon, without waiting. This part of the log is best effort: when events come
// faster than they can be written, or than an analyst's quota allows, or tacit is killed, some are lost (see Dropped). Charges are not:
// Reserve logs them itself.
func (l *Ledger) Note(e Event) {
	if e.Verdict != Replayed && e.Verdict != Derived && e.Verdict != Refused {
		panic("accountant: internal error: only what cost nothing is noted, not " + string(e.Verdict))
	}
	e.SQL, e.Analyst, e.SQLState = logText(e.SQL), logText(e.Analyst), logText(e.SQLState)
	e.Table.Schema, e.Table.Name = logText(e.Table.Schema), logText(e.Table.Name)
	now := l.now()
	if l.journal.stopped.Load() || !l.journal.quota.take(e.Analyst, len(e.SQL)+entryOverhead, now) {
		l.journal.dropped.Add(1)
		return
	}
	select {
	case l.journal.events <- loggedEvent{now.UnixNano(), e}:
	default:
		l.journal.dropped.Add(1)
	}
}

// Dropped is the number of events that Note was given since Open and that are not in the log for ever.
func (l *Ledger) Dropped() int64 { return l.journal.dropped.Load() }

func (j *journal) start(l *Ledger) {
	j.events = make(chan loggedEvent, journalCapacity)
	j.halt, j.done = make(chan struct{}), make(chan struct{})
	go j.run(l)
}

// stop writes out what is queued and ends the goroutine.
func (j *journal) stop() {
	if !j.stopped.Swap(true) {
		close(j.halt)
	}
	<-j.done
}

func (j *journal) run(l *Ledger) {
	defer close(j.done)
	for {
		select {
		case e := <-j.events:
			j.write(l, e)
		case <-j.halt:
			j.drain(l)
			return
		}
		select {
		case <-time.After(journalPause):
		case <-j.halt:
		}
	}
}

func (j *journal) drain(l *Ledger) {
	for {
		select {
		case e := <-j.events:
			j.write(l, e)
		default:
			return
		}
	}
}

// write writes one event and those that wait behind it.
func (j *journal) write(l *Ledger, first loggedEvent) {
	batch := []loggedEvent{first}
	for waiting := true; waiting && len(batch) < journalBatch; {
		select {
		case e := <-j.events:
			batch = append(batch, e)
		default:
			waiting = false
		}
	}
	err := l.do(context.Background(), func(p *plan) error {
		for _, e := range batch {
			row := about(Kind(e.Verdict), e.Table, e.Analyst)
			row.statement, row.sqlstate = e.SQL, e.SQLState
			if e.at >= p.state.at {
				row.at = e.at
			}
			p.add(row)
		}
		return nil
	})
	if err != nil {
		j.dropped.Add(int64(len(batch)))
	}
}
