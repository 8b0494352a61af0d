package pgtest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

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
// The tests' temporary files are in memory (TempInMemory). Interrupted by SIGINT, SIGTERM or SIGHUP it stops the cluster before
// it exits.
func Main(m interface{ Run() int }, use func(*Cluster)) {
	flag.Parse() // inMemory looks at -test.bench
	removeTemp, err := TempInMemory()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	c, err := Start(Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	c.removeTemp = removeTemp
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
	c.removeTemp()
	os.Exit(status)
}

// CreateDatabase makes a new database and returns its name. At the end of the test it is dropped, even while connections to it
// are open. Roles belong to the whole cluster: a test that makes some drops them or names them after its database.
func (c *Cluster) CreateDatabase(tb TB) (name string) {
	tb.Helper()
	return c.copyDatabase(tb, "template1")
}

// CloneDatabase is CreateDatabase with tables in it: the new database is a copy of one that fill filled, once for each key and
// cluster, in a database whose name it got. When fill returns, nothing may be connected to that database. Privileges on the database itself
// are copied, too. Settings for it are not (ALTER DATABASE, ALTER ROLE IN DATABASE).
func (c *Cluster) CloneDatabase(tb TB, key string, fill func(database string) error) (name string) {
	tb.Helper()
	made, _ := c.templates.LoadOrStore(key, &template{})
	t := made.(*template)
	t.once.Do(func() {
		t.name = fmt.Sprintf("template_%d", c.databases.Add(1))
		t.err = errors.New("another test that needs it has failed to fill it") // where fill ends its test
		err := c.Administer("CREATE DATABASE " + t.name)
		if err == nil {
			err = fill(t.name)
		}
		if err == nil {
			t.grants, err = c.grants(t.name)
		}
		t.err = err
	})
	if t.err != nil {
		tb.Fatalf("filling a database: %v", t.err)
	}
	name = c.copyDatabase(tb, t.name)
	if err := c.Administer(strings.ReplaceAll(t.grants, t.name, name)); err != nil {
		tb.Fatalf("privileges on a database: %v", err)
	}
	return name
}

// grants are statements that give a database the privileges that it has; none if it has those of any new one.
func (c *Cluster) grants(database string) (statements string, err error) {
	const query = `SELECT 'REVOKE ALL ON DATABASE ' || d.datname || ' FROM PUBLIC' || string_agg(format('; GRANT %s ON DATABASE %s TO %s%s', x.privilege_type, d.datname,
			CASE x.grantee WHEN 0 THEN 'PUBLIC' ELSE x.grantee::regrole::text END, CASE WHEN x.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END), '')
		FROM pg_database AS d CROSS JOIN LATERAL aclexplode(d.datacl) AS x WHERE d.datname = $1 GROUP BY d.datname`
	err = c.administer(func(conn *pgx.Conn) error {
		return conn.QueryRow(context.Background(), query, database).Scan(&statements)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return statements, err
}

// A template is a database that CloneDatabase copies.
type template struct {
	once   sync.Once
	name   string
	grants string // in which name stands for the copy's
	err    error
}

// copyDatabase makes a database for a test.
func (c *Cluster) copyDatabase(tb TB, template string) (name string) {
	tb.Helper()
	name = fmt.Sprintf("test_%d", c.databases.Add(1))
	strategy := ""
	if inMemory() && c.major >= 15 {
		strategy = " STRATEGY FILE_COPY" // half the work, where checkpoints cost nothing
	}
	if err := c.Administer("CREATE DATABASE " + name + " TEMPLATE " + template + strategy); err != nil {
		tb.Fatalf("creating a database: %v", err)
	}
	tb.Cleanup(func() {
		c.awaitSessionsEnd(name)
		if err := c.Administer("DROP DATABASE " + name + " WITH (FORCE)"); err != nil {
			tb.Errorf("dropping a database: %v", err)
		}
	})
	return name
}

// awaitSessionsEnd gives the sessions that a test has closed some time to end: a database that has any is dropped 100 ms later.
func (c *Cluster) awaitSessionsEnd(database string) {
	for range 20 {
		sessions := 0
		err := c.administer(func(conn *pgx.Conn) error {
			const query = "SELECT count(*) FROM pg_stat_get_activity(NULL) AS s JOIN pg_database AS d ON d.oid = s.datid WHERE d.datname = $1"
			return conn.QueryRow(context.Background(), query, database).Scan(&sessions)
		})
		if err != nil || sessions == 0 {
			return
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// Administer runs statements in the database postgres as the superuser, on a connection that is kept for the next call.
func (c *Cluster) Administer(statements string) error {
	return c.administer(func(conn *pgx.Conn) error {
		_, err := conn.PgConn().Exec(context.Background(), statements).ReadAll()
		return err
	})
}

func (c *Cluster) administer(act func(*pgx.Conn) error) error {
	select {
	case conn := <-c.administrators:
		err := act(conn)
		if err == nil || !conn.IsClosed() {
			c.keep(conn)
			return err
		}
		// The server has ended since.
	default:
	}
	conn, err := pgx.Connect(context.Background(), c.URL("postgres", "postgres"))
	if err != nil {
		return err
	}
	defer c.keep(conn)
	return act(conn)
}

func (c *Cluster) keep(conn *pgx.Conn) {
	select {
	case c.administrators <- conn:
	default:
		conn.Close(context.Background())
	}
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

// Version is the server's server_version_num, such as 150004. What differs from version to version is told by it.
func (c *Cluster) Version(tb TB) (version int) {
	tb.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, c.URL("postgres", "postgres"))
	if err != nil {
		tb.Fatalf("asking for the version: %v", err)
	}
	defer conn.Close(ctx)
	if err := conn.QueryRow(ctx, "SELECT current_setting('server_version_num')::int").Scan(&version); err != nil {
		tb.Fatalf("asking for the version: %v", err)
	}
	return version
}
