package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestExitStatus pins what a script can rely on: 0 done, 1 no, 2 wrong command line or policy.
func TestExitStatus(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.yaml")
	if err := os.WriteFile(bad, []byte("listen: 127.0.0.1:6432\nlisten: 127.0.0.1:6433\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		status int
		stderr string // a part
	}{
		{[]string{"--help"}, 0, ""},
		{[]string{"serve", "--help"}, 0, ""},
		{[]string{"sevre"}, 2, `unknown command "sevre" (did you mean serve?); tacit --help lists the commands`},
		{[]string{"budget", "feeze"}, 2, `unknown command "feeze" (did you mean freeze?)`},
		{[]string{"something"}, 2, `unknown command "something"; tacit --help`},
		{[]string{"serve"}, 2, "--policy FILE is required"},
		{[]string{"serve", "--polcy", "x"}, 2, "unknown flag: --polcy (did you mean --policy?); tacit serve --help lists the flags"},
		{[]string{"log", "--quite-another"}, 2, "unknown flag: --quite-another; tacit log --help"},
		{[]string{"serve", "--policy", "x", "y"}, 2, "unknown command"},
		{[]string{"serve", "--policy", filepath.Join(t.TempDir(), "none.yaml")}, 2, "no such file"},
		{[]string{"check", "--policy", bad}, 2, "bad.yaml:2: listen"},
		{[]string{"check", "--policy", "../../examples/quickstart/policy.yaml", "--undo"}, 2, "--undo and --managed are for --sql"},
		{[]string{"check", "--policy", "../../examples/quickstart/policy.yaml", "--sql", "--undo"}, 0, ""},
		{[]string{"init"}, 2, "--table SCHEMA.NAME is required"},
		{[]string{"init", "--table", "people"}, 2, "people has no schema; did you mean public.people?"},
		{[]string{"log", "--policy", "../../examples/quickstart/policy.yaml", "--table", "people"}, 2, "people has no schema; did you mean public.people?"},
		{[]string{"budget", "grant", "--policy", "../../examples/quickstart/policy.yaml", "--table", "people", "--epsilon", "1", "--reason", "more"}, 2, "people has no schema; did you mean public.people?"},
		{[]string{"init", "--table", "public.people", "--database", "postgres://x@127.0.0.1:1/x"}, 1, "127.0.0.1:1"},
		{[]string{"log", "--policy", bad, "--limit", "many"}, 2, "invalid argument"},
	} {
		_, stderr, status := run(t, c.args...)
		if status != c.status || !strings.Contains(stderr, c.stderr) {
			t.Errorf("tacit %s: status %d, stderr %q; want status %d and %q", strings.Join(c.args, " "), status, stderr, c.status, c.stderr)
		}
	}
}

// TestVersionAndPages: the version is one line, there is a page for each command, and shells are told how to complete.
func TestVersionAndPages(t *testing.T) {
	if out := output(t, "version"); !strings.HasPrefix(out, "tacit "+version()) || strings.Count(out, "\n") != 1 {
		t.Errorf("version: %q", out)
	}
	dir := filepath.Join(t.TempDir(), "man1")
	output(t, "man", dir)
	for _, name := range []string{"tacit.1", "tacit-serve.1", "tacit-budget-grant.1"} {
		if page := readText(t, filepath.Join(dir, name)); !strings.HasPrefix(page, ".nh\n.TH \"TACIT") {
			t.Errorf("%s begins with %.40q", name, page)
		}
	}
	if _, stderr, status := run(t, "man"); status != 2 {
		t.Errorf("man without a directory: status %d, %s", status, stderr)
	}
	if out := output(t, "__complete", "bud"); !strings.HasPrefix(out, "budget\t") {
		t.Errorf("completion of bud: %q", out)
	}
	if out := output(t, "completion", "bash"); !strings.Contains(out, "__start_tacit") {
		t.Errorf("no script for bash: %.80q", out)
	}
}

// TestCheckAndServe grants an analyst too much: check says so and prints SQL that psql can run, and serve refuses.
func TestCheckAndServe(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	stdout, stderr, status := run(t, "check", "--policy", s.policy)
	if status != 0 || !strings.HasPrefix(stdout, "separate:") {
		t.Fatalf("check on separate roles: status %d\n%s%s", status, stdout, stderr)
	}
	s.exec("GRANT SELECT ON public.people TO bob")
	stdout, _, status = run(t, "check", "--policy", s.policy)
	if status != 1 || !strings.HasPrefix(stdout, "not separate: 1 HIGH, 0 MED (analysts: 2, protected tables: 1)\n\nSEVERITY  FINDING") ||
		!strings.Contains(stdout, "SELECT on public.people: bob\n") || strings.Contains(stdout, "REVOKE") {
		t.Errorf("check on a hole: status %d\n%s", status, stdout)
	}
	for line := range strings.Lines(stdout) {
		if len(line) > 120 && !strings.Contains(line, s.policy) { // the path is the test's
			t.Errorf("a line is longer than 120 characters: %s", line)
		}
	}
	var report struct {
		Separate bool
		Findings []struct{ Severity, What, Detail, Remedy string }
	}
	asJSON, _, status := run(t, "check", "--policy", s.policy, "--json")
	if err := json.Unmarshal([]byte(asJSON), &report); err != nil || status != 1 || report.Separate || len(report.Findings) == 0 {
		t.Errorf("check --json: status %d, %v: %s", status, err, asJSON)
	}
	if _, stderr, status := run(t, "serve", "--policy", s.policy); status != 1 || !strings.Contains(stderr, "refusing to serve") {
		t.Errorf("serve on a hole: status %d\n%s", status, stderr)
	}
	stdout = output(t, "check", "--policy", s.policy, "--sql")
	if !strings.Contains(stdout, "\n-- HIGH: analyst has a privilege on what holds or shows protected rows [protected-privilege]: SELECT on public.people: bob\n--    REVOKE ALL ON public.people FROM bob CASCADE;\n") {
		t.Errorf("check --sql has no remedy of the hole: %s", stdout)
	}
	if out, err := s.psql(cluster.URL("postgres", s.database), stdout, "-q"); err != nil || strings.Contains(out, "ERROR") {
		t.Errorf("the output of check does not run in psql: %v\n%s", err, out)
	}
	if stdout, _, status := run(t, "check", "--policy", s.policy); status != 0 {
		t.Errorf("after its SQL was run: status %d\n%.300s", status, stdout)
	}
}

// TestServeWithoutCurator fails if whoever starts a proxy on a server that does not know the curator is not told which command makes it.
func TestServeWithoutCurator(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	text, err := os.ReadFile(s.policy)
	if err != nil {
		t.Fatal(err)
	}
	const known = "curator: postgres://tacit_curator@"
	if !strings.Contains(string(text), known) {
		t.Fatal("the policy has another curator")
	}
	s.writePolicy(strings.Replace(string(text), known, "curator: postgres://no_such_curator@", 1))
	want := "if the role does not exist yet, `tacit check --policy " + s.policy + " --sql` prints the SQL"
	if _, stderr, status := run(t, "serve", "--policy", s.policy); status != 1 || !strings.Contains(stderr, want) {
		t.Errorf("status %d\n%s", status, stderr)
	}
}

// TestInit drafts a policy by the catalog of a site.
func TestInit(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	draft := output(t, "init", "--database", cluster.URL("bob", s.database), "--table", "public.people")
	if !strings.Contains(draft, "/"+s.database+"\"\n") || !strings.Contains(draft, "\n  public.people:\n    person: FILL ") || strings.Contains(draft, "bob") {
		t.Error(draft)
	}
}

// TestCheckWithoutLedger reports what it found of the tables, whether the ledger's server answers or not, and does not call them separate without it.
func TestCheckWithoutLedger(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{ledger: "postgres://tacit_ledger@127.0.0.1:1/tacit"})
	stdout, stderr, status := run(t, "check", "--policy", s.policy)
	if status != 1 || !strings.HasPrefix(stdout, "tables separate, ledger not looked at (") || strings.Count(stdout, "\n") != 1 || !strings.Contains(stderr, "ledger") {
		t.Errorf("separate tables: status %d\n%s%s", status, stdout, stderr)
	}
	s.exec("GRANT SELECT ON public.people TO bob")
	stdout, stderr, status = run(t, "check", "--policy", s.policy)
	if status != 1 || !strings.HasPrefix(stdout, "not separate: 1 HIGH") || !strings.Contains(stderr, "not separate") || !strings.Contains(stderr, "ledger") {
		t.Errorf("a hole: status %d\n%.300s%s", status, stdout, stderr)
	}
	asJSON, _, status := run(t, "check", "--policy", s.policy, "--json")
	if status != 1 || !strings.Contains(asJSON, `"findings":[{`) {
		t.Errorf("--json: status %d, %s", status, asJSON)
	}
}

