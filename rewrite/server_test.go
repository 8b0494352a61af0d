package rewrite

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"

	"tacit/internal/pgtest"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/query"
)

var cluster *pgtest.Cluster

// TestMain starts a server, except in processes that need none: workers of a fuzz target, and the child of
// TestParserSurvivesTheBound.
func TestMain(m *testing.M) {
	flag.Parse()
	worker := flag.Lookup("test.fuzzworker")
	if worker != nil && worker.Value.String() == "true" || os.Getenv(deepChild) != "" {
		os.Exit(m.Run())
	}
	pgtest.Main(m, func(c *pgtest.Cluster) { cluster = c })
}

// A twin is a database in which the protected tables are ordinary tables, so that statements can be asked as they are.
type twin struct {
	tb   testing.TB
	conn *pgconn.PgConn
}

// newTwin makes the tables of the fixture with random rows.
func newTwin(tb testing.TB) *twin {
	tb.Helper()
	conn, err := pgconn.Connect(context.Background(), cluster.URL("postgres", cluster.CreateDatabase(tb)))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { conn.Close(context.Background()) })
	t := &twin{tb, conn}
	t.exec("SET TimeZone = 'UTC'; SET lc_messages = 'C';" + testTable + reportTables())
	t.exec("INSERT INTO cities VALUES ('Oslo', 'NO'), ('Rome', 'IT'), ('Bern', 'CH'); INSERT INTO mine VALUES ('Oslo', 3), ('Rome', 40), (NULL, 5); INSERT INTO countries VALUES ('NO', 'Norway', 1814), ('IT', 'Italy', 1861)")
	r := rand.New(rand.NewPCG(1, 2))
	var rows []string
	for id := range 300 {
		rows = append(rows, randomRow(r, id))
	}
	t.exec("INSERT INTO members VALUES " + strings.Join(rows, ", "))
	t.exec("INSERT INTO logins SELECT i, i % 7, CASE i % 3 WHEN 0 THEN 'phone' WHEN 1 THEN 'desk' END, CASE i % 2 WHEN 0 THEN 'Oslo' END FROM generate_series(1, 50) AS i")
	t.exec("INSERT INTO visits SELECT i % 7, CASE i % 3 WHEN 0 THEN 'east' WHEN 1 THEN 'west' END, i % 6 FROM generate_series(1, 100) AS i")
	t.exec(`INSERT INTO carriers SELECT 'p' || i, (ARRAY['blonde', 'black', 'brown'])[i % 3 + 1], (ARRAY['blue', 'b', 'B', NULL])[i / 3 % 4 + 1], i / 7 % 60,
			(ARRAY['Oslo', 'Rome', 'Bern', NULL, 'Ulm'])[i % 5 + 1], i * 7919 % 101 < 40 FROM generate_series(1, 900) AS i;
		INSERT INTO surveys SELECT (ARRAY['yes', 'no', 'maybe', NULL])[i % 4 + 1] FROM generate_series(1, 50) AS i`)
	t.exec("INSERT INTO payments SELECT i % 11, CASE i % 4 WHEN 0 THEN 'card' WHEN 1 THEN 'cash' END, i % 5 FROM generate_series(1, 40) AS i")
	return t
}

