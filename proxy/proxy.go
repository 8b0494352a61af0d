package proxy

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"sync"
	"time"

	"tacit/policy"
)

// This file makes a Proxy. Start at New, then serve.go.

// A Config says what a Proxy is made of.
type Config struct {
	Policy   *policy.Policy // Required: its upstream and limits.connections hold for as long as the proxy runs.
	Releaser Releaser       // Required.
	Log      *slog.Logger   // Required. SQL is logged at debug level only.
}

// A Proxy serves analysts.
type Proxy struct {
	policy        *policy.Policy
	releaser      Releaser
	log           *slog.Logger
	authenticator authenticator
	database      string // the one that the upstream has
	verdicts      *verdicts
	replies       *replies
	knownFor      time.Duration
	keys          *cancelKeys

	// ctx ends every session when it ends.
	ctx    context.Context
	cancel context.CancelFunc
	done   sync.WaitGroup

	handshakes  slots
	connections *connectionLimits
}

// maxHandshakes bounds the connections that are not logged in.
const maxHandshakes = 512

// New returns a proxy that does not listen yet.
func New(c Config) (*Proxy, error) {
	if c.Policy == nil || c.Releaser == nil || c.Log == nil {
		return nil, errors.New("proxy: Config.Policy, Config.Releaser and Config.Log are required")
	}
	config, err := upstreamConfig(c.Policy.Upstream, "analyst", nil)
	if err != nil {
		return nil, err
	}
	p := &Proxy{
		policy: c.Policy, releaser: c.Releaser, log: c.Log,
		authenticator: authenticator{log: c.Log},
		database:      config.Database,
		verdicts:      newVerdicts(),
		replies:       newReplies(),
		knownFor:      knownFor,
		keys:          newCancelKeys(),
		handshakes:    make(slots, maxHandshakes),
		connections:   newConnectionLimits(c.Policy.Limits.Connections),
	}
	rand.Read(p.authenticator.secret[:])
	p.ctx, p.cancel = context.WithCancel(context.Background())
	return p, nil
}

// Close ends all sessions. It does not wait for them; Serve does.
func (p *Proxy) Close() { p.cancel() }
