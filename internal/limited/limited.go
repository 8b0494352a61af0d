package limited

import (
	"net"
	"net/netip"
	"sync"
)

// A Listener accepts so many connections at most.
type Listener struct {
	net.Listener
	share int
	room  chan struct{}
	mu    sync.Mutex     // protects from
	from  map[string]int // open connections, by network
}

// New bounds a listener to so many connections, of which three quarters may be from one address.
func New(l net.Listener, most int) *Listener {
	return &Listener{Listener: l, share: max(1, most*3/4), room: make(chan struct{}, most), from: make(map[string]int)}
}

func (l *Listener) Accept() (net.Conn, error) {
	l.room <- struct{}{}
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			<-l.room
			return nil, err
		}
		from := Network(conn.RemoteAddr().String())
		if l.enter(from) {
			return &connection{Conn: conn, leave: sync.OnceFunc(func() { l.leave(from) })}, nil
		}
		_ = conn.Close() // whoever is turned away is told nothing
	}
}

// enter counts a connection, if its network has had less than its share.
func (l *Listener) enter(from string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.from[from] >= l.share {
		return false
	}
	l.from[from]++
	return true
}

func (l *Listener) leave(from string) {
	l.mu.Lock()
	if l.from[from]--; l.from[from] == 0 {
		delete(l.from, from)
	}
	l.mu.Unlock()
	<-l.room
}

// A connection leaves room for another one when it is closed.
type connection struct {
	net.Conn
	leave func()
}

func (c *connection) Close() error {
	defer c.leave()
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
