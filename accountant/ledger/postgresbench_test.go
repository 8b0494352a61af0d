package ledger

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tacit/accountant"
	"tacit/accountant/ledger/ledgertest"
	"tacit/internal/pgtest"
	"tacit/policy"
)

// inParallel runs f for the benchmark's numbers from so many goroutines, and reports how many of them come to an end in a second.
func inParallel(b *testing.B, unit string, f func(n int64) error) {
	b.Helper()
	var next atomic.Int64
	var running sync.WaitGroup
	b.ResetTimer()
	for range benchCallers {
		running.Go(func() {
			for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
				if err := f(n); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	running.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), unit)
}

// benchmarkPostgresCharges measures fresh charges, or charges with their answers.
func benchmarkPostgresCharges(b *testing.B, location policy.LedgerLocation, recorded bool) {
	ctx := context.Background()
	l, err := Open(ctx, Options{Location: location, Role: Serve})
	do(b, err)
	defer l.Close()
	payload, run := make([]byte, 200), accountant.NewOperation()
	inParallel(b, "charges/s", func(n int64) error {
		c := benchCharge(n)
		c.Items[0].Question = question(patients, fmt.Sprintf("%v %d", run, n))
		r, err := l.Reserve(ctx, c)
		if err == nil && recorded {
			_, err = l.Record(ctx, r, [][]byte{payload})
		}
		return err
	})
}

// BenchmarkPostgres measures charges on a server that syncs every commit, and beside it what the server does at best if each charge is one
// row, inserted and committed by a session of its own, as pgbench would.
func BenchmarkPostgres(b *testing.B) {
	c := ledgertest.OwnCluster(b, pgtest.Options{Settings: map[string]string{"synchronous_commit": "on", "fsync": "on", "full_page_writes": "on"}})
	location := ledgertest.NewLocation(b, c)
	b.Run("charges", func(b *testing.B) { benchmarkPostgresCharges(b, location, false) })
	b.Run("charges with answers", func(b *testing.B) { benchmarkPostgresCharges(b, location, true) })
	b.Run("bare inserts", func(b *testing.B) {
		config, err := pgxpool.ParseConfig(location.Postgres)
		do(b, err)
		config.MaxConns = benchCallers
		pool, err := pgxpool.NewWithConfig(context.Background(), config)
		do(b, err)
		defer pool.Close()
		_, err = pool.Exec(context.Background(), "CREATE TABLE IF NOT EXISTS bare (id bigint, analyst text, question text, epsilon bigint)", pgx.QueryExecModeExec)
		do(b, err)
		inParallel(b, "charges/s", func(n int64) error {
			_, err := pool.Exec(context.Background(), "INSERT INTO bare VALUES ($1, 'ana', $2, 1)", n, fmt.Sprintf("question %d", n))
			return err
		})
	})
}
