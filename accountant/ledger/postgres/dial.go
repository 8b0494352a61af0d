package postgres

import (
	"net"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// dialer makes connections of which the system notices that nobody is at the other end, also while an answer is awaited that may take long.
var dialer = &net.Dialer{
	KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: 3 * time.Second, Count: 3},
	Control:         boundSilence,
}

// boundSilence ends a connection on which what was sent is not acknowledged, where the system can. Elsewhere that takes a quarter of an hour.
func boundSilence(network, _ string, c syscall.RawConn) (err error) {
	const tcpUserTimeout = 0x12 // of Linux
	if runtime.GOOS != "linux" || !strings.HasPrefix(network, "tcp") {
		return nil
	}
	controlled := c.Control(func(socket uintptr) {
		err = syscall.SetsockoptInt(int(socket), syscall.IPPROTO_TCP, tcpUserTimeout, int(statementPatience/time.Millisecond))
	})
	if controlled != nil {
		return controlled
	}
	return err
}
