package main

import (
	"database/sql"
	"testing"

	_ "modernc.org/sqlite" // registers the driver
)

// execSQLite runs a statement on a ledger's file, as anybody could who may write it.
func execSQLite(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}
