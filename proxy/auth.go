package proxy

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"

	"github.com/xdg-go/scram"

	"tacit/policy"
	"tacit/rewrite"
)

const (
	scramMechanism = "SCRAM-SHA-256"
	// maxAuthBytes bounds a message of a client that is not logged in yet (PG_MAX_SASL_MESSAGE_LENGTH).
	maxAuthBytes = 1024
	// fakeIterations and fakeSaltBytes are PostgreSQL's defaults, which most verifiers have.
	fakeIterations = 4096
	fakeSaltBytes  = 16
)

// The codes of Authentication messages.
const (
	authOK           = 0
	authSASL         = 10
	authSASLContinue = 11
	authSASLFinal    = 12
)

// authenticate finds out whether the client is the analyst it says it is. The error is fatal.
func (p *Proxy) authenticate(conn net.Conn, pol *policy.Policy, user string) error {
	analyst, known := pol.Analyst(user)
	switch pol.Auth {
	case policy.AuthTrust:
		if !loopback(conn.RemoteAddr()) {
			return fatalf("28000", "trust authentication is for connections from this machine only")
		}
		if !known {
			return fatalf("28000", fmt.Sprintf("role %q does not exist", user))
		}
		return nil
	case policy.AuthSCRAM:
		credentials, err := p.credentials(analyst, known, user)
		if err != nil {
			p.log.Error("unusable password verifier in the policy", "analyst", user, "error", err)
			credentials = p.fakeCredentials(user)
		}
		return scramExchange(conn, credentials, user)
	}
	return fatalf("28000", "no authentication method is configured")
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

func refusePassword(user string) fatal {
	return fatal{&rewrite.Refusal{Code: "28P01", Message: fmt.Sprintf("password authentication failed for user %q", user)}}
}

// credentials returns what the client's proof is compared with. For somebody unknown there is a verifier of no password, so that
// the exchange looks the same up to its end.
func (p *Proxy) credentials(analyst policy.Analyst, known bool, user string) (scram.StoredCredentials, error) {
	if !known {
		return p.fakeCredentials(user), nil
	}
	return parseVerifier(analyst.Password)
}

// fakeCredentials are the same each time one name is tried.
func (p *Proxy) fakeCredentials(user string) scram.StoredCredentials {
	return scram.StoredCredentials{
		KeyFactors: scram.KeyFactors{Salt: string(p.derive("salt", user)[:fakeSaltBytes]), Iters: fakeIterations},
		StoredKey:  p.derive("stored key", user), // nobody knows what hashes to this
		ServerKey:  p.derive("server key", user),
	}
}

// derive makes a value from the process's secret.
func (p *Proxy) derive(purpose, user string) []byte {
	h := hmac.New(sha256.New, p.secret[:])
	fmt.Fprintf(h, "%s\x00%s", purpose, user)
	return h.Sum(nil)
}

var errVerifier = errors.New("not a SCRAM-SHA-256 verifier")

// parseVerifier reads PostgreSQL's form SCRAM-SHA-256$iterations:salt$StoredKey:ServerKey.
func parseVerifier(s string) (c scram.StoredCredentials, err error) {
	parts := strings.Split(s, "$")
	if len(parts) != 3 || parts[0] != scramMechanism {
		return c, errVerifier
	}
	iterations, salt, ok := strings.Cut(parts[1], ":")
	stored, server, ok2 := strings.Cut(parts[2], ":")
	if !ok || !ok2 {
		return c, errVerifier
	}
	if c.Iters, err = strconv.Atoi(iterations); err != nil || c.Iters < 1 {
		return c, errVerifier
	}
	decoded, err := base64.StdEncoding.DecodeString(salt)
	if err != nil || len(decoded) == 0 {
		return c, errVerifier
	}
	c.Salt = string(decoded)
	if c.StoredKey, err = base64.StdEncoding.DecodeString(stored); err != nil || len(c.StoredKey) != sha256.Size {
		return c, errVerifier
	}
	if c.ServerKey, err = base64.StdEncoding.DecodeString(server); err != nil || len(c.ServerKey) != sha256.Size {
		return c, errVerifier
	}
	return c, nil
}

// scramExchange is the server's side of SCRAM-SHA-256 without channel binding (RFC 5802, RFC 7677). As in PostgreSQL the
// name in the exchange does not count: the user is that of the start-up packet.
func scramExchange(conn net.Conn, credentials scram.StoredCredentials, user string) error {
	server, err := scram.SHA256.NewServer(func(string) (scram.StoredCredentials, error) { return credentials, nil })
	if err != nil {
		return err
	}
	exchange := server.WithNonceGenerator(rand.Text).NewConversation()
	if err := writeAuth(conn, authSASL, scramMechanism+"\x00\x00"); err != nil {
		return err
	}
	initial, err := readInitialResponse(conn)
	if err != nil {
		return err
	}
	challenge, err := exchange.Step(initial)
	if err != nil {
		return protocolViolation("malformed SCRAM message")
	}
	if err := writeAuth(conn, authSASLContinue, challenge); err != nil {
		return err
	}
	proof, err := readPassword(conn)
	if err != nil {
		return err
	}
	outcome, err := exchange.Step(string(proof))
	if err != nil || !exchange.Valid() {
		return refusePassword(user)
	}
	return writeAuth(conn, authSASLFinal, outcome)
}

func writeAuth(w io.Writer, code uint32, data string) error {
	m, mark := beginMessage(nil, 'R')
	m = binary.BigEndian.AppendUint32(m, code)
	_, err := w.Write(endMessage(append(m, data...), mark))
	return err
}

// readInitialResponse reads a SASLInitialResponse.
func readInitialResponse(r io.Reader) (string, error) {
	body, err := readPassword(r)
	if err != nil {
		return "", err
	}
	b := bodyReader{rest: body}
	mechanism := b.string()
	data := b.take(b.int32())
	if !b.done() {
		return "", protocolViolation("malformed SASL message")
	}
	if mechanism != scramMechanism {
		return "", protocolViolation("client selected an invalid SASL authentication mechanism")
	}
	return string(data), nil
}

// readPassword reads the body of a message of type 'p', the only one that a client may send before it is logged in. It reads
// not a byte further.
func readPassword(r io.Reader) ([]byte, error) {
	var head [headerBytes]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	kind, size := header(head[:])
	if kind != 'p' {
		return nil, protocolViolation(fmt.Sprintf("expected SASL response, got message type %d", kind))
	}
	if size < headerBytes || size > headerBytes+maxAuthBytes {
		return nil, protocolViolation("invalid message length")
	}
	body := make([]byte, size-headerBytes)
	_, err := io.ReadFull(r, body)
	return body, err
}
