package relay

import (
	"bytes"
	"errors"
	"net"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"
)

// A connection that waits has no buffer, one that has read a part of a message keeps it, and what was in a buffer is gone when it is put back.
func TestBuffersOfThoseThatWait(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Log("elsewhere each connection has a buffer of its own")
		return
	}
	eachNetwork(t, func(t *testing.T, ours, theirs net.Conn) {
		var s stream
		waits := func() {
			t.Helper()
			ours.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
			if err := s.read(ours, func() bool { return true }); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Fatalf("waiting ended with %v", err)
			}
			ours.SetReadDeadline(time.Now().Add(patience))
		}
		reads := func(want string) {
			t.Helper()
			if _, err := theirs.Write([]byte(want)); err != nil {
				t.Fatal(err)
			}
			before := s.end
			if err := s.read(ours, func() bool { return s.end == before+len(want) }); err != nil {
				t.Fatalf("%d bytes of %q, error %v", s.end-before, want, err)
			}
		}
		if waits(); s.buf != nil {
			t.Error("a connection that waits has a buffer")
		}
		reads("private")
		if len(s.buf) != bufferBytes || !bytes.Equal(s.buf[:s.end], []byte("private")) {
			t.Fatalf("read %q into %d bytes", s.buf[:s.end], len(s.buf))
		}
		s.at = 3
		s.take()
		s.makeRoom()
		if waits(); s.buf == nil || !bytes.Equal(s.buf[:s.end], []byte("vate")) {
			t.Fatalf("of a part of a message %q is left", s.buf[:s.end])
		}
		reads(" things")
		s.at = s.end
		s.take()
		s.makeRoom()
		once := s.buf
		if waits(); s.buf != nil {
			t.Error("a connection that waits again has a buffer")
		}
		if slices.Max(once) != 0 {
			t.Errorf("%q is left in a buffer that others get", bytes.TrimRight(once, "\x00"))
		}
	})
}

// A buffer of a connection that cannot tell when there is something to read is small until there is much, and no message is cut.
func TestBufferGrows(t *testing.T) {
	var s stream
	from := bytes.NewReader(make([]byte, 10*bufferBytes))
	sizes := make(map[int]bool)
	for from.Len() > 0 {
		if _, err := s.fill(readConn{Reader: from}); err != nil {
			t.Fatal(err)
		}
		sizes[len(s.buf)] = true
		s.at = s.end
		s.take()
		s.makeRoom()
	}
	if !sizes[firstBytes] || !sizes[bufferBytes] || len(s.buf) != bufferBytes {
		t.Errorf("sizes %v, in the end %d", sizes, len(s.buf))
	}
}
