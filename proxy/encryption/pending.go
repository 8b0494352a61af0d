package encryption

import (
	"net"
	"syscall"
)

// Pending says whether a client has sent something that was not read yet. Before a handshake that is to begin with a word of the proxy's, there is
// nothing that a client could send: somebody between the two may have put it there, in the hope that it is read as if it had been encrypted.
func Pending(conn net.Conn) bool {
	socket, ok := conn.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return false
	}
	pending := false
	err = raw.Read(func(fd uintptr) bool {
		var one [1]byte
		n, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		pending = err == nil && n > 0
		return true
	})
	return err == nil && pending
}
