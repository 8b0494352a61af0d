package ledger

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/policy"
)

// Who asks what somebody is about to answer waits, and is told when it was answered, or will not be.
func TestInFlight(t *testing.T) {
	ctx := context.Background()
	l := open(t, newPath(t))
	c := charge("ana", "a", accountant.Loss{Epsilon: 5})
	first := reserve(t, l, c)
	c.Analyst = "bob"
	var flight *InFlightError
	if _, err := l.Reserve(ctx, c); !errors.As(err, &flight) || flight.Question.Key != c.Items[0].Key {
		t.Fatalf("error %v, want an InFlightError", err)
	}
	if err := l.Afford(ctx, []accountant.Charge{c}); err != nil {
		t.Errorf("what is being answered costs nothing: %v", err)
	}
	soon, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	if err := l.Await(soon, flight); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("awaited with %v, before there is an answer", err)
	}
	awaited := make(chan error)
	go func() { awaited <- l.Await(ctx, flight) }()
	made := record(t, l, first, []byte("answer"))
	if err := <-awaited; err != nil {
		t.Error(err)
	}
	var recorded *RecordedError
	if _, err := l.Reserve(ctx, c); !errors.As(err, &recorded) || recorded.Release != made[0].ID {
		t.Errorf("error %v, want a RecordedError", err)
	}
	c.Items[0].Fresh = true
	again := reserve(t, l, c)
	if _, err := l.Reserve(ctx, c); !errors.As(err, &flight) {
		t.Fatalf("error %v, want an InFlightError", err)
	}
	l.Abandon(again)
	if err := l.Await(ctx, flight); err != nil {
		t.Error(err)
	}
	if _, err := l.Record(ctx, again, [][]byte{nil}); err == nil {
		t.Error("recorded what was abandoned")
	}
	reserve(t, l, c)
	if got := balance(t, l, patients, "bob"); got != [2]accountant.Loss{{Epsilon: 15}, {Epsilon: 10}} {
		t.Errorf("the balance is %v", got)
	}
}

// An answer that is too old does not keep anybody from asking again.
func TestRecordedTooLongAgo(t *testing.T) {
	ctx := context.Background()
	l := open(t, newPath(t))
	now := time.Now().Add(time.Hour)
	l.setClock(func() time.Time { return now })
	c := charge("ana", "a", accountant.Loss{Epsilon: 5})
	c.Items[0].MaxAge = time.Hour
	record(t, l, reserve(t, l, c), nil)
	now = now.Add(time.Hour)
	var recorded *RecordedError
	if _, err := l.Reserve(ctx, c); !errors.As(err, &recorded) {
		t.Errorf("error %v, want a RecordedError", err)
	}
	now = now.Add(1)
	record(t, l, reserve(t, l, c), nil)
}

// Sixteen ask the same at once: one is charged and answers, and all have the answer.
func TestOneAnswerForAll(t *testing.T) {
	ctx := context.Background()
	l := open(t, newPath(t))
	var asked atomic.Int64
	answer := func(analyst string, c accountant.Charge) (*accountant.Release, error) {
		for {
			if found, ok, err := l.Lookup(ctx, c.Items[0].Question, 0); ok || err != nil {
				return found, err
			}
			r, err := l.Reserve(ctx, c)
			var flight *InFlightError
			var recorded *RecordedError
			switch {
			case errors.As(err, &flight):
				if err := l.Await(ctx, flight); err != nil {
					return nil, err
				}
			case errors.As(err, &recorded):
			case err != nil:
				return nil, err
			default:
				releases, err := l.Record(ctx, r, [][]byte{fmt.Append(nil, asked.Add(1))})
				if err != nil {
					return nil, err
				}
				return releases[0], nil
			}
		}
	}
	for round := range 20 {
		asked.Store(0)
		var all sync.WaitGroup
		for i := range 16 {
			all.Go(func() {
				analyst := fmt.Sprint("analyst ", i)
				found, err := answer(analyst, charge(analyst, fmt.Sprint(round), accountant.Loss{Epsilon: 1}))
				if err != nil || string(found.Payload) != "1" {
					t.Errorf("the answer is %v, %v", found, err)
				}
			})
		}
		all.Wait()
	}
	if got := balance(t, l, patients, "")[0]; got != (accountant.Loss{Epsilon: 20}) {
		t.Errorf("20 questions were charged %v", got)
	}
}

