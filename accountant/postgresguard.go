package accountant

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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

func (s *postgresStore) guardPath() string {
	return filepath.Join(s.location.Guard, guardPrefix+s.id+guardSuffix)
}

// remembered is the mark of the guard; if there is none, that of a guard of another ledger in its directory. A reader makes no guard.
func (s *postgresStore) remembered() (m mark, err error) {
	if s.id != "" {
		if m, err = s.readGuard(s.guardPath()); err != nil || m.known() {
			return m, err
		}
	}
	paths, err := filepath.Glob(filepath.Join(s.location.Guard, guardPrefix+"*"+guardSuffix))
	if err != nil {
		return mark{}, s.unavailable("the directory of its guard cannot be read", "see to that directory", err)
	}
	for _, path := range paths {
		if m, err := s.readGuard(path); err != nil || m.known() {
			return m, err
		}
	}
	return mark{}, nil
}

// readGuard reads the mark in a file; if there is none, or an empty one, it is the zero mark.
func (s *postgresStore) readGuard(path string) (mark, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return mark{}, nil
	}
	m, parseErr := parseMark(content)
	if err := errors.Join(err, parseErr); err != nil {
		return mark{}, (&guard{path: path}).unreadable(s.place(), err)
	}
	return m, nil
}

// remember has the guard remember a state, unless it remembers a newer one of the same ledger.
func (s *postgresStore) remember(m mark) *UnavailableError {
	err := s.guard.lock()
	if err == nil {
		defer s.guard.unlock()
		var old mark
		if old, err = s.guard.read(); err == nil && (old.id != m.id || old.entry < m.entry) {
			err = s.guard.set(m)
		}
	}
	if err != nil {
		return s.unavailable("its guard file "+s.guard.path+" cannot be written", "see to that file and its disk", err)
	}
	return nil
}

// admit takes the ledger that was found up if it descends from the one that the guard remembers, and makes the guard durable.
func (s *postgresStore) admit(found mark) error {
	memory, err := s.remembered()
	if err != nil {
		return err
	}
	if !memory.known() && found.entry > 1 {
		s.warned = append(s.warned, fmt.Sprintf("it has no guard here yet, so entry %v is taken for its newest: compare it with what another "+
			"proxy's guard says, or with the head that you noted of tacit verify", Mark{Entry: found.entry, Hash: found.hash}))
	}
	hash, err := hashAt(context.Background(), s, memory.entry)
	if err != nil {
		return s.failed(err)
	}
	if err := s.descends(found, memory, hash); err != nil {
		return err
	}
	if err := s.remember(found); err != nil {
		return err
	}
	if err := errors.Join(s.guard.sync(), syncDirectory(s.location.Guard)); err != nil {
		return s.unavailable("its guard file "+s.guard.path+" cannot be written", "see to that file and its disk", err)
	}
	return nil
}

// descends says what is wrong with a ledger that was found where one was remembered; nil if it is the same or its continuation. hash is
// that of the found ledger's entry of the remembered number.
func (s *postgresStore) descends(found, memory mark, hash digest) *UnavailableError {
	const remedy = "restore its newest state (the former primary, or a later backup): charges were made that are not in this one"
	switch {
	case !memory.known():
		return nil
	case found.id != memory.id:
		return s.unavailable(fmt.Sprintf("it is not the ledger that was here before (it is %s, and was %s)", found.id, memory.id),
			"put the former ledger back, for the losses in it are not in this one; of two ledgers side by side each has a guard directory of "+
				"its own, ledger: {location: ..., guard: DIRECTORY}", nil)
	case found.entry < memory.entry:
		return s.unavailable(fmt.Sprintf("it is older than the ledger that was here before (at %d, and was at %d)", found.entry, memory.entry), remedy, nil)
	case hash != memory.hash:
		return s.unavailable(fmt.Sprintf("it has another history: entry %d is not the one that was there before", memory.entry), remedy, nil)
	}
	return nil
}

// prove clears the doubt whether the server that answers is the right one, if it is.
func (s *postgresStore) prove(ctx context.Context) error {
	memory := *s.known.Load()
	id, _, err := one(ctx, s.db, scanText, whichLedger)
	var h head
	if err == nil {
		h, _, err = one(ctx, s.db, scanHead, headQuery)
	}
	var hash []byte
	if err == nil {
		hash, _, err = one(ctx, s.db, scanBytes, hashQuery, memory.entry)
	}
	if err != nil {
		return s.failed(err)
	}
	if doubt := s.descends(mark{id: id, entry: h.entry, hash: h.hash}, memory, digestOf(hash)); doubt != nil {
		return doubt
	}
	s.doubt.Store(false)
	return nil
}