// randomRow chooses each value from a few, so that comparisons with the constants of the tests are often equal, and NULL is
// frequent.
func randomRow(r *rand.Rand, id int) string {
	pick := func(values ...string) string { return values[r.IntN(len(values))] }
	return "(" + strings.Join([]string{
		fmt.Sprint(id),
		pick("'Ann'", "NULL"),
		pick("'Oslo'", "'Rome'", "'Bern'", "'O''slo'", "'NULL'", `'back\slash "quoted" {brace},'`, "''", "NULL"),
		pick("'free'", "'gold'", "'a'"),
		pick("1980", "1985", "1990", "1991", "1992", "5", "-5", "7", "2147483647", "-2147483648", "NULL"),
		pick("1", "3", "4", "-32768", "NULL"),
		pick("1", "3", "9007199254740993", "9007199254740992", "NULL"),
		pick("1.5", "1000", "1000.01", "'NaN'", "3", "NULL"),
		pick("0.333", "2", "NULL"),
		pick("0.1", "1", "'Infinity'", "'-Infinity'", "'NaN'", "0", "0.001", "4", "NULL"),
		pick("0.1", "0.2", "5", "NULL"),
		pick("true", "false", "NULL"),
		pick("'a'", "'b'", "'abc'", "NULL"),
		pick("'2020-01-01'", "'2020-01-31'", "'2020-02-01'", "'infinity'", "'-infinity'", "NULL"),
		pick("'2020-01-31'", "'2020-01-31 10:11:12.5'", "'2020-02-01'", "'2020-01-01'", "'infinity'", "NULL"),
		pick("'2020-01-31 08:00:00Z'", "'2020-01-31 10:00:00Z'", "'2020-01-01 00:00:00Z'", "NULL"),
		pick("'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'", "'00000000-0000-0000-0000-000000000001'", "NULL"),
		"NULL",
		pick("'b'", "'B'", "'a'", "NULL"),
	}, ", ") + ")"
}

func (t *twin) exec(sql string) {
	t.tb.Helper()
	if _, err := t.conn.Exec(context.Background(), sql).ReadAll(); err != nil {
		t.tb.Fatalf("%s: %v", sql, err)
	}
}

// A result is what a client sees of a statement.
type result struct {
	Columns []string // name, type and modifier
	Rows    []string // sorted
	Tag     string
}

// run executes a statement with parameters in text form.
func (t *twin) run(sql string, oids []uint32, values []pgvalue.Value) (result, error) {
	params := make([][]byte, len(values))
	for i, v := range values {
		if !v.Null {
			params[i] = []byte(v.Text)
		}
	}
	r := t.conn.ExecParams(context.Background(), sql, params, oids, nil, nil).Read()
	return t.result(r), r.Err
}

func (t *twin) result(r *pgconn.Result) result {
	out := result{Tag: r.CommandTag.String()}
	for _, f := range r.FieldDescriptions {
		out.Columns = append(out.Columns, fmt.Sprintf("%s %d %d", f.Name, f.DataTypeOID, f.TypeModifier))
	}
	for _, row := range r.Rows {
		var fields []string
		for _, v := range row {
			if v == nil {
				fields = append(fields, "NULL")
			} else {
				fields = append(fields, fmt.Sprintf("%q", v))
			}
		}
		out.Rows = append(out.Rows, strings.Join(fields, " "))
	}
	slices.Sort(out.Rows)
	return out
}

// cells computes the true cells of a query.
func (t *twin) cells(q *query.BoundQuery) *query.Cells {
	t.tb.Helper()
	if q.Table.Audited() {
		return t.auditedCells(q)
	}
	sql, args := q.CountSQL(q.Counts)
	c := &query.Cells{Keys: make([][]pgvalue.Value, len(q.Keys)), Counts: make([][]int64, q.Columns())}
	for _, row := range t.query(sql, args) {
		for i := range q.Keys {
			c.Keys[i] = append(c.Keys[i], pgvalue.Value{Text: string(row[i]), Null: row[i] == nil})
		}
		numbers, err := query.ReadNumbers(q.Counts, row[len(q.Keys):])
		if err != nil {
			t.tb.Fatal(err)
		}
		for i, n := range numbers {
			c.Counts[i] = append(c.Counts[i], n)
		}
	}
	if q.Beside != nil {
		t.addEmpty(q, c)
	}
	c.Keys = q.Arrange(c.Keys)
	return c
}

