package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/user"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"
)

// TestActs grants, freezes, thaws and opens an epoch beside a running proxy, to which each applies at once; and all of it is in the log.
func TestActs(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{budget: "0.5"})
	s.serve()
	conn := s.connect("ana")
	ask := func(condition, code, message string) {
		t.Helper()
		_, err := readRows(context.Background(), conn, "SELECT count(*) FROM people WHERE age > "+condition)
		var refused *pgconn.PgError
		errors.As(err, &refused)
		switch {
		case code == "" && err != nil:
			t.Errorf("age > %s: %v", condition, err)
		case code != "" && (refused == nil || refused.Code != code || !strings.Contains(refused.Message+refused.Detail, message)):
			t.Errorf("age > %s: %v; want %s %s", condition, err, code, message)
		}
	}
	act := func(want string, args ...string) {
		t.Helper()
		out, stderr, status := run(t, append([]string{"budget", args[0], "--policy", s.policy, "--table", "public.people"}, args[1:]...)...)
		if status != 0 || !strings.HasPrefix(out, want) {
			t.Errorf("tacit budget %v: status %d, %q %s; want %q", args, status, out, stderr, want)
		}
	}
	ask("1", "", "")
	ask("2", "53400", "")
	act("granted epsilon 1: public.people, which makes epsilon 1.5, delta 1e-4 (entry ", "grant", "--epsilon", "1", "--reason", "the board's decision")
	ask("2", "", "")
	act("granted epsilon 0.25: bob on public.people, which makes epsilon 2.25 (entry ", "grant", "--analyst", "bob", "--epsilon", "0.25", "--reason", "his second study")
	act("frozen: ana on public.people (entry ", "freeze", "--analyst", "ana", "--reason", "asks for single houses")
	ask("3", "55000", "asks for single houses")
	ask("1", "", "") // what was answered is free
	act("thawed: ana on public.people (entry ", "thaw", "--analyst", "ana", "--reason", "talked to her")
	ask("3", "", "")
	ask("4", "53400", "")
	act("opened an epoch: public.people (entry ", "epoch", "--reason", "other people")
	time.Sleep(300 * time.Millisecond) // within which a proxy may still repeat what was answered in the former epoch
	ask("1", "", "")                   // a new question, on a new budget, in which nothing is granted
	ask("2", "53400", "")

	out, stderr, status := run(t, "budget", "--all", "--policy", s.policy)
	want := strings.TrimLeft(`
TABLE          ANALYST  SPENT        BUDGET                   LEFT                   RULE
public.people  (all)    epsilon 0.5  epsilon 0.5, delta 1e-4  epsilon 0, delta 1e-4  basic
    epoch 2
public.people  ana      epsilon 0.5  -                        -                      basic
public.people  bob      epsilon 0    epsilon 2                epsilon 2              basic
`, "\n")
	if diff := cmp.Diff(want, out); status != 0 || diff != "" {
		t.Errorf("budget: status %d, %s%s", status, stderr, diff)
	}
	testLogOfActs(t, s)
}

// testLogOfActs finds in the log what TestActs did.
func testLogOfActs(t *testing.T, s *site) {
	t.Helper()
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	out, _, _ := run(t, "log", "--policy", s.policy, "--json")
	var acts []string
	for line := range strings.Lines(out) {
		var e struct {
			Analyst, Table, Verdict, By, Reason string
			Loss, Granted                       *struct{ Epsilon string }
		}
		fromJSON(t, line, &e)
		if e.By == "" {
			continue
		}
		if e.By != me.Username {
			t.Errorf("done by %q, want %q", e.By, me.Username)
		}
		if e.Loss != nil {
			t.Errorf("what was granted is shown as lost: %s", line)
		}
		if e.Granted != nil {
			e.Verdict += " " + e.Granted.Epsilon
		}
		acts = append(acts, strings.Join([]string{e.Analyst, e.Table, e.Verdict, e.Reason}, "|"))
	}
	want := []string{
		"|public.people|granted 1|the board's decision", "bob|public.people|granted 0.25|his second study", "ana|public.people|frozen|asks for single houses",
		"ana|public.people|thawed|talked to her", "|public.people|epoch|other people",
	}
	same(t, want, acts)
	out, _, _ = run(t, "log", "--policy", s.policy, "--verdict", "granted")
	for _, line := range []string{"(steward) public.people granted (epsilon 1) by " + me.Username + ": the board's decision", "bob public.people granted (epsilon 0.25)"} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), line) {
			t.Errorf("log --verdict granted has no %s:\n%s", line, out)
		}
	}
}

