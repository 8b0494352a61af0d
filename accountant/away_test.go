package accountant

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"
)

// An awayStore is one whose server can be away.
type awayStore struct {
	store
	away atomic.Bool
}

func (s *awayStore) lock(ctx context.Context, after, witness int64) (*turnStart, error) {
	if s.away.Load() {
		return nil, &UnavailableError{Path: s.place(), Problem: "its server does not answer"}
	}
	return s.store.lock(ctx, after, witness)
}

func (s *awayStore) patience() time.Duration { return 300 * time.Millisecond }

func openAway(t *testing.T) (*Ledger, *awayStore) {
	t.Helper()
	ctx := context.Background()
	made, err := openSQLite(ctx, newPath(t), Serve)
	do(t, err)
	s := &awayStore{store: made}
	l, err := newLedger(ctx, s, Options{Lease: 200 * time.Millisecond})
	do(t, err)
	t.Cleanup(func() {
		s.away.Store(false)
		do(t, l.Check(ctx))
		closeLedger(t, l)
	})
	return l, s
}

// All who wait for a ledger that is away are told so at the same time, not one after the other; who has gone is not waited for.
func TestAllAreToldThatTheLedgerIsAway(t *testing.T) {
	l, s := openAway(t)
	s.away.Store(true)
	const callers = 20
	told := make(chan error, callers)
	began := time.Now()
	for i := range callers {
		go func() {
			_, err := l.Reserve(context.Background(), charge("ana", fmt.Sprint(i), Loss{Epsilon: 1}))
			told <- err
		}()
	}
	for range callers {
		if err := <-told; !errors.Is(err, ErrUnavailable) {
			t.Errorf("error %v, want ErrUnavailable", err)
		}
	}
	if waited := time.Since(began); waited > 3*time.Second { // two turns' patience is 0.6
		t.Errorf("the last one waited for %v", waited)
	}
	short, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := l.Reserve(short, charge("ana", "short", Loss{Epsilon: 1})); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// A question whose count ended while the ledger was away is not in flight for ever.
func TestAbandonedWhileTheLedgerIsAway(t *testing.T) {
	l, s := openAway(t)
	c := charge("ana", "a", Loss{Epsilon: 5})
	r := reserve(t, l, c)
	s.away.Store(true)
	if _, err := l.Record(context.Background(), r, [][]byte{nil}); !errors.Is(err, ErrUnavailable) {
		t.Errorf("error %v, want ErrUnavailable", err)
	}
	l.Abandon(r)
	l.background.Wait()
	s.away.Store(false)
	if again := reserve(t, l, c); !again.Adopted(0) {
		t.Error("it was charged again")
	}
}
