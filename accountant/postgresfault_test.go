package accountant

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"tacit/internal/pgtest"
	"tacit/policy"
)

// wantProblem checks that an error is ErrUnavailable and says so much.
func wantProblem(t testing.TB, err error, text string) {
	t.Helper()
	if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), text) {
		t.Errorf("error %v, want one that says %q", err, text)
	}
}

// The server is killed with all its processes while turns are taken, again and again: what it had acknowledged is there, also where the
// server's own setting is to acknowledge before it has written.
func TestPostgresCrash(t *testing.T) {
	c := ownCluster(t, pgtest.Options{Settings: map[string]string{"synchronous_commit": "off", "wal_writer_delay": "10s"}})
	l := newLocation(t, c)
	stores := []*postgresStore{openTestStore(t, l), openTestStore(t, l)}
	for range 4 {
		var writers sync.WaitGroup
		acknowledged := make([]head, len(stores))
		for i, s := range stores {
			writers.Go(func() { acknowledged[i] = writeUntilCut(s) })
		}
		time.Sleep(time.Duration(50+rand.IntN(200)) * time.Millisecond)
		do(t, c.Crash())
		writers.Wait()
		do(t, c.Restart())
		_, entries := everything(t, stores[0])
		var previous digest
		for i, e := range entries {
			if e.id != int64(i+1) || newLinker().entry(previous, e) != e.hash {
				t.Fatalf("the chain is broken at entry %d", e.id)
			}
			previous = e.hash
		}
		for _, h := range acknowledged {
			if h.entry > int64(len(entries)) || h.entry > 0 && entries[h.entry-1].hash != h.hash {
				t.Errorf("entry %d was acknowledged; there are %d", h.entry, len(entries))
			}
		}
	}
}

// writeUntilCut takes turns until one fails, and returns the last head that was acknowledged.
func writeUntilCut(s *postgresStore) (acknowledged head) {
	for {
		h, err := begin(s, 1<<40)
		if err != nil {
			return acknowledged
		}
		b := link(h, chargedRow(9))
		if s.write(b) != nil {
			return acknowledged
		}
		acknowledged = b.head
	}
}

func TestPostgresServerIsAway(t *testing.T) {
	c, err := sharedCluster()
	do(t, err)
	relay, err := c.NewRelay()
	do(t, err)
	defer relay.Close()
	s := openTestStore(t, through(t, newPostgres(t), relay.Port))
	everything(t, s)
	relay.SetAway(true)
	for range 2 {
		_, err = begin(s, 1)
		wantProblem(t, err, "does not answer")
	}
	if _, err := s.query(context.Background(), headQuery); err == nil {
		t.Error("read from a server that is away")
	}
	relay.SetAway(false)
	everything(t, s)
	do(t, s.usable())
}

// A process that is stopped within its turn does not keep the others out for long, and finds its turn gone.
func TestPostgresFrozenTurn(t *testing.T) {
	l := newPostgres(t)
	frozen, other := openTestStore(t, l), openTestStore(t, l)
	h, err := begin(frozen, 0)
	do(t, err)
	started := time.Now()
	h2, err := begin(other, 0)
	do(t, err)
	if waited := time.Since(started); waited > 9*time.Second {
		t.Errorf("waited %v for a turn", waited)
	}
	do(t, other.write(link(h2, chargedRow(1))))
	if err := frozen.write(link(h, chargedRow(2))); err == nil {
		t.Error("a turn that was over was written")
	}
	if h, _ := everything(t, frozen); h.entry != 2 {
		t.Errorf("%d entries", h.entry)
	}
}

// exchange puts a copy of the ledger's database, made before, in its place.
func exchange(t testing.TB, c *pgtest.Cluster, l policy.LedgerLocation) (back func()) {
	t.Helper()
	name := databaseOf(t, l)
	disconnect := fmt.Sprintf("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname LIKE '%s%%'", name)
	do(t, superuser(c, "postgres", disconnect))
	do(t, superuser(c, "postgres", fmt.Sprintf("CREATE DATABASE %s_copy TEMPLATE %[1]s OWNER tacit_ledger", name)))
	swap := func(from, to string) {
		t.Helper()
		do(t, superuser(c, "postgres", disconnect))
		do(t, superuser(c, "postgres", fmt.Sprintf("ALTER DATABASE %s RENAME TO %s", from, to)))
	}
	t.Cleanup(func() {
		do(t, superuser(c, "postgres", fmt.Sprintf("DROP DATABASE IF EXISTS %s_copy WITH (FORCE)", name)))
	})
	return func() {
		swap(name, name+"_newest")
		swap(name+"_copy", name)
		swap(name+"_newest", name+"_copy")
	}
}

// A server that was set back is refused by who has seen the newer state, in this life or the last one, and taken again when it is back.
func TestPostgresRestoredServer(t *testing.T) {
	c, err := sharedCluster()
	do(t, err)
	l := newPostgres(t)
	s := openTestStore(t, l)
	h, err := begin(s, 0)
	do(t, err)
	do(t, s.write(link(h, chargedRow(1))))
	s.hangUp()
	swap := exchange(t, c, l)
	h, err = begin(s, 0)
	do(t, err)
	do(t, s.write(link(h, chargedRow(2))))
	s.hangUp()

	swap()
	_, err = begin(s, 0)
	wantProblem(t, err, "it is older than the ledger that was here before (at 2, and was at 3)")
	_, err = s.query(context.Background(), headQuery)
	wantProblem(t, err, "it is older")
	next := openTestStore(t, l)
	wantProblem(t, next.admit(mark{id: s.known.Load().id, entry: 2}), "it is older")

	// Others have gone on in it, who could not know.
	stranger := openTestStore(t, policy.LedgerLocation{Postgres: l.Postgres, Guard: t.TempDir()})
	for operation := range byte(4) {
		h, err := begin(stranger, 0)
		do(t, err)
		do(t, stranger.write(link(h, chargedRow(10+operation))))
	}
	_, err = begin(s, 0)
	wantProblem(t, err, "it has another history")
	wantProblem(t, next.admit(*stranger.known.Load()), "it has another history")
	for _, open := range []*postgresStore{s, stranger, next} {
		open.hangUp()
	}

	swap()
	everything(t, s)
	do(t, next.admit(*s.known.Load()))
}

