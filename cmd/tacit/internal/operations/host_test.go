package operations

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"testing"

	"tacit/policy"
)

// A page elsewhere that has had its name lead to this machine reads nothing.
func TestOwnName(t *testing.T) {
	s := serving(t, &policy.Policy{}, NewMetrics(), &fakeSubject{})
	for host, want := range map[string]int{
		"localhost:9187": http.StatusOK, "127.0.0.1": http.StatusOK, "[::1]:9187": http.StatusOK,
		"evil.example": http.StatusMisdirectedRequest, "127.0.0.1.evil.example:9187": http.StatusMisdirectedRequest, "10.0.0.7": http.StatusMisdirectedRequest,
	} {
		r, err := http.NewRequest("GET", "http://"+s.Address()+"/healthz", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		reply, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if reply.Body.Close(); reply.StatusCode != want {
			t.Errorf("%s: status %d, want %d", host, reply.StatusCode, want)
		}
	}
}

// A load balancer's check of health names no host (HTTP/1.0).
func TestNoName(t *testing.T) {
	s := serving(t, &policy.Policy{}, NewMetrics(), &fakeSubject{})
	conn, err := net.Dial("tcp", s.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET /healthz HTTP/1.0\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	reply, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	if reply.Body.Close(); reply.StatusCode != http.StatusOK {
		t.Errorf("status %d", reply.StatusCode)
	}
}
