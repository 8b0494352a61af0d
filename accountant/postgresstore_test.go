package accountant

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/internal/pgtest"
	"tacit/policy"
)

// openStore opens a store at a location, without a ledger on top of it.
func openTestStore(t testing.TB, l policy.LedgerLocation) *postgresStore {
	t.Helper()
	s, err := openPostgres(t.Context(), l)
	do(t, err)
	t.Cleanup(func() { s.close() })
	return s
}

// link chains entries behind a head.
func link(after head, entries ...*entryRow) *batch {
	for _, e := range entries {
		after.entry++
		e.id = after.entry
		for i := range e.charged {
			e.charged[i].id, e.charged[i].entry = 10*e.id+int64(i), e.id
		}
		for i := range e.released {
			e.released[i].id, e.released[i].entry = 10*e.id+int64(i), e.id
		}
		e.hash = newLinker().entry(after.hash, e)
		after.hash = e.hash
	}
	return &batch{entries: entries, head: after}
}

// charged is an entry with a charge whose every column is filled.
func chargedRow(operation byte) *entryRow {
	return &entryRow{
		at: 5, kind: kindCharged, operation: []byte(fmt.Sprintf("operation %06d", operation)), analyst: "ève", schema: "pub lic", name: `it's`,
		epoch: 1, statement: "SELECT 'é'", adjacency: "add-remove", epsilon: 7, delta: 8, releases: 1, body: `{"a":1}`,
		charged: []chargeRow{
			{questionKey: digest{1, 2, 3}, question: "q\n", mechanism: "geometric", term: "t", blocks: `["a"]`, shape: "s", epsilon: 3, delta: 4, releases: 1},
			{questionKey: digest{4}, question: "", epsilon: 4, delta: 4},
		},
	}
}

// begin begins a turn, and returns the head that it found.
func begin(s *postgresStore, after int64) (head, error) {
	found, err := s.lock(context.Background(), after, 0)
	if err != nil {
		return head{}, err
	}
	return found.head, nil
}

func everything(t testing.TB, s *postgresStore) (h head, entries []*entryRow) {
	t.Helper()
	for {
		found, err := s.lock(t.Context(), int64(len(entries)), 0)
		do(t, err)
		do(t, s.pass())
		entries = append(entries, found.newer...)
		if !found.more {
			return found.head, entries
		}
	}
}

var rowFields = cmp.AllowUnexported(entryRow{}, chargeRow{}, releaseRow{}, eventRow{}, answerRow{}, head{})

// What a turn has written, the next one reads, whoever takes it, and every column is what it was.
func TestPostgresTurns(t *testing.T) {
	l := newPostgres(t)
	first := openTestStore(t, l)
	second := openTestStore(t, l)
	var want []*entryRow
	for turn := range byte(4) {
		s := []*postgresStore{first, second}[turn%2]
		found, err := s.lock(t.Context(), int64(len(want)), 1)
		do(t, err)
		want = append(want, found.newer...)
		h := found.head
		if found.witness != want[0].hash {
			t.Errorf("the hash of entry 1 is %v", found.witness)
		}
		e := chargedRow(turn)
		recorded := &entryRow{
			kind: kindRecorded, operation: []byte{}, refers: h.entry + 1,
			released: []releaseRow{{charge: 10 * (h.entry + 1), at: 9, payload: []byte{0, 255}}, {charge: 10*(h.entry+1) + 1, payload: []byte{}}},
		}
		b := link(h, e, recorded)
		do(t, s.write(b))
		want = append(want, b.entries...)
	}
	for _, s := range []*postgresStore{first, second} {
		h, got := everything(t, s)
		if diff := cmp.Diff(want, got, rowFields); diff != "" || len(got) != 9 {
			t.Errorf("-want +got:\n%s", diff)
		}
		if h.hash != got[len(got)-1].hash {
			t.Error("the head is not the last entry")
		}
	}
}

// Turns exclude one another.
func TestPostgresTurnsExclude(t *testing.T) {
	l := newPostgres(t)
	stores := []*postgresStore{openTestStore(t, l), openTestStore(t, l), openTestStore(t, l)}
	const turns = 30
	failed := make(chan error, len(stores))
	for _, s := range stores {
		go func() {
			var err error
			for range turns {
				var h head
				if h, err = begin(s, 0); err != nil {
					break
				}
				if err = s.write(link(h, chargedRow(1))); err != nil {
					break
				}
			}
			failed <- err
		}()
	}
	for range stores {
		do(t, <-failed)
	}
	if h, _ := everything(t, stores[0]); h.entry != 1+turns*int64(len(stores)) {
		t.Errorf("%d entries", h.entry)
	}
}

// Wherever a connection breaks within a turn, the next turn finds it done or not done, and as the error said.
func TestPostgresLostReplies(t *testing.T) {
	c, err := sharedCluster()
	do(t, err)
	relay, err := c.NewRelay()
	do(t, err)
	defer relay.Close()
	s := openTestStore(t, through(t, newPostgres(t), relay.Port))
	turn := func(after head, cut pgtest.Cut) (pgtest.Traffic, error) {
		s.hangUp()
		relay.Next(cut)
		start := relay.Heard()
		err := func() error {
			h, err := begin(s, after.entry)
			if err != nil {
				return err
			}
			return s.write(link(h, chargedRow(3)))
		}()
		stop := relay.Heard()
		return pgtest.Traffic{ToServer: stop.ToServer - start.ToServer, ToClient: stop.ToClient - start.ToClient}, err
	}
	before, _ := everything(t, s)
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
	for _, cut := range cuts {
		before, _ := everything(t, s)
		_, err := turn(before, cut)
		after, _ := everything(t, s)
		switch written := after.entry - before.entry; {
		case written != 0 && written != 1:
			t.Fatalf("%+v: %d entries", cut, written)
		case err == nil && written == 0, err != nil && !errors.Is(err, errUncertain) && written == 1:
			t.Fatalf("%+v: %d entries were written, and the error was %v", cut, written, err)
		case errors.Is(err, errUncertain) && written == 1:
			lost++
		case written == 1:
			done++
		}
	}
	if lost < 5 {
		t.Errorf("only %d replies were lost of what was done (%d done and said so, %d cuts)", lost, done, len(cuts))
	}
}

func TestPostgresIsCreatedOnce(t *testing.T) {
	l := newPostgres(t)
	const processes = 6
	failed := make(chan error, processes)
	for range processes {
		go func() {
			s, err := openPostgres(context.Background(), l)
			if err == nil {
				err = s.close()
			}
			failed <- err
		}()
	}
	for range processes {
		do(t, <-failed)
	}
	s := openTestStore(t, l)
	if version, err := s.identify(context.Background()); version != schemaVersion || err != nil {
		t.Errorf("version %d, error %v", version, err)
	}
	if h, entries := everything(t, s); h.entry != 1 || len(entries) != 1 {
		t.Errorf("%d entries", len(entries))
	}
	if warnings := s.warnings(); len(warnings) != 1 || !strings.Contains(warnings[0], "full_page_writes") { // which tests do without
		t.Errorf("warnings %q", warnings)
	}
}
