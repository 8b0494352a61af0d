package rewrite

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/query"
)

// cellsOf makes the cells of one query of texts: keys and counts, column by column, with NULL for a suppressed count. What stands in
// Counts in its place would be seen if it were looked at.
func cellsOf(keys, counts []string) *query.Cells {
	c := &query.Cells{}
	for _, column := range keys {
		var values []pgvalue.Value
		for _, text := range strings.Fields(column) {
			values = append(values, pgvalue.Value{Text: text, Null: text == "NULL"})
		}
		c.Keys = append(c.Keys, values)
	}
	for i, column := range counts {
		texts := strings.Fields(column)
		c.Counts = append(c.Counts, make([]int64, len(texts)))
		var suppressed []bool
		if slices.Contains(texts, "NULL") {
			suppressed = make([]bool, len(texts))
		}
		for j, text := range texts {
			if text == "NULL" {
				c.Counts[i][j], suppressed[j] = 666, true
			} else if n, err := strconv.ParseInt(text, 10, 64); err == nil {
				c.Counts[i][j] = n
			} else {
				panic(err)
			}
		}
		c.Suppressed = append(c.Suppressed, suppressed)
	}
	return c
}

// one is the cells of a query without keys.
func one(counts ...string) *query.Cells { return cellsOf(nil, counts) }

// bothWays executes the rest of a statement with the given cells, as parameters and as constants, which must give the same.
func (t *twin) bothWays(sql string, cells []*query.Cells) (out result) {
	t.tb.Helper()
	v, err := Analyze(sql, testSession())
	a, ok := v.(*Answer)
	if err != nil || !ok {
		t.tb.Fatalf("%s: %+v, %v", sql, v, err)
	}
	if len(a.Queries) != len(cells) {
		t.tb.Fatalf("%s: %d queries, and cells of %d", sql, len(a.Queries), len(cells))
	}
	for i, q := range a.Queries {
		if len(q.Counts) != len(cells[i].Counts) || len(q.Keys) != len(cells[i].Keys) {
			t.tb.Fatalf("%s: query %d has %d keys and %d counts", sql, i, len(q.Keys), len(q.Counts))
		}
	}
	literals := a.Outer.Literals(cells)
	values := make([]pgvalue.Value, len(literals))
	for i, l := range literals {
		values[i] = pgvalue.Value{Text: l}
	}
	t.rollback(func() { out, err = t.run(a.Outer.WithParameters(1), nil, values) })
	if err != nil {
		t.tb.Fatalf("%s: %v", a.Outer.WithParameters(1), err)
	}
	t.rollback(func() {
		results, err := t.conn.Exec(t.tb.Context(), a.Outer.WithLiterals(literals)).ReadAll()
		if err != nil {
			t.tb.Fatalf("%s: %v", a.Outer.WithLiterals(literals), err)
		}
		if diff := cmp.Diff(out, t.result(results[0])); diff != "" {
			t.tb.Errorf("%s (-parameters +constants):\n%s", sql, diff)
		}
	})
	return out
}

