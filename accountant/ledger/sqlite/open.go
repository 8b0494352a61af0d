package sqlite

import (
	"context"
	"os"
	"syscall"
	"time"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/guard"
	"tacit/accountant/ledger/store"
)

// Open opens the ledger at path for writing, or creates it; alone: as the one proxy. It reads before it writes: a file
// that is not a ledger is left as it is.
func Open(ctx context.Context, path string, alone bool) (*Store, error) {
	g, err := guard.Open(guardPath(path), path)
	if err != nil {
		return nil, err
	}
	s := &Store{guard: g}
	if err := s.open(ctx, path, alone); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, path string, alone bool) error {
	if err := s.guard.Lock(); err != nil {
		return &accountant.UnavailableError{
			Path: path, Problem: "another process has locked it", Err: err,
		}
	}
	defer s.guard.Unlock()
	if alone {
		if err := s.lockForServing(path); err != nil {
			return err
		}
	}
	remembered, err := s.guard.Read()
	if err != nil {
		return s.guard.Unreadable(path, err)
	}
	if err := createFile(path, remembered.Known()); err != nil {
		return err
	}
	if err := makeWritable(path); err != nil {
		return err
	}
	if s.Reader, err = openReader(path); err != nil {
		return err
	}
	return s.identifyAndOpen(ctx, remembered)
}

// lockForServing locks the ledger for life, so that there is one proxy. Nothing that the ledger promises depends on it.
func (s *Store) lockForServing(path string) error {
	file, err := os.OpenFile(servingPath(path), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return &accountant.UnavailableError{Path: path, Problem: "its lock file cannot be opened", Err: err}
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		return &accountant.UnavailableError{
			Path: path, Problem: "another process has locked it", Err: err,
			Remedy: "one proxy at a time may use a ledger of SQLite: stop the other one, or keep the ledger in PostgreSQL",
		}
	}
	s.serving = file
	return nil
}

// identifyAndOpen opens what is at path for writing, when it is known what it is.
func (s *Store) identifyAndOpen(ctx context.Context, remembered journal.Witness) error {
	version, err := s.identify(ctx)
	if err != nil {
		return err
	}
	if version == 0 && remembered.Known() {
		return &accountant.UnavailableError{
			Path: s.path, Problem: "it is empty, although there was a ledger", Remedy: "put the newest ledger back",
		}
	}
	if s.writer, err = openWriter(s.path); err != nil {
		return err
	}
	if version == 0 {
		if err := s.create(); err != nil {
			return err
		}
	}
	s.id, _, err = store.One(ctx, s, store.ScanIdentity, store.IdentityQuery)
	if err != nil {
		return s.unavailable("it cannot be read", err)
	}
	return nil
}

// create writes the tables, an identity of its own, and the first entry into an empty file.
func (s *Store) create() error {
	err := s.writer.exec("BEGIN IMMEDIATE")
	if err == nil {
		err = s.writer.script(schema + version2)
	}
	if err == nil {
		err = s.writer.insertFirst(journal.FirstEntry(store.NewLedgerID(), time.Now().UnixNano()))
	}
	if err == nil {
		err = s.writer.exec("COMMIT")
	}
	if err != nil {
		return s.unavailable("it cannot be created", err)
	}
	return nil
}

// insertFirst writes the rows that a ledger begins with.
func (w *writer) insertFirst(first *journal.Entry) error {
	var body journal.CreatedBody
	err := journal.Unmarshal(first.Body, &body)
	if err == nil {
		err = w.exec(`INSERT INTO ledger (singleton, id, created) VALUES (1, ?, ?)`, body.Ledger, first.At)
	}
	if err == nil {
		err = w.insertEntry(first)
	}
	if err == nil {
		err = w.exec(`INSERT INTO head (singleton, entry, hash) VALUES (1, ?, ?)`, first.ID, first.Hash[:])
	}
	return err
}
