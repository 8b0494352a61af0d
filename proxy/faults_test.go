package proxy

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"tacit/internal/pgtest"
	"tacit/policy"
	"tacit/proxy/internal/wire"
)

// What the server does wrong, or what happens to its bytes on their way. Clients that do it are in session_test.go, startup_test.go and auth_test.go.

// faulty is what is asked while the server fails: relayed, failed, answered, and prepared statements.
var faulty = messages{
	simpleQuery("SELECT repeat('x', 100) FROM generate_series(1, 3)"), simpleQuery("SELECT 1/0"), simpleQuery(byRegion),
	parse("s", byRegion), bind("", "s"), executeUpTo("", 0), sync_, parse("", "SELECT 1"), bind("", ""), describe('P', ""), executeUpTo("", 0), sync_,
}

// through makes a rig whose analysts' sessions reach the server by another port.
func through(t *testing.T, port int) *rig {
	t.Helper()
	return newRigAlone(t, func(p *policy.Policy) {
		before, database := p.Upstream.Analyst[:strings.LastIndex(p.Upstream.Analyst, ":")], p.Upstream.Analyst[strings.LastIndex(p.Upstream.Analyst, "/"):]
		p.Upstream.Analyst = fmt.Sprintf("%s:%d%s?sslmode=disable", before, port, database)
	})
}

// session says hello, sends what is asked, and returns all replies, up to the end of the connection or the given number of ReadyForQuery.
func (r *rig) session(t *testing.T, ready int) (replies []string) {
	t.Helper()
	p := dial(t, r.address.String())
	defer p.conn.Close()
	p.send(append(startupBytes(pgproto3.ProtocolVersion30, "user", "ana", "database", r.database), encode(faulty...)...))
	for ready > 0 {
		m, err := p.tryReceive()
		if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
			t.Errorf("the session hangs after %q", replies)
		}
		if err != nil {
			return replies
		}
		if m.kind == 'Z' {
			ready--
		}
		if m.kind == 'K' { // a key of the session's own
			continue
		}
		replies = append(replies, m.String())
	}
	return replies
}

// faultyReady is how many ReadyForQuery a session of faulty has: one of the login.
const faultyReady = 6

// TestServerBreaksAnywhere ends the server's bytes, or the proxy's to it, after any number of them: at each seventeenth in a short run. What the client hears is the
// beginning of what it hears otherwise, and then at most one fatal error; nothing is left behind.
func TestServerBreaksAnywhere(t *testing.T) {
	relay, err := cluster.NewRelay()
	if err != nil {
		t.Fatal(err)
	}
	defer relay.Close()
	r := through(t, relay.Port)
	r.session(t, faultyReady) // by then everything is known that is remembered
	before := relay.Heard()
	want := r.session(t, faultyReady)
	whole := relay.Heard()
	goroutines := runtime.NumGoroutine()
	if len(want) < 20 {
		t.Fatalf("an undisturbed session has %q", want)
	}
	step := int64(1)
	if testing.Short() {
		step = 17
	}
	check := func(cut pgtest.Cut) {
		relay.Next(cut)
		got := r.session(t, faultyReady)
		same := 0
		for same < min(len(got), len(want)) && got[same] == want[same] {
			same++
		}
		if rest := got[same:]; len(rest) > 1 || len(rest) == 1 && !strings.HasPrefix(rest[0], "E V=FATAL") {
			t.Errorf("cut %+v: the client hears %q, in place of %q", cut, rest, want[same:])
		}
	}
	for n := int64(1); n < whole.ToClient-before.ToClient; n += step {
		check(pgtest.Cut{ToClient: n})
	}
	for n := int64(1); n < whole.ToServer-before.ToServer; n += step {
		check(pgtest.Cut{ToServer: n})
	}
	relay.Next()
	if got := r.session(t, faultyReady); !slices.Equal(got, want) {
		t.Errorf("afterwards a session has %q, want %q", got, want)
	}
	r.until("sessions are over", func() bool {
		return r.proxy.connections.Open() == 0 && r.proxy.keys.count() == 0 && runtime.NumGoroutine() <= goroutines
	})
}

// A middle stands between the proxy and the server, and changes what the server says.
type middle struct {
	port   int
	change func(n int, kind byte, body []byte) []byte // of the n-th message of a connection, from 0: the bytes in its place
}

func newMiddle(t *testing.T, change func(n int, kind byte, body []byte) []byte) *middle {
	t.Helper()
	listening, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listening.Close() })
	m := &middle{port: listening.Addr().(*net.TCPAddr).Port, change: change}
	go func() {
		for {
			conn, err := listening.Accept()
			if err != nil {
				return
			}
			go m.serve(conn)
		}
	}()
	return m
}

