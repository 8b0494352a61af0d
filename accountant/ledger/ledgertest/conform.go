package ledgertest

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tacit/accountant/journal"
	"tacit/accountant/ledger/store"
)

// Conform checks what every store promises its ledger. Open opens the same ledger anew, which begins empty; the stores are closed by the test.
func Conform(t *testing.T, open func(testing.TB) store.Store) {
	t.Run("what was written is read", func(t *testing.T) { conformReads(t, []store.Store{open(t), open(t)}) })
	t.Run("notes are thinned", func(t *testing.T) { conformThins(t, []store.Store{open(t), open(t)}) })
	t.Run("rows go ahead", func(t *testing.T) { conformAhead(t, []store.Store{open(t), open(t)}) })
	t.Run("writers exclude one another", func(t *testing.T) { conformExclusion(t, []store.Store{open(t), open(t), open(t)}) })
}

// conformReads: what one store has written, the next one reads, whoever locks, and every column is what it was.
func conformReads(t *testing.T, stores []store.Store) {
	var want []*journal.Entry
	for n := range byte(4) {
		s := stores[n%2]
		found, err := s.Lock(t.Context(), int64(len(want)), 0)
		mustSucceed(t, err)
		want = append(want, found.Newer...)
		h := found.Head
		recorded := &journal.Entry{
			Kind: journal.KindRecorded, Operation: []byte{}, Refers: h.Entry + 1,
			Released: []journal.Release{{Charge: 10 * (h.Entry + 1), At: 9, Payload: []byte{0, 255}}, {Charge: 10*(h.Entry+1) + 1, Payload: []byte{}}},
		}
		b := Link(h, ChargedEntry(n), recorded)
		mustSucceed(t, s.Write(b))
		want = append(want, b.Entries...)
	}
	for _, s := range stores {
		h, got := Everything(t, s)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || len(got) != 9 {
			t.Errorf("-want +got:\n%s", diff)
		}
		if h.Hash != got[len(got)-1].Hash {
			t.Error("the head is not the last entry")
		}
	}
}

// conformThins: of a note is left what the batch says, together with the batch's entries or not at all. What is no note, or was thinned before, stays, and writing
// goes on.
func conformThins(t *testing.T, stores []store.Store) {
	first, second := stores[0], stores[1]
	_, before := Everything(t, first)
	write := func(s store.Store, thinned []*journal.Entry, entries ...*journal.Entry) error {
		h, err := Begin(s, 1<<40)
		mustSucceed(t, err)
		b := Link(h, entries...)
		b.Thinned = thinned
		return s.Write(b)
	}
	mustSucceed(t, write(first, nil, note("one"), note("two")))
	_, all := Everything(t, second)
	one, ok := journal.NewLinker().Thin(all[len(all)-2])
	if !ok || len(all) != len(before)+2 {
		t.Fatalf("of %d entries the last but one is no note", len(all))
	}
	none := *one
	none.ID = 1 << 30
	charge := *one
	charge.ID = before[1].ID
	for what, wrong := range map[string]*journal.Entry{"that is not there": &none, "that is a charge": &charge} {
		if err := write(first, []*journal.Entry{one, wrong}, ChargedEntry(1)); err == nil {
			t.Errorf("an entry was thinned %s", what)
		}
	}
	if _, same := Everything(t, second); !cmp.Equal(all, same, cmpopts.EquateEmpty()) {
		t.Errorf("something was written:\n%s", cmp.Diff(all, same, cmpopts.EquateEmpty()))
	}
	mustSucceed(t, write(second, []*journal.Entry{one}, note("three")))
	if err := write(first, []*journal.Entry{one}, ChargedEntry(1)); err == nil {
		t.Error("a note was thinned twice")
	}
	mustSucceed(t, write(first, nil, ChargedEntry(2)))
	_, now := Everything(t, first)
	all[len(all)-2] = one
	if diff := cmp.Diff(all, now[:len(all)], cmpopts.EquateEmpty()); diff != "" || len(now) != len(all)+2 {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// conformAhead: rows that went ahead are written once and with the rest of their batch, or not at all, and writing goes on.
func conformAhead(t *testing.T, stores []store.Store) {
	s, other := stores[0], stores[1]
	begin := func(entries ...*journal.Entry) *journal.Batch {
		h, err := Begin(s, 1<<40)
		mustSucceed(t, err)
		b := Link(h, entries...)
		s.Ahead(&journal.Batch{})
		for n := range entries[1:] {
			s.Ahead(&journal.Batch{Entries: b.Entries[:n+1]})
		}
		return b
	}
	mustSucceed(t, s.Write(begin(note("gone"), ChargedEntry(1), ChargedEntry(2), ChargedEntry(3))))
	_, before := Everything(t, other)
	begin(ChargedEntry(4), ChargedEntry(5))
	mustSucceed(t, s.Rollback())
	wrong := ChargedEntry(6)
	wrong.Epsilon = -1
	if err := s.Write(begin(wrong, ChargedEntry(7))); !errors.Is(err, store.ErrRows) {
		t.Errorf("a row that is refused: %v", err)
	}
	if _, now := Everything(t, other); !cmp.Equal(before, now, cmpopts.EquateEmpty()) {
		t.Errorf("something was written:\n%s", cmp.Diff(before, now, cmpopts.EquateEmpty()))
	}
	b := begin(ChargedEntry(8), ChargedEntry(9))
	thinned, _ := journal.NewLinker().Thin(before[len(before)-4])
	b.Thinned = []*journal.Entry{thinned}
	mustSucceed(t, s.Write(b))
	before[len(before)-4] = thinned
	before = append(before, b.Entries...)
	mustSucceed(t, s.Write(begin(ChargedEntry(10))))
	if _, now := Everything(t, other); !cmp.Equal(before, now[:len(before)], cmpopts.EquateEmpty()) || len(now) != len(before)+1 {
		t.Errorf("-want +got:\n%s", cmp.Diff(before, now, cmpopts.EquateEmpty()))
	}
}

// note is an entry of a statement that was refused.
func note(statement string) *journal.Entry {
	return &journal.Entry{
		At: 5, Kind: journal.KindRefused, Operation: []byte{}, Analyst: "ève", Schema: "pub lic", Name: `it's`, Epoch: 1, Statement: statement, Sqlstate: "42501", Refers: 1,
		Body: journal.Marshal(journal.NoteBody{Salt: []byte("0123456789abcdef"), Reason: "no"}),
	}
}

// conformExclusion: each finds the head that the one before has left.
func conformExclusion(t *testing.T, stores []store.Store) {
	before, _ := Everything(t, stores[0])
	const times = 30
	failed := make(chan error, len(stores))
	for _, s := range stores {
		go func() {
			var err error
			for range times {
				var h journal.Head
				if h, err = Begin(s, 1<<40); err != nil {
					break
				}
				if err = s.Write(Link(h, ChargedEntry(1))); err != nil {
					break
				}
			}
			failed <- err
		}()
	}
	for range stores {
		mustSucceed(t, <-failed)
	}
	if h, _ := Everything(t, stores[0]); h.Entry != before.Entry+times*int64(len(stores)) {
		t.Errorf("%d entries", h.Entry)
	}
}
