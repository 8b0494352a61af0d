package pgtest

import (
	"fmt"
	"math/rand/v2"
	"net"
)

// Ports are taken from below those that systems give to whoever asks for any (32768 to 60999 on Linux; RFC 6335, section 6, has 49152 to
// 65535): what is started again on its port must find it free, and neither a listener on port 0 nor a connection's own end may have it meanwhile.
const leastPort, mostPort = 12000, 31999

// FreePort returns a port on the loopback interface that was free a moment ago.
func FreePort() (int, error) {
	var err error
	for range 100 {
		port := leastPort + rand.IntN(mostPort-leastPort+1)
		var l net.Listener
		if l, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			return port, l.Close()
		}
	}
	return 0, fmt.Errorf("pgtest: no free port from %d to %d: %w", leastPort, mostPort, err)
}