func (m *middle) serve(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", net.JoinHostPort(cluster.Host, fmt.Sprint(cluster.Port)))
	if err != nil {
		return
	}
	defer server.Close()
	go func() {
		defer server.Close()
		io.Copy(server, client)
	}()
	for n := 0; ; n++ {
		var head [wire.HeaderBytes]byte
		if _, err := io.ReadFull(server, head[:]); err != nil {
			return
		}
		kind, size := wire.Header(head[:])
		body := make([]byte, size-wire.HeaderBytes)
		if _, err := io.ReadFull(server, body); err != nil {
			return
		}
		for _, b := range m.change(n, kind, body) { // one byte in each write
			if _, err := client.Write([]byte{b}); err != nil {
				return
			}
		}
	}
}

func message(kind byte, body []byte) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{kind}, uint32(4+len(body))), body...)
}

// TestServerWritesBytewise has the server's messages come in one write for each byte. Nothing is heard in another way.
func TestServerWritesBytewise(t *testing.T) {
	direct := through(t, cluster.Port)
	m := newMiddle(t, func(_ int, kind byte, body []byte) []byte { return message(kind, body) })
	bytewise := through(t, m.port)
	for range 2 { // what is known is heard, too
		if got, want := bytewise.session(t, faultyReady), direct.session(t, faultyReady); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// withoutCode is an error without its SQLSTATE.
func withoutCode(body []byte) (changed []byte) {
	rest := wire.Reader{Rest: body}
	for {
		field := rest.Byte()
		if field == 0 {
			return append(changed, 0)
		}
		if value := rest.String(); field != 'C' {
			changed = append(append(append(changed, field), value...), 0)
		}
	}
}

// TestServerErrorsWithoutCode leaves SQLSTATE out of the server's errors, in reply to statements, at the login, and to what the proxy asks itself
// (CVE-2026-6666 of pgbouncer).
func TestServerErrorsWithoutCode(t *testing.T) {
	m := newMiddle(t, func(_ int, kind byte, body []byte) []byte {
		if kind == 'E' {
			body = withoutCode(body)
		}
		return message(kind, body)
	})
	r := through(t, m.port)
	got := strings.Join(r.session(t, faultyReady), "\n")
	if !strings.Contains(got, "M=division by zero") || strings.Contains(got, "22012") {
		t.Errorf("got %s", got)
	}
	p := connectAs(t, r.address.String(), "ana", r.database)
	for _, sql := range []string{"SELECT * FROM nowhere", "SELECT region, count(*), nowhere(1) FROM patients GROUP BY region", "COPY nowhere FROM STDIN"} {
		if got := p.talk(1, simpleQuery(sql)); !strings.HasPrefix(got[len(got)-2], "E V=ERROR") {
			t.Errorf("%s: %q", sql, got)
		}
	}
	p.expect(1, messages{simpleQuery("SELECT 1 WHERE false")}, one("SELECT 0"), idle)
	if err := execute(r.database, "ALTER ROLE bob CONNECTION LIMIT 0"); err != nil {
		t.Fatal(err)
	}
	defer execute(r.database, "ALTER ROLE bob CONNECTION LIMIT -1")
	q := dial(t, r.address.String())
	q.send(startupBytes(pgproto3.ProtocolVersion30, "user", "bob", "database", r.database))
	if got := q.rest(); len(got) == 0 || !strings.HasPrefix(got[len(got)-1], "E V=FATAL") {
		t.Errorf("a login that the server refuses: %q", got)
	}
}

// TestServerSpeaksNonsense puts messages of wrong lengths, unknown types and wrong order in place of each of the server's messages, one after the other. The
// session ends, or goes on, or waits until its client goes. Then nothing of it is left, and whoever comes next is served.
func TestServerSpeaksNonsense(t *testing.T) {
	type lie struct {
		at    int // the message of a connection, from 0
		bytes []byte
	}
	var told atomic.Pointer[lie]
	m := newMiddle(t, func(n int, kind byte, body []byte) []byte {
		if lie := told.Load(); lie != nil && n == lie.at {
			return lie.bytes
		}
		return message(kind, body)
	})
	r := through(t, m.port)
	r.blames = "session closed: replies no longer fit what was asked"
	want := r.session(t, faultyReady)
	for name, bytes := range map[string][]byte{
		"length 3": {'D', 0, 0, 0, 3}, "length 0": {'D', 0, 0, 0, 0}, "negative length": {'D', 0xff, 0xff, 0xff, 0xff}, "2 GB": {'D', 0x7f, 0xff, 0xff, 0xff},
		"unknown type": {'!', 0, 0, 0, 4}, "type 0": {0, 0, 0, 0, 4}, "an error of nothing": {'E', 0, 0, 0, 4}, "an error without end": {'E', 0, 0, 0, 7, 'C', '2', '2'},
		"a copy that nobody asked for": message('G', []byte{0, 0, 0}), "an endless row": message('D', []byte{0x7f, 0xff, 0, 0, 0, 1, 'x'}),
		"asks for a password": message('R', []byte{0, 0, 0, 3}), "SASL without mechanisms": message('R', []byte{0, 0, 0, 10}),
		"SASL of a long challenge": message('R', append([]byte{0, 0, 0, 11}, strings.Repeat("r=", 4000)...)), // CVE-2026-6665
		"ready in no known state":  message('Z', []byte{'?'}), "setting without end": message('S', []byte("TimeZone")), "another encoding": message('S', []byte("client_encoding\x00LATIN1\x00")),
		"complete without end": message('C', []byte("SELECT 1")), "key without secret": message('K', []byte{0, 0, 0, 1}), "nothing": {},
	} {
		for at := range 60 {
			if testing.Short() && (at+len(name))%7 != 0 {
				continue
			}
			told.Store(&lie{at, bytes})
			p := dial(t, r.address.String())
			p.send(append(startupBytes(pgproto3.ProtocolVersion30, "user", "ana", "database", r.database), encode(faulty...)...))
			p.send(encode(goodbye))
			p.conn.SetDeadline(time.Now().Add(time.Second)) // where the server owes a reply the proxy waits, until the client goes
			io.Copy(io.Discard, p.conn)
			p.conn.Close()
		}
	}
	told.Store(nil)
	if got := r.session(t, faultyReady); !slices.Equal(got, want) {
		t.Errorf("afterwards a session has %q, want %q", got, want)
	}
	r.until("sessions are over", func() bool { return r.proxy.connections.Open() == 0 && r.proxy.keys.count() == 0 })
}

// lies are what a server may say in place of a message of its own.
var lies = map[string]func(kind byte, body []byte) []byte{
	"half of it":    func(kind byte, body []byte) []byte { return message(kind, body[:len(body)/2]) },
	"nothing in it": func(kind byte, _ []byte) []byte { return message(kind, nil) },
	"other bytes":   func(kind byte, body []byte) []byte { return message(kind, bytes.Repeat([]byte{0xff}, len(body))) },
	"more bytes":    func(kind byte, body []byte) []byte { return message(kind, append(slices.Clone(body), 0, 0xff, 0)) },
	"twice":         func(kind byte, body []byte) []byte { return append(message(kind, body), message(kind, body)...) },
	"ready before":  func(kind byte, body []byte) []byte { return append(message('Z', []byte{'I'}), message(kind, body)...) },
	"a row before": func(kind byte, body []byte) []byte {
		return append(message('D', []byte{0, 1, 0xff, 0xff, 0xff, 0xf0}), message(kind, body)...)
	},
	"a copy before": func(kind byte, body []byte) []byte {
		return append(message('G', []byte{0, 0, 0}), message(kind, body)...)
	},
}

// TestServerLies changes each of the server's messages, or puts one before it, so that the server owes nothing. The session ends or goes on, and hangs nowhere.
func TestServerLies(t *testing.T) {
	var at, last atomic.Int64
	var lie atomic.Pointer[func(kind byte, body []byte) []byte]
	m := newMiddle(t, func(n int, kind byte, body []byte) []byte {
		last.Store(int64(n))
		if f := lie.Load(); f != nil && int64(n) == at.Load() {
			return (*f)(kind, body)
		}
		return message(kind, body)
	})
	r := through(t, m.port)
	r.blames = "session closed: replies no longer fit what was asked"
	r.session(t, faultyReady) // by then everything is known that is remembered
	want := r.session(t, faultyReady)
	messages := last.Load()
	if messages < 30 {
		t.Fatalf("a session has %d messages", messages)
	}
	step := int64(1)
	if testing.Short() {
		step = 5
	}
	for name, f := range lies {
		lie.Store(&f)
		for n := int64(0); n <= messages; n += step {
			at.Store(n)
			if got := r.session(t, faultyReady); len(got) > len(want)+2 {
				t.Errorf("%s in place of message %d: the client hears %q", name, n, got)
			}
		}
	}
	lie.Store(nil)
	if got := r.session(t, faultyReady); !slices.Equal(got, want) {
		t.Errorf("afterwards a session has %q, want %q", got, want)
	}
}
