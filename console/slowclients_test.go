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

// serveAlone serves on an address of its own, with the limits of connections.
func (s *played) serveAlone() (address string) {
	s.t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.console.Serve(ctx, listener) }()
	s.t.Cleanup(func() {
		cancel()
		if err := <-served; err != nil {
			s.t.Error(err)
		}
	})
	return listener.Addr().String()
}

// slowClient connects and sends something.
func slowClient(t *testing.T, address, text string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(time.Minute)) // more than any of the console's limits
	_, _ = io.WriteString(conn, text)             // who makes room is disconnected, which may come before this
	return conn
}

// halves are requests of which the rest does not come.
var halves = []string{"", "GET /login HTTP/1.1\r\nHost: localhost\r\n", "POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nname="}

// logsIn says that the page to log in is shown to somebody who comes from an address.
func logsIn(t *testing.T, from, address string) {
	t.Helper()
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	client := http.Client{Timeout: time.Minute, Transport: &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true}}
	answer, err := client.Get(fmt.Sprintf("http://%s/login", address))
	if err != nil {
		t.Fatalf("from %s: %v", from, err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("from %s: status %d", from, answer.StatusCode)
	}
}

// Clients who send nothing, or half of a request, and come back when they are disconnected, keep nobody out: of no other address, and not of their own.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	s := newPlayed(t)
	address := s.serveAlone()
	var slow []net.Conn
	come := func(times int) {
		for i := range times {
			slow = append(slow, slowClient(t, address, halves[i%3]))
		}
	}
	come(maxConnections)
	for range 12 {
		logsIn(t, "127.0.0.1", address)
		come(12)
		logsIn(t, "127.0.0.2", address)
	}
	for i, conn := range slow {
		if _, err := io.Copy(io.Discard, conn); err != nil {
			if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
				t.Fatalf("slow client %d still has its connection", i)
			}
		}
	}
	logsIn(t, "127.0.0.1", address)
}
