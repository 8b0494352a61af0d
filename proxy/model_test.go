package proxy

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgproto3"

	"tacit/policy"
	"tacit/rewrite"
)

// A modelServer speaks the protocol as PostgreSQL does and knows no SQL: a text fails if it holds the word "error" or is what
// refused statements are replaced with, and every name is that of a table in schema public.
type modelServer struct {
	t        testing.TB
	in       *bufio.Reader
	out      bytes.Buffer
	skipping bool
	rows     map[string]int // of the proxy's own portals
}

func (s *modelServer) reply(kind byte, body string) {
	m, mark := beginMessage(nil, kind)
	s.out.Write(endMessage(append(m, body...), mark))
}

func (s *modelServer) fail() {
	s.out.Write(appendError(nil, "ERROR", &rewrite.Refusal{Code: "42703", Message: "the server's error", Position: 1}))
}

// see fails the test if a text that came to the server could be planned with a protected table in it.
func (s *modelServer) see(text string, parsed bool) {
	session := &rewrite.Session{
		Catalog: testCatalog("1"), Limits: policy.Limits{StatementBytes: 1 << 20, Nesting: 500}, Prepared: parsed,
		Resolve: func(name string) (policy.TableName, bool, error) {
			return policy.TableName{Schema: "public", Name: name}, true, nil
		},
	}
	verdict, err := rewrite.Analyze(text, session)
	if err != nil {
		s.t.Error(err)
	}
	switch v := verdict.(type) {
	case *rewrite.Relay, *rewrite.Forget, *rewrite.Execute:
	case *rewrite.Script:
		if !v.Sketch {
			s.t.Errorf("the server got %q", text)
		}
	default:
		s.t.Errorf("the server got %q: %+v", text, verdict)
	}
}

func fails(text string) bool {
	return strings.HasSuffix(text, refusedText) || strings.Contains(text, "error")
}

// serve answers until the client says goodbye or closes.
func (s *modelServer) serve(conn net.Conn) {
	defer conn.Close()
	s.in, s.rows = bufio.NewReader(conn), make(map[string]int)
	for {
		var head [headerBytes]byte
		if _, err := io.ReadFull(s.in, head[:]); err != nil {
			return
		}
		kind, size := header(head[:])
		longest, known := longestClientLength(kind)
		if !known || size < headerBytes || size > longest+1 {
			s.t.Errorf("the server got a message of type %q with %d bytes", kind, size)
			return
		}
		body := make([]byte, size-headerBytes)
		if _, err := io.ReadFull(s.in, body); err != nil {
			return // the client went away in the middle of it
		}
		if kind == 'X' {
			return
		}
		s.message(kind, body)
		if _, err := conn.Write(s.out.Bytes()); err != nil {
			return
		}
		s.out.Reset()
	}
}

func (s *modelServer) message(kind byte, body []byte) {
	if s.skipping && kind != 'S' {
		return
	}
	switch kind {
	case 'Q':
		text, ok := decodeQuery(body)
		if !ok {
			s.t.Errorf("the server got a malformed Query: %q", body)
		}
		s.see(text, false)
		prologue, _ := strings.CutSuffix(text, refusedText)
		for range strings.Count(prologue, ";") { // the statements before the refused one
			if prologue != text {
				s.reply('C', "OK\x00")
			}
		}
		if fails(text) {
			s.fail()
		} else {
			s.reply('C', "OK\x00")
		}
		s.reply('Z', "I")
	case 'P':
		m, ok := decodeParse(body)
		if !ok {
			s.t.Errorf("the server got a malformed Parse: %q", body)
		}
		s.see(m.text, true)
		if s.skipping = fails(m.text); s.skipping {
			s.fail()
		} else {
			s.reply('1', "")
		}
	case 'B':
		if m, ok := decodeBind(body); ok && strings.HasPrefix(m.name, "tacit:") && len(m.params) > 0 {
			s.rows[m.portal] = bytes.Count(m.params[0], []byte(`,"`)) + 1
		}
		s.reply('2', "")
	case 'D':
		if len(body) > 0 && body[0] == 'S' {
			s.reply('t', "\x00\x00")
		}
		s.reply('n', "")
	case 'E':
		portal, _ := decodeExecute(body)
		for range s.rows[portal] {
			s.reply('D', "\x00\x04\x00\x00\x00\x02on\x00\x00\x00\x06notice\x00\x00\x00\x06public\x00\x00\x00\x08patients")
		}
		delete(s.rows, portal)
		s.reply('C', "OK\x00")
	case 'C':
		s.reply('3', "")
	case 'S':
		s.skipping = false
		s.reply('Z', "I")
	}
}

