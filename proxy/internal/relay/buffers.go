package relay

import "sync"

// bufferBytes is how much a connection is read at once.
const bufferBytes = 32 << 10

// buffers are shared by all connections: each has one while there is something in it. The invariant: a buffer that is put back is all zeros.
var buffers = sync.Pool{New: func() any { return new([bufferBytes]byte) }}

// takeBuffer makes sure that the stream, in which there is nothing, has a buffer.
func (s *stream) takeBuffer() {
	if s.buf == nil {
		s.buf = buffers.Get().(*[bufferBytes]byte)[:]
	}
}

// release puts the buffer of a stream that is to wait back, if there is nothing in it. One of another size is left to the collector.
func (s *stream) release() {
	if s.end > 0 {
		return
	}
	if len(s.buf) == bufferBytes {
		clear(s.buf[:s.used])
		buffers.Put((*[bufferBytes]byte)(s.buf))
	}
	s.buf, s.used = nil, 0
}
