package release

import (
	"fmt"
	"strings"
	"testing"
)

const longSchema = `CREATE SCHEMA clinic;
CREATE TABLE clinic.notes (house text NOT NULL, ward text, note text NOT NULL, padded character(3) NOT NULL);
INSERT INTO clinic.notes SELECT 'h' || i % 2, nullif('w' || i % 3, 'w0'), 'n' || i % 2, 'p' || i % 2 FROM generate_series(1, 600) AS i;
CREATE TABLE clinic.planted (LIKE clinic.notes);
INSERT INTO clinic.planted SELECT * FROM clinic.notes;
`

// TestLongKeys compares counts by texts of two tables, of which one has persons more whose texts are too long to be a key: a thousand of them with one, and a
// person with two that PostgreSQL cannot show together. It fails if a count fails, if these persons get a cell, or if they change that of another.
func TestLongKeys(t *testing.T) {
	huge := 100_000
	if !testing.Short() {
		huge = 600_000_000
	}
	schema := longSchema + fmt.Sprintf(`INSERT INTO clinic.planted SELECT 'h2', 'w1', repeat('n', 65537), 'p1' FROM generate_series(1, 1000);
INSERT INTO clinic.planted SELECT 'h2', 'w1', repeat('m', 65536), 'p1' FROM generate_series(1, 200);
INSERT INTO clinic.planted SELECT repeat('h', %[1]d), 'w1', 'n9', 'p1';
UPDATE clinic.planted SET ward = repeat('w', %[1]d) WHERE length(house) > 10;`, huge)
	text := knownPolicy[:strings.Index(knownPolicy, "tables:")] + "tables:\n"
	for _, table := range []string{"notes", "planted"} {
		text += fmt.Sprintf("  clinic.%s:\n    person: row\n    mechanism: {kind: geometric, epsilon: 40, delta: 1e-9}\n    budget: {epsilon: 10000, delta: 1e-6}\n"+
			"    columns: {house: {values: [h0, h1, h2]}, ward: {values: [w1, w2]}, note: {}, padded: {}}\n", table)
	}
	w := newWardOf(t, schema, text)
	d := w.open()
	for _, c := range []struct{ sql, more string }{
		{sql: "SELECT house, ward, count(*) FROM %s WHERE house <> 'h2' GROUP BY house, ward"},
		{sql: "SELECT house, ward, padded, count(*) FROM %s WHERE house <> 'h2' GROUP BY house, ward, padded"},
		{sql: "SELECT note, count(*) FROM %s GROUP BY note", more: strings.Repeat("m", 65536) + " 200 \n"},
		{sql: "SELECT lower(house), ward, count(*) FROM %s WHERE note IN ('n1', 'n9') GROUP BY 1, 2"},
	} {
		var shown [2]string
		for i, table := range []string{"clinic.notes", "clinic.planted"} {
			cells, _, err := w.ask(d, "ward_ana", fmt.Sprintf(c.sql, table))
			if err != nil {
				t.Fatalf("%s: %v", c.sql, err)
			}
			shown[i] = cellText(cells[0])
		}
		if shown[1] != c.more+shown[0] || shown[0] == "" {
			t.Errorf("%s:\n%.300s\nwith persons more:\n%.300s", c.sql, shown[0], shown[1])
		}
	}
}

// TestLongKeysThatAreListed asks for cells whose keys are as long as those that are shown as one text, which stands for all that are too long. It fails if rows of one
// such key are counted in the cell of another, or take its count away, so that one person could change it by more than 1.
func TestLongKeysThatAreListed(t *testing.T) {
	w := newWard(t)
	w.Exec("INSERT INTO clinic.people SELECT i, 'north', 'F', 30, repeat('n', 65537) FROM generate_series(2001, 2050) AS i; INSERT INTO clinic.people VALUES (2051, 'north', 'F', 30, repeat('z', 70000))")
	d := w.open()
	x, y, z := strings.Repeat("x", 65537), strings.Repeat("y", 70000), strings.Repeat("n", 65537)
	long := func(letter string, length int) string {
		return fmt.Sprintf("left(replace(replace(rpad(left(age::text, 0), 100, '%[1]s'), '%[1]s', '%[2]s'), '%[1]s', '%[3]s'), %[4]d)",
			letter, strings.Repeat(letter, 100), strings.Repeat(letter, 7), length)
	}
	computed := fmt.Sprintf("SELECT key, count(*) FROM (SELECT CASE WHEN illness = 'rare' THEN %s ELSE %s END AS key FROM clinic.people) AS s WHERE key IN ('%s', '%s') GROUP BY key",
		long("y", 70000), long("x", 65537), x, y)
	for _, c := range []struct{ sql, want string }{
		{computed, x + " 1060 \n" + y + " 1 \n"},
		{fmt.Sprintf("SELECT illness, count(*) FROM clinic.people WHERE illness IN ('%s', '%s', 'flu') GROUP BY illness", x, z), "flu 509 \n" + z + " 50 \n" + x + " 0 \n"},
	} {
		cells, _, err := w.ask(d, "ward_ana", c.sql)
		if err != nil {
			t.Errorf("%.300s: %v", c.sql, err)
			continue
		}
		if got := cellText(cells[0]); got != c.want {
			t.Errorf("%.300s:\n%s\nwant:\n%s", c.sql, abridged(got), abridged(c.want))
		}
	}
}

// abridged shows letters that are repeated by their number.
func abridged(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		n := len(text[i:]) - len(strings.TrimLeft(text[i:], text[i:i+1]))
		fmt.Fprintf(&b, "%s", text[i:i+min(n, 3)])
		if n > 3 {
			fmt.Fprintf(&b, "(%d)", n)
		}
		i += n
	}
	return b.String()
}
