package release

import (
	"fmt"
	"strings"
	"testing"

	"tacit/release/internal/site"
)

// The persons of alike and of planted have two rows each, which have one content text and which functions or tests for NULL tell apart. They lie in another order in planted,
// which has one person more.
const alikeSchema = `CREATE SCHEMA clinic;
CREATE TABLE clinic.alike (person int NOT NULL, house text NOT NULL, doc jsonb, tags int[], v numeric, large jsonb);
INSERT INTO clinic.alike SELECT i, 'h' || mod(i, 2), CASE k WHEN 0 THEN '{"a": 1.00}' ELSE '{"a": 1.0}' END::jsonb, CASE k WHEN 0 THEN '[0:1]={1,2}' ELSE '{1,2}' END::int[],
  CASE k WHEN 0 THEN 1.000000000000000000000000000000 ELSE 1.0 END,
  CASE WHEN k = 1 THEN (SELECT jsonb_agg(md5(n::text)) FROM generate_series(1, 2500) AS n) END
FROM generate_series(1, 200) AS i, generate_series(0, 1) AS k ORDER BY %s;
CREATE TABLE clinic.planted (LIKE clinic.alike);
INSERT INTO clinic.planted SELECT * FROM clinic.alike ORDER BY %s;
INSERT INTO clinic.planted SELECT -5, 'h1', '{"a": 1.00}', '{1,2}', 1.0, NULL;
`

// TestAlikeRowsOfAPerson fails if it is left to the server's order, and so to the rows of others, which of a person's rows are counted.
func TestAlikeRowsOfAPerson(t *testing.T) {
	for _, rows := range []int{1, 2} {
		t.Run(fmt.Sprint("rows ", rows), func(t *testing.T) {
			schema := fmt.Sprintf(alikeSchema, "i, k", "person, md5(tags::text || person)")
			if rows > 1 {
				schema += "INSERT INTO clinic.alike SELECT * FROM clinic.alike; INSERT INTO clinic.planted SELECT * FROM clinic.planted WHERE person > 0 ORDER BY md5(v::text || person);\n"
			}
			text := knownPolicy[:strings.Index(knownPolicy, "tables:")] + "tables:\n"
			for _, table := range []string{"alike", "planted"} {
				text += fmt.Sprintf("  clinic.%s:\n    person: {column: person, rows: %d, groups: 1}\n    mechanism: {kind: geometric, epsilon: 60, delta: 1e-9}\n    budget: {epsilon: 10000, delta: 1e-6}\n"+
					"    columns: {house: {values: [h0, h1]}, doc: {}, tags: {}, v: {}, large: {}}\n", table, rows)
			}
			w := newWardOf(t, schema, text)
			d := w.open()
			for _, sql := range []string{
				"SELECT count(*) FROM clinic.%s WHERE doc ->> 'a' = '1.0'",
				"SELECT count(*) FROM clinic.%s WHERE tags[1] = 1",
				"SELECT count(*) FROM clinic.%s WHERE v / 3 = 0.33333333333333333333",
				"SELECT count(*) FROM clinic.%s WHERE large IS NULL",
				"SELECT count(large) FROM clinic.%s",
				"SELECT count(*) FILTER (WHERE doc ->> 'a' = '1.0') FROM clinic.%s WHERE tags IS NOT NULL",
			} {
				var counts [2]int
				for i, table := range []string{"alike", "planted"} {
					cells, _, err := w.ask(d, "ward_ana", fmt.Sprintf(sql, table))
					if err != nil {
						t.Fatalf("%s: %v", sql, err)
					}
					fmt.Sscan(cellText(cells[0]), &counts[i])
				}
				if more := counts[1] - counts[0]; more < 0 || more > rows {
					t.Errorf("%s: %d, and %d with one person more, who has one row", sql, counts[0], counts[1])
				}
			}
		})
	}
}

