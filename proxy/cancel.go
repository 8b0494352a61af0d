package proxy

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/binary"
	"sync"
	"time"
)

const (
	// cancelTime is how long a cancel request may take to reach the server. Meanwhile the session sends nothing.
	cancelTime = 3 * time.Second
	// maxCancels bounds the cancel requests that are on their way to the server at one time, for all sessions.
	maxCancels = 16
	// writerTime is how long a cancel request waits for bytes that are being written to the server.
	writerTime = 100 * time.Millisecond
	// maxWrongSecrets is how many wrong secrets may be tried on a session before its key is worth nothing any more: process ids are
	// no secret, and four bytes can be guessed in some days.
	maxWrongSecrets = 1000
)

// A cancelKey is what a client shows to cancel a statement from another connection. The secret is random, and not the server's.
type cancelKey struct {
	// id is the id of the session's process on the server, as drivers expect: they compare it with the sender of a notification and
	// hand it to pg_terminate_backend.
	id     uint32
	secret [4]byte
}

// parseCancelKey reads the rest of a cancel request. Our secrets have four bytes.
func parseCancelKey(b []byte) (*cancelKey, error) {
	if len(b) != 8 {
		return nil, errStartupLength
	}
	return &cancelKey{id: binary.BigEndian.Uint32(b), secret: [4]byte(b[4:])}, nil
}

func (k cancelKey) appendTo(dst []byte) []byte {
	dst, mark := beginMessage(dst, 'K')
	dst = binary.BigEndian.AppendUint32(dst, k.id)
	return endMessage(append(dst, k.secret[:]...), mark)
}

// cancelKeys are the keys of all sessions.
type cancelKeys struct {
	mu       sync.Mutex // protects sessions
	sessions map[uint32]*keyed
	// forwarding holds a token for each cancel request on its way to the server.
	forwarding chan struct{}
}

type keyed struct {
	secret  [4]byte
	session *session
	wrong   int // how many wrong secrets were tried
}

func newCancelKeys() *cancelKeys {
	return &cancelKeys{sessions: make(map[uint32]*keyed), forwarding: make(chan struct{}, maxCancels)}
}

// issue makes a new key for a session from the id of its process on the server. The id is another one if there is none, or if a
// session whose process has ended, and which is about to end itself, still has it.
func (c *cancelKeys) issue(s *session, process uint32) cancelKey {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := cancelKey{id: process}
	for k.id == 0 || c.sessions[k.id] != nil {
		var random [4]byte
		rand.Read(random[:])
		k.id = binary.BigEndian.Uint32(random[:]) >> 1 // process ids are positive
	}
	rand.Read(k.secret[:])
	c.sessions[k.id] = &keyed{secret: k.secret, session: s}
	return k
}

func (c *cancelKeys) withdraw(k cancelKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.sessions, k.id)
}

// find returns the session of a key, or nil.
func (c *cancelKeys) find(k cancelKey) *session {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := c.sessions[k.id]
	switch {
	case found == nil || found.wrong >= maxWrongSecrets:
		return nil
	case subtle.ConstantTimeCompare(found.secret[:], k.secret[:]) != 1:
		found.wrong++
		return nil
	}
	return found.session
}

// cancel does what a cancel request asks for. As in PostgreSQL the client is not told whether that was anything.
func (c *cancelKeys) cancel(k cancelKey) {
	session := c.find(k)
	if session == nil {
		return
	}
	select {
	case c.forwarding <- struct{}{}:
		defer func() { <-c.forwarding }()
		session.cancelStatement()
	default: // too many already
	}
}

// cancelStatement cancels the session's statement, be it a count that the proxy waits for, or at work on the server.
func (s *session) cancelStatement() {
	if s.answering.stop() || !s.gate.close() {
		return
	}
	defer s.gate.open()
	if !s.replies.busy() {
		return
	}
	ctx, cancel := context.WithTimeout(s.ctx, cancelTime)
	defer cancel()
	if err := s.up.cancel(ctx); err != nil {
		s.log.Warn("cancel request did not reach the server", "error", err)
	}
}

// An answering is a count that the proxy waits for on behalf of a session.
type answering struct {
	mu     sync.Mutex         // protects cancel
	cancel context.CancelFunc // ends the count under way; nil if there is none
}

// begin says that a count can be cancelled until the returned function is called.
func (a *answering) begin(cancel context.CancelFunc) (end func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cancel = cancel
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.cancel = nil
		cancel()
	}
}

// stop cancels the count under way, ok=false if there is none.
func (a *answering) stop() (ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.cancel == nil {
		return false
	}
	a.cancel()
	return true
}

// A gate holds back what a session sends while a cancel request is on its way to the server, so that the request arrives while
// the statement is at work that it was meant for, or none. What was sent along with that statement may still be hit, as in
// PostgreSQL.
type gate struct {
	mu      sync.Mutex // protects what follows
	changed sync.Cond
	closed  bool // a cancel request is on its way
	passing bool // bytes are being written
}

func newGate() *gate {
	g := &gate{}
	g.changed.L = &g.mu
	return g
}

// enter waits until the gate is open. The caller calls leave when its bytes are written.
func (g *gate) enter() {
	g.mu.Lock()
	for g.closed {
		g.changed.Wait()
	}
	g.passing = true
	g.mu.Unlock()
}

func (g *gate) leave() {
	g.mu.Lock()
	g.passing = false
	if g.closed {
		g.changed.Broadcast()
	}
	g.mu.Unlock()
}

// close closes the gate when nothing passes, ok=false if it is closed already. A writer that the server, being busy, keeps waiting
// is not waited for longer than writerTime: what it has not written will not be read while the statement is at work.
func (g *gate) close() (ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	g.closed = true
	late := false
	timer := time.AfterFunc(writerTime, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		late = true
		g.changed.Broadcast()
	})
	defer timer.Stop()
	for g.passing && !late {
		g.changed.Wait()
	}
	return true
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = false
	g.changed.Broadcast()
}
