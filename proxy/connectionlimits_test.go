package proxy

import "testing"

func TestConnectionLimits(t *testing.T) {
	s := newConnectionLimits(5)
	take := func(analyst string, analysts, want int) {
		t.Helper()
		taken := 0
		for s.take(analyst, analysts) {
			taken++
		}
		if taken != want {
			t.Errorf("%s has %d sessions, want %d", analyst, taken, want)
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
	if s.count() != 0 || len(s.byAnalyst) != 0 {
		t.Errorf("%d sessions are counted for %v", s.count(), s.byAnalyst)
	}
	take("ana", 1, 5)
}

// count is the number of sessions.
func (c *connectionLimits) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open
}
