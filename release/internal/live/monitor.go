package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/memory"
	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// ConfirmedFor is how long protected tables stay open after the last check that could be made.
const ConfirmedFor = 5 * time.Minute

// A Monitor holds the State in force and the ledger, and closes protected tables when a check fails. Its methods may be called
// concurrently.
type Monitor struct {
	random  io.Reader
	clock   func() time.Time // of the ledger; nil: its store's
	Curator *curator.Curator
	Memory  *memory.Budget // of all statements
	// running ends with Close.
	running context.Context
	stop    context.CancelFunc

	establishing sync.Mutex // held while a state is confirmed and entered, so that an older one cannot follow a newer one

	Mu sync.Mutex // protects what follows; held for moments only, since every statement of every session asks
	// state is the newest that could be confirmed. It stays in use for telling protected names while the tables are closed.
	state     *State
	confirmed time.Time // when it was
	// closed says why protected tables are refused; nil while they are open.
	closed error
	// apart is when the ledger was last found to be out of analysts' reach.
	Apart time.Time
	// ledger is nil while it could not be opened, for the reason shut.
	Ledger *ledger.Ledger
	shut   error
	// failed are the tables of which a count failed in a way that could tell of a row, until the policy is reloaded.
	Failed map[policy.TableName]bool
	// digest is of the catalog that was checked last.
	digest curator.Digest
	// ended is set by Close.
	ended bool

	changes *curator.Changes
	looks   sharedRun
	looked  chan struct{}
	// LookFor is how long a look serves. It is set before the first statement.
	LookFor time.Duration
	// unchanged is until when the last look serves.
	unchanged time.Time
	// lookedAt is what the last look saw, and moment counts how often that was something else, see Look.
	lookedAt curator.Digest
	moment   uint64
}

// Open connects the curator and puts a policy in force. A clock that is nil is the one of the ledger's store.
func Open(ctx context.Context, p *policy.Policy, random io.Reader, clock func() time.Time) (*Monitor, error) {
	m := &Monitor{random: &lockedReader{reader: random}, clock: clock, looked: make(chan struct{}, 1), Memory: memory.New(p.Limits.Memory)}
	m.running, m.stop = context.WithCancel(context.Background())
	var err error
	if m.Curator, err = curator.New(ctx, p); err != nil {
		return nil, err
	}
	m.changes = curator.NewChanges(m.Curator)
	if err := m.Reload(ctx, p); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// A lockedReader is shared by the mechanisms of all tables.
type lockedReader struct {
	mu     sync.Mutex // protects reader
	reader io.Reader
}

func (r *lockedReader) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reader.Read(p)
}

// Close gives back the curator's connections and the ledger.
func (m *Monitor) Close() error {
	m.Mu.Lock()
	l := m.Ledger
	m.ended = true
	m.closed = errors.New("the proxy is shutting down")
	m.Ledger, m.shut = nil, m.closed
	m.Mu.Unlock()
	m.stop()
	m.changes.Close()
	m.Curator.Close()
	if l == nil {
		return nil
	}
	return l.Close()
}

// Reload puts another policy in force for statements that come from now on. If it cannot be put in force the old one stays,
// and the error says why. The addresses, the upstream and the ledger cannot change while the proxy runs.
func (m *Monitor) Reload(ctx context.Context, p *policy.Policy) error {
	m.establishing.Lock()
	defer m.establishing.Unlock()
	if running := m.Current(); running != nil {
		old := running.Policy
		for _, t := range p.Tables {
			if before, ok := old.Table(t.Name); ok && before.Adjacency != t.Adjacency {
				return fmt.Errorf("the adjacency of %s cannot change: losses under different adjacencies do not add up", t.Name)
			}
			if before, ok := old.Table(t.Name); ok && personColumn(before) != personColumn(t) {
				return fmt.Errorf("the person of %s cannot change: losses of rows and of persons do not add up", t.Name)
			}
		}
		if !slices.Equal(p.Listen, old.Listen) || p.Upstream != old.Upstream || p.Ledger != old.Ledger ||
			p.Limits.CountTimeout != old.Limits.CountTimeout || p.Limits.Connections != old.Limits.Connections || p.Limits.Memory != old.Limits.Memory || p.Operations != old.Operations {
			return errors.New("listen, upstream, ledger, metrics, log.format, log.level, drain, limits.count_timeout, limits.connections and limits.memory cannot change while the proxy runs; restart it")
		}
	}
	next, err := m.establish(ctx, p)
	if err != nil {
		return err
	}
	if err := next.checkWorkloads(); err != nil {
		return err
	}
	if err := m.enter(ctx, next); err != nil {
		return err
	}
	m.Mu.Lock()
	defer m.Mu.Unlock()
	m.Failed = nil
	return nil
}

// Refresh checks the separation of the roles again, reads the catalog anew, and opens the ledger if it cannot be used. It is to be
// called every minute or so: what a superuser changed since then is found here. After an error protected tables are closed until a
// later Refresh succeeds. If the server could not be asked, they stay as they are, and close by themselves when no Refresh has succeeded for some
// minutes: Closed tells which.
func (m *Monitor) Refresh(ctx context.Context) error {
	m.establishing.Lock()
	defer m.establishing.Unlock()
	next, err := m.establish(ctx, m.Current().Policy)
	if err == nil {
		err = m.enter(ctx, next)
	}
	if err != nil && !curator.Unmade(err) {
		m.Mu.Lock()
		defer m.Mu.Unlock()
		m.shutOut(err)
	}
	return err
}

