package relay

import (
	"io"
	"net"

	"tacit/proxy/internal/wire"
)

// This file is what was read in one direction and not written yet. The invariant: bytes leave it in the order in which they came, each
// let through or left out once. Start at stream.

// firstBytes is the size of a buffer of a connection of which nobody can tell beforehand that there is something to read, as of one with TLS. It doubles
// when a read fills it.
const firstBytes = 2 << 10

// A stream is a buffer that is walked through message by message. The message at hand begins at at.
type stream struct {
	// buf is nil while nothing is in it and nothing comes. No more than its first used bytes were written.
	buf  []byte
	used int
	// buf[sent:at] goes out with the next write; buf[at:end] was read but not looked at.
	sent, at, end int
	// pass and cut are how many bytes of a message that has begun are still to be let through or left out.
	pass, cut int
	// need is how many bytes from at must be there before the walk can go on.
	need int
}

// A drainer reads into a stream by itself.
type drainer interface {
	// drain reads as read does, until deal says that it is over or an error comes.
	drain(into *stream, deal func() (over bool)) error
}

// read reads from a connection until an error, which it returns, and has what came dealt with each time. It returns nil if deal says that it is over.
// What deal leaves in the stream is to have room behind it.
func (s *stream) read(conn net.Conn, deal func() (over bool)) error {
	if c, ok := conn.(drainer); ok {
		return c.drain(s, deal)
	}
	for {
		n, err := s.fill(conn)
		switch {
		case n > 0 && deal():
			return nil
		case err != nil:
			return err
		}
	}
}

// fill reads once behind what is there.
func (s *stream) fill(conn io.Reader) (n int, err error) {
	if s.buf == nil {
		s.buf = make([]byte, firstBytes)
	}
	n, err = conn.Read(s.buf[s.end:])
	s.filled(n)
	return n, err
}

// filled notes that so many bytes were read behind what was there.
func (s *stream) filled(n int) {
	s.end += n
	s.used = max(s.used, s.end)
}

// header reads the header of the message at hand, ok=false if it is not there yet. The rest of the message before is disposed of.
func (s *stream) header() (kind byte, size int, ok bool) {
	s.consume()
	if s.need = wire.HeaderBytes; !s.has() {
		return 0, 0, false
	}
	kind, size = wire.Header(s.buf[s.at:])
	return kind, size, true
}

// has says whether as much of the message at hand was read as is needed.
func (s *stream) has() bool { return s.end-s.at >= s.need }

// beginning returns what was read of the body of the message at hand, whose size is given.
func (s *stream) beginning(size int) []byte {
	return s.buf[s.at+wire.HeaderBytes : min(s.at+size, s.end)]
}

// consume disposes of the rest of a message that was begun.
func (s *stream) consume() {
	n := min(s.pass, s.end-s.at)
	s.pass -= n
	s.at += n
	if n = min(s.cut, s.end-s.at); n > 0 {
		s.cut -= n
		s.at += n
		s.sent = s.at
	}
}

// let lets the message at hand through.
func (s *stream) let(size int) {
	s.pass = size
	s.consume()
}

// leaveOut leaves the message at hand out. What was let through before it must have been taken.
func (s *stream) leaveOut(size int) {
	s.cut = size
	s.consume()
}

// take returns what was let through, to be written.
func (s *stream) take() []byte {
	data := s.buf[s.sent:s.at]
	s.sent = s.at
	return data
}

// makeRoom moves what was not looked at to the front of the buffer, which grows no faster than data come, up to what is needed or usual,
// and shrinks again. What was let through must have been taken.
func (s *stream) makeRoom() {
	left, want, full := s.end-s.at, max(s.need, bufferBytes), s.end == len(s.buf)
	switch {
	case left == 0 && len(s.buf) > want:
		s.buf, s.used = nil, 0
	case left == 0 && full && len(s.buf) < want || left == len(s.buf):
		larger := make([]byte, min(2*len(s.buf), want))
		copy(larger, s.buf[s.at:s.end])
		s.buf, s.used = larger, left
	case s.at > 0:
		copy(s.buf, s.buf[s.at:s.end])
	}
	s.sent, s.at, s.end = 0, 0, left
}
