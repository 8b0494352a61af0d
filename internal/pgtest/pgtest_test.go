package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

var cluster *Cluster

func TestMain(m *testing.M) {
	if mode := os.Getenv(childVariable); mode != "" {
		childMain(mode)
	}
	Main(m, func(c *Cluster) { cluster = c })
}

// ask returns the single text that a query yields.
func ask(c *Cluster, database, sql string) (answer string, err error) {
	conn, err := pgx.Connect(context.Background(), c.URL("postgres", database))
	if err != nil {
		return "", err
	}
	defer conn.Close(context.Background())
	results, err := conn.PgConn().Exec(context.Background(), sql).ReadAll()
	if err != nil {
		return "", err
	}
	return string(results[len(results)-1].Rows[0][0]), nil
}

func query(t *testing.T, c *Cluster, database, sql string) string {
	t.Helper()
	answer, err := ask(c, database, sql)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func TestServerSettings(t *testing.T) {
	for name, want := range map[string]string{
		"listen_addresses": "127.0.0.1",
		"fsync":            "on",
		"server_encoding":  "UTF8",
		"max_connections":  "200",
	} {
		if got := query(t, cluster, "postgres", "SHOW "+name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if got := query(t, cluster, "postgres", "SELECT datcollate FROM pg_database WHERE datname = 'postgres'"); got != "C" {
		t.Errorf("the database's collation is %q, want C", got)
	}
}

func TestDirectoryIsClosedToOthers(t *testing.T) {
	info, err := os.Stat(filepath.Dir(query(t, cluster, "postgres", "SHOW data_directory")))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v, want 0700", info.Mode().Perm())
	}
}

func TestOptionsOverrideSettings(t *testing.T) {
	c, err := Start(Options{Settings: map[string]string{
		"max_connections":  "17",
		"search_path":      `"it's", public`, // quotes must survive the way to postgresql.conf
		"listen_addresses": "*",
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Stop()
	for name, want := range map[string]string{
		"max_connections":  "17",
		"search_path":      `"it's", public`,
		"listen_addresses": "127.0.0.1",
	} {
		if got := query(t, c, "postgres", "SHOW "+name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
}

func TestStartSaysWhyTheServerDidNot(t *testing.T) {
	c, err := Start(Options{Settings: map[string]string{"no_such_setting": "1"}})
	if err == nil {
		c.Stop()
		t.Fatal("started with an unknown setting")
	}
	if !strings.Contains(err.Error(), "no_such_setting") {
		t.Errorf("the error does not repeat the server's reason: %v", err)
	}
}

// The superuser can run programs as the server's account, and the port is open to every account of this machine.
func TestSuperuserHasNoWayInByThePort(t *testing.T) {
	url := fmt.Sprintf("postgres://postgres@%s:%d/postgres?sslmode=disable", cluster.Host, cluster.Port)
	conn, err := pgx.Connect(context.Background(), url)
	if err == nil {
		conn.Close(context.Background())
	}
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || refused.Code != "28000" {
		t.Errorf("logging in as the superuser by TCP: %v", err)
	}
}

func TestCreateDatabase(t *testing.T) {
	var names []string
	t.Run("use", func(t *testing.T) {
		for range 2 {
			name := cluster.CreateDatabase(t)
			if got := query(t, cluster, name, "SELECT current_database()"); got != name {
				t.Errorf("connected to %q, want %q", got, name)
			}
			names = append(names, name)
		}
		// Left open: the database must be dropped all the same.
		if _, err := pgx.Connect(context.Background(), cluster.URL("postgres", names[0])); err != nil {
			t.Fatal(err)
		}
	})
	if names[0] == names[1] {
		t.Errorf("%s twice", names[0])
	}
	if got := query(t, cluster, "postgres", "SELECT count(*)::text FROM pg_database WHERE datname LIKE 'test\\_%'"); got != "0" {
		t.Errorf("%s databases are left after their test", got)
	}
}

// TestCloneDatabase fails if a copy lacks what was filled in, if copies share rows, if databases are filled twice, or if a
// failure to fill is not told.
func TestCloneDatabase(t *testing.T) {
	filled := 0
	fill := func(database string) error {
		filled++
		_, err := ask(cluster, database, "CREATE TABLE t (n int); INSERT INTO t VALUES (1); REVOKE TEMPORARY ON DATABASE "+database+" FROM PUBLIC; SELECT ''")
		return err
	}
	for range 2 {
		name := cluster.CloneDatabase(t, "one row", fill)
		if got := query(t, cluster, name, "WITH more AS (INSERT INTO t VALUES (1)) SELECT count(*)::text FROM t"); got != "1" {
			t.Errorf("%s rows, want 1", got)
		}
		if got := query(t, cluster, name, "SELECT string_agg(privilege_type, ' ') FROM pg_database, aclexplode(datacl) WHERE datname = current_database() AND grantee = 0"); got != "CONNECT" {
			t.Errorf("everybody may %s, want CONNECT", got)
		}
	}
	cluster.CloneDatabase(t, "another", fill)
	if filled != 2 {
		t.Errorf("filled %d times for two keys", filled)
	}
	failing := &fatal{TB: t}
	func() {
		defer func() { _ = recover() }()
		cluster.CloneDatabase(failing, "fails", func(string) error { return errors.New("no such file") })
	}()
	if !strings.Contains(failing.said, "no such file") {
		t.Errorf("a failure to fill is told as %q", failing.said)
	}
}

// A fatal keeps what the test would end with.
type fatal struct {
	TB
	said string
}

func (f *fatal) Fatalf(format string, args ...any) {
	f.said = fmt.Sprintf(format, args...)
	panic(f.said)
}

func TestPsql(t *testing.T) {
	psql, err := cluster.Psql()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(psql, "-X", "-A", "-t", "-c", "SELECT 6 * 7", cluster.URL("postgres", "postgres")).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "42" {
		t.Errorf("psql: %v: %s", err, out)
	}
}

func TestURLEscapes(t *testing.T) {
	c := &Cluster{Host: "127.0.0.1", Port: 5433}
	config, err := pgx.ParseConfig(c.URL("o'br@ien", "a b/c"))
	if err != nil {
		t.Fatal(err)
	}
	if config.User != "o'br@ien" || config.Database != "a b/c" || config.Port != 5433 || config.TLSConfig != nil {
		t.Errorf("user %q, database %q, port %d", config.User, config.Database, config.Port)
	}
}

// makeServer makes a directory VERSION/bin with files that look like the server's binaries.
func makeServer(t *testing.T, version string, names ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), version, "bin")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestNewestServer(t *testing.T) {
	nine := makeServer(t, "9.6", "initdb", "postgres")
	fifteen := makeServer(t, "15", "initdb", "postgres")
	hundred := makeServer(t, "100", "initdb", "postgres") // after 15 by value, before it as text
	clientOnly := makeServer(t, "101", "psql")
	if got, ok := newestServer([]string{fifteen, hundred, nine, clientOnly}); !ok || got != hundred {
		t.Errorf("newestServer = %q, %v; want %q", got, ok, hundred)
	}
	if got, ok := newestServer([]string{clientOnly}); ok {
		t.Errorf("newestServer = %q where there is none", got)
	}
}

func TestFindBinaries(t *testing.T) {
	server := makeServer(t, "15", "initdb", "postgres")
	clientOnly := makeServer(t, "15", "initdb")

	t.Setenv("TACIT_PG_BIN", server)
	if got, err := findBinaries(); err != nil || got != server {
		t.Errorf("with TACIT_PG_BIN: %q, %v; want %q", got, err, server)
	}
	t.Setenv("TACIT_PG_BIN", clientOnly)
	if got, err := findBinaries(); err == nil || !strings.Contains(err.Error(), clientOnly) {
		t.Errorf("with a wrong TACIT_PG_BIN: %q, %v; want an error that names it", got, err)
	}
	t.Setenv("TACIT_PG_BIN", "")
	t.Setenv("PATH", server)
	if got, err := findBinaries(); err != nil || got != server {
		t.Errorf("with PATH: %q, %v; want %q", got, err, server)
	}
	linked := t.TempDir()
	if err := os.Symlink(filepath.Join(server, "initdb"), filepath.Join(linked, "initdb")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", linked)
	if got, err := findBinaries(); err != nil || got != server {
		t.Errorf("with a link on the PATH: %q, %v; want %q", got, err, server)
	}
}
