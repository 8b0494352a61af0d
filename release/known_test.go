package release

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tacit/accountant"
	"tacit/policy"
	"tacit/release/internal/site"
	"tacit/rewrite/query"
)

// knownSchema has two tables of the same stays, but for one person with an extreme value in every column, whom only the second has.
const knownSchema = `
CREATE SCHEMA clinic;
CREATE TABLE clinic.stays (id int NOT NULL, seen timestamp, paid timestamptz, admitted date NOT NULL, diagnosis text, active bool, fit bool NOT NULL,
  age int NOT NULL, cost numeric, ratio float8, code char(3));
INSERT INTO clinic.stays SELECT i, timestamp '2024-01-30 10:00:00' + i * interval '37 minutes', timestamptz '2024-03-30 20:00:00Z' + i * interval '11 minutes',
  date '2024-02-20' + i % 20, (ARRAY['flu', 'cold', 'gout', NULL])[1 + i % 4], (ARRAY[true, false, NULL])[1 + i % 3], i % 2 = 0, i % 90, i % 7 - 2.5, i % 5, (ARRAY['a', 'b'])[1 + i % 2]
  FROM generate_series(1, 300) AS i;
UPDATE clinic.stays SET seen = NULL, paid = NULL, cost = NULL WHERE id % 50 = 0;
CREATE TABLE clinic.planted AS SELECT * FROM clinic.stays;
INSERT INTO clinic.planted VALUES (-1, 'infinity', '-infinity', 'infinity', repeat('x', 100000), NULL, true, 2147483647, 'NaN', '-Infinity', NULL);
ALTER TABLE clinic.planted ALTER id SET NOT NULL, ALTER admitted SET NOT NULL, ALTER fit SET NOT NULL, ALTER age SET NOT NULL;
`

// knownPolicy has much epsilon, so that counts are true but with probability 4e-9 for each cell, and no delta, so that no threshold can decide.
const knownPolicy = `
listen: 127.0.0.1:6432
upstream:
  analyst: postgres://{analyst}@%[1]s:%[2]d/%[3]s?sslmode=disable
  curator: postgres://ward_curator@%[1]s:%[2]d/%[3]s?sslmode=disable
ledger: sqlite:ward.db
auth: trust
analysts: {ward_ana: {}}
limits: {cells: 2000}
tables:
  clinic.stays:
    person: row
    mechanism: {kind: geometric, epsilon: 20}
    budget: {epsilon: 10000}
    derive: false
    columns: {id: {}, seen: {}, paid: {}, admitted: {}, diagnosis: {}, active: {}, fit: {}, age: {}, cost: {}, ratio: {}, code: {}}
  clinic.planted:
    person: row
    mechanism: {kind: geometric, epsilon: 20}
    budget: {epsilon: 10000}
    derive: false
    columns: {id: {}, seen: {}, paid: {}, admitted: {}, diagnosis: {}, active: {}, fit: {}, age: {}, cost: {}, ratio: {}, code: {}}
`

