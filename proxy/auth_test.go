package proxy

import (
	"context"
	"encoding/base64"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/xdg-go/scram"

	"tacit/policy"
)

func verifier(t *testing.T, password string) string {
	t.Helper()
	v, err := NewVerifier(password)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func newScramRig(t *testing.T) *rig {
	return newRig(t, func(p *policy.Policy) {
		p.Auth = policy.AuthSCRAM
		p.Analysts[0].Password = verifier(t, "sesame")
		p.Analysts[1].Password = verifier(t, "other")
	})
}

func TestScram(t *testing.T) {
	r := newScramRig(t)
	ctx := context.Background()
	connect := func(user, password string) error {
		conn, err := pgconn.Connect(ctx, fmt.Sprintf("postgres://%s:%s@%s/%s?sslmode=disable", user, password, r.address, r.database))
		if err == nil {
			conn.Close(ctx)
		}
		return err
	}
	if err := connect("ana", "sesame"); err != nil {
		t.Error(err)
	}
	for _, tt := range [][2]string{{"ana", "wrong"}, {"eve", "sesame"}, {"bob", "sesame"}} {
		err := connect(tt[0], tt[1])
		want := fmt.Sprintf("password authentication failed for user %q (SQLSTATE 28P01)", tt[0])
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", tt, err, want)
		}
	}
}

// Whether an analyst exists does not show before, in, or after the exchange.
func TestScramHidesWhoExists(t *testing.T) {
	r := newScramRig(t)
	type observed struct{ mechanisms, challenge, end string }
	exchange := func(user string) observed {
		p := dial(t, r.address.String())
		p.send(startupBytes(pgproto3.ProtocolVersion30, "user", user, "database", r.database))
		var o observed
		o.mechanisms = p.receive().String()
		p.send(saslInitial("SCRAM-SHA-256", "n,,n=,r=clientnonce"))
		_, challenge, _ := strings.Cut(string(p.receive().body), ",")
		o.challenge = challenge
		p.send(sasl("c=biws,r=clientnonce,p=" + base64.StdEncoding.EncodeToString(make([]byte, 32))))
		o.end = strings.Join(p.rest(), "")
		o.end = strings.ReplaceAll(o.end, user, "USER")
		return o
	}
	known, unknown, again := exchange("ana"), exchange("eve"), exchange("eve")
	if unknown != again {
		t.Errorf("an unknown name looks different the second time: %q, %q", unknown, again)
	}
	if other := exchange("eva"); other.challenge == unknown.challenge {
		t.Error("two unknown names have one salt")
	}
	if len(known.challenge) != len(unknown.challenge) {
		t.Errorf("challenges %q and %q", known.challenge, unknown.challenge)
	}
	known.challenge = unknown.challenge
	if known != unknown {
		t.Errorf("known %q, unknown %q", known, unknown)
	}
}

// Salts and iterations of unknown users are the same at all proxies with one secret, and like those of analysts, of which some may have others.
func TestUnknownUsersAreStable(t *testing.T) {
	t.Parallel()
	strong, err := makeVerifier("x", scram.KeyFactors{Salt: strings.Repeat("0123456789", 7), Iters: 20000})
	if err != nil {
		t.Fatal(err)
	}
	usual := verifier(t, "sesame")
	pol := &policy.Policy{Auth: policy.AuthSCRAM, Analysts: []policy.Analyst{{Name: "ana", Password: usual}, {Name: "bob", Password: strong}}}
	larger := &policy.Policy{Auth: policy.AuthSCRAM, Analysts: append([]policy.Analyst{{Name: "carl", Password: usual}}, pol.Analysts...)}
	of := func(secret string, pol *policy.Policy, user string) scram.KeyFactors {
		a := newAuthenticator(func() string { return secret }, slog.New(slog.DiscardHandler))
		c, err := a.credentials(pol, user)
		if err != nil {
			t.Fatal(err)
		}
		return c.KeyFactors
	}
	kind := func(f scram.KeyFactors) string { return fmt.Sprint(len(f.Salt), f.Iters) }
	known := map[string]bool{kind(of("one", pol, "ana")): true, kind(of("one", pol, "bob")): true}
	if len(known) != 2 {
		t.Fatalf("the analysts have the factors %v", known)
	}
	seen, moved := make(map[string]bool), 0
	for i := range 64 {
		user := fmt.Sprint("eve", i)
		here := of("one", pol, user)
		if seen[kind(here)] = true; !known[kind(here)] {
			t.Errorf("%s has %s, which no analyst has", user, kind(here))
		}
		if there := of("one", pol, user); there != here {
			t.Errorf("%s has %v at one proxy and %v at another of the same ledger", user, here, there)
		}
		if of("two", pol, user) == here {
			t.Errorf("%s has the same salt under another secret", user)
		}
		if of("one", larger, user) != here {
			moved++
		}
	}
	if len(seen) != 2 {
		t.Errorf("all names have the factors of one analyst: %v", seen)
	}
	if moved == 0 || moved > 32 { // one in six is expected; the secret decides which
		t.Errorf("one more analyst changes the salts of %d of 64 names", moved)
	}
}

