package main

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tacit/proxy/encryption/encryptiontest"
)

// put makes a pair the proxy's, in the files that the policy names.
func (s *site) put(p encryptiontest.Pair) {
	s.t.Helper()
	for from, to := range map[string]string{p.Certificate: "server.crt", p.Key: "server.key"} {
		if err := os.WriteFile(filepath.Join(s.dir, to), []byte(readText(s.t, from)), 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
}

// TestCertificatesAreRenewed exchanges the proxy's certificate by SIGHUP, first for files that cannot be used.
func TestCertificatesAreRenewed(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newSite(t, siteOptions{})
	first, second := encryptiontest.NewAuthority(t, "first"), encryptiontest.NewAuthority(t, "second")
	s.put(first.Issue("proxy", nil))
	text := readText(t, s.policy)
	s.writePolicy(text + "tls: {mode: require, certificate: server.crt, key: server.key}\n")
	p := s.serve()
	connect := func(a *encryptiontest.Authority) error {
		ctx := context.Background()
		conn, err := pgx.Connect(ctx, fmt.Sprintf("postgres://ana@%s/%s?sslmode=verify-full&sslrootcert=%s", s.addr, s.database, a.File))
		if err == nil {
			_, err = conn.Exec(ctx, "SELECT count(*) FROM people")
			conn.Close(ctx)
		}
		return err
	}
	if err := connect(first); err != nil {
		t.Fatal(err)
	}
	if _, err := pgx.Connect(context.Background(), s.url("ana")); err == nil || !strings.Contains(err.Error(), "28000") {
		t.Errorf("without TLS: %v", err)
	}
	reload := func(logged string) {
		t.Helper()
		before := strings.Count(p.logged(), logged)
		p.cmd.Process.Signal(syscall.SIGHUP)
		var log string
		eventually(t, &log, func() bool {
			log = p.logged()
			return strings.Count(log, logged) > before
		})
	}
	next := second.Issue("proxy", func(c *x509.Certificate) { c.NotAfter = time.Now().Add(48 * time.Hour) })
	key := readText(t, next.Key)
	if err := os.WriteFile(next.Key, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.put(next)
	reload("the running policy stays in force")
	if err := connect(first); err != nil {
		t.Errorf("a certificate that cannot be used took the place of one that could: %v", err)
	}
	if err := os.WriteFile(next.Key, []byte(key), 0o600); err != nil {
		t.Fatal(err)
	}
	s.put(next)
	reload("policy reloaded")
	if err := connect(second); err != nil {
		t.Error(err)
	}
	if connect(first) == nil {
		t.Error("the former certificate is still shown")
	}
	if log := p.logged(); !strings.Contains(log, "renew it") {
		t.Errorf("no warning of a certificate that ends in two days:\n%s", log)
	}
	// Reloading may also end encryption.
	s.writePolicy(text)
	reload("policy reloaded")
	if conn := s.connect("ana"); conn.PgConn().Conn() == nil {
		t.Error("no connection")
	}
}

// TestDocumentedCertificates makes certificates as docs/operations.md says, and connects with them.
func TestDocumentedCertificates(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("openssl is not installed")
	}
	s := newSite(t, siteOptions{})
	_, text, _ := strings.Cut(readText(t, "../../docs/operations.md"), "\n## Encryption\n")
	text, _, _ = strings.Cut(text, "\n## ")
	blocks := strings.Split(text, "```sh\n")
	if len(blocks) != 3 {
		t.Fatalf("docs/operations.md shows %d scripts about certificates", len(blocks)-1)
	}
	var script string
	for _, block := range blocks[1:] {
		block, _, _ = strings.Cut(block, "```")
		script += strings.NewReplacer("tacit.example.org", "localhost", "10.0.0.7", "127.0.0.1").Replace(block)
	}
	cmd := exec.Command("sh", "-e", "-c", script)
	cmd.Dir = s.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	section := regexp.MustCompile("`(tls: \\{mode: verify-full[^}]*\\})`").FindStringSubmatch(text)
	if section == nil {
		t.Fatal("docs/operations.md does not show the section of the policy")
	}
	s.writePolicy(strings.Replace(readText(t, s.policy), "auth: trust", "auth: certificate", 1) + section[1] + "\n")
	s.serve()
	in := func(name string) string { return filepath.Join(s.dir, name) }
	url := fmt.Sprintf("postgres://%%s@%s/%s?sslmode=verify-full&sslrootcert=%s&sslcert=%s&sslkey=%s", s.addr, s.database, in("ca.crt"), in("ana.crt"), in("ana.key"))
	for analyst, want := range map[string]string{"ana": "", "bob": "certificate authentication failed"} {
		conn, err := pgx.Connect(context.Background(), fmt.Sprintf(url, analyst))
		if err == nil {
			conn.Close(context.Background())
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", analyst, err)
		}
	}
}

// TestCheckLooksAtCertificates wants a note of what an operator should mend, and a failure where serve would not start.
func TestCheckLooksAtCertificates(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	a := encryptiontest.NewAuthority(t, "authority")
	s.put(a.Issue("proxy", func(c *x509.Certificate) { c.NotAfter = time.Now().Add(48 * time.Hour) }))
	key := filepath.Join(s.dir, "server.key")
	if err := os.Chmod(key, 0o644); err != nil {
		t.Fatal(err)
	}
	s.writePolicy(readText(t, s.policy) + "tls: {mode: require, certificate: server.crt, key: server.key}\n")
	out, errors, status := run(t, "check", "--policy", s.policy)
	for _, want := range []string{"note: the certificate " + filepath.Join(s.dir, "server.crt") + " ends on", "note: every account of this machine can use the key"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if status != 0 {
		t.Errorf("status %d\n%s", status, errors)
	}
	var found struct {
		Notes []string
		Ends  time.Time `json:"certificate_ends"`
	}
	if err := json.Unmarshal([]byte(output(t, "check", "--json", "--policy", s.policy)), &found); err != nil {
		t.Fatal(err)
	}
	if left := time.Until(found.Ends); left < 47*time.Hour || left > 48*time.Hour || !strings.Contains(strings.Join(found.Notes, "\n"), "server.crt ends on") {
		t.Errorf("check --json has %+v", found)
	}
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"check", "serve"} {
		if _, errors, status := run(t, command, "--policy", s.policy); status != 1 || !strings.Contains(errors, "tls.key: stat "+key) {
			t.Errorf("%s without a key: status %d\n%s", command, status, errors)
		}
	}
}
