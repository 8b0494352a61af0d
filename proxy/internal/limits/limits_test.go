package limits

import (
	"errors"
	"io"
	"net/netip"
	"testing"

	"tacit/policy"
)

func client(analyst, address string) Client {
	return Client{analyst, netip.PrefixFrom(netip.MustParseAddr(address), 32)}
}

func TestSessions(t *testing.T) {
	const here, there = "192.0.2.1", "192.0.2.2"
	var s *Sessions
	take := func(c Client, analysts int, rules policy.Sessions, want int, then Bound) {
		t.Helper()
		taken := 0
		for ; ; taken++ {
			if in, _ := s.Take(c, analysts, rules); in != None {
				if taken != want || in != then {
					t.Errorf("%s has %d sessions, then %d; want %d, then %d", c.Analyst, taken, in, want, then)
				}
				return
			}
		}
	}
	none := policy.Sessions{}
	s = NewSessions(5)
	ana, bob := client("ana", here), client("bob", here)
	take(ana, 2, none, 3, OfAnalyst)
	take(bob, 2, none, 2, All)
	s.GiveBack(ana)
	take(bob, 2, none, 1, OfAnalyst)
	for range 2 {
		s.GiveBack(ana)
	}
	for range 3 {
		s.GiveBack(bob)
	}
	if s.open != 0 || len(s.byAnalyst) != 0 || len(s.byAddress) != 0 {
		t.Errorf("%d sessions are counted, of %v from %v", s.open, s.byAnalyst, s.byAddress)
	}
	take(ana, 1, none, 5, OfAnalyst)

	s = NewSessions(10)
	take(ana, 2, policy.Sessions{PerAnalyst: 2}, 2, OfAnalyst)
	take(bob, 2, policy.Sessions{PerAddress: 3}, 1, OfAddress)
	take(client("bob", there), 2, policy.Sessions{PerAddress: 3}, 3, OfAddress)

	s = NewSessions(10)
	rules := policy.Sessions{PerAnalyst: 9, Reserved: 2, ReservedFor: []string{"eva", "ida"}}
	take(ana, 3, rules, 8, Reserved)
	take(client("eva", here), 3, rules, 2, All)
}

// A spare descriptor that was given up is taken back when there are some again.
func TestSpares(t *testing.T) {
	left := 3
	s := &Spares{most: 3, open: func() (io.Closer, error) {
		if left == 0 {
			return nil, errors.New("too many open files")
		}
		left--
		return closer(func() { left++ }), nil
	}}
	if !s.Restore() || left != 0 {
		t.Fatalf("%d descriptors are left", left)
	}
	if !s.Lend() || left != 1 {
		t.Fatalf("%d descriptors are left after one was given up", left)
	}
	left = 0 // taken by a client
	if s.Restore() {
		t.Error("restored out of nothing")
	}
	left = 1
	if !s.Restore() || len(s.held) != 3 {
		t.Errorf("%d are held", len(s.held))
	}
	s.Close()
	if left != 3 || s.Lend() {
		t.Errorf("%d descriptors are left at the end", left)
	}
}

type closer func()

func (c closer) Close() error {
	c()
	return nil
}
