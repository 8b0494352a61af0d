package accountant

import (
	"context"
	"errors"
	"sync"
	"time"

	"tacit/accountant/composition"
	"tacit/policy"
)

// A Reader looks at a ledger, also while other processes write it. It locks nobody out, and sees what was committed.
type Reader struct {
	store    readStore
	composer *composition.Composer
	now      func() time.Time
	// standings are those that were composed.
	standings standings
	// live: a Ledger keeps the state up to date.
	live bool

	mu    sync.Mutex // protects state, and what is in it
	state *state     // nil: not read yet, or to be read again
}

// A readStore is what a Reader needs of a store.
type readStore interface {
	queryer
	place() string
	snapshot(ctx context.Context) (snapshot, error)
	remembered() (mark, error)
	close() error
}

// OpenReadOnly opens an existing ledger, of this version or a former one. It does not ask the ledger's guard: a backup can be looked at, too.
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
		return openExistingPostgres(ctx, location)
	}
	return openExistingSQLite(ctx, location.SQLite)
}

func newReader(s readStore) *Reader {
	return &Reader{store: s, composer: &composition.Composer{}, now: time.Now, standings: newStandings()}
}

// Close closes the reader's files or connections.
func (r *Reader) Close() error { return r.store.close() }

func (r *Reader) unavailable(problem string, err error) *UnavailableError {
	return &UnavailableError{Path: r.store.place(), Problem: problem, Err: err}
}

// readError keeps the caller's own cancellation apart from a ledger that cannot be read, and from one that contradicts itself.
func (r *Reader) readError(ctx context.Context, err error) error {
	var known *UnavailableError
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
	return &UnavailableError{
		Path: r.store.place(), Problem: "it contradicts itself", Err: found, Remedy: "put the newest sound copy back; tacit verify tells more",
	}
}

// look runs f on the state as it is now.
func (r *Reader) look(ctx context.Context, f func(*state)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.live {
		if err := r.catchUp(ctx); err != nil {
			return r.readError(ctx, err)
		}
	}
	if r.state == nil {
		return r.unavailable("it is being read again", nil)
	}
	f(r.state)
	return nil
}

// catchUp reads what is new. The caller holds mu.
func (r *Reader) catchUp(ctx context.Context) (err error) {
	if r.state == nil {
		r.state, err = load(ctx, r.store)
		return err
	}
	snap, err := r.store.snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.close()
	err = advance(ctx, snap, r.state)
	if found := (*contradiction)(nil); errors.As(err, &found) {
		// Not this state's ledger any more: a former version's was brought up meanwhile, or another one was put in its place.
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
	if err := r.look(ctx, func(s *state) { recorded = s.table(table).adjacency }); err != nil {
		return err
	}
	return oneAdjacency(table, recorded, asked)
}
