package proxy

import (
	"context"
	"crypto/ed25519"
	cryptorand "crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"tacit/policy"
	"tacit/proxy/encryption"
	"tacit/proxy/encryption/encryptiontest"
	"tacit/proxy/internal/wire"
)

// An encryptedRig is a proxy that offers TLS.
type encryptedRig struct {
	*rig
	authority *encryptiontest.Authority
}

func newEncryptedRig(t *testing.T, mode policy.TLSMode, edit func(*policy.Policy)) *encryptedRig {
	t.Helper()
	t.Parallel()
	return newEncryptedRigAlone(t, mode, edit)
}

func newEncryptedRigAlone(t *testing.T, mode policy.TLSMode, edit func(*policy.Policy)) *encryptedRig {
	t.Helper()
	authority := encryptiontest.NewAuthority(t, "authority")
	pair := authority.Issue("proxy", nil)
	return &encryptedRig{authority: authority, rig: newRigAlone(t, func(p *policy.Policy) {
		p.TLS = policy.TLS{Mode: mode, Certificate: pair.Certificate, Key: pair.Key}
		if mode.AsksForCertificate() {
			p.TLS.ClientCA = authority.File
		}
		if edit != nil {
			edit(p)
		}
	})}
}

// config is that of a client, with a certificate of its own if a name is given.
func (r *encryptedRig) config(name string) *tls.Config {
	c := &tls.Config{RootCAs: r.authority.Pool, ServerName: "localhost"}
	if name != "" {
		c.Certificates = []tls.Certificate{r.authority.Issue(name, nil).Load(r.t)}
	}
	return c
}

// onRequest encrypts as clients have done for ever, directly as PostgreSQL 17 can.
func (p *peer) onRequest(config *tls.Config) *peer {
	p.t.Helper()
	p.send(startupBytes8(wire.SSLCode))
	var answer [1]byte
	if _, err := io.ReadFull(p.conn, answer[:]); err != nil || answer[0] != 'S' {
		p.t.Fatalf("answer %q, %v", answer, err)
	}
	return p.over(config)
}

func (p *peer) directly(config *tls.Config) *peer {
	config = config.Clone()
	config.NextProtos = []string{encryption.Protocol}
	return p.over(config)
}

func (p *peer) over(config *tls.Config) *peer { return &peer{p.t, tls.Client(p.conn, config)} }

// What is relayed under TLS is what the server and the client say, byte by byte.
func TestRelayIsInvisibleUnderTLS(t *testing.T) {
	r := newEncryptedRig(t, policy.TLSRequire, nil)
	for name, messages := range conversations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sent := encode(append(append([]pgproto3.FrontendMessage{}, messages...), sync_, goodbye)...)
			want := converse(t, r.direct(), r.database, [][]byte{sent})
			for seed := range uint64(3) {
				pieces := [][]byte{sent}
				if seed > 0 {
					pieces = cut(sent, rand.New(rand.NewPCG(seed, uint64(len(name)))))
				}
				p := dial(t, r.address.String())
				if seed == 1 {
					p = p.directly(r.config(""))
				} else {
					p = p.onRequest(r.config(""))
				}
				if diff := cmp.Diff(want, p.logIn("ana", r.database).converse(pieces)); diff != "" {
					t.Fatalf("cut with seed %d (-direct +proxy):\n%s", seed, diff)
				}
			}
		})
	}
}

// A client that sends much before it reads anything must not lock the proxy up, and all that it asks for arrives.
func TestBothSidesAreReadUnderTLS(t *testing.T) {
	r := newEncryptedRig(t, policy.TLSRequire, nil)
	p := dial(t, r.address.String()).onRequest(r.config("")).logIn("ana", r.database)
	const n = 1000
	var sent []byte
	for range n {
		sent = append(sent, encode(simpleQuery("SELECT repeat('x', 10000)"))...)
	}
	go p.send(append(sent, encode(goodbye)...))
	if got := p.rest(); len(got) != 4*n {
		t.Errorf("%d replies, want %d", len(got), 4*n)
	}
}

