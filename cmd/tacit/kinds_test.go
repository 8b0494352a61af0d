package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tacit/accountant"
)

// costs fails unless so much epsilon was charged, and nothing at all where that is 0.
func (s *site) costs(epsilon string) {
	s.t.Helper()
	spent := s.charged()
	if spent.Epsilon.String() != epsilon || epsilon == "0" && spent != (accountant.Loss{}) {
		s.t.Errorf("%v was charged, want epsilon %s", spent, epsilon)
	}
}

// TestPsqlCommands uses what psql itself makes of a statement: cursors, descriptions, repetition, copies. All of them show one release.
func TestPsqlCommands(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	s.serve()
	file := filepath.Join(s.dir, "copied.csv")
	out := s.mustPsql(s.url("ana"), fmt.Sprintf(`
SET tacit.notices = off;
SELECT region, count(*) FROM people GROUP BY region ORDER BY region \gdesc
\echo plain
SELECT region, count(*) FROM people GROUP BY region ORDER BY region;
\echo cursor
\set FETCH_COUNT 3
SELECT region, count(*) FROM people GROUP BY region ORDER BY region;
BEGIN;
SELECT region, count(*) FROM people GROUP BY region ORDER BY region;
COMMIT;
\set FETCH_COUNT 0
\echo g
SELECT region, count(*) FROM people GROUP BY region ORDER BY region \g
\copy (SELECT region, count(*) FROM people GROUP BY region ORDER BY region) to '%s' csv header
\copy (SELECT region, count(*) FROM people GROUP BY region ORDER BY region) to stdout with (delimiter '|')
\echo watch
CREATE TEMP TABLE watched AS SELECT region, count(*) FROM people GROUP BY region \watch 0.1
TABLE watched ORDER BY region;
\echo crosstab
SELECT 'n' AS n, region, count(*) FROM people GROUP BY region ORDER BY region \crosstabview
`, file), "-At", "-q")
	parts := regexp.MustCompile(`(?m)^(?:plain|cursor|g|watch|crosstab)\n`).Split(out, -1)
	if len(parts) != 6 || parts[0] != "region|text\ncount|bigint\n" {
		t.Fatalf("%q", parts)
	}
	rows := parts[1]
	if strings.Count(rows, "\n") != 4 {
		t.Fatalf("rows: %s", rows)
	}
	if parts[2] != rows+rows || parts[3] != rows+rows {
		t.Errorf("cursors, \\g or \\copy show something else:\n%s", out)
	}
	// The second time the table is there already, which ends \watch.
	if !strings.Contains(parts[4], `relation "watched" already exists`) || !strings.HasSuffix(parts[4], rows) {
		t.Errorf("\\watch: %s", parts[4])
	}
	var counts []string
	for _, row := range strings.Split(strings.TrimSpace(rows), "\n") {
		_, n, _ := strings.Cut(row, "|")
		counts = append(counts, n)
	}
	if want := "n|" + strings.Join(counts, "|") + "\n"; parts[5] != want {
		t.Errorf("\\crosstabview: %q instead of %q", parts[5], want)
	}
	copied, err := os.ReadFile(file)
	if want := "region,count\n" + strings.ReplaceAll(rows, "|", ","); err != nil || string(copied) != want {
		t.Errorf("\\copy wrote %q instead of %q (%v)", copied, want, err)
	}
	s.costs("0.5")
}

// TestPsqlOneText sends several statements in one Query, as psql -c and ODBC drivers do.
func TestPsqlOneText(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	s.serve()
	for _, c := range []struct{ sql, want string }{
		{"BEGIN; SELECT count(*) FROM people WHERE age < 0; COMMIT", `^\d+\n$`},
		{"SET statement_timeout = '1min'; SELECT region, count(*) FROM people GROUP BY region ORDER BY region", `^east\|\d+\nnorth\|\d+\nsouth\|\d+\nwest\|\d+\n$`},
		{"BEGIN; SELECT name FROM people; COMMIT", `ERROR:  column "name" of protected table people cannot be used\nLINE 1: BEGIN; SELECT name FROM people; COMMIT\n {22}\^`},
		{"SET search_path = ''; SELECT count(*) FROM public.people", `ERROR:  this SET cannot be sent in one text`},
		{"SELECT 1; EXPLAIN SELECT count(*) FROM people WHERE age < 0", `^1\nSanitized Count on public.people\n(?s:.*)free \(answered .*\)(?s:.*)Nothing was counted or charged.\n$`},
	} {
		out, _ := s.psql(s.url("ana"), "", "-At", "-q", "-c", "SET tacit.notices = off", "-c", c.sql)
		if !regexp.MustCompile(c.want).MatchString(out) {
			t.Errorf("%s:\n%s", c.sql, out)
		}
	}
	s.costs("1")
}

