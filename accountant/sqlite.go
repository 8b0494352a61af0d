package accountant

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

//go:embed schema.sql
var schema string

// An sqlite is a store in a file, for one proxy, and the steward's commands beside it. Its writers are processes on one machine: they take turns at the
// lock of the guard.
type sqlite struct {
	*sqliteReader
	guard    *guard
	serving  *os.File // locked for life by a proxy; nil of a command
	files    []watchedFile
	writer   *writer
	id       string
	admitted bool // by the guard, which a turn compares with from then on
	// failure is set once, when it is not known what is on disk.
	failure atomic.Pointer[UnavailableError]
}

// A watchedFile must stay the file that it was when the ledger was opened.
type watchedFile struct {
	path   string
	opened os.FileInfo
}

// The SQLite settings of the connection that writes, and of those that read.
var (
	readWrite = url.Values{
		"mode": {"rw"}, // the file exists, see provideFile
		"_pragma": {
			"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", "trusted_schema(0)",
		},
	}
	readOnly = url.Values{
		"mode":    {"ro"},
		"_pragma": {"busy_timeout(5000)", "query_only(1)", "trusted_schema(0)"},
	}
)

// openDatabase opens so many connections at once, and keeps them: one that were opened later might find another file.
func openDatabase(path string, settings url.Values, connections int) (*sql.DB, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, &UnavailableError{Path: path, Problem: "it has no absolute path", Err: err}
	}
	// A URI, because in a bare path the driver would take a question mark for the start of the settings.
	uri := url.URL{Scheme: "file", OmitHost: true, Path: absolute, RawQuery: settings.Encode()}
	db, err := sql.Open("sqlite", uri.String())
	if err != nil {
		return nil, &UnavailableError{Path: path, Problem: "it cannot be opened", Err: err}
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	for range connections {
		conn, err := db.Conn(context.Background())
		if err != nil {
			db.Close()
			return nil, &UnavailableError{Path: path, Problem: "it cannot be opened", Err: err}
		}
		defer conn.Close() // back to the pool, when all are open
	}
	return db, nil
}

// lock takes the guard, and then SQLite's own lock, against programs that do not ask the guard.
func (s *sqlite) lock(_ context.Context, after, _ int64) (*turnStart, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	if err := s.guard.lock(); err != nil {
		return nil, s.unavailable("another process has locked it", err)
	}
	t, err := s.beginTurn(after)
	if err != nil {
		return nil, errors.Join(err, s.pass())
	}
	return t, nil
}

// beginTurn needs no witness: a commit is never uncertain here.
func (s *sqlite) beginTurn(after int64) (*turnStart, error) {
	remembered, err := s.guard.read()
	if err != nil {
		return nil, s.fail("its guard file cannot be read", err)
	}
	if err := s.writer.exec("BEGIN IMMEDIATE"); err != nil {
		return nil, s.unavailable("it cannot be written", err) // another program holds it; nothing has happened
	}
	h, found, err := one(context.Background(), s.writer, scanHead, headQuery)
	if err != nil || !found {
		return nil, s.fail("its head cannot be read", err)
	}
	if s.admitted && (remembered.id != s.id || remembered.entry > h.entry) {
		return nil, s.fail("its guard is of another ledger, or of a later state", nil)
	}
	t := &turnStart{head: h}
	if err := s.readTurn(t, after); err != nil {
		return nil, s.unavailable("it cannot be read", err)
	}
	return t, nil
}

func (s *sqlite) readTurn(t *turnStart, after int64) error {
	last, _, err := one(context.Background(), s.writer, scanNumber, `SELECT max(id) FROM entry`)
	if err == nil && last > after {
		t.newer, err = readEntries(context.Background(), s.writer, after+1, after+scanPage)
	}
	if err == nil {
		t.more = len(t.newer) > 0 && t.newer[len(t.newer)-1].id < last
		t.proxies, err = collect(context.Background(), s.writer, scanProxy, proxiesQuery)
	}
	return err
}

