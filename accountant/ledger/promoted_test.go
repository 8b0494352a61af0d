package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tacit/accountant"
	"tacit/accountant/ledger/ledgertest"
	"tacit/internal/pgtest"
	"tacit/policy"
)

// A standby that lacks the newest charges is promoted when its primary dies. Whoever has seen them charges nothing in it and reads nothing from it, in this life
// and in the next one, until the former primary is back: nothing that was acknowledged is lost.
func TestPromotedStandbyWithLostCommits(t *testing.T) {
	t.Parallel() // much of it is waiting
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	settings := map[string]string{"wal_level": "replica", "max_wal_senders": "4", "synchronous_commit": "off", "full_page_writes": "on"}
	primary := ledgertest.OwnCluster(t, pgtest.Options{Settings: settings})
	location := ledgertest.NewLocation(t, primary)
	standby, err := pgtest.Start(pgtest.Options{Settings: settings, StandbyOf: primary})
	do(t, err)
	t.Cleanup(func() { standby.Stop() })
	location.Postgres = fmt.Sprintf("postgres://tacit_ledger@/%s?host=127.0.0.1,127.0.0.1&port=%d,%d&sslmode=disable",
		ledgertest.DatabaseOf(t, location), primary.Port, standby.Port)

	l, err := Open(ctx, Options{Location: location, Role: Serve})
	do(t, err)
	t.Cleanup(func() { l.Close() })
	old, lost := charge("ana", "old", accountant.Loss{Epsilon: 5}), charge("ana", "lost", accountant.Loss{Epsilon: 7})
	record(t, l, reserve(t, l, old), []byte("old answer"))
	awaitStandby(ctx, t, primary, standby)
	do(t, standby.Crash())
	record(t, l, reserve(t, l, lost), []byte("lost answer")) // acknowledged, as the standby is not waited for
	do(t, primary.Crash())
	do(t, standby.Restart())
	do(t, ledgertest.Superuser(standby, "postgres", "SELECT pg_promote()"))

	wantOlder := func(err error, what string) {
		t.Helper()
		if !errors.Is(err, accountant.ErrUnavailable) || !strings.Contains(err.Error(), "it is older than the ledger that was here before") {
			t.Errorf("%s: error %v", what, err)
		}
	}
	_, err = l.Reserve(ctx, charge("ana", "lost, again", accountant.Loss{Epsilon: 7}))
	wantOlder(err, "a charge in the middle of a session")
	_, _, err = l.Lookup(ctx, question(patients, "never asked"), 0)
	wantOlder(err, "a read in the middle of a session")
	for range 2 {
		_, err := Open(ctx, Options{Location: location, Role: Steward})
		wantOlder(err, "a process that starts")
	}
	// Who has never seen the ledger cannot know. What he writes makes another history of it.
	stranger, err := Open(ctx, Options{Location: policy.LedgerLocation{Postgres: location.Postgres, Guard: t.TempDir()}, Role: Steward})
	do(t, err)
	for n := range 4 {
		reserve(t, stranger, charge("bob", fmt.Sprint(n), accountant.Loss{Epsilon: 1}))
	}
	do(t, stranger.Close())
	if _, err = l.Reserve(ctx, charge("ana", "lost, again", accountant.Loss{Epsilon: 7})); err == nil || !strings.Contains(err.Error(), "it has another history") {
		t.Errorf("a charge behind another history: error %v", err)
	}

	do(t, standby.Crash())
	do(t, primary.Restart())
	reserve(t, l, charge("ana", "new", accountant.Loss{Epsilon: 11}))
	for text, want := range map[string]string{"old": "old answer", "lost": "lost answer"} {
		if found, ok, err := l.Lookup(ctx, question(patients, text), 0); err != nil || !ok || string(found.Payload) != want {
			t.Errorf("the answer to %q is %v, %v, %v", text, found, ok, err)
		}
	}
	if got := balance(t, l, patients, "ana")[0]; got != (accountant.Loss{Epsilon: 23}) {
		t.Errorf("the balance is %v", got)
	}
	verified(t, l.Reader)
}

// awaitStandby waits until a standby has what its primary has.
func awaitStandby(ctx context.Context, t *testing.T, primary, standby *pgtest.Cluster) {
	t.Helper()
	ask := func(c *pgtest.Cluster, query string) (value string) {
		t.Helper()
		conn, err := pgx.Connect(ctx, c.URL("postgres", "postgres"))
		do(t, err)
		defer conn.Close(ctx)
		do(t, conn.QueryRow(ctx, query).Scan(&value))
		return value
	}
	position := ask(primary, "SELECT pg_current_wal_flush_lsn()::text")
	for ask(standby, "SELECT (pg_last_wal_replay_lsn() >= '"+position+"')::text") != "true" {
		time.Sleep(10 * time.Millisecond)
	}
}