// TestActsThatAreRefused changes nothing.
func TestActsThatAreRefused(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{tables: auditedTable + otherTables, extra: auditedSchema + otherSchema})
	s.serve() // makes the ledger
	for _, c := range []struct {
		args   string
		status int
		stderr string
	}{
		{"grant --table public.people --epsilon 1", 2, "--reason TEXT is required"},
		{"grant --epsilon 1 --reason x", 2, "--table NAME is required"},
		{"grant --table public.nobody --epsilon 1 --reason x", 2, "no protected table"},
		{"grant --table public.people --reason x", 2, "nothing is granted"},
		{"grant --table public.people --epsilon -1 --reason x", 2, "--epsilon"},
		{"grant --table public.people --epsilon 1 --analyst eve --reason x", 2, "no analyst"},
		{"grant --table public.people --epsilon 1 --analyst ana --reason x", 2, "has no cap"},
		{"grant --table public.people --delta 1e-9 --analyst bob --reason x", 2, "does not bound"},
		{"grant --table public.people --releases 3 --reason x", 2, "no budget.releases"},
		{"grant --table public.swapped --epsilon 1 --reason x", 2, "no budget.epsilon"},
		{"grant --table public.swapped --delta 1e-9 --reason x", 2, "nothing of public.swapped is charged in delta"},
		{"grant --table public.summed --delta 1e-9 --reason x", 2, "nothing of public.summed is charged in delta"},
		{"grant --table public.carriers --epsilon 1 --reason x", 2, "is audited"},
		{"epoch --table public.carriers --reason x", 2, "tacit seal"},
		{"thaw --table public.people --reason x", 1, "frozen"},
		{"freeze --table public.people --reason \x1b[2Jx", 2, "control characters"},
		{"freeze --table public.people --reason \xff", 2, "not UTF-8"},
		{"freeze --table public.people --reason " + strings.Repeat("x", 501), 2, "more than 500 characters"},
	} {
		_, stderr, status := run(t, append([]string{"budget"}, append(strings.Fields(c.args), "--policy", s.policy)...)...)
		if status != c.status || !strings.Contains(stderr, c.stderr) {
			t.Errorf("tacit budget %s: status %d, %q; want %d and %q", c.args, status, stderr, c.status, c.stderr)
		}
	}
	if out, _, _ := run(t, "log", "--policy", s.policy); strings.Count(out, "\n") != 1 {
		t.Errorf("something was written:\n%s", out)
	}
}

const auditedSchema = `
CREATE TABLE public.carriers (hair text NOT NULL, has_gene boolean NOT NULL);
INSERT INTO public.carriers SELECT 'black', i % 3 = 0 FROM pg_catalog.generate_series(1, 300) AS i;
`

const auditedTable = `
  public.carriers:
    person: row
    mechanism: {kind: audit, private: has_gene, epsilon: 0.5, delta: 0.2, prior: {by: [hair], values: {black: 0.3}}}
    columns: {hair: {values: [black]}}
`

const otherSchema = `
CREATE TABLE public.swapped (sex text NOT NULL);
CREATE TABLE public.summed (sex text NOT NULL);
`

const otherTables = `
  public.swapped:
    person: row
    mechanism: {kind: suppression, k: 5, accept: no-guarantee}
    budget: {releases: 3}
    columns: {sex: {values: [F, M]}}
  public.summed:
    person: row
    mechanism: {kind: geometric, epsilon: 0.5, delta: 0}
    budget: {epsilon: 1, composition: basic}
    columns: {sex: {values: [F, M]}}
`

