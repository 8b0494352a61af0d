package relay

import (
	"io"
	"net"
	"os"
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
	// late is what ReadLate reads into, by lateStep.
	late     *stream
	lateStep func(fd uintptr) (over bool)
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
	s.lateStep = func(fd uintptr) bool {
		s.late.takeBuffer()
		s.read.p = s.late.buf
		over := s.read.try(syscall.SYS_READ, fd)
		if !over {
			s.late.putBuffer()
			s.read.p = nil
		}
		return over
	}
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

// ReadLate reads into a stream in which there is nothing. While it waits the stream has no buffer.
func (s *socket) ReadLate(into *stream) (int, error) {
	s.late = into
	n, err := s.read.run("read", nil, s.raw.Read, s.lateStep)
	if n == 0 && err == nil {
		err = io.EOF
	}
	return n, err
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
