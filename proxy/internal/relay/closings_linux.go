package relay

import (
	"os"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// This file tells sockets that their other side has closed the connection, or half closed it. The runtime is told so, too, but at once with what
// came before, of which a reader may have taken all. The invariant: a socket that waits, and whose other side has closed, is woken. Start at watch.

// A closingWatch is an epoll instance that is ready for a socket only when its other side has closed.
type closingWatch struct {
	epoll int
	mu    sync.Mutex // protects what follows
	last  uint64
	of    map[uint64]*socket
}

// closings is the watch of this process, nil if the system makes none.
var closings = sync.OnceValue(func() *closingWatch {
	epoll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil
	}
	if err := unix.SetNonblock(epoll, true); err != nil {
		unix.Close(epoll)
		return nil
	}
	raw, err := os.NewFile(uintptr(epoll), "closings").SyscallConn()
	if err != nil {
		return nil
	}
	w := &closingWatch{epoll: epoll, of: make(map[uint64]*socket)}
	go w.run(raw)
	return w
})

// watch has a socket woken when its other side closes, until the returned function is called. If it is not watched, it is to find that out itself.
func (w *closingWatch) watch(s *socket) (watched bool, unwatch func()) {
	if w == nil {
		return false, func() {}
	}
	w.mu.Lock()
	w.last++
	id := w.last
	w.of[id] = s
	w.mu.Unlock()
	event := unix.EpollEvent{Events: unix.EPOLLRDHUP | unix.EPOLLONESHOT, Fd: int32(uint32(id)), Pad: int32(uint32(id >> 32))}
	watched = s.control(func(fd int) error { return unix.EpollCtl(w.epoll, unix.EPOLL_CTL_ADD, fd, &event) })
	return watched, func() {
		w.mu.Lock()
		delete(w.of, id)
		w.mu.Unlock()
		s.control(func(fd int) error { return unix.EpollCtl(w.epoll, unix.EPOLL_CTL_DEL, fd, nil) }) // closing does it, too
	}
}

// run wakes those whose other side has closed. It never ends.
func (w *closingWatch) run(raw syscall.RawConn) {
	events := make([]unix.EpollEvent, 64)
	_ = raw.Read(func(fd uintptr) bool {
		for { // until there are none, since the runtime is told of the first only
			n, err := unix.EpollWait(int(fd), events, 0)
			if n <= 0 && err != unix.EINTR {
				return false
			}
			for _, e := range events[:max(n, 0)] {
				w.wake(uint64(uint32(e.Fd)) | uint64(uint32(e.Pad))<<32)
			}
		}
	})
}

// wake wakes a socket that is still watched.
func (w *closingWatch) wake(id uint64) {
	w.mu.Lock()
	s := w.of[id]
	w.mu.Unlock()
	if s != nil {
		s.wake()
	}
}

// wake has a socket, whose other side has closed, read to the end. Closing the own side for reading leaves what is there to be read, and has epoll
// report the socket again.
func (s *socket) wake() {
	s.peerClosed.Store(true)
	s.control(func(fd int) error { return unix.Shutdown(fd, unix.SHUT_RD) })
}

// control does something with the descriptor of a socket that is open, and reports whether it was done.
func (s *socket) control(do func(fd int) error) (done bool) {
	err := s.raw.Control(func(fd uintptr) { done = do(int(fd)) == nil })
	return err == nil && done
}