// addEmpty adds the cells that no row is in, as a release has them.
func (t *twin) addEmpty(q *query.BoundQuery, c *query.Cells) {
	t.tb.Helper()
	all := [][]pgvalue.Value{make([]pgvalue.Value, len(q.Keys))}
	for _, g := range q.KeyGroups() {
		var product [][]pgvalue.Value
		sql, args := q.CellsSQL(g, 10_000)
		for _, row := range t.query(sql, args) {
			for _, cell := range all {
				cell = slices.Clone(cell)
				for i, k := range g.Keys {
					cell[k] = pgvalue.Value{Text: string(row[i]), Null: row[i] == nil}
				}
				product = append(product, cell)
			}
		}
		all = product
	}
	there := make(map[string]bool)
	for i := range c.Counts[0] {
		var cell []pgvalue.Value
		for _, column := range c.Keys {
			cell = append(cell, column[i])
		}
		there[fmt.Sprint(cell)] = true
	}
	for _, cell := range all {
		if there[fmt.Sprint(cell)] {
			continue
		}
		for i, v := range cell {
			c.Keys[i] = append(c.Keys[i], v)
		}
		for i := range c.Counts {
			c.Counts[i] = append(c.Counts[i], 0)
		}
	}
}

// constants evaluates the expressions without columns as the analyst's session does.
func (t *twin) constants(a *Answer, params []pgvalue.Value) []pgvalue.Value {
	t.tb.Helper()
	sql, args := a.Constants(params)
	if sql == "" {
		return nil
	}
	values := make([][]byte, len(args))
	for i, v := range args {
		if !v.Null {
			values[i] = []byte(v.Text)
		}
	}
	r := t.conn.ExecParams(context.Background(), sql, values, nil, nil, nil).Read()
	if r.Err != nil {
		t.tb.Fatalf("%s %v: %v", sql, args, r.Err)
	}
	var constants []pgvalue.Value
	for _, v := range r.Rows[0] {
		constants = append(constants, pgvalue.Value{Text: string(v), Null: v == nil})
	}
	return constants
}

// report reads the rows of a report from the table that stands for it.
func (t *twin) report(r *Report) *query.Cells {
	t.tb.Helper()
	c := &query.Cells{Keys: make([][]pgvalue.Value, len(r.Columns))}
	for _, row := range t.query("SELECT * FROM tacit."+r.Name, nil) {
		for i, v := range row {
			c.Keys[i] = append(c.Keys[i], pgvalue.Value{Text: string(v), Null: v == nil})
		}
	}
	return c
}

// reportTables is SQL for tables like the reports, with rows of NULL and of a value of each type.
func reportTables() string {
	var b strings.Builder
	b.WriteString("CREATE SCHEMA tacit;")
	for _, r := range reports {
		var columns, values []string
		for _, c := range r.Columns {
			columns = append(columns, c.Name+" "+c.Type)
			values = append(values, map[string]string{"pg_catalog.text": `'Bern \'`, "pg_catalog.timestamptz": "'2026-01-02 03:04:05.000006+02'",
				"pg_catalog.bool": "true", "pg_catalog.interval": "'1 day'"}[c.Type])
			if values[len(values)-1] == "" {
				values[len(values)-1] = "1"
			}
		}
		fmt.Fprintf(&b, "CREATE TABLE tacit.%[1]s (%[2]s); INSERT INTO tacit.%[1]s VALUES (%[3]s); INSERT INTO tacit.%[1]s DEFAULT VALUES;",
			r.Name, strings.Join(columns, ", "), strings.Join(values, ", "))
	}
	return b.String() + intervalFunctions
}

// intervalFunctions are what tacit.low and the like are of exact counts.
const intervalFunctions = `
	CREATE FUNCTION tacit.low(anyelement, numeric = 0.95) RETURNS anyelement LANGUAGE sql AS 'SELECT $1';
	CREATE FUNCTION tacit.high(anyelement, numeric = 0.95) RETURNS anyelement LANGUAGE sql AS 'SELECT $1';
	CREATE FUNCTION tacit.within(int8, numeric = 0.95) RETURNS int8 LANGUAGE sql AS 'SELECT $1 - $1';
	CREATE FUNCTION tacit.suppressed(anyelement) RETURNS bool LANGUAGE sql AS 'SELECT $1 IS NULL';`