// write inserts, commits and has the guard follow. Whether a COMMIT that failed will have happened after the next restart is unknown (its
// pages may be on disk), and whether a sync that failed once can be trusted again is, too: the ledger is done with until it is opened anew.
func (s *sqlite) write(b *batch) error {
	if err := s.writer.insert(b); err != nil {
		return errors.Join(errRows, s.unavailable("it cannot be written", err), s.pass())
	}
	defer s.guard.unlock()
	if err := s.writer.exec("COMMIT"); err != nil {
		failure := s.fail("a commit failed", err)
		s.writer.exec("ROLLBACK")
		return failure
	}
	if len(b.entries) == 0 {
		return nil
	}
	if err := s.guard.set(mark{id: s.id, entry: b.head.entry, hash: b.head.hash}); err != nil {
		return s.fail("its guard file cannot be written", err)
	}
	return nil
}

// pass rolls back, if a transaction has begun. SQLite may have done so of its own accord (disk full), in which case ROLLBACK fails, and
// that a new transaction can begin proves it. Otherwise the ledger's state is unknown.
func (s *sqlite) pass() error {
	defer s.guard.unlock()
	rollback := s.writer.exec("ROLLBACK")
	if rollback == nil {
		return nil
	}
	if err := errors.Join(s.writer.exec("BEGIN"), s.writer.exec("ROLLBACK")); err != nil {
		return s.fail("a transaction could not be rolled back", rollback)
	}
	return nil
}

// admit compares the ledger with its guard, and then makes the guard's memory of it and both files' names durable, before the first
// charge, and begins to watch them.
func (s *sqlite) admit(found mark) error {
	if err := s.guard.lock(); err != nil {
		return s.unavailable("another process has locked it", err)
	}
	defer s.guard.unlock()
	remembered, err := s.guard.read()
	if err != nil {
		return s.guard.unreadable(s.path, err)
	}
	err = s.guard.admit(s.path, found, remembered, func(entry int64) (digest, error) { return hashAt(context.Background(), s, entry) })
	if err != nil {
		return err
	}
	// Another process may have gone on since it was found.
	if remembered.entry < found.entry {
		err = s.guard.set(found)
	}
	if err := errors.Join(err, s.guard.sync(), syncDirectory(filepath.Dir(s.path))); err != nil {
		return s.unavailable("its guard file cannot be written", err)
	}
	s.admitted = true
	return s.watch()
}

// hashAt is the hash of an entry; zero if there is none.
func hashAt(ctx context.Context, q queryer, entry int64) (digest, error) {
	hash, _, err := one(ctx, q, scanBytes, hashQuery, entry)
	return digestOf(hash), err
}

// watch notes which files are in use, for usable.
func (s *sqlite) watch() error {
	paths := []string{s.path, s.path + "-wal", s.guard.path}
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

func (s *sqlite) clock() time.Time { return time.Now() }

func (s *sqlite) warnings() []string { return nil }

func (s *sqlite) patience() time.Duration { return 0 }

// usable says whether the ledger can be trusted still. A ledger, its log or its guard that was deleted or replaced behind the open
// files would take charges that the next process never sees.
func (s *sqlite) usable() error {
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
func (s *sqlite) fail(problem string, err error) error {
	s.failure.CompareAndSwap(nil, &UnavailableError{
		Path: s.path, Problem: problem, Remedy: "see to the file and the disk, then restart tacit", Err: err,
	})
	return s.failure.Load()
}

// close closes the writer after the readers, so that it tidies up, and gives the locks up last.
func (s *sqlite) close() error {
	var errs []error
	if s.sqliteReader != nil {
		errs = append(errs, s.sqliteReader.close())
	}
	if s.writer != nil {
		errs = append(errs, s.writer.close())
	}
	errs = append(errs, s.guard.close())
	if s.serving != nil {
		errs = append(errs, s.serving.Close())
	}
	return errors.Join(errs...)
}

func syncDirectory(path string) error {
	directory, err := os.Open(path)
	if err != nil {
		return err
	}
	defer directory.Close()
	return directory.Sync()
}

// numbered turns $1 into SQLite's ?1.
func numbered(query string) string { return strings.ReplaceAll(query, "$", "?") }