// knownKeys are questions whose cells are known, and how many there are.
var knownKeys = []struct {
	sql   string
	cells int
}{
	{"SELECT active, count(*) FROM %s GROUP BY active", 3},
	{"SELECT fit, count(*) FROM %s GROUP BY fit", 2},
	{"SELECT active, count(*) FROM %s WHERE active GROUP BY active", 1},
	{"SELECT age >= 18, count(*) FROM %s GROUP BY 1", 2},
	{"SELECT diagnosis = 'flu', count(*) FROM %s GROUP BY 1", 3},
	{"SELECT diagnosis IS NULL, fit AND age > 3, count(*) FROM %s GROUP BY 1, 2", 4},
	{"SELECT (cost > 1)::int, count(*) FROM %s GROUP BY 1", 3},
	{"SELECT CASE WHEN age < 18 THEN 'child' WHEN age < 65 THEN 'adult' ELSE 'old' END, count(*) FROM %s GROUP BY 1", 3},
	{"SELECT CASE WHEN age < 18 THEN 'child' WHEN age >= 18 THEN 'adult' END, count(*) FROM %s GROUP BY 1", 3},
	{"SELECT CASE WHEN diagnosis = 'flu' THEN 1.50 WHEN active THEN 2 ELSE 0 END, count(*) FROM %s GROUP BY 1", 3},
	{"SELECT coalesce(active, fit), count(*) FROM %s GROUP BY 1", 2},
	{"SELECT sign(cost), count(*) FROM %s WHERE cost < 100 GROUP BY 1", 3},
	{"SELECT extract(dow FROM seen), count(*) FROM %s WHERE seen < '2030-01-01' GROUP BY 1", 7},
	{"SELECT extract(hour FROM seen)::int / 6, count(*) FROM %s WHERE seen IS NOT NULL AND id > 0 GROUP BY 1", 4},
	{"SELECT extract(month FROM admitted), extract(quarter FROM admitted), count(*) FROM %s WHERE admitted < '2030-01-01' GROUP BY 1, 2", 48},
	{"SELECT extract(isodow FROM seen), count(*) FROM %s WHERE extract(isodow FROM seen) IN (6, 7) GROUP BY 1", 2},
	{"SELECT CASE WHEN extract(dow FROM seen) IN (0, 6) THEN 'weekend' ELSE 'week' END, count(*) FROM %s GROUP BY 1", 2},
	{"SELECT extract(hour FROM paid AT TIME ZONE 'Asia/Kathmandu'), count(*) FROM %s WHERE paid > '2000-01-01 00:00:00Z' GROUP BY 1", 24},
	{"SELECT width_bucket(age, 0, 100, 10), count(*) FROM %s GROUP BY 1", 12},
	{"SELECT width_bucket(cost, -3, 4, 7), count(*) FROM %s WHERE cost < 100 GROUP BY 1", 9},
	{"SELECT diagnosis, count(*) FROM %s WHERE diagnosis IN ('flu', 'gout', 'plague') GROUP BY diagnosis", 3},
	{"SELECT diagnosis, count(*) FROM %s WHERE diagnosis = 'flu' OR diagnosis = 'cold' AND age > 5 OR diagnosis IS NULL GROUP BY diagnosis", 3},
	{"SELECT upper(diagnosis), active, count(*) FROM %s WHERE diagnosis IN ('flu', 'gout') GROUP BY 1, 2", 6},
	{"SELECT lower(diagnosis), count(*) FROM %s WHERE lower(diagnosis) IN ('flu', 'cold') GROUP BY 1", 2},
	{"SELECT code, count(*) FROM %s WHERE code IN ('a', 'b', 'c') GROUP BY code", 3},
	{"SELECT age, count(*) FROM %s WHERE age BETWEEN 10 AND 19 AND age <> 13 GROUP BY age", 9},
	{"SELECT age / 10, count(*) FROM %s WHERE age >= 15 AND age < 41 GROUP BY 1", 4},
	{"SELECT cost, count(*) FROM %s WHERE cost IN (-1.5, 0.50, 7) GROUP BY cost", 3},
	{"SELECT admitted, count(*) FROM %s WHERE admitted >= '2024-02-25' AND admitted < '2024-03-05' GROUP BY admitted", 9},
	{"SELECT date_trunc('month', admitted::timestamp), count(*) FROM %s WHERE admitted >= '2024-01-25' AND admitted < '2024-03-05' GROUP BY 1", 3},
	{"SELECT date_trunc('day', seen), count(*) FROM %s WHERE seen >= '2024-01-31 23:30:00' AND seen < '2024-02-05 00:00:00.000001' GROUP BY 1", 6},
	{"SELECT seen::date, count(*) FROM %s WHERE seen > '2024-01-31 23:59:59.999999' AND seen <= '2024-02-05' GROUP BY 1", 5},
	{"SELECT date_trunc('week', seen), count(*) FROM %s WHERE seen >= '2024-01-31' AND seen < '2024-02-14' GROUP BY 1", 3},
	{"SELECT date_trunc('month', seen), count(*) FROM %s WHERE seen >= '2023-11-30' AND seen < '2024-03-01' GROUP BY 1", 4},
	{"SELECT to_char(seen, 'YYYY-MM'), extract(dow FROM seen), count(*) FROM %s WHERE seen >= '2024-01-29' AND seen < '2024-02-05' GROUP BY 1, 2", 7},
	{"SELECT date_trunc('hour', seen), count(*) FROM %s WHERE seen >= '2024-01-31 05:30:00' AND seen < '2024-01-31 09:00:00' GROUP BY 1", 4},
	{"SELECT date_trunc('minute', seen), count(*) FROM %s WHERE seen BETWEEN '2024-01-31 05:30:10' AND '2024-01-31 05:40:00' GROUP BY 1", 11},
	{"SELECT date_trunc('day', seen), count(*) FROM %s WHERE seen >= '2024-02-01' AND seen < '2024-02-08' AND extract(isodow FROM seen) < 6 GROUP BY 1", 5},
	{"SELECT date_trunc('day', seen), count(*) FROM %s WHERE seen >= '2024-02-01' AND seen < '2024-02-03' AND extract(hour FROM seen) = 12 GROUP BY 1", 2},
	{"SELECT date_trunc('day', seen), active, count(*) FROM %s WHERE seen::date IN ('2024-02-01', '2024-02-04') OR date_trunc('month', seen) = '2024-03-01' GROUP BY 1, 2", 99},
	{"SELECT date_trunc('day', seen), count(*) FROM %s WHERE seen >= '2024-02-01' AND seen < '2024-02-03' OR seen IS NULL GROUP BY 1", 3},
	{"SELECT date_trunc('day', paid, 'Europe/Berlin'), count(*) FROM %s WHERE paid >= '2024-03-30 22:59:00Z' AND paid < '2024-04-01 22:00:00.5Z' GROUP BY 1", 4},
	{"SELECT date_trunc('hour', paid AT TIME ZONE 'Europe/Berlin'), count(*) FROM %s WHERE paid >= '2024-03-30 22:00:00Z' AND paid < '2024-03-31 04:00:00Z' GROUP BY 1", 6},
	{"SELECT (paid AT TIME ZONE 'Asia/Kathmandu')::date, count(*) FROM %s WHERE paid >= '2024-03-30 00:00:00Z' AND paid < '2024-03-31 18:20:00Z' GROUP BY 1", 3},
}

