package ledger

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/store"
	"tacit/policy"
)

// noteNow notes what cost nothing, and waits until it is written.
func noteNow(t testing.TB, l *Ledger, events ...Event) {
	t.Helper()
	var logged []loggedEvent
	for _, e := range events {
		logged = append(logged, loggedEvent{l.now().UnixNano(), e})
	}
	do(t, l.appendEvents(logged))
}

// thin drops what notes say, and says how many these were.
func thin(t testing.TB, l *Ledger, keep policy.Keep) Thinning {
	t.Helper()
	done, err := l.Thin(context.Background(), keep)
	do(t, err)
	return done
}

// refusal is a statement that was refused.
func refusal(n int) Event {
	return Event{Analyst: "eve", Table: patients, Verdict: Refused, SQL: fmt.Sprintf("SELECT secret_%d", n), SQLState: "42501", Reason: "no"}
}

// statementsOf are the statements that a ledger shows.
func statementsOf(t testing.TB, r *Reader) (all []string) {
	t.Helper()
	entries, err := r.Log(context.Background(), LogFilter{Statements: true})
	do(t, err)
	for _, e := range entries {
		all = append(all, e.SQL)
	}
	slices.Reverse(all)
	return all
}

// Where notes are too old and too many, an entry says of the former that they are older, and another one of the rest that there were too many.
func TestThinForTwoReasons(t *testing.T) {
	onBackEnds(t, func(t *testing.T, location policy.LedgerLocation) {
		ctx := context.Background()
		l := openAt(t, location)
		now := time.Date(2036, 1, 1, 0, 0, 0, 0, time.UTC)
		l.setClock(func() time.Time { return now })
		for n := range 5 {
			noteNow(t, l, refusal(n))
		}
		now = now.Add(48 * time.Hour)
		for n := range 10 {
			noteNow(t, l, refusal(n))
		}
		keep := policy.Keep{For: 24 * time.Hour, Notes: 4}
		due, err := l.Due(ctx, keep)
		do(t, err)
		if done := thin(t, l, keep); done != due || done.Refused != 11 || !done.Before.IsZero() {
			t.Errorf("%+v was dropped, and %+v was due", done, due)
		}
		thinnings, err := l.Log(ctx, LogFilter{Verdict: Thinned})
		do(t, err)
		if len(thinnings) != 2 || thinnings[1].Thinning.Refused != 5 || !thinnings[1].Thinning.Before.Equal(now.Add(-keep.For)) ||
			thinnings[0].Thinning.Refused != 6 || !thinnings[0].Thinning.Before.IsZero() {
			t.Errorf("the log says that %+v was dropped", thinnings)
		}
		do(t, l.Check(ctx))
	})
}

