package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
	"tacit/auditor"
	"tacit/policy"
)

// carrierTables is the policy of a table of people by hair and eyes, of whom some carry a gene.
const carrierTables = `
  public.carriers:
    person: row
    mechanism:
      kind: audit
      private: has_gene
      epsilon: 0.5
      delta: 0.2
      prior: {by: [hair], values: {blonde: 0.5, black: 0.4, "*": 0.3}}
    columns: {hair: {values: [blonde, black, brown]}, eye: {values: [blue, black, brown]}, age: {range: [0, 120]}}
`

// carrierSchema makes it: nine cells of 150 people, some of whom are 70, and two people with red hair, of whom the given number carry.
const carrierSchema = `
CREATE TABLE public.carriers (id int PRIMARY KEY, hair text NOT NULL, eye text NOT NULL, age int NOT NULL, has_gene boolean NOT NULL);
INSERT INTO public.carriers
SELECT 10000 * h + 1000 * e + i, (ARRAY['blonde', 'black', 'brown'])[h], (ARRAY['blue', 'black', 'brown'])[e], 20 + i %% 50 + CASE WHEN i = 150 THEN 50 ELSE 0 END, i <= 75 - 15 * (h - 1) + e
FROM generate_series(1, 3) AS h, generate_series(1, 3) AS e, generate_series(1, 150) AS i;
INSERT INTO public.carriers SELECT i, 'red', 'blue', 30, i <= %d FROM generate_series(1, 2) AS i;
`

// newCarrierSite is a site with an audited table, whose first epoch is sealed.
func newCarrierSite(t *testing.T, redCarriers int) *site {
	s := newSite(t, siteOptions{extra: fmt.Sprintf(carrierSchema, redCarriers), tables: carrierTables})
	stdout, stderr, status := run(t, "seal", "--policy", s.policy, "--table", "public.carriers", "--reason", "a test")
	if status != 0 || !strings.Contains(stdout, "people:     1352, in") || !strings.Contains(stdout, "prior:      hair=red (2 people): f 0.7, t 0.3") {
		t.Fatalf("seal: %d\n%s%s", status, stdout, stderr)
	}
	return s
}

// replayed runs tacit replay, which must find no difference.
func (s *site) replayed() (decisions string) {
	s.t.Helper()
	stdout, stderr, status := run(s.t, "replay", "--policy", s.policy, "--json")
	var proof struct {
		Released, Suppressed int
		Differences          []any
	}
	if err := json.Unmarshal([]byte(stdout), &proof); err != nil || status != 0 || len(proof.Differences) > 0 {
		s.t.Fatalf("replay: %d, %v\n%s%s", status, err, stdout, stderr)
	}
	text, stderr, status := run(s.t, "replay", "--policy", s.policy, "--table", "public.carriers")
	if status != 0 || !strings.Contains(text, "replayed:   every decision follows") {
		s.t.Fatalf("replay: %d\n%s%s", status, text, stderr)
	}
	return fmt.Sprintf("%d released, %d suppressed", proof.Released, proof.Suppressed)
}

