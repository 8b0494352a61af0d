package publish_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release"
	"tacit/release/curator"
	"tacit/release/internal/live"
	"tacit/release/internal/site"
	"tacit/release/publish"
)

// The tests of publications use a table of 2,000 people with names that need quotes, dates, booleans, numbers with a scale, NULLs and
// values outside what the policy declares: 20 regions "elsewhere", 10 ages of 200.
const openSchema = `
CREATE SCHEMA "The Clinic";
CREATE TABLE "The Clinic"."All People" (id int PRIMARY KEY, "Sex (m/f)" character(1), age smallint, region text, admitted date NOT NULL, insured bool,
  weight numeric(5,2), note varchar(40) COLLATE "C", secret text);
INSERT INTO "The Clinic"."All People" SELECT i, CASE WHEN i % 50 = 0 THEN NULL WHEN i % 3 = 0 THEN 'F' ELSE 'M' END, CASE WHEN i % 200 = 0 THEN 200 ELSE (i * 37) % 100 END,
  CASE WHEN i % 100 = 0 THEN 'elsewhere' ELSE (ARRAY['north', 'west', 'east', 'south'])[1 + i * 7 % 4] END, DATE '2020-01-01' + i * 13 % 700,
  CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN true ELSE false END, (i * 11 % 400) / 4.0, CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN E'a\tb\\N' ELSE 'n' || i % 7 END, 'secret'
FROM generate_series(1, 2000) AS i;
`

// openPolicy has publications of every kind.
const openPolicy = `
listen: 127.0.0.1:6432
upstream:
  analyst: postgres://{analyst}@%[1]s:%[2]d/%[3]s?sslmode=disable
  curator: postgres://open_curator@%[1]s:%[2]d/%[3]s?sslmode=disable
  publisher: postgres://open_publisher@%[1]s:%[2]d/%[3]s?sslmode=disable
ledger: sqlite:open.db
auth: trust
analysts: {open_ana: {}, open_bob: {}}
tables:
  '"The Clinic"."All People"':
    person: row
    adjacency: replace-one
    mechanism: {kind: geometric, epsilon: 1}
    budget: {epsilon: 5, delta: 1e-1, releases: 6}
    columns:
      "Sex (m/f)": {values: [M, F]}
      age: {range: [0, 99]}
      region: {values: [north, west, east, south]}
      admitted: {range: [2020-01-01, 2021-12-31]}
      insured: {values: [false, true]}
      weight: {}
      note: {}
publications:
  open.k5:
    of: &of '"The Clinic"."All People"'
    kind: k-anonymity
    quasi: ["Sex (m/f)", age, region, admitted, insured]
    k: 5
    hierarchies: {region: {coast: [north, west], inland: [east, south]}}
    accept: no-guarantee
  open.learnt: {of: *of, kind: k-anonymity, quasi: [weight, note], columns: [note, weight, age], k: 20, output: intervals, accept: no-guarantee}
  open.drawn: {of: *of, kind: k-anonymity, quasi: ["Sex (m/f)", age, admitted], k: 10, output: values, accept: no-guarantee}
  open.sample: {of: *of, kind: dp-k-anonymity, quasi: [age, insured], k: 5, epsilon: 1, accept: no-guarantee}
  open.swapped: {of: *of, kind: swapping, quasi: ["Sex (m/f)", age], rate: 0.5, accept: no-guarantee}
  'open."Donors'' copy"': {of: *of, kind: dp-swapping-donor, quasi: [region, admitted], columns: [region, admitted, note], rate: 0.5, epsilon: 2, compare: [age, weight], donors: any-record, accept: no-guarantee}
  open.responses: {of: *of, kind: dp-swapping, quasi: ["Sex (m/f)", region, insured], columns: [insured, "Sex (m/f)", region], epsilon: 2}
  open.safe:
    of: *of
    kind: safe-k-anonymity
    quasi: ["Sex (m/f)", age, region, insured]
    columns: ["Sex (m/f)", age, region, insured]
    k: 10
    epsilon: 2
    beta: 0.4
    generalise: {"Sex (m/f)": 1, age: 30, region: 1, insured: 0}
    hierarchies: {region: {coast: [north, west], inland: [east, south]}}
  open.leaky: {of: *of, kind: safe-k-anonymity, quasi: [insured], columns: [insured], k: 2, epsilon: 1, beta: 0.4, generalise: {insured: 1}}
  open.typed: {of: *of, kind: safe-k-anonymity, quasi: [insured], k: 5, epsilon: 1, beta: 0.9, generalise: {insured: 1}, output: values, accept: no-guarantee}
`

func TestMain(m *testing.M) { site.Main(m) }

// A ward is a site whose tables are published.
type ward struct{ *site.Site }

