package publish_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tacit/release/curator"
)

// TestPublishRealTables publishes census extracts with every kind, from the folder that the environment variable DATA names, and
// compares counts of the copies with those of the tables.
func TestPublishRealTables(t *testing.T) {
	folder := os.Getenv("DATA")
	if folder == "" {
		t.Skip("DATA, the folder of adult_train.csv and acs_excerpt_*.csv, is not set")
	}
	paths, err := filepath.Glob(filepath.Join(folder, "acs_excerpt_*2019.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(paths, filepath.Join(folder, "adult_train.csv")) {
		t.Run(filepath.Base(path), func(t *testing.T) { publishFile(t, path) })
	}
}

// publishFile makes a table of a file, all of whose columns are text but those that hold integers.
func publishFile(t *testing.T, path string) {
	file, err := os.Open(path)
	if err != nil {
		t.Skipf("the file cannot be read: %v", err)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	header, rows := records[0], records[1:]
	// Quasi-identifiers of each of the files; those with a range are integers.
	quasi := []string{"SEX", "AGEP", "RAC1P"}
	columns := []string{"SEX", "AGEP", "RAC1P", "PUMA", "OWN_RENT", "EDU", "PINCP_DECILE"}
	if strings.HasPrefix(filepath.Base(path), "adult") {
		quasi = []string{"sex", "age", "race"}
		columns = []string{"sex", "age", "race", "education", "workclass", "hours_per_week", "income"}
	}
	w := newWardOf(t, fileSchema(header, rows, quasi[1]), filePolicy(header, rows, quasi, columns))
	w.Exec("CREATE TABLE original AS SELECT " + quoteAll(columns) + " FROM public.people; GRANT SELECT ON original TO file_ana")
	ask := func(sql string) string { return w.rowsOf("file_ana", sql) }
	q, all := quoteAll(quasi), quoteAll(columns)
	others := quoteAll(columns[3:])
	differing := func(table, columns string) string {
		return ask("SELECT count(*) FROM (SELECT " + columns + ", count(*) FROM original GROUP BY " + columns + " EXCEPT ALL SELECT " + columns + ", count(*) FROM " + table + " GROUP BY " + columns + ") AS d")
	}
	for _, c := range w.Policy.Publications {
		made, err := w.publish(c.Name.String(), false)
		if err != nil {
			t.Errorf("%v: %v", c.Name, err)
			continue
		}
		name := c.Name.String()
		t.Logf("%-18s %d rows, %d classes, guarantee %s", c.Kind, made.Rows, made.Classes, made.Guarantee)
		if got := ask("SELECT count(*) FROM " + name); got != fmt.Sprint(made.Rows) {
			t.Errorf("%s has %s rows, not %d", name, got, made.Rows)
		}
		switch c.Name.Name {
		case "swapped", "donors":
			if d := differing(name, others); d != "0" {
				t.Errorf("%s: %s counts of other columns differ", name, d)
			}
			if d := differing(name, q); c.Name.Name == "swapped" && d != "0" {
				t.Errorf("%s: %s counts of quasi-identifiers differ", name, d)
			}
			if d := differing(name, all); d == "0" {
				t.Errorf("%s: nothing was swapped", name)
			}
		case "k5", "safe", "sample":
			if got := ask("SELECT coalesce(min(n), 5) >= 5 FROM (SELECT count(*) AS n FROM " + name + " GROUP BY " + q + ") AS c"); got != "t" {
				t.Errorf("%s has a class of fewer than 5 rows", name)
			}
			if c.Name.Name == "k5" && differing(name, others) != "0" {
				t.Errorf("%s: counts of other columns differ", name)
			}
		case "responses":
			if got := ask(fmt.Sprintf(`SELECT count(*) FROM %s WHERE %s NOT BETWEEN 0 AND 120`, name, curator.QuoteIdentifier(quasi[1]))); got != "0" {
				t.Errorf("%s: %s rows outside the declared range", name, got)
			}
		}
	}
}

func quoteAll(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = curator.QuoteIdentifier(n)
	}
	return strings.Join(quoted, ", ")
}

func fileSchema(header []string, rows [][]string, integer string) string {
	var b strings.Builder
	definitions := make([]string, len(header))
	for i, name := range header {
		definitions[i] = curator.QuoteIdentifier(name) + " text"
		if name == integer {
			definitions[i] = curator.QuoteIdentifier(name) + " integer"
		}
	}
	fmt.Fprintf(&b, "CREATE TABLE public.people (%s);\n", strings.Join(definitions, ", "))
	for chunk := range slices.Chunk(rows, 1000) {
		b.WriteString("INSERT INTO public.people VALUES ")
		for i, row := range chunk {
			if i > 0 {
				b.WriteString(",\n")
			}
			values := make([]string, len(row))
			for j, v := range row {
				values[j] = curator.QuoteLiteral(v)
			}
			b.WriteString("(" + strings.Join(values, ", ") + ")")
		}
		b.WriteString(";\n")
	}
	return b.String()
}

// filePolicy declares the quasi-identifiers, as a steward would who knows the data dictionary.
func filePolicy(header []string, rows [][]string, quasi, columns []string) string {
	domain := func(name string) string {
		at := slices.Index(header, name)
		seen := make(map[string]bool)
		var values []string
		for _, row := range rows {
			if !seen[row[at]] {
				seen[row[at]] = true
				values = append(values, fmt.Sprintf("%q", row[at]))
			}
		}
		slices.Sort(values)
		return "{values: [" + strings.Join(values, ", ") + "]}"
	}
	listed := []string{
		fmt.Sprintf("%s: %s", quasi[0], domain(quasi[0])), quasi[1] + ": {range: [0, 120]}", fmt.Sprintf("%s: %s", quasi[2], domain(quasi[2])),
	}
	for _, name := range columns[3:] {
		listed = append(listed, name+": {}")
	}
	of := "{of: public.people, quasi: [" + strings.Join(quasi, ", ") + "], kind: "
	only := ", columns: [" + strings.Join(quasi, ", ") + "]"
	return `
listen: 127.0.0.1:6432
upstream:
  analyst: postgres://{analyst}@%[1]s:%[2]d/%[3]s?sslmode=disable
  curator: postgres://file_curator@%[1]s:%[2]d/%[3]s?sslmode=disable
  publisher: postgres://file_publisher@%[1]s:%[2]d/%[3]s?sslmode=disable
ledger: sqlite:file.db
auth: trust
analysts: {file_ana: {}}
tables:
  public.people:
    person: row
    adjacency: replace-one
    mechanism: {kind: geometric, epsilon: 1}
    budget: {epsilon: 10, delta: 1e-1, releases: 10}
    columns: {` + strings.Join(listed, ", ") + `}
publications:
  open.k5: ` + of + `k-anonymity, k: 5, accept: no-guarantee}
  open.drawn: ` + of + `k-anonymity, k: 5, output: values, accept: no-guarantee}
  open.sample: ` + of + `dp-k-anonymity, k: 5, epsilon: 2, accept: no-guarantee}
  open.swapped: ` + of + `swapping, rate: 0.25, accept: no-guarantee}
  open.donors: ` + of + `dp-swapping-donor, rate: 0.25, epsilon: 5, accept: no-guarantee}
  open.responses: ` + of + `dp-swapping, epsilon: 3` + only + `}
  open.safe: ` + of + `safe-k-anonymity, k: 20, epsilon: 1, beta: 0.2, generalise: {` + quasi[0] + `: 1, ` + quasi[1] + `: 10, ` + quasi[2] + `: 1}` + only + `}
`
}
