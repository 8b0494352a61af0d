package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"time"

	"tacit/accountant/journal"
)

// A Store keeps the rows of a ledger, and has its writers exclude one another. What the rows mean is no concern of its own: identifiers and hashes
// are given to them before they come here, so that writing a batch is one INSERT of many rows per table.
//
// A ledger uses a store from one goroutine but for query, snapshot, clock, usable and remembered, which any may call.
type Store interface {
	Queryer
	// Place is where the ledger is, for errors: it holds no password.
	Place() string
	// Lock waits until no other process writes, and begins a transaction that holds the head until Write or Rollback. It reads what is
	// new behind the entry after, and the hash of the entry uncertain. An error has begun nothing; whether it may be tried again is what usable says.
	Lock(ctx context.Context, after, uncertain int64) (*Locked, error)
	// Ahead may begin to write the rows of a batch so far, while others are decided. It says nothing of what came of it: Write gets the whole batch.
	Ahead(b *journal.Batch)
	// Write brings the tables up to the present format if the batch says so, drops what its notes say, inserts its rows, moves the head, makes both durable and has the guard remember the new head.
	// ErrUncertain: the rows may be there or not; the next lock waits until that is settled. After any other error they are not. ErrRows:
	// these very rows cannot be written, and others may be. A caller's impatience does not reach it: it takes the time of one exchange.
	Write(b *journal.Batch) error
	// Rollback ends the transaction with nothing written.
	Rollback() error
	// Admit compares the ledger, whose head was found to be so and is locked, with what the guard remembers, and has it remember this head from now on.
	Admit(found journal.Witness) error
	// Snapshot reads one state, whoever writes meanwhile, until it is closed.
	Snapshot(ctx context.Context) (Snapshot, error)
	// Remembered is what the guard remembers; the zero Witness if there is no guard.
	Remembered() (journal.Witness, error)
	// Clock is the time by which entries are dated and proxies are told to be alive: one for all of them.
	Clock() time.Time
	// Patience is how long a commit that failed is tried again before the caller is told.
	Patience() time.Duration
	// Warnings are what the steward should know of the store, though it can be used.
	Warnings() []string
	// Usable says why the store can never be used again, as ErrUnavailable; nil while it can.
	Usable() error
	Close() error
}

// A Queryer answers queries with parameters $1, $2 and so on, in the SQL that all stores understand, from what was committed.
type Queryer interface {
	Query(ctx context.Context, query string, args ...any) (Rows, error)
}

// Rows are the result of a query.
type Rows interface {
	Scanner
	Next() bool
	Err() error
	Close() error
}

// AsRows is the result of a query, or its error.
func AsRows(result *sql.Rows, err error) (Rows, error) {
	if err != nil {
		return nil, err
	}
	return result, nil
}

// A Snapshot is a queryer that sees one state.
type Snapshot interface {
	Queryer
	Close() error
}

var (
	// ErrUncertain is returned by store.write when the reply to a commit was lost.
	ErrUncertain = errors.New("whether it was written is unknown")
	// ErrRows is returned by store.write when it is the rows that are refused.
	ErrRows = errors.New("its rows are refused")
)

// A Locked is what is found under the lock.
type Locked struct {
	Head journal.Head
	// newer are entries behind the last one known, in order. more: there are others behind them, too many to be read while all wait.
	Newer     []*journal.Entry
	More      bool
	Proxies   []journal.Proxy
	Uncertain journal.Digest // the hash that was asked for; zero if there is no such entry
}

// Keep leaves out the entries behind the last one that was read as a whole.
func (t *Locked) Keep(after, last int64) {
	whole := 0
	for whole < len(t.Newer) && t.Newer[whole].ID <= last {
		whole++
	}
	t.Newer = t.Newer[:whole]
	t.More = t.Head.Entry > max(after+int64(whole), last)
}

// NewLedgerID is an identity that no other ledger has.
func NewLedgerID() string {
	id := make([]byte, 16)
	rand.Read(id)
	return hex.EncodeToString(id)
}

// Readers is how many goroutines may read at once; more wait.
const Readers = 4
