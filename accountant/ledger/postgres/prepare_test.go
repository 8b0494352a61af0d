package postgres

import (
	"testing"
	"time"

	"tacit/accountant/journal"
	"tacit/accountant/ledger/ledgertest"
)

// turn charges once more.
func turn(t *testing.T, s *Store, after journal.Head) error {
	t.Helper()
	h, err := ledgertest.Begin(s, after.Entry)
	if err != nil {
		return err
	}
	return s.Write(ledgertest.Link(h, ledgertest.ChargedEntry(3)))
}

// A session whose statements were dropped, as a pooler may do, costs one attempt in which nothing is written.
func TestForgottenStatements(t *testing.T) {
	s := openTestStore(t, ledgertest.NewPostgres(t))
	before, _ := ledgertest.Everything(t, s)
	do(t, turn(t, s, before))
	before, _ = ledgertest.Everything(t, s)
	_, err := s.conn.Exec(t.Context(), "DEALLOCATE ALL")
	do(t, err)
	if err := turn(t, s, before); err == nil {
		t.Error("a turn was made by statements that are gone")
	}
	if after, _ := ledgertest.Everything(t, s); after != before {
		t.Errorf("the head moved to %+v", after)
	}
	do(t, turn(t, s, before))
}

// Sessions that one after the other have the same server process, as behind a pooler, do not meet each other's statements.
func TestStatementsHaveNamesOfTheirOwn(t *testing.T) {
	l := ledgertest.NewPostgres(t)
	a, b := openTestStore(t, l), openTestStore(t, l)
	for _, s := range []*Store{a, b} {
		before, _ := ledgertest.Everything(t, s)
		do(t, turn(t, s, before))
	}
	for text, name := range a.prepared {
		if b.prepared[text] == name {
			t.Errorf("%s is %s twice", text, name)
		}
	}
}

// Who waits for the head has no lock on other tables of the ledger, which somebody who holds it may be about to change.
func TestWaitsForTheHeadAlone(t *testing.T) {
	l := ledgertest.NewPostgres(t)
	a, b := openTestStore(t, l), openTestStore(t, l)
	before, _ := ledgertest.Everything(t, a)
	_, err := ledgertest.Begin(a, before.Entry)
	do(t, err)
	const waiting = `SELECT count(*) FROM pg_locks w WHERE NOT w.granted AND w.pid <> pg_backend_pid()
		AND w.pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())`
	const held = `SELECT count(*) FROM pg_locks h JOIN pg_class c ON c.oid = h.relation JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname = 'tacit_ledger' AND c.relkind = 'r' AND c.relname <> 'head' AND h.database = (SELECT oid FROM pg_database WHERE datname = current_database())`
	var waits, own, tables int64
	do(t, a.db.QueryRowContext(t.Context(), held).Scan(&own))
	b.disconnect()
	done := make(chan error, 1)
	go func() {
		_, err := ledgertest.Begin(b, before.Entry)
		done <- err
	}()
	for waits = 0; waits == 0; {
		time.Sleep(time.Millisecond)
		do(t, a.db.QueryRowContext(t.Context(), waiting).Scan(&waits))
	}
	do(t, a.db.QueryRowContext(t.Context(), held).Scan(&tables))
	if tables != own {
		t.Errorf("%d tables are locked besides the %d of the one who holds the head", tables-own, own)
	}
	do(t, a.Rollback())
	do(t, <-done)
}
