package postgres

import (
	"context"
	"errors"
	"strings"
	"testing"

	"tacit/accountant/journal"
	"tacit/accountant/ledger/ledgertest"
	"tacit/accountant/ledger/store"
	"tacit/internal/pgtest"
	"tacit/policy"
)

// openStore opens a store at a location, without a ledger on top of it.
func openTestStore(t testing.TB, l policy.LedgerLocation) *Store {
	t.Helper()
	s, err := Open(t.Context(), l)
	do(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// The store keeps what every store promises.
func TestConformance(t *testing.T) {
	l := ledgertest.NewPostgres(t)
	ledgertest.Conform(t, func(t testing.TB) store.Store { return openTestStore(t, l) })
}

// A turn is told the hash of the entry that it asks for.
func TestUncertainEntryIsLookedFor(t *testing.T) {
	s := openTestStore(t, ledgertest.NewPostgres(t))
	_, entries := ledgertest.Everything(t, s)
	found, err := s.Lock(t.Context(), 1, 1)
	do(t, err)
	do(t, s.Rollback())
	if found.Uncertain != entries[0].Hash {
		t.Errorf("the hash of entry 1 is %v", found.Uncertain)
	}
}

// Wherever a connection breaks within a turn, the next turn finds it done or not done, and as the error said.
func TestPostgresLostReplies(t *testing.T) {
	c, err := ledgertest.SharedCluster()
	do(t, err)
	relay, err := c.NewRelay()
	do(t, err)
	defer relay.Close()
	s := openTestStore(t, ledgertest.Through(t, ledgertest.NewPostgres(t), relay.Port))
	turn := func(after journal.Head, cut pgtest.Cut) (pgtest.Traffic, error) {
		s.disconnect()
		relay.Next(cut)
		start := relay.Heard()
		err := func() error {
			h, err := ledgertest.Begin(s, after.Entry)
			if err != nil {
				return err
			}
			b := ledgertest.Link(h, ledgertest.ChargedEntry(3), ledgertest.ChargedEntry(4))
			s.Ahead(&journal.Batch{Entries: b.Entries[:1]})
			return s.Write(b)
		}()
		stop := relay.Heard()
		return pgtest.Traffic{ToServer: stop.ToServer - start.ToServer, ToClient: stop.ToClient - start.ToClient}, err
	}
	before, _ := ledgertest.Everything(t, s)
	// What an undisturbed turn on a new connection takes.
	length, err := turn(before, pgtest.Cut{})
	do(t, err)
	var cuts []pgtest.Cut
	for n := int64(1); n < length.ToServer; n += 1 + length.ToServer/60 {
		cuts = append(cuts, pgtest.Cut{ToServer: n})
	}
	for n := int64(1); n < length.ToClient; n += 1 + length.ToClient/100 {
		cuts = append(cuts, pgtest.Cut{ToClient: n})
	}
	for n := length.ToClient - 100; n < length.ToClient; n++ { // the answer to COMMIT is at the end
		cuts = append(cuts, pgtest.Cut{ToClient: n})
	}
	lost, done := 0, 0
	for i, cut := range cuts {
		if testing.Short() && i%3 != 0 {
			continue
		}
		before, _ := ledgertest.Everything(t, s)
		_, err := turn(before, cut)
		after, _ := ledgertest.Everything(t, s)
		switch written := after.Entry - before.Entry; {
		case written != 0 && written != 2:
			t.Fatalf("%+v: %d entries", cut, written)
		case err == nil && written == 0, err != nil && !errors.Is(err, store.ErrUncertain) && written == 2:
			t.Fatalf("%+v: %d entries were written, and the error was %v", cut, written, err)
		case errors.Is(err, store.ErrUncertain) && written == 2:
			lost++
		case written == 2:
			done++
		}
	}
	if lost < 5 {
		t.Errorf("only %d replies were lost of what was done (%d done and said so, %d cuts)", lost, done, len(cuts))
	}
}

func TestPostgresIsCreatedOnce(t *testing.T) {
	l := ledgertest.NewPostgres(t)
	const processes = 6
	failed := make(chan error, processes)
	for range processes {
		go func() {
			s, err := Open(context.Background(), l)
			if err == nil {
				err = s.Close()
			}
			failed <- err
		}()
	}
	for range processes {
		do(t, <-failed)
	}
	s := openTestStore(t, l)
	if version, err := s.identify(context.Background()); version != journal.FormatVersion || err != nil {
		t.Errorf("version %d, error %v", version, err)
	}
	if h, entries := ledgertest.Everything(t, s); h.Entry != 1 || len(entries) != 1 {
		t.Errorf("%d entries", len(entries))
	}
	if warnings := s.Warnings(); len(warnings) != 1 || !strings.Contains(warnings[0], "full_page_writes") { // which tests do without
		t.Errorf("warnings %q", warnings)
	}
}

// A reader may think for as long as it wants to, which no turn may.
func TestPostgresReadersAreNotHurried(t *testing.T) {
	s := openTestStore(t, ledgertest.NewPostgres(t))
	const query = `SELECT current_setting('idle_in_transaction_session_timeout')`
	snap, err := s.Snapshot(t.Context())
	do(t, err)
	defer snap.Close()
	if got, _, err := store.One(t.Context(), snap, store.ScanText, query); got != "0" || err != nil {
		t.Errorf("a reader has %s, error %v", got, err)
	}
	var got string
	do(t, s.conn.QueryRow(t.Context(), query).Scan(&got))
	if got != "5s" {
		t.Errorf("a turn has %s", got)
	}
}

func do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
