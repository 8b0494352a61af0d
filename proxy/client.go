package proxy

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"

	"tacit/proxy/encryption"
	"tacit/proxy/internal/wire"
)

// This file is a client's connection up to its login, and how it becomes an encrypted one. The invariant: nothing that was sent in clear before
// a handshake is read as if it had been encrypted, and a client that must encrypt says nothing in clear but a cancel request. Start at
// Proxy.awaitStartup.

// A client is a connection from outside. What is read and written through it is encrypted as soon as there is TLS.
type client struct {
	net.Conn
	raw net.Conn // without TLS
	// secure is the TLS connection, and server what accepted it; nil if there is none.
	secure *tls.Conn
	server *encryption.Server
	place  *place
	// from is where the connection comes from, by the word of a load balancer if it comes through one.
	from net.Addr
	// full says that it took the last descriptor: it is to be told so.
	full bool
}

func newClient(conn net.Conn) *client { return &client{Conn: conn, raw: conn, from: conn.RemoteAddr()} }

// handshakeRecord is the first byte of a client that begins with TLS at once. No start-up packet has it: its length would be beyond the bound.
const handshakeRecord = 0x16

// awaitStartup reads packets until one asks for a session. It encrypts if it is asked to, and answers other such requests, one of each kind, with
// no. It returns nil after a cancel request.
func (p *Proxy) awaitStartup(ctx context.Context, c *client) (*wire.StartupMessage, error) {
	server := p.encryption.Load()
	first := make([]byte, 1)
	if _, err := io.ReadFull(c.raw, first); err != nil {
		return nil, err
	}
	var in io.Reader = io.MultiReader(bytes.NewReader(first), c.raw)
	if first[0] == handshakeRecord && server.Offered() {
		if err := c.encryptDirectly(ctx, server, in); err != nil {
			return nil, err
		}
		in = c.secure
	}
	var declined [2]bool // TLS, GSSAPI
	for {
		packet, err := wire.ReadStartupPacket(in)
		switch {
		case err != nil:
			return nil, err
		case packet.Cancel != nil: // in clear, too: so libpq sends them before PostgreSQL 17
			p.keys.cancel(*packet.Cancel, c.from)
			return nil, nil
		case packet.Startup != nil && c.secure == nil && server.Required() && !c.isLocal():
			p.log.Warn("login refused", "client", c.from.String(), "error", encryptionRequired.Message)
			return nil, fatal(encryptionRequired.With())
		case packet.Startup != nil:
			return packet.Startup, nil
		}
		i := int(packet.Code - wire.SSLCode)
		switch {
		case declined[i] || c.secure != nil:
			return nil, wire.ErrEncryptTwice
		case packet.Code == wire.SSLCode && server.Offered():
			if err := c.encryptOnRequest(ctx, server); err != nil {
				return nil, err
			}
			in = c.secure
			continue
		}
		declined[i] = true
		if _, err := c.Write([]byte{'N'}); err != nil {
			return nil, err
		}
	}
}

// encryptOnRequest is for a client that asked for TLS, and waits for the answer.
func (c *client) encryptOnRequest(ctx context.Context, server *encryption.Server) error {
	if encryption.Pending(c.raw) {
		return fatal(sentTooEarly.With())
	}
	if _, err := c.Write([]byte{'S'}); err != nil {
		return err
	}
	return c.encrypt(ctx, server, c.raw)
}

// encryptDirectly is for a client that begins with TLS. It must say that it wants PostgreSQL's protocol: a request to another kind of server,
// turned to this one by somebody on the way, does not.
func (c *client) encryptDirectly(ctx context.Context, server *encryption.Server, in io.Reader) error {
	if err := c.encrypt(ctx, server, &prefixed{Conn: c.raw, in: in}); err != nil {
		return err
	}
	if c.secure.ConnectionState().NegotiatedProtocol != encryption.Protocol {
		return fatal(protocolMissing.With())
	}
	return nil
}

// errHandshake wraps the errors of TLS handshakes. The client was sent an alert.
var errHandshake = errors.New("TLS handshake")

func (c *client) encrypt(ctx context.Context, server *encryption.Server, conn net.Conn) error {
	secure, err := server.Accept(ctx, conn)
	if err != nil {
		return fmt.Errorf("%w: %w", errHandshake, err)
	}
	c.Conn, c.secure, c.server = secure, secure, server
	return nil
}

// prefixed is a connection of which something was read already, which in begins with.
type prefixed struct {
	net.Conn
	in io.Reader
}

func (p *prefixed) Read(b []byte) (int, error) { return p.in.Read(b) }

// endPoint identifies the certificate that the client sees; nil without TLS, or if there is no such identity.
func (c *client) endPoint() []byte {
	if c.server == nil {
		return nil
	}
	return c.server.EndPoint()
}

// isLocal says whether the client came through a socket of this machine, which nobody can listen in on.
func (c *client) isLocal() bool {
	_, ok := c.raw.(*net.UnixConn)
	return ok
}

// mayBe says whether the client's certificate, if it must name the analyst, does.
func (c *client) mayBe(user string) bool {
	return c.server == nil || !c.server.NamesAnalysts() || c.isNamed(user)
}

// isNamed says whether the client has a certificate that names the analyst, and had to have one.
func (c *client) isNamed(user string) bool {
	if c.server == nil || !c.server.NamesAnalysts() {
		return false
	}
	name, ok := c.server.Analyst(c.secure.ConnectionState())
	return ok && name == user
}
