// Command bench measures what the proxy costs, each figure beside a named peer's from the same run: the relay against PostgreSQL
// asked directly and against pgbouncer, an answered count against the same count asked directly.
//
// It starts a throwaway cluster and the program given by -tacit, takes turns between the peers, and prints medians. Run it by
// `make bench` on an otherwise idle machine.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"tacit/internal/pgtest"
	"tacit/policy"
	"tacit/release/curator"
)

func main() {
	tacit := flag.String("tacit", "bin/tacit", "the program to measure")
	seconds := flag.Int("seconds", 5, "length of one pgbench run")
	rounds := flag.Int("rounds", 3, "runs of each kind, of which the median is printed")
	counts := flag.Int("counts", 40, "questions of each kind")
	only := flag.String("only", "", "measure this part alone: relay, answers, replays, fresh, times or idle")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := bench(ctx, options{*tacit, *seconds, *rounds, *counts, *only})
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type options struct {
	tacit   string
	seconds int
	rounds  int
	counts  int
	only    string
}

// A rig is what is measured: a cluster with data, and the proxies in front of it.
type rig struct {
	cluster *pgtest.Cluster
	dir     string
	addr    string // tacit's
	pool    string // pgbouncer's address, empty if it is not installed
	running []*exec.Cmd
}

func bench(ctx context.Context, o options) error {
	r := &rig{}
	defer r.stop()
	if err := r.start(ctx, o); err != nil {
		return err
	}
	for _, part := range []struct {
		name string
		run  func(context.Context, options) error
	}{{"relay", r.relay}, {"answers", r.count}, {"replays", r.replays}, {"fresh", r.fresh}, {"times", r.times}, {"idle", r.idle}} {
		if o.only != "" && o.only != part.name {
			continue
		}
		if err := part.run(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

func (r *rig) stop() {
	for _, cmd := range r.running {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	}
	if r.cluster != nil {
		_ = r.cluster.Stop()
	}
	_ = os.RemoveAll(r.dir)
}

const schema = `
CREATE TABLE public.people (id int PRIMARY KEY, region text NOT NULL, sex text NOT NULL, age int NOT NULL, cost numeric(8,2) NOT NULL);
INSERT INTO public.people SELECT i, (ARRAY['east','north','south','west'])[1 + i % 4], (ARRAY['F','M'])[1 + i % 2], i % 90, i % 50000 / 100.0
FROM generate_series(1, 1000000) AS i;
CREATE TABLE public.measured AS SELECT id, region, sex, age FROM public.people WHERE id <= 100000;
ALTER TABLE public.measured ALTER id SET NOT NULL, ALTER region SET NOT NULL, ALTER sex SET NOT NULL, ALTER age SET NOT NULL;
VACUUM ANALYZE public.people, public.measured;
CREATE ROLE ana LOGIN; CREATE ROLE tacit_curator LOGIN;`

const policyText = `
listen: %s
upstream:
  analyst: postgres://{analyst}@127.0.0.1:%[2]d/bench?sslmode=disable
  curator: postgres://tacit_curator@127.0.0.1:%[2]d/bench?sslmode=disable
ledger: sqlite:tacit.db
auth: trust
limits: {connections: 2100, per_analyst: 2100}
analysts: {ana: {}}
tables:
  public.people:
    person: row
    mechanism: {kind: geometric, epsilon: 0.01}
    budget: {epsilon: 100000}
    columns: {region: {values: [east, north, south, west]}, sex: {values: [F, M]}, age: {range: [0, 120]}, cost: {range: [0, 500]}}
  public.measured:
    person: row
    mechanism: {kind: geometric, epsilon: 0.01}
    budget: {epsilon: 1000, delta: 1e-3, composition: zcdp}
    workload: {epsilon: 1, delta: 1e-6, marginals: [[region, sex], [sex, age]]}
    columns: {region: {values: [east, north, south, west]}, sex: {values: [F, M]}, age: {range: [0, 120]}}
`

func (r *rig) start(ctx context.Context, o options) error {
	var err error
	if r.cluster, err = pgtest.Start(pgtest.Options{Settings: map[string]string{"shared_buffers": "512MB", "max_connections": "2300"}}); err != nil {
		return err
	}
	if r.dir, err = os.MkdirTemp("", "tacit-bench-"); err != nil {
		return err
	}
	if err := os.Chmod(r.dir, 0o755); err != nil {
		return err
	}
	if err := r.exec(ctx, "postgres", "CREATE DATABASE bench"); err != nil {
		return err
	}
	for _, statement := range strings.Split(schema, ";") {
		if err := r.exec(ctx, "bench", statement); err != nil {
			return err
		}
	}
	if out, err := r.pgbench(ctx, r.cluster.URL("postgres", "bench"), "-i", "-q", "-s", "10").CombinedOutput(); err != nil {
		return fmt.Errorf("pgbench -i: %w\n%s", err, out)
	}
	if r.addr, err = freeAddress(); err != nil {
		return err
	}
	path := filepath.Join(r.dir, "policy.yaml")
	if err := os.WriteFile(path, fmt.Appendf(nil, policyText, r.addr, r.cluster.Port), 0o600); err != nil {
		return err
	}
	p, err := policy.Load(path)
	if err != nil {
		return err
	}
	if err := r.harden(ctx, curator.HardeningSQL(p)); err != nil {
		return err
	}
	if err := r.exec(ctx, "bench", "GRANT SELECT ON pgbench_accounts, pgbench_branches TO ana"); err != nil {
		return err
	}
	if err := r.launch(r.addr, exec.Command(o.tacit, "serve", "--policy", path)); err != nil {
		return err
	}
	return r.startPool()
}

func (r *rig) harden(ctx context.Context, sql string) error {
	psql, err := r.cluster.Psql()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, psql, "-X", "-q", "-v", "ON_ERROR_STOP=1", r.cluster.URL("postgres", "bench"))
	cmd.Stdin = strings.NewReader(sql)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("hardening: %w\n%s", err, out)
	}
	return nil
}

func (r *rig) exec(ctx context.Context, database, sql string) error {
	conn, err := pgx.Connect(ctx, r.cluster.URL("postgres", database))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, sql)
	return err
}

// launch starts a proxy and returns when it accepts connections.
func (r *rig) launch(addr string, cmd *exec.Cmd) error {
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	if err := cmd.Start(); err != nil {
		return err
	}
	r.running = append(r.running, cmd)
	if err := awaitPort(addr, 20*time.Second); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd.Path, err, &complaint)
	}
	return nil
}

