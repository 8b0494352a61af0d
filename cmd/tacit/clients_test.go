package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/lib/pq"

	"tacit/accountant"
)

// TestPsql plays a session with a real psql: an answer, the same for free, a refusal inside a transaction block.
func TestPsql(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	s.serve()
	out := s.mustPsql(s.url("ana"), `
SELECT region, count(*) FROM people GROUP BY region;
SELECT r AS "where", n FROM (SELECT region AS r, count(*) AS n FROM public.people GROUP BY 1) AS x ORDER BY 1;
BEGIN;
SELECT name FROM people;
SELECT 1;
ROLLBACK;
PREPARE q(int) AS SELECT sex, count(*) FROM people WHERE age > $1 GROUP BY sex ORDER BY sex;
EXECUTE q(40);
EXECUTE q(40);
DEALLOCATE q;
EXECUTE q(40);
SET tacit.notices = off;
SELECT count(*) FROM people WHERE illness = 'flu';
CREATE TEMP TABLE mine AS SELECT region, count(*) AS n FROM people GROUP BY region;
SELECT count(*) AS regions FROM mine;
\d people
`, "-At")
	shows(t, out,
		"charged epsilon 0.5", "free (answered ", "east|", "west|",
		"current transaction is aborted", `prepared statement "q" does not exist`, "\n4\n",
	)
	if n := strings.Count(out, "NOTICE:"); n != 4 {
		t.Errorf("%d notices instead of 4: two for SELECT, two for EXECUTE, none after SET", n)
	}
	if t.Failed() {
		t.Log(out)
	}
}

// queryModes are the ways of pgx to send a query: the extended protocol with and without a described statement, text and
// binary, and the simple protocol.
var queryModes = []pgx.QueryExecMode{
	pgx.QueryExecModeCacheStatement, pgx.QueryExecModeCacheDescribe, pgx.QueryExecModeDescribeExec, pgx.QueryExecModeExec,
	pgx.QueryExecModeSimpleProtocol,
}

// TestPgx asks one question in every mode of pgx, which must be one release with one answer.
func TestPgx(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	s.serve()
	type row struct {
		Region string
		Sex    *string
		N      int64
	}
	var first []row
	for i, mode := range queryModes {
		conn := s.connect("ana", func(c *pgx.ConnConfig) { c.DefaultQueryExecMode = mode })
		for range 2 {
			rows, err := conn.Query(context.Background(),
				"SELECT region, sex, count(*) FROM people WHERE age >= $1 AND region <> $2 GROUP BY region, sex", 20, "west")
			if err != nil {
				t.Fatalf("%v: %v", mode, err)
			}
			got, err := pgx.CollectRows(rows, pgx.RowToStructByPos[row])
			if err != nil {
				t.Fatalf("%v: %v", mode, err)
			}
			if i == 0 && first == nil {
				first = got
			}
			if diff := cmp.Diff(first, got); diff != "" {
				t.Errorf("%v: %s", mode, diff)
			}
		}
	}
	if len(first) != 9 { // east, north, south by F, M, NULL
		t.Errorf("%d cells instead of 9: %v", len(first), first)
	}
}

// TestPgxBatch sends protected and ordinary statements in one pipeline: a refusal skips the rest of it, as a server's error does.
func TestPgxBatch(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	s.serve()
	conn := s.connect("ana")
	ctx := context.Background()
	var one, people int64
	batch := &pgx.Batch{}
	batch.Queue("SELECT 1::int8").QueryRow(func(r pgx.Row) error { return r.Scan(&one) })
	batch.Queue("SELECT count(*) FROM people").QueryRow(func(r pgx.Row) error { return r.Scan(&people) })
	if err := conn.SendBatch(ctx, batch).Close(); err != nil {
		t.Fatal(err)
	}
	if one != 1 || people < 2900 || people > 3100 {
		t.Errorf("1 is %d, 3000 is about %d", one, people)
	}
	batch = &pgx.Batch{}
	batch.Queue("SELECT name FROM people")
	batch.Queue("SELECT 1")
	err := conn.SendBatch(ctx, batch).Close()
	var refusal *pgconn.PgError
	if !errors.As(err, &refusal) || refusal.Code != "42501" || refusal.Hint == "" {
		t.Errorf("a row read was not refused with a hint: %v", err)
	}
	if err := conn.QueryRow(ctx, "SELECT 2::int8").Scan(&one); err != nil || one != 2 {
		t.Errorf("after a refusal: %d, %v", one, err)
	}
}

