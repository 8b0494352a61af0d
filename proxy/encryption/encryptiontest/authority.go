// Package encryptiontest makes certificates for tests.
package encryptiontest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// An Authority signs certificates. Its own is in a file.
type Authority struct {
	t    testing.TB
	cert *x509.Certificate
	key  crypto.Signer
	// File holds the authority's certificate in PEM form.
	File string
	Pool *x509.CertPool
}

// A Pair are the files of a certificate and its key.
type Pair struct{ Certificate, Key string }

// NewAuthority makes an authority with files in a temporary directory.
func NewAuthority(t testing.TB, name string) *Authority {
	t.Helper()
	key := newKey(t)
	template := template(name)
	template.IsCA, template.BasicConstraintsValid, template.KeyUsage = true, true, x509.KeyUsageCertSign
	raw, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	a := &Authority{t: t, cert: cert, key: key, File: filepath.Join(t.TempDir(), "authority.crt"), Pool: x509.NewCertPool()}
	a.Pool.AddCert(cert)
	write(t, a.File, "CERTIFICATE", raw)
	return a
}

// Issue makes a certificate of a common name, which is good for localhost and 127.0.0.1. edit, if not nil, may change it before it is signed.
func (a *Authority) Issue(name string, edit func(*x509.Certificate)) Pair {
	a.t.Helper()
	return a.IssueFor(newKey(a.t), name, edit)
}

// IssueFor is Issue for a key that there is.
func (a *Authority) IssueFor(key crypto.Signer, name string, edit func(*x509.Certificate)) Pair {
	a.t.Helper()
	template := template(name)
	template.DNSNames, template.IPAddresses = []string{"localhost"}, []net.IP{net.IPv4(127, 0, 0, 1)}
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	if edit != nil {
		edit(template)
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, a.cert, key.Public(), a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		a.t.Fatal(err)
	}
	dir := a.t.TempDir()
	p := Pair{filepath.Join(dir, "some.crt"), filepath.Join(dir, "some.key")}
	write(a.t, p.Certificate, "CERTIFICATE", raw)
	write(a.t, p.Key, "PRIVATE KEY", encoded)
	return p
}

// Load reads the pair.
func (p Pair) Load(t testing.TB) tls.Certificate {
	t.Helper()
	pair, err := tls.LoadX509KeyPair(p.Certificate, p.Key)
	if err != nil {
		t.Fatal(err)
	}
	return pair
}

func template(name string) *x509.Certificate {
	serial, _ := rand.Int(rand.Reader, big.NewInt(1<<62))
	return &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(365 * 24 * time.Hour),
	}
}

func newKey(t testing.TB) crypto.Signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func write(t testing.TB, path, kind string, raw []byte) {
	t.Helper()
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: raw}), 0o600); err != nil {
		t.Fatal(err)
	}
}
