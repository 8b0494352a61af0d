package main

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// TestPlansStayHidden asks the server to send its plans of statements that it then denies. The planner's estimates come from
// statistics that no privilege guards, and are exact for a small table. A function of the database's own runs the text, so that
// nothing but the result can be seen by the proxy.
func TestPlansStayHidden(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{extra: `ANALYZE public.people;
		CREATE FUNCTION public.run(statement text) RETURNS void LANGUAGE plpgsql AS 'BEGIN EXECUTE statement; END'`})
	s.serve()
	var notices []string
	conn := s.connect("ana", func(c *pgx.ConnConfig) {
		c.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { notices = append(notices, n.Severity+" "+n.Message+n.Detail) }
	})
	ask := func(sql string) error {
		_, err := readRows(context.Background(), conn, sql)
		return err
	}
	for _, level := range []string{"log", "debug1", "debug5"} {
		if err := ask("SET client_min_messages = " + level); err != nil {
			t.Fatal(err)
		}
		if err := ask("SELECT run('SELECT set_' || 'config(''debug_print_' || 'plan'', ''on'', false)')"); err != nil {
			t.Fatal(err)
		}
		err := ask("SELECT run('SELECT 1 FROM public.peo' || 'ple WHERE illness = ''flu''')")
		if err == nil || !strings.Contains(err.Error(), "permission denied") {
			t.Fatalf("the server did not deny the statement: %v", err)
		}
	}
	if err := ask("SELECT run('RAI' || 'SE')"); err == nil {
		t.Error("a syntax error was not reported")
	}
	for _, n := range notices {
		t.Errorf("a message for operators reached the analyst: %.200s", n)
	}
}

// TestPlannedLater tries to have the server plan a statement about a protected table when the proxy does not look: the server analyses
// a prepared statement again when a name in it has come to mean another relation, plans it with statistics of protected rows, and
// only then denies it; pg_prepared_statements, and the time it takes, tell the planner's estimate. Relations that belong to a
// protected table, such as a view on it, must not be planned at all.
func TestPlannedLater(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{extra: "CREATE VIEW public.adults AS SELECT * FROM public.people WHERE age >= 18"})
	// What the analyst made when she could still name the table; and a view that only looks like one on it.
	s.exec(`CREATE VIEW ana.old AS SELECT age FROM public.people; ALTER VIEW ana.old OWNER TO ana;
		CREATE VIEW ana.name AS SELECT 'public.people'::regclass AS x; ALTER VIEW ana.name OWNER TO ana; CREATE TABLE ana.regions (n int); ALTER TABLE ana.regions OWNER TO ana`)
	s.serve()
	ctx := context.Background()
	simple := func(c *pgx.ConnConfig) { c.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol }
	for _, c := range []struct{ name, sql, code string }{
		{"PREPARE over a temporary table", "PREPARE p AS SELECT * FROM people", "0A000"},
		{"PREPARE beside a change of the search path", "SET search_path = ana; PREPARE p AS SELECT * FROM people", "0A000"},
		{"Parse over a temporary table", "SELECT * FROM people", "0A000"},
		{"a view on a protected table", "SELECT * FROM adults", "42501"},
		{"a view on a view on a protected table", "CREATE VIEW ana.mine AS SELECT 1 FROM public.adults", "42501"},
		{"a view of the analyst's own on a protected table", "SELECT * FROM ana.old", "42501"},
		{"an aggregate over set_config", "CREATE AGGREGATE ana.s(text, bool) (SFUNC = set_config, STYPE = text, INITCOND = 'standard_conforming_strings')", "42501"},
		{"an array of rows", "CREATE TABLE ana.t (a public._people)", "42501"},
	} {
		conn := s.connect("ana", simple)
		if _, err := conn.PgConn().Exec(ctx, "CREATE TEMP TABLE people (age int)").ReadAll(); err != nil {
			t.Fatal(err)
		}
		var err error
		if strings.HasPrefix(c.name, "Parse") {
			_, err = conn.PgConn().Prepare(ctx, "", c.sql, nil)
		} else {
			_, err = conn.Exec(ctx, c.sql)
		}
		if sqlState(err) != c.code {
			t.Errorf("%s: %v, want SQLSTATE %s", c.name, err, c.code)
		}
	}
	// A table that hides the protected one could be dropped by another session of hers while this one waits.
	conn := s.connect("ana", simple)
	for sql, code := range map[string]string{
		"SELECT * FROM people": "0A000", "CREATE VIEW ana.v AS SELECT age FROM people": "0A000", "SELECT * FROM ana.people": "",
	} {
		_, err := conn.PgConn().Exec(ctx, "CREATE TABLE IF NOT EXISTS ana.people (age int); SET search_path = ana, public").ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		_, err = conn.Exec(ctx, sql)
		var refusal *pgconn.PgError
		if got := errors.As(err, &refusal); got != (code != "") || got && refusal.Code != code {
			t.Errorf("%s: %v, want SQLSTATE %q", sql, err, code)
		}
	}
	conn = s.connect("ana", simple)
	for _, sql := range []string{
		"SELECT * FROM ana.name",
		"CREATE TEMP TABLE people (age int)", "SELECT * FROM pg_temp.people", "PREPARE p AS SELECT * FROM pg_temp.people", "EXECUTE p", "DROP TABLE people",
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			t.Errorf("%s, which is the analyst's own business: %v", sql, err)
		}
	}
}