// TestRolledBackAnswerStaysCharged: what was released is out, and is replayed.
func TestRolledBackAnswerStaysCharged(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	s.serve()
	ctx := context.Background()
	const sql = "SELECT region || ' ' || count(*) FROM people GROUP BY region"
	ask := func(conn *pgx.Conn, sql string) ([]string, error) {
		rows, err := conn.Query(ctx, sql)
		if err != nil {
			return nil, err
		}
		return pgx.CollectRows(rows, pgx.RowTo[string])
	}
	for _, mode := range queryModes {
		conn := s.connect("ana", func(c *pgx.ConnConfig) { c.DefaultQueryExecMode = mode })
		var answers [][]string
		for _, end := range []string{"ROLLBACK", "SELECT 1/0; ROLLBACK", "COMMIT"} {
			if _, err := conn.Exec(ctx, "BEGIN"); err != nil {
				t.Fatal(err)
			}
			rows, err := ask(conn, sql)
			if err != nil {
				t.Fatal(err)
			}
			answers = append(answers, rows)
			if _, err := conn.Exec(ctx, "SAVEPOINT a"); err != nil {
				t.Fatal(err)
			}
			var refusal *pgconn.PgError
			if _, err := ask(conn, "SELECT name FROM people"); !errors.As(err, &refusal) || refusal.Code != "42501" {
				t.Errorf("%v: %v", mode, err)
			}
			if _, err := ask(conn, sql); !errors.As(err, &refusal) || refusal.Code != "25P02" {
				t.Errorf("%v: in a failed block: %v", mode, err)
			}
			if _, err := conn.Exec(ctx, "ROLLBACK TO a"); err != nil {
				t.Fatal(err)
			}
			for _, statement := range strings.Split(end, "; ") {
				_, _ = conn.Exec(ctx, statement)
			}
		}
		if diff := cmp.Diff(answers[0], answers[1]) + cmp.Diff(answers[0], answers[2]); diff != "" {
			t.Errorf("%v: %s", mode, diff)
		}
	}
	s.costs("0.5")
}

// namedCursorScript uses psycopg2's server-side cursors, each of which is declared, and its copies.
const namedCursorScript = `
import sys, psycopg2
conn = psycopg2.connect(sys.argv[1])
with conn.cursor('named', withhold=True) as cur:
    cur.itersize = 2
    cur.execute("SELECT region, count(*) FROM people WHERE age >= %s GROUP BY region ORDER BY region", (10,))
    print([r for r, n in cur])
conn.commit()
with conn.cursor() as cur:
    cur.execute("SELECT 1; SELECT region, count(*) FROM people WHERE age >= %s GROUP BY region ORDER BY region", (10,))
    print([r for r, n in cur])
    with open(sys.argv[2], 'w') as out:
        cur.copy_expert("COPY (SELECT region, count(*) FROM people WHERE age >= 10 GROUP BY region ORDER BY region) TO STDOUT WITH CSV HEADER", out)
    print(open(sys.argv[2]).readlines()[0].strip())
    cur.execute("EXPLAIN (FORMAT JSON) SELECT region, count(*) FROM people GROUP BY region")
    print(cur.fetchone()[0][0]['Plan']['Budgets'][0]['Cost']['Epsilon'])
`

func TestNamedCursors(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	s.serve()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, "/usr/bin/python3", "-c", namedCursorScript, s.url("ana"), filepath.Join(s.dir, "out.csv")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := "['east', 'north', 'south', 'west']\n['east', 'north', 'south', 'west']\nregion,count\n0.5\n"
	same(t, want, string(out))
	s.costs("0.5")
}

