package proxy

import "testing"

func TestSeats(t *testing.T) {
	s := newSeats(5)
	take := func(analyst string, analysts, want int) {
		t.Helper()
		taken := 0
		for s.take(analyst, analysts) {
			taken++
		}
		if taken != want {
			t.Errorf("%s took %d seats, want %d", analyst, taken, want)
		}
	}
	take("ana", 2, 3)
	take("bob", 2, 2) // what is left
	s.giveBack("ana")
	take("bob", 2, 1)
	s.giveBack("bob")
	take("ana", 2, 1)
	for range 3 {
		s.giveBack("ana")
	}
	for range 2 {
		s.giveBack("bob")
	}
	if s.count() != 0 || len(s.of) != 0 {
		t.Errorf("%d seats are taken by %v", s.count(), s.of)
	}
	take("ana", 1, 5)
}
