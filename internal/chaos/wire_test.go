package chaos

import (
	"bytes"
	"errors"
	"maps"
	"net"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"tacit/internal/pgtest"
)

// This file disturbs the curator's connections at a byte that a test names. A connection is a row of phases: each begins with a request that has a text in it, and lasts
// until the next one. A disturbance is done once, to the first connection that comes to its phase. Start at wire.

// phases are those of a connection by which a count is made, in their order; the first one begins by itself.
var phases = []struct{ name, text string }{
	{"login", ""}, {"check", "name IN ('server_version', 'server_version_num')"}, {"idle", "-- ping"}, {"begin", "BEGIN ISOLATION LEVEL"}, {"count", " AS c1 FROM "}, {"commit", "COMMIT"},
}

// lookText is in what the proxy asks before each statement, on a connection of its own.
const lookText = "A digest of what CheckSeparation reads"

// cancelling begins a request to cancel.
var cancelling = []byte{0, 0, 0, 16, 4, 210, 22, 46}

// A disturbance is what is done to a connection in a phase, after so many bytes of its requests or of its replies.
type disturbance struct {
	phase    string
	toServer bool
	after    int
	do       func(*tapped)
	begun    chan struct{} // closed when it begins
	done     chan struct{} // closed when it is done
}

func (d *disturbance) run(c *tapped) {
	close(d.begun)
	d.do(c)
	close(d.done)
}

// A wire stands between the proxy and its server, for the curator alone.
type wire struct {
	port     int
	target   string
	listener net.Listener
	running  sync.WaitGroup

	mu      sync.Mutex // protects what follows
	open    map[*tapped]bool
	armed   *disturbance
	merges  bool              // what comes within a moment is passed on as one
	single  bool              // each byte is passed on by itself
	lengths map[string][2]int // of the phases that were seen last: bytes of the replies and of the requests
}

func newWire(t *testing.T, c *pgtest.Cluster) *wire {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	port := listener.Addr().(*net.TCPAddr).Port
	w := &wire{port: port, target: net.JoinHostPort(c.Host, strconv.Itoa(c.Port)), listener: listener, open: make(map[*tapped]bool), lengths: make(map[string][2]int)}
	w.running.Go(w.accept)
	t.Cleanup(func() {
		listener.Close()
		w.cut(func(*tapped) bool { return true })
		w.running.Wait()
	})
	return w
}

// A tapped connection is one through a wire.
type tapped struct {
	wire           *wire
	client, server net.Conn
	// What follows is protected by the wire's mutex.
	phase  string
	seen   [2]int // bytes of the phase: of replies, and of requests
	beside bool   // it is none of a count: it has sent lookText, or a request to cancel
	silent bool   // nothing is passed on any more
	ended  bool
}

func (w *wire) accept() {
	for {
		client, err := w.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", w.target)
		if err != nil {
			client.Close()
			continue
		}
		c := &tapped{wire: w, client: client, server: server, phase: "login"}
		w.mu.Lock()
		w.open[c] = true
		w.mu.Unlock()
		w.running.Go(func() { c.pass(client, server, true) })
		w.running.Go(func() { c.pass(server, client, false) })
	}
}

// due takes the disturbance that is to be done before byte n of a phase's direction, if there is one. A connection that is silent has been disturbed already: what its
// client still says is its goodbye.
func (w *wire) due(c *tapped, toServer bool, n int) *disturbance {
	w.mu.Lock()
	defer w.mu.Unlock()
	d := w.armed
	if d == nil || c.beside || c.silent || d.phase != c.phase || d.toServer != toServer || d.after > n {
		return nil
	}
	w.armed = nil
	return d
}

// pass passes on what one side says, until it ends. Whoever ends a connection that is silent ends both sides.
func (c *tapped) pass(from, to net.Conn, toServer bool) {
	defer c.leave(from)
	buffer := make([]byte, 64<<10)
	for {
		n, err := c.read(from, buffer)
		if n > 0 && !c.passOn(buffer[:n], to, toServer) || err != nil {
			return
		}
	}
}

// read reads what there is, or all that comes within a moment.
func (c *tapped) read(from net.Conn, buffer []byte) (n int, err error) {
	n, err = from.Read(buffer)
	c.wire.mu.Lock()
	merges := c.wire.merges
	c.wire.mu.Unlock()
	for merges && err == nil && n < len(buffer) {
		from.SetReadDeadline(time.Now().Add(2 * time.Millisecond))
		more, late := from.Read(buffer[n:])
		from.SetReadDeadline(time.Time{})
		if n += more; late != nil {
			if !errors.Is(late, os.ErrDeadlineExceeded) {
				err = late
			}
			break
		}
	}
	return n, err
}