// setExactEnds gives cells the ends of intervals of exact counts.
func setExactEnds(q *query.BoundQuery, cells *query.Cells) {
	for _, asked := range q.Intervals {
		exact := cells.Counts[query.ColumnsOf(q.Counts[:asked.Count])+asked.Column]
		ends := query.Ends{Low: exact, High: exact}
		if q.Totals {
			ends = query.Ends{High: make([]int64, len(exact))}
		}
		cells.Ends = append(cells.Ends, ends)
	}
}

func (t *twin) read(sql string, args []string) ([][][]byte, error) {
	params := make([][]byte, len(args))
	for i, a := range args {
		params[i] = []byte(a)
	}
	r := t.conn.ExecParams(context.Background(), sql, params, nil, nil, nil).Read()
	return r.Rows, r.Err
}

func (t *twin) query(sql string, args []string) [][][]byte {
	t.tb.Helper()
	rows, err := t.read(sql, args)
	if err != nil {
		t.tb.Fatalf("%s %q: %v", sql, args, err)
	}
	return rows
}

// try says why the server does not run a statement.
func (t *twin) try(sql string, args []string) error {
	_, err := t.read(sql, args)
	return err
}

// rollback runs f and undoes what it did.
func (t *twin) rollback(f func()) {
	t.exec("BEGIN")
	f()
	t.exec("ROLLBACK")
}

// answered calls f with each golden statement that is answered.
func answered(t *testing.T, f func(sql string, a *Answer)) {
	for _, path := range goldenFiles(t) {
		for _, c := range readGolden(t, path) {
			v, err := Analyze(c.sql, testSession())
			if err != nil {
				t.Fatal(err)
			}
			if a, ok := v.(*Answer); ok && a.Prepare == "" && a.Explain == nil && len(a.Probes) == 0 && !tellsValues(a) {
				f(c.sql, a)
			}
		}
	}
}

// tellsValues reports whether an answer has percentiles or modes: package proof compares these with the server's, since they are no counts.
func tellsValues(a *Answer) bool {
	return slices.ContainsFunc(a.Queries, func(q *query.CountQuery) bool {
		return slices.ContainsFunc(q.Counts, func(c query.Count) bool { return c.Ordered != nil })
	})
}

// TestAnswersLikeTheServer asks each golden statement as it is, and with the true cells in place of the protected tables, in the
// extended and in the simple protocol: columns, rows and tags must be the same. It fails under any wrong resolution of
// names, any lost clause, any wrong column name, type or modifier, and any wrong count.
func TestAnswersLikeTheServer(t *testing.T) {
	server := newTwin(t)
	n := 0
	answered(t, func(sql string, a *Answer) {
		n++
		d, err := server.conn.Prepare(context.Background(), "", sql, nil)
		if err != nil {
			t.Errorf("%s\nas it is: %v", sql, err)
			return
		}
		values := sampleValues(d.ParamOIDs)
		var want result
		server.rollback(func() { want, err = server.run(sql, nil, values) })
		if err != nil {
			// An expression without columns fails in the analyst's own session, too.
			if constants, _ := a.Constants(values); constants == "" {
				t.Errorf("%s\nas it is: %v", sql, err)
			}
			return
		}
		var cells []*query.Cells
		constants := server.constants(a, values)
		for _, q := range a.Queries {
			bound, refusal := q.Bind(values, constants...)
			if refusal != nil {
				t.Errorf("%s\n%s", sql, describeRefusal(refusal))
				return
			}
			cells = append(cells, server.cells(bound))
			setExactEnds(bound, cells[len(cells)-1])
		}
		for _, r := range a.Reports {
			cells = append(cells, server.report(r))
		}
		literals := a.Outer.Literals(cells)
		extended := a.Outer.WithParameters(a.Params + 1)
		all := slices.Clone(values)
		for _, l := range literals {
			all = append(all, pgvalue.Value{Text: l})
		}
		server.rollback(func() {
			got, err := server.run(extended, a.ParamOIDs, all)
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("%s\n%s\n%v (-want +got):\n%s", sql, extended, err, diff)
			}
		})
		if a.Params > 0 {
			return
		}
		simple := a.Outer.WithLiterals(literals)
		server.rollback(func() {
			results, err := server.conn.Exec(context.Background(), simple).ReadAll()
			if err != nil {
				t.Errorf("%s\n%s\n%v", sql, simple, err)
			} else if diff := cmp.Diff(want, server.result(results[0])); diff != "" {
				t.Errorf("%s\n%s (-want +got):\n%s", sql, simple, diff)
			}
		})
	})
	if n < 150 {
		t.Errorf("only %d statements were answered", n)
	}
}