// TestSlipsAroundCounts makes mistakes around the query of a cursor or a COPY, which must be found before anything is charged.
func TestSlipsAroundCounts(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	s.serve()
	for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeSimpleProtocol, pgx.QueryExecModeExec} {
		conn := s.connect("ana", func(c *pgx.ConnConfig) { c.DefaultQueryExecMode = mode })
		for _, c := range []struct{ sql, code string }{
			{"DECLARE c CURSOR FOR SELECT count(*) FROM people", "25P01"},
			{"COPY (SELECT count(*) FROM people) TO STDOUT (FORMAT csv, DELIMITER 'ab')", "0A000"},
			{"COPY (SELECT nosuch(count(*)) FROM people) TO STDOUT", "42883"},
			{"EXPLAIN SELECT nosuch(count(*)) FROM people", "42883"},
			{"EXPLAIN ANALYZE SELECT count(*) FROM people", "0A000"},
		} {
			_, err := conn.Exec(context.Background(), c.sql)
			if sqlState(err) != c.code {
				t.Errorf("%v: %s: %v, want SQLSTATE %s", mode, c.sql, err, c.code)
			}
		}
	}
	s.costs("0")
}

// TestKindsInEveryMode sends each kind of statement in every mode of pgx: all of them show one release, and EXPLAIN costs nothing.
func TestKindsInEveryMode(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	s.serve()
	ctx := context.Background()
	const counted = "SELECT region, count(*) FROM people WHERE age >= 20 GROUP BY region ORDER BY region"
	type row struct {
		Region string
		N      int64
	}
	first := map[string]any{}
	for _, mode := range queryModes {
		conn := s.connect("ana", func(c *pgx.ConnConfig) { c.DefaultQueryExecMode = mode })
		same := func(what string, got any) {
			if first[what] == nil {
				first[what] = got
			}
			if diff := cmp.Diff(first[what], got); diff != "" {
				t.Errorf("%v: %s: %s", mode, what, diff)
			}
		}
		fetch := func(sql string, args ...any) []row {
			t.Helper()
			rows, err := conn.Query(ctx, sql, args...)
			if err != nil {
				t.Fatalf("%v: %s: %v", mode, sql, err)
			}
			got, err := pgx.CollectRows(rows, pgx.RowToStructByPos[row])
			if err != nil {
				t.Fatalf("%v: %s: %v", mode, sql, err)
			}
			return got
		}
		exec := func(sql string, args ...any) string {
			t.Helper()
			tag, err := conn.Exec(ctx, sql, args...)
			if err != nil {
				t.Fatalf("%v: %s: %v", mode, sql, err)
			}
			return tag.String()
		}
		for range 2 {
			rows, err := conn.Query(ctx, "EXPLAIN (FORMAT json) SELECT region, count(*) FROM people WHERE age >= $1 GROUP BY region LIMIT $2", 50, 3)
			if err != nil {
				t.Fatal(err)
			}
			plan, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[[]any])
			if err != nil || rows.CommandTag().String() != "EXPLAIN" {
				t.Fatalf("%v: EXPLAIN: %v, tag %q", mode, err, rows.CommandTag())
			}
			if question := plan[0].(map[string]any)["Plan"].(map[string]any)["Questions"].([]any)[0].(map[string]any)["Recorded"]; question != false {
				t.Errorf("%v: %v", mode, plan)
			}
			rowsOf := fetch(counted)
			same("rows", rowsOf)
			exec("BEGIN")
			exec("DECLARE c CURSOR FOR SELECT region, count(*) FROM people WHERE age >= $1 GROUP BY region ORDER BY region", 20)
			same("rows", fetch("FETCH ALL FROM c"))
			exec("COMMIT")
			if tag := exec("COPY (" + counted + ") TO STDOUT"); tag != "COPY 4" {
				t.Errorf("%v: COPY: %s", mode, tag)
			}
			exec("PREPARE q(int) AS SELECT region, count(*) FROM people WHERE age >= $1 GROUP BY region ORDER BY region")
			same("rows", fetch("EXECUTE q(20)"))
			exec("CREATE TEMP TABLE kept AS EXECUTE q(20)")
			same("rows", fetch("SELECT * FROM pg_temp.kept ORDER BY 1"))
			exec("DROP TABLE kept")
			exec("DEALLOCATE q")
		}
	}
	s.costs("0.5")
}
