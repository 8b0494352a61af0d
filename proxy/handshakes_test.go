package proxy

import (
	"net"
	"testing"
)

// A waiting is a connection that says whether it was closed.
type waiting struct {
	net.Conn
	from   net.Addr
	closed bool
}

func (w *waiting) RemoteAddr() net.Addr { return w.from }

func (w *waiting) Close() error {
	w.closed = true
	return nil
}

func from(address string) *waiting {
	return &waiting{from: &net.TCPAddr{IP: net.ParseIP(address), Port: 1}}
}

// One source cannot take all places, and whoever is silent makes room.
func TestHandshakes(t *testing.T) {
	h := newHandshakes(4, 2)
	var conns []*waiting
	take := func(address string, spoke bool) *place {
		c := from(address)
		conns = append(conns, c)
		p := h.take(c, c.from)
		if p != nil && spoke {
			h.spoke(p)
		}
		return p
	}
	closed := func(want ...bool) {
		t.Helper()
		for i, c := range conns {
			if c.closed != want[i] {
				t.Errorf("connection %d is closed: %t", i, c.closed)
			}
		}
	}
	first, second := take("192.0.2.1", false), take("192.0.2.1", false)
	take("192.0.2.1", false) // the first makes room
	closed(true, false, false)
	h.giveBack(first) // which has its place no more
	h.spoke(second)
	take("192.0.2.1", true)
	closed(true, false, true, false)
	if take("192.0.2.1", false) != nil {
		t.Error("more places than the share of one source")
	}
	take("2001:db8::1", false)
	take("192.0.2.2", true)
	if h.count() != 4 {
		t.Errorf("%d places are taken", h.count())
	}
	take("192.0.2.3", true) // all are taken, and one is silent
	closed(true, false, true, false, false, true, false, false)
	if take("192.0.2.4", false) != nil {
		t.Error("a place where there is none")
	}
	h.giveBack(second)
	h.giveBack(second)
	if h.count() != 3 || take("192.0.2.1", false) == nil {
		t.Error("a place that was given back is gone")
	}
}

func TestSources(t *testing.T) {
	for _, tt := range []struct {
		one, other string
		same       bool
	}{
		{"192.0.2.1", "192.0.2.1", true}, {"192.0.2.1", "192.0.2.2", false}, {"192.0.2.1", "::ffff:192.0.2.1", true},
		{"2001:db8:0:1::1", "2001:db8:0:1:ffff::2", true}, {"2001:db8:0:1::1", "2001:db8:0:2::1", false}, {"::1", "::2", false},
	} {
		if (sourceOf(from(tt.one).from) == sourceOf(from(tt.other).from)) != tt.same {
			t.Errorf("%s and %s: the same is %t", tt.one, tt.other, !tt.same)
		}
	}
	if sourceOf(&net.UnixAddr{Name: "/x"}) != sourceOf(&net.UnixAddr{Name: "/y"}) {
		t.Error("two sockets are two sources")
	}
}

// Idle connections from one address do not keep others out, even from there.
func TestIdleConnectionsMakeRoom(t *testing.T) {
	r := newRig(t, nil)
	for range maxHandshakesFrom + 20 {
		dial(t, r.address.String())
	}
	connectAs(t, r.address.String(), "ana", r.database)
}
