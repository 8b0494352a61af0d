package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tacit/internal/pgtest"
	"tacit/policy"
	"tacit/release/curator"
)

var cluster *pgtest.Cluster

// TestMain runs the command itself in a child process that asks for it, so that the tests use the real program.
func TestMain(m *testing.M) {
	if os.Getenv("TACIT_TEST_RUN_MAIN") == "1" {
		main()
		return
	}
	flag.Parse()
	if flag.Lookup("test.fuzz").Value.String() != "" {
		os.Exit(m.Run()) // without a server, which each of the fuzzer's workers would start
	}
	pgtest.Main(m, func(c *pgtest.Cluster) {
		cluster = c
		for _, role := range []string{"tacit_curator", "tacit_ledger", "ana", "bob"} {
			if err := execSQL("postgres", "CREATE ROLE "+role+" LOGIN"); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
	})
}

// tacit prepares the command with arguments.
func tacit(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env = append(os.Environ(), "TACIT_TEST_RUN_MAIN=1")
	return cmd
}

// run runs the command to its end and returns its output and exit status.
func run(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := tacit(ctx, args...)
	var out, diagnostics bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &diagnostics
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), diagnostics.String(), cmd.ProcessState.ExitCode()
}

// A site is a database with a protected table, hardened, and a policy for it.
type site struct {
	t        *testing.T
	database string
	dir      string
	policy   string // path of the policy file
	addr     string // where the proxy listens
}

// sitePolicy has a table of people with a declared domain of each kind and an unknown one.
const sitePolicy = `
listen: %[1]s
upstream:
  analyst: postgres://{analyst}@%[2]s:%[3]d/%[4]s?sslmode=disable
  curator: postgres://tacit_curator@%[2]s:%[3]d/%[4]s?sslmode=disable
ledger: %[7]s
auth: trust
analysts:
  ana: {}
  bob: {budget: {epsilon: 2}}
public: [public.regions]
tables:
  public.people:
    person: row
    mechanism: {kind: geometric, epsilon: 0.5%[5]s}
    budget: {epsilon: %[6]s, delta: 1e-4, composition: %[8]s}
    columns:
      region: {values_from: public.regions.region}
      sex: {values: [F, M]}
      age: {range: [0, 99]}
      illness: {}
`

const siteSchema = `
CREATE TABLE public.regions (region text PRIMARY KEY, country text NOT NULL);
INSERT INTO public.regions VALUES ('east', 'B'), ('north', 'A'), ('south', 'A'), ('west', 'B');
CREATE TABLE public.people (id int PRIMARY KEY, region text NOT NULL, sex varchar(1), age int NOT NULL, illness text, name text NOT NULL);
INSERT INTO public.people
SELECT i, (ARRAY['north', 'south', 'west'])[1 + i %% 3], CASE WHEN i %% 7 = 0 THEN NULL WHEN i %% 2 = 0 THEN 'F' ELSE 'M' END,
       i %% 90, (ARRAY['flu', 'cold', 'gout'])[1 + i * i %% 3], 'person ' || i
FROM pg_catalog.generate_series(1, 3000) AS i;
CREATE TABLE public.notes (region text, note text);
INSERT INTO public.notes VALUES ('north', 'cold'), ('south', 'warm');
`

// siteOptions vary a site; the zero value is a good default.
type siteOptions struct {
	budget    string // epsilon of the table's budget; default "1000"
	mechanism string // further keys of the mechanism
	extra     string // SQL run after the schema, by the superuser
	tables    string // further protected tables of the policy, that extra makes
	ledger    string // default "sqlite:tacit.db"
	rule      string // of composition; default "basic", whose sums can be told in advance
}

func newSite(t *testing.T, o siteOptions) *site {
	t.Helper()
	if o.mechanism != "" {
		o.mechanism = ", " + o.mechanism
	}
	s := &site{t: t, dir: t.TempDir(), addr: freeAddress(t)}
	s.policy = filepath.Join(s.dir, "policy.yaml")
	policyOf := func(database string) string {
		return fmt.Sprintf(sitePolicy, s.addr, cluster.Host, cluster.Port, database, o.mechanism, cmp.Or(o.budget, "1000"),
			cmp.Or(o.ledger, "sqlite:tacit.db"), cmp.Or(o.rule, "basic")) + o.tables
	}
	schema := strings.ReplaceAll(siteSchema, "%%", "%") + o.extra
	s.clone(schema, policyOf, func() {
		s.exec(schema)
		s.harden()
		s.exec("GRANT SELECT ON public.regions, public.notes TO ana, bob")
	})
	return s
}

// clone gives the site a policy and a copy of a database. fill makes the one that is copied, for all sites whose schema and
// hardening are the same.
func (s *site) clone(schema string, policyOf func(database string) string, fill func()) {
	s.t.Helper()
	p, err := policy.Parse(s.policy, []byte(policyOf("any")))
	if err != nil {
		s.t.Fatal(err)
	}
	s.database = cluster.CloneDatabase(s.t, schema+curator.HardeningSQL(p), func(database string) error {
		s.database = database
		s.writePolicy(policyOf(database))
		fill()
		return nil
	})
	s.writePolicy(policyOf(s.database))
}

