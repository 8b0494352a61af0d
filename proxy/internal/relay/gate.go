package relay

import (
	"sync"
	"time"
)

// This file holds back a session's messages while a cancel request is on its way. The invariant: what is written while the gate is closed
// was begun before. Start at close.

// writerTime is how long a cancel request waits for bytes that are being written to the server.
const writerTime = 100 * time.Millisecond

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
