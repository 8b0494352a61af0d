package pgtest

import (
	"fmt"
	"net"
	"testing"
)

// TestFreePort fails if a port is one that the system may give to somebody else, or is in use.
func TestFreePort(t *testing.T) {
	for range 200 {
		port, err := FreePort()
		if err != nil {
			t.Fatal(err)
		}
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		if port < leastPort || port > mostPort {
			t.Errorf("port %d", port)
		}
	}
}
