package accountant

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// A forgetfulStore fails when a test says so, as a store does whose server goes away.
type forgetfulStore struct {
	store
	next atomic.Int32 // what becomes of the next write: one of the following
}

const (
	writes          = iota
	refuses         // and says so
	losesBatch      // and does not know
	losesOwnMessage // that it has written
	outcomes
)

func (s *forgetfulStore) write(b *batch) error {
	switch s.next.Swap(writes) {
	case refuses:
		return errors.Join(errors.New("a test refuses it"), s.pass())
	case losesBatch:
		return fmt.Errorf("%w: a test: %w", errUncertain, errors.Join(errors.New("lost"), s.pass()))
	case losesOwnMessage:
		return errors.Join(fmt.Errorf("%w: a test", errUncertain), s.store.write(b))
	}
	return s.store.write(b)
}

// lock also finds the witness where the store has no need of one, since it always knows whether it has written.
func (s *forgetfulStore) lock(ctx context.Context, after, witness int64) (*turnStart, error) {
	t, err := s.store.lock(ctx, after, witness)
	if err == nil && witness > 0 {
		t.witness, err = hashAt(ctx, s.store, witness)
	}
	return t, err
}

// patience is enough for another attempt.
func (s *forgetfulStore) patience() time.Duration { return 30 * time.Second }
