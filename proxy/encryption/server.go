package encryption

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/asn1"
	"encoding/pem"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strings"
	"time"

	"tacit/policy"
)

// This file makes a Server of a policy's section tls, and tells what is odd about its files. Start at Load.

// Protocol is the name by which a client that begins with TLS at once says what it wants to speak (ALPN).
const Protocol = "postgresql"

// A Server accepts TLS connections. It never changes.
type Server struct {
	policy policy.TLS
	// config is nil if no TLS is offered.
	config   *tls.Config
	leaf     *x509.Certificate
	endPoint []byte
	files    []file
}

// A file is what a file was like when it was read.
type file struct {
	path string
	info fs.FileInfo
}

// Load reads the files that a policy names. An error says what to do.
func Load(p policy.TLS) (*Server, error) {
	s := &Server{policy: p}
	switch p.Mode {
	case policy.TLSDisable:
		return s, nil
	case policy.TLSAllow, policy.TLSRequire, policy.TLSVerifyCA, policy.TLSVerifyFull:
	default:
		return nil, fmt.Errorf("tls.mode: %q is not known", p.Mode)
	}
	chain, err := s.read("tls.certificate", p.Certificate)
	if err != nil {
		return nil, err
	}
	key, err := s.read("tls.key", p.Key)
	if err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(chain, key)
	if err != nil {
		return nil, fmt.Errorf("tls.certificate and tls.key: %s and %s: %w%s", p.Certificate, p.Key, err, keyAdvice(key))
	}
	s.leaf, s.endPoint = pair.Leaf, endPoint(pair.Leaf)
	s.config = &tls.Config{
		Certificates:           []tls.Certificate{pair},
		MinVersion:             tls.VersionTLS12,
		NextProtos:             []string{Protocol},
		SessionTicketsDisabled: true,
	}
	return s, s.trustClients()
}

// trustClients has clients show certificates, if the mode demands them.
func (s *Server) trustClients() error {
	if !s.policy.Mode.AsksForCertificate() {
		return nil
	}
	authorities, err := s.read("tls.client_ca", s.policy.ClientCA)
	if err != nil {
		return err
	}
	s.config.ClientAuth, s.config.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
	if !s.config.ClientCAs.AppendCertsFromPEM(authorities) {
		return fmt.Errorf("tls.client_ca: %s holds no certificate in PEM form", s.policy.ClientCA)
	}
	return nil
}

// read reads a file, and notes what it was like before.
func (s *Server) read(key, path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	s.files = append(s.files, file{path, info})
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	return data, nil
}

// keyAdvice says what to do about a key that cannot be read because a password protects it.
func keyAdvice(key []byte) string {
	block, _ := pem.Decode(key)
	if block != nil && (strings.Contains(block.Type, "ENCRYPTED") || block.Headers["DEK-Info"] != "") {
		return "; the key has a password: write it without one by openssl pkey -in FILE -out FILE"
	}
	return ""
}

// ForPages is how a web page is encrypted with the same certificate; nil without one. Browsers need no certificates of their own: who looks at a page
// says who he is by a password.
func (s *Server) ForPages() *tls.Config {
	if s.config == nil {
		return nil
	}
	c := s.config.Clone()
	c.NextProtos, c.ClientAuth, c.ClientCAs = []string{"http/1.1"}, tls.NoClientCert, nil
	return c
}

// Offered says whether a client may encrypt.
func (s *Server) Offered() bool { return s.config != nil }

// Required says whether it must.
func (s *Server) Required() bool { return s.Offered() && s.policy.Mode != policy.TLSAllow }

// NamesAnalysts says whether clients' certificates must name the analysts as whom they log in.
func (s *Server) NamesAnalysts() bool { return s.policy.Mode == policy.TLSVerifyFull }

// EndPoint identifies the certificate that clients see, so that a password's proof counts for a connection with it alone (tls-server-end-point,
// RFC 5929); nil if no such identity is defined for its signature.
func (s *Server) EndPoint() []byte { return s.endPoint }

// Accept encrypts a client's connection. It returns an error, and the connection is of no use, if the client is not as the policy demands.
func (s *Server) Accept(ctx context.Context, conn net.Conn) (*tls.Conn, error) {
	secure := tls.Server(conn, s.config)
	if err := secure.HandshakeContext(ctx); err != nil {
		return nil, err
	}
	return secure, nil
}

var commonName = asn1.ObjectIdentifier{2, 5, 4, 3}

// Analyst is whom a client's certificate names, ok=false if that is nobody. A certificate of several common names names nobody: programs differ in
// which of them they read.
func (s *Server) Analyst(state tls.ConnectionState) (analyst string, ok bool) {
	if len(state.VerifiedChains) == 0 {
		return "", false
	}
	subject, names := state.PeerCertificates[0].Subject, 0
	for _, part := range subject.Names {
		if part.Type.Equal(commonName) {
			names++
		}
	}
	if names != 1 || subject.CommonName == "" {
		return "", false
	}
	if s.policy.Names == nil {
		return subject.CommonName, true
	}
	analyst, ok = s.policy.Names[subject.CommonName]
	return analyst, ok
}

// Ends is when the certificate does; zero without one.
func (s *Server) Ends() time.Time {
	if s.leaf == nil {
		return time.Time{}
	}
	return s.leaf.NotAfter
}

// Changed says whether a file is another one than was read.
func (s *Server) Changed() bool {
	for _, f := range s.files {
		now, err := os.Stat(f.path)
		if err != nil || !os.SameFile(now, f.info) || now.Size() != f.info.Size() || !now.ModTime().Equal(f.info.ModTime()) {
			return true
		}
	}
	return false
}

// Reload reads the files again, under the same policy.
func (s *Server) Reload() (*Server, error) { return Load(s.policy) }

// endsSoon is how long before its end a certificate is spoken of.
const endsSoon = 14 * 24 * time.Hour

// Warnings tell what an operator should mend at some time.
func (s *Server) Warnings(now time.Time) (warnings []string) {
	if !s.Offered() {
		return nil
	}
	const day = "2006-01-02"
	switch {
	case now.After(s.leaf.NotAfter):
		warnings = append(warnings, fmt.Sprintf("the certificate %s ended on %s, and clients that look at it do not connect", s.policy.Certificate, s.leaf.NotAfter.Format(day)))
	case now.Before(s.leaf.NotBefore):
		warnings = append(warnings, fmt.Sprintf("the certificate %s begins on %s only, and clients that look at it do not connect", s.policy.Certificate, s.leaf.NotBefore.Format(day)))
	case now.Add(endsSoon).After(s.leaf.NotAfter):
		warnings = append(warnings, fmt.Sprintf("the certificate %s ends on %s: renew it", s.policy.Certificate, s.leaf.NotAfter.Format(day)))
	}
	for _, f := range s.files {
		if f.path == s.policy.Key && f.info.Mode().Perm()&0o007 != 0 {
			warnings = append(warnings, fmt.Sprintf("every account of this machine can use the key %s: chmod 600 it", f.path))
		}
	}
	return warnings
}
