package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/ledgertest"
	"tacit/accountant/ledger/store"
	"tacit/internal/pgtest"
	"tacit/policy"
)

// wantProblem checks that an error is ErrUnavailable and says so much.
func wantProblem(t testing.TB, err error, text string) {
	t.Helper()
	if !errors.Is(err, accountant.ErrUnavailable) || !strings.Contains(err.Error(), text) {
		t.Errorf("error %v, want one that says %q", err, text)
	}
}

// The server is killed with all its processes while turns are taken, again and again: what it had acknowledged is there, also where the
// server's own setting is to acknowledge before it has written.
func TestPostgresCrash(t *testing.T) {
	c := ledgertest.OwnCluster(t, pgtest.Options{Settings: map[string]string{"synchronous_commit": "off", "wal_writer_delay": "10s"}})
	l := ledgertest.NewLocation(t, c)
	stores := []*Store{openTestStore(t, l), openTestStore(t, l)}
	for range 4 {
		var writers sync.WaitGroup
		acknowledged := make([]journal.Head, len(stores))
		for i, s := range stores {
			writers.Go(func() { acknowledged[i] = writeUntilCut(s) })
		}
		time.Sleep(time.Duration(50+rand.IntN(200)) * time.Millisecond)
		do(t, c.Crash())
		writers.Wait()
		do(t, c.Restart())
		_, entries := ledgertest.Everything(t, stores[0])
		var previous journal.Digest
		for i, e := range entries {
			if e.ID != int64(i+1) || journal.NewLinker().Entry(previous, e) != e.Hash {
				t.Fatalf("the chain is broken at entry %d", e.ID)
			}
			previous = e.Hash
		}
		for _, h := range acknowledged {
			if h.Entry > int64(len(entries)) || h.Entry > 0 && entries[h.Entry-1].Hash != h.Hash {
				t.Errorf("entry %d was acknowledged; there are %d", h.Entry, len(entries))
			}
		}
	}
}

// writeUntilCut takes turns until one fails, and returns the last head that was acknowledged.
func writeUntilCut(s *Store) (acknowledged journal.Head) {
	for {
		h, err := ledgertest.Begin(s, 1<<40)
		if err != nil {
			return acknowledged
		}
		b := ledgertest.Link(h, ledgertest.ChargedEntry(9))
		if s.Write(b) != nil {
			return acknowledged
		}
		acknowledged = b.Head
	}
}

func TestPostgresServerIsAway(t *testing.T) {
	c, err := ledgertest.SharedCluster()
	do(t, err)
	relay, err := c.NewRelay()
	do(t, err)
	defer relay.Close()
	s := openTestStore(t, ledgertest.Through(t, ledgertest.NewPostgres(t), relay.Port))
	ledgertest.Everything(t, s)
	relay.SetAway(true)
	for range 2 {
		_, err = ledgertest.Begin(s, 1)
		wantProblem(t, err, "does not answer")
	}
	if _, err := s.Query(context.Background(), store.HeadQuery); err == nil {
		t.Error("read from a server that is away")
	}
	relay.SetAway(false)
	ledgertest.Everything(t, s)
	do(t, s.Usable())
}

// Of two that make the tables at once, the one that comes second may lose its connection while it rolls back. It goes on with another one.
func TestPostgresCreationLosesItsConnection(t *testing.T) {
	c, err := ledgertest.SharedCluster()
	do(t, err)
	relay, err := c.NewRelay()
	do(t, err)
	defer relay.Close()
	l := ledgertest.NewPostgres(t)
	first := openTestStore(t, l)
	comeSecond := func(cut pgtest.Cut) (sent int64) {
		start := relay.Heard()
		relay.Next(cut)
		s, err := newStore(ledgertest.Through(t, l, relay.Port))
		do(t, err)
		defer s.Close()
		do(t, s.connect(t.Context()))
		do(t, s.create(journal.FirstEntry(store.NewLedgerID(), 1)))
		sent = relay.Heard().ToServer - start.ToServer
		do(t, s.findWarnings(t.Context()))
		return sent
	}
	whole := comeSecond(pgtest.Cut{})
	relay.CutAll()
	if sent := comeSecond(pgtest.Cut{ToServer: whole - 1}); sent <= whole {
		t.Errorf("%d bytes were sent, as many as on one connection", sent)
	}
	if h, _ := ledgertest.Everything(t, first); h.Entry != 1 {
		t.Errorf("%d entries", h.Entry)
	}
}

