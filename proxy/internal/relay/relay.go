package relay

import (
	"errors"
	"net"
	"sync"
	"sync/atomic"
)

var (
	// ErrClient wraps every error of reading from or writing to the client.
	ErrClient = errors.New("client")
	// ErrServer wraps every error of reading from or writing to the server.
	ErrServer = errors.New("server")
	// ErrEnded is returned when the session is over while its sender still works.
	ErrEnded = errors.New("the session has ended")
	// ErrSkipped is returned when the server skips the message being handled, because something before it failed.
	ErrSkipped = errors.New("the server skips to the next Sync")
	// ErrTooLarge is returned when a message of the proxy's own is larger than the protocol allows. Nothing was sent.
	ErrTooLarge = errors.New("a message of the proxy's own is larger than the protocol allows")
)

// A Relay is a client's connection and its own connection to the server. Two goroutines work on it: Inbound writes to the server, Outbound
// writes to the client and to nothing else, so that neither can be stopped by the other's peer. Inbound writes to the client only when
// the server has nothing to do (see Inbound.Answer).
type Relay struct {
	Client, Server net.Conn

	replies *replies
	gate    *gate
	// clientGone is set once the client has said goodbye or is gone.
	clientGone atomic.Bool
	// reading is set while the client is waited for, and activity counts what came from it and from the server.
	reading  atomic.Bool
	activity atomic.Uint64
	// clientMu is held by who writes to the client. It protects atBoundary: whether a message of our own may follow what was written.
	clientMu   sync.Mutex
	atBoundary bool
	// longestEdited bounds the messages of the server that are held as a whole, in order to edit them.
	longestEdited int
}

// New returns a relay between connections that are logged in; status is that of the server's first ReadyForQuery, longestRow bounds the
// rows that come back from a round trip.
func New(client, server net.Conn, status byte, longestRow int) *Relay {
	return &Relay{Client: newSocket(client), Server: newSocket(server), replies: newReplies(status), gate: newGate(),
		longestEdited: longestRow + 1<<16, atBoundary: true}
}

// End tells a sender that waits that there will be no more replies.
func (r *Relay) End() { r.replies.end() }

// ClientGone says whether the client has said goodbye or is gone.
func (r *Relay) ClientGone() bool { return r.clientGone.Load() }

// A Standing is what a session is doing.
type Standing int

const (
	Active        Standing = iota // somebody works for the client
	Idle                          // outside of a transaction block
	InTransaction                 // idle in a transaction block, or in a pipeline that no Sync has ended
)

// Standing is what the session is doing, and a number that is another one when something has happened since.
func (r *Relay) Standing() (now Standing, activity uint64) {
	activity = r.activity.Load()
	if !r.reading.Load() {
		return Active, activity
	}
	return r.replies.standing(), activity
}

// HalfClose tells the server that the client is gone, ok=false if the connection cannot be closed in one direction.
func (r *Relay) HalfClose() (ok bool) {
	r.clientGone.Store(true)
	half, ok := r.Server.(interface{ CloseWrite() error })
	return ok && half.CloseWrite() == nil
}

// Hold holds back what is sent to the server until release is called, ok=false if it is held back already or the server owes no reply.
func (r *Relay) Hold() (release func(), ok bool) {
	if !r.gate.close() {
		return nil, false
	}
	if !r.replies.busy() {
		r.gate.open()
		return nil, false
	}
	return r.gate.open, true
}
