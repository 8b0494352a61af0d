package release

import (
	"fmt"
	"strings"
	"testing"
)

// structuredSchema has two tables of the same notes, but for persons with extreme documents and arrays, whom only the second has.
const structuredSchema = `CREATE SCHEMA clinic;
CREATE TABLE clinic.notes (who int NOT NULL, doc jsonb NOT NULL, tags text[], sizes int[], lasted interval);
INSERT INTO clinic.notes SELECT i / 2, CASE WHEN i % 7 > 0 THEN jsonb_build_object('ward', (ARRAY['a', 'b', 'c'])[1 + i % 3], 'stay', jsonb_build_object('days', i % 5), 'list', jsonb_build_array(i % 2, 'x')) ELSE '[]' END,
  CASE i % 4 WHEN 0 THEN ARRAY['new', 'vip'] WHEN 1 THEN ARRAY['old'] WHEN 2 THEN '{}' END, ARRAY[i % 3, i], make_interval(hours => i % 30) FROM generate_series(1, 400) AS i;
CREATE TABLE clinic.planted AS SELECT * FROM clinic.notes;
ALTER TABLE clinic.planted ALTER who SET NOT NULL, ALTER doc SET NOT NULL;
INSERT INTO clinic.planted SELECT 1000 + i, doc, tags, sizes, lasted FROM generate_series(1, 3) AS i,
  (VALUES ('null'::jsonb, '{NULL}'::text[], '{NULL,2147483647}'::int[], '178956970 years 7 mons'::interval), ('"a"', '{{new,b},{c,d}}', '[2147483646:2147483646]={7}', '-178956970 years'),
    (jsonb_build_object('ward', repeat('x', 100000), 'stay', '{"days": 1e5000}'::jsonb), ARRAY[repeat('new', 100000)], '{}', NULL), ('{"ward": {"ward": []}, "list": 7}', NULL, NULL, '0')) AS v (doc, tags, sizes, lasted);
`

// structuredStatements ask for parts, with known keys alone.
var structuredStatements = []string{
	"SELECT doc ->> 'ward', count(*) FROM %s WHERE doc ->> 'ward' IN ('a', 'b', 'q') GROUP BY 1",
	"SELECT doc -> 'stay' ->> 'days', count(*) FROM %s WHERE doc -> 'stay' ->> 'days' = ANY ('{0,1,2}') GROUP BY 1",
	"SELECT doc ->> 'ward' = 'a', count(*) FROM %s GROUP BY 1",
	"SELECT doc ? 'ward', count(*) FROM %s WHERE jsonb_typeof(doc) = 'object' GROUP BY 1",
	"SELECT count(*) FROM %s WHERE doc -> 'list' ->> 1 = 'x' AND doc -> 'list' ->> 0 = '1'",
	"SELECT 'new' = ANY (tags), count(*) FROM %s GROUP BY 1",
	"SELECT count(*) FROM %s WHERE 'new' <> ALL (tags)",
	"SELECT tags[1], count(*) FROM %s WHERE tags[1] IN ('new', 'old') GROUP BY 1",
	"SELECT cardinality(tags) > 1, array_length(tags, 1) IS NULL, count(*) FROM %s GROUP BY 1, 2",
	"SELECT 2 = ANY (sizes), count(*) FROM %s WHERE sizes[2] < 300 GROUP BY 1",
	"SELECT count(tags) FROM %s WHERE lasted > '5 hours' AND lasted <= interval '1 day'",
	"SELECT lasted < '12 hours', count(*) FROM %s GROUP BY 1",
	"SELECT extract(hour FROM lasted) > 10, count(*) FROM %s GROUP BY 1",
}

