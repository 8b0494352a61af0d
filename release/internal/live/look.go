package live

import (
	"context"
	"errors"
	"sync"
	"time"

	"tacit/release/curator"
)

// This file closes the time between two checks: before a statement is relayed, the catalog is compared with what the last check saw, and
// checked again if it has changed. The invariant: the catalog that Look vouches for is at most as old as Monitor.LastLook allows. Start at
// Monitor.Look.

// lookTimeout bounds a look with the check that follows from it. A server that answers neither answers no statement either.
const lookTimeout = time.Minute

// Look makes sure that the State in force is of the catalog as it is now. Calls at the same time share one look. A look that cannot be
// made changes nothing: the checks of every minute go on, and close protected tables if they cannot be made either. The error is ctx's.
//
// It returns a number. As long as that is the same, nobody had committed anything on the server when the last look was made, and the server had not
// read its settings again. A look serves for LookFor, or longer in a server where it takes long.
func (m *Monitor) Look(ctx context.Context) (moment uint64, err error) {
	if moment, serves := m.LastLook(); serves {
		return moment, nil
	}
	err = m.looks.do(ctx, m.look)
	m.Mu.Lock()
	defer m.Mu.Unlock()
	return m.moment, err
}

// seen takes note of what a look saw: the zero value is what one saw that could not be made, and is never the same.
func (m *Monitor) seen(now curator.Digest) {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	if !now.SameMoment(m.lookedAt) {
		m.moment++
	}
	m.lookedAt = now
}

// LastLook is what Look returned last, if that look found no change and still serves. Behind a barrier none does, so that it opens at once.
func (m *Monitor) LastLook() (moment uint64, serves bool) {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	return m.moment, m.state != nil && m.state.Catalog.Barrier == nil && time.Now().Before(m.unchanged)
}

// serve has a look that found no change serve for LookFor from its beginning, or, where looks take long, for so long that they take at
// most a tenth of the time. The caller holds Mu.
func (m *Monitor) serve(began time.Time) {
	if m.LookFor > 0 {
		m.unchanged = began.Add(max(m.LookFor, 10*time.Since(began)))
	}
}

// Looked is sent to after a look has closed or opened protected tables.
func (m *Monitor) Looked() <-chan struct{} { return m.looked }

// Closed says why protected tables are closed: what the last check found, that none could be made for too long, or why the ledger cannot be used.
func (m *Monitor) Closed() error {
	if err := m.NotSeparate(); err != nil {
		return err
	}
	return m.LedgerError()
}

// NotSeparate is what the last check of the roles found, or that none could be made for too long.
func (m *Monitor) NotSeparate() error {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	if m.closed != nil {
		return m.closed
	}
	return m.overdue()
}

func (m *Monitor) look() {
	ctx, cancel := context.WithTimeout(context.Background(), lookTimeout)
	defer cancel()
	began := time.Now()
	m.Mu.Lock()
	state, last := m.state, m.digest
	m.Mu.Unlock()
	now, err := m.changes.Now(ctx, state.Policy, last)
	if err != nil {
		m.seen(curator.Digest{})
		return
	}
	m.seen(now)
	if now.Others == last.Others && (state.Catalog.Barrier == nil || now.Any == last.Any) {
		m.Mu.Lock()
		defer m.Mu.Unlock()
		if m.digest == last {
			m.digest = now
			m.serve(began)
		}
		return
	}
	m.establishing.Lock() // so that no check that began before is entered afterwards
	checked, err := m.Curator.Separate(ctx, state.Policy)
	var holes *curator.SeparationError
	opens := false // a barrier can be taken down
	m.Mu.Lock()
	switch {
	case m.state.Policy != state.Policy || m.ended:
	case errors.As(err, &holes):
		m.shutOut(holes)
	case err != nil: // the next statement looks again
	case m.state.Catalog.Barrier == nil && !errors.As(m.closed, &holes):
		m.digest = checked
	default:
		opens = true
	}
	m.Mu.Unlock()
	m.establishing.Unlock()
	if opens {
		_ = m.Refresh(ctx) // says in closed what is still in the way
	}
	if holes != nil {
		select {
		case m.looked <- struct{}{}:
		default:
		}
	}
}

// shutOut closes protected tables, and sets up the barrier of the findings, if there are any. The caller holds Mu.
func (m *Monitor) shutOut(err error) {
	m.closed = err
	var holes *curator.SeparationError
	if m.state == nil || !errors.As(err, &holes) {
		return
	}
	if holes.Digest != (curator.Digest{}) {
		m.digest = holes.Digest
	}
	if behind := m.state.Catalog.Behind(holes.Barrier); behind.Version != m.state.Catalog.Version {
		state := *m.state
		state.Catalog = behind
		m.state = &state
	}
}

// A sharedRun runs a function for all who wait for a run that begins after they came. The zero value is ready.
type sharedRun struct {
	mu      sync.Mutex    // protects what follows
	next    chan struct{} // closed at the end of the next run; nil if nobody waits for it
	running bool
}

func (s *sharedRun) do(ctx context.Context, work func()) error {
	s.mu.Lock()
	if s.next == nil {
		s.next = make(chan struct{})
	}
	done := s.next
	if !s.running {
		s.running = true
		go s.run(work)
	}
	s.mu.Unlock()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// run goes on until nobody waits.
func (s *sharedRun) run(work func()) {
	for {
		s.mu.Lock()
		done := s.next
		s.next, s.running = nil, done != nil
		s.mu.Unlock()
		if done == nil {
			return
		}
		work()
		close(done)
	}
}