// TestPQ uses lib/pq by database/sql: text parameters, statements that the driver prepares, and its own protocol code.
func TestPQ(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	s.serve()
	db, err := sql.Open("postgres", s.url("ana"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ask := func(query func(args ...any) (*sql.Rows, error)) map[string]int64 {
		t.Helper()
		rows, err := query(20, pq.Array([]string{"north", "south"}))
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		counts := make(map[string]int64)
		for rows.Next() {
			var region string
			var n int64
			if err := rows.Scan(&region, &n); err != nil {
				t.Fatal(err)
			}
			counts[region] = n
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		return counts
	}
	const counts = "SELECT region, count(*) FROM people WHERE age >= $1 AND region = ANY($2) GROUP BY region"
	first := ask(func(args ...any) (*sql.Rows, error) { return db.Query(counts, args...) })
	prepared, err := db.Prepare(counts)
	if err != nil {
		t.Fatal(err)
	}
	defer prepared.Close()
	if diff := cmp.Diff(first, ask(prepared.Query)); diff != "" || len(first) != 2 {
		t.Errorf("%v and then otherwise: %s", first, diff)
	}
	_, err = db.Query("SELECT name FROM people WHERE age > $1", 20)
	var refusal *pq.Error
	if !errors.As(err, &refusal) || refusal.Code != "42501" || refusal.Hint == "" {
		t.Errorf("a row read was not refused with a hint: %v", err)
	}
	if err := db.Ping(); err != nil {
		t.Errorf("after a refusal: %v", err)
	}
}

// psycopg2Script uses the driver that most of Python's tools are built on: libpq, simple protocol, literals in the text,
// transactions by default.
const psycopg2Script = `
import sys, psycopg2
conn = psycopg2.connect(sys.argv[1])
cur = conn.cursor()
cur.execute("SELECT region, count(*) FROM people WHERE age BETWEEN %s AND %s GROUP BY region", (10, 60))
print([d.name for d in cur.description], [d.type_code for d in cur.description])
first = cur.fetchall()
print([r for r, n in first], all(n > 100 for r, n in first if r != 'east'))
cur.execute("SELECT region, count(*) FROM people WHERE age >= 10 AND age <= 60 GROUP BY region")
print(cur.fetchall() == first, 'free' in conn.notices[-1])
try:
    cur.execute("SELECT name FROM people")
except psycopg2.errors.InsufficientPrivilege as e:
    print('refused', e.pgcode, e.diag.message_hint is not None)
try:
    cur.execute("SELECT 1")
except psycopg2.errors.InFailedSqlTransaction:
    print('block failed')
conn.rollback()
cur.execute("INSERT INTO ana.kept SELECT region, count(*) FROM people GROUP BY region")
print(cur.rowcount)
conn.commit()
`

// TestPsycopg2 is the client from another ecosystem: Debian's python3-psycopg2, which `make test` installs.
func TestPsycopg2(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newSite(t, siteOptions{})
	s.exec("CREATE TABLE ana.kept (region text, n int8); ALTER TABLE ana.kept OWNER TO ana")
	s.serve()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, "/usr/bin/python3", "-c", psycopg2Script, s.url("ana")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := strings.TrimLeft(`
['region', 'count'] [25, 20]
['east', 'north', 'south', 'west'] True
True True
refused 42501 True
block failed
4
`, "\n")
	same(t, want, string(out))
}

// TestReplayAcrossSpellings asks one question in many spellings: all are one release.
func TestReplayAcrossSpellings(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{budget: "0.5"})
	s.serve()
	conn := s.connect("ana")
	for i, sql := range []string{
		"SELECT sex, count(*) FROM people WHERE region IN ('north', 'south') AND age > 30 GROUP BY sex",
		"select p.sex as x, count(*) as n from public.people p where 30 < p.age and p.region in ('south','north','south') group by p.sex",
		"SELECT sex, count(*) FROM people WHERE NOT (age <= 30) AND (region = 'south' OR region = 'north') GROUP BY 1",
		"WITH c AS (SELECT sex, count(*) AS n FROM people WHERE age >= 31 AND region IN ('north', 'south') GROUP BY sex) SELECT * FROM c",
	} {
		if _, err := readRows(context.Background(), conn, sql); err != nil {
			t.Errorf("spelling %d was not free: %v", i, err)
		}
	}
}

// TestBudget spends a cap, then a table's budget.
func TestBudget(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{budget: "3"})
	s.serve()
	ask := func(analyst string, age int) string {
		_, err := readRows(context.Background(), s.connect(analyst), fmt.Sprintf("SELECT count(*) FROM people WHERE age > %d", age))
		var refusal *pgconn.PgError
		if errors.As(err, &refusal) {
			return refusal.Code + " " + refusal.Message
		} else if err != nil {
			return err.Error()
		}
		return "answered"
	}
	var got []string
	for i := range 5 {
		got = append(got, ask("bob", i)) // has epsilon 2: four counts
	}
	for i := range 3 {
		got = append(got, ask("ana", 10+i)) // epsilon 1 is left
	}
	got = append(got, ask("bob", 11), ask("ana", 0)) // answered before
	want := []string{
		"answered", "answered", "answered", "answered", "53400 your privacy budget on table public.people does not cover this answer",
		"answered", "answered", "53400 the privacy budget of table public.people does not cover this answer",
		"answered", "answered",
	}
	same(t, want, got)
}

// TestSlipsCostNothing makes mistakes outside the counts, which PostgreSQL must find before anything is charged.
func TestSlipsCostNothing(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	s.serve()
	for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeSimpleProtocol, pgx.QueryExecModeCacheStatement} {
		conn := s.connect("bob", func(c *pgx.ConnConfig) { c.DefaultQueryExecMode = mode })
		for _, c := range []struct{ sql, code string }{
			{"SELECT nosuchfn(count(*)) FROM people", "42883"},
			{"SELECT region, count(*) FROM people GROUP BY region ORDER BY 4", "42P10"},
			{"SELECT c.nosuchcolumn FROM (SELECT region, count(*) FROM people GROUP BY region) AS c", "42703"},
			{"SELECT region, n, notes.nosuch FROM (SELECT region, count(*) AS n FROM people GROUP BY region) AS c JOIN notes USING (region)", "42703"},
			{"SELECT count(*)::nosuchtype FROM people", "42704"},
			{"INSERT INTO nosuchtable SELECT count(*) FROM people", "42P01"},
		} {
			_, err := conn.Exec(context.Background(), c.sql)
			if sqlState(err) != c.code {
				t.Errorf("%v: %s: %v, want SQLSTATE %s", mode, c.sql, err, c.code)
			}
		}
		var one int
		if err := conn.QueryRow(context.Background(), "SELECT 1").Scan(&one); err != nil {
			t.Errorf("%v: after the slips: %v", mode, err)
		}
	}
	if spent := s.charged(); spent != (accountant.Loss{}) {
		t.Errorf("the slips were charged: %v", spent)
	}
}