func TestNothingIsLeftBehindUnderTLS(t *testing.T) {
	r := newEncryptedRigAlone(t, policy.TLSRequire, nil) // it counts goroutines
	config := r.config("")
	for _, goodbye := range []bool{true, false} { // with an alert before the end, or cut off
		r.leavesNothing(t, func() *peer {
			p := dial(t, r.address.String()).onRequest(config).logIn("ana", r.database)
			if !goodbye {
				p.conn = &cutOff{p.conn.(*tls.Conn)}
			}
			return p
		})
	}
}

// cutOff is a TLS connection that is closed without a word.
type cutOff struct{ *tls.Conn }

func (c *cutOff) Close() error { return c.NetConn().Close() }

// Who must encrypt, or show a certificate, and who may go without.
func TestModes(t *testing.T) {
	const plainRefused = "E V=FATAL C=28000 M=this proxy accepts encrypted connections only H=Connect with sslmode=verify-full"
	for _, tt := range []struct {
		mode policy.TLSMode
		// What becomes of a client without TLS, of one with, of one with anybody's certificate, and of one with the analyst's. Empty: logged in.
		plain, bare, other, own string
	}{
		{policy.TLSAllow, "", "", "", ""},
		{policy.TLSRequire, plainRefused, "", "", ""},
		{policy.TLSVerifyCA, plainRefused, "certificate required", "", ""},
		{policy.TLSVerifyFull, plainRefused, "certificate required", `C=28000 M=certificate authentication failed for user "ana"`, ""},
	} {
		t.Run(string(tt.mode), func(t *testing.T) {
			r := newEncryptedRig(t, tt.mode, nil)
			for i, certificate := range []string{"-", "", "bob", "ana"} {
				want := []string{tt.plain, tt.bare, tt.other, tt.own}[i]
				for _, direct := range []bool{false, true} {
					p := dial(t, r.address.String())
					switch {
					case certificate == "-":
					case direct:
						p = p.directly(r.config(certificate))
					default:
						p = p.onRequest(r.config(certificate))
					}
					p.send(startupBytes(pgproto3.ProtocolVersion30, "user", "ana", "database", r.database))
					m, err := p.tryReceive()
					got := fmt.Sprint(m, err)
					if (want == "") != (m.kind == 'R') || !strings.Contains(got, want) {
						t.Errorf("certificate %q, direct %t: got %s, want %q", certificate, direct, got, want)
					}
				}
			}
		})
	}
}

// What a client must not send ends its connection, and never becomes a session.
func TestBadPeers(t *testing.T) {
	r := newEncryptedRig(t, policy.TLSAllow, nil)
	startup := startupBytes(pgproto3.ProtocolVersion30, "user", "ana", "database", r.database)
	request := startupBytes8(wire.SSLCode)
	hello := clientHello(t)
	join := func(parts ...[]byte) (all []byte) {
		for _, part := range parts {
			all = append(all, part...)
		}
		return all
	}
	for _, tt := range []struct {
		name string
		send []byte
		want string
	}{
		// CVE-2021-23222 and its like: what is sent before the handshake must not be read after it.
		{"start-up behind the request", join(request, startup), "C=08P01 M=received unencrypted data after SSL request"},
		{"one byte behind the request", join(request, []byte{0}), "C=08P01 M=received unencrypted data after SSL request"},
		{"greeting behind the request", join(request, hello), "C=08P01 M=received unencrypted data after SSL request"},
		{"cancel request behind the request", join(request, []byte{0, 0, 0, 16, 0x04, 0xd2, 0x16, 0x2e, 0, 0, 0, 1, 0, 0, 0, 0}), "C=08P01 M=received unencrypted"},
		{"GSSAPI, then start-up behind the request", join(startupBytes8(wire.GSSEncCode), request, startup), "C=08P01 M=received unencrypted"},
		{"GSSAPI twice", join(startupBytes8(wire.GSSEncCode), startupBytes8(wire.GSSEncCode)), "C=08P01"},
		{"garbage that begins like TLS", join([]byte{0x16}, make([]byte, 100)), ""},
		{"garbage that is long", join([]byte{0x16, 3, 1, 0xff, 0xff}, make([]byte, 70000)), ""},
		{"an alert first", []byte{0x15, 3, 1, 0, 2, 2, 40}, "C=08P01"},
		{"HTTP", []byte("GET / HTTP/1.1\r\n\r\n"), "C=08P01 M=invalid length of startup packet"},
		{"half a greeting, then the end", hello[:len(hello)/2], ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := dial(t, r.address.String())
			p.send(tt.send)
			if strings.HasPrefix(tt.name, "half") {
				p.conn.(*net.TCPConn).CloseWrite()
			}
			all, err := io.ReadAll(p.conn)
			if err != nil && !strings.Contains(err.Error(), "reset") {
				t.Fatalf("not closed: %v", err)
			}
			all = []byte(strings.TrimLeft(string(all), "N")) // that GSSAPI is declined
			if got := answerOf(all); !strings.Contains(got, tt.want) || (tt.want == "") != (got == "") {
				t.Errorf("got %q (%q), want %q", got, all, tt.want)
			}
		})
	}
}