// A process that is stopped within its turn does not keep the others out for long, and finds its turn gone.
func TestPostgresFrozenTurn(t *testing.T) {
	l := ledgertest.NewPostgres(t)
	frozen, other := openTestStore(t, l), openTestStore(t, l)
	h, err := ledgertest.Begin(frozen, 0)
	do(t, err)
	h2, err := ledgertest.Begin(other, 0) // waits for turnPatience at most
	do(t, err)
	do(t, other.Write(ledgertest.Link(h2, ledgertest.ChargedEntry(1))))
	if err := frozen.Write(ledgertest.Link(h, ledgertest.ChargedEntry(2))); err == nil {
		t.Error("a turn that was over was written")
	}
	if h, _ := ledgertest.Everything(t, frozen); h.Entry != 2 {
		t.Errorf("%d entries", h.Entry)
	}
}

// exchange puts a copy of the ledger's database, made before, in its place.
func exchange(t testing.TB, c *pgtest.Cluster, l policy.LedgerLocation) (back func()) {
	t.Helper()
	name := ledgertest.DatabaseOf(t, l)
	disconnect := fmt.Sprintf("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname LIKE '%s%%'", name)
	do(t, ledgertest.Superuser(c, "postgres", disconnect))
	do(t, ledgertest.Superuser(c, "postgres", fmt.Sprintf("CREATE DATABASE %s_copy TEMPLATE %[1]s OWNER tacit_ledger", name)))
	swap := func(from, to string) {
		t.Helper()
		do(t, ledgertest.Superuser(c, "postgres", disconnect))
		do(t, ledgertest.Superuser(c, "postgres", fmt.Sprintf("ALTER DATABASE %s RENAME TO %s", from, to)))
	}
	t.Cleanup(func() {
		do(t, ledgertest.Superuser(c, "postgres", fmt.Sprintf("DROP DATABASE IF EXISTS %s_copy WITH (FORCE)", name)))
	})
	return func() {
		swap(name, name+"_newest")
		swap(name+"_copy", name)
		swap(name+"_newest", name+"_copy")
	}
}

// A server that was set back is refused by who has seen the newer state, in this life or the last one, and taken again when it is back.
func TestPostgresRestoredServer(t *testing.T) {
	c, err := ledgertest.SharedCluster()
	do(t, err)
	l := ledgertest.NewPostgres(t)
	s := openTestStore(t, l)
	h, err := ledgertest.Begin(s, 0)
	do(t, err)
	do(t, s.Write(ledgertest.Link(h, ledgertest.ChargedEntry(1))))
	s.disconnect()
	swap := exchange(t, c, l)
	h, err = ledgertest.Begin(s, 0)
	do(t, err)
	do(t, s.Write(ledgertest.Link(h, ledgertest.ChargedEntry(2))))
	s.disconnect()

	swap()
	_, err = ledgertest.Begin(s, 0)
	wantProblem(t, err, "it is older than the ledger that was here before (at 2, and was at 3)")
	_, err = s.Query(context.Background(), store.HeadQuery)
	wantProblem(t, err, "it is older")
	next := openTestStore(t, l)
	wantProblem(t, next.Admit(journal.Witness{ID: s.known.Load().ID, Entry: 2}), "it is older")

	// Others have gone on in it, who could not know.
	stranger := openTestStore(t, policy.LedgerLocation{Postgres: l.Postgres, Guard: t.TempDir()})
	for operation := range byte(4) {
		h, err := ledgertest.Begin(stranger, 0)
		do(t, err)
		do(t, stranger.Write(ledgertest.Link(h, ledgertest.ChargedEntry(10+operation))))
	}
	_, err = ledgertest.Begin(s, 0)
	wantProblem(t, err, "it has another history")
	wantProblem(t, next.Admit(*stranger.known.Load()), "it has another history")
	for _, open := range []*Store{s, stranger, next} {
		open.disconnect()
	}

	swap()
	ledgertest.Everything(t, s)
	do(t, next.Admit(*s.known.Load()))
}