// enter puts a State in force that was confirmed just now, unless the ledger has a table's answers of another kind, a *KindError, or
// is not apart from the analysts, a *SeparationError.
// The caller holds establishing.
func (m *Monitor) enter(ctx context.Context, next *State) error {
	l, shut := m.usableLedger(ctx, next.Policy.Ledger)
	var kinds *KindError
	var holes *curator.SeparationError
	if l != nil {
		errors.As(CheckKinds(ctx, next.Policy, l), &kinds)
		if err := m.ledgerApart(ctx, next.Policy); err != nil && !errors.As(err, &holes) {
			l.Close()
			l, shut = nil, err
		}
	}
	m.Mu.Lock()
	defer m.Mu.Unlock()
	if m.ended {
		if l != nil {
			l.Close()
		}
		return nil
	}
	m.Ledger, m.shut, m.digest = l, shut, next.checked
	switch {
	case kinds != nil:
		return kinds
	case holes != nil:
		return holes
	}
	m.closed, m.confirmed = nil, time.Now()
	if m.state == nil || m.state.Catalog.Version != next.Catalog.Version {
		m.state = next
	}
	return nil
}

// ledgerApart is a *SeparationError if analysts could reach the ledger, or says why that could not be found out, unless it was found out for
// this policy some minutes ago: that the ledger's server is away does not open it to anybody, and nothing is charged meanwhile.
func (m *Monitor) ledgerApart(ctx context.Context, p *policy.Policy) error {
	err := curator.LedgerApart(ctx, p)
	var holes *curator.SeparationError
	m.Mu.Lock()
	defer m.Mu.Unlock()
	switch {
	case err == nil:
		m.Apart = time.Now()
	case errors.As(err, &holes):
		m.Apart = time.Time{}
	case m.state != nil && m.state.Policy == p && time.Since(m.Apart) <= ConfirmedFor:
		return nil
	}
	return err
}

// usableLedger returns the open ledger, or opens it anew if there is none or it failed.
func (m *Monitor) usableLedger(ctx context.Context, location policy.LedgerLocation) (*ledger.Ledger, error) {
	m.Mu.Lock()
	l := m.Ledger
	m.Mu.Unlock()
	if l != nil {
		if l.Usable() == nil {
			return l, nil
		}
		l.Close()
	}
	return ledger.Open(ctx, ledger.Options{Location: location, Role: ledger.Serve, Clock: m.clock})
}

// establish confirms on the live catalog that a policy can be in force.
func (m *Monitor) establish(ctx context.Context, p *policy.Policy) (*State, error) {
	p = p.On(m.now())
	s, err := newState(p, m.random)
	if err != nil {
		return nil, err
	}
	catalog, checked, err := m.Curator.Catalog(ctx, p)
	if err != nil {
		return s, err
	}
	s.onCatalog(catalog)
	s.checked = checked
	return s, nil
}

func (m *Monitor) now() time.Time {
	if m.clock != nil {
		return m.clock()
	}
	return time.Now()
}

// Current is the newest state that could be confirmed.
func (m *Monitor) Current() *State {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	return m.state
}

// Present are the newest state and the ledger, though protected tables may be closed; without a ledger, err says why there is none.
func (m *Monitor) Present() (s *State, l *ledger.Ledger, err error) {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	return m.state, m.Ledger, m.shut
}

// LedgerError says why the ledger cannot be used, nil if it can.
func (m *Monitor) LedgerError() error {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	if m.Ledger != nil {
		return m.Ledger.Usable()
	}
	return m.shut
}

// LedgerIdentity is what no other ledger has, "" while it cannot be used.
func (m *Monitor) LedgerIdentity() string {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	if m.Ledger == nil {
		return ""
	}
	return m.Ledger.Identity()
}

// LedgerWarnings are what the steward should know of where the ledger is kept, though it can be used.
func (m *Monitor) LedgerWarnings() []string {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	if m.Ledger == nil {
		return nil
	}
	return m.Ledger.Warnings()
}

// overdue is an error when the last check that could be made is too long ago. The caller holds Mu.
func (m *Monitor) overdue() error {
	if time.Since(m.confirmed) <= ConfirmedFor {
		return nil
	}
	return fmt.Errorf("the separation of the roles was last confirmed at %v", m.confirmed)
}

// BeginCount takes connections for the counts of an answer, to a standby, too, if that has the catalog that was last checked and reads the queries' constants alike.
func (m *Monitor) BeginCount(ctx context.Context, queries []*query.BoundQuery) (*curator.Counts, error) {
	m.Mu.Lock()
	checked := m.digest
	m.Mu.Unlock()
	return m.Curator.BeginCount(ctx, checked, queries)
}

// Open returns what answers are made with, or why protected tables are refused.
func (m *Monitor) Open() (*State, *ledger.Ledger, error) {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	switch {
	case m.closed != nil:
		return nil, nil, errors.Join(reply.RefuseClosed.With(), m.closed)
	case m.overdue() != nil:
		return nil, nil, errors.Join(reply.RefuseClosed.With(), m.overdue())
	case m.Ledger == nil:
		return nil, nil, errors.Join(reply.RefuseLedger.With(), m.shut)
	}
	return m.state, m.Ledger, nil
}

// Note logs an event, if there is a ledger.
func (m *Monitor) Note(e ledger.Event) {
	m.Mu.Lock()
	l := m.Ledger
	m.Mu.Unlock()
	if l != nil {
		l.Note(e)
	}
}
