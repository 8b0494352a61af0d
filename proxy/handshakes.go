package proxy

import (
	"container/list"
	"net"
	"net/netip"
	"sync"
)

// This file bounds the connections that are not logged in; those that are, package limits does. The invariant: there are never more than most of them, nor more than share from one
// source, and who has said nothing makes room for who comes later. Start at handshakes.take.

const (
	// maxHandshakes bounds the connections that are not logged in, and maxHandshakesFrom those from one source.
	maxHandshakes     = 512
	maxHandshakesFrom = maxHandshakes / 4
)

// handshakes are the connections that are not logged in. Their places are few: a client that connects and says nothing takes one from those who
// would log in. So the oldest silent one is closed when there is no place left.
type handshakes struct {
	mu          sync.Mutex // protects what follows
	most, share int
	silent      list.List // of *place, the oldest first
	from        map[netip.Prefix]int
	taken       int
}

// A place is that of one connection.
type place struct {
	conn   net.Conn
	from   netip.Prefix
	silent *list.Element // nil once the connection has asked for something
	gone   bool
}

func newHandshakes(most, share int) *handshakes {
	return &handshakes{most: most, share: share, from: make(map[netip.Prefix]int)}
}

// take gives a connection that comes from an address a place, nil if there is none.
func (h *handshakes) take(conn net.Conn, from net.Addr) *place {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := &place{conn: conn, from: sourceOf(from)}
	switch {
	case h.from[p.from] >= h.share:
		if !h.evict(func(other *place) bool { return other.from == p.from }) {
			return nil
		}
	case h.taken >= h.most:
		if !h.evict(func(*place) bool { return true }) {
			return nil
		}
	}
	p.silent = h.silent.PushBack(p)
	h.taken++
	h.from[p.from]++
	return p
}

// evict closes the oldest silent connection of those meant, ok=false if there is none. The caller holds mu.
func (h *handshakes) evict(meant func(*place) bool) (ok bool) {
	for e := h.silent.Front(); e != nil; e = e.Next() {
		if p := e.Value.(*place); meant(p) {
			h.leave(p)
			p.conn.Close()
			return true
		}
	}
	return false
}

// leave frees a place. The caller holds mu.
func (h *handshakes) leave(p *place) {
	if p.gone {
		return
	}
	p.gone = true
	h.speak(p)
	h.taken--
	if h.from[p.from]--; h.from[p.from] == 0 {
		delete(h.from, p.from)
	}
}

func (h *handshakes) speak(p *place) {
	if p.silent != nil {
		h.silent.Remove(p.silent)
		p.silent = nil
	}
}

// spoke notes that a connection is not silent: it is not closed for another one's sake any more.
func (h *handshakes) spoke(p *place) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.speak(p)
}

// giveBack frees a place, if it was not taken away.
func (h *handshakes) giveBack(p *place) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.leave(p)
}

// count is the number of places that are taken.
func (h *handshakes) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.taken
}

// sourceOf is where a connection comes from: an address, of IPv6 the network that one host usually has for itself. All that come through a socket
// of this machine are one source.
func sourceOf(address net.Addr) netip.Prefix {
	tcp, ok := address.(*net.TCPAddr)
	if !ok {
		return netip.Prefix{}
	}
	ip := tcp.AddrPort().Addr().Unmap()
	bits := ip.BitLen()
	if ip.Is6() && !ip.IsLoopback() {
		bits = 64
	}
	prefix, err := ip.WithZone("").Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return prefix
}