// answerOf is the message that was sent in clear, "" if there was none but an alert of TLS.
func answerOf(all []byte) string {
	if len(all) < wire.HeaderBytes || all[0] == 0x15 {
		return ""
	}
	return reply{all[0], all[wire.HeaderBytes:]}.String()
}

// clientHello is the first record that a TLS client sends.
func clientHello(t *testing.T) []byte {
	t.Helper()
	here, there := net.Pipe()
	defer here.Close()
	go func() {
		defer there.Close()
		_ = tls.Client(there, &tls.Config{ServerName: "localhost", NextProtos: []string{encryption.Protocol}}).Handshake()
	}()
	head := make([]byte, 5)
	if _, err := io.ReadFull(here, head); err != nil {
		t.Fatal(err)
	}
	body := make([]byte, binary.BigEndian.Uint16(head[3:]))
	if _, err := io.ReadFull(here, body); err != nil {
		t.Fatal(err)
	}
	return append(head, body...)
}

// Handshakes that fail: of an old version, of another protocol, without the name of the protocol, with a certificate of somebody else's authority.
func TestHandshakesThatFail(t *testing.T) {
	r := newEncryptedRig(t, policy.TLSVerifyCA, nil)
	stranger := encryptiontest.NewAuthority(t, "authority")
	with := func(edit func(*tls.Config)) *tls.Config {
		c := r.config("ana")
		edit(c)
		return c
	}
	expired := r.authority.Issue("ana", func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) })
	for name, tt := range map[string]struct {
		config *tls.Config
		direct bool
		want   string
	}{
		"TLS 1.0":                  {with(func(c *tls.Config) { c.MinVersion, c.MaxVersion = tls.VersionTLS10, tls.VersionTLS10 }), false, "protocol version not supported"},
		"TLS 1.1":                  {with(func(c *tls.Config) { c.MinVersion, c.MaxVersion = tls.VersionTLS10, tls.VersionTLS11 }), true, "protocol version not supported"},
		"another protocol":         {with(func(c *tls.Config) { c.NextProtos = []string{"h2", "http/1.1"} }), true, "no application protocol"},
		"another protocol, asked":  {with(func(c *tls.Config) { c.NextProtos = []string{"http/1.1"} }), false, "no application protocol"},
		"no protocol":              {with(func(*tls.Config) {}), true, "received direct SSL connection request without ALPN"},
		"a stranger's certificate": {with(func(c *tls.Config) { c.Certificates = []tls.Certificate{stranger.Issue("ana", nil).Load(t)} }), false, "bad certificate"},
		"a certificate that ended": {with(func(c *tls.Config) { c.Certificates = []tls.Certificate{expired.Load(t)} }), false, "certificate"},
		"a stranger's, in TLS 1.2": {with(func(c *tls.Config) {
			c.MaxVersion, c.Certificates = tls.VersionTLS12, []tls.Certificate{stranger.Issue("ana", nil).Load(t)}
		}), false, "certificate"},
		"without one, in TLS 1.2":   {with(func(c *tls.Config) { c.MaxVersion, c.Certificates = tls.VersionTLS12, nil }), false, "handshake failure"},
		"the client knows it not":   {with(func(c *tls.Config) { c.RootCAs = stranger.Pool }), false, "certificate"},
		"the client wants somebody": {with(func(c *tls.Config) { c.ServerName = "elsewhere.example" }), true, "elsewhere.example"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := dial(t, r.address.String())
			if !tt.direct {
				p = p.onRequest(tt.config)
			} else {
				p = p.over(tt.config)
			}
			var got string
			if err := p.conn.(*tls.Conn).Handshake(); err != nil {
				got = err.Error()
			} else {
				m, err := p.tryReceive()
				got = fmt.Sprint(m, err)
			}
			if !strings.Contains(got, tt.want) {
				// A certificate that is refused may have no better name than that.
				if tt.want != "bad certificate" || !strings.Contains(got, "certificate") {
					t.Errorf("got %s, want %s", got, tt.want)
				}
			}
		})
	}
}

