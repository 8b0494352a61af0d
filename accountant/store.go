package accountant

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// A store keeps the rows of a ledger, and has its writers take turns. What the rows mean is no concern of its own: identifiers and hashes
// are given to them before they come here, so that writing a batch is one INSERT of many rows per table.
//
// A ledger uses a store from one goroutine but for query, snapshot, clock, usable and remembered, which any may call.
type store interface {
	queryer
	// place is where the ledger is, for errors: it holds no password.
	place() string
	// lock waits until no other process writes, and begins a turn: a transaction that holds the head until write or pass. It reads what is
	// new behind the entry after, and the hash of the entry witness. An error has begun nothing; whether it may be tried again is what usable says.
	lock(ctx context.Context, after, witness int64) (*turnStart, error)
	// write ends the turn: it inserts the rows of the batch, moves the head, makes both durable and has the guard remember the new head.
	// errUncertain: the rows may be there or not; the next lock waits until that is settled. After any other error they are not. errRows:
	// these very rows cannot be written, and others may be. A caller's impatience does not reach it: it takes the time of one exchange.
	write(b *batch) error
	// pass ends the turn with nothing written.
	pass() error
	// admit compares the ledger, whose head was found to be so, with what the guard remembers, and has it remember this head from now on.
	admit(found mark) error
	// snapshot reads one state, whoever writes meanwhile, until it is closed.
	snapshot(ctx context.Context) (snapshot, error)
	// remembered is what the guard remembers; the zero mark if there is no guard.
	remembered() (mark, error)
	// clock is the time by which entries are dated and proxies are told to be alive: one for all of them.
	clock() time.Time
	// patience is how long a turn that failed is tried again before the caller is told.
	patience() time.Duration
	// warnings are what the steward should know of the store, though it can be used.
	warnings() []string
	// usable says why the store can never be used again, as ErrUnavailable; nil while it can.
	usable() error
	close() error
}

// A queryer answers queries with parameters $1, $2 and so on, in the SQL that all stores understand, from what was committed.
type queryer interface {
	query(ctx context.Context, query string, args ...any) (rows, error)
}

// Rows are the result of a query.
type rows interface {
	scanner
	Next() bool
	Err() error
	Close() error
}

// asRows is the result of a query, or its error.
func asRows(result *sql.Rows, err error) (rows, error) {
	if err != nil {
		return nil, err
	}
	return result, nil
}

// A snapshot is a queryer that sees one state.
type snapshot interface {
	queryer
	close() error
}

var (
	// errUncertain is returned by store.write when the reply to a commit was lost.
	errUncertain = errors.New("whether it was written is unknown")
	// errRows is returned by store.write when it is the rows that are refused.
	errRows = errors.New("its rows are refused")
)

// A turnStart is what a turn finds.
type turnStart struct {
	head head
	// newer are entries behind the last one known, in order. more: there are others behind them, too many to be read while all wait.
	newer   []*entryRow
	more    bool
	proxies []proxyRow
	witness digest // the hash that was asked for; zero if there is no such entry
}

// A head is the end of the chain.
type head struct {
	entry int64
	hash  digest
}

// A batch is what a turn writes: entries with the rows that belong to them, and the head after them.
type batch struct {
	entries []*entryRow
	head    head
	// beat is the row of this process to be inserted or replaced; nil if it need not be. A batch may have only that.
	beat *proxyRow
}

// An entryRow is a row of the table entry, with the rows of other tables that were written with it and that its hash covers, each kind
// in the order of their identifiers.
type entryRow struct {
	id           int64
	at           int64 // Unix nanoseconds
	kind         Kind
	operation    []byte // of 16 bytes, or empty
	analyst      string
	schema, name string // of the table; empty if there is none
	epoch        int64
	statement    string
	sqlstate     string
	adjacency    string
	epsilon      int64
	delta        int64
	releases     int64
	risk         int64
	refers       int64
	body         string
	hash         digest

	charged  []chargeRow
	released []releaseRow
	events   []eventRow
	answers  []answerRow
}

// A chargeRow is a row of the table charge.
type chargeRow struct {
	id, entry   int64
	questionKey digest
	question    string
	mechanism   string
	term        string
	blocks      string // canonical JSON; empty: all
	shape       string
	epsilon     int64
	delta       int64
	releases    int64
}

// A releaseRow is a row of the table release.
type releaseRow struct {
	id, entry, charge int64
	at                int64
	payload           []byte
}

// An eventRow is a row of the table audit_event.
type eventRow struct {
	id, entry    int64
	schema, name string
	sequence     int64
	kind         string
	payload      []byte
}

// An answerRow is a row of the table audit_answer.
type answerRow struct {
	id, entry, event int64
	at               int64
	payload          []byte
}

// A proxyRow is a row of the table proxy: a process that may write. It is the only kind of row that changes.
type proxyRow struct {
	id            string
	started, seen int64 // Unix nanoseconds of the store's clock; seen 0: it has left
	digest        digest
}
