package accountant

import (
	"context"
	"regexp"
	"time"

	"tacit/policy"
)

// openPostgres opens the ledger at a location for writing, and makes its tables if there has never been one.
func openPostgres(ctx context.Context, location policy.LedgerLocation) (*postgresStore, error) {
	s, err := newPostgresStore(location)
	if err != nil {
		return nil, err
	}
	if err := s.open(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *postgresStore) open(ctx context.Context) (err error) {
	if err := s.connect(ctx); err != nil {
		return err
	}
	if err := s.provide(ctx); err != nil {
		return err
	}
	if err := s.recall(ctx); err != nil {
		return err
	}
	if s.guard, err = openGuard(s.guardPath(), s.place()); err != nil {
		return err
	}
	return s.findWarnings(ctx)
}

// recall finds out which ledger it is, by which the guard is found.
func (s *postgresStore) recall(ctx context.Context) error {
	id, found, err := one(ctx, s, scanText, whichLedger)
	switch {
	case err != nil:
		return s.failed(err)
	case !found || !identity.MatchString(id):
		return s.unavailable("it does not say which ledger it is", "put the newest ledger back", nil)
	}
	s.id = id
	return nil
}

// identity is the form of a ledger's identity, which is part of a file's name.
var identity = regexp.MustCompile(`\A[0-9a-f]{32}\z`)

// provide makes a ledger in a database that has none, if none has been known there.
func (s *postgresStore) provide(ctx context.Context) error {
	version, err := s.identify(ctx)
	if err != nil || version != 0 {
		return err
	}
	remembered, err := s.remembered()
	if err != nil {
		return err
	}
	if remembered.known() {
		return s.unavailable("its database is empty, although there was a ledger", "put the newest ledger back; removing "+
			guardPrefix+remembered.id+guardSuffix+" instead starts a new one, which forgets every loss so far", nil)
	}
	return s.create(firstEntry(newLedgerID(), time.Now().UnixNano(), schemaVersion))
}

// openExistingPostgres opens a ledger for reading.
func openExistingPostgres(ctx context.Context, location policy.LedgerLocation) (*postgresStore, error) {
	s, err := newPostgresStore(location)
	if err != nil {
		return nil, err
	}
	version, err := s.identify(ctx)
	switch {
	case err != nil:
	case version == 0:
		err = s.missing()
	default:
		err = s.recall(ctx)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// missing tells a ledger that was never made from one that is gone.
func (s *postgresStore) missing() error {
	remembered, err := s.remembered()
	switch {
	case err != nil:
		return err
	case remembered.known():
		return s.unavailable("its database is empty, although there was a ledger", "put the newest ledger back", nil)
	}
	return &UnavailableError{Path: s.place(), NeverMade: true}
}
