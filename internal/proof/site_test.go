package proof

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tacit/policy"
	"tacit/proxy"
	"tacit/release"
	"tacit/release/curator"
)

// A site is a database with protected tables and a proxy in front of it.
type site struct {
	t        testing.TB
	database string
	policy   *policy.Policy
	gateway  *release.Gateway
	log      *logBuffer
	holed    atomic.Bool // the test makes holes, which a refresh may find
	files    string      // the directory of the policy; testdata if it is empty
	random   io.Reader   // crypto/rand's if it is nil
}

// newSite makes a database from files under testdata.
func newSite(t testing.TB, files ...string) *site {
	t.Helper()
	s := &site{t: t}
	s.fill("", files...)
	s.establish()
	return s
}

// newPair makes two sites that differ in nothing but the people who are in the protected tables of the first: their databases are copies of
// one, and so have the same object identifiers.
func newPair(t testing.TB) (present, absent *site) {
	t.Helper()
	present, absent = &site{t: t}, &site{t: t}
	for _, s := range []*site{present, absent} {
		s.fill("", "schema.sql", "rows.sql")
	}
	present.load("planted.sql")
	present.establish()
	absent.establish()
	return present, absent
}

// fill gives the site a database of files under testdata and what sql does then, hardened: a copy of one that is made for all tests.
func (s *site) fill(sql string, files ...string) {
	s.t.Helper()
	s.database = cluster.CloneDatabase(s.t, strings.Join(append(files, sql, s.files), "\n"), func(database string) error {
		s.database = database
		s.load(files...)
		if err := execute(s.database, sql); err != nil {
			return err
		}
		s.readPolicy()
		s.harden()
		return nil
	})
	s.readPolicy()
}

// load runs files under testdata as the superuser.
func (s *site) load(files ...string) {
	s.t.Helper()
	for _, file := range files {
		sql, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			s.t.Fatal(err)
		}
		if err := execute(s.database, string(sql)); err != nil {
			s.t.Fatalf("%s: %v", file, err)
		}
	}
}

// readPolicy reads the policy for the site's database.
func (s *site) readPolicy() {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(cmp.Or(s.files, "testdata"), "policy.yaml"))
	if err != nil {
		s.t.Fatal(err)
	}
	path := filepath.Join(s.t.TempDir(), "policy.yaml")
	if err := os.WriteFile(path, fmt.Appendf(nil, string(text), cluster.Host, cluster.Port, s.database), 0o600); err != nil {
		s.t.Fatal(err)
	}
	if s.policy, err = policy.Load(path); err != nil {
		s.t.Fatal(err)
	}
}

// harden makes the database fit its policy, as a steward would, and gives the analysts tables of their own.
func (s *site) harden() {
	s.t.Helper()
	s.hardenFor(s.policy)
	grants := `GRANT SELECT ON public.regions, public.cities, public.calendar TO ana, bob;
		GRANT ALL ON public.mine, public.notes, public.targets TO ana, bob;`
	if s.files != "" {
		grants = "GRANT SELECT ON public.regions TO ana, bob; GRANT ALL ON public.mine TO ana, bob;"
	}
	if err := execute(s.database, grants); err != nil {
		s.t.Fatal(err)
	}
}

// hardenFor runs the SQL of `tacit check --sql`.
func (s *site) hardenFor(p *policy.Policy) {
	s.t.Helper()
	psql, err := cluster.Psql()
	if err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.Command(psql, "-X", "-q", "-v", "ON_ERROR_STOP=1", cluster.URL("postgres", s.database))
	cmd.Stdin = strings.NewReader(curator.HardeningSQL(p))
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("hardening: %v\n%s", err, out)
	}
}

// establish opens the gateway to the database.
func (s *site) establish() {
	s.t.Helper()
	random := s.random
	if random == nil {
		random = rand.Reader
	}
	var err error
	if s.gateway, err = release.Open(context.Background(), release.Config{Policy: s.policy, Random: random}); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { s.gateway.Close() })
	s.refresh()
}

// refresh keeps the gateway open for as long as the test takes, as tacit serve does.
func (s *site) refresh() {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ticks := time.NewTicker(time.Minute); ; {
			select {
			case <-ctx.Done():
				ticks.Stop()
				return
			case <-ticks.C:
				if err := s.gateway.Refresh(ctx); err != nil && ctx.Err() == nil && !s.holed.Load() {
					s.t.Errorf("refresh: %v", err)
				}
			}
		}
	}()
	s.t.Cleanup(func() { cancel(); <-ended })
}

// serve starts a proxy with a gateway of this site's, and returns its address. It ends with the test.
func (s *site) serve(gateway proxy.Releaser) *net.TCPAddr {
	s.t.Helper()
	s.log = &logBuffer{}
	p, err := proxy.New(proxy.Config{Policy: s.policy, Releaser: gateway, Log: slog.New(slog.NewTextHandler(s.log, nil))})
	if err != nil {
		s.t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- p.Serve(context.Background(), listener) }()
	s.t.Cleanup(func() {
		p.Close()
		select {
		case <-served:
		case <-time.After(patience):
			s.t.Error("the proxy does not end")
		}
	})
	return listener.Addr().(*net.TCPAddr)
}

// url is the connection string of an analyst through a proxy of this site.
func (s *site) url(address *net.TCPAddr) string {
	return fmt.Sprintf("postgres://ana@%s/%s?sslmode=disable", address, s.database)
}
