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
	"tacit/proxy/internal/wire"
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
	s.out.Write(append(binary.BigEndian.AppendUint32([]byte{kind}, uint32(4+len(body))), body...))
}

func (s *modelServer) fail() {
	s.out.Write(wire.AppendError(nil, "ERROR", wire.ErrorFields{Code: "42703", Message: "the server's error", Position: 1}))
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
		var head [wire.HeaderBytes]byte
		if _, err := io.ReadFull(s.in, head[:]); err != nil {
			return
		}
		kind, size := wire.Header(head[:])
		longest, known := wire.LongestClientLength(kind)
		if !known || size < wire.HeaderBytes || size > longest+1 {
			s.t.Errorf("the server got a message of type %q with %d bytes", kind, size)
			return
		}
		body := make([]byte, size-wire.HeaderBytes)
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
		text, ok := wire.DecodeQuery(body)
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
		m, ok := wire.DecodeParse(body)
		if !ok {
			s.t.Errorf("the server got a malformed Parse: %q", body)
		}
		s.see(m.Query, true)
		if s.skipping = fails(m.Query); s.skipping {
			s.fail()
		} else {
			s.reply('1', "")
		}
	case 'B':
		if m, ok := wire.DecodeBind(body); ok && strings.HasPrefix(m.PreparedStatement, "tacit:") && len(m.Parameters) > 0 {
			s.rows[m.DestinationPortal] = bytes.Count(m.Parameters[0], []byte(`,"`)) + 1
		}
		s.reply('2', "")
	case 'D':
		if len(body) > 0 && body[0] == 'S' {
			s.reply('t', "\x00\x00")
		}
		s.reply('n', "")
	case 'E':
		portal, _, _ := wire.DecodeExecute(body)
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
	pol := &policy.Policy{TLS: policy.TLS{Mode: policy.TLSDisable}, Limits: policy.Limits{StatementBytes: 1000, Nesting: 50, Cells: 10}}
	in := &interceptor{analyst: "ana", releaser: &fakeReleaser{policy: pol, catalog: testCatalog("1")}, verdicts: newVerdicts(),
		log: slog.New(slog.DiscardHandler)}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	client, clientSide := pair(t)
	defer client.Close()
	serverSide, server := pair(t)
	client.SetDeadline(time.Now().Add(patience))
	go (&modelServer{t: t}).serve(server)
	go newSession(ctx, clientSide, &upstream{conn: serverSide, status: 'I'}, in, clientSide.RemoteAddr()).run(ctx)
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
	f.Add(encode(simpleQuery(byRegion), parse("s", byRegion), describe('S', "s"), bind("", "s"), executeUpTo("", 0), simpleQuery(rowRead), sync_), uint64(2))
	f.Add(encode(simpleQuery("PREPARE p AS "+byRegion), simpleQuery("EXECUTE p"), bind("", "p"), simpleQuery("DEALLOCATE p"), sync_, simpleQuery("EXECUTE p")), uint64(3))
	f.Add(encode(parse("", "error"), simpleQuery(byRegion), sync_, parse("", byRegion), bind("", ""), simpleQuery(byRegion), goodbye), uint64(4))
	f.Add(encode(simpleQuery("BEGIN; "+byRegion+"; COMMIT"), simpleQuery("SAVEPOINT s; "+rowRead), simpleQuery("EXPLAIN "+byRegion), simpleQuery("COPY ("+byRegion+") TO STDOUT")), uint64(8))
	f.Add(encode(parse("c", "COPY ("+byRegion+") TO STDOUT"), bind("", "c"), executeUpTo("", 0), sync_, parse("s", byRegion), parse("e", "EXECUTE s"),
		bind("", "e"), executeUpTo("", 0), parse("x", "EXPLAIN "+byRegionOlder), describe('S', "x"), bind("p", "x", "1"), executeUpTo("p", 0), sync_), uint64(9))
	f.Add(append(encode(simpleQuery(strings.Repeat("x", 2000)), simpleQuery("x")), "Q\x00\x00\x00\x05x"...), uint64(5))
	f.Add([]byte("Q\xff\xff\xff\xff"), uint64(6))
	f.Add(append(encode(parse("s", "SELECT 1")), "X\x00\x00\x00\x28cut off"...), uint64(1))
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
