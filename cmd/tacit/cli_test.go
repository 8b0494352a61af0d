package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

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
		{[]string{"sevre"}, 2, `unknown command "sevre"`},
		{[]string{"serve"}, 2, "--policy FILE is required"},
		{[]string{"serve", "--polcy", "x"}, 2, "unknown flag: --polcy"},
		{[]string{"serve", "--policy", "x", "y"}, 2, "unknown command"},
		{[]string{"serve", "--policy", filepath.Join(t.TempDir(), "none.yaml")}, 2, "no such file"},
		{[]string{"check", "--policy", bad}, 2, "bad.yaml:2: listen"},
		{[]string{"log", "--policy", bad, "--limit", "many"}, 2, "invalid argument"},
	} {
		_, stderr, status := run(t, c.args...)
		if status != c.status || !strings.Contains(stderr, c.stderr) {
			t.Errorf("tacit %s: status %d, stderr %q; want status %d and %q", strings.Join(c.args, " "), status, stderr, c.status, c.stderr)
		}
	}
}

// TestCheckAndServe grants an analyst too much: check says so and prints SQL that psql can run, and serve refuses.
func TestCheckAndServe(t *testing.T) {
	s := newSite(t, siteOptions{})
	stdout, stderr, status := run(t, "check", "--policy", s.policy)
	if status != 0 || !strings.HasPrefix(stdout, "separate:") {
		t.Fatalf("check on separate roles: status %d\n%s%s", status, stdout, stderr)
	}
	s.exec("GRANT SELECT ON public.people TO bob")
	stdout, _, status = run(t, "check", "--policy", s.policy)
	if status != 1 || !strings.HasPrefix(stdout, "-- HIGH: ") || !strings.Contains(stdout, "bob") {
		t.Errorf("check on a hole: status %d\n%.300s", status, stdout)
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
	if out, err := s.psql(cluster.URL("postgres", s.database), stdout, "-q"); err != nil || strings.Contains(out, "ERROR") {
		t.Errorf("the output of check does not run in psql: %v\n%s", err, out)
	}
	if stdout, _, status := run(t, "check", "--policy", s.policy); status != 0 {
		t.Errorf("after its SQL was run: status %d\n%.300s", status, stdout)
	}
}

// TestCheckWithoutLedger reports what it found of the tables, whether the ledger's server answers or not, and does not call them separate without it.
func TestCheckWithoutLedger(t *testing.T) {
	s := newSite(t, siteOptions{ledger: "postgres://tacit_ledger@127.0.0.1:1/tacit"})
	stdout, stderr, status := run(t, "check", "--policy", s.policy)
	if status != 1 || stdout != "" || !strings.Contains(stderr, "ledger") {
		t.Errorf("separate tables: status %d\n%s%s", status, stdout, stderr)
	}
	s.exec("GRANT SELECT ON public.people TO bob")
	stdout, stderr, status = run(t, "check", "--policy", s.policy)
	if status != 1 || !strings.HasPrefix(stdout, "-- HIGH: ") || !strings.Contains(stderr, "not separate") || !strings.Contains(stderr, "ledger") {
		t.Errorf("a hole: status %d\n%.300s%s", status, stdout, stderr)
	}
	asJSON, _, status := run(t, "check", "--policy", s.policy, "--json")
	if status != 1 || !strings.HasPrefix(asJSON, `{"findings":[{`) {
		t.Errorf("--json: status %d, %s", status, asJSON)
	}
}

// TestBudgetAndLog reads the ledger while the proxy runs.
func TestBudgetAndLog(t *testing.T) {
	s := newSite(t, siteOptions{budget: "3"})
	s.serve()
	conn := s.connect("bob")
	for _, sql := range []string{"SELECT count(*) FROM people", "SELECT count(*) AS n FROM people", "SELECT * FROM people"} {
		readRows(context.Background(), conn, sql) // the last one is refused
	}
	time.Sleep(500 * time.Millisecond) // replays and refusals are logged in the background
	stdout, stderr, status := run(t, "budget", "--policy", s.policy)
	want := strings.TrimLeft(`
TABLE          ANALYST  SPENT        BUDGET                 LEFT                     RULE
public.people  (all)    epsilon 0.5  epsilon 3, delta 1e-4  epsilon 2.5, delta 1e-4  basic
public.people  bob      epsilon 0.5  epsilon 2              epsilon 1.5              basic
`, "\n")
	if diff := cmp.Diff(want, stdout); status != 0 || diff != "" {
		t.Errorf("budget: status %d, %s%s", status, stderr, diff)
	}
	stdout, stderr, status = run(t, "log", "--policy", s.policy, "--json")
	if status != 0 {
		t.Fatalf("log: status %d, %s", status, stderr)
	}
	var verdicts []string
	for line := range strings.Lines(stdout) {
		var entry struct {
			Analyst, Table, Verdict, SQLState, Statement string
			Loss                                         *struct{ Epsilon string }
		}
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatal(err)
		}
		if entry.Loss != nil {
			entry.Verdict += " " + entry.Loss.Epsilon
		}
		verdicts = append(verdicts, strings.Join([]string{entry.Analyst, entry.Table, entry.Verdict, entry.SQLState, entry.Statement}, "|"))
	}
	wantLog := []string{
		"bob|public.people|charged 0.5||SELECT count(*) FROM people",
		"bob|public.people|replayed||SELECT count(*) AS n FROM people",
		"bob||refused|42501|SELECT * FROM people",
	}
	if diff := cmp.Diff(wantLog, verdicts); diff != "" {
		t.Error(diff)
	}
}

// TestReload puts a larger budget in force by SIGHUP; a broken file leaves the running policy in force.
func TestReload(t *testing.T) {
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
	text, err := os.ReadFile(s.policy)
	if err != nil {
		t.Fatal(err)
	}
	reload := func(text, logged string) {
		t.Helper()
		s.writePolicy(text)
		p.cmd.Process.Signal(syscall.SIGHUP)
		p.awaitLog(t, logged)
	}
	reload("listen: nonsense\n", "the running policy stays in force")
	if !ask("SELECT count(*) FROM people WHERE age > 1") || ask("SELECT count(*) FROM people WHERE age > 2") {
		t.Error("a broken policy file changed the running policy")
	}
	reload(strings.Replace(string(text), "epsilon: 0.5, delta", "epsilon: 5, delta", 1), "policy reloaded")
	if !ask("SELECT count(*) FROM people WHERE age > 2") {
		t.Error("the larger budget is not in force")
	}
}
