package relay

import (
	"io"
	"net"
	"os"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// A socket is a connection whose reads and writes the runtime is not told of, though it is the runtime that waits until they can go
// on. The net package's sockets do not block in them either, yet it announces each as if it might: when a write wakes its reader
// and the kernel lets that run at once, as it does on a busy machine, the runtime takes the write for one that blocks, moves its
// other work to another thread, and lets its monitor look for more such calls every twenty microseconds. A message that is relayed
// costs little else than two reads and two writes, so that this is a tenth of it.
//
// In return a thread that the kernel interrupts in such a call keeps its processor, as it does when interrupted anywhere else.
//
// One goroutine at a time may read, and one write.
type socket struct {
	halfCloser
	raw         syscall.RawConn
	read, write transfer
	// peerClosed is set once the other side has closed, or half closed, the connection.
	peerClosed atomic.Bool
}

type halfCloser interface {
	net.Conn
	CloseWrite() error
}

// newSocket returns the connection itself unless it is one of the net package's own, which are known not to block.
func newSocket(conn net.Conn) net.Conn {
	var raw syscall.RawConn
	var err error
	switch c := conn.(type) {
	case *net.TCPConn:
		raw, err = c.SyscallConn()
	case *net.UnixConn:
		raw, err = c.SyscallConn()
	default:
		return conn
	}
	if err != nil {
		return conn
	}
	s := &socket{halfCloser: conn.(halfCloser), raw: raw}
	s.read.step = func(fd uintptr) bool { return s.read.try(syscall.SYS_READ, fd) }
	s.write.step = func(fd uintptr) bool {
		for s.write.done < len(s.write.p) && s.write.errno == 0 {
			if !s.write.try(syscall.SYS_WRITE, fd) {
				return false
			}
		}
		return true
	}
	return s
}

func (s *socket) Read(p []byte) (int, error) {
	n, err := s.read.run("read", p, s.raw.Read, s.read.step)
	if n == 0 && err == nil && len(p) > 0 {
		err = io.EOF
	}
	return n, err
}

// drain reads into a stream. While it waits for the beginning of a message, the stream has no buffer.
//
// A read that brings less than there was room for has emptied the socket, so that it is not read again before more comes (epoll(7), Questions and
// answers, 9). This halves the reads. There is one thing that the runtime, which waits, may have been told of already: that the other
// side has closed. The watch on closings tells of it once more. A read also ends at urgent data and at descriptors that are sent along, which nobody does who
// speaks the protocol: who does waits until more comes from him, or the end.
func (s *socket) drain(into *stream, deal func() (over bool)) error {
	watched, unwatch := closings().watch(s)
	defer unwatch()
	over := false
	step := func(fd uintptr) (returns bool) {
		into.takeBuffer()
		room := len(into.buf) - into.end
		came := s.read.once(syscall.SYS_READ, fd, into.buf[into.end:])
		if came && (s.read.errno != 0 || s.read.done == 0) {
			return true
		}
		if came {
			into.filled(s.read.done)
			over = deal()
		}
		if over || came && (s.read.done == room || !watched || s.peerClosed.Load()) {
			return true
		}
		into.release()
		return false
	}
	for !over {
		err := s.raw.Read(step)
		switch {
		case err != nil:
			return err
		case s.read.errno != 0:
			return os.NewSyscallError("read", s.read.errno)
		case s.read.done == 0:
			return io.EOF
		}
	}
	return nil
}

func (s *socket) Write(p []byte) (int, error) {
	return s.write.run("write", p, s.raw.Write, s.write.step)
}

// A transfer is a read or write under way.
type transfer struct {
	step  func(fd uintptr) (over bool) // made once, so that a message costs no allocation
	p     []byte
	done  int // bytes of p
	errno syscall.Errno
}

// run transfers p by means of a method of a RawConn, which waits, knows deadlines and keeps the descriptor open meanwhile.
func (t *transfer) run(name string, p []byte, wait func(func(fd uintptr) bool) error, step func(fd uintptr) bool) (n int, err error) {
	t.p, t.done, t.errno = p, 0, 0
	err = wait(step)
	t.p = nil
	if err == nil && t.errno != 0 {
		err = os.NewSyscallError(name, t.errno)
	}
	return t.done, err
}

// once makes one system call for p, ok=false if it must be waited for.
func (t *transfer) once(call, fd uintptr, p []byte) (ok bool) {
	t.p, t.done, t.errno = p, 0, 0
	ok = t.try(call, fd)
	t.p = nil
	return ok
}

// try makes one system call, ok=false if it must be waited for.
func (t *transfer) try(call, fd uintptr) (ok bool) {
	rest := t.p[t.done:]
	for {
		n, _, errno := syscall.RawSyscall(call, fd, uintptr(unsafe.Pointer(unsafe.SliceData(rest))), uintptr(len(rest)))
		switch errno {
		case 0:
			t.done += int(n)
			return true
		case syscall.EAGAIN:
			return false
		case syscall.EINTR:
		default:
			t.errno = errno
			return true
		}
	}
}
