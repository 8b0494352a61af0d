package proof

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// patience bounds every wait for the other side. It is reached only by a test that fails.
const patience = time.Minute

// A client sends and receives messages as they are.
type client struct {
	t    testing.TB
	conn net.Conn
}

// connect logs in and runs statements that prepare the session.
func connect(t testing.TB, url string, first ...string) *client {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgconn.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	for _, sql := range first {
		if _, err := conn.Exec(ctx, sql).ReadAll(); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	hijacked, err := conn.Hijack()
	if err != nil {
		t.Fatal(err)
	}
	c := &client{t, hijacked.Conn}
	t.Cleanup(c.close)
	return c
}

func (c *client) close() { c.conn.Close() }

// gone stands for the end of a connection.
var gone = message{'!', []byte("the connection has ended")}

// A message is one of the server's.
type message struct {
	kind byte
	body []byte
}

// exchange sends messages and returns the replies up to the n-th ReadyForQuery, or up to the end of the connection.
func (c *client) exchange(ready int, messages ...pgproto3.FrontendMessage) []message {
	c.t.Helper()
	var out []byte
	for _, m := range messages {
		var err error
		if out, err = m.Encode(out); err != nil {
			c.t.Fatal(err)
		}
	}
	return c.talk(ready, out)
}

// talk sends bytes and returns the replies. A COPY FROM STDIN is given up.
func (c *client) talk(ready int, sent []byte) []message {
	c.t.Helper()
	c.conn.SetDeadline(time.Now().Add(patience))
	if _, err := c.conn.Write(sent); err != nil {
		return []message{gone}
	}
	var replies []message
	for ready > 0 {
		m, err := c.receive()
		if err != nil {
			return append(replies, gone)
		}
		if m.kind == 'G' {
			c.conn.Write([]byte("f\x00\x00\x00\x05\x00S\x00\x00\x00\x04"))
			if sent[0] == 'Q' {
				ready++ // Sync, which the server only then does not skip
			}
		}
		if m.kind == 'Z' {
			ready--
		}
		replies = append(replies, m)
	}
	return replies
}

func (c *client) receive() (message, error) {
	var head [5]byte
	if _, err := io.ReadFull(c.conn, head[:]); err != nil {
		return message{}, err
	}
	body := make([]byte, binary.BigEndian.Uint32(head[1:])-4)
	_, err := io.ReadFull(c.conn, body)
	return message{head[0], body}, err
}

func (c *client) query(sql string) []message { return c.exchange(1, &pgproto3.Query{String: sql}) }

// extended are the messages that prepare and run a statement, and show all that can be shown of it.
func extended(sql string, p parameters, results []int16) []pgproto3.FrontendMessage {
	return []pgproto3.FrontendMessage{
		&pgproto3.Parse{Query: sql, ParameterOIDs: p.oids},
		&pgproto3.Describe{ObjectType: 'S'},
		&pgproto3.Bind{Parameters: p.values, ParameterFormatCodes: p.formats, ResultFormatCodes: results},
		&pgproto3.Describe{ObjectType: 'P'},
		&pgproto3.Execute{},
		&pgproto3.Sync{},
	}
}

// parameters are those of a Bind message.
type parameters struct {
	oids    []uint32
	formats []int16
	values  [][]byte
}

// String shows a message whole.
func (m message) String() string {
	switch m.kind {
	case 'E', 'N':
		return fmt.Sprintf("%c %s", m.kind, m.fields())
	case 'T':
		return "T " + m.columns()
	}
	if len(m.body) > 2000 {
		return fmt.Sprintf("%c %q... of %d bytes", m.kind, m.body[:2000], len(m.body))
	}
	return fmt.Sprintf("%c %q", m.kind, m.body)
}

// fields are all those of an error or notice.
func (m message) fields() string {
	var b strings.Builder
	for _, f := range bytes.Split(m.body, []byte{0}) {
		if len(f) > 0 {
			fmt.Fprintf(&b, "%c=%s ", f[0], f[1:])
		}
	}
	return b.String()
}

// field is one of an error or notice, by its code.
func (m message) field(code byte) string {
	for _, f := range bytes.Split(m.body, []byte{0}) {
		if len(f) > 0 && f[0] == code {
			return string(f[1:])
		}
	}
	return ""
}

// columns are those of a RowDescription by name, type, size, modifier and format. From which table a column comes is left out: an
// answer's columns come from none, and tables that a session makes have other numbers in another database.
func (m message) columns() string {
	var d pgproto3.RowDescription
	if err := d.Decode(m.body); err != nil {
		return err.Error()
	}
	var b strings.Builder
	for _, f := range d.Fields {
		fmt.Fprintf(&b, "%q %d %d %d %d; ", f.Name, f.DataTypeOID, f.DataTypeSize, f.TypeModifier, f.Format)
	}
	return b.String()
}

// row are the fields of a DataRow.
func (m message) row() [][]byte {
	var d pgproto3.DataRow
	if err := d.Decode(m.body); err != nil {
		return nil
	}
	return d.Values
}

// failure is the ErrorResponse among replies, if there is one.
func failure(replies []message) (message, bool) {
	for _, m := range replies {
		if m.kind == 'E' || m.kind == '!' {
			return m, true
		}
	}
	return message{}, false
}

func lines(replies []message) []string {
	out := make([]string, len(replies))
	for i, m := range replies {
		out[i] = m.String()
	}
	return out
}

// A logBuffer is a log that is read while it is written.
type logBuffer struct {
	mu sync.Mutex // protects b
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
