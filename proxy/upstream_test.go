package proxy

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"tacit/internal/pgtest"
	"tacit/policy"
	"tacit/proxy/encryption/encryptiontest"
	"tacit/proxy/internal/wire"
)

// readable puts files where PostgreSQL's account reads them, and owns them, as it demands of a key.
func readable(t *testing.T, p encryptiontest.Pair) encryptiontest.Pair {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "tacit-tls-") // that of the test is closed to others
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	moved := encryptiontest.Pair{Certificate: filepath.Join(dir, "server.crt"), Key: filepath.Join(dir, "server.key")}
	for from, to := range map[string]string{p.Certificate: moved.Certificate, p.Key: moved.Key} {
		data, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(to, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		if os.Geteuid() != 0 {
			continue
		}
		for _, name := range []string{"postgres", "nobody"} { // as package pgtest chooses
			if u, err := user.Lookup(name); err == nil && u.Uid != "0" {
				uid, _ := strconv.Atoi(u.Uid)
				if err := os.Chown(to, uid, -1); err != nil {
					t.Fatal(err)
				}
				break
			}
		}
	}
	return moved
}

// The proxy encrypts its own connections as their URL says, checks whom it talks to, and relays and cancels as without. Clients may encrypt besides.
func TestUpstreamUnderTLS(t *testing.T) {
	t.Parallel()
	authority, stranger := encryptiontest.NewAuthority(t, "authority"), encryptiontest.NewAuthority(t, "stranger")
	pair := readable(t, authority.Issue("database", nil))
	server, err := pgtest.Start(pgtest.Options{Settings: map[string]string{
		"ssl": "on", "ssl_cert_file": pair.Certificate, "ssl_key_file": pair.Key,
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Stop() })
	ctx := context.Background()
	admin, err := pgx.Connect(ctx, server.URL("postgres", "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(ctx)
	if _, err := admin.Exec(ctx, "CREATE ROLE ana LOGIN; CREATE ROLE bob LOGIN; "+patients); err != nil {
		t.Fatal(err)
	}
	through := func(parameters string) *encryptedRig {
		r := newEncryptedRigAlone(t, policy.TLSAllow, func(p *policy.Policy) {
			p.Upstream.Analyst = fmt.Sprintf("postgres://{analyst}@%s:%d/postgres?%s", server.Host, server.Port, parameters)
		})
		r.database = "postgres"
		return r
	}
	r := through("sslmode=verify-full&sslrootcert=" + authority.File)
	direct := fmt.Sprintf("%s:%d", server.Host, server.Port)
	for name, messages := range conversations {
		sent := encode(append(append([]pgproto3.FrontendMessage{}, messages...), sync_, goodbye)...)
		want := converse(t, direct, "postgres", [][]byte{sent})
		got := dial(t, r.address.String()).onRequest(r.config("")).logIn("ana", "postgres").converse([][]byte{sent})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-direct +proxy):\n%s", name, diff)
		}
	}
	for _, mode := range []string{"disable", "require"} {
		conn, err := pgconn.Connect(ctx, fmt.Sprintf("postgres://ana@%s/postgres?sslmode=%s", r.address, mode))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(ctx)
		done := make(chan error, 1)
		go func() {
			_, err := conn.Exec(ctx, "SELECT pg_sleep(60)").ReadAll()
			done <- err
		}()
		for n := 0; n == 0; {
			const at = "SELECT count(*) FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) WHERE query = 'SELECT pg_sleep(60)' AND state = 'active' AND ssl"
			if err := admin.QueryRow(ctx, at).Scan(&n); err != nil {
				t.Fatal(err)
			}
		}
		if err := conn.CancelRequest(ctx); err != nil {
			t.Error(err)
		}
		if err := <-done; err == nil || !strings.Contains(err.Error(), "57014") {
			t.Errorf("cancelled: %v", err)
		}
	}
	for parameters, ok := range map[string]bool{
		"sslmode=verify-full&sslrootcert=" + stranger.File: false, "sslmode=verify-ca&sslrootcert=" + stranger.File: false,
		"sslmode=require": true, "sslmode=prefer": true, "sslmode=require&max_protocol_version=latest": true,
		"sslmode=require&channel_binding=require": false, // there is no password here that could be bound
	} {
		p := dial(t, through(parameters).address.String())
		p.send(startupBytes(pgproto3.ProtocolVersion30, "user", "ana", "database", "postgres"))
		m := p.receive()
		if (m.kind == 'R') != ok || !ok && !strings.Contains(m.String(), "C=08006 M=the database server cannot be reached") {
			t.Errorf("%s: %s", parameters, m)
		}
	}
}

// A server of protocol 3.2 may give a secret of 256 bytes, and is shown the whole of it.
func TestLongSecretUpstream(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	secret := []byte(strings.Repeat("0123456789abcdef", 16))
	cancelled := make(chan wire.StartupPacket, 1)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				packet, err := wire.ReadStartupPacket(conn)
				switch {
				case err != nil:
				case packet.Cancel != nil:
					cancelled <- packet
				case packet.Startup.Minor != 2:
					conn.Write(wire.AppendError(nil, "FATAL", wire.ErrorFields{Code: "08P01", Message: "another version"}))
				default:
					out := wire.Append(wire.Append(nil, &pgproto3.AuthenticationOk{}), &pgproto3.BackendKeyData{ProcessID: 7, SecretKey: secret})
					conn.Write(wire.Append(out, &pgproto3.ReadyForQuery{TxStatus: 'I'}))
					for { // whatever is asked is empty
						if _, err := conn.Read(make([]byte, 1000)); err != nil {
							return
						}
						conn.Write(wire.Append(wire.Append(nil, &pgproto3.EmptyQueryResponse{}), &pgproto3.ReadyForQuery{TxStatus: 'I'}))
					}
				}
			}()
		}
	}()
	config, err := upstreamConfig(policy.Upstream{Analyst: fmt.Sprintf("postgres://{analyst}@%s/x?sslmode=disable&max_protocol_version=latest", listener.Addr())}, "ana", nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	up, err := connectUpstream(ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	defer up.conn.Close()
	if err := up.cancel(ctx); err != nil {
		t.Fatal(err)
	}
	if got := *(<-cancelled).Cancel; got != (wire.CancelKey{ID: 7, Secret: string(secret)}) {
		t.Errorf("got %+v", got)
	}
}