// TestSuppressed has the server compute every spelling of a count of cells some of which are suppressed. A suppressed count must come
// out as NULL, never as 0 nor as what stands in its place.
func TestSuppressed(t *testing.T) {
	server := newTwin(t)
	cities := func(counts ...string) []*query.Cells {
		return []*query.Cells{cellsOf([]string{"Bern Oslo Rome"}, counts)}
	}
	plans := func(counts ...string) []*query.Cells {
		return []*query.Cells{cellsOf([]string{"Bern Bern Oslo Oslo", "free gold free gold"}, counts)}
	}
	noPlans := func(counts int) []*query.Cells {
		return []*query.Cells{cellsOf([]string{"", ""}, make([]string, counts))}
	}
	for _, c := range []struct {
		name, sql string
		cells     []*query.Cells
		want      string // rows, separated by commas
	}{
		{"a count", "SELECT city, count(*) FROM members GROUP BY city", cities("7 NULL 0"), "Bern 7, Oslo NULL, Rome 0"},
		{"all are suppressed", "SELECT city, count(*) FROM members GROUP BY city", cities("NULL NULL NULL"), "Bern NULL, Oslo NULL, Rome NULL"},
		{"of all rows", "SELECT count(*) FROM members", []*query.Cells{one("NULL")}, "NULL"},
		{"one of two counts", "SELECT city, count(*), count(*) FILTER (WHERE active) FROM members GROUP BY city", cities("7 NULL 0", "1 2 NULL"), "Bern 7 1, Oslo NULL 2, Rome 0 NULL"},
		{"of values, of different values, of persons", "SELECT count(city), count(DISTINCT city), count(DISTINCT plan) FILTER (WHERE active) FROM members", []*query.Cells{one("NULL", "2", "NULL")}, "NULL 2 NULL"},
		{"a sum of a condition", "SELECT city, sum(CASE WHEN active THEN 1 ELSE 0 END), sum((birth_year < 1990)::int::int8) FROM members GROUP BY city", cities("7 NULL 0", "NULL 0 3"), "Bern 7 NULL, Oslo NULL 0, Rome 0 3"},
		{"arithmetic and casts", "SELECT city, count(*) + 1, -count(*), count(*)::int, count(*)::text, 100.0 * count(*) FROM members GROUP BY city", cities("7 NULL 0"),
			"Bern 8 -7 7 7 700.0, Oslo NULL NULL NULL NULL NULL, Rome 1 0 0 0 0.0"},
		{"tests and coalesce", "SELECT city, count(*) IS NULL, coalesce(count(*), -1), nullif(count(*), 0), CASE WHEN count(*) < 9 THEN 'few' END FROM members GROUP BY city", cities("7 NULL 0"),
			"Bern f 7 7 few, Oslo t -1 NULL NULL, Rome f 0 NULL few"},

		{"HAVING", "SELECT city, count(*) FROM members GROUP BY city HAVING count(*) > 5", cities("7 NULL 0"), "Bern 7"},
		{"HAVING of the contrary", "SELECT city, count(*) FROM members GROUP BY city HAVING NOT count(*) > 5", cities("7 NULL 0"), "Rome 0"},
		{"HAVING without keys", "SELECT count(*) FROM members HAVING count(*) >= 0", []*query.Cells{one("NULL")}, ""},
		{"HAVING that asks for them", "SELECT city FROM members GROUP BY city HAVING count(*) IS NULL", cities("7 NULL 0"), "Oslo"},
		{"ORDER BY and LIMIT", "SELECT city, count(*) FROM members GROUP BY city ORDER BY count(*) DESC LIMIT 1", cities("7 NULL 0"), "Oslo NULL"},
		{"NULLS LAST", "SELECT city, count(*) FROM members GROUP BY city ORDER BY count(*) DESC NULLS LAST LIMIT 1", cities("7 NULL 0"), "Bern 7"},
		{"DISTINCT", "SELECT DISTINCT count(*) FROM members GROUP BY city", cities("NULL NULL 0"), "NULL, 0"},

		{"an average", "SELECT city, avg((birth_year < 1990)::int) FROM members GROUP BY city", cities("1 NULL 0", "2 4 5"), "Bern 0.50000000000000000000, Oslo NULL, Rome 0.00000000000000000000"},
		{"an average with a suppressed denominator", "SELECT city, avg((birth_year < 1990)::int) FROM members GROUP BY city", cities("1 0 0", "2 NULL 0"), "Bern 0.50000000000000000000, Oslo NULL, Rome NULL"},
		{"an average of type double precision", "SELECT avg(active::int::float8) FROM members", []*query.Cells{one("NULL", "4")}, "NULL"},
		{"a share", "SELECT city, count(*) FILTER (WHERE active)::float8 / count(*) FROM members GROUP BY city", cities("1 NULL 2", "2 4 NULL"), "Bern 0.5, Oslo NULL, Rome NULL"},

		{"ROLLUP", "SELECT city, plan, count(*) FROM members GROUP BY ROLLUP (city, plan)", plans("1 NULL NULL NULL"),
			"Bern free 1, Bern gold NULL, Bern NULL 1, Oslo free NULL, Oslo gold NULL, Oslo NULL NULL, NULL NULL 1"},
		{"ROLLUP of suppressed cells alone", "SELECT city, count(*), sum(active::int), count(city) FROM members GROUP BY ROLLUP (city)", cities("NULL NULL NULL", "NULL 2 NULL", "0 0 NULL"),
			"Bern NULL NULL 0, Oslo NULL 2 0, Rome NULL NULL NULL, NULL NULL 2 0"},
		{"CUBE", "SELECT city, plan, count(*) FROM members GROUP BY CUBE (city, plan)", plans("NULL 0 NULL 5"),
			"Bern free NULL, Bern gold 0, Bern NULL 0, Oslo free NULL, Oslo gold 5, Oslo NULL 5, NULL free NULL, NULL gold 5, NULL NULL 5"},
		{"GROUPING SETS", "SELECT city, plan, count(*), grouping(city, plan) FROM members GROUP BY GROUPING SETS ((city), (plan), ()) HAVING count(*) > 3 OR count(*) IS NULL", plans("NULL 1 NULL NULL"),
			"Oslo NULL NULL 1, NULL free NULL 2"},
		{"the empty grouping set", "SELECT count(*) FROM members GROUP BY ()", []*query.Cells{one("NULL")}, "NULL"},
		{"the empty grouping set, twice", "SELECT count(*) FROM members GROUP BY GROUPING SETS ((), ())", []*query.Cells{one("0")}, "0, 0"},
		{"a total of no cells is 0", "SELECT city, plan, count(*), avg(active::int) FROM members GROUP BY ROLLUP (city, plan)", noPlans(3), "NULL NULL 0 NULL"},
		{"averages of totals are of the cells that have both counts", "SELECT city, plan, avg(active::int) FROM members GROUP BY ROLLUP (city, plan)", plans("1 NULL NULL 6", "4 100 100 NULL"),
			"Bern free 0.25000000000000000000, Bern gold NULL, Bern NULL 0.25000000000000000000, Oslo free NULL, Oslo gold NULL, Oslo NULL NULL, NULL NULL 0.25000000000000000000"},
		{"averages of totals with a denominator of 0", "SELECT city, avg(active::int::float8) FROM members GROUP BY ROLLUP (city)", cities("1 NULL 3", "0 NULL 3"),
			"Bern NULL, Oslo NULL, Rome 1, NULL 1.3333333333333333"},
		{"totals in order", "SELECT city, count(*) FROM members GROUP BY ROLLUP (city) ORDER BY count(*) NULLS FIRST LIMIT 1", cities("7 NULL 0"), "Oslo NULL"},
		{"windows over totals", "SELECT city, sum(count(*)) OVER (PARTITION BY grouping(city)) FROM members GROUP BY CUBE (city)", cities("7 NULL 0"), "Bern 7, Oslo 7, Rome 7, NULL 7"},

		{"windows", "SELECT city, sum(count(*)) OVER (), lag(count(*), 1, 9::bigint) OVER (ORDER BY city), rank() OVER (ORDER BY count(*)) FROM members GROUP BY city", cities("7 NULL 0"),
			"Bern 7 9 2, Oslo 7 7 3, Rome 7 NULL 1"},
		{"sub-selects", "SELECT (SELECT count(*) FROM members), coalesce((SELECT count(*) FROM members WHERE active), -1), 3 IN (SELECT count(*) FROM logins)", []*query.Cells{one("NULL"), one("NULL"), one("NULL")}, "NULL -1 NULL"},
		{"EXISTS", "SELECT EXISTS (SELECT count(*) FROM members), EXISTS (SELECT 1 FROM members HAVING count(*) > 5)", []*query.Cells{one("NULL"), one("NULL")}, "t f"},
		{"an outer query", "SELECT count(*), count(n), sum(n), max(n) FROM (SELECT city, count(*) AS n FROM members GROUP BY city) x", cities("7 NULL 0"), "3 2 7 7"},
		{"an outer query of suppressed counts alone", "WITH x AS (SELECT city, count(*) AS n FROM members GROUP BY city) SELECT sum(n), avg(n) FROM x", cities("NULL NULL NULL"), "NULL NULL"},
		{"UNION", "SELECT count(*) FROM members UNION SELECT count(*) FROM logins UNION ALL SELECT 0", []*query.Cells{one("NULL"), one("NULL")}, "NULL, 0"},
		{"a join", "SELECT m.city, x.count, m.n + x.count FROM mine m JOIN (SELECT city, count(*) FROM members GROUP BY city) x USING (city)", cities("7 NULL 0"), "Oslo NULL NULL, Rome 0 40"},
		{"INSERT", "INSERT INTO mine SELECT city, count(*) FROM members GROUP BY city RETURNING city, n", cities("7 NULL 0"), "Bern 7, Oslo NULL, Rome 0"},
		{"keys beside suppressed counts", "SELECT birth_year, count(*) FROM members GROUP BY birth_year", []*query.Cells{cellsOf([]string{"1980 NULL"}, []string{"NULL 4"})}, "1980 NULL, NULL 4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server.tb = t
			var got []string
			for _, row := range server.bothWays(c.sql, c.cells).Rows {
				got = append(got, strings.ReplaceAll(row, `"`, ""))
			}
			var want []string
			if c.want != "" {
				want = strings.Split(c.want, ", ")
			}
			slices.Sort(got)
			slices.Sort(want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.sql, diff)
			}
		})
	}
}