// startPool starts pgbouncer in session mode, which like the proxy keeps one server connection for each client.
func (r *rig) startPool() error {
	path, err := exec.LookPath("pgbouncer")
	if err != nil {
		if path, err = exec.LookPath("/usr/sbin/pgbouncer"); err != nil {
			fmt.Println("pgbouncer is not installed: its column is left out")
			return nil
		}
	}
	addr, err := freeAddress()
	if err != nil {
		return err
	}
	config := fmt.Sprintf(`[databases]
bench = host=127.0.0.1 port=%d
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %s
unix_socket_dir =
auth_type = any
pool_mode = session
default_pool_size = 2100
max_client_conn = 2100
`, r.cluster.Port, addr[strings.LastIndexByte(addr, ':')+1:])
	// auth_type any takes the user from the [databases] line.
	config = strings.Replace(config, "host=127.0.0.1", "host=127.0.0.1 user=ana", 1)
	file := filepath.Join(r.dir, "pgbouncer.ini")
	if err := os.WriteFile(file, []byte(config), 0o644); err != nil {
		return err
	}
	args := []string{"-q", file}
	if os.Geteuid() == 0 {
		args = append([]string{"-u", "postgres"}, args...)
	}
	if err := r.launch(addr, exec.Command(path, args...)); err != nil {
		return fmt.Errorf("pgbouncer: %w", err)
	}
	r.pool = addr
	return nil
}
