package wire

import (
	"encoding/binary"

	"github.com/jackc/pgx/v5/pgproto3"
)

// HeaderBytes is the size of a message's header: its type (one byte) and its length (four bytes, which count themselves but not the
// type). The body follows.
const HeaderBytes = 5

// PostgreSQL's own bounds on the length field of a client's message (PQ_SMALL_MESSAGE_LIMIT and PQ_LARGE_MESSAGE_LIMIT).
const (
	maxSmallLength = 10_000
	MaxLargeLength = 0x3fffffff - 1
)

// Header reads the type of a message and its whole size in bytes, header included.
func Header(b []byte) (kind byte, size int) {
	return b[0], 1 + int(binary.BigEndian.Uint32(b[1:HeaderBytes]))
}

// LongestClientLength returns the largest length field that the server accepts for a client's message, ok=false for a type
// that no client may send after login.
func LongestClientLength(kind byte) (length int, ok bool) {
	switch kind {
	case 'Q', 'P', 'B', 'F', 'd':
		return MaxLargeLength, true
	case 'E', 'D', 'C', 'H', 'S', 'X', 'c', 'f':
		return maxSmallLength, true
	}
	return 0, false
}

// Append appends a message that is known to be small enough for the protocol.
func Append(dst []byte, m pgproto3.Message) []byte {
	out, ok := TryAppend(dst, m)
	if !ok {
		panic("wire: internal error: a message is larger than the protocol allows")
	}
	return out
}

// TryAppend appends a message, ok=false if the server would not accept one so large.
func TryAppend(dst []byte, m pgproto3.Message) (out []byte, ok bool) {
	out, err := m.Encode(dst)
	return out, err == nil && len(out)-len(dst) <= MaxLargeLength
}

// The messages without a body that the proxy sends.
var (
	Flush = Append(nil, &pgproto3.Flush{})
	Sync  = Append(nil, &pgproto3.Sync{})
	// Terminate ends a session.
	Terminate = Append(nil, &pgproto3.Terminate{})
)
