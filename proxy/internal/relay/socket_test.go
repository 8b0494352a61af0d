package relay

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// socketPair returns the two ends of a connection, the first as sessions have it.
func socketPair(t *testing.T, network, address string) (ours, theirs net.Conn) {
	t.Helper()
	listener, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	theirs, err = net.Dial(network, listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { theirs.Close() })
	conn, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	ours = newSocket(conn)
	t.Cleanup(func() { ours.Close() })
	for _, c := range []net.Conn{ours, theirs} {
		c.SetDeadline(time.Now().Add(patience))
	}
	return ours, theirs
}

func eachNetwork(t *testing.T, test func(t *testing.T, ours, theirs net.Conn)) {
	t.Run("tcp", func(t *testing.T) {
		ours, theirs := socketPair(t, "tcp", "127.0.0.1:0")
		test(t, ours, theirs)
	})
	t.Run("unix", func(t *testing.T) {
		ours, theirs := socketPair(t, "unix", filepath.Join(t.TempDir(), "s"))
		test(t, ours, theirs)
	})
}

// More than the kernel buffers, so that both reads and writes have to wait and to go on where they stopped.
func TestSocketCarriesMuch(t *testing.T) {
	eachNetwork(t, func(t *testing.T, ours, theirs net.Conn) {
		sent := make([]byte, 16<<20)
		rand.Read(sent)
		go func() { // an echo that begins late
			time.Sleep(20 * time.Millisecond)
			_, _ = io.Copy(theirs, theirs)
			theirs.Close()
		}()
		go func() {
			if n, err := ours.Write(sent); n != len(sent) || err != nil {
				t.Errorf("wrote %d bytes, %v", n, err)
			}
			if err := ours.(interface{ CloseWrite() error }).CloseWrite(); err != nil {
				t.Error(err)
			}
		}()
		got, err := io.ReadAll(ours)
		if err != nil || !bytes.Equal(got, sent) {
			t.Errorf("%d bytes came back, %v", len(got), err)
		}
	})
}

func TestSocketDeadlines(t *testing.T) {
	eachNetwork(t, func(t *testing.T, ours, theirs net.Conn) {
		// A deadline that is set while the socket waits.
		time.AfterFunc(10*time.Millisecond, func() { ours.SetReadDeadline(time.Now()) })
		if n, err := ours.Read(make([]byte, 1)); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("read %d bytes, %v", n, err)
		}
		go func() {
			_, _ = io.ReadFull(theirs, make([]byte, 1))
			ours.SetWriteDeadline(time.Now())
		}()
		n, err := ours.Write(make([]byte, 64<<20))
		if n <= 0 || n >= 64<<20 || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("wrote %d bytes, %v", n, err)
		}
		ours.Close()
		if got, err := io.Copy(io.Discard, theirs); got != int64(n-1) {
			t.Errorf("%d bytes arrived after the first, %d were said to be written (%v)", got, n, err)
		}
	})
}

func TestSocketEnds(t *testing.T) {
	eachNetwork(t, func(t *testing.T, ours, theirs net.Conn) {
		if n, err := ours.Read(nil); n != 0 || err != nil {
			t.Errorf("read of nothing: %d, %v", n, err)
		}
		if n, err := ours.Write(nil); n != 0 || err != nil {
			t.Errorf("write of nothing: %d, %v", n, err)
		}
		theirs.Close()
		if n, err := ours.Read(make([]byte, 1)); n != 0 || err != io.EOF {
			t.Errorf("read %d bytes, %v", n, err)
		}
		var err error
		for range 100 { // the first writes may be too early to fail
			if _, err = ours.Write([]byte{0}); err != nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		if err == nil {
			t.Error("wrote to nobody")
		}
		ours.Close()
		if n, err := ours.Read(make([]byte, 1)); n != 0 || err == nil || err == io.EOF {
			t.Errorf("read %d bytes from a closed socket, %v", n, err)
		}
	})
}

func TestSocketClosedMeanwhile(t *testing.T) {
	eachNetwork(t, func(t *testing.T, ours, _ net.Conn) {
		time.AfterFunc(10*time.Millisecond, func() { ours.Close() })
		if n, err := ours.Read(make([]byte, 1)); n != 0 || !errors.Is(err, net.ErrClosed) {
			t.Errorf("read %d bytes, %v", n, err)
		}
	})
}

// What the net package does not know not to block is left alone.
func TestSocketOfOthers(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	if newSocket(a) != a {
		t.Error("a pipe was taken for a socket")
	}
}

// A drained socket is not read again before more comes, and yet no end is missed: neither one that comes with the last bytes nor one that
// comes while what they said is dealt with, or later.
func TestEndsAreNotMissed(t *testing.T) {
	for _, end := range []struct {
		name string
		of   func(theirs net.Conn)
		err  error
	}{
		{"closed", func(theirs net.Conn) { theirs.Close() }, io.EOF},
		{"reset", func(theirs net.Conn) {
			if tcp, ok := theirs.(*net.TCPConn); ok {
				_ = tcp.SetLinger(0)
			}
			theirs.Close()
		}, syscall.ECONNRESET},
		{"half closed", func(theirs net.Conn) { _ = theirs.(interface{ CloseWrite() error }).CloseWrite() }, io.EOF},
	} {
		for _, moment := range []string{"with the last bytes", "while they are dealt with", "later"} {
			t.Run(end.name+" "+moment, func(t *testing.T) {
				eachNetwork(t, func(t *testing.T, ours, theirs net.Conn) {
					if _, err := theirs.Write([]byte("last")); err != nil {
						t.Fatal(err)
					}
					if moment == "with the last bytes" {
						end.of(theirs)
						time.Sleep(time.Millisecond) // so that both are there; if not, it is the next case
					}
					var s stream
					var got []byte
					err := s.read(ours, func() bool {
						got = append(got, s.buf[:s.end]...)
						s.at = s.end
						s.take()
						s.makeRoom()
						switch moment {
						case "while they are dealt with":
							end.of(theirs)
						case "later":
							time.AfterFunc(10*time.Millisecond, func() { end.of(theirs) })
						}
						return false
					})
					reset := errors.Is(end.err, syscall.ECONNRESET) && errors.Is(err, io.EOF) // of what has no resets
					if string(got) != "last" || !errors.Is(err, end.err) && !reset {
						t.Errorf("read %q, %v", got, err)
					}
					if _, err := ours.Write([]byte("bye")); end.name == "half closed" && err != nil {
						t.Errorf("a half closed connection cannot be written to: %v", err)
					}
				})
			})
		}
	}
}