// TestNotNullIsNotBelieved adds up a column that is NOT NULL by the catalog alone. It fails if a row with NULL takes away as much as the least value is.
func TestNotNullIsNotBelieved(t *testing.T) {
	const schema = `CREATE SCHEMA clinic;
CREATE TABLE clinic.parents (id int NOT NULL, a int NOT NULL);
INSERT INTO clinic.parents SELECT i, 100010 FROM generate_series(1, 100) AS i;
`
	text := knownPolicy[:strings.Index(knownPolicy, "tables:")] + `tables:
  clinic.parents:
    person: row
    mechanism: {kind: geometric, epsilon: 100}
    budget: {epsilon: 10000}
    columns: {a: {range: [100000, 100020]}}
`
	w := newWardOf(t, schema, text)
	if site.Cluster.Version(t) >= 180000 {
		w.Exec("ALTER TABLE clinic.parents ALTER a DROP NOT NULL; INSERT INTO clinic.parents VALUES (1000, NULL); ALTER TABLE clinic.parents ADD CONSTRAINT late NOT NULL a NOT VALID")
	} else {
		w.Exec("CREATE TABLE clinic.children () INHERITS (clinic.parents); ALTER TABLE clinic.children ALTER a DROP NOT NULL; INSERT INTO clinic.children VALUES (1000, NULL)")
	}
	d := w.open()
	for sql, want := range map[string]string{
		"SELECT count(*) FROM clinic.parents":                     "101 \n",
		"SELECT count(a) FROM clinic.parents":                     "100 \n",
		"SELECT count(*) FROM clinic.parents WHERE a IS NULL":     "1 \n",
		"SELECT sum(a), count(*) FROM clinic.parents WHERE a > 0": "",
	} {
		if got := w.cells(d, sql); want != "" && got != want {
			t.Errorf("%s: %s, want %s", sql, got, want)
		}
	}
}

// TestSumOfNothing asks about the sums of persons some of whom have NULL alone. It fails if that is a number, of which more is computed than there can be.
func TestSumOfNothing(t *testing.T) {
	const schema = `CREATE SCHEMA clinic;
CREATE TABLE clinic.sums (person int NOT NULL, x int);
INSERT INTO clinic.sums SELECT mod(i, 100), 3 FROM generate_series(1, 200) AS i;
INSERT INTO clinic.sums VALUES (1000, NULL), (1000, NULL), (1001, NULL);
`
	text := knownPolicy[:strings.Index(knownPolicy, "tables:")] + `tables:
  clinic.sums:
    person: {column: person, rows: 2, groups: 1}
    mechanism: {kind: geometric, epsilon: 60}
    budget: {epsilon: 10000}
    columns: {x: {range: [0, 9]}}
`
	w := newWardOf(t, schema, text)
	d := w.open()
	const from = "SELECT count(*) FROM (SELECT person, sum(x) AS s FROM clinic.sums GROUP BY person) AS p WHERE "
	for condition, want := range map[string]string{
		"s IS NULL": "2 \n", "s IS NOT NULL": "100 \n", "s - 1 > 6": "0 \n", "s + 1 > 6": "100 \n", "s < 0": "0 \n", "coalesce(s, 7) = 7": "2 \n",
	} {
		if got := w.cells(d, from+condition); got != want {
			t.Errorf("%s: %s, want %s", condition, got, want)
		}
	}
}

// TestLongIntervals has a person whose interval PostgreSQL 14 fails to take apart. It fails if a count does.
func TestLongIntervals(t *testing.T) {
	const schema = `CREATE SCHEMA clinic;
CREATE TABLE clinic.stays (person int NOT NULL, stay interval, x int);
INSERT INTO clinic.stays SELECT i, '30 hours', i FROM generate_series(1, 100) AS i;
INSERT INTO clinic.stays VALUES (1000, interval '2147483647 hours' + interval '200000000 hours', 1),
  (1001, interval '2147483647 hours' + interval '200000000 hours' - interval '97811818 days', 1);
`
	text := knownPolicy[:strings.Index(knownPolicy, "tables:")] + `tables:
  clinic.stays:
    person: {column: person, rows: 2, groups: 1}
    mechanism: {kind: geometric, epsilon: 60}
    budget: {epsilon: 10000}
    columns: {x: {range: [0, 100]}, stay: {}}
`
	w := newWardOf(t, schema, text)
	d := w.open()
	for condition, want := range map[string]string{
		"x > 49": "51 \n", "extract(hour FROM stay) > 10": "100 \n", "extract(day FROM stay) = 0": "100 \n", "stay > '20 hours'": "101 \n", "x = 1": "3 \n",
	} {
		if got := w.cells(d, "SELECT count(*) FROM clinic.stays WHERE "+condition); got != want {
			t.Errorf("%s: %s, want %s", condition, got, want)
		}
	}
}
