package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"tacit/internal/pgtest"
	"tacit/policy"
	"tacit/release/curator"
)

// freshPolicy is that of a table of 1,000 rows, whose counts are recorded in the ledger that is given.
const freshPolicy = `
listen: %s
upstream:
  analyst: postgres://{analyst}@127.0.0.1:%[2]d/bench?sslmode=disable
  curator: postgres://tacit_curator@127.0.0.1:%[2]d/bench?sslmode=disable
ledger: %[3]s
auth: trust
analysts: {ana: {}}
tables:
  public.few:
    person: row
    derive: true
    mechanism: {kind: geometric, epsilon: 0.01}
    budget: {epsilon: 1000000}
    columns: {region: {values: [east, north, south, west]}, sex: {values: [F, M]}, age: {range: [0, 120]}}
`

const freshClients = 16

// releasesBefore is how many answers the ledger has when others are derived.
const releasesBefore = 10_000

// fresh prints how many questions that were never asked are answered in a second, with the ledger in a file and on a server, and how long an answer
// takes that follows from one of many.
func (r *rig) fresh(ctx context.Context, o options) error {
	for _, statement := range []string{
		"CREATE TABLE public.few AS SELECT id, region, sex, age FROM public.people WHERE id <= 1000", "ALTER TABLE public.few ALTER region SET NOT NULL, ALTER sex SET NOT NULL, ALTER age SET NOT NULL",
		"VACUUM ANALYZE public.few",
	} {
		if err := r.exec(ctx, "bench", statement); err != nil {
			return err
		}
	}
	durable := map[string]string{"synchronous_commit": "on", "full_page_writes": "on"}
	keeper, err := pgtest.Start(pgtest.Options{Settings: durable})
	if err != nil {
		return err
	}
	defer func() { _ = keeper.Stop() }()
	admin, err := pgx.Connect(ctx, keeper.URL("postgres", "postgres"))
	if err != nil {
		return err
	}
	defer admin.Close(ctx)
	for _, statement := range []string{"CREATE ROLE tacit_ledger LOGIN", "CREATE DATABASE ledger OWNER tacit_ledger"} {
		if _, err := admin.Exec(ctx, statement); err != nil {
			return err
		}
	}
	server := fmt.Sprintf("{location: 'postgres://tacit_ledger@127.0.0.1:%d/ledger?sslmode=disable', guard: guard}", keeper.Port)
	fmt.Printf("\nfresh counts of a table of 1,000 rows, %d clients, %d s\n", freshClients, o.seconds)
	direct, err := r.askFresh(ctx, r.cluster.URL("postgres", "bench"), 0, time.Duration(o.seconds)*time.Second, 1<<40)
	if err != nil {
		return err
	}
	fmt.Printf("asked directly       %8.0f answers a second\n", direct)
	for _, l := range [][2]string{{"SQLite", "sqlite:fresh.db"}, {"PostgreSQL", server}} {
		name, ledger := l[0], l[1]
		addr, err := r.serveFew(ctx, o, name, ledger)
		if err != nil {
			return err
		}
		rate, err := r.askFresh(ctx, through(addr), 0, time.Duration(o.seconds)*time.Second, 1<<40)
		if err != nil {
			return err
		}
		fmt.Printf("ledger on %-10s %8.0f answers a second, ratio to direct %.3f\n", name, rate, rate/direct)
		if name == "SQLite" {
			if err := r.deriveFirst(ctx, o, addr); err != nil {
				return err
			}
		}
	}
	return nil
}

// through is how the analyst connects to a proxy.
func through(addr string) string { return "postgres://ana@" + addr + "/bench?sslmode=disable" }

// serveFew starts a proxy with a ledger of its own.
func (r *rig) serveFew(ctx context.Context, o options, name, ledger string) (addr string, err error) {
	if addr, err = freeAddress(); err != nil {
		return "", err
	}
	dir := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Join(dir, "guard"), 0o755); err != nil {
		return "", err
	}
	path := filepath.Join(dir, "policy.yaml")
	if err := os.WriteFile(path, fmt.Appendf(nil, freshPolicy, addr, r.cluster.Port, ledger), 0o600); err != nil {
		return "", err
	}
	p, err := policy.Load(path)
	if err != nil {
		return "", err
	}
	if err := r.harden(ctx, curator.HardeningSQL(p)); err != nil {
		return "", err
	}
	return addr, r.launch(addr, exec.Command(o.tacit, "serve", "--policy", path))
}

// askFresh asks questions that nobody asked before, from number first on, for a while or until there were so many, and returns how many were answered
// in a second.
func (r *rig) askFresh(ctx context.Context, url string, first int64, patience time.Duration, most int64) (rate float64, err error) {
	var next atomic.Int64
	var running sync.WaitGroup
	var once sync.Once
	start := time.Now()
	for range freshClients {
		running.Go(func() {
			failed := func(problem error) { once.Do(func() { err = problem }) }
			conn, problem := pgx.Connect(ctx, url)
			if problem != nil {
				failed(problem)
				return
			}
			defer conn.Close(ctx)
			for n := next.Add(1); n <= most && time.Since(start) < patience; n = next.Add(1) {
				sql := fmt.Sprintf("SELECT region, sex, count(*) FROM public.few WHERE age <> %d GROUP BY region, sex", 1000+first+n)
				if _, problem := conn.PgConn().Exec(ctx, sql).ReadAll(); problem != nil {
					failed(problem)
					return
				}
			}
		})
	}
	running.Wait()
	return float64(min(next.Load(), most)) / time.Since(start).Seconds(), err
}

// deriveFirst prints the latency of answers that follow from recorded ones for the first time, beside that of replays.
func (r *rig) deriveFirst(ctx context.Context, o options, addr string) error {
	const first = 1 << 30
	if _, err := r.askFresh(ctx, through(addr), first, time.Hour, releasesBefore); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, through(addr))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	var times [2][]float64 // in milliseconds
	for i := range o.counts {
		n := 1000 + first + 1 + i
		for j, sql := range []string{
			fmt.Sprintf("SELECT region, sex, count(*) FROM public.few WHERE age <> %d GROUP BY region, sex", n),
			fmt.Sprintf("SELECT sex, count(*) FROM public.few WHERE age <> %d GROUP BY sex", n),
		} {
			start := time.Now()
			if _, err := conn.PgConn().Exec(ctx, sql).ReadAll(); err != nil {
				return err
			}
			times[j] = append(times[j], float64(time.Since(start).Microseconds())/1000)
		}
	}
	replayed, derived := median(times[0]), median(times[1])
	fmt.Printf("derived for the first time, %d answers recorded: %.2f ms, a replay %.2f ms, ratio %.2f\n", releasesBefore, derived, replayed, derived/replayed)
	return nil
}
