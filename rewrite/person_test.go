package rewrite

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/policy"
	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// The tests of this file count over a table in which persons have many rows, on a real server.

const staysTable = `CREATE TABLE stays (guest text, house text COLLATE "C", floor int, rate numeric, score float8, class char(2), day date, "group" text, secret text)`

// stayColumns are those listed in the policy, "group" for its name, which is that of a helper.
const stayColumns = `house, floor, rate, score, class, day, "group"`

// staysSession protects the table stays with the given bounds.
func staysSession(rows, groups int) *Session {
	column := func(name string, oid pgvalue.OID, typeName string) expr.Column {
		return expr.Column{Name: name, TypeOID: oid, TypeName: "pg_catalog." + typeName, Typmod: -1, Formatted: typeName}
	}
	house := column("house", pgvalue.Text, "text")
	house.Collation = `pg_catalog."C"`
	name := tableNamed("stays")
	catalog := &Catalog{Version: "1", Tables: map[policy.TableName]*expr.Table{name: {
		Policy: &policy.Table{Name: name, Mechanism: policy.Mechanism{Kind: policy.Geometric}}, OID: 1,
		Person: &expr.Person{Column: column("guest", pgvalue.Text, "text"), Rows: rows, Groups: groups},
		Columns: []expr.Column{house, column("floor", pgvalue.Int4, "int4"), column("rate", pgvalue.Numeric, "numeric"),
			column("score", pgvalue.Float8, "float8"), column("class", pgvalue.Bpchar, "bpchar"), column("day", pgvalue.Date, "date"), column("group", pgvalue.Text, "text")},
		Unlisted: []string{"guest", "secret"},
	}}}
	return &Session{Catalog: catalog, Limits: testLimits, Resolve: func(relation string) (policy.TableName, bool, error) {
		return tableNamed(relation), relation == name.Name, nil
	}}
}

// stayQuery reads the count query of a statement.
func stayQuery(t *testing.T, sql string, rows, groups int) *query.BoundQuery {
	t.Helper()
	v, err := Analyze(sql, staysSession(rows, groups))
	if err != nil {
		t.Fatal(err)
	}
	a, ok := v.(*Answer)
	if !ok {
		t.Fatalf("%s: %s", sql, describe(v))
	}
	q, refusal := a.Queries[0].Bind(nil)
	if refusal != nil {
		t.Fatal(refusal)
	}
	return q
}

// randomStays are rows of persons a, b, c ... and of nobody: some persons have many rows in many groups, alike or not.
func randomStays(r *rand.Rand) []string {
	pick := func(values ...string) string { return values[r.IntN(len(values))] }
	var rows []string
	for range 60 {
		guest := pick("'a'", "'a'", "'a'", "'b'", "'b'", "'c'", "'d'", "''", "NULL")
		rows = append(rows, "("+strings.Join([]string{
			guest, pick("'x'", "'X'", "'y'", "'z'", "NULL"), pick("1", "1", "2", "3"), pick("1.5", "1.50", "2", "'NaN'", "NULL"),
			pick("0", "'-0'", "'NaN'", "1", "NULL"), pick("'a'", "'b '", "NULL"), pick("'2020-01-01'", "'2020-01-02'", "'infinity'", "NULL"),
			pick("'g'", "'h'"), fmt.Sprint("'", r.IntN(1000), "'"),
		}, ", ")+")")
	}
	return rows
}

// randomStatement asks for counts of rows and of persons by random keys, under random conditions.
func randomStatement(r *rand.Rand) string {
	keys := append(strings.Split(stayColumns, ", "), `upper("group")`, "floor / 2", `CASE WHEN floor = 1 THEN "group" END`)
	r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	conditions := []string{"floor > 1", "house = 'x'", "rate < 2 OR day IS NULL", `"group" <> 'g'`, "score >= 0 AND floor < 3"}
	condition := func() string { return conditions[r.IntN(len(conditions))] }
	sql := fmt.Sprintf("SELECT count(*), count(DISTINCT guest), count(house), count(*) FILTER (WHERE %s), count(DISTINCT guest) FILTER (WHERE %s), "+
		"count(DISTINCT day), count(DISTINCT upper(\"group\")) FILTER (WHERE %s), sum(CASE WHEN %s THEN 1 ELSE 0 END) FROM stays",
		condition(), condition(), condition(), condition())
	if r.IntN(2) == 0 {
		sql += " WHERE " + condition()
	}
	if n := r.IntN(4); n > 0 {
		sql += " GROUP BY " + strings.Join(keys[:n], ", ")
	}
	return sql
}