// TestSuppressedInPrepared has a count come out of EXECUTE as NULL.
func TestSuppressedInPrepared(t *testing.T) {
	server := newTwin(t)
	prepare := analyze(t, "PREPARE q AS SELECT city, count(*) FROM members WHERE birth_year > $1 GROUP BY city").(*Answer)
	server.exec(prepare.Outer.WithParameters(prepare.Params + 1))
	literals := prepare.Outer.Literals([]*query.Cells{cellsOf([]string{"Bern Oslo"}, []string{"NULL 0"})})
	got := server.query2(analyze(t, "EXECUTE q(1980)").(*Execute).WithLiterals(literals)).Rows
	if diff := cmp.Diff([]string{`"Bern" NULL`, `"Oslo" "0"`}, got); diff != "" {
		t.Error(diff)
	}
}

// TestSuppressedInConstants has a count come out of COPY, which takes its cells as constants, as NULL.
func TestSuppressedInConstants(t *testing.T) {
	server := newTwin(t)
	a := analyze(t, "COPY (SELECT city, count(*) FROM members GROUP BY city) TO STDOUT").(*Answer)
	var out strings.Builder
	sql := a.Outer.WithLiterals(a.Outer.Literals([]*query.Cells{cellsOf([]string{"Bern Oslo"}, []string{"NULL 0"})}))
	if _, err := server.conn.CopyTo(t.Context(), &out, sql); err != nil {
		t.Fatal(err)
	}
	if want := "Bern\t\\N\nOslo\t0\n"; out.String() != want {
		t.Errorf("%q instead of %q", out.String(), want)
	}
}

