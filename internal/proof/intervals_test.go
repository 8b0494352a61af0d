package proof

import (
	"context"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"

	"tacit/internal/battery"
)

// Intervals that statements show of their counts, through the proxy and in both protocols: tacit.low, tacit.high, tacit.within,
// tacit.suppressed, the setting tacit.intervals, and the relation tacit.answers.

// newIntervalSite has a hospital's tables, filled, behind a proxy, and a session of an analyst's and one of PostgreSQL itself.
func newIntervalSite(t *testing.T, patients int) (proxied, direct *pgconn.PgConn) {
	t.Helper()
	s := &site{t: t, files: "testdata/hints", random: battery.Seeded(77)}
	s.fill(fmt.Sprintf("CALL fill(%d, 0.7)", patients), "hints/schema.sql")
	s.establish()
	open := func(url string) *pgconn.PgConn {
		conn, err := pgconn.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close(context.Background()) })
		return conn
	}
	return open(s.url(s.serve(s.gateway))), open(cluster.URL("postgres", s.database))
}

// A table is what a client sees of an answer.
type table struct {
	Columns []string // name and type
	Rows    [][]string
}

// ask runs a statement in the extended protocol if extended is set, and in the simple one otherwise.
func ask(t *testing.T, conn *pgconn.PgConn, sql string, extended bool) table {
	t.Helper()
	var r *pgconn.Result
	if extended {
		r = conn.ExecParams(t.Context(), sql, nil, nil, nil, nil).Read()
	} else {
		all, err := conn.Exec(t.Context(), sql).ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		r = all[len(all)-1]
	}
	if r.Err != nil {
		t.Fatalf("%s: %v", sql, r.Err)
	}
	out := table{}
	for _, f := range r.FieldDescriptions {
		out.Columns = append(out.Columns, fmt.Sprintf("%s %d", f.Name, f.DataTypeOID))
	}
	for _, row := range r.Rows {
		texts := make([]string, len(row))
		for i, v := range row {
			if texts[i] = string(v); v == nil {
				texts[i] = "NULL"
			}
		}
		out.Rows = append(out.Rows, texts)
	}
	return out
}

func whole(t *testing.T, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Both protocols show the same, as ordinary columns. Of a count n that is within w, low is n - w, cut at 0, and high n + w. With epsilon 1,
// 2 a^(w+1)/(1+a) <= 0.05 first for w = 3, and <= 0.01 for w = 4 (a = exp(-1)).
func TestIntervalsThroughTheWire(t *testing.T) {
	conn, _ := newIntervalSite(t, 3000)
	const bigint, numeric, boolean = " 20", " 1700", " 16"
	for _, c := range []struct {
		sql     string
		columns []string // after n
		within  int64    // 0 if it is another for each row
	}{
		{"SELECT count(*) AS n, tacit.low(count(*)), tacit.high(count(*)), tacit.suppressed(count(*)) FROM patients GROUP BY region",
			[]string{"low" + bigint, "high" + bigint, "suppressed" + boolean}, 3},
		{"SELECT count(*) AS n, tacit.low(count(*), 0.99), tacit.high(count(*), 0.99), tacit.within(count(*), 0.99) FROM patients GROUP BY region",
			[]string{"low" + bigint, "high" + bigint, "within" + bigint}, 4},
		{"SELECT n, tacit.low(n), tacit.high(n) FROM (SELECT region, count(*) AS n FROM patients GROUP BY region) AS q", []string{"low" + bigint, "high" + bigint}, 3},
		{"WITH q AS (SELECT region, count(*) AS n FROM patients GROUP BY region) SELECT n, tacit.low(n) AS l, tacit.high(n) AS h FROM q JOIN regions USING (region)",
			[]string{"l" + bigint, "h" + bigint}, 3},
		{"SELECT count(*) AS n, tacit.low(count(*)), tacit.high(count(*)) FROM patients GROUP BY ROLLUP (region)", []string{"low" + bigint, "high" + bigint}, 0},
		{"SELECT count(*) AS n, tacit.low(count(*)), tacit.high(count(*)) FROM patients", []string{"low" + bigint, "high" + bigint}, 0}, // derived of 5 cells
		{"SELECT round(100 * avg((sex = 'F')::int)) AS n, tacit.low(avg((sex = 'F')::int)), tacit.high(avg((sex = 'F')::int)) FROM patients",
			[]string{"low" + numeric, "high" + numeric}, 0},
	} {
		simple, extended := ask(t, conn, c.sql, false), ask(t, conn, c.sql, true)
		if diff := cmp.Diff(simple, extended); diff != "" {
			t.Errorf("%s (-simple +extended):\n%s", c.sql, diff)
		}
		if diff := cmp.Diff(c.columns, simple.Columns[1:]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.sql, diff)
		}
		for _, row := range simple.Rows {
			if row[1] == "NULL" || row[2] == "NULL" {
				t.Errorf("%s: no interval in %q", c.sql, row)
			}
			if c.within == 0 {
				continue
			}
			n := whole(t, row[0])
			if low, high := whole(t, row[1]), whole(t, row[2]); low != max(0, n-c.within) || high != n+c.within {
				t.Errorf("%s: %d is between %d and %d, but is within ±%d", c.sql, n, low, high, c.within)
			}
		}
	}
}

