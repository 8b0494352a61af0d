package ledger

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/store"
	"tacit/policy"
)

// A batch is a journal batch with what is needed to decide on writes. A write that is decided sees the entries of those before it.
type batch struct {
	journal.Batch
	ledger    *Ledger
	composer  *composition.Composer
	asking    bool                  // only what would be, see Afford
	reserved  bool                  // an answer, for which this process must be seen alive
	released  []*accountant.Release // what is recorded of this process's own charges
	uncertain journal.Digest        // see store.Store.Lock
}

// A Ledger is an open ledger that this process may write, as others may, at the same time. It may be used by many goroutines. It is also
// a Reader of itself.
type Ledger struct {
	*Reader
	store   store.Store
	proxy   string // what this process calls itself
	started int64
	alone   bool // no other process that answers analysts can be alive
	lease   time.Duration
	// sealEvery is after how many entries a checkpoint is written, at least.
	sealEvery int64
	events    eventLog
	audits    quota // of events that cost nothing

	queue      chan *pendingWrite
	halt       chan struct{} // closed by Close
	ended      chan struct{} // closed when the goroutine that commits has ended
	closing    sync.Once
	background sync.WaitGroup // of those who do not wait

	// What follows belongs to the goroutine that commits.
	committed       int64 // the last entry that is known to be written
	lastHeartbeat   int64 // when this process was last seen alive
	leaving         bool
	uncertain       journal.Head // of a batch that may have been written
	uncertainWrites int
	leasesRead      time.Time // when other processes were seen last
	followed        time.Time // when it was asked last whether they have written
	// orphans are open charges of this process of which it holds no reservation, with the time when that was first seen.
	orphans map[int64]time.Time

	awaited  atomic.Int64 // how many wait for other processes
	activity activity

	// failure is set once, when the ledger can no longer be trusted; from then on it is what every call returns.
	failure atomic.Pointer[accountant.UnavailableError]

	// looked is when the store was last found usable by seenUsable.
	looked atomic.Pointer[time.Time]

	// seen has when other processes were last alive, by the store's clock; under mu.
	seen     map[string]int64
	held     heldReservations
	answers  *lru.Cache[journal.EpochQuestion, *accountant.Release]
	recorded *lru.Cache[journal.EpochQuestion, recordedAnswer]
	// missed has the questions that the store had no answer to, with the last release that was known before it was asked.
	missed *lru.Cache[journal.EpochQuestion, int64]
	// through is the last release that is known to be written, and recent has the last ones that this process has recorded, without their payloads, each
	// at the remainder of its number; under mu.
	through int64
	recent  [maxRecent]*accountant.Release
	// marked counts the answers of each table that were recorded since the ledger was opened; under mu.
	marked map[policy.TableName]int64
	// pending are answers of a batch that is not known to be written; under mu.
	pending map[journal.EpochQuestion]recordedAnswer
	moved   chan struct{} // closed, and made anew, when the ledger has moved on; under mu
}

// A recordedAnswer is the newest answer to a question since the ledger was opened.
type recordedAnswer struct {
	release, at int64
}

// What is kept at hand. Answers that are larger are read from the ledger each time.
const (
	maxAnswers     = 8192
	maxAnswerBytes = 16 << 10
	maxRecorded    = 1 << 17
	maxMissed      = 1 << 13
	maxRecent      = 1 << 11
)

// use makes s the state.
func (l *Ledger) use(s *journal.State) {
	s.OnRecorded = l.note
	l.state, l.through = s, s.Last.Release
}

// note remembers an answer: for good, or, while a batch is not committed, for the case that it will be. Nothing but an answer that is noted makes place
// for another one, so that the last maxRecorded are always there.
func (l *Ledger) note(key journal.EpochQuestion, release, at int64) {
	if l.pending != nil {
		l.pending[key] = recordedAnswer{release, at}
		return
	}
	l.recorded.Add(key, recordedAnswer{release, at})
	l.answers.Remove(key)
	l.mark(key)
}

// finaliseAnswers keeps what was remembered of a batch, if it was written. The caller holds mu.
func (l *Ledger) finaliseAnswers(written bool) {
	pending := l.pending
	l.pending = nil
	if written {
		for key, a := range pending {
			l.note(key, a.release, a.at)
		}
	}
}

// newestRecorded is the newest answer to a question since the ledger was opened. The caller holds mu.
func (l *Ledger) newestRecorded(key journal.EpochQuestion) (recordedAnswer, bool) {
	if a, ok := l.pending[key]; ok {
		return a, true
	}
	return l.recorded.Peek(key)
}

// Identity is what no other ledger has, and all proxies of this one see; "" while the ledger is being read.
func (l *Ledger) Identity() (identity string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state != nil {
		identity = l.state.Ledger
	}
	return identity
}

// Warnings are what the steward should know of where the ledger is kept, though it can be used.
func (l *Ledger) Warnings() []string { return l.store.Warnings() }

// Usable says why the ledger cannot be used any more, as ErrUnavailable; nil while it can.
func (l *Ledger) Usable() error { return l.usable() }

func (l *Ledger) usable() error {
	if failure := l.failure.Load(); failure != nil {
		return failure
	}
	return l.store.Usable()
}

func (l *Ledger) closedError() error {
	if failure := l.failure.Load(); failure != nil {
		return failure
	}
	return &accountant.UnavailableError{Path: l.store.Place(), Problem: "it is closed"}
}

// fail makes the ledger unavailable for good: what is in it is no longer known to be what this process believes.
func (l *Ledger) fail(problem string, err error) error {
	l.failure.CompareAndSwap(nil, &accountant.UnavailableError{
		Path: l.store.Place(), Problem: problem, Remedy: "see to the ledger with tacit verify, then restart tacit", Err: err,
	})
	return l.failure.Load()
}

// newBatch begins a batch on the state. The caller holds mu.
func (l *Ledger) newBatch() *batch {
	return &batch{Batch: journal.NewBatch(l.state, l.now().UnixNano()), ledger: l, composer: l.composer}
}

// rebuilding is returned to those who look while the state is read again.
func (l *Ledger) rebuilding() error { return l.unavailable("it is being read again", nil) }

// A pendingWrite is a queued change of the ledger. Writes are committed in groups; a write that is refused does not fail its group.
type pendingWrite struct {
	ctx context.Context // looked at until it is decided
	// decide adds entries to the batch. If it returns an error, it has added none. It is called again when a commit has failed.
	decide func(*batch) error
	err    error
	done   chan error
	queued time.Time
	stage  atomic.Int32
}

// The stages of a write. Its caller may give up while it waits; once it is decided, the caller waits for the result, which is known soon.
const (
	waiting int32 = iota
	decided
	left
)

// claim reports whether the caller still waits for the write.
func (w *pendingWrite) claim() bool {
	return w.stage.CompareAndSwap(waiting, decided) || w.stage.Load() == decided
}

// unwritten is the error of a commit that failed.
func (l *Ledger) unwritten(err error) error {
	var known *accountant.UnavailableError
	switch {
	case errors.As(err, &known) && errors.Is(err, store.ErrRows):
		return fmt.Errorf("%w: %w", known, store.ErrRows)
	case errors.As(err, &known):
		return known
	}
	return l.unavailable("it cannot be written", err)
}