// The operator is told of clients whose certificate or version is refused, and not of those that look for open ports.
func TestHandshakeLog(t *testing.T) {
	r := newEncryptedRig(t, policy.TLSVerifyCA, nil)
	for _, send := range [][]byte{clientHello(t)[:20], {0x16, 3, 1, 0xff, 0xff, 0}, startupBytes8(wire.SSLCode)} {
		p := dial(t, r.address.String())
		p.send(send)
		p.conn.(*net.TCPConn).CloseWrite()
		io.Copy(io.Discard, p.conn)
	}
	if s := r.log.String(); s != "" {
		t.Errorf("logged: %s", s)
	}
	bare := dial(t, r.address.String())
	if m, err := bare.onRequest(r.config("")).tryReceive(); err == nil {
		t.Errorf("got %s", m)
	}
	io.Copy(io.Discard, bare.conn) // the connection ends after the log was written
	p := dial(t, r.address.String())
	p.send(startupBytes(pgproto3.ProtocolVersion30, "user", "ana", "database", r.database))
	p.rest()
	for _, want := range []string{"connection not encrypted", "didn't provide a certificate", "accepts encrypted connections only"} {
		if !strings.Contains(r.log.String(), want) {
			t.Errorf("no %q in %s", want, r.log.String())
		}
	}
}

// A client that begins a handshake and does not go on is not waited for.
func TestSlowHandshake(t *testing.T) {
	r := newEncryptedRig(t, policy.TLSRequire, nil)
	hello := clientHello(t)
	for name, send := range map[string][]byte{"half a greeting": hello[:len(hello)/2], "one byte": hello[:1], "nothing after the answer": startupBytes8(wire.SSLCode)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := dial(t, r.address.String())
			p.send(send)
			if _, err := io.Copy(io.Discard, p.conn); errors.Is(err, os.ErrDeadlineExceeded) {
				t.Error("the proxy still waits")
			}
		})
	}
}

// pgx, with each of its modes.
func TestPgxUnderTLS(t *testing.T) {
	for _, mode := range []policy.TLSMode{policy.TLSDisable, policy.TLSAllow, policy.TLSRequire} {
		t.Run(string(mode), func(t *testing.T) {
			r := newEncryptedRig(t, mode, func(p *policy.Policy) {
				p.Auth = policy.AuthSCRAM
				p.Analysts[0].Password, p.Analysts[1].Password = verifier(t, "sesame"), verifier(t, "other")
			})
			root := "&sslrootcert=" + r.authority.File
			for parameters, needs := range map[string]policy.TLSMode{ // the first mode under which they can connect
				"sslmode=disable": "plain", "sslmode=allow": "", "sslmode=prefer": "",
				"sslmode=require": policy.TLSAllow, "sslmode=verify-ca" + root: policy.TLSAllow, "sslmode=verify-full" + root: policy.TLSAllow,
				"sslmode=require&sslnegotiation=direct": policy.TLSAllow, "sslmode=verify-full&sslnegotiation=direct" + root: policy.TLSAllow,
				"sslmode=verify-full&channel_binding=require" + root:                                                      policy.TLSAllow,
				"sslmode=require&channel_binding=disable":                                                                 policy.TLSAllow,
				"sslmode=verify-full&max_protocol_version=latest&min_protocol_version=3.2&channel_binding=require" + root: policy.TLSAllow,
				"sslmode=disable&channel_binding=require":                                                                 "never",
			} {
				want := needs == "" || needs == "plain" && mode != policy.TLSRequire || needs == policy.TLSAllow && mode != policy.TLSDisable
				err := r.countsAs("sesame", parameters)
				if (err == nil) != want {
					t.Errorf("%s: %v", parameters, err)
				}
			}
		})
	}
}

