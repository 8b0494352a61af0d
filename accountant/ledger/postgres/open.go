package postgres

import (
	"context"
	"errors"
	"regexp"
	"time"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/guard"
	"tacit/accountant/ledger/store"
	"tacit/policy"
)

// Open opens the ledger at a location for writing, and makes its tables if there has never been one.
func Open(ctx context.Context, location policy.LedgerLocation) (*Store, error) {
	s, err := newStore(location)
	if err != nil {
		return nil, err
	}
	if err := s.open(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Store) open(ctx context.Context) (err error) {
	if err := s.connect(ctx); err != nil {
		return err
	}
	if err := s.createIfNew(ctx); err != nil {
		return err
	}
	if err := s.readIdentity(ctx); err != nil {
		return err
	}
	if s.guard, err = guard.Open(s.guardPath(), s.Place()); err != nil {
		return err
	}
	return s.findWarnings(ctx)
}

// readIdentity finds out which ledger it is, by which the guard is found.
func (s *Store) readIdentity(ctx context.Context) error {
	id, found, err := store.One(ctx, s, store.ScanText, whichLedger)
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

// createIfNew makes a ledger in a database that has none, if none has been known there.
func (s *Store) createIfNew(ctx context.Context) error {
	version, err := s.identify(ctx)
	if err != nil || version != 0 {
		return err
	}
	remembered, err := s.Remembered()
	if err != nil {
		return err
	}
	if remembered.Known() {
		return s.unavailable("its database is empty, although there was a ledger", "put the newest ledger back; removing "+
			guardPrefix+remembered.ID+guardSuffix+" instead starts a new one, which forgets every loss so far", nil)
	}
	return s.create(journal.FirstEntry(store.NewLedgerID(), time.Now().UnixNano()))
}

// OpenExisting opens a ledger for reading.
func OpenExisting(ctx context.Context, location policy.LedgerLocation) (*Store, error) {
	s, err := newStore(location)
	if err != nil {
		return nil, err
	}
	version, err := s.identify(ctx)
	switch {
	case err != nil:
	case version == 0:
		err = s.missing()
	default:
		err = s.readIdentity(ctx)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// missing tells a ledger that was never made from one that is gone.
func (s *Store) missing() error {
	remembered, err := s.Remembered()
	switch {
	case err != nil:
		return err
	case remembered.Known():
		return s.unavailable("its database is empty, although there was a ledger", "put the newest ledger back", nil)
	}
	return &accountant.UnavailableError{Path: s.Place(), NeverMade: true}
}

// newStore prepares the connections of a ledger; it does not connect yet.
func newStore(location policy.LedgerLocation) (*Store, error) {
	s := &Store{location: location}
	s.known.Store(&journal.Witness{})
	var err error
	if s.config, err = connectionConfig(location.Postgres); err != nil {
		return nil, s.unavailable("its location is wrong", "", err)
	}
	s.db = newPool(s.config)
	return s, nil
}

func (s *Store) Close() error {
	s.failure.CompareAndSwap(nil, s.unavailable("it is closed", "", nil))
	s.disconnect()
	err := s.db.Close()
	if s.guard != nil {
		err = errors.Join(err, s.guard.Close())
	}
	return err
}
