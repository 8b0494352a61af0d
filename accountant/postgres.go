package accountant

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"tacit/policy"
)

// A postgresStore keeps a ledger in a database of PostgreSQL, or of another server that speaks its protocol and locks rows.
//
// Processes take turns at the row of head, which a turn locks FOR UPDATE before it reads what others have written. A connection that
// breaks takes its turn with it: the server rolls it back, or has committed it, and the next turn, on a new connection, waits for the
// lock until that is settled. Each turn proves that the server is still the one that it was: the last entry known here is there with its
// hash. A server that was restored from a backup, or a standby that was promoted without the newest entries, fails that proof, and
// nothing is read from it or charged in it until the right one is back.
type postgresStore struct {
	location policy.LedgerLocation
	config   *pgx.ConnConfig
	id       string // the ledger's identity, found by open; empty where there is no ledger
	guard    *guard // nil of a reader
	db       *pool  // of query and snapshot

	// known is the newest state that was seen, from which the next one must descend; the zero mark before the first turn.
	known atomic.Pointer[mark]
	// doubt says that the server which was found last did not prove itself, and is not to be read before it does.
	doubt   atomic.Bool
	failure atomic.Pointer[UnavailableError] // set once, by close
	ticking serverClock
	warned  []string // what open has found
	// conn is the connection of the goroutine that takes turns; nil if it was cut off.
	conn *pgx.Conn
}

// ledgerPatience is how long analysts wait for a ledger's server that is away, such as one that is restarted.
const ledgerPatience = 10 * time.Second

// newPostgresStore prepares the connections of a ledger; it does not connect yet.
func newPostgresStore(location policy.LedgerLocation) (*postgresStore, error) {
	s := &postgresStore{location: location}
	s.known.Store(&mark{})
	var err error
	if s.config, err = connectionConfig(location.Postgres); err != nil {
		return nil, s.unavailable("its location is wrong", "", err)
	}
	s.db = newPool(s.config)
	return s, nil
}

func (s *postgresStore) place() string { return s.location.String() }

func (s *postgresStore) warnings() []string { return s.warned }

func (s *postgresStore) patience() time.Duration { return ledgerPatience }

func (s *postgresStore) clock() time.Time { return s.ticking.now() }

func (s *postgresStore) usable() error {
	if failure := s.failure.Load(); failure != nil {
		return failure
	}
	return nil
}

// readable says why nothing is to be read now.
func (s *postgresStore) readable(ctx context.Context) error {
	if err := s.usable(); err != nil || !s.doubt.Load() {
		return err
	}
	return s.prove(ctx)
}

func (s *postgresStore) unavailable(problem, remedy string, err error) *UnavailableError {
	return &UnavailableError{Path: s.place(), Problem: problem, Remedy: remedy, Err: err}
}

// failed is the error of a server that is away, takes too long, or answers with an error.
func (s *postgresStore) failed(err error) *UnavailableError {
	var explained *UnavailableError
	if errors.As(err, &explained) {
		return explained
	}
	if refused(err) {
		return s.unavailable("its server answers with an error", remedyOf(err), err)
	}
	if refusal := denied(err); refusal != nil {
		return s.unavailable("its server does not let tacit in", remedyOf(refusal), refusal)
	}
	return s.unavailable("its server does not answer", "start the server, or see to the way to it", err)
}

func (s *postgresStore) query(ctx context.Context, query string, args ...any) (rows, error) {
	if err := s.readable(ctx); err != nil {
		return nil, err
	}
	found, err := s.db.query(ctx, query, args...)
	return found, s.explain(ctx, err)
}

// explain tells a server that fails from a caller who has given up.
func (s *postgresStore) explain(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return s.failed(err)
}

func (s *postgresStore) snapshot(ctx context.Context) (snapshot, error) {
	if err := s.readable(ctx); err != nil {
		return nil, err
	}
	snap, err := s.db.snapshot(ctx)
	return snap, s.explain(ctx, err)
}

func (s *postgresStore) close() error {
	s.failure.CompareAndSwap(nil, s.unavailable("it is closed", "", nil))
	s.hangUp()
	err := s.db.Close()
	if s.guard != nil {
		err = errors.Join(err, s.guard.close())
	}
	return err
}

// A serverClock goes with the server's, by this process's own since it was last set: all processes of a ledger share the server's.
type serverClock struct {
	mu     sync.Mutex // protects what follows
	server time.Time
	set    time.Time // of this process, with its monotonic reading
}

// tick sets the clock to a time of the server's in microseconds.
func (c *serverClock) tick(micros int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.server, c.set = time.UnixMicro(micros), time.Now()
}

func (c *serverClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.set.IsZero() {
		return time.Now()
	}
	return c.server.Add(time.Since(c.set))
}
