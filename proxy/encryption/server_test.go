package encryption_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"tacit/policy"
	"tacit/proxy/encryption"
	"tacit/proxy/encryption/encryptiontest"
)

func section(p encryptiontest.Pair) policy.TLS {
	return policy.TLS{Mode: policy.TLSRequire, Certificate: p.Certificate, Key: p.Key}
}

func load(t *testing.T, p policy.TLS) *encryption.Server {
	t.Helper()
	s, err := encryption.Load(p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLoadSaysWhatIsWrong(t *testing.T) {
	a := encryptiontest.NewAuthority(t, "authority")
	good, other := a.Issue("proxy", nil), a.Issue("other", nil)
	text := t.TempDir() + "/text"
	locked := t.TempDir() + "/locked"
	for path, content := range map[string]string{text: "hello", locked: "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n"} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		policy policy.TLS
		want   string
	}{
		{policy.TLS{}, `tls.mode: "" is not known`},
		{policy.TLS{Mode: policy.TLSAllow, Certificate: "/nowhere", Key: good.Key}, "tls.certificate: stat /nowhere"},
		{policy.TLS{Mode: policy.TLSAllow, Certificate: good.Certificate, Key: "/nowhere"}, "tls.key: stat /nowhere"},
		{policy.TLS{Mode: policy.TLSAllow, Certificate: text, Key: good.Key}, "tls.certificate and tls.key"},
		{policy.TLS{Mode: policy.TLSAllow, Certificate: good.Certificate, Key: other.Key}, "does not match"},
		{policy.TLS{Mode: policy.TLSAllow, Certificate: good.Certificate, Key: locked}, "the key has a password"},
		{policy.TLS{Mode: policy.TLSVerifyCA, Certificate: good.Certificate, Key: good.Key, ClientCA: "/nowhere"}, "tls.client_ca: stat /nowhere"},
		{policy.TLS{Mode: policy.TLSVerifyCA, Certificate: good.Certificate, Key: good.Key, ClientCA: text}, "holds no certificate"},
	} {
		if _, err := encryption.Load(tt.policy); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %s", tt.policy, err, tt.want)
		}
	}
}

func TestModes(t *testing.T) {
	a := encryptiontest.NewAuthority(t, "authority")
	pair := a.Issue("proxy", nil)
	for mode, want := range map[policy.TLSMode][3]bool{
		policy.TLSDisable: {}, policy.TLSAllow: {true, false, false}, policy.TLSRequire: {true, true, false},
		policy.TLSVerifyCA: {true, true, false}, policy.TLSVerifyFull: {true, true, true},
	} {
		s := load(t, policy.TLS{Mode: mode, Certificate: pair.Certificate, Key: pair.Key, ClientCA: a.File})
		if got := [3]bool{s.Offered(), s.Required(), s.NamesAnalysts()}; got != want {
			t.Errorf("%s: %v, want %v", mode, got, want)
		}
	}
}

