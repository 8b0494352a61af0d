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
)

// This file accepts connections and deals with each from beginning to end. The invariant: Serve returns when all of them are closed, and
// what a connection takes of the limits it gives back here. Start at Serve.

// Serve accepts connections until ctx ends or Close is called, then tells the clients, and returns when all are gone. It closes the
// listener.
func (p *Proxy) Serve(ctx context.Context, listener net.Listener) error {
	stop := context.AfterFunc(ctx, p.Close)
	defer stop()
	unlisten := context.AfterFunc(p.ctx, func() { listener.Close() })
	defer unlisten()
	defer p.done.Wait()
	for {
		conn, err := listener.Accept()
		switch {
		case p.ctx.Err() != nil:
			if err == nil {
				conn.Close()
			}
			return nil
		case errors.Is(err, net.ErrClosed):
			p.Close()
			return err
		case err != nil: // out of file descriptors, or a connection that went away at once
			p.log.Warn("accept failed", "error", err)
			select {
			case <-time.After(100 * time.Millisecond):
			case <-p.ctx.Done():
			}
			continue
		}
		p.done.Go(func() { p.serve(conn) })
	}
}

// serve deals with one connection.
func (p *Proxy) serve(conn net.Conn) {
	c := newClient(conn)
	defer func() { c.Close() }()
	if c.place = p.handshakes.take(conn); c.place == nil {
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
		p.log.Log(p.ctx, handshakeLevel(err), "connection not encrypted", "client", conn.RemoteAddr().String(), "error", err)
		linger(conn) // there is an alert to be read
	case err != nil:
		p.log.Debug("connection closed before login", "client", conn.RemoteAddr().String(), "error", err)
	case s != nil:
		s.log.Debug("session begins")
		s.run(p.ctx)
		p.keys.withdraw(key)
		p.connections.giveBack(s.analyst)
		s.log.Debug("session ends")
	}
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
