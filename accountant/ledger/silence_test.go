package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/ledgertest"
	"tacit/accountant/ledger/postgres"
	"tacit/accountant/ledger/store"
	"tacit/internal/pgtest"
	"tacit/policy"
)

// An observedStore counts attempts at turns, and keeps how long the last query might take.
type observedStore struct {
	store.Store
	attempts atomic.Int64
	left     atomic.Int64 // a duration; 0 for ever
}

func (s *observedStore) Lock(ctx context.Context, after, witness int64) (*store.Locked, error) {
	s.attempts.Add(1)
	return s.Store.Lock(ctx, after, witness)
}

func (s *observedStore) Query(ctx context.Context, query string, args ...any) (store.Rows, error) {
	s.left.Store(0)
	if deadline, ok := ctx.Deadline(); ok {
		s.left.Store(int64(time.Until(deadline)))
	}
	return s.Store.Query(ctx, query, args...)
}

// relayed opens a ledger whose server can go away, and fall silent.
func relayed(t *testing.T) (*Ledger, *observedStore, *pgtest.Relay) {
	t.Helper()
	c, err := ledgertest.SharedCluster()
	do(t, err)
	relay, err := c.NewRelay()
	do(t, err)
	t.Cleanup(func() { do(t, relay.Close()) })
	o := Options{Location: ledgertest.Through(t, ledgertest.NewPostgres(t), relay.Port), Role: Serve}
	made, err := openStore(t.Context(), o)
	do(t, err)
	s := &observedStore{Store: made}
	l, err := newLedger(t.Context(), s, o)
	do(t, err)
	t.Cleanup(func() { do(t, l.Close()) })
	return l, s, relay
}

