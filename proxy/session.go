package proxy

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"tacit/policy"
)

const (
	// drainTime is how long the server may take to answer what came before a message that ends the session.
	drainTime = 5 * time.Second
	// farewellTime is how long a client may take to read why its session ends.
	farewellTime = 2 * time.Second
	// lingerTime and lingerBytes bound what is read from a client that was told that its session ends.
	lingerTime  = 100 * time.Millisecond
	lingerBytes = 1 << 20
)

// A session is one analyst's connection and its own connection to the server, from login to the end. Two goroutines work on it:
// inbound writes to the server and to nothing else, outbound writes to the client and to nothing else, so that neither can
// be stopped by the other's peer. Everything that the client is to see, refusals too, passes through outbound in sequence.
type session struct {
	proxy   *Proxy
	analyst string
	client  net.Conn
	server  net.Conn
	up      *upstream
	log     *slog.Logger

	ctx    context.Context
	cancel context.CancelFunc

	// privateName is that of the proxy's own statement and portal on the server.
	privateName string

	replies    *replies
	statements *statements
	answering  answering
	gate       *gate

	// parting is set once the client has said goodbye or is gone.
	parting atomic.Bool

	mu    sync.Mutex // protects cause
	cause error      // why the session ends, if for a reason that the client is told
}

func newSession(p *Proxy, analyst string, client net.Conn, up *upstream) *session {
	ctx, cancel := context.WithCancel(p.ctx)
	return &session{
		proxy: p, analyst: analyst, client: newSocket(client), server: newSocket(up.conn), up: up,
		log: p.log.With("analyst", analyst, "client", client.RemoteAddr().String()),
		ctx: ctx, cancel: cancel,
		privateName: "tacit:" + rand.Text(),
		replies:     newReplies(up.status),
		statements:  newStatements(),
		gate:        newGate(),
	}
}

// limits are those in force now.
func (s *session) limits() policy.Limits { return s.proxy.door.Policy().Limits }

// run relays until either side is gone, then closes both.
func (s *session) run() {
	stop := context.AfterFunc(s.proxy.ctx, func() {
		s.end(fatalf("57P01", "terminating connection due to administrator command"))
	})
	defer stop()
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		s.send()
	}()
	out := newOutbound(s)
	err := out.run()
	s.cancel()
	s.replies.end()
	said := s.sayFarewell(out, err)
	s.server.Close()
	s.client.SetReadDeadline(time.Now())
	<-sent
	if said {
		linger(s.client)
	}
	s.client.Close()
}

// linger reads what a client still sends after we said our last word. Closing at once could reset the connection before the client
// has read that word.
func linger(client net.Conn) {
	if half, ok := client.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
		client.SetReadDeadline(time.Now().Add(lingerTime))
		_, _ = io.CopyN(io.Discard, client, lingerBytes)
	}
}

// send is the work of the inbound goroutine.
func (s *session) send() {
	err := newInbound(s).run()
	var f fatal
	switch {
	case err == nil, errors.Is(err, errEnded), errors.Is(err, errServer): // outbound finds the end of the stream
	case errors.As(err, &f):
		// What came before is answered first, as the server would. Then it closes, and outbound says why.
		s.setCause(f)
		s.server.SetReadDeadline(time.Now().Add(drainTime))
		s.server.SetWriteDeadline(time.Now().Add(drainTime))
		_, _ = s.server.Write(appendBare(appendBare(nil, 'H'), 'X'))
	case errors.Is(err, errClient):
		// Gone without a goodbye. The server finishes what it was given and finds the end of the stream.
		s.log.Debug("client is gone", "error", err)
		s.parting.Store(true)
		if half, ok := s.server.(interface{ CloseWrite() error }); !ok || half.CloseWrite() != nil {
			s.end(err)
		}
	default:
		s.end(err)
	}
}

// end makes both goroutines stop soon. The first cause counts.
func (s *session) end(cause error) {
	s.setCause(cause)
	s.cancel()
	s.client.SetWriteDeadline(time.Now().Add(farewellTime))
	s.server.SetDeadline(time.Now())
}

func (s *session) setCause(cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cause == nil {
		s.cause = cause
	}
}

// sayFarewell tells the client why the session ends, unless the server did, or a message is cut off in the middle. err is what
// outbound ended with.
func (s *session) sayFarewell(out *outbound, err error) (said bool) {
	s.mu.Lock()
	if s.cause != nil {
		err = s.cause
	}
	s.mu.Unlock()
	f, say := s.farewell(err)
	if !say || !out.atBoundary() {
		return false
	}
	return tellFatal(s.client, f)
}

// tellFatal sends a last word to a client.
func tellFatal(client net.Conn, f fatal) (told bool) {
	client.SetWriteDeadline(time.Now().Add(farewellTime))
	_, err := client.Write(appendError(nil, "FATAL", f.Refusal))
	return err == nil
}

// farewell says in the client's terms why the session ends, ok=false if it need not be told.
func (s *session) farewell(err error) (f fatal, ok bool) {
	switch {
	case errors.As(err, &f):
		return f, true
	case errors.Is(err, errClient):
		s.log.Debug("client is gone", "error", err)
		return f, false
	case !errors.Is(err, errServer):
		s.log.Error("session closed: replies no longer fit what was asked", "error", err)
		return fatalf("08006", "the connection was closed because replies and requests no longer fit"), true
	case s.parting.Load():
		return f, false
	}
	s.log.Warn("the server closed a connection", "error", err)
	return fatalf("08006", "the server closed the connection unexpectedly"), true
}
