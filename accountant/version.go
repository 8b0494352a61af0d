package accountant

import (
	"context"
	_ "embed"
)

// What PRAGMA application_id and PRAGMA user_version say of a ledger; schema.sql sets them.
const (
	applicationID = 1952539497
	schemaVersion = 2
	// firstVersion did not count releases without a guarantee, because there were none.
	firstVersion = 1
)

// asFirst makes queries read a ledger of the first version, which they follow: its tables have no column of releases yet. The names of
// the WITH queries hide the tables. If the ledger is brought up while it is read, its own column stands first and is the one that counts.
const asFirst = `WITH entry AS (SELECT *, 0 AS releases FROM main.entry), charge AS (SELECT *, 0 AS releases FROM main.charge),
	balance AS (SELECT *, 0 AS releases FROM main.balance) `

//go:embed migrate2.sql
var migration string

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
	case version == firstVersion:
		r.former = asFirst
	case version != schemaVersion:
		return 0, r.unavailable("it was written by another version of tacit", nil)
	}
	return version, nil
}

// migrate makes a ledger of the first version one of this version, at once or not at all, and reads it all again. What was charged
// stays as it is, and so does how far the ledger has come: its guard need not know.
func (l *Ledger) migrate() error {
	t := &transaction{writer: l.writer}
	t.exec("BEGIN IMMEDIATE")
	t.script(migration)
	t.exec("COMMIT")
	if t.err != nil {
		return l.unavailable("it cannot be brought from its version to this one", t.err)
	}
	l.former = ""
	return l.Check(context.Background())
}