func TestWarnings(t *testing.T) {
	a := encryptiontest.NewAuthority(t, "authority")
	now := time.Now()
	ending := func(after time.Duration) encryptiontest.Pair {
		return a.Issue("proxy", func(c *x509.Certificate) { c.NotAfter = now.Add(after) })
	}
	open := ending(100 * 24 * time.Hour)
	if err := os.Chmod(open.Key, 0o644); err != nil {
		t.Fatal(err)
	}
	future := a.Issue("proxy", func(c *x509.Certificate) { c.NotBefore = now.Add(time.Hour) })
	for _, tt := range []struct {
		pair encryptiontest.Pair
		want string
	}{
		{ending(100 * 24 * time.Hour), ""}, {ending(15 * 24 * time.Hour), ""}, {ending(13 * 24 * time.Hour), "renew it"},
		{ending(-time.Minute), "ended on"}, {future, "begins on"}, {open, "chmod 600"},
	} {
		got := strings.Join(load(t, section(tt.pair)).Warnings(now), "; ")
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
	if got := load(t, policy.TLS{Mode: policy.TLSDisable}).Warnings(now); got != nil {
		t.Errorf("warnings of nothing: %q", got)
	}
}

func TestChanged(t *testing.T) {
	a := encryptiontest.NewAuthority(t, "authority")
	pair, next := a.Issue("proxy", nil), a.Issue("proxy", nil)
	s := load(t, section(pair))
	if s.Changed() {
		t.Error("changed before anything has")
	}
	if err := os.Rename(next.Certificate, pair.Certificate); err != nil {
		t.Fatal(err)
	}
	if !s.Changed() {
		t.Error("another certificate is not noticed")
	}
	if _, err := s.Reload(); err == nil {
		t.Error("a certificate without its key was loaded")
	}
	if err := os.Rename(next.Key, pair.Key); err != nil {
		t.Fatal(err)
	}
	renewed, err := s.Reload()
	if err != nil || renewed.Changed() || bytes.Equal(renewed.EndPoint(), s.EndPoint()) {
		t.Errorf("reloading: %v", err)
	}
	if err := os.Remove(pair.Key); err != nil {
		t.Fatal(err)
	}
	if !renewed.Changed() {
		t.Error("a key that is gone is not noticed")
	}
}

// The identity is the hash of the certificate by its signature's function.
func TestEndPoint(t *testing.T) {
	a := encryptiontest.NewAuthority(t, "authority")
	for algorithm, sum := range map[x509.SignatureAlgorithm]func([]byte) []byte{
		x509.ECDSAWithSHA256: func(b []byte) []byte { s := sha256.Sum256(b); return s[:] },
		x509.ECDSAWithSHA384: func(b []byte) []byte { s := sha512.Sum384(b); return s[:] },
		x509.ECDSAWithSHA512: func(b []byte) []byte { s := sha512.Sum512(b); return s[:] },
	} {
		pair := a.Issue("proxy", func(c *x509.Certificate) { c.SignatureAlgorithm = algorithm })
		if got := load(t, section(pair)).EndPoint(); !bytes.Equal(got, sum(pair.Load(t).Certificate[0])) {
			t.Errorf("%v: %x", algorithm, got)
		}
	}
}

// What names an analyst is one common name of a certificate that was verified.
func TestAnalyst(t *testing.T) {
	a, stranger := encryptiontest.NewAuthority(t, "authority"), encryptiontest.NewAuthority(t, "authority")
	server := a.Issue("proxy", nil)
	names := map[string]string{"Ana Álvarez": "ana"}
	for _, tt := range []struct {
		authority *encryptiontest.Authority
		name      string
		edit      func(*x509.Certificate)
		names     map[string]string
		analyst   string
		ok        bool
	}{
		{a, "ana", nil, nil, "ana", true},
		{a, "Ana Álvarez", nil, names, "ana", true},
		{a, "ana", nil, names, "", false},
		{a, "", nil, nil, "", false},
		{a, "bob", func(c *x509.Certificate) {
			c.Subject = pkix.Name{ExtraNames: []pkix.AttributeTypeAndValue{
				{Type: asn1.ObjectIdentifier{2, 5, 4, 3}, Value: "bob"}, {Type: asn1.ObjectIdentifier{2, 5, 4, 3}, Value: "ana"}}}
		}, nil, "", false},
		{stranger, "ana", nil, nil, "", false},
	} {
		s := load(t, policy.TLS{Mode: policy.TLSVerifyFull, Certificate: server.Certificate, Key: server.Key, ClientCA: a.File, Names: tt.names})
		state, err := shake(t, s, &tls.Config{RootCAs: a.Pool, ServerName: "localhost", Certificates: []tls.Certificate{tt.authority.Issue(tt.name, tt.edit).Load(t)}})
		analyst, ok := s.Analyst(state)
		if analyst != tt.analyst || ok != tt.ok || (err == nil) != (tt.authority == a) {
			t.Errorf("%q of %v: %q, %t, %v", tt.name, tt.names, analyst, ok, err)
		}
	}
}

// shake lets a client and the server meet, and returns what the server knows of the client.
func shake(t *testing.T, s *encryption.Server, config *tls.Config) (tls.ConnectionState, error) {
	t.Helper()
	here, there := net.Pipe()
	defer here.Close()
	defer there.Close()
	done := make(chan struct{})
	go func() {
		defer close(done)
		client := tls.Client(there, config)
		if client.Handshake() == nil {
			client.Read(make([]byte, 1))
		}
		there.Close()
	}()
	conn, err := s.Accept(context.Background(), here)
	here.Close()
	<-done
	if err != nil {
		return tls.ConnectionState{}, err
	}
	return conn.ConnectionState(), nil
}

func TestKeysOfOtherKinds(t *testing.T) {
	a := encryptiontest.NewAuthority(t, "authority")
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	long, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range []encryptiontest.Pair{a.IssueFor(ed, "proxy", nil), a.IssueFor(long, "proxy", nil)} {
		for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
			if _, err := shake(t, load(t, section(pair)), &tls.Config{RootCAs: a.Pool, ServerName: "localhost", MaxVersion: version}); err != nil {
				t.Error(err)
			}
		}
		old := &tls.Config{RootCAs: a.Pool, ServerName: "localhost", MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}
		if _, err := shake(t, load(t, section(pair)), old); err == nil {
			t.Error("TLS 1.1 was accepted")
		}
	}
}
