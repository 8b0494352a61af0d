package ledger

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/ledgertest"
	"tacit/accountant/ledger/postgres"
	"tacit/accountant/ledger/store"
	"tacit/internal/pgtest"
	"tacit/policy"
)

// A doubtfulStore counts the commits whose acknowledgement was lost, of which the next turn finds that they were done.
type doubtfulStore struct {
	*postgres.Store
	lost   journal.Head
	landed atomic.Int64
}

func (s *doubtfulStore) Write(b *journal.Batch) error {
	err := s.Store.Write(b)
	if errors.Is(err, store.ErrUncertain) {
		s.lost = b.Head
	}
	return err
}

func (s *doubtfulStore) Lock(ctx context.Context, after, witness int64) (*store.Locked, error) {
	begun, err := s.Store.Lock(ctx, after, witness)
	if err == nil && s.lost.Entry != 0 {
		if begun.Head == s.lost {
			s.landed.Add(1)
		}
		s.lost = journal.Head{}
	}
	return begun, err
}

// A severed ledger takes its turns on a connection that is cut where a test says so, and reads on others.
type severed struct {
	*Ledger
	t       *testing.T
	store   *doubtfulStore
	relay   *pgtest.Relay
	charged int64 // what was reserved, of 1 each
	events  int64
}

func newSevered(t *testing.T) *severed {
	t.Helper()
	c, err := ledgertest.SharedCluster()
	do(t, err)
	relay, err := c.NewRelay()
	do(t, err)
	t.Cleanup(func() { do(t, relay.Close()) })
	location := ledgertest.NewLocation(t, c)
	inner, err := postgres.Open(t.Context(), location)
	do(t, err)
	inner.WriteThrough(relay.Port)
	store := &doubtfulStore{Store: inner}
	l, err := newLedger(t.Context(), store, Options{Location: location, Role: Serve, Lease: time.Hour})
	do(t, err)
	t.Cleanup(func() { do(t, l.Close()) })
	return &severed{Ledger: l, t: t, store: store, relay: relay}
}

// together makes calls in one turn, on a new connection that is cut so, and returns what they return, what the turn took, and how many
// entries there are more.
func (s *severed) together(cut pgtest.Cut, calls []func() error) (errs []error, took pgtest.Traffic, entries int64) {
	s.t.Helper()
	failed := make([]chan error, len(calls))
	for i := range calls {
		failed[i] = make(chan error, 1)
	}
	var before int64
	var start pgtest.Traffic
	do(s.t, s.do(s.t.Context(), func(p *batch) error {
		for i, call := range calls {
			go func() { failed[i] <- call() }()
			for len(s.queue) <= i { // they come in their order
				time.Sleep(time.Millisecond)
			}
		}
		before = p.State.Position
		s.store.WriteThrough(s.relay.Port)
		s.relay.Next(cut)
		start = s.relay.Heard()
		return nil
	}))
	for _, f := range failed {
		errs = append(errs, <-f)
	}
	stop := s.relay.Heard()
	do(s.t, s.do(s.t.Context(), func(p *batch) error {
		entries = p.State.Position - before
		return nil
	}))
	return errs, pgtest.Traffic{ToServer: stop.ToServer - start.ToServer, ToClient: stop.ToClient - start.ToClient}, entries
}

func (s *severed) charge(table policy.TableName) accountant.Charge {
	s.charged++
	c := charge("ana", fmt.Sprint("question ", s.charged), accountant.Loss{Epsilon: 1})
	c.Table, c.Items[0].Table = table, table
	return c
}

func (s *severed) reserving(c accountant.Charge) func() error {
	return func() error {
		_, err := s.Reserve(s.t.Context(), c)
		return err
	}
}

func (s *severed) recordingAll(charges ...accountant.Charge) func() error {
	reservations, err := s.ReserveAll(s.t.Context(), charges)
	do(s.t, err)
	answers := make([][][]byte, len(charges))
	for i := range answers {
		answers[i] = [][]byte{[]byte("answer")}
	}
	return func() error { return s.RecordAll(s.t.Context(), reservations, answers) }
}

// lostWorks are what is done in a turn, and how many entries that makes.
var lostWorks = map[string]struct {
	calls   func(s *severed) []func() error
	entries int64
}{
	"Reserve": {func(s *severed) []func() error { return []func() error{s.reserving(s.charge(patients))} }, 1},
	"Reserve, by several": {func(s *severed) []func() error {
		return []func() error{s.reserving(s.charge(patients)), s.reserving(s.charge(visits)), s.reserving(s.charge(patients))}
	}, 3},
	"Record": {func(s *severed) []func() error {
		r := reserve(s.t, s.Ledger, s.charge(patients))
		return []func() error{func() error {
			_, err := s.Ledger.Record(s.t.Context(), r, [][]byte{[]byte("answer")})
			return err
		}}
	}, 1},
	"RecordAll": {func(s *severed) []func() error {
		return []func() error{s.recordingAll(s.charge(patients), s.charge(visits))}
	}, 2},
	"AppendAudit": {func(s *severed) []func() error {
		e := auditEntry("ana", 1, s.events)
		s.events++
		return []func() error{func() error {
			_, err := s.AppendAudit(s.t.Context(), e)
			return err
		}}
	}, 1},
	"Grant": {func(s *severed) []func() error {
		g := Grant{Table: patients, Budget: policy.Budget{Epsilon: 1}, By: "root", Reason: "test"}
		return []func() error{func() error {
			_, err := s.Grant(s.t.Context(), g)
			return err
		}}
	}, 1},
}

// The answer to COMMIT is what is heard last in a turn, and has so many bytes.
const commitAnswer = 33

// severedPlaces are numbers of bytes before the end of what is heard: where the answer to COMMIT ends and begins, and some in between, others in
// each run.
func severedPlaces() []int64 {
	places := []int64{1, 6, 7, commitAnswer, commitAnswer + 1}
	for range 3 {
		places = append(places, 1+rand.Int64N(commitAnswer))
	}
	return places
}

// The connection breaks before, within and behind COMMIT and its answer. Whoever has called is told that it was done, and it was done once.
func TestLostCommits(t *testing.T) {
	for name, work := range lostWorks {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // much of it is waiting
			s := newSevered(t)
			reserve(t, s.Ledger, s.charge(patients)) // and says that it lives
			disturb := func(cut pgtest.Cut) pgtest.Traffic {
				t.Helper()
				errs, took, entries := s.together(cut, work.calls(s))
				if err := errors.Join(errs...); err != nil || entries != work.entries {
					t.Fatalf("%+v: %d entries, want %d; error %v", cut, entries, work.entries, err)
				}
				return took
			}
			length := disturb(pgtest.Cut{})
			for _, n := range severedPlaces() {
				disturb(pgtest.Cut{ToClient: length.ToClient - n})
			}
			for _, n := range []int64{1, 20} { // the server has not heard COMMIT
				disturb(pgtest.Cut{ToServer: length.ToServer - n})
			}
			if landed := s.store.landed.Load(); landed < 4 {
				t.Errorf("only %d commits were done of which the answer was lost", landed)
			}
			charges, _, err := store.One(t.Context(), s.store, store.ScanNumber, "SELECT count(*) FROM charge")
			if err != nil || charges != s.charged {
				t.Errorf("%d charges for %d questions, error %v", charges, s.charged, err)
			}
			verified(t, s.Reader)
		})
	}
}
