package limited

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

const testBodyBytes = 100

// A watchedServer has eight places, six of them for this address.
type watchedServer struct {
	t        *testing.T
	listener *Listener
	held     chan struct{} // ends the answers of /slow and /kept
	begun    chan string   // has their paths
}

func newWatchedServer(t *testing.T) *watchedServer {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &watchedServer{t: t, listener: New(inner, 8), held: make(chan struct{}), begun: make(chan string, 100)}
	server := &http.Server{Handler: Whole(http.HandlerFunc(s.answer), testBodyBytes)}
	Watch(server)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(s.listener) }()
	t.Cleanup(func() {
		server.Close()
		<-ended
	})
	return s
}

func (s *watchedServer) answer(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/kept":
		Keep(r.Context())
		fallthrough
	case "/slow":
		s.begun <- r.URL.Path
		<-s.held
	}
	body, err := io.ReadAll(r.Body)
	fmt.Fprintf(w, "%s %v\n", body, err)
}

// send opens a connection, and sends something.
func (s *watchedServer) send(text string) net.Conn {
	s.t.Helper()
	conn := dial(s.t, s.listener)
	conn.SetDeadline(time.Now().Add(time.Minute))
	if _, err := io.WriteString(conn, text); err != nil {
		s.t.Fatal(err)
	}
	return conn
}

// asks has a request answered.
func (s *watchedServer) asks(conn net.Conn, body, want string) {
	s.t.Helper()
	if _, err := fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		s.t.Fatal(err)
	}
	s.reads(conn, want)
}

// reads reads an answer.
func (s *watchedServer) reads(conn net.Conn, want string) {
	s.t.Helper()
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	if got, err := io.ReadAll(answer.Body); err != nil || strings.TrimSpace(string(got)) != want {
		s.t.Errorf("the answer is %q, %v, and not %q", got, err, want)
	}
}

// ended waits until a connection was closed by the server.
func (s *watchedServer) ended(conn net.Conn) {
	s.t.Helper()
	_, err := io.Copy(io.Discard, conn)
	if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
		s.t.Error("a connection did not make room")
	}
}

// Clients that have their share of half requests, of headers and of bodies, and come back whenever they are disconnected, keep nobody out.
func TestHalfRequests(t *testing.T) {
	s := newWatchedServer(t)
	for _, half := range []string{"", "GET / HTTP/1.1\r\nHost: x\r\n", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nbody"} {
		var slow []net.Conn
		for range 6 {
			slow = append(slow, s.send(half))
		}
		for i := range 12 {
			conn := s.send("")
			s.asks(conn, "all", "all <nil>")
			s.ended(slow[i])
			conn.Close()
			slow = append(slow, s.send(half))
		}
	}
}

// An answer that has begun makes room for others when few wait, but not that of a client who is known.
func TestHeldAnswers(t *testing.T) {
	s := newWatchedServer(t)
	known := s.send("GET /kept HTTP/1.1\r\nHost: x\r\n\r\n")
	<-s.begun
	var slow []net.Conn
	for i := range 20 {
		slow = append(slow, s.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n"))
		<-s.begun
		if i >= 5 {
			s.ended(slow[i-5])
		}
	}
	conn := s.send("")
	s.asks(conn, "all", "all <nil>")
	s.asks(conn, "again", "again <nil>")
	close(s.held)
	s.reads(known, "<nil>")
	s.allWait()
	for range 6 { // the one that is known waits now, too
		s.send("")
	}
	s.ended(known)
	s.ended(conn)
}

// allWait waits until the server has noted that all connections wait for a request, which it does after an answer.
func (s *watchedServer) allWait() {
	s.t.Helper()
	for range 6000 {
		s.listener.mu.Lock()
		wait := 0
		for e := s.listener.open.Front(); e != nil; e = e.Next() {
			if e.Value.(*connection).doing == waiting {
				wait++
			}
		}
		all := wait == s.listener.open.Len()
		s.listener.mu.Unlock()
		if all {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.t.Fatal("an answer does not end")
}

// A connection that begins another request makes room until this one is whole, too.
func TestSecondRequest(t *testing.T) {
	s := newWatchedServer(t)
	var slow []net.Conn
	for range 6 {
		conn := s.send("")
		s.asks(conn, "all", "all <nil>")
		io.WriteString(conn, "GET / HT")
		slow = append(slow, conn)
	}
	s.allWait()
	for range 6 {
		s.asks(s.send(""), "all", "all <nil>")
	}
	for _, conn := range slow {
		s.ended(conn)
	}
}

// A body is bounded.
func TestLargeBody(t *testing.T) {
	s := newWatchedServer(t)
	s.asks(s.send(""), strings.Repeat("x", testBodyBytes), strings.Repeat("x", testBodyBytes)+" <nil>")
	s.asks(s.send(""), strings.Repeat("x", testBodyBytes+1), "Request Entity Too Large")
}
