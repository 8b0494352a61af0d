package accountant

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"tacit/policy"
)

// A Ledger is an open ledger that this process may write, as others may, at the same time. It may be used by many goroutines. It is also
// a Reader of itself.
type Ledger struct {
	*Reader
	store   store
	proxy   string // what this process calls itself
	started int64
	alone   bool // no other process that answers analysts can be alive
	lease   time.Duration
	// sealEvery is after how many entries a checkpoint is written, at least.
	sealEvery int64
	journal   journal
	audits    quota // of events that cost nothing

	queue      chan *work
	halt       chan struct{} // closed by Close
	ended      chan struct{} // closed when the turns are over
	closing    sync.Once
	background sync.WaitGroup // of those who do not wait

	// What follows is the goroutine's that takes turns.
	committed      int64 // the last entry that is known to be written
	beaten         int64 // when this process was last seen alive
	leaving        bool
	uncertain      head // of a batch that may have been written
	uncertainWorks int
	looked         time.Time // when other processes were seen last
	followed       time.Time // when it was asked last whether they have written
	// stray are open charges of this process that nobody in it has a reservation of, since when that was seen.
	stray map[int64]time.Time

	awaited atomic.Int64 // how many wait for other processes

	// failure is set once, when the ledger can no longer be trusted; from then on it is what every call returns.
	failure atomic.Pointer[UnavailableError]

	// seen has when other processes were last alive, by the store's clock; under mu.
	seen map[string]int64
	// held are reservations that somebody in this process may still record, by their entries; under mu.
	held     map[int64]*Reservation
	answers  *lru.Cache[asked, *Release]
	recorded *lru.Cache[asked, recordedAnswer]
	// pending are answers of a batch that was planned and is not known to be written; under mu.
	pending map[asked]recordedAnswer
	moved   chan struct{} // closed, and made anew, when the ledger has moved on; under mu
}

// A recordedAnswer is the newest answer to a question since the ledger was opened.
type recordedAnswer struct {
	release, at int64
}

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
}

const defaultLease = 10 * time.Second

// What is kept at hand. Answers that are larger are read from the ledger each time.
const (
	maxAnswers     = 8192
	maxAnswerBytes = 16 << 10
	maxRecorded    = 1 << 17
)

// Open opens a ledger, and creates it if there has never been one: no file or schema, and no guard that remembers one. It checks the ledger
// from its last checkpoint on, and writes nothing unless all is well; one of a former version it then brings up to this one. An error
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
		s.close()
		return nil, err
	}
	return l, nil
}

// openStore opens the store of a location for writing.
func openStore(ctx context.Context, o Options) (store, error) {
	if o.Location.Postgres != "" {
		return openPostgres(ctx, o.Location)
	}
	return openSQLite(ctx, o.Location.SQLite, o.Role)
}

// exists says what is missing of a ledger that was made. Nothing is made by looking.
func exists(ctx context.Context, location policy.LedgerLocation) error {
	if location.SQLite != "" {
		return existing(location.SQLite)
	}
	s, err := openExistingPostgres(ctx, location)
	if err != nil {
		return err
	}
	return s.close()
}

// newLedger begins to use a store.
func newLedger(ctx context.Context, s store, o Options) (*Ledger, error) {
	l := &Ledger{
		Reader: newReader(s), store: s, proxy: newProxyID(o.Role), alone: o.Role == Serve && o.Location.SQLite != "", lease: o.Lease,
		journal: journal{quota: quota{rate: journalRate}}, audits: quota{rate: auditRate},
		queue: make(chan *work, maxWorks), halt: make(chan struct{}), ended: make(chan struct{}), moved: make(chan struct{}),
		held: make(map[int64]*Reservation),
	}
	l.sealEvery = checkpointEvery
	if l.lease <= 0 {
		l.lease = defaultLease
	}
	l.lease = max(l.lease, time.Millisecond)
	l.live, l.started, l.now = true, s.clock().UnixNano(), s.clock // one clock for all processes
	l.answers, _ = lru.New[asked, *Release](maxAnswers)
	l.recorded, _ = lru.New[asked, recordedAnswer](maxRecorded)
	if err := l.take(ctx); err != nil {
		return nil, err
	}
	go l.run()
	l.journal.start(l)
	return l, nil
}

