package silence

import (
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"
)

// pair is a connection by TCP, and its other end.
func pair(t *testing.T) (near, far net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if near, err = Dialer(15*time.Second).DialContext(t.Context(), "tcp", l.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if far, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { near.Close(); far.Close() })
	return near, far
}

// A Read ends when the other end says nothing, though it takes what is sent. It says that the connection is gone, not that a deadline has passed, which a caller would
// take for its own.
func TestSilenceEndsARead(t *testing.T) {
	near, far := pair(t)
	go io.Copy(io.Discard, far)
	b := Bounded(near, 20*time.Millisecond)
	if _, err := b.Write([]byte("question")); err != nil {
		t.Fatal(err)
	}
	n, err := b.Read(make([]byte, 1))
	if n != 0 || !errors.Is(err, net.ErrClosed) || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("%d bytes, error %v", n, err)
	}
}

// Each Read has all of the time: a slow reply is read to its end. A deadline holds as on any connection.
func TestSlowReplyIsRead(t *testing.T) {
	near, far := pair(t)
	b := Bounded(near, 10*time.Second)
	for range 3 {
		if _, err := far.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		if n, err := b.Read(make([]byte, 1)); n != 1 || err != nil {
			t.Fatalf("%d bytes, error %v", n, err)
		}
	}
	if err := b.SetReadDeadline(time.Now().Add(time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}
