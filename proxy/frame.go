package proxy

import (
	"encoding/binary"
	"math"
)

// A message on the wire is its type (one byte), its length (four bytes, which count themselves but not the type) and its body.
const headerBytes = 5

// PostgreSQL's own bounds on the length field of a client's message (PQ_SMALL_MESSAGE_LIMIT and PQ_LARGE_MESSAGE_LIMIT).
const (
	maxSmallLength = 10_000
	maxLargeLength = 0x3fffffff - 1
)

// header reads the type of a message and its whole size in bytes, header included.
func header(b []byte) (kind byte, size int) {
	return b[0], 1 + int(binary.BigEndian.Uint32(b[1:headerBytes]))
}

// longestClientLength returns the largest length field that the server accepts for a client's message, ok=false for a type
// that no client may send after login.
func longestClientLength(kind byte) (length int, ok bool) {
	switch kind {
	case 'Q', 'P', 'B', 'F', 'd':
		return maxLargeLength, true
	case 'E', 'D', 'C', 'H', 'S', 'X', 'c', 'f':
		return maxSmallLength, true
	}
	return 0, false
}

// beginMessage appends a header whose length endMessage fills in.
func beginMessage(dst []byte, kind byte) (out []byte, mark int) {
	return append(dst, kind, 0, 0, 0, 0), len(dst)
}

// endMessage fills in the length of the message that began at mark.
func endMessage(dst []byte, mark int) []byte {
	binary.BigEndian.PutUint32(dst[mark+1:], uint32(len(dst)-mark-1))
	return dst
}

// fitsMessage says whether the server would accept a message of so many bytes.
func fitsMessage(size int) bool { return size <= maxLargeLength }

func appendString(dst []byte, s string) []byte {
	dst = append(dst, s...)
	return append(dst, 0)
}

func appendUint16(dst []byte, n int) []byte {
	if n < 0 || n > math.MaxUint16 {
		panic("proxy: internal error: count does not fit the message")
	}
	return binary.BigEndian.AppendUint16(dst, uint16(n))
}