// take takes up the ledger that was found, if it is sound, writable, and the one that the guard remembers.
func (l *Ledger) take(ctx context.Context) error {
	s, err := load(ctx, l.store)
	if err != nil {
		return l.readError(ctx, err)
	}
	l.use(s)
	if _, err := l.begin(ctx); err != nil {
		return err
	}
	if err := l.store.pass(); err != nil {
		return l.unavailable("it cannot be written", err)
	}
	l.committed = l.state.position
	return l.store.admit(mark{id: l.state.ledger, entry: l.state.position, hash: l.state.hash})
}

// use makes s the state.
func (l *Ledger) use(s *state) {
	s.onRecorded = l.note
	l.state = s
}

// note remembers an answer: for good, or, while a batch is planned, for the case that it is written.
func (l *Ledger) note(key asked, release, at int64) {
	if l.pending != nil {
		l.pending[key] = recordedAnswer{release, at}
		return
	}
	l.recorded.Add(key, recordedAnswer{release, at})
	l.answers.Remove(key)
}

// settle keeps what was remembered of a batch, if it was written. The caller holds mu.
func (l *Ledger) settle(written bool) {
	pending := l.pending
	l.pending = nil
	if written {
		for key, a := range pending {
			l.note(key, a.release, a.at)
		}
	}
}

// newestRecorded is the newest answer to a question since the ledger was opened. The caller holds mu.
func (l *Ledger) newestRecorded(key asked) (recordedAnswer, bool) {
	if a, ok := l.pending[key]; ok {
		return a, true
	}
	return l.recorded.Get(key)
}

// reload reads the state again, after one that may not have been written was given up.
func (l *Ledger) reload(ctx context.Context) error {
	l.mu.Lock()
	lost := l.state == nil
	l.mu.Unlock()
	if !lost {
		return nil
	}
	s, err := load(ctx, l.store)
	if err != nil {
		return l.unwritten(err)
	}
	missed, err := collect(ctx, l.store, scanAnswered, answeredSince, l.committed)
	if err != nil {
		return l.unwritten(err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, a := range missed {
		l.note(a.asked, a.release, a.at)
	}
	l.use(s)
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

const servePrefix = "serve-"

// Close writes out what Note has queued and gives the ledger up.
func (l *Ledger) Close() error {
	l.journal.stop()
	l.background.Wait()
	var err error
	l.closing.Do(func() {
		close(l.halt)
		<-l.ended
		l.failure.CompareAndSwap(nil, &UnavailableError{Path: l.store.place(), Problem: "it is closed"})
		err = l.store.close()
	})
	return err
}

// Warnings are what the steward should know of where the ledger is kept, though it can be used.
func (l *Ledger) Warnings() []string { return l.store.warnings() }

// Usable says why the ledger cannot be used any more, as ErrUnavailable; nil while it can.
func (l *Ledger) Usable() error { return l.usable() }

func (l *Ledger) usable() error {
	if failure := l.failure.Load(); failure != nil {
		return failure
	}
	return l.store.usable()
}

func (l *Ledger) closedError() error {
	if failure := l.failure.Load(); failure != nil {
		return failure
	}
	return &UnavailableError{Path: l.store.place(), Problem: "it is closed"}
}

// fail makes the ledger unavailable for good: what is in it is no longer known to be what this process believes.
func (l *Ledger) fail(problem string, err error) error {
	l.failure.CompareAndSwap(nil, &UnavailableError{
		Path: l.store.place(), Problem: problem, Remedy: "see to the ledger with tacit verify, then restart tacit", Err: err,
	})
	return l.failure.Load()
}

// newPlan begins a plan on the state. The caller holds mu.
func (l *Ledger) newPlan() *plan {
	return &plan{ledger: l, state: l.state, composer: l.composer, now: l.now().UnixNano()}
}

// rebuilding is returned to those who look while the state is read again.
func (l *Ledger) rebuilding() error { return l.unavailable("it is being read again", nil) }
