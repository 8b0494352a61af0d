package accountant

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"tacit/policy"
)

// A Verdict is what came of a statement.
type Verdict string

const (
	Charged  Verdict = "charged"  // reserved and counted; logged by Reserve and AppendAudit
	Decided  Verdict = "decided"  // an auditor's event that cost nothing: all suppressed, or free; logged by AppendAudit
	Replayed Verdict = "replayed" // answered from the ledger, free
	Refused  Verdict = "refused"
)

// An Event is a statement that cost nothing.
type Event struct {
	Analyst  string
	Table    policy.TableName // zero if no table was made out
	Verdict  Verdict          // Replayed or Refused
	SQL      string
	SQLState string // of a refusal
}

// An Entry is a line of the log.
type Entry struct {
	ID       int64
	At       time.Time
	Analyst  string
	Table    policy.TableName
	Verdict  Verdict
	SQL      string // the beginning of the statement, at most 2,000 bytes
	SQLState string // of a refusal
	Loss     Loss   // of a charge
	// Recorded says of a charge, and of an event that was decided, that all its answers were recorded. If not, the count failed, the
	// analyst gave up, or tacit was stopped, and the loss counts all the same; or it was an event without an answer.
	Recorded bool
	// Questions of a charge, in canonical form: what was counted, with the values of parameters.
	Questions []string
	// Audit is the number of the auditor's event among those of the table, and Kind what it was; 0 and empty if it is none.
	Audit int64
	Kind  string
}

// A LogFilter selects entries. The zero filter selects all.
type LogFilter struct {
	Analyst string           // default: of all analysts
	Table   policy.TableName // default: of all tables
	Verdict Verdict          // default: of any kind
	Since   time.Time        // default: from the beginning
	Limit   int              // at most so many, the newest; default 0: no limit
}

// Log returns entries, newest first.
func (r *Reader) Log(ctx context.Context, f LogFilter) ([]Entry, error) {
	query, args := f.query()
	rows, err := r.query(ctx, query, args...)
	if err != nil {
		return nil, r.readError(ctx, err)
	}
	defer rows.Close()
	var entries []Entry
	for rows.Next() {
		var e Entry
		var at int64
		var questions []byte
		if err := rows.Scan(&e.ID, &at, &e.Analyst, &e.Table.Schema, &e.Table.Name, &e.Verdict, &e.SQL, &e.SQLState,
			&e.Loss.Epsilon, &e.Loss.Delta, &e.Loss.Releases, &e.Loss.Risk, &e.Recorded, &questions, &e.Audit, &e.Kind); err != nil {
			return nil, r.readError(ctx, err)
		}
		if err := json.Unmarshal(questions, &e.Questions); err != nil {
			return nil, r.unavailable("it is damaged", err)
		}
		e.At = time.Unix(0, at).UTC()
		entries = append(entries, e)
	}
	return entries, r.readError(ctx, rows.Err())
}

func (f LogFilter) query() (query string, args []any) {
	var where []string
	add := func(condition string, arg any) {
		where, args = append(where, condition), append(args, arg)
	}
	if f.Analyst != "" {
		add("analyst = ?", f.Analyst)
	}
	if f.Table != (policy.TableName{}) {
		add("table_schema = ?", f.Table.Schema)
		add("table_name = ?", f.Table.Name)
	}
	if f.Verdict != "" {
		add("verdict = ?", string(f.Verdict))
	}
	if !f.Since.IsZero() {
		add("at >= ?", f.Since.UnixNano())
	}
	query = `SELECT e.id, at, analyst, table_schema, table_name, verdict, statement, sqlstate, epsilon, delta, releases, risk,
		CASE WHEN a.id IS NOT NULL THEN EXISTS (SELECT 1 FROM audit_answer WHERE event = a.id)
		ELSE verdict = 'charged' AND NOT EXISTS (
			SELECT 1 FROM charge c WHERE c.entry = e.id AND NOT EXISTS (SELECT 1 FROM release r WHERE r.charge = c.id)) END,
		(SELECT json_group_array(question) FROM (SELECT question FROM charge WHERE entry = e.id ORDER BY id)),
		coalesce(a.sequence, 0), coalesce(a.kind, '')
		FROM entry e LEFT JOIN (SELECT id, entry, sequence, kind FROM audit_event) a ON a.entry = e.id`
	if len(where) > 0 {
		query += " WHERE " + strings.Join(where, " AND ")
	}
	query += " ORDER BY e.id DESC"
	if f.Limit > 0 {
		query += " LIMIT ?"
		args = append(args, f.Limit)
	}
	return query, args
}

// maxLogText is how many bytes of a statement are kept.
const maxLogText = 2000

// logText is the beginning of a statement, as valid UTF-8. It ends between two characters.
func logText(sql string) string {
	// The bytes that replace an invalid one take more room: cut before as well, so that no megabyte is copied to keep 2,000 bytes.
	sql = strings.ToValidUTF8(sql[:min(len(sql), maxLogText+utf8.UTFMax)], string(utf8.RuneError))
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

// Note appends a replay or a refusal to the log, soon, without waiting. This part of the log is best effort: when events come
// faster than they can be written, or than an analyst's quota allows, or tacit is killed, some are lost (see Dropped). Charges are not: Reserve logs them itself.
func (l *Ledger) Note(e Event) {
	if e.Verdict != Replayed && e.Verdict != Refused {
		panic("accountant: internal error: only replays and refusals are noted, not " + string(e.Verdict))
	}
	e.SQL = logText(e.SQL)
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
	err := l.write(context.Background(), func(t *transaction) error {
		for _, e := range batch {
			t.insert(insertEntry, e.at, e.Analyst, e.Table.Schema, e.Table.Name, string(e.Verdict), e.SQL, e.SQLState, "", 0, 0, 0, 0)
		}
		return t.err
	})
	if err != nil {
		j.dropped.Add(int64(len(batch)))
	}
}
