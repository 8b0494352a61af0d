// Package proof holds tests alone: they show of the whole proxy, on real servers and through the wire, what it promises of any
// statement.
//
//   - planted_test.go: no refusal, and nothing of an answer but its noisy counts, tells whether a person is in a protected table.
//   - differential_test.go: with exact counts in place of noisy ones, an answer is PostgreSQL's own to the last byte.
//   - random_test.go and leak_test.go: both, of random statements (grammar_test.go).
//   - questions_test.go: what analysts ask is answered rightly, or refused with a reason and a hint that helps.
//   - verdict_test.go: what every verdict on a random statement must hold, found by an oracle that shares no code with the analysis.
//
// The statements stand under testdata, and in the golden files of package rewrite, whose tables these tests have too.
package proof

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"

	"tacit/internal/pgtest"
)

var cluster *pgtest.Cluster

var update = flag.Bool("update", false, "mark the statements under testdata as answered or refused, as they are now")

// TestMain starts a server, except in the workers of a fuzz target, which use that of the process that started them.
func TestMain(m *testing.M) {
	flag.Parse()
	if worker := flag.Lookup("test.fuzzworker"); worker != nil && worker.Value.String() == "true" {
		os.Exit(m.Run())
	}
	pgtest.Main(m, func(c *pgtest.Cluster) {
		cluster = c
		for _, sql := range []string{"CREATE ROLE ana LOGIN", "CREATE ROLE bob LOGIN", "CREATE ROLE tacit_curator LOGIN",
			// Statistics that come at a time of their own change plans, and with them the order of rows.
			"ALTER SYSTEM SET autovacuum = off", "SELECT pg_reload_conf()"} {
			if err := execute("postgres", sql); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
	})
}

// execute runs SQL as the superuser.
func execute(database, sql string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, cluster.URL("postgres", database))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.PgConn().Exec(ctx, sql).ReadAll()
	return err
}