// counts maps each cell to its counts.
func (t *twin) counts(q *query.BoundQuery) map[string][]int64 {
	t.tb.Helper()
	cells, all := t.cells(q), make(map[string][]int64)
	for i := range cells.Counts[0] {
		key := ""
		for _, k := range cells.Keys {
			key += fmt.Sprintf("%q %t,", k[i].Text, k[i].Null)
		}
		for _, c := range cells.Counts {
			all[key] = append(all[key], c[i])
		}
	}
	return all
}

// distances returns, for each count, the l1 distance of two tables of cells, and the most by which one cell changes.
func distances(a, b map[string][]int64, counts int) (total, most []int64) {
	total, most = make([]int64, counts), make([]int64, counts)
	add := func(x, y []int64) {
		for i := range counts {
			var d int64
			if x != nil {
				d = x[i]
			}
			if y != nil {
				d -= y[i]
			}
			d = max(d, -d)
			total[i] += d
			most[i] = max(most[i], d)
		}
	}
	for key, x := range a {
		add(x, b[key])
	}
	for key, y := range b {
		if _, both := a[key]; !both {
			add(nil, y)
		}
	}
	return total, most
}

// TestSensitivity takes one person with all her rows out of random tables, and asks random questions of both: no count may change
// by more than its sensitivity, and some must change by as much.
func TestSensitivity(t *testing.T) {
	server := newTwin(t)
	server.exec(staysTable)
	r := rand.New(rand.NewPCG(7, 7))
	reached := make(map[string]bool)
	rounds := 12
	if testing.Short() {
		rounds = 6
	}
	for range rounds {
		server.exec("TRUNCATE stays; INSERT INTO stays VALUES " + strings.Join(randomStays(r), ", "))
		for range 25 {
			groups := 1 + r.IntN(3)
			rows := groups + r.IntN(4)
			sql := randomStatement(r)
			q := stayQuery(t, sql, rows, groups)
			with := server.counts(q)
			server.exec("BEGIN; DELETE FROM stays WHERE guest = 'a'")
			without := server.counts(q)
			server.exec("ROLLBACK")
			total, most := distances(with, without, len(q.Counts))
			for i, c := range q.Counts {
				sensitivity := int64(q.Sensitivity(c))
				if total[i] > sensitivity {
					t.Errorf("%s\n%d rows in %d groups: count %d changes by %d, its sensitivity is %d", sql, rows, groups, i+1, total[i], sensitivity)
				}
				if c.Persons && most[i] > 1 {
					t.Errorf("%s\n%d rows in %d groups: a number of persons changes by %d", sql, rows, groups, most[i])
				}
				if total[i] == sensitivity {
					reached[fmt.Sprint(c.Persons, len(q.Keys) > 0, sensitivity)] = true
				}
			}
		}
	}
	for _, want := range []string{"false true 6", "false false 6", "true true 3", "true true 1", "true false 1"} {
		if !reached[want] {
			t.Errorf("no count (of persons, with keys, sensitivity) %s ever changed by its sensitivity", want)
		}
	}
}

// TestBoundsTakeNoMore compares with the numbers of rows and groups of each person: what the bounds allow is counted.
func TestBoundsTakeNoMore(t *testing.T) {
	server := newTwin(t)
	server.exec(staysTable)
	r := rand.New(rand.NewPCG(8, 8))
	for range 10 {
		server.exec("TRUNCATE stays; INSERT INTO stays VALUES " + strings.Join(randomStays(r), ", "))
		for _, c := range []struct{ statement, want string }{
			{"SELECT count(*) FROM stays", "SELECT sum(least(n, 3)) FROM (SELECT count(*) AS n FROM stays WHERE guest IS NOT NULL GROUP BY guest) AS p"},
			{"SELECT count(*) FROM stays WHERE floor = 1", "SELECT sum(least(n, 3)) FROM (SELECT count(*) AS n FROM stays WHERE guest IS NOT NULL AND floor = 1 GROUP BY guest) AS p"},
			{"SELECT count(DISTINCT guest) FROM stays WHERE floor = 1", "SELECT count(DISTINCT guest) FROM stays WHERE floor = 1"},
			{"SELECT count(DISTINCT guest) FILTER (WHERE floor = 1) FROM stays", "SELECT count(DISTINCT guest) FROM stays WHERE floor = 1"},
			{"SELECT count(DISTINCT guest) FROM stays GROUP BY house, rate",
				"SELECT sum(least(n, 2)) FROM (SELECT count(DISTINCT (house, rate)) AS n FROM stays WHERE guest IS NOT NULL GROUP BY guest) AS p"},
		} {
			var got int64
			for _, counts := range server.counts(stayQuery(t, c.statement, 3, 2)) {
				got += counts[0]
			}
			if want := string(server.query(c.want, nil)[0][0]); fmt.Sprint(got) != want {
				t.Errorf("%s: %d in all, want %s", c.statement, got, want)
			}
		}
	}
}

