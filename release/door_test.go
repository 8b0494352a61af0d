package release

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/live"
	"tacit/release/internal/reply"
	"tacit/release/internal/site"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// The tests of the door use a table of 1,000 people: 600 in the north, 400 in the south, none in the east, 10 nowhere that the
// policy declares; every tenth without a sex.
const wardSchema = `
CREATE SCHEMA clinic;
CREATE TABLE clinic.regions (region text PRIMARY KEY, land text);
INSERT INTO clinic.regions VALUES ('north', 'up'), ('south', 'down'), ('east', 'up');
CREATE TABLE clinic.people (id int PRIMARY KEY, region text NOT NULL, sex text, age int, illness text);
INSERT INTO clinic.people SELECT i, CASE WHEN i <= 600 THEN 'north' ELSE 'south' END, CASE WHEN i % 10 = 0 THEN NULL WHEN i % 2 = 0 THEN 'F' ELSE 'M' END,
  i % 100, CASE WHEN i = 1 THEN 'rare' WHEN i <= 500 THEN 'flu' WHEN i <= 990 THEN 'cold' END FROM generate_series(1, 1000) AS i;
INSERT INTO clinic.people SELECT i, 'atlantis', 'F', 30, 'flu' FROM generate_series(1001, 1010) AS i;
CREATE TABLE clinic.staff (id int PRIMARY KEY, region text NOT NULL);
INSERT INTO clinic.staff SELECT i, 'north' FROM generate_series(1, 100) AS i;
`

// wardPolicy has much epsilon, so that the noise is nearly nothing, and the counts tell whether they are right.
const wardPolicy = `
listen: 127.0.0.1:6432
upstream:
  analyst: postgres://{analyst}@%[1]s:%[2]d/%[3]s?sslmode=disable
  curator: postgres://ward_curator@%[1]s:%[2]d/%[3]s?sslmode=disable
ledger: sqlite:ward.db
auth: trust
analysts: {ward_ana: {}, ward_bob: {budget: {epsilon: 40}}}
public: [clinic.regions]
limits: {cells: 200}
tables:
  clinic.people:
    person: row
    mechanism: {kind: geometric, epsilon: 20, delta: 1e-9}
    budget: {epsilon: 1000, delta: 1e-8}
    derive: false
    columns:
      region: {values_from: clinic.regions.region}
      sex: {values: [M, F]}
      age: {range: [0, 99]}
      illness: {}
  clinic.staff:
    person: row
    mechanism: {kind: geometric, epsilon: 20}
    budget: {epsilon: 30}
    derive: false
    columns: {region: {values: [north, south]}, id: {range: [1, 150]}}
`

func TestMain(m *testing.M) { site.Main(m) }

// A ward is a site whose gateway is asked.
type ward struct{ *site.Site }

func newWard(t *testing.T) *ward {
	t.Helper()
	return newWardOf(t, wardSchema, wardPolicy)
}

func newWardOf(t testing.TB, schema, text string) *ward {
	t.Helper()
	return &ward{site.New(t, schema, text)}
}

// open opens the door with seeded noise.
func (w *ward) open() *Gateway {
	w.T.Helper()
	d, err := Open(context.Background(), Config{Policy: w.Policy, Random: rand.NewChaCha8([32]byte{1})})
	if err != nil {
		w.T.Fatal(err)
	}
	w.T.Cleanup(func() { d.Close() })
	return d
}

// ask analyses a statement and takes its count queries to the door.
func (w *ward) ask(d *Gateway, analyst, sql string) ([]*query.Cells, *reply.Receipt, error) {
	w.T.Helper()
	return d.Answer(context.Background(), Request{Analyst: analyst, SQL: sql, Queries: w.Queries(d.Catalog(), sql)})
}

// query analyses a statement with one count query.
func (w *ward) query(d *Gateway, sql string) *query.BoundQuery {
	w.T.Helper()
	return w.Queries(d.Catalog(), sql)[0]
}