// TestBudgetAndLog reads the ledger while the proxy runs.
func TestBudgetAndLog(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{budget: "3"})
	s.serve()
	conn := s.connect("bob")
	for _, sql := range []string{"SELECT count(*) FROM people", "SELECT count(*) AS n FROM people", "SELECT * FROM people"} {
		readRows(context.Background(), conn, sql) // the last one is refused
	}
	s.awaitEntries(3)
	stdout, stderr, status := run(t, "budget", "--policy", s.policy)
	want := strings.TrimLeft(`
TABLE          ANALYST  SPENT        BUDGET                 LEFT                     RULE
public.people  (all)    epsilon 0.5  epsilon 3, delta 1e-4  epsilon 2.5, delta 1e-4  basic
public.people  bob      epsilon 0.5  epsilon 2              epsilon 1.5              basic
`, "\n")
	if diff := cmp.Diff(want, stdout); status != 0 || diff != "" {
		t.Errorf("budget: status %d, %s%s", status, stderr, diff)
	}
	stdout = output(t, "log", "--policy", s.policy, "--json")
	var verdicts []string
	for line := range strings.Lines(stdout) {
		var entry struct {
			Analyst, Table, Verdict, SQLState, Statement string
			Loss                                         *struct{ Epsilon string }
		}
		fromJSON(t, line, &entry)
		if entry.Loss != nil {
			entry.Verdict += " " + entry.Loss.Epsilon
		}
		verdicts = append(verdicts, strings.Join([]string{entry.Analyst, entry.Table, entry.Verdict, entry.SQLState, entry.Statement}, "|"))
	}
	wantLog := []string{
		"bob|public.people|charged 0.5||SELECT count(*) FROM people",
		"bob|public.people|replayed||SELECT count(*) AS n FROM people",
		"bob|public.people|refused|42501|SELECT * FROM people",
	}
	same(t, wantLog, verdicts)
}