// TestKnownKeys compares with PostgreSQL's own answers, without noise: each group is a cell, and what is a cell besides has no rows. It fails
// if a threshold decides, which there is no delta for, or if the number of cells is another than follows from the statement. Some of the
// conditions keep out the person who is planted, so that what is compared are the rows that she is not among.
func TestKnownKeys(t *testing.T) {
	w := newWardOf(t, knownSchema, knownPolicy)
	d := w.open()
	for i, c := range knownKeys {
		if testing.Short() && i%2 != 0 {
			continue
		}
		for _, table := range []string{"clinic.stays", "clinic.planted"} {
			sql := fmt.Sprintf(c.sql, table)
			cells, receipt, err := w.ask(d, "ward_ana", sql)
			if err != nil {
				t.Errorf("%s: %v", sql, err)
				continue
			}
			if n := len(cells[0].Counts[0]); n != c.cells || receipt.Lines[0].Threshold != 0 {
				t.Errorf("%s: %d cells, threshold %d", sql, n, receipt.Lines[0].Threshold)
			}
			truth := w.groups(sql)
			for _, line := range strings.Split(strings.TrimSpace(cellText(cells[0])), "\n") {
				key, n := line[:strings.LastIndex(strings.TrimSpace(line), " ")], line[strings.LastIndex(strings.TrimSpace(line), " ")+1:]
				if want, ok := truth[key]; strings.TrimSpace(n) != want && (ok || strings.TrimSpace(n) != "0") {
					t.Errorf("%s: %s in cell %s, which has %s", sql, n, key, want)
				}
				delete(truth, key)
			}
			if len(truth) > 0 && table == "clinic.stays" {
				t.Errorf("%s: not shown: %v", sql, truth)
			}
		}
	}
	if spent := w.charged(d, policy.TableName{Schema: "clinic", Name: "stays"}); spent.Delta != 0 || spent == (accountant.Loss{}) {
		t.Errorf("%v was charged", spent)
	}
}

