package accountant

import (
	"context"
	"database/sql"
	_ "embed"
)

// What PRAGMA application_id and PRAGMA user_version say of a ledger; schema.sql sets them.
const (
	applicationID = 1952539497
	schemaVersion = 3
	// firstVersion did not count releases without a guarantee, because there were none.
	firstVersion = 1
	// secondVersion had no auditors.
	secondVersion = 2
)

// asFirst and asSecond make queries, which follow them, read a ledger of a former version: its tables have no column of releases or of
// risk yet, and some are missing. The names of the WITH queries hide the tables. If the ledger is brought up at that moment, its own
// columns stand first and are the ones that count.
const (
	asFirst = `WITH entry AS (SELECT *, 0 AS releases, 0 AS risk FROM main.entry), charge AS (SELECT *, 0 AS releases FROM main.charge),
		balance AS (SELECT *, 0 AS releases, 0 AS risk FROM main.balance), ` + noAudits
	asSecond = `WITH entry AS (SELECT *, 0 AS risk FROM main.entry), balance AS (SELECT *, 0 AS risk FROM main.balance), ` + noAudits

	noAudits = `audit_event AS (SELECT 0 AS id, 0 AS entry, '' AS table_schema, '' AS table_name, 0 AS sequence, '' AS kind, x'' AS payload WHERE 0),
		audit_answer AS (SELECT 0 AS id, 0 AS event, 0 AS at, x'' AS payload WHERE 0) `
)

var (
	//go:embed migrate2.sql
	toSecond string
	//go:embed migrate3.sql
	toThird string
)

// A rowQuerier is a database or a transaction.
type rowQuerier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// former is what stands before a query, so that it reads a ledger of a former version as one of this version. A reader of such a ledger
// looks before each query whether it has been brought up.
func (r *Reader) former(ctx context.Context, q rowQuerier) string {
	version := r.version.Load()
	if version != schemaVersion && q.QueryRowContext(ctx, "SELECT user_version FROM pragma_user_version").Scan(&version) == nil {
		r.version.Store(version)
	}
	switch version {
	case firstVersion:
		return asFirst
	case secondVersion:
		return asSecond
	}
	return ""
}

// identify returns the version of the ledger in the file, 0 if the file holds no tables yet, and has r read that version. A file with
// other tables than a ledger's, or of a version that is not known here, is an error.
func (r *Reader) identify(ctx context.Context) (version int, err error) {
	var tables, application int
	err = r.db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM sqlite_schema), a.application_id, v.user_version
		FROM pragma_application_id AS a, pragma_user_version AS v`).Scan(&tables, &application, &version)
	switch {
	case err != nil:
		return 0, r.readError(ctx, err)
	case tables == 0 && application == 0:
		return 0, nil
	case application != applicationID:
		return 0, r.unavailable("the file is not a ledger", nil)
	case version < firstVersion || version > schemaVersion:
		return 0, r.unavailable("it was written by another version of tacit", nil)
	}
	r.version.Store(int64(version))
	return version, nil
}

// migration is what makes a ledger of a former version one of this version.
func migration(version int) string {
	if version == firstVersion {
		return toSecond + toThird
	}
	return toThird
}

// migrate makes a ledger of a former version one of this version, at once or not at all, and reads it all again. What was charged
// stays as it is, and so does how far the ledger has come: its guard need not know.
func (l *Ledger) migrate(version int) error {
	t := &transaction{writer: l.writer}
	t.script("PRAGMA foreign_keys = OFF") // cannot be said within a transaction
	t.exec("BEGIN IMMEDIATE")
	t.script(migration(version))
	t.exec("COMMIT")
	t.script("PRAGMA foreign_keys = ON")
	if t.err != nil {
		return l.unavailable("it cannot be brought from its version to this one", t.err)
	}
	l.version.Store(schemaVersion)
	return l.Check(context.Background())
}
