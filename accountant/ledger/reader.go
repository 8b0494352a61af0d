package ledger

import (
	"context"
	"errors"
	"sync"
	"time"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/postgres"
	"tacit/accountant/ledger/sqlite"
	"tacit/accountant/ledger/store"
	"tacit/policy"
)

// A Reader looks at a ledger, also while other processes write it. It locks nobody out, and sees what was committed.
type Reader struct {
	store    readStore
	composer *composition.Composer
	now      func() time.Time
	// balances are those that were composed.
	balances balanceCache
	// live: a Ledger keeps the state up to date.
	live bool

	mu    sync.Mutex     // protects state, and what is in it
	state *journal.State // nil: not read yet, or to be read again
}

// A readStore is what a Reader needs of a store.
type readStore interface {
	store.Queryer
	Place() string
	Snapshot(ctx context.Context) (store.Snapshot, error)
	Remembered() (journal.Witness, error)
	Close() error
}

// OpenReadOnly opens an existing ledger. It does not ask the ledger's guard: a backup can be looked at, too.
// Before the first ledger has been made, with nothing there and no guard that remembers one, the error says so (NeverMade).
func OpenReadOnly(ctx context.Context, location policy.LedgerLocation) (*Reader, error) {
	s, err := openReadStore(ctx, location)
	if err != nil {
		return nil, err
	}
	return newReader(s), nil
}

// openReadStore opens the store of a location for reading.
func openReadStore(ctx context.Context, location policy.LedgerLocation) (readStore, error) {
	if location.Postgres != "" {
		return postgres.OpenExisting(ctx, location)
	}
	return sqlite.OpenExisting(ctx, location.SQLite)
}

func newReader(s readStore) *Reader {
	return &Reader{store: s, composer: &composition.Composer{}, now: time.Now, balances: newBalanceCache()}
}

// Now is the time by which entries are dated.
func (r *Reader) Now() time.Time { return r.now() }

// Close closes the reader's files or connections.
func (r *Reader) Close() error { return r.store.Close() }

func (r *Reader) unavailable(problem string, err error) *accountant.UnavailableError {
	return &accountant.UnavailableError{Path: r.store.Place(), Problem: problem, Err: err}
}

// readError keeps the caller's own cancellation apart from a ledger that cannot be read, and from one that contradicts itself.
func (r *Reader) readError(ctx context.Context, err error) error {
	var known *accountant.UnavailableError
	var found *contradiction
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &known):
		return err
	case errors.As(err, &found):
		return r.inconsistent(found)
	}
	return r.unavailable("it cannot be read", err)
}

func (r *Reader) inconsistent(found *contradiction) error {
	return &accountant.UnavailableError{
		Path: r.store.Place(), Problem: "it contradicts itself", Err: found, Remedy: "put the newest sound copy back; tacit verify tells more",
	}
}

// look runs f on the state as it is now.
func (r *Reader) look(ctx context.Context, f func(*journal.State)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.live {
		if err := r.refresh(ctx); err != nil {
			return r.readError(ctx, err)
		}
	}
	if r.state == nil {
		return r.unavailable("it is being read again", nil)
	}
	f(r.state)
	return nil
}

// refresh reads what is new. The caller holds mu.
func (r *Reader) refresh(ctx context.Context) (err error) {
	if r.state == nil {
		r.state, err = load(ctx, r.store)
		return err
	}
	snap, err := r.store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	err = advance(ctx, snap, r.state)
	if found := (*contradiction)(nil); errors.As(err, &found) {
		// Not this state's ledger any more: another one was put in its place.
		r.state, err = load(ctx, r.store)
	}
	if err != nil {
		r.state = nil
	}
	return err
}

// CheckAdjacency returns an *AdjacencyError if the table has losses that those under an adjacency cannot be added to: Reserve would refuse
// whatever is to be charged for it.
func (r *Reader) CheckAdjacency(ctx context.Context, table policy.TableName, asked policy.Adjacency) error {
	var recorded policy.Adjacency
	if err := r.look(ctx, func(s *journal.State) { recorded = s.Table(table).Adjacency }); err != nil {
		return err
	}
	return journal.OneAdjacency(table, recorded, asked)
}
