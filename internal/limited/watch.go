package limited

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
)

// This file has a server tell its listener what connections do. Start at Watch, and wrap the server's handler by Whole: without it nothing counts as
// answered, and every connection makes room for others.

type connectionKey struct{}

// Watch prepares a server for a Listener, or for one of TLS on top of it.
func Watch(s *http.Server) {
	s.ConnContext = func(ctx context.Context, conn net.Conn) context.Context {
		if secure, ok := conn.(*tls.Conn); ok {
			conn = secure.NetConn()
		}
		return context.WithValue(ctx, connectionKey{}, conn)
	}
	s.ConnState = func(conn net.Conn, state http.ConnState) {
		if secure, ok := conn.(*tls.Conn); ok {
			conn = secure.NetConn()
		}
		// The next request is not whole when its first byte comes (StateActive).
		if c, ok := conn.(*connection); ok && state == http.StateIdle {
			c.now(waiting)
		}
	}
}

// Whole handles a request when all of it has come: the body is read before, of so many bytes at most.
func Whole(next http.Handler, maxBodyBytes int64) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
		if err != nil {
			status := http.StatusBadRequest
			if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
				status = http.StatusRequestEntityTooLarge
			}
			http.Error(w, http.StatusText(status), status)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		note(r.Context(), answered)
		next.ServeHTTP(w, r)
	})
}

// Keep has the connection of a request make no room for others until it is answered: the client is known.
func Keep(ctx context.Context) { note(ctx, kept) }

func note(ctx context.Context, does doing) {
	if c, ok := ctx.Value(connectionKey{}).(*connection); ok {
		c.now(does)
	}
}