// What notes say is dropped by age and by number, oldest first. Charges, answers and acts stay, and the ledger verifies, opens, and answers as before. What was dropped
// is in no table any more, and in no list of statements.
func TestThin(t *testing.T) {
	onBackEnds(t, func(t *testing.T, location policy.LedgerLocation) {
		ctx := context.Background()
		l := openAt(t, location)
		now := time.Date(2036, 1, 1, 0, 0, 0, 0, time.UTC)
		l.setClock(func() time.Time { return now })
		first := charge("ana", "first", accountant.Loss{Epsilon: 1e8})
		record(t, l, reserve(t, l, first), []byte("kept"))
		for n := range 6 {
			noteNow(t, l, refusal(n), Event{Analyst: "ana", Table: patients, Verdict: Replayed, SQL: fmt.Sprintf("SELECT again_%d", n), Answered: 3},
				Event{Analyst: "ana", Table: patients, Verdict: Derived, SQL: fmt.Sprintf("SELECT derived_%d", n), Releases: []int64{1}})
			now = now.Add(24 * time.Hour)
		}
		_, err := l.Grant(ctx, Grant{Table: patients, Budget: policy.Budget{Epsilon: 1}, By: "root", Reason: "because"})
		do(t, err)
		before := balance(t, l, patients, "ana")[0]
		heads := headsOf(t, l.Reader)

		if done := thin(t, l, policy.Keep{}); done != (Thinning{}) {
			t.Errorf("with nothing that bounds them, %+v was dropped", done)
		}
		old := policy.Keep{For: 4*24*time.Hour + time.Hour} // the notes of the first day and of the second
		due, err := l.Due(ctx, old)
		do(t, err)
		done := thin(t, l, old)
		want := Thinning{Through: 9, Before: now.Add(-old.For), Replayed: 2, Derived: 2, Refused: 2}
		if diff := cmp.Diff(want, done); diff != "" {
			t.Errorf("by age -want +got:\n%s", diff)
		}
		if diff := cmp.Diff(due, done); diff != "" {
			t.Errorf("-due +done:\n%s", diff)
		}
		if done := thin(t, l, policy.Keep{Notes: 10}); done.Sum() != 2 || done.Through != 11 || !done.Before.IsZero() {
			t.Errorf("by number %+v was dropped", done)
		}
		if done := thin(t, l, policy.Keep{For: old.For, Notes: 10}); done != (Thinning{}) {
			t.Errorf("what was dropped is dropped again: %+v", done)
		}
		if l.state.Notes != (journal.Notes{Kept: 10, Dropped: 8, Through: 11}) {
			t.Errorf("the state has %+v", l.state.Notes)
		}
		if diff := cmp.Diff(heads, headsOf(t, l.Reader)[:len(heads)]); diff != "" {
			t.Errorf("hashes have changed:\n%s", diff)
		}
		if balance(t, l, patients, "ana")[0] != before {
			t.Error("a balance has changed")
		}
		if all := statementsOf(t, l.Reader); len(all) != 11 || all[0] != "SELECT first" || all[1] != "SELECT derived_2" {
			t.Errorf("the log has %q", all)
		}
		thinnings, err := l.Log(ctx, LogFilter{Verdict: Thinned})
		if err != nil || len(thinnings) != 2 || thinnings[1].Thinning != want || thinnings[1].Analyst != "" {
			t.Errorf("the log says that %+v was dropped, %v", thinnings, err)
		}
		nothingLeft(t, l.store, "secret_0", "secret_1", "again_0", "again_1", "derived_0", "again_2")
		writeCheckpoint(t, l)
		closeLedger(t, l)

		l = openAt(t, location)
		verified(t, l.Reader)
		if release, ok, err := l.Lookup(ctx, question(patients, "first"), 0); err != nil || !ok || string(release.Payload) != "kept" {
			t.Errorf("the answer is %v, %v, %v", release, ok, err)
		}
		if l.state.Notes != (journal.Notes{Kept: 10, Dropped: 8, Through: 11}) {
			t.Errorf("loaded, the state has %+v", l.state.Notes)
		}
		lines, head := exported(t, l.Reader)
		v, err := verifyLines(lines, &head)
		do(t, err)
		if len(v.Problems) > 0 || v.Dropped != 8 {
			t.Errorf("the archive: %+v", v)
		}
		closeLedger(t, l)
	})
}

// headsOf are the hashes of all entries.
func headsOf(t testing.TB, r *Reader) []journal.Digest {
	t.Helper()
	hashes, err := store.Collect(context.Background(), r.store, store.ScanBytes, "SELECT hash FROM entry ORDER BY id")
	do(t, err)
	digests := make([]journal.Digest, len(hashes))
	for i, h := range hashes {
		digests[i] = journal.DigestOf(h)
	}
	return digests
}

// nothingLeft looks for texts in everything that the table of entries has.
func nothingLeft(t testing.TB, q store.Queryer, texts ...string) {
	t.Helper()
	entries, err := store.Collect(context.Background(), q, store.ScanEntry, "SELECT "+journal.EntryColumns+" FROM entry ORDER BY id")
	do(t, err)
	for _, e := range entries {
		for _, text := range texts {
			if strings.Contains(fmt.Sprintf("%q", e.Values()), text) {
				t.Errorf("%q is left in entry %d", text, e.ID)
			}
		}
		if strings.HasPrefix(e.Body, `{"content":`) {
			left := journal.Entry{ID: e.ID, At: e.At, Kind: e.Kind, Hash: e.Hash, Operation: e.Operation, Body: e.Body}
			if diff := cmp.Diff(left, *e); diff != "" || len(e.Operation) > 0 {
				t.Errorf("something is left:\n%s", diff)
			}
		}
	}
}

