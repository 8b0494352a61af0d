// Package site is the fixture of the tests below release/: one cluster for a test binary, and hardened databases in it with a policy.
package site

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"tacit/internal/pgtest"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/rewrite"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// Cluster is that of the test binary.
var Cluster *pgtest.Cluster

// Main is the body of a package's TestMain.
func Main(m *testing.M) { pgtest.Main(m, func(c *pgtest.Cluster) { Cluster = c }) }

// Psql runs a script, and returns what it printed.
func Psql(t testing.TB, user, database, script string) (string, error) {
	t.Helper()
	return PsqlAt(t, Cluster.URL(user, database), script)
}

// PsqlAt is Psql on any server.
func PsqlAt(t testing.TB, url, script string) (string, error) {
	t.Helper()
	path, err := Cluster.Psql()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--dbname="+url)
	cmd.Stdin = strings.NewReader(script)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	return out.String(), err
}

// RunScript is Psql for a script that must not fail.
func RunScript(t testing.TB, user, database, script string) {
	t.Helper()
	if out, err := Psql(t, user, database, script); err != nil {
		t.Fatalf("psql: %v\n%s", err, out)
	}
}

// Connect is a connection until the test ends.
func Connect(t testing.TB, user, database string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), Cluster.URL(user, database))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// A Site is a hardened database with a policy for it.
type Site struct {
	T        testing.TB
	Database string
	Policy   *policy.Policy
	queries  sync.Map // of an analyzedText
}

// New makes a site with a schema and a policy, whose text has verbs for the host, the port and the database. The database is a copy of
// one that was hardened once for all sites of this schema whose policies have the same hardening SQL.
func New(t testing.TB, schema, text string) *Site {
	t.Helper()
	s := &Site{T: t}
	path := filepath.Join(t.TempDir(), "policy.yaml")
	parse := func(database string) *policy.Policy {
		t.Helper()
		p, err := policy.Parse(path, []byte(fmt.Sprintf(text, Cluster.Host, Cluster.Port, database)))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	harden := curator.HardeningSQL(parse("template")) // it names no database
	s.Database = Cluster.CloneDatabase(t, schema+"\x00"+harden, func(database string) error {
		if out, err := Psql(t, "postgres", database, schema); err != nil {
			return fmt.Errorf("psql: %v\n%s", err, out)
		}
		if out, err := Psql(t, "postgres", database, harden); err != nil {
			return fmt.Errorf("psql: %v\n%s", err, out)
		}
		return nil
	})
	s.Policy = parse(s.Database)
	return s
}

// Harden runs the hardening SQL of a policy for the site.
func (s *Site) Harden(p *policy.Policy) {
	s.T.Helper()
	s.Exec(curator.HardeningSQL(p))
}

// Exec runs a script as the superuser.
func (s *Site) Exec(sql string) {
	s.T.Helper()
	RunScript(s.T, "postgres", s.Database, sql)
}

// Reparse reads another policy for the site.
func (s *Site) Reparse(text string) *policy.Policy {
	s.T.Helper()
	text = fmt.Sprintf(text, Cluster.Host, Cluster.Port, s.Database)
	p, err := policy.Parse(filepath.Join(filepath.Dir(s.Policy.Ledger.SQLite), "policy.yaml"), []byte(text))
	if err != nil {
		s.T.Fatal(err)
	}
	return p
}

// Queries are the count queries of a statement without parameters.
func (s *Site) Queries(catalog *rewrite.Catalog, sql string) []*query.BoundQuery {
	s.T.Helper()
	counted := s.analyzed(catalog, sql)
	queries := make([]*query.BoundQuery, len(counted))
	for i, q := range counted {
		var refusal *pgerror.Refusal
		if queries[i], refusal = q.Bind(nil); refusal != nil {
			s.T.Fatalf("%s: %v", sql, refusal)
		}
	}
	return queries
}

// analyzed are the count queries of a statement. As the proxy does, it analyses a text once under each catalog.
func (s *Site) analyzed(catalog *rewrite.Catalog, sql string) []*query.CountQuery {
	s.T.Helper()
	key := analyzedText{catalog, sql}
	if known, ok := s.queries.Load(key); ok {
		return known.([]*query.CountQuery)
	}
	verdict, err := rewrite.Analyze(sql, &rewrite.Session{Catalog: catalog, Limits: s.Policy.Limits})
	if err != nil {
		s.T.Fatal(err)
	}
	answer, ok := verdict.(*rewrite.Answer)
	if !ok {
		s.T.Fatalf("%s: %+v", sql, verdict)
	}
	s.queries.Store(key, answer.Queries)
	return answer.Queries
}

type analyzedText struct {
	catalog *rewrite.Catalog
	sql     string
}