// TestAuditInPsql plays an analyst's session with psql: margins, a tracker, EXPLAIN, and what other statements make of the counts.
func TestAuditInPsql(t *testing.T) {
	t.Parallel()
	s := newCarrierSite(t, 1)
	s.serve()
	out, err := s.psql(s.url("ana"), `\pset null NULL
EXPLAIN SELECT hair, eye, count(*) FILTER (WHERE has_gene) FROM carriers GROUP BY CUBE (hair, eye);
SELECT hair, eye, count(*), count(*) FILTER (WHERE has_gene) AS genes FROM carriers WHERE hair <> 'red' GROUP BY CUBE (hair, eye) ORDER BY grouping(hair, eye), 1, 2;
SELECT count(*) FILTER (WHERE has_gene) AS all_but_one FROM carriers WHERE hair = 'brown' AND NOT (eye = 'blue' AND age > 69);
SELECT has_gene, count(*) FROM carriers WHERE hair = 'red' GROUP BY has_gene;
CREATE TABLE shares AS SELECT hair, round(avg(has_gene::int), 3) AS share FROM carriers GROUP BY hair;
SELECT * FROM shares ORDER BY share DESC;
SELECT risk > risk_spent AND risk_spent > 0 AS spent FROM tacit.budget WHERE table_name = 'carriers';
SELECT hair FROM carriers WHERE has_gene;
`, "-q")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	shows(t, out,
		"Audited Count on public.carriers",
		"NOTICE:  public.carriers: exact counts by a simulatable auditor (epsilon 0.5): 9 released, 7 free, 16 public; risk spent ",
		" blonde | black |   150 |    77\n", " brown  | blue  |   150 |    46\n", " blonde | NULL  |   450 |   231\n", " NULL   | NULL  |  1350 |   558\n",
		" all_but_one \n-------------\n        NULL\n",
		" f        |  NULL\n t        |  NULL\n",
		" red    |  NULL\n blonde | 0.513\n", " spent \n-------\n t\n",
		"rows of protected table carriers cannot be read",
	)
	s.replayed()
}

// TestAuditInOtherStatements has exact counts in COPY, in a cursor and in a prepared statement. It fails if one of them says something else than
// the SELECT, or shows what is suppressed.
func TestAuditInOtherStatements(t *testing.T) {
	t.Parallel()
	s := newCarrierSite(t, 1)
	s.serve()
	out, err := s.psql(s.url("ana"), `\pset null NULL
\copy (SELECT hair, count(*) FILTER (WHERE has_gene) FROM carriers GROUP BY hair ORDER BY hair) TO STDOUT WITH (FORMAT csv, NULL 'NULL')
BEGIN;
DECLARE c CURSOR FOR SELECT hair, sum(has_gene::int) FROM carriers GROUP BY hair ORDER BY hair;
FETCH 1 FROM c;
FETCH ALL FROM c;
COMMIT;
PREPARE carried(text) AS SELECT count(*) AS carried FROM carriers WHERE has_gene AND hair = $1;
EXECUTE carried('blonde');
EXECUTE carried('red');
`, "-q")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	shows(t, out,
		"blonde,231\n", "red,NULL\n", " blonde |  231\n", " red    | NULL\n", " carried \n---------\n     231\n", " carried \n---------\n    NULL\n",
	)
	s.replayed()
}

// TestAuditByParameters asks in the extended protocol, and again in other words.
func TestAuditByParameters(t *testing.T) {
	t.Parallel()
	s := newCarrierSite(t, 1)
	s.serve()
	conn := s.connect("ana")
	ask := func(sql string, args ...any) (n *int64) {
		t.Helper()
		if err := conn.QueryRow(context.Background(), sql, args...).Scan(&n); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		return n
	}
	const sql = "SELECT count(*) FROM carriers WHERE has_gene AND hair = $1 AND eye = ANY ($2)"
	for range 2 {
		if n := ask(sql, "black", []string{"blue", "black"}); n == nil || *n != 61+62 {
			t.Errorf("two cells have %v", n)
		}
		if n := ask(sql, "red", []string{"blue"}); n != nil {
			t.Errorf("of two people %d carry", *n)
		}
	}
	if n := ask("SELECT sum(CASE WHEN has_gene THEN 1 ELSE 0 END) FROM carriers WHERE hair IN ('black') AND eye <> $1", "brown"); n == nil || *n != 123 {
		t.Errorf("the same in other words is %v", n)
	}
	if n := ask("SELECT count(*) FROM carriers WHERE hair = $1 AND NOT has_gene AND eye IN ('black', 'blue')", "black"); n == nil || *n != 177 {
		t.Errorf("the others are %v", n)
	}
	s.replayed()
}

