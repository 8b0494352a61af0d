package proxy

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// goneFunc tells of a connection whether its other side has closed it, whatever it sent before that nobody has read yet; nil if that cannot be told.
func goneFunc(conn net.Conn) func() bool {
	socket, ok := conn.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return nil
	}
	return func() (gone bool) {
		err := raw.Control(func(fd uintptr) {
			polled := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLRDHUP}}
			n, err := unix.Poll(polled, 0)
			gone = err == nil && n > 0 && polled[0].Revents&(unix.POLLRDHUP|unix.POLLHUP|unix.POLLERR) != 0
		})
		return err == nil && gone
	}
}