// TestParametersLikeTheServer compares the types that are inferred for parameters with those of the server for the statement as
// it is.
func TestParametersLikeTheServer(t *testing.T) {
	server := newTwin(t)
	answered(t, func(sql string, a *Answer) {
		if a.Params == 0 {
			return
		}
		d, err := server.conn.Prepare(context.Background(), "", sql, nil)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			return
		}
		for i, oid := range a.ParamOIDs {
			if oid != 0 && oid != d.ParamOIDs[i] {
				t.Errorf("%s: $%d is %d, the server says %d", sql, i+1, oid, d.ParamOIDs[i])
			}
		}
	})
}

// TestErrorsLikeTheServer compares the refusals of errors.sql with the server's own errors.
func TestErrorsLikeTheServer(t *testing.T) {
	server := newTwin(t)
	for _, c := range readGolden(t, filepath.Join("testdata", "errors.sql")) {
		v, err := Analyze(c.sql, testSession())
		if err != nil {
			t.Fatal(err)
		}
		refusal := refusalOf(v)
		if refusal == nil {
			t.Errorf("%s: %s", c.sql, describe(v))
			continue
		}
		d, err := server.conn.Prepare(context.Background(), "", c.sql, nil)
		if err == nil {
			_, err = server.run(c.sql, nil, sampleValues(d.ParamOIDs))
		}
		var want *pgconn.PgError
		if !errors.As(err, &want) {
			t.Errorf("%s: the server takes it: %v", c.sql, err)
			continue
		}
		if want.Position == 0 { // found when the statement was run
			refusal.Position = 0
		}
		got := fmt.Sprint(refusal.Code, " ", refusal.Position, " ", refusal.Message)
		if diff := cmp.Diff(fmt.Sprint(want.Code, " ", want.Position, " ", want.Message), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.sql, diff)
		}
	}
}