// transcript is all that an analyst sees of a session, with its notices and errors, and then the ledger's view of it.
func (s *site) transcript(statements []string) string {
	s.t.Helper()
	p := s.serve()
	out, err := s.psql(s.url("ana"), `\pset null NULL`+"\n"+strings.Join(statements, "\n"))
	if err != nil {
		s.t.Fatalf("%v\n%s", err, out)
	}
	p.stop(syscall.SIGTERM) // writes out what is noted
	log, stderr, status := run(s.t, "log", "--policy", s.policy)
	if status != 0 {
		s.t.Fatal(stderr)
	}
	log = regexp.MustCompile(`(?m)^\S+ \S+|\d{4}-\d\d-\d\d[T ]\S+`).ReplaceAllString(log, "when")
	return strings.ReplaceAll(out+log, s.database, "database")
}

// auditLog is all that the ledger keeps of an audited table but times: of an epoch what the auditor knows of it, which begins the payload
// behind its length; what follows are seals, which differ between databases.
func (s *site) auditLog() []accountant.AuditEvent {
	s.t.Helper()
	l := s.ledger()
	defer l.Close()
	events, err := l.AuditEvents(context.Background(), policy.TableName{Schema: "public", Name: "carriers"}, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	for i := range events {
		e := &events[i]
		e.At = time.Time{}
		if e.Kind == auditor.EventOpened {
			length, n := binary.Uvarint(e.Payload)
			e.Payload = e.Payload[n : n+int(length)]
		}
	}
	return events
}

// TestAuditIsSimulatable has an analyst ask the same of two databases with the same public facts, in which all counts that are released
// are equal, and one that is suppressed is 0 or 2. All that she sees, and all that the ledger has, must be the same: then no suppression
// can tell her which of the two she asked.
func TestAuditIsSimulatable(t *testing.T) {
	t.Parallel()
	statements := []string{
		"SELECT hair, eye, count(*), count(*) FILTER (WHERE has_gene) FROM carriers GROUP BY hair, eye;",
		"SELECT hair, sum(has_gene::int) FROM carriers GROUP BY CUBE (hair);",
		"SELECT count(*) FROM carriers WHERE has_gene;",
		"SELECT has_gene, count(*) FROM carriers WHERE hair IN ('red', 'brown') GROUP BY 1;",
		"SELECT count(*) FROM carriers WHERE has_gene AND hair = 'red' AND age < 40;",
		"SELECT hair FROM carriers GROUP BY hair HAVING count(*) FILTER (WHERE has_gene) > 1 ORDER BY 1;",
		"SELECT hair, 1 / (count(*) FILTER (WHERE has_gene)) FROM carriers GROUP BY hair;",
		"EXPLAIN SELECT hair, age / 10, count(*) FILTER (WHERE has_gene) FROM carriers GROUP BY 1, 2;",
		"SELECT hair, age / 10, count(*) FILTER (WHERE has_gene) FROM carriers GROUP BY 1, 2;",
		"SELECT risk_left, own_risk_spent FROM tacit.budget WHERE table_name = 'carriers';",
		"SELECT count(*) FROM carriers WHERE has_gene = (hair = 'red');",
	}
	one, other := newCarrierSite(t, 0), newCarrierSite(t, 2)
	first, second := one.transcript(statements), other.transcript(statements)
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("(-none of the two carry +both do):\n%s", diff)
	}
	if !strings.Contains(first, "NULL") || !strings.Contains(first, "released") {
		t.Errorf("nothing was suppressed, or nothing released:\n%s", first)
	}
	log := one.auditLog()
	if diff := cmp.Diff(log, other.auditLog()); diff != "" || len(log) < 5 {
		t.Errorf("logs of %d events (-none of the two carry +both do):\n%s", len(log), diff)
	}
	if a, b := one.replayed(), other.replayed(); a != b {
		t.Errorf("replays: %s; %s", a, b)
	}
}

