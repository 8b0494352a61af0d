package ledger

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger/sqlite"
	"tacit/accountant/ledger/store"
)

// An awayStore is one whose server can be away.
type awayStore struct {
	store.Store
	away     atomic.Bool
	attempts atomic.Int64 // at turns, while it is away
}

func (s *awayStore) Lock(ctx context.Context, after, witness int64) (*store.Locked, error) {
	if s.away.Load() {
		s.attempts.Add(1)
		return nil, &accountant.UnavailableError{Path: s.Place(), Problem: "its server does not answer"}
	}
	return s.Store.Lock(ctx, after, witness)
}

func (s *awayStore) Patience() time.Duration { return time.Second }

func openAway(t *testing.T) (*Ledger, *awayStore) {
	t.Helper()
	ctx := context.Background()
	made, err := sqlite.Open(ctx, newPath(t), true)
	do(t, err)
	s := &awayStore{Store: made}
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
	for i := range callers {
		go func() {
			_, err := l.Reserve(context.Background(), charge("ana", fmt.Sprint(i), accountant.Loss{Epsilon: 1}))
			told <- err
		}()
	}
	for range callers {
		if err := <-told; !errors.Is(err, accountant.ErrUnavailable) {
			t.Errorf("error %v, want ErrUnavailable", err)
		}
	}
	// Each who waited alone would see as many.
	if n, most := s.attempts.Load(), int64(5*s.Patience()/retryPause); n > most {
		t.Errorf("%d attempts, want %d at most", n, most)
	}
	short, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := l.Reserve(short, charge("ana", "short", accountant.Loss{Epsilon: 1})); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// A question whose count ended while the ledger was away is not in flight for ever.
func TestAbandonedWhileTheLedgerIsAway(t *testing.T) {
	l, s := openAway(t)
	c := charge("ana", "a", accountant.Loss{Epsilon: 5})
	r := reserve(t, l, c)
	s.away.Store(true)
	if _, err := l.Record(context.Background(), r, [][]byte{nil}); !errors.Is(err, accountant.ErrUnavailable) {
		t.Errorf("error %v, want ErrUnavailable", err)
	}
	l.Abandon(r)
	l.background.Wait()
	s.away.Store(false)
	if again := reserve(t, l, c); !again.Adopted(0) {
		t.Error("it was charged again")
	}
}
