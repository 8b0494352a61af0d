package operations

import (
	"io"
	"net"
	"net/http"
	"testing"

	"tacit/policy"
)

// Clients who send half requests keep nobody from metrics and health, of their own address either.
func TestSlowClients(t *testing.T) {
	s := serving(t, &policy.Policy{}, NewMetrics(), &fakeSubject{status: status()})
	come := func(times int) {
		for range times {
			conn, err := net.Dial("tcp", s.Address())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { conn.Close() })
			_, _ = io.WriteString(conn, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n") // who makes room may be disconnected before
		}
	}
	come(maxConnections)
	for range 5 {
		for _, path := range []string{"/healthz", "/metrics"} {
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
			if code, _ := get(t, client, "http://"+s.Address()+path); code != http.StatusOK {
				t.Errorf("%s: status %d", path, code)
			}
			come(3)
		}
	}
}