// TestVerify proves a sound ledger, also while it is written; finds that it is not the one that was noted; and finds a forged entry.
func TestVerify(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	s.serve()
	conn := s.connect("ana")
	mustRead(t, conn, "SELECT count(*) FROM people", "SELECT sex, count(*) FROM people GROUP BY sex")
	verify := func(path string, args ...string) (proof struct {
		Head     string
		Verified bool
		Charges  int64
		Problems []struct{ Text string }
	}, status int) {
		t.Helper()
		out, stderr, status := run(t, append([]string{"verify", "--json", "--policy", path}, args...)...)
		if err := json.Unmarshal([]byte(out), &proof); err != nil {
			t.Fatalf("%v: %s%s", err, out, stderr)
		}
		return proof, status
	}
	first, status := verify(s.policy)
	if status != 0 || !first.Verified || first.Charges != 2 {
		t.Fatalf("status %d: %+v", status, first)
	}
	mustRead(t, conn, "SELECT region, count(*) FROM people GROUP BY region")
	if again, status := verify(s.policy, "--expect", first.Head); status != 0 || again.Head == first.Head {
		t.Errorf("with the head that was noted before: status %d: %+v", status, again)
	}
	for _, noted := range []string{"999999" + first.Head[strings.Index(first.Head, ":"):], "1" + first.Head[strings.Index(first.Head, ":"):]} {
		if other, status := verify(s.policy, "--expect", noted); status != 1 || len(other.Problems) != 1 {
			t.Errorf("with the head %s: status %d: %+v", noted, status, other)
		}
	}
	for _, none := range []string{"12", ""} {
		if _, stderr, status := run(t, "verify", "--policy", s.policy, "--expect", none); status != 2 || !strings.Contains(stderr, "--expect") {
			t.Errorf("%q as the noted head: status %d, %s", none, status, stderr)
		}
	}
	copied := s.copyLedger(t)
	if same, status := verify(copied, "--expect", first.Head); status != 0 || !same.Verified {
		t.Fatalf("a copy: status %d: %+v", status, same)
	}
	if bare, status := verify(copied); status != 1 || len(bare.Problems) != 1 || !strings.Contains(bare.Problems[0].Text, "guard file is missing") {
		t.Errorf("a copy without its guard: status %d: %+v", status, bare)
	}
	s.forge(t, copied)
	if forged, status := verify(copied); status != 1 || forged.Verified || len(forged.Problems) == 0 {
		t.Errorf("forged: status %d: %+v", status, forged)
	}
}

// TestLogFilters reads days as the policy does, and refuses what is none of the policy's or the ledger's names rather than showing nothing.
func TestLogFilters(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	s.serve()
	conn := s.connect("ana")
	mustRead(t, conn, "SELECT count(*) FROM people")
	for _, c := range []struct {
		args   string
		status int
		stderr string
		lines  int
	}{
		{"--since 30d", 0, "", 2},
		{"--since 1d12h --table public.people --analyst ana", 0, "", 2},
		{"--analyst bob", 0, "", 1},
		{"--analyst (steward)", 0, "", 1},
		{"--since yesterday", 2, "30s, 5m, 12h or 30d", 0},
		{"--since -1h", 2, "--since", 0},
		{"--limit -1", 2, "--limit", 0},
		{"--table public.nope", 2, "public.nope is no protected table", 0},
		{"--analyst zed", 2, `"zed" is no analyst`, 0},
		{"--verdict sold", 2, "charged decided replayed derived refused granted frozen thawed epoch", 0},
	} {
		out, stderr, status := run(t, append([]string{"log", "--policy", s.policy}, strings.Fields(c.args)...)...)
		if status != c.status || !strings.Contains(stderr, c.stderr) || strings.Count(out, "\n") != c.lines {
			t.Errorf("tacit log %s: status %d, %q\n%s; want %d, %q and %d lines", c.args, status, stderr, out, c.status, c.stderr, c.lines)
		}
	}
	// What was asked under a former policy is shown, whether the present one has such an analyst or not.
	text := readText(t, s.policy)
	s.writePolicy(strings.Replace(text, "  ana:", "  eve:", 1))
	if out, stderr, status := run(t, "log", "--policy", s.policy, "--analyst", "ana"); status != 0 || strings.Count(out, "\n") != 2 {
		t.Errorf("an analyst of a former policy: status %d, %s\n%s", status, stderr, out)
	}
}

// copyLedger makes a backup of the ledger with a policy beside it, and returns the policy's path.
func (s *site) copyLedger(t *testing.T) string {
	t.Helper()
	text := readText(t, s.policy)
	dir := t.TempDir()
	execSQLite(t, s.dir+"/tacit.db", "VACUUM INTO '"+dir+"/tacit.db'")
	if err := os.WriteFile(dir+"/policy.yaml", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir + "/policy.yaml"
}

// forge makes one analyst's charge another's, past what keeps slips of the hand from the ledger.
func (s *site) forge(t *testing.T, policyPath string) {
	t.Helper()
	path := strings.TrimSuffix(policyPath, "policy.yaml") + "tacit.db"
	execSQLite(t, path, "DROP TRIGGER entry_is_kept")
	execSQLite(t, path, "UPDATE entry SET analyst = 'bob' WHERE analyst = 'ana' AND kind = 'charged'")
}
