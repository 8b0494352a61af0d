package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// output is what the command prints, which must end with exit status 0.
func output(t *testing.T, args ...string) (stdout string) {
	t.Helper()
	stdout, stderr, status := run(t, args...)
	if status != 0 {
		t.Fatalf("tacit %q: status %d\n%s%s", args, status, stdout, stderr)
	}
	return stdout
}

// fromJSON decodes what a command printed.
func fromJSON(t *testing.T, text string, value any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), value); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
}

// mustRead reads the rows of statements.
func mustRead(t *testing.T, conn *pgx.Conn, statements ...string) {
	t.Helper()
	for _, sql := range statements {
		if _, err := readRows(context.Background(), conn, sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}

// sqlState is the SQLSTATE of an error, and empty if it is none of a server's.
func sqlState(err error) string {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return refused.Code
	}
	return ""
}

// shows fails unless a text has all parts.
func shows(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

// same fails and shows the difference unless two values are the same.
func same(t *testing.T, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
