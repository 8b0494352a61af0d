package ledger

import (
	"testing"

	"tacit/accountant"
)

// A reservation covers the questions that it was charged for, until it is recorded. What no ledger made covers nothing.
func TestReservationCovers(t *testing.T) {
	l := open(t, newPath(t))
	r := reserve(t, l, charge("ana", "a", accountant.Loss{Epsilon: 1}))
	if !r.Covers(question(patients, "a")) {
		t.Error("it does not cover its own question")
	}
	if r.Covers(question(patients, "b")) || r.Covers(question(visits, "a")) {
		t.Error("it covers another question")
	}
	record(t, l, r, nil)
	if r.Covers(question(patients, "a")) {
		t.Error("it covers a question that was answered")
	}
	var none *Reservation
	if none.Covers(question(patients, "a")) || (&Reservation{}).Covers(question(patients, "a")) {
		t.Error("what no ledger made covers a question")
	}
}
