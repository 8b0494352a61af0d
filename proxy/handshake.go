package proxy

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
	"unicode/utf8"

	"tacit/policy"
	"tacit/rewrite"
)

// handshakeTime is how long a client may take from connecting to the first ReadyForQuery, the login upstream included.
const handshakeTime = 15 * time.Second

// startupTime is how long it may take to the end of the start-up packet: idle connections hold a slot that others need.
const startupTime = 5 * time.Second

// serve deals with one connection from beginning to end.
func (p *Proxy) serve(conn net.Conn) {
	defer conn.Close()
	if !p.handshakes.take() {
		return // whoever is not logged in is not owed an explanation
	}
	s, key, err := p.handshake(conn)
	p.handshakes.giveBack()
	var f fatal
	switch {
	case errors.As(err, &f):
		if tellFatal(conn, f) {
			linger(conn)
		}
	case err != nil:
		p.log.Debug("connection closed before login", "client", conn.RemoteAddr().String(), "error", err)
	case s != nil:
		s.log.Debug("session begins")
		s.run()
		p.keys.withdraw(key)
		p.sessions.giveBack(s.analyst)
		s.log.Debug("session ends")
	}
}

// handshake talks to a client up to its first ReadyForQuery. Without error and session it was a cancel request. Who gets a
// session gives back its slot and its key.
func (p *Proxy) handshake(conn net.Conn) (s *session, key cancelKey, err error) {
	deadline := time.Now().Add(handshakeTime)
	conn.SetDeadline(time.Now().Add(startupTime))
	ctx, cancel := context.WithDeadline(p.ctx, deadline)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Now()) })
	defer stop()

	message, err := p.awaitStartup(conn)
	if err != nil || message == nil {
		return nil, key, err
	}
	conn.SetDeadline(deadline)
	if ctx.Err() != nil {
		return nil, key, context.Cause(ctx)
	}
	if message.minor > 0 || len(message.options) > 0 {
		if _, err := conn.Write(appendNegotiation(nil, message.options)); err != nil {
			return nil, key, err
		}
	}
	up, user, err := p.logIn(ctx, conn, p.door.Policy(), message)
	if err != nil {
		return nil, key, err
	}
	s = newSession(p, user, conn, up)
	key = p.keys.issue(s, up.process)
	if !stop() {
		err = context.Cause(ctx)
	} else if err = conn.SetDeadline(time.Time{}); err == nil {
		_, err = conn.Write(appendWelcome(nil, up, key))
	}
	if err != nil {
		s.cancel()
		up.conn.Close()
		p.keys.withdraw(key)
		p.sessions.giveBack(user)
		return nil, key, err
	}
	return s, key, nil
}

// awaitStartup reads packets until one asks for a session. It answers a request to encrypt, one of each kind, with no. It
// returns nil after a cancel request.
func (p *Proxy) awaitStartup(conn net.Conn) (*startupMessage, error) {
	var refused [2]bool // TLS, GSSAPI
	for {
		packet, err := readStartupPacket(conn)
		if err != nil {
			return nil, err
		}
		parsed, err := parseStartupPacket(packet)
		if err != nil {
			return nil, fatalStartup(err)
		}
		switch {
		case parsed.cancel != nil:
			p.keys.cancel(*parsed.cancel)
			return nil, nil
		case parsed.startup != nil:
			return parsed.startup, nil
		}
		i := int(parsed.code - sslCode)
		if refused[i] {
			return nil, fatalStartup(errStartupLayout)
		}
		refused[i] = true
		if _, err := conn.Write([]byte{'N'}); err != nil {
			return nil, err
		}
	}
}

func fatalStartup(err error) error {
	var version protocolVersionError
	if errors.As(err, &version) {
		return fatalf("0A000", version.Error())
	}
	return protocolViolation(err.Error())
}

// readStartupPacket reads a packet without its length, and not a byte further.
func readStartupPacket(r io.Reader) ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(length[:])
	if n < minStartupBytes || n > maxStartupBytes {
		return nil, protocolViolation(errStartupLength.Error())
	}
	packet := make([]byte, n-4)
	_, err := io.ReadFull(r, packet)
	return packet, err
}

// logIn authenticates the client and connects it to the server. With success a slot for a session is taken.
func (p *Proxy) logIn(ctx context.Context, conn net.Conn, pol *policy.Policy, m *startupMessage) (*upstream, string, error) {
	l, refusal := readLogin(m.params)
	if refusal != nil {
		return nil, "", fatal{refusal}
	}
	if err := p.authenticate(conn, pol, l.user); err != nil {
		if errors.As(err, new(fatal)) {
			p.log.Warn("login refused", "analyst", l.user, "client", conn.RemoteAddr().String(), "error", err)
		}
		return nil, "", err
	}
	if l.database != p.database {
		return nil, "", fatal{&rewrite.Refusal{
			Code:    "3D000",
			Message: fmt.Sprintf("database %q does not exist", l.database),
			Hint:    fmt.Sprintf("This proxy serves database %q.", p.database),
		}}
	}
	if !p.sessions.take(l.user, len(pol.Analysts)) {
		return nil, "", fatalf("53300", "sorry, too many clients already")
	}
	up, err := p.connect(ctx, l)
	if err != nil {
		p.sessions.giveBack(l.user)
		p.log.Warn("login upstream failed", "analyst", l.user, "error", err)
		return nil, "", fatal{refuseUpstream(l.user, err)}
	}
	return up, l.user, nil
}

func (p *Proxy) connect(ctx context.Context, l login) (*upstream, error) {
	for _, value := range l.settings {
		if !utf8.ValidString(value) {
			return nil, fatalf("22021", "a startup parameter is not valid UTF-8")
		}
	}
	config, err := upstreamConfig(p.policy.Upstream.Analyst, l.user, l.settings)
	if err != nil {
		return nil, err
	}
	return connectUpstream(ctx, config)
}

// appendWelcome tells a client that it is logged in.
func appendWelcome(dst []byte, up *upstream, key cancelKey) []byte {
	dst, mark := beginMessage(dst, 'R')
	dst = endMessage(binary.BigEndian.AppendUint32(dst, authOK), mark)
	for _, p := range up.reported {
		dst, mark = beginMessage(dst, 'S')
		dst = endMessage(appendString(appendString(dst, p.name), p.value), mark)
	}
	dst = key.appendTo(dst)
	dst, mark = beginMessage(dst, 'Z')
	return endMessage(append(dst, up.status), mark)
}