// pair returns the two ends of a TCP connection.
func pair(t testing.TB) (near, far *net.TCPConn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	dialed, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	accepted, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return dialed.(*net.TCPConn), accepted.(*net.TCPConn)
}

// withModel sends bytes in pieces through a session in front of a model server, and returns what comes back.
func withModel(t testing.TB, pieces [][]byte) []byte {
	pol := &policy.Policy{Limits: policy.Limits{StatementBytes: 1000, Nesting: 50, Cells: 10}}
	p := &Proxy{policy: pol, door: &fakeDoor{policy: pol, catalog: testCatalog("1")}, verdicts: newVerdicts(),
		log: slog.New(slog.DiscardHandler)}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	defer p.cancel()
	client, clientSide := pair(t)
	defer client.Close()
	serverSide, server := pair(t)
	client.SetDeadline(time.Now().Add(patience))
	go (&modelServer{t: t}).serve(server)
	go newSession(p, "ana", clientSide, &upstream{conn: serverSide, status: 'I'}).run()
	go func() {
		for _, b := range pieces {
			if _, err := client.Write(b); err != nil {
				return
			}
		}
		client.CloseWrite()
	}()
	got, err := io.ReadAll(client)
	if err != nil && !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the session does not end: %v", err)
	}
	return got
}

// Whatever a client sends, in whatever pieces it arrives: the session ends, the server sees only well-formed messages, and
// the replies are the same.
func FuzzMessages(f *testing.F) {
	for _, messages := range conversations {
		if b := encode(messages...); len(b) < 2000 {
			f.Add(b, uint64(1))
		}
	}
	f.Add(encode(query(byRegion), parse("s", byRegion), describe('S', "s"), bind("", "s"), executeUpTo("", 0), query(rowRead), sync_), uint64(2))
	f.Add(encode(query("PREPARE p AS "+byRegion), query("EXECUTE p"), bind("", "p"), query("DEALLOCATE p"), sync_, query("EXECUTE p")), uint64(3))
	f.Add(encode(parse("", "error"), query(byRegion), sync_, parse("", byRegion), bind("", ""), query(byRegion), goodbye), uint64(4))
	f.Add(encode(query("BEGIN; "+byRegion+"; COMMIT"), query("SAVEPOINT s; "+rowRead), query("EXPLAIN "+byRegion), query("COPY ("+byRegion+") TO STDOUT")), uint64(8))
	f.Add(encode(parse("c", "COPY ("+byRegion+") TO STDOUT"), bind("", "c"), executeUpTo("", 0), sync_, parse("s", byRegion), parse("e", "EXECUTE s"),
		bind("", "e"), executeUpTo("", 0), parse("x", "EXPLAIN "+byRegionOlder), describe('S', "x"), bind("p", "x", "1"), executeUpTo("p", 0), sync_), uint64(9))
	f.Add(append(encode(query(strings.Repeat("x", 2000)), query("x")), "Q\x00\x00\x00\x05x"...), uint64(5))
	f.Add([]byte("Q\xff\xff\xff\xff"), uint64(6))
	f.Add(encode(&pgproto3.FunctionCall{Function: 1}, closing('S', ""), copyDone, copyData("x"), sync_), uint64(7))
	f.Fuzz(func(t *testing.T, sent []byte, seed uint64) {
		if len(sent) > 1<<16 {
			return
		}
		whole := withModel(t, [][]byte{sent})
		pieces := withModel(t, cut(slices.Clone(sent), rand.New(rand.NewPCG(seed, 0))))
		if diff := cmp.Diff(whole, pieces); diff != "" {
			t.Errorf("sent in pieces (-whole +pieces):\n%s", diff)
		}
	})
}

