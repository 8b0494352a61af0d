package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"tacit/accountant"
	"tacit/policy"
)

// publishingSite is a site with two publications.
func publishingSite(t *testing.T) *site {
	t.Helper()
	s := newSite(t, siteOptions{})
	text := readText(t, s.policy)
	s.writePolicy(strings.NewReplacer(
		"ledger:", fmt.Sprintf("  publisher: postgres://tacit_publisher@%s:%d/%s?sslmode=disable\nledger:", cluster.Host, cluster.Port, s.database),
		"delta: 1e-4, comp", "delta: 1e-4, releases: 2, comp",
	).Replace(string(text)) + `
publications:
  open.k5: {of: public.people, kind: k-anonymity, quasi: [region, sex, age], columns: [region, sex, age, illness], k: 5, accept: no-guarantee}
  open.safe: {of: public.people, kind: safe-k-anonymity, quasi: [sex, age], columns: [sex, age], k: 50, epsilon: 1, beta: 0.2, generalise: {sex: 1, age: 30}}
`)
	s.harden()
	return s
}

// TestPublish publishes, reads what was published through the proxy, and finds the publisher's privileges checked.
func TestPublish(t *testing.T) {
	t.Parallel()
	s := publishingSite(t)
	stdout, stderr, status := run(t, "publish", "--policy", s.policy, "--table", "open.k5")
	for _, want := range []string{
		"published: open.k5, of public.people\n", "mechanism: k-anonymity\n", "guarantee: none: it protects nobody", "rows:      3000 published of 3000\n",
		"classes:   ", "charged:   1 release without a guarantee\n", "left:      1 release without a guarantee\n",
	} {
		if status != 0 || !strings.Contains(stdout, want) {
			t.Errorf("publish: status %d, no %q in\n%s%s", status, want, stdout, stderr)
		}
	}
	if stderr != "" {
		t.Errorf("progress where there is no terminal: %q", stderr)
	}
	stdout, stderr, status = run(t, "publish", "--policy", s.policy, "--table", "open.safe", "--json")
	var made struct {
		Publication, Mechanism, Guarantee, Adjacency string
		Rows, Classes                                int
		Charged, Left                                struct{ Epsilon, Delta string }
	}
	if err := json.Unmarshal([]byte(stdout), &made); err != nil || status != 0 {
		t.Fatalf("publish --json: status %d, %v\n%s%s", status, err, stdout, stderr)
	}
	if !strings.HasPrefix(made.Guarantee, "epsilon 1, delta ") || made.Charged.Epsilon != "1" || made.Left.Epsilon != "999" || made.Rows < 400 || made.Rows > 800 || made.Classes < 6 {
		t.Errorf("published %+v", made)
	}
	if strings.Contains(stdout, "3000") || strings.Contains(stdout, "rows_read") {
		t.Errorf("the number of rows is told: %s", stdout)
	}
	stdout, _, _ = run(t, "log", "--policy", s.policy, "--questions")
	if !strings.Contains(stdout, "(steward)") || !strings.Contains(stdout, "publish open.k5 of public.people by k-anonymity") {
		t.Errorf("log:\n%s", stdout)
	}
	stdout, _, _ = run(t, "budget", "--policy", s.policy)
	if !strings.Contains(stdout, "(steward)") {
		t.Errorf("budget:\n%s", stdout)
	}
	s.serve()
	out, err := s.psql(s.url("ana"), "SELECT count(*), count(DISTINCT illness) FROM open.k5; SELECT obj_description('open.k5'::regclass); SELECT count(*) > 2900 FROM people; SELECT 'released ' || question FROM tacit.releases", "-At")
	if err != nil || !strings.Contains(out, "3000|2\n") || !strings.Contains(out, `Published by tacit: {"publication":"open.k5"`) || !strings.Contains(out, "\nt\n") || strings.Count(out, "released ") != 1 {
		t.Errorf("through the proxy: %v\n%s", err, out)
	}
	if _, stderr, status = run(t, "publish", "--policy", s.policy, "--table", "open.k5", "--replace"); status != 0 {
		t.Errorf("while the proxy runs: status %d, %s", status, stderr)
	}
}

// TestProgressText fails if a step whose rows are not told were shown with a number.
func TestProgressText(t *testing.T) {
	if got := progressText("sanitizing", 0) + ", " + progressText("reading", 100_000); got != "sanitizing, reading: 100000 rows" {
		t.Error(got)
	}
}

// TestPublishOverBudget fails if the steward is not told what to raise.
func TestPublishOverBudget(t *testing.T) {
	for want, needed := range map[string]accountant.Loss{
		"raise budget.releases of public.people":                 {Releases: 1},
		"raise budget.epsilon and budget.delta of public.people": {Epsilon: 2, Delta: 3},
	} {
		err := publishError(io.Discard, &accountant.OverBudgetError{Table: policy.TableName{Schema: "public", Name: "people"}, Of: "table", Needed: needed, Remaining: accountant.Loss{Epsilon: 1}})
		if !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "budget does not cover it") {
			t.Error(err)
		}
	}
}

// TestPublishMistakes pins exit statuses.
func TestPublishMistakes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := publishingSite(t)
	for _, c := range []struct {
		args   []string
		status int
		stderr string
	}{
		{nil, 2, "--table NAME is required: there is open.k5, open.safe"},
		{[]string{"--table", "k5"}, 2, "has no schema"},
		{[]string{"--table", "public.people"}, 2, "not under publications"},
		{[]string{"--table", "open.k5", "more"}, 2, "unknown command"},
	} {
		_, stderr, status := run(t, append([]string{"publish", "--policy", s.policy}, c.args...)...)
		if status != c.status || !strings.Contains(stderr, c.stderr) {
			t.Errorf("publish %q: status %d, %q", c.args, status, stderr)
		}
	}
	s.exec("GRANT SELECT ON public.people TO tacit_publisher")
	_, stderr, status := run(t, "publish", "--policy", s.policy, "--table", "open.k5")
	if status != 1 || !strings.Contains(stderr, "-- HIGH: publisher has a privilege") {
		t.Errorf("publish by a reader: status %d, %s", status, stderr)
	}
	stdout, _, status := run(t, "check", "--policy", s.policy)
	if status != 1 || !strings.Contains(stdout, "SELECT on public.people: tacit_publisher") {
		t.Errorf("check: status %d\n%.500s", status, stdout)
	}
	sql, _, _ := run(t, "check", "--policy", s.policy, "--sql")
	if !strings.Contains(sql, "REVOKE ALL ON public.people FROM tacit_publisher CASCADE;") {
		t.Error("check --sql does not say how the publisher's privilege is taken away")
	}
	if !strings.Contains(sql, `CREATE SCHEMA IF NOT EXISTS "open" AUTHORIZATION "tacit_publisher"`) {
		t.Error("check --sql has no publisher")
	}
}