// The guard is that of the ledger, wherever its server is and however its address is written; who empties its database, or puts another
// ledger there, does not get a new budget.
func TestPostgresGuardKnowsTheLedger(t *testing.T) {
	c, err := ledgertest.SharedCluster()
	do(t, err)
	relay, err := c.NewRelay()
	do(t, err)
	defer relay.Close()
	l := ledgertest.NewPostgres(t)
	s := openTestStore(t, l)
	h, _ := ledgertest.Everything(t, s)
	do(t, s.Admit(*s.known.Load()))

	moved := openTestStore(t, ledgertest.Through(t, l, relay.Port))
	wantProblem(t, moved.Admit(journal.Witness{ID: s.known.Load().ID, Entry: 0, Hash: h.Hash}), "it is older")
	do(t, moved.Admit(*s.known.Load()))
	files, err := filepath.Glob(filepath.Join(l.Guard, "*"))
	if want := filepath.Join(l.Guard, ".tacit-"+s.id+".guard"); len(files) != 1 || files[0] != want || err != nil {
		t.Errorf("guards %q, error %v; want %q alone", files, err, want)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, error %v", info.Mode(), err)
	}

	other := ledgertest.NewPostgres(t)
	openTestStore(t, other)
	other.Guard = l.Guard
	wantProblem(t, openTestStore(t, other).Admit(journal.Witness{ID: strings.Repeat("0", 32), Entry: 1}), "it is not the ledger that was here before")

	do(t, ledgertest.Superuser(c, ledgertest.DatabaseOf(t, l), "DROP SCHEMA tacit_ledger CASCADE"))
	_, err = ledgertest.Begin(s, 0)
	wantProblem(t, err, "answers with an error")
	for _, location := range []policy.LedgerLocation{l, ledgertest.Through(t, l, relay.Port)} {
		_, err = Open(t.Context(), location)
		wantProblem(t, err, "its database is empty, although there was a ledger")
		_, err = OpenExisting(t.Context(), location)
		wantProblem(t, err, "its database is empty, although there was a ledger")
	}
}

// The triggers keep a hand at the psql prompt from changing anything, and their absence is reported.
func TestPostgresTriggers(t *testing.T) {
	c, err := ledgertest.SharedCluster()
	do(t, err)
	l := ledgertest.NewPostgres(t)
	s := openTestStore(t, l)
	h, err := ledgertest.Begin(s, 0)
	do(t, err)
	do(t, s.Write(ledgertest.Link(h, ledgertest.ChargedEntry(1))))
	for _, statement := range []string{
		"UPDATE entry SET epsilon = 0", "DELETE FROM entry", "TRUNCATE entry CASCADE",
		"UPDATE charge SET epsilon = 0", "DELETE FROM charge", "TRUNCATE charge CASCADE",
		"DELETE FROM release", "UPDATE release SET at = 1", "TRUNCATE release",
		"DELETE FROM audit_event", "UPDATE audit_event SET kind = 'x'", "TRUNCATE audit_event CASCADE",
		"DELETE FROM audit_answer", "UPDATE audit_answer SET at = 1", "TRUNCATE audit_answer",
		"UPDATE ledger SET created = 2", "DELETE FROM ledger", "TRUNCATE ledger",
		"DELETE FROM head", "TRUNCATE head", "UPDATE head SET entry = 1", "UPDATE head SET entry = entry + 1",
		"DELETE FROM proxy", "TRUNCATE proxy",
	} {
		err := ledgertest.Superuser(c, ledgertest.DatabaseOf(t, l), "SET search_path = tacit_ledger; "+statement)
		var refused *pgconn.PgError
		if !errors.As(err, &refused) || refused.Code != "23000" {
			t.Errorf("%s: %v", statement, err)
		}
	}
	do(t, ledgertest.Superuser(c, ledgertest.DatabaseOf(t, l), "DROP TRIGGER entry_stays ON tacit_ledger.entry"))
	ledgertest.Everything(t, s)
	if warnings := openTestStore(t, l).Warnings(); len(warnings) != 2 || !strings.Contains(warnings[1], "lacks triggers") {
		t.Errorf("warnings %q", warnings)
	}
}

// A full disk refuses charges, and lets them go on when there is room again.
func TestPostgresFullDisk(t *testing.T) {
	c := ledgertest.OwnCluster(t, pgtest.Options{DiskKiB: 128 << 10, Settings: map[string]string{"max_wal_size": "32MB", "min_wal_size": "2MB"}})
	s := openTestStore(t, ledgertest.NewLocation(t, c))
	do(t, c.FillDisk(64))
	var failed error
	written := int64(1)
	for range 200 {
		h, err := ledgertest.Begin(s, 1<<40)
		if err == nil {
			e := ledgertest.ChargedEntry(1)
			e.Statement = strings.Repeat("x", 2000)
			err = s.Write(ledgertest.Link(h, e))
		}
		if failed = err; err != nil {
			break
		}
		written++
	}
	if failed == nil {
		t.Fatal("200 entries were written on a full disk")
	}
	do(t, c.FreeDisk())
	if !c.Running() {
		do(t, c.Restart())
	}
	h, _ := ledgertest.Everything(t, s)
	if h.Entry < written || h.Entry > written+1 || h.Entry > written && !errors.Is(failed, store.ErrUncertain) {
		t.Errorf("%d entries of %d that were acknowledged; then %v", h.Entry, written, failed)
	}
	h, err := ledgertest.Begin(s, 1<<40)
	do(t, err)
	do(t, s.Write(ledgertest.Link(h, ledgertest.ChargedEntry(1))))
}