func newWardOf(t testing.TB, schema, text string) *ward {
	t.Helper()
	return &ward{site.New(t, schema, text)}
}

func newOpenWard(t *testing.T) *ward {
	t.Helper()
	return newWardOf(t, openSchema, strings.NewReplacer("&of ", "", "*of", `'"The Clinic"."All People"'`).Replace(openPolicy))
}

// publish publishes with seeded randomness.
func (w *ward) publish(name string, replace bool) (*publish.Published, error) {
	w.T.Helper()
	return w.publishWith(name, publish.Request{Replace: replace, Random: rand.NewChaCha8([32]byte{3})})
}

func (w *ward) publishWith(name string, r publish.Request) (*publish.Published, error) {
	w.T.Helper()
	var err error
	if r.Name, err = policy.ParseTableName(name); err != nil {
		w.T.Fatal(err)
	}
	return publish.Publish(context.Background(), w.Policy, r)
}

func (w *ward) mustPublish(name string) *publish.Published {
	w.T.Helper()
	made, err := w.publish(name, false)
	if err != nil {
		w.T.Fatalf("%s: %v", name, err)
	}
	return made
}

// rows asks as a role, with plain SQL, and prints the rows.
func (w *ward) rowsOf(role, sql string) string {
	w.T.Helper()
	out, err := site.Psql(w.T, role, w.Database, `\pset format unaligned`+"\n"+`\pset tuples_only`+"\n"+`\pset null NULL`+"\n"+sql)
	if err != nil {
		w.T.Fatalf("%s: %v\n%s", sql, err, out)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for len(lines) > 0 && (strings.Contains(lines[0], "format is") || strings.Contains(lines[0], "Tuples only") || strings.Contains(lines[0], "Null display")) {
		lines = lines[1:]
	}
	return strings.Join(lines, "\n")
}

// want compares what an analyst sees.
func (w *ward) want(sql, want string) {
	w.T.Helper()
	if got := w.rowsOf("open_ana", sql); got != want {
		w.T.Errorf("%s\ngot  %s\nwant %s", sql, got, want)
	}
}

// ledgerSpent is what was charged for the people, and the ledger must be sound.
func (w *ward) ledgerSpent() (spent accountant.Loss) {
	w.T.Helper()
	ctx := context.Background()
	l, err := ledger.OpenReadOnly(ctx, w.Policy.Ledger)
	if err != nil {
		w.T.Fatal(err)
	}
	defer l.Close()
	if found, err := l.Verify(ctx, nil); err != nil || len(found.Problems) > 0 {
		w.T.Fatalf("the ledger: %+v, %v", found, err)
	}
	entries, err := l.Log(ctx, ledger.LogFilter{Table: w.Policy.Tables[0].Name, Verdict: ledger.Charged})
	if err != nil {
		w.T.Fatal(err)
	}
	for _, e := range entries {
		if spent = spent.Add(e.Loss); e.Analyst != live.Steward {
			w.T.Errorf("%v was charged to %s", e.Loss, e.Analyst)
		}
	}
	return spent
}

const people = `"The Clinic"."All People"`

// TestPublishKAnonymity compares the copy with the table: every class has k rows, says what is true of its rows, and other columns stay.
func TestPublishKAnonymity(t *testing.T) {
	w := newOpenWard(t)
	made := w.mustPublish("open.k5")
	if made.Rows != 2000 || made.RowsRead != 2000 || made.Classes < 100 || made.Guarantee != "none" ||
		made.Charged != (accountant.Loss{Releases: 1}) || made.Left != (accountant.Loss{Epsilon: 5e9, Delta: 1e17, Releases: 5}) {
		t.Errorf("published %+v", made)
	}
	const classes = `(SELECT count(*) AS n FROM open.k5 GROUP BY "Sex (m/f)", age, region, admitted, insured) AS c`
	w.want("SELECT count(*), sum(n), min(n) >= 5 FROM "+classes, fmt.Sprintf("%d|2000|t", made.Classes))
	w.want("SELECT count(*) FROM open.k5 WHERE age ~ '[^][0-9,{}\"NUL]'", "0")
	w.want("SELECT bool_and(region IN ('north', 'west', 'east', 'south', 'coast', 'inland', '*') OR region LIKE '{%,NULL}' OR region IS NULL) FROM open.k5", "t")
	// Intervals hold what they should: the classes between them cover every age as often as the table has it.
	w.want(`SELECT count(*) FROM open.k5 WHERE age ~ '^[0-9]+$' OR age ~ '^\[' AND lower(age::int4range) < upper(age::int4range) OR age ~ '^{' OR age IS NULL`, "2000")
	w.want(`SELECT count(*) FROM open.k5 WHERE admitted ~ '^\[' AND NOT admitted::daterange <@ '[2020-01-01,2021-12-31]'::daterange`, "0")
	w.want(`SELECT count(*) FROM open.k5 WHERE insured IS NOT NULL AND insured NOT IN ('true', 'false', '{false,true}', '{false,true,NULL}', '{false,NULL}', '{true,NULL}')`, "0")
	w.Exec("CREATE TABLE notes AS SELECT note, weight, count(*) AS n FROM " + people + " GROUP BY note, weight; GRANT SELECT ON notes TO open_ana")
	w.want("SELECT count(*) FROM (SELECT * FROM notes EXCEPT ALL SELECT note, weight, count(*) FROM open.k5 GROUP BY note, weight) AS d", "0")
	w.want(`SELECT string_agg(format('%s %s', attname, format_type(atttypid, atttypmod)), ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'open.k5'::regclass AND attnum > 0`,
		"Sex (m/f) text, age text, region text, admitted text, insured text, weight numeric(5,2), note character varying(40)")
	w.want("SELECT count(*) FROM pg_attribute AS a JOIN pg_collation AS c ON c.oid = a.attcollation WHERE attrelid = 'open.k5'::regclass AND attname = 'note' AND collname = 'C'", "1")
	// Rows lie in the order of their values.
	w.want(`SELECT bool_and(i = j) FROM (SELECT row_number() OVER (ORDER BY ctid) AS i, row_number() OVER (ORDER BY "Sex (m/f)" COLLATE "C", age COLLATE "C", region COLLATE "C",
		admitted COLLATE "C", insured COLLATE "C", weight, note COLLATE "C", ctid) AS j FROM open.k5) AS r`, "t")
}

// TestPublishLearntAndReconstructed publishes columns without declared domains, and values in place of intervals.
func TestPublishLearntAndReconstructed(t *testing.T) {
	w := newOpenWard(t)
	made := w.mustPublish("open.learnt")
	w.want("SELECT sum(n), min(n) >= 20, count(*) FROM (SELECT count(*) AS n FROM open.learnt GROUP BY note, weight) AS c", fmt.Sprintf("2000|t|%d", made.Classes))
	// Merged values are an array, in which everything is quoted that has to be.
	w.want(`SELECT count(*) FROM (SELECT unnest(note::text[]) AS v FROM open.learnt WHERE note LIKE '{%') AS n WHERE v NOT IN (E'a\tb\\N', 'n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6')`, "0")
	// 10 people of 200 stay so: age is no quasi-identifier here.
	w.want("SELECT count(*), pg_typeof(min(age)) FROM open.learnt WHERE age = 200", "10|smallint")
	w.mustPublish("open.drawn")
	w.want(`SELECT count(*), count(*) FILTER (WHERE age IS NULL) BETWEEN 0 AND 100, min(age) >= 0 AND max(age) <= 99, pg_typeof(min(age)), pg_typeof(min(admitted)), pg_typeof(min("Sex (m/f)")) FROM open.drawn`,
		"2000|t|t|smallint|date|character")
	w.want(`SELECT count(*) FROM open.drawn WHERE "Sex (m/f)" NOT IN ('M', 'F') OR admitted NOT BETWEEN '2020-01-01' AND '2021-12-31'`, "0")
	w.mustPublish("open.typed")
	w.want("SELECT count(DISTINCT insured), pg_typeof(bool_and(insured)) FROM open.typed", "2|boolean")
}

// TestPublishSwapping fails if swapping changes how often a combination of quasi-identifiers, or of other columns, occurs, or swaps nothing.
func TestPublishSwapping(t *testing.T) {
	w := newOpenWard(t)
	w.mustPublish("open.swapped")
	const quasi, others = `"Sex (m/f)", CASE WHEN age <= 99 THEN age END`, `region, admitted, insured, weight, note`
	w.Exec("CREATE TABLE a AS SELECT " + quasi + " AS age, count(*) AS n FROM " + people + " GROUP BY 1, 2; CREATE TABLE b AS SELECT " + others + ", count(*) AS n FROM " + people + " GROUP BY 1, 2, 3, 4, 5;" +
		"CREATE TABLE c AS SELECT " + quasi + " AS age, " + others + ", count(*) AS n FROM " + people + " GROUP BY 1, 2, 3, 4, 5, 6, 7; GRANT SELECT ON a, b, c TO open_ana")
	w.want(`SELECT count(*) FROM (SELECT * FROM a EXCEPT ALL SELECT "Sex (m/f)", age, count(*) FROM open.swapped GROUP BY 1, 2) AS d`, "0")
	w.want(`SELECT count(*) FROM (SELECT * FROM b EXCEPT ALL SELECT region, admitted, insured, weight, note, count(*) FROM open.swapped GROUP BY 1, 2, 3, 4, 5) AS d`, "0")
	w.want(`SELECT count(*) BETWEEN 500 AND 1000 FROM (SELECT * FROM c EXCEPT ALL SELECT "Sex (m/f)", age, region, admitted, insured, weight, note, count(*) FROM open.swapped GROUP BY 1, 2, 3, 4, 5, 6, 7) AS d`, "t")
	// A value outside its domain is NULL as a quasi-identifier, and stays in other columns.
	w.want("SELECT count(age), count(*) FILTER (WHERE age > 99), count(*) FILTER (WHERE region = 'elsewhere') FROM open.swapped", "1990|0|20")
	w.mustPublish(`open."Donors' copy"`)
	w.want(`SELECT count(*), pg_typeof(min(admitted)) FROM open."Donors' copy"`, "2000|date")
	w.Exec("CREATE TABLE d AS SELECT note, count(*) AS n FROM " + people + " GROUP BY 1; GRANT SELECT ON d TO open_ana")
	w.want(`SELECT count(*) FROM (SELECT * FROM d EXCEPT ALL SELECT note, count(*) FROM open."Donors' copy" GROUP BY 1) AS d`, "0")
}

// TestPublishEnums fails if a column of an enum type is not published as the texts of its labels.
func TestPublishEnums(t *testing.T) {
	schema := strings.NewReplacer(`CREATE TABLE "The`, `CREATE TYPE "The Clinic".area AS ENUM ('south', 'north', 'west', 'east', 'elsewhere'); CREATE TABLE "The`, "region text", `region "The Clinic".area`,
		"[1 + i * 7 % 4] END", `[1 + i * 7 % 4]::"The Clinic".area END`).Replace(openSchema)
	w := newWardOf(t, schema, strings.NewReplacer("&of ", "", "*of", `'"The Clinic"."All People"'`).Replace(openPolicy))
	for _, name := range []string{"open.k5", "open.swapped", "open.responses"} {
		w.mustPublish(name)
		w.want("SELECT pg_typeof(min(region)), count(DISTINCT region) >= 4 FROM "+name, "text|t")
	}
	w.want("SELECT string_agg(DISTINCT region, ' ' ORDER BY region) FROM open.swapped", "east elsewhere north south west")
	w.want("SELECT count(*) FILTER (WHERE region = 'elsewhere') FROM open.swapped", "20")
}

// TestPublishWithGuarantee looks at the kinds that are charged an epsilon: what they publish comes from declared domains, and neither
// what they say nor what is recorded tells how many rows there are, unless the adjacency keeps that.
func TestPublishWithGuarantee(t *testing.T) {
	w := newOpenWard(t)
	made := w.mustPublish("open.responses")
	if made.Rows != 2000 || made.RowsRead != 0 || made.Charged != (accountant.Loss{Epsilon: 2e9}) || made.Left.Epsilon != 3e9 {
		t.Errorf("published %+v", made)
	}
	w.want(`SELECT count(*), count(DISTINCT "Sex (m/f)"), count(DISTINCT region), count(DISTINCT insured), count(*) FILTER (WHERE region = 'elsewhere') FROM open.responses`, "2000|2|4|2|0")
	// A row keeps its own with probability e^2/(e^2 + 3*5*3 - 1) = 0.14, and 45 combinations are about as likely else.
	w.want(`SELECT count(*) FROM (SELECT DISTINCT "Sex (m/f)", region, insured FROM open.responses) AS d`, "45")
	made = w.mustPublish("open.safe")
	if made.RowsRead != 0 || made.Charged.Epsilon != 2e9 || made.Charged.Delta <= 0 || made.Charged.Delta > 1e17 || made.Charged.Releases != 0 || made.Rows < 500 || made.ExactDelta != 0 || made.Rows > 1000 {
		t.Errorf("published %+v", made)
	}
	w.want(`SELECT sum(n), min(n) >= 10, count(*) FROM (SELECT count(*) AS n FROM open.safe GROUP BY "Sex (m/f)", age, region, insured) AS c`, fmt.Sprintf("%d|t|%d", made.Rows, made.Classes))
	w.want(`SELECT DISTINCT age FROM open.safe WHERE age IS NOT NULL ORDER BY 1`, "[0,29]\n[30,59]\n[60,89]\n[90,99]")
	w.want(`SELECT DISTINCT region FROM open.safe WHERE region IS NOT NULL ORDER BY 1`, "coast\ninland")
	w.want(`SELECT DISTINCT insured FROM open.safe WHERE insured IS NOT NULL`, "{false,true}")
	for _, text := range append(w.payloads(), w.rowsOf("open_ana", "SELECT obj_description('open.safe'::regclass)")) {
		if !strings.Contains(text, `"guarantee":"epsilon 2`) {
			t.Errorf("provenance %s", text)
		}
		if strings.Contains(text, "seed") || strings.Contains(text, "open.safe") && strings.Contains(text, "2000") {
			t.Errorf("%s tells a seed or the number of rows", text)
		}
	}
	if _, err := w.publish("open.leaky", false); err == nil || !strings.Contains(err.Error(), "a larger k or epsilon lowers it") {
		t.Errorf("a delta of 0.4: %v", err)
	}
	if got := w.ledgerSpent(); got.Releases != 0 || got.Epsilon != 4e9 {
		t.Errorf("%v spent", got)
	}
}

// TestPublishProgress fails if progress tells the number of rows of a publication with a guarantee, by numbers or by how often it tells.
func TestPublishProgress(t *testing.T) {
	w := newOpenWard(t)
	for name, want := range map[string]string{
		"open.safe": "reading 0, sanitizing 0, writing 0", "open.responses": "reading 0, sanitizing 0, writing 0",
		"open.swapped": "reading 0, sanitizing 0, sanitizing 2000, writing 0",
	} {
		var told []string
		request := publish.Request{Random: rand.NewChaCha8([32]byte{3}), Progress: func(step string, rows int64) { told = append(told, fmt.Sprint(step, " ", rows)) }}
		if _, err := w.publishWith(name, request); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(told, ", "); got != want {
			t.Errorf("%s: told %s, want %s", name, got, want)
		}
	}
	// What happens every 100,000 rows.
	told := 0
	p := publish.Publishing{Told: func(string, int64) { told++ }, Guarantee: accountant.Loss{Epsilon: 1}}
	p.Progress("reading", publish.ProgressStep)
	if told != 0 {
		t.Error("rows are counted aloud")
	}
}

// payloads are what the ledger recorded.
func (w *ward) payloads() (texts []string) {
	w.T.Helper()
	l, err := ledger.OpenReadOnly(context.Background(), w.Policy.Ledger)
	if err != nil {
		w.T.Fatal(err)
	}
	defer l.Close()
	entries, err := l.Log(context.Background(), ledger.LogFilter{})
	if err != nil {
		w.T.Fatal(err)
	}
	for _, e := range entries {
		if e.Analyst != live.Steward || !e.Recorded || len(e.Questions) != 1 || !strings.HasPrefix(e.Questions[0], "publish open.") {
			w.T.Errorf("entry %+v", e)
		}
	}
	for _, p := range ledgerPayloads(w.T, w.Policy.Ledger.SQLite) {
		var provenance publish.Provenance
		if err := json.Unmarshal([]byte(p), &provenance); err != nil || provenance.Policy != w.Policy.Version {
			w.T.Errorf("payload %s: %v", p, err)
		}
		texts = append(texts, p)
	}
	return texts
}

// TestPublishIsCharged follows the budget: each publication is charged anew, and over the budget nothing is written.
func TestPublishIsCharged(t *testing.T) {
	w := newOpenWard(t)
	first := w.mustPublish("open.sample")
	if _, err := w.publish("open.sample", false); err == nil || !strings.Contains(err.Error(), "--replace") {
		t.Errorf("published twice: %v", err)
	}
	if got := w.ledgerSpent(); got.Releases != 1 {
		t.Errorf("%v spent: a refusal was charged", got)
	}
	for i := range 5 {
		made, err := w.publishWith("open.sample", publish.Request{Replace: true, Random: rand.NewChaCha8([32]byte{byte(i)})})
		if err != nil {
			t.Fatal(err)
		}
		if made.Left.Releases != int64(4-i) {
			t.Errorf("left after %d: %v", i+2, made.Left)
		}
	}
	before := w.rowsOf("open_ana", "SELECT obj_description('open.sample'::regclass), count(*) FROM open.sample")
	_, err := w.publish("open.sample", true)
	var over *accountant.OverBudgetError
	if !errors.As(err, &over) {
		t.Errorf("over the budget: %v", err)
	}
	w.want("SELECT obj_description('open.sample'::regclass), count(*) FROM open.sample", before)
	if got := w.ledgerSpent(); got != (accountant.Loss{Releases: 6}) {
		t.Errorf("%v spent", got)
	}
	if got := len(ledgerPayloads(t, w.Policy.Ledger.SQLite)); got != 6 {
		t.Errorf("%d releases recorded", got)
	}
	if first.RowsRead != 2000 || first.Rows >= 2000 || first.Rows < 1000 {
		t.Errorf("sampled %d of %d", first.Rows, first.RowsRead)
	}
}

// brokenReader ends after some bytes.
func brokenReader(n int64) io.Reader { return io.LimitReader(rand.NewChaCha8([32]byte{5}), n) }

// TestPublishFails breaks a publication at each step: it stays charged, nothing is there afterwards, and a table that was there stays.
func TestPublishFails(t *testing.T) {
	w := newOpenWard(t)
	w.mustPublish("open.swapped")
	before := w.rowsOf("open_ana", "SELECT obj_description('open.swapped'::regclass), count(*) FROM open.swapped")
	at := func(step, sql string) func(string, int64) {
		return func(now string, _ int64) {
			if now == step {
				w.Exec(sql)
			}
		}
	}
	for _, c := range []struct {
		name    string
		request publish.Request
		repair  string
	}{
		{"no randomness", publish.Request{Random: brokenReader(10)}, ""},
		{"the curator loses its privilege", publish.Request{Random: brokenReader(1e9), Progress: at("reading", `REVOKE USAGE ON SCHEMA "The Clinic" FROM open_curator`)},
			`GRANT USAGE ON SCHEMA "The Clinic" TO open_curator`},
		{"the publisher loses its privilege", publish.Request{Random: brokenReader(1e9), Progress: at("writing", "ALTER SCHEMA open OWNER TO postgres; REVOKE ALL ON SCHEMA open FROM open_publisher")},
			"ALTER SCHEMA open OWNER TO open_publisher"},
		{"the target was exchanged", publish.Request{Random: brokenReader(1e9), Progress: at("writing", "UPDATE pg_description SET description = 'mine' WHERE objoid = to_regclass('open.swapped')")},
			""},
	} {
		spent := w.ledgerSpent()
		c.request.Replace = true
		_, err := w.publishWith("open.swapped", c.request)
		var failed *publish.Error
		if !errors.As(err, &failed) {
			t.Errorf("%s: %v", c.name, err)
		}
		if got, want := w.ledgerSpent(), spent.Add(accountant.Loss{Releases: 1}); got != want {
			t.Errorf("%s: %v spent, want %v", c.name, got, want)
		}
		w.Exec(c.repair)
		if c.repair != "" || c.name == "no randomness" {
			w.want("SELECT obj_description('open.swapped'::regclass), count(*) FROM open.swapped", before)
		}
	}
	w.want("SELECT count(*) FROM pg_class WHERE relname LIKE 'tacit%' AND relkind = 'r'", "0")
	if got := len(ledgerPayloads(t, w.Policy.Ledger.SQLite)); got != 1 {
		t.Errorf("%d releases recorded, want 1", got)
	}
}

// TestReadersCannotStopReplacement fails if an analyst who begins to read a copy, or makes something depend on it, when a replacement has been charged, has the
// charge made for nothing. She waits for the new copy.
func TestReadersCannotStopReplacement(t *testing.T) {
	w := newOpenWard(t)
	w.mustPublish("open.swapped")
	ctx := t.Context()
	reader, viewer, writer := site.Connect(t, "open_ana", w.Database), site.Connect(t, "open_ana", w.Database), site.Connect(t, "open_ana", w.Database)
	watcher := site.Connect(t, "postgres", w.Database)
	read, viewed := make(chan error, 1), make(chan error, 1)
	attack := func() {
		go func() { // and neither ends her transaction
			_, err := reader.Exec(ctx, "BEGIN; SELECT count(*) FROM open.swapped")
			read <- err
		}()
		go func() {
			_, err := viewer.Exec(ctx, "BEGIN; CREATE VIEW open_ana.seen AS SELECT * FROM open.swapped")
			viewed <- err
		}()
		for waiting := 0; waiting < 2 && len(read)+len(viewed) < 2; time.Sleep(10 * time.Millisecond) {
			if err := watcher.QueryRow(ctx, "SELECT count(*) FROM pg_locks WHERE relation = to_regclass('open.swapped') AND NOT granted").Scan(&waiting); err != nil {
				t.Error(err)
				return
			}
		}
		if _, err := writer.Exec(ctx, "SET check_function_bodies = off; CREATE FUNCTION open_ana.aged(open.swapped) RETURNS smallint LANGUAGE sql AS 'SELECT $1.age'"); err != nil {
			t.Error(err)
		}
	}
	made, err := w.publishWith("open.swapped", publish.Request{Replace: true, Random: rand.NewChaCha8([32]byte{4}), Progress: func(step string, _ int64) {
		if step == "reading" {
			attack()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(<-read, <-viewed); err != nil {
		t.Error(err)
	}
	w.want("SELECT count(*) FROM open.swapped", "2000")
	if !strings.HasPrefix(made.Aside, "open.tacit_former_") {
		t.Errorf("set aside: %q", made.Aside)
	}
	if out, err := site.Psql(t, "open_ana", w.Database, "SELECT count(*) FROM "+made.Aside); err == nil {
		t.Errorf("the former copy is read:\n%s", out)
	}
	if got := w.ledgerSpent(); got != (accountant.Loss{Releases: 2}) {
		t.Errorf("%v spent", got)
	}
	// Who was there before is found before anything is charged.
	for _, conn := range []*pgx.Conn{reader, viewer} {
		if _, err := conn.Exec(ctx, "ROLLBACK"); err != nil {
			t.Error(err)
		}
	}
	if _, err := reader.Exec(ctx, "BEGIN; SELECT count(*) FROM open.swapped"); err != nil {
		t.Error(err)
	}
	if _, err := w.publish("open.swapped", true); err == nil || !strings.Contains(err.Error(), "cannot be replaced while somebody reads it") {
		t.Errorf("while somebody reads: %v", err)
	}
	if got := w.ledgerSpent(); got != (accountant.Loss{Releases: 2}) {
		t.Errorf("%v spent", got)
	}
}

// TestPublishIsRefused pins what is found out before anything is charged.
func TestPublishIsRefused(t *testing.T) {
	w := newOpenWard(t)
	for _, c := range []struct{ name, before, after, table, want string }{
		{"a table that is somebody's", "CREATE TABLE open.k5 (x int)", "DROP TABLE open.k5", "open.k5", "was not published by tacit"},
		{"a view", "CREATE VIEW open.k5 AS SELECT 1 AS x", "DROP VIEW open.k5", "open.k5", "was not published by tacit"},
		{"a table of the publisher's with another comment", "CREATE TABLE open.k5 (x int); ALTER TABLE open.k5 OWNER TO open_publisher", "DROP TABLE open.k5", "open.k5", "was not published by tacit"},
		{"the publisher reads", "GRANT SELECT ON " + people + " TO open_publisher", "REVOKE ALL ON " + people + " FROM open_publisher", "open.k5", "publisher has a privilege on what holds or shows protected rows"},
	} {
		w.Exec(c.before)
		if _, err := w.publish(c.table, true); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		w.Exec(c.after)
	}
	w.mustPublish("open.k5")
	w.Exec("CREATE VIEW open_ana.v AS SELECT * FROM open.k5; ALTER VIEW open_ana.v OWNER TO open_ana")
	if _, err := w.publish("open.k5", true); err == nil || !strings.Contains(err.Error(), "drop what depends on it") {
		t.Errorf("a view on the publication: %v", err)
	}
	if got := w.ledgerSpent(); got != (accountant.Loss{Releases: 1}) {
		t.Errorf("%v spent", got)
	}
	d, err := release.Open(t.Context(), release.Config{Policy: w.Policy, Random: rand.NewChaCha8([32]byte{1})})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	w.mustPublish("open.learnt") // beside a proxy that has the ledger
	if got := w.ledgerSpent(); got != (accountant.Loss{Releases: 2}) {
		t.Errorf("%v spent", got)
	}
}

// TestPublishedPrivileges fails if anybody but the analysts may read, or anybody but the publisher may write, whatever default
// privileges say; or if the roles are not separate afterwards.
func TestPublishedPrivileges(t *testing.T) {
	w := newOpenWard(t)
	w.Exec("CREATE ROLE " + w.Database + "_staff; ALTER DEFAULT PRIVILEGES FOR ROLE open_publisher GRANT ALL ON TABLES TO PUBLIC, open_ana, " + w.Database + "_staff")
	t.Cleanup(func() {
		w.Exec("ALTER DEFAULT PRIVILEGES FOR ROLE open_publisher REVOKE ALL ON TABLES FROM PUBLIC, open_ana, " + w.Database + "_staff; DROP ROLE " + w.Database + "_staff")
	})
	w.mustPublish("open.k5")
	w.want(`SELECT string_agg(DISTINCT format('%s %s', grantee::regrole, privilege_type), ', ' ORDER BY format('%s %s', grantee::regrole, privilege_type))
		FROM pg_class CROSS JOIN LATERAL aclexplode(relacl) WHERE oid = 'open.k5'::regclass AND grantee <> relowner`, "open_ana SELECT, open_bob SELECT")
	for _, sql := range []string{"DELETE FROM open.k5", "UPDATE open.k5 SET age = ''", "INSERT INTO open.k5 DEFAULT VALUES", "DROP TABLE open.k5", "TRUNCATE open.k5", "CREATE TABLE open.x (x int)"} {
		if out, err := site.Psql(t, "open_ana", w.Database, sql); err == nil {
			t.Errorf("%s was allowed:\n%s", sql, out)
		}
	}
	if out, err := site.Psql(t, "open_publisher", w.Database, "SELECT age FROM "+people); err == nil {
		t.Errorf("the publisher reads:\n%s", out)
	}
	found, err := curator.CheckSeparation(t.Context(), site.Connect(t, "open_curator", w.Database), w.Policy)
	if err != nil || len(found) > 0 {
		t.Errorf("found %v, %v", found, err)
	}
}

// TestPublishEmptyTable publishes nothing, of every kind.
func TestPublishEmptyTable(t *testing.T) {
	w := newOpenWard(t)
	w.Exec("TRUNCATE " + people)
	for i, c := range w.Policy.Publications {
		if c.Name.Name == "leaky" || c.Name.Name == "typed" || c.Name.Name == "drawn" || testing.Short() && i%2 != 0 {
			continue
		}
		made, err := w.publish(c.Name.String(), false)
		if err != nil || made.Rows != 0 {
			t.Errorf("%v: %+v, %v", c.Name, made, err)
		}
	}
}

// ledgerPayloads reads what was recorded from the file.
func ledgerPayloads(t testing.TB, path string) (texts []string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT payload FROM release ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var payload []byte
		if err := rows.Scan(&payload); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(payload))
	}
	return texts
}

// TestQuoteElement pins how generalised values are written.
func TestQuoteElement(t *testing.T) {
	for text, want := range map[string]string{
		"F": "F", "": `""`, "null": `"null"`, "a b": `"a b"`, `a"b`: `"a\"b"`, `a\b`: `"a\\b"`, "{x}": `"{x}"`, "[1,2]": `"[1,2]"`, "1.5": "1.5", "ö": "ö",
	} {
		if got := publish.QuoteElement(text); got != want {
			t.Errorf("%q is written %s, want %s", text, got, want)
		}
	}
}

// TestLearntColumns fails if numbers are learnt in the order of their digits.
func TestLearntColumns(t *testing.T) {
	column := func(oid uint32, values ...string) *publish.MicroColumn {
		c := &publish.MicroColumn{}
		c.Source.TypeOID, c.Source.Name = oid, "c"
		for _, v := range values {
			c.Codes = append(c.Codes, c.Values.Code([]byte(v)))
		}
		return c
	}
	for _, c := range []struct {
		column *publish.MicroColumn
		want   string
	}{
		{column(pgtype.Int4OID, "10", "9", "-3"), "-3 to 10"},
		{column(pgtype.DateOID, "1970-01-03", "1969-12-31"), "-1 to 2"},
		{column(pgtype.DateOID, "1970-01-03", "infinity", "1969-12-31"), "1969-12-31 1970-01-03 infinity"},
		{column(pgtype.Int8OID, "9223372036854775807", "-9223372036854775808", "5"), "-9223372036854775808 5 9223372036854775807"},
		{column(pgtype.NumericOID, "10.5", "9", "NaN"), "NaN 9 10.5"},
		{column(pgtype.TextOID, "b", "a", "B"), "B a b"},
		{column(pgtype.TextOID), ""},
	} {
		got := publish.LearntColumn(c.column)
		text := strings.Join(got.Values, " ")
		if got.Numeric {
			text = fmt.Sprintf("%d to %d", got.Min, got.Max)
		}
		if diff := cmp.Diff(c.want, text); diff != "" || !got.FromData || !got.Nullable {
			t.Errorf("%+v: %s", got, diff)
		}
	}
}

// TestPrice finds out what a publication costs, which charges nothing, and refuses to publish for another price than the steward was told.
func TestPrice(t *testing.T) {
	w := newOpenWard(t)
	request := publish.Request{Name: policy.TableName{Schema: "open", Name: "responses"}, Random: rand.NewChaCha8([32]byte{3})}
	price, err := publish.Price(t.Context(), w.Policy, request)
	if err != nil || price != (accountant.Loss{Epsilon: 2e9}) {
		t.Fatalf("price %+v, %v", price, err)
	}
	other := accountant.Loss{Epsilon: 1e9}
	request.Price = &other
	var wrong *publish.PriceError
	if _, err := publish.Publish(t.Context(), w.Policy, request); !errors.As(err, &wrong) || wrong.Now != price {
		t.Errorf("for another price: %v", err)
	}
	if spent := w.ledgerSpent(); spent != (accountant.Loss{}) {
		t.Errorf("%v was charged", spent)
	}
	request.Price, request.Reason = &price, "entry 7"
	if made, err := publish.Publish(t.Context(), w.Policy, request); err != nil || made.Charged != price {
		t.Errorf("for the price: %+v, %v", made, err)
	}
	if _, err := publish.Price(t.Context(), w.Policy, request); err == nil {
		t.Error("what is published already has a price")
	}
	request.Replace = true
	if _, err := publish.Price(t.Context(), w.Policy, request); err != nil {
		t.Error(err)
	}
	for range 2 { // epsilon 5 is the budget
		if _, err = publish.Publish(t.Context(), w.Policy, request); err != nil {
			break
		}
	}
	var over *accountant.OverBudgetError
	if _, err := publish.Price(t.Context(), w.Policy, request); !errors.As(err, &over) {
		t.Errorf("beyond the budget: %v", err)
	}
}