// groups are the counts of a statement by the keys before them, as a superuser is answered in UTC.
func (w *ward) groups(sql string) map[string]string {
	w.T.Helper()
	conn := site.Connect(w.T, "postgres", w.Database).PgConn()
	results, err := conn.Exec(context.Background(), "SET timezone = 'UTC'; "+sql).ReadAll()
	if err != nil {
		w.T.Fatalf("%s: %v", sql, err)
	}
	groups := make(map[string]string)
	for _, row := range results[1].Rows {
		texts := make([]string, len(row))
		for i, v := range row {
			texts[i] = string(v)
			if v == nil {
				texts[i] = "NULL"
			}
			if strings.Contains(texts[i], ".") && strings.Trim(texts[i], "-.0123456789") == "" {
				texts[i] = strings.TrimRight(strings.TrimRight(texts[i], "0"), ".")
			}
		}
		last := len(texts) - 1
		groups[strings.TrimRight(strings.Join(texts[:last], " "), " ")] = texts[last]
	}
	return groups
}

// TestKnownKeysAreTheSameForNeighbours fails if a person whose values are all beyond what is usual changes which cells are shown, what is charged,
// or what is said.
func TestKnownKeysAreTheSameForNeighbours(t *testing.T) {
	w := newWardOf(t, knownSchema, knownPolicy)
	d := w.open()
	for _, c := range knownKeys {
		var keys [2][][]query.Value
		var told [2]string
		for i, table := range []string{"clinic.stays", "clinic.planted"} {
			cells, receipt, err := w.ask(d, "ward_ana", fmt.Sprintf(c.sql, table))
			if err != nil {
				t.Fatalf("%s: %v", c.sql, err)
			}
			keys[i], told[i] = cells[0].Keys, strings.ReplaceAll(receipt.Notice(), table, "")
		}
		if !slices.EqualFunc(keys[0], keys[1], slices.Equal[[]query.Value]) || told[0] != told[1] {
			t.Errorf("%s: %v, %s; with a person more %v, %s", c.sql, keys[0], told[0], keys[1], told[1])
		}
	}
}

// TestKnownKeysAreNotThoseOfAThreshold fails if a count over cells that are known is taken for the count that a threshold was applied to.
func TestKnownKeysAreNotThoseOfAThreshold(t *testing.T) {
	w := newWard(t)
	d := w.open()
	e, err := w.explain(d, "ward_ana", "SELECT illness, count(*) FROM clinic.people WHERE illness IN ('flu', 'cold') GROUP BY illness")
	if err != nil || len(e.Questions) != 1 {
		t.Fatalf("%+v, %v", e, err)
	}
	want := "count(*) FROM clinic.people WHERE illness IN ('cold', 'flu') GROUP BY illness WITH KNOWN KEYS"
	if q := e.Questions[0]; q.Question != want || q.Threshold != 0 || q.Cells != 2 || q.Loss.Delta != 0 {
		t.Errorf("%+v", q)
	}
	e, err = w.explain(d, "ward_ana", "SELECT illness, count(*) FROM clinic.people GROUP BY illness")
	if err != nil || e.Questions[0].Question != "count(*) FROM clinic.people GROUP BY illness" || e.Questions[0].Threshold == 0 {
		t.Errorf("%+v, %v", e, err)
	}
}

