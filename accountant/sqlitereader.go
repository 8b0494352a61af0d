package accountant

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"slices"
	"sync/atomic"
)

// An sqliteReader reads a ledger's file, also while others write it. It locks nobody out.
type sqliteReader struct {
	path string
	db   *sql.DB // of the file
	// brought is a copy of a former version's ledger that was brought up, to be read in its stead until it is itself; else nil.
	brought atomic.Pointer[broughtCopy]
}

// readers is how many goroutines may read at once; more wait.
const readers = 4

func openSQLiteReader(path string) (*sqliteReader, error) {
	db, err := openDatabase(path, readOnly, readers)
	if err != nil {
		return nil, err
	}
	return &sqliteReader{path: path, db: db}, nil
}

func (r *sqliteReader) place() string { return r.path }

func (r *sqliteReader) query(ctx context.Context, query string, args ...any) (rows, error) {
	return asRows(r.newest(ctx).QueryContext(ctx, numbered(query), args...))
}

func (r *sqliteReader) snapshot(ctx context.Context) (snapshot, error) {
	tx, err := r.newest(ctx).BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	s := sqliteSnapshot{tx}
	// SQLite takes the snapshot with the first read.
	if _, _, err := one(ctx, s, scanNumber, `SELECT count(*) FROM ledger`); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// remembered reads the guard, if there is one: a copy of a ledger has none.
func (r *sqliteReader) remembered() (mark, error) {
	content, err := os.ReadFile(guardPath(r.path))
	if os.IsNotExist(err) {
		return mark{}, nil
	}
	if err != nil {
		return mark{}, err
	}
	return parseMark(content)
}

func (r *sqliteReader) close() error {
	return errors.Join(r.db.Close(), r.brought.Swap(nil).close())
}

func (r *sqliteReader) unavailable(problem string, err error) *UnavailableError {
	return &UnavailableError{Path: r.path, Problem: problem, Err: err}
}

// An sqliteSnapshot is a transaction that only reads.
type sqliteSnapshot struct{ tx *sql.Tx }

func (s sqliteSnapshot) query(ctx context.Context, query string, args ...any) (rows, error) {
	return asRows(s.tx.QueryContext(ctx, numbered(query), args...))
}

func (s sqliteSnapshot) close() error { return s.tx.Rollback() }

// openExistingSQLite opens a ledger for reading, as it is.
func openExistingSQLite(ctx context.Context, path string) (*sqliteReader, error) {
	if err := existing(path); err != nil {
		return nil, err
	}
	r, err := openSQLiteReader(path)
	if err != nil {
		return nil, err
	}
	version, err := r.identify(ctx)
	switch {
	case err != nil:
	case version == 0:
		err = r.unavailable("it is empty", nil)
	case version < schemaVersion:
		err = r.bringUpCopy(ctx, version)
	}
	if err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// integrity has SQLite look at its file, indexes and types of values included.
func (r *sqliteReader) integrity(ctx context.Context) (problem string, err error) {
	verdict, _, err := one(ctx, r, scanText, `PRAGMA integrity_check(1)`)
	if verdict == "ok" {
		verdict = ""
	}
	return verdict, err
}

// meddled compares what the file says of its tables with what was made: an index or a trigger of somebody else's is in no chain, and may
// lead to other rows than those that are asked for.
func (r *sqliteReader) meddled(ctx context.Context) (problem string, err error) {
	made, err := madeSchema(ctx)
	if err != nil {
		return "", err
	}
	found, err := collect(ctx, r, scanText, schemaQuery)
	if err != nil || slices.Equal(made, found) {
		return "", err
	}
	for _, text := range found {
		if !slices.Contains(made, text) {
			return "its file has, or has otherwise than it was made: " + text, nil
		}
	}
	for _, text := range made {
		if !slices.Contains(found, text) {
			return "its file lacks: " + text, nil
		}
	}
	return "its file has something twice", nil
}

// schemaQuery lists what a file says of its tables, indexes and triggers.
const schemaQuery = `SELECT type || ' ' || name || ' of ' || tbl_name || ': ' || coalesce(sql, '') FROM sqlite_schema
	WHERE name NOT IN ('sqlite_stat1', 'sqlite_stat4') ORDER BY 1`

// madeSchema is what schemaQuery finds in a ledger that was just made.
func madeSchema(ctx context.Context) ([]string, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection has a memory of its own
	if _, err := db.ExecContext(ctx, schema); err != nil {
		return nil, err
	}
	return collect(ctx, memory{db}, scanText, schemaQuery)
}

// memory is a queryer of a database in memory.
type memory struct{ *sql.DB }

func (m memory) query(ctx context.Context, query string, args ...any) (rows, error) {
	return asRows(m.QueryContext(ctx, query, args...))
}
