package ledger

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"time"

	"github.com/hashicorp/golang-lru/v2"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/postgres"
	"tacit/accountant/ledger/sqlite"
	"tacit/accountant/ledger/store"
	"tacit/policy"
)

// A Role is what a process does with a ledger.
type Role int

const (
	// Steward is a steward's command, which writes beside a running proxy.
	Steward Role = iota
	// Serve is a proxy. Of a ledger in SQLite there is only one at a time.
	Serve
)

// Options say which ledger is opened, and what for.
type Options struct {
	// Location is where the ledger is. Required.
	Location policy.LedgerLocation
	// Role is Steward unless said otherwise.
	Role Role
	// Existing refuses to make a ledger where there has never been one: the error says so (NeverMade).
	Existing bool
	// Lease is how long a process may not be seen alive until others adopt its unanswered charges. Default: 10 seconds. All processes that
	// share a ledger should say the same; what is charged and recorded is right whatever they say.
	Lease time.Duration
	// Clock dates entries and tells how old answers are. Default: that of the store, which is one clock for all processes that share a ledger.
	Clock func() time.Time
}

const defaultLease = 10 * time.Second

// Open opens a ledger, and creates it if there has never been one: no file or schema, and no guard that remembers one. It checks the ledger
// from its last checkpoint on, and writes nothing unless all is well. An error
// that is not ctx's is ErrUnavailable.
//
// To start anew, with all losses forgotten and all budgets full, the steward removes the ledger and its guard.
func Open(ctx context.Context, o Options) (*Ledger, error) {
	if o.Existing {
		if err := exists(ctx, o.Location); err != nil {
			return nil, err
		}
	}
	s, err := openStore(ctx, o)
	if err != nil {
		return nil, err
	}
	l, err := newLedger(ctx, s, o)
	if err != nil {
		s.Close()
		return nil, err
	}
	return l, nil
}

// openStore opens the store of a location for writing.
func openStore(ctx context.Context, o Options) (store.Store, error) {
	if o.Location.Postgres != "" {
		return postgres.Open(ctx, o.Location)
	}
	return sqlite.Open(ctx, o.Location.SQLite, o.Role == Serve)
}

// exists says what is missing of a ledger that was made. Nothing is made by looking.
func exists(ctx context.Context, location policy.LedgerLocation) error {
	if location.SQLite != "" {
		return sqlite.Existing(location.SQLite)
	}
	s, err := postgres.OpenExisting(ctx, location)
	if err != nil {
		return err
	}
	return s.Close()
}

// newLedger begins to use a store.
func newLedger(ctx context.Context, s store.Store, o Options) (*Ledger, error) {
	l := &Ledger{
		Reader: newReader(s), store: s, proxy: newProxyID(o.Role), alone: o.Role == Serve && o.Location.SQLite != "", lease: o.Lease,
		events: eventLog{quota: quota{rate: eventRate}}, audits: quota{rate: auditRate},
		queue: make(chan *pendingWrite, maxGroup), halt: make(chan struct{}), ended: make(chan struct{}), moved: make(chan struct{}),
		held: heldReservations{byEntry: make(map[int64]*Reservation)},
	}
	l.sealEvery = checkpointEvery
	if l.lease <= 0 {
		l.lease = defaultLease
	}
	l.lease = max(l.lease, time.Millisecond)
	l.live, l.started, l.now = true, s.Clock().UnixNano(), s.Clock
	if o.Clock != nil {
		l.now = o.Clock
	}
	l.answers, _ = lru.New[journal.EpochQuestion, *accountant.Release](maxAnswers)
	l.recorded, _ = lru.New[journal.EpochQuestion, recordedAnswer](maxRecorded)
	l.missed, _ = lru.New[journal.EpochQuestion, int64](maxMissed)
	if err := l.openState(ctx); err != nil {
		return nil, err
	}
	if o.Role == Serve {
		if err := l.bringUp(ctx); err != nil {
			return nil, err
		}
		if err := dropReferences(ctx, s); err != nil {
			return nil, err
		}
	}
	go l.run()
	l.events.start(l.appendEvents)
	return l, nil
}

// openState takes up the ledger that was found, if it is sound, writable, and the one that the guard remembers.
func (l *Ledger) openState(ctx context.Context) error {
	s, err := load(ctx, l.store)
	if err != nil {
		return l.readError(ctx, err)
	}
	l.use(s)
	if _, err := l.lockHead(ctx); err != nil {
		return err
	}
	// While the head is locked nobody else has the guard remember more.
	refusal := l.store.Admit(journal.Witness{ID: l.state.Ledger, Entry: l.state.Position, Hash: l.state.Hash})
	if err := l.store.Rollback(); refusal == nil && err != nil {
		return l.unavailable("it cannot be written", err)
	}
	l.committed = l.state.Position
	return refusal
}

// bringUp brings a ledger of a former format up to the present one, in one transaction, after it was compared with its guard. Programs that do not know
// that format refuse it from then on. A steward's command leaves it as it is, beside a proxy that may be such a program.
func (l *Ledger) bringUp(ctx context.Context) error {
	if l.state.Format.Version == journal.FormatVersion {
		return nil
	}
	w := &pendingWrite{ctx: ctx, done: make(chan error, 1), queued: time.Now(), decide: func(b *batch) error {
		if b.State.Format.Version < journal.FormatVersion { // another proxy may have done it
			b.Add(journal.FormatEntry())
			b.Upgrade = true
		}
		return nil
	}}
	l.commitUntilEmpty([]*pendingWrite{w}, alone)
	return <-w.done
}

// dropReferences drops foreign keys that a store's tables have from a former version and need no longer, see strayRows. A steward's command leaves them.
func dropReferences(ctx context.Context, s store.Store) error {
	if former, ok := s.(interface{ DropReferences(context.Context) error }); ok {
		return former.DropReferences(ctx)
	}
	return nil
}

// newProxyID is a name that no other process has. It says the role, by which others know that a proxy which should be alone has gone.
func newProxyID(role Role) string {
	id := make([]byte, 8)
	rand.Read(id)
	if role == Serve {
		return servePrefix + hex.EncodeToString(id)
	}
	return "steward-" + hex.EncodeToString(id)
}

// Close writes out what Note has queued and gives the ledger up.
func (l *Ledger) Close() error {
	l.events.stop()
	l.background.Wait()
	var err error
	l.closing.Do(func() {
		close(l.halt)
		<-l.ended
		l.failure.CompareAndSwap(nil, &accountant.UnavailableError{Path: l.store.Place(), Problem: "it is closed"})
		err = l.store.Close()
	})
	return err
}
