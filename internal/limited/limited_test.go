package limited

import (
	"net"
	"testing"
	"time"
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

// A listener lets as many in as there is room for, and others when one leaves. Closing twice leaves once.
func TestListener(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := New(inner, 1)
	defer l.Close()
	for range 3 {
		dial(t, inner)
		accepted, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if len(l.room) != 1 || len(l.from) != 1 {
			t.Errorf("%d connections are counted, from %d networks", len(l.room), len(l.from))
		}
		accepted.Close()
		accepted.Close()
		if len(l.room) != 0 || len(l.from) != 0 {
			t.Errorf("%d connections are counted, from %d networks, when none is open", len(l.room), len(l.from))
		}
	}
}

// One address gets three quarters of the room. What it has beyond is closed, and another address comes in.
func TestShare(t *testing.T) {
	inner, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	l := New(inner, 8)
	defer l.Close()
	_, port, err := net.SplitHostPort(inner.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	from := func(address string) net.Conn {
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
		conn, err := d.Dial("tcp", "127.0.0.1:"+port)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		return conn
	}
	for range 6 {
		from("127.0.0.1")
		if _, err := l.Accept(); err != nil {
			t.Fatal(err)
		}
	}
	refused := from("127.0.0.1")
	from("127.0.0.2")
	accepted, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	if got := Network(accepted.RemoteAddr().String()); got != "127.0.0.2" {
		t.Errorf("accepted a connection from %s", got)
	}
	if err := refused.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if _, err := refused.Read(make([]byte, 1)); err == nil {
		t.Error("the seventh connection from an address is open")
	}
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
