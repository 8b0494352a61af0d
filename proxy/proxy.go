package proxy

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"tacit/policy"
	"tacit/proxy/encryption"
	"tacit/proxy/internal/fingerprints"
	"tacit/proxy/internal/limits"
	"tacit/proxy/internal/repeats"
)

// This file makes a Proxy. Start at New, then serve.go.

// A Config says what a Proxy is made of.
type Config struct {
	Policy   *policy.Policy // Required: its upstream and limits.connections hold for as long as the proxy runs.
	Releaser Releaser       // Required.
	// Secret returns what salts of unknown users are made of, so that a name which is no analyst's cannot be told by a salt that changes. It is to
	// be the same after a restart, and at all proxies that analysts take for one. While it returns nothing, or if it is nil, the process has a
	// secret of its own.
	Secret func() string
	Log    *slog.Logger // Required. SQL is not logged.
	// Observer, if not nil, counts what becomes of statements.
	Observer Observer
}

// A Proxy serves analysts.
type Proxy struct {
	policy        *policy.Policy
	releaser      Releaser
	log           *slog.Logger
	authenticator *authenticator
	database      string // the one that the upstream has
	verdicts      *verdicts
	replies       *replies
	knownFor      time.Duration
	keys          *cancelKeys

	// ctx ends every session when it ends.
	ctx    context.Context
	cancel context.CancelFunc
	done   sync.WaitGroup

	handshakes  *handshakes
	encryption  atomic.Pointer[encryption.Server]
	connections *limits.Sessions
	spares      *limits.Spares

	observer     Observer
	lately       *lately
	closed       repeats.Log
	fingerprints *fingerprints.Cache
	// draining ends when the proxy is to end, see Drain; drain ends it.
	draining context.Context
	drain    context.CancelFunc
}

// New returns a proxy that does not listen yet.
func New(c Config) (*Proxy, error) {
	if c.Policy == nil || c.Releaser == nil || c.Log == nil {
		return nil, errors.New("proxy: Config.Policy, Config.Releaser and Config.Log are required")
	}
	server, err := encryption.Load(c.Policy.TLS)
	if err != nil {
		return nil, err
	}
	config, err := upstreamConfig(c.Policy.Upstream, "analyst", nil)
	if err != nil {
		return nil, err
	}
	p := &Proxy{
		policy: c.Policy, releaser: c.Releaser, log: c.Log,
		authenticator: newAuthenticator(c.Secret, c.Log),
		database:      config.Database,
		verdicts:      newVerdicts(),
		replies:       newReplies(),
		knownFor:      knownFor,
		keys:          newCancelKeys(),
		handshakes:    newHandshakes(maxHandshakes, maxHandshakesFrom),
		connections:   limits.NewSessions(c.Policy.Limits.Connections),
		spares:        limits.NewSpares(spareDescriptors),
		observer:      c.Observer,
		lately:        newLately(),
		fingerprints:  fingerprints.New(),
	}
	p.encryption.Store(server)
	if p.observer == nil {
		p.observer = unobserved{}
	}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.draining, p.drain = context.WithCancel(p.ctx)
	return p, nil
}

// Encrypt has connections that come from now on encrypted otherwise, as after a reload of the policy.
func (p *Proxy) Encrypt(server *encryption.Server) { p.encryption.Store(server) }

// Encryption is how connections that come now are encrypted.
func (p *Proxy) Encryption() *encryption.Server { return p.encryption.Load() }

// Close ends all sessions. It does not wait for them; Serve does.
func (p *Proxy) Close() { p.cancel() }