// When the connections fall silent, and new ones would do, charges and reads go on within seconds, and what is at hand at once.
func TestPostgresSilence(t *testing.T) {
	t.Parallel()
	l, _, relay := relayed(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := charge("ana", "warm", accountant.Loss{Epsilon: 1})
	record(t, l, reserve(t, l, c), []byte("answer"))
	_, _, err := l.Lookup(ctx, c.Items[0].Question, 0)
	do(t, err)
	gone, leave := context.WithCancel(ctx)
	leave()
	relay.Stall()
	charged := make(chan error, 1)
	go func() {
		_, err := l.Reserve(ctx, charge("bob", accountant.NewOperation().String(), accountant.Loss{Epsilon: 1}))
		charged <- err
	}()
	lookups := 0
	for waiting := true; waiting; time.Sleep(5 * time.Millisecond) {
		select {
		case err := <-charged:
			do(t, err)
			waiting = false
		default:
			// Nothing is asked of the server on behalf of who has gone.
			if _, ok, err := l.Lookup(gone, c.Items[0].Question, 0); !ok || err != nil {
				t.Fatalf("the answer at hand is %v, error %v", ok, err)
			}
			lookups++
		}
	}
	if lookups < 5 {
		t.Errorf("the answer at hand was told %d times while a charge waited", lookups)
	}
	if err := l.Recent(ctx, "ana", func(Entry) bool { return true }); err != nil {
		t.Errorf("read: %v", err)
	}
}

// Whoever looks whether others have written keeps group commits waiting: on a connection that has fallen silent it gives up before the
// patience of those who wait is over, and leaves time for the commit to fall silent, too.
func TestPostgresSilentFollower(t *testing.T) {
	l, _, relay := relayed(t)
	if patience := l.store.Patience(); followPatience+postgres.ExchangePatience >= patience {
		t.Errorf("%v and %v leave no time for another attempt within %v", followPatience, postgres.ExchangePatience, patience)
	}
	_, _, err := l.Lookup(t.Context(), question(patients, "warm"), 0) // on a connection that is kept
	do(t, err)
	relay.Stall()
	s := &observedStore{Store: l.store}
	(&Ledger{store: s}).behind(t.Context())
	if left := time.Duration(s.left.Load()); left <= 0 || left > followPatience || left >= postgres.SilencePatience {
		t.Errorf("others may wait for %v", left)
	}
}

// A server that is silent for longer than any patience, on new connections too, refuses charges meanwhile, and keeps nobody waiting without a word. Afterwards all
// goes on, and a question that was refused is charged once.
func TestPostgresLongSilence(t *testing.T) {
	t.Parallel()
	silence := readPatience + 5*time.Second
	if testing.Short() {
		silence = 12 * time.Second // the patience of one charge
	}
	l, _, relay := relayed(t)
	ctx := t.Context()
	known := charge("ana", "known", accountant.Loss{Epsilon: 1})
	record(t, l, reserve(t, l, known), []byte("answer"))
	relay.Next(slices.Repeat([]pgtest.Cut{{ToServer: 1, Silent: true}}, 1000)...)
	relay.Stall()
	c := charge("ana", "asked again and again", accountant.Loss{Epsilon: 2})
	c.Operation = accountant.NewOperation()
	refused := 0
	for began := time.Now(); time.Since(began) < silence; refused++ {
		if _, err := l.Reserve(ctx, c); !errors.Is(err, accountant.ErrUnavailable) {
			t.Fatalf("charged in silence: error %v", err)
		}
		if _, ok, err := l.Lookup(ctx, known.Items[0].Question, 0); !ok || err != nil {
			t.Errorf("the answer at hand is %v, error %v", ok, err)
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
	relay.Next()
	relay.CutAll()
	record(t, l, reserve(t, l, c), []byte("at last"))
	if got := balance(t, l, patients, "ana")[0]; got != (accountant.Loss{Epsilon: 3}) {
		t.Errorf("the balance is %v", got)
	}
	verified(t, l.Reader)
}

// However many wait while the server is away, each waits about as long as the first, nobody longer than he wants to, and all can when it is back.
func TestPostgresOutageIsShared(t *testing.T) {
	t.Parallel()
	l, s, relay := relayed(t)
	relay.SetAway(true)
	var callers sync.WaitGroup
	var told atomic.Int64
	for i := range 64 {
		callers.Go(func() {
			time.Sleep(time.Duration(i) * 20 * time.Millisecond)
			_, err := l.Reserve(t.Context(), charge("ana", accountant.NewOperation().String(), accountant.Loss{Epsilon: 1}))
			told.Add(1)
			if !errors.Is(err, accountant.ErrUnavailable) {
				t.Errorf("a patient caller: %v", err)
			}
		})
	}
	for range 8 {
		callers.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, err := l.Reserve(ctx, charge("bob", accountant.NewOperation().String(), accountant.Loss{Epsilon: 1}))
			if n := told.Load(); !errors.Is(err, context.DeadlineExceeded) || n > 0 {
				t.Errorf("an impatient caller, after %d patient ones: %v", n, err)
			}
		})
	}
	callers.Wait()
	// Each who waited alone would see as many as there are pauses in the patience.
	if n, most := s.attempts.Load(), int64(3*l.store.Patience()/retryPause); n > most {
		t.Errorf("%d attempts, want %d at most", n, most)
	}
	relay.SetAway(false)
	reserve(t, l, charge("ana", "back", accountant.Loss{Epsilon: 1}))
}

// Who has fallen far behind catches up outside of the turn, in which it reads a page at most.
func TestPostgresLaggard(t *testing.T) {
	c, err := ledgertest.SharedCluster()
	do(t, err)
	relay, err := c.NewRelay()
	do(t, err)
	defer relay.Close()
	direct := ledgertest.NewPostgres(t)
	l, err := Open(t.Context(), Options{Location: ledgertest.Through(t, direct, relay.Port), Role: Serve})
	do(t, err)
	defer l.Close()
	relay.SetAway(true)
	s, err := postgres.Open(t.Context(), direct)
	do(t, err)
	defer s.Close()
	h, err := ledgertest.Begin(s, 0)
	do(t, err)
	var written []*journal.Entry
	for range 3*store.ScanPage + 100 {
		written = append(written, &journal.Entry{At: time.Now().UnixNano(), Kind: journal.KindRefused, Analyst: "ana", Operation: []byte{}, Statement: "SELECT 1", Body: (&Event{}).body(journal.FormatVersion)})
	}
	do(t, s.Write(ledgertest.Link(h, written...)))
	found, err := s.Lock(t.Context(), h.Entry, 0)
	do(t, err)
	do(t, s.Rollback())
	if len(found.Newer) != store.ScanPage || !found.More {
		t.Errorf("%d entries were read within a turn, more: %v", len(found.Newer), found.More)
	}
	relay.SetAway(false)
	reserve(t, l, charge("ana", "a", accountant.Loss{Epsilon: 1}))
	if got, want := l.position(), h.Entry+int64(len(written))+1; got != want {
		t.Errorf("it is at %d, want %d", got, want)
	}
}

// A machine that has never seen a ledger takes it as it is, and says what it took. Later it says nothing, nor does the one that made it.
func TestPostgresGuardThatIsNew(t *testing.T) {
	l := ledgertest.NewPostgres(t)
	warnings := func(guard string) []string {
		t.Helper()
		opened, err := Open(t.Context(), Options{Location: policy.LedgerLocation{Postgres: l.Postgres, Guard: guard}})
		do(t, err)
		defer func() { do(t, opened.Close()) }()
		reserve(t, opened, charge("ana", accountant.NewOperation().String(), accountant.Loss{Epsilon: 1}))
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

// What would weigh too much is read in pages, whatever the number of entries, with and without a turn.
func TestLargePayloads(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	for name, location := range map[string]policy.LedgerLocation{"sqlite": {SQLite: newPath(t)}, "postgres": ledgertest.NewPostgres(t)} {
		l, err := Open(t.Context(), Options{Location: location})
		do(t, err)
		before := l.position()
		payload := []byte(strings.Repeat("x", 5<<20))
		for range 9 {
			record(t, l, reserve(t, l, charge("ana", accountant.NewOperation().String(), accountant.Loss{Epsilon: 1})), payload)
		}
		pages := 0
		for after := before; after < l.position(); pages++ {
			page, err := store.ReadEntries(t.Context(), l.store, after+1, after+store.ScanPage)
			do(t, err)
			size := 0
			for _, e := range page {
				for _, r := range e.Released {
					size += len(r.Payload)
				}
			}
			if len(page) == 0 || size > 16<<20+len(payload) {
				t.Fatalf("%s: a page has %d entries with %d bytes", name, len(page), size)
			}
			after = page[len(page)-1].ID
		}
		if pages < 3 {
			t.Errorf("%s: %d pages", name, pages)
		}
		found, err := l.store.Lock(t.Context(), before, 0)
		do(t, err)
		do(t, l.store.Rollback())
		if !found.More || len(found.Newer) == 0 {
			t.Errorf("%s: a turn reads %d entries, more: %v", name, len(found.Newer), found.More)
		}
		do(t, l.Check(t.Context()))
		do(t, l.Close())
	}
}

// A ledger's server that falls silent while a ledger is opened, or read, does not keep whoever waits for it for ever: at any reply of either
// connection.
func TestPostgresSilentOpening(t *testing.T) {
	c, err := ledgertest.SharedCluster()
	do(t, err)
	location := ledgertest.NewPostgres(t)
	first, err := Open(t.Context(), Options{Location: location, Role: Serve})
	do(t, err)
	do(t, first.Close())
	for connection := range 2 { // the one that writes is made first
		for _, after := range []int64{300, 600, 900, 1200} {
			t.Run(fmt.Sprintf("connection %d after %d bytes", connection+1, after), func(t *testing.T) {
				t.Parallel()
				relay, err := c.NewRelay()
				do(t, err)
				defer relay.Close()
				cuts := make([]pgtest.Cut, connection+1)
				cuts[connection] = pgtest.Cut{ToClient: after, Silent: true}
				relay.Next(cuts...)
				l, err := Open(t.Context(), Options{Location: ledgertest.Through(t, location, relay.Port), Role: Serve})
				switch {
				case err == nil:
					l.Close()
				case !errors.Is(err, accountant.ErrUnavailable):
					t.Errorf("%v", err)
				}
			})
		}
	}
}
