package release

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
)

// testdata/former.ledger was written by a program of November 2026, before derived answers were made of coarser releases and before workloads were fitted. Its answers stand
// in testdata/former.txt. It is never written anew: what a later program cannot answer of it is charged to tables again that others have.
var recordFormer = flag.Bool("record-former", false, "write another ledger beside testdata/former.ledger, for a version to come")

const formerSchema = `
CREATE SCHEMA clinic;
CREATE TABLE clinic.regions (region text PRIMARY KEY, land text);
INSERT INTO clinic.regions VALUES ('north', 'up'), ('south', 'down'), ('east', 'up');
CREATE TABLE clinic.people (id int PRIMARY KEY, region text NOT NULL, sex text, age int, illness text);
INSERT INTO clinic.people SELECT i, CASE WHEN i <= 600 THEN 'north' ELSE 'south' END, CASE WHEN i % 10 = 0 THEN NULL WHEN i % 2 = 0 THEN 'F' ELSE 'M' END,
  i % 50, CASE WHEN i <= 500 THEN 'flu' ELSE 'cold' END FROM generate_series(1, 1000) AS i;
CREATE TABLE clinic.stays (id int PRIMARY KEY, ward text NOT NULL, age int NOT NULL, sex text NOT NULL, days int, reason text);
INSERT INTO clinic.stays SELECT i, (ARRAY['a', 'b', 'c'])[1 + i % 3], i % 30, CASE WHEN i % 7 < 3 THEN 'F' ELSE 'M' END, i % 15, CASE WHEN i % 4 = 0 THEN 'fall' ELSE 'flu' END
  FROM generate_series(1, 2000) AS i;
`

const formerPolicy = `
listen: 127.0.0.1:6432
upstream:
  analyst: postgres://{analyst}@%[1]s:%[2]d/%[3]s?sslmode=disable
  curator: postgres://ward_curator@%[1]s:%[2]d/%[3]s?sslmode=disable
ledger: sqlite:ward.db
auth: trust
analysts: {ward_ana: {}}
public: [clinic.regions]
limits: {cells: 400}
tables:
  clinic.people:
    person: row
    mechanism: {kind: discrete-gaussian, epsilon: 0.5, delta: 1e-9, negative: keep, totals: optimal}
    budget: {epsilon: 100, delta: 1e-6, composition: zcdp}
    workload: {marginals: [{columns: [age, sex], ranges: [age]}, {columns: [region, sex], weight: 3}], epsilon: 1, delta: 1e-8}
    columns:
      region: {values_from: clinic.regions.region}
      sex: {values: [M, F]}
      age: {range: [0, 49]}
      illness: {values: [flu, cold]}
  clinic.stays:
    person: row
    mechanism: {kind: geometric, epsilon: 0.5, delta: 1e-9}
    budget: {epsilon: 100, delta: 1e-6}
    columns:
      ward: {values: [a, b, c]}
      age: {range: [0, 29]}
      sex: {values: [F, M]}
      days: {range: [0, 14]}
      reason: {}
`

// formerStatements were asked of it, in this order.
var formerStatements = []string{
	// the workload, of which ranges are measured
	"SELECT age, sex, count(*), tacit.low(count(*)), tacit.high(count(*)) FROM clinic.people GROUP BY age, sex",
	"SELECT count(*) FROM clinic.people WHERE age BETWEEN 10 AND 34",
	"SELECT sex, count(*) FROM clinic.people WHERE age >= 18 GROUP BY sex",
	"SELECT age / 10 * 10 AS decade, count(*) FROM clinic.people GROUP BY 1",
	"SELECT region, sex, count(*) FROM clinic.people GROUP BY region, sex",
	"SELECT region, count(*) FROM clinic.people WHERE sex = 'F' GROUP BY region",
	"SELECT count(*) FROM clinic.people",
	// what does not follow from it: totals that are measured together, and a join
	"SELECT region, illness, count(*) FROM clinic.people GROUP BY CUBE (region, illness)",
	"SELECT region, illness, count(*) FROM clinic.people GROUP BY GROUPING SETS ((region), (illness))",
	"SELECT land, count(*) FROM clinic.people JOIN clinic.regions USING (region) WHERE illness = 'flu' GROUP BY land",
	"SELECT illness, count(*) FILTER (WHERE age < 20), count(DISTINCT region) FROM clinic.people GROUP BY illness",
	// finer counts, and what follows from one and from several of them
	"SELECT ward, age, count(*) FROM clinic.stays GROUP BY ward, age",
	"SELECT ward, count(*), tacit.low(count(*)) FROM clinic.stays GROUP BY ward",
	"SELECT ward, sex, count(*) FROM clinic.stays GROUP BY ward, sex",
	"SELECT ward, count(*) FROM clinic.stays GROUP BY ward",
	"SELECT ward, count(*) FROM clinic.stays WHERE age < 10 GROUP BY ward",
	"SELECT ward, count(*) FROM clinic.stays GROUP BY ROLLUP (ward)",
	"SELECT sex, days, count(*) FROM clinic.stays GROUP BY sex, days",
	"SELECT sex, count(*) FROM clinic.stays GROUP BY sex",
	"SELECT count(*) FROM clinic.stays",
	// sums, averages, and what follows from counts by value
	"SELECT ward, sum(days), avg(days), stddev(days) FROM clinic.stays GROUP BY ward",
	"SELECT ward, count(days) FROM clinic.stays GROUP BY ward",
	"SELECT ward, avg(age) FROM clinic.stays GROUP BY ward",
	"SELECT ward, median(age) FROM clinic.stays GROUP BY ward",
	"SELECT sex, percentile_disc(0.9) WITHIN GROUP (ORDER BY age) FROM clinic.stays WHERE ward = 'a' GROUP BY sex",
	// keys that a threshold selects, totals of sums
	"SELECT reason, count(*) FROM clinic.stays GROUP BY reason",
	"SELECT reason, ward, count(*) FROM clinic.stays GROUP BY ROLLUP (reason, ward)",
	"SELECT CASE WHEN age < 10 THEN 'young' ELSE 'old' END, sex, count(*) FROM clinic.stays GROUP BY GROUPING SETS ((1), (2), ())",
	"SELECT width_bucket(days, 0, 15, 3), count(*) FROM clinic.stays WHERE sex = 'F' GROUP BY 1",
}

