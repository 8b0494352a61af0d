package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"tacit/internal/pgtest"
	"tacit/policy"
	"tacit/proxy"
	"tacit/release/curator"
)

// password is what a connection string has trouble with.
const password = "it's a secret"

// serveTimeout is for a busy machine: the proxy listens after some queries.
const serveTimeout = time.Minute

// siteOptions say what differs between sites.
type siteOptions struct {
	database string
	analyst  string
	auth     policy.Auth
	// preparation is SQL that the superuser runs in the database before the roles are separated.
	preparation string
}

// sitePolicy has a domain of each kind, and a budget that is never spent.
const sitePolicy = `
listen: 127.0.0.1:0
upstream:
  analyst: postgres://{analyst}@%[1]s:%[2]d/%[3]s?sslmode=disable
  curator: postgres://tacit_curator@%[1]s:%[2]d/%[3]s?sslmode=disable
ledger: sqlite:tacit.db
auth: %[4]s
analysts:
  %[5]s: {%[6]s}
tables:
  public.people:
    person: row
    mechanism: {kind: geometric, epsilon: 0.5}
    budget: {epsilon: 100000, delta: 1e-2}
    columns:
      region: {values: [east, north, south, west]}
      sex: {values: [F, M]}
      age: {range: [0, 99]}
      admitted: {range: [2020-01-01, 2029-12-31]}
      illness: {}
`

// siteSchema has 3000 people, a third of them in each of three regions and nobody in the east.
const siteSchema = `
CREATE TABLE public.people (
	id int PRIMARY KEY, region text NOT NULL, sex varchar(1), age int NOT NULL, admitted date NOT NULL, illness text, name text NOT NULL
);
INSERT INTO public.people
SELECT i, (ARRAY['north', 'south', 'west'])[1 + i % 3], CASE WHEN i % 7 = 0 THEN NULL WHEN i % 2 = 0 THEN 'F' ELSE 'M' END,
       i % 90, '2024-01-01'::date + i % 365, (ARRAY['flu', 'cold', 'gout'])[1 + i * i % 3], 'person ' || i
FROM pg_catalog.generate_series(1, 3000) AS i;
CREATE ROLE tacit_curator LOGIN;
`

// tacit is the program, which `make build` makes.
const tacit = "bin/tacit"

// A site is a throwaway PostgreSQL with a protected table, and the proxy before it.
type site struct {
	siteOptions
	cluster *pgtest.Cluster
	dir     string
	host    string
	port    string // the proxy's

	proxy *exec.Cmd
	log   bytes.Buffer  // what the proxy logs; complete when ended is closed
	ended chan struct{} // closed when the proxy's output ends
}

func startSite(ctx context.Context, o siteOptions) (_ *site, err error) {
	s := &site{siteOptions: o}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.stop())
		}
	}()
	if s.cluster, err = pgtest.Start(pgtest.Options{}); err != nil {
		return nil, err
	}
	if s.dir, err = os.MkdirTemp("", "tacit-clients-"); err != nil {
		return nil, err
	}
	if err := s.execute(ctx, "postgres", "CREATE DATABASE "+o.database); err != nil {
		return nil, err
	}
	if err := s.execute(ctx, o.database, siteSchema+"CREATE ROLE "+o.analyst+" LOGIN;"+o.preparation); err != nil {
		return nil, err
	}
	path, err := s.writePolicy()
	if err != nil {
		return nil, err
	}
	p, err := policy.Load(path)
	if err != nil {
		return nil, err
	}
	if err := s.harden(ctx, curator.HardeningSQL(p)); err != nil {
		return nil, err
	}
	return s, s.serve(path)
}

func (s *site) writePolicy() (path string, err error) {
	var secret string
	if s.auth == policy.AuthSCRAM {
		verifier, err := proxy.NewVerifier(password)
		if err != nil {
			return "", err
		}
		secret = fmt.Sprintf("password: %q", verifier)
	}
	text := fmt.Sprintf(sitePolicy, s.cluster.Host, s.cluster.Port, s.database, s.auth, s.analyst, secret)
	path = filepath.Join(s.dir, "policy.yaml")
	return path, os.WriteFile(path, []byte(text), 0o600)
}

// execute runs statements as the superuser, behind the proxy's back.
func (s *site) execute(ctx context.Context, database, sql string) error {
	conn, err := pgx.Connect(ctx, s.cluster.URL("postgres", database))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.PgConn().Exec(ctx, sql).ReadAll()
	return err
}

// harden runs the SQL of `tacit check --sql` with psql, as a steward would.
func (s *site) harden(ctx context.Context, sql string) error {
	psql, err := s.cluster.Psql()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, psql, "-X", "-q", "-v", "ON_ERROR_STOP=1", s.cluster.URL("postgres", s.database))
	cmd.Stdin = strings.NewReader(sql)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("separating the roles: %w\n%s", err, out)
	}
	return nil
}

var listening = regexp.MustCompile(`msg=listening address=(\S+)`)

// serve starts the proxy and returns when it listens.
func (s *site) serve(policyPath string) error {
	s.proxy = exec.Command(tacit, "serve", "--policy", policyPath)
	output, err := s.proxy.StderrPipe()
	if err != nil {
		return err
	}
	if err := s.proxy.Start(); err != nil {
		s.proxy = nil
		return err
	}
	address := make(chan string, 1)
	s.ended = make(chan struct{})
	go func() {
		defer close(s.ended)
		for lines := bufio.NewScanner(output); lines.Scan(); {
			fmt.Fprintln(&s.log, lines.Text())
			if m := listening.FindStringSubmatch(lines.Text()); m != nil {
				address <- m[1]
			}
		}
	}()
	select {
	case a := <-address:
		s.host, s.port, err = net.SplitHostPort(a)
		return err
	case <-s.ended:
		return fmt.Errorf("tacit serve ended:\n%s", &s.log)
	case <-time.After(serveTimeout):
		return errors.New("tacit serve does not listen")
	}
}

// stop ends the proxy and the server and removes what they have left.
func (s *site) stop() (err error) {
	if s.proxy != nil {
		_ = s.proxy.Process.Signal(syscall.SIGTERM) // fails only if it has ended
		<-s.ended
		err = s.proxy.Wait()
	}
	if s.cluster != nil {
		err = errors.Join(err, s.cluster.Stop())
	}
	if s.dir != "" {
		err = errors.Join(err, os.RemoveAll(s.dir))
	}
	return err
}

// environment is that of this process, with an address, and the database and the analyst of the site, in libpq's variables.
func (s *site) environment(host, port string, extra ...string) []string {
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "PG") {
			env = append(env, v)
		}
	}
	env = append(env, "PGHOST="+host, "PGPORT="+port, "PGUSER="+s.analyst, "PGDATABASE="+s.database)
	return append(env, extra...)
}
