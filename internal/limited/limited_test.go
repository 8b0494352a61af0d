package limited

import (
	"errors"
	"net"
	"slices"
	"testing"
)

func dial(t *testing.T, l net.Listener) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// accept takes the next connection in.
func accept(t *testing.T, l *Listener) *connection {
	t.Helper()
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn.(*connection)
}

// A place is free when its connection is closed. Closing twice frees one.
func TestListener(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := New(inner, 1)
	defer l.Close()
	for range 3 {
		dial(t, inner)
		accepted := accept(t, l)
		if l.open.Len() != 1 || len(l.from) != 1 {
			t.Errorf("%d connections are counted, from %d networks", l.open.Len(), len(l.from))
		}
		accepted.Close()
		accepted.Close()
		if l.open.Len() != 0 || len(l.from) != 0 {
			t.Errorf("%d connections are counted, from %d networks, when none is open", l.open.Len(), len(l.from))
		}
	}
}

// places are connections of a listener for eight, by when they came; those of an address are named by it.
type places struct {
	t    *testing.T
	l    *Listener
	port string
	open []*connection
}

func newPlaces(t *testing.T) *places {
	inner, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { inner.Close() })
	_, port, err := net.SplitHostPort(inner.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return &places{t: t, l: New(inner, 8), port: port}
}

// come connects so often from an address.
func (p *places) come(from string, times int, does doing) {
	p.t.Helper()
	for range times {
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
		conn, err := d.Dial("tcp", "127.0.0.1:"+p.port)
		if err != nil {
			p.t.Fatal(err)
		}
		p.t.Cleanup(func() { conn.Close() })
		c := accept(p.t, p.l)
		if c.from != from {
			p.t.Fatalf("accepted a connection from %s, and not from %s", c.from, from)
		}
		c.now(does)
		p.open = append(p.open, c)
	}
}

// left compares the connections that made room.
func (p *places) left(want ...int) {
	p.t.Helper()
	var got []int
	for i, c := range p.open {
		if c.element != nil {
			continue
		}
		got = append(got, i)
		if _, err := c.Conn.Write([]byte{0}); !errors.Is(err, net.ErrClosed) {
			p.t.Errorf("connection %d made room, and is not closed: %v", i, err)
		}
	}
	if !slices.Equal(got, want) {
		p.t.Errorf("connections %v made room, and not %v", got, want)
	}
}

// One address gets three quarters of the places. Beyond, the oldest of its own connections that wait make room, and nobody else's.
func TestShare(t *testing.T) {
	p := newPlaces(t)
	p.come("127.0.0.2", 1, waiting)
	p.come("127.0.0.1", 6, waiting)
	p.left()
	p.come("127.0.0.1", 2, waiting)
	p.left(1, 2)
	p.come("127.0.0.2", 1, waiting)
	p.left(1, 2)
	if p.l.open.Len() != 8 || p.l.from["127.0.0.1"] != 6 || p.l.from["127.0.0.2"] != 2 {
		t.Errorf("%d connections are counted: %v", p.l.open.Len(), p.l.from)
	}
}

// Two addresses that have all places do not keep a third one out.
func TestAllPlaces(t *testing.T) {
	p := newPlaces(t)
	p.come("127.0.0.1", 4, waiting)
	p.come("127.0.0.2", 4, waiting)
	p.open[0].now(waiting) // it was answered meanwhile
	p.come("127.0.0.3", 2, waiting)
	p.left(1, 2)
}

// What is answered makes room where no more than a quarter of the places wait, and what is kept never does.
func TestWhoMakesRoom(t *testing.T) {
	p := newPlaces(t)
	p.come("127.0.0.1", 2, kept)
	p.come("127.0.0.2", 3, answered)
	p.come("127.0.0.3", 3, waiting)
	p.come("127.0.0.4", 1, waiting) // three of eight wait
	p.left(5)
	p.open[6].now(answered)
	p.come("127.0.0.4", 1, waiting) // two wait
	p.left(2, 5)
	p.come("127.0.0.4", 1, waiting) // three wait, the oldest since it came
	p.left(2, 5, 7)
	for _, c := range p.open {
		c.now(kept)
	}
	conn := dial(t, p.l.Listener)
	p.l.Listener = onlyOnce{p.l.Listener}
	if _, err := p.l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("there is no place, and the error is %v", err)
	}
	if _, err := conn.Read(make([]byte, 1)); err == nil {
		t.Error("who has no place is not disconnected")
	}
	p.left(2, 5, 7)
}

// onlyOnce is closed when it has accepted a connection.
type onlyOnce struct{ net.Listener }

func (l onlyOnce) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	l.Listener.Close()
	return conn, err
}

func TestNetwork(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.7:5555": "192.0.2.7", "[::ffff:192.0.2.7]:1": "192.0.2.7", "[2001:db8::1]:5": "2001:db8::/64", "[2001:db8::ffff:1]:6": "2001:db8::/64", "[fe80::1%eth0]:1": "fe80::/64", "@": "@",
	} {
		if got := Network(address); got != want {
			t.Errorf("Network(%q) = %q, want %q", address, got, want)
		}
	}
}
