package proxy

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"net"
	"slices"
	"sync"
	"time"

	"tacit/proxy/internal/relay"
	"tacit/proxy/internal/wire"
	"tacit/rewrite"
)

// This file runs one analyst's session from login to the end. The invariant: whatever ends it, both connections are closed, both
// goroutines have ended, and the client is told why, unless the server has told it or a message is cut off in the middle.
// Everything that the client is to see before that, refusals too, passes through the relay's outbound direction in sequence. Start
// at session.run.

const (
	// drainTime is how long the server may take to answer what came before a message that ends the session.
	drainTime = 5 * time.Second
	// fatalTime is how long a client may take to read why its session ends.
	fatalTime = 2 * time.Second
	// lingerTime and lingerBytes bound what is read from a client that was told that its session ends.
	lingerTime  = 100 * time.Millisecond
	lingerBytes = 1 << 20
	// cancelTime is how long a cancel request may take to reach the server. Meanwhile the session sends nothing.
	cancelTime = 3 * time.Second
)

// A session is one analyst's connection and its own connection to the server.
type session struct {
	analyst     string
	up          *upstream
	relay       *relay.Relay
	interceptor *interceptor
	log         *slog.Logger

	ctx    context.Context
	cancel context.CancelFunc

	quiet quiet // belongs to the goroutine that looks for idle sessions

	mu    sync.Mutex // protects cause
	cause error      // why the session ends, if for a reason that the client is told
}

// newSession returns a session that ends with ctx. Of the interceptor it sets what belongs to the session.
func newSession(ctx context.Context, client net.Conn, up *upstream, in *interceptor, from net.Addr) *session {
	s := &session{
		analyst: in.analyst, up: up, interceptor: in,
		relay: relay.New(client, up.conn, up.status, rewrite.MaxConstants),
		log:   in.log.With("analyst", in.analyst, "client", from.String()),
	}
	s.ctx, s.cancel = context.WithCancel(ctx)
	in.ctx, in.shared, in.log, in.inbound = s.ctx, in.log, s.log, s.relay.Inbound()
	in.leave, in.inbound.Waiting = s.end, in.watchClient
	in.statements, in.privateName = newStatements(), "tacit:"+rand.Text()
	return s
}

// run relays until either side is gone or proxy, the context of all sessions, ends; then it closes both.
func (s *session) run(proxy context.Context) {
	stop := context.AfterFunc(proxy, func() {
		s.end(fatal(endsNow.With()))
	})
	defer stop()
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		s.send()
	}()
	out := s.relay.Outbound()
	err := out.Run()
	s.cancel()
	s.relay.End()
	told := s.tellCause(err)
	s.relay.Server.Close()
	s.relay.Client.SetReadDeadline(time.Now())
	<-sent
	if told {
		linger(s.relay.Client)
	}
	s.relay.Client.Close()
}

// send is the work of the goroutine that writes to the server.
func (s *session) send() {
	err := s.interceptor.inbound.Run(s.interceptor)
	var f wire.Fatal
	switch {
	case err == nil, errors.Is(err, relay.ErrEnded), errors.Is(err, relay.ErrServer): // outbound finds the end of the stream
	case errors.As(err, &f):
		// What came before is answered first, as the server would. Then it closes, and outbound says why.
		s.setCause(f)
		s.relay.Server.SetReadDeadline(time.Now().Add(drainTime))
		s.relay.Server.SetWriteDeadline(time.Now().Add(drainTime))
		_, _ = s.relay.Server.Write(slices.Concat(wire.Flush, wire.Terminate))
	case errors.Is(err, relay.ErrClient):
		// Gone without a goodbye, while nothing was waited for. The server finishes what it was given and finds the end of the stream.
		s.log.Debug("client is gone", "error", err)
		if !s.relay.HalfClose() {
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
	s.relay.Client.SetWriteDeadline(time.Now().Add(fatalTime))
	s.relay.Server.SetDeadline(time.Now())
}

func (s *session) setCause(cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cause == nil {
		s.cause = cause
	}
}

// tellCause tells the client why the session ends, if it is to be told. err is what the relay ended with.
func (s *session) tellCause(err error) (told bool) {
	s.mu.Lock()
	if s.cause != nil {
		err = s.cause
	}
	s.mu.Unlock()
	f, say := s.clientMessage(err)
	return say && s.relay.Tell(wire.AppendError(nil, "FATAL", f.ErrorFields), fatalTime)
}

// ended is how the session came to its end, for the log.
func (s *session) ended() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var f wire.Fatal
	switch {
	case s.cause == nil && s.relay.ClientGone():
		return "by the client"
	case s.cause == nil:
		return "by the server"
	case errors.As(s.cause, &f):
		return f.Code
	case errors.Is(s.cause, relay.ErrClient):
		return "client is gone"
	}
	return "failed"
}

// clientMessage says in the client's terms why the session ends, ok=false if it need not be told.
func (s *session) clientMessage(err error) (f wire.Fatal, ok bool) {
	switch {
	case errors.As(err, &f):
		return f, true
	case errors.Is(err, relay.ErrClient):
		s.log.Debug("client is gone", "error", err)
		return f, false
	case !errors.Is(err, relay.ErrServer):
		s.log.Error("session closed: replies no longer fit what was asked", "error", err)
		return fatalMessage("08006", "the connection was closed because replies and requests no longer fit"), true
	case s.relay.ClientGone():
		return f, false
	}
	s.log.Warn("the server closed a connection", "error", err)
	return fatalMessage("08006", "the server closed the connection unexpectedly"), true
}

// tellFatal sends the last message to a client.
func tellFatal(client net.Conn, f wire.Fatal) (told bool) {
	client.SetWriteDeadline(time.Now().Add(fatalTime))
	_, err := client.Write(wire.AppendError(nil, "FATAL", f.ErrorFields))
	return err == nil
}

// linger reads what a client still sends after it was told that its session ends. Closing at once could reset the connection before the
// client has read that.
func linger(client net.Conn) {
	if half, ok := client.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
		client.SetReadDeadline(time.Now().Add(lingerTime))
		_, _ = io.CopyN(io.Discard, client, lingerBytes)
	}
}

// cancelStatement cancels the session's statement, be it a count that the proxy waits for, or at work on the server. What is sent
// meanwhile waits, so that the request hits the statement that it was meant for, or none.
func (s *session) cancelStatement() {
	if s.interceptor.pending.stop() {
		return
	}
	release, ok := s.relay.Hold()
	if !ok {
		return
	}
	defer release()
	ctx, cancel := context.WithTimeout(s.ctx, cancelTime)
	defer cancel()
	if err := s.up.cancel(ctx); err != nil {
		s.log.Warn("cancel request did not reach the server", "error", err)
	}
}