func (s *site) writePolicy(text string) {
	s.t.Helper()
	if err := os.WriteFile(s.policy, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// harden runs the SQL of `tacit check --sql` with psql, as a steward would.
func (s *site) harden() {
	s.t.Helper()
	p, err := policy.Load(s.policy)
	if err != nil {
		s.t.Fatal(err)
	}
	out, err := s.psql(cluster.URL("postgres", s.database), curator.HardeningSQL(p), "-v", "ON_ERROR_STOP=1", "-q")
	if err != nil {
		s.t.Fatalf("hardening: %v\n%s", err, out)
	}
}

// exec runs SQL as the superuser, behind the proxy's back.
func (s *site) exec(sql string) {
	s.t.Helper()
	if err := execSQL(s.database, sql); err != nil {
		s.t.Fatal(err)
	}
}

// execSQL runs SQL as the superuser.
func execSQL(database, sql string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, cluster.URL("postgres", database))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if _, err := conn.PgConn().Exec(ctx, sql).ReadAll(); err != nil {
		return fmt.Errorf("%w in:\n%s", err, sql)
	}
	return nil
}

// psql feeds a script to a real psql and returns what it prints on both of its outputs.
func (s *site) psql(url, script string, options ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	path, err := cluster.Psql()
	if err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, path, append([]string{"-X", url}, options...)...)
	cmd.Stdin = strings.NewReader(script)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// mustPsql is psql that must end well. Errors of statements are part of what it returns.
func (s *site) mustPsql(url, script string, options ...string) string {
	s.t.Helper()
	out, err := s.psql(url, script, options...)
	if err != nil {
		s.t.Fatalf("psql: %v\n%s", err, out)
	}
	return out
}

// url is the proxy's connection string for an analyst.
func (s *site) url(analyst string) string {
	return fmt.Sprintf("postgres://%s@%s/%s?sslmode=disable", analyst, s.addr, s.database)
}

// connect connects an analyst through the proxy.
func (s *site) connect(analyst string, set ...func(*pgx.ConnConfig)) *pgx.Conn {
	s.t.Helper()
	config, err := pgx.ParseConfig(s.url(analyst))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, f := range set {
		f(config)
	}
	conn, err := pgx.ConnectConfig(context.Background(), config)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// A server is a running `tacit serve`.
type server struct {
	cmd  *exec.Cmd
	done chan error

	mu  sync.Mutex // protects log
	log bytes.Buffer
}

// logged is what the proxy has written to stderr.
func (p *server) logged() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

// eventually waits until a condition holds. If it does not within half a minute the test fails, and shows what was seen instead.
func eventually(t *testing.T, seen *string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(*seen)
		}
	}
}

var listening = regexp.MustCompile(`msg=(listening|"the console listens") address=(\S+)`)

// serve starts the proxy and returns when it listens. It ends with the test.
func (s *site) serve() *server {
	s.t.Helper()
	return s.start("serve", "--policy", s.policy)
}

// start starts a command that listens, and returns when it does.
func (s *site) start(args ...string) *server {
	s.t.Helper()
	return s.startCommand(tacit(context.Background(), args...))
}

// startCommand starts such a command, however it is written.
func (s *site) startCommand(cmd *exec.Cmd) *server {
	s.t.Helper()
	p := &server{cmd: cmd, done: make(chan error, 1)}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stderr, err := p.cmd.StderrPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	started, ready, once := make(chan error), make(chan struct{}), sync.Once{}
	go func() {
		// The death signal comes when the thread that started the child ends, so keep it until the child has ended.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.cmd.Start()
		started <- err
		if err != nil {
			return
		}
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			p.mu.Lock()
			fmt.Fprintln(&p.log, lines.Text())
			p.mu.Unlock()
			if listening.MatchString(lines.Text()) {
				once.Do(func() { close(ready) })
			}
		}
		p.done <- p.cmd.Wait()
	}()
	if err := <-started; err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { p.stop(syscall.SIGTERM) })
	select {
	case <-ready:
	case err := <-p.done:
		p.done <- err
		s.t.Fatalf("tacit serve ended: %v\n%s", err, p.logged())
	case <-time.After(time.Minute):
		s.t.Fatal("tacit serve does not listen")
	}
	return p
}

// stop ends the proxy with a signal and waits for its end. It does nothing if the proxy has ended.
func (p *server) stop(signal syscall.Signal) error {
	_ = p.cmd.Process.Signal(signal)
	err := <-p.done
	p.done <- err
	return err
}

func freeAddress(t *testing.T) string {
	t.Helper()
	port, err := pgtest.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("127.0.0.1:%d", port)
}
