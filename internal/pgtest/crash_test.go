package pgtest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

func startOwn(t *testing.T, options Options) *Cluster {
	t.Helper()
	c, err := Start(options)
	if errors.Is(err, ErrNoDisk) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// What was committed with a synchronous commit survives; what was not committed does not; the server comes back where it was.
func TestCrashAndRestart(t *testing.T) {
	c := startOwn(t, Options{Settings: map[string]string{"synchronous_commit": "on"}})
	must(t, c.execute("CREATE TABLE kept (n int)"))
	for range 3 {
		must(t, c.execute("INSERT INTO kept VALUES (1)"))
		ctx := context.Background()
		open, err := pgx.Connect(ctx, c.URL("postgres", "postgres"))
		must(t, err)
		_, err = open.Exec(ctx, "BEGIN; INSERT INTO kept VALUES (100)")
		must(t, err)
		port := c.Port
		must(t, c.Crash())
		if err := open.Ping(ctx); err == nil {
			t.Error("a session has survived the crash")
		}
		open.Close(ctx)
		if c.Running() || c.probe(ctx) == nil {
			t.Fatal("the server runs after the crash")
		}
		must(t, c.Restart())
		if c.Port != port {
			t.Error("another port")
		}
	}
	if got := query(t, c, "postgres", "SELECT sum(n)::text FROM kept"); got != "3" {
		t.Errorf("after three crashes the sum is %s, want 3", got)
	}
	if err := c.Restart(); err == nil {
		t.Error("a running server was started")
	}
}

func TestStopAfterCrash(t *testing.T) {
	c := startOwn(t, Options{})
	must(t, c.Crash())
	if err := c.Crash(); err == nil {
		t.Error("a dead server was killed")
	}
	must(t, c.Stop())
}

func TestFullDisk(t *testing.T) {
	c := startOwn(t, Options{DiskKiB: 128 << 10})
	must(t, c.execute("CREATE TABLE kept (n text)"))
	must(t, c.FillDisk(0))
	const insert = "INSERT INTO kept SELECT repeat('x', 100) FROM generate_series(1, 1000)"
	err := c.execute(insert)
	var refused *pgconn.PgError
	if err == nil || errors.As(err, &refused) && refused.Code != "53100" && !strings.HasPrefix(refused.Code, "57P") {
		t.Errorf("written on a full disk: %v", err)
	}
	must(t, c.FreeDisk())
	if !c.Running() {
		must(t, c.Restart())
	}
	must(t, c.execute(insert))
}
