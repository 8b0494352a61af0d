package relay

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/jackc/pgx/v5/pgproto3"

	"tacit/proxy/internal/wire"
)

// While a cancel request is on its way nothing is sent, and a writer that is stuck does not keep it from going.
func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		g.enter()
		if !g.close() { // returns though a writer is stuck
			t.Fatal("closed twice")
		}
		if g.close() {
			t.Fatal("a second cancel request at the same time")
		}
		g.leave()
		var entered atomic.Bool
		go func() {
			g.enter()
			entered.Store(true)
		}()
		if synctest.Wait(); entered.Load() {
			t.Fatal("passed a closed gate")
		}
		g.open()
		if synctest.Wait(); !entered.Load() {
			t.Fatal("held back by an open gate")
		}
	})
}

// The server's messages are walked through without regard to how they arrive, and what is no reply ends the session.
func FuzzReplies(f *testing.F) {
	f.Add([]byte("C\x00\x00\x00\x07OK\x00Z\x00\x00\x00\x05I1\x00\x00\x00\x04"), uint64(1))
	f.Add([]byte("N\x00\x00\x00\x05\x00S\x00\x00\x00\x08a\x00b\x00E\x00\x00\x00\x05\x00"), uint64(2))
	f.Add(append(slices.Clone(malformed), "Z\x00\x00\x00\x05E"...), uint64(3))
	f.Add([]byte("D\x00\x00\x00\x03"), uint64(4))
	f.Add(binary.BigEndian.AppendUint32([]byte("D"), 1<<31), uint64(5))
	f.Fuzz(func(t *testing.T, replies []byte, seed uint64) {
		if len(replies) > 1<<16 {
			return
		}
		whole, pieces := fromServer(t, [][]byte{replies}), fromServer(t, cut(replies, rand.New(rand.NewPCG(seed, 0))))
		if !bytes.Equal(whole, pieces) {
			t.Errorf("in pieces: %q, whole: %q", pieces, whole)
		}
	})
}

// fromServer walks bytes of a server's to which a Query, and a Parse and Describe that are handled, are outstanding. It returns
// what the client gets.
func fromServer(t *testing.T, pieces [][]byte) []byte {
	var got bytes.Buffer
	r := New(writeConn{Writer: &got}, nil, 'I', 1<<20)
	for _, how := range []*Handling{nil, {Notice: []byte("notice")}, {Rewritten: true}, {Error: malformed, Yields: true},
		{Error: malformed, Yields: true, Prologue: 1}, {Tags: []string{"", "EXPLAIN"}}} {
		r.replies.push(QueryRequest, how)
	}
	r.replies.push(ParseRequest, &Handling{capture: &Reply{}})
	r.replies.push(DescribeStatementRequest, &Handling{Trim: true, Params: 1})
	o := r.Outbound()
	for _, piece := range pieces {
		for sent := bytes.NewReader(piece); sent.Len() > 0; {
			if n, err := o.fill(readConn{Reader: sent}); n == 0 {
				t.Fatal("no room in the buffer:", err)
			}
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

// A readConn is a connection that can only be read from.
type readConn struct {
	net.Conn
	io.Reader
}

func (r readConn) Read(b []byte) (int, error) { return r.Reader.Read(b) }

// cut cuts bytes into pieces at random places.
func cut(b []byte, random *rand.Rand) (pieces [][]byte) {
	for longest := 1 + random.IntN(200); len(b) > 0; {
		n := min(len(b), 1+random.IntN(longest))
		pieces, b = append(pieces, b[:n]), b[n:]
	}
	return pieces
}

// letThrough is an interceptor that lets everything through.
type letThrough struct{ in *Inbound }

func (l letThrough) Message(kind byte, _ int) (ready bool, err error) {
	return true, l.in.Relay(kindOf(kind), nil)
}

func (letThrough) Release(byte) (done bool, err error) { return false, nil }

func kindOf(kind byte) RequestKind {
	switch kind {
	case 'B':
		return BindRequest
	case 'D':
		return DescribePortalRequest
	case 'E':
		return ExecuteRequest
	}
	return SyncRequest
}

// BenchmarkForward forwards the messages of 64 executions, and the replies to them of ten rows each: ours as they came, pgproto3's
// decoded and encoded again. Both match replies with requests.
func BenchmarkForward(b *testing.B) {
	const n = 64
	requests, replies := execution()
	requests, replies = bytes.Repeat(requests, n), bytes.Repeat(replies, n)
	b.Run("ours", func(b *testing.B) {
		b.SetBytes(int64(len(requests) + len(replies)))
		b.ReportAllocs()
		r := New(writeConn{Writer: io.Discard}, writeConn{Writer: io.Discard}, 'I', 1<<20)
		in, out := r.Inbound(), r.Outbound()
		in.takeBuffer()
		out.takeBuffer()
		for b.Loop() {
			in.sent, in.at, in.end = 0, 0, copy(in.buf, requests)
			out.sent, out.at, out.end = 0, 0, copy(out.buf, replies)
			for _, err := range []error{in.walk(letThrough{in}), in.flush(), out.walk(), out.flush()} {
				if err != nil {
					b.Fatal(err)
				}
			}
			if r.replies.busy() {
				b.Fatal("not all was replied to")
			}
		}
	})
	b.Run("pgproto3", func(b *testing.B) {
		b.SetBytes(int64(len(requests) + len(replies)))
		b.ReportAllocs()
		q := newReplies('I')
		var fromClient, fromServer bytes.Reader
		client, server := pgproto3.NewBackend(&fromClient, io.Discard), pgproto3.NewFrontend(&fromServer, io.Discard)
		for b.Loop() {
			fromClient.Reset(requests)
			fromServer.Reset(replies)
			for offset := 0; offset < len(requests); {
				m, err := client.Receive()
				if err != nil {
					b.Fatal(err)
				}
				kind, size := wire.Header(requests[offset:])
				offset += size
				q.tryPush(kindOf(kind), nil)
				server.Send(m)
			}
			for offset := 0; offset < len(replies); {
				m, err := server.Receive()
				if err != nil {
					b.Fatal(err)
				}
				kind, size := wire.Header(replies[offset:])
				offset += size
				q.mu.Lock()
				_, _, err = q.reply(kind, 'I')
				q.mu.Unlock()
				if err != nil {
					b.Fatal(err)
				}
				client.Send(m)
			}
			if client.Flush() != nil || server.Flush() != nil || q.busy() {
				b.Fatal("not all was replied to")
			}
		}
	})
}

// execution is what an execution of a prepared statement sends and gets.
func execution() (requests, replies []byte) {
	for _, m := range []pgproto3.Message{
		&pgproto3.Bind{PreparedStatement: "stmtcache_1", Parameters: [][]byte{[]byte("42")}}, &pgproto3.Describe{ObjectType: 'P'},
		&pgproto3.Execute{}, &pgproto3.Sync{},
	} {
		requests = wire.Append(requests, m)
	}
	replies = wire.Append(replies, &pgproto3.BindComplete{})
	replies = wire.Append(replies, &pgproto3.RowDescription{Fields: []pgproto3.FieldDescription{{Name: []byte("region")}, {Name: []byte("count")}}})
	for range 10 {
		replies = wire.Append(replies, &pgproto3.DataRow{Values: [][]byte{[]byte("north"), []byte("1234")}})
	}
	replies = wire.Append(replies, &pgproto3.CommandComplete{CommandTag: []byte("SELECT 10")})
	return requests, wire.Append(replies, &pgproto3.ReadyForQuery{TxStatus: 'I'})
}