// countsAs connects as ana, asks for a count, and cancels a statement.
func (r *encryptedRig) countsAs(password, parameters string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, fmt.Sprintf("postgres://ana:%s@localhost:%d/%s?%s", password, r.address.Port, r.database, parameters))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, byRegion)
	if err != nil {
		return err
	}
	if rows.Close(); rows.Err() != nil || rows.CommandTag().RowsAffected() != 2 {
		return fmt.Errorf("rows %s, %w", rows.CommandTag(), rows.Err())
	}
	return nil
}

// Cancel requests come encrypted, and in clear even where start-up packets may not: libpq before PostgreSQL 17 knows no others.
func TestCancelUnderTLS(t *testing.T) {
	r := newEncryptedRig(t, policy.TLSRequire, nil)
	ctx := context.Background()
	for _, version := range []string{"3.0", "3.2"} {
		for _, encrypted := range []bool{true, false} {
			conn, err := pgconn.Connect(ctx, fmt.Sprintf("postgres://ana@localhost:%d/%s?sslmode=verify-full&sslrootcert=%s&max_protocol_version=%s",
				r.address.Port, r.database, r.authority.File, version))
			if err != nil {
				t.Fatal(err)
			}
			if want := map[string]int{"3.0": 4, "3.2": 32}[version]; len(conn.SecretKey()) != want {
				t.Errorf("version %s: a secret of %d bytes, want %d", version, len(conn.SecretKey()), want)
			}
			done := make(chan error, 1)
			go func() {
				_, err := conn.Exec(ctx, "SELECT pg_sleep(60)").ReadAll()
				done <- err
			}()
			r.await("state = 'active' AND query = 'SELECT pg_sleep(60)'", nil)
			if encrypted {
				if err := conn.CancelRequest(ctx); err != nil {
					t.Error(err)
				}
			} else {
				packet := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil,
					uint32(12+len(conn.SecretKey()))), wire.CancelCode), conn.PID())
				c := dial(t, r.address.String())
				c.send(append(packet, conn.SecretKey()...))
				c.rest()
			}
			var pg *pgconn.PgError
			if err := <-done; !errors.As(err, &pg) || pg.Code != "57014" {
				t.Errorf("version %s, encrypted %t: %v", version, encrypted, err)
			}
			conn.Close(ctx)
		}
	}
}

// psql, which is libpq, with its modes and with channel binding.
func TestPsqlUnderTLS(t *testing.T) {
	psql, err := exec.LookPath("psql")
	if err != nil {
		t.Skip("psql is not installed")
	}
	r := newEncryptedRig(t, policy.TLSVerifyFull, func(p *policy.Policy) {
		p.Auth = policy.AuthSCRAM
		p.Analysts[0].Password, p.Analysts[1].Password = verifier(t, "sesame"), verifier(t, "other")
		p.TLS.Names = map[string]string{"Ana Álvarez": "ana", "bob@example.org": "bob"}
	})
	ana := r.authority.Issue("Ana Álvarez", nil)
	own := fmt.Sprintf(" sslcert=%s sslkey=%s sslrootcert=%s", ana.Certificate, ana.Key, r.authority.File)
	run := func(user, parameters string) (string, error) {
		cmd := exec.Command(psql, "-X", "-A", "-t", fmt.Sprintf("host=localhost port=%d user=%s dbname=%s %s", r.address.Port, user, r.database, parameters))
		cmd.Env = append(os.Environ(), "PGPASSWORD=sesame", "HOME="+t.TempDir())
		cmd.Stdin = strings.NewReader(byRegion + ";\n\\conninfo\nCREATE TEMP TABLE t (a int);\n\\copy t from program 'seq 100000'\n\\copy t to '/dev/null'\nSELECT sum(a) FROM t;\n")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, parameters := range []string{"sslmode=require", "sslmode=verify-ca", "sslmode=verify-full", "sslmode=verify-full channel_binding=require"} {
		out, err := run("ana", parameters+own)
		if err != nil {
			t.Fatalf("%s: %v\n%s", parameters, err, out)
		}
		for _, want := range []string{"north|10\nsouth|20\n", "SSL connection", "COPY 100000\nCOPY 100000\n5000050000\n"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in\n%s", parameters, want, out)
			}
		}
	}
	for parameters, want := range map[string]string{
		"sslmode=disable": "this proxy accepts encrypted connections only",
		"sslmode=require sslcert=/nowhere sslrootcert=" + r.authority.File: "certificate required",
	} {
		if out, err := run("ana", parameters); err == nil || !strings.Contains(out, want) {
			t.Errorf("%s: %v\n%s", parameters, err, out)
		}
	}
	if out, err := run("bob", "sslmode=verify-full"+own); err == nil || !strings.Contains(out, `certificate authentication failed for user "bob"`) {
		t.Errorf("bob with ana's certificate: %v\n%s", err, out)
	}
}

