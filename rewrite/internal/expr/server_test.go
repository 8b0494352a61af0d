package expr

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"tacit/internal/pgtest"
)

var servers *pgtest.Cluster

func TestMain(m *testing.M) { pgtest.Main(m, func(c *pgtest.Cluster) { servers = c }) }

// A server is a connection to an empty database.
type server struct {
	tb   testing.TB
	conn *pgconn.PgConn
}

func newServer(tb testing.TB) *server {
	tb.Helper()
	conn, err := pgconn.Connect(context.Background(), servers.URL("postgres", servers.CreateDatabase(tb)))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { conn.Close(context.Background()) })
	s := &server{tb, conn}
	s.exec("SET TimeZone = 'UTC'; SET lc_messages = 'C'")
	return s
}

func (s *server) exec(sql string) {
	s.tb.Helper()
	if _, err := s.conn.Exec(context.Background(), sql).ReadAll(); err != nil {
		s.tb.Fatalf("%s: %v", sql, err)
	}
}

func (s *server) read(sql string, args []string) ([][][]byte, error) {
	params := make([][]byte, len(args))
	for i, a := range args {
		params[i] = []byte(a)
	}
	r := s.conn.ExecParams(context.Background(), sql, params, nil, nil, nil).Read()
	return r.Rows, r.Err
}

func (s *server) query(sql string, args []string) [][][]byte {
	s.tb.Helper()
	rows, err := s.read(sql, args)
	if err != nil {
		s.tb.Fatalf("%s %q: %v", sql, args, err)
	}
	return rows
}

// try says why the server does not run a statement.
func (s *server) try(sql string, args []string) error {
	_, err := s.read(sql, args)
	return err
}