// cells asks and prints the cells of the first query, one line for each: keys, then counts.
func (w *ward) cells(d *Gateway, sql string) string {
	w.T.Helper()
	cells, _, err := w.ask(d, "ward_ana", sql)
	if err != nil {
		w.T.Fatalf("%s: %v", sql, err)
	}
	return cellText(cells[0])
}

func cellText(c *query.Cells) string {
	var b strings.Builder
	for i := range c.Counts[0] {
		for _, column := range c.Keys {
			if column[i].Null {
				b.WriteString("NULL ")
			} else {
				b.WriteString(column[i].Text + " ")
			}
		}
		for j, counts := range c.Counts {
			if c.Suppressed != nil && c.Suppressed[j] != nil && c.Suppressed[j][i] {
				b.WriteString("NULL ")
			} else {
				fmt.Fprintf(&b, "%d ", counts[i])
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func refusalCode(err error) string {
	var r *pgerror.Refusal
	if errors.As(err, &r) {
		return r.Code
	}
	return fmt.Sprintf("no refusal: %v", err)
}

// TestCellsOfPublicRows fails if the cells of a public table's rows are those of a time before the rows changed.
func TestCellsOfPublicRows(t *testing.T) {
	w := newWard(t)
	d := w.open()
	const join = " FROM clinic.people p JOIN clinic.regions r ON r.region = p.region GROUP BY r.land"
	if got, want := w.cells(d, "SELECT count(*)"+join), "down 400 \nup 600 \n"; got != want {
		t.Errorf("before: %s, want %s", got, want)
	}
	w.Exec("INSERT INTO clinic.regions VALUES ('west', 'far')")
	if got, want := w.cells(d, "SELECT count(*) FILTER (WHERE age >= 0)"+join), "down 400 \nfar 0 \nup 600 \n"; got != want {
		t.Errorf("after: %s, want %s", got, want)
	}
}

var PeopleTable = policy.TableName{Schema: "clinic", Name: "people"}

// spent is the sum of the losses that the people's table was charged, each by itself.
func (w *ward) spent(d *Gateway) accountant.Loss {
	w.T.Helper()
	return w.charged(d, PeopleTable)
}

// charged is the sum of the losses that a table was charged, after a check of the ledger.
func (w *ward) charged(d *Gateway, table policy.TableName) (sum accountant.Loss) {
	w.T.Helper()
	ctx := context.Background()
	found, err := d.monitor.Ledger.Verify(ctx, nil)
	if err != nil || len(found.Problems) > 0 {
		w.T.Fatalf("the ledger: %+v, %v", found, err)
	}
	entries, err := d.monitor.Ledger.Log(ctx, ledger.LogFilter{Table: table, Verdict: ledger.Charged})
	if err != nil {
		w.T.Fatal(err)
	}
	for _, e := range entries {
		sum = sum.Add(e.Loss)
	}
	return sum
}

// TestCells pins which cells are shown, and their counts to within the noise, which at epsilon 20 is 0 but with probability 4e-9
// for each cell; the source is seeded besides.
func TestCells(t *testing.T) {
	w := newWard(t)
	d := w.open()
	for _, c := range []struct{ name, sql, want string }{
		{"all rows", "SELECT count(*) FROM clinic.people", "1010 \n"},
		{"declared keys in declared order, zero cells too, undeclared rows in none", "SELECT count(*) FROM clinic.people GROUP BY region", "east 0 \nnorth 600 \nsouth 400 \n"},
		{"NULL is a cell of a nullable column", "SELECT count(*) FROM clinic.people GROUP BY sex", "M 500 \nF 410 \nNULL 100 \n"},
		{"the filter on a key column chooses the cells", "SELECT count(*) FROM clinic.people WHERE region IN ('south', 'east') GROUP BY region", "east 0 \nsouth 400 \n"},
		{"also by an inequality of text", "SELECT count(*) FROM clinic.people WHERE region > 'n' AND age < 50 GROUP BY region", "north 300 \nsouth 200 \n"},
		{"a filter on other columns does not", "SELECT count(*) FROM clinic.people WHERE age < 0 GROUP BY region", "east 0 \nnorth 0 \nsouth 0 \n"},
		{"OR with another column leaves all cells", "SELECT count(*) FROM clinic.people WHERE region = 'south' OR age = 5 GROUP BY region", "east 0 \nnorth 6 \nsouth 400 \n"},
		{"FILTER does not choose cells", "SELECT count(*) FILTER (WHERE region = 'south') FROM clinic.people GROUP BY region", "east 0 \nnorth 0 \nsouth 400 \n"},
		{"two counts", "SELECT count(*), count(sex) FROM clinic.people GROUP BY region", "east 0 0 \nnorth 600 540 \nsouth 400 360 \n"},
		{"a filter that leaves no cell", "SELECT count(*) FROM clinic.people WHERE region = 'atlantis' GROUP BY region", ""},
		{"two keys", "SELECT count(*) FROM clinic.people WHERE region <> 'east' AND sex IS NOT NULL GROUP BY sex, region", "M north 300 \nF north 240 \nM south 200 \nF south 160 \n"},
		{"unknown keys pass the threshold, in key order, one person's does not", "SELECT count(*) FROM clinic.people GROUP BY illness", "cold 490 \nflu 509 \nNULL 10 \n"},
		{"rows outside a declared domain are in no cell with unknown keys either", "SELECT count(*) FROM clinic.people GROUP BY region, illness", "north cold 100 \nsouth cold 390 \nnorth flu 499 \nsouth NULL 10 \n"},
		{"other counts are about the selected keys alone", "SELECT count(*) FILTER (WHERE region = 'north') FROM clinic.people GROUP BY illness", "cold 100 \nflu 499 \nNULL 0 \n"},
	} {
		if got := w.cells(d, c.sql); got != c.want {
			t.Errorf("%s: %s\ngot:\n%swant:\n%s", c.name, c.sql, got, c.want)
		}
	}
}

// TestDerivedCells pins the cells of keys that are computed, or that are columns of public tables: all that the declared values can give,
// and no others.
func TestDerivedCells(t *testing.T) {
	w := newWard(t)
	d := w.open()
	for _, c := range []struct{ name, sql, want string }{
		{"a computed key has the cells of its column's domain, zero cells too", "SELECT count(*) FROM clinic.people WHERE age < 35 GROUP BY age / 10", "0 100 \n1 100 \n2 100 \n3 60 \n"},
		{"keys of one column go together", "SELECT count(*) FROM clinic.people WHERE age BETWEEN 8 AND 11 GROUP BY age, age / 10", "8 0 10 \n9 0 10 \n10 1 10 \n11 1 10 \n"},
		{"a filter on the column chooses the cells", "SELECT count(*) FROM clinic.people WHERE age >= 90 GROUP BY age / 10", "9 100 \n"},
		{"a CASE of literals", "SELECT count(*) FROM clinic.people GROUP BY CASE WHEN age < 50 THEN 'young' ELSE 'old' END, upper(region)", "old EAST 0 \nold NORTH 300 \nold SOUTH 200 \nyoung EAST 0 \nyoung NORTH 300 \nyoung SOUTH 200 \n"},
		{"a column of a public table", "SELECT count(*) FROM clinic.people p JOIN clinic.regions r ON r.region = p.region GROUP BY r.land", "down 400 \nup 600 \n"},
		{"a column that USING has merged, by the name of the public table", "SELECT count(*) FROM clinic.people p JOIN clinic.regions r USING (region) WHERE r.region <> 'east' GROUP BY r.region", "north 600 \nsouth 400 \n"},
		{"which is NULL without a match", "SELECT count(*) FROM clinic.people p LEFT JOIN clinic.regions r USING (region) WHERE r.region IS NULL", "10 \n"},
		{"rows without a match have a cell in an outer join", "SELECT count(*) FROM clinic.people p LEFT JOIN clinic.regions r ON r.region = p.region GROUP BY r.land", "down 400 \nup 600 \nNULL 10 \n"},
		{"a key that also depends on an undeclared column passes the threshold", "SELECT count(*) FROM clinic.people GROUP BY coalesce(illness, sex)", "F 4 \nM 5 \ncold 490 \nflu 509 \n"},
		{"only the cells that the filter leaves are counted against the limit", "SELECT count(*) FROM clinic.people WHERE age < 2 AND region = 'north' GROUP BY age, region, sex", "0 north F 0 \n0 north M 0 \n0 north NULL 6 \n1 north F 0 \n1 north M 6 \n1 north NULL 0 \n"},
	} {
		if got := w.cells(d, c.sql); got != c.want {
			t.Errorf("%s: %s\ngot:\n%swant:\n%s", c.name, c.sql, got, c.want)
		}
	}
	_, receipt, err := w.ask(d, "ward_ana", "SELECT count(*) FROM clinic.people GROUP BY age, region")
	if err != nil || !receipt.Lines[0].TooManyCells || receipt.Lines[0].Threshold == 0 {
		t.Errorf("too many declared cells: %+v, %v", receipt, err)
	}
}

// TestChargeAndReplay follows the balance: what is new is charged, what was answered is free and the same.
func TestChargeAndReplay(t *testing.T) {
	w := newWard(t)
	d := w.open()
	for _, step := range []struct {
		sql  string
		want accountant.Loss // spent afterwards
	}{
		{"SELECT region, count(*) FROM clinic.people GROUP BY region", accountant.Loss{Epsilon: 20e9}},
		{"SELECT count(*) AS n FROM clinic.people AS p GROUP BY p.region ORDER BY n", accountant.Loss{Epsilon: 20e9}},
		{"SELECT region, count(*), count(sex) FROM clinic.people GROUP BY region", accountant.Loss{Epsilon: 40e9}},
		{"SELECT (SELECT count(*) FROM clinic.people), (SELECT count(*) FROM clinic.people)", accountant.Loss{Epsilon: 60e9}},
		{"SELECT count(*) FROM clinic.people WHERE region = 'nowhere' GROUP BY region", accountant.Loss{Epsilon: 60e9}},
		{"SELECT illness, count(*) FILTER (WHERE age > 3) FROM clinic.people GROUP BY illness", accountant.Loss{Epsilon: 100e9, Delta: 1e9}},
		{"SELECT illness, count(*) FROM clinic.people GROUP BY illness", accountant.Loss{Epsilon: 100e9, Delta: 1e9}},
		{"SELECT illness, count(*), count(age) FROM clinic.people GROUP BY illness", accountant.Loss{Epsilon: 120e9, Delta: 1e9}},
	} {
		first := w.cells(d, step.sql)
		if got := w.spent(d); got != step.want {
			t.Errorf("after %s: %v spent, want %v", step.sql, got, step.want)
		}
		if again := w.cells(d, step.sql); again != first {
			t.Errorf("%s: %s, then %s", step.sql, first, again)
		}
	}
	// A new process answers the same.
	before := w.cells(d, "SELECT count(*) FROM clinic.people")
	d.Close()
	if after := w.cells(w.open(), "SELECT count(*) FROM clinic.people"); after != before {
		t.Errorf("before the restart %s, after it %s", before, after)
	}
}

// TestFailedCountStaysCharged takes the curator's privilege away between the reservation and the count.
func TestFailedCountStaysCharged(t *testing.T) {
	w := newWard(t)
	d := w.open()
	w.Exec("REVOKE ALL ON clinic.people FROM ward_curator; REVOKE SELECT (region, sex, age, illness) ON clinic.people FROM ward_curator")
	_, _, err := w.ask(d, "ward_ana", "SELECT count(*) FROM clinic.people")
	if refusalCode(err) != "58000" {
		t.Errorf("a failed count ended in %v", err)
	}
	var r *pgerror.Refusal
	if errors.As(err, &r) && strings.Contains(r.Message+r.Detail+r.Hint, "permission") {
		t.Errorf("the server's words reached the analyst: %+v", r)
	}
	if got := w.spent(d); got.Epsilon != 20e9 {
		t.Errorf("%v spent, want epsilon 20", got)
	}
}

// TestRefusedBeforeReservation pins what is refused for free.
func TestRefusedBeforeReservation(t *testing.T) {
	w := newWard(t)
	d := w.open()
	for _, c := range []struct{ name, analyst, sql, code string }{
		{"too many cells, and no delta to choose among them", "ward_ana", "SELECT count(*) FROM clinic.staff GROUP BY id, region", "54000"},
		{"more than the cap", "ward_bob", "SELECT count(*), count(sex), count(age) FROM clinic.people", "53400"},
		{"one of two tables is over budget", "ward_ana",
			"SELECT (SELECT count(*) FROM clinic.people), (SELECT count(*) FROM clinic.staff), (SELECT count(*) FROM clinic.staff WHERE region = 'north')", "53400"},
	} {
		if _, _, err := w.ask(d, c.analyst, c.sql); refusalCode(err) != c.code {
			t.Errorf("%s: %v, want %s", c.name, err, c.code)
		}
		if got := w.spent(d); got != (accountant.Loss{}) {
			t.Errorf("%s: %v was charged", c.name, got)
		}
	}
}

// TestConcurrentQuestion asks one new question from many goroutines: one release, one charge, one answer.
func TestConcurrentQuestion(t *testing.T) {
	w := newWard(t)
	d := w.open()
	var mu sync.Mutex
	answers := make(map[string]int)
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			got := w.cells(d, "SELECT region, count(*), count(sex) FROM clinic.people GROUP BY region")
			mu.Lock()
			defer mu.Unlock()
			answers[got]++
		})
	}
	all.Wait()
	if len(answers) != 1 {
		t.Errorf("different answers to one question: %v", answers)
	}
	if got := w.spent(d); got.Epsilon != 40e9 {
		t.Errorf("%v spent, want epsilon 40", got)
	}
}

// TestLedgerTrouble wants protected tables refused, and said so, when the ledger is gone, and open again when it is back.
func TestLedgerTrouble(t *testing.T) {
	w := newWard(t)
	d := w.open()
	w.cells(d, "SELECT count(*) FROM clinic.people")
	d.Close()
	path := w.Policy.Ledger.SQLite
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	d = w.open()
	if d.LedgerError() == nil || !errors.Is(d.LedgerError(), accountant.ErrUnavailable) {
		t.Fatalf("a ledger that is missing after it existed: %v", d.LedgerError())
	}
	if _, _, err := w.ask(d, "ward_ana", "SELECT count(*) FROM clinic.people"); refusalCode(err) != "58030" {
		t.Errorf("without a ledger: %v", err)
	}
	if err := os.Rename(path+".away", path); err != nil {
		t.Fatal(err)
	}
	if err := d.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	w.cells(d, "SELECT count(*) FROM clinic.people")
	if got := w.spent(d); got.Epsilon != 20e9 {
		t.Errorf("%v spent, want epsilon 20: the repeated question is free", got)
	}
}

// TestRefreshClosesTheDoor grants the analyst what she must not have.
func TestRefreshClosesTheDoor(t *testing.T) {
	w := newWard(t)
	d := w.open()
	w.Exec("GRANT SELECT ON clinic.people TO ward_bob")
	var separation *curator.SeparationError
	if err := d.Refresh(context.Background()); !errors.As(err, &separation) {
		t.Fatalf("Refresh: %v", err)
	}
	if _, _, err := w.ask(d, "ward_ana", "SELECT count(*) FROM clinic.people"); refusalCode(err) != "55000" {
		t.Errorf("with the roles not separate: %v", err)
	}
	if _, err := Open(context.Background(), Config{Policy: w.Policy, Random: rand.NewChaCha8([32]byte{})}); !errors.As(err, &separation) {
		t.Errorf("Open: %v", err)
	}
	w.Exec("REVOKE SELECT ON clinic.people FROM ward_bob")
	if err := d.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	w.cells(d, "SELECT count(*) FROM clinic.people")
}

// TestChangedTable sends a query that was analysed before the table changed.
func TestChangedTable(t *testing.T) {
	w := newWard(t)
	d := w.open()
	q := w.query(d, "SELECT count(*) FROM clinic.people")
	w.Exec("ALTER TABLE clinic.people ALTER sex TYPE varchar(3)")
	if err := d.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.Answer(context.Background(), reply.Request{Analyst: "ward_ana", Queries: []*query.BoundQuery{q}}); refusalCode(err) != "55000" {
		t.Errorf("a query for the table as it was: %v", err)
	}
}

// TestNotice pins what analysts read about an answer. Half of the delta is kept for composition, and spent with the first answer.
func TestNotice(t *testing.T) {
	w := newWard(t)
	d := w.open()
	for _, c := range []struct{ analyst, sql, want string }{
		{"ward_ana", "SELECT count(*) FROM clinic.people", "clinic.people: geometric noise, each count within ±0 with probability 95%; charged epsilon 20; left: table epsilon 980, delta 5e-9"},
		{"ward_bob", "SELECT count(*) FROM clinic.people", "clinic.people: geometric noise, each count within ±0 with probability 95%; free (answered before); left: table epsilon 980, delta 5e-9, yours epsilon 40"},
		{"ward_ana", "SELECT count(*) FROM clinic.people GROUP BY ROLLUP (sex)", "clinic.people: geometric noise, each count within ±0 with probability 95%; totals add up the noise of their cells, at most 3, within ±0; charged epsilon 20; left: table epsilon 960, delta 5e-9"},
	} {
		_, receipt, err := w.ask(d, c.analyst, c.sql)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, undated(receipt.Notice())); diff != "" {
			t.Error(diff)
		}
	}
}

