package silence

import (
	"net"
	"time"
)

// Bounded is a connection that is closed when a Read has waited for so long. The error of that Read is net.ErrClosed, as of a connection that is gone, and
// none of a deadline: deadlines of the connection are its user's, and hold besides.
func Bounded(conn net.Conn, longest time.Duration) net.Conn { return &bounded{conn, longest} }

type bounded struct {
	net.Conn
	longest time.Duration
}

func (b *bounded) Read(p []byte) (int, error) {
	late := time.AfterFunc(b.longest, func() { b.Conn.Close() })
	defer late.Stop()
	return b.Conn.Read(p)
}