// TestSameRowsSameCounts stores the same rows in other orders, and counts them beside other counts. It fails if the choice of rows
// depends on the order in which the server finds them, or on the statement's other counts.
func TestSameRowsSameCounts(t *testing.T) {
	server := newTwin(t)
	server.exec(staysTable)
	r := rand.New(rand.NewPCG(9, 9))
	rows := randomStays(r)
	server.exec("INSERT INTO stays VALUES " + strings.Join(rows, ", "))
	n := 40
	if testing.Short() {
		n = 15
	}
	statements := make([]string, n)
	var want []map[string][]int64
	for i := range statements {
		statements[i] = randomStatement(r)
		want = append(want, server.counts(stayQuery(t, statements[i], 4, 2)))
	}
	for name, change := range map[string]func(){
		"inserted in another order": func() {
			other := slices.Clone(rows)
			r.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
			server.exec("TRUNCATE stays; INSERT INTO stays VALUES " + strings.Join(other, ", "))
		},
		"clustered": func() { server.exec("CREATE INDEX s ON stays (floor, day); CLUSTER stays USING s; DROP INDEX s") },
		"updated and vacuumed": func() {
			server.exec("UPDATE stays SET floor = floor WHERE floor = 1")
			server.exec("VACUUM FULL stays")
		},
		"planned otherwise": func() {
			server.exec("SET jit = off; SET enable_sort = off; SET enable_hashagg = off; SET work_mem = '64kB'; ANALYZE stays")
		},
	} {
		change()
		for i, sql := range statements {
			if diff := cmp.Diff(want[i], server.counts(stayQuery(t, sql, 4, 2))); diff != "" {
				t.Errorf("%s, %s:\n%s", sql, name, diff)
			}
		}
	}
	for i, sql := range statements {
		q := stayQuery(t, sql, 4, 2)
		for j := range q.Counts {
			alone := *q
			alone.Counts = q.Counts[j : j+1]
			for key, counts := range server.counts(&alone) {
				if counts[0] != want[i][key][j] {
					t.Errorf("%s: count %d is %d beside the others, %d alone", sql, j+1, want[i][key][j], counts[0])
				}
			}
		}
	}
}

// TestGroupsAreChosenEvenly wants each of a person's four groups kept for about a quarter of all persons, and of rows that are
// mostly alike the others kept in their share. The choice is a hash of fixed names: the test gives the same verdict every time.
func TestGroupsAreChosenEvenly(t *testing.T) {
	server := newTwin(t)
	server.exec(staysTable)
	server.exec("INSERT INTO stays (guest, house, floor) SELECT 'guest ' || g, 'house ' || h, CASE WHEN n = 1 THEN 2 ELSE 1 END " +
		"FROM generate_series(1, 2000) AS g, generate_series(1, 4) AS h, generate_series(1, 10) AS n")
	for key, counts := range server.counts(stayQuery(t, "SELECT count(DISTINCT guest) FROM stays GROUP BY house", 1, 1)) {
		if counts[0] < 400 || counts[0] > 600 { // 500 +- 5 standard deviations of 19
			t.Errorf("%s has %d of 2,000 persons", key, counts[0])
		}
	}
	// Of the ten rows in a house one is on the second floor: a tenth of the 4,000 rows that are kept.
	counts := server.counts(stayQuery(t, "SELECT count(*), count(*) FILTER (WHERE floor = 2) FROM stays", 2, 1))[""]
	if counts[0] != 4000 || counts[1] < 300 || counts[1] > 500 { // 400 +- 5 standard deviations of 19
		t.Errorf("of %d rows %d are on the second floor", counts[0], counts[1])
	}
}

