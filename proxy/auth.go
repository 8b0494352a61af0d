package proxy

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"net"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/xdg-go/scram"

	"tacit/policy"
	"tacit/proxy/internal/wire"
)

// This file checks passwords. The invariant: whether an analyst exists does not show before, in, or after the exchange. Start at
// authenticate.

const (
	scramMechanism = "SCRAM-SHA-256"
	// Those of PostgreSQL, which most verifiers have: so have ours, and those that are made up for unknown users.
	defaultIterations = 4096
	defaultSaltBytes  = 16
)

// An authenticator finds out whether clients are the analysts they say they are.
type authenticator struct {
	secret [32]byte // of the process, for the salts of unknown users
	log    *slog.Logger
}

// authenticate finds out whether the client is the analyst it says it is. The error is fatal.
func (a *authenticator) authenticate(conn net.Conn, pol *policy.Policy, user string) error {
	analyst, known := pol.Analyst(user)
	switch pol.Auth {
	case policy.AuthTrust:
		if !loopback(conn.RemoteAddr()) {
			return fatalMessage("28000", "trust authentication is for connections from this machine only")
		}
		if !known {
			return fatalMessage("28000", fmt.Sprintf("role %q does not exist", user))
		}
		return nil
	case policy.AuthSCRAM:
		credentials, err := a.credentials(analyst, known, user)
		if err != nil {
			a.log.Error("unusable password verifier in the policy", "analyst", user, "error", err)
			credentials = a.fakeCredentials(user)
		}
		return scramExchange(conn, credentials, user)
	}
	return fatalMessage("28000", "no authentication method is configured")
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

// credentials returns what the client's proof is compared with. For somebody unknown there is a verifier of no password, so that
// the exchange looks the same up to its end.
func (a *authenticator) credentials(analyst policy.Analyst, known bool, user string) (scram.StoredCredentials, error) {
	if !known {
		return a.fakeCredentials(user), nil
	}
	return parseVerifier(analyst.Password)
}

// fakeCredentials are the same each time one name is tried.
func (a *authenticator) fakeCredentials(user string) scram.StoredCredentials {
	return scram.StoredCredentials{
		KeyFactors: scram.KeyFactors{Salt: string(a.derive("salt", user)[:defaultSaltBytes]), Iters: defaultIterations},
		StoredKey:  a.derive("stored key", user), // nobody knows what hashes to this
		ServerKey:  a.derive("server key", user),
	}
}

// derive makes a value from the process's secret.
func (a *authenticator) derive(purpose, user string) []byte {
	h := hmac.New(sha256.New, a.secret[:])
	fmt.Fprintf(h, "%s\x00%s", purpose, user)
	return h.Sum(nil)
}

// scramExchange is the server's side of SCRAM-SHA-256 without channel binding (RFC 5802, RFC 7677). As in PostgreSQL the
// name in the exchange does not count: the user is that of the start-up packet.
func scramExchange(conn net.Conn, credentials scram.StoredCredentials, user string) error {
	server, err := scram.SHA256.NewServer(func(string) (scram.StoredCredentials, error) { return credentials, nil })
	if err != nil {
		return err
	}
	exchange := server.WithNonceGenerator(rand.Text).NewConversation()
	if err := write(conn, &pgproto3.AuthenticationSASL{AuthMechanisms: []string{scramMechanism}}); err != nil {
		return err
	}
	mechanism, initial, err := wire.ReadSASLInitial(conn)
	if err != nil {
		return err
	}
	if mechanism != scramMechanism {
		return wire.ProtocolViolation("client selected an invalid SASL authentication mechanism")
	}
	challenge, err := exchange.Step(initial)
	if err != nil {
		return wire.ProtocolViolation("malformed SCRAM message")
	}
	if err := write(conn, &pgproto3.AuthenticationSASLContinue{Data: []byte(challenge)}); err != nil {
		return err
	}
	proof, err := wire.ReadPassword(conn)
	if err != nil {
		return err
	}
	outcome, err := exchange.Step(string(proof))
	if err != nil || !exchange.Valid() {
		return refusePassword(user)
	}
	return write(conn, &pgproto3.AuthenticationSASLFinal{Data: []byte(outcome)})
}

func write(w io.Writer, m pgproto3.BackendMessage) error {
	_, err := w.Write(wire.Append(nil, m))
	return err
}