// leave ends what is left of a connection of which one side has ended. A client whose server has vanished hears nothing of that.
func (c *tapped) leave(from net.Conn) {
	w := c.wire
	w.mu.Lock()
	defer w.mu.Unlock()
	if c.silent && from == c.server && !c.ended {
		return
	}
	c.close()
}

// close is called with the wire's mutex held.
func (c *tapped) close() {
	c.ended = true
	c.client.Close()
	c.server.Close()
	delete(c.wire.open, c)
}

// passOn passes bytes on, and does on the way what is due.
func (c *tapped) passOn(b []byte, to net.Conn, toServer bool) (goesOn bool) {
	before := c.note(b, toServer)
	if d := c.wire.due(c, toServer, before+len(b)-1); d != nil {
		head := max(0, d.after-before)
		if !c.write(to, b[:head]) {
			return false
		}
		d.run(c)
		b = b[head:]
	}
	return c.write(to, b)
}

// note finds out to which phase bytes belong, and how many there were before them.
func (c *tapped) note(b []byte, toServer bool) (before int) {
	w := c.wire
	w.mu.Lock()
	defer w.mu.Unlock()
	if toServer {
		c.beside = c.beside || bytes.Contains(b, []byte(lookText)) || c.phase == "login" && bytes.HasPrefix(b, cancelling)
		for _, p := range phases {
			if p.text != "" && bytes.Contains(b, []byte(p.text)) {
				c.phase, c.seen = p.name, [2]int{}
			}
		}
	}
	direction := 0
	if toServer {
		direction = 1
	}
	before = c.seen[direction]
	c.seen[direction] += len(b)
	if !c.beside {
		w.lengths[c.phase] = [2]int{max(w.lengths[c.phase][0], c.seen[0]), max(w.lengths[c.phase][1], c.seen[1])}
	}
	return before
}

func (c *tapped) write(to net.Conn, b []byte) bool {
	c.wire.mu.Lock()
	silent, ended, most := c.silent, c.ended, max(1, len(b))
	if c.wire.single {
		most = 1
	}
	c.wire.mu.Unlock()
	if silent || ended {
		return !ended
	}
	for piece := range slices.Chunk(b, most) {
		if _, err := to.Write(piece); err != nil {
			return false
		}
	}
	return true
}

// cut ends connections.
func (w *wire) cut(which func(*tapped) bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.open {
		if which(c) {
			c.close()
		}
	}
}

// cutCounters ends the connections by which counts are made, but for those that are silent, so that the next count makes another.
func (w *wire) cutCounters() { w.cut(func(c *tapped) bool { return !c.beside && !c.silent }) }

// arm has a disturbance done next.
func (w *wire) arm(phase string, toServer bool, after int, do func(*tapped)) *disturbance {
	d := &disturbance{phase: phase, toServer: toServer, after: after, do: do, begun: make(chan struct{}), done: make(chan struct{})}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.armed = d
	return d
}

// disarm reports whether the last disturbance was done, and has it not be done any more. One that has begun is waited for: its effect may be heard before it
// is over.
func (w *wire) disarm(d *disturbance) (done bool) {
	w.mu.Lock()
	waits := w.armed == d
	w.armed = nil
	w.mu.Unlock()
	if waits {
		return false
	}
	<-d.done
	return true
}

func (w *wire) seen() map[string][2]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.lengths)
}

// set says in which pieces bytes are passed on from now on.
func (w *wire) set(merges, single bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.merges, w.single = merges, single
}

// What can be done to a connection.

// split has what comes next come later, in a packet of its own.
func split(*tapped) { time.Sleep(time.Millisecond) }

func end(c *tapped) {
	c.wire.mu.Lock()
	defer c.wire.mu.Unlock()
	c.close()
}

// reset ends it without leave, so that what was sent and not read is lost.
func reset(c *tapped) {
	c.client.(*net.TCPConn).SetLinger(0)
	c.server.(*net.TCPConn).SetLinger(0)
	end(c)
}

// halfClose ends what the proxy hears. It may say on what it wants to.
func halfClose(c *tapped) {
	c.mute()
	c.client.(*net.TCPConn).CloseWrite()
}

// fallSilent has both sides think that the other one says nothing.
func fallSilent(c *tapped) { c.mute() }

// vanish ends the server's side, of which the proxy hears nothing.
func vanish(c *tapped) {
	c.mute()
	c.server.Close()
}

func (c *tapped) mute() {
	c.wire.mu.Lock()
	defer c.wire.mu.Unlock()
	c.silent = true
}