// TestKnownKeysAreDerivedFrom fails if what follows from cells that are known is charged again, or if rows are said to be left out that are not.
func TestKnownKeysAreDerivedFrom(t *testing.T) {
	w := newWardOf(t, knownSchema, strings.ReplaceAll(knownPolicy, "    derive: false\n", ""))
	d := w.open()
	w.mustAsk(d, "ward_ana", "SELECT extract(dow FROM seen), active, count(*) FROM clinic.stays GROUP BY 1, 2")
	w.mustAsk(d, "ward_ana", "SELECT diagnosis, count(*) FROM clinic.stays WHERE diagnosis IN ('flu', 'cold', 'gout') GROUP BY 1")
	for sql, want := range map[string]string{
		"SELECT count(*) FROM clinic.stays WHERE active":                       "100 \n",
		"SELECT count(*) FROM clinic.stays":                                    "300 \n",
		"SELECT count(*) FROM clinic.stays WHERE diagnosis IN ('flu', 'cold')": "150 \n",
	} {
		got := w.answered(d, nil, sql)
		if d := got.receipt.Derived; d == nil || d.LeftOut != nil {
			t.Errorf("%s: %v", sql, got.receipt)
		}
		if cellText(got.cells) != want {
			t.Errorf("%s: %s", sql, cellText(got.cells))
		}
	}
}

// TestListedValues shows values of keys without counts: those that are declared or known, whatever rows there are, for nothing.
func TestListedValues(t *testing.T) {
	w := newWard(t)
	d := w.open()
	for _, c := range []struct{ sql, want string }{
		{"SELECT DISTINCT region FROM clinic.people", "east north south"},
		{"SELECT region FROM clinic.people GROUP BY region", "east north south"},
		{"SELECT DISTINCT sex FROM clinic.people", "M F NULL"},
		{"SELECT DISTINCT region FROM clinic.people WHERE region <> 'north' ORDER BY 1", "east south"},
		{"SELECT DISTINCT sex, illness FROM clinic.people WHERE illness = 'x' AND sex IS NOT NULL", "F M, x x"},
		{"SELECT age >= 18 FROM clinic.people GROUP BY 1", "f t NULL"},
		{"SELECT DISTINCT r.land FROM clinic.people p JOIN clinic.regions r ON r.region = p.region", "down up"},
	} {
		cells, receipt, err := w.ask(d, "ward_ana", c.sql)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		if got := listText(cells[0]); got != c.want || len(cells[0].Counts) > 0 || len(receipt.Lines) > 0 || len(receipt.Lists) != 1 {
			t.Errorf("%s: %s, %+v", c.sql, got, receipt)
		}
	}
	const both = "SELECT count(*) FROM clinic.people WHERE age = 1 UNION ALL SELECT n FROM (SELECT DISTINCT age AS n FROM clinic.people WHERE age < 2) AS x"
	cells, receipt, err := w.ask(d, "ward_ana", both)
	if err != nil || len(cells) != 2 || len(receipt.Lines) != 1 || len(receipt.Lists) != 1 || !receipt.Charged() {
		t.Errorf("%v, %+v, %v", cells, receipt, err)
	}
	want := "clinic.people: the values of region are those that rows may have, whether any row has them or not; free (no row is read)"
	if _, receipt, err := w.ask(d, "ward_ana", "SELECT DISTINCT region FROM clinic.people"); err != nil || receipt.Notice() != want {
		t.Errorf("%+v, %v", receipt, err)
	}
	e, err := w.explain(d, "ward_ana", "SELECT DISTINCT region FROM clinic.people")
	if err != nil || !strings.Contains(strings.Join(e.Lines(), "\n"), "Known Values on clinic.people\n  Keys: region\n  Cost: free (no row is read)") {
		t.Errorf("%+v, %v", e, err)
	}
	if _, _, err := w.ask(d, "ward_ana", "SELECT DISTINCT age, region, sex FROM clinic.people"); refusalCode(err) != "54000" {
		t.Errorf("%v", err)
	}
	if got := w.spent(d).Epsilon; got != 20e9 {
		t.Errorf("epsilon %v was charged", got)
	}
}

// listText prints cells without counts, column by column.
func listText(c *query.Cells) string {
	columns := make([]string, len(c.Keys))
	for i, column := range c.Keys {
		texts := make([]string, len(column))
		for j, v := range column {
			texts[j] = v.Text
			if v.Null {
				texts[j] = "NULL"
			}
		}
		columns[i] = strings.Join(texts, " ")
	}
	return strings.Join(columns, ", ")
}