// Many notes are dropped in several transactions, and two processes that do so at once drop each of them once, while others charge and note.
func TestThinTogether(t *testing.T) {
	onBackEnds(t, func(t *testing.T, location policy.LedgerLocation) {
		ctx := context.Background()
		l := openAt(t, location)
		beside, err := Open(ctx, Options{Location: location})
		do(t, err)
		defer beside.Close()
		const notes = 2*thinAtOnce + 500
		var events []Event
		for n := range notes {
			events = append(events, refusal(n))
		}
		noteNow(t, l, events...)
		dashboard := make(chan error)
		stop := make(chan struct{})
		answered := 0
		go func() {
			for {
				select {
				case <-stop:
					dashboard <- nil
					return
				default:
				}
				if err := askAndNote(l, answered); err != nil {
					dashboard <- err
					return
				}
				answered++
			}
		}()
		var dropped [2]Thinning
		failed := make(chan error, 2)
		for i, one := range []*Ledger{l, beside} {
			go func() {
				var err error
				dropped[i], err = one.Thin(ctx, policy.Keep{Notes: 100})
				failed <- err
			}()
		}
		do(t, <-failed)
		do(t, <-failed)
		close(stop)
		do(t, <-dashboard)
		thin(t, l, policy.Keep{Notes: 100})
		all := int64(notes + answered)
		if got := dropped[0].Sum() + dropped[1].Sum(); got < notes-100 || got > all-100 {
			t.Errorf("%d notes were dropped of %d", got, all)
		}
		for n := range answered {
			text := fmt.Sprint("dashboard ", n)
			if release, ok, err := l.Lookup(ctx, question(patients, text), 0); err != nil || !ok || string(release.Payload) != text {
				t.Fatalf("%s is answered by %v, %v, %v", text, release, ok, err)
			}
		}
		if l.state.Notes.Kept != 100 || l.state.Notes.Dropped != all-100 {
			t.Errorf("%+v of %d", l.state.Notes, all)
		}
		if charged := balance(t, l, patients, "ana")[0].Epsilon; charged != policy.Epsilon(answered) {
			t.Errorf("%d answers and %v charged", answered, charged)
		}
		verified(t, l.Reader)
	})
}

// askAndNote asks a new question, and asks it again.
func askAndNote(l *Ledger, n int) error {
	text := fmt.Sprint("dashboard ", n)
	r, err := l.Reserve(context.Background(), charge("ana", text, accountant.Loss{Epsilon: 1}))
	if err != nil {
		return err
	}
	if _, err := l.Record(context.Background(), r, [][]byte{[]byte(text)}); err != nil {
		return err
	}
	return l.appendEvents([]loggedEvent{{0, Event{Analyst: "ana", Table: patients, Verdict: Replayed, SQL: text}}})
}

// A note that was edited is not dropped: what shows the edit would go with it.
func TestEditedNoteIsNotThinned(t *testing.T) {
	path := newPath(t)
	l, err := openAs(path, Serve)
	do(t, err)
	defer l.Close()
	noteNow(t, l, refusal(0), refusal(1), refusal(2))
	atPrompt(t, path, "DROP TRIGGER entry_is_kept", "UPDATE entry SET statement = 'SELECT 1' WHERE id = 3")
	done, err := l.Thin(context.Background(), policy.Keep{Notes: 1})
	requireUnavailable(t, err, "entry 3 is not as it was written, and is not dropped")
	if done.Sum() != 0 || l.state.Notes.Dropped != 0 {
		t.Errorf("%+v was dropped", done)
	}
}

// What was dropped is not in the file of SQLite any more, neither where it was nor in free pages. It fails without the setting secure_delete.
func TestDroppedTextIsOverwritten(t *testing.T) {
	path := newPath(t)
	l, err := openAs(path, Serve)
	do(t, err)
	for n := range 300 {
		noteNow(t, l, refusal(n))
	}
	thin(t, l, policy.Keep{Notes: 10})
	closeLedger(t, l)
	content, err := os.ReadFile(path)
	do(t, err)
	if n := bytes.Count(content, []byte("SELECT secret_")); n != 10 {
		t.Errorf("the file has %d statements, want those of 10 notes", n)
	}
	if _, err := os.Stat(path + "-wal"); err == nil {
		t.Error("the file is not all of the ledger")
	}
}
