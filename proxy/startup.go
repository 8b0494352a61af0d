package proxy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// Bounds on the first packet of a connection, its length field included, as PostgreSQL's (MAX_STARTUP_PACKET_LENGTH).
const (
	minStartupBytes = 8
	maxStartupBytes = 10_000
)

// The codes that a first packet may hold in place of a protocol version.
const (
	cancelCode  = 1234<<16 | 5678
	sslCode     = 1234<<16 | 5679
	gssencCode  = 1234<<16 | 5680
	protocol3   = 3
	version3dot = protocol3 << 16 // version 3.0
)

// A startupPacket is what a client opens a connection with. Exactly one of the pointers is set, or neither for a request to
// encrypt.
type startupPacket struct {
	code    uint32
	cancel  *cancelKey
	startup *startupMessage
}

// A startupMessage asks for a session.
type startupMessage struct {
	minor int // the client's protocol version is 3.minor
	// params are the parameters in the order in which they came, protocol options apart.
	params []startupParam
	// options are the names of protocol options (_pq_.*). None is known.
	options []string
}

type startupParam struct{ name, value string }

var (
	errStartupLength = errors.New("invalid length of startup packet")
	errStartupLayout = errors.New("invalid startup packet layout: expected terminator as last byte")
)

// protocolVersionError is returned when a client speaks another major version of the protocol.
type protocolVersionError struct{ major, minor int }

func (e protocolVersionError) Error() string {
	return fmt.Sprintf("unsupported frontend protocol %d.%d: server supports 3.0 to 3.0", e.major, e.minor)
}

// parseStartupPacket reads a first packet without its length field. It never allocates more than a small multiple of the packet.
func parseStartupPacket(packet []byte) (startupPacket, error) {
	if len(packet) < minStartupBytes-4 || len(packet) > maxStartupBytes-4 {
		return startupPacket{}, errStartupLength
	}
	p := startupPacket{code: binary.BigEndian.Uint32(packet)}
	rest := packet[4:]
	var err error
	switch p.code {
	case sslCode, gssencCode:
		if len(rest) != 0 {
			return startupPacket{}, errStartupLength
		}
	case cancelCode:
		p.cancel, err = parseCancelKey(rest)
	default:
		p.startup, err = parseStartupMessage(p.code, rest)
	}
	if err != nil {
		return startupPacket{}, err
	}
	return p, nil
}

func parseStartupMessage(version uint32, rest []byte) (*startupMessage, error) {
	major, minor := int(version>>16), int(version&0xffff)
	if major != protocol3 {
		return nil, protocolVersionError{major, minor}
	}
	m := &startupMessage{minor: minor}
	for {
		name, after, ok := cutString(rest)
		if !ok {
			return nil, errStartupLayout
		}
		if name == "" {
			if len(after) != 0 {
				return nil, errStartupLayout
			}
			return m, nil
		}
		value, next, ok := cutString(after)
		if !ok {
			return nil, errStartupLayout
		}
		rest = next
		if strings.HasPrefix(name, "_pq_.") {
			m.options = append(m.options, name)
		} else {
			m.params = append(m.params, startupParam{name, value})
		}
	}
}

// cutString takes a string that ends in NUL from the front of b.
func cutString(b []byte) (s string, rest []byte, ok bool) {
	end := bytes.IndexByte(b, 0)
	if end < 0 {
		return "", nil, false
	}
	return string(b[:end]), b[end+1:], true
}

// appendNegotiation tells a client that asked for a newer minor version, or for protocol options, what it gets: version 3.0 and
// none of the options. PostgreSQL, too, sends the whole version number here, not the minor one that the documentation names.
func appendNegotiation(dst []byte, options []string) []byte {
	dst, mark := beginMessage(dst, 'v')
	dst = binary.BigEndian.AppendUint32(dst, version3dot)
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(options)))
	for _, o := range options {
		dst = appendString(dst, o)
	}
	return endMessage(dst, mark)
}
