package limited

import (
	"container/list"
	"net"
	"net/netip"
	"sync"
)

// This file says who makes room. A connection that waits for a whole request makes room for a new one, the oldest first: so clients that send half a request
// keep nobody out, however many they are and however often they come back. One that is answered may not read its answer either; it makes room where few
// are left that wait. The invariant: whoever holds places without a login cannot keep a new connection from getting one. Start at enter.

// A Listener accepts so many connections at most.
type Listener struct {
	net.Listener
	most, share int
	mu          sync.Mutex     // protects what follows, and the fields of connections
	open        list.List      // of *connection; those come first that have done nothing for longest
	from        map[string]int // how many are open, by network
}

// New bounds a listener to so many connections, of which three quarters may be from one address. A server says by Watch what they do.
func New(l net.Listener, most int) *Listener {
	return &Listener{Listener: l, most: most, share: max(1, most*3/4), from: make(map[string]int)}
}

// A connection is open, and does something.
type connection struct {
	net.Conn
	listener *Listener
	from     string
	doing    doing
	element  *list.Element // nil: it has left
}

// doing says what a connection does.
type doing int

const (
	waiting  doing = iota // for a handshake or a whole request
	answered              // somebody who may be anybody
	kept                  // until the answer is sent: the client is known
)

func (l *Listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := &connection{Conn: conn, listener: l, from: Network(conn.RemoteAddr().String())}
		if l.enter(c) {
			return c, nil
		}
		_ = conn.Close() // whoever is turned away is told nothing
	}
}

// enter counts a connection, if there is room or another one makes it.
func (l *Listener) enter(c *connection) (ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.from[c.from] >= l.share:
		ok = l.makeRoom(l.share, func(other *connection) bool { return other.from == c.from })
	case l.open.Len() >= l.most:
		ok = l.makeRoom(l.most, func(*connection) bool { return true })
	default:
		ok = true
	}
	if ok {
		c.element = l.open.PushBack(c)
		l.from[c.from]++
	}
	return ok
}

// makeRoom disconnects one of those meant, which have so many places; ok=false if all of them are kept. A quarter of the places is for those that wait, so that a
// new connection has time to send its request, whatever the others do. The caller holds mu.
func (l *Listener) makeRoom(places int, meant func(*connection) bool) (ok bool) {
	var first [kept]*connection // by what it does
	var wait int
	for e := l.open.Front(); e != nil; e = e.Next() {
		c := e.Value.(*connection)
		if c.doing == kept || !meant(c) {
			continue
		}
		if first[c.doing] == nil {
			first[c.doing] = c
		}
		if c.doing == waiting {
			wait++
		}
	}
	out := first[waiting]
	if first[answered] != nil && wait <= places/4 {
		out = first[answered]
	}
	if out == nil {
		return false
	}
	l.leave(out)
	_ = out.Conn.Close() // its server finds it closed
	return true
}

// leave frees a place. The caller holds mu.
func (l *Listener) leave(c *connection) {
	if c.element == nil {
		return
	}
	l.open.Remove(c.element)
	c.element = nil
	if l.from[c.from]--; l.from[c.from] == 0 {
		delete(l.from, c.from)
	}
}

// now notes what a connection does.
func (c *connection) now(does doing) {
	c.listener.mu.Lock()
	defer c.listener.mu.Unlock()
	if c.doing = does; c.element != nil {
		c.listener.open.MoveToBack(c.element)
	}
}

func (c *connection) Close() error {
	c.listener.mu.Lock()
	c.listener.leave(c)
	c.listener.mu.Unlock()
	return c.Conn.Close()
}

// Network is an address without its port; of IPv6 the part that one customer has.
func Network(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	if ip = ip.Unmap().WithZone(""); ip.Is4() {
		return ip.String()
	}
	prefix, err := ip.Prefix(64)
	if err != nil {
		return host
	}
	return prefix.String()
}