// TestPartsOfStructuredValues compares counts by parts of documents and arrays with PostgreSQL's own, and asks them of a table with persons more. It
// fails if a part is read in another way, if a NULL that a part can be has no cell, and if these persons make a statement fail or change its cells.
func TestPartsOfStructuredValues(t *testing.T) {
	for n, person := range []string{"row", "{column: who, rows: 2, groups: 2}"} {
		text := knownPolicy[:strings.Index(knownPolicy, "tables:")] + "tables:\n"
		for _, table := range []string{"notes", "planted"} {
			text += fmt.Sprintf("  clinic.%s:\n    person: %s\n    mechanism: {kind: geometric, epsilon: 40}\n    budget: {epsilon: 10000}\n    columns: {doc: {}, tags: {}, sizes: {}, lasted: {range: [0, 30h]}}\n", table, person)
		}
		w := newWardOf(t, structuredSchema, text)
		d := w.open()
		for i, statement := range structuredStatements {
			if testing.Short() && (i+n)%2 != 0 {
				continue
			}
			var keys [2]string
			for i, table := range []string{"clinic.notes", "clinic.planted"} {
				sql := fmt.Sprintf(statement, table)
				cells, receipt, err := w.ask(d, "ward_ana", sql)
				if err != nil {
					t.Errorf("%s: %v", sql, err)
					continue
				}
				if receipt.Lines[0].Threshold != 0 {
					t.Errorf("%s: a threshold decides", sql)
				}
				keys[i] = fmt.Sprint(cells[0].Keys)
				if truth := w.groups(sql); i == 0 {
					for _, line := range strings.Split(strings.TrimSpace(cellText(cells[0])), "\n") {
						line = strings.TrimSpace(line)
						at := strings.LastIndex(line, " ") + 1
						key, n := strings.TrimSpace(line[:at]), line[at:]
						if want, ok := truth[key]; n != want && (ok || n != "0") {
							t.Errorf("%s: %s in cell %q, which has %q", sql, n, key, want)
						}
						delete(truth, key)
					}
					if len(truth) > 0 {
						t.Errorf("%s: no cells for %v", sql, truth)
					}
				}
			}
			if keys[0] != keys[1] {
				t.Errorf("%s: %s, with persons more %s", statement, keys[0], keys[1])
			}
		}
		for _, table := range []string{"notes", "planted"} {
			if _, receipt, err := w.ask(d, "ward_ana", "SELECT avg(lasted), sum(lasted) FROM clinic."+table); err != nil || !strings.Contains(receipt.Notice(), "beyond 0 to 108000 count") {
				t.Errorf("%v, %v", receipt, err)
			}
		}
	}
}

// TestOversizedContentOfPersons counts rows of persons who have documents and arrays whose texts are longer than the server can hold. It fails if a
// statement that has nothing to do with them fails, or reads them to choose among a person's rows; and if one that uses them does not tell rows apart by them.
func TestOversizedContentOfPersons(t *testing.T) {
	const oversized = `UPDATE clinic.planted SET doc = ('[' || repeat('1e131071,', 8200) || '1]')::jsonb, sizes = array_fill(NULL::int, ARRAY[100000000, 1, 1, 1, 1, 1]), tags = array_fill(NULL::text, ARRAY[50000000]) WHERE who = 1001;`
	text := knownPolicy[:strings.Index(knownPolicy, "tables:")] + "tables:\n  clinic.planted:\n    person: {column: who, rows: 3, groups: 3}\n    mechanism: {kind: geometric, epsilon: 40}\n" +
		"    budget: {epsilon: 10000}\n    columns: {doc: {}, tags: {}, sizes: {}, lasted: {range: [0, 30h]}}\n"
	w := newWardOf(t, structuredSchema+oversized, text)
	d := w.open()
	for _, sql := range []string{"SELECT count(*) FROM clinic.planted", "SELECT lasted < '1 hour', count(*), avg(lasted) FROM clinic.planted GROUP BY 1",
		"SELECT doc ->> 'ward' = 'a', doc ->> 1 = 'x', sizes[1] = 1, 'new' = ANY (tags), cardinality(sizes) > 3, count(*) FROM clinic.planted GROUP BY 1, 2, 3, 4, 5"} {
		if _, _, err := w.ask(d, "ward_ana", sql); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
		q := w.query(d, sql)
		if counted, _ := q.CountSQL(q.Counts); strings.Contains(counted, `jsonb_hash_extended(t."doc"`) != strings.Contains(sql, "doc") {
			t.Errorf("%s: %s", sql, counted)
		}
	}
}