// formerAnswers asks all of them. Each answer has its cells and the ends of their intervals.
func (w *ward) formerAnswers(d *Gateway, free bool) string {
	w.T.Helper()
	var text strings.Builder
	for _, sql := range formerStatements {
		cells, receipt, err := w.ask(d, "ward_ana", sql)
		if err != nil {
			w.T.Fatalf("%s: %v", sql, err)
		}
		if free && receipt.Charged() {
			w.T.Errorf("%s: charged: %s", sql, receipt.Notice())
		}
		fmt.Fprintln(&text, sql)
		for _, c := range cells {
			fmt.Fprintln(&text, "keys", c.Keys, "sets", c.Sets, "withheld", c.Suppressed)
			fmt.Fprintln(&text, "counts", c.Counts, "values", c.Values)
			for _, e := range c.Ends {
				fmt.Fprintln(&text, "low", e.Low, "high", e.High, "unknown", e.Unknown)
			}
		}
	}
	return text.String()
}

// TestFormerLedger: a ledger of the version before answers all its questions as it did, to the byte, and nothing is charged; nor is it when it is asked again.
func TestFormerLedger(t *testing.T) {
	w := newWardOf(t, formerSchema, formerPolicy)
	path := w.Policy.Ledger.SQLite
	if *recordFormer {
		w.recordFormer(path)
		return
	}
	for from, to := range map[string]string{"testdata/former.ledger": path, "testdata/former.ledger.guard": path + ".guard"} {
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/former.txt")
	if err != nil {
		t.Fatal(err)
	}
	d := w.open()
	before := w.totals(d)
	for range 2 {
		if diff := cmp.Diff(string(want), w.formerAnswers(d, true)); diff != "" {
			t.Fatalf("answers (-before +now):\n%s", diff)
		}
	}
	if after := w.totals(d); after != before || before == [2]accountant.Loss{} {
		t.Errorf("%v was spent before, and %v now", before, after)
	}
}

// totals are what both tables have spent.
func (w *ward) totals(d *Gateway) (spent [2]accountant.Loss) {
	w.T.Helper()
	for i, t := range w.Policy.Tables {
		spent[i] = w.charged(d, t.Name)
	}
	return spent
}

// recordFormer asks twice: at first some answers are older than what they could be derived from later.
func (w *ward) recordFormer(path string) {
	w.T.Helper()
	d := w.open()
	w.formerAnswers(d, false)
	text := w.formerAnswers(d, true)
	if err := d.Close(); err != nil {
		w.T.Fatal(err)
	}
	if left, _ := filepath.Glob(path + "-wal"); len(left) > 0 {
		w.T.Fatalf("the ledger is not closed: %v", left)
	}
	for from, to := range map[string]string{path: "testdata/former.ledger.new", path + ".guard": "testdata/former.ledger.guard.new"} {
		data, err := os.ReadFile(from)
		if err != nil {
			w.T.Fatal(err)
		}
		if err := os.WriteFile(to, data, 0o600); err != nil {
			w.T.Fatal(err)
		}
	}
	if err := os.WriteFile("testdata/former.txt.new", []byte(text), 0o600); err != nil {
		w.T.Fatal(err)
	}
}
