package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"

	"tacit/policy"
	"tacit/release/curator"
)

// timesPolicy has two tables that differ in one row of a hundred.
const timesPolicy = `
listen: %s
upstream:
  analyst: postgres://{analyst}@127.0.0.1:%[2]d/bench?sslmode=disable
  curator: postgres://tacit_curator@127.0.0.1:%[2]d/bench?sslmode=disable
ledger: sqlite:times.db
auth: trust
analysts: {ana: {}}
%[3]s
tables:
  public.smaller:
    person: row
    mechanism: {kind: geometric, epsilon: 0.01}
    budget: {epsilon: 1000000}
    columns: {region: {values: [east, north, south, west]}, sex: {values: [F, M]}, age: {range: [0, 120]}}
  public.larger:
    person: row
    mechanism: {kind: geometric, epsilon: 0.01}
    budget: {epsilon: 1000000}
    columns: {region: {values: [east, north, south, west]}, sex: {values: [F, M]}, age: {range: [0, 120]}}
`

// times prints how well an analyst can tell by the time of an answer which of two tables has more rows, with and without answer_every.
func (r *rig) times(ctx context.Context, o options) error {
	for name, rows := range map[string]int{"smaller": 200_000, "larger": 202_000} {
		if err := r.exec(ctx, "bench", fmt.Sprintf(`CREATE TABLE public.%[1]s AS SELECT id, region, sex, age FROM public.people WHERE id <= %d;
			ALTER TABLE public.%[1]s ALTER region SET NOT NULL, ALTER sex SET NOT NULL, ALTER age SET NOT NULL`, name, rows)); err != nil {
			return err
		}
		if err := r.exec(ctx, "bench", "VACUUM ANALYZE public."+name); err != nil {
			return err
		}
	}
	fmt.Printf("\ntimes: which of two tables, of 200,000 and 202,000 rows, is the larger one? %d fresh questions of each, in turn\n", o.counts)
	fmt.Printf("%-22s %14s %14s %28s\n", "", "smaller (ms)", "larger (ms)", "a pair of times is in order")
	for _, setting := range []string{"", "answer_every: 100ms"} {
		name := setting
		if name == "" {
			name = "no answer_every"
		}
		if err := r.compareTimes(ctx, o, name, setting); err != nil {
			return err
		}
	}
	return nil
}

func (r *rig) compareTimes(ctx context.Context, o options, name, setting string) error {
	addr, err := freeAddress()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(r.dir, "times")
	if err != nil {
		return err
	}
	path := filepath.Join(dir, "policy.yaml")
	if err := os.WriteFile(path, fmt.Appendf(nil, timesPolicy, addr, r.cluster.Port, setting), 0o600); err != nil {
		return err
	}
	p, err := policy.Load(path)
	if err != nil {
		return err
	}
	if err := r.harden(ctx, curator.HardeningSQL(p)); err != nil {
		return err
	}
	if err := r.launch(addr, exec.Command(o.tacit, "serve", "--policy", path)); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, through(addr))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	var seen [2][]float64 // in milliseconds
	for i := range o.counts {
		for j, table := range []string{"smaller", "larger"} {
			sql := fmt.Sprintf("SELECT region, sex, count(*) FROM public.%s WHERE age <> %d GROUP BY region, sex", table, 1000+i)
			start := time.Now()
			if _, err := conn.PgConn().Exec(ctx, sql).ReadAll(); err != nil {
				return err
			}
			seen[j] = append(seen[j], float64(time.Since(start).Microseconds())/1000)
		}
	}
	fmt.Printf("%-22s %14.2f %14.2f %27.1f%%\n", name, median(seen[0]), median(seen[1]), 100*inOrder(seen[0], seen[1]))
	return nil
}

// inOrder is the share of pairs of which the second is larger (the area under the ROC curve): a half tells nothing, all or none everything.
func inOrder(first, second []float64) float64 {
	var ordered float64
	for _, a := range first {
		for _, b := range second {
			switch {
			case a < b:
				ordered++
			case a == b:
				ordered += 0.5
			}
		}
	}
	return ordered / float64(len(first)*len(second))
}