// A certificate in place of a password.
func TestCertificateAuth(t *testing.T) {
	r := newEncryptedRig(t, policy.TLSVerifyFull, func(p *policy.Policy) { p.Auth = policy.AuthCertificate })
	for user, want := range map[string]string{"ana": "R ", "bob": `certificate authentication failed for user "bob"`, "eve": `certificate authentication failed for user "eve"`} {
		p := dial(t, r.address.String()).onRequest(r.config("ana"))
		p.send(startupBytes(pgproto3.ProtocolVersion30, "user", user, "database", r.database))
		if got := p.receive().String(); !strings.Contains(got, want) {
			t.Errorf("%s: %s", user, got)
		}
	}
	// Nobody of this name is in the policy, whoever signed the certificate.
	p := dial(t, r.address.String()).onRequest(r.config("eve"))
	p.send(startupBytes(pgproto3.ProtocolVersion30, "user", "eve", "database", r.database))
	if got := p.receive().String(); !strings.Contains(got, "C=28000") {
		t.Errorf("eve: %s", got)
	}
	// A policy that was reloaded before the listener knows of it lets nobody in.
	pol := &policy.Policy{Auth: policy.AuthCertificate, Analysts: []policy.Analyst{{Name: "ana"}}}
	a := newAuthenticator(nil, slog.New(slog.DiscardHandler))
	if err := a.authenticate(newClient(elsewhere{}), pol, "ana"); err == nil {
		t.Error("let in without a certificate")
	}
}

// Another certificate counts for those who come now. Sessions that there are go on.
func TestRenewedCertificate(t *testing.T) {
	r := newEncryptedRig(t, policy.TLSRequire, nil)
	before := dial(t, r.address.String()).onRequest(r.config("")).logIn("ana", r.database)
	next := encryptiontest.NewAuthority(t, "next")
	pair := next.Issue("proxy", nil)
	server, err := encryption.Load(policy.TLS{Mode: policy.TLSRequire, Certificate: pair.Certificate, Key: pair.Key})
	if err != nil {
		t.Fatal(err)
	}
	r.proxy.Encrypt(server)
	before.talk(1, simpleQuery("SELECT 1"))
	after := r.config("")
	if p := dial(t, r.address.String()).onRequest(after); p.conn.(*tls.Conn).Handshake() == nil {
		t.Error("the former certificate is still shown")
	}
	after.RootCAs = next.Pool
	dial(t, r.address.String()).onRequest(after).logIn("ana", r.database).talk(1, simpleQuery("SELECT 1"))
}

// GSSAPI is declined before TLS, and nothing can be asked for twice, or under TLS.
func TestRequestsToEncryptInTurn(t *testing.T) {
	r := newEncryptedRig(t, policy.TLSRequire, nil)
	p := dial(t, r.address.String())
	p.send(startupBytes8(wire.GSSEncCode))
	var answer [1]byte
	if _, err := io.ReadFull(p.conn, answer[:]); err != nil || answer[0] != 'N' {
		t.Fatalf("answer %q, %v", answer, err)
	}
	p.onRequest(r.config("")).logIn("ana", r.database).talk(1, simpleQuery("SELECT 1"))
	for _, code := range []uint32{wire.SSLCode, wire.GSSEncCode} {
		again := dial(t, r.address.String()).onRequest(r.config(""))
		again.send(startupBytes8(code))
		if got := again.rest(); len(got) != 1 || !strings.Contains(got[0], "C=08P01") {
			t.Errorf("under TLS: %q", got)
		}
	}
}