// TestPersonQuestions pins the canonical texts: they name the bounds that the count depends on, and none that it does not.
func TestPersonQuestions(t *testing.T) {
	for _, c := range []struct{ sql, want string }{
		{"SELECT count(*) FROM stays", "count(*) FROM public.stays PER guest AT MOST 4 ROWS"},
		{"SELECT count(*) FILTER (WHERE floor = 1) FROM stays WHERE day IS NULL",
			"count(*) FILTER (WHERE floor = 1) FROM public.stays PER guest AT MOST 4 ROWS WHERE day IS NULL"},
		{"SELECT house, count(*) FROM stays GROUP BY 1", "count(*) FROM public.stays PER guest AT MOST 4 ROWS IN 2 GROUPS GROUP BY house"},
		{"SELECT house, count(DISTINCT s.guest) FROM stays s GROUP BY 1", "count(DISTINCT guest) FROM public.stays PER guest AT MOST 2 GROUPS GROUP BY house"},
		{"SELECT count(DISTINCT guest) FILTER (WHERE floor = 1) FROM stays WHERE day IS NULL",
			"count(DISTINCT guest) FROM public.stays WHERE (day IS NULL AND floor = 1)"},
	} {
		q := stayQuery(t, c.sql, 4, 2)
		if got := q.Question(q.Counts[0]); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.sql, got, c.want)
		}
	}
}

// TestPersonColumnIsNotToBeUsed wants a person column that is not listed refused everywhere but in count(DISTINCT).
func TestPersonColumnIsNotToBeUsed(t *testing.T) {
	for sql, code := range map[string]string{
		"SELECT guest, count(*) FROM stays GROUP BY guest":                   pgerror.CodePrivilege,
		"SELECT count(*) FROM stays WHERE guest = 'a'":                       pgerror.CodePrivilege,
		"SELECT count(*) FILTER (WHERE guest > 'a') FROM stays":              pgerror.CodePrivilege,
		"SELECT count(DISTINCT guest) FROM stays WHERE guest >= 'a'":         pgerror.CodePrivilege,
		"SELECT max(guest) FROM stays":                                       pgerror.CodeNotSupported,
		"SELECT count(DISTINCT guest || house) FROM stays":                   pgerror.CodePrivilege,
		"SELECT count(DISTINCT (guest, house)) FROM stays":                   pgerror.CodeNotSupported,
		"SELECT count(DISTINCT guest ORDER BY guest) FROM stays":             pgerror.CodeNotSupported,
		"SELECT count(DISTINCT x.guest) FROM stays":                          pgerror.CodeUndefinedTable,
		"SELECT count(DISTINCT guest) OVER () FROM stays":                    pgerror.CodePrivilege,
		"SELECT house, count(*) FROM stays GROUP BY house ORDER BY guest":    pgerror.CodePrivilege,
		"SELECT house, count(*) FROM stays GROUP BY house HAVING guest > ''": pgerror.CodePrivilege,
	} {
		v, err := Analyze(sql, staysSession(4, 2))
		if err != nil {
			t.Fatal(err)
		}
		if refusal := refusalOf(v); refusal == nil || refusal.Code != code {
			t.Errorf("%s, want %s: %s", sql, code, describe(v))
		}
	}
}

func TestCheckPerson(t *testing.T) {
	for _, b := range pgvalue.Builtins {
		if b.OID == pgvalue.Interval {
			continue // no column of it can be used
		}
		refused := slices.Contains([]pgvalue.Family{pgvalue.Booleans, pgvalue.Dates, pgvalue.Instants}, b.Family) || pgvalue.IsFloat(b.OID)
		if err := query.CheckPerson(expr.Column{TypeOID: b.OID, Formatted: b.Shown}); (err != nil) != refused {
			t.Errorf("%s: %v", b.Shown, err)
		}
	}
	if query.CheckPerson(expr.Column{TypeOID: 17, Formatted: "bytea"}) == nil {
		t.Error("a type whose equality is unknown is accepted")
	}
}