func FuzzBind(f *testing.F) {
	f.Add([]byte("p\x00s\x00\x00\x01\x00\x01\x00\x02\xff\xff\xff\xff\x00\x00\x00\x01x\x00\x01\x00\x00"))
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Add([]byte("\x00\x00\x00\x00\xff\xff"))
	f.Fuzz(func(t *testing.T, body []byte) {
		m, ok := decodeBind(body)
		if !ok {
			return
		}
		again, ok := decodeBind(m.appendWith(nil, []string{"{1}", ""})[headerBytes:])
		if !ok || again.portal != m.portal || again.name != m.name || len(again.params) != len(m.params)+2 {
			t.Fatalf("%+v became %+v", m, again)
		}
		for i, p := range m.params {
			if !bytes.Equal(p, again.params[i]) || (p == nil) != (again.params[i] == nil) || m.format(i) != again.format(i) {
				t.Errorf("parameter %d changed", i)
			}
		}
		if again.format(len(m.params)) != 0 || !bytes.Equal(m.results, again.results) {
			t.Error("the format codes changed")
		}
	})
}

// The server's messages are walked through without regard to how they arrive, and what is no reply ends the session.
func FuzzReplies(f *testing.F) {
	f.Add([]byte("C\x00\x00\x00\x07OK\x00Z\x00\x00\x00\x05I1\x00\x00\x00\x04"), uint64(1))
	f.Add([]byte("N\x00\x00\x00\x05\x00S\x00\x00\x00\x08a\x00b\x00E\x00\x00\x00\x05\x00"), uint64(2))
	f.Add(append(appendError(nil, "ERROR", refuseMalformed()), "Z\x00\x00\x00\x05E"...), uint64(3))
	f.Add([]byte("D\x00\x00\x00\x03"), uint64(4))
	f.Add(binary.BigEndian.AppendUint32([]byte("D"), 1<<31), uint64(5))
	f.Fuzz(func(t *testing.T, replies []byte, seed uint64) {
		if len(replies) > 1<<16 {
			return
		}
		whole, pieces := fromServer(t, [][]byte{replies}), fromServer(t, cut(slices.Clone(replies), rand.New(rand.NewPCG(seed, 0))))
		if !bytes.Equal(whole, pieces) {
			t.Errorf("in pieces: %q, whole: %q", pieces, whole)
		}
	})
}

// fromServer walks bytes of a server's to which a Query, and a Parse and Describe that are handled, are outstanding. It returns
// what the client gets.
func fromServer(t *testing.T, pieces [][]byte) []byte {
	s := &session{replies: newReplies('I')}
	for _, how := range []*handling{nil, {notice: []byte("notice")}, {rewritten: true}, {refusal: refuseMalformed()},
		{refusal: refuseMalformed(), prologue: 1}, {tags: []string{"", "EXPLAIN"}}} {
		s.replies.push(queryRequest, how)
	}
	s.replies.push(parseRequest, &handling{capture: &capture{}})
	s.replies.push(describeStatementRequest, &handling{trim: true, params: 1})
	o := newOutbound(s)
	var got bytes.Buffer
	s.client = writeConn{Writer: &got}
	for _, piece := range pieces {
		for len(piece) > 0 {
			n := copy(o.buf[o.w:], piece)
			if n == 0 {
				t.Fatal("no room in the buffer")
			}
			o.w += n
			piece = piece[n:]
			err := o.walk()
			if o.flush() != nil || err != nil {
				return got.Bytes()
			}
		}
	}
	return got.Bytes()
}

// A writeConn is a connection that can only be written to.
type writeConn struct {
	net.Conn
	io.Writer
}

func (w writeConn) Write(b []byte) (int, error) { return w.Writer.Write(b) }