// In tables, cursors, copies and prepared statements they are what they are in a SELECT; and all are replays of one answer.
func TestIntervalsInStatementsOfAllKinds(t *testing.T) {
	conn, _ := newIntervalSite(t, 3000)
	const sql = "SELECT region, count(*) AS n, tacit.low(count(*)) AS l, tacit.high(count(*)) AS h FROM patients GROUP BY region ORDER BY region"
	want := ask(t, conn, sql, false)
	for _, c := range []struct {
		before, sql string
	}{
		{"CREATE TABLE kept AS " + sql, "SELECT * FROM kept ORDER BY region"},
		{"PREPARE p AS " + sql, "EXECUTE p"},
		{"BEGIN; DECLARE c CURSOR FOR " + sql, "FETCH ALL FROM c"},
	} {
		if _, err := conn.Exec(t.Context(), c.before).ReadAll(); err != nil {
			t.Fatalf("%s: %v", c.before, err)
		}
		if diff := cmp.Diff(want.Rows, ask(t, conn, c.sql, false).Rows); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.before, diff)
		}
	}
	var copied strings.Builder
	if _, err := conn.CopyTo(t.Context(), &copied, "COPY ("+sql+") TO STDOUT"); err != nil {
		t.Fatal(err)
	}
	lines := make([]string, len(want.Rows))
	for i, row := range want.Rows {
		lines[i] = strings.Join(row, "\t") + "\n"
	}
	if copied.String() != strings.Join(lines, "") {
		t.Errorf("copied %q, want %q", copied.String(), lines)
	}
}

