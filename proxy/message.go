package proxy

import (
	"bytes"
	"encoding/binary"
)

// The decoders of this file read the bodies of those client messages that the proxy must understand. They are as strict as the
// server: every string ends in NUL, nothing may follow the last field. A message that is not well-formed is never forwarded,
// so that the proxy and the server cannot understand it differently. The results point into the body.

// A bodyReader takes fields from the front of a message's body; bad is set when one was missing.
type bodyReader struct {
	rest []byte
	bad  bool
}

func (b *bodyReader) string() string {
	end := bytes.IndexByte(b.rest, 0)
	if end < 0 {
		b.bad = true
		return ""
	}
	s := string(b.rest[:end])
	b.rest = b.rest[end+1:]
	return s
}

func (b *bodyReader) take(n int) []byte {
	if n < 0 || n > len(b.rest) {
		b.bad = true
		return nil
	}
	field := b.rest[:n]
	b.rest = b.rest[n:]
	return field
}

func (b *bodyReader) byte() byte {
	if field := b.take(1); field != nil {
		return field[0]
	}
	return 0
}

func (b *bodyReader) uint16() int {
	if field := b.take(2); field != nil {
		return int(binary.BigEndian.Uint16(field))
	}
	return 0
}

func (b *bodyReader) int32() int {
	if field := b.take(4); field != nil {
		return int(int32(binary.BigEndian.Uint32(field)))
	}
	return 0
}

// done says whether every field was there and nothing is left.
func (b *bodyReader) done() bool { return !b.bad && len(b.rest) == 0 }

// decodeQuery reads the text of a Query.
func decodeQuery(body []byte) (text string, ok bool) {
	b := bodyReader{rest: body}
	text = b.string()
	return text, b.done()
}

// A parseMessage is the body of a Parse.
type parseMessage struct {
	name      string
	text      string
	paramOIDs []uint32
}

func decodeParse(body []byte) (m parseMessage, ok bool) {
	b := bodyReader{rest: body}
	m.name = b.string()
	m.text = b.string()
	n := b.uint16()
	oids := b.take(4 * n)
	if !b.done() {
		return parseMessage{}, false
	}
	if n > 0 {
		m.paramOIDs = make([]uint32, n)
		for i := range m.paramOIDs {
			m.paramOIDs[i] = binary.BigEndian.Uint32(oids[4*i:])
		}
	}
	return m, true
}

func (m parseMessage) append(dst []byte) []byte {
	dst, mark := beginMessage(dst, 'P')
	dst = appendString(dst, m.name)
	dst = appendString(dst, m.text)
	dst = appendUint16(dst, len(m.paramOIDs))
	for _, oid := range m.paramOIDs {
		dst = binary.BigEndian.AppendUint32(dst, oid)
	}
	return endMessage(dst, mark)
}

// A bindMessage is the body of a Bind. A nil parameter is NULL.
type bindMessage struct {
	portal, name string
	formats      []int16
	params       [][]byte
	// results are the result format codes as they came, with their count.
	results []byte
}

// decodeBindNames reads the portal and the statement from the beginning of a Bind; ok=false if they are not all there.
func decodeBindNames(body []byte) (portal, name string, ok bool) {
	b := bodyReader{rest: body}
	portal = b.string()
	name = b.string()
	return portal, name, !b.bad
}

func decodeBind(body []byte) (m bindMessage, ok bool) {
	b := bodyReader{rest: body}
	m.portal = b.string()
	m.name = b.string()
	n := b.uint16()
	if codes := b.take(2 * n); codes != nil && n > 0 {
		m.formats = make([]int16, n)
		for i := range m.formats {
			m.formats[i] = int16(binary.BigEndian.Uint16(codes[2*i:]))
		}
	}
	n = b.uint16()
	if 4*n > len(b.rest) { // each has a length of four bytes at least
		return bindMessage{}, false
	}
	m.params = make([][]byte, 0, n)
	for range n {
		m.params = append(m.params, b.param())
	}
	m.results = b.rest
	b.take(2 * b.uint16())
	if !b.done() || len(m.formats) > 1 && len(m.formats) != len(m.params) {
		return bindMessage{}, false
	}
	return m, true
}

// param reads one parameter value. The server takes -1 for NULL and refuses other negative lengths.
func (b *bodyReader) param() []byte {
	n := b.int32()
	if n == -1 {
		return nil
	}
	return b.take(n)
}

// format returns the format code of parameter i.
func (m *bindMessage) format(i int) int16 {
	switch len(m.formats) {
	case 0:
		return 0
	case 1:
		return m.formats[0]
	}
	return m.formats[i]
}

// appendWith appends the Bind with more parameters, in text form, behind the client's. One format code may stand for all of
// the client's parameters, so the codes are written out.
func (m *bindMessage) appendWith(dst []byte, more []string) []byte {
	dst, mark := beginMessage(dst, 'B')
	dst = appendString(dst, m.portal)
	dst = appendString(dst, m.name)
	n := len(m.params) + len(more)
	dst = appendUint16(dst, n)
	for i := range m.params {
		dst = binary.BigEndian.AppendUint16(dst, uint16(m.format(i)))
	}
	for range more {
		dst = append(dst, 0, 0)
	}
	dst = appendUint16(dst, n)
	for _, p := range m.params {
		dst = appendParam(dst, p)
	}
	for _, p := range more {
		dst = binary.BigEndian.AppendUint32(dst, uint32(len(p)))
		dst = append(dst, p...)
	}
	dst = append(dst, m.results...)
	return endMessage(dst, mark)
}

func appendParam(dst, value []byte) []byte {
	if value == nil {
		return append(dst, 0xff, 0xff, 0xff, 0xff)
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(value)))
	return append(dst, value...)
}

// decodeTarget reads the body of a Describe or Close: 'S' and a statement's name, or 'P' and a portal's.
func decodeTarget(body []byte) (kind byte, name string, ok bool) {
	b := bodyReader{rest: body}
	kind = b.byte()
	name = b.string()
	return kind, name, b.done()
}

// decodeExecute reads the portal of an Execute.
func decodeExecute(body []byte) (portal string, ok bool) {
	b := bodyReader{rest: body}
	portal = b.string()
	b.int32() // most rows
	return portal, b.done()
}

func appendQuery(dst []byte, text string) []byte {
	dst, mark := beginMessage(dst, 'Q')
	dst = appendString(dst, text)
	return endMessage(dst, mark)
}

func appendBare(dst []byte, kind byte) []byte {
	return append(dst, kind, 0, 0, 0, 4)
}
