package proxy

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/xdg-go/scram"

	"tacit/policy"
	"tacit/proxy/internal/wire"
	"tacit/proxy/listener"
)

// This file checks passwords. The invariant: whether an analyst exists does not show before, in, or after the exchange. Start at
// authenticate.

const (
	scramMechanism     = "SCRAM-SHA-256"
	scramPlusMechanism = "SCRAM-SHA-256-PLUS"
	// Those of PostgreSQL, which most verifiers have: so have ours, and those that are made up for unknown users.
	defaultIterations = 4096
	defaultSaltBytes  = 16
)

// An authenticator finds out whether clients are the analysts they say they are.
type authenticator struct {
	secret func() string // Config.Secret
	own    string        // the process's
	kept   atomic.Pointer[string]
	log    *slog.Logger
}

func newAuthenticator(secret func() string, log *slog.Logger) *authenticator {
	return &authenticator{secret: secret, own: rand.Text(), log: log}
}

// key is what salts of unknown users are made of. Once there is a durable one, it stays.
func (a *authenticator) key() string {
	if kept := a.kept.Load(); kept != nil {
		return *kept
	}
	if a.secret != nil {
		if secret := a.secret(); secret != "" {
			a.kept.Store(&secret)
			return secret
		}
	}
	return a.own
}

// authenticate finds out whether the client is the analyst it says it is. The error is fatal.
func (a *authenticator) authenticate(c *client, pol *policy.Policy, user string) error {
	if !c.mayBe(user) {
		return fatal(certificateOther.With(user))
	}
	_, known := pol.Analyst(user)
	switch c.way(pol) {
	case policy.AuthTrust:
		if !loopback(c.from) {
			return fatalMessage("28000", "trust authentication is for connections from this machine only")
		}
		if !known {
			return fatalMessage("28000", fmt.Sprintf("role %q does not exist", user))
		}
		return nil
	case policy.AuthCertificate:
		if !known || !c.isNamed(user) {
			return fatal(certificateOther.With(user))
		}
		return nil
	case policy.AuthPeer:
		account, err := listener.Account(c.raw)
		if err != nil {
			a.log.Warn("the account behind a socket is not known", "error", err)
		}
		if err != nil || !known || account != user {
			return fatal(peerOther.With(user))
		}
		return nil
	case policy.AuthSCRAM:
		credentials, err := a.credentials(pol, user)
		if err != nil {
			a.log.Error("unusable password verifier in the policy", "analyst", user, "error", err)
		}
		return scramExchange(c, credentials, user)
	}
	return fatalMessage("28000", "no authentication method is configured")
}

// way is how a client proves who it is.
func (c *client) way(pol *policy.Policy) policy.Auth {
	if c.isLocal() {
		return pol.LocalAuth
	}
	return pol.Auth
}

func loopback(a net.Addr) bool {
	switch a := a.(type) {
	case *net.TCPAddr:
		return a.IP.IsLoopback()
	case *net.UnixAddr:
		return true
	}
	return false
}

func refusePassword(user string) wire.Fatal {
	return fatalMessage("28P01", fmt.Sprintf("password authentication failed for user %q", user))
}

// credentials returns what the client's proof is compared with. For somebody unknown there is a verifier of no password, with as many iterations and
// as long a salt as some analyst's, so that the exchange looks the same up to its end. The same work is done for both.
func (a *authenticator) credentials(pol *policy.Policy, user string) (scram.StoredCredentials, error) {
	analyst, known := pol.Analyst(user)
	model := a.model(pol, user)
	if known {
		model = analyst
	}
	stored, err := parseVerifier(model.Password)
	if err != nil {
		stored.KeyFactors = scram.KeyFactors{Salt: strings.Repeat("s", defaultSaltBytes), Iters: defaultIterations}
	}
	fake := a.fakeCredentials(user, stored.KeyFactors)
	if !known || err != nil {
		return fake, err
	}
	return stored, nil
}

