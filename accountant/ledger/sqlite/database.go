package sqlite

import (
	"context"
	"database/sql"
	_ "embed"
	"net/url"
	"path/filepath"
	"strings"

	"tacit/accountant"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// The statements that make a ledger of version 1, and those that bring it up to version 2. A new ledger is made by both, so that it is the same as one that
// was brought up.
var (
	//go:embed schema.sql
	schema string
	//go:embed version2.sql
	version2 string
)

// The SQLite settings of the connection that writes, and of those that read.
var (
	readWrite = url.Values{
		"mode": {"rw"}, // the file exists, see createFile
		"_pragma": {
			"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", "trusted_schema(0)",
			"secure_delete(1)", // what is dropped of a note is overwritten
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
		return nil, &accountant.UnavailableError{Path: path, Problem: "it has no absolute path", Err: err}
	}
	// A URI, because in a bare path the driver would take a question mark for the start of the settings.
	uri := url.URL{Scheme: "file", OmitHost: true, Path: absolute, RawQuery: settings.Encode()}
	db, err := sql.Open("sqlite", uri.String())
	if err != nil {
		return nil, &accountant.UnavailableError{Path: path, Problem: "it cannot be opened", Err: err}
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	for range connections {
		conn, err := db.Conn(context.Background())
		if err != nil {
			db.Close()
			return nil, &accountant.UnavailableError{Path: path, Problem: "it cannot be opened", Err: err}
		}
		defer conn.Close() // back to the pool, when all are open
	}
	return db, nil
}

// numbered turns $1 into SQLite's ?1.
func numbered(query string) string { return strings.ReplaceAll(query, "$", "?") }