// What a process has charged and not answered before it was gone is answered by the next one that asks exactly that, for nothing.
func TestAdoption(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	gone, err := openAs(path, Steward)
	do(t, err)
	c := charge("ana", "a", accountant.Loss{Epsilon: 5})
	c.Items = append(c.Items, accountant.Item{Question: question(patients, "b"), Loss: accountant.Loss{Epsilon: 7}, Mechanism: "geometric"})
	reserve(t, gone, c)
	l := open(t, path)
	c.Analyst = "bob"
	var flight *InFlightError
	if _, err := l.Reserve(ctx, c); !errors.As(err, &flight) {
		t.Fatalf("error %v, want an InFlightError", err)
	}
	closeLedger(t, gone)
	if err := l.Await(ctx, flight); err != nil {
		t.Fatal(err)
	}
	c.Items[1].Loss.Epsilon++ // another release than was charged for
	c.Items = append(c.Items, accountant.Item{Question: question(patients, "c"), Loss: accountant.Loss{Epsilon: 9}})
	r := reserve(t, l, c)
	if !r.Adopted(0) || r.Adopted(1) || r.Adopted(2) {
		t.Errorf("adopted are %v", r.adopted)
	}
	record(t, l, r, []byte("a"), []byte("b"), []byte("c"))
	if got := balance(t, l, patients, "bob"); got != [2]accountant.Loss{{Epsilon: 12 + 17}, {Epsilon: 17}} {
		t.Errorf("the balance is %v", got)
	}
	found, ok, err := l.Lookup(ctx, c.Items[0].Question, 0)
	if err != nil || !ok || string(found.Payload) != "a" || found.Loss != (accountant.Loss{Epsilon: 5}) {
		t.Errorf("the adopted answer is %v, %v, %v", found, ok, err)
	}
}

// A process that hangs for longer than the lease finds its charges in other hands: it shows nothing, and what is its own still is recorded.
func TestFencing(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	hangs, err := openAs(path, Steward)
	do(t, err)
	defer hangs.Close()
	// The other writes that it is alive every few seconds, which is too seldom here.
	l, err := Open(ctx, Options{Location: policy.LedgerLocation{SQLite: path}, Role: Serve, Lease: 4 * time.Millisecond})
	do(t, err)
	defer check(t, path)
	defer l.Close()
	c := charge("ana", "a", accountant.Loss{Epsilon: 5})
	c.Items = append(c.Items, accountant.Item{Question: question(patients, "b"), Loss: accountant.Loss{Epsilon: 7}, Mechanism: "geometric"})
	lost := reserve(t, hangs, c)
	time.Sleep(5 * time.Millisecond)
	c.Items = c.Items[:1]
	adopted := reserve(t, l, c)
	if !adopted.Adopted(0) {
		t.Fatal("it was not adopted")
	}
	if _, err := hangs.Record(ctx, lost, [][]byte{[]byte("late a"), []byte("late b")}); !errors.Is(err, ErrLost) {
		t.Errorf("recorded with %v, want ErrLost", err)
	}
	record(t, l, adopted, []byte("a"))
	for text, want := range map[string]string{"a": "a", "b": "late b"} {
		if found, ok, err := l.Lookup(ctx, question(patients, text), 0); err != nil || !ok || string(found.Payload) != want {
			t.Errorf("the answer to %s is %v, %v, %v", text, found, ok, err)
		}
	}
	if got := balance(t, l, patients, "ana")[0]; got != (accountant.Loss{Epsilon: 12}) {
		t.Errorf("the balance is %v", got)
	}
}