// TestReservedBeforeTouching blocks the count by a lock and wants the charge in the ledger meanwhile.
func TestReservedBeforeTouching(t *testing.T) {
	w := newWard(t)
	d := w.open()
	ctx := context.Background()
	blocker := site.Connect(t, "postgres", w.Database)
	if _, err := blocker.PgConn().Exec(ctx, "BEGIN; LOCK TABLE clinic.people").ReadAll(); err != nil {
		t.Fatal(err)
	}
	answered := make(chan error, 1)
	go func() {
		_, _, err := w.ask(d, "ward_ana", "SELECT count(*) FROM clinic.people")
		answered <- err
	}()
	for w.spent(d) == (accountant.Loss{}) {
		select {
		case err := <-answered:
			t.Fatalf("answered through a lock: %v", err)
		case <-time.After(5 * time.Millisecond):
		}
	}
	entries, err := d.monitor.Ledger.Log(ctx, ledger.LogFilter{})
	if err != nil || len(entries) != 1 || entries[0].Recorded {
		t.Errorf("while the count waits the ledger has %+v, %v", entries, err)
	}
	if _, err := blocker.Exec(ctx, "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if err := <-answered; err != nil {
		t.Error(err)
	}
}

// TestCancelledCount gives up while the count waits for a lock: it stays charged, and asking again is a new charge.
func TestCancelledCount(t *testing.T) {
	w := newWard(t)
	d := w.open()
	blocker := site.Connect(t, "postgres", w.Database)
	if _, err := blocker.PgConn().Exec(context.Background(), "BEGIN; LOCK TABLE clinic.people").ReadAll(); err != nil {
		t.Fatal(err)
	}
	q := w.query(d, "SELECT count(*) FROM clinic.people")
	ctx, cancel := context.WithCancel(context.Background())
	answered := make(chan error, 1)
	go func() {
		_, _, err := d.Answer(ctx, reply.Request{Analyst: "ward_ana", Queries: []*query.BoundQuery{q}})
		answered <- err
	}()
	for w.spent(d) == (accountant.Loss{}) {
		time.Sleep(5 * time.Millisecond)
	}
	cancel()
	if err := <-answered; refusalCode(err) != "57014" {
		t.Errorf("a cancelled count ended in %v", err)
	}
	if _, err := blocker.Exec(context.Background(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	w.cells(d, "SELECT count(*) FROM clinic.people")
	if got := w.spent(d); got.Epsilon != 40e9 {
		t.Errorf("%v spent, want epsilon 40", got)
	}
}

// TestTooManySelected wants a refusal, and the charge kept, when more keys pass the threshold than limits.cells allows.
func TestTooManySelected(t *testing.T) {
	w := newWard(t)
	w.Exec("INSERT INTO clinic.people SELECT 10000 + i, 'north', 'F', 1, 'illness ' || i % 300 FROM generate_series(1, 3000) AS i")
	d := w.open()
	if _, _, err := w.ask(d, "ward_ana", "SELECT illness, count(*) FROM clinic.people GROUP BY illness"); refusalCode(err) != "54000" {
		t.Errorf("300 keys with a limit of 200: %v", err)
	}
	if got := w.spent(d); got != (accountant.Loss{Epsilon: 20e9, Delta: 1e9}) {
		t.Errorf("%v spent", got)
	}
	w.cells(d, "SELECT count(*) FROM clinic.people") // the connection was given up, not the door
}

// TestStrangers wants no answer for a name that the policy does not know, whatever the proxy believes.
func TestStrangers(t *testing.T) {
	w := newWard(t)
	d := w.open()
	if _, _, err := w.ask(d, "ward_eve", "SELECT count(*) FROM clinic.people"); refusalCode(err) != "28000" {
		t.Errorf("a stranger: %v", err)
	}
	if got := w.spent(d); got != (accountant.Loss{}) {
		t.Errorf("%v was charged", got)
	}
}

// TestIndependentNoise asks two counts over 101 cells without rows at epsilon 0.01. By noise that is shared among the cells, or among
// the counts, or none, values or columns would be equal. Each value of an independent draw has probability below 0.005, so that
// fewer than 20 different values among 101, or two equal columns, have a chance far below 1e-6; the source is seeded besides.
func TestIndependentNoise(t *testing.T) {
	w := newWard(t)
	w.Policy.Tables[0].Mechanism.Epsilon = 1e7
	w.Policy.Tables[0].Mechanism.KeepNegative = true
	d := w.open()
	cells, _, err := w.ask(d, "ward_ana", "SELECT count(*), count(sex) FROM clinic.people WHERE region = 'east' GROUP BY age")
	if err != nil {
		t.Fatal(err)
	}
	different := make(map[int64]bool)
	for _, n := range cells[0].Counts[0] {
		different[n] = true
	}
	if len(cells[0].Counts[0]) != 101 || len(different) < 20 {
		t.Errorf("%d cells have %d different values: %v", len(cells[0].Counts[0]), len(different), cells[0].Counts[0])
	}
	if slices.Equal(cells[0].Counts[0], cells[0].Counts[1]) {
		t.Error("two counts have the same noise")
	}
}

// TestKeyedLocks lets goroutines take overlapping sets of keys in different orders. Without a common order they would wait for each
// other for ever.
func TestKeyedLocks(t *testing.T) {
	var locks live.Locks
	a, b, c := [32]byte{1}, [32]byte{2}, [32]byte{3}
	orders := [][][32]byte{{a, b}, {b, a}, {c, a, b}, {b, c}, {a, a}, {c, b, a}}
	holders := make(map[[32]byte]int)
	var all sync.WaitGroup
	for _, keys := range orders {
		for range 4 {
			all.Go(func() {
				for range 200 {
					unlock, err := locks.Lock(context.Background(), keys)
					if err != nil {
						t.Error(err)
						return
					}
					for _, k := range keys {
						locks.Mu.Lock()
						holders[k]++
						n := holders[k]
						locks.Mu.Unlock()
						if n > 2 || n > 1 && keys[0] != keys[1] {
							t.Errorf("%d holders of one key", n)
						}
					}
					for _, k := range keys {
						locks.Mu.Lock()
						holders[k]--
						locks.Mu.Unlock()
					}
					unlock()
				}
			})
		}
	}
	all.Wait()
	unlock, err := locks.Lock(context.Background(), [][32]byte{b})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := locks.Lock(ctx, [][32]byte{a, b}); err == nil {
		t.Error("a held key was taken")
	}
	unlock()
	if unlock, err = locks.Lock(context.Background(), [][32]byte{a, b}); err != nil {
		t.Fatal("whoever gave up waiting kept a key")
	}
	unlock()
	if len(locks.Held) != 0 {
		t.Errorf("%d keys are held by nobody", len(locks.Held))
	}
}