// TestArrayOfCounts prints counts with all the ways to say that none is suppressed.
func TestArrayOfCounts(t *testing.T) {
	counts := []int64{0, -9223372036854775808, 9223372036854775807}
	plain := "{0,-9223372036854775808,9223372036854775807}"
	for _, c := range []struct {
		suppressed [][]bool
		want       string
	}{
		{nil, plain},
		{[][]bool{nil}, plain},
		{[][]bool{{false, false, false}}, plain},
		{[][]bool{{true, false, false}}, "{NULL,-9223372036854775808,9223372036854775807}"},
		{[][]bool{{true, true, true}}, "{NULL,NULL,NULL}"},
	} {
		cells := &query.Cells{Counts: [][]int64{counts}, Suppressed: c.suppressed}
		if got := pgvalue.ArrayOfCounts(counts, suppressedCells(cells, 0)); got != c.want {
			t.Errorf("%v: %s instead of %s", c.suppressed, got, c.want)
		}
	}
	if got := pgvalue.ArrayOfCounts(nil, nil); got != "{}" {
		t.Errorf("no counts: %s", got)
	}
}

// TestMissingMarks shows that counts are not shown if it is not known of each of them whether it is suppressed.
func TestMissingMarks(t *testing.T) {
	a := analyze(t, "SELECT city, count(*), count(plan) FROM members GROUP BY city").(*Answer)
	keys := []pgvalue.Value{{Text: "Bern"}, {Text: "Oslo"}}
	for _, suppressed := range [][][]bool{{}, {nil}, {nil, {true}}, {{}, nil}, {{true, false, false}, nil}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v is taken", suppressed)
				}
			}()
			a.Outer.Literals([]*query.Cells{{Keys: [][]pgvalue.Value{keys}, Counts: [][]int64{{1, 2}, {3, 4}}, Suppressed: suppressed}})
		}()
	}
}

// BenchmarkCounts prints the counts of 100,000 cells.
func BenchmarkCounts(b *testing.B) {
	counts, suppressed := make([]int64, 100_000), make([]bool, 100_000)
	for i := range counts {
		counts[i], suppressed[i] = int64(i), i%3 == 0
	}
	for name, marks := range map[string][]bool{"shown": nil, "suppressed": suppressed} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				pgvalue.ArrayOfCounts(counts, marks)
			}
		})
	}
}
