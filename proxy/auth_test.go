package proxy

import (
	"context"
	"encoding/base64"
	"fmt"
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
	var a authenticator
	pol := &policy.Policy{Auth: policy.AuthTrust, Analysts: []policy.Analyst{{Name: "ana"}}}
	if err := a.authenticate(elsewhere{}, pol, "ana"); err == nil {
		t.Error("trusted a peer elsewhere")
	}
	if err := a.authenticate(elsewhere{}, &policy.Policy{}, "ana"); err == nil {
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
