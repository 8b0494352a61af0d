package ledger

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger/sqlite"
	"tacit/accountant/ledger/store"
	"tacit/policy"
)

// A jumpingStore has a clock that jumps when a test says so, as all that share a ledger see at once.
type jumpingStore struct {
	store.Store
	ahead *atomic.Int64
}

func (s jumpingStore) Clock() time.Time {
	return s.Store.Clock().Add(time.Duration(s.ahead.Load()))
}

// openJumping opens a ledger by that clock, as one of several processes.
func openJumping(t *testing.T, path string, ahead *atomic.Int64, lease time.Duration) *Ledger {
	t.Helper()
	made, err := sqlite.Open(t.Context(), path, false)
	do(t, err)
	l, err := newLedger(t.Context(), jumpingStore{made, ahead}, Options{Location: policy.LedgerLocation{SQLite: path}, Role: Steward, Lease: lease})
	do(t, err)
	t.Cleanup(func() { l.Close() })
	return l
}

// A process that is gone is not taken for alive because the clock was set back, and one that lives says so by the new time.
func TestClockSetBack(t *testing.T) {
	const lease = 200 * time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	path := newPath(t)
	var ahead atomic.Int64
	ahead.Store(int64(24 * time.Hour))
	made, err := sqlite.Open(ctx, path, false)
	do(t, err)
	gone, err := newLedger(ctx, jumpingStore{made, &ahead}, Options{Location: policy.LedgerLocation{SQLite: path}, Role: Steward, Lease: time.Hour})
	do(t, err)
	left, kept := charge("ana", "left", accountant.Loss{Epsilon: 5}), charge("ana", "kept", accountant.Loss{Epsilon: 7})
	reserve(t, gone, left)
	abandonProcess(t, gone)

	lives, asks := openJumping(t, path, &ahead, lease), openJumping(t, path, &ahead, lease)
	held := reserve(t, lives, kept)
	ahead.Store(0)
	for {
		adopted, err := asks.Reserve(ctx, left)
		var flight *InFlightError
		if !errors.As(err, &flight) {
			do(t, err)
			if !adopted.Adopted(0) {
				t.Error("it was charged again")
			}
			break
		}
		do(t, asks.Await(ctx, flight))
	}
	// Who lives says so once by the clock that was set back, and has its charge ever after.
	for {
		var seen int64
		do(t, asks.do(ctx, func(b *batch) error { seen = asks.seen[lives.proxy]; return nil }))
		if time.Unix(0, seen).Before(time.Now().Add(time.Hour)) {
			break
		}
		time.Sleep(lease / 8)
	}
	var flight *InFlightError
	if _, err := asks.Reserve(ctx, kept); !errors.As(err, &flight) {
		t.Errorf("error %v, want an InFlightError", err)
	}
	record(t, lives, held, []byte("answer"))
	if got := balance(t, asks, patients, "ana")[0]; got != (accountant.Loss{Epsilon: 12}) {
		t.Errorf("the balance is %v", got)
	}
	check(t, path)
}

// abandonProcess ends a ledger's goroutines and files without a word in the ledger, as a crash does.
func abandonProcess(t *testing.T, l *Ledger) {
	t.Helper()
	l.events.stop()
	l.mu.Lock()
	clear(l.state.Open) // so that it does not take leave
	l.mu.Unlock()
	closeLedger(t, l)
}

// Whatever the clock does, each question is charged once and has one answer, who has lost a charge shows nothing, and dates do not decrease.
func TestClockJumps(t *testing.T) {
	path := newPath(t)
	var ahead atomic.Int64
	processes := []*Ledger{openJumping(t, path, &ahead, time.Hour), openJumping(t, path, &ahead, time.Hour), openJumping(t, path, &ahead, time.Hour)}
	// In a round no charge is adopted or none is lost with probability 0.13 (26 of 200 runs of one round), so in all of ten with 2e-9.
	const questions, rounds = 40, 10
	shown, adopted, lost := make(map[string]string), 0, 0
	open := make(map[*Reservation]int) // by whose it is
	text := make(map[*Reservation]string)
	for step := range 200 * rounds {
		if rand.IntN(4) == 0 {
			ahead.Store(int64(time.Duration(rand.IntN(2000)-1000) * time.Hour))
		}
		i := rand.IntN(len(processes))
		l := processes[i]
		if rand.IntN(3) > 0 {
			c := charge("ana", fmt.Sprint(step/200*questions+rand.IntN(questions)), accountant.Loss{Epsilon: 1})
			r, err := l.Reserve(t.Context(), c)
			var flight *InFlightError
			var recorded *RecordedError
			switch {
			case err == nil:
				open[r], text[r] = i, c.Items[0].Text
				if r.Adopted(0) {
					adopted++
				}
			case !errors.As(err, &flight) && !errors.As(err, &recorded):
				t.Fatalf("step %d: %v", step, err)
			}
			continue
		}
		for r, owner := range open {
			payload := fmt.Sprint("answer of step ", step)
			_, err := processes[owner].Record(t.Context(), r, [][]byte{[]byte(payload)})
			switch question := text[r]; {
			case errors.Is(err, ErrLost):
				lost++
			case err != nil:
				t.Fatalf("step %d: %v", step, err)
			case shown[question] != "":
				t.Fatalf("step %d: question %s was answered before, by %s", step, question, shown[question])
			default:
				shown[question] = payload
			}
			delete(open, r)
			break
		}
	}
	for asked, payload := range shown {
		found, ok, err := processes[0].Lookup(t.Context(), question(patients, asked), 0)
		if err != nil || !ok || string(found.Payload) != payload {
			t.Errorf("the answer to %s is %v, %v, %v; %q was shown", asked, found, ok, err, payload)
		}
	}
	if adopted == 0 || lost == 0 || len(shown) == 0 {
		t.Errorf("%d charges were adopted, %d lost, and %d questions answered", adopted, lost, len(shown))
	}
	if got := balance(t, processes[0], patients, "ana")[0]; got.Epsilon > questions*rounds {
		t.Errorf("%v was spent on %d questions", got, questions*rounds)
	}
	check(t, path) // dates, too
}
