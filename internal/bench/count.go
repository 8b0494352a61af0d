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

// answered are the selected expressions that are asked, each by itself.
var answered = []string{"count(*)", "sum(age)", "avg(age)", "count(*), avg(age), sum(age)", "avg(cost)", "stddev(age)"}

// count prints the latency of answered statements over 1,000,000 rows, a fresh question every time, beside that of the same statement
// asked directly with the same plan settings. The two take turns.
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
	fmt.Printf("\nanswers: GROUP BY of 1,000,000 rows into 8 cells, %d fresh questions of each kind, median and 95th percentile in milliseconds\n", o.counts)
	fmt.Printf("%-30s %17s %17s %17s %8s  %s\n", "", "direct", "answered", "replayed", "ratio", "the aim of 5 ms + 5% (answered less that)")
	for i, selected := range answered {
		if err := compare(ctx, o, selected, 1000*(i+1), []*pgx.Conn{direct, proxied, proxied}); err != nil {
			return err
		}
	}
	return nil
}

// compare asks each of the connections in turn: PostgreSQL itself, the proxy, and the proxy again, which has recorded the answer. Values from
// first on are those of nobody, each of which makes a question that was never asked.
func compare(ctx context.Context, o options, selected string, first int, connections []*pgx.Conn) error {
	const warmUp = 3
	times := make([][]float64, len(connections)) // in milliseconds
	for i := range o.counts + warmUp {
		question := fmt.Sprintf("SELECT region, sex, %s FROM public.people WHERE age <> %d GROUP BY region, sex", selected, first+i)
		for j, conn := range connections {
			start := time.Now()
			if _, err := conn.PgConn().Exec(ctx, question).ReadAll(); err != nil {
				return fmt.Errorf("%s: %w", question, err)
			}
			if i >= warmUp {
				times[j] = append(times[j], float64(time.Since(start).Microseconds())/1000)
			}
		}
	}
	fmt.Printf("%-30s", selected)
	for _, t := range times {
		fmt.Printf(" %8.2f %8.2f", median(t), percentile(t, 0.95))
	}
	base, answer := median(times[0]), median(times[1])
	verdict := "met"
	if answer > 1.05*base+5 {
		verdict = "missed"
	}
	fmt.Printf(" %8.3f  %s (%+.2f)\n", answer/base, verdict, answer-1.05*base-5)
	return nil
}

func percentile(values []float64, p float64) float64 {
	values = slices.Sorted(slices.Values(values))
	return values[int(p*float64(len(values)-1))]
}
