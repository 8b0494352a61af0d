package proxy

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"syscall"
	"time"

	"tacit/proxy/internal/wire"
	"tacit/proxy/listener"
)

// This file accepts connections and deals with each from beginning to end. The invariant: Serve returns when all of them are closed, and
// what a connection takes of the limits it gives back here. Start at Serve.

// spareDescriptors are kept for telling clients that there are none.
const spareDescriptors = 16

// outOfDescriptors says whether something failed because there is no descriptor left.
func outOfDescriptors(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// Serve accepts connections until ctx ends, or Drain or Close is called, then tells the clients, and returns when all are gone. It closes the
// listener.
func (p *Proxy) Serve(ctx context.Context, door net.Listener) error {
	stop := context.AfterFunc(ctx, p.Close)
	defer stop()
	unlisten := context.AfterFunc(p.draining, func() { door.Close() })
	defer unlisten()
	defer p.spares.Close()
	defer p.closed.End()
	defer p.sweep()()
	defer p.done.Wait()
	for {
		conn, err := door.Accept()
		switch {
		case err == nil: // also when the proxy drains: whoever is let in is told why it ends, and does not wonder
		case p.draining.Err() != nil && errors.Is(err, net.ErrClosed):
			return nil
		case errors.Is(err, net.ErrClosed):
			p.Close()
			return err
		case outOfDescriptors(err) && p.spares.Lend():
			p.logAccept(err)
			continue
		default: // no spare is left, or a connection went away at once
			p.logAccept(err)
			select {
			case <-time.After(100 * time.Millisecond):
			case <-p.draining.Done():
			}
			continue
		}
		full := !p.spares.Restore()
		p.done.Go(func() { p.serve(conn, full) })
	}
}

func (p *Proxy) logAccept(err error) {
	p.closed.Write("accept "+err.Error(), func() { p.log.Warn("accept failed", "error", err) },
		func(again int) { p.log.Warn("accept failed for the same reason", "times", again, "error", err) })
}

// serve deals with one connection. A full proxy has no descriptor for another one.
func (p *Proxy) serve(conn net.Conn, full bool) {
	c := newClient(conn)
	c.full = full
	defer func() { c.Close() }()
	if err := p.readOrigin(c); err != nil {
		p.log.Warn("connection refused", "client", conn.RemoteAddr().String(), "error", err)
		return
	}
	if c.place = p.handshakes.take(conn, c.from); c.place == nil {
		return // a client that is not logged in is not told why
	}
	s, key, err := p.handshake(c)
	p.handshakes.giveBack(c.place)
	var f wire.Fatal
	switch {
	case errors.As(err, &f):
		if tellFatal(c.Conn, f) {
			linger(c.Conn)
		}
	case errors.Is(err, errHandshake):
		p.log.Log(p.ctx, handshakeLevel(err), "connection not encrypted", "client", c.from.String(), "error", err)
		linger(conn) // there is an alert to be read
	case err != nil:
		p.log.Debug("connection closed before login", "client", c.from.String(), "error", err)
	case s != nil:
		began := time.Now()
		s.log.Debug("session begins")
		s.run(p.ctx)
		p.keys.withdraw(key)
		p.connections.GiveBack(clientOf(c, s.analyst))
		// Whole seconds: the length of a session with one statement tells what that took.
		s.log.Info("session", "lasted_at_most", time.Since(began).Truncate(time.Second)+time.Second, "protected_statements", s.interceptor.spoken, "ended", s.ended())
	}
}

// readOrigin has a load balancer of the policy say from where its connection comes. Balancers are trusted, so that this comes before a place is taken: the
// places are shared out by where connections come from.
func (p *Proxy) readOrigin(c *client) error {
	pol := p.releaser.Policy()
	if pol == nil || !listener.IsBalancer(c.from, pol.Balancers) {
		return nil
	}
	c.raw.SetDeadline(time.Now().Add(startupTime))
	from, err := listener.ReadHeader(c.raw)
	if from != nil {
		c.from = from
	}
	return err
}

// handshakeLevel is how important a failed TLS handshake is. That of a client which goes away, falls silent or speaks no TLS is none of the
// operator's business: whoever looks for open ports does that.
func handshakeLevel(err error) slog.Level {
	var noTLS tls.RecordHeaderError
	var timeout net.Error
	if errors.As(err, &noTLS) || errors.As(err, &timeout) && timeout.Timeout() {
		return slog.LevelDebug
	}
	for _, end := range []error{io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, syscall.ECONNRESET, syscall.EPIPE, context.Canceled} {
		if errors.Is(err, end) {
			return slog.LevelDebug
		}
	}
	return slog.LevelWarn
}
