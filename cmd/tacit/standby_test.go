package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tacit/internal/pgtest"
	"tacit/policy"
	"tacit/release/curator"
)

// TestStandbyCounts has a standby count what the proxy answers, as of when it last heard from the primary, until something is changed of which it has not heard.
func TestStandbyCounts(t *testing.T) {
	t.Parallel()
	settings := map[string]string{"wal_level": "replica", "max_wal_senders": "4"}
	start := func(o pgtest.Options) *pgtest.Cluster {
		c, err := pgtest.Start(o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Stop() })
		return c
	}
	primary := start(pgtest.Options{Settings: settings})
	s := &site{t: t, dir: t.TempDir(), addr: freeAddress(t), database: "postgres"}
	s.policy = filepath.Join(s.dir, "policy.yaml")
	at := primary.URL("postgres", s.database)
	text := fmt.Sprintf(sitePolicy, s.addr, primary.Host, primary.Port, s.database, "", "1000", "sqlite:tacit.db", "basic")
	p, err := policy.Parse(s.policy, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s.mustPsql(at, strings.ReplaceAll(siteSchema, "%%", "%")+curator.HardeningSQL(p), "-v", "ON_ERROR_STOP=1", "-q")
	standby := start(pgtest.Options{Settings: settings, StandbyOf: primary})
	s.writePolicy(strings.Replace(text, fmt.Sprintf("postgres://tacit_curator@%s:%d/postgres?sslmode=disable", primary.Host, primary.Port),
		fmt.Sprintf("postgres://tacit_curator@/postgres?sslmode=disable&host=127.0.0.1,127.0.0.1&port=%d,%d&target_session_attrs=prefer-standby", standby.Port, primary.Port), 1))
	seen := ""
	eventually(t, &seen, func() bool {
		stdout, stderr, status := run(t, "check", "--policy", s.policy)
		seen = stdout + stderr
		return status == 0 && !strings.Contains(stdout, "no standby can")
	})
	s.serve()
	conn := s.connect("ana")
	count := func(least int) int { // each is another question
		t.Helper()
		text, err := readRows(context.Background(), conn, fmt.Sprintf("SELECT count(*) FROM people WHERE age > %d", -least))
		if err != nil {
			t.Fatal(err)
		}
		n, err := strconv.Atoi(strings.Trim(text, "|\n"))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	s.mustPsql(standby.URL("postgres", s.database), "SELECT pg_wal_replay_pause()", "-q")
	const more = 20_000
	s.mustPsql(at, fmt.Sprintf("INSERT INTO people SELECT i, 'north', 'F', 1, 'flu', '' FROM generate_series(10001, %d) AS i", 10_000+more), "-v", "ON_ERROR_STOP=1", "-q")
	// The noise reaches 1,000 with probability 2 exp(-500).
	if n := count(1); n > 4000 {
		t.Errorf("%d rows are counted, of which the standby has 3000", n)
	}
	s.mustPsql(at, "CREATE TABLE public.later (x int)", "-q")
	asked := 1
	eventually(t, &seen, func() bool {
		asked++
		n := count(asked)
		seen = fmt.Sprintf("%d rows are counted, of which the primary has %d", n, 3000+more)
		return n > more
	})
}
