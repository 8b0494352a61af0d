package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"os"
	"slices"
	"sync"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/store"
)

// An Reader reads a ledger's file, also while others write it. It locks nobody out.
type Reader struct {
	path string
	db   *sql.DB

	mu sync.Mutex // protects prepared
	// prepared are the queries that were asked, which are few: to parse one takes longer than to answer it.
	prepared map[string]*sql.Stmt
}

// mostPrepared bounds the queries that are kept, on each connection.
const mostPrepared = 32

func openReader(path string) (*Reader, error) {
	db, err := openDatabase(path, readOnly, store.Readers)
	if err != nil {
		return nil, err
	}
	return &Reader{path: path, db: db, prepared: make(map[string]*sql.Stmt)}, nil
}

func (r *Reader) Place() string { return r.path }

func (r *Reader) Query(ctx context.Context, query string, args ...any) (store.Rows, error) {
	if len(args) == 0 {
		return store.AsRows(r.db.QueryContext(ctx, numbered(query)))
	}
	statement, err := r.prepare(ctx, query)
	if err != nil || statement == nil {
		return store.AsRows(r.db.QueryContext(ctx, numbered(query), args...))
	}
	return store.AsRows(statement.QueryContext(ctx, args...))
}

// prepare returns the query as a prepared statement, nil if enough are kept. SQLite parses it again by itself if the tables change.
func (r *Reader) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	r.mu.Lock()
	statement, full := r.prepared[query], len(r.prepared) >= mostPrepared
	r.mu.Unlock()
	if statement != nil || full {
		return statement, nil
	}
	statement, err := r.db.PrepareContext(ctx, numbered(query)) // may wait for a connection, whose user may wait for the lock
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if kept := r.prepared[query]; kept != nil {
		return kept, statement.Close()
	}
	r.prepared[query] = statement
	return statement, nil
}

func (r *Reader) Snapshot(ctx context.Context) (store.Snapshot, error) {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	s := snapshot{tx}
	// SQLite takes the snapshot with the first read.
	if _, _, err := store.One(ctx, s, store.ScanNumber, `SELECT count(*) FROM ledger`); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Remembered reads the guard, if there is one: a copy of a ledger has none.
func (r *Reader) Remembered() (journal.Witness, error) {
	content, err := os.ReadFile(guardPath(r.path))
	if os.IsNotExist(err) {
		return journal.Witness{}, nil
	}
	if err != nil {
		return journal.Witness{}, err
	}
	return journal.ParseWitness(content)
}

func (r *Reader) Close() error {
	return r.db.Close()
}

func (r *Reader) unavailable(problem string, err error) *accountant.UnavailableError {
	return &accountant.UnavailableError{Path: r.path, Problem: problem, Err: err}
}

// An snapshot is a transaction that only reads.
type snapshot struct{ tx *sql.Tx }

func (s snapshot) Query(ctx context.Context, query string, args ...any) (store.Rows, error) {
	return store.AsRows(s.tx.QueryContext(ctx, numbered(query), args...))
}

func (s snapshot) Close() error { return s.tx.Rollback() }

// OpenExisting opens a ledger for reading, as it is.
func OpenExisting(ctx context.Context, path string) (*Reader, error) {
	if err := Existing(path); err != nil {
		return nil, err
	}
	r, err := openReader(path)
	if err != nil {
		return nil, err
	}
	version, err := r.identify(ctx)
	if err == nil && version == 0 {
		err = r.unavailable("it is empty", nil)
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// Integrity has SQLite look at its file, indexes and types of values included.
func (r *Reader) Integrity(ctx context.Context) (problem string, err error) {
	conn, err := r.db.Conn(ctx)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	// It finds each row in each index, at places all over the file. With few pages at hand a third of its time goes into reading them again.
	if _, err := conn.ExecContext(ctx, `PRAGMA cache_size = -16384`); err != nil {
		return "", err
	}
	verdict, _, err := store.One(ctx, one{conn}, store.ScanText, `PRAGMA integrity_check(1)`)
	if verdict == "ok" {
		verdict = ""
	}
	_, resetErr := conn.ExecContext(context.WithoutCancel(ctx), `PRAGMA cache_size = -2000`) // SQLite's own
	return verdict, cmp.Or(err, resetErr)
}

// one is a queryer of one connection.
type one struct{ *sql.Conn }

func (o one) Query(ctx context.Context, query string, args ...any) (store.Rows, error) {
	return store.AsRows(o.QueryContext(ctx, query, args...))
}

// SchemaChange compares what the file says of its tables with what was made: an index or a trigger of somebody else's is in no chain, and may
// lead to other rows than those that are asked for.
func (r *Reader) SchemaChange(ctx context.Context) (problem string, err error) {
	version, _, err := store.One(ctx, r, store.ScanNumber, `SELECT user_version FROM pragma_user_version`)
	if err != nil {
		return "", err
	}
	made, err := madeSchema(ctx, version)
	if err != nil {
		return "", err
	}
	found, err := store.Collect(ctx, r, store.ScanText, schemaQuery)
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

// madeSchema is what schemaQuery finds in a ledger of a version that was just made.
func madeSchema(ctx context.Context, version int64) ([]string, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection has a memory of its own
	statements := schema
	if version > 1 {
		statements += version2
	}
	if _, err := db.ExecContext(ctx, statements); err != nil {
		return nil, err
	}
	return store.Collect(ctx, memory{db}, store.ScanText, schemaQuery)
}

// memory is a queryer of a database in memory.
type memory struct{ *sql.DB }

func (m memory) Query(ctx context.Context, query string, args ...any) (store.Rows, error) {
	return store.AsRows(m.QueryContext(ctx, query, args...))
}

const applicationID = 1952539441

// identify returns the version of the ledger in the file, 0 if the file holds no tables yet. A file with other tables than a ledger's, or of
// a version that is not known here, is an error.
func (r *Reader) identify(ctx context.Context) (version int, err error) {
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
	case !journal.KnownVersion(version):
		return 0, r.unavailable("it was written by another version of tacit", journal.OtherVersion(version))
	}
	return version, nil
}