// TestIntervalsSetting: a client that cannot change its SQL gets the ends of plain counts as columns behind its own, as long as it wants them; a
// prepared statement keeps the columns that it was described with.
func TestIntervalsSetting(t *testing.T) {
	conn, _ := newIntervalSite(t, 3000)
	const sql = "SELECT region, count(*) FROM public.patients GROUP BY region ORDER BY 2"
	const derivedTable = "SELECT * FROM (SELECT region, count(*) AS n FROM patients GROUP BY region) AS custom LIMIT 10"
	plain := ask(t, conn, sql, false)
	if len(plain.Columns) != 2 {
		t.Fatal(plain.Columns)
	}
	before, err := conn.Prepare(t.Context(), "before", sql, nil)
	if err != nil {
		t.Fatal(err)
	}
	ask(t, conn, "SET tacit.intervals = on", false)
	for _, extended := range []bool{false, true} {
		got := ask(t, conn, sql, extended)
		if diff := cmp.Diff([]string{"region 25", "count 20", "count_low 20", "count_high 20"}, got.Columns); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		for i, row := range got.Rows {
			if n := whole(t, row[1]); row[1] != plain.Rows[i][1] || whole(t, row[2]) != max(0, n-3) || whole(t, row[3]) != n+3 {
				t.Errorf("%q beside %q", row, plain.Rows[i])
			}
		}
		got = ask(t, conn, derivedTable, extended)
		if diff := cmp.Diff([]string{"region 25", "n 20", "n_low 20", "n_high 20"}, got.Columns); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	if r := conn.ExecPrepared(t.Context(), "before", nil, nil, nil).Read(); r.Err != nil || len(r.FieldDescriptions) != len(before.Fields) {
		t.Errorf("prepared before: %d columns, %v", len(r.FieldDescriptions), r.Err)
	}
	ask(t, conn, "RESET tacit.intervals", false)
	for _, extended := range []bool{false, true} {
		if diff := cmp.Diff(plain, ask(t, conn, sql, extended)); diff != "" {
			t.Errorf("after RESET: %s", diff)
		}
	}
}

// TestAnswersRelation: tacit.answers has what the notices of the session's last statements said, the newest first, and nothing of others'.
func TestAnswersRelation(t *testing.T) {
	conn, _ := newIntervalSite(t, 3000)
	const how = "SELECT how, table_name, counts, within, epsilon, round(epsilon_left), own_epsilon_left, answered_at IS NULL, age IS NULL, statement FROM tacit.answers"
	if got := ask(t, conn, how, false); len(got.Rows) != 0 {
		t.Errorf("a new session has answers: %q", got.Rows)
	}
	const asked, derived = "SELECT region, sex, count(*) FROM patients GROUP BY region, sex", "SELECT region, count(*) FROM patients GROUP BY region"
	ask(t, conn, asked, false)
	ask(t, conn, asked, true)
	ask(t, conn, derived, false)
	want := [][]string{
		{"derived", "patients", "4", "5", "0", "9999", "NULL", "f", "f", derived},
		{"replayed", "patients", "12", "3", "0", "9999", "NULL", "f", "f", asked},
		{"asked", "patients", "12", "3", "1", "9999", "NULL", "t", "t", asked},
	}
	for _, extended := range []bool{false, true} {
		if diff := cmp.Diff(want, ask(t, conn, how, extended).Rows); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	both := ask(t, conn, "SELECT a.notice LIKE b.table_schema || '.' || b.table_name || ':%' FROM tacit.answers AS a JOIN tacit.budget AS b USING (table_name)", false)
	if diff := cmp.Diff([][]string{{"t"}, {"t"}, {"t"}}, both.Rows); diff != "" {
		t.Errorf("beside another report: %s", diff)
	}
	for range 150 { // replays
		ask(t, conn, derived, false)
	}
	if got := ask(t, conn, "SELECT count(*), min(how) FROM tacit.answers", false); got.Rows[0][0] != "100" || got.Rows[0][1] != "derived" {
		t.Errorf("after 150 more: %q", got.Rows)
	}
}

// TestIntervalsCoverTheTruth asks anew many times and compares with the truth: counts, totals of grouping sets, derived counts, counts that a
// threshold shows, and shares. The draws are seeded, so that each run has the same; with others, each of the six would miss so often with
// a probability below 1e-7: 5.5 standard deviations above the rate that is allowed, which most stay below by far. With -short three of them are
// asked, half as often.
func TestIntervalsCoverTheTruth(t *testing.T) {
	const level = 0.8
	times := 120
	if testing.Short() {
		times /= 2
	}
	conn, direct := newIntervalSite(t, 400)
	ask(t, conn, "SET tacit.fresh = on", false)
	for i, c := range []struct {
		name, sql, truth string
	}{
		{"counts", "SELECT region, tacit.low(count(*), 0.8), tacit.high(count(*), 0.8) FROM patients GROUP BY region", "SELECT region, count(*) FROM patients GROUP BY region"},
		{"totals", "SELECT region, tacit.low(count(*), 0.8), tacit.high(count(*), 0.8) FROM patients GROUP BY ROLLUP (region, sex) HAVING GROUPING(sex) = 1",
			"SELECT region, count(*) FROM patients GROUP BY ROLLUP (region)"},
		{"declared keys", "SELECT age, tacit.low(count(*), 0.8), tacit.high(count(*), 0.8) FROM staff GROUP BY age", "SELECT age, count(*) FROM staff GROUP BY age"},
		{"shares", "SELECT region, tacit.low(avg((sex = 'F')::int), 0.8), tacit.high(avg((sex = 'F')::int), 0.8) FROM patients GROUP BY region",
			"SELECT region, avg((sex = 'F')::int) FROM patients GROUP BY region"},
		{"ratios", "SELECT region, tacit.low(100.0 * old / nullif(n, 0), 0.8), tacit.high(100.0 * old / nullif(n, 0), 0.8) FROM " +
			"(SELECT region, count(*) FILTER (WHERE age > 50) AS old, count(*) AS n FROM patients GROUP BY region) AS q",
			"SELECT region, 100.0 * count(*) FILTER (WHERE age > 50) / count(*) FROM patients GROUP BY region"},
		{"found keys", "SELECT floor(weight / 2), tacit.low(count(*), 0.8), tacit.high(count(*), 0.8) FROM patients GROUP BY floor(weight / 2)",
			"SELECT floor(weight / 2), count(*) FROM patients GROUP BY 1"},
	} {
		if testing.Short() && i%2 != 0 {
			continue
		}
		truth := make(map[string]float64)
		for _, row := range ask(t, direct, c.truth, false).Rows {
			truth[row[0]] = number([]byte(row[1]))
		}
		shown, missed := 0, 0
		for range times {
			for _, row := range ask(t, conn, c.sql, false).Rows {
				if row[1] == "NULL" {
					continue // no interval is told
				}
				low, high, is := number([]byte(row[1])), number([]byte(row[2])), truth[row[0]]
				if shown++; is < low-1e-9 || is > high+1e-9 {
					missed++
				}
			}
		}
		allowed := (1-level)*float64(shown) + 5.5*math.Sqrt(float64(shown)*level*(1-level))
		t.Logf("%s: %d of %d missed", c.name, missed, shown)
		if float64(missed) > allowed || shown < times || missed == 0 {
			t.Errorf("%s: %d of %d intervals miss the truth", c.name, missed, shown)
		}
	}
}

// TestAveragesOfFewHaveBothEndsOrNone asks for averages of cells of which some are empty. An average has an interval where there are rows for
// certain, and otherwise neither end; so what it may be off by is not told by one of them alone.
func TestAveragesOfFewHaveBothEndsOrNone(t *testing.T) {
	conn, _ := newIntervalSite(t, 400)
	known, unknown := 0, 0
	for _, row := range ask(t, conn, "SELECT age, tacit.low(avg(age)), tacit.high(avg(age)), tacit.within(avg(age)), avg(age) FROM staff GROUP BY age", false).Rows {
		switch none := row[1] == "NULL"; {
		case none != (row[2] == "NULL") || none != (row[3] == "NULL") && row[4] != "NULL":
			t.Errorf("one end without the other: %q", row)
		case none:
			unknown++
		default:
			known++
		}
	}
	if unknown == 0 || known == 0 {
		t.Errorf("%d averages have an interval, %d have none", known, unknown)
	}
}

// TestGuideToIntervals runs the statements of the guide for analysts: each is answered, and none has a NULL for an interval.
func TestGuideToIntervals(t *testing.T) {
	guide, err := os.ReadFile("../../docs/analyst.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(guide), "## How exact, in the statement")
	_, block, _ := strings.Cut(section, "```sql\n")
	block, _, _ = strings.Cut(block, "```")
	conn, _ := newIntervalSite(t, 3000)
	var statements strings.Builder
	for line := range strings.Lines(block) {
		if !strings.HasPrefix(line, "--") {
			statements.WriteString(line)
		}
	}
	asked := strings.Split(strings.TrimSuffix(strings.TrimSpace(statements.String()), ";"), ";")
	if len(asked) < 5 {
		t.Fatalf("the guide has %q", asked)
	}
	for _, sql := range asked {
		got := ask(t, conn, sql, false)
		t.Log(sql, got)
		for _, row := range got.Rows {
			if row[len(row)-1] == "NULL" {
				t.Errorf("%s: %q", sql, row)
			}
		}
	}
}
