package proxy

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/binary"
	"sync"

	"tacit/proxy/internal/wire"
)

// This file finds the session that a cancel request is for. The invariant: nobody cancels a statement without her session's secret, and
// the client is not told whether there was anything to cancel, as in PostgreSQL. Start at cancelKeys.

const (
	// maxCancels bounds the cancel requests that are on their way to the server at one time, for all sessions.
	maxCancels = 16
	// maxWrongSecrets is how many wrong secrets may be tried on a session before its key is worth nothing any more: process ids are
	// no secret, and four bytes can be guessed in some days.
	maxWrongSecrets = 1000
)

// cancelKeys are the keys of all sessions. A key's id is that of the session's process on the server, as drivers expect: they compare it
// with the sender of a notification and hand it to pg_terminate_backend. Its secret is random, and not the server's.
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
func (c *cancelKeys) issue(s *session, process uint32) wire.CancelKey {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := wire.CancelKey{ID: process}
	for k.ID == 0 || c.sessions[k.ID] != nil {
		var random [4]byte
		rand.Read(random[:])
		k.ID = binary.BigEndian.Uint32(random[:]) >> 1 // process ids are positive
	}
	rand.Read(k.Secret[:])
	c.sessions[k.ID] = &keyed{secret: k.Secret, session: s}
	return k
}

func (c *cancelKeys) withdraw(k wire.CancelKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.sessions, k.ID)
}

// find returns the session of a key, or nil.
func (c *cancelKeys) find(k wire.CancelKey) *session {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := c.sessions[k.ID]
	switch {
	case found == nil || found.wrong >= maxWrongSecrets:
		return nil
	case subtle.ConstantTimeCompare(found.secret[:], k.Secret[:]) != 1:
		found.wrong++
		return nil
	}
	return found.session
}

// cancel does what a cancel request asks for. As in PostgreSQL the client is not told whether that was anything.
func (c *cancelKeys) cancel(k wire.CancelKey) {
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
