package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/guard"
	"tacit/accountant/ledger/store"
)

// The guard of a ledger in PostgreSQL is a file in the directory of the policy, or where the policy says. It remembers the newest state
// that the processes of this machine have seen: several may share it, and what it remembers never becomes older.
//
// It is named for the ledger's identity, and so it is the same however the server's address is written, and wherever the server moves. A
// ledger without a guard where others have one is taken for one that was put in their place, and so is an empty database: ledgers that
// are kept side by side have guards in directories of their own. Where there is no guard at all nobody knows better, and the ledger is taken as
// it is, with a warning that says what was taken.
const (
	guardPrefix = ".tacit-"
	guardSuffix = ".guard"
)

func (s *Store) guardPath() string {
	return filepath.Join(s.location.Guard, guardPrefix+s.id+guardSuffix)
}

// Remembered is the mark of the guard; if there is none, that of a guard of another ledger in its directory. A reader makes no guard.
func (s *Store) Remembered() (m journal.Witness, err error) {
	if s.id != "" {
		if m, err = s.readGuard(s.guardPath()); err != nil || m.Known() {
			return m, err
		}
	}
	paths, err := filepath.Glob(filepath.Join(s.location.Guard, guardPrefix+"*"+guardSuffix))
	if err != nil {
		return journal.Witness{}, s.unavailable("the directory of its guard cannot be read", "see to that directory", err)
	}
	for _, path := range paths {
		if m, err := s.readGuard(path); err != nil || m.Known() {
			return m, err
		}
	}
	return journal.Witness{}, nil
}

// readGuard reads the mark in a file; if there is none, or an empty one, it is the zero Witness.
func (s *Store) readGuard(path string) (journal.Witness, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return journal.Witness{}, nil
	}
	m, parseErr := journal.ParseWitness(content)
	if err := errors.Join(err, parseErr); err != nil {
		return journal.Witness{}, (&guard.File{Path: path}).Unreadable(s.Place(), err)
	}
	return m, nil
}

// remember has the guard remember a state, unless it remembers a newer one of the same ledger.
func (s *Store) remember(m journal.Witness) *accountant.UnavailableError {
	err := s.guard.Lock()
	if err == nil {
		defer s.guard.Unlock()
		var old journal.Witness
		if old, err = s.guard.Read(); err == nil && (old.ID != m.ID || old.Entry < m.Entry) {
			err = s.guard.Set(m)
		}
	}
	if err != nil {
		return s.unavailable("its guard file "+s.guard.Path+" cannot be written", "see to that file and its disk", err)
	}
	return nil
}

// Admit takes the ledger that was found up if it descends from the one that the guard remembers, and makes the guard durable.
func (s *Store) Admit(found journal.Witness) error {
	memory, err := s.Remembered()
	if err != nil {
		return err
	}
	if !memory.Known() && found.Entry > 1 {
		s.warned = append(s.warned, fmt.Sprintf("it has no guard here yet, so entry %v is taken for its newest: compare it with what another "+
			"proxy's guard says, or with the head that you noted of tacit verify", journal.Mark{Entry: found.Entry, Hash: found.Hash}))
	}
	hash, err := store.HashAt(context.Background(), s, memory.Entry)
	if err != nil {
		return s.failed(err)
	}
	if err := s.descends(found, memory, hash); err != nil {
		return err
	}
	if err := s.remember(found); err != nil {
		return err
	}
	if err := errors.Join(s.guard.Sync(), guard.SyncDirectory(s.location.Guard)); err != nil {
		return s.unavailable("its guard file "+s.guard.Path+" cannot be written", "see to that file and its disk", err)
	}
	return nil
}

// descends says what is wrong with a ledger that was found where one was remembered; nil if it is the same or its continuation. hash is
// that of the found ledger's entry of the remembered number.
func (s *Store) descends(found, memory journal.Witness, hash journal.Digest) *accountant.UnavailableError {
	const remedy = "restore its newest state (the former primary, or a later backup): charges were made that are not in this one"
	switch {
	case !memory.Known():
		return nil
	case found.ID != memory.ID:
		return s.unavailable(fmt.Sprintf("it is not the ledger that was here before (it is %s, and was %s)", found.ID, memory.ID),
			"put the former ledger back, for the losses in it are not in this one; of two ledgers side by side each has a guard directory of "+
				"its own, ledger: {location: ..., guard: DIRECTORY}", nil)
	case found.Entry < memory.Entry:
		return s.unavailable(fmt.Sprintf("it is older than the ledger that was here before (at %d, and was at %d)", found.Entry, memory.Entry), remedy, nil)
	case hash != memory.Hash:
		return s.unavailable(fmt.Sprintf("it has another history: entry %d is not the one that was there before", memory.Entry), remedy, nil)
	}
	return nil
}

// prove finds whether the server that answers is the right one, if it is.
func (s *Store) prove(ctx context.Context) error {
	memory := *s.known.Load()
	id, _, err := store.One(ctx, s.db, store.ScanText, whichLedger)
	var h journal.Head
	if err == nil {
		h, _, err = store.One(ctx, s.db, store.ScanHead, store.HeadQuery)
	}
	var hash []byte
	if err == nil {
		hash, _, err = store.One(ctx, s.db, store.ScanBytes, store.HashQuery, memory.Entry)
	}
	if err != nil {
		return s.failed(err)
	}
	if err := s.descends(journal.Witness{ID: id, Entry: h.Entry, Hash: h.Hash}, memory, journal.DigestOf(hash)); err != nil {
		return err
	}
	s.unproven.Store(false)
	return nil
}

const whichLedger = "SELECT id FROM ledger"
