// Package proxy is the wire: it accepts analysts' connections, relays ordinary statements untouched, and answers protected ones
// with sanitized cells.
//
// Each client has one connection to the server of its own, logged in under the analyst's own role, which has no privilege on
// protected tables; so whatever this package or the parser gets wrong, the server still refuses. Against clients that send
// anything at all, and that go away at any moment, it guarantees:
//
//   - the server never sees a message that the proxy understood differently: what is not well-formed is refused, not forwarded;
//   - replies belong to requests: every reply is matched with what was asked, and at the first that does not fit both sides are
//     closed;
//   - a protected statement is replaced as a whole, or refused in sequence by an error of the server's own, so that everything
//     that follows from an error is as without the proxy;
//   - an answer is asked for once per execution (a Query, a Bind, an EXECUTE), never by Parse, Describe or EXPLAIN;
//   - memory per connection is bounded, before and after login, and so are the connections.
//
// Start at [New], then session.go: inbound.go is the way to the server, outbound.go the way back, replies.go what ties them
// together, answer.go what happens to protected statements, script.go to texts of several. Left out: TLS towards clients, and every form of pooling.
package proxy

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"

	"tacit/policy"
)

// A Config says what a Proxy is made of.
type Config struct {
	Policy *policy.Policy // Required: its upstream and limits.connections hold for as long as the proxy runs.
	Door   Door           // Required.
	Log    *slog.Logger   // Required. SQL is logged at debug level only.
}

// A Proxy serves analysts.
type Proxy struct {
	policy   *policy.Policy
	door     Door
	log      *slog.Logger
	secret   [32]byte // of the process, for the salts of unknown users
	database string   // the one that the upstream has
	verdicts *verdicts
	keys     *cancelKeys

	// ctx ends every session when it ends.
	ctx    context.Context
	cancel context.CancelFunc
	done   sync.WaitGroup

	handshakes slots
	sessions   *seats
}

// maxHandshakes bounds the connections that are not logged in.
const maxHandshakes = 512

// New returns a proxy that does not listen yet.
func New(c Config) (*Proxy, error) {
	if c.Policy == nil || c.Door == nil || c.Log == nil {
		return nil, errors.New("proxy: Config.Policy, Config.Door and Config.Log are required")
	}
	config, err := upstreamConfig(c.Policy.Upstream.Analyst, "analyst", nil)
	if err != nil {
		return nil, err
	}
	p := &Proxy{
		policy: c.Policy, door: c.Door, log: c.Log,
		database:   config.Database,
		verdicts:   newVerdicts(),
		keys:       newCancelKeys(),
		handshakes: make(slots, maxHandshakes),
		sessions:   newSeats(c.Policy.Limits.Connections),
	}
	rand.Read(p.secret[:])
	p.ctx, p.cancel = context.WithCancel(context.Background())
	return p, nil
}

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
			p.pause(100 * time.Millisecond)
			continue
		}
		p.done.Go(func() { p.serve(conn) })
	}
}

// Close ends all sessions. It does not wait for them; Serve does.
func (p *Proxy) Close() { p.cancel() }

func (p *Proxy) pause(d time.Duration) {
	select {
	case <-time.After(d):
	case <-p.ctx.Done():
	}
}

// slots bound how many of something there are.
type slots chan struct{}

// take takes a slot, ok=false if there is none left.
func (s slots) take() (ok bool) {
	select {
	case s <- struct{}{}:
		return true
	default:
		return false
	}
}

func (s slots) giveBack() { <-s }
