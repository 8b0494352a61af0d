package ledger

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"tacit/accountant/journal"
	"tacit/accountant/ledger/store"
)

// A forgetfulStore fails when a test says so, as a store does whose server goes away.
type forgetfulStore struct {
	store.Store
	next atomic.Int32 // what becomes of the next write: one of the following
}

const (
	writes          = iota
	refuses         // and says so
	losesBatch      // and does not know
	losesOwnMessage // that it has written
	outcomes
)

func (s *forgetfulStore) Write(b *journal.Batch) error {
	switch s.next.Swap(writes) {
	case refuses:
		return errors.Join(errors.New("a test refuses it"), s.Rollback())
	case losesBatch:
		return fmt.Errorf("%w: a test: %w", store.ErrUncertain, errors.Join(errors.New("lost"), s.Rollback()))
	case losesOwnMessage:
		return errors.Join(fmt.Errorf("%w: a test", store.ErrUncertain), s.Store.Write(b))
	}
	return s.Store.Write(b)
}

// Lock also finds the witness where the store has no need of one, since it always knows whether it has written.
func (s *forgetfulStore) Lock(ctx context.Context, after, witness int64) (*store.Locked, error) {
	t, err := s.Store.Lock(ctx, after, witness)
	if err == nil && witness > 0 {
		t.Uncertain, err = store.HashAt(ctx, s.Store, witness)
	}
	return t, err
}

// Patience is enough for another attempt.
func (s *forgetfulStore) Patience() time.Duration { return 30 * time.Second }