// Until the ledger can be used, a secret of the process's own serves.
func TestSecretIsKept(t *testing.T) {
	now := ""
	a := newAuthenticator(func() string { return now }, slog.New(slog.DiscardHandler))
	before := a.key()
	now = "one"
	if after := a.key(); before == "" || before == after || after != "one" {
		t.Errorf("the secret was %q and is %q", before, after)
	}
	now = ""
	if a.key() != "one" {
		t.Error("a secret that was known is forgotten")
	}
}

func saslInitial(mechanism, data string) []byte {
	return encode(&pgproto3.SASLInitialResponse{AuthMechanism: mechanism, Data: []byte(data)})
}

func sasl(data string) []byte { return encode(&pgproto3.SASLResponse{Data: []byte(data)}) }

func TestScramMalformed(t *testing.T) {
	r := newScramRig(t)
	for name, tt := range map[string]struct {
		send []byte
		want string
	}{
		"query before login":    {encode(simpleQuery("SELECT 1")), "C=08P01"},
		"other mechanism":       {saslInitial("SCRAM-SHA-256-PLUS", "p=tls-server-end-point,,n=,r=x"), "C=08P01"},
		"channel binding":       {saslInitial("SCRAM-SHA-256", "p=tls-server-end-point,,n=,r=x"), "C=08P01"},
		"no SCRAM":              {saslInitial("SCRAM-SHA-256", "hello"), "C=08P01"},
		"no data":               {[]byte("p\x00\x00\x00\x12SCRAM-SHA-256\x00"), "C=08P01"},
		"length lies":           {[]byte("p\x00\x00\x00\x16SCRAM-SHA-256\x00\x7f\xff\xff\xff"), "C=08P01"},
		"too long":              {[]byte("p\x00\x00\xff\xff"), "C=08P01"},
		"negative length":       {[]byte("p\xff\xff\xff\xff"), "C=08P01"},
		"length less than four": {[]byte("p\x00\x00\x00\x03"), "C=08P01"},
		"password in the clear": {sasl("sesame\x00"), "C=08P01"},
		"a second start-up":     {startupBytes(pgproto3.ProtocolVersion30, "user", "bob", "database", r.database), "C=08P01"},
		"length above 2 GiB":    {[]byte("p\x80\x00\x00\x01"), "C=08P01"},
		"data above 2 GiB":      {[]byte("p\x00\x00\x00\x16SCRAM-SHA-256\x00\x80\x00\x00\x00"), "C=08P01"},
	} {
		t.Run(name, func(t *testing.T) {
			p := dial(t, r.address.String())
			p.send(startupBytes(pgproto3.ProtocolVersion30, "user", "ana", "database", r.database))
			p.receive()
			p.send(tt.send)
			if got := strings.Join(p.rest(), ""); !strings.Contains(got, tt.want) || !strings.Contains(got, "FATAL") {
				t.Errorf("got %q", got)
			}
		})
	}
}

// elsewhere is a connection whose peer is not on this machine.
type elsewhere struct{ net.Conn }

func (elsewhere) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 1} }

func TestTrustIsForLoopback(t *testing.T) {
	a := newAuthenticator(nil, slog.New(slog.DiscardHandler))
	pol := &policy.Policy{Auth: policy.AuthTrust, Analysts: []policy.Analyst{{Name: "ana"}}}
	if err := a.authenticate(newClient(elsewhere{}), pol, "ana"); err == nil {
		t.Error("trusted a peer elsewhere")
	}
	if err := a.authenticate(newClient(elsewhere{}), &policy.Policy{}, "ana"); err == nil {
		t.Error("trusted without a method")
	}
}

func TestParseVerifier(t *testing.T) {
	good, err := makeVerifier("x", scram.KeyFactors{Salt: "0123456789abcdef", Iters: 4096})
	if err != nil {
		t.Fatal(err)
	}
	if c, err := parseVerifier(good); err != nil || c.Iters != 4096 || c.Salt != "0123456789abcdef" {
		t.Errorf("%+v, %v", c, err)
	}
	for _, bad := range []string{
		"", "x", "md5abc", "SCRAM-SHA-1" + good[len("SCRAM-SHA-256"):], good + "$", strings.Replace(good, "4096", "0", 1),
		strings.Replace(good, "4096", "-1", 1), good[:len(good)-4], strings.Replace(good, ":", "", 1),
	} {
		if _, err := parseVerifier(bad); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}
