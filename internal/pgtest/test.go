package pgtest

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/jackc/pgx/v5"
)

// TB is the part of testing.TB that this package needs. It keeps package testing out of programs that import this one.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
	Cleanup(func())
}

// Main is the body of a package's TestMain: it starts a cluster, hands it to use, runs the tests, stops the cluster and exits.
// Interrupted by SIGINT, SIGTERM or SIGHUP it stops the cluster before it exits.
func Main(m interface{ Run() int }, use func(*Cluster)) {
	c, err := Start(Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		s := <-signals
		fmt.Fprintf(os.Stderr, "pgtest: %v: stopping PostgreSQL\n", s)
		c.exit(128 + int(s.(syscall.Signal)))
	}()
	use(c)
	c.exit(m.Run())
}

// exit stops the cluster and ends the process with a status, which a failure to stop turns into one of failure.
func (c *Cluster) exit(status int) {
	if err := c.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = max(status, 1)
	}
	os.Exit(status)
}

// CreateDatabase makes a new database and returns its name. At the end of the test it is dropped, even while connections to it
// are open. Roles belong to the whole cluster: a test that makes some drops them or names them after its database.
func (c *Cluster) CreateDatabase(tb TB) (name string) {
	tb.Helper()
	name = fmt.Sprintf("test_%d", c.databases.Add(1))
	if err := c.execute("CREATE DATABASE " + name); err != nil {
		tb.Fatalf("creating a database: %v", err)
	}
	tb.Cleanup(func() {
		if err := c.execute("DROP DATABASE " + name + " WITH (FORCE)"); err != nil {
			tb.Errorf("dropping a database: %v", err)
		}
	})
	return name
}

// execute runs a statement in the database postgres as the superuser.
func (c *Cluster) execute(statement string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, c.URL("postgres", "postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}