// A proxy that was killed leaves its charges to the next one at once: there is one proxy at a time.
func TestAdoptionAfterAKill(t *testing.T) {
	path := newPath(t)
	l := open(t, path)
	c := charge("ana", "a", accountant.Loss{Epsilon: 5})
	reserve(t, l, c)
	for _, suffix := range []string{"", "-wal", ".guard"} {
		copyFile(t, path+suffix, path+".killed"+suffix)
	}
	next := open(t, path+".killed")
	if r := reserve(t, next, c); !r.Adopted(0) {
		t.Error("it was charged again")
	}
	// A steward's command cannot know, and waits.
	for _, suffix := range []string{"", "-wal", ".guard"} {
		copyFile(t, path+suffix, path+".command"+suffix)
	}
	command, err := openAs(path+".command", Steward)
	do(t, err)
	defer command.Close()
	var flight *InFlightError
	if _, err := command.Reserve(context.Background(), c); !errors.As(err, &flight) {
		t.Errorf("error %v, want an InFlightError", err)
	}
}

// Under a window a charge counts from its day on: an answer of today is not paid for by a charge that leaves the window before today does.
func TestAdoptionUnderAWindow(t *testing.T) {
	path := newPath(t)
	gone, err := openAs(path, Steward)
	do(t, err)
	now := time.Date(2036, 3, 1, 23, 59, 0, 0, time.UTC)
	gone.setClock(func() time.Time { return now })
	c := charge("ana", "a", accountant.Loss{Epsilon: 5})
	c.Window = 24 * time.Hour
	reserve(t, gone, c)
	closeLedger(t, gone)
	l := open(t, path)
	l.setClock(func() time.Time { return now.Add(time.Minute) })
	if r := reserve(t, l, c); r.Adopted(0) {
		t.Error("a charge of yesterday was adopted")
	}
}

// The caller did not see the reply to its charge, and says again what it wanted: it is charged once.
func TestRetry(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	l := open(t, path)
	c := charge("ana", "a", accountant.Loss{Epsilon: 5})
	c.Operation = accountant.NewOperation()
	reserve(t, l, c)
	reserve(t, l, c)
	if got := balance(t, l, patients, "ana")[0]; got != (accountant.Loss{Epsilon: 5}) {
		t.Errorf("the balance is %v", got)
	}
	other := charge("ana", "b", accountant.Loss{Epsilon: 5})
	other.Operation = c.Operation
	if _, err := l.Reserve(ctx, other); err == nil {
		t.Error("one operation was two")
	}
	closeLedger(t, l)
	l = open(t, path)
	again := reserve(t, l, c)
	made := record(t, l, again, []byte("answer"))
	var recorded *RecordedError
	if _, err := l.Reserve(ctx, c); !errors.As(err, &recorded) || recorded.Release != made[0].ID {
		t.Errorf("error %v, want a RecordedError", err)
	}
	if got := balance(t, l, patients, "ana")[0]; got != (accountant.Loss{Epsilon: 5}) {
		t.Errorf("the balance is %v", got)
	}
}

// A statement about two tables is charged on both or on neither.
func TestReserveAll(t *testing.T) {
	l := open(t, newPath(t))
	first, second := charge("ana", "a", accountant.Loss{Epsilon: 1e8}), charge("ana", "b", accountant.Loss{Epsilon: 2e9})
	second.Table, second.Items[0].Table = visits, visits
	_, err := l.ReserveAll(context.Background(), []accountant.Charge{first, second})
	want := &accountant.OverBudgetError{Table: visits, Of: "table", Needed: accountant.Loss{Epsilon: 2e9}, Remaining: accountant.Loss{Epsilon: 1e9, Delta: 1e12}}
	var got *accountant.OverBudgetError
	if !errors.As(err, &got) || *got != *want {
		t.Errorf("got %v, want %v", err, want)
	}
	if spent := balance(t, l, patients, "ana"); spent != ([2]accountant.Loss{}) {
		t.Errorf("%v was charged on the table whose budget suffices", spent)
	}
	second.Items[0].Loss = accountant.Loss{Epsilon: 1e8}
	both, err := l.ReserveAll(context.Background(), []accountant.Charge{first, second})
	if err != nil || len(both) != 2 {
		t.Fatalf("%d reservations, %v", len(both), err)
	}
	record(t, l, both[1], nil)
	record(t, l, both[0], nil)
}

