package pgtest

import (
	"errors"
	"io"
	"net"
	"sync"
)

// A Relay stands between clients and a server, and breaks their connections where a test says so. It listens on a free port of
// 127.0.0.1, so that a client that connects again comes to the same place.
type Relay struct {
	// Port is where it listens.
	Port int

	listener net.Listener
	running  sync.WaitGroup

	mu     sync.Mutex // protects what follows
	target string
	open   map[*relayed]bool
	cuts   []Cut // of the next connections
	away   bool
	heard  Traffic
	// stalled are the connections on which nothing is delivered any more.
	stalled map[*relayed]bool
}

// Traffic is a number of bytes in each direction.
type Traffic struct{ ToServer, ToClient int64 }

// A Cut says after how many bytes of a direction a connection breaks, both ways; of 0 it does not break there. The bytes before are
// delivered; a reply that lies behind is lost although the server has acted on its request. With Silent it falls silent instead, as by Stall.
type Cut struct {
	ToServer, ToClient int64
	Silent             bool
}

// NewRelay begins to relay to the cluster. The caller must Close it.
func (c *Cluster) NewRelay() (*Relay, error) { return relayTo(c.address()) }

func relayTo(target string) (*Relay, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &Relay{
		Port: listener.Addr().(*net.TCPAddr).Port, target: target, listener: listener, open: make(map[*relayed]bool), stalled: make(map[*relayed]bool),
	}
	r.running.Go(r.accept)
	return r, nil
}

// Next says how the next connections are cut, in their order. Those behind are not. Mind that a client of which a connection was
// cut may connect once more only to say that its request is cancelled.
func (r *Relay) Next(cuts ...Cut) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cuts = cuts
}

// CutAll breaks all connections that are open.
func (r *Relay) CutAll() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.open {
		c.close()
	}
}

// SetAway breaks all connections and refuses new ones, or takes them again.
func (r *Relay) SetAway(away bool) {
	r.mu.Lock()
	r.away = away
	r.mu.Unlock()
	if away {
		r.CutAll()
	}
}

// PointAt has new connections lead to another cluster, as an address that moves with the primary. Those that are open stay where they are.
func (r *Relay) PointAt(c *Cluster) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.target = c.address()
}

// Stall has all connections that are open fall silent, as when the other machine loses its power: what is sent is taken, and goes nowhere,
// and nobody is told. Those that are made afterwards are as ever.
func (r *Relay) Stall() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.open {
		r.stalled[c] = true
	}
}

// deliver passes bytes on, unless the connection has fallen silent.
func (r *Relay) deliver(c *relayed, to io.Writer, b []byte) (int, error) {
	r.mu.Lock()
	stalled := r.stalled[c]
	r.mu.Unlock()
	if stalled {
		return 0, nil
	}
	return to.Write(b)
}

// Heard is what was delivered since NewRelay.
func (r *Relay) Heard() Traffic {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.heard
}

// Close breaks everything off.
func (r *Relay) Close() error {
	err := r.listener.Close()
	r.SetAway(true)
	r.running.Wait()
	return err
}

func (r *Relay) accept() {
	for {
		client, err := r.listener.Accept()
		if err != nil {
			return
		}
		r.mu.Lock()
		target := r.target
		r.mu.Unlock()
		server, err := net.Dial("tcp", target)
		if err != nil {
			client.Close()
			continue
		}
		r.relay(&relayed{client: client, server: server})
	}
}

// relay takes a connection up, unless it is to be refused.
func (r *Relay) relay(c *relayed) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.away {
		c.close()
		return
	}
	r.open[c] = true
	var cut Cut
	if len(r.cuts) > 0 {
		cut, r.cuts = r.cuts[0], r.cuts[1:]
	}
	r.running.Go(func() { r.copy(c, c.server, c.client, cut.ToServer, cut.Silent, &r.heard.ToServer) })
	r.running.Go(func() { r.copy(c, c.client, c.server, cut.ToClient, cut.Silent, &r.heard.ToClient) })
}

// copy delivers until either end closes or limit bytes have gone, and then breaks the connection, or has it fall silent.
func (r *Relay) copy(c *relayed, to io.Writer, from io.Reader, limit int64, silent bool, heard *int64) {
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.stalled[c] && !r.away {
			return // the other end hears of nothing
		}
		c.close()
		delete(r.open, c)
	}()
	buffer := make([]byte, 32<<10)
	for left := limit; ; {
		if limit > 0 && left == 0 {
			if !silent {
				return
			}
			r.mu.Lock()
			r.stalled[c] = true
			r.mu.Unlock()
			limit = 0
		}
		n, err := from.Read(buffer)
		if limit > 0 {
			n = int(min(int64(n), left))
			left -= int64(n)
		}
		count := func(bytes int) {
			r.mu.Lock()
			*heard += int64(bytes)
			r.mu.Unlock()
		}
		count(n) // before the other end can know of it
		written, writeErr := r.deliver(c, to, buffer[:n])
		count(written - n)
		if errors.Join(err, writeErr) != nil {
			return
		}
	}
}

// relayed is one connection through the relay.
type relayed struct{ client, server net.Conn }

func (c *relayed) close() {
	c.client.Close()
	c.server.Close()
}
