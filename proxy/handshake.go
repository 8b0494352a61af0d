package proxy

import (
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgproto3"

	"tacit/internal/stopwatch"
	"tacit/policy"
	"tacit/proxy/internal/limits"
	"tacit/proxy/internal/wire"
	"tacit/rewrite/pgerror"
)

// This file talks to a client up to its first ReadyForQuery. The invariant: a client that is not logged in costs no more than a slot, a
// start-up packet and startupTime, and every error gives back what was taken. Start at handshake.

const (
	// handshakeTime is how long a client may take from connecting to the first ReadyForQuery, the login upstream included.
	handshakeTime = 15 * time.Second
	// startupTime is how long it may take to the end of the start-up packet: idle connections hold a slot that others need.
	startupTime = 5 * time.Second
)

// handshake logs a client in. Without error and session it was a cancel request. Who gets a
// session gives back its slot and its key.
func (p *Proxy) handshake(c *client) (s *session, key wire.CancelKey, err error) {
	deadline := time.Now().Add(handshakeTime)
	c.raw.SetDeadline(time.Now().Add(startupTime))
	ctx, cancel := context.WithDeadline(p.ctx, deadline)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { c.raw.SetDeadline(time.Now()) })
	defer stop()

	message, err := p.awaitStartup(ctx, c)
	if err != nil || message == nil {
		return nil, key, err
	}
	if c.full {
		return nil, key, fatal(descriptorsTaken.With())
	}
	p.handshakes.spoke(c.place)
	c.raw.SetDeadline(deadline)
	if ctx.Err() != nil {
		return nil, key, context.Cause(ctx)
	}
	if message.Minor > wire.NewestMinor || len(message.Options) > 0 {
		if _, err := c.Write(wire.Negotiation(message)); err != nil {
			return nil, key, err
		}
	}
	up, user, err := p.logIn(ctx, c, p.releaser.Policy(), message)
	if err != nil {
		return nil, key, err
	}
	s = newSession(p.ctx, c.Conn, up, &interceptor{analyst: user, releaser: p.releaser, verdicts: p.verdicts, replies: p.replies, knownFor: p.knownFor, log: p.log,
		closed: &p.closed, observer: p.observer, lately: p.lately, fingerprints: p.fingerprints,
		clientGone: goneFunc(c.raw), until: stopwatch.WaitUntil}, c.from)
	key = p.keys.issue(s, up.process, message.SecretBytes(), c.from)
	if !stop() {
		err = context.Cause(ctx)
	} else if err = c.SetDeadline(time.Time{}); err == nil {
		_, err = c.Write(welcome(up, key))
	}
	if err != nil {
		s.cancel()
		up.conn.Close()
		p.keys.withdraw(key)
		p.connections.GiveBack(clientOf(c, user))
		return nil, key, err
	}
	return s, key, nil
}

// logIn authenticates the client and connects it to the server. With success a slot for a session is taken.
func (p *Proxy) logIn(ctx context.Context, c *client, pol *policy.Policy, m *wire.StartupMessage) (*upstream, string, error) {
	l, refusal := readLogin(m.Params)
	if refusal != nil {
		return nil, "", fatal(refusal)
	}
	if err := p.authenticator.authenticate(c, pol, l.user); err != nil {
		if errors.As(err, new(wire.Fatal)) {
			p.log.Warn("login refused", "analyst", l.user, "client", c.from.String(), "error", err)
		}
		return nil, "", err
	}
	if l.database != p.database {
		return nil, "", fatal(databaseUnknown.With(l.database, p.database))
	}
	if refusal := p.takeSession(clientOf(c, l.user), pol); refusal != nil {
		p.log.Warn("login refused", "analyst", l.user, "client", c.from.String(), "error", refusal.Message)
		return nil, "", fatal(refusal)
	}
	up, err := p.connect(ctx, l)
	if err != nil {
		p.connections.GiveBack(clientOf(c, l.user))
		p.log.Warn("login upstream failed", "analyst", l.user, "error", err)
		switch {
		case errors.As(err, new(wire.Fatal)):
			return nil, "", err
		case outOfDescriptors(err):
			return nil, "", fatal(descriptorsTaken.With())
		}
		return nil, "", fatal(refuseUpstream(l.user, err))
	}
	return up, l.user, nil
}

func clientOf(c *client, analyst string) limits.Client {
	return limits.Client{Analyst: analyst, From: sourceOf(c.from)}
}

// takeSession counts a session, or says why there is no place for it.
func (p *Proxy) takeSession(c limits.Client, pol *policy.Policy) *pgerror.Refusal {
	switch in, allowed := p.connections.Take(c, len(pol.Analysts), pol.Sessions); in {
	case limits.None:
		return nil
	case limits.OfAnalyst:
		return yoursTaken.With(c.Analyst, allowed)
	case limits.OfAddress:
		return addressTaken.With(allowed)
	case limits.Reserved:
		return restReserved.With(allowed)
	default:
		return allTaken.With(allowed)
	}
}

func (p *Proxy) connect(ctx context.Context, l login) (*upstream, error) {
	for _, value := range l.settings {
		if !utf8.ValidString(value) {
			return nil, fatalMessage("22021", "a startup parameter is not valid UTF-8")
		}
	}
	config, err := upstreamConfig(p.policy.Upstream, l.user, l.settings)
	if err != nil {
		return nil, err
	}
	return connectUpstream(ctx, config)
}

// welcome tells a client that it is logged in.
func welcome(up *upstream, key wire.CancelKey) []byte {
	out := wire.Append(nil, &pgproto3.AuthenticationOk{})
	for _, p := range up.reported {
		out = wire.Append(out, &pgproto3.ParameterStatus{Name: p.Name, Value: p.Value})
	}
	out = wire.Append(out, &pgproto3.BackendKeyData{ProcessID: key.ID, SecretKey: []byte(key.Secret)})
	return wire.Append(out, &pgproto3.ReadyForQuery{TxStatus: up.status})
}
