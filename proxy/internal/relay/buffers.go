package relay

import "sync"

// bufferBytes is how much a connection is read at once.
const bufferBytes = 32 << 10

// buffers are shared by all connections: each has one while there is something in it. The invariant: a buffer that is put back is all zeros.
var buffers = sync.Pool{New: func() any { return new([bufferBytes]byte) }}

// A lateReader takes a stream's buffer once there is something to read, and puts it back while it waits: most connections wait most of the time.
type lateReader interface {
	ReadLate(*stream) (int, error)
}

// takeBuffer makes sure that the stream, in which there is nothing, has a buffer.
func (s *stream) takeBuffer() {
	if s.buf == nil {
		s.buf = buffers.Get().(*[bufferBytes]byte)[:]
	}
}

// putBuffer puts it back. One of another size is left to the collector.
func (s *stream) putBuffer() {
	if len(s.buf) == bufferBytes {
		clear(s.buf[:s.used])
		buffers.Put((*[bufferBytes]byte)(s.buf))
	}
	s.buf, s.used = nil, 0
}