// Somebody in between takes SCRAM-SHA-256-PLUS out of what is offered, or shows another certificate than the proxy's.
func TestChannelBindingIsChecked(t *testing.T) {
	r := newEncryptedRig(t, policy.TLSAllow, func(p *policy.Policy) {
		p.Auth = policy.AuthSCRAM
		p.Analysts[0].Password, p.Analysts[1].Password = verifier(t, "sesame"), verifier(t, "other")
	})
	const plus, plain = "SCRAM-SHA-256-PLUS", "SCRAM-SHA-256"
	proof := ",p=" + base64.StdEncoding.EncodeToString(make([]byte, 32))
	binding := base64.StdEncoding.EncodeToString([]byte("p=tls-server-end-point,,of somebody else"))
	for _, tt := range []struct {
		encrypted        bool
		mechanism, first string
		final            string // without nonce and proof; empty if there is to be none
		want             string
	}{
		{true, plain, "y,,", "", "C=28000 M=SCRAM channel binding negotiation error D=The client supports"},
		{true, plus, "y,,", "", "C=08P01"},
		{true, plus, "n,,", "", "C=08P01"},
		{true, plain, "p=tls-server-end-point,,", "", "C=08P01"},
		{true, plus, "p=tls-unique,,", "", "C=08P01"},
		{true, plus, "p=tls-exporter,,", "", "C=08P01"},
		{true, "SCRAM-SHA-1-PLUS", "p=tls-server-end-point,,", "", "C=08P01"},
		{true, plus, "p=tls-server-end-point,,", binding, "C=28000 M=SCRAM channel binding check failed"},
		{true, plus, "p=tls-server-end-point,,", "biws", "C=28000 M=SCRAM channel binding check failed"},
		{true, plain, "n,,", "biws", "C=28P01"},
		{true, plain, "n,,", "eSws", "C=28P01"},
		{false, plus, "p=tls-server-end-point,,", "", "C=08P01"},
		{false, plain, "y,,", "eSws", "C=28P01"},
	} {
		p := dial(t, r.address.String())
		offers := "SCRAM-SHA-256\x00\x00"
		if tt.encrypted {
			p, offers = p.onRequest(r.config("")), "SCRAM-SHA-256-PLUS\x00SCRAM-SHA-256\x00\x00"
		}
		p.send(startupBytes(pgproto3.ProtocolVersion30, "user", "ana", "database", r.database))
		if m := p.receive(); m.kind != 'R' || string(m.body[4:]) != offers {
			t.Errorf("encrypted %t: offered %s", tt.encrypted, m)
		}
		p.send(saslInitial(tt.mechanism, tt.first+"n=,r=clientnonce"))
		if tt.final != "" {
			challenge := string(p.receive().body[4:])
			nonce, _, _ := strings.Cut(challenge, ",")
			p.send(sasl("c=" + tt.final + "," + nonce + proof))
		}
		if got := strings.Join(p.rest(), ""); !strings.HasPrefix(got, "E V=FATAL") || !strings.Contains(got, tt.want) {
			t.Errorf("%+v: got %q", tt, got)
		}
	}
}

// A certificate without an identity for channel binding offers none.
func TestNoChannelBindingWithoutIdentity(t *testing.T) {
	_, key, err := ed25519.GenerateKey(cryptorand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	self := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"localhost"}}
	raw, err := x509.CreateCertificate(cryptorand.Reader, self, self, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "both.pem")
	both := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8})...)
	if err := os.WriteFile(file, both, 0o600); err != nil {
		t.Fatal(err)
	}
	r := newEncryptedRig(t, policy.TLSRequire, func(p *policy.Policy) {
		p.TLS.Certificate, p.TLS.Key = file, file
		p.Auth = policy.AuthSCRAM
		p.Analysts[0].Password, p.Analysts[1].Password = verifier(t, "sesame"), verifier(t, "other")
	})
	if err := r.countsAs("sesame", "sslmode=require"); err != nil {
		t.Error(err)
	}
	if err := r.countsAs("sesame", "sslmode=require&channel_binding=require"); err == nil {
		t.Error("bound to nothing")
	}
}
