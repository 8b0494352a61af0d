package postgres

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/guard"
	"tacit/policy"
)

// A Store keeps a ledger in a database of PostgreSQL, or of another server that speaks its protocol and locks rows.
//
// Writers exclude one another by the row of head, which each locks FOR UPDATE before it reads what others have written. A connection that
// breaks ends its transaction: the server rolls it back, or has committed it, and the next lock, on a new connection, waits for the
// lock until that is known. Each lock proves that the server is still the one that it was: the last entry known here is there with its
// hash. A server that was restored from a backup, or a standby that was promoted without the newest entries, fails that proof, and
// nothing is read from it or charged in it until the right one is back.
type Store struct {
	location policy.LedgerLocation
	config   *pgx.ConnConfig
	id       string      // the ledger's identity, found by open; empty where there is no ledger
	guard    *guard.File // nil of a reader
	db       *pool       // of query and snapshot

	// known is the newest state that was seen, from which the next one must descend; the zero Witness before the first lock.
	known atomic.Pointer[journal.Witness]
	// unproven says that the server which was found last did not prove itself, and is not to be read before it does.
	unproven atomic.Bool
	failure  atomic.Pointer[accountant.UnavailableError] // set once, by close
	ticking  serverClock
	warned   []string // what open has found
	// conn is the connection of the goroutine that commits; nil if it was cut off.
	conn *pgx.Conn
	// prepared has the names of the statements that were prepared on conn, by their texts; nil before they are.
	prepared map[string]string
	// flight is what the transaction of conn has sent and not heard of; nil if there is nothing. sent is how many entries of its batch were.
	flight *flight
	sent   int
}

// ledgerPatience is how long analysts wait for a ledger's server that is away, such as one that is restarted.
const ledgerPatience = 10 * time.Second

func (s *Store) Place() string { return s.location.String() }

func (s *Store) Warnings() []string { return s.warned }

func (s *Store) Patience() time.Duration { return ledgerPatience }

func (s *Store) Clock() time.Time { return s.ticking.now() }

func (s *Store) Usable() error {
	if failure := s.failure.Load(); failure != nil {
		return failure
	}
	return nil
}

func (s *Store) unavailable(problem, remedy string, err error) *accountant.UnavailableError {
	return &accountant.UnavailableError{Path: s.Place(), Problem: problem, Remedy: remedy, Err: err}
}

// failed is the error of a server that is away, takes too long, or answers with an error.
func (s *Store) failed(err error) *accountant.UnavailableError {
	var explained *accountant.UnavailableError
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
