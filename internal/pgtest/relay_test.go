package pgtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// echo says everything again, and counts what it has heard on each connection.
func echo(t *testing.T) (address string, heard <-chan int) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { l.Close() })
	counts := make(chan int)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				heard, buffer := 0, make([]byte, 32<<10)
				for {
					n, err := conn.Read(buffer)
					heard += n
					_, _ = conn.Write(buffer[:n]) // the other way may have been cut; what was sent before is still to be heard
					if err != nil {
						break
					}
				}
				conn.Close()
				counts <- heard
			}()
		}
	}()
	return l.Addr().String(), counts
}

// exchange sends bytes by the relay, and returns what comes back before the end.
func exchange(t *testing.T, port int, sent []byte) []byte {
	t.Helper()
	conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	must(t, err)
	defer conn.Close()
	must(t, conn.SetDeadline(time.Now().Add(10*time.Second)))
	_, _ = conn.Write(sent) // the connection may have been cut
	back := make([]byte, len(sent))
	n, _ := io.ReadFull(conn, back)
	return back[:n]
}

func TestRelayCuts(t *testing.T) {
	address, heard := echo(t)
	r, err := relayTo(address)
	must(t, err)
	defer r.Close()
	sent := bytes.Repeat([]byte("0123456789"), 20_000)
	tests := []struct {
		cut        Cut
		wantServer int // heard by the server, at least
		wantClient int // came back, at most
	}{
		{Cut{}, len(sent), len(sent)},
		{Cut{ToClient: 1}, 1, 1},
		{Cut{ToClient: 70_001}, 70_001, 70_001},
		{Cut{ToServer: 1}, 1, 1},
		{Cut{ToServer: 70_001}, 70_001, 70_001},
	}
	for _, test := range tests {
		r.Next(test.cut)
		back := exchange(t, r.Port, sent)
		server := <-heard
		if server < test.wantServer || test.cut.ToServer > 0 && server > test.wantServer {
			t.Errorf("%+v: the server heard %d bytes, want %d", test.cut, server, test.wantServer)
		}
		// The end of a connection may overtake bytes before it.
		if len(back) > test.wantClient || test.cut == (Cut{}) && len(back) < test.wantClient {
			t.Errorf("%+v: %d bytes came back, want %d", test.cut, len(back), test.wantClient)
		}
	}
}

func TestRelayAway(t *testing.T) {
	r, err := cluster.NewRelay()
	must(t, err)
	defer r.Close()
	must(t, cluster.execute("CREATE ROLE relayed LOGIN"))
	defer cluster.execute("DROP ROLE relayed")
	ctx := context.Background()
	url := fmt.Sprintf("postgres://relayed@127.0.0.1:%d/postgres?sslmode=disable", r.Port)
	conn, err := pgx.Connect(ctx, url)
	must(t, err)
	defer conn.Close(ctx)
	r.SetAway(true)
	if err := conn.Ping(ctx); err == nil {
		t.Error("an open connection was not cut")
	}
	if conn, err := pgx.Connect(ctx, url); err == nil {
		conn.Close(ctx)
		t.Error("connected to what is away")
	}
	r.SetAway(false)
	conn, err = pgx.Connect(ctx, url)
	must(t, err)
	must(t, conn.Close(ctx))
}

// A connection that has fallen silent takes what is sent, and answers nothing; another one is as ever.
func TestRelayStalls(t *testing.T) {
	address, heard := echo(t)
	r, err := relayTo(address)
	must(t, err)
	silent, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", r.Port))
	must(t, err)
	defer silent.Close()
	_, err = silent.Write([]byte("first"))
	must(t, err)
	_, err = io.ReadFull(silent, make([]byte, 5))
	must(t, err)
	r.Stall()
	_, err = silent.Write([]byte("second"))
	must(t, err)
	must(t, silent.SetReadDeadline(time.Now().Add(200*time.Millisecond)))
	var late net.Error
	if n, err := silent.Read(make([]byte, 1)); n != 0 || !errors.As(err, &late) || !late.Timeout() {
		t.Errorf("%d bytes, error %v, of a connection that is silent", n, err)
	}
	sent := []byte("0123456789")
	if back := exchange(t, r.Port, sent); !bytes.Equal(back, sent) || <-heard != len(sent) {
		t.Errorf("a new connection answers %q", back)
	}
	silent.Close()
	select {
	case <-heard:
		t.Error("the server has heard that a silent connection was closed")
	case <-time.After(100 * time.Millisecond):
	}
	must(t, r.Close())
	if n := <-heard; n != 5 {
		t.Errorf("%d bytes came through", n)
	}
}
