package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// directSettings are those that decide the plan of the curator's count.
const directSettings = `SET search_path = pg_catalog; SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off;
SET jit = off; SET max_parallel_workers_per_gather = 2; SET default_transaction_isolation = 'repeatable read'`

// count prints the latency of an answered count over 1,000,000 rows, a fresh question every time, beside that of the same count
// asked directly with the same plan settings.
func (r *rig) count(ctx context.Context, o options) error {
	direct, err := pgx.Connect(ctx, r.cluster.URL("postgres", "bench"))
	if err != nil {
		return err
	}
	defer direct.Close(ctx)
	if _, err := direct.PgConn().Exec(ctx, directSettings).ReadAll(); err != nil {
		return err
	}
	proxied, err := pgx.Connect(ctx, "postgres://ana@"+r.addr+"/bench?sslmode=disable")
	if err != nil {
		return err
	}
	defer proxied.Close(ctx)
	var times [3][]float64 // direct, answered, replayed; in milliseconds
	for i := range o.counts + 3 {
		question := fmt.Sprintf("SELECT region, sex, count(*) FROM public.people WHERE age <> %d GROUP BY region, sex", 1000+i)
		for j, conn := range []*pgx.Conn{direct, proxied, proxied} {
			start := time.Now()
			if _, err := conn.PgConn().Exec(ctx, question).ReadAll(); err != nil {
				return fmt.Errorf("%s: %w", question, err)
			}
			if i >= 3 { // the first ones warm up
				times[j] = append(times[j], float64(time.Since(start).Microseconds())/1000)
			}
		}
	}
	fmt.Printf("\ncount: GROUP BY of 1,000,000 rows into 8 cells, %d fresh questions, milliseconds\n", o.counts)
	fmt.Printf("%-36s %8s %8s\n", "", "median", "p95")
	for j, name := range []string{"direct, same plan settings", "answered (reserve, count, record)", "replayed from the ledger"} {
		fmt.Printf("%-36s %8.2f %8.2f\n", name, median(times[j]), percentile(times[j], 0.95))
	}
	base, answered := median(times[0]), median(times[1])
	fmt.Printf("answered/direct = %.3f; answered - direct = %.2f ms; the aim of 5 ms + 5%% allows %.2f ms\n",
		answered/base, answered-base, 5+0.05*base)
	return nil
}

func percentile(values []float64, p float64) float64 {
	values = slices.Sorted(slices.Values(values))
	return values[int(p*float64(len(values)-1))]
}