// TestAuditKillNine kills the proxy under load: what was shown is charged, recorded, answered alike afterwards, and follows from the log.
func TestAuditKillNine(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newCarrierSite(t, 1)
	var shown []shownAnswer
	for round := range 3 {
		shown = append(shown, s.loadAndKill(3, 8+rand.N(10), func(client, i int) (analyst, question string) {
			return []string{"ana", "bob"}[client%2],
				fmt.Sprintf("SELECT hair, count(*) FILTER (WHERE has_gene) FROM carriers WHERE age BETWEEN %d AND %d GROUP BY hair ORDER BY 1",
					(round*7+client*3+i)%20, 40+(i*5+client)%40)
		})...)
		s.replayed()
	}
	s.serve()
	conn := s.connect("ana")
	released := 0
	for _, a := range shown {
		rows, err := readRows(context.Background(), conn, a.question)
		if err != nil {
			t.Fatal(err)
		}
		before, after := strings.Fields(a.rows), strings.Fields(rows)
		for i, row := range before {
			if strings.HasSuffix(row, "|NULL|") {
				continue // what was suppressed may follow from later answers
			}
			if released++; after[i] != row {
				t.Fatalf("%s\nbefore the crash: %s\nafter it:         %s", a.question, a.rows, rows)
			}
		}
	}
	if released == 0 {
		t.Fatalf("%d answers were shown, and no count released: the test says nothing", len(shown))
	}
}

// TestReplayOfAChangedLog names another analyst in the log, and takes its last entry away. All decisions stay the same: it fails if replay is
// content with that.
func TestReplayOfAChangedLog(t *testing.T) {
	t.Parallel()
	dropped := "PRAGMA foreign_keys = off;"
	for _, trigger := range []string{"entry_stays", "charge_stays", "audit_event_stays", "audit_answer_stays", "entry_is_kept"} {
		dropped += "DROP TRIGGER " + trigger + ";"
	}
	s := newCarrierSite(t, 1)
	server := s.serve()
	s.mustPsql(s.url("ana"), "SELECT hair, count(*) FILTER (WHERE has_gene) FROM carriers GROUP BY hair; SELECT eye, count(*) FILTER (WHERE has_gene) FROM carriers GROUP BY eye;")
	server.stop(syscall.SIGTERM)
	ledger := filepath.Join(s.dir, "tacit.db")
	written := readText(t, ledger)
	for name, change := range map[string]string{
		"renamed": "UPDATE entry SET analyst = 'bob' WHERE analyst = 'ana' AND kind IN ('charged', 'decided')",
		"removed": `CREATE TEMP TABLE last AS SELECT max(id) AS id FROM entry WHERE kind IN ('charged', 'decided');
			DELETE FROM audit_answer WHERE event IN (SELECT id FROM audit_event WHERE entry >= (SELECT id FROM last));
			DELETE FROM audit_event WHERE entry >= (SELECT id FROM last); DELETE FROM charge WHERE entry >= (SELECT id FROM last); DELETE FROM entry WHERE id >= (SELECT id FROM last)`,
	} {
		if err := os.WriteFile(ledger, []byte(written), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, stderr, status := run(t, "replay", "--policy", s.policy); status != 0 || !strings.Contains(out, "verified:   every entry follows") {
			t.Fatalf("%s, before: %d\n%s%s", name, status, out, stderr)
		}
		execSQLite(t, ledger, dropped+change)
		out, stderr, status := run(t, "replay", "--policy", s.policy)
		if status != 1 || !strings.Contains(out, "verified:   NOT as it was written") || !strings.Contains(stderr, "the ledger is not as it was written") {
			t.Errorf("%s: %d\n%s%s", name, status, out, stderr)
		}
	}
}

// TestSealCommand refuses what cannot be sealed, and says what is not sealed.
func TestSealCommand(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{extra: fmt.Sprintf(carrierSchema, 1), tables: carrierTables})
	stdout, _, _ := run(t, "check", "--policy", s.policy)
	if !strings.Contains(stdout, "note: counts of public.carriers are refused until an epoch is sealed") {
		t.Errorf("check says\n%s", stdout)
	}
	if _, stderr, status := run(t, "seal", "--policy", s.policy, "--table", "public.people"); status != 2 || !strings.Contains(stderr, "is no audited table of the policy; there is public.carriers") {
		t.Errorf("%d %s", status, stderr)
	}
	if _, stderr, status := run(t, "replay", "--policy", s.policy); status != 1 {
		t.Errorf("%d %s", status, stderr)
	}
	s.serve()
	if out, _ := s.psql(s.url("ana"), "SELECT count(*) FROM carriers;"); !strings.Contains(out, "table public.carriers has no epoch yet") {
		t.Error(out)
	}
	if _, stderr, status := run(t, "seal", "--policy", s.policy); status != 0 {
		t.Errorf("beside a proxy: %d %s", status, stderr)
	}
	var out string
	eventually(t, &out, func() bool {
		out, _ = s.psql(s.url("ana"), "SELECT count(*) FROM carriers;")
		return strings.Contains(out, "exact counts by a simulatable auditor")
	})
}