// TestParametersInsideAndOutside places a parameter of no declared type in conditions and elsewhere. What is answered has the
// server's type; the rest is refused.
func TestParametersInsideAndOutside(t *testing.T) {
	server := newTwin(t)
	conditions := []string{"birth_year > $1", "points > $1", "level > $1", "city <> $1", "salary > $1", "birth_year > $1::int8", "level > $1::int4 OR points = $1", "points = $1 OR level > $1",
		"birth_year > $1::int4", "city = $1::text", "birth_year IN ($1, 2.5)", "birth_year = ANY ($1)", "$1 IS NULL", "$1::int8 IS NULL", "birth_year = $1 AND $1 IS NULL", "active OR $1", "birth_year > $2"}
	tried, answered, refused := 0, 0, 0
	for _, frame := range []string{
		"SELECT %[1]s + 1, (SELECT count(*) FROM members WHERE %[2]s)",
		"SELECT (SELECT count(*) FROM members WHERE %[2]s), %[1]s",
		"SELECT %[1]s || 'x', (SELECT count(*) FROM members WHERE %[2]s)",
		"SELECT count(*) + %[1]s FROM members WHERE %[2]s",
		"SELECT city, count(*) FROM members WHERE %[2]s GROUP BY city HAVING count(*) > %[1]s",
		"SELECT city, count(*) FROM members WHERE %[2]s GROUP BY city LIMIT %[1]s",
		"SELECT city, count(*) FILTER (WHERE %[2]s) FROM members GROUP BY city ORDER BY %[1]s + 1",
		"SELECT (SELECT count(*) FROM members WHERE %[2]s) FROM (SELECT %[1]s AS a) x",
		"SELECT (SELECT count(*) FROM members WHERE %[2]s) FROM (SELECT count(*) FROM members WHERE points > %[1]s) x",
		"SELECT (SELECT count(*) FROM members WHERE %[2]s) FROM mine WHERE n > %[1]s",
		"SELECT n FROM mine WHERE n > %[1]s AND n > (SELECT count(*) FROM members WHERE %[2]s)",
		"WITH x AS (SELECT count(*) AS n FROM members WHERE %[2]s) SELECT n + %[1]s FROM x",
		"INSERT INTO mine SELECT city, %[1]s FROM members WHERE %[2]s GROUP BY city HAVING count(*) > 1",
		"INSERT INTO mine (n) VALUES (%[1]s), ((SELECT count(*) FROM members WHERE %[2]s))",
		"UPDATE mine SET n = (SELECT count(*) FROM members WHERE %[2]s) WHERE n = %[1]s",
		"SELECT count(*) FROM members WHERE %[2]s UNION ALL SELECT count(*) FROM members WHERE level > %[1]s",
		"SELECT %[1]s IN (SELECT count(*) FROM members WHERE %[2]s)",
	} {
		for _, condition := range conditions {
			for _, outside := range []string{"$1", "$1::int8", "$1::int4", "$1::text", "$1::varchar(5)", "$1::int4[]"} {
				if tried++; testing.Short() && tried%5 != 0 {
					continue
				}
				sql := fmt.Sprintf(frame, outside, condition)
				a, ok := analyze(t, sql).(*Answer)
				if !ok {
					refused++
					continue
				}
				d, err := server.conn.Prepare(context.Background(), "", sql, nil)
				if err != nil && !strings.Contains(condition, "$2") {
					rest := a.Outer.WithParameters(a.Params + 1)
					if _, restErr := server.conn.Prepare(context.Background(), "", rest, a.ParamOIDs); restErr == nil {
						t.Errorf("%s is answered, the server says %v", sql, err)
					}
					continue
				}
				answered++
				for i, oid := range a.ParamOIDs {
					if err == nil && oid != 0 && oid != d.ParamOIDs[i] {
						t.Errorf("%s: $%d is %d, the server says %d", sql, i+1, oid, d.ParamOIDs[i])
					}
				}
			}
		}
	}
	leastAnswered, leastRefused := 100, 500
	if testing.Short() {
		leastAnswered, leastRefused = 20, 100
	}
	if answered < leastAnswered || refused < leastRefused {
		t.Errorf("%d answered, %d refused", answered, refused)
	}
}

// TestNoFunctionIsTakenForATypo asks for each of the server's own functions.
func TestNoFunctionIsTakenForATypo(t *testing.T) {
	if perhapsFunction("lowr") != "Perhaps you meant lower. " {
		t.Error("lowr is not taken for lower")
	}
	for _, row := range newTwin(t).query("SELECT DISTINCT proname FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace", nil) {
		name := string(row[0])
		if hint := perhapsFunction(name); hint != "" && hint != "Perhaps you meant "+name+". " {
			t.Errorf("%s: %s", name, hint)
		}
	}
}