// model is the analyst whose verifier that of somebody unknown resembles. Each name has one, and keeps it when other analysts come and go.
func (a *authenticator) model(pol *policy.Policy, user string) (model policy.Analyst) {
	var highest []byte
	for _, analyst := range pol.Analysts {
		if rank := a.derive("model "+analyst.Name, user); bytes.Compare(rank, highest) > 0 {
			model, highest = analyst, rank
		}
	}
	return model
}

// fakeCredentials are the same each time one name is tried, at every proxy that has the same secret.
func (a *authenticator) fakeCredentials(user string, like scram.KeyFactors) scram.StoredCredentials {
	salt := a.derive("salt", user)
	for i := 1; len(salt) < len(like.Salt); i++ {
		salt = append(salt, a.derive(fmt.Sprintf("salt %d", i), user)...)
	}
	return scram.StoredCredentials{
		KeyFactors: scram.KeyFactors{Salt: string(salt[:len(like.Salt)]), Iters: like.Iters},
		StoredKey:  a.derive("stored key", user), // nobody knows what hashes to this
		ServerKey:  a.derive("server key", user),
	}
}

// derive makes a value from the secret.
func (a *authenticator) derive(purpose, user string) []byte {
	h := hmac.New(sha256.New, []byte("salts of "+a.key()))
	fmt.Fprintf(h, "%s\x00%s", purpose, user)
	return h.Sum(nil)
}

// scramExchange is the server's side of SCRAM-SHA-256, and of SCRAM-SHA-256-PLUS where there is TLS (RFC 5802, RFC 7677). As in PostgreSQL the name
// in the exchange does not count: the user is that of the start-up packet.
func scramExchange(c *client, credentials scram.StoredCredentials, user string) error {
	exchange, mechanisms, err := newExchange(c.endPoint(), credentials)
	if err != nil {
		return err
	}
	if err := write(c, &pgproto3.AuthenticationSASL{AuthMechanisms: mechanisms}); err != nil {
		return err
	}
	mechanism, initial, err := wire.ReadSASLInitial(c)
	if err != nil {
		return err
	}
	bound := strings.HasPrefix(initial, "p=")
	if !slices.Contains(mechanisms, mechanism) {
		return wire.ProtocolViolation("client selected an invalid SASL authentication mechanism")
	}
	if bound != (mechanism == scramPlusMechanism) {
		return wire.ProtocolViolation("malformed SCRAM message")
	}
	challenge, err := exchange.Step(initial)
	switch {
	case err != nil && challenge == scram.ErrServerDoesSupportChannelBinding:
		return fatal(bindingRefused.With()) // somebody took SCRAM-SHA-256-PLUS out of what was offered
	case err != nil:
		return wire.ProtocolViolation("malformed SCRAM message")
	}
	if err := write(c, &pgproto3.AuthenticationSASLContinue{Data: []byte(challenge)}); err != nil {
		return err
	}
	proof, err := wire.ReadPassword(c)
	if err != nil {
		return err
	}
	outcome, err := exchange.Step(string(proof))
	switch {
	case err != nil && bound && outcome == scram.ErrChannelBindingsDontMatch:
		return fatal(bindingOther.With())
	case err != nil || !exchange.Valid():
		return refusePassword(user)
	}
	return write(c, &pgproto3.AuthenticationSASLFinal{Data: []byte(outcome)})
}

// newExchange begins an exchange, and says what the client may choose from. With an end point its proof may be bound to that.
func newExchange(endPoint []byte, credentials scram.StoredCredentials) (*scram.ServerConversation, []string, error) {
	server, err := scram.SHA256.NewServer(func(string) (scram.StoredCredentials, error) { return credentials, nil })
	if err != nil {
		return nil, nil, err
	}
	server.WithNonceGenerator(rand.Text)
	if endPoint == nil {
		return server.NewConversation(), []string{scramMechanism}, nil
	}
	binding := scram.ChannelBinding{Type: scram.ChannelBindingTLSServerEndpoint, Data: endPoint}
	return server.NewConversationWithChannelBinding(binding), []string{scramPlusMechanism, scramMechanism}, nil
}

func write(w io.Writer, m pgproto3.BackendMessage) error {
	_, err := w.Write(wire.Append(nil, m))
	return err
}
