package main

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// serveOn starts a proxy to which a socket is handed over, as systemd does it.
func (s *site) serveOn(socket *os.File) *server {
	s.t.Helper()
	direct := tacit(context.Background(), "serve", "--policy", s.policy)
	cmd := exec.Command("/bin/sh", append([]string{"-c", `LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@"`}, direct.Args...)...)
	cmd.Env, cmd.ExtraFiles = direct.Env, []*os.File{socket}
	return s.startCommand(cmd)
}

// A new proxy takes over the socket of an old one, and no client is refused meanwhile: each is answered by one or the other.
func TestHandOver(t *testing.T) {
	s := newSite(t, siteOptions{})
	listener, err := net.Listen("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	socket, err := listener.(*net.TCPListener).File()
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	listener.Close() // the descriptor goes on
	old := s.serveOn(socket)
	var over atomic.Bool
	var answered atomic.Int64
	var clients sync.WaitGroup
	stop := sync.OnceFunc(func() { over.Store(true); clients.Wait() })
	defer stop()
	several := 4
	if testing.Short() {
		several = 2
	}
	for range several {
		clients.Go(func() {
			for !over.Load() {
				conn, err := pgx.Connect(context.Background(), s.url("ana"))
				var ended *pgconn.PgError
				if errors.As(err, &ended) && ended.Code == "57P01" {
					continue // she came to the old one before it was told to end, and connects again
				}
				if err != nil {
					t.Errorf("after %d connections: %v", answered.Load(), err)
					return
				}
				conn.Close(context.Background())
				answered.Add(1)
			}
		})
	}
	more := func(why string) {
		t.Helper()
		before, seen := answered.Load(), why
		eventually(t, &seen, func() bool { return answered.Load() >= before+20 || t.Failed() })
	}
	more("the old proxy answers nobody")
	s.serveOn(socket)
	if err := old.stop(syscall.SIGTERM); err != nil {
		t.Errorf("the old proxy ended with %v", err)
	}
	more("the new proxy answers nobody")
	stop()
}

// A proxy listens at each address of its policy, and analysts connect through each.
func TestSeveralAddresses(t *testing.T) {
	s := newSite(t, siteOptions{})
	dir, err := os.MkdirTemp("", "tacit") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	text, err := os.ReadFile(s.policy)
	if err != nil {
		t.Fatal(err)
	}
	s.writePolicy(strings.Replace(string(text), "listen: "+s.addr, "listen: ["+s.addr+", "+filepath.Join(dir, ".s.PGSQL.6432")+"]", 1))
	p := s.serve()
	s.mustPsql(s.url("ana"), "SELECT count(*) FROM people")
	s.mustPsql("host="+dir+" port=6432 user=ana dbname="+s.database, "SELECT count(*) FROM people")
	if err := p.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, ".s.PGSQL.6432")); !os.IsNotExist(err) {
		t.Errorf("the socket is left behind: %v", err)
	}
}
