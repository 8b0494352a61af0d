package ledger

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/sqlite"
	"tacit/accountant/ledger/store"
	"tacit/policy"
)

// A heldStore writes when a test lets it.
type heldStore struct {
	store.Store
	writing, write chan struct{} // nil: at once
}

func (s *heldStore) Write(b *journal.Batch) error {
	if s.writing != nil {
		s.writing <- struct{}{}
		<-s.write
	}
	return s.Store.Write(b)
}

func lookedUp(t *testing.T, l *Ledger, text string) string {
	t.Helper()
	found, ok, err := l.Lookup(t.Context(), question(patients, text), 0)
	do(t, err)
	if !ok {
		return ""
	}
	return string(found.Payload)
}

// An answer that is being written is neither shown nor passed over: whoever asks then for what is new finds it the next time.
func TestAnswersThatAreBeingWritten(t *testing.T) {
	made, err := sqlite.Open(t.Context(), newPath(t), true)
	do(t, err)
	s := &heldStore{Store: made}
	l, err := newLedger(t.Context(), s, Options{Lease: time.Hour})
	do(t, err)
	defer closeLedger(t, l)
	r := reserve(t, l, shaped("a", "one"))
	s.writing, s.write = make(chan struct{}), make(chan struct{})
	recorded := make(chan error)
	go func() {
		_, err := l.Record(context.Background(), r, [][]byte{[]byte("1")})
		recorded <- err
	}()
	<-s.writing
	before, err := l.Derivable(t.Context(), patients, 0, 10)
	do(t, err)
	if got := lookedUp(t, l, "a"); got != "" || len(before.Releases) != 0 || before.Through != 0 {
		t.Errorf("before it is written: %q, %+v", got, before)
	}
	close(s.write)
	do(t, <-recorded)
	s.writing = nil
	after, err := l.Derivable(t.Context(), patients, before.Through, 10)
	do(t, err)
	if got := lookedUp(t, l, "a"); got != "1" || len(after.Releases) != 1 || after.Through != 1 {
		t.Errorf("afterwards: %q, %+v", got, after)
	}
}

// What is at hand of this process's own releases is what the store says, whoever recorded others between them, and a question without an answer has one
// once anybody has recorded it.
func TestReleasesAtHand(t *testing.T) {
	path := newPath(t)
	l := open(t, path)
	other, err := openAs(path, Steward)
	do(t, err)
	defer other.Close()
	for i := range 60 {
		text, by := fmt.Sprint("q", i), l
		if i%7 == 3 {
			by = other
		}
		if got := lookedUp(t, l, text); got != "" {
			t.Fatalf("an answer to a new question: %q", got)
		}
		c := shaped(text, fmt.Sprint("shape ", i%5))
		if i%5 == 0 {
			c.Items[0].Shape = ""
		}
		if i%11 == 4 {
			c.Table, c.Items[0].Table = visits, visits
		}
		r := reserve(t, by, c)
		if i%13 == 6 { // its charge is taken over, with another time in its shape
			by.Leave(r)
			c.Items[0].Shape += "\nlater"
			r = reserveAfter(t, by, c)
		}
		record(t, by, r, []byte(text))
		reserve(t, l, charge("ana", "not recorded "+text, accountant.Loss{Epsilon: 1})) // so that it has heard of all
		if got := lookedUp(t, l, text); c.Table == patients && got != text {
			t.Errorf("the answer to %s is %q", text, got)
		}
		for _, after := range []int64{0, int64(i) - 5, int64(i)} {
			for _, limit := range []int{2, 1000} {
				got, err := l.Derivable(t.Context(), patients, max(after, 0), limit)
				do(t, err)
				want, err := l.derivable(t.Context(), &DerivableReleases{Epoch: 1, Through: int64(i) + 1}, patients, max(after, 0), limit)
				do(t, err)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("release %d, after %d, limit %d (-store +at hand):\n%s", i+1, after, limit, diff)
				}
			}
		}
	}
}

// A store that is away is not asked for what is at hand, nor for a question that it had no answer to.
func TestStoreIsNotAskedTwice(t *testing.T) {
	l, s := openAway(t)
	record(t, l, reserve(t, l, shaped("a", "one")), []byte("1"))
	if got := lookedUp(t, l, "b"); got != "" {
		t.Fatal(got)
	}
	q := &askedStore{l.Reader.store}
	l.Reader.store = q
	defer func() { l.Reader.store = s }()
	d, err := l.Derivable(t.Context(), patients, 0, 10)
	do(t, err)
	if got := lookedUp(t, l, "b"); got != "" || len(d.Releases) != 1 {
		t.Errorf("%q, %+v", got, d)
	}
	if _, _, err := l.Lookup(t.Context(), question(policy.TableName{Schema: "s", Name: "t"}, "b"), 0); err == nil {
		t.Error("another question was not looked for")
	}
}

// An askedStore answers nothing.
type askedStore struct{ readStore }

func (s *askedStore) Query(context.Context, string, ...any) (store.Rows, error) {
	return nil, errors.New("a test does not want it to be asked")
}
