package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestWithoutASuperuser is the set-up of a steward who owns the database and is no superuser: the script of --managed, what check says then, and a
// proxy that serves once the policy accepts that. What reaches rows is refused as ever.
func TestWithoutASuperuser(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	names := strings.NewReplacer("tacit_curator", "mg_curator", "  ana:", "  mg_ana:", "  bob:", "  mg_bob:")
	s := &site{t: t, dir: t.TempDir(), addr: freeAddress(t), database: cluster.CreateDatabase(t)}
	s.policy = filepath.Join(s.dir, "policy.yaml")
	text := names.Replace(fmt.Sprintf(sitePolicy, s.addr, cluster.Host, cluster.Port, s.database, "", "1000", "sqlite:tacit.db", "basic"))
	s.writePolicy(text)
	s.exec("CREATE ROLE mg_owner LOGIN CREATEROLE; ALTER DATABASE " + s.database + " OWNER TO mg_owner; ALTER SCHEMA public OWNER TO mg_owner")
	t.Cleanup(func() {
		s.exec("DROP OWNED BY mg_owner, mg_ana, mg_bob, mg_curator CASCADE; REASSIGN OWNED BY mg_owner TO postgres; DROP ROLE mg_owner, mg_ana, mg_bob, mg_curator")
	})
	owner := cluster.URL("mg_owner", s.database)
	script, stderr, status := run(t, "check", "--sql", "--managed", "--policy", s.policy)
	if status != 0 {
		t.Fatalf("check --sql --managed ends with %d: %s", status, stderr)
	}
	s.mustPsql(owner, strings.ReplaceAll(siteSchema, "%%", "%")+"GRANT SELECT ON public.people TO PUBLIC;", "-v", "ON_ERROR_STOP=1", "-q")
	if out := s.mustPsql(owner, script, "-v", "ON_ERROR_STOP=1", "-q"); strings.Contains(out, "ERROR") || strings.Contains(out, "WARNING") {
		t.Errorf("the script says\n%s", out)
	}
	stdout, _, status := run(t, "check", "--policy", s.policy)
	const accept = "accept: [size-estimates, sql-text-functions, table-sizes]"
	if status != 1 || !strings.Contains(stdout, accept) || !strings.Contains(stdout, "[curator-counted]") || !strings.Contains(stdout, "[activity-counters]") {
		t.Fatalf("check ends with %d and says\n%s", status, stdout)
	}
	s.writePolicy(text + accept + "\n")
	if _, stderr, status = run(t, "serve", "--policy", s.policy); status != 1 || !strings.Contains(stderr, "track_counts") {
		t.Fatalf("with what can be accepted, serve ends with %d and says\n%s", status, stderr)
	}
	// Somebody with more powers closes the counters.
	full := output(t, "check", "--policy", s.policy, "--sql")
	const from, to = "-- Activity counters and locks show", "-- Functions that run SQL text"
	s.mustPsql(cluster.URL("postgres", s.database), "ALTER ROLE mg_curator SET track_counts = off; SET search_path = pg_catalog;\n"+full[strings.Index(full, from):strings.Index(full, to)], "-v", "ON_ERROR_STOP=1", "-q")
	s.writePolicy(text + strings.Replace(accept, "[", "[fsync, ", 1) + "\n")
	stdout, stderr, status = run(t, "check", "--policy", s.policy)
	for _, want := range []string{"separate but for what the policy accepts", "note: accepted: analyst may measure the size of a protected table [table-sizes]", "note: fsync is accepted, and nothing of it was found"} {
		if status != 0 || !strings.Contains(stdout, want) {
			t.Fatalf("check ends with %d, does not say %q, and says\n%s%s", status, want, stdout, stderr)
		}
	}
	p := s.serve()
	if log := p.logged(); !strings.Contains(log, `msg="accepted, as the policy says" finding=table-sizes`) || !strings.Contains(log, "finding=fsync") {
		t.Errorf("the log says\n%s", log)
	}
	conn := s.connect("mg_ana")
	ctx := context.Background()
	if rows, err := readRows(ctx, conn, "SELECT sex, count(*) FROM people GROUP BY sex"); err != nil || strings.Count(rows, "\n") != 3 {
		t.Errorf("a count gives %v, %v", rows, err)
	}
	for _, attack := range []string{
		"SELECT * FROM people", "SELECT name FROM public.people LIMIT 1", "TABLE people", "COPY people TO STDOUT", "SELECT query_to_xml('TABLE public.' || 'people', true, true, '')",
		"SET ROLE mg_curator", "SET ROLE mg_owner", "SELECT * FROM pg_statistic", "CREATE TABLE public.t ()", "LOCK TABLE people", "EXPLAIN ANALYZE SELECT * FROM people",
	} {
		if rows, err := readRows(ctx, conn, attack); err == nil {
			t.Errorf("%s gives %v", attack, rows)
		}
	}
	// A grant is found by one of the next statements, whatever is accepted: a slow look at the catalog serves for some of them.
	s.mustPsql(owner, "GRANT SELECT ON public.people TO mg_bob", "-v", "ON_ERROR_STOP=1")
	answer := ""
	eventually(t, &answer, func() bool {
		var err error
		answer, err = readRows(ctx, conn, "SELECT sex, count(*) FROM people GROUP BY sex")
		return err != nil
	})
}
