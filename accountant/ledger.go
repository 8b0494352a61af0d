package accountant

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// A Ledger is an open ledger, which this process alone may write. It may be used by many goroutines. It is also a Reader of itself.
type Ledger struct {
	*Reader
	guard   *guard
	files   []watchedFile
	now     func() time.Time
	journal journal
	audits  quota // of events that cost nothing
	// failure is set once, when the ledger can no longer be trusted; from then on it is what every call returns.
	failure atomic.Pointer[UnavailableError]

	mu     sync.Mutex // serialises transactions; protects writer, the guard's mark, and recorded of reservations
	writer *writer
}

// A watchedFile must stay the file that it was when the ledger was opened.
type watchedFile struct {
	path   string
	opened os.FileInfo
}

// Open opens the ledger at path and locks it. It creates one if there has never been one: no file at path, and no guard file
// (path.guard) that remembers one. It checks the whole ledger, and writes nothing unless all is well; one of a former version it then
// brings up to this one. Every error is ErrUnavailable.
//
// To start anew, with all losses forgotten and all budgets full, the steward removes the ledger and its guard.
func Open(path string) (*Ledger, error) {
	guard, err := openGuard(path)
	if err != nil {
		return nil, err
	}
	l := &Ledger{guard: guard, now: time.Now, journal: journal{quota: quota{rate: journalRate}}, audits: quota{rate: auditRate}}
	if err := l.open(path); err != nil {
		l.closeFiles()
		return nil, err
	}
	l.journal.start(l)
	return l, nil
}

// open reads before it writes: a file that is not a ledger is left as it is.
func (l *Ledger) open(path string) error {
	if err := provideFile(path, l.guard.known()); err != nil {
		return err
	}
	var err error
	if l.Reader, err = openReader(path); err != nil {
		return err
	}
	version, err := l.identify(context.Background())
	if err != nil {
		return err
	}
	empty := version == 0
	if empty && l.guard.known() {
		return &UnavailableError{
			Path: path, Problem: "it is empty, although there was a ledger", Remedy: "put the newest ledger back",
		}
	}
	if l.writer, err = openWriter(path); err != nil {
		return err
	}
	if empty {
		if err := l.create(); err != nil {
			return err
		}
	}
	return l.admit(version)
}

// admit takes up the ledger that was found, of a version or just made (0), if it is the one that the guard remembers and is sound and writable, and brings one of a
// former version up to this one. It makes the guard's memory of it and both files' names durable, before the first charge, and begins
// to watch them.
func (l *Ledger) admit(version int) error {
	found, err := l.mark(context.Background())
	if err != nil {
		return err
	}
	if err := l.guard.admit(l.path, found); err != nil {
		return err
	}
	if err := l.Check(context.Background()); err != nil {
		return err
	}
	if err := l.proveWritable(); err != nil {
		return err
	}
	if version == firstVersion || version == secondVersion {
		if err := l.migrate(version); err != nil {
			return err
		}
	}
	err = errors.Join(l.guard.set(found), l.guard.sync(), syncDirectory(filepath.Dir(l.path)))
	if err != nil {
		return l.unavailable("its guard file cannot be written", err)
	}
	return l.watch()
}

// provideFile makes sure that there is a file at path: a new, empty one if no ledger has existed.
func provideFile(path string, known bool) error {
	_, err := os.Stat(path)
	if err == nil || !errors.Is(err, os.ErrNotExist) {
		return nil // SQLite will say what is wrong with it
	}
	if _, err := os.Stat(path + "-wal"); known || err == nil {
		return &UnavailableError{
			Path:    path,
			Problem: "it is missing, although there was one",
			Remedy: "put the ledger back; removing " + guardPath(path) + " (and the ledger's -wal file) instead starts a new one, " +
				"which forgets every loss so far",
		}
	}
	// Only the owner may read it: it holds every analyst's statements and answers.
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return &UnavailableError{Path: path, Problem: "it cannot be created", Err: err}
	}
	return file.Close()
}

// create writes the tables and an identity of its own into an empty file.
func (l *Ledger) create() error {
	id := make([]byte, 16)
	rand.Read(id)
	t := &transaction{writer: l.writer}
	t.exec("BEGIN IMMEDIATE")
	t.script(schema)
	t.exec("INSERT INTO ledger (singleton, id, created) VALUES (1, ?, ?)", hex.EncodeToString(id), l.now().UnixNano())
	t.exec("COMMIT")
	if t.err != nil {
		return l.unavailable("it cannot be created", t.err)
	}
	return nil
}

// proveWritable begins a transaction and gives it up: SQLite opens a file that it may not write without a word.
func (l *Ledger) proveWritable() error {
	t := &transaction{writer: l.writer}
	t.exec("BEGIN IMMEDIATE")
	t.exec("ROLLBACK")
	if t.err != nil {
		return l.unavailable("it cannot be written", t.err)
	}
	return nil
}

// watch notes which files are in use, for usable.
func (l *Ledger) watch() error {
	for _, path := range []string{l.path, l.path + "-wal", guardPath(l.path)} {
		opened, err := os.Stat(path)
		if err != nil {
			return l.unavailable("one of its files went away", err)
		}
		l.files = append(l.files, watchedFile{path, opened})
	}
	return nil
}

func syncDirectory(path string) error {
	directory, err := os.Open(path)
	if err != nil {
		return err
	}
	defer directory.Close()
	return directory.Sync()
}

// Close writes out what Note has queued and gives the ledger up.
func (l *Ledger) Close() error {
	l.journal.stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failure.CompareAndSwap(nil, &UnavailableError{Path: l.path, Problem: "it is closed"})
	return l.closeFiles()
}

// closeFiles closes the writer after the readers, so that it tidies up, and gives the lock up last.
func (l *Ledger) closeFiles() error {
	var errs []error
	if l.Reader != nil {
		errs = append(errs, l.Reader.Close())
	}
	if l.writer != nil {
		errs = append(errs, l.writer.close())
	}
	return errors.Join(append(errs, l.guard.close())...)
}

// Usable says why the ledger cannot be used any more, as ErrUnavailable; nil while it can.
func (l *Ledger) Usable() error { return l.usable() }

// usable says whether the ledger can be trusted still. A ledger, its log or its guard that was deleted or replaced behind the open
// files would take charges that the next process never sees.
func (l *Ledger) usable() error {
	if failure := l.failure.Load(); failure != nil {
		return failure
	}
	for _, file := range l.files {
		// The files are open, so that their inodes cannot be given to others.
		if now, err := os.Stat(file.path); err != nil || !os.SameFile(now, file.opened) {
			return l.fail(file.path+" was removed or replaced while in use", err)
		}
	}
	return nil
}

// fail makes the ledger unavailable for good: what is on disk is no longer known to be what this process believes.
func (l *Ledger) fail(problem string, err error) error {
	l.failure.CompareAndSwap(nil, &UnavailableError{
		Path: l.path, Problem: problem, Remedy: "see to the file and the disk, then restart tacit", Err: err,
	})
	return l.failure.Load()
}