// The guard is that of the ledger, wherever its server is and however its address is written; who empties its database, or puts another
// ledger there, does not get a new budget.
func TestPostgresGuardKnowsTheLedger(t *testing.T) {
	c, err := sharedCluster()
	do(t, err)
	relay, err := c.NewRelay()
	do(t, err)
	defer relay.Close()
	l := newPostgres(t)
	s := openTestStore(t, l)
	h, _ := everything(t, s)
	do(t, s.admit(*s.known.Load()))

	moved := openTestStore(t, through(t, l, relay.Port))
	wantProblem(t, moved.admit(mark{id: s.known.Load().id, entry: 0, hash: h.hash}), "it is older")
	do(t, moved.admit(*s.known.Load()))
	files, err := filepath.Glob(filepath.Join(l.Guard, "*"))
	if want := filepath.Join(l.Guard, ".tacit-"+s.id+".guard"); len(files) != 1 || files[0] != want || err != nil {
		t.Errorf("guards %q, error %v; want %q alone", files, err, want)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, error %v", info.Mode(), err)
	}

	other := newPostgres(t)
	openTestStore(t, other)
	other.Guard = l.Guard
	wantProblem(t, openTestStore(t, other).admit(mark{id: strings.Repeat("0", 32), entry: 1}), "it is not the ledger that was here before")

	do(t, superuser(c, databaseOf(t, l), "DROP SCHEMA tacit_ledger CASCADE"))
	_, err = begin(s, 0)
	wantProblem(t, err, "answers with an error")
	for _, location := range []policy.LedgerLocation{l, through(t, l, relay.Port)} {
		_, err = openPostgres(t.Context(), location)
		wantProblem(t, err, "its database is empty, although there was a ledger")
		_, err = openExistingPostgres(t.Context(), location)
		wantProblem(t, err, "its database is empty, although there was a ledger")
	}
}

// A machine that has never seen a ledger takes it as it is, and says what it took. Later it says nothing, nor does the one that made it.
func TestPostgresGuardThatIsNew(t *testing.T) {
	l := newPostgres(t)
	warnings := func(guard string) []string {
		t.Helper()
		opened, err := Open(t.Context(), Options{Location: policy.LedgerLocation{Postgres: l.Postgres, Guard: guard}})
		do(t, err)
		defer func() { do(t, opened.Close()) }()
		reserve(t, opened, charge("ana", NewOperation().String(), Loss{Epsilon: 1}))
		return slices.DeleteFunc(opened.Warnings(), func(w string) bool { return !strings.Contains(w, "no guard") })
	}
	if got := warnings(l.Guard); len(got) != 0 {
		t.Errorf("the first: %q", got)
	}
	r, err := OpenReadOnly(t.Context(), l)
	do(t, err)
	defer r.Close()
	v, err := r.Verify(t.Context(), nil)
	do(t, err)
	elsewhere := t.TempDir()
	if got := warnings(elsewhere); len(got) != 1 || !strings.Contains(got[0], v.Head.String()) {
		t.Errorf("a new guard: %q, and the head was %v", got, v.Head)
	}
	if got := warnings(elsewhere); len(got) != 0 {
		t.Errorf("a known ledger: %q", got)
	}
}

// The triggers keep a hand at the psql prompt from changing anything, and their absence is reported.
func TestPostgresTriggers(t *testing.T) {
	c, err := sharedCluster()
	do(t, err)
	l := newPostgres(t)
	s := openTestStore(t, l)
	h, err := begin(s, 0)
	do(t, err)
	do(t, s.write(link(h, chargedRow(1))))
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
		err := superuser(c, databaseOf(t, l), "SET search_path = tacit_ledger; "+statement)
		var refused *pgconn.PgError
		if !errors.As(err, &refused) || refused.Code != "23000" {
			t.Errorf("%s: %v", statement, err)
		}
	}
	do(t, superuser(c, databaseOf(t, l), "DROP TRIGGER entry_stays ON tacit_ledger.entry"))
	everything(t, s)
	if warnings := openTestStore(t, l).warnings(); len(warnings) != 2 || !strings.Contains(warnings[1], "lacks triggers") {
		t.Errorf("warnings %q", warnings)
	}
}

// A full disk refuses charges, and lets them go on when there is room again.
func TestPostgresFullDisk(t *testing.T) {
	c := ownCluster(t, pgtest.Options{DiskKiB: 128 << 10, Settings: map[string]string{"max_wal_size": "32MB", "min_wal_size": "2MB"}})
	s := openTestStore(t, newLocation(t, c))
	do(t, c.FillDisk(64))
	var failed error
	written := int64(1)
	for range 200 {
		h, err := begin(s, 1<<40)
		if err == nil {
			e := chargedRow(1)
			e.statement = strings.Repeat("x", 2000)
			err = s.write(link(h, e))
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
	h, _ := everything(t, s)
	if h.entry < written || h.entry > written+1 || h.entry > written && !errors.Is(failed, errUncertain) {
		t.Errorf("%d entries of %d that were acknowledged; then %v", h.entry, written, failed)
	}
	h, err := begin(s, 1<<40)
	do(t, err)
	do(t, s.write(link(h, chargedRow(1))))
}
