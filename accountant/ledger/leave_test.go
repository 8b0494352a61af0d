package ledger

import (
	"context"
	"errors"
	"testing"

	"tacit/accountant"
)

// reserveAfter reserves when nobody else is to answer any more.
func reserveAfter(t *testing.T, l *Ledger, c accountant.Charge) *Reservation {
	t.Helper()
	for {
		r, err := l.Reserve(context.Background(), c)
		var flight *InFlightError
		if !errors.As(err, &flight) {
			do(t, err)
			return r
		}
		do(t, l.Await(context.Background(), flight))
	}
}

// What is left is taken over by whoever asks the same, once: left again it is charged anew, and so is what was abandoned.
func TestLeave(t *testing.T) {
	l := open(t, newPath(t))
	ana := charge("ana", "a", accountant.Loss{Epsilon: 5})
	bob := charge("bob", "a", accountant.Loss{Epsilon: 5})
	spent := func(want accountant.Loss) {
		t.Helper()
		if got := balance(t, l, patients, "ana")[0]; got != want {
			t.Errorf("%v is spent, want %v", got, want)
		}
	}
	l.Leave(reserve(t, l, ana))
	second := reserveAfter(t, l, bob)
	if !second.Adopted(0) {
		t.Error("what was left was not taken over")
	}
	spent(accountant.Loss{Epsilon: 5})
	l.Leave(second)
	third := reserveAfter(t, l, ana)
	if third.Adopted(0) {
		t.Error("what was left twice was taken over")
	}
	spent(accountant.Loss{Epsilon: 10})
	l.Abandon(third)
	fourth := reserveAfter(t, l, bob)
	if fourth.Adopted(0) {
		t.Error("what was abandoned was taken over")
	}
	record(t, l, fourth, []byte("a"))
	spent(accountant.Loss{Epsilon: 15})
}

// A charge of a table that was frozen meanwhile is left to nobody.
func TestLeaveFrozen(t *testing.T) {
	ctx := context.Background()
	l := open(t, newPath(t))
	r := reserve(t, l, charge("ana", "a", accountant.Loss{Epsilon: 5}))
	_, err := l.Freeze(ctx, Freeze{Table: patients, By: "sue", Reason: "stop"})
	do(t, err)
	l.Leave(r)
	l.background.Wait()
	_, err = l.Thaw(ctx, Freeze{Table: patients, By: "sue", Reason: "go on"})
	do(t, err)
	if again := reserveAfter(t, l, charge("ana", "a", accountant.Loss{Epsilon: 5})); again.Adopted(0) {
		t.Error("it was taken over")
	}
}
