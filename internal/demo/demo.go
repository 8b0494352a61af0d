package demo

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"tacit/examples/quickstart"
	"tacit/internal/pgtest"
	"tacit/policy"
	"tacit/proxy"
	"tacit/release/curator"
)

// A Server serves a policy until the context ends. It calls ready once it listens.
type Server func(ctx context.Context, p *policy.Policy, log *slog.Logger, ready func(net.Addr)) error

// Run plays the demonstration. Unless it is to end then, the proxy stays up until the context ends.
func Run(ctx context.Context, out io.Writer, once bool, serve Server) error {
	d := &demonstration{out: out}
	defer d.cleanUp()
	if err := d.setUp(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	served, ready := make(chan error, 1), make(chan net.Addr, 1)
	go func() {
		served <- serve(ctx, d.policy, slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
			func(a net.Addr) { ready <- a })
	}()
	select {
	case err := <-served:
		return err
	case d.addr = <-ready:
	}
	err := d.play(ctx)
	if err == nil && !once {
		d.invite()
		select {
		case <-ctx.Done():
		case err = <-served:
			return err
		}
	}
	cancel()
	return errors.Join(err, <-served)
}

// A demonstration is what the demo runs on.
type demonstration struct {
	out     io.Writer
	dir     string
	cluster *pgtest.Cluster
	psql    string
	policy  *policy.Policy
	addr    net.Addr
	// password is the steward's on the console.
	password string
}

func (d *demonstration) cleanUp() {
	if d.cluster != nil {
		if err := d.cluster.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, "tacit:", err)
		}
	}
	if d.dir != "" {
		os.RemoveAll(d.dir)
	}
}

// database is the one that the quickstart's policy names.
const database = "quickstart"

// setUp does what a steward does: data, roles, policy, separation.
func (d *demonstration) setUp(ctx context.Context) error {
	d.say("Starting a throwaway PostgreSQL, with the data and the policy of examples/quickstart.")
	var err error
	if d.cluster, err = pgtest.Start(pgtest.Options{}); err != nil {
		return err
	}
	if d.psql, err = d.cluster.Psql(); err != nil {
		return err
	}
	if d.dir, err = os.MkdirTemp("", "tacit-demo-"); err != nil {
		return err
	}
	if err := os.CopyFS(d.dir, quickstart.Files); err != nil {
		return err
	}
	if d.policy, err = d.ownPolicy(); err != nil {
		return err
	}
	if err := d.steward(ctx, "postgres", "CREATE DATABASE "+database); err != nil {
		return err
	}
	if err := d.steward(ctx, database, `\i schema.sql`+"\n"+`\i roles.sql`); err != nil {
		return err
	}
	if err := d.steward(ctx, database, curator.HardeningSQL(d.policy)); err != nil {
		return err
	}
	d.say("One of the tables is answered exactly, as of an epoch, which the steward opens.")
	return d.shell(ctx, []string{"tacit seal --policy policy.yaml --table public.carriers"})
}

// ownPolicy is the quickstart's policy with the addresses of this demonstration.
func (d *demonstration) ownPolicy() (*policy.Policy, error) {
	text, err := fs.ReadFile(quickstart.Files, "policy.yaml")
	if err != nil {
		return nil, err
	}
	path := filepath.Join(d.dir, "policy.yaml")
	upstream := fmt.Sprintf("@%s:%d/%s", d.cluster.Host, d.cluster.Port, database)
	section, err := d.consoleSection()
	if err != nil {
		return nil, err
	}
	own := strings.NewReplacer(
		"listen: 127.0.0.1:6432", "listen: 127.0.0.1:0",
		"@127.0.0.1:5432/"+database, upstream+"?sslmode=disable",
	).Replace(string(text))
	if err := os.WriteFile(path, []byte(own+section), 0o600); err != nil {
		return nil, err
	}
	return policy.Load(path)
}

// consoleSection has the console at a free port, with a login of this demonstration.
func (d *demonstration) consoleSection() (string, error) {
	port, err := pgtest.FreePort()
	if err != nil {
		return "", err
	}
	d.password = rand.Text()
	verifier, err := proxy.NewVerifier(d.password)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("\nconsole: {listen: '127.0.0.1:%d', stewards: {steward: {password: '%s'}}}\n", port, verifier), nil
}

// steward runs a script with psql as the superuser.
func (d *demonstration) steward(ctx context.Context, database, script string) error {
	cmd := exec.CommandContext(ctx, d.psql, "-X", "-q", "-v", "ON_ERROR_STOP=1", d.cluster.URL("postgres", database))
	cmd.Dir = d.dir
	cmd.Stdin = strings.NewReader(script)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("psql as the steward: %w\n%s", err, out)
	}
	return nil
}

func (d *demonstration) say(format string, args ...any) {
	fmt.Fprintf(d.out, "\n# "+format+"\n", args...)
}

// url is the proxy's connection string for an analyst.
func (d *demonstration) url(analyst string) string {
	return fmt.Sprintf("postgres://%s@%s/%s", analyst, d.addr, database)
}

func (d *demonstration) invite() {
	_, port, _ := net.SplitHostPort(d.addr.String())
	d.say("The proxy stays up until Ctrl-C. Try it from another terminal, as ana or as bob:")
	fmt.Fprintf(d.out, "psql -h 127.0.0.1 -p %s -U ana %s\n", port, database)
	d.say("What the steward sees: the ledger by way of the policy, and PostgreSQL itself.")
	fmt.Fprintf(d.out, "bin/tacit log --questions --policy %s\n", d.policy.QuotedPath())
	fmt.Fprintf(d.out, "psql '%s'\n", d.cluster.URL("postgres", database))
	d.say("The same on web pages:")
	fmt.Fprintf(d.out, "http://%s as steward with the password %s\n", d.policy.Console.Listen, d.password)
}
