package postgres

import (
	"context"

	"tacit/accountant/ledger/store"
)

// readable says why nothing is to be read now.
func (s *Store) readable(ctx context.Context) error {
	if err := s.Usable(); err != nil || !s.unproven.Load() {
		return err
	}
	return s.prove(ctx)
}

func (s *Store) Query(ctx context.Context, query string, args ...any) (store.Rows, error) {
	if err := s.readable(ctx); err != nil {
		return nil, err
	}
	found, err := s.db.Query(ctx, query, args...)
	return found, s.explain(ctx, err)
}

// explain tells a server that fails from a caller who has given up.
func (s *Store) explain(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return s.failed(err)
}

func (s *Store) Snapshot(ctx context.Context) (store.Snapshot, error) {
	if err := s.readable(ctx); err != nil {
		return nil, err
	}
	snap, err := s.db.Snapshot(ctx)
	return snap, s.explain(ctx, err)
}
