package proxy

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"tacit/proxy/internal/wire"
)

// A peer is a client that sends and receives raw bytes.
type peer struct {
	t    testing.TB
	conn net.Conn
}

// patience bounds every wait of a test for the other side. It is reached only by a test that fails.
const patience = time.Minute

func dial(t testing.TB, address string) *peer {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetDeadline(time.Now().Add(patience))
	t.Cleanup(func() { conn.Close() })
	return &peer{t, conn}
}

func startupBytes(version uint32, params ...string) []byte {
	b := binary.BigEndian.AppendUint32(make([]byte, 4), version)
	for _, p := range params {
		b = append(append(b, p...), 0)
	}
	b = append(b, 0)
	binary.BigEndian.PutUint32(b, uint32(len(b)))
	return b
}

// connectAs connects as an analyst and reads up to the first ReadyForQuery.
func connectAs(t testing.TB, address, user, database string, params ...string) *peer {
	t.Helper()
	return dial(t, address).logIn(user, database, params...)
}

// logIn logs a peer in that nothing has been sent for but what leads to TLS.
func (p *peer) logIn(user, database string, params ...string) *peer {
	p.t.Helper()
	p.send(startupBytes(pgproto3.ProtocolVersion30, append([]string{"user", user, "database", database}, params...)...))
	for {
		m := p.receive()
		switch m.kind {
		case 'Z':
			return p
		case 'E':
			p.t.Fatalf("login: %s", m)
		}
	}
}

func (p *peer) send(b []byte) {
	p.t.Helper()
	if _, err := p.conn.Write(b); err != nil {
		p.t.Logf("send: %v", err) // the other side may have closed; what it said is read next
	}
}

// A reply is a message of the server.
type reply struct {
	kind byte
	body []byte
}

// String shows a reply whole, or if it is long so that two are equal only if the replies are.
func (r reply) String() string {
	line := fmt.Sprintf("%c %q", r.kind, r.body)
	switch r.kind {
	case 'E', 'N':
		line = fmt.Sprintf("%c %s", r.kind, r.fields())
	case 'A':
		line = fmt.Sprintf("A %q", r.body[4:]) // without the process id
	}
	if len(line) > 300 {
		return fmt.Sprintf("%s... of %d bytes, %x", line[:200], len(line), sha256.Sum256([]byte(line)))
	}
	return line
}

var temporarySchema = regexp.MustCompile(`\bpg_temp_[0-9]+\b`)

// fields are those of an error or notice by their codes, without the server's source position, and without the number of a temporary
// schema, which is another for each session.
func (r reply) fields() string {
	var b strings.Builder
	rest := wire.Reader{Rest: r.body}
	for {
		kind := rest.Byte()
		if kind == 0 || rest.Bad {
			return b.String()
		}
		if value := rest.String(); !strings.ContainsRune("FLRS", rune(kind)) {
			fmt.Fprintf(&b, "%c=%s ", kind, temporarySchema.ReplaceAllString(value, "pg_temp"))
		}
	}
}

func (p *peer) tryReceive() (reply, error) {
	var head [wire.HeaderBytes]byte
	if _, err := io.ReadFull(p.conn, head[:]); err != nil {
		return reply{}, err
	}
	kind, size := wire.Header(head[:])
	body := make([]byte, size-wire.HeaderBytes)
	_, err := io.ReadFull(p.conn, body)
	return reply{kind, body}, err
}

func (p *peer) receive() reply {
	p.t.Helper()
	r, err := p.tryReceive()
	if err != nil {
		p.t.Fatalf("receive: %v", err)
	}
	return r
}

// until reads up to and including the n-th message of a kind.
func (p *peer) until(kind byte, n int) (lines []string) {
	p.t.Helper()
	for n > 0 {
		r := p.receive()
		lines = append(lines, r.String())
		if r.kind == kind {
			n--
		}
	}
	return lines
}

// rest reads to the end of the connection.
func (p *peer) rest() (lines []string) {
	p.t.Helper()
	for {
		r, err := p.tryReceive()
		if err != nil {
			if err != io.EOF && !strings.Contains(err.Error(), "reset") {
				p.t.Errorf("the connection was not closed: %v", err)
			}
			return lines
		}
		lines = append(lines, r.String())
	}
}

// encode makes the bytes of messages.
func encode(messages ...pgproto3.FrontendMessage) (out []byte) {
	for _, m := range messages {
		var err error
		if out, err = m.Encode(out); err != nil {
			panic(err)
		}
	}
	return out
}

func simpleQuery(text string) pgproto3.FrontendMessage { return &pgproto3.Query{String: text} }

func parse(name, text string, oids ...uint32) pgproto3.FrontendMessage {
	return &pgproto3.Parse{Name: name, Query: text, ParameterOIDs: oids}
}

func bind(portal, name string, params ...string) pgproto3.FrontendMessage {
	m := &pgproto3.Bind{DestinationPortal: portal, PreparedStatement: name}
	for _, p := range params {
		m.Parameters = append(m.Parameters, []byte(p))
	}
	return m
}

func executeUpTo(portal string, rows uint32) pgproto3.FrontendMessage {
	return &pgproto3.Execute{Portal: portal, MaxRows: rows}
}

func describe(kind byte, name string) pgproto3.FrontendMessage {
	return &pgproto3.Describe{ObjectType: kind, Name: name}
}

func closing(kind byte, name string) pgproto3.FrontendMessage {
	return &pgproto3.Close{ObjectType: kind, Name: name}
}

func copyData(data string) pgproto3.FrontendMessage { return &pgproto3.CopyData{Data: []byte(data)} }

var (
	sync_    = &pgproto3.Sync{}
	flush    = &pgproto3.Flush{}
	copyDone = &pgproto3.CopyDone{}
	copyFail = &pgproto3.CopyFail{Message: "enough"}
	goodbye  = &pgproto3.Terminate{}
)
