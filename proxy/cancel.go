package proxy

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/binary"
	"net"
	"net/netip"
	"sync"
	"time"

	"tacit/proxy/internal/wire"
)

// This file finds the session that a cancel request is for. The invariant: nobody cancels a statement without her session's secret, and
// the client is not told whether there was anything to cancel, as in PostgreSQL. Start at cancelKeys.

const (
	// maxCancels bounds the cancel requests that are on their way to the server at one time, for all sessions.
	maxCancels = 16
	// maxWrongSecrets is how many wrong secrets may be tried on a session at once, and forgetEvery how long it takes until one of them does not
	// count any more: process ids are no secret, and four bytes could be guessed in some days. At this pace it takes decades.
	maxWrongSecrets = 1000
	forgetEvery     = time.Second
)

// cancelKeys are the keys of all sessions. A key's id is that of the session's process on the server, as drivers expect: they compare it
// with the sender of a notification and hand it to pg_terminate_backend. Its secret is random, and not the server's.
type cancelKeys struct {
	mu       sync.Mutex // protects sessions
	sessions map[uint32]*keyed
	// forwarding holds a token for each cancel request on its way to the server.
	forwarding chan struct{}
	now        func() time.Time
}

type keyed struct {
	secret  string
	session *session
	from    netip.Prefix // where the session's client is
	// Wrong secrets from there are counted apart, so that nobody elsewhere disables the client's own cancel requests.
	wrongHere, wrongElsewhere guesses
}

// guesses count wrong secrets. They are forgotten, one after another.
type guesses struct {
	count int
	since time.Time // when the oldest began to be forgotten
}

// left forgets what is old enough, and says whether another guess may be made.
func (g *guesses) left(now time.Time) bool {
	forgotten := int(min(now.Sub(g.since)/forgetEvery, maxWrongSecrets))
	if forgotten > 0 {
		g.count, g.since = max(0, g.count-forgotten), g.since.Add(time.Duration(forgotten)*forgetEvery)
	}
	if g.count == 0 {
		g.since = now
	}
	return g.count < maxWrongSecrets
}

func newCancelKeys() *cancelKeys {
	return &cancelKeys{sessions: make(map[uint32]*keyed), forwarding: make(chan struct{}, maxCancels), now: time.Now}
}

// issue makes a new key for a session from the id of its process on the server. The id is another one if there is none, or if a
// session whose process has ended, and which is about to end itself, still has it.
func (c *cancelKeys) issue(s *session, process uint32, secretBytes int, client net.Addr) wire.CancelKey {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := wire.CancelKey{ID: process}
	for k.ID == 0 || c.sessions[k.ID] != nil {
		var random [4]byte
		rand.Read(random[:])
		k.ID = binary.BigEndian.Uint32(random[:]) >> 1 // process ids are positive
	}
	secret := make([]byte, secretBytes)
	rand.Read(secret)
	k.Secret = string(secret)
	c.sessions[k.ID] = &keyed{secret: k.Secret, session: s, from: sourceOf(client)}
	return k
}

// all are the sessions that have a key.
func (c *cancelKeys) all() (sessions []*session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range c.sessions {
		sessions = append(sessions, k.session)
	}
	return sessions
}

func (c *cancelKeys) withdraw(k wire.CancelKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.sessions, k.ID)
}

// find returns the session of a key that was shown by a client, or nil. Long secrets need no count: nobody guesses them.
func (c *cancelKeys) find(k wire.CancelKey, client net.Addr) *session {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := c.sessions[k.ID]
	if found == nil {
		return nil
	}
	wrong := &found.wrongElsewhere
	if found.from == sourceOf(client) {
		wrong = &found.wrongHere
	}
	switch {
	case len(found.secret) == wire.ShortSecretBytes && !wrong.left(c.now()):
		return nil
	case subtle.ConstantTimeCompare([]byte(found.secret), []byte(k.Secret)) != 1:
		wrong.count++
		return nil
	}
	return found.session
}

// cancel does what a cancel request asks for. As in PostgreSQL the client is not told whether that was anything.
func (c *cancelKeys) cancel(k wire.CancelKey, client net.Addr) {
	session := c.find(k, client)
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
