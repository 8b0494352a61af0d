package main

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// TestPlansStayHidden asks the server to send its plans of statements that it then denies. The planner's estimates come from
// statistics that no privilege guards, and are exact for a small table. The statement is dynamic, so that nothing but its result can
// be seen by the proxy.
func TestPlansStayHidden(t *testing.T) {
	s := newSite(t, siteOptions{extra: "ANALYZE public.people"})
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
		if err := ask("SELECT query_to_xml('SELECT set_' || 'config(''debug_print_' || 'plan'', ''on'', false)', true, true, '')"); err != nil {
			t.Fatal(err)
		}
		err := ask("SELECT query_to_xml('SELECT 1 FROM public.peo' || 'ple WHERE illness = ''flu''', true, true, '')")
		if err == nil || !strings.Contains(err.Error(), "permission denied") {
			t.Fatalf("the server did not deny the statement: %v", err)
		}
	}
	if err := ask("SELECT query_to_xml('RAI' || 'SE', true, true, '')"); err == nil {
		t.Error("a syntax error was not reported")
	}
	for _, n := range notices {
		t.Errorf("a message for operators reached the analyst: %.200s", n)
	}
}