// A forecastRow is what is predicted of a statement.
type forecastRow struct {
	Counts, Shown, Suppressed, Dependent int
	Refused                              string
}

// TestForecastComesTrue predicts what becomes of statements, before the first epoch and after it, and then asks them. It fails if something
// else is answered than was predicted, or if a prediction leaves a trace.
func TestForecastComesTrue(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newSite(t, siteOptions{extra: fmt.Sprintf(carrierSchema, 1), tables: carrierTables})
	questions := []string{
		"SELECT eye, count(*) FILTER (WHERE has_gene) FROM carriers\n  GROUP BY eye",
		"SELECT hair, count(*) FILTER (WHERE has_gene) FROM carriers GROUP BY hair",
		"SELECT count(*) FROM carriers WHERE has_gene AND age < 60",
		"SELECT count(*) FROM carriers",
		"SELECT avg(age) FROM carriers WHERE has_gene",
		"SELECT count(*) FROM carriers WHERE has_gene AND eye = 'blue'",
	}
	file := filepath.Join(t.TempDir(), "questions.sql")
	if err := os.WriteFile(file, []byte(strings.Join(questions, ";\n")+";\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	predict := func() (forecasts []forecastRow) {
		t.Helper()
		stdout, stderr, status := run(t, "plan", "--policy", s.policy, "--questions", file, "--json")
		if err := json.Unmarshal([]byte(stdout), &forecasts); err != nil || status != 0 || len(forecasts) != len(questions) {
			t.Fatalf("%d, %v\n%s%s", status, err, stdout, stderr)
		}
		return forecasts
	}
	before := predict()
	text, _, _ := run(t, "plan", "--policy", s.policy, "--questions", file)
	if !strings.Contains(text, "question 1: ") || !strings.Contains(text, "refused: ") || !strings.Contains(text, "nothing was charged") {
		t.Error(text)
	}
	if _, stderr, status := run(t, "replay", "--policy", s.policy); status != 1 || !strings.Contains(stderr, "there is no ledger yet") {
		t.Errorf("a prediction was written down: %d %s", status, stderr)
	}
	if _, stderr, status := run(t, "seal", "--policy", s.policy); status != 0 {
		t.Fatal(stderr)
	}
	s.serve()
	shown := 0
	for i, q := range questions {
		f := before[i]
		next := predict()[i]
		out, _ := s.psql(s.url("ana"), q+";")
		if (f.Refused != "") != strings.Contains(out, "ERROR") {
			t.Errorf("%s: predicted %+v, and it is\n%s", q, f, out)
		}
		suppressed := fmt.Sprintf("%d suppressed (NULL)", f.Suppressed)
		if f.Refused == "" && strings.Contains(out, "suppressed (NULL)") != (f.Suppressed > 0) || f.Suppressed > 0 && !strings.Contains(out, suppressed) {
			t.Errorf("%s: predicted %+v, and it is\n%s", q, f, out)
		}
		if next.Dependent == 0 && f != next {
			t.Errorf("%s: predicted %+v before the epoch, and %+v as the next question", q, f, next)
		}
		shown += f.Shown
	}
	if shown < 7 || before[4].Refused == "" {
		t.Errorf("%+v", before)
	}
}

// TestSealTriesThePrior refuses a prior that the first questions would refute, until it is told to seal all the same; plan says the same
// before. It fails if a table is closed by its first question without anybody having been warned.
func TestSealTriesThePrior(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	wrong := strings.Replace(carrierTables, `prior: {by: [hair], values: {blonde: 0.5, black: 0.4, "*": 0.3}}`, "prior: {by: [], value: 0.3}", 1)
	s := newSite(t, siteOptions{extra: fmt.Sprintf(carrierSchema, 1), tables: wrong})
	const finding = "an alarm is nearly certain with by: []: "
	if stdout, stderr, _ := run(t, "plan", "--policy", s.policy); !strings.Contains(stdout+stderr, finding) || !strings.Contains(stdout+stderr, "GROUP BY hair for one") {
		t.Errorf("plan: %s%s", stdout, stderr)
	}
	if _, stderr, status := run(t, "seal", "--policy", s.policy); status != 1 || !strings.Contains(stderr, finding) || !strings.Contains(stderr, "--despite-misfit") {
		t.Errorf("seal: %d %s", status, stderr)
	}
	if _, stderr, status := run(t, "seal", "--policy", s.policy, "--despite-misfit"); status != 0 {
		t.Errorf("seal --despite-misfit: %d %s", status, stderr)
	}
	s.serve()
	if out, _ := s.psql(s.url("ana"), "SELECT hair, count(*) FILTER (WHERE has_gene) FROM carriers GROUP BY hair;\nSELECT count(*) FROM carriers WHERE has_gene AND eye = 'blue';"); !strings.Contains(out, "nothing new is released since") {
		t.Errorf("no alarm:\n%s", out)
	}
}

// TestPlanCommand finds a plan, writes it into the policy, seals it, and asks for unions of its blocks, which are answered without a decision.
func TestPlanCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newSite(t, siteOptions{extra: fmt.Sprintf(carrierSchema, 1) + ";DELETE FROM public.carriers WHERE hair = 'red'", tables: carrierTables})
	stdout, stderr, status := run(t, "plan", "--policy", s.policy, "--write")
	if status != 0 || !strings.Contains(stdout, "answered:   for ever: GROUP BY any of hair, eye") {
		t.Fatalf("plan: %d\n%s%s", status, stdout, stderr)
	}
	t.Log(stdout)
	text, err := os.ReadFile(s.policy)
	if err != nil || !strings.Contains(string(text), "certified: {hair: values") {
		t.Fatalf("%v\n%s", err, text)
	}
	sealed, stderr, status := run(t, "seal", "--policy", s.policy)
	if status != 0 || !strings.Contains(sealed, "certified:  ") {
		t.Fatalf("seal: %d\n%s%s", status, sealed, stderr)
	}
	if _, stderr, status := run(t, "plan", "--policy", s.policy); status != 1 || !strings.Contains(stderr, "has an epoch already") {
		t.Errorf("%d %s", status, stderr)
	}
	s.serve()
	out, err := s.psql(s.url("ana"), "SELECT hair, count(*) FILTER (WHERE has_gene) FROM carriers GROUP BY hair;\nSELECT count(*) FROM carriers WHERE has_gene AND (hair = 'black' OR eye = 'blue');", "-q")
	if err != nil || !strings.Contains(out, "3 certified; no risk spent") || !strings.Contains(out, " black  |   186\n") || !strings.Contains(out, "1 certified") {
		t.Errorf("%v\n%s", err, out)
	}
	s.replayed()
}

// TestSecondSeal prints a later epoch. It fails if people of a type are said to be none, or if help points to the wrong document.
func TestSecondSeal(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newCarrierSite(t, 1)
	stdout, stderr, status := run(t, "seal", "--policy", s.policy)
	if status != 0 || !strings.Contains(stdout, "sealed:     epoch 2 of public.carriers") || !strings.Contains(stdout, "hair=blonde (450 people): f 0.5, t 0.5") {
		t.Errorf("%d\n%s%s", status, stdout, stderr)
	}
	if stdout, _, _ = run(t, "seal", "--help"); !strings.Contains(stdout, "docs/operations.md") || !strings.Contains(stdout, "--acknowledge-alarm") {
		t.Error(stdout)
	}
	if _, stderr, status := run(t, "seal", "--policy", s.policy, "--acknowledge-alarm", "--reason", "x"); status != 1 || !strings.Contains(stderr, "there is no alarm") {
		t.Errorf("%d %s", status, stderr)
	}
}
