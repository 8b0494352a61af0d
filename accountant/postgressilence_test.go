package accountant

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"tacit/internal/pgtest"
	"tacit/policy"
)

// relayed opens a ledger whose server can go away, and fall silent.
func relayed(t *testing.T) (*Ledger, *pgtest.Relay) {
	t.Helper()
	c, err := sharedCluster()
	do(t, err)
	relay, err := c.NewRelay()
	do(t, err)
	t.Cleanup(func() { do(t, relay.Close()) })
	l, err := Open(t.Context(), Options{Location: through(t, newPostgres(t), relay.Port), Role: Serve})
	do(t, err)
	t.Cleanup(func() { do(t, l.Close()) })
	return l, relay
}

// When the connections fall silent, and new ones would do, charges and reads go on within seconds, and what is at hand at once.
func TestPostgresSilence(t *testing.T) {
	l, relay := relayed(t)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	c := charge("ana", "warm", Loss{Epsilon: 1})
	record(t, l, reserve(t, l, c), []byte("answer"))
	_, _, err := l.Lookup(ctx, c.Items[0].Question, 0)
	do(t, err)
	relay.Stall()
	started := time.Now()
	charged := make(chan error, 1)
	go func() {
		_, err := l.Reserve(ctx, charge("bob", NewOperation().String(), Loss{Epsilon: 1}))
		charged <- err
	}()
	for range 20 {
		asked := time.Now()
		if _, ok, err := l.Lookup(ctx, c.Items[0].Question, 0); !ok || err != nil || time.Since(asked) > time.Second {
			t.Fatalf("the answer at hand is %v after %v, error %v", ok, time.Since(asked), err)
		}
		time.Sleep(50 * time.Millisecond)
	}
	if err := <-charged; err != nil || time.Since(started) > 20*time.Second {
		t.Errorf("charged after %v: %v", time.Since(started), err)
	}
	if err := l.Recent(ctx, "ana", func(Entry) bool { return true }); err != nil {
		t.Errorf("read: %v", err)
	}
}

// Whoever looks whether others have written keeps turns waiting: on a connection that has fallen silent he gives up before the patience of
// those who wait is over, and leaves time for the turn to fall silent, too.
func TestPostgresSilentFollower(t *testing.T) {
	if followPatience+turnPatience >= ledgerPatience {
		t.Errorf("%v and %v leave no time for another attempt within %v", followPatience, turnPatience, ledgerPatience)
	}
	l, relay := relayed(t)
	_, _, err := l.Lookup(t.Context(), question(patients, "warm"), 0) // on a connection that is kept
	do(t, err)
	relay.Stall()
	started := time.Now()
	l.behind(t.Context())
	if took := time.Since(started); took >= silencePatience {
		t.Errorf("others have waited for %v", took)
	}
}

// However many wait while the server is away, each waits about as long as the first, nobody longer than he wants to, and all can when it is back.
func TestPostgresOutageIsShared(t *testing.T) {
	l, relay := relayed(t)
	relay.SetAway(true)
	started := time.Now()
	var callers sync.WaitGroup
	for i := range 64 {
		callers.Go(func() {
			time.Sleep(time.Duration(i) * 20 * time.Millisecond)
			_, err := l.Reserve(t.Context(), charge("ana", NewOperation().String(), Loss{Epsilon: 1}))
			if waited := time.Since(started); !errors.Is(err, ErrUnavailable) || waited > ledgerPatience+6*time.Second {
				t.Errorf("after %v: %v", waited, err)
			}
		})
	}
	for range 8 {
		callers.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, err := l.Reserve(ctx, charge("bob", NewOperation().String(), Loss{Epsilon: 1}))
			if waited := time.Since(started); !errors.Is(err, context.DeadlineExceeded) || waited > 4*time.Second {
				t.Errorf("an impatient caller after %v: %v", waited, err)
			}
		})
	}
	callers.Wait()
	relay.SetAway(false)
	reserve(t, l, charge("ana", "back", Loss{Epsilon: 1}))
}

// A reader may think for as long as it wants to, which no turn may.
func TestPostgresReadersAreNotHurried(t *testing.T) {
	s := openTestStore(t, newPostgres(t))
	const query = `SELECT current_setting('idle_in_transaction_session_timeout')`
	snap, err := s.snapshot(t.Context())
	do(t, err)
	defer snap.close()
	if got, _, err := one(t.Context(), snap, scanText, query); got != "0" || err != nil {
		t.Errorf("a reader has %s, error %v", got, err)
	}
	var got string
	do(t, s.conn.QueryRow(t.Context(), query).Scan(&got))
	if got != "5s" {
		t.Errorf("a turn has %s", got)
	}
}

// Who has fallen far behind catches up outside of the turn, in which it reads a page at most.
func TestPostgresLaggard(t *testing.T) {
	c, err := sharedCluster()
	do(t, err)
	l, relay := relayed(t)
	direct := through(t, l.store.(*postgresStore).location, c.Port)
	relay.SetAway(true)
	s := openTestStore(t, direct)
	h, err := begin(s, 0)
	do(t, err)
	var written []*entryRow
	for range 3*scanPage + 100 {
		written = append(written, &entryRow{at: time.Now().UnixNano(), kind: kindRefused, analyst: "ana", operation: []byte{}, statement: "SELECT 1"})
	}
	do(t, s.write(link(h, written...)))
	found, err := s.lock(t.Context(), h.entry, 0)
	do(t, err)
	do(t, s.pass())
	if len(found.newer) != scanPage || !found.more {
		t.Errorf("%d entries were read within a turn, more: %v", len(found.newer), found.more)
	}
	relay.SetAway(false)
	reserve(t, l, charge("ana", "a", Loss{Epsilon: 1}))
	if got, want := l.position(), h.entry+int64(len(written))+1; got != want {
		t.Errorf("it is at %d, want %d", got, want)
	}
}

// What would weigh too much is read in pages, whatever the number of entries, with and without a turn.
func TestLargePayloads(t *testing.T) {
	for name, location := range map[string]policy.LedgerLocation{"sqlite": {SQLite: newPath(t)}, "postgres": newPostgres(t)} {
		l, err := Open(t.Context(), Options{Location: location})
		do(t, err)
		before := l.position()
		payload := []byte(strings.Repeat("x", 5<<20))
		for range 9 {
			record(t, l, reserve(t, l, charge("ana", NewOperation().String(), Loss{Epsilon: 1})), payload)
		}
		pages := 0
		for after := before; after < l.position(); pages++ {
			page, err := readEntries(t.Context(), l.store, after+1, after+scanPage)
			do(t, err)
			size := 0
			for _, e := range page {
				for _, r := range e.released {
					size += len(r.payload)
				}
			}
			if len(page) == 0 || size > payloadBytes+len(payload) {
				t.Fatalf("%s: a page has %d entries with %d bytes", name, len(page), size)
			}
			after = page[len(page)-1].id
		}
		if pages < 3 {
			t.Errorf("%s: %d pages", name, pages)
		}
		found, err := l.store.lock(t.Context(), before, 0)
		do(t, err)
		do(t, l.store.pass())
		if !found.more || len(found.newer) == 0 {
			t.Errorf("%s: a turn reads %d entries, more: %v", name, len(found.newer), found.more)
		}
		do(t, l.Check(t.Context()))
		do(t, l.Close())
	}
}