// TestReload puts a larger budget in force by SIGHUP; a broken file leaves the running policy in force.
func TestReload(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{budget: "0.5"})
	p := s.serve()
	conn := s.connect("ana")
	ask := func(sql string) bool {
		_, err := readRows(context.Background(), conn, sql)
		return err == nil
	}
	if !ask("SELECT count(*) FROM people WHERE age > 1") || ask("SELECT count(*) FROM people WHERE age > 2") {
		t.Fatal("a budget of one count does not cover one count")
	}
	text := readText(t, s.policy)
	reload := func(text, logged string) {
		t.Helper()
		s.writePolicy(text)
		p.cmd.Process.Signal(syscall.SIGHUP)
		var log string
		eventually(t, &log, func() bool {
			log = p.logged()
			return strings.Contains(log, logged)
		})
	}
	reload("listen: nonsense\n", "the running policy stays in force")
	if !ask("SELECT count(*) FROM people WHERE age > 1") || ask("SELECT count(*) FROM people WHERE age > 2") {
		t.Error("a broken policy file changed the running policy")
	}
	reload(strings.Replace(text, "epsilon: 0.5, delta", "epsilon: 5, delta", 1), "policy reloaded")
	if !ask("SELECT count(*) FROM people WHERE age > 2") {
		t.Error("the larger budget is not in force")
	}
}
