package wire

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"github.com/jackc/pgx/v5/pgproto3"
)

// This file reads what a client sends before it is logged in: a request to encrypt, a cancel request, the start of a session, and
// passwords. The invariant: no packet is read beyond its length, and none longer than PostgreSQL's bound. pgproto3 knows two minor
// versions only, and forgets the order of parameters and which of them came twice. Start at ReadStartupPacket.

const (
	// Bounds on the first packet of a connection, its length field included, as PostgreSQL's (MAX_STARTUP_PACKET_LENGTH).
	minStartupBytes = 8
	maxStartupBytes = 10_000
	// maxAuthBytes bounds a message of a client that is not logged in yet (PG_MAX_SASL_MESSAGE_LENGTH).
	maxAuthBytes = 1024
)

// The codes that a first packet may hold in place of a protocol version.
const (
	CancelCode = 1234<<16 | 5678
	SSLCode    = 1234<<16 | 5679
	GSSEncCode = 1234<<16 | 5680
)

// A StartupPacket is what a client opens a connection with. Exactly one of the pointers is set, or neither for a request to
// encrypt.
type StartupPacket struct {
	Code    uint32
	Cancel  *CancelKey
	Startup *StartupMessage
}

// A StartupMessage asks for a session.
type StartupMessage struct {
	Minor int // the client's protocol version is 3.minor
	// Params are the parameters in the order in which they came, protocol options apart.
	Params []Param
	// Options are the names of protocol options (_pq_.*). None is known.
	Options []string
}

// A Param is a run-time parameter with its value.
type Param struct{ Name, Value string }

// A CancelKey is what a client shows to cancel a statement from another connection.
type CancelKey struct {
	ID     uint32
	Secret string // of 1 to maxSecretBytes bytes
}

var (
	errStartupLength = ProtocolViolation("invalid length of startup packet")
	errSecretLength  = ProtocolViolation("invalid length of cancel key in cancel request packet")
	errStartupLayout = ProtocolViolation("invalid startup packet layout: expected terminator as last byte")
	// ErrEncryptTwice is returned when a client asks again for what was declined.
	ErrEncryptTwice error = errStartupLayout
)

// ReadStartupPacket reads a packet, and not a byte further. The error is a Fatal if the packet is not well-formed.
func ReadStartupPacket(r io.Reader) (StartupPacket, error) {
	var length [4]byte
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return StartupPacket{}, err
	}
	n := binary.BigEndian.Uint32(length[:])
	if n < minStartupBytes || n > maxStartupBytes {
		return StartupPacket{}, errStartupLength
	}
	packet := make([]byte, n-4)
	if _, err := io.ReadFull(r, packet); err != nil {
		return StartupPacket{}, err
	}
	return parseStartupPacket(packet)
}

// parseStartupPacket reads a first packet without its length field. It never allocates more than a small multiple of the packet.
func parseStartupPacket(packet []byte) (p StartupPacket, err error) {
	b := Reader{Rest: packet}
	p.Code = uint32(b.Int32())
	switch p.Code {
	case SSLCode, GSSEncCode:
	case CancelCode:
		p.Cancel = &CancelKey{ID: uint32(b.Int32())}
		if n := len(b.Rest); n == 0 || n > maxSecretBytes {
			return StartupPacket{}, errSecretLength
		}
		p.Cancel.Secret = string(b.Take(len(b.Rest)))
	default:
		p.Startup, err = b.startupMessage(int(p.Code>>16), int(p.Code&0xffff))
	}
	if err == nil && !b.Done() {
		err = errStartupLength
	}
	if err != nil {
		return StartupPacket{}, err
	}
	return p, nil
}

func (b *Reader) startupMessage(major, minor int) (*StartupMessage, error) {
	if major != pgproto3.ProtocolVersion30>>16 {
		return nil, Fatal{ErrorFields{
			Code: "0A000", Message: fmt.Sprintf("unsupported frontend protocol %d.%d: server supports 3.0 to 3.%d", major, minor, NewestMinor),
		}}
	}
	m := &StartupMessage{Minor: minor}
	for {
		name := b.String()
		if name == "" {
			if !b.Done() {
				return nil, errStartupLayout
			}
			return m, nil
		}
		value := b.String()
		if b.Bad {
			return nil, errStartupLayout
		}
		if strings.HasPrefix(name, "_pq_.") {
			m.Options = append(m.Options, name)
		} else {
			m.Params = append(m.Params, Param{name, value})
		}
	}
}

// NewestMinor is the newest minor version of the protocol that is spoken. It differs from the first in the length of secrets alone. There is no
// version 3.1: as with PostgreSQL, a client that asks for it is spoken to as by version 3.0.
const NewestMinor = 2

// Negotiation tells a client that asked for a newer minor version, or for protocol options, what it gets: the newest version, and none of the
// options. PostgreSQL, too, sends the whole version number here, not the minor one that the documentation names.
func Negotiation(m *StartupMessage) []byte {
	return Append(nil, &pgproto3.NegotiateProtocolVersion{
		NewestMinorProtocol: uint32(pgproto3.ProtocolVersion30 + min(m.Minor, NewestMinor)), UnrecognizedOptions: m.Options,
	})
}

// SecretBytes is how long the secret of a session's cancel key is, as PostgreSQL's.
func (m *StartupMessage) SecretBytes() int {
	if m.Minor >= NewestMinor {
		return longSecretBytes
	}
	return ShortSecretBytes
}

// ShortSecretBytes is the length of secrets up to version 3.1, longSecretBytes that of ours since, and maxSecretBytes the most that there may be.
const (
	ShortSecretBytes = 4
	longSecretBytes  = 32
	maxSecretBytes   = 256
)

// ReadPassword reads the body of a message of type 'p', the only one that a client may send before it is logged in. It reads
// not a byte further.
func ReadPassword(r io.Reader) ([]byte, error) {
	var head [HeaderBytes]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	kind, size := Header(head[:])
	if kind != 'p' {
		return nil, ProtocolViolation(fmt.Sprintf("expected SASL response, got message type %d", kind))
	}
	if size < HeaderBytes || size > HeaderBytes+maxAuthBytes {
		return nil, ProtocolViolation("invalid message length")
	}
	body := make([]byte, size-HeaderBytes)
	_, err := io.ReadFull(r, body)
	return body, err
}

// ReadSASLInitial reads a SASLInitialResponse.
func ReadSASLInitial(r io.Reader) (mechanism, data string, err error) {
	body, err := ReadPassword(r)
	if err != nil {
		return "", "", err
	}
	b := Reader{Rest: body}
	mechanism = b.String()
	data = string(b.Take(b.Int32()))
	if !b.Done() {
		return "", "", ProtocolViolation("malformed SASL message")
	}
	return mechanism, data, nil
}
