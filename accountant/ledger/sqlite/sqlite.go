package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/guard"
	"tacit/accountant/ledger/store"
)

// A Store is a store in a file, for one proxy, and the steward's commands beside it. Its writers are processes on one machine: they exclude one another by the
// lock of the guard.
type Store struct {
	*Reader
	guard    *guard.File
	serving  *os.File // locked for life by a proxy; nil of a command
	files    []watchedFile
	writer   *writer
	id       string
	admitted bool // by the guard, which every write is compared with from then on
	// failure is set once, when it is not known what is on disk.
	failure atomic.Pointer[accountant.UnavailableError]
}

// A watchedFile must stay the file that it was when the ledger was opened.
type watchedFile struct {
	path   string
	opened os.FileInfo
}

// Lock takes the guard, and then SQLite's own lock, against programs that do not ask the guard.
func (s *Store) Lock(_ context.Context, after, _ int64) (*store.Locked, error) {
	if err := s.Usable(); err != nil {
		return nil, err
	}
	if err := s.guard.Lock(); err != nil {
		return nil, s.unavailable("another process has locked it", err)
	}
	t, err := s.beginWrite(after)
	if err != nil {
		return nil, errors.Join(err, s.Rollback())
	}
	return t, nil
}

// beginWrite needs no witness: a commit is never uncertain here.
func (s *Store) beginWrite(after int64) (*store.Locked, error) {
	remembered, err := s.guard.Read()
	if err != nil {
		return nil, s.fail("its guard file cannot be read", err)
	}
	if err := s.writer.exec("BEGIN IMMEDIATE"); err != nil {
		return nil, s.unavailable("it cannot be written", err) // another program holds it; nothing has happened
	}
	h, found, err := store.One(context.Background(), s.writer, store.ScanHead, store.HeadQuery)
	if err != nil || !found {
		return nil, s.fail("its head cannot be read", err)
	}
	if s.admitted && (remembered.ID != s.id || remembered.Entry > h.Entry) {
		return nil, s.fail("its guard is of another ledger, or of a later state", nil)
	}
	t := &store.Locked{Head: h}
	if err := s.readMissed(t, after); err != nil {
		return nil, s.unavailable("it cannot be read", err)
	}
	return t, nil
}

func (s *Store) readMissed(t *store.Locked, after int64) error {
	last, _, err := store.One(context.Background(), s.writer, store.ScanNumber, `SELECT max(id) FROM entry`)
	if err == nil && last > after {
		t.Newer, err = store.ReadEntries(context.Background(), s.writer, after+1, after+store.ScanPage)
	}
	if err == nil {
		t.More = len(t.Newer) > 0 && t.Newer[len(t.Newer)-1].ID < last
		t.Proxies, err = store.Collect(context.Background(), s.writer, store.ScanProxy, store.ProxiesQuery)
	}
	return err
}

// Write inserts, commits and has the guard follow. Whether a COMMIT that failed will have happened after the next restart is unknown (its
// pages may be on disk), and whether a sync that failed once can be trusted again is, too: the ledger is done with until it is opened anew.
func (s *Store) Write(b *journal.Batch) error {
	if err := s.writer.insert(b); err != nil {
		return errors.Join(store.ErrRows, s.unavailable("it cannot be written", err), s.Rollback())
	}
	defer s.guard.Unlock()
	if err := s.writer.exec("COMMIT"); err != nil {
		failure := s.fail("a commit failed", err)
		s.writer.exec("ROLLBACK")
		return failure
	}
	if len(b.Entries) == 0 {
		return nil
	}
	if err := s.guard.Set(journal.Witness{ID: s.id, Entry: b.Head.Entry, Hash: b.Head.Hash}); err != nil {
		return s.fail("its guard file cannot be written", err)
	}
	return nil
}

// Ahead does nothing: the rows are written by the same processor that decides on them.
func (s *Store) Ahead(*journal.Batch) {}

// Rollback rolls back, if a transaction has begun. SQLite may have done so of its own accord (disk full), in which case ROLLBACK fails, and
// that a new transaction can begin proves it. Otherwise the ledger's state is unknown.
func (s *Store) Rollback() error {
	defer s.guard.Unlock()
	rollback := s.writer.exec("ROLLBACK")
	if rollback == nil {
		return nil
	}
	if err := errors.Join(s.writer.exec("BEGIN"), s.writer.exec("ROLLBACK")); err != nil {
		return s.fail("a transaction could not be rolled back", rollback)
	}
	return nil
}

// Admit compares the ledger with its guard, and then makes the guard's memory of it and both files' names durable, before the first
// charge, and begins to watch them. The guard is locked with the head.
func (s *Store) Admit(found journal.Witness) error {
	remembered, err := s.guard.Read()
	if err != nil {
		return s.guard.Unreadable(s.path, err)
	}
	err = s.guard.Compare(s.path, found, remembered, func(entry int64) (journal.Digest, error) { return store.HashAt(context.Background(), s, entry) })
	if err != nil {
		return err
	}
	if remembered.Entry < found.Entry {
		err = s.guard.Set(found)
	}
	if err := errors.Join(err, s.guard.Sync(), guard.SyncDirectory(filepath.Dir(s.path))); err != nil {
		return s.unavailable("its guard file cannot be written", err)
	}
	s.admitted = true
	return s.watch()
}

// watch notes which files are in use, for usable.
func (s *Store) watch() error {
	paths := []string{s.path, s.path + "-wal", s.guard.Path}
	if s.serving != nil {
		paths = append(paths, s.serving.Name())
	}
	for _, path := range paths {
		opened, err := os.Stat(path)
		if err != nil {
			return s.unavailable("one of its files went away", err)
		}
		s.files = append(s.files, watchedFile{path, opened})
	}
	return nil
}

func (s *Store) Clock() time.Time { return time.Now() }

func (s *Store) Warnings() []string { return nil }

func (s *Store) Patience() time.Duration { return 0 }

// Usable says whether the ledger can be trusted still. A ledger, its log or its guard that was deleted or replaced behind the open
// files would take charges that the next process never sees.
func (s *Store) Usable() error {
	if failure := s.failure.Load(); failure != nil {
		return failure
	}
	for _, file := range s.files {
		// The files are open, so that their inodes cannot be given to others.
		if now, err := os.Stat(file.path); err != nil || !os.SameFile(now, file.opened) {
			return s.fail(file.path+" was removed or replaced while in use", err)
		}
	}
	return nil
}

// fail makes the ledger unavailable for good: what is on disk is no longer known to be what this process believes.
func (s *Store) fail(problem string, err error) error {
	s.failure.CompareAndSwap(nil, &accountant.UnavailableError{
		Path: s.path, Problem: problem, Remedy: "see to the file and the disk, then restart tacit", Err: err,
	})
	return s.failure.Load()
}

// Close closes the writer after the readers, so that it tidies up, and gives the locks up last.
func (s *Store) Close() error {
	var errs []error
	if s.Reader != nil {
		errs = append(errs, s.Reader.Close())
	}
	if s.writer != nil {
		errs = append(errs, s.writer.Close())
	}
	errs = append(errs, s.guard.Close())
	if s.serving != nil {
		errs = append(errs, s.serving.Close())
	}
	return errors.Join(errs...)
}
