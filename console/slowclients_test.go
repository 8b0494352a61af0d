package console

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

// Clients of one address who send nothing, or half of a request, have their share of places alone and lose them. Others are answered meanwhile, and
// that address afterwards.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	s := newPlayed(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.console.Serve(ctx, listener) }()
	defer func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
	}()
	var slow []net.Conn
	for i := range maxConnections {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conn.SetDeadline(time.Now().Add(time.Minute)) // more than any of the console's limits
		// Who has no place is disconnected, which may come before this.
		_, _ = fmt.Fprint(conn, []string{"", "GET /login HTTP/1.1\r\nHost: localhost\r\n", "POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nname="}[i%3])
		slow = append(slow, conn)
	}
	ask := func(from string) {
		t.Helper()
		dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
		client := http.Client{Timeout: time.Minute, Transport: &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true}}
		answer, err := client.Get(fmt.Sprintf("http://%s/login", listener.Addr()))
		if err != nil {
			t.Fatalf("from %s: %v", from, err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Errorf("from %s: status %d", from, answer.StatusCode)
		}
	}
	ask("127.0.0.2")
	for i, conn := range slow {
		if _, err := io.Copy(io.Discard, conn); err != nil {
			if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
				t.Fatalf("slow client %d still has its connection", i)
			}
		}
	}
	ask("127.0.0.1")
}
