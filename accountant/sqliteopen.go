package accountant

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// What PRAGMA application_id and PRAGMA user_version say of a ledger; schema.sql sets them.
const (
	applicationID = 1952539497
	schemaVersion = 4
	firstVersion  = 1
)

// servingPath is the file that a proxy has locked while it runs.
func servingPath(ledger string) string { return ledger + ".lock" }

// openSQLite opens the ledger at path for writing, creates it, or brings it up from a former version. It reads before it writes: a file
// that is not a ledger is left as it is.
func openSQLite(ctx context.Context, path string, role Role) (*sqlite, error) {
	g, err := openGuard(guardPath(path), path)
	if err != nil {
		return nil, err
	}
	s := &sqlite{guard: g}
	if err := s.open(ctx, path, role); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *sqlite) open(ctx context.Context, path string, role Role) error {
	if err := s.guard.lock(); err != nil {
		return &UnavailableError{
			Path: path, Problem: "another process has locked it", Remedy: "if it is a tacit of a former version, stop it", Err: err,
		}
	}
	defer s.guard.unlock()
	if role == Serve {
		if err := s.serve(path); err != nil {
			return err
		}
	}
	remembered, err := s.guard.read()
	if err != nil {
		return s.guard.unreadable(path, err)
	}
	if err := provideFile(path, remembered.known()); err != nil {
		return err
	}
	if s.sqliteReader, err = openSQLiteReader(path); err != nil {
		return err
	}
	return s.identifyAndOpen(ctx, remembered)
}

// serve locks the ledger for life, so that there is one proxy. Nothing that the ledger promises depends on it.
func (s *sqlite) serve(path string) error {
	file, err := os.OpenFile(servingPath(path), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return &UnavailableError{Path: path, Problem: "its lock file cannot be opened", Err: err}
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		return &UnavailableError{
			Path: path, Problem: "another process has locked it", Err: err,
			Remedy: "one proxy at a time may use a ledger of SQLite: stop the other one, or keep the ledger in PostgreSQL",
		}
	}
	s.serving = file
	return nil
}

// identifyAndOpen opens what is at path for writing, when it is known what it is.
func (s *sqlite) identifyAndOpen(ctx context.Context, remembered mark) error {
	version, err := s.identify(ctx)
	if err != nil {
		return err
	}
	if version == 0 && remembered.known() {
		return &UnavailableError{
			Path: s.path, Problem: "it is empty, although there was a ledger", Remedy: "put the newest ledger back",
		}
	}
	if 0 < version && version < schemaVersion {
		if err := s.admitFormer(ctx, version, remembered); err != nil {
			return err
		}
	}
	if s.writer, err = openWriter(s.path); err != nil {
		return err
	}
	switch version {
	case 0:
		err = s.create()
	case schemaVersion:
	default:
		err = s.migrate(ctx, version)
	}
	if err != nil {
		return err
	}
	s.id, _, err = one(ctx, s, scanIdentity, identityQuery)
	if err != nil {
		return s.unavailable("it cannot be read", err)
	}
	return nil
}

// identify returns the version of the ledger in the file, 0 if the file holds no tables yet. A file with other tables than a ledger's, or of
// a version that is not known here, is an error.
func (r *sqliteReader) identify(ctx context.Context) (version int, err error) {
	var tables, application int
	err = r.db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM sqlite_schema), a.application_id, v.user_version
		FROM pragma_application_id AS a, pragma_user_version AS v`).Scan(&tables, &application, &version)
	switch {
	case err != nil:
		return 0, r.unavailable("it cannot be read", err)
	case tables == 0 && application == 0:
		return 0, nil
	case application != applicationID:
		return 0, r.unavailable("the file is not a ledger", nil)
	case version < firstVersion || version > schemaVersion:
		return 0, r.unavailable("it was written by another version of tacit", nil)
	}
	return version, nil
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

// existing tells a ledger that was never made from one that is gone.
func existing(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil // SQLite will say what is wrong with it
	}
	if _, err := os.Stat(guardPath(path)); errors.Is(err, fs.ErrNotExist) {
		return &UnavailableError{Path: path, NeverMade: true}
	}
	return &UnavailableError{Path: path, Problem: "it is missing, although there was one", Remedy: "put the ledger back"}
}

// newLedgerID is an identity that no other ledger has.
func newLedgerID() string {
	id := make([]byte, 16)
	rand.Read(id)
	return hex.EncodeToString(id)
}

// firstEntry is the beginning of a ledger's chain. Version is that in which its next entries were written.
func firstEntry(id string, created int64, version int) *entryRow {
	e := &entryRow{
		id: 1, at: created, kind: kindCreated, operation: []byte{}, body: marshal(createdBody{Ledger: id, Version: version}),
	}
	e.hash = newLinker().entry(digest{}, e)
	return e
}

// create writes the tables, an identity of its own, and the first entry into an empty file.
func (s *sqlite) create() error {
	err := s.writer.exec("BEGIN IMMEDIATE")
	if err == nil {
		err = s.writer.script(schema)
	}
	if err == nil {
		err = s.writer.found(firstEntry(newLedgerID(), time.Now().UnixNano(), schemaVersion))
	}
	if err == nil {
		err = s.writer.exec("COMMIT")
	}
	if err != nil {
		return s.unavailable("it cannot be created", err)
	}
	return nil
}

// found writes the rows that a ledger begins with.
func (w *writer) found(first *entryRow) error {
	var body createdBody
	err := unmarshal(first.body, &body)
	if err == nil {
		err = w.exec(`INSERT INTO ledger (singleton, id, created) VALUES (1, ?, ?)`, body.Ledger, first.at)
	}
	if err == nil {
		err = w.insertEntry(first)
	}
	if err == nil {
		err = w.exec(`INSERT INTO head (singleton, entry, hash) VALUES (1, ?, ?)`, first.id, first.hash[:])
	}
	return err
}