// What a process has charged and can no longer answer, since it could not be abandoned in time, is left to others while it lives on.
func TestStrayChargesAreLeft(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	l, err := Open(ctx, Options{Location: policy.LedgerLocation{SQLite: path}, Role: Serve, Lease: 100 * time.Millisecond})
	do(t, err)
	beside, err := Open(ctx, Options{Location: policy.LedgerLocation{SQLite: path}, Lease: 100 * time.Millisecond})
	do(t, err)
	kept, stray := charge("ana", "kept", accountant.Loss{Epsilon: 5}), charge("ana", "stray", accountant.Loss{Epsilon: 5})
	held, lost := reserve(t, l, kept), reserve(t, l, stray)
	lost.ended.Store(true) // so that Abandon fails
	l.Abandon(lost)
	var flight *InFlightError
	if _, err := beside.Reserve(ctx, stray); !errors.As(err, &flight) {
		t.Fatalf("error %v, want an InFlightError", err)
	}
	within, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	do(t, beside.Await(within, flight))
	r := reserve(t, beside, stray)
	if !r.Adopted(0) {
		t.Error("it was charged again")
	}
	record(t, beside, r, []byte("answer"))
	if _, err := beside.Reserve(ctx, kept); !errors.As(err, &flight) {
		t.Errorf("what is being answered was left, too: %v", err)
	}
	record(t, l, held, []byte("answer"))
	do(t, l.Check(ctx))
	closeLedger(t, beside)
	closeLedger(t, l)
}

// An answer about two tables is recorded of both or of neither.
func TestRecordAll(t *testing.T) {
	ctx := context.Background()
	l := open(t, newPath(t))
	join := func() []accountant.Charge {
		one, other := charge("ana", "join", accountant.Loss{Epsilon: 5}), charge("ana", "join", accountant.Loss{Epsilon: 5})
		other.Table, other.Items[0].Table = visits, visits
		one.Items[0].Fresh, other.Items[0].Fresh = true, true
		return []accountant.Charge{one, other}
	}
	answer := [][][]byte{{[]byte("a draw")}, {[]byte("a draw")}}
	recorded := func() (n int) {
		do(t, l.Released(ctx, func(*accountant.Release) bool { n++; return true }))
		return n
	}
	reservations, err := l.ReserveAll(ctx, join())
	do(t, err)
	do(t, l.RecordAll(ctx, reservations, answer))
	if recorded() != 2 {
		t.Errorf("%d releases, want 2", recorded())
	}
	if err := l.RecordAll(ctx, reservations, answer); err == nil || errors.Is(err, ErrLost) {
		t.Errorf("recorded twice: %v", err)
	}
	reservations, err = l.ReserveAll(ctx, join())
	do(t, err)
	_, err = l.OpenEpoch(ctx, visits, "root", "other people")
	do(t, err)
	if err := l.RecordAll(ctx, reservations, answer); !errors.Is(err, ErrLost) {
		t.Errorf("error %v, want ErrLost", err)
	}
	if recorded() != 2 {
		t.Error("it was recorded of the table that had lost nothing")
	}
	again, err := l.ReserveAll(ctx, join()) // for which nobody waits
	do(t, err)
	if again[0].Adopted(0) || again[1].Adopted(0) {
		t.Error("what was given up was taken over")
	}
}
