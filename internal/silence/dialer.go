package silence

import (
	"net"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Dialer makes connections that end some 15 seconds after the machine at the other end has vanished, also while an answer is awaited that may take long.
// They end, too, when what was sent is not acknowledged for so long as patience.
func Dialer(patience time.Duration) *net.Dialer {
	return &net.Dialer{
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: 3 * time.Second, Count: 3},
		Control: func(network, _ string, c syscall.RawConn) error {
			return boundUnacknowledged(network, c, patience)
		},
	}
}

// boundUnacknowledged ends a connection on which what was sent is not acknowledged, where the system can. Elsewhere that takes a quarter of an hour.
func boundUnacknowledged(network string, c syscall.RawConn, patience time.Duration) (err error) {
	const tcpUserTimeout = 0x12 // of Linux
	if runtime.GOOS != "linux" || !strings.HasPrefix(network, "tcp") {
		return nil
	}
	controlled := c.Control(func(socket uintptr) {
		err = syscall.SetsockoptInt(int(socket), syscall.IPPROTO_TCP, tcpUserTimeout, int(patience/time.Millisecond))
	})
	if controlled != nil {
		return controlled
	}
	return err
}
